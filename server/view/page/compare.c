/* The comparison of two player-years. */
#include "view/page/page.h"

#include <math.h>

#include "view/json.h"

/* Three shares with a colour, for a bar, by their names. */
static void add_bar(json_t *bars, const char *colour, const json_t *of,
                    const char *const name[static 3], double expected)
{
    const double first = ipr_json_at(of, name[0], NAN), middle = ipr_json_at(of, name[1], NAN);

    if (isfinite(first) && isfinite(middle))
        json_array_append_new(bars, json_pack("{s:s, s:f, s:f, s:f, s:f, s:f}", "colour", colour,
                                              "first", first, "middle", middle, "last",
                                              ipr_json_at(of, name[2], NAN), "not_last",
                                              first + middle, "expected", expected));
}

/* One bar for each colour, or one for both if colour makes no difference: of win, draw and loss, or
 * of the end states. */
static void put_bars(json_t *p)
{
    static const char *const outcome[] = { "win", "draw", "loss" };
    static const char *const end_state[] = { "won", "between", "lost" };
    const json_t *ends = json_object_get(p, "end_states"), *of = ends != NULL ? ends : p;
    const char *const *name = ends != NULL ? end_state : outcome;
    const json_t *white = json_object_get(of, "as_white"), *black = json_object_get(of, "as_black");
    const bool same = json_equal(white, black);
    json_t *bars = json_array();

    add_bar(bars, same ? "either" : "white", white, name, ipr_json_at(p, "as_white.expected", NAN));
    if (!same)
        add_bar(bars, "black", black, name, ipr_json_at(p, "as_black.expected", NAN));
    json_object_set_new(p, "bars", bars);
    json_object_set_new(p, "parts", json_pack("[s, s, s]", name[0], name[1], name[2]));
}

/* `spread` is widened to its score, if it has one. */
static void prediction_show(const char *key, json_t *p, struct ipr_interval *spread)
{
    const double expected = ipr_json_at(p, "expected", NAN);

    json_object_set_new(p, "key", json_string(key));
    json_object_set_new(
        p, "forgets",
        json_boolean(json_object_get(json_object_get(p, "params"), "forgetting") != NULL));
    put_bars(p);
    spread->lo = fmin(spread->lo, expected);
    spread->hi = fmax(spread->hi, expected);
}

static json_t *compare_title(const json_t *white, const json_t *black)
{
    return ipr_page_format("%s %.0f and %s %.0f", ipr_json_text_at(white, "player.name"),
                           ipr_json_at(white, "year", 0.0), ipr_json_text_at(black, "player.name"),
                           ipr_json_at(black, "year", 0.0));
}

#define ERA_YEARS 5 /* between which the scale of Elo can have changed */

bool ipr_page_compare(json_t *resource, json_t *page)
{
    struct ipr_interval spread = { NAN, NAN };
    const json_t *prediction = json_object_get(resource, "prediction");
    const json_t *white = json_object_get(prediction, "white");
    const json_t *black = json_object_get(prediction, "black");
    const char *key;
    json_t *p;

    if (!json_is_object(white))
        return true;
    json_object_set_new(page, "title", compare_title(white, black));
    const double apart = fabs(ipr_json_at(white, "year", NAN) - ipr_json_at(black, "year", NAN));
    json_object_set_new(page, "eras", json_boolean(apart >= ERA_YEARS));
    json_object_foreach(json_object_get(prediction, "predictions"), key, p) {
        prediction_show(key, p, &spread);
    }
    if (spread.lo < spread.hi)
        json_object_set_new(page, "spread", ipr_json_interval(spread));
    json_object_set_new(page, "any_extrapolated",
                        json_boolean(ipr_json_true_at(white, "ipr.extrapolated") ||
                                     ipr_json_true_at(black, "ipr.extrapolated")));
    return true;
}
