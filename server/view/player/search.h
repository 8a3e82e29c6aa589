#ifndef IPR_VIEW_PLAYER_SEARCH_H
#define IPR_VIEW_PLAYER_SEARCH_H

#include <stdbool.h>

#include "base/mem.h"

#define IPR_SEARCH_YEARS 3

/** A text typed into a search: "kasparov 84", "1972 Fischer", "tata 2019". */
struct ipr_search {
    const char *words;           /* without the year */
    int years[IPR_SEARCH_YEARS]; /* that may be meant, the most likely first: 84 is 1984 or 1884 */
    int n_years;                 /* 0: none */
};

struct ipr_search ipr_search_read(const char *text, struct ipr_arena *mem);

/** Two names, as in "fischer vs kasparov", or two words, each with a year or none; one year behind
 * both words is that of both: "fischer spassky 1972". */
enum ipr_search_two { IPR_SEARCH_NOT_TWO, IPR_SEARCH_TWO_WORDS, IPR_SEARCH_AGAINST };
enum ipr_search_two ipr_search_read_two(const char *text, const char *name[2],
                                        struct ipr_arena *mem);

#endif
