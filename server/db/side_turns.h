#ifndef IPR_DB_SIDE_TURNS_H
#define IPR_DB_SIDE_TURNS_H

#include "db/contribution.h"
#include "db/turn_rows.h"

/* For server/db only: how a side's evaluations are stored (the table side_turns), and back. */

/** Appends the turns of one side: the figures of each, and the lines. */
void ipr_db_side_pack(const struct ipr_judged_game *judged, int colour, struct ipr_buf *figures,
                      struct ipr_buf *lines);

/** Turns in these figures. */
size_t ipr_db_side_length(struct ipr_str figures);
struct ipr_turn_figures ipr_db_side_figure(struct ipr_str figures, size_t i);

/** The sides of one game, at most two, turn by turn as they were played. */
struct ipr_db_play {
    struct ipr_str figures[2];
    size_t next[2]; /* turn of each */
};
/** The next turn: the index of its side, and its figures. False at the end. */
bool ipr_db_play_turn(struct ipr_db_play *play, unsigned *side, struct ipr_turn_figures *f);

/** The turns of sides, those of one game and person adjacent, in the order of the list and within a
 * game in that of play. IPR_EDB for what is malformed. */
IPR_CHECK enum ipr_code ipr_db_side_rows(const struct ipr_db_side_lines *sides, size_t n,
                                         struct ipr_arena *mem, struct ipr_db_row_turn **rows,
                                         size_t *n_rows, struct ipr_err *err);

/** All turns of one game from its sides, at most two. */
IPR_CHECK enum ipr_code ipr_db_side_game(const struct ipr_db_game_side *sides, size_t n,
                                         struct ipr_arena *mem, struct ipr_judged_game *out,
                                         struct ipr_err *err);

/** Sides of one game in a list where they are adjacent, from the first on: 1 or 2. */
size_t ipr_db_adjacent_sides(const struct ipr_db_side_figures *sides, size_t n);

/**
 * The turns of one game from its sides: best and played evaluation only, to cp[2 i], cp[2 i + 1].
 * Both outputs have room for ipr_db_side_length of all sides. Returns how many there are.
 */
size_t ipr_db_side_transitions(const struct ipr_db_side_figures *sides, size_t n, int32_t game,
                               struct ipr_turn *turns, int16_t *cp);

#endif
