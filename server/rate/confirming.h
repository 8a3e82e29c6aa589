#ifndef IPR_RATE_CONFIRMING_H
#define IPR_RATE_CONFIRMING_H

#include "core/config.h"
#include "view/evidence/evidence.h"

/* Moves searched again (engine/confirm.h), without a database. */

struct ipr_rate_confirming {
    const struct ipr_config *config;
    const char *engine; /* program */
    unsigned engines;   /* at a time */
    bool quiet;
    const struct ipr_db_evidence_game *games;
    struct ipr_judged_game *confirmed; /* by game, with room for all of its moves */
};

/** Adds to `confirmed` what is said of n moves, of which some may be there twice; scores from
 * `mem`. IPR_EIO: the engine failed, or a stop was requested (core/signals.h). */
IPR_CHECK enum ipr_code ipr_rate_confirm(const struct ipr_rate_confirming *c,
                                         const struct ipr_evidence_move **moves, size_t n,
                                         struct ipr_arena *mem, struct ipr_err *err);

#endif
