/* Plans the analyses that the predictions of matches read. */
#include <stdio.h>
#include <string.h>

#include "db/events.h"
#include "resource/read.h"
#include "view/json.h"
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

/* New reference. */
static enum ipr_code matches_list(const json_t *given, json_t **list, struct ipr_err *err)
{
    const char *text = json_string_value(given);

    *list = text != NULL ? json_loads(text, 0, NULL) : json_incref((json_t *)(uintptr_t)given);
    if (json_array_size(*list) >= 1 && json_array_size(*list) <= MATCHES_MAX)
        return IPR_OK;
    return ipr_param_refuse_json(err, "predict", given, "a list of 1 to 500 matches");
}

enum ipr_code ipr_view_plan_matches(const struct ipr_view *v,
                                    const struct ipr_view_matches *matches,
                                    struct ipr_db_plan *plan, struct ipr_err *err)
{
    json_t *list = NULL;
    enum ipr_code rc = matches_list(matches->list, &list, err);
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
