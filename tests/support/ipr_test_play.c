#include "ipr_test_play.h"

#include <assert.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/regan_prob.h"

static void draw_evaluations(gsl_rng *rng, unsigned lines, int16_t *cp)
{
    int v = (int)(gsl_rng_uniform(rng) * 400.0) - 200;

    for (unsigned i = 0; i < lines; i++) {
        cp[i] = (int16_t)v;
        v -= (int)(-40.0 * log(gsl_rng_uniform_pos(rng)) * gsl_rng_uniform(rng));
    }
    cp[lines] = (int16_t)(v - 20);
}

static void draw_played(gsl_rng *rng, const struct ipr_rh_params *p, double s, double c,
                        struct ipr_turn *t)
{
    const double u = gsl_rng_uniform(rng);
    struct ipr_rh_probs probs;
    double sum = 0.0;
    uint8_t k = 0;
    const enum ipr_code rc = ipr_rh_probs(p, t, s, c, &probs, NULL);

    assert(rc == IPR_OK);
    (void)rc;
    for (; k < t->lines; k++) {
        sum += probs.p[k];
        if (u < sum)
            break;
    }
    t->played = k;
    if (k == t->lines) /* a move that was not evaluated: now it is, apart */
        t->n_cp = (uint8_t)(t->lines + 1);
}

void ipr_test_play(const struct ipr_rh_params *p, double s, double c,
                   const struct ipr_test_play_shape *shape, gsl_rng *rng, struct ipr_test_play *out)
{
    const size_t n = shape->games * shape->turns_each;
    const unsigned lines = shape->lines;
    double own = s;

    out->n = n;
    out->turns = ipr_xcalloc(n, sizeof *out->turns);
    out->cp = ipr_xcalloc(n * (lines + 1), sizeof *out->cp);
    for (size_t i = 0; i < n; i++) {
        int16_t *cp = &out->cp[i * (lines + 1)];
        const unsigned least = lines + 1 > 20 ? lines + 1 : 20;
        if (i % shape->turns_each == 0 && shape->game_sd > 0.0)
            own = s * exp(gsl_ran_gaussian(rng, shape->game_sd));
        draw_evaluations(rng, lines, cp);
        out->turns[i] = (struct ipr_turn){ .game = (int32_t)(i / shape->turns_each),
                                           .ply = (uint16_t)(16 + i % shape->turns_each * 2),
                                           .lines = (uint8_t)lines,
                                           .n_cp = (uint8_t)lines,
                                           .legal = (uint8_t)(least + gsl_rng_uniform_int(rng, 20)),
                                           .cp = cp };
        draw_played(rng, p, own, c, &out->turns[i]);
    }
}

static uint8_t draw_agent(gsl_rng *rng, const int16_t *cp, unsigned lines, double c)
{
    double w[64];
    double total = 0.0;
    double u;

    assert(lines <= 40);
    for (unsigned i = 0; i < lines; i++)
        total += w[i] = pow((cp[0] - cp[i]) / 100.0 + 0.1, -c);
    u = gsl_rng_uniform(rng) * total;
    for (unsigned i = 0; i + 1 < lines; i++)
        if ((u -= w[i]) < 0.0)
            return (uint8_t)i;
    return (uint8_t)(lines - 1);
}

void ipr_test_agent_play(double c, const struct ipr_test_play_shape *shape, gsl_rng *rng,
                         struct ipr_test_play *out)
{
    const size_t n = shape->games * shape->turns_each;
    const unsigned lines = shape->lines;
    double own = c;

    out->n = n;
    out->turns = ipr_xcalloc(n, sizeof *out->turns);
    out->cp = ipr_xcalloc(n * (lines + 1), sizeof *out->cp);
    for (size_t i = 0; i < n; i++) {
        int16_t *cp = &out->cp[i * (lines + 1)];
        const size_t k = i % shape->turns_each;
        if (k == 0 && shape->game_sd > 0.0)
            own = fmax(0.0, c + gsl_ran_gaussian(rng, shape->game_sd));
        draw_evaluations(rng, lines, cp);
        out->turns[i] = (struct ipr_turn){ .game = (int32_t)(i / shape->turns_each),
                                           .ply = (uint16_t)(24 + k),
                                           .mover = k % 2,
                                           .lines = (uint8_t)lines,
                                           .n_cp = (uint8_t)lines,
                                           .played = draw_agent(rng, cp, lines, own),
                                           .legal = (uint8_t)(lines + 20),
                                           .cp = cp };
    }
}

struct ipr_test_play ipr_test_agent_games(gsl_rng *rng, double c, double game_sd, size_t games,
                                          size_t turns_each, unsigned lines)
{
    const struct ipr_test_play_shape shape = { games, turns_each, lines, game_sd };
    struct ipr_test_play p;

    ipr_test_agent_play(c, &shape, rng, &p);
    return p;
}

void ipr_test_play_release(struct ipr_test_play *play)
{
    free(play->turns);
    free(play->cp);
}

enum { N = 19 };

void ipr_test_markov_player(double error, double end, double fall, double *matrix)
{
    for (int i = 0; i < N; i++) {
        const double lost = i == 0 ? 0.0 : (i == N - 1 ? error * end : error);
        double total = 0.0;
        double w = 1.0;
        for (int j = 0; j < N; j++)
            matrix[i * N + j] = 0.0;
        for (int j = i - 1; j >= 0; j--, w *= fall)
            total += matrix[i * N + j] = w;
        for (int j = 0; j < i; j++)
            matrix[i * N + j] *= lost / total;
        matrix[i * N + i] = 1.0 - lost;
    }
}

static unsigned draw_row(gsl_rng *rng, const double *row)
{
    const double u = gsl_rng_uniform(rng);
    double sum = 0.0;

    for (unsigned j = 0; j + 1 < N; j++) {
        sum += row[j];
        if (u < sum)
            return j;
    }
    return N - 1;
}

/* An evaluation inside a class. */
static int16_t class_cp(unsigned class)
{
    static const int16_t at[] = { 0, 5, 16, 30, 48, 70, 100, 130, 170, 300 };

    return class >= 9 ? at[class - 9] : (int16_t)-at[9 - class];
}

void ipr_test_markov_games(const double *matrix1, const double *matrix2, size_t games,
                           size_t turns_each, int32_t first, int32_t year, gsl_rng *rng,
                           struct ipr_markov_turn *turns1, struct ipr_markov_turn *turns2)
{
    const double *matrix[2] = { matrix1, matrix2 };
    struct ipr_markov_turn *turns[2] = { turns1, turns2 };

    for (size_t g = 0; g < games; g++) {
        unsigned class = 9;
        for (size_t k = 0; k < 2 * turns_each; k++) {
            const size_t who = (g + k) % 2;
            const unsigned from = class;
            const unsigned to = draw_row(rng, &matrix[who][from * N]);
            *turns[who]++ = (struct ipr_markov_turn){ .game = first + (int32_t)g,
                                                      .year = year,
                                                      .best_cp = class_cp(from),
                                                      .played_cp = class_cp(to),
                                                      .mover = k % 2 };
            class = N - 1 - to;
        }
    }
}
