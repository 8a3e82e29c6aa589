#include "lab/planted.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/screening.h"
#include "stats/interval.h"

#define PLANTED_SEED   1
#define PLANTED_LOW    1400. /* Elo of the field, uniform */
#define PLANTED_HIGH   2400.
#define PLANTED_NEAR   100. /* Elo from a player to those whose sides are drawn */
#define PLANTED_YEAR   2024
#define PLANTED_LEAST  30   /* moves of a test, as on the page of an event */
#define PLANTED_FLAG   0.05 /* of the corrected probability, as there */
#define PLANTED_LEVELS 3
#define PLANTED_SHARES 4
#define PLANTED_AFTER  3
#define PLANTED_OTHERS (BENCH_PLANTED_PLAYERS - 1)
#define PLANTED_CELLS  (PLANTED_LEVELS * PLANTED_SHARES * BENCH_PLANTED_ENGINES)
#define PLANTED_MOST   512 /* moves of a side */

static const double planted_level[PLANTED_LEVELS] = { 1400, 1800, 2200 };
static const double planted_share[PLANTED_SHARES] = { 0, .3, .5, 1 };
static const size_t planted_after[PLANTED_AFTER] = { 3, 6, 9 };
static const char *const planted_engine[BENCH_PLANTED_ENGINES] = { "first", "close" };

/* ---- one player ---- */

void bench_planted_add(const struct bench_planted *p, const struct bench_planted_side *side,
                       double elo, double share, enum bench_planted_engine engine,
                       const double (*u)[2], struct bench_planted_sums *sum)
{
    const double moved = ipr_strength_expected(p->model, elo, PLANTED_YEAR) - side->expected;
    double information = 0;

    for (size_t i = 0; i < side->n; i++) {
        const struct bench_move *const move = &side->move[i];
        const bool own = u == NULL || u[i][0] >= share;
        const struct ipr_strength_score *const s = own ? &move->own
                                                   : engine == BENCH_PLANTED_CLOSE && u[i][1] < .5
                                                       ? &move->close
                                                       : &move->best;

        sum->score += s->score + (own ? moved * s->information : 0);
        sum->own += own ? s->information : 0;
        information += s->information;
    }
    sum->information += information;
    sum->squares += information * information;
    sum->moves += side->n;
}

/* A player of a Swiss: what they have in common with the field, and what is their own, in z. */
struct planted_player {
    double elo, deviation;
    const struct bench_planted_side *side[BENCH_PLANTED_ROUNDS];
};

/* z against the player's Elo; NAN: not tested. Sides of different players differ in what those of
 * one player, in one event, have in common; what averaging takes from that is added again. */
static double planted_z(const struct bench_planted *p, const struct planted_player *player,
                        const struct bench_planted_sums *s)
{
    const double squares = s->squares / (s->information * s->information);
    const struct ipr_strength_set set = {
        .score = s->score + s->own * sqrt(1 - squares) * player->deviation,
        .information = s->information,
        .elo = player->elo,
        .year = PLANTED_YEAR,
        .events = 1,
    };

    return s->moves < PLANTED_LEAST || !(s->information > 0)
               ? NAN
               : ipr_strength_surprise(p->model, &set);
}

/* The first side of at least this Elo. */
static size_t planted_from(const struct bench_planted *p, double elo)
{
    size_t low = 0, high = p->n;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (p->side[middle].elo < elo)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* `event`: the deviation that the players of an event have in common. */
static struct planted_player planted_draw(const struct bench_planted *p, double elo, double event,
                                          gsl_rng *rng)
{
    const size_t from = planted_from(p, elo - PLANTED_NEAR);
    const size_t n = planted_from(p, elo + PLANTED_NEAR) - from;
    struct planted_player out = { .elo = elo };

    out.deviation = event + gsl_ran_gaussian(rng, sqrt(p->model->spread.player));
    for (size_t k = 0; k < BENCH_PLANTED_ROUNDS; k++)
        out.side[k] = &p->side[from + gsl_rng_uniform_int(rng, n)];
    return out;
}

/* ---- a Swiss ---- */

struct planted_found {
    size_t first, flagged, others;
};

static int planted_descending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

/* Tests n others, z descending, with one user among them. */
static void planted_test(const double *others, size_t n, double user, struct planted_found *out)
{
    double tail[BENCH_PLANTED_PLAYERS], holm[BENCH_PLANTED_PLAYERS], fdr[BENCH_PLANTED_PLAYERS];
    size_t at = 0, flagged = 0;

    while (at < n && others[at] >= user)
        at++;
    const size_t all = isnan(user) ? n : n + 1;
    for (size_t i = 0; i < all; i++)
        tail[i] = ipr_screening_tail(all == n || i < at ? others[i]
                                     : i == at          ? user
                                                        : others[i - 1]);
    ipr_screening_correct(tail, all, holm, fdr);
    while (flagged < all && holm[flagged] < PLANTED_FLAG)
        flagged++;
    out->first += all > n && at == 0;
    out->flagged += all > n && at < flagged;
    out->others += flagged > (all > n && at < flagged);
}

struct planted_swiss {
    double others[PLANTED_AFTER][PLANTED_OTHERS]; /* z, descending */
    size_t n[PLANTED_AFTER];                      /* of them tested */
    double event;
};

static struct planted_swiss planted_others(const struct bench_planted *p, gsl_rng *rng)
{
    struct planted_swiss out = {
        .event = gsl_ran_gaussian(rng, sqrt(p->model->spread.event)),
    };

    for (size_t i = 0; i < PLANTED_OTHERS; i++) {
        const double elo = PLANTED_LOW + (PLANTED_HIGH - PLANTED_LOW) * gsl_rng_uniform(rng);
        const struct planted_player player = planted_draw(p, elo, out.event, rng);
        struct bench_planted_sums sum = { 0 };

        for (size_t k = 0, a = 0; k < BENCH_PLANTED_ROUNDS; k++) {
            bench_planted_add(p, player.side[k], elo, 0, BENCH_PLANTED_FIRST, NULL, &sum);
            if (k + 1 != planted_after[a])
                continue;
            const double z = planted_z(p, &player, &sum);
            if (!isnan(z))
                out.others[a][out.n[a]++] = z;
            a++;
        }
    }
    for (size_t a = 0; a < PLANTED_AFTER; a++)
        qsort(out.others[a], out.n[a], sizeof *out.others[a], planted_descending);
    return out;
}

/* The user of one level, with every share and engine: the same sides and the same draws. */
static void
planted_user(const struct bench_planted *p, const struct planted_swiss *swiss, double elo,
             gsl_rng *rng,
             struct planted_found found[PLANTED_SHARES][BENCH_PLANTED_ENGINES][PLANTED_AFTER])
{
    const struct planted_player player = planted_draw(p, elo, swiss->event, rng);
    struct bench_planted_sums sum[PLANTED_SHARES][BENCH_PLANTED_ENGINES];
    double u[PLANTED_MOST][2];

    memset(sum, 0, sizeof sum);
    for (size_t k = 0, a = 0; k < BENCH_PLANTED_ROUNDS; k++) {
        const bool counted = k + 1 == planted_after[a];

        for (size_t i = 0; i < player.side[k]->n; i++)
            for (size_t j = 0; j < 2; j++)
                u[i][j] = gsl_rng_uniform(rng);
        for (size_t s = 0; s < PLANTED_SHARES; s++)
            for (size_t e = 0; e < BENCH_PLANTED_ENGINES; e++) {
                bench_planted_add(p, player.side[k], elo, planted_share[s],
                                  (enum bench_planted_engine)e, (const double(*)[2])u, &sum[s][e]);
                if (counted)
                    planted_test(swiss->others[a], swiss->n[a], planted_z(p, &player, &sum[s][e]),
                                 &found[s][e][a]);
            }
        a += counted;
    }
}

/* ---- what was found ---- */

static void planted_put(json_t *row, const char *name, size_t k, size_t n)
{
    struct ipr_interval interval = { NAN, NAN };
    struct ipr_err err;

    if (ipr_stats_wilson(k, n, IPR_Z95, &interval, &err) != IPR_OK)
        return;
    json_object_set_new(row, name, bench_number((double)k / (double)n));
    char *const key = ipr_xcalloc(strlen(name) + sizeof "_interval", 1);
    strcat(strcpy(key, name), "_interval");
    json_object_set_new(row, key,
                        json_pack("{s:o, s:o}", "low", bench_number(interval.lo), "high",
                                  bench_number(interval.hi)));
    free(key);
}

static json_t *planted_row(size_t level, size_t share, size_t engine, size_t sides,
                           const struct planted_found found[PLANTED_AFTER], size_t swisses)
{
    json_t *const after = json_array();

    for (size_t a = 0; a < PLANTED_AFTER; a++) {
        json_t *const row = json_pack("{s:I}", "rounds", (json_int_t)planted_after[a]);

        planted_put(row, "first", found[a].first, swisses);
        planted_put(row, "flagged", found[a].flagged, swisses);
        json_array_append_new(after, row);
    }
    return json_pack("{s:o, s:o, s:s?, s:I, s:o}", "elo", bench_number(planted_level[level]),
                     "share", bench_number(planted_share[share]), "engine",
                     planted_share[share] > 0 ? planted_engine[engine] : NULL, "sides",
                     (json_int_t)sides, "after", after);
}

/* How often somebody else is flagged: the most of all levels, shares and engines. */
static json_t *
planted_others_found(struct planted_found found[PLANTED_LEVELS][PLANTED_SHARES]
                                               [BENCH_PLANTED_ENGINES][PLANTED_AFTER],
                     size_t swisses)
{
    json_t *const rows = json_array();

    for (size_t a = 0; a < PLANTED_AFTER; a++) {
        json_t *const row = json_pack("{s:I}", "rounds", (json_int_t)planted_after[a]);
        size_t most = 0;

        for (size_t c = 0; c < PLANTED_CELLS; c++) {
            const size_t n =
                found[c / (PLANTED_SHARES * BENCH_PLANTED_ENGINES)]
                     [c / BENCH_PLANTED_ENGINES % PLANTED_SHARES][c % BENCH_PLANTED_ENGINES][a]
                         .others;
            most = n > most ? n : most;
        }
        planted_put(row, "flagged", most, swisses);
        json_array_append_new(rows, row);
    }
    return rows;
}

json_t *bench_planted_count(const struct bench_planted *p, size_t swisses)
{
    static const struct planted_found none[PLANTED_SHARES][BENCH_PLANTED_ENGINES][PLANTED_AFTER];
    struct planted_found found[PLANTED_LEVELS][PLANTED_SHARES][BENCH_PLANTED_ENGINES]
                              [PLANTED_AFTER];
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    json_t *const rows = json_array();

    gsl_rng_set(rng, PLANTED_SEED);
    for (size_t l = 0; l < PLANTED_LEVELS; l++)
        memcpy(found[l], none, sizeof none);
    for (size_t i = 0; i < swisses; i++) {
        const struct planted_swiss swiss = planted_others(p, rng);

        for (size_t l = 0; l < PLANTED_LEVELS; l++)
            planted_user(p, &swiss, planted_level[l], rng, found[l]);
    }
    gsl_rng_free(rng);
    for (size_t e = 0; e < BENCH_PLANTED_ENGINES; e++)
        for (size_t l = 0; l < PLANTED_LEVELS; l++) {
            const size_t sides = planted_from(p, planted_level[l] + PLANTED_NEAR) -
                                 planted_from(p, planted_level[l] - PLANTED_NEAR);

            for (size_t s = e > 0; s < PLANTED_SHARES; s++) /* without an engine once */
                json_array_append_new(rows, planted_row(l, s, e, sides, found[l][s][e], swisses));
        }
    return json_pack("{s:I, s:i, s:o, s:o, s:i, s:I, s:o, s:o}", "swisses", (json_int_t)swisses,
                     "players", BENCH_PLANTED_PLAYERS, "elo",
                     bench_range(PLANTED_LOW, PLANTED_HIGH), "level", bench_number(PLANTED_FLAG),
                     "seed", PLANTED_SEED, "sides", (json_int_t)p->n, "others",
                     planted_others_found(found, swisses), "rows", rows);
}

/* ---- sides of a report ---- */

static int planted_by_elo(const void *a, const void *b)
{
    const struct bench_planted_side *x = a, *y = b;

    return x->elo != y->elo ? (x->elo > y->elo) - (x->elo < y->elo)
                            : (x->move > y->move) - (x->move < y->move);
}

/* The moves of each side that count, one side after the other; the sides point into them. */
static struct bench_move *planted_moves(const struct bench_report *r,
                                        struct bench_planted_side *side)
{
    struct bench_move *const move = ipr_xcalloc(r->d.n_turns + 1, sizeof *move);
    size_t at = 0;

    for (size_t i = 0; i < r->d.n_turns; i++)
        side[r->d.of[i]].n += ipr_strength_counts(&r->d.turn[i]);
    for (size_t i = 0; i < r->d.n_sides; i++) {
        side[i].move = move + at;
        at += side[i].n;
        side[i].n = 0;
    }
    for (size_t i = 0; i < r->d.n_turns; i++)
        if (ipr_strength_counts(&r->d.turn[i])) {
            struct bench_planted_side *const s = &side[r->d.of[i]];

            move[(size_t)(s->move - move) + s->n++] = r->f.move[i];
        }
    return move;
}

json_t *bench_planted(const struct bench_report *r)
{
    const struct bench_entry *const e = &r->entry[r->chosen];
    struct bench_planted_side *const side = ipr_xcalloc(r->d.n_sides + 1, sizeof *side);
    struct bench_move *const move = planted_moves(r, side);
    struct ipr_strength_calibration curve[BENCH_FOLDS + 1];
    struct bench_planted p = { .side = side, .model = &e->model };

    bench_curves(r, e, curve);
    for (size_t i = 0; i < r->d.n_sides; i++) {
        const struct bench_side *const s = &r->d.side[i];
        struct bench_planted_side *const to = &side[p.n];

        if (!bench_fitted(s) || (s->blind_game && !s->blind) || side[i].n == 0 ||
            side[i].n > PLANTED_MOST)
            continue;
        *to = side[i];
        to->elo = s->elo;
        to->expected =
            ipr_strength_expected(&curve[s->blind_game ? BENCH_FOLDS : s->fold], s->elo, s->year);
        p.n++;
    }
    qsort(side, p.n, sizeof *side, planted_by_elo);
    json_t *const out = bench_planted_count(&p, BENCH_PLANTED_SWISSES);
    free(move);
    free(side);
    return out;
}

/* ---- as a table ---- */

static double planted_number(const json_t *row, const char *name)
{
    return json_number_value(json_object_get(row, name));
}

static void planted_cell(const json_t *row, const char *name)
{
    char key[32];

    snprintf(key, sizeof key, "%s_interval", name);
    const json_t *const interval = json_object_get(row, key);
    printf(" %.1f (%.1f–%.1f) |", 100 * planted_number(row, name),
           100 * planted_number(interval, "low"), 100 * planted_number(interval, "high"));
}

void bench_planted_markdown(const json_t *planted)
{
    const json_t *row, *after;
    size_t i, k;

    printf("\n# Engine users planted in %.0f Swisses of %.0f players\n\n",
           planted_number(planted, "swisses"), planted_number(planted, "players"));
    printf("| Elo | sides | engine | of the moves, %% |");
    for (k = 0; k < PLANTED_AFTER; k++)
        printf(" %zu rounds: first, %% | flagged, %% |", planted_after[k]);
    printf("\n| ---: | ---: | --- | ---: |");
    for (k = 0; k < PLANTED_AFTER; k++)
        printf(" ---: | ---: |");
    json_array_foreach(json_object_get(planted, "rows"), i, row) {
        const char *const engine = json_string_value(json_object_get(row, "engine"));

        printf("\n| %.0f | %.0f | %s | %.0f |", planted_number(row, "elo"),
               planted_number(row, "sides"), engine != NULL ? engine : "none",
               100 * planted_number(row, "share"));
        json_array_foreach(json_object_get(row, "after"), k, after) {
            planted_cell(after, "first");
            planted_cell(after, "flagged");
        }
    }
    printf("\n\nSomebody else is flagged in");
    json_array_foreach(json_object_get(planted, "others"), k, after) {
        printf(" |");
        planted_cell(after, "flagged");
    }
    putchar('\n');
}
