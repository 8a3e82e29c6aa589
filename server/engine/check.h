#ifndef IPR_ENGINE_CHECK_H
#define IPR_ENGINE_CHECK_H

#include "db/games.h"
#include "db/jobs.h"
#include "engine/process.h"

/**
 * A check (db/jobs.h, IPR_JOB_CHECK): some turns of a game that somebody else's machine has judged
 * are judged again here and compared. In three steps, because a fleet's clerk alone uses the
 * database and its workers alone use engines.
 */
struct ipr_check;

/** The clerk: what is to be judged again. `game` is borrowed, memory from `mem`. *definition is
 * what the engine is started for; its program is one of this machine's. IPR_ENOTFOUND when there
 * is nothing to check any more: the job is then completed without further ado. */
IPR_CHECK enum ipr_code ipr_check_load(struct ipr_db *db, const struct ipr_db_job *job,
                                       const struct ipr_db_game *game, struct ipr_arena *mem,
                                       struct ipr_check **out, struct ipr_judge *definition,
                                       struct ipr_err *err);

/** A worker: judges them with an engine started for that definition, and compares. `tick` and
 * errors as of ipr_engine_judge. */
IPR_CHECK enum ipr_code ipr_check_run(struct ipr_check *c, struct ipr_engine *e,
                                      ipr_engine_tick_fn tick, void *payload, struct ipr_arena *mem,
                                      struct ipr_err *err);

/** The clerk, in the transaction that completes the job: what it has shown, and what follows for
 * the key. The job is locked before the key is; IPR_ECONFLICT when its lease is lost. */
IPR_CHECK enum ipr_code ipr_check_store(struct ipr_db *db, const struct ipr_check *c,
                                        struct ipr_err *err);

/* ---- what is compared ---- */

/** Turns of a game that are judged again, drawn at random. */
#define IPR_CHECK_TURNS 5

/**
 * Up to this mean absolute difference in centipawns a game passes. Honest machines differ from ours
 * by the version of their engine and by what is left in its hash, made up evaluations by more than
 * 100. Measured with Stockfish 15.1, five turns drawn 4000 times, hash kept as clients do against
 * hash cleared: from depth 8 to 12 and with 2 to 20 lines the median is 11 to 19 and the worst of
 * all 48; at depths 4 and 6 the worst is 82. Scores that fall by 25 from rank to rank of the right
 * moves: median 127, a hundredth below 57.
 */
#define IPR_CHECK_TOLERANCE_CP         50
#define IPR_CHECK_TOLERANCE_SHALLOW_CP 100
#define IPR_CHECK_SHALLOW_DEPTH        8 /* below it */

/** What a check has shown. */
struct ipr_check_verdict {
    unsigned turns;    /* compared */
    double difference; /* mean absolute, centipawns; 0 without turns */
    bool passed;
};

/**
 * Compares `n` turns as they came (`theirs`) with the same as judged here: all moves that both
 * list, by their scores at the last depth, clipped to +-500 cp. A centipawn is not the same in
 * every version of an engine, so theirs are first multiplied by the factor within [1/2, 2] that
 * fits best by least squares. Pure. IPR_EINVAL when the turns are not the same ones.
 */
IPR_CHECK enum ipr_code ipr_check_compare(const struct ipr_judged_turn *theirs,
                                          const struct ipr_judged_turn *ours, size_t n,
                                          struct ipr_check_verdict *out, struct ipr_err *err);

#endif
