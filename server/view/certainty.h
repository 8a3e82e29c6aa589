#ifndef IPR_VIEW_CERTAINTY_H
#define IPR_VIEW_CERTAINTY_H

#include "base/mem.h"

/**
 * The word for a probability, rounded to a hundredth: from .66 on "likely", .90 "very likely", .95
 * "extremely likely", .99 "virtually certain" (Mastrandrea et al., IPCC guidance note on
 * uncertainties, 2010); NULL below.
 */
const char *ipr_certainty_word(double probability);

/** "97%": rounded, and none as 100% or 0%: "above 99%", "below 1%". What sentences and tables
 * print, so that of two that make up one the percents do, too. */
const char *ipr_certainty_percent(double probability, struct ipr_arena *mem);

/** Returns n where there is one of n by chance, with two digits: "7", "740", "10,000". */
const char *ipr_certainty_one_in(double probability, struct ipr_arena *mem);

#endif
