#ifndef IPR_MODEL_ROYALE_FIELD_H
#define IPR_MODEL_ROYALE_FIELD_H

#include "model/lanes.h"
#include "model/royale.h"

/* The functions of one predictor in a royale; for the royale's files. */

/** Turns of a row's year, sorted by game. */
struct ipr_royale_own {
    struct ipr_markov_turn *turns;
    size_t n;
    size_t *start; /* first turn of each game; one more closes the last */
    size_t games;
};

struct ipr_royale_field {
    const struct ipr_royale_params *params;
    const struct ipr_royale_entry *entries; /* [n] of the rows */
    const struct ipr_royale_own *own;       /* [n] */
    struct ipr_royale_row *rows;
    size_t n;
    double *pair; /* [n*n] */
};

struct ipr_royale_predictor {
    /** Fills the field's pairs, and what else the predictor knows of the rows. */
    enum ipr_code (*open)(const struct ipr_royale_field *field, void **state, struct ipr_err *err);
    /** Makes ready to score row i. */
    void (*enter)(void *state, size_t i);
    /** Expected scores of that row against the average of the field, its games counting
     * times[IPR_BLOCK * game + lane] times. */
    enum ipr_code (*score)(void *state, size_t i, const double *times, double e[IPR_BLOCK],
                           struct ipr_err *err);
    void (*close)(void *state);
};

extern const struct ipr_royale_predictor ipr_royale_markov, ipr_royale_covariance,
    ipr_royale_conformance;

#endif
