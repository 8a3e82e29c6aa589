#include "model/markov.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/turn.h"
#include "stats/sum.h"

enum { CELLS = IPR_MARKOV_MAX * IPR_MARKOV_MAX };

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

    if (k == 0 || k > IPR_MARKOV_EDGES || 2 * k + 2 + zero_class > IPR_MARKOV_MAX)
        return ipr_err_set(err, IPR_EPARSE, "%u edges between classes; 1 to %d are possible", k,
                           IPR_MARKOV_EDGES - 1);
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

static bool counts_for(int32_t turn_year, int32_t year)
{
    return year == 0 || (turn_year != 0 && turn_year <= year);
}

static double year_weight(int32_t turn_year, int32_t year)
{
    return year == 0 ? 1.0 : ldexp(1.0, turn_year - year);
}

void ipr_markov_count(const struct ipr_markov_classes *classes, const struct ipr_markov_turn *turns,
                      size_t n, int32_t year, double *counts)
{
    for (size_t i = 0; i < n; i++) {
        const struct ipr_markov_turn *t = &turns[i];
        if (counts_for(t->year, year))
            counts[ipr_markov_class(classes, t->best_cp) * classes->n +
                   ipr_markov_class(classes, t->played_cp)] += year_weight(t->year, year);
    }
}

/* The matrix, and how many rows had no count. */
static unsigned fill_matrix(const double *counts, const double *pool, size_t n, double *matrix)
{
    unsigned empty = 0;

    for (size_t i = 0; i < n; i++) {
        const double *row = &counts[i * n];
        double total = 0.0;
        for (size_t j = 0; j < n; j++)
            total += row[j];
        if (!(total > 0.0)) {
            empty++;
            for (size_t j = 0; j < n && pool != NULL; j++)
                total += pool[i * n + j];
            row = total > 0.0 ? &pool[i * n] : NULL;
        }
        for (size_t j = 0; j < n; j++)
            matrix[i * n + j] = row != NULL ? row[j] / total : (i == j ? 1.0 : 0.0);
    }
    return empty;
}

void ipr_markov_matrix(const double *counts, const double *pool, size_t n, double *matrix)
{
    fill_matrix(counts, pool, n, matrix);
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
                                       .replicates = 1000,
                                       .seed = 1 };
}

/* One transition of one game. */
struct step {
    int32_t year, game;
    uint16_t cell;
    uint8_t colour; /* 0 unless colours are kept apart */
    double weight;
};

/* Games which stand for each other: replicates draw among these. Games of one year, as a rule. */
struct stratum {
    size_t first, games; /* into `drawn` */
};

/* A player's transitions, by year and game. */
struct side {
    struct step *steps;
    size_t n;
    size_t *start; /* first step of each game; one more entry closes the last */
    size_t games;
    size_t *drawn; /* the games, those of one stratum together */
    struct stratum *strata;
    size_t n_strata;
};

static int by_year_game_cell(const void *a, const void *b)
{
    const struct step *x = a;
    const struct step *y = b;

    if (x->year != y->year)
        return x->year < y->year ? -1 : 1;
    if (x->game != y->game)
        return x->game < y->game ? -1 : 1;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

static void side_release(struct side *s)
{
    free(s->steps);
    free(s->start);
    free(s->drawn);
    free(s->strata);
}

/* Marks where games begin in the sorted steps; the strata are the years. */
static void side_index(struct side *s)
{
    s->start = ipr_xcalloc(s->n + 1, sizeof *s->start);
    s->strata = ipr_xcalloc(s->n + 1, sizeof *s->strata);
    for (size_t i = 0; i < s->n; i++) {
        const bool new_year = i == 0 || s->steps[i].year != s->steps[i - 1].year;
        if (new_year)
            s->strata[s->n_strata++] = (struct stratum){ s->games, 0 };
        if (new_year || s->steps[i].game != s->steps[i - 1].game) {
            s->start[s->games++] = i;
            s->strata[s->n_strata - 1].games++;
        }
    }
    s->start[s->games] = s->n;
}

/* A game alone in its year would be in every replicate. Such games are one stratum together, the
 * last; where there is but one it joins the largest stratum (the first of these). */
static void side_draw(struct side *s)
{
    size_t singles = 0, single = 0, largest = 0, kept = 0, n = 0;

    for (size_t k = 0; k < s->n_strata; k++) {
        if (s->strata[k].games > s->strata[largest].games)
            largest = k;
        if (s->strata[k].games == 1) {
            singles++;
            single = s->strata[k].first;
        }
    }
    s->drawn = ipr_xcalloc(s->games + 1, sizeof *s->drawn);
    size_t last = s->games - singles; /* where the singles go */
    for (size_t k = 0; k < s->n_strata; k++) {
        const struct stratum year = s->strata[k];
        const size_t first = n;

        if (year.games == 1) {
            if (singles > 1)
                s->drawn[last++] = year.first;
            continue;
        }
        for (size_t g = 0; g < year.games; g++)
            s->drawn[n++] = year.first + g;
        if (singles == 1 && k == largest)
            s->drawn[n++] = single;
        s->strata[kept++] = (struct stratum){ first, n - first };
    }
    if (singles > 1)
        s->strata[kept++] = (struct stratum){ n, singles };
    s->n_strata = kept;
}

static void side_init(struct side *s, const struct ipr_markov_player *player,
                      const struct ipr_markov_params *params, struct ipr_markov_evidence *e)
{
    const struct ipr_markov_classes *classes = &params->classes;

    memset(s, 0, sizeof *s);
    s->steps = ipr_xcalloc(player->n + 1, sizeof *s->steps);
    for (size_t i = 0; i < player->n; i++) {
        const struct ipr_markov_turn *t = &player->turns[i];
        const unsigned from = ipr_markov_class(classes, t->best_cp);
        const unsigned to = ipr_markov_class(classes, t->played_cp);
        const double w = counts_for(t->year, player->year) ? year_weight(t->year, player->year) : 0;
        if (!(w > 0.0))
            continue;
        s->steps[s->n++] =
            (struct step){ .year = t->year,
                           .game = t->game,
                           .cell = (uint16_t)(from * classes->n + to),
                           .colour = params->separate_colours && t->mover != 0 ? 1 : 0,
                           .weight = w };
        e->turns++;
        e->turns_in_year += player->year != 0 && t->year == player->year;
        e->weight += w;
        if (from == classes->n - 1 && to != from) {
            e->exits_top++;
            e->exits_top_weight += w;
        }
    }
    qsort(s->steps, s->n, sizeof *s->steps, by_year_game_cell);
    side_index(s);
    side_draw(s);
    e->games = s->games;
}

/* Counts of the player as White and as Black (the same unless colours are kept apart). */
struct counts {
    double as[2][CELLS];
};

static void add_game(const struct side *s, size_t game, struct counts *c)
{
    for (size_t i = s->start[game]; i < s->start[game + 1]; i++)
        c->as[s->steps[i].colour][s->steps[i].cell] += s->steps[i].weight;
}

static void clear_counts(struct counts *c, size_t cells, bool separate)
{
    memset(c->as[0], 0, cells * sizeof(double));
    if (separate)
        memset(c->as[1], 0, cells * sizeof(double));
}

static void all_games(const struct side *s, struct counts *c)
{
    for (size_t g = 0; g < s->games; g++)
        add_game(s, g, c);
}

static void drawn_games(const struct side *s, gsl_rng *rng, struct counts *c)
{
    for (size_t k = 0; k < s->n_strata; k++) {
        const struct stratum *d = &s->strata[k];
        for (size_t g = 0; g < d->games; g++)
            add_game(s, s->drawn[d->first + gsl_rng_uniform_int(rng, d->games)], c);
    }
}

/* M = F mirror(S), F lower and mirror(S) upper triangular when v_p <= v_b. */
static void chain(const double *f, const double *s, size_t n, double *m)
{
    double back[CELLS];

    ipr_markov_mirror(s, n, back);
    memset(m, 0, n * n * sizeof *m);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            const double x = f[i * n + k];
            if (!(x > 0.0))
                continue;
            for (size_t j = 0; j < n; j++)
                m[i * n + j] += x * back[k * n + j];
        }
    }
}

struct work {
    const struct ipr_markov_params *params;
    const double *pool;
    struct ipr_markov_prediction *out; /* NULL in replicates */
};

/* White's win, draw and loss in games of F as White against S as Black. */
static enum ipr_code game(const struct work *w, const double *f, const double *s, double *pi,
                          unsigned *recurrent, struct ipr_markov_outcome *o, struct ipr_err *err)
{
    const size_t n = w->params->classes.n;
    double m[CELLS];
    enum ipr_code rc;

    chain(f, s, n, m);
    rc = ipr_chain_limit(m, n, ipr_markov_class(&w->params->classes, 0), pi, recurrent, err);
    if (rc != IPR_OK)
        return rc;
    o->win = pi[n - 1];
    o->loss = pi[0];
    o->draw = fmax(0.0, 1.0 - o->win - o->loss);
    o->expected = o->win + o->draw / 2.0;
    return IPR_OK;
}

static struct ipr_markov_outcome other_side(struct ipr_markov_outcome o)
{
    return (struct ipr_markov_outcome){ o.loss, o.draw, o.win, 1.0 - o.expected };
}

/*
 * Player 1 as Black without another elimination: if pi F S' = pi then (pi F) S' F = pi F, and
 * S' F mirrored is the chain with the colours exchanged. So Black, in mirrored view, spends its
 * time in pi F. Needs one recurrent class and one matrix a player for both colours.
 */
static struct ipr_markov_outcome exchanged(const double *pi, const double *f, size_t n)
{
    struct ipr_markov_outcome o = { 0 };

    for (size_t i = 0; i < n; i++) {
        o.win += pi[i] * f[i * n + n - 1];
        o.loss += pi[i] * f[i * n];
    }
    o.draw = fmax(0.0, 1.0 - o.win - o.loss);
    o.expected = o.win + o.draw / 2.0;
    return o;
}

static struct ipr_markov_outcome mean_outcome(struct ipr_markov_outcome a,
                                              struct ipr_markov_outcome b)
{
    return (struct ipr_markov_outcome){ (a.win + b.win) / 2.0, (a.draw + b.draw) / 2.0,
                                        (a.loss + b.loss) / 2.0, (a.expected + b.expected) / 2.0 };
}

/* Expected score of player 1 over both colours from the counts; the rest into w->out. */
static enum ipr_code predict_once(const struct work *w, const struct counts *c1,
                                  const struct counts *c2, double *expected, struct ipr_err *err)
{
    const size_t n = w->params->classes.n;
    const size_t apart = w->params->separate_colours ? 1 : 0;
    const double *pool = w->params->empty_row == IPR_EMPTY_ROW_POOL ? w->pool : NULL;
    double f1[2][CELLS];
    double f2[2][CELLS];
    double pi[IPR_MARKOV_MAX];
    struct ipr_markov_outcome white = { 0 };
    struct ipr_markov_outcome black = { 0 };
    unsigned rec[2] = { 1, 1 };
    unsigned empty[2] = { 0, 0 };
    enum ipr_code rc;

    for (size_t k = 0; k <= apart; k++) {
        empty[0] += fill_matrix(c1->as[k], pool, n, f1[k]);
        empty[1] += fill_matrix(c2->as[k], pool, n, f2[k]);
    }
    rc = game(w, f1[0], f2[apart], pi, &rec[0], &white, err);
    if (rc == IPR_OK && !apart && rec[0] == 1) {
        black = exchanged(pi, f1[0], n);
    } else if (rc == IPR_OK) {
        rc = game(w, f2[0], f1[apart], pi, &rec[1], &black, err);
        black = other_side(black);
    }
    if (rc != IPR_OK)
        return rc;
    *expected = (white.expected + black.expected) / 2.0;
    if (w->out != NULL) {
        w->out->as_white = white;
        w->out->as_black = black;
        w->out->mean = mean_outcome(white, black);
        w->out->recurrent_white = rec[0];
        w->out->recurrent_black = rec[1];
        w->out->player1.empty_rows = empty[0];
        w->out->player2.empty_rows = empty[1];
    }
    return IPR_OK;
}

static double logit(double e)
{
    e = fmax(0.001, fmin(0.999, e));
    return log(e / (1.0 - e));
}

static double sd_of(const double *x, size_t n)
{
    const double mean = ipr_stats_mean(x, n);
    struct ipr_sum ss = { 0 };

    for (size_t i = 0; i < n; i++)
        ipr_sum_add(&ss, (x[i] - mean) * (x[i] - mean));
    return sqrt(ipr_sum_value(&ss) / (double)(n - 1));
}

static void set_interval(struct ipr_markov_prediction *out, double *e, size_t n)
{
    const double centre = logit(out->mean.expected);

    out->sd = sd_of(e, n);
    for (size_t i = 0; i < n; i++)
        e[i] = logit(e[i]);
    out->sd_logit = sd_of(e, n);
    out->expected.lo = 1.0 / (1.0 + exp(-(centre - IPR_Z95 * out->sd_logit)));
    out->expected.hi = 1.0 / (1.0 + exp(-(centre + IPR_Z95 * out->sd_logit)));
    /* Where the logit is held back the estimate itself may lie outside. */
    out->expected.lo = fmin(out->expected.lo, out->mean.expected);
    out->expected.hi = fmax(out->expected.hi, out->mean.expected);
}

/* A 64-bit mixer (Stafford's variant 13 of the MurmurHash3 finaliser). */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

/* What a player's turns come to, in whatever order. */
static uint64_t digest(const struct side *s)
{
    uint64_t sum = s->n;

    for (size_t i = 0; i < s->n; i++)
        sum += mix((uint64_t)s->steps[i].cell << 1 | s->steps[i].colour);
    return sum;
}

/* A stream of draws for each player that depends on the player's turns alone, so that the error
 * bar is the same whoever is named first. */
static void seed_streams(uint64_t seed, const struct side *s1, const struct side *s2,
                         gsl_rng *rng[2])
{
    const uint64_t a = digest(s1), b = digest(s2);

    gsl_rng_set(rng[0], (unsigned long)(mix(seed ^ a) & 0xffffffffU));
    gsl_rng_set(rng[1], (unsigned long)(mix(seed ^ b ^ (a == b)) & 0xffffffffU));
}

static enum ipr_code bootstrap(struct work w, const struct side *s1, const struct side *s2,
                               struct ipr_markov_prediction *out, struct ipr_err *err)
{
    const size_t cells = (size_t)w.params->classes.n * w.params->classes.n;
    const bool apart = w.params->separate_colours;
    const size_t n = w.params->replicates;
    gsl_rng *rng[2] = { gsl_rng_alloc(gsl_rng_mt19937), gsl_rng_alloc(gsl_rng_mt19937) };
    double *e = ipr_xcalloc(n, sizeof *e);
    struct counts *c = ipr_xcalloc(2, sizeof *c);
    enum ipr_code rc = IPR_OK;

    seed_streams(w.params->seed, s1, s2, rng);
    w.out = NULL;
    for (size_t i = 0; i < n && rc == IPR_OK; i++) {
        clear_counts(&c[0], cells, apart);
        clear_counts(&c[1], cells, apart);
        drawn_games(s1, rng[0], &c[0]);
        drawn_games(s2, rng[1], &c[1]);
        rc = predict_once(&w, &c[0], &c[1], &e[i], err);
    }
    if (rc == IPR_OK) {
        set_interval(out, e, n);
        out->replicates = (unsigned)n;
    }
    free(c);
    free(e);
    gsl_rng_free(rng[0]);
    gsl_rng_free(rng[1]);
    return rc;
}

static enum ipr_code check_side(const struct side *s, int number,
                                const struct ipr_markov_player *player, bool interval,
                                struct ipr_err *err)
{
    if (s->games > 1 || (s->games == 1 && !interval))
        return IPR_OK;
    if (s->games == 1)
        return ipr_err_set(err, IPR_EDATA,
                           "player %d has one game only, and one game gives no interval", number);
    if (player->year == 0)
        return ipr_err_set(err, IPR_EDATA, "player %d has no turns", number);
    return ipr_err_set(err, IPR_EDATA, "player %d has no turns up to the year %d", number,
                       player->year);
}

enum ipr_code ipr_markov_predict(const struct ipr_markov_player *player1,
                                 const struct ipr_markov_player *player2, const double *pool,
                                 const struct ipr_markov_params *params,
                                 struct ipr_markov_prediction *out, struct ipr_err *err)
{
    struct ipr_markov_prediction p;
    struct work w = { params, pool, &p };
    struct side s1;
    struct side s2;
    const bool interval = params->replicates > 1;
    struct counts *c;
    double expected;
    enum ipr_code rc;

    if (params->classes.n < 3 || params->classes.n > IPR_MARKOV_MAX ||
        params->classes.n != 2 * params->classes.edges + 2 + params->classes.zero_class)
        return ipr_err_set(err, IPR_EINVAL, "markov: %u classes", params->classes.n);

    memset(&p, 0, sizeof p);
    p.expected = (struct ipr_interval){ 0.0, 1.0 };
    side_init(&s1, player1, params, &p.player1);
    side_init(&s2, player2, params, &p.player2);
    p.exits_from_top = p.player1.exits_top;
    p.exits_from_bottom = p.player2.exits_top;
    c = ipr_xcalloc(2, sizeof *c);
    rc = check_side(&s1, 1, player1, interval, err);
    if (rc == IPR_OK)
        rc = check_side(&s2, 2, player2, interval, err);
    if (rc == IPR_OK) {
        all_games(&s1, &c[0]);
        all_games(&s2, &c[1]);
        rc = predict_once(&w, &c[0], &c[1], &expected, err);
    }
    if (rc == IPR_OK && interval)
        rc = bootstrap(w, &s1, &s2, &p, err);
    if (rc == IPR_OK)
        *out = p;
    free(c);
    side_release(&s1);
    side_release(&s2);
    return rc;
}
