#include "model/concordance.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/regan_prob.h"
#include "model/regan_set.h"
#include "stats/sum.h"

double ipr_dependence_factor(double between, double total)
{
    return total > 0.0 ? sqrt(fmax(1.0, between / total)) : 1.0;
}

/* Adds the sums of the turns' actual minus projected values r[set->n]. */
static void add_dependence(const struct ipr_rh_set *set, const double *r, double *between,
                           double *total)
{
    const double mean = ipr_stats_mean(r, set->n);
    const double games = (double)set->games;
    struct ipr_sum squares[2] = { 0 };
    double game = 0.0;

    if (set->games < 2)
        return;
    for (size_t t = 0; t < set->n; t++) {
        const double d = r[t] - mean;
        ipr_sum_add(&squares[0], d * d);
        game += d;
        if (t + 1 == set->n || set->turns[t + 1].game != set->turns[t].game) {
            ipr_sum_add(&squares[1], game * game);
            game = 0.0;
        }
    }
    *total += ipr_sum_value(&squares[0]);
    *between += games / (games - 1.0) * ipr_sum_value(&squares[1]);
}

static double concordance_dependence(const struct ipr_rh_set *set, const double *r)
{
    double between = 0.0, total = 0.0;

    add_dependence(set, r, &between, &total);
    return ipr_dependence_factor(between, total);
}

/* Probabilities of all turns, for drawing from. */
struct concordance_model {
    const struct ipr_rh_set *set;
    double *upto; /* per entry: probability of this one or an earlier one of the turn */
    uint32_t *
        order; /* of the turns, by their contents, so that the order of the games does not matter */
};

/* Turns that compare equal have the same draws. */
static int turn_by_content(const void *a, const void *b, void *arg)
{
    const struct ipr_rh_set *set = arg;
    const struct ipr_rh_turn *x = &set->turns[*(const uint32_t *)a];
    const struct ipr_rh_turn *y = &set->turns[*(const uint32_t *)b];

    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    for (uint32_t e = 0; e < x->n; e++) {
        const double d = set->delta[x->first + e] - set->delta[y->first + e];
        const unsigned m = set->count[x->first + e], n = set->count[y->first + e];

        if (d < 0.0 || d > 0.0)
            return d < 0.0 ? -1 : 1;
        if (m != n)
            return m < n ? -1 : 1;
    }
    return 0;
}

/* Actual minus projected values of all turns; `model` may be NULL. */
static void turn_residuals(const struct ipr_rh_set *set, double s, double c, double *r_mm,
                           double *r_ad, struct concordance_model *model)
{
    for (size_t slot = 0; slot < set->blocks * IPR_BLOCK; slot += IPR_BLOCK) {
        struct ipr_rh_lanes at;
        double p[IPR_BLOCK * IPR_RH_ENTRIES_MAX];

        for (size_t lane = 0; lane < IPR_BLOCK; lane++)
            at.log_l[lane] = NAN;
        ipr_rh_block_at(set, slot / IPR_BLOCK, log(s), log(c), IPR_RH_WANT_LOSS, p, &at);
        for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
            const uint32_t t = set->slot_turn[slot + lane];
            double sum = 0.0;
            if (t == IPR_RH_NO_TURN)
                break;
            const struct ipr_rh_turn *turn = &set->turns[t];
            r_mm[t] = (turn->position == 0 ? 1.0 : 0.0) - at.p0[lane];
            r_ad[t] = ipr_rh_played_delta(set, t) - at.loss[lane];
            for (uint32_t e = 0; e < turn->n && model != NULL; e++) {
                sum += set->count[turn->first + e] * p[IPR_BLOCK * e + lane];
                model->upto[turn->first + e] = sum;
            }
        }
    }
}

enum ipr_code ipr_dependence_add(const struct ipr_rh_set *set, double s, double c,
                                 struct ipr_dependence *sum, struct ipr_err *err)
{
    if (!ipr_rh_in_domain(s, c))
        return ipr_err_set(err, IPR_EINVAL, "regan: s=%g c=%g", s, c);
    double *r = ipr_xcalloc(2 * set->n, sizeof *r);
    turn_residuals(set, s, c, r, r + set->n, NULL);
    add_dependence(set, r, &sum->between_mm, &sum->total_mm);
    add_dependence(set, r + set->n, &sum->between_ad, &sum->total_ad);
    free(r);
    return IPR_OK;
}

/* Averages of a set drawn from the model, turns independent. */
static void draw_set(const struct concordance_model *model, gsl_rng *rng, double *mm, double *ad)
{
    const struct ipr_rh_set *set = model->set;
    double first = 0.0;
    double loss = 0.0;

    for (size_t t = 0; t < set->n; t++) {
        const struct ipr_rh_turn *turn = &set->turns[model->order[t]];
        const double *upto = &model->upto[turn->first];
        const double u = gsl_rng_uniform(rng);
        uint32_t e = 0;
        while (e + 1 < turn->n && u >= upto[e])
            e++;
        loss += set->delta[turn->first + e];
        if (e == 0) /* one of the moves that tie without a correction is the first */
            first += 1.0 / set->count[turn->first];
    }
    *mm = first / (double)set->n;
    *ad = loss / (double)set->n;
}

static bool two_sided_beyond(double z, double observed)
{
    return observed >= 0.0 ? z >= observed : z <= observed;
}

static void simulate_tails(const struct concordance_model *model,
                           const struct ipr_concordance_options *o, struct ipr_concordance *out)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    unsigned mm = 0;
    unsigned ad = 0;

    gsl_rng_set(rng, (unsigned long)o->seed);
    for (unsigned i = 0; i < o->replicates; i++) {
        double drawn_mm;
        double drawn_ad;
        draw_set(model, rng, &drawn_mm, &drawn_ad);
        mm += two_sided_beyond((drawn_mm - out->mm_p) / out->sigma_mm, out->z_mm);
        ad += two_sided_beyond((drawn_ad - out->ad_p) / out->sigma_ad, out->z_ad);
    }
    out->tail_mm = (mm + 1.0) / (o->replicates + 1.0);
    out->tail_ad = (ad + 1.0) / (o->replicates + 1.0);
    out->replicates = o->replicates;
    gsl_rng_free(rng);
}

enum ipr_code ipr_concordance(const struct ipr_rh_set *set, double s, double c,
                              const struct ipr_concordance_options *options,
                              struct ipr_concordance *out, struct ipr_err *err)
{
    struct ipr_concordance k = { .turns = set->n, .games = set->games };
    struct ipr_rh_aggregates *a = ipr_xcalloc(1, sizeof *a);
    double *r = ipr_xcalloc(2 * set->n, sizeof *r);
    struct concordance_model model = { set, ipr_xcalloc(set->entries, sizeof *model.upto),
                                       ipr_xcalloc(set->n, sizeof *model.order) };
    enum ipr_code rc = ipr_rh_aggregates(set, s, c, a, err);

    for (size_t t = 0; t < set->n; t++)
        model.order[t] = (uint32_t)t;
    qsort_r(model.order, set->n, sizeof *model.order, turn_by_content, (void *)(uintptr_t)set);
    if (rc == IPR_OK && (!(a->var_mm > 0.0) || !(a->var_ad > 0.0)))
        rc = ipr_err_set(err, IPR_EDATA, "the model leaves nothing to chance in these moves");
    if (rc == IPR_OK) {
        turn_residuals(set, s, c, r, r + set->n, &model);
        k.mm_p = a->mm_p;
        k.mm_a = a->mm_a;
        k.ad_p = a->ad_p;
        k.ad_a = a->ad_a;
        k.sigma_mm = sqrt(a->var_mm);
        k.sigma_ad = sqrt(a->var_ad);
        k.factor_mm =
            options->factor_mm > 0.0 ? options->factor_mm : concordance_dependence(set, r);
        k.factor_ad =
            options->factor_ad > 0.0 ? options->factor_ad : concordance_dependence(set, r + set->n);
        k.z_mm_unclustered = (k.mm_a - k.mm_p) / k.sigma_mm;
        k.z_ad_unclustered = (k.ad_a - k.ad_p) / k.sigma_ad;
        k.z_mm = k.z_mm_unclustered / k.factor_mm;
        k.z_ad = k.z_ad_unclustered / k.factor_ad;
        if (options->replicates > 0)
            simulate_tails(&model, options, &k);
        *out = k;
    }
    free(model.upto);
    free(model.order);
    free(r);
    free(a);
    return rc;
}
