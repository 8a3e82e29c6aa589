/*
 * A table of printed figures beside those that other answers have: rows of a source, found by the
 * key that the table's file gives a row, and paths of the columns within them.
 */
#include <math.h>
#include <string.h>

#include "lab/papers/papers.h"
#include "stats/interval.h"
#include "view/document.h"
#include "view/json.h"

struct values_table {
    const struct ipr_view_context *context;
    const json_t *paper, *table;
};

/* Our rows by key, and the reason where there are none. */
struct values_ours {
    json_t *rows; /* {key: object} */
    const char *reason;
};

/* ---- sources ---- */

static enum ipr_code values_of_calibration(const struct values_table *t, struct values_ours *out,
                                           struct ipr_err *err)
{
    const struct ipr_view_context *c = t->context;
    json_t *record = NULL, *milepost;
    size_t i;

    if (c->calibration == NULL) {
        out->reason = "no calibration of this engine setting is stored";
        return IPR_OK;
    }
    const enum ipr_code rc = ipr_view_calibration(
        c->v, &(struct ipr_calibration_request){ .name = c->calibration_name }, &record, err);
    if (rc != IPR_OK)
        return rc;
    json_array_foreach(json_object_get(record, "mileposts"), i, milepost) {
        const int nominal = (int)ipr_json_at(milepost, "nominal", 0.0);

        json_object_set(out->rows, ipr_arena_printf(c->v->mem, "%d", nominal), milepost);
    }
    json_decref(record);
    return IPR_OK;
}

/* The players of the benchmark that no fit of their fold used, by the first and last year of their
 * games: "2000-2009", with nothing before or after the hyphen where the range is open. */
static void values_add_years(const struct ipr_view *v, const json_t *part, json_t *rows)
{
    json_t *one;
    size_t i;

    json_array_foreach(json_object_get(part, "years"), i, one) {
        const int low = (int)ipr_json_at(one, "years.low", 0.0);
        const int high = (int)ipr_json_at(one, "years.high", 0.0);

        json_object_set(rows,
                        ipr_arena_printf(v->mem, "%s-%s",
                                         low ? ipr_arena_printf(v->mem, "%d", low) : "",
                                         high ? ipr_arena_printf(v->mem, "%d", high) : ""),
                        one);
    }
}

static enum ipr_code values_of_validation(const struct values_table *t, struct values_ours *out,
                                          struct ipr_err *err)
{
    json_t *validation = NULL;

    const enum ipr_code rc = ipr_view_document(t->context->v, "validation.json", &validation, err);
    if (rc != IPR_OK)
        return rc;
    values_add_years(
        t->context->v,
        ipr_json_first(json_object_get(validation, "parts"), "part", "cross_validated"), out->rows);
    json_decref(validation);
    return IPR_OK;
}

static enum ipr_code values_of_complexity(const struct values_table *t, struct values_ours *out,
                                          struct ipr_err *err)
{
    const enum ipr_code rc = ipr_paper_complexity(t->context, t->paper, out->rows, err);

    out->reason = json_object_get(out->rows, "all") != NULL
                      ? "the player is not among those with most analysed moves"
                      : "no player has enough moves analysed by this engine setting";
    return rc;
}

static enum ipr_code values_of_covariance(const struct values_table *t, struct values_ours *out,
                                          struct ipr_err *err)
{
    return ipr_paper_covariance(t->context, t->table, out->rows, err);
}

static const struct values_source {
    const char *name;
    enum ipr_code (*read)(const struct values_table *t, struct values_ours *out,
                          struct ipr_err *err);
} sources[] = {
    { "calibration", values_of_calibration },
    { "validation", values_of_validation },
    { "complexity", values_of_complexity },
    { "covariance", values_of_covariance },
};

static enum ipr_code values_read(const struct values_table *t, struct values_ours *out,
                                 struct ipr_err *err)
{
    const char *name = ipr_json_text_at(t->table, "ours");

    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (strcmp(sources[i].name, name) == 0)
            return sources[i].read(t, out, err);
    return ipr_err_set(err, IPR_EIO, "a paper's table with figures from \"%s\"", name);
}

/* ---- cells ---- */

static const json_t *values_find(const json_t *from, const json_t *column, const char *what)
{
    const char *path = ipr_json_text_at(json_object_get(column, "at"), what);

    return *path != '\0' ? ipr_json_find(from, path) : NULL;
}

static double values_number(const json_t *from, const json_t *column, const char *what)
{
    const json_t *found = values_find(from, column, what);

    return json_is_number(found) ? json_number_value(found) : NAN;
}

/* The one that the source has, or that of its standard error. */
static json_t *values_interval_json(const json_t *from, const json_t *column, double ours,
                                    double se)
{
    const json_t *found = values_find(from, column, "interval");

    if (json_is_object(found))
        return json_deep_copy(found);
    if (!isfinite(ours) || !isfinite(se))
        return json_null();
    return ipr_json_interval((struct ipr_interval){ ours - IPR_Z95 * se, ours + IPR_Z95 * se });
}

/* Why a row of the source has no such figure. */
static const char *values_reason_of(const json_t *from, const json_t *column)
{
    const json_t *own = values_find(from, column, "reason");

    if (json_is_string(own))
        return json_string_value(own);
    return json_object_get(from, "reason") != NULL ? ipr_json_text_at(from, "reason")
                                                   : "ours has no such figure";
}

static json_t *values_cell_json(const json_t *column, double printed, const json_t *from,
                                const char *reason)
{
    const double ours = values_number(from, column, "estimate");
    const double se = values_number(from, column, "standard_error");
    const double n = values_number(from, column, "n");

    if (isfinite(ours))
        reason = NULL;
    else if (from != NULL)
        reason = values_reason_of(from, column);
    json_t *out = json_pack("{s:O, s:o, s:o, s:o, s:o, s:o, s:n, s:o}", "column",
                            json_object_get(column, "column"), "printed", ipr_json_num(printed),
                            "ours", ipr_json_num(ours), "standard_error", ipr_json_num(se),
                            "interval", values_interval_json(from, column, ours, se), "difference",
                            ipr_json_num(ours - printed), "turns", "reason", ipr_json_text(reason));
    if (isfinite(n))
        json_object_set_new(out, "n", json_integer((json_int_t)n));
    return out;
}

/* ---- rows ---- */

static const char *values_reason(const json_t *row, const struct values_ours *ours)
{
    const char *own = ipr_json_text_at(row, "reason");

    if (*own != '\0')
        return own;
    return ours->reason != NULL ? ours->reason : "ours has no such row";
}

static json_t *values_row_json(const json_t *table, const json_t *row,
                               const struct values_ours *ours)
{
    static const char *const members[] = { "label", "elo", "period" };
    const json_t *from = json_object_get(ours->rows, ipr_json_text_at(row, "ours")), *column;
    json_t *cells = json_array(), *out = json_pack("{s:n, s:n}", "year", "actual");
    size_t i;

    for (i = 0; i < sizeof members / sizeof *members; i++)
        json_object_set(out, members[i], json_object_get(row, members[i]));
    json_array_foreach(json_object_get(table, "columns"), i, column) {
        const double printed =
            ipr_json_at(json_object_get(row, "printed"), ipr_json_text_at(column, "column"), NAN);

        json_array_append_new(cells,
                              values_cell_json(column, printed, from, values_reason(row, ours)));
    }
    json_object_set_new(out, "cells", cells);
    return out;
}

enum ipr_code ipr_paper_values(const struct ipr_view_context *c, const json_t *paper,
                               const json_t *table, json_t *rows, struct ipr_err *err)
{
    const struct values_table t = { c, paper, table };
    struct values_ours ours = { json_object(), NULL };
    const json_t *row;
    size_t i;

    const enum ipr_code rc = values_read(&t, &ours, err);
    json_array_foreach(json_object_get(table, "rows"), i, row) {
        if (rc == IPR_OK)
            json_array_append_new(rows, values_row_json(table, row, &ours));
    }
    json_decref(ours.rows);
    return rc;
}
