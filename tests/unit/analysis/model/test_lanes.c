/*
 * The models' inner loops: every instruction set gives the same bits, no lane depends on its
 * neighbours, and all agree with the C library's functions and with the general chain.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "ipr_test_play.h"
#include "model/ipr.h"
#include "model/lanes.h"
#include "model/markov_side.h"
#include "model/regan_prob.h"
#include "model/regan_set.h"

enum { N = 23, ROOM = N * IPR_BLOCK, CELLS = 19 * 19 };

/* Lists of a block: everything a kernel reads, and room for what it writes. */
struct lists {
    double log_delta[ROOM], delta[ROOM];
    float count[ROOM], before[ROOM];
    uint16_t played[IPR_BLOCK];
    double log_log_moves[IPR_BLOCK], weight[IPR_BLOCK];
};

/* From one move to N entries, ties, far moves, more than one move an entry. */
static void fill(gsl_rng *rng, struct lists *l)
{
    for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
        const size_t n = 1 + gsl_rng_uniform_int(rng, N);
        double moves = 0.0;
        double d = 0.0;
        l->played[lane] = (uint16_t)gsl_rng_uniform_int(rng, n);
        l->weight[lane] = gsl_rng_uniform(rng);
        for (size_t i = 0, j = lane; i < N; i++, j += IPR_BLOCK) {
            const bool own = i < n;
            l->delta[j] = own ? d : 0.0;
            l->log_delta[j] = own && d > 0.0 ? log(d) : -1e6;
            l->count[j] = own ? (float)(1 + gsl_rng_uniform_int(rng, 3)) : 0.0F;
            l->before[j] = own && i < l->played[lane] ? l->count[j] : 0.0F;
            moves += (double)l->count[j];
            d += 0.3 * gsl_rng_uniform(rng) * gsl_rng_uniform(rng);
        }
        l->log_log_moves[lane] = log(log(fmax(moves, 2.0)));
    }
}

static struct ipr_rh_block block_of(const struct lists *l)
{
    return (struct ipr_rh_block){ .n = N,
                                  .log_delta = l->log_delta,
                                  .delta = l->delta,
                                  .count = l->count,
                                  .before = l->before,
                                  .played = l->played,
                                  .log_log_moves = l->log_log_moves };
}

struct answers {
    double g[ROOM], ds[ROOM], dc[ROOM], p[ROOM], w[ROOM], normal[ROOM];
    double log_l[IPR_BLOCK], log_norm[IPR_BLOCK];
    struct ipr_rh_lanes sums;
    double r[19 * IPR_BLOCK], jac[38 * IPR_BLOCK];
};

static void answer(const struct ipr_lanes *k, const struct lists *l, double s, double c,
                   struct answers *a)
{
    const struct ipr_rh_block block = block_of(l);
    const struct ipr_curves curves = { a->g, a->ds, a->dc };

    memset(a, 0, sizeof *a);
    k->curve(l->log_delta, N, log(s), c, true, &curves);
    for (size_t i = 0; i < IPR_BLOCK; i++)
        a->log_l[i] = NAN;
    k->normalise(a->g, l->count, N, a->log_norm, a->normal, a->w);
    k->solve(a->g, l->count, l->log_log_moves, N, a->log_l, a->p, a->w);
    k->sums(&block, &curves, a->p, a->w, IPR_RH_WANT_GRADIENT | IPR_RH_WANT_LOSS, &a->sums);
    k->quantiles(&a->sums, l->weight, 19, a->r, a->jac);
}

static void test_same_bits(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const struct ipr_lanes *all[3];
    const size_t paths = ipr_lanes_all(all);
    static struct lists l;
    static struct answers first;
    static struct answers other;

    (void)state;
    print_message("%zu instruction sets, the fastest is %s\n", paths, ipr_lanes_best()->name);
    for (int round = 0; round < 200; round++) {
        const double s = exp(-5.0 + 6.0 * gsl_rng_uniform(rng));
        const double c = exp(-2.0 + 3.0 * gsl_rng_uniform(rng));
        fill(rng, &l);
        answer(all[0], &l, s, c, &first);
        for (size_t k = 1; k < paths; k++) {
            answer(all[k], &l, s, c, &other);
            assert_memory_equal(&first, &other, sizeof first);
        }
    }
    gsl_rng_free(rng);
}

/* Against libm, and the relations that define the answers. */
static void test_meaning(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static struct lists l;
    static struct answers a;

    (void)state;
    for (int round = 0; round < 100; round++) {
        const double s = exp(-4.0 + 4.0 * gsl_rng_uniform(rng));
        const double c = exp(-1.5 + 2.0 * gsl_rng_uniform(rng));
        fill(rng, &l);
        answer(ipr_lanes_best(), &l, s, c, &a);
        for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
            double total = 0.0;
            double loss = 0.0;
            double normal = 0.0;
            for (size_t j = lane; j < ROOM; j += IPR_BLOCK) {
                const double z = l.delta[j] > 0.0 ? pow(l.delta[j] / s, c) : 0.0;
                assert_close(a.g[j], z, 1e-12 * (1.0 + z));
                total += (double)l.count[j] * a.p[j];
                loss += (double)l.count[j] * a.p[j] * l.delta[j];
                normal += (double)l.count[j] * exp(-z);
            }
            assert_close(total, 1.0, 1e-12);
            assert_close(a.sums.loss[lane], loss, 1e-14);
            for (size_t j = lane; j < ROOM && isfinite(a.log_l[lane]); j += IPR_BLOCK) {
                const double want = l.count[j] > 0.0F ? exp(-exp(a.log_l[lane] + a.g[j])) : a.p[j];
                assert_close(a.p[j], want, 1e-13);
                assert_close(a.normal[j], exp(-a.g[j]) / normal, 1e-14);
            }
        }
    }
    gsl_rng_free(rng);
}

/* A list has the same figures alone in its block. */
static void test_neighbours(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static struct lists l;
    static struct lists alone;
    static struct answers a;
    static struct answers b;

    (void)state;
    for (int round = 0; round < 50; round++) {
        const size_t lane = gsl_rng_uniform_int(rng, IPR_BLOCK);
        fill(rng, &l);
        fill(rng, &alone);
        for (size_t j = lane; j < ROOM; j += IPR_BLOCK) {
            alone.log_delta[j] = l.log_delta[j];
            alone.delta[j] = l.delta[j];
            alone.count[j] = l.count[j];
            alone.before[j] = l.before[j];
        }
        alone.played[lane] = l.played[lane];
        alone.log_log_moves[lane] = l.log_log_moves[lane];
        answer(ipr_lanes_best(), &l, 0.1, 0.5, &a);
        answer(ipr_lanes_best(), &alone, 0.1, 0.5, &b);
        for (size_t j = lane; j < ROOM; j += IPR_BLOCK)
            assert_close(a.p[j], b.p[j], 0.0);
        assert_close(a.sums.dloss[1][lane], b.sums.dloss[1][lane], 0.0);
        assert_true(a.log_l[lane] >= b.log_l[lane] && a.log_l[lane] <= b.log_l[lane]);
    }
    gsl_rng_free(rng);
}

/* Whole fits on every instruction set. */
static void test_fits(void **state)
{
    const struct ipr_rh_params params = IPR_RH_PARAMS_INIT;
    const struct ipr_test_play_shape shape = { 50, 30, 20, 0.0 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const struct ipr_lanes *all[3];
    const size_t paths = ipr_lanes_all(all);
    struct ipr_test_play play;
    struct ipr_rh_set *set;

    (void)state;
    ipr_test_play(&params, 0.1, 0.48, &shape, rng, &play);
    assert_int_equal(ipr_rh_set_new(&params, play.turns, NULL, play.n, &set, NULL), IPR_OK);
    for (int kind = IPR_RH_MOMENTS; kind <= IPR_RH_RMLE; kind++) {
        const struct ipr_rh_fit_options o = { (enum ipr_rh_fit_kind)kind, 0.01 };
        struct ipr_rh_fit fit[3];
        for (size_t k = 0; k < paths; k++) {
            set->lanes = all[k];
            assert_int_equal(ipr_rh_fit(set, &o, &fit[k], NULL), IPR_OK);
            assert_close(fit[k].s, fit[0].s, 1e-10 * fit[0].s);
            assert_close(fit[k].c, fit[0].c, 1e-10 * fit[0].c);
            for (int i = 0; i < 4; i++)
                assert_close(fit[k].cov[i], fit[0].cov[i], 1e-10);
        }
    }
    ipr_rh_set_free(&set);
    ipr_test_play_release(&play);
    gsl_rng_free(rng);
}

/* Lower triangular, rows sum to 1; a lane in eight keeps to some of its classes for good. */
static void fill_chain(gsl_rng *rng, double *m)
{
    for (size_t lane = 0; lane < IPR_BLOCK; lane++)
        for (size_t i = 0; i < 19; i++) {
            double total = 0.0;
            for (size_t j = 0; j < 19; j++) {
                const bool none = j > i || (lane == 5 && j < i && i % 6 == 0);
                m[(i * 19 + j) * IPR_BLOCK + lane] = none ? 0.0 : gsl_rng_uniform_pos(rng);
                total += m[(i * 19 + j) * IPR_BLOCK + lane];
            }
            for (size_t j = 0; j < 19; j++)
                m[(i * 19 + j) * IPR_BLOCK + lane] /= total;
        }
}

static void test_chains(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const struct ipr_lanes *all[3];
    const size_t paths = ipr_lanes_all(all);
    static double f[CELLS * IPR_BLOCK];
    static double s[CELLS * IPR_BLOCK];
    double ends[3][4 * IPR_BLOCK];
    unsigned stuck[3];
    unsigned seen = 0;

    (void)state;
    for (int round = 0; round < 30; round++) {
        const double *const m1[2] = { f, f };
        const double *const m2[2] = { s, s };
        double white[2][IPR_BLOCK];
        double black[2][IPR_BLOCK];
        fill_chain(rng, f);
        fill_chain(rng, s);
        for (size_t k = 0; k < paths; k++) {
            stuck[k] = all[k]->chain(f, s, 19, ends[k]);
            assert_int_equal(stuck[k], stuck[0]);
            assert_memory_equal(ends[k], ends[0], sizeof ends[0]);
        }
        seen |= stuck[0];
        /* Not declared triangular: the general method. */
        for (int t = 0; t < 2; t++)
            assert_int_equal(ipr_markov_block(m1, m2, 19, 9, t == 0, white[t], black[t], NULL),
                             IPR_OK);
        for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
            assert_close(white[0][lane], white[1][lane], 1e-13);
            assert_close(black[0][lane], black[1][lane], 1e-13);
        }
    }
    assert_int_equal(seen, 1U << 5);
    gsl_rng_free(rng);
}

static void test_counts(void **state)
{
    static const uint16_t cell[4] = { 0, 20, 20, 360 };
    static const double weight[4] = { 1.0, 0.5, 0.25, 2.0 };
    const struct ipr_lanes *all[3];
    const size_t paths = ipr_lanes_all(all);
    double times[IPR_BLOCK];
    double pool[CELLS] = { 0 };

    (void)state;
    pool[19] = 3.0; /* row 1 always falls */
    for (size_t lane = 0; lane < IPR_BLOCK; lane++)
        times[lane] = (double)lane;
    for (size_t k = 0; k < paths; k++) {
        double counts[CELLS * IPR_BLOCK] = { 0 };
        double want[CELLS];
        all[k]->tally(cell, weight, 4, times, counts);
        assert_close(counts[20 * IPR_BLOCK + 3], 2.25, 0.0);
        assert_close(counts[360 * IPR_BLOCK + 7], 14.0, 0.0);
        assert_int_equal(all[k]->rows(counts, 19), 0xff); /* rows 2 to 17 of every lane */
        for (size_t with = 0; with < 2; with++) {
            double plain[CELLS] = { 0 };
            memset(counts, 0, sizeof counts);
            all[k]->tally(cell, weight, 4, times, counts);
            ipr_markov_fill_block(counts, with ? pool : NULL, 19);
            for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
                for (size_t i = 0; i < 4; i++)
                    plain[cell[i]] = 0.0;
                for (size_t i = 0; i < 4; i++)
                    plain[cell[i]] += weight[i] * times[lane];
                ipr_markov_fill(plain, with ? pool : NULL, 19, want);
                for (size_t i = 0; i < CELLS; i++)
                    assert_close(counts[i * IPR_BLOCK + lane], want[i], 1e-15);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),  cmocka_unit_test(test_meaning),
        cmocka_unit_test(test_neighbours), cmocka_unit_test(test_fits),
        cmocka_unit_test(test_chains),     cmocka_unit_test(test_counts),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
