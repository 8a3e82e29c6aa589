/* Whether sides of one Elo have more in common: a player, a year, an event. */
#include <gsl/gsl_linalg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "benchmark/report.h"

/* Pairs of sides of different games. */
enum level { LEVEL_YEARS, LEVEL_YEAR, LEVEL_EVENT, LEVEL_OTHERS, LEVELS };

static const char *const level_name[LEVELS] = { "one player in different years",
                                                "one player in one year, different events",
                                                "one player in one event",
                                                "different players in one event" };

/* What a pair has in common; LEVELS: nothing, or one game. */
static enum level level_of(const struct bench_side *a, const struct bench_side *b)
{
    if (a->game == b->game)
        return LEVELS;
    if (a->player != b->player)
        return a->event == b->event && a->year == b->year ? LEVEL_OTHERS : LEVELS;
    return a->year != b->year ? LEVEL_YEARS : a->event != b->event ? LEVEL_YEAR : LEVEL_EVENT;
}

/* Sums of weights and of weighted products over the pairs of a first side, or of a cluster:
 * the player or the event of the pairs. */
struct level_sums {
    uint32_t cluster;
    double weight, product;
};

static int level_by_cluster(const void *a, const void *b)
{
    const struct level_sums *x = a, *y = b;

    return (x->cluster > y->cluster) - (x->cluster < y->cluster);
}

/* One sum for each first side; those of a cluster are added up. */
static size_t level_merge(struct level_sums *s, size_t n)
{
    size_t k = 0;

    qsort(s, n, sizeof *s, level_by_cluster);
    for (size_t i = 0; i < n; i++) {
        if (k == 0 || s[k - 1].cluster != s[i].cluster) {
            s[k++] = s[i];
            continue;
        }
        s[k - 1].weight += s[i].weight;
        s[k - 1].product += s[i].product;
    }
    return k;
}

/* Pairs of which `i` is the first. */
static size_t level_pairs(const struct bench_report *r, const struct bench_entry *e,
                          enum level level, const bool *take, const double *residual, size_t i,
                          struct level_sums *s)
{
    const struct bench_side *side = r->d.side;
    const double w = ipr_strength_weight(&e->model.spread, e->answer[i].information);
    size_t pairs = 0;

    *s = (struct level_sums){ level == LEVEL_OTHERS ? side[i].event : side[i].player, 0, 0 };
    for (size_t j = i + 1; take[i] && j < r->d.n_sides; j++) {
        double both;

        if (!take[j] || level_of(&side[i], &side[j]) != level)
            continue;
        both = w * ipr_strength_weight(&e->model.spread, e->answer[j].information);
        s->weight += both;
        s->product += both * residual[i] * residual[j];
        pairs += both > 0;
    }
    return pairs;
}

static json_t *level_row(const struct bench_report *r, const struct bench_entry *e,
                         enum level level, const double *residual)
{
    struct level_sums *s = ipr_xcalloc(r->d.n_sides + 1, sizeof *s);
    double weight = 0, covariance = 0, error = 0;
    size_t pairs = 0, n;

    for (size_t i = 0; i < r->d.n_sides; i++)
        pairs += level_pairs(r, e, level, r->take, residual, i, &s[i]);
    n = level_merge(s, r->d.n_sides);
    for (size_t i = 0; i < n; i++) {
        weight += s[i].weight;
        covariance += s[i].product;
    }
    covariance /= weight;
    for (size_t i = 0; i < n; i++) {
        const double d = s[i].product - covariance * s[i].weight;

        error += d * d;
    }
    free(s);
    return json_pack("{s:s, s:I, s:o, s:o, s:o}", "of", level_name[level], "pairs",
                     (json_int_t)pairs, "covariance", bench_number(covariance), "standard_error",
                     bench_number(sqrt(error) / weight), "sd",
                     bench_number(copysign(sqrt(fabs(covariance)), covariance)));
}

double bench_event_variance(const struct bench_report *r, const struct bench_entry *e)
{
    double *residual = ipr_xcalloc(r->d.n_sides + 1, sizeof *residual), top = 0, bottom = 0;
    struct level_sums *s = ipr_xcalloc(r->d.n_sides + 1, sizeof *s);
    size_t n;

    for (size_t i = 0; i < r->d.n_sides; i++)
        residual[i] = r->fit[i] ? bench_residual_of_year(r, e, i) : 0;
    for (size_t i = 0; i < r->d.n_sides; i++)
        level_pairs(r, e, LEVEL_OTHERS, r->fit, residual, i, &s[i]);
    n = level_merge(s, r->d.n_sides);
    for (size_t i = 0; i < n; i++)
        if (s[i].weight > 0) {
            top += s[i].product / sqrt(s[i].weight);
            bottom += sqrt(s[i].weight);
        }
    free(s);
    free(residual);
    return bottom > 0 ? fmax(top / bottom, 0) : 0;
}

json_t *bench_levels(const struct bench_report *r, const struct bench_entry *e)
{
    double *residual = ipr_xcalloc(r->d.n_sides + 1, sizeof *residual);
    json_t *out = json_array();

    for (size_t i = 0; i < r->d.n_sides; i++)
        residual[i] = r->take[i] ? bench_residual_elo(r, e, i) : 0;
    for (size_t level = 0; level < LEVELS; level++)
        json_array_append_new(out, level_row(r, e, (enum level)level, residual));
    free(residual);
    return out;
}

enum effect { EFFECT_DECADE, EFFECT_OPPONENT, EFFECT_WHITE, EFFECTS };

static const char *const effect_name[EFFECTS] = { "a decade later", "opponent 100 Elo stronger",
                                                  "White" };

#define EFFECT_TERMS (IPR_STRENGTH_KNOTS + 1)

static double effect_of(const struct bench_report *r, enum effect effect, size_t i)
{
    if (effect == EFFECT_DECADE)
        return (r->d.side[i].year - 2000) / 10.;
    if (effect == EFFECT_OPPONENT)
        return (r->d.side[i ^ 1].elo - r->d.side[i].elo) / 100;
    return i % 2 == 0;
}

static bool effect_known(const struct bench_report *r, enum effect effect, size_t i)
{
    return r->take[i] && (effect != EFFECT_DECADE || r->d.side[i].year > 0) &&
           (effect != EFFECT_OPPONENT || r->d.side[i ^ 1].elo > 0);
}

/* The knots' shares at an Elo, and the effect in scores: its coefficient is in Elo. */
static void effect_terms(const struct bench_report *r, const struct bench_entry *e,
                         enum effect effect, size_t i, double x[EFFECT_TERMS])
{
    const struct ipr_strength_curve *c = &e->model.curve;
    const double elo = r->d.side[i].elo;
    size_t k = 0;

    memset(x, 0, EFFECT_TERMS * sizeof *x);
    while (k + 2 < IPR_STRENGTH_KNOTS && elo > c->elo[k + 1])
        k++;
    x[k + 1] = (elo - c->elo[k]) / (c->elo[k + 1] - c->elo[k]);
    x[k] = 1 - x[k + 1];
    x[IPR_STRENGTH_KNOTS] = bench_slope(c, elo) * effect_of(r, effect, i);
}

/* Error of the last coefficient: `row` is its row of the inverse of the information. */
static double effect_error(const struct bench_report *r, const struct bench_entry *e,
                           enum effect effect, const double row[EFFECT_TERMS],
                           const double b[EFFECT_TERMS], bool by_event)
{
    struct level_sums *s = ipr_xcalloc(r->d.n_sides + 1, sizeof *s);
    double error = 0;
    size_t n = 0;

    for (size_t i = 0; i < r->d.n_sides; i++) {
        const double w = ipr_strength_weight(&e->model.spread, e->answer[i].information);
        double x[EFFECT_TERMS], residual = e->answer[i].z, influence = 0;

        if (!effect_known(r, effect, i) || !(w > 0))
            continue;
        effect_terms(r, e, effect, i, x);
        for (size_t k = 0; k < EFFECT_TERMS; k++) {
            residual -= b[k] * x[k];
            influence += row[k] * x[k];
        }
        s[n++] = (struct level_sums){ by_event ? r->d.side[i].event : (uint32_t)r->d.side[i].game,
                                      0, w * influence * residual };
    }
    n = level_merge(s, n);
    for (size_t i = 0; i < n; i++)
        error += s[i].product * s[i].product;
    free(s);
    return sqrt(error);
}

/* Weighted least squares of the scores on the curve's knots and the effect. */
static json_t *effect_row(const struct bench_report *r, const struct bench_entry *e,
                          enum effect effect)
{
    double a[EFFECT_TERMS * EFFECT_TERMS] = { 0 }, b[EFFECT_TERMS] = { 0 };
    double row[EFFECT_TERMS] = { 0 };
    gsl_matrix_view h = gsl_matrix_view_array(a, EFFECT_TERMS, EFFECT_TERMS);
    gsl_vector_view v = gsl_vector_view_array(b, EFFECT_TERMS);
    gsl_vector_view last = gsl_vector_view_array(row, EFFECT_TERMS);

    row[IPR_STRENGTH_KNOTS] = 1;
    for (size_t i = 0; i < r->d.n_sides; i++) {
        const double w = ipr_strength_weight(&e->model.spread, e->answer[i].information);
        double x[EFFECT_TERMS];

        if (!effect_known(r, effect, i))
            continue;
        effect_terms(r, e, effect, i, x);
        for (size_t p = 0; p < EFFECT_TERMS; p++) {
            b[p] += w * x[p] * e->answer[i].z;
            for (size_t q = 0; q < EFFECT_TERMS; q++)
                a[p * EFFECT_TERMS + q] += w * x[p] * x[q];
        }
    }
    if (gsl_linalg_cholesky_decomp1(&h.matrix) != GSL_SUCCESS)
        return json_pack("{s:s, s:n, s:n, s:n}", "effect", effect_name[effect], "elo", "by_event",
                         "by_game");
    gsl_linalg_cholesky_svx(&h.matrix, &v.vector);
    gsl_linalg_cholesky_svx(&h.matrix, &last.vector);
    return json_pack("{s:s, s:o, s:o, s:o}", "effect", effect_name[effect], "elo",
                     bench_number(b[IPR_STRENGTH_KNOTS]), "by_event",
                     bench_number(effect_error(r, e, effect, row, b, true)), "by_game",
                     bench_number(effect_error(r, e, effect, row, b, false)));
}

json_t *bench_effects(const struct bench_report *r, const struct bench_entry *e)
{
    json_t *out = json_array();

    for (size_t effect = 0; effect < EFFECTS; effect++)
        json_array_append_new(out, effect_row(r, e, (enum effect)effect));
    return out;
}
