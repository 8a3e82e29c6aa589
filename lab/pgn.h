#ifndef LAB_PGN_H
#define LAB_PGN_H

#include <stdbool.h>

#include "pgn/reader.h"

/** Gives each game of standard input, with its notes, to `take`; false, and said: it is no PGN, or
 * `take` failed. */
bool bench_pgn_read(ipr_pgn_game_fn take, void *payload);

/** Digest of the name in a tag ("White"), as it is written: of an account. */
uint64_t bench_pgn_player(const struct ipr_pgn_game *g, const char *tag);

#endif
