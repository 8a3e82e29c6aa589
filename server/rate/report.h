#ifndef IPR_RATE_REPORT_H
#define IPR_RATE_REPORT_H

#include <jansson.h>

#include "core/config.h"
#include "rate/rows.h"

/* The page of one player of `intrinsic rate`: that of an upload (view/evidence/profile.h), of games
 * in memory. */

struct ipr_rate_report {
    const struct ipr_rate_games *games; /* with their texts, summed up */
    const struct ipr_rate_side *side;   /* ipr_rate_most */
    size_t n, itself;
    const struct ipr_config *config;
    const char
        *engine; /* program that confirms errors; NULL: none does, and there are no positions */
    unsigned engines; /* at a time */
    bool quiet;
    const char *scripts; /* of the page, by their digests */
};

/** The answer of /profile with what its page adds. New reference. IPR_EIO: the engine, or a stop
 * was requested (core/signals.h). */
IPR_CHECK enum ipr_code ipr_rate_report(const struct ipr_rate_report *r, json_t **out,
                                        struct ipr_err *err);

#endif
