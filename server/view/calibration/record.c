/* Functions for writing several parts of a record. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <sodium.h>

#include "base/mem.h"
#include "model/ipr.h"
#include "stats/line.h"
#include "view/calibration/parts.h"
#include "view/figure/figure.h"
#include "view/json.h"

json_t *ipr_calibration_figure(double x)
{
    char text[32];

    if (!isfinite(x))
        return json_null();
    snprintf(text, sizeof text, "%.6g", x);
    return json_real(strtod(text, NULL));
}

json_t *ipr_calibration_compared(double projected, double actual)
{
    return json_pack("{s:o, s:o}", "projected", ipr_calibration_figure(projected), "actual",
                     ipr_calibration_figure(actual));
}

json_t *ipr_calibration_excluded(const struct ipr_window_counts *counts)
{
    const struct ipr_figure_counts excluded = ipr_figure_excluded(counts);

    return ipr_shape_counts(&excluded);
}

struct ipr_rh_params ipr_calibration_params(const struct ipr_judge *judge)
{
    struct ipr_rh_params params = IPR_RH_PARAMS_INIT;

    params.k = judge->multipv;
    return params;
}

json_t *ipr_calibration_method(const struct ipr_rh_params *params)
{
    const struct ipr_window w = ipr_window_default(IPR_WINDOW_REGAN);

    return json_pack("{s:s, s:s, s:s, s:s, s:f, s:f, s:s, s:{s:i, s:f, s:b, s:b}}", "fit",
                     "moments", "tail", "extrapolated", "tie", "first", "curve", "exp", "tie_pawns",
                     params->tie_pawns, "cap_pawns", params->cap, "played", "placed", "window",
                     "first_move", (int)w.first_move, "limit_pawns", w.limit_cp / 100.0,
                     "drop_forced", w.drop_forced, "drop_repeated", w.drop_repeated);
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

json_t *ipr_calibration_c_line(const struct ipr_calibration *line)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "intercept", ipr_json_num(line->c_intercept),
                     "slope", ipr_json_num(line->c_slope), "intercept_se",
                     ipr_calibration_figure(line->se_c_intercept), "slope_se",
                     ipr_calibration_figure(line->se_c_slope), "covariance",
                     ipr_calibration_figure(line->cov_c), "residual_sd",
                     ipr_calibration_figure(sqrt(fmax(0.0, line->c_residual_variance))));
}

static json_t *line_band_row(const struct ipr_calibration *line, const struct ipr_rh_set *reference,
                             int elo)
{
    const struct ipr_calibration_point at = ipr_calibration_at(line, (line->a - elo) / line->b);
    double s = NAN, c = NAN;
    struct ipr_err why = IPR_ERR_INIT;
    json_t *row =
        json_pack("{s:i, s:o, s:o, s:o, s:o}", "elo", elo, "ae_ref", ipr_calibration_figure(at.ae),
                  "se", ipr_calibration_figure(at.se), "interval", ipr_json_interval(at.line),
                  "milepost_interval", ipr_json_interval(at.milepost));

    const bool known = ipr_calibration_agent(line, reference, elo, &s, &c, &why) == IPR_OK;
    json_object_set_new(row, "s", ipr_calibration_figure(known ? s : NAN));
    json_object_set_new(row, "c", ipr_calibration_figure(known ? c : NAN));
    if (!known)
        json_object_set_new(row, "reason", json_string(why.msg));
    return row;
}

/* The line at round Elo values within its range. */
static json_t *line_band(const struct ipr_calibration *line, const struct ipr_rh_set *reference)
{
    json_t *rows = json_array();

    for (int elo = (int)ceil(line->elo_min / BAND_STEP) * BAND_STEP; elo <= line->elo_max;
         elo += BAND_STEP)
        json_array_append_new(rows, line_band_row(line, reference, elo));
    return rows;
}

void ipr_calibration_add_line(const struct ipr_calibration *line,
                              const struct ipr_rh_set *reference, json_t *record)
{
    json_object_set_new(record, "elo_range",
                        json_pack("{s:o, s:o}", "low", ipr_json_num(line->elo_min), "high",
                                  ipr_json_num(line->elo_max)));
    json_object_set_new(record, "a", ipr_json_num(line->a));
    json_object_set_new(record, "a_se", ipr_json_num(line->se_a));
    json_object_set_new(record, "b", ipr_json_num(line->b));
    json_object_set_new(record, "b_se", ipr_json_num(line->se_b));
    json_object_set_new(record, "ab_covariance", ipr_json_num(line->cov_ab));
    json_object_set_new(record, "residual_sd",
                        ipr_json_num(sqrt(fmax(0.0, line->residual_variance))));
    json_object_set_new(record, "c_line", ipr_calibration_c_line(line));
    json_object_set_new(record, "band", line_band(line, reference));
}

/* ---- the mileposts' own errors ---- */

double ipr_calibration_sampling_in(const json_t *record, double b, const char *se,
                                   const char *weight)
{
    const json_t *mileposts = json_object_get(record, "mileposts");
    const size_t n = json_array_size(mileposts);
    double *v = ipr_xcalloc(2 * n + 1, sizeof *v);

    for (size_t i = 0; i < n; i++) {
        v[i] = ipr_json_at(json_array_get(mileposts, i), se, 0.0);
        v[n + i] = ipr_json_at(json_array_get(mileposts, i), weight, 0.0);
    }
    const double variance = ipr_stats_line_sampling(b, v, v + n, n);
    free(v);
    return variance;
}

static void sampling_put(const json_t *record, const char *se, const char *weight, json_t *line)
{
    const double variance =
        ipr_calibration_sampling_in(record, ipr_json_at(line, "b", 0.0), se, weight);

    if (variance > 0.0)
        json_object_set_new(line, "sampling_sd", ipr_calibration_figure(sqrt(variance)));
}

void ipr_calibration_add_sampling(json_t *record)
{
    const char *kind;
    json_t *line;
    char se[64];

    sampling_put(record, "fits.moments.ae_ref_se", "turns", record);
    sampling_put(record, "bayes.clustered_se", "bayes.events", json_object_get(record, "bayes"));
    json_object_foreach(json_object_get(record, "lines"), kind, line) {
        snprintf(se, sizeof se, "fits.%s.ae_ref_se", kind);
        sampling_put(record, se, "turns", line);
    }
}
