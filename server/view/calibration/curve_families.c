/* R section 4: the curve families side by side on a calibration's mileposts. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/regan_fit.h"
#include "view/calibration/parts.h"

static const char *const families[] = { "exp", "ipa", "ipb", "secha", "sechb" };
static const char *const conversions[] = { "power", "norm" };

/* One family's fits of one kind, summed over the mileposts that it fits. */
struct compared {
    double loglik, score; /* sum ln p_played; sum S */
    double qfit;          /* by turns */
    size_t turns, mileposts;
};

static void families_add_fit(const struct ipr_rh_set *set, enum ipr_rh_fit_kind kind,
                             struct compared *c)
{
    const struct ipr_rh_fit_options options = { .kind = kind };
    struct ipr_rh_aggregates *a = ipr_xcalloc(1, sizeof *a);
    struct ipr_rh_fit fit;

    if (ipr_rh_fit(set, &options, &fit, NULL) == IPR_OK &&
        ipr_rh_aggregates(set, fit.s, fit.c, a, NULL) == IPR_OK) {
        c->loglik += fit.loglik;
        c->score += fit.s_score;
        c->qfit += a->qfit * (double)fit.turns;
        c->turns += fit.turns;
        c->mileposts++;
    }
    free(a);
}

static struct ipr_answer_curve_fit families_kind(const struct compared *c)
{
    const double n = c->mileposts > 0 ? 1.0 : NAN;

    return (struct ipr_answer_curve_fit){
        .qfit = ipr_calibration_figure(n * c->qfit / fmax(1.0, (double)c->turns)),
        .percentile_score = ipr_calibration_figure(n * c->score),
        .log_likelihood = ipr_calibration_figure(n * c->loglik),
        .mileposts = (int64_t)c->mileposts,
        .turns = (int64_t)c->turns,
    };
}

static enum ipr_code families_compare(const struct ipr_calibration_sets *p,
                                      struct ipr_rh_params params,
                                      struct ipr_answer_curve_family *out, struct ipr_err *err)
{
    struct compared moments = { 0 }, mle = { 0 };
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; rc == IPR_OK && i < p->figures->n && ipr_calibration_go_on(p); i++) {
        struct ipr_rh_set *set = NULL;

        rc = ipr_rh_set_new(&params, p->figures->mileposts[i].turns, p->at[i].keep, p->at[i].n,
                            &set, err);
        if (rc == IPR_OK) {
            families_add_fit(set, IPR_RH_MOMENTS, &moments);
            families_add_fit(set, IPR_RH_MLE, &mle);
        }
        ipr_rh_set_free(&set);
    }
    *out =
        (struct ipr_answer_curve_family){ families[params.family], conversions[params.conversion],
                                          families_kind(&moments), families_kind(&mle) };
    return rc;
}

enum ipr_code ipr_calibration_add_families(const struct ipr_calibration_sets *p,
                                           struct ipr_answer_calibration_made *record,
                                           struct ipr_err *err)
{
    struct ipr_list_curve_family *const rows = &record->curve_families;
    enum ipr_code rc = IPR_OK;

    rows->at =
        ipr_shape_list(IPR_SHAPE_CURVE_FAMILY, (IPR_RH_SECHB + 1) * (IPR_RH_NORM + 1), p->mem);
    for (int k = IPR_RH_EXP; rc == IPR_OK && k <= IPR_RH_SECHB; k++)
        for (int c = IPR_RH_POWER; rc == IPR_OK && c <= IPR_RH_NORM; c++) {
            struct ipr_rh_params params = p->params;

            params.family = (enum ipr_rh_family)k;
            params.conversion = (enum ipr_rh_conversion)c;
            rc = families_compare(p, params, &rows->at[rows->n++], err);
        }
    return rc;
}
