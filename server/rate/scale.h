#ifndef IPR_RATE_SCALE_H
#define IPR_RATE_SCALE_H

#include "rate/games.h"

/** "3 blitz, 2 before 2024-05", nothing if none is left out. */
void ipr_rate_left_out_write(const struct ipr_rate_games *games, struct ipr_buf *out);

#endif
