/* The pages of the reports on games: tables of what their plots show. */
#include "view/page/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/json.h"
#include "view/report/report.h"

/* ---- what they share ---- */

/** {"value", "interval", "reason"} */
static json_t *figure_text(const json_t *figure, int digits)
{
    return json_pack("{s:o, s:o, s:o}", "value",
                     ipr_page_fixed(ipr_json_at(figure, "estimate", NAN), digits), "interval",
                     ipr_page_interval_fixed(json_object_get(figure, "interval"), digits), "reason",
                     ipr_json_text(ipr_json_text_at(figure, "reason")));
}

static const char *label_of(const char *param)
{
    static const struct {
        const char *param, *label;
    } labels[] = {
        { "active", "Turns that make a year active" },
        { "least", "Least games of a match" },
        { "year", "Player-years of" },
        { "without_match", "Without the match's own games" },
        { "limit", "Matches at most" },
        { "loss", "Form of the loss" },
        { "games", "Games at most, the newest" },
        { "players", "Players with most turns" },
        { "band", "Width of a rating band" },
    };

    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (strcmp(labels[i].param, param) == 0)
            return labels[i].label;
    return param;
}

static const char *word_of(const char *choice)
{
    static const struct {
        const char *choice, *word;
    } words[] = {
        { "true", "yes" },
        { "false", "no" },
        { "event", "the year of the event" },
        { "before", "the year before" },
        { "guid_bratko", "raw, up to 2 pawns (Guid and Bratko)" },
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].choice, choice) == 0)
            return words[i].word;
    return choice;
}

static json_t *options_json(const struct ipr_report_param *p, const char *chosen)
{
    json_t *options = json_array();

    for (size_t i = 0; p->choices[i]; i++)
        json_array_append_new(options, json_pack("{s:s, s:s, s:b}", "value", p->choices[i], "word",
                                                 word_of(p->choices[i]), "selected",
                                                 strcmp(p->choices[i], chosen) == 0));
    return options;
}

/** "fields" of the form that asks for the report with other parameters, "action" where to. */
static void add_form(const json_t *resource, json_t *page)
{
    const struct ipr_report_kind *kind = ipr_report_kind(ipr_json_text_at(resource, "report.kind"));
    const json_t *params = json_object_get(resource, "params");
    json_t *fields = json_array();

    for (const struct ipr_report_param *p = kind->params; p && p->name; p++) {
        const bool choice = p->type == IPR_REPORT_CHOICE;
        const json_t *value = json_object_get(params, p->name);
        json_t *field = json_pack(
            "{s:s, s:s, s:o, s:o}", "name", p->name, "label", label_of(p->name), "value",
            choice ? json_null() : ipr_page_format("%.12g", json_number_value(value)), "options",
            choice ? options_json(p, ipr_json_text_at(params, p->name)) : json_null());

        json_object_set_new(field, "low", ipr_page_format("%.12g", p->low));
        json_object_set_new(field, "high", ipr_page_format("%.12g", p->high));
        json_array_append_new(fields, field);
    }
    json_object_set_new(page, "fields", fields);
}

static json_t *excluded_text(const json_t *games)
{
    const double unknown = ipr_json_at(games, "excluded.unknown_result", 0.0);
    const double one = ipr_json_at(games, "excluded.turns_of_one_side_only", 0.0);

    if (unknown > 0.0 && one > 0.0)
        return ipr_page_format("%.0f without a known result, %.0f with turns of one side only",
                               unknown, one);
    if (unknown > 0.0)
        return ipr_page_format("%.0f without a known result", unknown);
    return one > 0.0 ? ipr_page_format("%.0f with turns of one side only", one) : json_null();
}

/** {"counted", "older": those left out by the limit or null, "excluded": text or null} */
static void add_games(const json_t *resource, json_t *page)
{
    const json_t *games = json_object_get(resource, "games");
    const double older = ipr_json_at(games, "older", 0.0);

    json_object_set_new(
        page, "games",
        json_pack("{s:o, s:o, s:o}", "counted",
                  ipr_page_plural(ipr_json_at(games, "counted", NAN), "game", "games"), "older",
                  older > 0.0 ? ipr_page_count(older) : json_null(), "excluded",
                  excluded_text(games)));
}

bool ipr_page_report_form(const json_t *resource, const char *title, json_t *page)
{
    if (!ipr_page_report(resource, title, page))
        return false;
    add_form(resource, page);
    add_games(resource, page);
    return true;
}

/* ---- conformance ---- */

static const struct {
    const char *name, *title;
} forms[] = {
    { "ponderated", "ponderated" },
    { "raw", "raw" },
    { "guid_bratko", "raw, up to 2 pawns" },
};
#define FORMS (sizeof forms / sizeof *forms)

/** {"x", "rho", "beta", "alpha"} */
static json_t *point_text(const json_t *point)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "x", ipr_page_fixed(ipr_json_at(point, "x", NAN), 2),
                     "rho", figure_text(json_object_get(point, "rho"), 3), "beta",
                     figure_text(json_object_get(point, "beta"), 2), "alpha",
                     figure_text(json_object_get(point, "alpha"), 3));
}

static json_t *form_rows(const json_t *resource)
{
    json_t *rows = json_array();

    for (size_t i = 0; i < FORMS; i++) {
        const json_t *form = json_object_get(json_object_get(resource, "forms"), forms[i].name);
        json_t *row = json_pack("{s:s, s:o, s:o, s:o}", "name", forms[i].title, "best",
                                point_text(json_object_get(form, "best")), "at_30",
                                point_text(json_object_get(form, "at_30")), "games",
                                ipr_page_count(ipr_json_at(form, "at_30.rho.games", NAN)));
        json_object_set_new(row, "turns",
                            ipr_page_count(ipr_json_at(form, "at_30.rho.turns", NAN)));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *constants_row(const json_t *fit, const char *name, const char *title)
{
    const json_t *k = json_object_get(fit, name);
    json_t *row = point_text(k);

    json_object_set_new(row, "name", json_string(title));
    json_object_set_new(row, "k1", ipr_page_fixed(ipr_json_at(k, "k1", NAN), 2));
    json_object_set_new(row, "k2", ipr_page_fixed(ipr_json_at(k, "k2", NAN), 2));
    return row;
}

static json_t *curve_text(const json_t *p, const char *name, const char *interval, int digits)
{
    return json_pack("{s:o, s:o}", "value", ipr_page_fixed(ipr_json_at(p, name, NAN), digits),
                     "interval", ipr_page_interval_fixed(json_object_get(p, interval), digits));
}

/** Every `step`th point of the curves, side by side. */
static json_t *curve_rows(const json_t *resource, size_t step)
{
    const json_t *curve[FORMS];
    json_t *rows = json_array();

    for (size_t k = 0; k < FORMS; k++)
        curve[k] = json_object_get(
            json_object_get(json_object_get(resource, "forms"), forms[k].name), "curve");
    for (size_t i = 0; i < json_array_size(curve[0]); i += step) {
        json_t *cells = json_array();

        for (size_t k = 0; k < FORMS; k++) {
            const json_t *p = json_array_get(curve[k], i);
            json_array_append_new(
                cells, json_pack("{s:o, s:o, s:o}", "rho", curve_text(p, "rho", "rho_interval", 3),
                                 "beta", curve_text(p, "beta", "beta_interval", 2), "alpha",
                                 curve_text(p, "alpha", "alpha_interval", 3)));
        }
        json_array_append_new(
            rows, json_pack("{s:o, s:o}", "x",
                            ipr_page_fixed(ipr_json_at(json_array_get(curve[0], i), "x", NAN), 2),
                            "cells", cells));
    }
    return rows;
}

static json_t *loss_line_row(const json_t *lines, const char *name, const char *title)
{
    const json_t *line = json_object_get(lines, name);

    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", title, "turns",
                     ipr_page_count(ipr_json_at(line, "turns", NAN)), "a",
                     ipr_page_fixed(ipr_json_at(line, "a", NAN), 3), "b",
                     ipr_page_fixed(ipr_json_at(line, "b", NAN), 3), "b_over_a",
                     ipr_page_fixed(ipr_json_at(line, "b_over_a", NAN), 2));
}

bool ipr_page_report_conformance(json_t *resource, json_t *page)
{
    const json_t *fit = json_object_get(resource, "fit");
    const json_t *lines = json_object_get(resource, "loss_lines");

    if (!ipr_page_report_form(resource, "Conformance and results", page))
        return false;
    json_object_set_new(page, "form_rows", form_rows(resource));
    json_object_set_new(page, "fit_rows",
                        json_pack("[o, o]", constants_row(fit, "published", "Alliot's"),
                                  constants_row(fit, "fitted", "fitted to these games")));
    json_object_set_new(page, "curve_rows", curve_rows(resource, 10));
    json_object_set_new(page, "lines_caveat", ipr_json_text(ipr_json_text_at(lines, "caveat")));
    json_object_set_new(page, "line_rows",
                        json_pack("[o, o]", loss_line_row(lines, "positive", "better positions"),
                                  loss_line_row(lines, "negative", "worse positions")));
    return true;
}

/* ---- complexity ---- */

static const struct {
    const char *name, *title;
} indicators[] = {
    { "stability", "Stability" },   { "jump_value", "Jump value" },
    { "jump_depth", "Jump depth" }, { "jump_value_depth", "Jump value × depth" },
    { "sullivan", "Sullivan" },     { "depth_time", "Depth against time" },
};

static json_t *complexity_row(const json_t *part)
{
    const double id = ipr_json_at(part, "player.id", NAN);
    json_t *cells = json_array();

    for (size_t i = 0; i < sizeof indicators / sizeof *indicators; i++)
        json_array_append_new(
            cells,
            figure_text(json_object_get(json_object_get(part, "indicators"), indicators[i].name),
                        3));
    return json_pack("{s:o, s:o, s:o, s:o}", "name",
                     ipr_json_text(ipr_json_text_at(part, "player.name")), "href",
                     isfinite(id) ? ipr_page_format("/players/%.0f", id) : json_null(), "turns",
                     ipr_page_count(ipr_json_at(part, "turns", NAN)), "cells", cells);
}

bool ipr_page_report_complexity(json_t *resource, json_t *page)
{
    json_t *heads = json_array(), *rows = json_array();
    const json_t *part;
    size_t i;

    if (!ipr_page_report_form(resource, "Complexity and errors", page)) {
        json_decref(heads);
        json_decref(rows);
        return false;
    }
    for (i = 0; i < sizeof indicators / sizeof *indicators; i++)
        json_array_append_new(heads, json_string(indicators[i].title));
    json_array_foreach(json_object_get(resource, "players"), i, part)
        json_array_append_new(rows, complexity_row(part));
    json_object_set_new(page, "heads", heads);
    json_object_set_new(page, "rows", rows);
    json_object_set_new(page, "all", complexity_row(json_object_get(resource, "all")));
    return true;
}

/* ---- covariance ---- */

#define EVERY_N0 8
#define EVERY_B  4

static json_t *surface_heads(const json_t *b)
{
    json_t *out = json_array();

    for (size_t k = 0; k < json_array_size(b); k += EVERY_B)
        json_array_append_new(out, ipr_page_fixed(json_number_value(json_array_get(b, k)), 1));
    return out;
}

static json_t *surface_rows(const json_t *resource)
{
    const json_t *n0 = json_object_get(resource, "n0"), *rho = json_object_get(resource, "rho");
    json_t *rows = json_array();

    for (size_t i = 0; i < json_array_size(n0); i += EVERY_N0) {
        const json_t *row = json_array_get(rho, i);
        json_t *cells = json_array();

        for (size_t k = 0; k < json_array_size(row); k += EVERY_B) {
            const json_t *value = json_array_get(row, k);
            json_array_append_new(
                cells, json_pack("{s:o}", "rho",
                                 ipr_page_fixed(
                                     json_is_number(value) ? json_number_value(value) : NAN, 3)));
        }
        json_array_append_new(rows,
                              json_pack("{s:o, s:o}", "n0",
                                        ipr_page_fixed(json_number_value(json_array_get(n0, i)), 0),
                                        "cells", cells));
    }
    return rows;
}

bool ipr_page_report_covariance(json_t *resource, json_t *page)
{
    const json_t *best = json_object_get(resource, "best");

    if (!ipr_page_report_form(resource, "Covariance predictor and results", page))
        return false;
    json_t *text = figure_text(best, 3);
    json_object_set_new(text, "n0", ipr_page_fixed(ipr_json_at(best, "n0", NAN), 0));
    json_object_set_new(text, "b", ipr_page_fixed(ipr_json_at(best, "b", NAN), 1));
    json_object_set_new(text, "games", ipr_page_count(ipr_json_at(best, "games", NAN)));
    json_object_set_new(text, "turns", ipr_page_count(ipr_json_at(best, "turns", NAN)));
    json_object_set_new(page, "best", text);
    json_object_set_new(page, "caveat", ipr_json_text(ipr_json_text_at(resource, "caveat")));
    json_object_set_new(page, "heads", surface_heads(json_object_get(resource, "b")));
    json_object_set_new(page, "rows", surface_rows(resource));
    return true;
}

/* ---- score curve ---- */

static json_t *band_row(const json_t *band)
{
    const double low = ipr_json_at(band, "elo.low", NAN);
    const double high = ipr_json_at(band, "elo.high", NAN);

    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:b}", "name",
        isfinite(low) ? ipr_page_format("%.0f to %.0f", low, high - 1.0) : json_string("all"),
        "positions", ipr_page_count(ipr_json_at(band, "positions", NAN)), "games",
        ipr_page_count(ipr_json_at(band, "games", NAN)), "a",
        figure_text(json_object_get(band, "a"), 3), "b", figure_text(json_object_get(band, "b"), 2),
        "at_bound", ipr_json_true_at(band, "a_at_bound"));
}

static json_t *bin_rows(const json_t *bins)
{
    json_t *rows = json_array();
    const json_t *bin;
    size_t i;

    json_array_foreach(bins, i, bin) {
        json_array_append_new(
            rows, json_pack("{s:o, s:o, s:o, s:o, s:o}", "v",
                            ipr_page_signed(ipr_json_at(bin, "v", NAN), 2), "score",
                            ipr_page_share(ipr_json_at(bin, "score", NAN)), "interval",
                            ipr_page_interval_share(json_object_get(bin, "interval")), "positions",
                            ipr_page_count(ipr_json_at(bin, "positions", NAN)), "games",
                            ipr_page_count(ipr_json_at(bin, "games", NAN))));
    }
    return rows;
}

bool ipr_page_report_score_curve(json_t *resource, json_t *page)
{
    const json_t *all = json_object_get(resource, "all");
    json_t *rows;
    const json_t *band;
    size_t i;

    if (!ipr_page_report_form(resource, "What an evaluation is worth", page))
        return false;
    rows = json_pack("[o]", band_row(all));
    json_array_foreach(json_object_get(resource, "bands"), i, band)
        json_array_append_new(rows, band_row(band));
    json_object_set_new(page, "rows", rows);
    json_object_set_new(page, "bin_rows", bin_rows(json_object_get(all, "bins")));
    json_object_set_new(page, "without_elo",
                        ipr_page_count(ipr_json_at(resource, "without_elo", NAN)));
    return true;
}

/* ---- all of them ---- */

static json_t *about(const char *kind)
{
    static const struct {
        const char *kind, *title, *text;
    } kinds[] = {
        { "royale", "Battle royale", "Every active player-year against every other, ranked." },
        { "comparisons", "Comparisons",
          "Predictions beside the scores of matches, and how far off each predictor was." },
        { "conformance", "Conformance and results",
          "How well the share of good moves in a game goes with its result." },
        { "complexity", "Complexity and errors",
          "Whether errors go with positions that are hard by the judge's own search." },
        { "covariance", "Covariance predictor and results",
          "How well the losses of a game go with its result, by the predictor's two numbers." },
        { "score_curve", "What an evaluation is worth",
          "Points scored from an evaluation, by the rating of the player to move." },
    };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].kind, kind) == 0)
            return json_pack("{s:s, s:s}", "title", kinds[i].title, "text", kinds[i].text);
    return json_pack("{s:s, s:n}", "title", kind, "text");
}

static json_t *state_text(const json_t *report)
{
    const char *computed = ipr_json_text_at(report, "computed");

    if (strcmp(ipr_json_text_at(report, "state"), "computing") == 0)
        return json_string("being computed");
    if (strcmp(ipr_json_text_at(report, "state"), "failed") == 0)
        return json_string("failed");
    if (!*computed)
        return json_string("not asked for yet");
    json_t *when = ipr_page_when(computed);
    json_t *out = ipr_page_format("%s, %s", json_string_value(when),
                                  ipr_json_true_at(report, "current") ? "current" : "older data");
    json_decref(when);
    return out;
}

bool ipr_page_reports(json_t *resource, json_t *page)
{
    const json_t *reports = json_object_get(resource, "reports");
    json_t *rows = json_array();
    const json_t *r;
    size_t i;

    json_array_foreach(reports, i, r) {
        json_t *row = about(ipr_json_text_at(r, "kind"));
        json_object_set_new(row, "href", ipr_json_text(ipr_json_text_at(r, "page")));
        json_object_set_new(row, "state", state_text(json_object_get(r, "report")));
        json_array_append_new(rows, row);
    }
    ipr_page_head(page, "Reports", "/api/v1/reports");
    json_object_set_new(page, "rows", rows);
    json_object_set_new(page, "times", ipr_page_times(json_object_get(resource, "time_classes")));
    json_object_set_new(page, "judge", ipr_page_judge(json_object_get(resource, "judge")));
    json_object_set_new(page, "calibration", json_null());
    return json_is_array(reports);
}
