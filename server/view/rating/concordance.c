/* The moves compared with play at the player's own rating. */
#include <math.h>
#include <stdio.h>

#include "view/rating/regan.h"

#include "model/concordance.h"
#include "model/ipr.h"
#include "view/json.h"
#include "view/rating/elo_games.h"

#define REPLICATES 1000
#define SEED       20110807 /* any number; the same for every set */

/* P(|z| > 2) of a normal z: what a factor k that is right makes of a mean of many turns. */
#define BEYOND_TWO 0.0455

/** Of both or of none, so that they have one source. */
static bool factors_known(const struct ipr_calibration_use *use)
{
    return use->factor_mm > 0.0 && use->factor_ad > 0.0;
}

static json_t *compared_json(double projected, double actual, double sigma, double factor, double z,
                             double z_alone, double tail)
{
    const double se = factor * sigma;
    const double difference = actual - projected;
    const struct ipr_interval i = { difference - IPR_Z95 * se, difference + IPR_Z95 * se };

    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "projected",
                     ipr_json_num(projected), "actual", ipr_json_num(actual), "difference",
                     ipr_json_num(difference), "standard_error", ipr_json_num(se), "interval",
                     ipr_json_interval(i), "sigma", ipr_json_num(sigma), "factor",
                     ipr_json_num(factor), "z", ipr_json_num(z), "z_unclustered",
                     ipr_json_num(z_alone), "tail", ipr_json_num(tail));
}

/** 22 of "one in 22". */
static double one_in(double share)
{
    return fmax(1.0, round(1.0 / share));
}

/** "one in 4"; where no simulated set was as far out, no more is known than their number. */
static const char *how_rare(double tail, unsigned replicates, char out[40])
{
    if (tail < 1.5 / (replicates + 1.0))
        snprintf(out, 40, "fewer than one in %u", replicates);
    else
        snprintf(out, 40, "one in %.0f", one_in(tail));
    return out;
}

static json_t *note_json(const struct ipr_concordance *k, double elo)
{
    char mm[40], ad[40];

    return json_sprintf(
        "Compared with play at rating %.0f: when nothing is amiss, of 100 performances compared "
        "this way about %.0f lie beyond two standard errors in mm and about %.0f in ad (one in "
        "%.0f), and %s lies at least as far out as this one on the same side in mm, %s in ad.",
        elo, round(100.0 * BEYOND_TWO), round(100.0 * BEYOND_TWO), one_in(BEYOND_TWO),
        how_rare(k->tail_mm, k->replicates, mm), how_rare(k->tail_ad, k->replicates, ad));
}

/** The agent that the moves are compared with. */
struct agent {
    const json_t *rated; /* the Elo and where it is from */
    double elo, s, c;
};

static json_t *concordance_json(const struct ipr_concordance *k, const struct agent *a,
                                const struct ipr_calibration_use *use, struct ipr_provenance *from)
{
    const bool outside = a->elo < use->line.elo_min || a->elo > use->line.elo_max;

    from->turns = k->turns;
    from->games = k->games;
    from->converged = true;
    json_t *out = json_pack("{s:o, s:O, s:O, s:b, s:o, s:o}", "rating", ipr_json_num(a->elo),
                            "rating_source", json_object_get(a->rated, "source"), "rating_games",
                            json_object_get(a->rated, "games"), "extrapolated", outside, "s",
                            ipr_json_num(a->s), "c", ipr_json_num(a->c));

    json_object_set_new(out, "mm",
                        compared_json(k->mm_p, k->mm_a, k->sigma_mm, k->factor_mm, k->z_mm,
                                      k->z_mm_unclustered, k->tail_mm));
    json_object_set_new(out, "ad",
                        compared_json(k->ad_p, k->ad_a, k->sigma_ad, k->factor_ad, k->z_ad,
                                      k->z_ad_unclustered, k->tail_ad));
    json_object_set_new(out, "factor_source",
                        json_string(factors_known(use) ? "calibration" : "these turns"));
    json_object_set_new(out, "replicates", json_integer(k->replicates));
    json_object_set_new(out, "seed", json_integer(SEED));
    json_object_set_new(out, "note", note_json(k, a->elo));
    ipr_estimate_provenance(out, from);
    return out;
}

/** A refusal that has the members of this rating. */
static json_t *refused(json_t *refusal)
{
    json_object_del(refusal, "estimate");
    json_object_del(refusal, "standard_error");
    json_object_del(refusal, "interval");
    json_object_set_new(refusal, "mm", json_null());
    json_object_set_new(refusal, "ad", json_null());
    return refusal;
}

static enum ipr_code compare(const struct ipr_material *m, struct ipr_rate_set *of,
                             const json_t *rated, json_t **out, struct ipr_err *err)
{
    const struct ipr_calibration_use *use = m->context->calibration;
    const bool known = factors_known(use);
    const struct ipr_concordance_options options = { known ? use->factor_mm : 0.0,
                                                     known ? use->factor_ad : 0.0, REPLICATES,
                                                     SEED };
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_concordance k;
    struct agent a = { .rated = rated, .elo = ipr_json_at(rated, "estimate", NAN) };

    if (!isfinite(a.elo)) {
        *out = ipr_estimate_refusal(&of->from, "%s", ipr_json_text_at(rated, "reason"));
        return IPR_OK;
    }
    enum ipr_code rc = ipr_calibration_agent(&use->line, use->reference, a.elo, &a.s, &a.c, &why);
    if (rc == IPR_OK)
        rc = ipr_concordance(of->set, a.s, a.c, &options, &k, &why);
    if (rc == IPR_OK)
        *out = concordance_json(&k, &a, use, &of->from);
    else if (rc == IPR_EDATA || rc == IPR_ENOCONV)
        *out = ipr_estimate_refusal(&of->from, "%s", why.msg);
    else
        return ipr_err_set(err, rc, "%s", why.msg);
    return IPR_OK;
}

/** With the player's Elo as it stands in "elo". */
static enum ipr_code compare_with_elo(const struct ipr_material *m, struct ipr_rate_set *of,
                                      json_t **out, struct ipr_err *err)
{
    struct ipr_elo_game *games = NULL;
    size_t n = 0;

    enum ipr_code rc = ipr_elo_games(m->context, m->scope->person, m->t, true, &games, &n, err);
    if (rc != IPR_OK)
        return rc;
    json_t *rated = ipr_elo_mean(m->context, games, n, "the judged games");
    rc = compare(m, of, rated, out, err);
    json_decref(rated);
    return rc;
}

/**
 * {"rating", "rating_source", "rating_games": the player's Elo (view/rating/elo_games.h) over the
 * judged games, its source, and of how many of them it is known, "extrapolated": outside the
 * calibration's mileposts, "s", "c": of play at that rating by the calibration, "mm", "ad":
 * {"projected", "actual", "difference", "standard_error" (factor times sigma), "interval": of the
 * difference, "sigma": turns independent, "factor": k, "z", "z_unclustered", "tail": simulated
 * probability of a z as far out on the same side}, "factor_source": "calibration" or "these turns",
 * "replicates", "seed": of the tails, "note", provenance} or {"mm": null, "ad": null, "reason",
 * provenance}
 */
enum ipr_code ipr_rate_concordance(const struct ipr_material *m, json_t **out, struct ipr_err *err)
{
    struct ipr_rate_set of;
    json_t *answer = NULL;

    enum ipr_code rc = ipr_rate_set_open(m, IPR_METHOD_CONCORDANCE, &of, &answer, err);
    if (rc == IPR_OK && of.set)
        rc = compare_with_elo(m, &of, &answer, err);
    ipr_rh_set_free(&of.set);
    if (rc != IPR_OK)
        return rc;
    *out = json_object_get(answer, "reason") ? refused(answer) : answer;
    return IPR_OK;
}
