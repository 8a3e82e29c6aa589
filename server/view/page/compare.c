/* The comparison of two player-years. */
#include "view/page/page.h"

#include <math.h>

#include "view/json.h"

/* Marks the chosen side in the list; adds it if it has too few moves to be listed. */
static void choice_mark(json_t *list, const json_t *side, const char *mark)
{
    const json_t *player = json_object_get(side, "player"), *year = json_object_get(side, "year");
    json_t *one;
    size_t i;

    if (!json_is_object(side))
        return;
    json_array_foreach(list, i, one) {
        if (json_equal(ipr_json_find(one, "player.id"), json_object_get(player, "id")) &&
            json_equal(json_object_get(one, "year"), year)) {
            json_object_set_new(one, mark, json_true());
            return;
        }
    }
    json_array_insert_new(list, 0,
                          json_pack("{s:O, s:O, s:O, s:b}", "player", player, "year", year,
                                    "counted", json_object_get(side, "turns"), mark, true));
}

/* The outcome with a colour, for a bar of wins, draws and losses. */
static void add_bar(json_t *bars, const char *colour, const json_t *outcome)
{
    const double win = ipr_json_at(outcome, "win", NAN), draw = ipr_json_at(outcome, "draw", NAN);

    if (!isfinite(win) || !isfinite(draw))
        return;
    json_t *bar = json_pack("{s:s, s:f}", "colour", colour, "not_lost", win + draw);
    json_object_update_missing(bar, (json_t *)(uintptr_t)outcome);
    json_array_append_new(bars, bar);
}

/* One bar for each colour, or one for both if colour makes no difference. */
static json_t *prediction_bars(const json_t *p)
{
    const json_t *white = json_object_get(p, "as_white"), *black = json_object_get(p, "as_black");
    const bool same = json_equal(white, black);
    json_t *bars = json_array();

    add_bar(bars, same ? "either" : "white", white);
    if (!same)
        add_bar(bars, "black", black);
    return bars;
}

/* Whether there is a score. */
static bool prediction_draw(const char *key, json_t *p, const struct ipr_axis *axis)
{
    const struct ipr_plot plot = { .estimate = ipr_json_at(p, "expected", NAN),
                                   .low = ipr_json_at(p, "interval.low", NAN),
                                   .high = ipr_json_at(p, "interval.high", NAN),
                                   .other = NAN,
                                   .extrapolated = ipr_json_true_at(p, "extrapolated"),
                                   .name = "expected score" };

    json_object_set_new(p, "key", json_string(key));
    json_object_set_new(p, "plot", ipr_plot_json(axis, &plot));
    json_object_set_new(p, "bars", prediction_bars(p));
    return isfinite(plot.estimate);
}

static json_t *compare_title(const json_t *white, const json_t *black)
{
    return ipr_page_format("%s %.0f and %s %.0f", ipr_json_text_at(white, "player.name"),
                           ipr_json_at(white, "year", 0.0), ipr_json_text_at(black, "player.name"),
                           ipr_json_at(black, "year", 0.0));
}

bool ipr_page_compare(json_t *resource, json_t *page)
{
    const struct ipr_axis axis = ipr_axis_share();
    json_t *choices = json_object_get(json_object_get(resource, "choices"), "player_years");
    const json_t *prediction = json_object_get(resource, "prediction");
    const json_t *white = json_object_get(prediction, "white");
    const json_t *black = json_object_get(prediction, "black");
    json_t *chances = json_object_get(prediction, "chances");
    bool any_expected = false;
    const char *key;
    json_t *p;

    if (!json_is_array(choices))
        return false;
    json_object_set_new(page, "few", json_boolean(json_array_size(choices) < 2));
    if (!json_is_object(white))
        return true;
    json_object_set_new(page, "title", compare_title(white, black));
    choice_mark(choices, white, "first");
    choice_mark(choices, black, "second");
    if (chances != NULL)
        any_expected = prediction_draw("rating", chances, &axis);
    json_object_foreach(json_object_get(prediction, "predictions"), key, p) {
        any_expected |= prediction_draw(key, p, &axis);
    }
    json_object_set_new(page, "axis", ipr_axis_json(&axis));
    json_object_set_new(page, "any_expected", json_boolean(any_expected));
    json_object_set_new(page, "any_extrapolated",
                        json_boolean(ipr_json_true_at(white, "ipr.extrapolated") ||
                                     ipr_json_true_at(black, "ipr.extrapolated")));
    return true;
}
