#ifndef IPR_ENGINE_ASSIGNMENT_H
#define IPR_ENGINE_ASSIGNMENT_H

#include <stdatomic.h>
#include <sys/queue.h>

#include "db/endgames.h"
#include "db/games.h"
#include "db/jobs.h"
#include "engine/backoff.h"
#include "engine/breaker.h"
#include "engine/check.h"
#include "engine/confirm.h"

/**
 * One job leased by this process, from its claim until its outcome is stored.
 *
 *     claimed --> READY --> RUNNING --> JUDGED      is stored, and the job is done
 *                   ^          |------> FAILED      the attempt counts, the reason is stored
 *                   |          |------> RETURNED    goes back to the queue uncounted
 *                   |          v
 *                   +----- IDENTIFIED               the engine has identified itself: now turns
 *                                                   that this judge knows can be looked up
 *
 * The store thread (engine/store_thread.h) creates and frees it; while it is RUNNING it belongs to
 * one worker (engine/worker.h), except for the atomic members. Its owner changes through the
 * hand-off queue (engine/handoff.h).
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
    TAILQ_ENTRY(ipr_assignment) queued; /* in the hand-off queue */
    enum ipr_assignment_state state;
    struct ipr_db_job job;
    struct ipr_db_game game;
    const char *program, *path;  /* of the engine, as configured; borrowed */
    struct ipr_breaker *breaker; /* of the program; used by the store thread only, borrowed */
    struct ipr_backoff *backoff; /* likewise */
    struct ipr_judge definition; /* what the engine is started for */
    struct ipr_judge judge;      /* the same with the name, network and options of the engine */
    bool identified;             /* judge is filled in */
    unsigned sides;              /* sides of the job that this judge has not judged yet */
    struct ipr_judged_game known, judged;
    int32_t search_ms[2];
    struct ipr_db_endgame_turn *endgame; /* values from the tablebases */
    size_t n_endgame;
    struct ipr_check *check; /* for a job of this kind, if anything is left to do: one of these */
    struct ipr_confirm *confirm;
    struct ipr_err why; /* FAILED and RETURNED: the cause; code OK: the service stops */
    bool engine_failed; /* the engine crashed or misbehaved */
    bool engine_unable; /* the engine cannot be configured for this judge */
    bool no_engine;     /* no engine could be started */
    unsigned tries;     /* attempts to store it */
    struct ipr_arena mem;

    atomic_size_t done, total; /* turns */
    atomic_bool nearly_done;   /* the worker will soon need another game */
    atomic_bool lost;          /* the lease is no longer ours: stop, and store nothing */
    atomic_bool yields;        /* a confirmation: stop for another job, and store what there is */
};

struct ipr_assignment *ipr_assignment_new(const struct ipr_db_job *job);
void ipr_assignment_free(struct ipr_assignment **a);

/** True if two judges have the same engine, options and search. */
bool ipr_assignment_same_judge(const struct ipr_judge *a, const struct ipr_judge *b);

/** Why it failed, with the half-move and the position before it. */
#define IPR_REASON_MAX (IPR_ERR_TEXT + IPR_FEN_MAX + 64)
void ipr_assignment_reason(const struct ipr_assignment *a, char out[IPR_REASON_MAX]);

#endif
