/* Expected score as a function of the evaluation by the calibration's judge. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/judged.h"
#include "model/score_curve.h"
#include "sentence/sentence.h"
#include "view/calibration/parts.h"
#include "view/figure/figure.h"
#include "view/json.h"

#define BAND_WIDTH 400 /* Elo; bands begin at multiples of it */
/* Positions of the mileposts from `low` on and below `high`. */
static struct ipr_score_position *curve_positions(const struct ipr_figures *f, int low, int high,
                                                  size_t *n)
{
    size_t room = 0;

    for (size_t i = 0; i < f->n; i++)
        room += f->mileposts[i].n;
    struct ipr_score_position *x = ipr_xcalloc(room > 0 ? room : 1, sizeof *x);
    *n = 0;
    for (size_t i = 0; i < f->n; i++) {
        const struct ipr_figures_milepost *m = &f->mileposts[i];

        for (size_t k = 0; k < m->n && m->nominal >= low && m->nominal < high; k++)
            if (!isnan(m->score[k]) && ipr_turn_valid(&m->turns[k]))
                x[(*n)++] = (struct ipr_score_position){
                    m->turns[k].game, ipr_judged(&m->turns[k], IPR_PLAYED_PLACED).best_cp / 100.0,
                    m->score[k]
                };
    }
    return x;
}

/* At its bound a has no error. */
static json_t *curve_errors_json(const struct ipr_score_curve *c)
{
    const bool a_known = c->errors_known && !c->a_at_bound;

    return json_pack("{s:o, s:o, s:o, s:o}", "a_se",
                     ipr_calibration_figure(ipr_number_if(a_known, c->se_a)), "b_se",
                     ipr_calibration_figure(ipr_number_if(c->errors_known, c->se_b)), "a_interval",
                     ipr_json_interval_if(a_known, c->a_interval), "b_interval",
                     ipr_json_interval_if(c->errors_known, c->b_interval));
}

static json_t *curve_json(const struct ipr_figures *f, int low, int high)
{
    struct ipr_score_curve c;
    struct ipr_err err = IPR_ERR_INIT;
    size_t n;
    struct ipr_score_position *x = curve_positions(f, low, high, &n);
    json_t *out;

    if (ipr_score_curve(x, n, &c, &err) == IPR_OK) {
        json_t *errors = curve_errors_json(&c);
        out = json_pack("{s:o, s:o, s:b, s:o, s:I}", "a", ipr_calibration_figure(c.a), "b",
                        ipr_calibration_figure(c.b), "a_at_bound", c.a_at_bound, "log_likelihood",
                        ipr_calibration_figure(c.log_likelihood), "games", (json_int_t)c.games);
        json_object_update(out, errors);
        json_decref(errors);
    } else {
        out = json_pack("{s:n, s:n, s:s}", "a", "b", "reason",
                        n > 0 ? err.msg : ipr_say_reason_report(IPR_REASON_REPORT_NO_RESULTS));
    }
    json_object_set_new(out, "positions", json_integer((json_int_t)n));
    json_object_set_new(out, "points", ipr_figure_score_bins(x, n, ipr_calibration_figure, false));
    free(x);
    return out;
}

json_t *ipr_calibration_score_curve(const struct ipr_figures *f)
{
    json_t *bands = json_array();
    int band = -1;

    for (size_t i = 0; i < f->n; i++) { /* mileposts ascend */
        const int low = f->mileposts[i].nominal / BAND_WIDTH * BAND_WIDTH;

        if (low == band)
            continue;
        band = low;
        json_t *curve = curve_json(f, low, low + BAND_WIDTH);
        json_object_set_new(curve, "low", json_integer(low));
        json_object_set_new(curve, "high", json_integer(low + BAND_WIDTH - 1));
        json_array_append_new(bands, curve);
    }
    return json_pack("{s:o, s:o}", "all", curve_json(f, 0, 10000), "bands", bands);
}
