#ifndef IPR_VIEW_PREDICTION_PREDICT_H
#define IPR_VIEW_PREDICTION_PREDICT_H

#include <jansson.h>

#include "db/players.h"
#include "model/conformance_predict.h"
#include "model/covariance.h"
#include "model/markov.h"
#include "model/outcome.h"
#include "model/turn.h"
#include "model/window.h"
#include "view/context.h"
#include "view/figure/figure.h"
#include "view/rating/path.h"
#include "view/rating/rate.h"
#include "view/view.h"

/* Predictions of a game between two player-years, one file each. */

/* Parameters of the prediction methods, and which of them were requested. */
struct ipr_predict_params {
    struct ipr_prediction_request asked;
    struct ipr_covariance_params covariance;
    int loss; /* of covariance, IPR_PREDICTION_LOSS_*: its form (methods section 1) */
    struct ipr_conformance_params gains; /* the same for the model; forgetting 0: one year */
    struct ipr_markov_params markov;
};

/**
 * The parameters of the resource `prediction`; those not given are A's: conformance's threshold, k1
 * and k2 of section 2; covariance with score=bound: n0 = 32, b = 2.4, raw losses, with score=tanh:
 * n0 = 0, a = 1.16, weighted losses with k1 = 1.20, k2 = -3.41 (section 4.3.1), and no forgetting,
 * which the paper has for title matches alone (section 4). IPR_EPARSE if one
 * has no effect with the others. Untouched on error.
 */
IPR_CHECK enum ipr_code ipr_predict_params_make(const struct ipr_prediction_request *given,
                                                struct ipr_predict_params *out,
                                                struct ipr_err *err);

/** As in the answer. */
struct ipr_figure_params *ipr_predict_params_covariance(const struct ipr_predict_params *p,
                                                        struct ipr_arena *mem);
struct ipr_figure_params *ipr_predict_params_markov(const struct ipr_predict_params *p,
                                                    struct ipr_arena *mem);
double ipr_predict_forgetting(double forgetting);

struct ipr_predict_side {
    struct ipr_view_side who; /* player: id of the root; year 0: the whole career */
    struct ipr_db_player player;
    struct ipr_db_player_year row;
    struct ipr_figure_ratings *rating; /* "ipr" and "elo" at least */
    /* Set by the head to head alone: the rating by the moves of the year, the strength in it by
     * those of all years, and by results. */
    struct ipr_figure_rating *rated;
    struct ipr_figure_path_year *in_year; /* NULL: the path does not have it */
    struct ipr_path_part level;
    struct ipr_figure_results_strength *results;
    struct ipr_results_place results_place;
    /* Best and played evaluation of all years up to `who.year` (db/turns.h,
     * ipr_db_player_transitions); empty when nothing is judged, or no method needs them. */
    struct ipr_turn *turns;
    size_t n;
};

/** Finds a player-year: sets who, player and row. IPR_ENOTFOUND. */
IPR_CHECK enum ipr_code ipr_predict_side_find(const struct ipr_view_context *c,
                                              struct ipr_view_side who, struct ipr_predict_side *s,
                                              struct ipr_err *err);
/** Reads what `method` ("all": every one) needs of one that is found. */
IPR_CHECK enum ipr_code ipr_predict_side_load(const struct ipr_view_context *c, const char *method,
                                              struct ipr_predict_side *s, struct ipr_err *err);
/** Both. */
IPR_CHECK enum ipr_code ipr_predict_side_open(const struct ipr_view_context *c,
                                              struct ipr_view_side who, const char *method,
                                              struct ipr_predict_side *s, struct ipr_err *err);

/** A match whose score is predicted, too. */
struct ipr_predict_match {
    unsigned games; /* 0: none */
    double level;   /* mean of both strengths [Elo] */
    int year;
};

struct ipr_predict {
    const struct ipr_view_context *context;
    const struct ipr_predict_side *white, *black; /* the first and the second player named */
    const struct ipr_predict *wide; /* the two by the engine setting of the IPR; NULL: by this */
    bool left_out;                  /* the match's own games are, which reasons say */
    const int64_t *without;         /* ids of games that the rating leaves out */
    size_t n_without;
    struct ipr_predict_params params;
    struct ipr_predict_match match;
};

/** Has the score of a match of so many games predicted (0: none), in a year. Its level is the mean
 * of both Elo; if a player has none, that of the strengths from results; else the middle of the
 * range that the model of outcomes is fitted to. Sets p->match. */
IPR_CHECK enum ipr_code ipr_predict_match(struct ipr_predict *p, unsigned games, int year,
                                          struct ipr_err *err);

/** Sets the score of the match, if one was requested and there is a prediction, by
 * model/outcome_forecast.h. Elo, which has no error of its own, has `elo_se` of
 * model/results_shipped.h for each player. */
IPR_CHECK enum ipr_code ipr_predict_score(const struct ipr_predict *p,
                                          struct ipr_figure_prediction *out, struct ipr_err *err);
/** The same from the strengths of both. */
IPR_CHECK enum ipr_code ipr_predict_score_of(const struct ipr_predict *p,
                                             const struct ipr_outcome_side *first,
                                             const struct ipr_outcome_side *second,
                                             struct ipr_figure_match_score **out,
                                             struct ipr_err *err);

/** 95 % interval of the expected score of the first, from the strengths of both. */
struct ipr_interval ipr_predict_score_interval(const struct ipr_outcome_side *first,
                                               const struct ipr_outcome_side *second, double year);

/** Fills a blank prediction, from the view of the first player named. If there is none, it has a
 * reason. Only failures of our own are errors. */
typedef enum ipr_code ipr_predict_fn(const struct ipr_predict *p, struct ipr_figure_prediction *out,
                                     struct ipr_err *err);

ipr_predict_fn IPR_PREDICTOR_FUNCTIONS; /* ipr_predict_NAME, of server/predictors.def */

/** The turns of a side kept by a window. */
struct ipr_predict_turns {
    const struct ipr_turn *turns; /* turns[keep[i]]; of the request's arena */
    const size_t *keep;
    size_t n;
    size_t of_year[2]; /* of the year itself (of a career: all), as White and as Black */
    struct ipr_window_counts counts;
};

/** `own_year`: only the year itself; else all years up to it. */
struct ipr_predict_turns ipr_predict_turns(const struct ipr_predict *p,
                                           const struct ipr_predict_side *side,
                                           const struct ipr_window *window, bool own_year);

/** The turns of both sides. False if there is no prediction from them, for the reason in `out`:
 * nothing is judged, or a side has too few turns of its year alone. */
bool ipr_predict_open(const struct ipr_predict *p, enum ipr_method method,
                      const struct ipr_window *window, bool own_year, struct ipr_predict_turns t[2],
                      struct ipr_figure_prediction *out);

/** Sets the expected score and its provenance. */
void ipr_predict_fill(const struct ipr_provenance *from, double expected,
                      struct ipr_figure_prediction *out);
/** Sets the interval, or the reason for none. */
void ipr_predict_interval(bool known, double se, struct ipr_interval interval, const char *reason,
                          struct ipr_figure_prediction *out);
/** Sets its provenance; `t` may be NULL if nothing is left out. */
void ipr_predict_basis(const struct ipr_predict *p, const size_t turns[2], const size_t games[2],
                       const struct ipr_predict_turns *t, struct ipr_figure_prediction *out);
/** Sets the reason for no prediction. */
void ipr_predict_none(const struct ipr_predict *p, enum ipr_method method, const char *reason,
                      struct ipr_figure_prediction *out);

struct ipr_figure_pair *ipr_predict_pair(const struct ipr_predict *p, size_t white, size_t black);
/** Turns of the years themselves. */
struct ipr_figure_pair *ipr_predict_years(const struct ipr_predict *p,
                                          const struct ipr_predict_turns t[2]);
/** For a method without wins and draws: NaN. */
struct ipr_figure_outcome *ipr_predict_outcome(const struct ipr_predict *p, double win, double draw,
                                               double loss, double expected);

/** The methods in their order; NULL after the last. */
const char *ipr_predict_name(size_t i);
/** The prediction by its name in static/predictors.json; NULL if it is not in the answer. */
const struct ipr_figure_prediction *ipr_predict_tested(const struct ipr_figure_predictions *all,
                                                       const char *tested);
/** Predictions of one method or, with "all", of every one. */
IPR_CHECK enum ipr_code ipr_predict_by(const struct ipr_predict *p, const char *method,
                                       struct ipr_figure_predictions *out, struct ipr_err *err);

/* ---- the pool ---- */

/* The pool of Markov's matrices: the transitions of the calibration's own turns, which replace a
 * row that a player lacks. It does not depend on the stored games, so neither does a prediction.
 * The calibration may be of another setting if that is the same engine to the same limit: its rows
 * differ little from those of the setting, and much from the identity (docs/figures.md). */

/**
 * Sets counts[classes->n ^ 2] and returns them; NULL if the context has no calibration or
 * neighbour, or one without a pool: such rows are then those of the identity.
 */
const double *ipr_predict_pool(const struct ipr_view_context *c,
                               const struct ipr_markov_classes *classes, double *counts);

/** Which pool that is. */
struct ipr_predict_pool {
    const char *calibration, *digest;
    const char *judge;  /* its setting, if that is another one than the context's */
    const char *reason; /* why there is none */
};
struct ipr_predict_pool ipr_predict_pool_used(const struct ipr_view_context *c);

#endif
