/* Corrects a side's estimate by the opponent's Elo and moves. */
#include <gsl/gsl_linalg.h>

#include "lab/report.h"
#include "model/elo.h"

/* Covariance of the scores of the two sides of a game, given their Elo. */
static double opponent_covariance(const struct bench_report *r, const struct bench_entry *e)
{
    double top = 0, bottom = 0;

    for (size_t i = 0; i < r->d.n_sides; i += 2) {
        double w = 1, x = 1;

        if (!r->fit[i] || !r->fit[i + 1])
            continue;
        for (size_t k = i; k < i + 2; k++) {
            w *= ipr_strength_weight(&e->model.spread, e->answer[k].information);
            x *= bench_residual(r, e, k);
        }
        top += w * x;
        bottom += w;
    }
    return bottom > 0 ? top / bottom : 0;
}

void bench_report_opponent(struct bench_report *r, const struct bench_entry *e)
{
    const struct ipr_strength_spread *s = &e->model.spread;
    const double shared = opponent_covariance(r, e);
    struct ipr_strength_side *answer = bench_report_new(r, "chain, the opponent's Elo known");

    r->entry[r->n - 1].uses = "the opponent's Elo";
    r->entry[r->n - 1].sets = true;

    for (size_t i = 0; i < r->d.n_sides; i++) {
        const struct ipr_strength_side *own = &e->answer[i], *other = &e->answer[i ^ 1];
        const double precision = ipr_strength_weight(s, other->information);
        const double expected = ipr_strength_curve_at(&e->model.curve, r->d.side[i ^ 1].elo);
        double v;

        if (!(own->information > 0))
            continue;
        v = 1 / ipr_strength_weight(s, own->information) - shared * shared * precision;
        answer[i].z = own->z - shared * precision * (other->z - expected);
        answer[i].information = s->factor / v;
    }
}

enum evidence { EVIDENCE_MOVES, EVIDENCE_OTHER_MOVES, EVIDENCE_RESULT, EVIDENCE };

/* Standard errors in Elo of what one game says about a side when the opponent's Elo is known: of
 * its moves, of the opponent's moves (which only measure how hard the game was), of the result. */
static bool evidence_errors(const struct bench_report *r, const struct bench_entry *e, size_t i,
                            double slope, double x[EVIDENCE])
{
    const size_t side[2] = { i, i ^ 1 };

    for (size_t k = 0; k < 2; k++) {
        if (!r->fit[side[k]] || !(e->answer[side[k]].information > 0))
            return false;
        x[k] = bench_residual_elo(r, e, side[k]);
    }
    x[EVIDENCE_RESULT] =
        (r->d.side[i].result - ipr_elo_expect(r->d.side[i].elo, r->d.side[i ^ 1].elo)) / slope;
    return !isnan(x[EVIDENCE_RESULT]);
}

/* Mean slope of the expected score, per Elo. */
static double evidence_slope(const struct bench_report *r)
{
    double slope = 0, n = 0;

    for (size_t i = 0; i < r->d.n_sides; i++) {
        const double p = ipr_elo_expect(r->d.side[i].elo, r->d.side[i ^ 1].elo);

        if (r->fit[i] && r->fit[i ^ 1]) {
            slope += p * (1 - p) * IPR_ELO_SLOPE;
            n++;
        }
    }
    return slope / n;
}

/* Standard deviation of the best linear combination of the observations named in `use`: each has
 * the mean Elo, the opponent's moves 0. */
static double evidence_sd(const double cov[EVIDENCE][EVIDENCE], const bool use[EVIDENCE])
{
    static const double gives[EVIDENCE] = { 1, 0, 1 };
    double a[EVIDENCE * EVIDENCE], x[EVIDENCE], information = 0;
    gsl_matrix_view h = gsl_matrix_view_array(a, EVIDENCE, EVIDENCE);
    gsl_vector_view b = gsl_vector_view_array(x, EVIDENCE);

    for (size_t j = 0; j < EVIDENCE; j++) {
        x[j] = use[j] ? gives[j] : 0;
        for (size_t k = 0; k < EVIDENCE; k++)
            a[j * EVIDENCE + k] = use[j] && use[k] ? cov[j][k] : j == k ? 1 : 0;
    }
    gsl_linalg_cholesky_decomp1(&h.matrix);
    gsl_linalg_cholesky_svx(&h.matrix, &b.vector);
    for (size_t j = 0; j < EVIDENCE; j++)
        information += use[j] ? gives[j] * x[j] : 0;
    return 1 / sqrt(information);
}

json_t *bench_results(const struct bench_report *r, const struct bench_entry *e)
{
    static const struct {
        const char *name;
        bool use[EVIDENCE];
    } row[] = { { "moves of the side", { true, false, false } },
                { "moves of both sides", { true, true, false } },
                { "result", { false, false, true } },
                { "result and moves of the side", { true, false, true } },
                { "result and moves of both sides", { true, true, true } } };
    const double slope = evidence_slope(r);
    double cov[EVIDENCE][EVIDENCE] = { { 0 } }, n = 0, x[EVIDENCE];
    json_t *out = json_array();

    for (size_t i = 0; i < r->d.n_sides; i++) {
        if (!evidence_errors(r, e, i, slope, x))
            continue;
        n++;
        for (size_t j = 0; j < EVIDENCE; j++)
            for (size_t k = 0; k < EVIDENCE; k++)
                cov[j][k] += x[j] * x[k];
    }
    for (size_t j = 0; j < EVIDENCE; j++)
        for (size_t k = 0; k < EVIDENCE; k++)
            cov[j][k] /= n;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const double sd = evidence_sd((const double(*)[EVIDENCE])cov, row[i].use);

        json_array_append_new(
            out,
            json_pack("{s:s, s:o, s:o}", "evidence", row[i].name, "sd", bench_number(sd), "results",
                      bench_number(cov[EVIDENCE_RESULT][EVIDENCE_RESULT] / (sd * sd))));
    }
    return out;
}
