/* The best years of sets against each other. */
#include <math.h>

#include "view/json.h"
#include "view/player/career.h"

/* Returns the year of a set of one, whatever its rating, or else the best; 0: there is none. */
static int career_year_against(const struct ipr_career *k)
{
    if (k->set.from != 0 && k->set.from == k->set.to && k->n == 1 &&
        k->years[0].rating.turns >= IPR_VIEW_MIN_TURNS)
        return k->set.from;
    return k->best != IPR_CAREER_NONE ? k->years[k->best].year : 0;
}

static json_t *career_side_json(const struct ipr_career *k)
{
    const int year = career_year_against(k);

    return json_pack("{s:s, s:s, s:o, s:i}", "set", k->text, "label", k->label, "player",
                     ipr_json_player(k->of.player.id, k->of.player.name), "year", year);
}

/* Returns the row's player against the column's, or turned round. */
static json_t *cell_json(const json_t *chances, const struct ipr_career *row,
                         const struct ipr_career *column, bool turned)
{
    const double expected = ipr_json_at(chances, "expected", NAN);
    struct ipr_interval i = { ipr_json_at(chances, "interval.low", NAN),
                              ipr_json_at(chances, "interval.high", NAN) };

    if (turned)
        i = (struct ipr_interval){ 1 - i.hi, 1 - i.lo };

    return json_pack(
        "{s:i, s:i, s:i, s:i, s:o, s:o, s:O?, s:O?}", "first", (int)row->of.player.id, "first_year",
        career_year_against(row), "second", (int)column->of.player.id, "second_year",
        career_year_against(column), "expected", ipr_json_num(turned ? 1 - expected : expected),
        "interval", ipr_json_interval_if(isfinite(expected), i), "strength",
        json_object_get(chances, "strength"), "reason", json_object_get(chances, "reason"));
}

static enum ipr_code pair_predict(const struct ipr_view *v, const char *judge,
                                  const struct ipr_career *a, const struct ipr_career *b,
                                  json_t **out, struct ipr_err *err)
{
    struct ipr_prediction_request p = IPR_PREDICTION_REQUEST_INIT;

    p.judge = judge;
    p.method = IPR_PREDICTION_METHOD_ELO;
    p.games = 0; /* no match is shown */
    p.white =
        (struct ipr_param_side){ .player = (int)a->of.player.id, .year = career_year_against(a) };
    p.black =
        (struct ipr_param_side){ .player = (int)b->of.player.id, .year = career_year_against(b) };
    return ipr_view_prediction(v, &p, out, err);
}

/* Sets the cells (i, j) and (j, i). */
static enum ipr_code pair_add(const struct ipr_view *v, const char *judge,
                              const struct ipr_career *const *k, size_t i, size_t j, json_t *rows,
                              struct ipr_err *err)
{
    json_t *prediction = NULL;

    /* Two sets may have the same best year. */
    if (k[i]->of.player.id == k[j]->of.player.id &&
        career_year_against(k[i]) == career_year_against(k[j]))
        return IPR_OK;
    const enum ipr_code rc = pair_predict(v, judge, k[i], k[j], &prediction, err);
    if (rc != IPR_OK)
        return rc;
    const json_t *chances = json_object_get(prediction, "chances");
    json_array_set_new(json_object_get(json_array_get(rows, i), "against"), j,
                       cell_json(chances, k[i], k[j], false));
    json_array_set_new(json_object_get(json_array_get(rows, j), "against"), i,
                       cell_json(chances, k[j], k[i], true));
    json_decref(prediction);
    return IPR_OK;
}

static json_t *blank_rows(const struct ipr_career *const *k, size_t n)
{
    json_t *rows = json_array();

    for (size_t i = 0; i < n; i++) {
        json_t *row = career_side_json(k[i]), *against = json_array();

        for (size_t j = 0; j < n; j++)
            json_array_append_new(against, json_null());
        json_object_set_new(row, "against", against);
        json_array_append_new(rows, row);
    }
    return rows;
}

enum ipr_code ipr_career_head_to_head(const struct ipr_view *v, const char *judge,
                                      const struct ipr_career *careers, size_t n, json_t **out,
                                      struct ipr_err *err)
{
    const struct ipr_career *k[IPR_PARAM_TEXTS_MAX];
    enum ipr_code rc = IPR_OK;
    size_t sides = 0;

    for (size_t i = 0; i < n; i++)
        if (career_year_against(&careers[i]) != 0)
            k[sides++] = &careers[i];
    json_t *rows = sides < 2 ? json_array() : blank_rows(k, sides);
    for (size_t i = 0; sides >= 2 && i < sides; i++)
        for (size_t j = i + 1; rc == IPR_OK && j < sides; j++)
            rc = pair_add(v, judge, k, i, j, rows, err);
    if (rc == IPR_OK)
        *out = rows;
    else
        json_decref(rows);
    return rc;
}
