#ifndef IPR_CORE_PSEUDONYMS_H
#define IPR_CORE_PSEUDONYMS_H

#include "base/mem.h"
#include "pgn/reader.h"

/* Games without the names of people: within one export a player, and an event, has one pseudonym,
 * which tells nothing outside it. */

struct ipr_pseudonyms {
    unsigned char key[32];
};

/** Draws them; libsodium must be initialised. */
void ipr_pseudonyms_draw(struct ipr_pseudonyms *p);

/** Replaces White, Black and Event, and an address in Site by its host; of the other tags keeps
 * those that say nothing of who it was. A player's FIDE id, where there is one, else the name tells
 * who is the same. */
void ipr_pseudonyms_apply(const struct ipr_pseudonyms *p, struct ipr_arena *mem,
                          const struct ipr_pgn_tag **tags, size_t *n);

#endif
