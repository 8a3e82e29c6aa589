#ifndef IPR_VIEW_PREDICTION_PREDICT_H
#define IPR_VIEW_PREDICTION_PREDICT_H

#include <jansson.h>

#include "db/players.h"
#include "model/conformance_predict.h"
#include "model/covariance.h"
#include "model/markov.h"
#include "model/turn.h"
#include "model/window.h"
#include "view/context.h"
#include "view/figure/figure.h"
#include "view/view.h"

/* Predictions of a game between two player-years, one file each. */

/* What the methods of prediction are computed with, and what of it can be requested. */

struct ipr_predict_params {
    struct ipr_acs_params conformance;
    struct ipr_covariance_params covariance;
    int loss; /* of covariance, IPR_PREDICTION_LOSS_*: its form (methods section 1) */
    struct ipr_conformance_params gains; /* the same for the model, with k1 and k2 */
    struct ipr_markov_params markov;
    bool matrices; /* whether Markov's are in the answer */
};

/**
 * The parameters of the resource `prediction`; what was not given is as A has it: conformance's
 * threshold, k1 and k2 of section 2; covariance with score=bound: n0 = 32, b = 2.4, raw losses,
 * with score=tanh: n0 = 0, a = 1.16, weighted losses with k1 = 1.20, k2 = -3.41 (section 4.3.1).
 * IPR_EPARSE where they are without effect beside each other. Untouched on error.
 */
IPR_CHECK enum ipr_code ipr_predict_params_make(const struct ipr_prediction_request *given,
                                                struct ipr_predict_params *out,
                                                struct ipr_err *err);

/** As the answer names them ("params"). New references. */
json_t *ipr_predict_params_conformance(const struct ipr_predict_params *p);
json_t *ipr_predict_params_covariance(const struct ipr_predict_params *p);
json_t *ipr_predict_params_markov(const struct ipr_predict_params *p);

struct ipr_predict_side {
    struct ipr_view_side who; /* player: id of the root; year 0: the whole career */
    struct ipr_db_player player;
    struct ipr_db_player_year row;
    struct ipr_figure_ratings *rating; /* "ipr" and "elo" at least */
    /* Best and played evaluation of all years up to `who.year` (db/turns.h,
     * ipr_db_player_transitions); nothing when nothing is judged, or no method needs them. */
    struct ipr_turn *turns;
    size_t n;
};

/** Reads what `method` ("all": every one) needs of a player-year. IPR_ENOTFOUND. */
IPR_CHECK enum ipr_code ipr_predict_side_open(const struct ipr_view_context *c,
                                              struct ipr_view_side who, const char *method,
                                              struct ipr_predict_side *s, struct ipr_err *err);

struct ipr_predict {
    const struct ipr_view_context *context;
    const struct ipr_predict_side *white, *black; /* the first and the second player named */
    const char *left_out; /* of the sides' turns on request, as refusals say; NULL: nothing */
    struct ipr_predict_params params;
};

/** Fills a blank prediction, in the view of the first player named. Where there is none, it has a
 * reason. Only failures of our own are errors. */
typedef enum ipr_code ipr_predict_fn(const struct ipr_predict *p, struct ipr_figure_prediction *out,
                                     struct ipr_err *err);

ipr_predict_fn ipr_predict_markov IPR_CHECK, ipr_predict_covariance IPR_CHECK,
    ipr_predict_conformance IPR_CHECK, ipr_predict_ipr IPR_CHECK, ipr_predict_elo IPR_CHECK;

/** Turns of a side that a window keeps. */
struct ipr_predict_turns {
    const struct ipr_turn *turns; /* turns[keep[i]]; of the request's arena */
    const size_t *keep;
    size_t n;
    size_t of_year[2]; /* of the year itself (of a career: all), as White and as Black */
    struct ipr_window_counts counts;
};

/** `own_year`: of the year itself alone; else of all years up to it. */
struct ipr_predict_turns ipr_predict_turns(const struct ipr_predict *p,
                                           const struct ipr_predict_side *side,
                                           const struct ipr_window *window, bool own_year);

/** The turns of both sides. False where there is no prediction from them, for the reason in `out`:
 * nothing is judged, or a side has too few turns of its year alone. */
bool ipr_predict_open(const struct ipr_predict *p, enum ipr_method method,
                      const struct ipr_window *window, bool own_year, struct ipr_predict_turns t[2],
                      struct ipr_figure_prediction *out);

/** Sets the expected score and where it is from. */
void ipr_predict_fill(const struct ipr_provenance *from, double expected,
                      struct ipr_figure_prediction *out);
/** Sets the interval, or why there is none. */
void ipr_predict_interval(bool known, double se, struct ipr_interval interval, const char *reason,
                          struct ipr_figure_prediction *out);
/** Sets what it rests on; `t` may be NULL where nothing is left out. */
void ipr_predict_basis(const struct ipr_predict *p, const size_t turns[2], const size_t games[2],
                       const struct ipr_predict_turns *t, struct ipr_figure_prediction *out);
/** Sets why there is none. */
void ipr_predict_none(const struct ipr_predict *p, enum ipr_method method,
                      struct ipr_figure_prediction *out, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

struct ipr_figure_pair *ipr_predict_pair(const struct ipr_predict *p, size_t white, size_t black);
/** Of a method without wins and draws: NaN. */
struct ipr_figure_outcome *ipr_predict_outcome(const struct ipr_predict *p, double win, double draw,
                                               double loss, double expected);

/** The methods in their order; NULL after the last. */
const char *ipr_predict_name(size_t i);
/** Predictions of one method or, with "all", of every one. */
IPR_CHECK enum ipr_code ipr_predict_by(const struct ipr_predict *p, const char *method,
                                       struct ipr_figure_predictions *out, struct ipr_err *err);

/* ---- the pool ---- */

/* The pool of Markov's matrices: the transitions of the calibration's own turns, which stand for a
 * row that a player lacks. It does not change with what is stored, so neither does a prediction. */

/**
 * Sets counts[classes->n ^ 2] and returns them; NULL where the context has no calibration, or one
 * without a pool: such rows are then the identity's.
 */
const double *ipr_predict_pool(const struct ipr_view_context *c,
                               const struct ipr_markov_classes *classes, double *counts);

/** Sets "pool", the calibration's name, and "pool_digest"; nulls and "pool_reason" without one. */
void ipr_predict_pool_json(const struct ipr_view_context *c, json_t *out);

#endif
