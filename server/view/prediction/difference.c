/* Prediction from a difference of ratings: IPR, Elo and the rating by the moves. */
#include "view/prediction/predict.h"

#include <math.h>

#include "model/calibration_fit.h"
#include "model/elo.h"
#include "sentence/sentence.h"
#include "stats/interval.h"
#include "view/rating/rate.h"

/* Neither Elo nor IPR models colours or draws: only the expected score is given. */
static void difference_fill(const struct ipr_predict *p, const struct ipr_provenance *from,
                            const struct ipr_figure *first, const struct ipr_figure *second,
                            double half_width, enum ipr_reason_interval none,
                            struct ipr_figure_prediction *out)
{
    const struct ipr_figure_basis *b1 = &first->group.basis, *b2 = &second->group.basis;
    const double d = first->estimate - second->estimate;
    const double e = ipr_elo_expect(d, 0.0);

    /* The curve is straight on the logit scale, so an interval of the difference maps exactly. */
    const struct ipr_interval interval = { ipr_elo_expect(d - half_width, 0.0),
                                           ipr_elo_expect(d + half_width, 0.0) };
    const double se = half_width / IPR_Z95 * e * (1.0 - e) * log(10.0) / 400.0;

    ipr_predict_fill(from, e, out);
    ipr_predict_interval(half_width > 0.0, se, interval, ipr_say_reason_interval(none), out);
    ipr_predict_basis(p, (size_t[]){ b1->turns, b2->turns }, (size_t[]){ b1->games, b2->games },
                      NULL, out);
    out->as_white = ipr_predict_outcome(p, NAN, NAN, NAN, e);
    out->as_black = ipr_predict_outcome(p, NAN, NAN, NAN, e);
    out->excluded.white = b1->excluded;
    out->excluded.black = b2->excluded;
    out->difference = d;
    out->params = ipr_shape_new(IPR_SHAPE_PARAMS, p->context->v->mem);
    out->params->scale = 400;
}

/* True if both sides have such a rating. */
static bool difference_known(const struct ipr_predict *p, enum ipr_method method, const char *what,
                             const struct ipr_figure *first, const struct ipr_figure *second,
                             struct ipr_figure_prediction *out)
{
    const bool white = isfinite(first->estimate), black = isfinite(second->estimate);
    const struct ipr_reason_prediction_slots slots = {
        .who = (white ? p->black : p->white)->player.name,
        .what = what,
        .reason = (white ? second : first)->group.reason,
    };

    if (!white || !black)
        ipr_predict_none(
            p, method,
            ipr_say_reason_prediction(IPR_REASON_PREDICTION_NO_RATING, &slots, p->context->v->mem),
            out);
    return white && black;
}

static double difference_half_width(const struct ipr_interval *i)
{
    return (i->hi - i->lo) / 2.0;
}

enum ipr_code ipr_predict_ipr(const struct ipr_predict *p, struct ipr_figure_prediction *out,
                              struct ipr_err *err)
{
    const struct ipr_figure_ipr *white = p->white->rating->ipr, *black = p->black->rating->ipr;
    const struct ipr_figure *first = &white->figure, *second = &black->figure;

    const double half[2] = { difference_half_width(&white->interval_clustered),
                             difference_half_width(&black->interval_clustered) };

    (void)err;
    if (!difference_known(p, IPR_METHOD_MOMENTS, "IPR", first, second, out))
        return IPR_OK;
    const struct ipr_provenance from = { .context = p->context,
                                         .method = IPR_METHOD_MOMENTS,
                                         .calibrated = true,
                                         .window = &p->context->calibration->window,
                                         .converged = true };

    difference_fill(p, &from, first, second,
                    ipr_calibration_difference(&p->context->calibration->line,
                                               first->estimate - second->estimate, half),
                    IPR_REASON_INTERVAL_RATING_WITHOUT, out);
    out->extrapolated = white->extrapolated == 1 || black->extrapolated == 1;
    return IPR_OK;
}

/* Without an interval, as an Elo figure has no error. */
enum ipr_code ipr_predict_elo(const struct ipr_predict *p, struct ipr_figure_prediction *out,
                              struct ipr_err *err)
{
    const struct ipr_provenance from = { .context = p->context,
                                         .method = IPR_METHOD_ELO,
                                         .converged = true };
    const struct ipr_figure_elo_mean *first = &p->white->rating->elo->elo_mean;
    const struct ipr_figure_elo_mean *second = &p->black->rating->elo->elo_mean;

    (void)err;
    if (!difference_known(p, IPR_METHOD_ELO, "Elo", &first->figure, &second->figure, out))
        return IPR_OK;
    difference_fill(p, &from, &first->figure, &second->figure, 0.0,
                    IPR_REASON_INTERVAL_ELO_WITHOUT_ERRORS, out);
    out->turns = NULL; /* of results, not of turns */
    out->source = ipr_arena_alloc(p->context->v->mem, 1, sizeof *out->source);
    *out->source = (struct ipr_figure_text_pair){ first->sources.source, second->sources.source };
    return IPR_OK;
}

/*
 * The ratings by the moves up to the year, without a prior, each year by default with half the
 * weight of the next, in the place of Elo: what lab/predictors compares as "rating of the
 * moves".
 */
enum ipr_code ipr_predict_rating(const struct ipr_predict *p, struct ipr_figure_prediction *out,
                                 struct ipr_err *err)
{
    const struct ipr_provenance from = { .context = p->context,
                                         .method = IPR_METHOD_STRENGTH,
                                         .converged = true };
    const double forgetting = ipr_number_or(p->params.asked.forgetting, IPR_FORGETTING);
    struct ipr_figure first, second;

    enum ipr_code rc = ipr_strength_up_to(p->context, p->white->who, forgetting, p->without,
                                          p->n_without, &first, err);
    if (rc == IPR_OK)
        rc = ipr_strength_up_to(p->context, p->black->who, forgetting, p->without, p->n_without,
                                &second, err);
    if (rc != IPR_OK || !difference_known(p, IPR_METHOD_STRENGTH, "rating", &first, &second, out))
        return rc;
    difference_fill(p, &from, &first, &second,
                    IPR_Z95 * hypot(first.standard_error, second.standard_error),
                    IPR_REASON_INTERVAL_RATING_WITHOUT, out);
    out->provenance = first.group.provenance;
    out->params->forgetting = ipr_predict_forgetting(forgetting);
    return IPR_OK;
}
