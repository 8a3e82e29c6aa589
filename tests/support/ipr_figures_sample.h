#ifndef IPR_FIGURES_SAMPLE_H
#define IPR_FIGURES_SAMPLE_H

#include <stdint.h>

#include "base/mem.h"
#include "base/str.h"
#include "model/turn.h"
#include "uci/judge.h"

/* Turns of invented players whose skill is known: moves drawn from the Regan-Haworth model with
 * an s that falls with the Elo. The same numbers give the same turns. */

struct ipr_figures_player {
    int elo;
    int games, turns; /* turns a game */
    uint64_t seed;
};

/** games x turns turns with the judge's number of lines; game runs from `first_game`. */
struct ipr_turn *ipr_sample_turns(struct ipr_arena *mem, const struct ipr_judge *judge,
                                  const struct ipr_figures_player *player, int first_game);

/** Appends the player's games as lines of figures, one a game. */
void ipr_sample_figures(struct ipr_buf *out, const struct ipr_judge *judge,
                        const struct ipr_figures_player *player, int first_game);

/** Figures of mileposts 1600, 1800, … 2800, 40 games of 20 turns each. */
void ipr_sample_mileposts(struct ipr_buf *out, const struct ipr_judge *judge);

#endif
