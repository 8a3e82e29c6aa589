/*
 * Figures of one player's moves: by year, and in a match.
 *
 * Order of the work: every move of a player twice; for IPRs some 10 ms a year that is not rated
 * yet. Memory: one player's moves at a time.
 */
#include <math.h>
#include <stdlib.h>

#include "lab/papers/figure.h"
#include "model/conformance.h"
#include "view/json.h"
#include "view/rating/rate.h"

/* ---- years ---- */

/* The moves kept, by year: at[begin of a year …]. */
struct career_years {
    size_t *at;
    size_t begin[IPR_VIEW_YEAR_MAX + 2];
};

static void careers_sort(const struct ipr_paper_moves *m, struct career_years *y)
{
    size_t next[IPR_VIEW_YEAR_MAX + 2];

    for (size_t i = 0; i < m->n; i++)
        y->begin[m->t.turns[m->keep[i]].year + 1]++;
    for (size_t i = 1; i < sizeof y->begin / sizeof *y->begin; i++)
        y->begin[i] += y->begin[i - 1];
    for (size_t i = 0; i < sizeof next / sizeof *next; i++)
        next[i] = y->begin[i];
    for (size_t i = 0; i < m->n; i++)
        y->at[next[m->t.turns[m->keep[i]].year]++] = m->keep[i];
}

/* The share of moves that lose at most the threshold: turns of one year have equal weights. */
static enum ipr_code careers_share(const struct ipr_turn *turns, const size_t *keep, size_t n,
                                   double threshold, struct ipr_share *out, struct ipr_err *err)
{
    const struct ipr_conformance_params params = IPR_CONFORMANCE_INIT;

    return ipr_conformance_accumulated(&params, turns, keep, n, turns[keep[0]].year, threshold, out,
                                       err);
}

static enum ipr_code careers_take(struct ipr_paper_figure *f, const struct ipr_paper_moves *m,
                                  void *panel, struct ipr_err *err)
{
    const double threshold = ipr_json_at(f->def, "threshold", 0.0);
    struct ipr_arena *mem = f->context->v->mem;
    struct career_years *y = ipr_arena_alloc(mem, 1, sizeof *y);
    json_t *points = ipr_paper_add_series(f, m->name, panel);
    enum ipr_code rc = IPR_OK;

    y->at = ipr_arena_alloc(mem, m->n + 1, sizeof *y->at);
    careers_sort(m, y);
    for (int year = 1; year <= IPR_VIEW_YEAR_MAX && rc == IPR_OK; year++) {
        const size_t n = y->begin[year + 1] - y->begin[year];
        struct ipr_share share;

        if (n < IPR_VIEW_MIN_TURNS)
            continue;
        rc = careers_share(m->t.turns, &y->at[y->begin[year]], n, threshold, &share, err);
        if (rc == IPR_OK)
            ipr_paper_add_share(points, year, &share);
    }
    if (json_array_size(points) == 0)
        ipr_paper_set_reason(f, "in no year 150 moves are analysed here");
    return rc;
}

enum ipr_code ipr_paper_careers(struct ipr_paper_figure *f, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    const json_t *panel;
    size_t i;

    json_array_foreach(json_object_get(f->def, "panels"), i, panel) {
        if (rc == IPR_OK)
            rc = ipr_paper_each_career(f, json_object_get(panel, "players"), careers_take,
                                       (void *)(uintptr_t)ipr_json_text_at(panel, "panel"), err);
    }
    return rc;
}

/* A year's IPR with its two-sigma interval. */
static enum ipr_code careers_add_ipr(const struct ipr_paper_figure *f, int32_t person, int year,
                                     json_t *points, struct ipr_err *err)
{
    struct ipr_figure_ratings *rating = NULL;
    struct ipr_db_player_year row;

    enum ipr_code rc = ipr_view_find_year(f->context, person, year, &row, err);
    if (rc == IPR_OK)
        rc = ipr_rate_cached(f->context, person, year, row.version, IPR_RATE_IPR, false, &rating,
                             err);
    if (rc == IPR_OK && isfinite(rating->ipr->figure.estimate))
        ipr_paper_add_point(points, year, rating->ipr->figure.estimate,
                            rating->ipr->figure.interval, (size_t)row.turns);
    return rc;
}

static enum ipr_code careers_rate(struct ipr_paper_figure *f, const struct ipr_paper_moves *m,
                                  void *arg, struct ipr_err *err)
{
    struct career_years *y = ipr_arena_alloc(f->context->v->mem, 1, sizeof *y);
    json_t *points = ipr_paper_add_series(f, m->name, NULL);
    int32_t person = 0;

    (void)arg;
    y->at = ipr_arena_alloc(f->context->v->mem, m->n + 1, sizeof *y->at);
    careers_sort(m, y);
    enum ipr_code rc = ipr_paper_find_person(f->context, f->paper, m->name, &person, err);
    for (int year = 1; year <= IPR_VIEW_YEAR_MAX && rc == IPR_OK && person != 0; year++)
        if (y->begin[year + 1] - y->begin[year] >= IPR_VIEW_MIN_TURNS)
            rc = careers_add_ipr(f, person, year, points, err);
    if (json_array_size(points) == 0)
        ipr_paper_set_reason(f, "no year has an IPR here");
    return rc;
}

enum ipr_code ipr_paper_iprs(struct ipr_paper_figure *f, struct ipr_err *err)
{
    json_t *names = ipr_paper_players(f);
    const enum ipr_code rc = ipr_paper_each_career(f, names, careers_rate, NULL, err);

    json_decref(names);
    return rc;
}

/* ---- matches ---- */

const char ipr_paper_too_few[] = "fewer than 150 moves are analysed here";

#define STEPS 20 /* losses of 0, 0.05, … 1 */

enum ipr_code ipr_paper_each_match(struct ipr_paper_figure *f, ipr_paper_match_fn *take,
                                   struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    const json_t *match;
    size_t i;

    json_array_foreach(json_object_get(f->def, "matches"), i, match) {
        if (rc == IPR_OK)
            rc = take(f, match, err);
    }
    return rc;
}

static enum ipr_code match_points(const struct ipr_paper_moves *m, json_t *points,
                                  struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    for (int i = 0; i <= STEPS && rc == IPR_OK; i++) {
        const double x = (double)i / STEPS;
        struct ipr_share share;

        rc = careers_share(m->t.turns, m->keep, m->n, x, &share, err);
        if (rc == IPR_OK)
            ipr_paper_add_share(points, x, &share);
    }
    return rc;
}

const char *ipr_paper_match_name(const json_t *match, int of)
{
    return json_string_value(json_array_get(json_object_get(match, "players"), (size_t)of));
}

enum ipr_code ipr_paper_match_moves(struct ipr_paper_figure *f, const json_t *match, int of,
                                    struct ipr_paper_moves *out, struct ipr_err *err)
{
    const int year = (int)ipr_json_at(match, "year", 0.0);
    int32_t opponent;

    const enum ipr_code rc = ipr_paper_find_person(
        f->context, f->paper, ipr_paper_match_name(match, !of), &opponent, err);
    if (rc != IPR_OK)
        return rc;
    return ipr_paper_moves(f, ipr_paper_match_name(match, of), year, year,
                           opponent != 0 ? opponent : -1, out, err);
}

static enum ipr_code match_player(struct ipr_paper_figure *f, const json_t *match, int of,
                                  struct ipr_err *err)
{
    static const char *const panels[] = { "Winners", "Losers" };
    const char *title =
        ipr_arena_printf(f->context->v->mem, "%s %.0f", ipr_paper_match_name(match, of),
                         ipr_json_at(match, "year", 0.0));
    json_t *points = ipr_paper_add_series(f, title, panels[of]);
    struct ipr_paper_moves m;

    enum ipr_code rc = ipr_paper_match_moves(f, match, of, &m, err);
    if (rc == IPR_OK && m.n < IPR_VIEW_MIN_TURNS)
        ipr_paper_set_reason(f, ipr_paper_too_few);
    else if (rc == IPR_OK)
        rc = match_points(&m, points, err);
    return rc;
}

static enum ipr_code match_losses(struct ipr_paper_figure *f, const json_t *match,
                                  struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    for (int of = 0; of < 2 && rc == IPR_OK; of++)
        rc = match_player(f, match, of, err);
    return rc;
}

enum ipr_code ipr_paper_match_losses(struct ipr_paper_figure *f, struct ipr_err *err)
{
    return ipr_paper_each_match(f, match_losses, err);
}

/* The winner's share less the loser's. */
static enum ipr_code match_difference(const struct ipr_paper_moves m[2], double x, json_t *points,
                                      struct ipr_err *err)
{
    struct ipr_share share[2];
    enum ipr_code rc = IPR_OK;

    for (int of = 0; of < 2 && rc == IPR_OK; of++)
        rc = careers_share(m[of].t.turns, m[of].keep, m[of].n, x, &share[of], err);
    if (rc == IPR_OK)
        ipr_paper_add_difference(points, x, &share[0], &share[1]);
    return rc;
}

static enum ipr_code match_differences(struct ipr_paper_figure *f, const json_t *match,
                                       struct ipr_err *err)
{
    const char *title =
        ipr_arena_printf(f->context->v->mem, "%s – %s %.0f", ipr_paper_match_name(match, 0),
                         ipr_paper_match_name(match, 1), ipr_json_at(match, "year", 0.0));
    json_t *points = ipr_paper_add_series(f, title, NULL);
    struct ipr_paper_moves m[2];
    enum ipr_code rc = IPR_OK;

    for (int of = 0; of < 2 && rc == IPR_OK; of++)
        rc = ipr_paper_match_moves(f, match, of, &m[of], err);
    if (rc != IPR_OK)
        return rc;
    if (m[0].n < IPR_VIEW_MIN_TURNS || m[1].n < IPR_VIEW_MIN_TURNS) {
        ipr_paper_set_reason(f, ipr_paper_too_few);
        return IPR_OK;
    }
    for (int i = 0; i <= STEPS && rc == IPR_OK; i++)
        rc = match_difference(m, (double)i / STEPS, points, err);
    return rc;
}

enum ipr_code ipr_paper_match_differences(struct ipr_paper_figure *f, struct ipr_err *err)
{
    return ipr_paper_each_match(f, match_differences, err);
}
