/* Properties of the Regan-Haworth model on turns simulated from it, and degenerate sets. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "ipr_test_play.h"
#include "ipr_test_regan.h"
#include "ipr_test_vectors.h"
#include "model/ipr.h"
#include "model/regan_estimate.h"
#include "model/regan_fit.h"
#include "model/regan_prob.h"
#include "model/regan_set.h"

enum { LINES = 12 };

/* Games of 30 turns. */
static struct ipr_test_play simulate(const struct ipr_rh_params *p, double s, double c,
                                     size_t games, unsigned long seed)
{
    const struct ipr_test_play_shape shape = { games, 30, LINES, 0.0 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_test_play m;

    gsl_rng_set(rng, seed);
    ipr_test_play(p, s, c, &shape, rng, &m);
    gsl_rng_free(rng);
    return m;
}

static struct ipr_rh_params params(void)
{
    struct ipr_rh_params p = IPR_RH_PARAMS_INIT;

    p.k = LINES;
    p.tail = IPR_RH_TAIL_VK;
    p.order = IPR_PLAYED_LAST;
    return p;
}

static struct ipr_rh_set *set_new(const struct ipr_rh_params *p, const struct ipr_turn *turns,
                                  size_t n)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_rh_set *set = NULL;

    assert_ok(ipr_rh_set_new(p, turns, NULL, n, &set, &err), &err);
    return set;
}

static void test_recovery(void **state)
{
    static const struct {
        double s, c;
        enum ipr_rh_family family;
        enum ipr_rh_conversion conversion;
    } rows[] = {
        { 0.08, 0.51, IPR_RH_EXP, IPR_RH_POWER },   { 0.17, 0.44, IPR_RH_EXP, IPR_RH_POWER },
        { 0.10, 1.50, IPR_RH_IPA, IPR_RH_POWER },   { 0.10, 0.50, IPR_RH_EXP, IPR_RH_NORM },
        { 0.10, 0.60, IPR_RH_SECHA, IPR_RH_POWER }, { 0.10, 0.60, IPR_RH_SECHB, IPR_RH_POWER },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ipr_rh_params p = params();
        struct ipr_test_play m;
        struct ipr_rh_set *set;
        p.family = rows[i].family;
        p.conversion = rows[i].conversion;
        m = simulate(&p, rows[i].s, rows[i].c, 60, 100 + i);
        set = set_new(&p, m.turns, m.n);
        for (int kind = IPR_RH_MOMENTS; kind <= IPR_RH_RMLE; kind++) {
            const struct ipr_rh_fit_options o = { (enum ipr_rh_fit_kind)kind, 0.0 };
            struct ipr_err err = IPR_ERR_INIT;
            struct ipr_rh_fit f;
            assert_ok(ipr_rh_fit(set, &o, &f, &err), &err);
            assert_true(f.cov_known && f.cov[0] > 0.0 && f.cov[3] > 0.0);
            /* Four standard errors: one such row in 8000 would fail by chance. */
            assert_close(log(f.s), log(rows[i].s), 4.0 * sqrt(f.cov[0]));
            assert_close(log(f.c), log(rows[i].c), 4.0 * sqrt(f.cov[3]));
        }
        ipr_rh_set_free(&set);
        ipr_test_play_release(&m);
    }
}

static void test_gradient(void **state)
{
    const double h = 1e-5;

    (void)state;
    for (int family = IPR_RH_EXP; family <= IPR_RH_SECHB; family++)
        for (int conversion = IPR_RH_POWER; conversion <= IPR_RH_NORM; conversion++) {
            struct ipr_rh_params p = params();
            struct ipr_test_play m = simulate(&p, 0.1, 0.5, 2, 7);
            struct ipr_rh_set *set;
            double g[2];
            double ae;
            double up;
            double down;
            p.family = (enum ipr_rh_family)family;
            p.conversion = (enum ipr_rh_conversion)conversion;
            p.tie = (enum ipr_rh_tie)(family % 3);
            set = set_new(&p, m.turns, m.n);
            assert_int_equal(ipr_rh_ae(set, 0.1, 0.5, &ae, g, NULL), IPR_OK);
            assert_int_equal(ipr_rh_ae(set, 0.1 * exp(h), 0.5, &up, NULL, NULL), IPR_OK);
            assert_int_equal(ipr_rh_ae(set, 0.1 * exp(-h), 0.5, &down, NULL, NULL), IPR_OK);
            assert_close(g[0], (up - down) / (2.0 * h), 1e-8);
            assert_int_equal(ipr_rh_ae(set, 0.1, 0.5 * exp(h), &up, NULL, NULL), IPR_OK);
            assert_int_equal(ipr_rh_ae(set, 0.1, 0.5 * exp(-h), &down, NULL, NULL), IPR_OK);
            assert_close(g[1], (up - down) / (2.0 * h), 1e-8);
            ipr_rh_set_free(&set);
            ipr_test_play_release(&m);
        }
}

/* Turns in any order, games in any order: the same to the last bit. */
static void test_order(void **state)
{
    const struct ipr_rh_params p = params();
    struct ipr_test_play m = simulate(&p, 0.1, 0.48, 20, 3);
    struct ipr_turn *shuffled = ipr_xcalloc(m.n, sizeof *shuffled);
    struct ipr_rh_set *one;
    struct ipr_rh_set *two;

    (void)state;
    for (size_t i = 0; i < m.n; i++)
        shuffled[(i * 367 + 11) % m.n] = m.turns[i];
    one = set_new(&p, m.turns, m.n);
    two = set_new(&p, shuffled, m.n);
    for (int kind = IPR_RH_MOMENTS; kind <= IPR_RH_MLE; kind++) {
        const struct ipr_rh_fit_options o = { .kind = (enum ipr_rh_fit_kind)kind };
        struct ipr_rh_fit a;
        struct ipr_rh_fit b;
        assert_int_equal(ipr_rh_fit(one, &o, &a, NULL), IPR_OK);
        assert_int_equal(ipr_rh_fit(two, &o, &b, NULL), IPR_OK);
        assert_close(a.s, b.s, 0.0);
        assert_close(a.c, b.c, 0.0);
        for (int k = 0; k < 4; k++)
            assert_close(a.cov[k], b.cov[k], 0.0);
    }
    ipr_rh_set_free(&one);
    ipr_rh_set_free(&two);
    free(shuffled);
    ipr_test_play_release(&m);
}

static void test_bootstrap(void **state)
{
    const struct ipr_rh_params p = params();
    const struct ipr_rh_fit_options o = { .kind = IPR_RH_MOMENTS };
    struct ipr_test_play m = simulate(&p, 0.1, 0.48, 60, 21);
    struct ipr_rh_set *set = set_new(&p, m.turns, m.n);
    struct ipr_rh_bootstrap a;
    struct ipr_rh_bootstrap b;
    struct ipr_rh_fit f;
    double ae;
    double g[2];
    double se;

    (void)state;
    assert_int_equal(ipr_rh_fit(set, &o, &f, NULL), IPR_OK);
    assert_int_equal(ipr_rh_bootstrap(set, &f, set, 500, 5, &a, NULL), IPR_OK);
    assert_int_equal(ipr_rh_ae(set, f.s, f.c, &ae, g, NULL), IPR_OK);
    se = sqrt(g[0] * g[0] * f.cov[0] + 2.0 * g[0] * g[1] * f.cov[1] + g[1] * g[1] * f.cov[3]);
    assert_close(a.ae_sd / se, 1.0, 0.15);
    assert_close(sqrt(a.cov[0] / f.cov[0]), 1.0, 0.15);
    assert_close(sqrt(a.cov[3] / f.cov[3]), 1.0, 0.15);
    assert_int_equal(ipr_rh_bootstrap(set, &f, set, 50, 5, &a, NULL), IPR_OK);
    assert_int_equal(ipr_rh_bootstrap(set, &f, set, 50, 5, &b, NULL), IPR_OK);
    assert_close(a.ae_sd, b.ae_sd, 0.0);
    ipr_rh_set_free(&set);
    ipr_test_play_release(&m);
}

/* What a fit of s alone makes least, at ln s. */
static double fit_s_value(struct ipr_rh_task *task, double log_s, double c)
{
    const double x[2] = { log_s, log(c) };

    return task->kind == IPR_RH_PERCENTILE ? ipr_rh_percentile_s(x, 2, task)
                                           : ipr_rh_deviance(x, NULL, task);
}

/*
 * 300 turns of strong play, s alone at the c of the play. ln s lies below -3.36 there, where the
 * 1e-7 that are requested are finer than the resolution of Brent's method.
 */
static void test_strong_sets_have_their_s(void **state)
{
    static const double strong[] = { 0.01, 0.02, 0.03, 0.05 };
    enum { C_SETS = 6 };
    const double c = 0.5;
    const struct ipr_rh_params p = params();

    (void)state;
    for (size_t i = 0; i < C_SETS * sizeof strong / sizeof strong[0]; i++) {
        struct ipr_test_play m = simulate(&p, strong[i / C_SETS], c, 10, 1 + i % C_SETS);
        struct ipr_rh_set *set = set_new(&p, m.turns, m.n);

        for (int kind = IPR_RH_PERCENTILE; kind <= IPR_RH_RMLE; kind++) {
            const struct ipr_rh_fit_options o = { (enum ipr_rh_fit_kind)kind, 0.01 };
            struct ipr_err err = IPR_ERR_INIT;
            struct ipr_rh_task task;
            double s = 0.0;

            assert_ok(ipr_rh_fit_s(set, &o, c, &s, &err), &err);
            ipr_rh_task_init(&task, set, &o);
            const double least = fit_s_value(&task, log(s), c);
            for (double away = 1e-4; away < 1.0; away *= 10.0) {
                assert_true(fit_s_value(&task, log(s) - away, c) > least);
                assert_true(fit_s_value(&task, log(s) + away, c) > least);
            }
            ipr_rh_task_release(&task);
        }
        ipr_rh_set_free(&set);
        ipr_test_play_release(&m);
    }
}

/* |sum p - 1| <= 1e-12 for lists from one move to very far ones, L down to 1e-30 and below. */
static void test_solver(void **state)
{
    static const double far[] = { 1e-9, 0.1, 1.0, 5.0, 20.0, 69.0, 200.0, 600.0, 900.0 };

    (void)state;
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++)
        for (unsigned count = 1; count < 300; count += 100) {
            const double g[3] = { 0.0, far[i], far[i] + 0.5 };
            const unsigned n[3] = { 1, count, 2 };
            double p[3];
            const double log_l = ipr_test_solve(g, n, 3, NAN, p);
            double again[3];
            assert_close(p[0] + count * p[1] + 2.0 * p[2], 1.0, 1e-12);
            if (far[i] > 680.0) {
                assert_close(p[0], 1.0, 0.0);
                continue;
            }
            assert_close(ipr_test_solve(g, n, 3, log_l, again), log_l, 1e-9);
            assert_close(again[1], p[1], 1e-12);
            if (p[1] > 1e-280) /* the defining relation */
                assert_close(log(p[1]) / -exp(log_l + g[1]), 1.0, 1e-6);
        }
    {
        double p[1];
        assert_true(
            isinf(ipr_test_solve((const double[]){ 0.0 }, (const unsigned[]){ 1 }, 1, 0.0, p)));
        assert_close(p[0], 1.0, 0.0);
        assert_true(
            isfinite(ipr_test_solve((const double[]){ 0.0 }, (const unsigned[]){ 4 }, 1, 0.0, p)));
        assert_close(p[0], 0.25, 1e-13);
    }
}

static void assert_block(const struct ipr_rh_set *set, size_t b, double log_s, double log_c)
{
    const int want = IPR_RH_WANT_GRADIENT | IPR_RH_WANT_LOSS | IPR_RH_WANT_LOG;
    double p[IPR_BLOCK * IPR_RH_ENTRIES_MAX];
    struct ipr_rh_lanes at;

    for (int lane = 0; lane < IPR_BLOCK; lane++)
        at.log_l[lane] = NAN;
    ipr_rh_block_at(set, b, log_s, log_c, want, p, &at);
    for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
        const uint32_t t = set->slot_turn[IPR_BLOCK * b + lane];
        double sum = 0.0;
        if (t == IPR_RH_NO_TURN)
            continue;
        for (uint32_t e = 0; e < set->turns[t].n; e++)
            sum += set->count[set->turns[t].first + e] * p[IPR_BLOCK * e + lane];
        assert_close(sum, 1.0, 1e-12);
        assert_true(isfinite(at.loss[lane]) && isfinite(at.log_own[lane]));
        for (int k = 0; k < 2; k++)
            assert_true(isfinite(at.dp0[k][lane]) && isfinite(at.down[k][lane]) &&
                        isfinite(at.dbelow[k][lane]) && isfinite(at.dloss[k][lane]));
    }
}

/* Anywhere in the domain: probabilities that sum to 1, and no figure that is none. */
static void test_domain(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    (void)state;
    for (int k = 0; k < 5 * 3 * 2; k++) {
        struct ipr_rh_params p = params();
        struct ipr_test_play m = simulate(&p, 0.1, 0.48, 3, 9);
        struct ipr_rh_set *set;
        p.family = (enum ipr_rh_family)(k % 5);
        p.tie = (enum ipr_rh_tie)(k / 5 % 3);
        p.conversion = (enum ipr_rh_conversion)(k / 15);
        set = set_new(&p, m.turns, m.n);
        for (int i = 0; i < 60; i++) {
            const double u = gsl_rng_uniform(rng);
            const double log_s = log(IPR_RH_S_MIN) + u * log(IPR_RH_S_MAX / IPR_RH_S_MIN);
            const double log_c =
                log(IPR_RH_C_MIN) + gsl_rng_uniform(rng) * log(IPR_RH_C_MAX / IPR_RH_C_MIN);
            for (size_t b = 0; b < set->blocks; b++)
                assert_block(set, b, log_s, log_c);
        }
        ipr_rh_set_free(&set);
        ipr_test_play_release(&m);
    }
    gsl_rng_free(rng);
}

static const int16_t two_moves[2] = { 50, 20 };
static const int16_t blunder[2] = { 1000, -1000 };
static const int16_t level[2] = { 0, 0 };

/* Each row: `n` copies of a turn over `games` games; `errs` of them with the second move. */
static struct degenerate {
    const char *name;
    struct ipr_turn turn;
    size_t n, errs;
    int32_t games;
    enum ipr_code fit; /* of every kind of fit */
} rows[] = {
    { "one turn, best move",
      { .lines = 2, .n_cp = 2, .legal = 2, .cp = two_moves },
      1,
      0,
      1,
      IPR_EDATA },
    { "every move best",
      { .lines = 2, .n_cp = 2, .legal = 2, .cp = two_moves },
      50,
      0,
      5,
      IPR_EDATA },
    { "all forced", { .lines = 1, .n_cp = 1, .legal = 1, .cp = two_moves }, 50, 0, 5, IPR_EDATA },
    { "huge blunders only",
      { .lines = 2, .n_cp = 2, .legal = 40, .played = 1, .cp = blunder },
      50,
      50,
      5,
      IPR_OK },
    { "huge blunders", { .lines = 2, .n_cp = 2, .legal = 40, .cp = blunder }, 50, 20, 5, IPR_OK },
    { "ties", { .lines = 2, .n_cp = 2, .legal = 2, .cp = level }, 50, 20, 5, IPR_OK },
    { "one game", { .lines = 2, .n_cp = 2, .legal = 2, .cp = two_moves }, 50, 20, 1, IPR_OK },
};

static void assert_finite_fit(const struct ipr_rh_fit *f)
{
    assert_true(isfinite(f->s) && isfinite(f->c) && f->s > 0.0 && f->c > 0.0);
    assert_true(isfinite(f->mm_p) && isfinite(f->ad_p) && isfinite(f->s_score));
    assert_true(isfinite(f->loglik));
    for (int k = 0; k < 4; k++)
        assert_true(isfinite(f->cov[k]));
}

/* The code is as in the table, or (where the table says OK) a refusal with a reason: no NaN. */
static void test_degenerate(void **state)
{
    const struct degenerate *r = *state;
    const struct ipr_rh_params p = params();
    struct ipr_turn *turns = ipr_xcalloc(r->n, sizeof *turns);
    struct ipr_rh_set *set;

    for (size_t i = 0; i < r->n; i++) {
        turns[i] = r->turn;
        turns[i].game = (int32_t)i % r->games;
        turns[i].played = i < r->errs;
    }
    set = set_new(&p, turns, r->n);
    for (int kind = IPR_RH_MOMENTS; kind <= IPR_RH_RMLE; kind++) {
        const struct ipr_rh_fit_options o = { (enum ipr_rh_fit_kind)kind, 0.01 };
        const struct ipr_calibration cal = {
            .a = 3000, .b = 10000, .elo_min = 1600, .elo_max = 2700
        };
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_rating rating;
        struct ipr_rh_fit f;
        const enum ipr_code rc = ipr_rh_fit(set, &o, &f, &err);

        if (r->fit != IPR_OK)
            assert_int_equal(rc, r->fit);
        if (rc == IPR_OK)
            assert_finite_fit(&f);
        else
            assert_true(err.msg[0] != '\0' && (rc == IPR_EDATA || rc == IPR_ENOCONV));
        ipr_err_clear(&err);
        if (ipr_ipr(&cal, set, set, &o, &rating, &err) == IPR_OK)
            assert_true(isfinite(rating.ipr) && isfinite(rating.se) && r->games > 1);
        else
            assert_true(err.msg[0] != '\0');
    }
    ipr_rh_set_free(&set);
    free(turns);
}

/* Of the player's own (s, c): no more than chance; of forced moves alone: nothing to compare. */
static void test_concordance(void **state)
{
    const struct ipr_rh_params p = params();
    const struct ipr_concordance_options o = { .replicates = 400, .seed = 3 };
    const struct ipr_turn forced = { .lines = 1, .n_cp = 1, .legal = 1, .cp = two_moves };
    struct ipr_test_play m = simulate(&p, 0.1, 0.48, 40, 77);
    struct ipr_rh_set *set = set_new(&p, m.turns, m.n);
    struct ipr_rh_set *none = set_new(&p, &forced, 1);
    struct ipr_concordance k = { .turns = 7 };
    struct ipr_concordance again;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_ok(ipr_concordance(set, 0.1, 0.48, &o, &k, &err), &err);
    assert_true(fabs(k.z_mm) < 4.0 && fabs(k.z_ad) < 4.0);
    assert_true(k.factor_mm >= 1.0 && k.factor_ad >= 1.0);
    assert_true(k.tail_mm > 0.0 && k.tail_mm <= 1.0 && k.tail_ad > 0.0 && k.tail_ad <= 1.0);
    assert_int_equal(ipr_concordance(set, 0.1, 0.48, &o, &again, NULL), IPR_OK);
    assert_memory_equal(&k, &again, sizeof k);
    /* Of a far better player: worse than projected on both counts. */
    assert_ok(ipr_concordance(set, 0.02, 0.48, &o, &k, &err), &err);
    assert_true(k.z_mm < -4.0 && k.z_ad > 4.0);
    k.turns = 7;
    assert_int_equal(ipr_concordance(none, 0.1, 0.48, &o, &k, NULL), IPR_EDATA);
    assert_int_equal(k.turns, 7);
    ipr_rh_set_free(&none);
    ipr_rh_set_free(&set);
    ipr_test_play_release(&m);
}

static void test_no_turns(void **state)
{
    const struct ipr_rh_params p = params();
    struct ipr_rh_params bad = params();
    struct ipr_rh_set *set = NULL;

    (void)state;
    assert_int_equal(ipr_rh_set_new(&p, NULL, NULL, 0, &set, NULL), IPR_EDATA);
    bad.cap = 0.0;
    assert_int_equal(ipr_rh_set_new(&bad, &rows[0].turn, NULL, 1, &set, NULL), IPR_EINVAL);
    assert_null(set);
    ipr_rh_set_free(&set);
    ipr_rh_set_free(NULL);
}

/* Tail and order rules on one list, by hand. */
static void test_list(void **state)
{
    const int16_t cp[5] = { 100, 60, 40, 20, 50 };
    const struct ipr_turn t = { .lines = 4, .n_cp = 5, .played = 4, .legal = 9, .cp = cp };
    struct ipr_rh_params p = IPR_RH_PARAMS_INIT;
    struct ipr_rh_list l;

    (void)state;
    ipr_rh_list(&p, &t, &l); /* 50 is placed third; tail 2*20 - 60 = -20 */
    assert_int_equal(l.lines, 5);
    assert_int_equal(l.played, 2);
    assert_false(l.extra);
    assert_close(l.delta[2], log(2.0) - log(1.5), 1e-15);
    assert_int_equal(l.tail, 4);
    assert_close(l.tail_delta, log(2.0) + log(1.2), 1e-15);
    p.order = IPR_PLAYED_LAST;
    p.tail = IPR_RH_TAIL_NONE;
    ipr_rh_list(&p, &t, &l);
    assert_int_equal(l.lines, 4);
    assert_int_equal(l.played, -1);
    assert_true(l.extra);
    assert_close(l.extra_delta, log(2.0) - log(1.2), 1e-15); /* held to the last line's 20 */
    assert_int_equal(l.tail, 0);
    assert_close(ipr_rh_delta(200, -900, 4.0), log(3.0) + log(3.0), 1e-15);
}

static void test_calibration(void **state)
{
    const struct ipr_rh_params p = params();
    static const double elo[4] = { 2600, 2300, 2000, 1700 };
    static const double s[4] = { 0.089, 0.111, 0.143, 0.155 };
    const struct ipr_rh_fit_options o = { .kind = IPR_RH_PERCENTILE };
    struct ipr_milepost m[4];
    struct ipr_rh_set *sets[4];
    struct ipr_calibration cal;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    for (int i = 0; i < 4; i++) {
        struct ipr_test_play d =
            simulate(&p, s[i], 0.436 + (elo[i] - 1600.0) * 7e-5, 60, 40UL + (unsigned)i);
        sets[i] = set_new(&p, d.turns, d.n);
        m[i].elo = elo[i];
        ipr_test_play_release(&d);
    }
    assert_ok(
        ipr_calibration_fit((const struct ipr_rh_set *const *)sets, 4, sets[1], &o, m, &cal, &err),
        &err);
    assert_true(cal.b > 0.0 && cal.elo_min <= 1700.0 && cal.elo_max >= 2600.0);
    for (int i = 0; i < 4; i++) {
        double found_s;
        double found_c;
        double ae;
        assert_close(m[i].fitted_elo, elo[i], 300.0);
        assert_true(m[i].s_fit > 0.0);
        /* The agent of a rating projects that rating. */
        assert_ok(ipr_calibration_agent(&cal, sets[1], elo[i], &found_s, &found_c, &err), &err);
        assert_ok(ipr_rh_ae(sets[1], found_s, found_c, &ae, NULL, &err), &err);
        assert_close(cal.a - cal.b * ae, elo[i], 1e-6);
    }
    assert_int_equal(ipr_calibration_line(m, 2, sets[1], &cal, NULL), IPR_EDATA);
    assert_int_equal(ipr_calibration_agent(&cal, sets[1], 9000.0, &m[0].s, &m[0].c, NULL),
                     IPR_EDATA);
    for (int i = 0; i < 4; i++)
        ipr_rh_set_free(&sets[i]);
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof rows[0], FIXED = 10 };
    struct CMUnitTest tests[ROWS + FIXED] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_solver),
        cmocka_unit_test(test_gradient),
        cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_bootstrap),
        cmocka_unit_test(test_strong_sets_have_their_s),
        cmocka_unit_test(test_no_turns),
        cmocka_unit_test(test_calibration),
        cmocka_unit_test(test_concordance),
        cmocka_unit_test(test_domain),
    };

    for (int i = 0; i < ROWS; i++)
        tests[FIXED + i] = (struct CMUnitTest){ .name = rows[i].name,
                                                .test_func = test_degenerate,
                                                .initial_state = &rows[i] };
    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
