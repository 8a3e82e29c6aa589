/* Expected scores of the games in which a champion takes part. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "lab/predictors/predictors.h"
#include "model/conformance_predict.h"
#include "model/covariance.h"
#include "model/elo.h"
#include "model/gain.h"
#include "model/results_shipped.h"
#include "model/strength_shipped.h"
#include "stats/interval.h"

/* One side of a prediction: moves up to a year. */
struct side {
    const struct predictors_moves *moves;
    int year;
};

/* A champion's chances against an opponent before a year: expected score as White, as Black. */
struct meeting {
    bool made;
    double p[2][PREDICTORS];
};

/* ---- the methods of moves ---- */

static bool is_markov_variant(enum predictor k)
{
    return k > PREDICTOR_MARKOV && k <= PREDICTOR_MARKOV_YEAR;
}

/* Losses up to the year, with their weights. */
struct losses {
    struct ipr_gain_turn *turn;
    double *weight;
    size_t n;
};

static struct losses losses_of(const struct side *s, const struct ipr_conformance_params *params)
{
    const size_t room = s->moves->n + 1;
    size_t *keep = ipr_xcalloc(room, sizeof *keep), n = 0;
    struct losses out = { .weight = ipr_xcalloc(room, sizeof *out.weight) };
    struct ipr_err err;

    for (size_t i = 0; i < s->moves->n; i++) {
        out.weight[n] = ipr_year_weight(s->moves->turn[i].year, s->year, params->forgetting);
        if (out.weight[n] > 0.0)
            keep[n++] = i;
    }
    out.turn = ipr_xcalloc(n + 1, sizeof *out.turn);
    if (ipr_gain_turns(params, s->moves->turn, keep, n, out.turn, &err) == IPR_OK)
        out.n = n;
    free(keep);
    return out;
}

static void losses_free(struct losses *l)
{
    free(l->turn);
    free(l->weight);
}

static double by_covariance(const struct side s[2], enum ipr_covariance_score score,
                            double forgetting)
{
    struct ipr_covariance_params params = ipr_covariance_default();
    struct ipr_conformance_params loss = IPR_CONFORMANCE_INIT;
    struct ipr_covariance_prediction out = { .expected = NAN };
    struct ipr_covariance_player player[2];
    struct losses losses[2];
    struct ipr_err err;

    params.replicates = 0;
    params.score = score;
    loss.forgetting = forgetting;
    if (score == IPR_COVARIANCE_TANH) {
        params.n0 = 0;
        loss.loss = IPR_LOSS_WEIGHTED;
        loss.k1 = 1.20;
        loss.k2 = -3.41;
    }
    for (int i = 0; i < 2; i++) {
        losses[i] = losses_of(&s[i], &loss);
        player[i] = (struct ipr_covariance_player){ losses[i].turn, losses[i].n, losses[i].weight };
    }
    if (ipr_covariance_predict(&player[0], &player[1], &params, &out, &err) != IPR_OK)
        out.expected = NAN;
    losses_free(&losses[0]);
    losses_free(&losses[1]);
    return out.expected;
}

static void by_conformance(const struct side s[2], double p[2][PREDICTORS])
{
    const struct ipr_acs_params params = ipr_acs_default();
    struct ipr_acs_prediction out = { 0 };
    struct ipr_acs_player player[2];
    struct ipr_err err;

    for (int i = 0; i < 2; i++)
        player[i] = (struct ipr_acs_player){ .turns = s[i].moves->turn,
                                             .n = s[i].moves->n,
                                             .year = s[i].year };
    const bool ok = ipr_acs_predict(&player[0], &player[1], &params, &out, &err) == IPR_OK;
    p[0][PREDICTOR_CONFORMANCE] = ok ? out.as_white : NAN;
    p[1][PREDICTOR_CONFORMANCE] = ok ? out.as_black : NAN;
}

/* Up to the year, or of the year alone. */
static size_t markov_turns(const struct side *s, bool alone, struct ipr_markov_turn **out)
{
    size_t n = 0;

    *out = ipr_xcalloc(s->moves->n + 1, sizeof **out);
    for (size_t i = 0; i < s->moves->n; i++) {
        const struct ipr_turn *t = &s->moves->turn[i];

        if (t->year <= s->year && (!alone || t->year == s->year))
            (*out)[n++] =
                (struct ipr_markov_turn){ t->game, t->year, t->cp[0], t->cp[1], t->mover };
    }
    return n;
}

static void by_markov(const struct side s[2], const double *pool, enum predictor variant,
                      double p[2][PREDICTORS])
{
    struct ipr_markov_params params = ipr_markov_default();
    const bool career = variant == PREDICTOR_MARKOV_CAREER;
    struct ipr_markov_prediction out = { 0 };
    struct ipr_markov_player player[2];
    struct ipr_markov_turn *turns[2];
    struct ipr_err err;

    params.replicates = 0;
    if (variant == PREDICTOR_MARKOV_10) {
        params.classes = ipr_markov_classes_10();
        pool = NULL;
    }
    params.separate_colours = variant == PREDICTOR_MARKOV_COLOURS;
    if (variant == PREDICTOR_MARKOV_IDENTITY)
        params.empty_row = IPR_EMPTY_ROW_IDENTITY;
    for (int i = 0; i < 2; i++) {
        player[i].n = markov_turns(&s[i], variant == PREDICTOR_MARKOV_YEAR, &turns[i]);
        player[i].turns = turns[i];
        player[i].year = career ? 0 : s[i].year;
    }
    const bool ok = ipr_markov_predict(&player[0], &player[1], pool, &params, &out, &err) == IPR_OK;
    p[0][variant] = ok ? out.as_white.expected : NAN;
    p[1][variant] = ok ? out.as_black.expected : NAN;
    free(turns[0]);
    free(turns[1]);
}

static const struct {
    enum predictor of;
    enum ipr_covariance_score score;
    double forgetting;
} covariances[] = { { PREDICTOR_BOUND, IPR_COVARIANCE_BOUND, 0 },
                    { PREDICTOR_TANH, IPR_COVARIANCE_TANH, 0 },
                    { PREDICTOR_BOUND_FORGETTING, IPR_COVARIANCE_BOUND, IPR_FORGETTING },
                    { PREDICTOR_BOUND_CAREER, IPR_COVARIANCE_BOUND, 1 } };

static void meeting_make(struct meeting *m, const struct side s[2], const double *pool)
{
    m->made = true;
    by_conformance(s, m->p);
    for (size_t i = 0; i < sizeof covariances / sizeof *covariances; i++)
        m->p[0][covariances[i].of] = m->p[1][covariances[i].of] =
            by_covariance(s, covariances[i].score, covariances[i].forgetting);
    by_markov(s, pool, PREDICTOR_MARKOV, m->p);
    for (enum predictor k = 0; k < PREDICTORS; k++)
        if (is_markov_variant(k))
            by_markov(s, pool, k, m->p);
}

/* ---- methods that give an Elo ---- */

/* Returns the rating by the moves before a year, without a prior; NaN without moves. */
static double rating_before(const struct predictors_person *p, int year, double *se)
{
    const struct ipr_strength_shipped *s = &ipr_strength_shipped;
    double score = 0, information = 0;

    for (int y = PREDICTORS_FIRST_YEAR; y < year && y < PREDICTORS_FIRST_YEAR + PREDICTORS_YEARS;
         y++) {
        const struct predictors_year *of = &p->year[y - PREDICTORS_FIRST_YEAR];

        score += ldexp(of->score, y - year + 1);
        information += ldexp(of->information, y - year + 1);
    }
    if (information <= 0)
        return NAN;
    const struct ipr_strength_estimate e =
        ipr_strength_of_sums(&s->calibration, score, information, s->prior_mean, s->prior_sd);
    *se = (e.raw_hi - e.raw_lo) / 2 / IPR_Z95;
    return e.raw;
}

static void unit_by_elo(struct predictors_games *g, const struct predictors_pools *pools,
                        struct predictors_unit *u)
{
    const struct predictors_person *of[2] = { &g->person[u->first], &g->person[u->second] };
    const double elo_se = ipr_results_shipped.elo_se;
    double rating[2], loss[2], se[2] = { elo_se, elo_se };

    for (int i = 0; i < 2; i++) {
        const bool own = i == 0 || u->both;
        const double elo = u->elo[i] > 0 ? (double)u->elo[i] : (double)NAN;

        rating[i] = own ? rating_before(of[i], u->year, &se[i]) : elo;
        loss[i] =
            own ? pools->intercept + pools->slope * predictors_mean_loss(&of[i]->moves, u->year - 1)
                : elo;
    }
    u->p[PREDICTOR_EVEN] = 0.5;
    u->p[PREDICTOR_ELO] =
        u->elo[0] > 0 && u->elo[1] > 0 ? ipr_elo_expect(u->elo[0], u->elo[1]) : NAN;
    u->error[PREDICTOR_ELO] = M_SQRT2 * elo_se;
    u->error[PREDICTOR_RATING] = hypot(se[0], se[1]);
    u->p[PREDICTOR_RATING] = ipr_elo_expect(rating[0], rating[1]);
    u->p[PREDICTOR_LOSS] = ipr_elo_expect(loss[0], loss[1]);
}

/* ---- all games ---- */

static bool takes_part(struct predictors_games *g, size_t person, int year)
{
    const struct predictors_year *before = predictors_year(&g->person[person], year - 1);

    return before != NULL && before->turns >= PREDICTORS_TURNS;
}

static bool unit_of(struct predictors_games *g, const struct predictors_game *game,
                    struct predictors_unit *out)
{
    const bool part[2] = { takes_part(g, game->person[0], game->year),
                           takes_part(g, game->person[1], game->year) };
    const int first = part[0] ? 0 : 1;

    if ((!part[0] && !part[1]) || game->score < 0)
        return false;
    *out = (struct predictors_unit){ .first = game->person[first],
                                     .second = game->person[1 - first],
                                     .white = first == 0,
                                     .both = part[0] && part[1],
                                     .year = game->year,
                                     .elo = { game->elo[first], game->elo[1 - first] },
                                     .score = first == 0 ? game->score : 1 - game->score };
    for (enum predictor k = 0; k < PREDICTORS; k++)
        out->p[k] = out->error[k] = NAN;
    return out->both || out->elo[1] > 0;
}

static void unit_by_moves(struct predictors_games *g, const struct predictors_pools *pools,
                          struct meeting *meetings, struct predictors_unit *u)
{
    const size_t pool = predictors_pool_of(u->elo[1]);
    const size_t second = u->both ? PREDICTORS_POOLS + u->second : pool;
    struct meeting *const m = &meetings[u->first * (PREDICTORS_POOLS + g->persons) + second];
    const struct side s[2] = {
        { &g->person[u->first].moves, u->year - 1 },
        { u->both ? &g->person[u->second].moves : &pools->pool[pool], u->both ? u->year - 1 : 1 },
    };

    if (!m->made)
        meeting_make(m, s, pools->all);
    for (enum predictor k = PREDICTOR_CONFORMANCE; k < PREDICTORS; k++)
        u->p[k] = m->p[u->white ? 0 : 1][k];
}

enum ipr_code predictors_units(struct predictors_games *g, const struct predictors_pools *pools,
                               struct predictors_unit **units, size_t *n, struct ipr_err *err)
{
    const size_t n_meetings = g->persons * (PREDICTORS_POOLS + g->persons);
    struct meeting *meetings = NULL;
    size_t room = 0;
    int year = 0;

    if (g->n == 0)
        return ipr_err_set(err, IPR_EDATA, "no games");
    *units = ipr_xcalloc(g->n, sizeof **units);
    for (size_t i = 0; i < g->n; i++) {
        struct predictors_unit *const u = &(*units)[room];

        if (!unit_of(g, &g->game[i], u))
            continue;
        if (u->year != year || meetings == NULL) { /* games ascend by year */
            free(meetings);
            meetings = ipr_xcalloc(n_meetings, sizeof *meetings);
            year = u->year;
        }
        unit_by_elo(g, pools, u);
        unit_by_moves(g, pools, meetings, u);
        room++;
    }
    free(meetings);
    *n = room;
    return IPR_OK;
}
