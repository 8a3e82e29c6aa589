#include "model/markov.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/markov_side.h"

struct ipr_markov_classes ipr_markov_classes_19(void)
{
    return (struct ipr_markov_classes){ .n = 19,
                                        .edges = 8,
                                        .edge = { 10, 22, 38, 58, 82, 113, 152, 200 },
                                        .zero_class = true,
                                        .end_takes_edge = true };
}

struct ipr_markov_classes ipr_markov_classes_10(void)
{
    return (struct ipr_markov_classes){ .n = 10, .edges = 4, .edge = { 40, 80, 120, 160 } };
}

enum ipr_code ipr_markov_classes_make(const int16_t *edge, unsigned k, bool zero_class,
                                      bool end_takes_edge, struct ipr_markov_classes *out,
                                      struct ipr_err *err)
{
    struct ipr_markov_classes c = { .zero_class = zero_class, .end_takes_edge = end_takes_edge };

    _Static_assert(2 * IPR_MARKOV_EDGES + 3 <= IPR_MARKOV_MAX, "classes of so many edges");
    if (k == 0 || k > IPR_MARKOV_EDGES)
        return ipr_err_set(err, IPR_EPARSE, "%u edges between classes; 1 to %d are possible", k,
                           IPR_MARKOV_EDGES);
    for (unsigned i = 0; i < k; i++) {
        if (edge[i] <= (i == 0 ? 0 : edge[i - 1]))
            return ipr_err_set(err, IPR_EPARSE, "edges between classes must be positive and rise");
        c.edge[i] = edge[i];
    }
    c.edges = k;
    c.n = 2 * k + 2 + zero_class;
    *out = c;
    return IPR_OK;
}

enum ipr_code ipr_markov_classes_check(const struct ipr_markov_classes *classes,
                                       struct ipr_err *err)
{
    if (classes->n < 3 || classes->n > IPR_MARKOV_MAX ||
        classes->n != 2 * classes->edges + 2 + classes->zero_class)
        return ipr_err_set(err, IPR_EINVAL, "markov: %u classes", classes->n);
    return IPR_OK;
}

unsigned ipr_markov_class(const struct ipr_markov_classes *classes, int cp)
{
    const unsigned zero = classes->n / 2; /* the class of 0 */
    const unsigned k = classes->edges;
    const int size = abs(cp);
    unsigned band = 0;

    if (cp == 0)
        return zero;
    while (band < k && size > classes->edge[band])
        band++;
    if (classes->end_takes_edge && band == k - 1 && size == classes->edge[k - 1])
        band = k;
    if (cp > 0)
        return classes->zero_class ? zero + 1 + band : zero + band;
    return zero - 1 - band;
}

void ipr_markov_count(const struct ipr_markov_classes *classes, const struct ipr_markov_turn *turns,
                      size_t n, int32_t year, double *counts)
{
    for (size_t i = 0; i < n; i++) {
        const struct ipr_markov_turn *t = &turns[i];
        const double w = ipr_year_weight(t->year, year, IPR_FORGETTING);

        if (w > 0.0)
            counts[ipr_markov_class(classes, t->best_cp) * classes->n +
                   ipr_markov_class(classes, t->played_cp)] += w;
    }
}

void ipr_markov_mirror(const double *in, size_t n, double *out)
{
    for (size_t k = 0; k < n * n; k++)
        out[k] = in[n * n - 1 - k];
}

struct ipr_markov_params ipr_markov_default(void)
{
    return (struct ipr_markov_params){ .classes = ipr_markov_classes_19(),
                                       .empty_row = IPR_EMPTY_ROW_POOL,
                                       .forgetting = IPR_FORGETTING,
                                       .replicates = 4000,
                                       .seed = 1 };
}

static enum ipr_code check_side(const struct ipr_markov_side *s, int number,
                                const struct ipr_markov_player *player, bool interval,
                                struct ipr_err *err)
{
    if (s->games > 1 || (s->games == 1 && !interval))
        return IPR_OK;
    if (s->games == 1)
        return ipr_err_set(err, IPR_EDATA,
                           "player %d has one game only, and one game gives no interval", number);
    if (player->year == 0)
        return ipr_err_set(err, IPR_EDATA, "player %d has no moves", number);
    return ipr_err_set(err, IPR_EDATA, "player %d has no moves up to the year %d", number,
                       player->year);
}

/* Matrices of a player from all games: with White, with Black (the same unless kept separate). */
struct matrices {
    double own[2][IPR_MARKOV_CELLS];
    const double *colour[2];
};

static unsigned all_games(const struct ipr_markov_side *s, const double *pool, size_t n,
                          bool separate, struct matrices *m)
{
    double *counts = ipr_xcalloc(2 * (size_t)IPR_MARKOV_CELLS, sizeof *counts);
    unsigned empty = 0;

    for (size_t i = 0; i < s->n; i++)
        counts[s->cell[i]] += s->weight[i];
    for (size_t k = 0; k <= separate; k++)
        empty += ipr_markov_fill(counts + k * IPR_MARKOV_CELLS, pool, n, m->own[k]);
    m->colour[0] = m->own[0];
    m->colour[1] = m->own[separate ? 1 : 0];
    free(counts);
    return empty;
}

static enum ipr_code markov_estimate(const struct ipr_markov_side *s1,
                                     const struct ipr_markov_side *s2, const double *pool,
                                     const struct ipr_markov_params *params,
                                     struct ipr_markov_prediction *out, struct ipr_err *err)
{
    const size_t n = params->classes.n;
    const bool separate = params->separate_colours;
    struct matrices m1;
    struct matrices m2;
    struct ipr_markov_both b;
    enum ipr_code rc;

    out->player1.empty_rows = all_games(s1, pool, n, separate, &m1);
    out->player2.empty_rows = all_games(s2, pool, n, separate, &m2);
    rc = ipr_markov_both_colours(m1.colour, m2.colour, n, ipr_markov_class(&params->classes, 0), &b,
                                 err);
    if (rc != IPR_OK)
        return rc;
    out->as_white = b.white;
    out->as_black = b.black;
    out->mean = (struct ipr_markov_outcome){ (b.white.win + b.black.win) / 2.0,
                                             (b.white.draw + b.black.draw) / 2.0,
                                             (b.white.loss + b.black.loss) / 2.0,
                                             (b.white.expected + b.black.expected) / 2.0 };
    out->recurrent_white = b.recurrent[0];
    out->recurrent_black = b.recurrent[1];
    return IPR_OK;
}

enum ipr_code ipr_markov_predict(const struct ipr_markov_player *player1,
                                 const struct ipr_markov_player *player2, const double *pool,
                                 const struct ipr_markov_params *params,
                                 struct ipr_markov_prediction *out, struct ipr_err *err)
{
    const double *fill = params->empty_row == IPR_EMPTY_ROW_POOL ? pool : NULL;
    const bool interval = params->replicates > 1;
    struct ipr_markov_prediction p;
    struct ipr_markov_side s1;
    struct ipr_markov_side s2;
    enum ipr_code rc;

    rc = ipr_markov_classes_check(&params->classes, err);
    if (rc != IPR_OK)
        return rc;

    memset(&p, 0, sizeof p);
    p.expected = (struct ipr_interval){ 0.0, 1.0 };
    ipr_markov_side_init(&s1, player1, params, &p.player1);
    ipr_markov_side_init(&s2, player2, params, &p.player2);
    p.exits_from_top = p.player1.exits_top;
    p.exits_from_bottom = p.player2.exits_top;
    rc = check_side(&s1, 1, player1, interval, err);
    if (rc == IPR_OK)
        rc = check_side(&s2, 2, player2, interval, err);
    if (rc == IPR_OK)
        rc = markov_estimate(&s1, &s2, fill, params, &p, err);
    if (rc == IPR_OK && interval)
        rc = ipr_markov_bootstrap(&s1, &s2, fill, params, &p, err);
    if (rc == IPR_OK)
        *out = p;
    ipr_markov_side_release(&s1);
    ipr_markov_side_release(&s2);
    return rc;
}

enum ipr_code ipr_markov_chains(const struct ipr_markov_player *player1,
                                const struct ipr_markov_player *player2, const double *pool,
                                const struct ipr_markov_params *params,
                                struct ipr_markov_chain out[2], struct ipr_err *err)
{
    const double *fill = params->empty_row == IPR_EMPTY_ROW_POOL ? pool : NULL;
    const size_t n = params->classes.n;
    const size_t zero = ipr_markov_class(&params->classes, 0);
    struct ipr_markov_evidence unused[2] = { { 0 }, { 0 } };
    struct ipr_markov_chain *c = ipr_xcalloc(2, sizeof *c);
    struct ipr_markov_side s1;
    struct ipr_markov_side s2;
    struct matrices m1;
    struct matrices m2;

    enum ipr_code rc = ipr_markov_classes_check(&params->classes, err);
    if (rc != IPR_OK) {
        free(c);
        return rc;
    }
    ipr_markov_side_init(&s1, player1, params, &unused[0]);
    ipr_markov_side_init(&s2, player2, params, &unused[1]);
    rc = check_side(&s1, 1, player1, false, err);
    if (rc == IPR_OK)
        rc = check_side(&s2, 2, player2, false, err);
    if (rc == IPR_OK) {
        all_games(&s1, fill, n, params->separate_colours, &m1);
        all_games(&s2, fill, n, params->separate_colours, &m2);
        rc = ipr_markov_chain_of(m1.colour[0], m2.colour[1], n, zero, &c[0], err);
    }
    if (rc == IPR_OK)
        rc = ipr_markov_chain_of(m2.colour[0], m1.colour[1], n, zero, &c[1], err);
    if (rc == IPR_OK)
        memcpy(out, c, 2 * sizeof *c);
    ipr_markov_side_release(&s1);
    ipr_markov_side_release(&s2);
    free(c);
    return rc;
}
