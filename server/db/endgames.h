#ifndef IPR_DB_ENDGAMES_H
#define IPR_DB_ENDGAMES_H

#include "db/turns.h"

#include "queries/endgames.h"

/** A game with the tablebase values of a person's turns in it. */
struct ipr_db_endgame_game {
    struct ipr_pos start;
    const ipr_move *moves;
    size_t n_moves;
    const struct ipr_db_endgame_turn *turns; /* [n] ascending by ply, within the moves */
    size_t n;
};
/** The games of a scope in which there are such turns, ascending by id; whatever the judge. */
IPR_CHECK enum ipr_code ipr_db_endgame_scope(struct ipr_db *db, const struct ipr_db_scope *scope,
                                             struct ipr_arena *mem,
                                             struct ipr_db_endgame_game **games, size_t *n,
                                             struct ipr_err *err);

#endif
