#ifndef IPR_MODEL_RESULTS_SHIPPED_H
#define IPR_MODEL_RESULTS_SHIPPED_H

#include "model/outcome.h"
#include "model/whr.h"

/** How strengths from results are placed on the Elo scale where the results have too few ratings of
 * their own. */
struct ipr_results_scale {
    double offset;   /* to add to strengths */
    double residual; /* standard deviation of a player's Elo of one year around it */
    double drift;    /* of the two scales against each other, a year */
};

/** Constants of the models of results, chosen as docs/results.md describes and fitted to the games
 * in static/results/champions.tsv.zst. */
struct ipr_results_shipped {
    struct ipr_whr_options history; /* one period is a year */
    struct ipr_outcome_model outcome;
    struct ipr_results_scale scale; /* [Elo], of 1971 to 1979; docs/results.md */
};

extern const struct ipr_results_shipped ipr_results_shipped;

#endif
