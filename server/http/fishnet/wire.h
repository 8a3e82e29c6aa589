#ifndef IPR_HTTP_FISHNET_WIRE_H
#define IPR_HTTP_FISHNET_WIRE_H

#include <jansson.h>

#include "db/games.h"
#include "db/jobs.h"
#include "db/remote.h"
#include "uci/judge.h"

/* Answers to clients of the fishnet protocol. */

/**
 * A lease as a client names it: the job's id in base 62 and the lease's token in eleven such
 * digits, so that a result for an expired lease matches none. Clients accept up to 24 bytes.
 */
#define IPR_FISHNET_ID_SIZE 23
void ipr_fishnet_id_write(int64_t job, int64_t token, char out[IPR_FISHNET_ID_SIZE]);
bool ipr_fishnet_id_read(const char *text, int64_t *job, int64_t *token);

/** One object for clients of every version, which ignore unknown members. The limit is the judge's
 * depth, and that of nodes is never reached; or its nodes. `chosen`: uci/remote.h. Games from
 * another start are sent as Chess960, which every client supports, with castling as king takes
 * rook.
 */
json_t *ipr_fishnet_job_json(const struct ipr_db_job *job, const struct ipr_judge *judge,
                             const struct ipr_db_game *game, const bool *chosen);

/** {"analysis": {"user": {"acquired", "queued", "oldest"}, "system": {…}}} */
json_t *ipr_fishnet_status_json(const struct ipr_db_status status[2]);

#endif
