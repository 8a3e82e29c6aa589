/* Effects of year, opponent and colour on the score at equal Elo: regression with the curve. */
#include <gsl/gsl_linalg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lab/clusters.h"
#include "lab/report.h"

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

/* Regressors: weights of the curve's knots, then the effect times the curve's slope, so that its
 * coefficient is in Elo. */
static void effect_terms(const struct bench_report *r, const struct bench_entry *e,
                         enum effect effect, size_t i, double x[EFFECT_TERMS])
{
    const struct ipr_strength_curve *c = &e->model.curve;
    const double elo = r->d.side[i].elo;
    size_t k = 0;

    memset(x, 0, EFFECT_TERMS * sizeof *x);
    while (k + 2 < c->knots && elo > c->elo[k + 1])
        k++;
    x[k + 1] = (elo - c->elo[k]) / (c->elo[k + 1] - c->elo[k]);
    x[k] = 1 - x[k + 1];
    x[IPR_STRENGTH_KNOTS] = ipr_strength_curve_slope(c, elo) * effect_of(r, effect, i);
}

/* Cluster-robust standard error of the last coefficient; `row`: its row of the inverse of the
 * normal matrix. */
static double effect_error(const struct bench_report *r, const struct bench_entry *e,
                           enum effect effect, const double row[EFFECT_TERMS],
                           const double b[EFFECT_TERMS], bool by_event)
{
    struct bench_cluster *s = ipr_xcalloc(r->d.n_sides + 1, sizeof *s);
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
        s[n++] =
            (struct bench_cluster){ by_event ? r->d.side[i].event : (uint32_t)r->d.side[i].game, 0,
                                    w * influence * residual };
    }
    n = bench_clusters_merge(s, n);
    for (size_t i = 0; i < n; i++)
        error += s[i].product * s[i].product;
    free(s);
    return sqrt(error);
}

/* Weighted least squares of the scores on the curve's knots and one effect. */
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
    for (size_t k = 0; k < IPR_STRENGTH_KNOTS; k++)
        if (!(a[k * EFFECT_TERMS + k] > 0))
            a[k * EFFECT_TERMS + k] = 1; /* a knot that the curve has not, or no side is next to */
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
