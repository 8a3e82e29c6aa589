#ifndef IPR_DB_ALIASES_H
#define IPR_DB_ALIASES_H

#include "core/spelling.h"
#include "db/db.h"
#include "db/similar_pairs.h"

/** Two players that the spelling file makes one person. */
struct ipr_db_alias {
    struct ipr_db_suspect who, into;
};

/**
 * Persons whose names can mean the same person of a spelling file, and nobody else of it who lived
 * in the years of their games (ipr_spelling_alive), at most `limit` of them. The one they are
 * merged into has the person's whole name or FIDE id. Left out: who has played the other, has
 * another FIDE id or was declared distinct; whose Elo in the tags is far from the other's; who has
 * no dated game. Reads all players: a second for half a million. The games are searched for the
 * first `examined` pairs; those after them are not listed.
 */
IPR_CHECK enum ipr_code ipr_db_aliases(struct ipr_db *db, const struct ipr_spelling *spelling,
                                       size_t limit, size_t examined, struct ipr_arena *mem,
                                       struct ipr_db_alias **rows, size_t *n, struct ipr_err *err);

/** Merges all of them as one decision, of which *batch is the first change: undoing that, or any
 * other of them, undoes all (db/identity_changes.h). *batch is 0 when there is none. */
IPR_CHECK enum ipr_code ipr_db_aliases_merge(struct ipr_db *db, const struct ipr_spelling *spelling,
                                             const char *by, int64_t *batch, int32_t *merged,
                                             struct ipr_err *err);

#endif
