#ifndef IPR_UCI_ADAPTIVE_H
#define IPR_UCI_ADAPTIVE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Alliot's rule for ending a search (J.-M. Alliot, Who is the Master?, ICGA Journal 39, 2017,
 * section 2.3), for a limit T where the paper has four minutes. It is evaluated whenever a depth is
 * complete for every line. After T/4 the search ends
 *   1. at 3T/4; or
 *   2. when the game is steadily biased: the last three turns judged favour the same player, and
 *      more time is spent than T max(100, (1000 - min|e|) / 3) / 400; or
 *   3. when the search is stable: more time is spent than T (10 + the largest difference between
 *      the evaluations of the last three depths) / 40.
 *
 * The paper prints 2 and 3 with evaluations from the side to move, which alternate
 * in sign (e0 e1 < 0; |e0 + e1|). Ours are all from one side's: the same sign, and differences.
 *
 * limit_ms   T; > 0
 * spent_ms   of this search, as the engine reports
 * depths     evaluations of the best line at the last three depths, the side to move's view [cp];
 *            NULL while there are not three
 * turns      evaluations of the last three turns judged, White's view [cp]; NULL as above
 * True: end the search.
 */
bool ipr_adaptive_enough(uint32_t limit_ms, uint32_t spent_ms, const int32_t depths[3],
                         const int32_t turns[3]);

#endif
