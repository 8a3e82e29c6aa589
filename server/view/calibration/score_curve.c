/* Expected score as a function of the evaluation by the calibration's judge. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/judged.h"
#include "model/score_curve.h"
#include "sentence/sentence.h"
#include "view/calibration/parts.h"

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
static void curve_fitted(const struct ipr_score_curve *c, struct ipr_answer_calibration_curve *out)
{
    out->a = ipr_calibration_figure(c->a);
    out->b = ipr_calibration_figure(c->b);
    out->a_at_bound = c->a_at_bound;
    out->log_likelihood = ipr_calibration_figure(c->log_likelihood);
    out->games = (int64_t)c->games;
    if (c->errors_known && !c->a_at_bound) {
        out->a_se = ipr_calibration_figure(c->se_a);
        out->a_interval = c->a_interval;
    }
    if (c->errors_known) {
        out->b_se = ipr_calibration_figure(c->se_b);
        out->b_interval = c->b_interval;
    }
}

static void curve_fill(const struct ipr_calibration_sets *sets, int low, int high,
                       struct ipr_answer_calibration_curve *out)
{
    struct ipr_answer_score_bin *bins;
    struct ipr_score_curve c;
    struct ipr_err err = IPR_ERR_INIT;
    size_t n;
    struct ipr_score_position *x = curve_positions(sets->figures, low, high, &n);

    if (ipr_score_curve(x, n, &c, &err) == IPR_OK)
        curve_fitted(&c, out);
    else
        out->reason = n > 0 ? ipr_arena_printf(sets->mem, "%s", err.msg)
                            : ipr_say_reason_report(IPR_REASON_REPORT_NO_RESULTS);
    out->positions = (int64_t)n;
    out->points.n = ipr_figure_score_bins(x, n, ipr_calibration_figure, sets->mem, &bins);
    out->points.at = ipr_shape_list(IPR_SHAPE_CURVE_POINT, out->points.n, sets->mem);
    for (size_t i = 0; i < out->points.n; i++)
        out->points.at[i] = bins[i].curve_point;
    free(x);
}

void ipr_calibration_add_score_curve(const struct ipr_calibration_sets *sets,
                                     struct ipr_answer_calibration_made *record)
{
    const struct ipr_figures *const f = sets->figures;
    struct ipr_answer_calibration_curves *out =
        ipr_shape_new(IPR_SHAPE_CALIBRATION_CURVES, sets->mem);
    int band = -1;

    record->score_curve = out;
    curve_fill(sets, 0, 10000, &out->all);
    out->bands.at = ipr_shape_list(IPR_SHAPE_CALIBRATION_CURVE, f->n, sets->mem);
    for (size_t i = 0; i < f->n; i++) { /* mileposts ascend */
        const int low = f->mileposts[i].nominal / BAND_WIDTH * BAND_WIDTH;

        if (low == band)
            continue;
        band = low;
        struct ipr_answer_calibration_curve *const own = &out->bands.at[out->bands.n++];
        curve_fill(sets, low, low + BAND_WIDTH, own);
        own->low = low;
        own->high = low + BAND_WIDTH - 1;
    }
}
