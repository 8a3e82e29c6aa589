/* Functions for writing several parts of a record. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <sodium.h>

#include "base/mem.h"
#include "model/ipr.h"
#include "stats/line.h"
#include "view/calibration/parts.h"

double ipr_calibration_figure(double x)
{
    char text[32];

    snprintf(text, sizeof text, "%.6g", x);
    return isfinite(x) ? strtod(text, NULL) : NAN;
}

struct ipr_figure_projection *ipr_calibration_compared(double projected, double actual,
                                                       struct ipr_arena *mem)
{
    struct ipr_figure_projection *out = ipr_shape_new(IPR_SHAPE_PROJECTION, mem);

    out->projected = ipr_calibration_figure(projected);
    out->actual = ipr_calibration_figure(actual);
    return out;
}

struct ipr_rh_params ipr_calibration_params(const struct ipr_judge *judge)
{
    struct ipr_rh_params params = IPR_RH_PARAMS_INIT;

    params.k = judge->multipv;
    return params;
}

struct ipr_answer_calibration_method ipr_calibration_method(const struct ipr_rh_params *params)
{
    const struct ipr_window w = ipr_window_default(IPR_WINDOW_REGAN);

    return (struct ipr_answer_calibration_method){
        .fit = "moments",
        .tail = "extrapolated",
        .tie = "first",
        .curve = "exp",
        .tie_pawns = params->tie_pawns,
        .cap_pawns = params->cap,
        .played = "placed",
        .window = { w.first_move, w.limit_cp / 100.0, w.drop_forced, w.drop_repeated },
    };
}

void ipr_calibration_digest(struct ipr_str text, char hex[IPR_CALIBRATION_DIGEST])
{
    unsigned char digest[IPR_CALIBRATION_DIGEST / 2];

    crypto_generichash(digest, sizeof digest, (const unsigned char *)text.p, text.n, NULL, 0);
    sodium_bin2hex(hex, IPR_CALIBRATION_DIGEST, digest, sizeof digest);
}

/* ---- the line from mean error to Elo ---- */

/* Distance of the round Elo values of the band. */
#define BAND_STEP 100

struct ipr_answer_c_line ipr_calibration_c_line(const struct ipr_calibration *line)
{
    return (struct ipr_answer_c_line){
        .intercept = line->c_intercept,
        .slope = line->c_slope,
        .intercept_se = ipr_calibration_figure(line->se_c_intercept),
        .slope_se = ipr_calibration_figure(line->se_c_slope),
        .covariance = ipr_calibration_figure(line->cov_c),
        .residual_sd = ipr_calibration_figure(sqrt(fmax(0.0, line->c_residual_variance))),
    };
}

static void line_band_row(const struct ipr_calibration *line, const struct ipr_rh_set *reference,
                          int elo, struct ipr_arena *mem, struct ipr_answer_calibration_band *out)
{
    const struct ipr_calibration_point at = ipr_calibration_at(line, (line->a - elo) / line->b);
    double s = NAN, c = NAN;
    struct ipr_err why = IPR_ERR_INIT;

    out->elo = elo;
    out->ae_ref = ipr_calibration_figure(at.ae);
    out->se = ipr_calibration_figure(at.se);
    out->interval = at.line;
    out->milepost_interval = at.milepost;
    if (ipr_calibration_agent(line, reference, elo, &s, &c, &why) == IPR_OK) {
        out->s = ipr_calibration_figure(s);
        out->c = ipr_calibration_figure(c);
    } else {
        out->reason = ipr_arena_printf(mem, "%s", why.msg);
    }
}

void ipr_calibration_add_line(const struct ipr_calibration *line,
                              const struct ipr_rh_set *reference, struct ipr_arena *mem,
                              struct ipr_answer_calibration_made *record)
{
    const int low = (int)ceil(line->elo_min / BAND_STEP),
              high = (int)floor(line->elo_max / BAND_STEP);

    record->elo_range = (struct ipr_figure_range){ line->elo_min, line->elo_max };
    record->a = line->a;
    record->a_se = line->se_a;
    record->b = line->b;
    record->b_se = line->se_b;
    record->ab_covariance = line->cov_ab;
    record->residual_sd = sqrt(fmax(0.0, line->residual_variance));
    record->c_line = ipr_calibration_c_line(line);
    record->band.n = high >= low ? (size_t)(high - low + 1) : 0; /* round Elo in the range */
    record->band.at = ipr_shape_list(IPR_SHAPE_CALIBRATION_BAND, record->band.n, mem);
    for (size_t i = 0; i < record->band.n; i++)
        line_band_row(line, reference, (low + (int)i) * BAND_STEP, mem, &record->band.at[i]);
}

/* ---- the mileposts' own errors ---- */

struct ipr_answer_milepost_fit **ipr_calibration_fit_at(struct ipr_answer_milepost_fits *fits,
                                                        enum ipr_rh_fit_kind kind)
{
    struct ipr_answer_milepost_fit **const at[] = { &fits->moments, &fits->percentile, &fits->mle,
                                                    &fits->rmle };

    return at[kind];
}

const struct ipr_answer_milepost_fit *ipr_calibration_fit_of(const struct ipr_answer_milepost *m,
                                                             enum ipr_rh_fit_kind kind)
{
    return m->fits != NULL ? *ipr_calibration_fit_at(m->fits, kind) : NULL;
}

struct ipr_answer_fit_line **ipr_calibration_line_at(struct ipr_answer_fit_lines *lines,
                                                     enum ipr_rh_fit_kind kind)
{
    struct ipr_answer_fit_line **const at[] = { &lines->moments, &lines->percentile, &lines->mle,
                                                &lines->rmle };

    return at[kind];
}

double ipr_calibration_sampling_in(const struct ipr_answer_calibration_made *record, double b,
                                   int kind)
{
    const size_t n = record->mileposts.n;
    double *v = ipr_xcalloc(2 * n + 1, sizeof *v);

    for (size_t i = 0; i < n; i++) {
        const struct ipr_answer_milepost *const m = &record->mileposts.at[i];

        if (kind == IPR_CALIBRATION_AGENT && m->bayes != NULL) {
            v[i] = m->bayes->clustered_se;
            v[n + i] = (double)m->bayes->events;
        } else if (kind != IPR_CALIBRATION_AGENT) {
            const struct ipr_answer_milepost_fit *const fit =
                ipr_calibration_fit_of(m, (enum ipr_rh_fit_kind)kind);

            v[i] = fit != NULL ? fit->ae_ref_se : NAN;
            v[n + i] = (double)m->turns;
        }
    }
    const double variance = ipr_stats_line_sampling(b, v, v + n, n);
    free(v);
    return variance;
}

static double sampling_sd(const struct ipr_answer_calibration_made *record, double b, int kind)
{
    const double variance = ipr_calibration_sampling_in(record, b, kind);

    return variance > 0.0 ? ipr_calibration_figure(sqrt(variance)) : NAN;
}

void ipr_calibration_add_sampling(struct ipr_answer_calibration_record *r)
{
    const struct ipr_answer_calibration_made *const record = &r->calibration_made;

    r->sampling_sd = sampling_sd(record, r->b, IPR_RH_MOMENTS);
    if (r->bayes != NULL)
        r->bayes->sampling_sd = sampling_sd(record, r->bayes->b, IPR_CALIBRATION_AGENT);
    for (int k = IPR_RH_MOMENTS; k <= IPR_RH_RMLE && r->lines != NULL; k++) {
        struct ipr_answer_fit_line *const line =
            *ipr_calibration_line_at(r->lines, (enum ipr_rh_fit_kind)k);

        if (line != NULL)
            line->sampling_sd = sampling_sd(record, line->b, k);
    }
}
