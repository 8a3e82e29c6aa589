#ifndef IPR_RESOURCE_SET_H
#define IPR_RESOURCE_SET_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"

#define IPR_SET_OPPONENTS 8

/**
 * A set of a player's games as text: the player's id, behind a colon a year or a span of years, and
 * behind commas what the games are limited to. The text is what addresses keep, so its meaning
 * never changes:
 *
 *   12   12:1972   12:1968-1972   12:1968-   12:-1972
 *   12,color=white   12:1968-1972,event=5   12,opponent=7,opponent=9   12,upload=3
 *   12,phase=endgame   12:1972,phase=middlegame,phase=endgame
 */
struct ipr_set {
    int player;
    int from, to;                     /* years, both included; 0: open */
    int event;                        /* id; 0: any */
    unsigned colours;                 /* bit 0 White, bit 1 Black; 0: both */
    int opponents[IPR_SET_OPPONENTS]; /* [n_opponents] ids of players; none: any */
    size_t n_opponents;
    int64_t upload;  /* id; 0: any */
    unsigned phases; /* bit of each enum ipr_phase; 0: all */
};

/** IPR_EPARSE "bad_parameter" if it is none, with the place: `set: expected a year from 1 to
 * 9999, got "x" at character 4 of "12:x"`. */
IPR_CHECK enum ipr_code ipr_set_read(const char *text, struct ipr_set *out, struct ipr_err *err);

/** The shortest text of it; the same for equal sets. */
const char *ipr_set_text(const struct ipr_set *s, struct ipr_arena *mem);

#endif
