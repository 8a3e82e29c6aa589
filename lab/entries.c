#include "lab/entries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY_CELLS 27

const char *const bench_plain_name[BENCH_PLAINS] = {
    "mean loss, at most 1 pawn",      "mean loss, at most 2 pawns",
    "mean expected-score loss (200)", "mean scaled loss",
    "share of losses <= 0.30",        "share of losses <= 0.50",
    "mean root of the loss",          "mean root of the loss, depths 9 and 10",
};

static double entry_cp(const struct ipr_strength_turn *t, size_t move)
{
    const double cp = t->cp[move][IPR_STRENGTH_DEPTHS - 1];

    return fmax(fmin(cp, 1000), -1000);
}

static double entry_scaled(double cp)
{
    return copysign(log1p(fabs(cp) / 100), cp);
}

static double entry_plain_of(const struct ipr_strength_turn *t, enum bench_plain kind)
{
    const double best = entry_cp(t, 0), played = entry_cp(t, 2);
    const double loss = fmax(best - played, 0);

    switch (kind) {
    case BENCH_CAPPED_1:
        return fmin(loss, 100);
    case BENCH_CAPPED_2:
        return fmin(loss, 200);
    case BENCH_EXPECTED:
        return fmax(1 / (1 + exp(-best / 200)) - 1 / (1 + exp(-played / 200)), 0);
    case BENCH_SCALED:
        return fmax(entry_scaled(best) - entry_scaled(played), 0);
    case BENCH_SHARE_30:
        return loss <= 30;
    case BENCH_SHARE_50:
        return loss <= 50;
    case BENCH_ROOT:
        return sqrt(fmin(loss, 300));
    case BENCH_ROOT_9:
        return sqrt(fmin(ipr_strength_loss(t), 300));
    case BENCH_PLAINS:
        break;
    }
    return 0;
}

static void entry_clear(const struct bench_data *d, struct ipr_strength_side *answer)
{
    for (size_t i = 0; i < d->n_sides; i++)
        answer[i] = (struct ipr_strength_side){ .player = d->side[i].player,
                                                .elo = d->side[i].elo,
                                                .year = d->side[i].year };
}

/* The papers' window. */
static bool entry_counts(const struct ipr_strength_turn *t)
{
    return ipr_strength_counts(t) && fabs(entry_cp(t, 0)) <= 300;
}

void bench_entry_plain(const struct bench_data *d, enum bench_plain kind,
                       struct ipr_strength_side *answer)
{
    entry_clear(d, answer);
    for (size_t i = 0; i < d->n_turns; i++) {
        if (!entry_counts(&d->turn[i]))
            continue;
        answer[d->of[i]].z += entry_plain_of(&d->turn[i], kind);
        answer[d->of[i]].information++;
    }
    for (size_t i = 0; i < d->n_sides; i++)
        if (answer[i].information > 0)
            answer[i].z /= answer[i].information;
}

static size_t entry_cell(const struct ipr_strength_turn *t)
{
    const double gap = entry_cp(t, 0) - (t->legal > 1 ? entry_cp(t, 1) : -1000);
    size_t first = 0;

    for (size_t k = 0; k + 1 < IPR_STRENGTH_DEPTHS; k++)
        first += t->cp[0][k] != IPR_STRENGTH_NONE && t->cp[0][k] >= t->cp[1][k];
    return (t->ply <= 40   ? 0u
            : t->ply <= 60 ? 1u
                           : 2u) *
               9 +
           (gap < 10   ? 0u
            : gap < 50 ? 1u
                       : 2u) *
               3 +
           (first < 4   ? 0u
            : first < 8 ? 1u
                        : 2u);
}

/* True if a side may be used in the fit for fold k. */
static bool entry_teaches(const struct bench_data *d, size_t side, unsigned k)
{
    const struct bench_side *s = d->side + (side & ~(size_t)1);

    return bench_rated(&d->side[side]) && !s[0].blind_game && s[0].fold != k && s[1].fold != k;
}

struct entry_sums {
    double n, e, x, ee, ex, xx;
};

static void cells_learn(const struct bench_data *d, unsigned k, struct entry_sums sum[ENTRY_CELLS])
{
    memset(sum, 0, ENTRY_CELLS * sizeof *sum);
    for (size_t i = 0; i < d->n_turns; i++) {
        const double e = (d->side[d->of[i]].elo - 2250) / 300;
        const double x = entry_plain_of(&d->turn[i], BENCH_CAPPED_2);
        struct entry_sums *s = &sum[entry_cell(&d->turn[i])];

        if (!entry_counts(&d->turn[i]) || !entry_teaches(d, d->of[i], k))
            continue;
        s->n++;
        s->e += e;
        s->x += x;
        s->ee += e * e;
        s->ex += e * x;
        s->xx += x * x;
    }
}

static void cells_apply(const struct bench_data *d, unsigned k,
                        const struct entry_sums sum[ENTRY_CELLS], struct ipr_strength_side *answer)
{
    for (size_t i = 0; i < d->n_turns; i++) {
        const struct bench_side *side = &d->side[d->of[i]];
        const struct entry_sums *s = &sum[entry_cell(&d->turn[i])];
        double slope, variance, mean;

        if (!entry_counts(&d->turn[i]) || (side->blind_game ? BENCH_FOLDS : side->fold) != k)
            continue;
        slope = (s->n * s->ex - s->e * s->x) / (s->n * s->ee - s->e * s->e);
        mean = (s->x - slope * s->e) / s->n;
        variance = s->xx / s->n - s->x / s->n * (s->x / s->n);
        answer[d->of[i]].z +=
            slope / variance * (entry_plain_of(&d->turn[i], BENCH_CAPPED_2) - mean);
        answer[d->of[i]].information += slope * slope / variance;
    }
}

static void entry_divide(const struct bench_data *d, struct ipr_strength_side *answer)
{
    for (size_t i = 0; i < d->n_sides; i++)
        if (answer[i].information > 0)
            answer[i].z /= answer[i].information;
}

void bench_entry_cells(const struct bench_data *d, struct ipr_strength_side *answer)
{
    struct entry_sums sum[ENTRY_CELLS];

    entry_clear(d, answer);
    for (unsigned k = 0; k <= BENCH_FOLDS; k++) {
        cells_learn(d, k, sum);
        cells_apply(d, k, sum, answer);
    }
    entry_divide(d, answer);
}

static void features_of_games(const struct bench_data *d, struct bench_features *f)
{
    for (size_t i = 0, end; i < d->n_turns; i = end) {
        const size_t game = d->side[d->of[i]].game;

        for (end = i; end < d->n_turns && d->side[d->of[end]].game == game;)
            end++;
        ipr_strength_features(d->turn + i, end - i, f->x + i);
    }
    for (size_t i = 0; i < d->n_turns; i++) {
        f->loss[i] = ipr_strength_loss(&d->turn[i]);
        f->theta[i] = (d->side[d->of[i]].elo - 2250) / 300;
    }
}

static struct ipr_strength_sample features_sample(const struct bench_data *d,
                                                  const struct bench_features *f, unsigned fold)
{
    for (size_t i = 0; i < d->n_turns; i++)
        f->take[i] = ipr_strength_counts(&d->turn[i]) && entry_teaches(d, d->of[i], fold);
    return (struct ipr_strength_sample){ .x = (const double(*)[IPR_STRENGTH_FEATURES])f->x,
                                         .loss = f->loss,
                                         .theta = f->theta,
                                         .take = f->take,
                                         .n = d->n_turns };
}

enum ipr_code bench_features_make(const struct bench_data *d, struct bench_features *f,
                                  struct ipr_err *err)
{
    struct ipr_strength_sample s;

    memset(f, 0, sizeof *f);
    f->x = calloc(d->n_turns, sizeof *f->x);
    f->loss = calloc(d->n_turns, sizeof *f->loss);
    f->theta = calloc(d->n_turns, sizeof *f->theta);
    f->take = calloc(d->n_turns, sizeof *f->take);
    f->move = calloc(d->n_turns, sizeof *f->move);
    f->curvature = calloc(1, sizeof *f->curvature);
    if (f->move == NULL || f->x == NULL || f->loss == NULL || f->theta == NULL || f->take == NULL ||
        f->curvature == NULL)
        return ipr_err_set(err, IPR_EDATA, "no memory for the features");
    features_of_games(d, f);
    s = features_sample(d, f, BENCH_FOLDS);
    ipr_strength_centre(&s, &f->model);
    for (size_t i = 0; i < d->n_turns; i++)
        ipr_strength_scale(&f->model, f->x[i]);
    return IPR_OK;
}

void bench_features_free(struct bench_features *f)
{
    free(f->x);
    free(f->loss);
    free(f->theta);
    free(f->take);
    free(f->move);
    free(f->curvature);
}

/* The loss of the second line where it is close to the first, else 0. */
static double chain_close(const struct ipr_strength_turn *t)
{
    struct ipr_strength_turn second = *t;

    memcpy(second.cp[2], t->cp[1], sizeof second.cp[2]);
    const double loss =
        t->cp[1][IPR_STRENGTH_DEPTHS - 1] == IPR_STRENGTH_NONE ? NAN : ipr_strength_loss(&second);
    return loss <= BENCH_CLOSE ? loss : 0;
}

static void chain_apply(const struct bench_data *d, const struct bench_features *f, unsigned k,
                        const struct ipr_strength_model *m, struct ipr_strength_side *answer)
{
    for (size_t i = 0; i < d->n_turns; i++) {
        const struct bench_side *side = &d->side[d->of[i]];
        if (!ipr_strength_counts(&d->turn[i]) || (side->blind_game ? BENCH_FOLDS : side->fold) != k)
            continue;
        f->move[i] = (struct bench_move){
            .own = ipr_strength_score(m, f->x[i], f->loss[i]),
            .best = ipr_strength_score(m, f->x[i], 0),
            .close = ipr_strength_score(m, f->x[i], chain_close(&d->turn[i])),
        };
        answer[d->of[i]].z += f->move[i].own.score;
        answer[d->of[i]].information += f->move[i].own.information;
    }
}

/* A step without slopes adds neither score nor information. */
static void chain_leave_out(unsigned without, struct ipr_strength_model *m)
{
    for (size_t k = 0; k < IPR_STRENGTH_STEPS; k++)
        if (without >> k & 1u)
            memset(m->g[k], 0, sizeof m->g[k]);
}

enum ipr_code bench_entry_chain(const struct bench_data *d, struct bench_features *f,
                                const bool *use, struct ipr_strength_side *answer,
                                struct ipr_err *err)
{
    struct ipr_strength_sample s = features_sample(d, f, BENCH_FOLDS);
    enum ipr_code rc;

    entry_clear(d, answer);
    memset(f->model.a, 0, sizeof f->model.a);
    memset(f->model.g, 0, sizeof f->model.g);
    rc = ipr_strength_fit(&s, use, &f->model, f->curvature, err);
    if (rc != IPR_OK)
        return rc;
    for (unsigned k = 0; k < BENCH_FOLDS; k++) {
        struct ipr_strength_model m = f->model;

        s = features_sample(d, f, k);
        ipr_strength_refit(&s, use, f->curvature, &m);
        chain_leave_out(f->without, &m);
        chain_apply(d, f, k, &m, answer);
    }
    chain_leave_out(f->without, &f->model);
    chain_apply(d, f, BENCH_FOLDS, &f->model, answer);
    entry_divide(d, answer);
    return IPR_OK;
}
