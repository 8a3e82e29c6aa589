/* The line from mean error to Elo, as a record tells it. */
#include <math.h>

#include "model/ipr.h"
#include "view/calibration/parts.h"
#include "view/json.h"

/* Round figures of the band are this far apart. */
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

/* The line at round figures within its range, each [{"elo", "ae_ref", "se", "interval": where the
 * line may lie, "milepost_interval": where a further milepost may, "s", "c": the agent of that
 * rating, c on the c line and s from AE_ref; null and "reason" where there is none}]. */
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
