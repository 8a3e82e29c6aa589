#ifndef IPR_VIEW_FIGURE_ESTIMATE_H
#define IPR_VIEW_FIGURE_ESTIMATE_H

#include <jansson.h>

#include "model/window.h"
#include "stats/interval.h"
#include "view/context.h"

/* What every figure of the service says of itself, and the one place where it is written. */

/** Published methods and ours; the order is that of their names in estimate.c. */
enum ipr_method {
    IPR_METHOD_MOMENTS,     /* IPR: Regan & Haworth's model, fitted by moments */
    IPR_METHOD_PERCENTILE,  /* … by percentiles */
    IPR_METHOD_MLE,         /* … by maximum likelihood */
    IPR_METHOD_RMLE,        /* … by it, with a share of random moves */
    IPR_METHOD_DEPTH,       /* their model of players who see several depths */
    IPR_METHOD_BAYES,       /* reference agent of Di Fatta, Haworth & Regan */
    IPR_METHOD_CONFORMANCE, /* share of good moves, all forms; prediction from it (ACS) */
    IPR_METHOD_COMPLEXITY,
    IPR_METHOD_GAIN,       /* distribution of losses */
    IPR_METHOD_COVARIANCE, /* prediction from it */
    IPR_METHOD_MARKOV,
    IPR_METHOD_CONCORDANCE,
    IPR_METHOD_ENDGAME,
    IPR_METHOD_ELO,
    IPR_METHOD_PERFORMANCE,
    IPR_METHOD_SCORE_CURVE,
    IPR_METHOD_COMPARISON, /* error of predictions over matches */
    IPR_METHODS
};

/** "moments", "bayes", … */
const char *ipr_method_name(enum ipr_method m);
/** Grows when a method's computation changes: kept answers of another version are not used. */
int ipr_method_version(enum ipr_method m);
/** A digest of all methods and their versions, positive: another where any of them differs. */
int ipr_method_versions(void);

/** Where a figure comes from. */
struct ipr_provenance {
    const struct ipr_view_context *context; /* judge and calibration */
    enum ipr_method method;
    bool calibrated;                        /* whether it rests on the calibration */
    const struct ipr_window *window;        /* which turns count; NULL: not a figure of turns */
    const struct ipr_window_counts *counts; /* what of them was left out; NULL: not known */
    size_t turns, games;                    /* that it rests on */
    unsigned iterations;                    /* of a fit or grid; 0: closed form */
    bool converged;                         /* true for closed forms */
};

/** One estimate with its uncertainty. */
struct ipr_estimate {
    double estimate;
    double se;                    /* NaN: none is known */
    struct ipr_interval interval; /* 95 %; NaN: none is known */
    const struct ipr_provenance *from;
};

/**
 * The same members for every figure; what a method has beside them is set by it:
 *
 * {"estimate", "standard_error", "interval": the one to read; where a method knows several it is
 * the widest, and the others have names of their own ("interval_posterior", …),
 *
 * "method", "method_version", "judge": id or null, "calibration": name or null, "window":
 * {"first_move", "limit_pawns" or null, "drop_forced", "drop_repeated", "top" or null} or null,
 * "turns", "games", "excluded": {reason: turns}, "iterations", "converged" (false where there is a
 * "reason": nothing was computed),
 *
 * "calibration_mismatch": true where the calibration is of another judge and was asked for all the
 * same}.
 *
 * Where the figure's object has other names:
 *
 * - a prediction's estimate, and that of a row of the royale's ranking, is "expected";
 *
 * - a share is {"share", "standard_error", "interval", …} (view/rating/rate.h); provenance stands
 * once, in the object that holds the shares;
 *
 * - "conformance" holds several figures of one provenance: "at_0", "at_30" and the flat members
 *   "mean_loss", "mean_loss_standard_error", "mean_loss_interval"; "complexity" a "mean" and a
 *   "correlation" for each indicator, "endgame" shares and a "mean", "concordance" "mm" and "ad",
 *   each with its "difference";
 *
 * - "by_game" of the reference agent has "estimate", "standard_error" and "interval" alone.
 *
 * New reference.
 */
json_t *ipr_estimate_json(const struct ipr_estimate *r);

/** The same with nulls for the estimate and its uncertainty, and "reason". */
json_t *ipr_estimate_refusal(const struct ipr_provenance *from, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/** {reason: turns} of what a window left out; {} for NULL. */
json_t *ipr_excluded_json(const struct ipr_window_counts *counts);

/** The provenance alone, for an object of several estimates; after "reason" where there is one. */
void ipr_estimate_provenance(json_t *figure, const struct ipr_provenance *from);

#endif
