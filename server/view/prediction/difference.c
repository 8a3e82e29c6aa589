/* By a difference of ratings: IPR and Elo. */
#include "view/prediction/predict.h"

#include <math.h>

#include "model/elo.h"
#include "stats/interval.h"
#include "view/json.h"

/** Neither Elo nor IPR says anything of colours or draws: only the expected score is given. */
static json_t *by_difference(const struct ipr_provenance *from, const json_t *first,
                             const json_t *second, double half_width, const char *no_interval)
{
    const double d = ipr_json_at(first, "estimate", 0.0) - ipr_json_at(second, "estimate", 0.0);
    const double e = ipr_elo_expect(d, 0.0);
    struct ipr_predicted predicted = {
        .expected = e,
        .se = NAN,
        .interval = { NAN, NAN },
        .interval_reason = no_interval,
        .as_white = ipr_predict_expected_only(e),
        .as_black = ipr_predict_expected_only(e),
        .turns = { (size_t)ipr_json_at(first, "turns", 0.0),
                   (size_t)ipr_json_at(second, "turns", 0.0) },
        .games = { (size_t)ipr_json_at(first, "games", 0.0),
                   (size_t)ipr_json_at(second, "games", 0.0) },
        .from = from,
    };

    /* The curve is straight on the logit scale, so an interval of the difference maps exactly. */
    if (half_width > 0.0) {
        predicted.interval = (struct ipr_interval){ ipr_elo_expect(d - half_width, 0.0),
                                                    ipr_elo_expect(d + half_width, 0.0) };
        predicted.se = half_width / IPR_Z95 * e * (1.0 - e) * log(10.0) / 400.0;
    }
    json_t *out = ipr_predict_json(&predicted);
    json_object_set_new(out, "difference", ipr_json_num(d));
    json_object_set_new(out, "params", json_pack("{s:i}", "scale", 400));
    if (json_is_object(json_object_get(first, "excluded")))
        json_object_set_new(out, "excluded",
                            json_pack("{s:O, s:O*}", "white", json_object_get(first, "excluded"),
                                      "black", json_object_get(second, "excluded")));
    return out;
}

/** NaN: it has no interval. */
static double half_width(const json_t *ipr)
{
    return (ipr_json_at(ipr, "interval.high", NAN) - ipr_json_at(ipr, "interval.low", NAN)) / 2.0;
}

/** The side that has no such rating, NULL when both have one. */
static const struct ipr_predict_side *without(const struct ipr_predict *p, const char *path)
{
    if (!isfinite(ipr_json_at(p->white->rating, path, NAN)))
        return p->white;
    return isfinite(ipr_json_at(p->black->rating, path, NAN)) ? NULL : p->black;
}

/** Adds "difference" [Elo] and "extrapolated". */
enum ipr_code ipr_predict_ipr(const struct ipr_predict *p, json_t **out, struct ipr_err *err)
{
    const json_t *first = json_object_get(p->white->rating, "ipr");
    const json_t *second = json_object_get(p->black->rating, "ipr");
    const struct ipr_predict_side *lacks = without(p, "ipr.estimate");

    (void)err;
    if (lacks) {
        *out =
            ipr_predict_refusal(p, IPR_METHOD_MOMENTS, "no IPR for %.80s: %.120s",
                                lacks->player.name, ipr_json_text_at(lacks->rating, "ipr.reason"));
        return IPR_OK;
    }
    const struct ipr_provenance from = { .context = p->context,
                                         .method = IPR_METHOD_MOMENTS,
                                         .calibrated = true,
                                         .window = &p->context->calibration->window,
                                         .converged = true };

    const double half = hypot(half_width(first), half_width(second));
    *out = by_difference(&from, first, second, half,
                         half > 0.0 ? NULL : "a rating has no interval to go by");
    json_object_set_new(*out, "extrapolated",
                        json_boolean(ipr_json_true_at(first, "extrapolated") ||
                                     ipr_json_true_at(second, "extrapolated")));
    return IPR_OK;
}

/** {"white", "black"}: where the Elo figures are from. */
static json_t *sources(const struct ipr_predict *p)
{
    return json_pack("{s:o, s:o}", "white",
                     ipr_json_text(ipr_json_text_at(p->white->rating, "elo.source")), "black",
                     ipr_json_text(ipr_json_text_at(p->black->rating, "elo.source")));
}

/** Adds "difference" [Elo] and "source"; has no interval, as an Elo figure has no error. */
enum ipr_code ipr_predict_elo(const struct ipr_predict *p, json_t **out, struct ipr_err *err)
{
    const struct ipr_provenance from = { .context = p->context,
                                         .method = IPR_METHOD_ELO,
                                         .converged = true };
    const struct ipr_predict_side *lacks = without(p, "elo.estimate");

    (void)err;
    if (lacks) {
        *out =
            ipr_predict_refusal(p, IPR_METHOD_ELO, "no Elo for %.80s: %.120s", lacks->player.name,
                                ipr_json_text_at(lacks->rating, "elo.reason"));
        return IPR_OK;
    }
    *out = by_difference(&from, json_object_get(p->white->rating, "elo"),
                         json_object_get(p->black->rating, "elo"), 0.0,
                         "an Elo figure is given without an error of its own");
    json_object_set_new(*out, "turns", json_null()); /* of results, not of turns */
    json_object_set_new(*out, "source", sources(p));
    return IPR_OK;
}
