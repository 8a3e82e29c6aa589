#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/covariance_gain.h"
#include "model/years.h"
#include "stats/clustered.h"
#include "stats/resample.h"

/*
 * Replicates change the weights of the games, and phi of a player is linear in these. So if few
 * frequencies matter, as for large n0, each game's transform at these is stored and a replicate is
 * a weighted sum of rows; if many do, its distribution is transformed as a whole. With n0 = 0 the
 * score itself is linear in the weights of both players, and only the score of each game against
 * each of the other player's is needed.
 */

/* |phi^n|, and chances of S to leave the circle, that do not matter to a replicate. */
#define REPLICATE_FLOOR 1e-5

/* One turn, as they are sorted. */
struct turn {
    uint64_t content; /* of its game: the same for any number of the game and order of its turns */
    int32_t game;
    uint16_t bin;
    double weight;
};

/* A player's losses by game. The order of the draws depends on their contents, so that a replicate
 * is the same however the games are numbered. */
struct side {
    struct turn *turns; /* sorted by weight, game and bin */
    size_t n;
    size_t *start; /* first turn of each game; one more entry closes the last */
    size_t games;
    struct ipr_stratum *strata;
    size_t n_strata;
    size_t *drawn; /* the games, those of one stratum together */
    double *draws; /* how often each of these was drawn */
    double *times; /* how often each game was drawn, times its weight */
    struct ipr_twister rng;
};

static int by_weight_game_bin(const void *a, const void *b)
{
    const struct turn *x = a;
    const struct turn *y = b;

    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    if (x->content != y->content)
        return x->content < y->content ? -1 : 1;
    if (x->game != y->game)
        return x->game < y->game ? -1 : 1;
    return (x->bin > y->bin) - (x->bin < y->bin);
}

/* Games of one weight are of one year. */
static void side_strata(struct side *s)
{
    s->strata = ipr_xcalloc(s->games, sizeof *s->strata);
    s->drawn = ipr_xcalloc(s->games, sizeof *s->drawn);
    for (size_t g = 0; g < s->games; g++) {
        const double weight = s->turns[s->start[g]].weight;
        if (g == 0 || weight != s->turns[s->start[g - 1]].weight)
            s->strata[s->n_strata++] = (struct ipr_stratum){ .first = g };
        s->strata[s->n_strata - 1].games++;
    }
    s->n_strata = ipr_strata(s->strata, s->n_strata, s->games, s->drawn);
}

static void side_init(struct side *s, const struct ipr_covariance_player *player)
{
    int32_t *game = ipr_xcalloc(player->n, sizeof *game);
    uint32_t *index = ipr_xcalloc(player->n, sizeof *index);
    uint64_t *content = ipr_xcalloc(player->n, sizeof *content);

    *s = (struct side){ .n = player->n };
    s->turns = ipr_xcalloc(s->n, sizeof *s->turns);
    for (size_t i = 0; i < s->n; i++)
        game[i] = player->turns[i].game;
    ipr_stats_cluster(game, s->n, index);
    for (size_t i = 0; i < s->n; i++)
        content[index[i]] += ipr_mix64(player->turns[i].bin + 1U);
    for (size_t i = 0; i < s->n; i++)
        s->turns[i] = (struct turn){ content[index[i]], game[i], player->turns[i].bin,
                                     player->weight != NULL ? player->weight[i] : 1.0 };
    qsort(s->turns, s->n, sizeof *s->turns, by_weight_game_bin);
    free(content);
    free(index);
    free(game);
    s->start = ipr_xcalloc(s->n + 1, sizeof *s->start);
    for (size_t i = 0; i < s->n; i++)
        if (i == 0 || s->turns[i].game != s->turns[i - 1].game)
            s->start[s->games++] = i;
    s->start[s->games] = s->n;
    s->times = ipr_xcalloc(s->games, sizeof *s->times);
    s->draws = ipr_xcalloc(s->games, sizeof *s->draws);
    side_strata(s);
}

static void side_release(struct side *s)
{
    free(s->turns);
    free(s->start);
    free(s->times);
    free(s->draws);
    free(s->drawn);
    free(s->strata);
}

/* Hash of a player's turns, independent of their order. */
static uint64_t side_digest(const struct side *s)
{
    uint64_t sum = s->n;

    for (size_t i = 0; i < s->n; i++)
        sum += ipr_mix64(s->turns[i].bin + 1U);
    return sum;
}

static double drawn_turns(const struct side *s)
{
    double turns = 0.0;

    for (size_t g = 0; g < s->games; g++)
        turns += s->times[g] * (double)(s->start[g + 1] - s->start[g]);
    return turns;
}

/* Rows are summed in pieces of this many numbers, which registers hold over all games. */
enum { PIECE = 8 };

/* Shared by all replicates. */
struct bootstrap_work {
    const struct ipr_gain *l[2];
    struct side side[2];
    struct ipr_spectrum spectrum;
    unsigned copies;
    size_t count; /* frequencies kept */
    size_t width; /* of a row: 2 count, in whole pieces */
    uint32_t *j;  /* [count] */
    double *g;    /* score at them; at 0 .. N/2 when transforming as a whole */
};

/* Sum over a game's turns of exp(-i t bin) at each frequency; rows of `width`, zeros at the end. */
static double *game_rows(const struct bootstrap_work *w, const struct side *s)
{
    const size_t n = w->spectrum.n;
    double *rows = ipr_xcalloc(s->games * w->width + 1, sizeof *rows);
    double *root = ipr_xcalloc(2 * n, sizeof *root);

    for (size_t k = 0; k < n; k++) {
        const double angle = 2.0 * M_PI * (double)k / (double)n;
        root[2 * k] = cos(angle);
        root[2 * k + 1] = -sin(angle);
    }
    for (size_t g = 0; g < s->games; g++) {
        double *row = &rows[g * w->width];
        for (size_t i = s->start[g]; i < s->start[g + 1]; i++)
            for (size_t k = 0; k < w->count; k++) {
                const double *r = &root[2 * ((size_t)w->j[k] * s->turns[i].bin & (n - 1))];
                row[2 * k] += r[0];
                row[2 * k + 1] += r[1];
            }
    }
    free(root);
    return rows;
}

static size_t in_pieces(size_t n)
{
    return (n + PIECE - 1) / PIECE * PIECE;
}

/* Mean over the turns of the drawn games of what the rows are sums of, into f[width]. */
static void drawn_transform(const struct side *s, const double *rows, size_t width, double *f)
{
    const double turns = drawn_turns(s);

    for (size_t k = 0; k < width; k += PIECE) {
        double sum[PIECE] = { 0.0 };
        for (size_t g = 0; g < s->games; g++) {
            const double *piece = &rows[g * width + k];
            const double weight = s->times[g];
            for (size_t i = 0; i < PIECE; i++)
                sum[i] += weight * piece[i];
        }
        for (size_t i = 0; i < PIECE; i++)
            f[k + i] = sum[i] / turns;
    }
}

static double expected_of(const struct bootstrap_work *w, const double *f1, const double *f2)
{
    double sum = 0.0;

    for (size_t k = 0; k < w->count; k++) {
        double re = f2[2 * k] * f1[2 * k] + f2[2 * k + 1] * f1[2 * k + 1];
        double im = f2[2 * k + 1] * f1[2 * k] - f2[2 * k] * f1[2 * k + 1];
        ipr_spectrum_power(&re, &im, w->copies);
        sum += im * w->g[k];
    }
    return fmax(0.0, fmin(1.0, 0.5 - 4.0 / (double)w->spectrum.n * sum));
}

static void draw_games(struct side both[2])
{
    for (struct side *s = both; s < both + 2; s++) {
        for (size_t k = 0; k < s->n_strata; k++)
            ipr_resample(&s->rng, s->strata[k].games, s->draws + s->strata[k].first);
        for (size_t i = 0; i < s->games; i++)
            s->times[s->drawn[i]] = s->draws[i] * s->turns[s->start[s->drawn[i]]].weight;
    }
}

static void by_rows(struct bootstrap_work *w, size_t replicates, double *expected)
{
    double *rows[2] = { game_rows(w, &w->side[0]), game_rows(w, &w->side[1]) };
    double *f = ipr_xcalloc(2 * w->width + 1, sizeof *f);

    for (size_t i = 0; i < replicates; i++) {
        draw_games(w->side);
        for (size_t k = 0; k < 2; k++)
            drawn_transform(&w->side[k], rows[k], w->width, f + w->width * k);
        expected[i] = expected_of(w, f, f + w->width);
    }
    free(f);
    free(rows[0]);
    free(rows[1]);
}

/* Summed score of each game of the first against each of the second's; rows of `width`. */
static double *covariance_pair_rows(const struct bootstrap_work *w,
                                    const struct ipr_covariance_params *params)
{
    const struct side *a = &w->side[0], *b = &w->side[1];
    double *rows = ipr_xcalloc(a->games * w->width, sizeof *rows);
    const unsigned long m = ipr_covariance_bound(params->b);
    const unsigned top = IPR_GAIN_BINS - 1;
    double
        score[2 * IPR_GAIN_BINS - 1]; /* of a gain of x = -top .. top cp, beyond 1/2: [top + x] */
    double against[IPR_GAIN_BINS];    /* of a game, by the other's loss */

    score[top] = 0.0;
    for (unsigned x = 1; x <= top; x++) {
        if (params->score == IPR_COVARIANCE_BOUND)
            score[top + x] = x > m ? 0.5 : 0.0;
        else
            score[top + x] = 0.5 * tanh(params->a * x / 100.0);
        score[top - x] = -score[top + x];
    }
    for (size_t g = 0; g < a->games; g++) {
        memset(against, 0, sizeof against);
        for (size_t i = a->start[g]; i < a->start[g + 1]; i++)
            for (size_t k = 0; k < IPR_GAIN_BINS; k++)
                against[k] += score[IPR_GAIN_BINS - 1 - a->turns[i].bin + k];
        for (size_t h = 0; h < b->games; h++)
            for (size_t i = b->start[h]; i < b->start[h + 1]; i++)
                rows[g * w->width + h] += against[b->turns[i].bin];
    }
    return rows;
}

static void by_pairs(struct bootstrap_work *w, const struct ipr_covariance_params *params,
                     size_t replicates, double *expected)
{
    const struct side *b = &w->side[1];

    w->width = in_pieces(b->games);
    double *rows = covariance_pair_rows(w, params);
    double *f = ipr_xcalloc(w->width, sizeof *f);
    for (size_t i = 0; i < replicates; i++) {
        double sum = 0.0;

        draw_games(w->side);
        drawn_transform(&w->side[0], rows, w->width, f);
        for (size_t h = 0; h < b->games; h++)
            sum += f[h] * b->times[h];
        expected[i] = fmax(0.0, fmin(1.0, 0.5 + sum / drawn_turns(b)));
    }
    free(f);
    free(rows);
}

static void drawn_distribution(const struct side *s, unsigned top, double *share)
{
    const double turns = drawn_turns(s);

    memset(share, 0, (top + 1) * sizeof *share);
    for (size_t g = 0; g < s->games; g++)
        for (size_t i = s->start[g]; i < s->start[g + 1]; i++)
            share[s->turns[i].bin] += s->times[g] / turns;
}

static void by_transform(struct bootstrap_work *w, size_t replicates, double *expected)
{
    struct ipr_spectrum *s = &w->spectrum;
    double share[2][IPR_GAIN_BINS];

    for (size_t i = 0; i < replicates; i++) {
        double sum = 0.0;

        draw_games(w->side);
        for (size_t k = 0; k < 2; k++)
            drawn_distribution(&w->side[k], w->l[k]->top, share[k]);
        ipr_spectrum_fill(s, share[0], w->l[0]->top, share[1], w->l[1]->top, w->copies,
                          REPLICATE_FLOOR);
        for (size_t k = 0; k < s->active; k++) {
            ipr_spectrum_power(&s->re[k], &s->im[k], w->copies);
            sum += s->im[k] * w->g[s->j[k]];
        }
        expected[i] = fmax(0.0, fmin(1.0, 0.5 - 4.0 / (double)s->n * sum));
    }
}

/* Measured: a frequency of a game, which is two numbers of a row, costs two thirds of what a point
 * does in each of the log N steps of a transform. */
static bool rows_are_cheaper(const struct bootstrap_work *w, double numbers)
{
    const double n = (double)w->spectrum.n;

    return numbers < 3.0 * n * log2(n);
}

/* One loss in all turns: all replicates are the same. */
static bool never_varies(const struct ipr_gain *l)
{
    return l->share[l->top] >= 1.0;
}

void ipr_covariance_replicates(const struct ipr_covariance_player *player1,
                               const struct ipr_covariance_player *player2,
                               const struct ipr_gain *l1, const struct ipr_gain *l2,
                               const struct ipr_covariance_params *params, double *expected)
{
    struct bootstrap_work w = { .l = { l1, l2 }, .copies = params->n0 + 1 };

    if (never_varies(l1) && never_varies(l2)) {
        for (unsigned i = 0; i < params->replicates; i++)
            expected[i] = 0.5; /* all the same: no interval follows */
        return;
    }
    const size_t n = ipr_spectrum_size(l1, l2, w.copies, REPLICATE_FLOOR);

    side_init(&w.side[0], player1);
    side_init(&w.side[1], player2);
    ipr_resample_streams(params->seed, side_digest(&w.side[0]), side_digest(&w.side[1]),
                         &w.side[0].rng, &w.side[1].rng);
    ipr_spectrum_init(&w.spectrum, n);
    ipr_spectrum_fill(&w.spectrum, l1->share, l1->top, l2->share, l2->top, w.copies,
                      REPLICATE_FLOOR);
    w.count = w.spectrum.active;
    w.width = in_pieces(2 * w.count);
    w.j = ipr_xcalloc(n / 2 + 1, sizeof *w.j);
    w.g = ipr_xcalloc(n / 2 + 1, sizeof *w.g);
    if (w.copies == 1 && rows_are_cheaper(&w, (double)w.side[0].games * (double)w.side[1].games)) {
        by_pairs(&w, params, params->replicates, expected);
    } else if (rows_are_cheaper(&w, 2.0 * (double)w.count *
                                        (double)(w.side[0].games + w.side[1].games))) {
        memcpy(w.j, w.spectrum.j, w.count * sizeof *w.j);
        ipr_covariance_score_at(params, n, w.j, w.count, w.g);
        by_rows(&w, params->replicates, expected);
    } else {
        for (size_t j = 1; j <= n / 2; j++)
            w.j[j] = (uint32_t)j;
        ipr_covariance_score_at(params, n, w.j + 1, n / 2, w.g + 1);
        by_transform(&w, params->replicates, expected);
    }
    free(w.g);
    free(w.j);
    ipr_spectrum_release(&w.spectrum);
    side_release(&w.side[0]);
    side_release(&w.side[1]);
}
