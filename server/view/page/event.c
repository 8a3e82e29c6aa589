/* The report of a tournament. */
#include "view/page/page.h"

#include <math.h>

#include "view/json.h"

static json_t *event_title(const json_t *resource)
{
    const double year = ipr_json_at(resource, "event.year", NAN);
    const char *name = ipr_json_text_at(resource, "event.name");

    return isfinite(year) ? ipr_page_format("%s, %.0f", name, year) : ipr_page_format("%s", name);
}

/* Whether not all of the players are on the page. */
static bool event_is_part(const json_t *resource)
{
    const size_t shown = json_array_size(json_object_get(resource, "players"));

    return (double)shown < ipr_json_at(resource, "players_total", 0.0);
}

/* Sets "expected_of" of players with forfeited games or games that lack an Elo. */
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

    json_object_set_new(page, "title", event_title(resource));
    json_object_set_new(page, "part", json_boolean(event_is_part(resource)));
    put_expected_games(players);
    return json_is_array(players) && json_is_object(json_object_get(resource, "event"));
}
