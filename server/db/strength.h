#ifndef IPR_DB_STRENGTH_H
#define IPR_DB_STRENGTH_H

#include "core/pools.h"
#include "db/contribution.h"
#include "db/games.h"
#include "db/players.h"
#include "db/turns.h"
#include "model/strength_parts.h"
#include "model/strength_shipped.h"
#include "model/trajectory.h"

/** The row of a judge's engine in the table of engines; NULL: its search is not that of the
 * built-in `rating`. */
const struct ipr_strength_engine *ipr_judge_strength_engine(const struct ipr_judge *judge);

/** True if ratings can be made of a judge's evaluations: those of the calibration's engine by that
 * search, or those of another under the name `rating`. The sums of one judge count for each side of
 * a game: that with the least error of its equation, then the lower id; the others are kept. */
bool ipr_judge_may_rate(const struct ipr_judge *judge);

/** Its terms of the equations for the column judge.equation, "{0.06,0.03,-0.04,1,0}"; "": it may
 * not rate. */
const char *ipr_judge_equation(const struct ipr_judge *judge, struct ipr_arena *mem);

/** The sums of a side grow by this with one move, in millionths. */
struct ipr_move_strength {
    bool counts; /* else it adds nothing */
    int64_t score, information;
};

/**
 * Those of all analysed moves of a game; their sums are the side's, to the last digit.
 *
 * judge    of a search that ratings are calibrated for; by another engine than the calibration's
 *          the values are brought to its scale
 * judged   values depend also on the other side's moves
 * out      [judged->n]
 */
void ipr_move_strengths(const struct ipr_judge *judge, const struct ipr_pos *start,
                        const ipr_move *moves, size_t n_moves, const struct ipr_judged_game *judged,
                        struct ipr_move_strength *out);

/** Sets strength_score, strength_information and strength_moves of White's and Black's side. */
void ipr_side_strength(const struct ipr_judge *judge, const struct ipr_db_game *game,
                       const struct ipr_judged_game *judged, struct ipr_contribution side[2]);

/** Standard error of z by the equations of the engines that stored sums are of; NULL: of the
 * calibration's alone. */
double ipr_strength_error_of_stored(const struct ipr_strength_mix *mix, int64_t score,
                                    int64_t information);

/** The rating from stored sums on a scale, with its prior; all of it NAN without a scale. */
struct ipr_strength_estimate ipr_strength_of_stored(const struct ipr_scale *scale,
                                                    const struct ipr_strength_mix *mix,
                                                    int64_t score, int64_t information);

/** The parts of the moves in that rating, measured from a player of the prior's mean; NAN
 * without a scale. */
struct ipr_strength_parts ipr_strength_parts_of_stored(const struct ipr_scale *scale,
                                                       const struct ipr_strength_mix *mix,
                                                       int64_t score, int64_t information);

/** The part of moves of these sums. */
double ipr_strength_part_of_stored(const struct ipr_strength_parts *p, int64_t score,
                                   int64_t information);

/** Recomputes these values for both sides of a stored game, which sides count, and the aggregates,
 * in the caller's transaction. The values of a side depend also on the opponent's moves. */
IPR_CHECK enum ipr_code ipr_db_strength_renew_game(struct ipr_db *db, int64_t game_id,
                                                   int32_t judge_id, struct ipr_err *err);

/** Has the sides of games count that should, in the caller's transaction, with the aggregates. */
IPR_CHECK enum ipr_code ipr_db_strength_settle(struct ipr_db *db, const int64_t *ids, size_t n,
                                               struct ipr_err *err);

/** Sets the equations of all judges, and recomputes these values for all games of which they are of
 * another version of the estimate, each game in a transaction of its own; `n` counts these games.
 */
IPR_CHECK enum ipr_code ipr_db_strength_renew(struct ipr_db *db, unsigned *n, struct ipr_err *err);

#include "queries/strength.h"

/**
 * A person's strength over time from stored sums. Undated games are left out where any are dated.
 *
 * year[n]      of one person, ascending
 * calibration  set; outlives out
 * out          to be released
 *
 * False: there is no scale, or no year.
 */
bool ipr_trajectory_of_stored(const struct ipr_scale *scale, const struct ipr_db_person_year *year,
                              size_t n, struct ipr_strength_calibration *calibration,
                              struct ipr_trajectory *out);

#endif
