#ifndef IPR_VIEW_FIGURE_FIGURE_H
#define IPR_VIEW_FIGURE_FIGURE_H

#include <jansson.h>

#include "base/error.h"
#include "model/score_curve.h"
#include "model/window.h"
#include "registry.h"
#include "view/context.h"
#include "view/figure/shape.h"

/* The members that every figure has, and the only place where they are written. */

/** Published methods and ours, of server/ratings.def and server/predictors.def. */
enum ipr_method { IPR_METHOD_NAMES, IPR_METHODS };

/** "moments", "bayes", … */
const char *ipr_method_name(enum ipr_method m);
/** A digest of all methods, their versions and the members of their answers, positive; it changes
 * when any of them does. */
int ipr_method_versions(void);

/** Provenance of a figure. */
struct ipr_provenance {
    const struct ipr_view_context *context; /* judge and calibration */
    enum ipr_method method;
    bool calibrated;                        /* whether it rests on the calibration */
    const struct ipr_window *window;        /* which turns count; NULL: not a figure of turns */
    const struct ipr_window_counts *counts; /* the turns left out; NULL: not known */
    size_t turns, games;                    /* that it is computed from */
    unsigned iterations;                    /* of a fit or grid; 0: closed form */
    bool converged;                         /* true for closed forms */
};

/* The makers allocate in the arena of from->context->v. */

struct ipr_figure_provenance ipr_figure_provenance(const struct ipr_provenance *from);
/** {reason: turns} left out by a window; {} for NULL. */
struct ipr_figure_counts ipr_figure_excluded(const struct ipr_window_counts *counts);
/** The members beside estimates; `reason`: why there are none, NULL if there are. */
struct ipr_figure_group ipr_figure_group(const struct ipr_provenance *from, const char *reason);
/** An estimate; NaN in `se` and `interval` where they are unknown. */
struct ipr_figure ipr_figure(double estimate, double se, struct ipr_interval interval,
                             const struct ipr_provenance *from);
/** No estimate, and the reason. */
struct ipr_figure ipr_figure_none(const struct ipr_provenance *from, const char *reason);

/** Converts a model's code for a figure: without enough data, or without convergence, there is no
 * figure, for the reason in `why`: *reason is set and IPR_OK returned. Other errors go to `err`. */
IPR_CHECK enum ipr_code ipr_figure_settle(enum ipr_code rc, const struct ipr_err *why,
                                          struct ipr_arena *mem, const char **reason,
                                          struct ipr_err *err);

/** Rounded as when cached, so that results do not depend on whether it was. */
struct ipr_interval ipr_interval_rounded(struct ipr_interval i);

/** NaN if it is not known. */
struct ipr_interval ipr_interval_if(bool known, struct ipr_interval i);
double ipr_number_if(bool known, double x);
/** A parameter that is given, or its default. */
double ipr_number_or(double given, double otherwise);
/** IPR_UNKNOWN if it is not known. */
size_t ipr_count_if(bool known, size_t n);

/** True if a calibrated range has an estimate. */
bool ipr_range_holds(struct ipr_figure_range r, double x);
/** Returns what is said instead of an estimate beyond the range: above its upper end, or below its
 * lower one; both NaN inside. */
struct ipr_figure_range ipr_range_bound(struct ipr_figure_range r, double x);
/** The side of such a bound that x is on, "above" or "below"; NULL inside. */
const char *ipr_range_censored(struct ipr_figure_range bound);
/** An end beyond the range is open; what is wholly beyond it begins where the range ends. */
struct ipr_interval ipr_range_interval(struct ipr_figure_range r, struct ipr_interval i);

/**
 * Mean scores of positions by their evaluation, in bins of half a pawn up to five pawns either way,
 * those that have any: their number. A standard error is unknown, too, where all scored alike.
 * `number` rounds the numbers.
 */
size_t ipr_figure_score_bins(const struct ipr_score_position *x, size_t n,
                             double (*number)(double x), struct ipr_arena *mem,
                             struct ipr_answer_score_bin **out);

#endif
