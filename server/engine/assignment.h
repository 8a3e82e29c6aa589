#ifndef IPR_ENGINE_ASSIGNMENT_H
#define IPR_ENGINE_ASSIGNMENT_H

#include <stdatomic.h>

#include "db/endgames.h"
#include "db/games.h"
#include "db/jobs.h"
#include "engine/backoff.h"
#include "engine/breaker.h"
#include "engine/check.h"

/**
 * One game in the hands of this process, from its claim to what is told the database about it.
 *
 *     claimed --> READY --> RUNNING --> JUDGED      is stored, and the job is done
 *                   ^          |------> FAILED      the attempt counts, the reason is told
 *                   |          |------> RETURNED    goes back to the queue uncounted
 *                   |          v
 *                   +----- IDENTIFIED               the engine has said who it is: now turns can
 *                                                   be looked up that this very judge knows
 *
 * The clerk (engine/store_thread.h) makes and ends it; a worker (engine/worker.h) has it alone
 * while it is RUNNING, but for the atomic fields. The state changes hands by the desk
 * (engine/handoff.h).
 */
enum ipr_assignment_state {
    IPR_ASSIGNMENT_READY,
    IPR_ASSIGNMENT_RUNNING,
    IPR_ASSIGNMENT_IDENTIFIED,
    IPR_ASSIGNMENT_JUDGED,
    IPR_ASSIGNMENT_FAILED,
    IPR_ASSIGNMENT_RETURNED
};

struct ipr_assignment {
    struct ipr_assignment *next; /* in a queue of the desk */
    enum ipr_assignment_state state;
    struct ipr_db_job job;
    struct ipr_db_game game;
    const char *program, *path;  /* the engine's, as the operator has it; borrowed */
    struct ipr_breaker *breaker; /* the program's; the clerk's alone, borrowed */
    struct ipr_backoff *resting; /* likewise */
    struct ipr_judge definition; /* what the engine is started for */
    struct ipr_judge judge;      /* the same with the engine's own name and so on */
    bool identified;             /* judge is filled in */
    struct ipr_judged_game known, judged;
    int32_t search_ms[2];
    struct ipr_db_endgame_turn *endgame; /* what tablebases say */
    size_t n_endgame;
    struct ipr_check *check; /* NULL: judge the game */
    struct ipr_err why;      /* FAILED and RETURNED: what happened; code OK: nothing, a stop */
    bool engine_failed;      /* it was the engine's fault, */
    bool engine_unable;      /* or it cannot be set up for this judge, */
    bool no_engine;          /* or none could be started */
    unsigned tries;          /* attempts at storing it */
    struct ipr_arena mem;

    atomic_size_t done, total; /* turns */
    atomic_bool near_end;      /* the worker will soon want another game */
    atomic_bool lost;          /* the lease is no longer ours: stop, and tell nobody */
};

struct ipr_assignment *ipr_assignment_new(const struct ipr_db_job *job);
void ipr_assignment_free(struct ipr_assignment **a);

/** Whether an engine set up for one judge is the one that another is. */
bool ipr_assignment_same_judge(const struct ipr_judge *a, const struct ipr_judge *b);

/** Turns of each side that were known. */
void ipr_assignment_cached(const struct ipr_assignment *a, int cached[2]);

/** Why it failed, for those who will look at it: with the half-move, and the position before it. */
#define IPR_REASON_MAX (IPR_ERR_TEXT + IPR_FEN_MAX + 64)
void ipr_assignment_reason(const struct ipr_assignment *a, char out[IPR_REASON_MAX]);

#endif
