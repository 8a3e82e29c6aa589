#ifndef IPR_RATE_ANSWER_H
#define IPR_RATE_ANSWER_H

#include "core/config.h"
#include "rate/print.h"

/* `intrinsic rate` for a client of the service: the same figures, within limits. */

#define IPR_RATE_ENGINE_GAMES 100 /* analysed for an answer; 0 of a service without workers */

struct ipr_rate_question {
    const struct ipr_config *config; /* of it the limits of an upload and the engine */
    const struct ipr_spelling *spelling;
    struct ipr_rate_choice choice;
    bool evals_only;
    enum ipr_rate_format format;
    unsigned at_a_time;      /* answers that may be computed, which share the engines */
    bool (*stop)(void *arg); /* asked several times a second: the client has gone */
    void (*progress)(void *arg, size_t games, size_t of); /* that are analysed; NULL: no matter */
    void *arg;
};

/** Appends the answer to the games of a file. `*rejected` counts those that cannot be read.
 * IPR_EPARSE and others of an import: the file, or all of its games; IPR_EDATA: none is to be
 * rated; IPR_ELIMIT: too many, or it takes too long; IPR_ERETRY: the service stops. */
IPR_CHECK enum ipr_code ipr_rate_answer(const struct ipr_rate_question *q, int fd,
                                        struct ipr_buf *out, uint64_t *rejected,
                                        struct ipr_err *err);

#endif
