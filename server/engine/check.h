#ifndef IPR_ENGINE_CHECK_H
#define IPR_ENGINE_CHECK_H

#include "db/games.h"
#include "db/jobs.h"
#include "engine/process.h"

/**
 * A check (db/jobs.h, IPR_JOB_CHECK): some turns of a game that a remote machine has judged, or
 * of its confirmations, are judged again here and compared. In three steps, because only the store
 * thread uses the database and only workers use engines.
 */
struct ipr_check;

/** Step 1, store thread: loads the turns to judge again. `game` is borrowed, memory from `mem`.
 * *definition is what to start the engine for; its program is one of this machine. IPR_ENOTFOUND
 * when nothing is left to check: the job is then completed. */
IPR_CHECK enum ipr_code ipr_check_load(struct ipr_db *db, const struct ipr_db_job *job,
                                       const struct ipr_db_game *game, struct ipr_arena *mem,
                                       struct ipr_check **out, struct ipr_judge *definition,
                                       struct ipr_err *err);

/** Step 2, worker: judges them with an engine started for that definition, and compares. `tick` and
 * errors as in ipr_engine_judge. */
IPR_CHECK enum ipr_code ipr_check_run(struct ipr_check *c, struct ipr_engine *e,
                                      ipr_engine_tick_fn tick, void *payload, struct ipr_arena *mem,
                                      struct ipr_err *err);

/** Step 3, store thread, in the transaction that completes the job: stores the result and its
 * consequences for the key. Locks the job before the key; IPR_ECONFLICT when the lease is lost. */
IPR_CHECK enum ipr_code ipr_check_store(struct ipr_db *db, const struct ipr_check *c,
                                        struct ipr_err *err);

/* ---- comparison ---- */

/** Number of turns of a game that are judged again, drawn at random. */
#define IPR_CHECK_TURNS 5

/**
 * A game passes up to this mean absolute difference in centipawns. Honest machines differ from ours
 * by the version of their engine and by what is left in its hash; invented evaluations differ by
 * more than 100. Measured with Stockfish 15.1, five turns drawn 4000 times, hash kept as clients do
 * against hash cleared: at depths 8 to 12 with 2 to 20 lines the median is 11 to 19 and the maximum
 * 48; at depths 4 and 6 the maximum is 82. For invented scores that fall by 25 from rank to rank of
 * the correct moves the median is 127 and the first percentile 57.
 */
#define IPR_CHECK_TOLERANCE_CP         50
#define IPR_CHECK_TOLERANCE_SHALLOW_CP 100
#define IPR_CHECK_SHALLOW_DEPTH        8 /* below this depth the second tolerance applies */

/**
 * Confirmations are of moves that searches disagree on, with two lines each. Measured in the same
 * way with 500 of them and 200,000 nodes: of five the median is 14, the 99th percentile 39 and the
 * maximum 83, of three 12, 47 and 108; for the figures of other moves the median is 120 and 108.
 */
#define IPR_CHECK_TOLERANCE_CHOSEN_CP 100
#define IPR_CHECK_CHOSEN_MIN          3 /* fewer say nothing */

/** The result of a check. */
struct ipr_check_verdict {
    unsigned turns;    /* compared */
    double difference; /* mean absolute, centipawns; 0 without turns */
    bool passed;
};

/**
 * Compares `n` turns as received (`theirs`) with the same turns as judged here: all moves that both
 * list, by their scores at the last depth, clipped to +-500 cp. A centipawn is not the same in
 * every version of an engine, so theirs are first multiplied by the factor within [1/2, 2] that
 * fits best by least squares. Pure. IPR_EINVAL when the plies differ.
 */
IPR_CHECK enum ipr_code ipr_check_compare(const struct ipr_judged_turn *theirs,
                                          const struct ipr_judged_turn *ours, size_t n,
                                          struct ipr_check_verdict *out, struct ipr_err *err);

#endif
