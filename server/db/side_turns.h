#ifndef IPR_DB_SIDE_TURNS_H
#define IPR_DB_SIDE_TURNS_H

#include "db/contribution.h"
#include "db/turn_rows.h"

/* For server/db only: encodes and decodes the evaluations of a side, the table side_turns. */

/** Appends the figures and the lines of one side's turns. */
void ipr_db_side_pack(const struct ipr_judged_game *judged, int colour, struct ipr_buf *figures,
                      struct ipr_buf *lines);

/** Appends the figures of a side without moves, and the evaluations of its second line. */
void ipr_db_side_pack_figures(const struct ipr_side_figures *side, struct ipr_buf *figures,
                              struct ipr_buf *second);

/** The figures of a stored side, with or without lines; does not set its sums. */
IPR_CHECK enum ipr_code ipr_db_side_unpack_figures(const struct ipr_db_game_side *side,
                                                   unsigned multipv, struct ipr_arena *mem,
                                                   struct ipr_side_figures *out,
                                                   struct ipr_err *err);

/** Number of turns in the figures of a side. */
size_t ipr_db_side_length(struct ipr_str figures);
struct ipr_turn_figures ipr_db_side_figure(struct ipr_str figures, size_t i);

/** Adds the contribution of these turns, without nodes and sums of the rating. */
void ipr_db_side_count(struct ipr_str figures, struct ipr_contribution *c);

/** Reads the turns of one game's sides, at most two, in order of play. */
struct ipr_db_play {
    struct ipr_str figures[2];
    size_t next[2]; /* index of the next turn of each side */
};
/** Gets the next turn's figures and the index of its side. False at the end. */
bool ipr_db_play_turn(struct ipr_db_play *play, unsigned *side, struct ipr_turn_figures *f);

/** The turns of sides, in the order of the list and, within a game, of play. The sides of one game
 * and person must be adjacent. IPR_EDB if a side is malformed. */
IPR_CHECK enum ipr_code ipr_db_side_rows(const struct ipr_db_side_lines *sides, size_t n,
                                         struct ipr_arena *mem, struct ipr_db_row_turn **rows,
                                         size_t *n_rows, struct ipr_err *err);

enum { IPR_SIDES_WITH_LINES = 1, IPR_SIDES_OF_FIGURES = 2 };

/** All turns of one game, decoded from those of its sides, at most two, that are requested. Turns
 * of sides without lines have one depth, and their `moves` is NULL. */
IPR_CHECK enum ipr_code ipr_db_side_game(const struct ipr_db_game_side *sides, size_t n,
                                         unsigned which, struct ipr_arena *mem,
                                         struct ipr_judged_game *out, struct ipr_err *err);

/** True if only figures of a side are stored. */
bool ipr_db_side_lacks_lines(const struct ipr_db_game_side *side);

/** Number of sides at the start of a list that belong to the same game: 1 or 2. */
size_t ipr_db_adjacent_sides(const struct ipr_db_side_figures *sides, size_t n);

/**
 * The turns of one game with two evaluations each: best in cp[2 i], played in cp[2 i + 1]. `turns`
 * has room for ipr_db_side_length of all sides, `cp` for twice as many. Returns their number.
 */
size_t ipr_db_side_transitions(const struct ipr_db_side_figures *sides, size_t n, int32_t game,
                               struct ipr_turn *turns, int16_t *cp);

#endif
