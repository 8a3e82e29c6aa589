#include "model/strength_human.h"

#include <math.h>

#define HUMAN_FIRST  16 /* ply from which moves count */
#define HUMAN_GROUPS 8
#define HUMAN_LEAST  -8. /* log-probability: one unheard-of move is not to outweigh a game */

/* Sums over a kind of moves. */
struct human_group {
    double n, log_p[IPR_HUMAN_NETS], first[IPR_HUMAN_NETS];
};

struct human_side {
    struct human_group group[HUMAN_GROUPS];
    /* Sums over the moves that count: by view ... */
    double surprise[IPR_HUMAN_VIEWS], drift[IPR_HUMAN_VIEWS], entropy[IPR_HUMAN_VIEWS],
        log_top[IPR_HUMAN_VIEWS], rare[IPR_HUMAN_VIEWS][3];
    double more[6]; /* ... and of log p(highest) - log p(lowest) */
};

static size_t human_view(size_t k)
{
    return k * (IPR_HUMAN_NETS - 1) / (IPR_HUMAN_VIEWS - 1);
}

static void human_add_groups(struct human_side *s, const struct ipr_human_move *m, size_t ply)
{
    const bool counts = ply >= HUMAN_FIRST;
    const bool in[HUMAN_GROUPS] = { true,
                                    counts,
                                    !counts,
                                    counts && ply < 40,
                                    ply >= 40,
                                    counts && m->entropy[human_view(1)] > 1.3F,
                                    counts && !m->takes,
                                    counts && m->entropy[human_view(1)] > 2 };

    for (size_t k = 0; k < HUMAN_GROUPS; k++) {
        s->group[k].n += in[k];
        for (size_t j = 0; in[k] && j < IPR_HUMAN_NETS; j++) {
            s->group[k].log_p[j] += fmax((double)m->log_p[j], HUMAN_LEAST);
            s->group[k].first[j] += m->first[j];
        }
    }
}

static void human_add(struct human_side *s, const struct ipr_human_move *m, size_t ply)
{
    static const double rare[3] = { .02, .1, .5 };
    const double more = (double)(m->log_p[IPR_HUMAN_NETS - 1] - m->log_p[0]);

    human_add_groups(s, m, ply);
    if (ply < HUMAN_FIRST)
        return;
    for (size_t k = 0; k < IPR_HUMAN_VIEWS; k++) {
        const size_t j = human_view(k);

        s->surprise[k] += (double)(m->log_p[j] + m->entropy[j]);
        s->drift[k] += more - (double)m->drift[k];
        s->entropy[k] += (double)m->entropy[j];
        s->log_top[k] += (double)m->log_top[j];
        for (size_t i = 0; i < 3; i++)
            s->rare[k][i] += exp((double)m->log_p[j]) < rare[i];
    }
    s->more[0] += fmin(fmax(more, -1), 1);
    s->more[1] += more < -1;
    s->more[2] += more < -.3;
    s->more[3] += more > .3;
    s->more[4] += more > 1;
    s->more[5] += more * more;
}

/* Mean level by the likelihoods of all moves, these to a power: moves are not independent. */
static double human_level(const struct human_group *g, double power)
{
    double most = -INFINITY, sum = 0, level = 0;

    for (size_t j = 0; j < IPR_HUMAN_NETS; j++)
        most = fmax(most, power * g->log_p[j]);
    for (size_t j = 0; j < IPR_HUMAN_NETS; j++) {
        const double p = exp(power * g->log_p[j] - most);

        sum += p;
        level += p * (double)j;
    }
    return level / sum;
}

/* Mean log-probability, its linear, quadratic and cubic part in level, and agreement. */
static float *human_profile(const struct human_group *g, float *x)
{
    double part[4] = { 0 }, first = 0;

    for (size_t j = 0; j < IPR_HUMAN_NETS; j++) {
        const double u = (double)j - (IPR_HUMAN_NETS - 1) / 2.,
                     by[4] = { 1, u, u * u - 20. / 3, u * u * u - 11.8 * u };

        for (size_t k = 0; k < 4; k++)
            part[k] += by[k] * g->log_p[j] / g->n;
        first += g->first[j] / g->n;
    }
    for (size_t k = 0; k < 4; k++)
        *x++ = (float)part[k];
    *x++ = (float)first;
    return x;
}

void ipr_human_features(const struct ipr_human_move *move, size_t n, unsigned colour,
                        float x[IPR_HUMAN_FEATURES])
{
    static const double powers[3] = { 1, 1. / 3, 1. / 9 };
    struct human_side s = { .more = { 0 } };

    for (size_t ply = colour; ply < n; ply += 2)
        if (move[ply].legal > 1)
            human_add(&s, &move[ply], ply);
    /* A mean over no moves is 0 / 0: not known. */
    for (size_t k = 0; k < HUMAN_GROUPS; k++) {
        const struct human_group *const g = &s.group[k];

        x = human_profile(g, x);
        for (size_t j = 0; k < 2 && j < IPR_HUMAN_NETS; j++)
            *x++ = (float)(g->log_p[j] / g->n);
        for (size_t j = 0; k == 1 && j < IPR_HUMAN_NETS; j++)
            *x++ = (float)(g->first[j] / g->n);
        for (size_t i = 0; k < 3 && i < 3; i++)
            *x++ = g->n > 0 ? (float)human_level(g, powers[i]) : NAN;
    }
    const double counted = s.group[1].n;

    for (size_t k = 0; k < IPR_HUMAN_VIEWS; k++) {
        const double of[] = { s.surprise[k] / counted, s.drift[k] / counted,
                              s.drift[k] / sqrt(counted), s.entropy[k] / counted,
                              s.log_top[k] / counted };

        for (size_t i = 0; i < sizeof of / sizeof *of; i++)
            *x++ = (float)of[i];
        for (size_t i = 0; i < 3; i++)
            *x++ = (float)(s.rare[k][i] / counted);
    }
    for (size_t i = 0; i < 6; i++)
        *x++ = (float)(s.more[i] / counted);
}

size_t ipr_human_add(const struct ipr_human_model *m, const struct ipr_human_move *move, size_t n,
                     unsigned colour, struct ipr_strength_score *sum)
{
    float x[IPR_HUMAN_FEATURES];
    size_t counted = 0;

    for (size_t ply = HUMAN_FIRST + colour; ply < n; ply += 2)
        counted += move[ply].legal > 1;
    if (counted == 0)
        return 0;
    ipr_human_features(move, n, colour, x);
    const struct ipr_strength_score s = ipr_side_score(m->mean, ipr_boost_at(&m->boost, x));

    sum->score += s.score;
    sum->information += s.information;
    return counted;
}
