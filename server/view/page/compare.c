/* The comparison of two player-years. */
#include "view/page/page.h"

#include <math.h>
#include <string.h>

#include "view/json.h"

/** How the page speaks of a method; `brief` in the table. */
static const struct method {
    const char *key, *brief, *name, *what;
} known_methods[] = {
    { "markov", "Markov", "By the course of the evaluations (Markov)",
      "How each side's moves have shifted the engine's evaluation, played against each "
      "other. Earlier years count too, each half as much as the next." },
    { "covariance", "Covariance", "By the distribution of the errors (covariance)",
      "What the moves of the two years lost, drawn at random against each other for a stretch "
      "of a game: whoever is ahead by more than a bound at its end wins. Colours make no "
      "difference to it." },
    { "conformance", "Conformance", "By the share of good moves (conformance)",
      "How much larger the share of moves is that lost little, on the scale on which it went "
      "with results in Alliot's games; a loss counts less the more one-sided the position. "
      "Earlier years count too, each half as much as the next." },
    { "ipr", "IPR", "By the difference of the ratings (IPR)",
      "The two IPRs put through the Elo curve, with the error bars of both. It knows neither "
      "draws nor colours." },
    { "elo", "Elo", "By Elo",
      "The Elo figures of the two years, for comparison: from results, not from moves. It "
      "knows neither draws nor colours." },
};

const char *ipr_page_predictor(const char *key)
{
    for (size_t i = 0; i < sizeof known_methods / sizeof *known_methods; i++)
        if (strcmp(known_methods[i].key, key) == 0)
            return known_methods[i].brief;
    return key;
}

/** "12:1971", what the form sends. */
static json_t *choice_value(const json_t *side)
{
    return ipr_page_format("%.0f:%.0f", ipr_json_at(side, "player.id", 0.0),
                           ipr_json_at(side, "year", 0.0));
}

static json_t *choice_json(const json_t *side, bool selected)
{
    json_t *turns = ipr_page_count(ipr_json_at(side, "counted", ipr_json_at(side, "turns", 0.0)));
    json_t *out =
        json_pack("{s:o, s:o, s:b}", "value", choice_value(side), "label",
                  ipr_page_format("%s %.0f (%s turns)", ipr_json_text_at(side, "player.name"),
                                  ipr_json_at(side, "year", 0.0), json_string_value(turns)),
                  "selected", selected);
    json_decref(turns);
    return out;
}

/** Everything that can be chosen, the chosen one marked; it is there even when it has too few
 * turns to be listed. */
static json_t *choices_json(const json_t *list, const json_t *chosen)
{
    json_t *out = json_array();
    json_t *want = choice_value(chosen);
    bool found = !json_is_object(chosen);
    const json_t *side;
    size_t i;

    json_array_foreach(list, i, side) {
        json_t *value = choice_value(side);
        const bool same = json_is_object(chosen) && json_equal(value, want);
        found |= same;
        json_array_append_new(out, choice_json(side, same));
        json_decref(value);
    }
    if (!found)
        json_array_insert_new(out, 0, choice_json(chosen, true));
    json_decref(want);
    return out;
}

static json_t *side_page(const json_t *side)
{
    const double year = ipr_json_at(side, "year", 0.0);
    const double id = ipr_json_at(side, "player.id", 0.0);
    json_t *title = year > 0.0
                        ? ipr_page_format("%s %.0f", ipr_json_text_at(side, "player.name"), year)
                        : ipr_page_format("%s, career", ipr_json_text_at(side, "player.name"));

    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b}", "title", title, "href",
                     year > 0.0 ? ipr_page_format("/players/%.0f/%.0f", id, year)
                                : ipr_page_format("/players/%.0f", id),
                     "turns", ipr_page_count(ipr_json_at(side, "turns", 0.0)), "games",
                     ipr_page_count(ipr_json_at(side, "games", 0.0)), "ipr",
                     ipr_page_whole(ipr_json_at(side, "ipr.estimate", NAN)), "interval",
                     ipr_page_interval(ipr_json_find(side, "ipr.interval")), "elo",
                     ipr_page_whole(ipr_json_at(side, "elo.estimate", NAN)), "active",
                     ipr_json_true_at(side, "active"), "extrapolated",
                     ipr_json_true_at(side, "ipr.extrapolated"));
}

/** Bar of wins, draws and losses: where each part begins and how wide it is. */
static json_t *bar_json(const char *name, const json_t *outcome)
{
    const double win = ipr_json_at(outcome, "win", NAN), draw = ipr_json_at(outcome, "draw", NAN);
    const double loss = ipr_json_at(outcome, "loss", NAN);
    json_t *out;

    if (!isfinite(win) || !isfinite(draw) || !isfinite(loss))
        return NULL;
    out = json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", name, "win", ipr_page_share(win), "draw",
                    ipr_page_share(draw), "loss", ipr_page_share(loss), "expected",
                    ipr_page_share(ipr_json_at(outcome, "expected", NAN)));
    json_object_set_new(out, "win_width", ipr_page_format("%.2f%%", 100.0 * win));
    json_object_set_new(out, "draw_x", ipr_page_format("%.2f%%", 100.0 * win));
    json_object_set_new(out, "draw_width", ipr_page_format("%.2f%%", 100.0 * draw));
    json_object_set_new(out, "loss_x", ipr_page_format("%.2f%%", 100.0 * (win + draw)));
    json_object_set_new(out, "loss_width", ipr_page_format("%.2f%%", 100.0 * loss));
    return out;
}

/** One bar a colour, or one for both where colours make no difference. */
static json_t *bars_json(const json_t *p)
{
    const json_t *white = json_object_get(p, "as_white"), *black = json_object_get(p, "as_black");
    const bool same = json_equal(white, black);
    json_t *bars = json_array();
    json_t *bar = bar_json(same ? "with either colour" : "with White", white);

    if (bar)
        json_array_append_new(bars, bar);
    bar = same ? NULL : bar_json("with Black", black);
    if (bar)
        json_array_append_new(bars, bar);
    return bars;
}

/** "1,204 and 988 turns" of the two sides; null when not told. */
static json_t *evidence_text(const json_t *p, const char *what)
{
    const json_t *pair = json_object_get(p, what);

    if (!json_is_object(pair))
        return json_null();
    json_t *w = ipr_page_count(ipr_json_at(pair, "white", 0.0));
    json_t *b = ipr_page_count(ipr_json_at(pair, "black", 0.0));
    json_t *out = ipr_page_format("%s and %s %s", json_string_value(w), json_string_value(b), what);
    json_decref(w);
    json_decref(b);
    return out;
}

static json_t *exits_text(const json_t *p)
{
    const json_t *exits = json_object_get(p, "exits");

    if (!json_is_object(exits))
        return json_null();
    return ipr_page_format(
        "The ends of the scale rest on %.0f turns in which the first let go of a "
        "won position and %.0f in which the second did",
        ipr_json_at(exits, "from_winning", 0.0), ipr_json_at(exits, "from_losing", 0.0));
}

/** "93.6% (95% interval 90.9% to 95.6%)": an accumulated conformance. */
static json_t *accumulated_text(const json_t *q)
{
    json_t *interval = ipr_page_interval_share(json_object_get(q, "interval"));
    const double share = 100.0 * ipr_json_at(q, "share", NAN);
    json_t *out = json_is_string(interval) ? ipr_page_format("%.1f%% (95%% interval %s)", share,
                                                             json_string_value(interval))
                                           : ipr_page_format("%.1f%%", share);

    json_decref(interval);
    return out;
}

/** What a method found of the two sides on its way; null for most. */
static json_t *found_text(const json_t *p)
{
    const json_t *q = json_object_get(p, "accumulated");
    const json_t *loss = json_object_get(p, "mean_loss");

    if (json_is_object(loss))
        return ipr_page_format("Lost in a move on average: %.3f pawns by the first, %.3f by the "
                               "second",
                               ipr_json_at(loss, "white", NAN), ipr_json_at(loss, "black", NAN));
    if (!json_is_object(q))
        return exits_text(p);
    json_t *w = accumulated_text(json_object_get(q, "white"));
    json_t *b = accumulated_text(json_object_get(q, "black"));
    json_t *out = ipr_page_format("So weighed, at most 0.30 pawns were lost by %s of the first's "
                                  "moves, by %s of the second's",
                                  json_string_value(w), json_string_value(b));
    json_decref(w);
    json_decref(b);
    return out;
}

/** One assignment of colours in the table: {"expected", "outcome": "24 / 72 / 4"}, the latter null
 * where the method says nothing of it. */
static json_t *colour_json(const json_t *outcome)
{
    const double win = ipr_json_at(outcome, "win", NAN), draw = ipr_json_at(outcome, "draw", NAN);
    const double loss = ipr_json_at(outcome, "loss", NAN);

    return json_pack("{s:o, s:o}", "expected",
                     ipr_page_share(ipr_json_at(outcome, "expected", NAN)), "outcome",
                     isfinite(win) ? ipr_page_format("%.1f / %.1f / %.1f", 100.0 * win,
                                                     100.0 * draw, 100.0 * loss)
                                   : json_null());
}

static json_t *why_text(const json_t *p, const char *member, bool wanted)
{
    return wanted ? ipr_json_text(ipr_json_text_at(p, member)) : json_null();
}

static json_t *method_json(const struct method *m, const json_t *p, const struct ipr_axis *axis)
{
    const struct ipr_plot plot = { .estimate = ipr_json_at(p, "expected", NAN),
                                   .low = ipr_json_at(p, "interval.low", NAN),
                                   .high = ipr_json_at(p, "interval.high", NAN),
                                   .other = NAN,
                                   .extrapolated = ipr_json_true_at(p, "extrapolated"),
                                   .name = "expected score" };
    const bool known = isfinite(plot.estimate), interval = isfinite(plot.low);
    json_t *bars = bars_json(p);

    return json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
        "s:b, s:o}",
        "key", m->key, "short", m->brief, "name", m->name, "what", m->what, "expected",
        ipr_page_share(plot.estimate), "plot", ipr_plot_json(axis, &plot), "interval",
        ipr_page_interval_share(json_object_get(p, "interval")), "extrapolated", plot.extrapolated,
        "no_interval", why_text(p, "interval_reason", known && !interval), "with_white",
        colour_json(json_object_get(p, "as_white")), "with_black",
        colour_json(json_object_get(p, "as_black")), "turns", evidence_text(p, "turns"), "games",
        evidence_text(p, "games"), "found", found_text(p), "note",
        ipr_json_text(ipr_json_text_at(p, "note")), "interval_note",
        ipr_json_text(ipr_json_text_at(p, "interval_note")), "reason",
        why_text(p, "reason", !known), "has_bars", json_array_size(bars) > 0, "bars", bars);
}

static json_t *methods_json(const json_t *predictions, const struct ipr_axis *axis)
{
    json_t *out = json_array();

    for (size_t i = 0; i < sizeof known_methods / sizeof *known_methods; i++) {
        const json_t *p = json_object_get(predictions, known_methods[i].key);
        if (json_is_object(p))
            json_array_append_new(out, method_json(&known_methods[i], p, axis));
    }
    return out;
}

static bool any_expected(const json_t *methods)
{
    const json_t *m;
    size_t i;

    json_array_foreach(methods, i, m)
        if (json_is_string(json_object_get(m, "expected")))
            return true;
    return false;
}

static void compare_head(const json_t *prediction, json_t *page)
{
    const json_t *white = json_object_get(prediction, "white");
    const json_t *black = json_object_get(prediction, "black");
    json_t *times = ipr_page_times_query(json_object_get(prediction, "time_classes"), "&");
    json_t *title =
        ipr_page_format("%s %.0f and %s %.0f", ipr_json_text_at(white, "player.name"),
                        ipr_json_at(white, "year", 0.0), ipr_json_text_at(black, "player.name"),
                        ipr_json_at(black, "year", 0.0));
    json_t *href =
        ipr_page_format("/api/v1/predictions?white=%.0f:%.0f&black=%.0f:%.0f&method=all%s",
                        ipr_json_at(white, "player.id", 0.0), ipr_json_at(white, "year", 0.0),
                        ipr_json_at(black, "player.id", 0.0), ipr_json_at(black, "year", 0.0),
                        json_string_value(times));

    ipr_page_head(page, json_string_value(title), json_string_value(href));
    json_decref(times);
    json_decref(title);
    json_decref(href);
}

/** Below the table of the sides: what the star means, where there is one, and what is not rated. */
static void add_remarks(const json_t *white, const json_t *black, json_t *page)
{
    const json_t *const sides[] = { white, black };
    static const char *const names[] = { "first", "second" };
    json_t *remarks = json_array();

    if (ipr_json_true_at(white, "ipr.extrapolated") || ipr_json_true_at(black, "ipr.extrapolated"))
        json_array_append_new(
            remarks, json_string("* outside the range of Elo that the calibration covers."));
    for (int i = 0; i < 2; i++) {
        json_t *rest = ipr_page_not_rated(json_object_get(sides[i], "not_rated"));

        if (json_is_string(rest))
            json_array_append_new(remarks, ipr_page_format("Not rated of the %s: %s.", names[i],
                                                           json_string_value(rest)));
        json_decref(rest);
    }
    json_object_set_new(page, "has_remarks", json_boolean(json_array_size(remarks) > 0));
    json_object_set_new(page, "remarks", remarks);
}

/** Takes what ipr_view_compare gives, or a bare prediction. */
bool ipr_page_compare(json_t *resource, json_t *page)
{
    const struct ipr_axis axis = ipr_axis_share();
    const json_t *prediction = json_object_get(resource, "predictions")
                                   ? resource
                                   : json_object_get(resource, "prediction");
    const json_t *list = ipr_json_find(resource, "choices.player_years");
    const json_t *white = json_object_get(prediction, "white");
    const json_t *black = json_object_get(prediction, "black");

    if (!json_object_get(resource, "predictions") && !json_object_get(resource, "choices"))
        return false;
    json_object_set_new(page, "chosen", json_boolean(json_is_object(white)));
    json_object_set_new(page, "white_choices", choices_json(list, white));
    json_object_set_new(page, "black_choices", choices_json(list, black));
    json_object_set_new(page, "has_choices", json_boolean(json_array_size(list) > 1));
    json_object_set_new(page, "axis", ipr_axis_json(&axis));
    if (!json_is_object(white)) {
        ipr_page_head(page, "Compare two player-years", NULL);
        return true;
    }
    compare_head(prediction, page);
    json_object_set_new(page, "white", side_page(white));
    json_object_set_new(page, "black", side_page(black));
    json_t *methods = methods_json(json_object_get(prediction, "predictions"), &axis);
    json_object_set_new(page, "any_expected", json_boolean(any_expected(methods)));
    add_remarks(white, black, page);
    json_object_set_new(page, "methods", methods);
    json_object_set_new(page, "times", ipr_page_times(json_object_get(prediction, "time_classes")));
    json_object_set_new(page, "judge", ipr_page_judge(json_object_get(prediction, "judge")));
    json_object_set_new(page, "calibration",
                        ipr_json_text(ipr_json_text_at(prediction, "calibration.name")));
    return true;
}
