#ifndef IPR_VIEW_PREDICTION_PREDICT_H
#define IPR_VIEW_PREDICTION_PREDICT_H

#include <jansson.h>

#include "db/players.h"
#include "model/turn.h"
#include "model/window.h"
#include "view/context.h"
#include "view/figure/estimate.h"
#include "view/prediction/params.h"

/* Predictions of a game between two player-years, one file each: predict_NAME.c. */

struct ipr_predict_side {
    struct ipr_view_side who; /* player: id of the root; year 0: the whole career */
    struct ipr_db_player player;
    struct ipr_db_player_year row;
    json_t *rating; /* as ipr_view_rating; owned */
    /* Best and played evaluation of all years up to `who.year` (db/turns.h,
     * ipr_db_player_transitions); nothing when nothing is judged. */
    struct ipr_turn *turns;
    size_t n;
};

/** IPR_ENOTFOUND; to be closed. */
IPR_CHECK enum ipr_code ipr_predict_side_open(const struct ipr_view_context *c,
                                              struct ipr_view_side who, struct ipr_predict_side *s,
                                              struct ipr_err *err);
void ipr_predict_side_close(struct ipr_predict_side *s);

struct ipr_predict {
    const struct ipr_view_context *context;
    const struct ipr_predict_side *white, *black; /* the first and the second player named */
    const char *left_out; /* of the sides' turns on request, as refusals say; NULL: nothing */
    struct ipr_predict_params params;
};

/**
 * One prediction:
 *
 *   {…view/figure/estimate.h, but
 *    "estimate" is called "expected": score of the first, mean of both colours;
 *    "turns", "games" and "excluded" are of {"white", "black"};
 *
 *    "as_white", "as_black": {"win", "draw", "loss", "expected"}, nulls where the method says
 *    nothing of it;
 *
 *    "params";
 *
 *    "interval_reason" where there is an expected score and no interval of it}
 *
 * or nulls and "reason". Only failures of our own are errors.
 */
typedef enum ipr_code ipr_predict_fn(const struct ipr_predict *p, json_t **out,
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

/** What a method came to, in the view of the first player named. */
struct ipr_predicted {
    double expected;
    double se;                    /* NaN: none is known */
    struct ipr_interval interval; /* NaN: none is known */
    const char *interval_reason;  /* why not; NULL otherwise */
    json_t *as_white, *as_black;  /* {"win", "draw", "loss", "expected"}; taken over */
    size_t turns[2], games[2];
    const struct ipr_window_counts *counts[2]; /* what was left out; NULL: not known */
    const struct ipr_provenance *from;         /* its turns, games and counts are not used */
};
json_t *ipr_predict_json(const struct ipr_predicted *p);
/** Of a method that says nothing of wins and draws. */
json_t *ipr_predict_expected_only(double expected);

/** A prediction that is refused. */
json_t *ipr_predict_refusal(const struct ipr_predict *p, enum ipr_method method, const char *fmt,
                            ...) __attribute__((format(printf, 3, 4)));
/** Refusal where a side has fewer than IPR_VIEW_MIN_TURNS turns that count, of its year alone;
 * NULL where not. */
json_t *ipr_predict_too_few(const struct ipr_predict *p, enum ipr_method method, size_t white,
                            size_t black);
/** The same of what a window kept of the two sides. */
json_t *ipr_predict_few_turns(const struct ipr_predict *p, enum ipr_method method,
                              const struct ipr_predict_turns t[2]);
/** {"white", "black"} */
json_t *ipr_predict_both(size_t white, size_t black);

/** Whether there is a method of this name; "all" is none. */
bool ipr_predict_knows(const char *method);
/** The methods in their order; NULL after the last. */
const char *ipr_predict_name(size_t i);
/** {method: prediction} of one method or, with "all", of every one. */
IPR_CHECK enum ipr_code ipr_predict_by(const struct ipr_predict *p, const char *method,
                                       json_t **out, struct ipr_err *err);

#endif
