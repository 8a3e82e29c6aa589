#ifndef IPR_DB_SAMPLE_H
#define IPR_DB_SAMPLE_H

#include "db/games.h"
#include "db/jobs.h"
#include "db/turns.h"
#include "uci/judge.h"

/* Games and judgements for tests of storage: small, made from a number, always the same. */

/** A game of `plies` half-moves (knights to and fro, then pawns: legal, different for each
 * seed) between two players; strings are borrowed. Memory from the arena. */
struct ipr_db_new_game ipr_sample_game(struct ipr_arena *mem, unsigned seed, const char *white,
                                       const char *black, int year, size_t plies);

/** Inserts games as one upload in one transaction, fills their ids. Returns the upload's id. The
 * judge "sample" is defined from then on. */
int64_t ipr_sample_store(struct ipr_db *db, struct ipr_db_new_game *games, size_t n,
                         const char *judge);

/** A judgement of every turn of a game from the judge's first move on: every legal move up to
 * K lines, evaluations drawn from the seed. Passes ipr_judged_check. */
struct ipr_judged_game ipr_sample_judgement(struct ipr_arena *mem, const struct ipr_judge *judge,
                                            const struct ipr_db_game *game, unsigned seed);

/** Judgements of worker "w1", of no use to other games. */
extern const struct ipr_db_work ipr_sample_work;

/** Stores sides of a judgement (bit 0 White, bit 1 Black) as `ipr_sample_work`, in a transaction of
 * its own. Ends the program if it fails. */
void ipr_sample_judged(struct ipr_db *db, int32_t judge_id, const struct ipr_db_game *game,
                       const struct ipr_judged_game *judged, unsigned sides);

/** The same with another source or duration of the work. */
void ipr_sample_judged_by(struct ipr_db *db, int32_t judge_id, const struct ipr_db_game *game,
                          const struct ipr_judged_game *judged, unsigned sides,
                          const struct ipr_db_work *work);

/** Stores judgements of both sides of a stored game by ipr_sample_judge, as `ipr_sample_work`. */
void ipr_sample_judge_game(struct ipr_db *db, struct ipr_arena *mem, int64_t id, unsigned seed);

/** Fails unless the totals of players are what counting their games and judged sides gives. */
void ipr_sample_totals_hold(void);

/** A judge of three lines and two plies from move 9, with engine and network filled in. */
struct ipr_judge ipr_sample_judge(void);
/** The built-in setting of the rating, with the engine and network that it is calibrated for. */
struct ipr_judge ipr_sample_rating_judge(void);
/** The id of ipr_sample_judge, stored. Ends the test when that fails. */
int32_t ipr_sample_judge_id(struct ipr_db *db);
/** Defines a judge that differs from ipr_sample_judge in name and program only. */
void ipr_sample_define(struct ipr_db *db, const char *name, const char *program);

/** Registers a worker or renews its entry; `engines`: names of programs, as in "stockfish toga2".
 */
void ipr_sample_worker(struct ipr_db *db, const char *name, const char *engines, int threads);

/** Worker "w1" claims the next job for "stockfish". Ends the test if there is none. */
struct ipr_db_job ipr_sample_claim(struct ipr_db *db);

#endif
