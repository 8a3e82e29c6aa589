#include "view/figure/estimate.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "view/json.h"

static const struct {
    const char *name;
    int version;
} methods[IPR_METHODS] = {
    [IPR_METHOD_MOMENTS] = { "moments", 2 },
    [IPR_METHOD_PERCENTILE] = { "percentile", 1 },
    [IPR_METHOD_MLE] = { "mle", 1 },
    [IPR_METHOD_RMLE] = { "rmle", 1 },
    [IPR_METHOD_DEPTH] = { "depth_weighted", 1 },
    [IPR_METHOD_BAYES] = { "bayes", 3 },
    [IPR_METHOD_CONFORMANCE] = { "conformance", 3 },
    [IPR_METHOD_COMPLEXITY] = { "complexity", 1 },
    [IPR_METHOD_GAIN] = { "gain", 1 },
    [IPR_METHOD_COVARIANCE] = { "covariance", 1 },
    [IPR_METHOD_MARKOV] = { "markov", 4 },
    [IPR_METHOD_CONCORDANCE] = { "concordance", 3 },
    [IPR_METHOD_ENDGAME] = { "endgame", 1 },
    [IPR_METHOD_ELO] = { "elo", 3 },
    [IPR_METHOD_PERFORMANCE] = { "performance", 3 },
    [IPR_METHOD_SCORE_CURVE] = { "score_curve", 2 },
    [IPR_METHOD_COMPARISON] = { "comparison", 2 },
};

const char *ipr_method_name(enum ipr_method m)
{
    return methods[m].name;
}

int ipr_method_version(enum ipr_method m)
{
    return methods[m].version;
}

/* FNV-1a (Fowler, Noll, Vo), of 32 bits. */
static uint32_t hashed(uint32_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT32_C(16777619);
    return hash;
}

int ipr_method_versions(void)
{
    uint32_t hash = UINT32_C(2166136261);

    for (int m = 0; m < IPR_METHODS; m++) {
        char version[16];

        snprintf(version, sizeof version, " %d\n", methods[m].version);
        hash = hashed(hashed(hash, methods[m].name), version);
    }
    return (int)(hash & INT32_MAX);
}

static json_t *window_json(const struct ipr_window *w)
{
    if (!w)
        return json_null();
    return json_pack("{s:i, s:o, s:b, s:b, s:o}", "first_move", (int)w->first_move, "limit_pawns",
                     w->limit_cp ? ipr_json_num(w->limit_cp / 100.0) : json_null(), "drop_forced",
                     w->drop_forced, "drop_repeated", w->drop_repeated, "top",
                     ipr_json_known(w->top));
}

json_t *ipr_excluded_json(const struct ipr_window_counts *counts)
{
    json_t *out = json_object();

    for (int i = 0; counts && i < IPR_EXCLUDED_REASONS; i++)
        if (counts->excluded[i] > 0)
            json_object_set_new(out, ipr_excluded_name((enum ipr_excluded)i),
                                json_integer((json_int_t)counts->excluded[i]));
    return out;
}

void ipr_estimate_provenance(json_t *figure, const struct ipr_provenance *from)
{
    const struct ipr_view_context *c = from->context;
    json_t *about = json_pack(
        "{s:s, s:i, s:o, s:o, s:o, s:I, s:I, s:o, s:i, s:b}", "method",
        ipr_method_name(from->method), "method_version", ipr_method_version(from->method), "judge",
        ipr_json_known(c->judge_id), "calibration",
        from->calibrated && c->calibration ? json_string(c->calibration_name) : json_null(),
        "window", window_json(from->window), "turns", (json_int_t)from->turns, "games",
        (json_int_t)from->games, "excluded", ipr_excluded_json(from->counts), "iterations",
        (int)from->iterations, "converged", from->converged && !json_object_get(figure, "reason"));

    if (from->calibrated && c->calibration && c->mismatch)
        json_object_set_new(about, "calibration_mismatch", json_true());
    json_object_update(figure, about);
    json_decref(about);
}

json_t *ipr_estimate_json(const struct ipr_estimate *r)
{
    json_t *out = json_pack(
        "{s:o, s:o, s:o}", "estimate", ipr_json_num(r->estimate), "standard_error",
        isfinite(r->se) ? ipr_json_num(r->se) : json_null(), "interval",
        isfinite(r->interval.lo) && isfinite(r->interval.hi) ? ipr_json_interval(r->interval)
                                                             : json_null());

    ipr_estimate_provenance(out, r->from);
    return out;
}

json_t *ipr_estimate_refusal(const struct ipr_provenance *from, const char *fmt, ...)
{
    json_t *out = json_pack("{s:n, s:n, s:n}", "estimate", "standard_error", "interval");
    char reason[IPR_ERR_TEXT];
    va_list args;

    va_start(args, fmt);
    vsnprintf(reason, sizeof reason, fmt, args);
    va_end(args);
    json_object_set_new(out, "reason", json_string(reason));
    ipr_estimate_provenance(out, from);
    return out;
}
