#ifndef IPR_VIEW_GAME_FILTER_H
#define IPR_VIEW_GAME_FILTER_H

#include "db/lists.h"

/** The parameters `game_filter` of server/resources.def in a request, except its years. */
#define IPR_GAME_FILTER(p)                                                                         \
    {                                                                                              \
        .player = (p)->player, .opponent = (p)->opponent,                                          \
        .colors = (p)->color < 0 ? 0 : 1u << (p)->color, .event = (p)->event,                      \
        .result = (p)->result + 1, .elo_from = (p)->elo_from, .elo_to = (p)->elo_to,               \
        .times = (p)->time_class, .upload = (p)->upload                                            \
    }

#endif
