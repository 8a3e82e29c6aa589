/* Tables of player-years, the player's page and the page of one year. */
#include "view/page.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "view/json.h"
#include "view/view.h"

static json_t *share_interval_text(const json_t *interval)
{
    if (!json_is_object(interval))
        return json_null();
    return ipr_page_format("%.1f%% to %.1f%%", 100.0 * ipr_json_at(interval, "low", NAN),
                           100.0 * ipr_json_at(interval, "high", NAN));
}

static struct ipr_plot plot_of(const json_t *ipr, double elo)
{
    return (struct ipr_plot){ .estimate = ipr_json_at(ipr, "estimate", NAN),
                              .low = ipr_json_at(ipr, "interval.low", NAN),
                              .high = ipr_json_at(ipr, "interval.high", NAN),
                              .other = elo,
                              .extrapolated = ipr_json_true_at(ipr, "extrapolated"),
                              .name = "IPR" };
}

/** Widens [lo, hi] to hold what a plot draws, each end at most 500 from its estimate. */
static void cover(const struct ipr_plot *p, double *lo, double *hi)
{
    const double points[] = { p->estimate, fmax(p->low, p->estimate - 500.0),
                              fmin(p->high, p->estimate + 500.0), p->other };

    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        if (isfinite(points[i])) {
            *lo = fmin(*lo, points[i]);
            *hi = fmax(*hi, points[i]);
        }
}

static json_t *year_href(json_int_t player, json_int_t year)
{
    return ipr_page_format("/players/%" JSON_INTEGER_FORMAT "/%" JSON_INTEGER_FORMAT, player, year);
}

static json_t *row_json(const json_t *y, const json_t *player, const struct ipr_axis *axis)
{
    const json_t *ipr = json_object_get(y, "ipr");
    const struct ipr_plot plot = plot_of(ipr, ipr_json_at(y, "elo", NAN));
    const json_int_t id = json_integer_value(json_object_get(player, "id"));
    const json_int_t year = json_integer_value(json_object_get(y, "year"));
    json_t *row = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o}", "name", ipr_json_text(ipr_json_text_at(player, "name")),
        "year", ipr_json_known(year), "href", year ? year_href(id, year) : json_null(), "turns",
        ipr_page_count(ipr_json_at(ipr, "turns", ipr_json_at(y, "counted", NAN))), "games",
        ipr_page_count(ipr_json_at(ipr, "games", ipr_json_at(y, "games_judged", NAN))), "elo",
        ipr_page_whole(plot.other));

    json_object_set_new(row, "ipr", ipr_page_whole(plot.estimate));
    json_object_set_new(row, "interval", ipr_page_interval(json_object_get(ipr, "interval")));
    json_object_set_new(row, "extrapolated", json_boolean(plot.extrapolated));
    json_object_set_new(row, "reason",
                        isfinite(plot.estimate) ? json_null()
                                                : ipr_json_text(ipr_json_text_at(ipr, "reason")));
    json_object_set_new(row, "at_0", ipr_page_share(ipr_json_at(y, "at_0.share", NAN)));
    json_object_set_new(row, "at_30", ipr_page_share(ipr_json_at(y, "at_30.share", NAN)));
    json_object_set_new(row, "plot", ipr_plot_json(axis, &plot));
    json_object_set_new(row, "not_rated", ipr_page_not_rated(json_object_get(y, "not_rated")));
    return row;
}

void ipr_page_years(const json_t *years, const json_t *player, json_t *page)
{
    double lo = INFINITY, hi = -INFINITY;
    bool extrapolated = false, pending = false, elo = false;
    json_t *rows = json_array();
    const json_t *y;
    size_t i;

    json_array_foreach(years, i, y)
    {
        const struct ipr_plot plot = plot_of(json_object_get(y, "ipr"), ipr_json_at(y, "elo", NAN));
        cover(&plot, &lo, &hi);
        extrapolated |= plot.extrapolated;
        pending |= ipr_json_true_at(y, "pending");
        elo |= isfinite(plot.other);
    }
    const struct ipr_axis axis = ipr_axis_elo(lo, hi);
    json_array_foreach(years, i, y) json_array_append_new(
        rows, row_json(y, player ? player : json_object_get(y, "player"), &axis));
    json_object_set_new(page, "rows", rows);
    json_object_set_new(page, "axis", ipr_axis_json(&axis));
    json_object_set_new(page, "any_extrapolated", json_boolean(extrapolated));
    json_object_set_new(page, "any_elo", json_boolean(elo));
    json_object_set_new(page, "pending", json_boolean(pending));
}

/** FIDE id and the spellings that differ from the name shown, as a sentence. */
static json_t *identity_text(const json_t *resource)
{
    const json_t *spellings = json_object_get(resource, "spellings");
    const double fide = ipr_json_at(resource, "fide_id", NAN);
    const char *name = ipr_json_text_at(resource, "name"), *before = "Also spelled ";
    struct ipr_buf text = IPR_BUF_INIT;

    if (isfinite(fide))
        ipr_buf_printf(&text, "FIDE id %.0f. ", fide);
    for (size_t i = 0; i < json_array_size(spellings); i++) {
        const char *one = json_string_value(json_array_get(spellings, i));

        if (strcmp(one, name) == 0)
            continue;
        ipr_buf_printf(&text, "%s“%s”", before, one);
        before = ", ";
    }
    json_t *out = text.n > 0 ? json_string(ipr_buf_c(&text)) : json_null();
    ipr_buf_release(&text);
    return out;
}

bool ipr_page_player(json_t *resource, json_t *page)
{
    const json_int_t id = json_integer_value(json_object_get(resource, "id"));
    const json_t *years = json_object_get(resource, "years");

    if (!json_is_array(years))
        return false;
    json_t *times = ipr_page_times_query(json_object_get(resource, "time_classes"), "?");
    json_t *href =
        ipr_page_format("/api/v1/players/%" JSON_INTEGER_FORMAT "%s", id, json_string_value(times));
    ipr_page_head(page, ipr_json_text_at(resource, "name"), json_string_value(href));
    json_decref(times);
    json_decref(href);
    json_t *events = ipr_page_format("/api/v1/players/%" JSON_INTEGER_FORMAT "/events", id);
    ipr_page_judging(json_object_get(resource, "judging"), json_string_value(events), page);
    json_decref(events);
    ipr_page_years(years, resource, page);
    json_object_set_new(page, "games",
                        ipr_page_plural(ipr_json_at(resource, "games", NAN), "game", "games"));
    json_object_set_new(
        page, "turns",
        ipr_page_plural(ipr_json_at(resource, "turns", NAN), "judged turn", "judged turns"));
    json_object_set_new(page, "span", ipr_page_span(resource));
    json_object_set_new(page, "identity", identity_text(resource));
    json_t *members = json_incref(json_object_get(resource, "members"));
    json_object_set_new(page, "has_members", json_boolean(json_array_size(members) > 0));
    json_object_set_new(page, "member_rows", members ? members : json_array());
    json_object_set_new(page, "times", ipr_page_times(json_object_get(resource, "time_classes")));
    json_object_set_new(page, "judge", ipr_page_judge(json_object_get(resource, "judge")));
    json_object_set_new(page, "calibration",
                        ipr_json_text(ipr_json_text_at(resource, "calibration.name")));
    return true;
}

/* One year */

static json_t *figure(const char *name, json_t *value, json_t *interval, json_t *rests_on)
{
    return json_pack("{s:s, s:o, s:o, s:o}", "name", name, "value", value, "interval", interval,
                     "rests_on", rests_on);
}

static json_t *rests_on(const json_t *o)
{
    const double turns = ipr_json_at(o, "turns", NAN);
    const double games = ipr_json_at(o, "games", NAN);

    if (!isfinite(turns) || !isfinite(games))
        return json_null();
    json_t *t = ipr_page_plural(turns, "turn", "turns");
    json_t *g = ipr_page_plural(games, "game", "games");
    json_t *out = ipr_page_format("%s, %s", json_string_value(t), json_string_value(g));
    json_decref(t);
    json_decref(g);
    return out;
}

static json_t *conformance_figures(const json_t *c)
{
    const double loss = ipr_json_at(c, "mean_loss", NAN);
    const double se = ipr_json_at(c, "mean_loss_standard_error", NAN);
    json_t *rows = json_array();

    if (!isfinite(loss))
        return rows;
    json_array_append_new(rows, figure("Moves as good as the engine's best",
                                       ipr_page_share(ipr_json_at(c, "at_0.share", NAN)),
                                       share_interval_text(ipr_json_find(c, "at_0.interval")),
                                       rests_on(c)));
    json_array_append_new(rows, figure("Moves losing at most 0.30 pawns",
                                       ipr_page_share(ipr_json_at(c, "at_30.share", NAN)),
                                       share_interval_text(ipr_json_find(c, "at_30.interval")),
                                       rests_on(c)));
    json_array_append_new(
        rows, figure("Mean loss, in pawns", ipr_page_fixed(loss, 3),
                     se > 0.0 ? ipr_page_format("%.3f to %.3f", fmax(0.0, loss - 1.96 * se),
                                                loss + 1.96 * se)
                              : json_null(),
                     rests_on(c)));
    return rows;
}

static void elo_figures(const json_t *elo, json_t *rows)
{
    const double games = ipr_json_at(elo, "games", 0.0);
    const double opponents = ipr_json_at(elo, "opponents.games", 0.0);
    const double scored = ipr_json_at(elo, "score_games", 0.0);
    const double performance = ipr_json_at(elo, "performance.estimate", NAN);

    json_array_append_new(rows, figure("Elo, from the game tags",
                                       ipr_page_whole(ipr_json_at(elo, "estimate", NAN)),
                                       json_null(), ipr_page_plural(games, "game", "games")));
    if (opponents > 0.0)
        json_array_append_new(rows,
                              figure("Opponents' mean Elo",
                                     ipr_page_whole(ipr_json_at(elo, "opponents.mean", NAN)),
                                     json_null(), ipr_page_plural(opponents, "game", "games")));
    if (scored > 0.0)
        json_array_append_new(
            rows,
            figure("Score", ipr_page_format("%g / %.0f", ipr_json_at(elo, "score", 0.0), scored),
                   json_null(), ipr_page_plural(scored, "game", "games")));
    if (isfinite(performance))
        json_array_append_new(rows,
                              figure(ipr_json_true_at(elo, "performance.bounded")
                                         ? "Performance rating, a bound (all or nothing scored)"
                                         : "Performance rating, from the results",
                                     ipr_page_whole(performance), json_null(),
                                     ipr_page_plural(scored, "game", "games")));
}

static const char *reason_text(const char *key)
{
    static const struct {
        const char *key, *text;
    } names[] = {
        { "before_first_move", "before the first move counted" },
        { "unjudged", "no evaluation" },
        { "forced", "only one legal move" },
        { "repeated", "position seen before in the game" },
        { "decided", "advantage beyond 3.00 pawns" },
        { "not_among_top", "move not among the lines" },
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].key, key) == 0)
            return names[i].text;
    return key;
}

static json_t *excluded_rows(json_t *excluded)
{
    json_t *rows = json_array();
    const char *key;
    json_t *value;

    json_object_foreach(excluded, key, value)
        json_array_append_new(rows, json_pack("{s:s, s:o}", "reason", reason_text(key), "turns",
                                              ipr_page_count(json_number_value(value))));
    return rows;
}

static json_t *parameter(const char *name, json_t *value)
{
    return json_pack("{s:s, s:o}", "name", name, "value", value);
}

static json_t *pair_text(const json_t *ipr, const char *projected, const char *actual)
{
    return ipr_page_format("%.4f projected, %.4f actual", ipr_json_at(ipr, projected, NAN),
                           ipr_json_at(ipr, actual, NAN));
}

static json_t *parameters(const json_t *ipr)
{
    const json_t *cov = json_object_get(ipr, "covariance_ln_sc");
    json_t *rows = json_array();

    json_array_append_new(
        rows, parameter("Sensitivity s", ipr_page_fixed(ipr_json_at(ipr, "s", NAN), 5)));
    json_array_append_new(
        rows, parameter("Consistency c", ipr_page_fixed(ipr_json_at(ipr, "c", NAN), 5)));
    if (json_array_size(cov) == 3)
        json_array_append_new(
            rows,
            parameter("Covariance of (ln s, ln c): ss, sc, cc",
                      ipr_page_format("%.3g, %.3g, %.3g", json_number_value(json_array_get(cov, 0)),
                                      json_number_value(json_array_get(cov, 1)),
                                      json_number_value(json_array_get(cov, 2)))));
    json_array_append_new(rows,
                          parameter("Projected error on the reference turns",
                                    ipr_page_format("%.5f ± %.5f", ipr_json_at(ipr, "ae_ref", NAN),
                                                    ipr_json_at(ipr, "ae_ref_se", NAN))));
    json_array_append_new(
        rows, parameter("First choice played", pair_text(ipr, "mm.projected", "mm.actual")));
    json_array_append_new(
        rows, parameter("Mean scaled loss", pair_text(ipr, "ad.projected", "ad.actual")));
    return rows;
}

/** The rating itself with its drawing and what has to be said about it. */
static void headline(const json_t *ipr, double elo, json_t *page)
{
    const struct ipr_plot plot = plot_of(ipr, elo);
    double lo = INFINITY, hi = -INFINITY;

    cover(&plot, &lo, &hi);
    const struct ipr_axis axis = ipr_axis_elo(lo - 50.0, hi + 50.0);
    json_object_set_new(page, "axis", ipr_axis_json(&axis));
    json_object_set_new(page, "plot", ipr_plot_json(&axis, &plot));
    json_object_set_new(page, "ipr", ipr_page_whole(plot.estimate));
    json_object_set_new(page, "interval", ipr_page_interval(json_object_get(ipr, "interval")));
    json_object_set_new(page, "standard_error",
                        ipr_page_whole(ipr_json_at(ipr, "standard_error", NAN)));
    json_object_set_new(page, "residual_sd", ipr_page_whole(ipr_json_at(ipr, "residual_sd", NAN)));
    json_object_set_new(page, "rests_on", rests_on(ipr));
    json_object_set_new(page, "extrapolated", json_boolean(plot.extrapolated));
    json_object_set_new(page, "range",
                        plot.extrapolated
                            ? ipr_page_format("%.0f to %.0f",
                                              ipr_json_at(ipr, "calibrated_range.low", NAN),
                                              ipr_json_at(ipr, "calibrated_range.high", NAN))
                            : json_null());
    json_object_set_new(page, "reason",
                        isfinite(plot.estimate) ? json_null()
                                                : ipr_json_text(ipr_json_text_at(ipr, "reason")));
    json_object_set_new(page, "parameters",
                        isfinite(plot.estimate) ? parameters(ipr) : json_array());
    json_object_set_new(page, "excluded", excluded_rows(json_object_get(ipr, "excluded")));
}

static void year_head(const json_t *resource, json_t *page)
{
    const json_int_t id = json_integer_value(ipr_json_find(resource, "player.id"));
    const json_int_t year = json_integer_value(json_object_get(resource, "year"));
    json_t *title =
        year ? ipr_page_format("%s, %" JSON_INTEGER_FORMAT,
                               ipr_json_text_at(resource, "player.name"), year)
             : ipr_page_format("%s, whole career", ipr_json_text_at(resource, "player.name"));
    json_t *times =
        ipr_page_times_query(json_object_get(resource, "time_classes"), year ? "&" : "?");
    json_t *href = year ? ipr_page_format("/api/v1/players/%" JSON_INTEGER_FORMAT
                                          "/ratings?year=%" JSON_INTEGER_FORMAT "%s",
                                          id, year, json_string_value(times))
                        : ipr_page_format("/api/v1/players/%" JSON_INTEGER_FORMAT "/ratings%s", id,
                                          json_string_value(times));

    ipr_page_head(page, json_string_value(title), json_string_value(href));
    json_decref(times);
    json_decref(title);
    json_decref(href);
    json_t *events = year ? ipr_page_format("/api/v1/players/%" JSON_INTEGER_FORMAT
                                            "/events?year=%" JSON_INTEGER_FORMAT,
                                            id, year)
                          : ipr_page_format("/api/v1/players/%" JSON_INTEGER_FORMAT "/events", id);
    ipr_page_judging(json_object_get(resource, "judging"), json_string_value(events), page);
    json_decref(events);
    json_object_set_new(page, "player_href", ipr_page_format("/players/%" JSON_INTEGER_FORMAT, id));
    json_object_set_new(page, "here",
                        year ? year_href(id, year)
                             : ipr_page_format("/players/%" JSON_INTEGER_FORMAT, id));
    json_object_set_new(page, "when", year ? ipr_json_known(year) : json_string("whole career"));
    json_object_set_new(page, "compare_href",
                        year ? ipr_page_format("/compare?white=%" JSON_INTEGER_FORMAT
                                               ":%" JSON_INTEGER_FORMAT,
                                               id, year)
                             : json_null());
}

bool ipr_page_player_year(json_t *resource, json_t *page)
{
    const json_t *ipr = json_object_get(resource, "ipr");
    const json_t *conformance = json_object_get(resource, "conformance");
    const json_t *elo = json_object_get(resource, "elo");

    if (!json_is_object(ipr) || !json_is_object(conformance) || !json_is_object(elo))
        return false;
    year_head(resource, page);
    headline(ipr, ipr_json_at(elo, "estimate", NAN), page);
    json_t *figures = conformance_figures(conformance);
    json_object_set_new(page, "conformance_reason",
                        json_array_size(figures) > 0
                            ? json_null()
                            : ipr_json_text(ipr_json_text_at(conformance, "reason")));
    elo_figures(elo, figures);
    json_object_set_new(page, "figures", figures);
    ipr_page_offer(resource, page);
    json_object_set_new(
        page, "games",
        ipr_page_plural(ipr_json_at(resource, "games", 0.0), "judged game", "judged games"));
    json_object_set_new(
        page, "turns",
        ipr_page_plural(ipr_json_at(resource, "turns", 0.0), "judged turn", "judged turns"));
    const double waiting = ipr_json_at(resource, "games_unjudged", 0.0);
    json_object_set_new(page, "waiting",
                        waiting > 0.0 ? ipr_page_plural(waiting, "game", "games") : json_null());
    json_object_set_new(page, "judge", ipr_page_judge(json_object_get(resource, "judge")));
    json_object_set_new(page, "calibration",
                        ipr_json_text(ipr_json_text_at(resource, "calibration.name")));
    json_object_set_new(page, "times", ipr_page_times(json_object_get(resource, "time_classes")));
    json_object_set_new(page, "not_rated",
                        ipr_page_not_rated(json_object_get(resource, "not_rated")));
    json_object_set_new(page, "min_turns", json_integer(IPR_VIEW_MIN_TURNS));
    json_object_set_new(page, "has_games",
                        json_boolean(json_array_size(json_object_get(resource, "game_list")) > 0));
    return true;
}
