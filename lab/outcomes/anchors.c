/* Elo of opponents in strengths from results: chooses how they count, by players whose own Elo is
 * held out; and how many games a player needs where opponents have none. */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "lab/outcomes/outcomes.h"
#include "stats/interval.h"
#include "stats/resample.h"

enum { YOUNG, ADULT, GROUPS, OTHER = GROUPS, NOBODY = -1 };
enum { CANDIDATES = 49, PARTS = 10, SIZES = 6, NEEDS = 5, DECADES = 16 };

#define ADULT_GAMES 30 /* minimum of a year */
#define YOUNG_AGE   20
#define FROM        1971
#define DECADE_MIN  10 /* ratings */

static const double goal[GROUPS] = { 80, 40 };

/* Years of birth of the champions with Elo in their youth, by their number in the file. */
static const struct {
    uint32_t player;
    int32_t born;
} births[] = {
    { 1689, 1963 }, /* Kasparov */
    { 1914, 1966 }, /* Khalifman */
    { 1908, 1969 }, /* Anand */
    { 2194, 1975 }, /* Topalov */
    { 2272, 1975 }, /* Kramnik */
    { 2467, 1979 }, /* Kasimdzhanov */
    { 2725, 1983 }, /* Ponomariov */
    { 3150, 1990 }, /* Carlsen */
};

/* Strengths without any Elo are on the scale of the lists by the median difference of each decade,
 * at its mean year, and linear between two. */
struct decades {
    double year[DECADES], offset[DECADES];
    size_t n;
};

struct anchors {
    const struct result_rows *rows;
    struct ipr_whr_game *game; /* [rows->n] */
    struct ipr_whr plain;      /* without any Elo; all fits have the same nodes */
    struct decades decades;    /* of it */
    int *group;                /* [plain.n] of nodes with Elo, else NOBODY */
    double *so_far;            /* [plain.n] games of the player until then */
};

/* The error of a fit's strengths, NaN for nodes without a group, and their standard error. */
struct tried {
    struct ipr_whr_options options;
    double *error, *se; /* [plain.n] */
};

static struct ipr_whr anchors_fit(const struct anchors *a, const struct ipr_whr_options *o,
                                  struct ipr_arena *mem)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_whr w;

    if (ipr_whr_fit(a->game, a->rows->n, a->rows->players, o, mem, &w, &err) != IPR_OK) {
        fprintf(stderr, "outcomes: %s\n", err.msg);
        exit(1);
    }
    return w;
}

/* Takes the Elo of players for whom `leave` is true, or of years, out of the games. */
static void anchors_elo(struct anchors *a,
                        bool (*leave)(uint32_t player, int32_t year, uint32_t of), uint32_t of)
{
    for (size_t i = 0; i < a->rows->n; i++) {
        const struct result_row *r = &a->rows->row[i];

        a->game[i] =
            (struct ipr_whr_game){ r->white, r->black, r->year, r->halves / 2.0, 1, { 0 } };
        for (size_t k = 0; k < 2; k++)
            if (leave == NULL || !leave(k == 0 ? r->white : r->black, r->year, of))
                a->game[i].elo[k] = ipr_whr_elo(r->year, r->elo[k]);
    }
}

static bool leave_player(uint32_t player, int32_t year, uint32_t of)
{
    (void)year;
    return player == of;
}

static bool leave_part(uint32_t player, int32_t year, uint32_t of)
{
    (void)year;
    return ipr_mix64(player) % PARTS == of;
}

static bool leave_before(uint32_t player, int32_t year, uint32_t of)
{
    (void)player;
    return year < (int32_t)of;
}

/* ---- without any Elo ---- */

static struct decades decades_of(const struct ipr_whr *w)
{
    struct decades out = { .n = 0 };
    double *d = ipr_xcalloc(w->n, sizeof *d);

    for (int32_t from = FROM / 10 * 10; out.n < DECADES && from < 2100; from += 10) {
        double year = 0;
        size_t n = 0;

        for (size_t i = 0; i < w->n; i++) {
            const struct ipr_whr_strength *s = &w->strength[i];

            if (isnan(s->known) || s->games < ADULT_GAMES || s->period / 10 * 10 != from)
                continue;
            d[n++] = s->known - s->elo;
            year += s->period;
        }
        if (n < DECADE_MIN)
            continue;
        gsl_sort(d, 1, n);
        out.offset[out.n] = gsl_stats_median_from_sorted_data(d, 1, n);
        out.year[out.n++] = year / (double)n;
    }
    free(d);
    return out;
}

static double decades_at(const struct decades *d, double year)
{
    size_t k = 0;

    while (k + 2 < d->n && d->year[k + 1] <= year)
        k++;
    const double share = fmin(fmax((year - d->year[k]) / (d->year[k + 1] - d->year[k]), 0), 1);

    return (1 - share) * d->offset[k] + share * d->offset[k + 1];
}

/* How far the two scales drift apart a year: the root mean square over all pairs of decades. */
static double decades_drift(const struct decades *d)
{
    double square = 0, time = 0;

    for (size_t b = 1; b < d->n; b++)
        for (size_t a = 0; a < b; a++) {
            square += pow(d->offset[b] - d->offset[a], 2);
            time += pow(d->year[b] - d->year[a], 2);
        }
    return sqrt(square / time);
}

/* Mean Elo of all players' years. */
static double anchors_mean(const struct anchors *a)
{
    double sum = 0, n = 0;

    for (size_t i = 0; i < a->plain.n; i++)
        if (!isnan(a->plain.strength[i].known)) {
            sum += a->plain.strength[i].known;
            n++;
        }
    return sum / n;
}

/* ---- candidates ---- */

static int32_t anchors_born(uint32_t player)
{
    for (size_t k = 0; k < sizeof births / sizeof *births; k++)
        if (births[k].player == player)
            return births[k].born;
    return 0;
}

static void anchors_groups(struct anchors *a)
{
    for (size_t i = 0; i < a->plain.n; i++) {
        const struct ipr_whr_strength *s = &a->plain.strength[i];
        const bool young = s->period - anchors_born(s->player) < YOUNG_AGE;

        a->so_far[i] = s->games + (i > a->plain.first[s->player] ? a->so_far[i - 1] : 0);
        a->group[i] = isnan(s->known)           ? NOBODY
                      : young                   ? YOUNG
                      : s->games >= ADULT_GAMES ? ADULT
                                                : OTHER;
    }
}

static void tried_take(const struct anchors *a, const struct ipr_whr *w, size_t i, struct tried *t)
{
    const struct ipr_whr_strength *s = &w->strength[i];
    const double offset = t->options.elo_sd > 0 ? 0 : decades_at(&a->decades, s->period);

    t->error[i] = s->elo + offset - a->plain.strength[i].known;
    t->se[i] = s->se;
}

static struct tried tried_new(const struct anchors *a, const struct ipr_whr_options *o)
{
    struct tried t = { *o, ipr_xcalloc(a->plain.n, sizeof *t.error),
                       ipr_xcalloc(a->plain.n, sizeof *t.se) };

    for (size_t i = 0; i < a->plain.n; i++)
        t.error[i] = NAN;
    return t;
}

static void tried_free(struct tried *t)
{
    free(t->error);
    free(t->se);
}

static bool anchors_has(const struct anchors *a, uint32_t player)
{
    for (size_t i = a->plain.first[player]; i < a->plain.first[player + 1]; i++)
        if (a->group[i] == YOUNG || a->group[i] == ADULT)
            return true;
    return false;
}

/* Errors of the young and the adults, each player held out in turn. */
static struct tried candidate_try(struct anchors *a, const struct ipr_whr_options *o)
{
    struct tried t = tried_new(a, o);

    for (uint32_t p = 0; p < a->rows->players; p++) {
        struct ipr_arena mem = IPR_ARENA_INIT;

        if (!anchors_has(a, p))
            continue;
        anchors_elo(a, leave_player, p);
        const struct ipr_whr w = anchors_fit(a, o, &mem);

        for (size_t i = w.first[p]; i < w.first[p + 1]; i++)
            if (a->group[i] == YOUNG || a->group[i] == ADULT)
                tried_take(a, &w, i, &t);
        ipr_arena_release(&mem);
    }
    return t;
}

/* Root mean square of a group's errors, and their mean and number; without the player `without`. */
static double tried_rms(const struct anchors *a, const struct tried *t, int group, uint32_t without,
                        double *mean, size_t *n)
{
    double square = 0, sum = 0;
    size_t count = 0;

    for (size_t i = 0; i < a->plain.n; i++)
        if (a->group[i] == group && !isnan(t->error[i]) && a->plain.strength[i].player != without) {
            square += t->error[i] * t->error[i];
            sum += t->error[i];
            count++;
        }
    if (mean != NULL)
        *mean = sum / (double)count;
    if (n != NULL)
        *n = count;
    return sqrt(square / (double)count);
}

static const struct tried *tried_best(const struct anchors *a, const struct tried *t,
                                      uint32_t without)
{
    const struct tried *best = t;
    double least = INFINITY;

    for (size_t k = 0; k < CANDIDATES; k++) {
        double sum = 0;

        for (int g = 0; g < GROUPS; g++)
            sum += pow(tried_rms(a, &t[k], g, without, NULL, NULL) / goal[g], 2);
        if (sum < least) {
            least = sum;
            best = &t[k];
        }
    }
    return best;
}

static void candidates_all(const struct ipr_whr_options *history, struct ipr_whr_options *out)
{
    static const double sd[] = { 30, 60, 120 }, below[] = { NAN, 0, 100, 200 }, early[] = { 4, 16 };
    size_t n = 0;

    out[n] = *history;
    out[n++].level = 0; /* the decades have it */
    for (size_t s = 0; s < 3; s++)
        for (size_t b = 0; b < 4; b++) {
            struct ipr_whr_options o = *history;

            o.elo_sd = sd[s];
            o.below = below[b];
            out[n++] = o;
            for (size_t k = 0; !isnan(o.below) && k < 4; k++) {
                out[n] = o;
                out[n].early = early[k / 2];
                out[n++].early_periods = k % 2 == 0 ? 5 : 10;
            }
        }
}

static void tried_print(const struct anchors *a, const struct tried *t, const struct tried *chosen)
{
    const struct ipr_whr_options *o = &t->options;

    if (o->elo_sd == 0)
        printf("| none | – |");
    else if (isnan(o->below))
        printf("| %g | – |", o->elo_sd);
    else
        printf("| %g | %g |", o->elo_sd, o->below);
    if (o->early_periods > 0)
        printf(" × %g in %d years |", o->early, o->early_periods);
    else
        printf(" – |");
    for (int g = 0; g < GROUPS; g++) {
        double mean;
        const double rms = tried_rms(a, t, g, UINT32_MAX, &mean, NULL);

        printf(" %.1f | %+.1f |", rms, mean);
    }
    puts(t == chosen ? " chosen |" : " |");
}

/* The errors of each player with the candidate that the others choose. */
static void tried_nested(const struct anchors *a, const struct tried *t)
{
    struct tried nested = tried_new(a, &t->options);

    for (uint32_t p = 0; p < a->rows->players; p++) {
        if (!anchors_has(a, p))
            continue;
        const struct tried *best = tried_best(a, t, p);

        for (size_t i = a->plain.first[p]; i < a->plain.first[p + 1]; i++) {
            nested.error[i] = best->error[i];
            nested.se[i] = best->se[i];
        }
    }
    puts(
        "\n| group | goal | players' years | without Elo, rms | chosen by the other players, rms | "
        "mean error | in the 95 % interval, % |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: "
        "|");
    for (int g = 0; g < GROUPS; g++) {
        double mean, in = 0;
        size_t n;
        const double rms = tried_rms(a, &nested, g, UINT32_MAX, &mean, &n);

        for (size_t i = 0; i < a->plain.n; i++)
            in += a->group[i] == g && fabs(nested.error[i]) <= IPR_Z95 * nested.se[i];
        printf("| %s | %.0f | %zu | %.1f | %.1f | %+.1f | %.0f |\n",
               g == YOUNG ? "under 20" : "adults", goal[g], n,
               tried_rms(a, t, g, UINT32_MAX, NULL, NULL), rms, mean, 100 * in / (double)n);
    }
    tried_free(&nested);
}

/* ---- all players ---- */

static size_t games_size(double games)
{
    static const double least[SIZES - 1] = { 2, 3, 5, 10, 30 };
    size_t k = 0;

    while (k < SIZES - 1 && games >= least[k])
        k++;
    return k;
}

/* Errors by the number of games of the year, a tenth of all players held out. */
static void sizes_print(struct anchors *a, const struct ipr_whr_options *o, const char *name)
{
    struct tried t = tried_new(a, o);
    double square[SIZES] = { 0 };
    size_t n[SIZES] = { 0 };

    for (uint32_t part = 0; part < PARTS; part++) {
        struct ipr_arena mem = IPR_ARENA_INIT;

        anchors_elo(a, leave_part, part);
        const struct ipr_whr w = anchors_fit(a, o, &mem);

        for (size_t i = 0; i < w.n; i++)
            if (a->group[i] != NOBODY && leave_part(w.strength[i].player, 0, part))
                tried_take(a, &w, i, &t);
        ipr_arena_release(&mem);
    }
    for (size_t i = 0; i < a->plain.n; i++)
        if (!isnan(t.error[i])) {
            const size_t k = games_size(a->plain.strength[i].games);

            square[k] += t.error[i] * t.error[i];
            n[k]++;
        }
    printf("| %s |", name);
    for (size_t k = 0; k < SIZES; k++)
        printf(" %.0f (%zu) |", sqrt(square[k] / (double)n[k]), n[k]);
    puts("");
    tried_free(&t);
}

/* ---- where opponents have no Elo ---- */

/* As if there were no Elo before a year: errors in the ten years before it, against the mean error
 * of the adults, which is the scale's. */
static void blank_take(struct anchors *a, const struct ipr_whr_options *o, int32_t year,
                       struct tried *t)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    double sum = 0, n = 0;

    anchors_elo(a, leave_before, (uint32_t)year);
    const struct ipr_whr w = anchors_fit(a, o, &mem);

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < w.n; i++) {
            const int32_t at = w.strength[i].period;

            if (at >= year || at < year - 10 || (a->group[i] != YOUNG && a->group[i] != ADULT))
                continue;
            if (pass > 0) {
                t->error[i] = w.strength[i].elo - a->plain.strength[i].known - sum / n;
            } else if (a->group[i] == ADULT) {
                sum += w.strength[i].elo - a->plain.strength[i].known;
                n++;
            }
        }
    ipr_arena_release(&mem);
}

/* The rule of docs/results.md; returns the number of games needed. */
static double blank_run(struct anchors *a, const struct ipr_whr_options *o)
{
    static const double needs[NEEDS] = { 0, 50, 100, 200, 400 };
    struct tried t = tried_new(a, o);
    double out = INFINITY;

    for (int32_t year = 1990; year <= 2010; year += 10)
        blank_take(a, o, year, &t);
    puts("\n| games so far, at least | under 20: years | rms | adults: years | rms |\n"
         "| ---: | ---: | ---: | ---: | ---: |");
    for (size_t k = 0; k < NEEDS; k++) {
        double rms[GROUPS];
        size_t n[GROUPS];

        for (size_t i = 0; i < a->plain.n; i++)
            if (a->so_far[i] < needs[k])
                t.error[i] = NAN;
        for (int g = 0; g < GROUPS; g++)
            rms[g] = tried_rms(a, &t, g, UINT32_MAX, NULL, &n[g]);
        if (rms[YOUNG] <= goal[YOUNG] && rms[ADULT] <= goal[ADULT])
            out = fmin(out, needs[k]);
        printf("| %g | %zu | %.1f | %zu | %.1f |\n", needs[k], n[YOUNG], rms[YOUNG], n[ADULT],
               rms[ADULT]);
    }
    tried_free(&t);
    return out;
}

/* ---- all of it ---- */

static const struct tried *anchors_choose(struct anchors *a, const struct ipr_whr_options *history,
                                          struct tried *t)
{
    struct ipr_whr_options o[CANDIDATES];
    const struct tried *best;

    candidates_all(history, o);
    for (size_t k = 0; k < CANDIDATES; k++)
        t[k] = candidate_try(a, &o[k]);
    best = tried_best(a, t, UINT32_MAX);
    puts(
        "\n## Strength over time: with the Elo of opponents\n\n| standard error of Elo | first "
        "year "
        "below the opponents | drift of the first years | under 20: rms | mean error | adults: rms "
        "| mean error | |\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |");
    for (size_t k = 0; k < CANDIDATES; k++)
        tried_print(a, &t[k], best);
    tried_nested(a, t);
    return best;
}

static struct ipr_whr_scale_options anchors_scale(struct anchors *a,
                                                  const struct ipr_whr_options *chosen)
{
    struct ipr_whr_scale_options out = { .ratings = 10, .players = 3, .sd = chosen->elo_sd };
    struct ipr_whr_options o = *chosen;
    struct ipr_arena mem = IPR_ARENA_INIT;

    puts("\n| rms by games of the year (years) | 1 | 2 | 3–4 | 5–9 | 10–29 | 30 and more |\n"
         "| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    o.elo_sd = o.level = 0;
    o.early_periods = 0;
    sizes_print(a, &o, "without Elo");
    sizes_print(a, chosen, "chosen");
    out.games = blank_run(a, chosen);
    o = *chosen;
    o.elo_sd = 0;
    anchors_elo(a, NULL, 0);
    const struct ipr_whr w = anchors_fit(a, &o, &mem);
    const struct decades d = decades_of(&w);

    out.drift = decades_drift(&d);
    printf("\nLevel: %.0f Elo, %.0f below the mean of all Elo. Drift: %.2f Elo a year.\n",
           chosen->level, chosen->below_all, out.drift);
    ipr_arena_release(&mem);
    return out;
}

struct ipr_whr_scale_options anchors_run(const struct result_rows *rows,
                                         struct ipr_whr_options *history)
{
    struct anchors a = { .rows = rows, .game = ipr_xcalloc(rows->n, sizeof *a.game) };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_whr_scale_options out;
    struct tried t[CANDIDATES];

    anchors_elo(&a, NULL, 0);
    a.plain = anchors_fit(&a, history, &mem);
    a.group = ipr_xcalloc(a.plain.n, sizeof *a.group);
    a.so_far = ipr_xcalloc(a.plain.n, sizeof *a.so_far);
    anchors_groups(&a);
    a.decades = decades_of(&a.plain);
    history->level = round(a.decades.offset[0]);
    history->below_all = round(anchors_mean(&a) - history->level);
    *history = anchors_choose(&a, history, t)->options;
    out = anchors_scale(&a, history);
    for (size_t k = 0; k < CANDIDATES; k++)
        tried_free(&t[k]);
    free(a.game);
    free(a.group);
    free(a.so_far);
    ipr_arena_release(&mem);
    return out;
}
