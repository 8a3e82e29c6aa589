/* The players of an event: results, sums of the moves, places. */
#include "view/event/field.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

static int field_descending(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) - isnan(b);
    return (a < b) - (a > b);
}

/* By score, then performance, those without one last; then by name, so that the order is unique. */
static int field_by_score(const void *a, const void *b)
{
    const struct ipr_event_entry *p = a, *q = b;
    int order = field_descending(p->score, q->score);

    if (order == 0)
        order = field_descending(p->performance, q->performance);
    if (order == 0)
        order = strcmp(p->player.name, q->player.name);
    return order ? order : (p->player.id > q->player.id) - (p->player.id < q->player.id);
}

static enum ipr_code field_fill_entry(const struct ipr_view_context *c, struct ipr_event_entry *e,
                                      struct ipr_err *err)
{
    const struct ipr_db_player_turns sides = { .sides = e->player.sides,
                                               .n_sides = e->player.n_sides };
    struct ipr_elo_game *games = NULL;
    size_t n = 0;

    for (size_t i = 0; i < e->player.n_sides; i++) {
        const int32_t turns = e->player.sides[i].turns;

        e->judged += turns >= 0;
        e->turns += turns > 0 ? (size_t)turns : 0;
    }
    const enum ipr_code rc = ipr_elo_games(c, e->player.id, &sides, false, &games, &n, err);
    if (rc != IPR_OK)
        return rc;
    e->elo = games;
    e->results = ipr_arena_alloc(c->v->mem, 1, sizeof *e->results);
    e->results->elo_mean = ipr_elo_mean(c, games, n, IPR_REASON_ELO_MEAN_GAMES);
    e->results->results = ipr_elo_results(c, games, n);

    const struct ipr_figure_results *r = &e->results->results;
    e->score = isfinite(r->score) ? r->score : 0.0;
    e->performance = r->performance.figure.estimate;
    return IPR_OK;
}

static enum ipr_code field_entries(const struct ipr_view_context *c, int32_t event,
                                   struct ipr_event_field *out, struct ipr_err *err)
{
    struct ipr_db_tournament_player *players = NULL;
    size_t n = 0;

    enum ipr_code rc = ipr_db_tournament_players(c->v->db, event, c->judge_id, c->times, c->v->mem,
                                                 &players, &n, err);
    if (rc != IPR_OK)
        return rc;
    out->all = ipr_arena_alloc(c->v->mem, n, sizeof *out->all);
    for (; rc == IPR_OK && out->n < n; out->n++) {
        out->all[out->n].player = players[out->n];
        rc = field_fill_entry(c, &out->all[out->n], err);
    }
    if (out->n > 1)
        qsort(out->all, out->n, sizeof *out->all, field_by_score);
    return rc;
}

/* Rows are searched by person: bsearch compares their first member. */
static_assert(offsetof(struct ipr_db_player_strength, person) == 0 &&
                  offsetof(struct ipr_db_results, person) == 0,
              "the person comes first");

/* Everybody's with one query, of analysed moves (sign 1) or of evaluations in files (-1). */
static enum ipr_code field_strength(const struct ipr_view_context *c, int32_t event, int sign,
                                    struct ipr_event_field *e, struct ipr_err *err)
{
    struct ipr_db_player_strength *rows = NULL;
    size_t n = 0;
    const enum ipr_code rc =
        ipr_db_strength_of_event(c->v->db, event, c->times, sign, c->v->mem, &rows, &n, err);

    for (size_t i = 0; rc == IPR_OK && n > 0 && i < e->n; i++) {
        const struct ipr_db_player_strength *row =
            bsearch(&e->all[i].player.id, rows, n, sizeof *rows, ipr_compare_int32);

        if (row != NULL)
            *(sign > 0 ? &e->all[i].strength : &e->all[i].evals) = row->sums;
    }
    return rc;
}

/* The same of their results against rated opponents. */
static enum ipr_code field_results(const struct ipr_view_context *c, int32_t event,
                                   struct ipr_event_field *e, struct ipr_err *err)
{
    struct ipr_db_results *rows = NULL;
    size_t n = 0;
    const enum ipr_code rc =
        ipr_db_results_of_event(c->v->db, event, c->times, c->v->mem, &rows, &n, err);

    for (size_t i = 0; rc == IPR_OK && n > 0 && i < e->n; i++) {
        const int32_t person = e->all[i].player.id;
        const struct ipr_db_results *row =
            bsearch(&person, rows, n, sizeof *rows, ipr_compare_int32);

        while (row != NULL && row > rows && row[-1].person == person)
            row--;
        e->all[i].rated = row;
        while (row != NULL && row < rows + n && row->person == person) {
            e->all[i].n_rated++;
            row++;
        }
    }
    return rc;
}

/* Whose games alone are stored, of three players or more: two may be all of a match. */
static const struct ipr_event_entry *field_only(const struct ipr_event_field *f)
{
    size_t sides = 0;

    for (size_t i = 0; i < f->n; i++)
        sides += f->all[i].player.n_sides;
    for (size_t i = 0; i < f->n && f->n > 2; i++)
        if (2 * f->all[i].player.n_sides == sides)
            return &f->all[i];
    return NULL;
}

enum ipr_code ipr_event_field_of(const struct ipr_view_context *c, int32_t event,
                                 struct ipr_event_field *out, struct ipr_err *err)
{
    enum ipr_code rc = field_entries(c, event, out, err);

    if (rc == IPR_OK)
        rc = field_strength(c, event, 1, out, err);
    if (rc == IPR_OK)
        rc = field_strength(c, event, -1, out, err);
    if (rc == IPR_OK)
        rc = field_results(c, event, out, err);
    for (size_t i = 0; rc == IPR_OK && i < out->n;
         i++) /* players with equal scores share a place */
        out->all[i].place = i > 0 && field_descending(out->all[i - 1].score, out->all[i].score) == 0
                                ? out->all[i - 1].place
                                : i + 1;
    if (rc == IPR_OK)
        out->only = field_only(out);
    return rc;
}
