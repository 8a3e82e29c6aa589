#ifndef IPR_VIEW_GAME_FILTER_H
#define IPR_VIEW_GAME_FILTER_H

#include <stdlib.h>

#include "db/lists.h"

/** The year that a date begins with, or another one. */
#define IPR_YEAR_OF(date, otherwise) ((date) != NULL ? (int)strtol(date, NULL, 10) : (otherwise))

/** The parameters `game_filter` of server/resources.def in a request. */
#define IPR_GAME_FILTER(p)                                                                         \
    {                                                                                              \
        .player = (p)->player, .opponent = (p)->opponent,                                          \
        .colors = (p)->color < 0 ? 0 : 1u << (p)->color, .event = (p)->event,                      \
        .from = IPR_YEAR_OF((p)->from, (p)->year), .since = (p)->from,                             \
        .to = IPR_YEAR_OF((p)->to, (p)->year), .until = (p)->to, .result = (p)->result + 1,        \
        .elo_from = (p)->elo_from, .elo_to = (p)->elo_to, .times = (p)->time_class,                \
        .upload = (p)->upload                                                                      \
    }

#endif
