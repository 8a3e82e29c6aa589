#ifndef IPR_TABLES_TEST_H
#define IPR_TABLES_TEST_H

#include <stdbool.h>
#include <stdint.h>

#include "chess/position.h"

/* Tests with the real tablebases of up to four men in ../shared/data/syzygy. */

/** Their folder, absolute; skips the running test where they are absent. */
const char *ipr_tables_shared(void);
/** Opens them, or skips. */
void ipr_tables_open(void);
/** cmocka tear-down. */
int ipr_tables_close(void **state);

/** A position that must be there. */
struct ipr_pos ipr_tables_position(const char *fen);
/** A probe that must succeed. */
void ipr_tables_probe(const struct ipr_pos *pos, int *wdl, int *dtz);

/* Random positions, the same for a seed (not 0) on every machine. */
void ipr_tables_seed(uint64_t seed);
unsigned ipr_tables_below(unsigned n);
/** These men ("KQkr") on random squares, either side to move; false when they fell so that it is
 * no legal position. */
bool ipr_tables_random(const char *men, struct ipr_pos *pos);

#endif
