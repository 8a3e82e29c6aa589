/* What the predictions of matches read, as a plan of analyses. */
#include <stdio.h>
#include <string.h>

#include "db/events.h"
#include "resource/read.h"
#include "view/context.h"
#include "view/json.h"
#include "view/paper/paper.h"
#include "view/queue/analyses.h"

#define MATCHES_MAX 500

struct match {
    int32_t player[2], event; /* event 0: it is of a year */
    int year;
};

static enum ipr_code match_refuse(size_t i, const char *member, const json_t *got,
                                  const char *expected, struct ipr_err *err)
{
    char path[48];

    snprintf(path, sizeof path, "predict[%zu]%s", i, member);
    return ipr_param_refuse_json(err, path, got, expected);
}

static enum ipr_code match_id(size_t i, const char *member, const json_t *value, int32_t *out,
                              struct ipr_err *err)
{
    const json_int_t id = json_integer_value(value); /* 0 of another type */

    if (id < 1 || id > INT32_MAX)
        return match_refuse(i, member, value, "an id", err);
    *out = (int32_t)id;
    return IPR_OK;
}

static enum ipr_code match_read_players(size_t i, const json_t *players, struct match *m,
                                        struct ipr_err *err)
{
    if (json_array_size(players) != 2)
        return match_refuse(i, ".players", players, "the ids of two players", err);
    enum ipr_code rc = match_id(i, ".players[0]", json_array_get(players, 0), &m->player[0], err);
    if (rc == IPR_OK)
        rc = match_id(i, ".players[1]", json_array_get(players, 1), &m->player[1], err);
    return rc == IPR_OK && m->player[0] == m->player[1]
               ? match_refuse(i, ".players", players, "two different players", err)
               : rc;
}

static enum ipr_code match_read(size_t i, const json_t *one, struct match *m, struct ipr_err *err)
{
    const json_t *players = json_object_get(one, "players"), *year = json_object_get(one, "year"),
                 *event = json_object_get(one, "event");

    *m = (struct match){ .year = (int)json_integer_value(year) };
    if (json_object_size(one) != 2 || players == NULL || (year == NULL) == (event == NULL))
        return match_refuse(i, "", one, "players, and year or event", err);
    const enum ipr_code rc = match_read_players(i, players, m, err);
    if (rc != IPR_OK || event != NULL)
        return rc == IPR_OK ? match_id(i, ".event", event, &m->event, err) : rc;
    return json_integer_value(year) < 2 || json_integer_value(year) > IPR_VIEW_YEAR_MAX
               ? match_refuse(i, ".year", year, "a year from 2 to 9999", err)
               : IPR_OK;
}

/* The years of the events that matches are of. */
static enum ipr_code matches_date(const struct ipr_view *v, struct match *m, size_t n,
                                  struct ipr_err *err)
{
    int32_t *events = ipr_arena_alloc(v->mem, n, sizeof *events);
    int *years = NULL;
    size_t n_years = 0;

    for (size_t i = 0; i < n; i++)
        events[i] = m[i].event;
    enum ipr_code rc = ipr_db_event_years(v->db, events, n, v->mem, &years, &n_years, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        char id[16];

        if (m[i].event == 0)
            continue;
        m[i].year = years[i];
        snprintf(id, sizeof id, "%d", (int)m[i].event);
        if (m[i].year < 2)
            rc = ipr_param_refuse(err, ipr_arena_printf(v->mem, "predict[%zu].event", i), id,
                                  "an event with a known year");
    }
    return rc;
}

/* The methods read each player's moves up to the year before the match, against anyone. */
static void matches_plan(const struct ipr_view_matches *given, const struct match *m, size_t n,
                         struct ipr_arena *mem, struct ipr_db_plan *plan)
{
    struct ipr_db_span *s = ipr_arena_alloc(mem, 4 * n, sizeof *s);

    plan->spans = s;
    for (size_t i = 0; i < 2 * n; i++) {
        const struct match *of = &m[i / 2];
        const int before = of->year - 1, own_year = of->event == 0 ? of->year : 0;

        *s++ = (struct ipr_db_span){
            .player = of->player[i % 2],
            .from = before > given->earlier ? before - given->earlier : 1,
            .to = before,
        };
        if (given->own_games)
            *s++ = (struct ipr_db_span){ of->player[i % 2], of->player[1 - i % 2], of->event,
                                         own_year, own_year };
    }
    plan->n_spans = (size_t)(s - plan->spans);
}

/* ---- the list ---- */

/* A row of a paper's table as an element of the parameter; without both players in `left_out`. */
static enum ipr_code matches_add_row(const struct ipr_view_context *c, const json_t *paper,
                                     const json_t *row, json_t *list, json_t *left_out,
                                     struct ipr_err *err)
{
    const char *first = ipr_json_text_at(row, "first.name");
    const char *second = ipr_json_text_at(row, "second.name");
    json_t *year = json_object_get(row, "year");
    int32_t id[2] = { 0, 0 };

    enum ipr_code rc = ipr_paper_find_person(c, paper, first, &id[0], err);
    if (rc == IPR_OK)
        rc = ipr_paper_find_person(c, paper, second, &id[1], err);
    if (rc != IPR_OK)
        return rc;
    if (id[0] != 0 && id[1] != 0)
        json_array_append_new(
            list, json_pack("{s:[i, i], s:O}", "players", (int)id[0], (int)id[1], "year", year));
    else if (left_out != NULL)
        json_array_append_new(left_out,
                              json_pack("{s:[s, s], s:O}", "players", first, second, "year", year));
    return IPR_OK;
}

static enum ipr_code matches_add_rows(const struct ipr_view_context *c, const json_t *paper,
                                      const json_t *rows, json_t *list, json_t *left_out,
                                      struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row) {
        if (rc == IPR_OK)
            rc = matches_add_row(c, paper, row, list, left_out, err);
    }
    if (rc == IPR_OK && json_array_size(list) == 0)
        rc = ipr_err_set(err, IPR_ENOTFOUND, "there are no games of these players");
    return rc;
}

/* "alliot-2017/5". */
static enum ipr_code matches_of_table(const struct ipr_view *v, const char *judge, const char *text,
                                      json_t *list, json_t *left_out, struct ipr_err *err)
{
    const size_t n = strcspn(text, "/");
    struct ipr_view_context c = { 0 };
    json_t *paper = NULL;

    enum ipr_code rc = ipr_paper_load(v, ipr_arena_strndup(v->mem, text, n), &paper, err);
    const json_t *table = ipr_json_first(json_object_get(paper, "tables"), "table",
                                         text[n] == '/' ? text + n + 1 : "");
    if (rc == IPR_OK && strcmp(ipr_json_text_at(table, "form"), "matches") != 0)
        rc = ipr_err_set(err, IPR_ENOTFOUND, "no table of matches \"%.40s\"", text);
    if (rc == IPR_OK)
        rc = ipr_view_context_open(v, judge, &c, err);
    if (rc == IPR_OK)
        rc = matches_add_rows(&c, paper, json_object_get(table, "rows"), list, left_out, err);
    ipr_view_context_close(&c);
    json_decref(paper);
    return rc;
}

/* New reference. */
static enum ipr_code matches_list(const struct ipr_view *v, const char *judge,
                                  const struct ipr_view_matches *matches, json_t **list,
                                  struct ipr_err *err)
{
    const json_t *given = matches->list;
    const char *text = json_string_value(given);

    if (text != NULL && text[0] != '[') {
        *list = json_array();
        return matches_of_table(v, judge, text, *list, matches->left_out, err);
    }
    *list = text != NULL ? json_loads(text, 0, NULL) : json_incref((json_t *)(uintptr_t)given);
    if (json_array_size(*list) >= 1 && json_array_size(*list) <= MATCHES_MAX)
        return IPR_OK;
    return ipr_param_refuse_json(err, "predict", given, "a list of 1 to 500 matches");
}

enum ipr_code ipr_view_plan_matches(const struct ipr_view *v, const char *judge,
                                    const struct ipr_view_matches *matches,
                                    struct ipr_db_plan *plan, struct ipr_err *err)
{
    json_t *list = NULL;
    enum ipr_code rc = matches_list(v, judge, matches, &list, err);
    const size_t n = json_array_size(list);
    struct match *m = ipr_arena_alloc(v->mem, n, sizeof *m);

    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        rc = match_read(i, json_array_get(list, i), &m[i], err);
    json_decref(list);
    if (rc == IPR_OK)
        rc = matches_date(v, m, n, err);
    if (rc == IPR_OK)
        matches_plan(matches, m, n, v->mem, plan);
    return rc;
}
