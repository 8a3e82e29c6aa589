#ifndef IPR_CORE_OPENINGS_H
#define IPR_CORE_OPENINGS_H

#include <stdint.h>

/** The number of the opening that an ECO code ("B90") belongs to, from 1; 0: it is no code. */
uint32_t ipr_opening_of(const char *eco);

/** "Sicilian Defence"; of a number of ipr_opening_of. */
const char *ipr_opening_name(uint32_t number);

#endif
