#ifndef IPR_PGN_TIME_TEXT_H
#define IPR_PGN_TIME_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* A time control as text: its numbers with their units, and what ties each to the one before.
 * What they mean together, time_control.c says. Internal. */

enum ipr_time_unit {
    IPR_UNIT_UNSAID,
    IPR_UNIT_SECONDS,
    IPR_UNIT_MINUTES,
    IPR_UNIT_HOURS,
    IPR_UNIT_DAYS,
    IPR_UNIT_MOVES
};

enum ipr_time_link {
    IPR_LINK_NONE,
    IPR_LINK_BREAK, /* another period begins */
    IPR_LINK_PLUS,
    IPR_LINK_SLASH, /* time and moves, in either order */
    IPR_LINK_FOR,   /* time for moves */
    IPR_LINK_GAME,  /* the time for all that remains */
    IPR_LINK_INCREMENT,
};

struct ipr_time_amount {
    double value;
    enum ipr_time_unit unit;
    enum ipr_time_link link;
    bool per_move;
};

#define IPR_TIME_AMOUNTS 24

struct ipr_time_text {
    struct ipr_time_amount amounts[IPR_TIME_AMOUNTS];
    size_t n;
    bool by_arbiter; /* not in the standard's form, nor in its unit */
};

/** False when something is not understood, a number is missing at the end, or there is none. */
bool ipr_time_text_read(struct ipr_str text, struct ipr_time_text *out);

#endif
