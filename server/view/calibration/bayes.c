/* The Bayesian reference agent on a calibration's mileposts, and its line to the Elo scale. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/bayes.h"
#include "view/calibration/parts.h"
#include "view/json.h"

/* Mean rating of the movers over the turns in the agent's window. */
static double bayes_mean_elo(const struct ipr_bayes_params *params,
                             const struct ipr_figures_milepost *m)
{
    size_t *keep = ipr_xcalloc(m->n, sizeof *keep);
    const size_t n = ipr_window_select(&params->window, m->turns, m->n, keep, NULL);
    double sum = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += m->elo[keep[i]];
    free(keep);
    return n > 0 ? sum / (double)n : NAN;
}

static json_t *bayes_posterior_json(const struct ipr_bayes_posterior *p, double elo)
{
    json_t *out =
        json_pack("{s:o, s:o, s:o, s:o, s:o}", "mean", ipr_calibration_figure(p->mean), "sd",
                  ipr_calibration_figure(p->sd), "interval", ipr_json_interval(p->interval), "mode",
                  ipr_calibration_figure(p->mode), "clustered_se",
                  ipr_calibration_figure(p->clustered_known ? p->clustered_se : NAN));

    json_object_set_new(out, "at_bound", json_boolean(p->at_bound));
    json_object_set_new(out, "events", json_integer((json_int_t)p->events));
    json_object_set_new(out, "games", json_integer((json_int_t)p->games));
    json_object_set_new(out, "elo", ipr_calibration_figure(elo));
    json_object_set_new(out, "excluded", ipr_calibration_excluded(&p->counts));
    json_object_set_new(out, "short_lists", json_integer((json_int_t)p->short_lists));
    return out;
}

static json_t *bayes_line_json(const struct ipr_bayes_calibration *c)
{
    json_t *out =
        json_pack("{s:o, s:o, s:o, s:o, s:o}", "a", ipr_json_num(c->line.a), "a_se",
                  ipr_json_num(c->line.se_a), "b", ipr_json_num(c->line.b), "b_se",
                  ipr_json_num(c->line.se_b), "ab_covariance", ipr_json_num(c->line.cov_ab));

    json_object_set_new(out, "residual_sd",
                        ipr_json_num(sqrt(fmax(0.0, c->line.residual_variance))));
    json_object_set_new(
        out, "elo_range",
        json_pack("{s:o, s:o}", "low", ipr_json_num(c->elo_min), "high", ipr_json_num(c->elo_max)));
    json_object_set_new(out, "mileposts", json_integer((json_int_t)c->mileposts));
    json_object_set_new(out, "events", json_integer((json_int_t)c->events));
    return out;
}

void ipr_calibration_add_bayes(const struct ipr_figures *f, json_t *mileposts, json_t *record)
{
    const struct ipr_bayes_params params = ipr_bayes_default();
    struct ipr_bayes_milepost *m = ipr_xcalloc(f->n, sizeof *m);
    struct ipr_bayes_calibration line;
    struct ipr_err err = IPR_ERR_INIT;
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; i < f->n; i++) {
        const struct ipr_figures_milepost *from = &f->mileposts[i];
        struct ipr_bayes_posterior p;
        struct ipr_err why = IPR_ERR_INIT;
        json_t *own;

        if (ipr_bayes_rate(&params, from->turns, from->n, &p, &why) == IPR_OK) {
            m[i] = (struct ipr_bayes_milepost){ bayes_mean_elo(&params, from), p.mean, p.events,
                                                p.clustered_known ? p.clustered_se : 0.0 };
            own = bayes_posterior_json(&p, m[i].elo);
        } else {
            own = json_pack("{s:s}", "reason", why.msg);
            rc = ipr_err_set(&err, why.code, "milepost %d: %s", from->nominal, why.msg);
        }
        json_object_set_new(json_array_get(mileposts, i), "bayes", own);
    }
    if (rc == IPR_OK)
        rc = ipr_bayes_calibrate(m, f->n, &line, &err);
    json_object_set_new(record, "bayes",
                        rc == IPR_OK ? bayes_line_json(&line)
                                     : json_pack("{s:s}", "reason", err.msg));
    free(m);
}
