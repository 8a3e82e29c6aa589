#ifndef IPR_VIEW_CERTAINTY_H
#define IPR_VIEW_CERTAINTY_H

/**
 * The word for a probability: from .66 on "likely", .90 "very likely", .95 "extremely likely", .99
 * "virtually certain" (Mastrandrea et al., IPCC guidance note on uncertainties, 2010); NULL below.
 */
const char *ipr_certainty_word(double probability);

#endif
