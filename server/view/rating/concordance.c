/* The moves compared with play at the player's own rating. */
#include <math.h>

#include "view/rating/rate.h"

#include "model/concordance.h"
#include "model/ipr.h"

#define REPLICATES 1000
#define SEED       20110807 /* any number; the same for every set */

/* P(|z| > 2) of a normal z: the share expected with a correct factor k and many turns. */
#define BEYOND_TWO 0.0455

/* For both players or for neither, so that they have one source. */
static bool concordance_factors_known(const struct ipr_calibration_use *use)
{
    return use->factor_mm > 0.0 && use->factor_ad > 0.0;
}

static struct ipr_figure_compared *concordance_compared(double projected, double actual,
                                                        double sigma, double factor,
                                                        struct ipr_arena *mem)
{
    struct ipr_figure_compared *out = ipr_shape_new(IPR_SHAPE_COMPARED, mem);
    const double se = factor * sigma, difference = actual - projected;

    out->projected = projected;
    out->actual = actual;
    out->difference = difference;
    out->standard_error = se;
    out->interval = (struct ipr_interval){ difference - IPR_Z95 * se, difference + IPR_Z95 * se };
    out->sigma = sigma;
    out->factor = factor;
    return out;
}

/* 22 of "one in 22". */
static double concordance_one_in(double share)
{
    return fmax(1.0, round(1.0 / share));
}

/* 4 of "one in 4"; NaN where no simulated set was as extreme, which is a bound from their number.
 */
static double concordance_rarity(double tail, unsigned replicates)
{
    return ipr_number_if(tail >= 1.5 / (replicates + 1.0), concordance_one_in(tail));
}

static const char *concordance_note(const struct ipr_concordance *k, double elo,
                                    struct ipr_arena *mem)
{
    const struct ipr_reason_concordance_slots slots = {
        .elo = elo,
        .beyond = round(100.0 * BEYOND_TWO),
        .one_in = concordance_one_in(BEYOND_TWO),
        .simulated = k->replicates,
        .mm = concordance_rarity(k->tail_mm, k->replicates),
        .ad = concordance_rarity(k->tail_ad, k->replicates),
    };

    return ipr_say_reason_concordance(IPR_REASON_CONCORDANCE_ALL, &slots, mem);
}

static void concordance_fill(const struct ipr_concordance *k, struct ipr_provenance from,
                             struct ipr_figure_concordance *out)
{
    const struct ipr_calibration_use *use = from.context->calibration;
    struct ipr_arena *mem = from.context->v->mem;

    from.turns = k->turns;
    from.games = k->games;
    out->group = ipr_figure_group(&from, NULL);
    out->extrapolated = out->rating < use->line.elo_min || out->rating > use->line.elo_max;
    out->mm = concordance_compared(k->mm_p, k->mm_a, k->sigma_mm, k->factor_mm, mem);
    out->mm->z = k->z_mm;
    out->mm->z_unclustered = k->z_mm_unclustered;
    out->mm->tail = k->tail_mm;
    out->ad = concordance_compared(k->ad_p, k->ad_a, k->sigma_ad, k->factor_ad, mem);
    out->ad->z = k->z_ad;
    out->ad->z_unclustered = k->z_ad_unclustered;
    out->ad->tail = k->tail_ad;
    out->factor_source = concordance_factors_known(use) ? "calibration" : "these turns";
    out->replicates = k->replicates;
    out->seed = SEED;
    out->note = concordance_note(k, out->rating, mem);
}

/* With play at the player's Elo as it stands in "elo". */
static enum ipr_code concordance_compute(const struct ipr_rate_set *of,
                                         const struct ipr_figure_elo_mean *elo,
                                         struct ipr_figure_concordance *out, struct ipr_err *err)
{
    const struct ipr_calibration_use *use = of->t.from.context->calibration;
    const bool known = concordance_factors_known(use);
    const struct ipr_concordance_options options = { known ? use->factor_mm : 0.0,
                                                     known ? use->factor_ad : 0.0, REPLICATES,
                                                     SEED };
    const double rating = elo->figure.estimate;
    const char *reason = elo->figure.group.reason;
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_concordance k;
    double s = NAN, c = NAN;
    enum ipr_code rc = IPR_OK;

    if (reason == NULL) {
        rc = ipr_calibration_agent(&use->line, use->reference, rating, &s, &c, &why);
        if (rc == IPR_OK)
            rc = ipr_concordance(of->set, s, c, &options, &k, &why);
        rc = ipr_figure_settle(rc, &why, of->t.from.context->v->mem, &reason, err);
    }
    if (rc != IPR_OK)
        return rc;
    if (reason != NULL) {
        out->group = ipr_figure_group(&of->t.from, reason);
        return IPR_OK;
    }
    out->rating = rating;
    out->rating_source = elo->sources.source;
    out->rating_games = elo->figure.group.basis.games;
    out->s = s;
    out->c = c;
    concordance_fill(&k, of->t.from, out);
    return IPR_OK;
}

enum ipr_code ipr_rate_concordance(const struct ipr_material *m, struct ipr_figure_ratings *out,
                                   struct ipr_err *err)
{
    struct ipr_figure_concordance *figure =
        ipr_shape_new(IPR_SHAPE_CONCORDANCE, m->context->v->mem);
    struct ipr_elo_game *games = NULL;
    struct ipr_rate_set of;
    size_t n = 0;

    enum ipr_code rc = ipr_rate_set_open(m, IPR_METHOD_CONCORDANCE, &of, err);
    if (rc == IPR_OK && of.t.reason != NULL)
        figure->group = ipr_figure_group(&of.t.from, of.t.reason);
    else if (rc == IPR_OK)
        rc = ipr_elo_games(m->context, m->scope->person, m->t, true, &games, &n, err);
    if (rc == IPR_OK && of.set != NULL) {
        const struct ipr_figure_elo_mean elo =
            ipr_elo_mean(m->context, games, n, IPR_REASON_ELO_MEAN_ANALYSED);

        rc = concordance_compute(&of, &elo, figure, err);
    }
    ipr_rh_set_free(&of.set);
    out->concordance = figure;
    return rc;
}
