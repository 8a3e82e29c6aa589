/* The intrinsic performance rating. */
#include <math.h>

#include "view/rating/rate.h"

#include "model/ipr.h"

/* Sets of fewer games are not resampled: there the sandwich error and the bootstrap may differ. */
#define BOOTSTRAP_GAMES      50
#define BOOTSTRAP_REPLICATES 200
#define BOOTSTRAP_SEED       20110807 /* any number; the same for every set */

/* Ways of fitting, by enum ipr_rh_fit_kind. */
static const enum ipr_method methods[] = { [IPR_RH_MOMENTS] = IPR_METHOD_MOMENTS,
                                           [IPR_RH_PERCENTILE] = IPR_METHOD_PERCENTILE,
                                           [IPR_RH_MLE] = IPR_METHOD_MLE,
                                           [IPR_RH_RMLE] = IPR_METHOD_RMLE };

static struct ipr_figure_fitted ipr_fitted(const struct ipr_rating *r, struct ipr_arena *mem)
{
    double *covariance = ipr_arena_alloc(mem, 3, sizeof *covariance);

    covariance[0] = r->fit.cov[0];
    covariance[1] = r->fit.cov[1];
    covariance[2] = r->fit.cov[3];
    return (struct ipr_figure_fitted){
        .covariance_ln_sc = { covariance, 3 },
        .ae_ref = r->ae,
        .ae_ref_se = r->ae_se,
        .mm = { r->fit.mm_p, r->fit.mm_a },
        .ad = { r->fit.ad_p, r->fit.ad_a },
    };
}

static void ipr_fit_basis(const struct ipr_rating *r, struct ipr_provenance *from)
{
    from->method = methods[r->fit.kind];
    from->turns = r->fit.turns;
    from->games = r->fit.games;
    from->iterations = r->fit.iterations;
    from->converged = r->fit.converged;
}

/* One way of fitting, with the rating by its own line, if the calibration has one. */
static void ipr_fit_fill(const struct ipr_rating *r, struct ipr_provenance from,
                         struct ipr_figure_fit *out)
{
    const struct ipr_calibration_use *use = from.context->calibration;
    struct ipr_arena *mem = from.context->v->mem;
    const enum ipr_rh_fit_kind kind = r->fit.kind;

    ipr_fit_basis(r, &from);
    if (use->fits[kind].known) {
        out->figure = ipr_figure(r->ipr, r->se, r->interval, &from);
        out->extrapolated = r->extrapolated;
    } else {
        out->figure = ipr_figure_none(
            &from, ipr_say_reason_calibration(IPR_REASON_CALIBRATION_NO_FITS,
                                              &(struct ipr_reason_calibration_slots){
                                                  use->name, ipr_method_name(methods[kind]) },
                                              mem));
    }
    out->fitted = ipr_fitted(r, mem);
    out->s = r->fit.s;
    out->c = r->fit.c;
    out->ln_s_se = sqrt(r->fit.cov[0]);
    out->ln_c_se = sqrt(r->fit.cov[3]);
    out->s_score = r->fit.s_score;
    out->log_likelihood = r->fit.loglik;
    out->starts = r->fit.starts;
    out->random_share = ipr_number_if(kind == IPR_RH_RMLE, use->random_share);
}

static enum ipr_code ipr_fit(const struct ipr_rate_set *of, enum ipr_rh_fit_kind kind,
                             struct ipr_figure_fit *out, struct ipr_err *err)
{
    const struct ipr_calibration_use *use = of->t.from.context->calibration;
    const struct ipr_rh_fit_options options = { kind, use->random_share };
    /* Without its own line there is only the fit, no rating. */
    const struct ipr_calibration *line = use->fits[kind].known ? &use->fits[kind].line : &use->line;
    struct ipr_provenance from = of->t.from;
    struct ipr_err why = IPR_ERR_INIT;
    const char *reason = NULL;
    struct ipr_rating r;
    enum ipr_code rc = IPR_OK;

    from.method = methods[kind];
    if (kind == IPR_RH_RMLE && !(use->random_share > 0.0))
        reason = ipr_say_reason_fit(IPR_REASON_FIT_NO_RANDOM_SHARE);
    else
        rc = ipr_figure_settle(ipr_ipr(line, use->reference, of->set, &options, &r, &why), &why,
                               from.context->v->mem, &reason, err);
    if (reason != NULL)
        out->figure = ipr_figure_none(&from, reason);
    else if (rc == IPR_OK)
        ipr_fit_fill(&r, from, out);
    return rc;
}

static enum ipr_code ipr_add_fits(const struct ipr_rate_set *of, const struct ipr_rating *moments,
                                  struct ipr_figure_ipr *out, struct ipr_err *err)
{
    struct ipr_figure_fits *fits = ipr_shape_new(IPR_SHAPE_FITS, of->t.from.context->v->mem);

    ipr_fit_fill(moments, of->t.from, &fits->moments);
    enum ipr_code rc = ipr_fit(of, IPR_RH_PERCENTILE, &fits->percentile, err);
    if (rc == IPR_OK)
        rc = ipr_fit(of, IPR_RH_MLE, &fits->mle, err);
    if (rc == IPR_OK)
        rc = ipr_fit(of, IPR_RH_RMLE, &fits->rmle, err);
    out->fits = fits;
    return rc;
}

static struct ipr_figure_bootstrap *ipr_bootstrap(const struct ipr_rate_set *of,
                                                  const struct ipr_rating *r)
{
    const struct ipr_calibration_use *use = of->t.from.context->calibration;
    struct ipr_arena *mem = of->t.from.context->v->mem;
    struct ipr_figure_bootstrap *out = ipr_shape_new(IPR_SHAPE_BOOTSTRAP, mem);
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_rh_bootstrap b;

    if (r->fit.games < BOOTSTRAP_GAMES)
        out->reason = ipr_rate_needed(IPR_REASON_NEEDED_GAMES, BOOTSTRAP_GAMES, r->fit.games, mem);
    else if (ipr_rh_bootstrap(of->set, &r->fit, use->reference, BOOTSTRAP_REPLICATES,
                              BOOTSTRAP_SEED, &b, &why) != IPR_OK)
        out->reason = ipr_arena_printf(mem, "%s", why.msg);
    else
        *out = (struct ipr_figure_bootstrap){
            .ae_ref_mean = b.ae_mean,
            .ae_ref_sd = b.ae_sd,
            .standard_error = use->line.b * b.ae_sd,
            .replicates = b.replicates,
            .failed = b.failed,
            .seed = BOOTSTRAP_SEED,
        };
    return out;
}

static void ipr_fill(const struct ipr_rating *r, struct ipr_provenance from,
                     struct ipr_figure_ipr *out)
{
    const struct ipr_calibration *line = &from.context->calibration->line;

    ipr_fit_basis(r, &from);
    out->figure = ipr_figure(r->ipr, r->se, r->interval, &from);
    out->fitted = ipr_fitted(r, from.context->v->mem);
    out->s = r->fit.s;
    out->c = r->fit.c;
    out->extrapolated = r->extrapolated;
    out->calibrated_range = (struct ipr_figure_range){ line->elo_min, line->elo_max };
    out->interval_clustered = ipr_interval_rounded(r->sampling);
    out->line_se = r->line_se;
    out->residual_sd = sqrt(line->residual_variance);
    out->excess_sd = r->excess_sd;
}

static enum ipr_code ipr_compute(const struct ipr_material *m, struct ipr_rate_set *of,
                                 struct ipr_figure_ipr *out, struct ipr_err *err)
{
    const struct ipr_calibration_use *use = m->context->calibration;
    const struct ipr_rh_fit_options options = { .kind = IPR_RH_MOMENTS };
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_rating r;

    const enum ipr_code rc =
        ipr_figure_settle(ipr_ipr(&use->line, use->reference, of->set, &options, &r, &why), &why,
                          m->context->v->mem, &of->t.reason, err);
    if (rc != IPR_OK || of->t.reason != NULL)
        return rc;
    ipr_fill(&r, of->t.from, out);
    if ((m->wanted & IPR_RATE_BOOTSTRAP) != 0)
        out->game_bootstrap = ipr_bootstrap(of, &r);
    return (m->wanted & IPR_RATE_FITS) != 0 ? ipr_add_fits(of, &r, out, err) : IPR_OK;
}

enum ipr_code ipr_rate_ipr(const struct ipr_material *m, struct ipr_figure_ratings *out,
                           struct ipr_err *err)
{
    struct ipr_figure_ipr *figure = ipr_shape_new(IPR_SHAPE_IPR, m->context->v->mem);
    struct ipr_rate_set of;

    enum ipr_code rc = ipr_rate_set_open(m, IPR_METHOD_MOMENTS, &of, err);
    if (rc == IPR_OK && of.set != NULL)
        rc = ipr_compute(m, &of, figure, err);
    ipr_rh_set_free(&of.set);
    if (rc == IPR_OK && of.t.reason != NULL)
        figure->figure = ipr_figure_none(&of.t.from, of.t.reason);
    out->ipr = figure;
    return rc;
}
