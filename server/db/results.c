#include "db/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "model/results_shipped.h"
#include "queries/results_inside.h"

#define RESULTS_READ 100000 /* games read at once */
#define RESULTS_PUT  20000  /* rows stored at once, and those of the last person */

/* A fit under way; ids of persons and identities are indices. */
struct results {
    struct ipr_arena mem;
    int64_t version;
    int32_t players;
    int32_t *person;           /* [players] of identities */
    struct ipr_whr_game *game; /* [n] */
    size_t n, room;
    struct ipr_whr fit;
    int32_t *component;          /* [players] */
    struct ipr_whr_scale *scale; /* [players] of each component */
    bool fitted;
};

/* ---- reading ---- */

static enum ipr_code results_persons(struct ipr_db *db, struct results *r, struct ipr_err *err)
{
    struct ipr_db_results_merged *rows = NULL;
    size_t n = 0;
    const enum ipr_code rc = ipr_db_results_merged(db, &r->mem, &rows, &n, err);

    r->person = ipr_arena_alloc(&r->mem, (size_t)r->players, sizeof *r->person);
    for (int32_t i = 0; i < r->players; i++)
        r->person[i] = i;
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        if (rows[i].id < r->players && rows[i].person < r->players)
            r->person[rows[i].id] = rows[i].person;
    return rc;
}

/* Games of one person against himself do not count. Those of players who were stored after the fit
 * became due will count in the next one. */
static void results_add(struct results *r, const struct ipr_db_results_game *g)
{
    if (g->white >= r->players || g->black >= r->players ||
        r->person[g->white] == r->person[g->black])
        return;
    if (r->n == r->room) {
        r->room = r->room ? 2 * r->room : 4096;
        r->game = ipr_xrealloc(r->game, r->room, sizeof *r->game);
    }
    r->game[r->n++] = (struct ipr_whr_game){ (uint32_t)r->person[g->white],
                                             (uint32_t)r->person[g->black],
                                             g->year,
                                             g->points,
                                             1,
                                             { ipr_whr_elo(g->year, g->white_elo),
                                               ipr_whr_elo(g->year, g->black_elo) } };
}

static enum ipr_code results_read(struct ipr_db *db, struct results *r, struct ipr_err *err)
{
    int64_t after = 0;
    size_t n = RESULTS_READ;
    enum ipr_code rc = results_persons(db, r, err);

    while (rc == IPR_OK && n == RESULTS_READ && r->n <= IPR_RESULTS_GAMES_MAX) {
        struct ipr_arena mem = IPR_ARENA_INIT;
        struct ipr_db_results_game *rows = NULL;

        rc = ipr_db_results_games(db, after, RESULTS_READ, &mem, &rows, &n, err);
        for (size_t i = 0; rc == IPR_OK && i < n; i++)
            results_add(r, &rows[i]);
        if (rc == IPR_OK && n > 0)
            after = rows[n - 1].id;
        ipr_arena_release(&mem);
    }
    if (r->n > IPR_RESULTS_GAMES_MAX)
        r->n = 0;
    return rc;
}

/* ---- components ---- */

static int32_t component_of(int32_t *component, int32_t i)
{
    while (component[i] != i)
        i = component[i] = component[component[i]];
    return i;
}

/* ---- scale ---- */

static enum ipr_code results_scale(struct ipr_db *db, struct results *r, struct ipr_err *err)
{
    enum ipr_code rc = ipr_db_results_components_clear(db, err);

    r->scale = ipr_arena_alloc(&r->mem, (size_t)r->players, sizeof *r->scale);
    for (int32_t i = 0; i < r->players; i++)
        ipr_whr_scale_add(r->fit.strength + r->fit.first[i], r->fit.first[i + 1] - r->fit.first[i],
                          &r->scale[r->component[i]]);
    for (int32_t i = 0; rc == IPR_OK && i < r->players; i++)
        if (ipr_whr_scaled(&r->scale[i], &ipr_results_shipped.scale))
            rc = ipr_db_results_component_put(db, i, &r->scale[i], err);
    return rc;
}

enum ipr_code ipr_db_results_scale(struct ipr_db *db, int32_t component, struct ipr_whr_scale *out,
                                   struct ipr_err *err)
{
    bool found = false;
    int from, to, ratings, players;
    const enum ipr_code rc =
        ipr_db_results_component(db, component, &found, &from, &to, &ratings, &players, err);

    *out = (struct ipr_whr_scale){ 0 };
    if (rc == IPR_OK && found)
        *out = (struct ipr_whr_scale){ from, to, (size_t)ratings, (size_t)players };
    return rc;
}

/* ---- storing ---- */

static struct ipr_db_results_row results_row(const struct results *r,
                                             const struct ipr_whr_strength *s)
{
    const int32_t component = r->component[s->player];
    const struct ipr_whr_scale *scale = &r->scale[component];
    const struct ipr_whr_scale_options *o = &ipr_results_shipped.scale;
    const struct ipr_whr_place place = ipr_whr_place(scale, s->period);

    return (struct ipr_db_results_row){
        .person = (int)s->player,
        .year = s->period,
        .games = (int)lround(s->games),
        .component = component,
        .elo = llround(10 * s->elo),
        .se = llround(10 * s->se),
        .covariance = llround(10 * s->covariance),
        .scale_se = ipr_whr_scaled(scale, o) ? llround(10 * ipr_whr_place_se(scale, &place, o)) : -1
    };
}

/* Number of a player's first years without a strength. On the scale of no list all have one: only
 * their differences mean something, and they stand for no Elo. */
static size_t results_early(const struct results *r, int32_t player)
{
    const size_t first = r->fit.first[player], n = r->fit.first[player + 1] - first;
    const struct ipr_whr_scale_options *o = &ipr_results_shipped.scale;

    return ipr_whr_scaled(&r->scale[r->component[player]], o)
               ? ipr_whr_early(r->fit.strength + first, n, o)
               : 0;
}

/* The rows of some persons, then of the next ones. */
static enum ipr_code results_store(struct ipr_db *db, const struct results *r, struct ipr_err *err)
{
    struct ipr_db_results_row *rows = ipr_xcalloc(r->fit.n + 1, sizeof *rows);
    enum ipr_code rc = IPR_OK;
    int32_t after = 0;
    size_t n = 0;

    for (int32_t i = 0; rc == IPR_OK && i < r->players; i++) {
        for (size_t k = r->fit.first[i] + results_early(r, i); k < r->fit.first[i + 1]; k++)
            rows[n++] = results_row(r, &r->fit.strength[k]);
        if (n < RESULTS_PUT && i + 1 < r->players)
            continue;
        const int32_t to = i + 1 < r->players ? i : INT32_MAX;

        rc = ipr_db_results_put(db, after, to, rows, n, err);
        after = to;
        n = 0;
    }
    free(rows);
    return rc;
}

static enum ipr_code results_compute(struct ipr_db *db, struct results *r, struct ipr_err *err)
{
    enum ipr_code rc = ipr_whr_fit(r->game, r->n, (size_t)r->players, &ipr_results_shipped.history,
                                   &r->mem, &r->fit, err);

    if (rc != IPR_OK)
        return rc;
    r->component = ipr_arena_alloc(&r->mem, (size_t)r->players, sizeof *r->component);
    for (int32_t i = 0; i < r->players; i++)
        r->component[i] = i;
    for (size_t i = 0; i < r->n; i++) {
        const int32_t a = component_of(r->component, (int32_t)r->game[i].white);
        const int32_t b = component_of(r->component, (int32_t)r->game[i].black);

        if (a > b)
            r->component[a] = b;
        else
            r->component[b] = a;
    }
    for (int32_t i = 0; i < r->players; i++)
        r->component[i] = component_of(r->component, i);
    rc = results_scale(db, r, err);
    return rc == IPR_OK ? results_store(db, r, err) : rc;
}

static enum ipr_code results_in_tx(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct results *r = arg;
    const int64_t begun = ipr_now_us();
    bool own = false;
    enum ipr_code rc = ipr_db_results_lock(db, &own, err);

    if (rc != IPR_OK || !own)
        return rc;
    r->n = 0;
    rc = results_read(db, r, err);
    if (rc == IPR_OK)
        rc = r->n > 0 ? results_compute(db, r, err) : ipr_db_results_clear(db, err);
    if (rc == IPR_OK)
        rc = ipr_db_results_fit_put(db, r->version, IPR_RESULTS_VERSION, (int)r->n,
                                    (double)(ipr_now_us() - begun) / 1e6, err);
    r->fitted = rc == IPR_OK;
    return rc;
}

enum ipr_code ipr_db_results_fit(struct ipr_db *db, bool *fitted, struct ipr_err *err)
{
    struct results r = { .mem = IPR_ARENA_INIT };
    bool due = false;
    enum ipr_code rc =
        ipr_db_results_due(db, IPR_RESULTS_VERSION, &due, &r.version, &r.players, err);

    if (rc == IPR_OK && due)
        rc = ipr_db_tx(db, results_in_tx, &r, err);
    *fitted = rc == IPR_OK && r.fitted;
    free(r.game);
    ipr_arena_release(&r.mem);
    return rc;
}
