/* The model of players who see several depths: lists, likelihood, recovery of known weights. */
#include "model/regan_depth.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <stdlib.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "ipr_test_play.h"
#include "ipr_test_regan.h"
#include "model/regan_depth_set.h"
#include "model/regan_fit.h"
#include "model/regan_prob.h"

enum { NONE = IPR_RH_DEPTH_NONE, LINES = 8, DEPTHS_MAX = 6 };

/* Turns of games of 25, every legal move a line. */
struct play {
    struct ipr_turn *turns;
    struct ipr_rh_depth_scores *scores;
    int16_t *cp, *by_depth;
    size_t n;
};

static struct ipr_rh_params params(void)
{
    struct ipr_rh_params p = IPR_RH_PARAMS_INIT;

    p.k = LINES;
    return p;
}

static int falling(const void *a, const void *b)
{
    return *(const int16_t *)b - *(const int16_t *)a;
}

/* Scores of a shallow depth are those of the last and an error that falls with the depth. */
static void draw_scores(gsl_rng *rng, unsigned depths, int16_t *cp, int16_t *by_depth)
{
    for (unsigned i = 0; i < LINES; i++)
        cp[i] = (int16_t)(gsl_rng_uniform(rng) * gsl_rng_uniform(rng) * -250.0 + 60.0);
    qsort(cp, LINES, sizeof *cp, falling);
    for (unsigned i = 0; i < LINES; i++)
        for (unsigned d = 0; d < depths; d++)
            by_depth[i * depths + d] =
                (int16_t)(cp[i] + gsl_ran_gaussian(rng, 60.0 * (depths - 1 - d) / depths));
}

/* The move played, drawn with the probabilities that are defined move by move. */
static unsigned draw_played(gsl_rng *rng, const struct ipr_turn *t,
                            const struct ipr_rh_depth_scores *scores, const double *w, double s,
                            double c)
{
    const struct ipr_rh_params p = params();
    double delta[(LINES + 1) * DEPTHS_MAX];
    struct ipr_rh_depth_list list = { .delta = delta };
    double probs[LINES];
    double u = gsl_rng_uniform(rng);
    unsigned k = 0;

    ipr_rh_depth_list(&p, t, scores, scores->depths, &list);
    ipr_test_depth_probs(delta, w, LINES, scores->depths, s, c, probs);
    for (; k + 1 < LINES && u >= probs[k]; k++)
        u -= probs[k];
    return k;
}

static struct play simulate(unsigned depths, const double *w, double s, double c, size_t n,
                            unsigned long seed)
{
    struct play p = { ipr_xcalloc(n, sizeof(struct ipr_turn)),
                      ipr_xcalloc(n, sizeof(struct ipr_rh_depth_scores)),
                      ipr_xcalloc(n * LINES, sizeof(int16_t)),
                      ipr_xcalloc(n * LINES * depths, sizeof(int16_t)), n };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, seed);
    for (size_t i = 0; i < n; i++) {
        int16_t *by_depth = &p.by_depth[i * LINES * depths];

        draw_scores(rng, depths, &p.cp[i * LINES], by_depth);
        p.scores[i] = (struct ipr_rh_depth_scores){ depths, by_depth };
        p.turns[i] = (struct ipr_turn){ .game = (int32_t)(i / 25),
                                        .ply = (uint16_t)(16 + i % 25 * 2),
                                        .lines = LINES,
                                        .n_cp = LINES,
                                        .legal = LINES,
                                        .cp = &p.cp[i * LINES] };
        p.turns[i].played = (uint8_t)draw_played(rng, &p.turns[i], &p.scores[i], w, s, c);
    }
    gsl_rng_free(rng);
    return p;
}

static void release(struct play *p)
{
    free(p->turns);
    free(p->scores);
    free(p->cp);
    free(p->by_depth);
}

static struct ipr_rh_depth_set *set_of(const struct play *play, const size_t *keep)
{
    const struct ipr_rh_params p = params();
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_rh_depth_set *set = NULL;

    assert_ok(ipr_rh_depth_set_new(&p, play->turns, play->scores, keep, play->n, &set, &err), &err);
    return set;
}

/* sum ln p_played for weights w, taken as shares: what ipr_rh_depth_fit maximises. */
static double loglik_at(const struct ipr_rh_depth_set *set, const double *w, double s, double c)
{
    double shares[IPR_RH_DEPTHS_MAX], total = 0.0;
    struct ipr_rh_depth_task task;

    for (unsigned d = 0; d < set->depths; d++)
        total += w[d];
    for (unsigned d = 0; d < set->depths; d++)
        shares[d] = w[d] / total;
    ipr_rh_depth_task_init(&task, set);
    const double loglik = ipr_rh_depth_at(&task, log(s), log(c), shares, 0);
    ipr_rh_depth_task_release(&task);
    return loglik;
}

/* Differences in centipawns of even evaluations are distinguished by these. */
static double delta(int best, int cp)
{
    return ipr_rh_delta(best, cp, 4.0);
}

/* Three lines, three depths; the last column is that of the turn. */
static void test_rules(void **state)
{
    static const struct {
        const char *name;
        int16_t cp[9];     /* as scores */
        int want[3][2][2]; /* line, depth: best and own score; equal ones: no difference */
    } rows[] = {
        { "known at every depth",
          { 10, 30, 50, 40, 20, 40, 0, 0, 30 },
          { { { 40, 10 }, { 30, 30 } }, { { 40, 40 }, { 30, 20 } }, { { 40, 0 }, { 30, 0 } } } },
        { "the next deeper score of the line",
          { NONE, 10, 50, 40, 20, 40, NONE, NONE, 30 },
          { { { 40, 10 }, { 20, 10 } }, { { 40, 40 }, { 20, 20 } }, { { 40, 30 }, { 20, 10 } } } },
        { "no better than what the depth reports",
          { NONE, 10, 50, NONE, NONE, 40, -20, 0, 30 },
          { { { -20, -20 }, { 10, 10 } },
            { { -20, -20 }, { 10, 0 } },
            { { -20, -20 }, { 10, 0 } } } },
        { "a depth that reports nothing",
          { NONE, 10, 50, NONE, 40, 40, NONE, 0, 30 },
          { { { 40, 10 }, { 40, 10 } }, { { 40, 40 }, { 40, 40 } }, { { 40, 0 }, { 40, 0 } } } },
    };
    const struct ipr_rh_params p = {
        .k = 3, .cap = 4.0, .tie_pawns = 0.03, .tie = IPR_RH_TIE_NONE, .tail = IPR_RH_TAIL_NONE
    };
    const int16_t final[] = { 50, 40, 30 };

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const struct ipr_turn t = { .lines = 3, .n_cp = 3, .legal = 3, .cp = final };
        const struct ipr_rh_depth_scores s = { 3, rows[r].cp };
        double found[12];
        struct ipr_rh_depth_list list = { .delta = found };

        ipr_rh_depth_list(&p, &t, &s, 3, &list);
        assert_int_equal(list.n, 3);
        for (int i = 0; i < 3; i++) {
            for (int d = 0; d < 2; d++)
                assert_close(found[3 * i + d], delta(rows[r].want[i][d][0], rows[r].want[i][d][1]),
                             1e-15);
            assert_close(found[3 * i + 2], delta(50, final[i]), 1e-15);
        }
    }
}

/* Of moves that tie at a depth the first listed is the best; the others have the tie's. */
static void test_tie(void **state)
{
    const struct ipr_rh_params p = params();
    const int16_t final[] = { 50, 50, 30 };
    const int16_t by_depth[] = { 0, 50, 20, 50, 20, 30 };
    const struct ipr_turn t = { .lines = 3, .n_cp = 3, .legal = 3, .cp = final };
    const struct ipr_rh_depth_scores s = { 2, by_depth };
    double found[8];
    struct ipr_rh_depth_list list = { .delta = found };

    (void)state;
    ipr_rh_depth_list(&p, &t, &s, 2, &list);
    assert_close(found[0], delta(20, 0), 1e-15);
    assert_close(found[2], 0.0, 0.0);
    assert_close(found[4], 0.03, 0.0);
    assert_close(found[1], 0.0, 0.0);
    assert_close(found[3], 0.03, 0.0);
    assert_close(found[5], delta(50, 30), 1e-15);
}

static double delta_played(const struct ipr_rh_list *l)
{
    return l->played >= 0 ? l->delta[l->played] : l->extra_delta;
}

/* The last depth is the model without depths: moves judged apart, tails, ties, either order. */
static void test_last_depth_is_the_plain_list(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct ipr_rh_params p = params();
        int16_t cp[LINES + 1];
        int16_t by_depth[(LINES + 1) * 4];
        struct ipr_turn t = { .lines = LINES, .n_cp = LINES, .cp = cp };
        const struct ipr_rh_depth_scores s = { 4, by_depth };
        double found[(LINES + 2) * 6];
        struct ipr_rh_depth_list got = { .delta = found };
        struct ipr_rh_list want;

        draw_scores(rng, 4, cp, by_depth);
        cp[LINES] = (int16_t)(gsl_rng_uniform(rng) * 400.0 - 300.0);
        for (int i = 0; i < 4; i++)
            by_depth[4 * LINES + i] = i % 2 ? (int16_t)NONE : cp[LINES];
        if (round % 3 == 0)
            cp[1] = cp[0];
        t.played = (uint8_t)gsl_rng_uniform_int(rng, LINES + 1);
        t.n_cp = t.played == LINES ? LINES + 1 : LINES;
        t.legal = (uint8_t)(t.n_cp + gsl_rng_uniform_int(rng, 3) * 4);
        p.order = round % 2 ? IPR_PLAYED_LAST : IPR_PLAYED_PLACED;
        p.tail = (enum ipr_rh_tail)(round % 3);

        ipr_rh_list(&p, &t, &want);
        ipr_rh_depth_list(&p, &t, &s, 6, &got); /* depths 5 and 6 are the fourth */
        for (unsigned d = 3; d < 6; d++) {
            unsigned moves = 0;
            double sum = 0.0, want_sum = want.tail * want.tail_delta;

            for (unsigned i = 0; i < got.n; i++) {
                moves += got.count[i];
                sum += got.count[i] * found[6 * i + d];
            }
            for (unsigned i = 0; i < want.lines; i++)
                want_sum += want.delta[i];
            want_sum += want.extra ? want.extra_delta : 0.0;
            assert_int_equal(moves, want.lines + want.tail + (want.extra ? 1U : 0U));
            assert_close(sum, want_sum, 1e-12);
            assert_close(found[6 * got.played + d], delta_played(&want), 0.0);
        }
    }
    gsl_rng_free(rng);
}

/* Against the sum over turns of probabilities taken move by move. */
static void test_likelihood(void **state)
{
    static const double weights[][4] = { { 0.1, 0.2, 0.3, 0.4 },
                                         { 0.0, 0.0, 0.0, 1.0 },
                                         { 3.0, 0.0, 1.0, 0.0 } };
    const struct ipr_rh_params p = params();
    struct play play = simulate(4, weights[0], 0.12, 0.6, 60, 3);
    struct ipr_rh_depth_set *set = set_of(&play, NULL);

    (void)state;
    for (int k = 0; k < 3; k++) {
        double want = 0.0;

        for (size_t i = 0; i < play.n; i++) {
            double found[(LINES + 1) * 4];
            struct ipr_rh_depth_list list = { .delta = found };
            double probs[LINES];

            ipr_rh_depth_list(&p, &play.turns[i], &play.scores[i], 4, &list);
            ipr_test_depth_probs(found, weights[k], LINES, 4, 0.1, 0.5, probs);
            want += log(probs[list.played]);
        }
        assert_close(loglik_at(set, weights[k], 0.1, 0.5), want, 1e-8);
    }
    ipr_rh_depth_set_free(&set);
    release(&play);
}

static struct ipr_rh_depth_fit fit_of(const struct play *play, const size_t *keep)
{
    struct ipr_rh_depth_set *set = set_of(play, keep);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_rh_depth_fit fit;

    assert_ok(ipr_rh_depth_fit(set, &fit, &err), &err);
    ipr_rh_depth_set_free(&set);
    return fit;
}

/* Nowhere near the fit is the likelihood higher. */
static void check_peak(const struct play *play, const struct ipr_rh_depth_fit *fit)
{
    struct ipr_rh_depth_set *set = set_of(play, NULL);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    assert_close(loglik_at(set, fit->w, fit->s, fit->c), fit->loglik, 1e-6);
    for (int round = 0; round < 60; round++) {
        const double size = round % 2 ? 0.1 : 0.005;
        double w[IPR_RH_DEPTHS_MAX] = { 0 };

        for (unsigned d = 0; d < fit->depths; d++)
            w[d] = fmax(0.0, fit->w[d] + gsl_ran_gaussian(rng, size));
        w[0] += 1e-9;
        assert_true(loglik_at(set, w, fit->s * exp(gsl_ran_gaussian(rng, size)),
                              fit->c * exp(gsl_ran_gaussian(rng, size))) < fit->loglik + 1e-4);
    }
    gsl_rng_free(rng);
    ipr_rh_depth_set_free(&set);
}

static void test_recovery(void **state)
{
    static const struct {
        unsigned depths;
        double w[DEPTHS_MAX], s, c;
    } rows[] = {
        { 3, { 0.2, 0.3, 0.5 }, 0.10, 0.60 },
        { 4, { 0.4, 0.1, 0.2, 0.3 }, 0.15, 0.80 },
        { 6, { 0.1, 0.1, 0.1, 0.2, 0.2, 0.3 }, 0.08, 0.50 },
    };

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct play play = simulate(rows[r].depths, rows[r].w, rows[r].s, rows[r].c, 8000, 11 + r);
        const struct ipr_rh_depth_fit fit = fit_of(&play, NULL);
        struct ipr_rh_depth_set *set = set_of(&play, NULL);
        double sum = 0.0;

        assert_true(fit.se_known);
        assert_close(log(fit.s), log(rows[r].s), 4.0 * fit.ln_s_se);
        assert_close(log(fit.c), log(rows[r].c), 4.0 * fit.ln_c_se);
        assert_true(fit.ln_s_se < 0.3 && fit.ln_c_se < 0.2);
        for (unsigned d = 0; d < rows[r].depths; d++) {
            assert_true(fit.w[d] > 0.0 && fit.w_se[d] < 0.15);
            assert_close(fit.w[d], rows[r].w[d], 4.0 * fit.w_se[d]);
            sum += fit.w[d];
        }
        assert_close(sum, 1.0, 1e-12);
        assert_true(fit.loglik >= loglik_at(set, rows[r].w, rows[r].s, rows[r].c));
        assert_true(fit.loglik > fit.loglik_last + 20.0);
        check_peak(&play, &fit);
        ipr_rh_depth_set_free(&set);
        release(&play);
    }
}

/* Estimates scatter as their errors say. */
static void test_errors(void **state)
{
    enum { PLAYERS = 60 };
    static const double w[] = { 0.25, 0.30, 0.45 };
    double squares[3] = { 0 };

    (void)state;
    for (int i = 0; i < PLAYERS; i++) {
        struct play play = simulate(3, w, 0.12, 0.6, 1500, 100U + (unsigned)i);
        const struct ipr_rh_depth_fit fit = fit_of(&play, NULL);
        const double z[] = { (fit.mean_depth - 2.2) / fit.mean_depth_se,
                             (fit.w[2] - w[2]) / fit.w_se[2],
                             (log(fit.s) - log(0.12)) / fit.ln_s_se };

        assert_true(fit.se_known);
        for (int k = 0; k < 3; k++)
            squares[k] += z[k] * z[k] / PLAYERS;
        release(&play);
    }
    for (int k = 0; k < 3; k++)
        assert_close(squares[k], 1.0, 0.55); /* three standard errors of a chi-squared of 60 */
}

/* A player who sees the last depth alone: nothing is gained by the others. */
static void test_last_depth_alone(void **state)
{
    static const double w[] = { 0.0, 0.0, 0.0, 1.0 };
    const struct ipr_rh_params p = params();
    const struct ipr_rh_fit_options mle = { .kind = IPR_RH_MLE };
    struct play play = simulate(4, w, 0.12, 0.6, 4000, 5);
    const struct ipr_rh_depth_fit fit = fit_of(&play, NULL);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_rh_set *set = NULL;
    struct ipr_rh_fit plain;
    int zeros = 0;

    (void)state;
    assert_ok(ipr_rh_set_new(&p, play.turns, NULL, play.n, &set, &err), &err);
    assert_ok(ipr_rh_fit(set, &mle, &plain, &err), &err);
    assert_close(fit.loglik_last, plain.loglik, 1e-6);
    assert_close(fit.s_last, plain.s, 1e-5);
    assert_close(fit.c_last, plain.c, 1e-5);
    assert_int_equal(fit.degrees, 3);
    assert_true(fit.loglik >= fit.loglik_last && fit.loglik < fit.loglik_last + 8.0);
    assert_true(fit.w[3] > 0.95 && fit.mean_depth > 3.9);
    for (int d = 0; d < 3; d++)
        zeros += !(fit.w[d] > 0.0) && !(fit.w_se[d] > 0.0);
    assert_true(zeros > 0); /* taken out, not merely small */
    check_peak(&play, &fit);
    ipr_rh_set_free(&set);
    release(&play);
}

/* Neither the order of the turns nor chance has a part in the answer. */
static void test_order(void **state)
{
    static const double w[] = { 0.2, 0.3, 0.5 };
    struct play play = simulate(3, w, 0.12, 0.6, 1000, 8);
    size_t *keep = ipr_xcalloc(play.n, sizeof *keep);
    const struct ipr_rh_depth_fit first = fit_of(&play, NULL);

    (void)state;
    for (size_t i = 0; i < play.n; i++)
        keep[i] = (i * 387 + 11) % play.n;
    const struct ipr_rh_depth_fit second = fit_of(&play, keep);
    assert_close(second.loglik, first.loglik, 0.0);
    assert_close(second.s, first.s, 0.0);
    assert_close(second.c, first.c, 0.0);
    assert_close(second.mean_depth_se, first.mean_depth_se, 0.0);
    assert_memory_equal(second.w, first.w, sizeof first.w);
    free(keep);
    release(&play);
}

/* Turns that ended at depth 2 count at depth 3 as at their last. */
static void test_depths_differ_by_turn(void **state)
{
    static const double w[] = { 0.2, 0.3, 0.5 };
    struct play play = simulate(3, w, 0.12, 0.6, 1000, 9);
    struct play other = simulate(2, w, 0.12, 0.6, 1000, 10);

    (void)state;
    for (size_t i = 0; i < 500; i++) {
        play.turns[i] = other.turns[i];
        play.scores[i] = other.scores[i];
    }
    const struct ipr_rh_depth_fit fit = fit_of(&play, NULL);
    assert_int_equal(fit.depths, 3);
    assert_int_equal(fit.turns, 1000);
    assert_true(isfinite(fit.loglik) && isfinite(fit.mean_depth_se));
    release(&play);
    release(&other);
}

/* What makes a set that cannot be fitted. */
enum spoil { ONE_DEPTH, SAME_DEPTHS, FEW, ALL_BEST, ALL_WORST, FORCED, SPOILS };

static void spoil(struct play *p, enum spoil how)
{
    if (how == FEW)
        p->n = 99;
    for (size_t i = 0; i < p->n; i++) {
        struct ipr_turn *t = &p->turns[i];

        if (how == ONE_DEPTH)
            p->scores[i].depths = 1;
        for (unsigned k = 0; how == SAME_DEPTHS && k < LINES * 3; k++)
            p->by_depth[i * LINES * 3 + k] = p->cp[i * LINES + k / 3];
        if (how == ALL_BEST)
            t->played = 0;
        if (how == ALL_WORST)
            t->played = LINES - 1;
        if (how == FORCED)
            *t = (struct ipr_turn){
                .game = t->game, .ply = t->ply, .lines = 1, .n_cp = 1, .legal = 1, .cp = t->cp
            };
    }
}

static void test_refusals(void **state)
{
    static const double w[] = { 0.2, 0.3, 0.5 };
    static const char *const why[SPOILS] = {
        [ONE_DEPTH] = "one depth",      [SAME_DEPTHS] = "are the same",
        [FEW] = "100 moves are needed", [ALL_BEST] = "no move of the set was an error",
        [ALL_WORST] = "every move",     [FORCED] = "offers a choice",
    };

    (void)state;
    for (int how = 0; how < SPOILS; how++) {
        struct play play = simulate(3, w, 0.12, 0.6, 300, 2);
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_rh_depth_fit fit = { .s = 4711.0 };

        spoil(&play, (enum spoil)how);
        struct ipr_rh_depth_set *set = set_of(&play, NULL);
        assert_int_equal(ipr_rh_depth_fit(set, &fit, &err), IPR_EDATA);
        assert_non_null(strstr(err.msg, why[how]));
        assert_close(fit.s, 4711.0, 0.0);
        ipr_rh_depth_set_free(&set);
        release(&play);
    }
}

/* One game: the weights are known, their errors are not. */
static void test_one_game(void **state)
{
    static const double w[] = { 0.2, 0.3, 0.5 };
    struct play play = simulate(3, w, 0.12, 0.6, 400, 4);

    (void)state;
    for (size_t i = 0; i < play.n; i++) {
        play.turns[i].game = 1;
        play.turns[i].ply = (uint16_t)(2 * i);
    }
    const struct ipr_rh_depth_fit fit = fit_of(&play, NULL);
    assert_false(fit.se_known);
    assert_close(fit.mean_depth_se, 0.0, 0.0);
    assert_close(fit.w_se[2], 0.0, 0.0);
    release(&play);
}

static void test_domain(void **state)
{
    static const double w[] = { 0.2, 0.3, 0.5 };
    struct play play = simulate(3, w, 0.12, 0.6, 40, 4);
    struct ipr_rh_depth_set *set = NULL;
    struct ipr_rh_params p = params();

    (void)state;
    assert_int_equal(ipr_rh_depth_set_new(&p, play.turns, play.scores, NULL, 0, &set, NULL),
                     IPR_EDATA);
    p.family = IPR_RH_IPA;
    assert_int_equal(ipr_rh_depth_set_new(&p, play.turns, play.scores, NULL, 9, &set, NULL),
                     IPR_EINVAL);
    p = params();
    play.scores[4].depths = IPR_RH_DEPTHS_MAX + 1;
    assert_int_equal(ipr_rh_depth_set_new(&p, play.turns, play.scores, NULL, 9, &set, NULL),
                     IPR_EINVAL);
    play.turns[3].played = LINES;
    assert_int_equal(ipr_rh_depth_set_new(&p, play.turns, play.scores, NULL, 4, &set, NULL),
                     IPR_EINVAL);
    assert_null(set);
    release(&play);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_tie),
        cmocka_unit_test(test_last_depth_is_the_plain_list),
        cmocka_unit_test(test_likelihood),
        cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_last_depth_alone),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_depths_differ_by_turn),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_one_game),
        cmocka_unit_test(test_domain),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
