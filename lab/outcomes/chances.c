/* Probabilities of win, draw and loss: compares the candidates on held-out years and evaluates the
 * chosen one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lab/methods/outcome_fit.h"
#include "lab/methods/outcome_match.h"
#include "lab/outcomes/outcomes.h"
#include "model/elo.h"

enum { DECILES = 10, MATCH_GAMES = 8 };

enum kind { CONSTANT, ELO, MODEL };

struct candidate {
    const char *name;
    enum kind kind;
    bool davidson;
    const char *use; /* '1' for each term of ipr_outcome_terms that is fitted */
};

/*                                    m      t: difference, level, year */
static const struct candidate candidates[] = {
    { "1 constant shares", CONSTANT, false, "" },
    { "2 Elo alone, constant share of draws", ELO, false, "" },
    { "3 ordered logit, one threshold", MODEL, false, "110000 1 0000 0000 00000" },
    { "4 threshold by level", MODEL, false, "110000 1 0000 1000 00000" },
    { "5 and difference", MODEL, false, "110000 1 1010 1000 00000" },
    { "6 and year", MODEL, false, "110000 1 1010 1000 10000" },
    { "7 White's advantage by level and year", MODEL, false, "111100 1 1010 1000 10000" },
    { "8 Davidson, terms of 6", MODEL, true, "110000 1 1010 1000 10000" },
    { "9 slope by level and year", MODEL, false, "111111 1 1010 1000 10000" },
    { "10 knots of level and year", MODEL, false, "111111 1 1010 1111 11111" },
    { "11 knots of difference", MODEL, false, "111111 1 1111 1111 11111" },
};

enum { CANDIDATES = sizeof candidates / sizeof *candidates, FIRST_MODEL = 2 };

struct chances {
    const struct result_rows *rows;
    struct ipr_outcome_result *game; /* [n] of two rated players */
    size_t *year;                    /* [n] index in rows->year */
    bool *take;
    size_t n;
};

struct answer {
    struct ipr_outcome *p; /* [n] predicted with the game's year held out */
    struct year_sums loss, rps;
    size_t constants;
};

static struct chances chances_new(const struct result_rows *rows)
{
    struct chances c = { .rows = rows };

    c.game = ipr_xcalloc(rows->n, sizeof *c.game);
    c.year = ipr_xcalloc(rows->n, sizeof *c.year);
    c.take = ipr_xcalloc(rows->n, sizeof *c.take);
    for (size_t i = 0; i < rows->n; i++) {
        const struct result_row *r = &rows->row[i];

        if (r->elo[0] == 0 || r->elo[1] == 0)
            continue;
        c.game[c.n] = (struct ipr_outcome_result){ r->elo[0], r->elo[1], r->year, r->halves };
        c.year[c.n++] = result_year(rows, r->year);
    }
    return c;
}

static void chances_free(struct chances *c)
{
    free(c->game);
    free(c->year);
    free(c->take);
}

static void candidate_use(const struct candidate *c, bool use[IPR_OUTCOME_TERMS])
{
    size_t k = 0;

    for (const char *s = c->use; *s != '\0'; s++)
        if (*s != ' ')
            use[k++] = *s == '1';
}

static void chances_fit(const struct chances *c, const struct candidate *candidate,
                        struct ipr_outcome_model *model)
{
    bool use[IPR_OUTCOME_TERMS];
    struct ipr_err err = IPR_ERR_INIT;

    candidate_use(candidate, use);
    if (ipr_outcome_fit(c->game, c->take, c->n, use, model, &err) != IPR_OK) {
        fprintf(stderr, "outcomes: %s\n", err.msg);
        exit(1);
    }
}

/* Shares of win, draw and loss in the games taken. */
static struct ipr_outcome chances_shares(const struct chances *c)
{
    double n[3] = { 0, 0, 0 }, all = 0;

    for (size_t i = 0; i < c->n; i++) {
        n[c->game[i].halves] += c->take[i];
        all += c->take[i];
    }
    return (struct ipr_outcome){ n[2] / all, n[1] / all, n[0] / all };
}

/* The Elo curve's expected points e with a given share of draws, half of it taken from the wins and
 * half from the losses; capped, so that both stay positive. */
static struct ipr_outcome chances_elo(const struct ipr_outcome_result *g, double draws)
{
    const double e = ipr_elo_expect(g->white, g->black);
    const double d = fmin(draws, 1.99 * fmin(e, 1 - e));

    return (struct ipr_outcome){ e - d / 2, d, 1 - e - d / 2 };
}

static struct ipr_outcome chances_model(const struct ipr_outcome_model *model,
                                        const struct ipr_outcome_result *g)
{
    return ipr_outcome_game(model, &(struct ipr_outcome_side){ g->white, 0 },
                            &(struct ipr_outcome_side){ g->black, 0 }, g->year);
}

/* Predicts the games of one year from a fit to all other years. */
static void chances_year(struct chances *c, const struct candidate *candidate, size_t year,
                         struct ipr_outcome_model model, struct answer *a)
{
    struct ipr_outcome shares;

    for (size_t i = 0; i < c->n; i++)
        c->take[i] = c->year[i] != year;
    shares = chances_shares(c);
    if (candidate->kind == MODEL)
        chances_fit(c, candidate, &model);
    for (size_t i = 0; i < c->n; i++)
        if (c->year[i] == year)
            a->p[i] = candidate->kind == CONSTANT ? shares
                      : candidate->kind == ELO    ? chances_elo(&c->game[i], shares.draw)
                                                  : chances_model(&model, &c->game[i]);
}

static void chances_measure(const struct chances *c, struct answer *a)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct ipr_outcome *p = &a->p[i];
        const int halves = c->game[i].halves;
        const double happened = halves == 2 ? p->win : halves == 1 ? p->draw : p->loss;
        const double low = p->loss - (halves == 0), high = (halves == 2) - p->win;

        year_sums_add(&a->loss, c->year[i], -log(happened));
        year_sums_add(&a->rps, c->year[i], (low * low + high * high) / 2);
    }
}

/* Fits to all games, from starting values that do not depend on them. */
static struct ipr_outcome_model chances_all(struct chances *c, const struct candidate *candidate)
{
    struct ipr_outcome_model model = { .davidson = candidate->davidson };

    model.term[0] = .5;
    for (size_t i = 0; i < c->n; i++)
        c->take[i] = true;
    chances_fit(c, candidate, &model);
    return model;
}

static struct answer chances_answer(struct chances *c, const struct candidate *candidate)
{
    struct answer a = { .p = ipr_xcalloc(c->n, sizeof *a.p),
                        .loss = year_sums_new(c->rows),
                        .rps = year_sums_new(c->rows),
                        .constants = candidate->kind == CONSTANT ? 2 : 1 };
    struct ipr_outcome_model model = { .davidson = false };

    if (candidate->kind == MODEL) {
        model = chances_all(c, candidate);
        a.constants = 0;
        for (const char *s = candidate->use; *s != '\0'; s++)
            a.constants += *s == '1';
    }
    for (size_t k = 0; k < c->rows->years; k++)
        chances_year(c, candidate, k, model, &a);
    chances_measure(c, &a);
    return a;
}

static void answer_free(struct answer *a)
{
    free(a->p);
    year_sums_free(&a->loss);
    year_sums_free(&a->rps);
}

/* The rule of docs/results.md: of the models within one standard error of the best log loss, the
 * one with the fewest constants. */
static size_t chances_choose(const struct answer *a)
{
    size_t best = FIRST_MODEL, chosen;

    for (size_t k = FIRST_MODEL; k < CANDIDATES; k++)
        if (year_sums_mean(&a[k].loss) < year_sums_mean(&a[best].loss))
            best = k;
    chosen = best;
    for (size_t k = FIRST_MODEL; k < CANDIDATES; k++) {
        double se;

        if (year_sums_difference(&a[k].loss, &a[best].loss, &se) <= se &&
            a[k].constants < a[chosen].constants)
            chosen = k;
    }
    return chosen;
}

struct bin_game {
    double key;
    size_t game;
};

static int bin_order(const void *a, const void *b)
{
    const struct bin_game *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->game < y->game ? -1 : x->game > y->game;
}

/* Mean predicted and actual share of draws, or points, by deciles of the prediction; returns the
 * largest difference. */
static double chances_deciles(const struct chances *c, const struct answer *a, bool draws,
                              bool print)
{
    struct bin_game *bin = ipr_xcalloc(c->n, sizeof *bin);
    double worst = 0;

    for (size_t i = 0; i < c->n; i++)
        bin[i] = (struct bin_game){ draws ? a->p[i].draw : a->p[i].win + a->p[i].draw / 2, i };
    qsort(bin, c->n, sizeof *bin, bin_order);
    for (size_t d = 0; d < DECILES; d++) {
        const size_t begin = d * c->n / DECILES, end = (d + 1) * c->n / DECILES;
        double predicted = 0, actual = 0;

        for (size_t i = begin; i < end; i++) {
            const int halves = c->game[bin[i].game].halves;

            predicted += 100 * bin[i].key / (double)(end - begin);
            actual += 100 * (draws ? halves == 1 : halves / 2.0) / (double)(end - begin);
        }
        worst = fmax(worst, fabs(predicted - actual));
        if (print)
            printf("| %zu | %zu | %.1f | %.1f | %+.1f |\n", d + 1, end - begin, predicted, actual,
                   actual - predicted);
    }
    free(bin);
    return worst;
}

static void chances_print_candidates(const struct chances *c, const struct answer *a, size_t chosen)
{
    puts("\n## Outcome: held-out years\n\n| model | constants | log loss | difference from "
         "the chosen, 95 % | RPS | difference from the chosen, 95 % | draws, worst decile, points "
         "|\n"
         "| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (size_t k = 0; k < CANDIDATES; k++) {
        double se[2];
        const double d[2] = { year_sums_difference(&a[k].loss, &a[chosen].loss, &se[0]),
                              year_sums_difference(&a[k].rps, &a[chosen].rps, &se[1]) };

        printf("| %s | %zu | %.5f | %+.5f ± %.5f | %.5f | %+.5f ± %.5f | %.1f |\n",
               candidates[k].name, a[k].constants, year_sums_mean(&a[k].loss), d[0],
               IPR_Z95 * se[0], year_sums_mean(&a[k].rps), d[1], IPR_Z95 * se[1],
               chances_deciles(c, &a[k], true, false));
    }
    printf("\nChosen: %s; %zu games.\n", candidates[chosen].name, c->n);
}

static void chances_print_calibration(const struct chances *c, const struct answer *a)
{
    for (int draws = 1; draws >= 0; draws--) {
        printf("\n### %s by deciles of the prediction, %%\n\n| decile | games | predicted | actual "
               "| difference |\n| ---: | ---: | ---: | ---: | ---: |\n",
               draws ? "Draws" : "Points of White");
        chances_deciles(c, a, draws != 0, true);
    }
}

/* All games of two players in one year, as a match. */
struct match {
    struct ipr_outcome_side side[2];
    unsigned white, black;
    double halves, year;
};

/* The match that begins with game i, with each player's mean Elo. False if it begins earlier, is
 * too short, or a player is unrated in one of its games. */
static bool match_of(const struct result_rows *rows, size_t i, struct match *m)
{
    const struct result_row *one = &rows->row[i];

    *m = (struct match){ .year = one->year };
    for (size_t k = 0; k < rows->n; k++) {
        const struct result_row *r = &rows->row[k];
        const bool same = r->white == one->white && r->black == one->black;

        if (r->year != one->year || (!same && (r->white != one->black || r->black != one->white)))
            continue;
        if (k < i || r->elo[0] == 0 || r->elo[1] == 0)
            return false;
        *(same ? &m->white : &m->black) += 1;
        m->halves += same ? r->halves : 2 - r->halves;
        m->side[0].elo += r->elo[!same];
        m->side[1].elo += r->elo[same];
    }
    for (size_t k = 0; k < 2; k++)
        m->side[k].elo /= m->white + m->black;
    return m->white + m->black >= MATCH_GAMES;
}

struct matches {
    struct match *match; /* [n] */
    size_t n;
    double inside;  /* share of the scores within the 95 % interval */
    double squares; /* mean squared deviation in units of the predicted variance */
};

static struct matches matches_find(const struct result_rows *rows)
{
    struct matches out = { .match = ipr_xcalloc(rows->n + 1, sizeof *out.match) };

    for (size_t i = 0; i < rows->n; i++)
        out.n += match_of(rows, i, &out.match[out.n]);
    return out;
}

/* Predicts all with that standard error of each Elo. */
static void matches_predict(struct matches *m, const struct ipr_outcome_model *model, double se)
{
    m->inside = m->squares = 0;
    for (size_t i = 0; i < m->n; i++) {
        struct match *one = &m->match[i];
        double *chance = ipr_xcalloc(2 * (size_t)(one->white + one->black) + 1, sizeof *chance);
        struct ipr_outcome_match o;

        one->side[0].se = one->side[1].se = se;
        if (ipr_outcome_match(model, &one->side[0], &one->side[1], one->year, one->white,
                              one->black, chance, &o, NULL) == IPR_OK) {
            m->inside +=
                one->halves / 2 >= o.points_interval.lo && one->halves / 2 <= o.points_interval.hi;
            m->squares += pow((one->halves / 2 - o.points) / o.sd, 2);
        }
        free(chance);
    }
    m->inside /= (double)m->n;
    m->squares /= (double)m->n;
}

/* The standard error of an Elo with which the scores of matches deviate as much as predicted. */
static double matches_fit(struct matches *m, const struct ipr_outcome_model *model)
{
    double lo = 0, hi = 200;

    while (hi - lo > .1) {
        matches_predict(m, model, (lo + hi) / 2);
        *(m->squares > 1 ? &lo : &hi) = (lo + hi) / 2;
    }
    return round((lo + hi) / 2);
}

static double chances_print_matches(const struct result_rows *rows,
                                    const struct ipr_outcome_model *model)
{
    struct matches m = matches_find(rows);
    const double se = matches_fit(&m, model);

    printf(
        "\n### Matches\n\nPairs with %d or more games in a year: %zu.\n\n"
        "| standard error of an Elo | scores in the 95 %% interval, %% | mean squared deviation / "
        "predicted variance |\n| ---: | ---: | ---: |\n",
        MATCH_GAMES, m.n);
    for (int fitted = 0; fitted < 2; fitted++) {
        matches_predict(&m, model, fitted ? se : 0);
        printf("| %.0f | %.1f | %.2f |\n", fitted ? se : 0, 100 * m.inside, m.squares);
    }
    free(m.match);
    return se;
}

struct ipr_outcome_model chances_run(const struct result_rows *rows, double *elo_se)
{
    struct chances c = chances_new(rows);
    struct answer a[CANDIDATES];
    struct ipr_outcome_model model;
    size_t chosen;

    for (size_t k = 0; k < CANDIDATES; k++)
        a[k] = chances_answer(&c, &candidates[k]);
    chosen = chances_choose(a);
    model = chances_all(&c, &candidates[chosen]);
    chances_print_candidates(&c, a, chosen);
    chances_print_calibration(&c, &a[chosen]);
    *elo_se = chances_print_matches(rows, &model);
    for (size_t k = 0; k < CANDIDATES; k++)
        answer_free(&a[k]);
    chances_free(&c);
    return model;
}
