/* Error bars of the royale: every player's games are resampled and the whole royale repeated. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/markov_side.h"
#include "model/royale.h"
#include "model/royale_field.h"
#include "stats/resample.h"
#include "stats/sum.h"

/* One player of some rows. */
struct entrant {
    struct ipr_markov_side side; /* every turn of the career with weight 1 */
    size_t first, rows;          /* into the royale's rows */
    uint64_t *stream;            /* [side.n_strata] */
    double *times;               /* [side.games] how often each game was drawn */
};

struct replay {
    const struct ipr_royale *r;
    const double *pool;
    struct ipr_royale_field field;
    struct entrant *entrants;
    size_t n;
    struct ipr_markov_evidence *evidence; /* [rows] */
    double *white;                        /* [rows ^ 2] */
    double *e;                            /* [rows][replicates] mean expected scores */
};

static const struct ipr_royale_player *players_find(const struct ipr_royale_player *players,
                                                    size_t n, int64_t player, struct ipr_err *err)
{
    const struct ipr_royale_player *found = NULL;

    for (size_t i = 0; i < n; i++) {
        if (players[i].player != player)
            continue;
        if (found != NULL) {
            ipr_err_set(err, IPR_EINVAL, "royale: player %lld twice", (long long)player);
            return NULL;
        }
        found = &players[i];
    }
    if (found == NULL)
        ipr_err_set(err, IPR_EINVAL, "royale: no turns of player %lld", (long long)player);
    return found;
}

/* The rows' turns are those of their years in the side. */
static enum ipr_code check_turns(const struct ipr_royale *r, const struct entrant *a,
                                 struct ipr_err *err)
{
    const struct ipr_markov_side *s = &a->side;

    for (size_t i = a->first; i < a->first + a->rows; i++) {
        double turns = 0.0;
        for (size_t g = 0; g < s->games; g++) {
            if (s->year[g] != r->rows[i].year)
                continue;
            for (size_t k = s->start[g]; k < s->start[g + 1]; k++)
                turns += s->weight[k];
        }
        if (turns < r->rows[i].turns || turns > r->rows[i].turns)
            return ipr_err_set(
                err, IPR_EINVAL, "royale: %.0f turns of player %lld in %d, the row has %.0f", turns,
                (long long)r->rows[i].player, (int)r->rows[i].year, r->rows[i].turns);
    }
    return IPR_OK;
}

/* Visits and exits of the best class, for each row of a player. */
static void entrant_weigh(struct replay *p, const struct entrant *a, struct ipr_markov_player all,
                          const struct ipr_markov_params *career)
{
    for (size_t i = a->first; i < a->first + a->rows; i++) {
        struct ipr_markov_side side;

        all.year = p->r->rows[i].year;
        ipr_markov_side_init(&side, &all, career, &p->evidence[i]);
        ipr_markov_side_release(&side);
    }
}

static enum ipr_code replay_enter(struct replay *p, size_t first,
                                  const struct ipr_royale_player *player,
                                  const struct ipr_royale_params *params, struct ipr_err *err)
{
    const struct ipr_markov_params career = { .classes = params->classes };
    struct ipr_markov_turn *dated = ipr_xcalloc(player->n + 1, sizeof *dated);
    struct ipr_markov_player all = { dated, 0, 0 };
    struct entrant *a = &p->entrants[p->n++];
    struct ipr_markov_evidence evidence = { 0 };

    for (size_t i = 0; i < player->n; i++)
        if (player->turns[i].year > 0)
            dated[all.n++] = player->turns[i];
    ipr_markov_side_init(&a->side, &all, &career, &evidence);
    a->first = first;
    while (first + a->rows < p->r->n && p->r->rows[first + a->rows].player == player->player)
        a->rows++;
    entrant_weigh(p, a, all, &career);
    free(dated);
    a->times = ipr_xcalloc(a->side.games + 1, sizeof *a->times);
    a->stream = ipr_xcalloc(a->side.n_strata + 1, sizeof *a->stream);
    p->field.triangular = p->field.triangular && a->side.triangular;
    return check_turns(p->r, a, err);
}

static enum ipr_code enter_all(struct replay *p, const struct ipr_royale_player *players, size_t n,
                               const struct ipr_royale_params *params, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; i < p->r->n && rc == IPR_OK; i += p->entrants[p->n - 1].rows) {
        const struct ipr_royale_player *player =
            players_find(players, n, p->r->rows[i].player, err);

        if (player == NULL)
            return IPR_EINVAL;
        rc = replay_enter(p, i, player, params, err);
    }
    return rc;
}

/* The stream of one year of one player. */
struct seeded {
    uint64_t digest;
    size_t entrant, stratum;
};

static int by_digest(const void *a, const void *b)
{
    const struct seeded *x = a;
    const struct seeded *y = b;

    if (x->digest != y->digest)
        return x->digest < y->digest ? -1 : 1;
    if (x->entrant != y->entrant)
        return x->entrant < y->entrant ? -1 : 1;
    return (x->stratum > y->stratum) - (x->stratum < y->stratum);
}

/* Streams depend on the turns of the year alone, so that games of other years and players change
 * none of its draws; years of the same turns go by order. */
static void replay_seed_streams(struct replay *p, uint64_t seed)
{
    size_t n = 0;

    for (size_t i = 0; i < p->n; i++)
        n += p->entrants[i].side.n_strata;
    struct seeded *all = ipr_xcalloc(n + 1, sizeof *all);
    n = 0;
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < p->entrants[i].side.n_strata; k++)
            all[n++] = (struct seeded){ p->entrants[i].side.strata[k].digest, i, k };
    qsort(all, n, sizeof *all, by_digest);
    uint64_t twins = 0;
    for (size_t i = 0; i < n; i++) {
        twins = i > 0 && all[i].digest == all[i - 1].digest ? twins + 1 : 0;
        p->entrants[all[i].entrant].stream[all[i].stratum] =
            ipr_mix64(ipr_mix64(seed + twins) ^ all[i].digest);
    }
    free(all);
}

/* Steele, Lea & Flood's SplitMix64 (OOPSLA 2014): a whole stream in one number. */
static uint64_t stream_next(uint64_t *stream)
{
    *stream += UINT64_C(0x9e3779b97f4a7c15);
    return ipr_mix64(*stream);
}

static void entrant_draw(struct entrant *a)
{
    const struct ipr_markov_side *s = &a->side;

    memset(a->times, 0, s->games * sizeof *a->times);
    for (size_t k = 0; k < s->n_strata; k++) {
        const struct ipr_markov_stratum *d = &s->strata[k];
        for (size_t g = 0; g < d->games; g++)
            a->times[s->drawn[d->first + ((stream_next(&a->stream[k]) >> 32) * d->games >> 32)]] +=
                1.0;
    }
}

/* Matrices of a player's rows from the games drawn. Games come by year; the counts of each year
 * lose weight until the next. */
static void fill_rows(struct replay *p, struct entrant *a)
{
    const struct ipr_markov_side *s = &a->side;
    const size_t cells = p->field.classes * p->field.classes;
    double counts[IPR_MARKOV_CELLS] = { 0 };
    size_t row = a->first;

    for (size_t g = 0; g < s->games; g++) {
        const double fade = g > 0 ? ldexp(1.0, s->year[g - 1] - s->year[g]) : 1.0;

        for (size_t k = 0; fade < 1.0 && k < cells; k++)
            counts[k] *= fade;
        for (size_t k = s->start[g]; k < s->start[g + 1] && a->times[g] > 0.0; k++)
            counts[s->cell[k]] += a->times[g] * s->weight[k];
        if (row == a->first + a->rows || s->year[g] != p->r->rows[row].year ||
            (g + 1 < s->games && s->year[g + 1] == s->year[g]))
            continue;
        ipr_markov_fill(counts, p->pool, p->field.classes, &p->field.matrix[row++ * cells]);
    }
}

static enum ipr_code replay_replicate(struct replay *p, size_t b, size_t replicates,
                                      struct ipr_err *err)
{
    const size_t n = p->r->n;

    for (size_t i = 0; i < p->n; i++) {
        entrant_draw(&p->entrants[i]);
        fill_rows(p, &p->entrants[i]);
    }
    const enum ipr_code rc = ipr_royale_play(&p->field, p->white, err);
    for (size_t i = 0; i < n && rc == IPR_OK; i++) {
        struct ipr_sum sum = { 0 };
        for (size_t j = 0; j < n; j++)
            if (j != i)
                ipr_sum_add(&sum, ipr_royale_mean(p->white, n, i, j));
        p->e[i * replicates + b] = ipr_sum_value(&sum) / (double)(n - 1);
    }
    return rc;
}

static bool entrant_never_left(const struct ipr_markov_evidence *e)
{
    return e->exits_top == 0;
}

/* The replicates of a player who never left the best class are all the same, and also if no
 * opponent did; for a player who never was in it the row is the pool's, which does not vary. */
static bool entrant_row_known(const struct replay *p, const struct entrant *a, size_t row)
{
    size_t left = 0;

    for (size_t j = 0; j < p->r->n; j++)
        left += j != row && !entrant_never_left(&p->evidence[j]);
    return a->side.games > 1 && left > 0 && !entrant_never_left(&p->evidence[row]);
}

static void set_spreads(struct replay *p, size_t replicates, struct ipr_royale_spread *out)
{
    for (size_t k = 0; k < p->n; k++) {
        const struct entrant *a = &p->entrants[k];

        for (size_t i = a->first; i < a->first + a->rows; i++) {
            double sd_logit;

            out[i] = (struct ipr_royale_spread){ NAN, { NAN, NAN } };
            if (entrant_row_known(p, a, i))
                ipr_markov_interval(p->r->rows[i].expected, 1.0, &p->e[i * replicates], replicates,
                                    &out[i].sd, &sd_logit, &out[i].interval);
        }
    }
}

static void replay_release(struct replay *p)
{
    for (size_t i = 0; i < p->n; i++) {
        ipr_markov_side_release(&p->entrants[i].side);
        free(p->entrants[i].stream);
        free(p->entrants[i].times);
    }
    free(p->entrants);
    free(p->evidence);
    free(p->field.matrix);
    free(p->white);
    free(p->e);
}

enum ipr_code ipr_royale_bootstrap(const struct ipr_royale *r,
                                   const struct ipr_royale_player *players, size_t n,
                                   const double *pool, const struct ipr_royale_params *params,
                                   const struct ipr_royale_bootstrap *how,
                                   struct ipr_royale_spread *out, struct ipr_err *err)
{
    const size_t c = params->classes.n;
    struct replay p = {
        .r = r,
        .pool = params->empty_row == IPR_EMPTY_ROW_POOL ? pool : NULL,
        .field = { .rows = r->n, .classes = c },
    };
    enum ipr_code rc = ipr_markov_classes_check(&params->classes, err);

    if (rc == IPR_OK && how->replicates < 2)
        rc = ipr_err_set(err, IPR_EINVAL, "royale: %u replicates", how->replicates);
    if (rc != IPR_OK)
        return rc;
    p.field.zero = ipr_markov_class(&params->classes, 0);
    p.field.triangular = p.pool == NULL || ipr_royale_triangular(p.pool, c); /* rows may be its */
    p.field.matrix = ipr_xcalloc(r->n * c * c, sizeof *p.field.matrix);
    p.entrants = ipr_xcalloc(r->n, sizeof *p.entrants);
    p.evidence = ipr_xcalloc(r->n, sizeof *p.evidence);
    p.white = ipr_xcalloc(r->n * r->n, sizeof *p.white);
    p.e = ipr_xcalloc(r->n * how->replicates, sizeof *p.e);
    rc = enter_all(&p, players, n, params, err);
    replay_seed_streams(&p, how->seed);
    for (size_t b = 0; b < how->replicates && rc == IPR_OK; b++) {
        if (how->go_on != NULL && !how->go_on(how->arg))
            rc = ipr_err_set(err, IPR_ERETRY, "royale: stopped");
        else
            rc = replay_replicate(&p, b, how->replicates, err);
    }
    if (rc == IPR_OK)
        set_spreads(&p, how->replicates, out);
    replay_release(&p);
    return rc;
}
