/* How much a player's parts vary by chance, how much between players, and what is called. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lab/profile/profile.h"
#include "stats/resample.h"

#define CHECK_GAMES    40
#define CHECK_BAND     100
#define CHECK_BANDS    30   /* at most */
#define CHECK_PLAYERS  2000 /* composed */
#define CHECK_LINES    4    /* openings of a composed player: each game has one of them */
#define CHECK_ACCOUNTS 100  /* of these that tell how much players differ */
#define CHECK_SHARE    .8   /* of composed players of whom a weakness should be named first */
#define CHECK_LEAST    .05  /* difference between players where it is smaller */

double profile_join(const struct profile_sides *s, const size_t *at, size_t n,
                    struct ipr_profile_move **out, size_t *moves)
{
    double rating = 0;
    size_t room = 1;

    for (size_t i = 0; i < n; i++)
        room += s->side[at[i]].n;
    *out = ipr_xcalloc(room, sizeof **out);
    *moves = 0;
    for (size_t i = 0; i < n; i++) {
        const struct profile_side *const side = &s->side[at[i]];

        rating += side->rating / (double)n;
        for (size_t k = 0; k < side->n; k++) {
            struct ipr_profile_move *const m = &(*out)[(*moves)++];

            *m = s->move[side->first + k];
            m->game = (uint32_t)i;
            m->line = side->line;
        }
    }
    return rating;
}

/* ---- composed players ---- */

struct check_band {
    size_t *at, n;
};

/* The sides of each band of ratings. */
static size_t bands_of(const struct profile_sides *s, const bool *take,
                       const struct ipr_profile_reference *r, struct check_band **out)
{
    const size_t n = (size_t)((r->high - r->low) / CHECK_BAND) + 1;
    struct check_band *const band = ipr_xcalloc(n, sizeof *band);

    for (size_t i = 0; i < s->n; i++) {
        const struct profile_side *const side = &s->side[i];

        if (!take[i] || side->rating < r->low || side->rating > r->high || side->n == 0)
            continue;
        struct check_band *const b = &band[(size_t)((side->rating - r->low) / CHECK_BAND)];

        if ((b->n & (b->n - 1)) == 0)
            b->at = ipr_xrealloc(b->at, b->n > 0 ? 2 * b->n : 1, sizeof *b->at);
        b->at[b->n++] = i;
    }
    *out = band;
    return n;
}

static void bands_free(struct check_band *band, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(band[i].at);
    free(band);
}

/* 40 different sides of one band; false: the band has too few. */
static bool draw_sides(struct ipr_twister *rng, const struct check_band *b, size_t at[CHECK_GAMES])
{
    if (b->n < CHECK_GAMES + CHECK_GAMES / 2)
        return false;
    for (size_t i = 0; i < CHECK_GAMES; i++) {
        const size_t k = i + ipr_twister_below(rng, (uint32_t)(b->n - i));
        const size_t swap = b->at[i];

        b->at[i] = b->at[k];
        b->at[k] = swap;
        at[i] = b->at[i];
    }
    return true;
}

static bool planted_in(const struct ipr_profile_move *m, enum ipr_profile_part part)
{
    if (part == IPR_PROFILE_LINE)
        return m->line == 1;
    if (part == IPR_PROFILE_WHITE || part == IPR_PROFILE_BLACK)
        return m->black == (part == IPR_PROFILE_BLACK);
    return (int)m->phase == (int)part;
}

/* A player composed of sides of a band, which has `sides`. */
struct check_composed {
    struct ipr_profile_move *move;
    size_t moves, band, sides;
    double rating;
};

typedef void (*composed_fn)(void *payload, const struct check_composed *p);

static void lines_set(struct ipr_profile_move *move, size_t n)
{
    for (size_t k = 0; k < n; k++)
        move[k].line = 1 + move[k].game % CHECK_LINES;
}

static size_t composed_each(const struct profile_sides *s, const bool *take,
                            const struct ipr_profile_reference *r, composed_fn each, void *payload)
{
    struct check_band *band;
    const size_t bands = bands_of(s, take, r, &band);
    struct ipr_twister rng;
    size_t players = 0;

    ipr_twister_seed(&rng, 1);
    for (size_t i = 0; i < CHECK_PLAYERS; i++) {
        struct check_composed p = { .band = i % bands, .sides = band[i % bands].n };
        size_t at[CHECK_GAMES];

        if (!draw_sides(&rng, &band[p.band], at))
            continue;
        p.rating = profile_join(s, at, CHECK_GAMES, &p.move, &p.moves);
        lines_set(p.move, p.moves);
        each(payload, &p);
        free(p.move);
        players++;
    }
    bands_free(band, bands);
    return players;
}

/* ---- kappa and between ---- */

struct check_sums {
    const struct ipr_profile_reference *r;
    double sum[IPR_PROFILE_PARTS + 1], n[IPR_PROFILE_PARTS + 1];
};

/* Deviations over the root of their variance by its formula with kappa 1, of players of a band. */
struct check_spread {
    double sum, squares, n, sides;
};

struct check_kappa {
    const struct ipr_profile_reference *r;
    struct check_spread of[CHECK_BANDS][IPR_PROFILE_PARTS + 1];
};

static void kappa_add(void *payload, const struct check_composed *c)
{
    struct check_kappa *const k = payload;
    struct ipr_profile p;

    ipr_profile_of(c->move, c->moves, k->r, c->rating, &p);
    for (size_t i = 0; i < p.n; i++) {
        struct check_spread *const s = &k->of[c->band][p.row[i].part];
        const double x = p.row[i].deviation / p.row[i].se; /* NAN: it is not compared */

        if (isnan(x))
            continue;
        s->sum += x;
        s->squares += x * x;
        s->n++;
        s->sides = (double)c->sides;
    }
}

/* Players composed of one band have its sides in common: what these lose more by chance, all show.
 * So a band's variance is about its own mean, and made larger as of a sample without replacement.
 * Openings are given to the games of a composed player by number, in each again, which leaves
 * nothing in common. */
void profile_kappa(const struct profile_sides *s, const bool *take, struct ipr_profile_reference *r)
{
    struct check_kappa *const k = ipr_xcalloc(1, sizeof *k);
    double most = 0;

    k->r = r;
    memset(r->error, 0, sizeof r->error); /* which players of a band have in common, too */
    for (int i = 0; i <= IPR_PROFILE_PARTS; i++)
        r->kappa[i] = r->between[i] = 1;
    composed_each(s, take, r, kappa_add, k);
    for (int i = 0; i <= IPR_PROFILE_PARTS; i++) {
        double sum = 0, n = 0;

        for (size_t b = 0; b < CHECK_BANDS; b++) {
            const struct check_spread *const of = &k->of[b][i];
            const double left = 1 - CHECK_GAMES / of->sides;

            if (of->n < 2)
                continue;
            sum += i == IPR_PROFILE_LINE ? of->squares
                                         : (of->squares - of->sum * of->sum / of->n) / left;
            n += i == IPR_PROFILE_LINE ? of->n : of->n - 1;
        }
        r->kappa[i] = n > 0 ? sum / n : 0;
        most = fmax(most, r->kappa[i]);
    }
    /* A part that the games do not tell of varies as the one that varies most. */
    for (int i = 0; i <= IPR_PROFILE_PARTS; i++)
        r->kappa[i] = r->kappa[i] > 0 ? r->kappa[i] : most;
    free(k);
}

struct check_place {
    uint64_t set;
    size_t at;
};

static int by_set(const void *a, const void *b)
{
    const struct check_place *x = a, *y = b;

    return x->set != y->set ? (x->set > y->set) - (x->set < y->set)
                            : (x->at > y->at) - (x->at < y->at);
}

void profile_each(const struct profile_sides *s, const bool *take, size_t least,
                  profile_set_fn each, void *payload)
{
    struct check_place *const place = ipr_xcalloc(s->n + 1, sizeof *place);
    size_t *const at = ipr_xcalloc(s->n + 1, sizeof *at), n = 0;

    for (size_t i = 0; i < s->n; i++)
        if (take[i] && s->side[i].n > 0)
            place[n++] = (struct check_place){ s->side[i].set, i };
    qsort(place, n, sizeof *place, by_set);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && place[end].set == place[i].set; end++)
            at[end] = place[end].at;
        if (end - i >= least)
            each(payload, s, at + i, end - i);
    }
    free(at);
    free(place);
}

/* The rows of a player's odd and of the even games. */
static void halves_of(const struct profile_sides *s, const struct ipr_profile_reference *r,
                      const size_t *at, size_t n, struct ipr_profile out[2])
{
    size_t *const of = ipr_xcalloc(n + 1, sizeof *of);

    for (size_t half = 0; half < 2; half++) {
        struct ipr_profile_move *move;
        size_t moves, k = 0;

        for (size_t i = half; i < n; i += 2)
            of[k++] = at[i];
        const double rating = profile_join(s, of, k, &move, &moves);

        ipr_profile_of(move, moves, r, rating, &out[half]);
        free(move);
    }
    free(of);
}

/* The row of the same part; NULL: it is not compared. */
static const struct ipr_profile_row *row_like(const struct ipr_profile *p,
                                              const struct ipr_profile_row *row)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->row[i].part == row->part && p->row[i].line == row->line && !isnan(p->row[i].p))
            return &p->row[i];
    return NULL;
}

static void between_add(void *payload, const struct profile_sides *s, const size_t *at, size_t n)
{
    struct check_sums *const b = payload;
    struct ipr_profile half[2];

    halves_of(s, b->r, at, n, half);
    for (size_t i = 0; i < half[0].n; i++) {
        const struct ipr_profile_row *const row = &half[0].row[i];
        const struct ipr_profile_row *const other = row_like(&half[1], row);

        if (isnan(row->p) || other == NULL)
            continue;
        b->sum[row->part] += row->deviation * other->deviation;
        b->n[row->part]++;
    }
}

void profile_between(const struct profile_sides *s, const bool *take,
                     struct ipr_profile_reference *r)
{
    struct check_sums b = { .r = r };
    double squares = 0, known = 0;

    profile_each(s, take, PROFILE_REAL, between_add, &b);
    for (int i = 0; i <= IPR_PROFILE_PARTS; i++) {
        r->between[i] =
            b.n[i] < CHECK_ACCOUNTS ? 0 : sqrt(fmax(b.sum[i] / b.n[i], CHECK_LEAST * CHECK_LEAST));
        squares += pow(r->between[i], 2);
        known += r->between[i] > 0;
    }
    /* Where it is not known, as much as in the other parts; in none, the least. */
    for (int i = 0; i <= IPR_PROFILE_PARTS; i++)
        if (r->between[i] == 0)
            r->between[i] = known > 0 ? sqrt(squares / known) : CHECK_LEAST;
}

/* ---- what is called ---- */

struct check_planted {
    const struct ipr_profile_reference *r;
    enum ipr_profile_part part; /* with the weakness */
    double more;                /* lost there, times; 1: none */
    size_t players, named, first, other;
};

static bool planted_is(const struct ipr_profile_row *row, enum ipr_profile_part part)
{
    return row->part == part && (part != IPR_PROFILE_LINE || row->line == 1);
}

static void planted_add(void *payload, const struct check_composed *composed)
{
    struct check_planted *const c = payload;
    struct ipr_profile p;
    size_t advice[3];

    for (size_t i = 0; i < composed->moves; i++)
        if (planted_in(&composed->move[i], c->part))
            composed->move[i].lost *= c->more;
    ipr_profile_of(composed->move, composed->moves, c->r, composed->rating, &p);
    const size_t n = ipr_profile_advice(&p, advice);

    c->players++;
    c->other += n > 0 && !planted_is(&p.row[advice[0]], c->part);
    c->first += n > 0 && planted_is(&p.row[advice[0]], c->part);
    for (size_t i = 0; i < n; i++)
        c->named += planted_is(&p.row[advice[i]], c->part);
}

/* Prints a row; the share of players of whom the part is named first. */
static double planted_row(const struct profile_sides *s, const bool *take,
                          const struct ipr_profile_reference *r, enum ipr_profile_part part,
                          double more)
{
    struct check_planted c = { .r = r, .part = part, .more = more };

    composed_each(s, take, r, planted_add, &c);
    const double n = (double)c.players / 100;

    printf("| %s | %.1f | %zu | %.1f %% | %.1f %% | %.1f %% |\n",
           more > 1 ? ipr_profile_part_name(part) : "nothing", more, c.players, (double)c.named / n,
           (double)c.first / n, (double)c.other / n);
    return (double)c.first / (double)c.players;
}

void profile_planted(const struct profile_sides *s, const bool *take,
                     const struct ipr_profile_reference *r)
{
    static const enum ipr_profile_part parts[] = { IPR_PROFILE_OPENING, IPR_PROFILE_MIDDLEGAME,
                                                   IPR_PROFILE_ENDGAME, IPR_PROFILE_WHITE,
                                                   IPR_PROFILE_BLACK,   IPR_PROFILE_LINE };
    static const double more[] = { 1.5, 2, 2.5, 3 };
    double at[sizeof parts / sizeof *parts] = { 0 }; /* times that are named first in CHECK_SHARE */

    printf("\n| Weak in | Lost there, times | Players | Named | Named first | Another first |\n"
           "| --- | ---: | ---: | ---: | ---: | ---: |\n");
    planted_row(s, take, r, IPR_PROFILE_OPENING, 1);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double before = 0;

        for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
            const double first = planted_row(s, take, r, parts[i], more[k]);

            if (first >= CHECK_SHARE && before < CHECK_SHARE)
                at[i] = k == 0 ? more[0]
                               : more[k] - (more[k] - more[k - 1]) * (first - CHECK_SHARE) /
                                               (first - before);
            before = first;
        }
    }
    printf("\nNamed first in %.0f %% at, times, by a straight line between two rows:",
           100 * CHECK_SHARE);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        printf("%s %s %.1f", i > 0 ? "," : "", ipr_profile_part_name(parts[i]), at[i]);
    printf(".\n");
}
