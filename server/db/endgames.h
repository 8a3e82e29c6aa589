#ifndef IPR_DB_ENDGAMES_H
#define IPR_DB_ENDGAMES_H

#include "db/db.h"

/** What tablebases say of one turn (methods, section 8). Values -2 … 2 from the mover's view: lost,
 * blessed loss, draw, cursed win, won. */
struct ipr_db_endgame_turn {
    uint16_t ply;
    uint8_t mover, men;
    int8_t before, after;
    int16_t dtz_before, dtz_after; /* half-moves, mover's view; 0: none or not known */
};

/** Stores what is new; what is there stays. In the caller's transaction. IPR_ECONFLICT: the game
 * was deleted. */
IPR_CHECK enum ipr_code ipr_db_endgame_store(struct ipr_db *db, int64_t game_id,
                                             const struct ipr_db_endgame_turn *turns, size_t n,
                                             struct ipr_err *err);
/** Of one game, ascending by ply. */
IPR_CHECK enum ipr_code ipr_db_endgame_of(struct ipr_db *db, int64_t game_id, struct ipr_arena *mem,
                                          struct ipr_db_endgame_turn **turns, size_t *n,
                                          struct ipr_err *err);

#endif
