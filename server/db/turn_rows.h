#ifndef IPR_DB_TURN_ROWS_H
#define IPR_DB_TURN_ROWS_H

#include "db/pq.h"
#include "db/turns.h"

/* For server/db only: rows of a person's turns and sides, to be converted for the models. */

/** A turn; its game still has the id of the database. */
struct ipr_db_row_turn {
    struct ipr_turn turn;
    struct ipr_judged_turn judged;
    int64_t game_id;
    int32_t person;
};

/** A side and its person. */
struct ipr_db_person_side {
    int32_t person;
    const struct ipr_db_player_side *side;
};

/** One person's turns, ascending game, ply, and sides, ascending game, whose `game` it sets to
 * the running numbers. The sides stay where they are. */
struct ipr_db_player_turns ipr_db_player_turns_of(const struct ipr_db_row_turn *rows, size_t n,
                                                  struct ipr_db_player_side *sides, size_t n_sides,
                                                  struct ipr_arena *mem);

#endif
