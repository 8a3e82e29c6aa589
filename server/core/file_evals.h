#ifndef IPR_CORE_FILE_EVALS_H
#define IPR_CORE_FILE_EVALS_H

#include "base/mem.h"
#include "chess/position.h"
#include "core/interchange.h"
#include "core/pools.h"
#include "model/strength_evals.h"
#include "pgn/notes.h"

/* Evaluations that a PGN file has: docs/import.md, "Evaluations". */

/** First full move of which they count. */
#define IPR_FILE_EVALS_FIRST 9

enum ipr_file_evals_view {
    IPR_EVALS_NONE,      /* the game has none */
    IPR_EVALS_COMMANDS,  /* [%eval ...]: White's view */
    IPR_EVALS_WHITE,     /* {+0.35/18 ...}, White's view by their signs */
    IPR_EVALS_MOVERS,    /* the same, each from its mover's view: the players' own */
    IPR_EVALS_UNDECIDED, /* the signs do not tell */
};

struct ipr_file_evals {
    enum ipr_file_evals_view view;
    uint16_t depth;                     /* the least that is stated; 0: none is */
    size_t wanted;                      /* moves from IPR_FILE_EVALS_FIRST on */
    size_t n;                           /* of these, those with an evaluation before and after */
    const struct ipr_evals_move *moves; /* [n], ascending ply */
    const int16_t *cp; /* of each position, White's view; IPR_STRENGTH_NONE: not known. NULL: of
                          none */
};

/** Memory from `mem`. Evaluations of a stated depth less than IPR_EVALS_DEPTH do not
 * count; that of a position without legal moves is known without one. */
void ipr_file_evals_read(const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                         const struct ipr_pgn_note *notes, size_t n_notes, struct ipr_arena *mem,
                         struct ipr_file_evals *out);

/** True if the game counts as analysed by them: nine of ten of its moves, and one at least, have
 * both. */
bool ipr_file_evals_suffice(const struct ipr_file_evals *e);

/** Version of the sums below of games of a pool, as ipr_side_sums has it: by move
 * (model/strength_evals.h), or by side where the pool's scale is fitted to sides
 * (model/strength_side.h). A change of their constants is a new one. */
#define IPR_FILE_EVALS_BY_MOVE (-1)
#define IPR_FILE_EVALS_BY_SIDE (-2)
int ipr_file_evals_version(const struct ipr_pool *pool);

/** Sums over the moves of White and Black of a game, for the rating on the pool's scale. Those by
 * side are 0 of a game that does not begin at the initial position. */
void ipr_file_evals_sums(const struct ipr_file_evals *e, const struct ipr_pool *pool,
                         const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                         struct ipr_side_sums sums[2]);

/** The values of such a move, without a second line. */
struct ipr_turn_figures ipr_file_evals_figures(const struct ipr_evals_move *m);

/** The engine setting of all such evaluations. */
void ipr_file_evals_judge(struct ipr_judge *out);

/**
 * A game with sufficient evaluations as figures of an engine setting (judge, figures and sides of
 * `out`, in `mem`; its tags and moves are not set). A side has the moves with both evaluations.
 * False: they do not suffice.
 */
bool ipr_file_evals_game(const struct ipr_pgn_game *game, struct ipr_arena *mem,
                         struct ipr_interchange_game *out);

#endif
