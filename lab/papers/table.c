/*
 * A table of a paper beside ours.
 *
 * Order of the work: a prediction for each row and column, some 50 ms of Markov's with 2,500 moves
 * of a player. Memory: the turns of every player-year of the table, and of its earlier years.
 */
#include "lab/papers/papers.h"

#include <math.h>
#include <string.h>

#include "view/context.h"
#include "view/json.h"
#include "view/prediction/predict.h"

/* A player-year of the paper. */
struct paper_side {
    const char *name; /* as printed */
    int year;
    const char *reason; /* why it cannot be used; NULL: it can */
    struct ipr_predict_side side;
};

struct paper_table {
    const struct ipr_view_context *context;
    const json_t *paper, *table;
    struct paper_side *sides; /* each player-year once */
    size_t n;
};

/* ---- player-years ---- */

static enum ipr_code paper_open_side(const struct paper_table *t, struct paper_side *s,
                                     struct ipr_err *err)
{
    struct ipr_arena *mem = t->context->v->mem;
    struct ipr_err why = IPR_ERR_INIT;
    int32_t id;

    enum ipr_code rc = ipr_paper_find_person(t->context, t->paper, s->name, &id, err);
    if (rc != IPR_OK)
        return rc;
    s->side.who = (struct ipr_view_side){ id, s->year };
    if (id == 0) {
        s->reason = ipr_arena_printf(mem, "no games of %s are stored", s->name);
        return IPR_OK;
    }
    rc = ipr_predict_side_open(t->context, s->side.who, "all", &s->side, &why);
    if (rc == IPR_ENOTFOUND) {
        s->reason = ipr_arena_printf(mem, "no games of %s in %d are stored", s->name, s->year);
        return IPR_OK;
    }
    return rc == IPR_OK ? IPR_OK : ipr_err_at(err, rc, why.type, 0, 0, -1, "%s", why.msg);
}

static enum ipr_code paper_side(struct paper_table *t, const json_t *printed,
                                const struct paper_side **out, struct ipr_err *err)
{
    const char *name = ipr_json_text_at(printed, "name");
    const int year = (int)ipr_json_at(printed, "year", 0.0);
    size_t i = 0;

    while (i < t->n && (t->sides[i].year != year || strcmp(t->sides[i].name, name) != 0))
        i++;
    *out = &t->sides[i];
    if (i < t->n)
        return IPR_OK;
    t->sides[t->n++] = (struct paper_side){ .name = name, .year = year };
    return paper_open_side(t, &t->sides[i], err);
}

static json_t *paper_side_json(const struct paper_side *s)
{
    return json_pack("{s:s, s:i, s:n, s:I, s:o}", "name", s->name, "year", s->year, "player",
                     "turns", (json_int_t)s->side.row.turns, "reason", ipr_json_text(s->reason));
}

/* ---- cells ---- */

static json_t *paper_pair(const json_t *prediction, const char *member)
{
    const json_t *pair = json_object_get(prediction, member);

    if (!json_is_object(pair))
        return json_null();
    return json_pack("{s:O, s:O}", "first", json_object_get(pair, "white"), "second",
                     json_object_get(pair, "black"));
}

static json_t *paper_or_null(const json_t *prediction, const char *member)
{
    json_t *value = json_object_get(prediction, member);

    return value != NULL ? json_incref(value) : json_null();
}

static json_t *paper_cell_json(const char *column, double printed, const json_t *prediction,
                               const char *reason)
{
    const double ours = ipr_json_at(prediction, "expected", NAN);
    json_t *out = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "column", column, "printed",
                            ipr_json_num(printed), "ours", ipr_json_num(ours), "standard_error",
                            paper_or_null(prediction, "standard_error"), "interval",
                            paper_or_null(prediction, "interval"), "difference",
                            ipr_json_num(ours - printed), "turns", paper_pair(prediction, "turns"));

    if (reason == NULL && !isfinite(ours))
        reason = ipr_json_text_at(prediction, "reason");
    json_object_set_new(out, "reason", ipr_json_text(reason));
    if (json_object_get(prediction, "match") != NULL)
        json_object_set(out, "match", json_object_get(prediction, "match"));
    return out;
}

static enum ipr_code paper_params(const json_t *column, struct ipr_predict_params *out,
                                  struct ipr_err *err)
{
    struct ipr_prediction_request given = IPR_PREDICTION_REQUEST_INIT;

    given.b = ipr_json_at(column, "b", NAN);
    given.forgetting = ipr_json_at(column, "forgetting", NAN);
    given.n0 = (int)ipr_json_at(column, "n0", IPR_PARAM_ABSENT);
    given.replicates = (int)ipr_json_at(column, "replicates", IPR_PARAM_ABSENT);
    return ipr_predict_params_make(&given, out, err);
}

/* The prediction is made in memory of its own. */
static enum ipr_code paper_predict(const struct paper_table *t, const struct paper_side *const s[2],
                                   const json_t *row, const json_t *column, json_t **out,
                                   struct ipr_err *err)
{
    const unsigned games = (unsigned)ipr_json_at(row, "games", 0.0);
    const int year = (int)ipr_json_at(row, "year", 0.0);
    const char *method = ipr_json_text_at(column, "method");
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_view view = *t->context->v;
    struct ipr_view_context c = *t->context;
    struct ipr_predict p = { .context = &c, .white = &s[0]->side, .black = &s[1]->side };
    struct ipr_figure_predictions figures = { NULL };

    view.mem = &mem;
    c.v = &view;
    enum ipr_code rc = paper_params(column, &p.params, err);
    if (rc == IPR_OK)
        rc = ipr_predict_match(&p, games, year, err);
    if (rc == IPR_OK)
        rc = ipr_predict_by(&p, method, &figures, err);
    if (rc == IPR_OK) {
        json_t *all = ipr_shape_json(IPR_SHAPE_PREDICTIONS, &figures);

        *out = json_incref(json_object_get(all, method));
        json_decref(all);
    }
    ipr_arena_release(&mem);
    return rc;
}

static enum ipr_code paper_cell(const struct paper_table *t, const struct paper_side *const s[2],
                                const json_t *row, const json_t *column, json_t *list,
                                struct ipr_err *err)
{
    const char *name = ipr_json_text_at(column, "column");
    const double printed = ipr_json_at(json_object_get(row, "printed"), name, NAN);
    const char *reason = s[0]->reason != NULL ? s[0]->reason : s[1]->reason;
    json_t *prediction = NULL;
    enum ipr_code rc = IPR_OK;

    if (reason == NULL)
        rc = paper_predict(t, s, row, column, &prediction, err);
    if (rc == IPR_OK)
        json_array_append_new(list, paper_cell_json(name, printed, prediction, reason));
    json_decref(prediction);
    return rc;
}

/* ---- rows ---- */

static enum ipr_code paper_cells(const struct paper_table *t, const json_t *row,
                                 const struct paper_side *const s[2], json_t *list,
                                 struct ipr_err *err)
{
    const json_t *column;
    enum ipr_code rc = IPR_OK;
    size_t i;

    json_array_foreach(json_object_get(t->table, "columns"), i, column) {
        if (rc == IPR_OK)
            rc = paper_cell(t, s, row, column, list, err);
    }
    return rc;
}

static enum ipr_code paper_row(struct paper_table *t, const json_t *row, json_t *list,
                               struct ipr_err *err)
{
    const struct paper_side *s[2] = { NULL, NULL };
    json_t *cells = json_array();

    enum ipr_code rc = paper_side(t, json_object_get(row, "first"), &s[0], err);
    if (rc == IPR_OK)
        rc = paper_side(t, json_object_get(row, "second"), &s[1], err);
    if (rc == IPR_OK)
        rc = paper_cells(t, row, s, cells, err);
    if (rc == IPR_OK)
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o, s:o, s:o*, s:O}", "year",
                            ipr_json_known(json_integer_value(json_object_get(row, "year"))),
                            "first", paper_side_json(s[0]), "second", paper_side_json(s[1]),
                            "actual", ipr_json_num(ipr_json_at(row, "actual", NAN)), "games",
                            json_incref(json_object_get(row, "games")), "cells", cells));
    json_decref(cells);
    return rc;
}

static bool paper_is_of_values(const json_t *table)
{
    return strcmp(ipr_json_text_at(table, "form"), "values") == 0;
}

static enum ipr_code paper_rows(struct paper_table *t, json_t *list, struct ipr_err *err)
{
    const json_t *rows = json_object_get(t->table, "rows"), *row;
    enum ipr_code rc = IPR_OK;
    size_t i;

    if (paper_is_of_values(t->table))
        return ipr_paper_values(t->context, t->paper, t->table, list, err);
    t->sides = ipr_arena_alloc(t->context->v->mem, 2 * json_array_size(rows), sizeof *t->sides);
    json_array_foreach(rows, i, row) {
        if (rc == IPR_OK)
            rc = paper_row(t, row, list, err);
    }
    return rc;
}

/* ---- the answer ---- */

/* Ours of these are figures of a document or a calibration. */
static bool paper_is_of_games(const json_t *table)
{
    const char *const ours = ipr_json_text_at(table, "ours");

    return strcmp(ours, "calibration") != 0 && strcmp(ours, "validation") != 0;
}

static enum ipr_code paper_answer(const struct paper_table *t, json_t *rows, json_t *out,
                                  struct ipr_err *err)
{
    static const char *const members[] = {
        "table", "title", "place", "form", "about", "differences"
    };
    json_t *columns = json_deep_copy(json_object_get(t->table, "columns"));

    json_object_set(out, "paper", json_object_get(t->paper, "paper"));
    json_object_set(out, "source", json_object_get(t->paper, "source"));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        json_object_set(out, members[i], json_object_get(t->table, members[i]));
    const enum ipr_code rc = ipr_paper_add_basis(t->context, paper_is_of_games(t->table), out, err);
    ipr_paper_sum_columns(rows, columns);
    if (paper_is_of_values(t->table))
        ipr_paper_sum_values(rows, columns);
    json_object_set_new(out, "columns", columns);
    json_object_set(out, "rows", rows);
    if (strcmp(ipr_json_text_at(out, "form"), "best_years") == 0)
        json_object_set_new(out, "standings", ipr_paper_standings(rows));
    json_object_set_new(out, "finding", ipr_paper_finding(out));
    return rc;
}

enum ipr_code ipr_paper_make_table(const struct ipr_view *v, const json_t *paper,
                                   const json_t *table, json_t **out, struct ipr_err *err)
{
    const struct ipr_setting_scope scope = { .judge = ipr_json_text_at(table, "judge") };
    struct ipr_view_context c = { 0 };
    struct paper_table t = { .context = &c, .paper = paper, .table = table };
    json_t *rows = json_array(), *answer = json_object();

    enum ipr_code rc = ipr_setting_for(v, IPR_FOR_LINES, &scope, &c, err);
    if (rc == IPR_OK)
        rc = paper_rows(&t, rows, err);
    if (rc == IPR_OK)
        rc = paper_answer(&t, rows, answer, err);
    if (rc == IPR_OK) {
        ipr_paper_page(answer);
        *out = json_incref(answer);
    }
    ipr_view_context_close(&c);
    json_decref(answer);
    json_decref(rows);
    return rc;
}
