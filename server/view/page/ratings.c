/* The report of a player-year or a career: all its ratings. */
#include "view/page/page.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "view/json.h"
#include "view/view.h"

/* All ratings */

enum unit { ELO, SHARE, PAWNS, PLAIN };

/** A row of the table: where it is in the resource, and what it is called. */
struct row {
    const char *name;
    const char *from;                      /* the object that tells turns, games and a reason */
    const char *figure, *value, *interval; /* paths below it; "" is itself */
    enum unit unit;
};

static const struct row ratings[] = {
    { "Intrinsic performance rating", "ipr", "", "estimate", "interval", ELO },
    { "Reference agent, on the Elo scale", "bayes.elo", "", "estimate", "interval", ELO },
    { "Reference agent, c", "bayes", "", "estimate", "interval", PLAIN },
    { "Moves as good as the engine's best", "conformance", "at_0", "share", "interval", SHARE },
    { "Moves losing at most 0.30 pawns", "conformance", "at_30", "share", "interval", SHARE },
    { "Mean loss, in pawns", "conformance", "", "mean_loss", "mean_loss_interval", PAWNS },
    { "As good as the best, within 2 pawns of equality", "conformance.guid_bratko", "at_0", "share",
      "interval", SHARE },
    { "Losing at most 0.30 there", "conformance.guid_bratko", "at_30", "share", "interval", SHARE },
    { "Losing at most 0.30, ponderated", "conformance.ponderated", "at_30", "share", "interval",
      SHARE },
    { "Losing at most 0.30, earlier years counted, too", "conformance.accumulated", "at_30",
      "share", "interval", SHARE },
    { "Kept the endgame's value, where it could be lost", "endgame", "kept.at_stake", "share",
      "interval", SHARE },
    { "Elo", "elo", "", "estimate", "interval", ELO },
    { "Performance rating, from the results", "elo.performance", "", "estimate", "interval", ELO },
};

static const json_t *below(const json_t *o, const char *path)
{
    return *path ? ipr_json_find(o, path) : o;
}

static json_t *value_text(double x, enum unit unit)
{
    switch (unit) {
    case ELO:
        return ipr_page_whole(x);
    case SHARE:
        return ipr_page_share(x);
    case PAWNS:
    case PLAIN:
        break;
    }
    return ipr_page_fixed(x, 3);
}

static json_t *interval_text(const json_t *interval, enum unit unit)
{
    switch (unit) {
    case ELO:
        return ipr_page_interval(interval);
    case SHARE:
        return ipr_page_interval_share(interval);
    case PAWNS:
    case PLAIN:
        break;
    }
    return ipr_page_interval_fixed(interval, 3);
}

static json_t *row_json(const json_t *resource, const struct row *r)
{
    const json_t *from = ipr_json_find(resource, r->from);
    const json_t *figure = below(from, r->figure);
    const json_t *interval = ipr_json_find(figure, r->interval);
    const double value = ipr_json_at(figure, r->value, NAN);
    const char *reason = ipr_json_text_at(figure, "reason");

    if (!json_is_object(from))
        return NULL;
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "name", r->name, "value",
                     value_text(value, r->unit), "interval", interval_text(interval, r->unit),
                     "rests_on", ipr_page_rests_on(ipr_json_find(figure, "turns") ? figure : from),
                     "remark", ipr_page_remark(from), "reason",
                     isfinite(value)
                         ? json_null()
                         : ipr_json_text(*reason ? reason : ipr_json_text_at(from, "reason")));
}

static json_t *all_ratings(const json_t *resource)
{
    json_t *out = json_array();

    for (size_t i = 0; i < sizeof ratings / sizeof *ratings; i++) {
        json_t *row = row_json(resource, &ratings[i]);

        if (row)
            json_array_append_new(out, row);
    }
    return out;
}

/* Results */

static json_t *figure(const char *name, json_t *value, json_t *rests_on)
{
    return json_pack("{s:s, s:o, s:o}", "name", name, "value", value, "rests_on", rests_on);
}

static json_t *result_rows(const json_t *elo)
{
    const double opponents = ipr_json_at(elo, "opponents.games", 0.0);
    const double scored = ipr_json_at(elo, "score_games", 0.0);
    json_t *out = json_array();

    if (opponents > 0.0)
        json_array_append_new(out, figure("Opponents' mean Elo",
                                          ipr_page_whole(ipr_json_at(elo, "opponents.mean", NAN)),
                                          ipr_page_plural(opponents, "game", "games")));
    if (scored > 0.0)
        json_array_append_new(
            out,
            figure("Score", ipr_page_format("%g / %.0f", ipr_json_at(elo, "score", 0.0), scored),
                   ipr_page_plural(scored, "game", "games")));
    return out;
}

/* Where an Elo is from, as legends have it. */
static const char *elo_text(const char *source)
{
    if (strcmp(source, "game tags") == 0)
        return "Elo in the game tags";
    return strcmp(source, "rating list") == 0 ? "Elo on rating lists"
                                              : "Elo, of game tags and rating lists";
}

/* Compared with play at one's rating */

static json_t *concordance_row(const char *name, const json_t *c, int digits)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "name", name, "projected",
                     ipr_page_fixed(ipr_json_at(c, "projected", NAN), digits), "actual",
                     ipr_page_fixed(ipr_json_at(c, "actual", NAN), digits), "difference",
                     ipr_page_signed(ipr_json_at(c, "difference", NAN), digits), "interval",
                     ipr_page_interval_fixed(json_object_get(c, "interval"), digits), "z",
                     ipr_page_signed(ipr_json_at(c, "z", NAN), 2), "tail",
                     ipr_page_share(ipr_json_at(c, "tail", NAN)));
}

static json_t *concordance_json(const json_t *c)
{
    if (!json_is_object(ipr_json_find(c, "mm")))
        return json_null();
    return json_pack("{s:o, s:s, s:o, s:o, s:o, s:[o, o]}", "rating",
                     ipr_page_whole(ipr_json_at(c, "rating", NAN)), "source",
                     elo_text(ipr_json_text_at(c, "rating_source")), "rests_on",
                     ipr_page_rests_on(c), "remark", ipr_page_remark(c), "note",
                     ipr_json_text(ipr_json_text_at(c, "note")), "rows",
                     concordance_row("First choice played", json_object_get(c, "mm"), 3),
                     concordance_row("Mean scaled loss", json_object_get(c, "ad"), 4));
}

/* The reference agent by result */

static json_t *results_json(const json_t *by_result)
{
    static const char *const names[][2] = { { "won", "won" },
                                            { "drew", "drawn" },
                                            { "lost", "lost" },
                                            { "unfinished", "without a result" } };
    json_t *out = json_array();

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const json_t *c = json_object_get(by_result, names[i][0]);
        const json_t *pooled = json_object_get(c, "pooled");

        if (!json_is_number(json_object_get(pooled, "estimate")))
            continue;
        json_array_append_new(
            out, json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", names[i][1], "games",
                           ipr_page_count(ipr_json_at(pooled, "games", NAN)), "pooled",
                           ipr_page_fixed(ipr_json_at(pooled, "estimate", NAN), 2), "interval",
                           ipr_page_interval_fixed(json_object_get(pooled, "interval"), 2),
                           "events", ipr_page_count(ipr_json_at(pooled, "events", NAN))));
    }
    return out;
}

/* Complexity of the positions, and whether errors go with it */

static json_t *complexity_json(const json_t *complexity)
{
    static const struct {
        const char *key, *name;
        int digits;
    } kinds[] = {
        { "stability", "Stability: mean change from depth to depth, centipawns", 1 },
        { "jump_value", "Largest change, centipawns", 1 },
        { "jump_depth", "Depth of the largest change", 2 },
        { "jump_value_depth", "Largest change times its depth", 0 },
        { "sullivan", "Sullivan's indicator", 2 },
        { "depth_time", "Depth against time", 3 },
    };
    json_t *out = json_array();

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const json_t *k = json_object_get(complexity, kinds[i].key);
        const json_t *rho = json_object_get(k, "correlation");

        if (!json_is_object(k))
            continue;
        json_array_append_new(
            out,
            json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "name", kinds[i].name, "mean",
                      ipr_page_fixed(ipr_json_at(k, "mean", NAN), kinds[i].digits), "interval",
                      ipr_page_interval_fixed(json_object_get(k, "interval"), kinds[i].digits),
                      "rho", ipr_page_fixed(ipr_json_at(rho, "estimate", NAN), 2), "rho_interval",
                      ipr_page_interval_fixed(json_object_get(rho, "interval"), 2), "turns",
                      ipr_page_count(ipr_json_at(k, "turns", NAN)), "reason",
                      ipr_json_text(*ipr_json_text_at(k, "reason")
                                        ? ipr_json_text_at(k, "reason")
                                        : ipr_json_text_at(rho, "reason"))));
    }
    return out;
}

/* The fit, and what was left out of it */

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
    const struct ipr_plot plot = ipr_plot_of_ipr(ipr, elo);
    double lo = INFINITY, hi = -INFINITY;

    ipr_plot_cover(&plot, &lo, &hi);
    const struct ipr_axis axis = ipr_axis_elo(lo - 50.0, hi + 50.0);
    json_object_set_new(page, "axis", ipr_axis_json(&axis));
    json_object_set_new(page, "plot", ipr_plot_json(&axis, &plot));
    json_object_set_new(page, "ipr", ipr_page_whole(plot.estimate));
    json_object_set_new(page, "interval", ipr_page_interval(json_object_get(ipr, "interval")));
    json_object_set_new(page, "standard_error",
                        ipr_page_whole(ipr_json_at(ipr, "standard_error", NAN)));
    json_object_set_new(page, "residual_sd", ipr_page_whole(ipr_json_at(ipr, "residual_sd", NAN)));
    json_object_set_new(page, "rests_on", ipr_page_rests_on(ipr));
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

/** What asks for the same again, after another parameter: "&judge=1&time_class=blitz", as far as it
 * is known and not the usual. */
static json_t *query_of(const json_t *resource)
{
    const double judge = ipr_json_at(resource, "judge.id", NAN);
    json_t *times = ipr_page_times_query(json_object_get(resource, "time_classes"), "&");
    struct ipr_buf query = IPR_BUF_INIT;

    if (isfinite(judge))
        ipr_buf_printf(&query, "&judge=%.0f", judge);
    if (ipr_json_true_at(resource, "ipr.calibration_mismatch"))
        ipr_buf_printf(&query, "&calibration=%s", ipr_json_text_at(resource, "calibration.name"));
    ipr_buf_puts(&query, json_string_value(times));
    json_t *out = json_string(ipr_buf_c(&query));
    json_decref(times);
    ipr_buf_release(&query);
    return out;
}

static void year_head(const json_t *resource, json_t *page)
{
    const json_int_t id = json_integer_value(ipr_json_find(resource, "player.id"));
    const json_int_t year = json_integer_value(json_object_get(resource, "year"));
    json_t *title =
        year ? ipr_page_format("%s, %" JSON_INTEGER_FORMAT,
                               ipr_json_text_at(resource, "player.name"), year)
             : ipr_page_format("%s, whole career", ipr_json_text_at(resource, "player.name"));
    json_t *query = query_of(resource);
    json_t *href =
        year ? ipr_page_format("/api/v1/players/%" JSON_INTEGER_FORMAT
                               "/ratings?year=%" JSON_INTEGER_FORMAT "%s",
                               id, year, json_string_value(query))
             : ipr_page_format("/api/v1/players/%" JSON_INTEGER_FORMAT "/ratings%s%s", id,
                               json_string_length(query) > 0 ? "?" : "",
                               json_string_value(query) + (json_string_length(query) > 0));

    ipr_page_head(page, json_string_value(title), json_string_value(href));
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
                        year ? ipr_page_year_href(id, year)
                             : ipr_page_format("/players/%" JSON_INTEGER_FORMAT, id));
    json_object_set_new(page, "when", year ? ipr_json_known(year) : json_string("whole career"));
    json_object_set_new(page, "more_href",
                        year ? ipr_page_format("/players/%" JSON_INTEGER_FORMAT
                                               "/%" JSON_INTEGER_FORMAT
                                               "?include=fits,game_bootstrap,depth_weighted%s#more",
                                               id, year, json_string_value(query))
                             : json_null());
    json_decref(query);
    json_object_set_new(page, "compare_href",
                        year ? ipr_page_format("/compare?white=%" JSON_INTEGER_FORMAT
                                               ":%" JSON_INTEGER_FORMAT,
                                               id, year)
                             : json_null());
}

/** Whether the player's own moves are judged by the judge of the offer. */
static bool opponents_alone(const json_t *resource)
{
    return ipr_json_at(resource, "games_unjudged", 0.0) < 0.5 &&
           strcmp(ipr_json_text_at(resource, "offer.judge"),
                  ipr_json_text_at(resource, "judge.name")) == 0;
}

static json_t *unplayed_text(const json_t *elo)
{
    const double n = ipr_json_at(elo, "unplayed.games", 0.0);

    return n > 0.0 ? ipr_page_plural(n, "game", "games") : json_null();
}

bool ipr_page_player_year(json_t *resource, json_t *page)
{
    const json_t *ipr = json_object_get(resource, "ipr");
    const json_t *elo = json_object_get(resource, "elo");

    if (!json_is_object(ipr) || !json_is_object(elo))
        return false;
    year_head(resource, page);
    headline(ipr, ipr_json_at(elo, "estimate", NAN), page);
    ipr_page_more_fits(resource, page);
    json_object_set_new(page, "elo_text", json_string(elo_text(ipr_json_text_at(elo, "source"))));
    json_object_set_new(page, "unplayed", unplayed_text(elo));
    json_object_set_new(page, "ratings", all_ratings(resource));
    json_object_set_new(page, "results", result_rows(elo));
    json_object_set_new(page, "concordance",
                        concordance_json(json_object_get(resource, "concordance")));
    json_object_set_new(page, "concordance_reason",
                        ipr_json_text(ipr_json_text_at(resource, "concordance.reason")));
    json_t *by_result = results_json(ipr_json_find(resource, "bayes.by_result"));
    json_object_set_new(page, "any_by_result", json_boolean(json_array_size(by_result) > 0));
    json_object_set_new(page, "by_result", by_result);
    json_t *complexity = complexity_json(json_object_get(resource, "complexity"));
    json_object_set_new(page, "any_complexity", json_boolean(json_array_size(complexity) > 0));
    json_object_set_new(page, "complexity", complexity);
    ipr_page_offer(resource, page);
    json_object_set_new(page, "opponents_alone", json_boolean(opponents_alone(resource)));
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
