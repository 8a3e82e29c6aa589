#ifndef IPR_DB_ANALYSES_H
#define IPR_DB_ANALYSES_H

#include "db/db.h"

/* The queue for those who request judging: progress and control. */

/** Which games: they meet all members that are not 0; all 0: the whole queue. */
struct ipr_db_selection {
    int64_t upload, game;
    int32_t person;    /* an identity's root id (db/players.h), both colours */
    int year;          /* with a person */
    const char *judge; /* NULL: any */
};

/** Games of a player; they meet all members that are not 0. */
struct ipr_db_span {
    int32_t player;          /* 0: every player's games of the plan's upload or game */
    int32_t opponent, event; /* with a player */
    int from, to;            /* years; undated games are included only if both are 0 */
};

/** Games to analyse: those of a selection, of these the ones in any of the spans; or a list. */
struct ipr_db_plan {
    struct ipr_db_selection games; /* without its judge, with spans also person and year */
    const struct ipr_db_span *spans;
    size_t n_spans; /* 0: one span, of the selection's person and year, unless games are listed */
    const int64_t *listed; /* without a selection and spans */
    size_t n_listed;
    bool own; /* analyse only the players' own moves, not both sides */
};

#include "queries/analyses.h"

/** IPR_ENOTFOUND, naming it, when the upload, game, person or judge does not exist. */
IPR_CHECK enum ipr_code ipr_db_selection_check(struct ipr_db *db, const struct ipr_db_selection *s,
                                               struct ipr_err *err);

/** One span for each of the players, in the same years. */
static inline const struct ipr_db_span *ipr_db_spans(const int32_t *players, size_t n, int from,
                                                     int to, struct ipr_arena *mem)
{
    struct ipr_db_span *spans = ipr_arena_alloc(mem, n, sizeof *spans);

    for (size_t i = 0; i < n; i++)
        spans[i] = (struct ipr_db_span){ .player = players[i], .from = from, .to = to };
    return spans;
}

/** Size of a plan. */
struct ipr_db_planned {
    int64_t games, turns;       /* in total */
    int64_t there, turns_there; /* of these, already analysed or queued */
    double core_hours;          /* for the rest; < 0: no time was measured for the judge yet */
};

/** Queues a plan, which has at least one of upload, game, person, spans and a list, for `judge`,
 * which must be defined, in a transaction of its own. `estimate`: only computes *out and queues
 * nothing. IPR_ENOTFOUND if the upload, a game or a person does not exist or no game has moves.
 * Takes 16 bytes of memory per game. */
IPR_CHECK enum ipr_code ipr_db_analyses_queue(struct ipr_db *db, const struct ipr_db_plan *plan,
                                              const char *judge, int priority, const char *owner,
                                              bool estimate, struct ipr_db_planned *out,
                                              struct ipr_err *err);

enum ipr_db_steer {
    IPR_STEER_CANCEL,  /* ready, paused and failed jobs are deleted; running ones lose their lease
                          and are deleted */
    IPR_STEER_PAUSE,   /* ready ones wait; running ones lose their lease and wait */
    IPR_STEER_RESUME,  /* paused ones are ready */
    IPR_STEER_RETRY,   /* failed ones are ready, attempts 0 */
    IPR_STEER_PRIORITY /* of ready, paused and running ones; a new place in that priority */
};

/** Returns how many jobs were changed. */
IPR_CHECK enum ipr_code ipr_db_analyses_steer(struct ipr_db *db, const struct ipr_db_selection *s,
                                              enum ipr_db_steer what, int priority,
                                              int32_t *changed, struct ipr_err *err);

/**
 * Progress of a selection. Estimated time: the turns up to and including the selection's last job
 * in the order of the queue, times the recent time per turn of each judge (judged_side.search_ms of
 * the last 200 sides that were searched), divided by the number of running engines that have the
 * program, and at least what one engine needs for the longest game of the selection. Turns whose
 * time is not known (no live worker has the program, the judge was not measured yet, they are for
 * other people's machines) are left out, and the rest is a lower bound.
 */
struct ipr_db_progress {
    int64_t ready, running, paused, failed;
    int64_t judged;      /* games of the selection with both sides judged by `judge` (any judge when
                            NULL); of the whole queue: all judged games */
    int64_t turns_left;  /* of ready and running jobs of the selection, estimated */
    int64_t turns_ahead; /* in the order of the queue up to its last one, its own included */
    int engines;         /* engines of live workers with the programs it needs */
    double seconds; /* time remaining, or at least that when `unknown`; < 0: nothing is known */
    double engine_seconds; /* what one engine would need for the turns ahead, as far as known */
    const char *unknown; /* NULL, or why not all is known: "no_worker", "not_measured", "paused" or
                            "external" (fishnet) */
    char unmeasured[32]; /* "not_measured": the name of a judge, as in uci/judge.h */
    int64_t oldest_s;    /* age of the oldest ready job, 0 when none */
};
IPR_CHECK enum ipr_code ipr_db_analyses_progress(struct ipr_db *db,
                                                 const struct ipr_db_selection *s,
                                                 struct ipr_db_progress *out, struct ipr_err *err);

/** Jobs of a selection in a state (NULL: any), ascending by id after `after`, at most `limit`. */
IPR_CHECK enum ipr_code ipr_db_analyses_list(struct ipr_db *db, const struct ipr_db_selection *s,
                                             const char *state, int64_t after, int limit,
                                             struct ipr_arena *mem, struct ipr_db_analysis **rows,
                                             size_t *n, struct ipr_err *err);

#endif
