#ifndef IPR_DB_EVIDENCE_H
#define IPR_DB_EVIDENCE_H

#include "db/games.h"
#include "db/turns.h"

/* The moves of many games at once. */

/** A player's games of a year; 0: of all years. */
struct ipr_db_year_of {
    int32_t player, year;
};

#include "queries/evidence.h"

/** One judge's stored analysis of a game. */
struct ipr_db_game_evidence {
    struct ipr_judged_game judged;  /* turns of the sides with lines, as ipr_db_game_turns */
    struct ipr_judged_game figures; /* of the sides without: one depth, `moves` is NULL */
    struct ipr_side_sums sums[2];   /* of the sides without lines; by colour */
    unsigned counts; /* the sides that another judge's do not replace: bit 0 White, bit 1 Black */
};

/**
 * The turns of games by one judge.
 *
 * game[n]   ascending id
 * own       only evaluations that were made here, not imported
 */
IPR_CHECK enum ipr_code ipr_db_games_turns(struct ipr_db *db, int32_t judge_id, bool own,
                                           const struct ipr_db_evidence_game *game, size_t n,
                                           struct ipr_arena *mem, struct ipr_db_game_evidence *out,
                                           struct ipr_err *err);

#endif
