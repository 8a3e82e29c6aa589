/* Tournaments: the list to choose from, and the report of one. */
#include "view/page/page.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "view/context.h"
#include "view/json.h"

/* ---- the list ---- */

static json_t *count_text(const json_t *e, const char *name)
{
    json_t *count = ipr_page_count(ipr_json_at(e, name, 0.0));

    if (ipr_json_true_at(e, "counted_all"))
        return count;
    json_t *more = ipr_page_format("over %s", json_string_value(count));
    json_decref(count);
    return more;
}

bool ipr_page_events(json_t *resource, json_t *page)
{
    const json_t *events = json_object_get(resource, "events");
    json_t *rows = json_array();
    const json_t *e;
    size_t i;

    json_array_foreach(events, i, e)
        json_array_append_new(
            rows, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "name",
                            ipr_json_text(ipr_json_text_at(e, "name")), "href",
                            ipr_page_format("/events/%.0f", ipr_json_at(e, "id", 0.0)), "year",
                            ipr_page_whole(ipr_json_at(e, "year", NAN)), "games",
                            count_text(e, "games"), "judged", count_text(e, "games_judged"),
                            "players", count_text(e, "players")));
    ipr_page_head(page, "Events", "/api/v1/events");
    json_object_set_new(page, "rows", rows);
    json_object_set_new(page, "search", ipr_json_text(ipr_json_text_at(resource, "search")));
    json_object_set_new(page, "year", ipr_page_whole(ipr_json_at(resource, "year", NAN)));
    json_object_set_new(page, "next", ipr_json_text(ipr_json_text_at(resource, "next")));
    json_object_set_new(page, "judge", ipr_page_judge(json_object_get(resource, "judge")));
    json_object_set_new(page, "calibration", json_null());
    json_object_set_new(page, "times", json_null());
    return json_is_array(events);
}

/* ---- the report ---- */

/* 12.5, or 12 */
static json_t *points(double x)
{
    if (!isfinite(x))
        return json_null();
    return ipr_page_format(fabs(x - round(x)) < 0.25 ? "%.0f" : "%.1f", x);
}

/** As the table of the tournament has it: with the games that were not played. */
static json_t *score_text(const json_t *p)
{
    const double games =
        ipr_json_at(p, "score_games", 0.0) + ipr_json_at(p, "unplayed.score_games", 0.0);

    if (!(games > 0.0))
        return json_null();
    json_t *score = points(ipr_json_at(p, "score", 0.0) + ipr_json_at(p, "unplayed.score", 0.0));
    json_t *out = ipr_page_format("%s / %.0f", json_string_value(score), games);
    json_decref(score);
    return out;
}

/** 4.2, or 4.2 / 7 where some of the scored games were not played or lack an Elo. */
static json_t *expected_points(const json_t *p)
{
    const double n = ipr_json_at(p, "expected.games", 0.0);
    const double x = ipr_json_at(p, "expected.points", NAN);

    const double scored =
        ipr_json_at(p, "score_games", 0.0) + ipr_json_at(p, "unplayed.score_games", 0.0);

    return n < scored && isfinite(x) ? ipr_page_format("%.1f / %.0f", x, n) : ipr_page_fixed(x, 1);
}

static json_t *standing(const json_t *p)
{
    const json_t *ipr = json_object_get(p, "ipr");
    const double estimate = ipr_json_at(ipr, "estimate", NAN);
    json_t *row = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o}", "place", ipr_page_whole(ipr_json_at(p, "place", NAN)),
        "name", ipr_json_text(ipr_json_text_at(p, "player.name")), "href",
        ipr_page_format("/players/%.0f", ipr_json_at(p, "player.id", 0.0)), "score", score_text(p),
        "expected", expected_points(p), "elo", ipr_page_whole(ipr_json_at(p, "elo.estimate", NAN)));

    json_object_set_new(row, "performance",
                        ipr_page_whole(ipr_json_at(p, "performance.estimate", NAN)));
    json_object_set_new(row, "performance_range",
                        ipr_page_interval(ipr_json_find(p, "performance.interval")));
    json_object_set_new(row, "unplayed", json_boolean(ipr_json_at(p, "unplayed.games", 0.0) > 0.0));
    json_object_set_new(row, "ipr", ipr_page_whole(estimate));
    json_object_set_new(row, "interval", ipr_page_interval(json_object_get(ipr, "interval")));
    json_object_set_new(row, "extrapolated", json_boolean(ipr_json_true_at(ipr, "extrapolated")));
    json_object_set_new(row, "reason",
                        isfinite(estimate) ? json_null()
                                           : ipr_json_text(ipr_json_text_at(ipr, "reason")));
    json_object_set_new(row, "turns",
                        isfinite(estimate) ? ipr_page_count(ipr_json_at(ipr, "turns", NAN))
                                           : ipr_page_count(ipr_json_at(p, "turns", NAN)));
    return row;
}

/** The moves of a player: shares, the reference agent, the comparison with his own Elo; null where
 * there is nothing of these. */
static json_t *moves_row(const json_t *p)
{
    const json_t *at_0 = ipr_json_find(p, "conformance.at_0");
    const json_t *bayes = json_object_get(p, "bayes"),
                 *compared = json_object_get(p, "concordance");
    json_t *row = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o}", "name", ipr_json_text(ipr_json_text_at(p, "player.name")),
        "href", ipr_page_format("/players/%.0f", ipr_json_at(p, "player.id", 0.0)), "best",
        ipr_page_share(ipr_json_at(at_0, "share", NAN)), "best_range",
        ipr_page_interval_share(json_object_get(at_0, "interval")), "near",
        ipr_page_share(ipr_json_at(p, "conformance.at_30.share", NAN)), "near_range",
        ipr_page_interval_share(ipr_json_find(p, "conformance.at_30.interval")));

    json_object_set_new(row, "agent", ipr_page_fixed(ipr_json_at(bayes, "estimate", NAN), 2));
    json_object_set_new(row, "agent_range",
                        ipr_page_interval_fixed(json_object_get(bayes, "interval"), 2));
    json_object_set_new(row, "elo", ipr_page_whole(ipr_json_at(compared, "rating", NAN)));
    json_object_set_new(row, "mm", ipr_page_share(ipr_json_at(compared, "mm.actual", NAN)));
    json_object_set_new(row, "mm_by_elo",
                        ipr_page_share(ipr_json_at(compared, "mm.projected", NAN)));
    json_object_set_new(row, "z_mm", ipr_page_signed(ipr_json_at(compared, "mm.z", NAN), 1));
    json_object_set_new(row, "z_ad", ipr_page_signed(ipr_json_at(compared, "ad.z", NAN), 1));
    return row;
}

static bool has_moves(const json_t *p)
{
    return json_is_number(ipr_json_find(p, "conformance.at_0.share")) ||
           json_is_number(ipr_json_find(p, "bayes.estimate")) ||
           json_is_number(ipr_json_find(p, "concordance.mm.z"));
}

/* 0.5, but 0.02 and 12 */
static json_t *expected_text(double n)
{
    return ipr_page_format(n >= 9.95 ? "%.0f" : n >= 0.095 ? "%.1f" : "%.2g", n);
}

static void put_comparisons(const json_t *resource, json_t *page)
{
    const json_t *all = json_object_get(resource, "comparisons");
    const double n = ipr_json_at(all, "compared", 0.0);
    json_t *rows = json_array();
    const json_t *b;
    size_t i;

    json_array_foreach(json_object_get(all, "beyond"), i, b)
        json_array_append_new(rows,
                              json_pack("{s:o, s:o, s:o, s:o}", "errors",
                                        ipr_page_whole(ipr_json_at(b, "standard_errors", NAN)),
                                        "expected", expected_text(ipr_json_at(b, "expected", 0.0)),
                                        "mm", ipr_page_count(ipr_json_at(b, "mm", NAN)), "ad",
                                        ipr_page_count(ipr_json_at(b, "ad", NAN))));
    json_object_set_new(page, "beyond", rows);
    json_object_set_new(page, "compared",
                        n > 0.0 ? ipr_page_plural(n, "performance", "performances") : json_null());
}

static json_t *results_text(const json_t *resource)
{
    const double unknown = ipr_json_at(resource, "results.unknown", 0.0);
    json_t *white = ipr_page_count(ipr_json_at(resource, "results.white_won", 0.0));
    json_t *black = ipr_page_count(ipr_json_at(resource, "results.black_won", 0.0));
    json_t *drawn = ipr_page_count(ipr_json_at(resource, "results.drawn", 0.0));
    json_t *out = ipr_page_format("White won %s, Black %s, %s drawn", json_string_value(white),
                                  json_string_value(black), json_string_value(drawn));

    if (unknown > 0.0) {
        json_t *more =
            ipr_page_format("%s, %.0f without a result", json_string_value(out), unknown);
        json_decref(out);
        out = more;
    }
    json_decref(white);
    json_decref(black);
    json_decref(drawn);
    return out;
}

/** What asks for the same again: "?judge=1&limit=100&after=12&time_class=blitz", as far as it is
 * not the usual. */
static json_t *query_of(const json_t *resource, bool with_after)
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

static void put_heading(const json_t *resource, json_t *page)
{
    const double id = ipr_json_at(resource, "event.id", 0.0);
    const double year = ipr_json_at(resource, "event.year", NAN);
    const char *name = ipr_json_text_at(resource, "event.name");
    json_t *title =
        isfinite(year) ? ipr_page_format("%s, %.0f", name, year) : ipr_page_format("%s", name);
    json_t *query = query_of(resource, true);
    json_t *href = ipr_page_format("/api/v1/events/%.0f%s", id, json_string_value(query));

    ipr_page_head(page, json_string_value(title), json_string_value(href));
    json_decref(title);
    json_decref(href);
    json_decref(query);
    json_object_set_new(page, "games",
                        ipr_page_plural(ipr_json_at(resource, "games", 0.0), "game", "games"));
    json_object_set_new(page, "judged", ipr_page_count(ipr_json_at(resource, "games_judged", 0.0)));
    json_object_set_new(page, "results", results_text(resource));
    json_object_set_new(page, "not_rated",
                        ipr_page_not_rated(json_object_get(resource, "not_rated")));
    json_object_set_new(page, "reason", ipr_json_text(ipr_json_text_at(resource, "reason")));
    json_object_set_new(page, "times", ipr_page_times(json_object_get(resource, "time_classes")));
    json_object_set_new(page, "judge", ipr_page_judge(json_object_get(resource, "judge")));
    json_object_set_new(page, "calibration",
                        ipr_json_text(ipr_json_text_at(resource, "calibration.name")));
}

/** Which of the players these are, when not all. */
static void put_part(const json_t *resource, json_t *page)
{
    const size_t shown = json_array_size(json_object_get(resource, "players"));
    const double total = ipr_json_at(resource, "players_total", NAN);
    const char *next = ipr_json_text_at(resource, "next");
    const bool part = isfinite(total) && (double)shown < total;
    json_t *query = query_of(resource, false);

    json_object_set_new(page, "players_total", ipr_page_plural(total, "player", "players"));
    json_object_set_new(page, "part", part ? ipr_page_count((double)shown) : json_null());
    json_object_set_new(page, "next",
                        *next ? ipr_page_format("/events/%.0f%s%safter=%s",
                                                ipr_json_at(resource, "event.id", 0.0),
                                                json_string_value(query),
                                                json_string_length(query) > 0 ? "&" : "?", next)
                              : json_null());
    json_decref(query);
}

bool ipr_page_event(json_t *resource, json_t *page)
{
    const json_t *players = json_object_get(resource, "players");
    json_t *rows = json_array(), *moves = json_array();
    bool extrapolated = false, drawn = false, unplayed = false;
    const json_t *p;
    size_t i;

    json_array_foreach(players, i, p) {
        json_array_append_new(rows, standing(p));
        if (has_moves(p))
            json_array_append_new(moves, moves_row(p));
        extrapolated |= ipr_json_true_at(p, "ipr.extrapolated");
        unplayed |= ipr_json_at(p, "unplayed.games", 0.0) > 0.0;
        drawn |= json_is_number(ipr_json_find(p, "ipr.estimate")) ||
                 json_is_number(ipr_json_find(p, "performance.estimate"));
    }
    put_heading(resource, page);
    put_part(resource, page);
    put_comparisons(resource, page);
    json_object_set_new(page, "rows", rows);
    json_object_set_new(page, "has_rows", json_boolean(json_array_size(rows) > 0));
    json_object_set_new(page, "any_moves", json_boolean(json_array_size(moves) > 0));
    json_object_set_new(page, "moves", moves);
    json_object_set_new(page, "any_extrapolated", json_boolean(extrapolated));
    json_object_set_new(page, "any_unplayed", json_boolean(unplayed));
    json_object_set_new(page, "drawn", json_boolean(drawn));
    return json_is_array(players) && json_is_object(json_object_get(resource, "event"));
}
