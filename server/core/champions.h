#ifndef IPR_CORE_CHAMPIONS_H
#define IPR_CORE_CHAMPIONS_H

#include "base/mem.h"

/* Names as people say them, and who was world champion when (server/champions.def). */

struct ipr_reign {
    int from, to; /* years; to is 0 where it has not ended */
};

#define IPR_REIGNS 5 /* at most, and an end */

struct ipr_champion {
    const char *name;       /* Bobby Fischer */
    const char *spelled[8]; /* in the tags of games, up to NULL; the first is the usual one */
    struct ipr_reign reign[IPR_REIGNS]; /* up to the first without years; none of a challenger */
};

/** The champion or challenger of a name as in tags, whatever its case, points and spaces; NULL. */
const struct ipr_champion *ipr_champion_of(const char *name);

/** The one whom a search means by the name as people say it, a key (ipr_name_key); NULL. */
const struct ipr_champion *ipr_champion_called(const char *key, struct ipr_arena *mem);

/** A player's name, or a player-year's ("Fischer, Robert J, 1972"), as people say it: "Bobby
 * Fischer" of "Fischer, Robert J", "Jan Hein Donner" of "Donner, Jan Hein". */
const char *ipr_name_spoken(const char *name, struct ipr_arena *mem);

#endif
