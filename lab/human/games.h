#ifndef LAB_HUMAN_GAMES_H
#define LAB_HUMAN_GAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chess/position.h"
#include "model/strength_human.h"

/** A game with two ratings. */
struct human_game {
    uint64_t digest; /* of players and moves */
    int band;        /* of the mean rating, 200 wide; -1: outside 800 to 2599 */
    double rating[2];
    uint64_t player[2];
    size_t n;
    ipr_move *move;             /* [n] */
    struct ipr_side_move *side; /* [n]; kinds of moves, and evaluations; NULL without these */
};

struct human_games {
    bool evaluations; /* games without sufficient evaluations are left out */
    size_t n;
    struct human_game *game; /* ordered: one of each band in turn, by digest within a band */
};

/** Reads PGN from standard input; `evaluations` is set. */
bool human_games_read(struct human_games *out);

/** Before the moves of a game in a file: struct ipr_human_move [n]. */
struct human_header {
    uint64_t digest;
    uint32_t number, n;
};

/** Calls `take` for each game of a file that `run` has written of these games; m [g->n]. */
bool human_moves_read(const struct human_games *games, const char *path,
                      void (*take)(void *of, const struct human_game *g,
                                   const struct ipr_human_move *m),
                      void *of);

#endif
