#ifndef IPR_DB_TURN_ROWS_H
#define IPR_DB_TURN_ROWS_H

#include "db/pq.h"
#include "db/turns.h"

/* Inside of server/db: rows of a person's turns and sides on their way to the models. */

/** A turn; its game still has the id of the database. */
struct ipr_db_row_turn {
    struct ipr_turn turn;
    struct ipr_judged_turn judged; /* not of a query of transitions */
    int64_t game_id;
    int32_t person; /* of a query of several persons */
};

/** Columns of player_turns to a struct ipr_db_row_turn. */
void ipr_db_fill_row_turn(struct ipr_db_row *r, void *out);
/** Columns of player_sides to a struct ipr_db_player_side. */
void ipr_db_fill_player_side(struct ipr_db_row *r, void *out);

/** One person's turns, ascending game, ply, and sides, ascending game, whose `game` it sets to
 * the running numbers. The sides stay where they are. */
struct ipr_db_player_turns ipr_db_player_turns_of(const struct ipr_db_row_turn *rows, size_t n,
                                                  struct ipr_db_player_side *sides, size_t n_sides,
                                                  struct ipr_arena *mem);

#endif
