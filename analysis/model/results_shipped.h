#ifndef IPR_MODEL_RESULTS_SHIPPED_H
#define IPR_MODEL_RESULTS_SHIPPED_H

#include "model/outcome.h"
#include "model/whr_scale.h"

/** Constants of the models of results, chosen as docs/results.md describes and fitted to the games
 * in static/results/champions.tsv.zst. */
struct ipr_results_shipped {
    struct ipr_whr_options history; /* one period is a year */
    struct ipr_outcome_model outcome;
    double elo_se; /* standard error of an Elo as the strength in a match of a player */
    struct ipr_whr_scale_options scale;
};

extern const struct ipr_results_shipped ipr_results_shipped;

#endif
