/* Tournaments: the list to choose from, and the report of one. */
#include "view/page/page.h"

#include <math.h>

#include "base/str.h"
#include "view/context.h"
#include "view/json.h"

bool ipr_page_events(json_t *resource, json_t *page)
{
    ipr_page_head(page, "Events", "/api/v1/events");
    return json_is_array(json_object_get(resource, "events"));
}

/* What asks for the same again: "?judge=1&limit=100&after=12&time_class=blitz", as far as it is
 * not the usual. */
static json_t *event_query(const json_t *resource, bool with_after)
{
    const double judge = ipr_json_at(resource, "judge.id", NAN);
    const double limit = ipr_json_at(resource, "limit", IPR_VIEW_BUDGET);
    const char *after = ipr_json_text_at(resource, "after");
    json_t *times = ipr_page_times_query(json_object_get(resource, "time_classes"), "&");
    struct ipr_buf query = IPR_BUF_INIT;

    if (isfinite(judge))
        ipr_buf_printf(&query, "&judge=%.0f", judge);
    if (fabs(limit - IPR_VIEW_BUDGET) > 0.5)
        ipr_buf_printf(&query, "&limit=%.0f", limit);
    if (with_after && *after)
        ipr_buf_printf(&query, "&after=%s", after);
    ipr_buf_puts(&query, json_string_value(times));
    if (query.n > 0)
        query.p[0] = '?';
    json_t *out = json_string(ipr_buf_c(&query));
    json_decref(times);
    ipr_buf_release(&query);
    return out;
}

static void put_event_heading(const json_t *resource, json_t *page)
{
    const double year = ipr_json_at(resource, "event.year", NAN);
    const char *name = ipr_json_text_at(resource, "event.name");
    json_t *title =
        isfinite(year) ? ipr_page_format("%s, %.0f", name, year) : ipr_page_format("%s", name);
    json_t *query = event_query(resource, true);
    json_t *href = ipr_page_format("/api/v1/events/%.0f%s", ipr_json_at(resource, "event.id", 0.0),
                                   json_string_value(query));

    ipr_page_head(page, json_string_value(title), json_string_value(href));
    json_decref(title);
    json_decref(href);
    json_decref(query);
}

/* Which of the players these are, when not all. */
static void put_event_part(const json_t *resource, json_t *page)
{
    const size_t shown = json_array_size(json_object_get(resource, "players"));
    const char *next = ipr_json_text_at(resource, "next");
    json_t *query = event_query(resource, false);

    json_object_set_new(page, "part",
                        json_boolean((double)shown < ipr_json_at(resource, "players_total", 0.0)));
    json_object_set_new(page, "next",
                        *next != '\0'
                            ? ipr_page_format("/events/%.0f%s%safter=%s",
                                              ipr_json_at(resource, "event.id", 0.0),
                                              json_string_value(query),
                                              json_string_length(query) > 0 ? "&" : "?", next)
                            : json_null());
    json_decref(query);
}

/* Sets "expected_of" of the players some of whose games were forfeits or lack an Elo. */
static void put_expected_games(const json_t *players)
{
    json_t *p;
    size_t i;

    json_array_foreach(players, i, p) {
        const double n = ipr_json_at(p, "expected.games", 0.0);
        const double scored =
            ipr_json_at(p, "score_games", 0.0) + ipr_json_at(p, "unplayed.score_games", 0.0);

        if (n < scored && json_is_number(ipr_json_find(p, "expected.points")))
            json_object_set_new(p, "expected_of", json_integer((json_int_t)n));
    }
}

bool ipr_page_event(json_t *resource, json_t *page)
{
    const json_t *players = json_object_get(resource, "players");

    put_event_heading(resource, page);
    put_event_part(resource, page);
    put_expected_games(players);
    return json_is_array(players) && json_is_object(json_object_get(resource, "event"));
}
