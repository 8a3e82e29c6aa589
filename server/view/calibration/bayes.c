/* The Bayesian reference agent on a calibration's mileposts, and its line to the Elo scale. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/bayes.h"
#include "view/calibration/parts.h"

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

static void agent_posterior(const struct ipr_bayes_posterior *p, double elo,
                            struct ipr_answer_milepost_agent *out)
{
    out->mean = ipr_calibration_figure(p->mean);
    out->sd = ipr_calibration_figure(p->sd);
    out->interval = p->interval;
    out->mode = ipr_calibration_figure(p->mode);
    out->clustered_se = ipr_calibration_figure(p->clustered_known ? p->clustered_se : NAN);
    out->at_bound = p->at_bound;
    out->events = (int64_t)p->events;
    out->games = (int64_t)p->games;
    out->elo = ipr_calibration_figure(elo);
    out->excluded = ipr_figure_excluded(&p->counts);
    out->short_lists = (int64_t)p->short_lists;
}

static void agent_line(const struct ipr_bayes_calibration *c, struct ipr_arena *mem,
                       struct ipr_answer_agent_line *out)
{
    const struct ipr_figure_range range = { c->elo_min, c->elo_max };

    out->a = c->line.a;
    out->a_se = c->line.se_a;
    out->b = c->line.b;
    out->b_se = c->line.se_b;
    out->ab_covariance = c->line.cov_ab;
    out->residual_sd = sqrt(fmax(0.0, c->line.residual_variance));
    out->elo_range = ipr_shape_copy(IPR_SHAPE_RANGE, &range, mem);
    out->mileposts = (int64_t)c->mileposts;
    out->events = (int64_t)c->events;
}

void ipr_calibration_add_bayes(const struct ipr_calibration_sets *sets,
                               struct ipr_answer_calibration_made *record)
{
    const struct ipr_figures *const f = sets->figures;
    const struct ipr_bayes_params params = ipr_bayes_default();
    struct ipr_bayes_milepost *m = ipr_xcalloc(f->n, sizeof *m);
    struct ipr_bayes_calibration line;
    struct ipr_err err = IPR_ERR_INIT;
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; i < f->n; i++) {
        const struct ipr_figures_milepost *from = &f->mileposts[i];
        struct ipr_answer_milepost_agent *own = ipr_shape_new(IPR_SHAPE_MILEPOST_AGENT, sets->mem);
        struct ipr_bayes_posterior p;
        struct ipr_err why = IPR_ERR_INIT;

        if (ipr_bayes_rate(&params, from->turns, from->n, &p, &why) == IPR_OK) {
            m[i] = (struct ipr_bayes_milepost){ bayes_mean_elo(&params, from), p.mean, p.events,
                                                p.clustered_known ? p.clustered_se : 0.0 };
            agent_posterior(&p, m[i].elo, own);
        } else {
            own->reason = ipr_arena_printf(sets->mem, "%s", why.msg);
            rc = ipr_err_set(&err, why.code, "milepost %d: %s", from->nominal, why.msg);
        }
        record->mileposts.at[i].bayes = own;
    }
    if (rc == IPR_OK)
        rc = ipr_bayes_calibrate(m, f->n, &line, &err);
    record->bayes = ipr_shape_new(IPR_SHAPE_AGENT_LINE, sets->mem);
    if (rc == IPR_OK)
        agent_line(&line, sets->mem, record->bayes);
    else
        record->bayes->reason = ipr_arena_printf(sets->mem, "%s", err.msg);
    free(m);
}
