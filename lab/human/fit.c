/*
 * What the likelihoods of moves under the networks of human moves add to the estimate of one side
 * of a game, and the scale of ratings by them alone. Reads PGN with evaluations and ratings from
 * standard input, and the moves that `run` has written.
 *
 *     fit [--model=FILE.inc] FILES...
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lab/bands.h"
#include "lab/human/games.h"
#include "lab/methods/boost_fit.h"
#include "lab/pool/pool.h"
#include "lab/report.h"
#include "model/strength_human.h"
#include "stats/resample.h"

#define FIT_DRAWS 1000
#define FIT_WIDE  (IPR_SIDE_FEATURES + IPR_HUMAN_FEATURES)
#define FIT_BAND  200.

static const struct ipr_boost_options fit_options = {
    .trees = POOL_TREES, .rate = .06, .ridge = 20, .features = .2, .seed = 1
};

static const double fit_knots[] = { 700, 1000, 1300, 1600, 1900, 2200, 2500 };
#define FIT_KNOTS (sizeof fit_knots / sizeof *fit_knots)

/* Estimates: of the mean of the sides fitted to; by the trees of lab/pool on the evaluations; on
 * the networks' figures; on both. */
enum fit_by { FIT_MEAN, FIT_EVALS, FIT_NETWORKS, FIT_BOTH, FIT_KINDS };

struct fit_data {
    struct pool_sides s; /* of games of which the networks have seen the moves */
    float (*human)[IPR_HUMAN_FEATURES];
    double *out[FIT_KINDS]; /* [n], by models without the player and the opponent */
    double mean;            /* rating of the sides */
};

/* ---- sides ---- */

static void fit_add(void *of, const struct human_game *g, const struct ipr_human_move *m)
{
    struct fit_data *const d = of;

    for (unsigned colour = 0; colour < 2; colour++) {
        struct ipr_side_features f;

        ipr_side_features(g->side, g->n, colour, &f);
        if (f.moves == 0)
            continue;
        if ((d->s.n & (d->s.n - 1)) == 0)
            d->human = ipr_xrealloc(d->human, d->s.n > 0 ? 2 * d->s.n : 1, sizeof *d->human);
        ipr_human_features(m, g->n, colour, d->human[d->s.n]);
        pool_add(&d->s, true, g->rating[colour], g->player[colour]);
        d->s.opponent[d->s.n - 1] = g->player[1 - colour];
        d->s.features[d->s.n - 1] = f;
    }
}

/* ---- estimates ---- */

/* Fits to the sides that are taken; x [n][features]. */
static void fit_trees(const struct fit_data *d, const bool *take, const float *x, size_t features,
                      struct ipr_boost_tree *tree, struct ipr_boost *b)
{
    double *const weight = ipr_xcalloc(d->s.n + 1, sizeof *weight);
    const struct ipr_boost_data data = { d->s.n, features, x, d->s.rating, weight };

    for (size_t i = 0; i < d->s.n; i++)
        weight[i] = take[i];
    ipr_boost_fit(&data, &fit_options, tree, b);
    free(weight);
}

/* Estimates of the players of one part, by fits without them and their opponents. */
static void fit_part(struct fit_data *d, unsigned part, const bool *take,
                     struct ipr_boost_tree *tree, float (*x)[FIT_WIDE])
{
    struct pool_model *const m = ipr_xcalloc(1, sizeof *m);
    const double mean = pool_mean(&d->s, take);
    struct ipr_boost both, networks;

    pool_fit(&d->s, take, m);
    for (size_t i = 0; i < d->s.n; i++) {
        if (!take[i])
            ipr_side_look_up(m->opening, m->model.openings, &d->s.features[i]);
        memcpy(x[i], d->s.features[i].x, sizeof d->s.features[i].x);
        memcpy(x[i] + IPR_SIDE_FEATURES, d->human[i], sizeof d->human[i]);
    }
    fit_trees(d, take, x[0], FIT_WIDE, tree, &both);
    for (size_t i = 0; i < d->s.n; i++)
        if (pool_fold(d->s.player[i]) == part) {
            d->out[FIT_MEAN][i] = mean;
            d->out[FIT_EVALS][i] = ipr_boost_at(&m->model.boost, d->s.features[i].x);
            d->out[FIT_BOTH][i] = ipr_boost_at(&both, x[i]);
        }
    fit_trees(d, take, d->human[0], IPR_HUMAN_FEATURES, tree, &networks);
    for (size_t i = 0; i < d->s.n; i++)
        if (pool_fold(d->s.player[i]) == part)
            d->out[FIT_NETWORKS][i] = ipr_boost_at(&networks, d->human[i]);
    free(m);
}

static void fit_held_out(struct fit_data *d)
{
    struct ipr_boost_tree *const tree = ipr_xcalloc(POOL_TREES, sizeof *tree);
    bool *const take = ipr_xcalloc(d->s.n + 1, sizeof *take);
    float(*const x)[FIT_WIDE] = ipr_xcalloc(d->s.n + 1, sizeof *x);

    for (size_t k = 0; k < FIT_KINDS; k++)
        d->out[k] = ipr_xcalloc(d->s.n + 1, sizeof *d->out[k]);
    for (unsigned part = 0; part < POOL_FOLDS; part++) {
        for (size_t i = 0; i < d->s.n; i++)
            take[i] = pool_fold(d->s.player[i]) != part && pool_fold(d->s.opponent[i]) != part;
        fit_part(d, part, take, tree, x);
    }
    free(tree);
    free(take);
    free(x);
}

/* ---- errors ---- */

struct fit_error {
    double n, absolute[FIT_KINDS], square[FIT_KINDS], bias[FIT_KINDS];
};

static void fit_error_add(struct fit_error *e, const struct fit_data *d, size_t i)
{
    e->n++;
    for (size_t k = 0; k < FIT_KINDS; k++) {
        const double error = d->out[k][i] - d->s.rating[i];

        e->absolute[k] += fabs(error);
        e->square[k] += error * error;
        e->bias[k] += error;
    }
}

static void fit_print(const struct fit_error *e, const char *what)
{
    printf("| %s | %.0f |", what, e->n);
    for (size_t k = 0; k < FIT_KINDS; k++)
        printf(" %.0f |", e->absolute[k] / e->n);
    for (size_t k = 1; k < FIT_KINDS; k++)
        printf(" %+.0f |", e->bias[k] / e->n);
    printf("\n");
}

static int fit_by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

struct fit_account {
    uint64_t player;
    size_t side;
};

static int fit_by_player(const void *a, const void *b)
{
    const struct fit_account *x = a, *y = b;

    return (x->player > y->player) - (x->player < y->player);
}

/* Absolute errors of each account; how many there are. */
static size_t fit_accounts(const struct fit_data *d, double (*sum)[FIT_KINDS])
{
    struct fit_account *const at = ipr_xcalloc(d->s.n + 1, sizeof *at);
    size_t n = 0;

    for (size_t i = 0; i < d->s.n; i++)
        at[i] = (struct fit_account){ d->s.player[i], i };
    qsort(at, d->s.n, sizeof *at, fit_by_player);
    for (size_t i = 0; i < d->s.n; i++) {
        n += i == 0 || at[i].player != at[i - 1].player;
        for (size_t k = 0; k < FIT_KINDS; k++)
            sum[n - 1][k] += fabs(d->out[k][at[i].side] - d->s.rating[at[i].side]);
    }
    free(at);
    return n;
}

/* How much more than by the evaluations is off, per cent of the error of the mean, over draws of
 * accounts. */
static void fit_interval(const struct fit_data *d)
{
    double(*const sum)[FIT_KINDS] = ipr_xcalloc(d->s.n + 1, sizeof *sum);
    const size_t n = fit_accounts(d, sum);
    double *const times = ipr_xcalloc(n + 1, sizeof *times), gain[2][FIT_DRAWS];
    struct ipr_twister rng;

    ipr_twister_seed(&rng, 1);
    for (size_t draw = 0; draw < FIT_DRAWS; draw++) {
        double all[FIT_KINDS] = { 0 };

        ipr_resample(&rng, n, times);
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < FIT_KINDS; k++)
                all[k] += times[i] * sum[i][k];
        gain[0][draw] = 100 * (all[FIT_EVALS] - all[FIT_BOTH]) / all[FIT_MEAN];
        gain[1][draw] = 100 * (all[FIT_EVALS] - all[FIT_NETWORKS]) / all[FIT_MEAN];
    }
    for (size_t k = 0; k < 2; k++) {
        qsort(gain[k], FIT_DRAWS, sizeof **gain, fit_by_value);
        printf("%sBy %s the mean absolute error is less than by evaluations, in per cent of the "
               "mean's: "
               "%.1f to %.1f points (95 %% of draws of %zu accounts).\n",
               k == 0 ? "\n" : "", k == 0 ? "both" : "networks alone", gain[k][FIT_DRAWS / 40],
               gain[k][FIT_DRAWS - 1 - FIT_DRAWS / 40], n);
    }
    free(times);
    free(sum);
}

static void fit_tables(const struct fit_data *d)
{
    static const char *const names[FIT_KINDS] = { "mean", "evaluations", "networks", "both" };
    struct fit_error all = { 0 }, band[32] = { { 0 } };
    char title[32];

    for (size_t i = 0; i < d->s.n; i++) {
        fit_error_add(&all, d, i);
        fit_error_add(&band[(size_t)fmin(fmax(d->s.rating[i] / FIT_BAND, 0), 31)], d, i);
    }
    printf("| One game by | MAE | Less than the mean's | RMSE | Less than the mean's |\n"
           "| --- | ---: | ---: | ---: | ---: |\n");
    for (size_t k = 0; k < FIT_KINDS; k++)
        printf("| %s | %.1f | %.2f %% | %.1f | %.2f %% |\n", names[k], all.absolute[k] / all.n,
               100 * (1 - all.absolute[k] / all.absolute[FIT_MEAN]), sqrt(all.square[k] / all.n),
               100 * (1 - sqrt(all.square[k] / all.square[FIT_MEAN])));
    fit_interval(d);
    printf("\n| Rating from | Sides | MAE: mean | evaluations | networks | both | Bias: "
           "evaluations | networks "
           "| both |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (size_t b = 0; b < 32; b++) {
        snprintf(title, sizeof title, "%.0f", (double)b * FIT_BAND);
        if (band[b].n > 0)
            fit_print(&band[b], title);
    }
    fit_print(&all, "all");
    printf("\n");
}

/* ---- the scale by the networks ---- */

static void fit_write_trees(FILE *out, const struct ipr_boost *b, double mean)
{
    fputs("static const struct ipr_boost_tree human_tree[] = {\n", out);
    pool_write_trees(out, b);
    fprintf(
        out,
        "};\nstatic const struct ipr_human_model human = {\n.boost = { %.9g, %zu, human_tree },\n"
        ".mean = %.9g\n};\n",
        b->mean, b->n, mean);
}

static bool fit_write(struct fit_data *d, const char *path)
{
    struct ipr_boost_tree *const tree = ipr_xcalloc(POOL_TREES, sizeof *tree);
    bool *const take = ipr_xcalloc(d->s.n + 1, sizeof *take);
    FILE *const out = fopen(path, "w");
    struct pool_scale scale;
    struct ipr_boost b;

    if (out == NULL)
        return false;
    for (size_t i = 0; i < d->s.n; i++)
        take[i] = true;
    pool_calibrate(&d->s, take, fit_knots, FIT_KNOTS, &scale);
    fit_trees(d, take, d->human[0], IPR_HUMAN_FEATURES, tree, &b);
    fit_write_trees(out, &b, d->mean);
    pool_write_scale(out, ".human = &human,\n", &scale, NULL);
    free(tree);
    free(take);
    return fclose(out) == 0;
}

int main(int argc, char **argv)
{
    const char *model = NULL;
    struct fit_data d = { .mean = 0 };
    struct human_games games = { .evaluations = true };
    struct pool_scale half[2];
    bool ok = human_games_read(&games);

    for (int i = 1; ok && i < argc; i++)
        if (strncmp(argv[i], "--model=", 8) == 0)
            model = argv[i] + 8;
        else
            ok = human_moves_read(&games, argv[i], fit_add, &d);
    if (!ok || d.s.n == 0)
        return 1;
    for (size_t i = 0; i < d.s.n; i++)
        d.mean += d.s.rating[i] / (double)d.s.n;
    fit_held_out(&d);
    fit_tables(&d);
    for (size_t i = 0; i < d.s.n; i++)
        d.s.score[i] = ipr_side_score(d.mean, d.out[FIT_NETWORKS][i]);
    pool_halves(&d.s, fit_knots, FIT_KNOTS, half);
    json_t *const rows = pool_tables(&d.s, half, "online-rapid", "networks");
    bench_bands_markdown(rows);
    json_decref(rows);
    return model == NULL || fit_write(&d, model) ? 0 : 1;
}
