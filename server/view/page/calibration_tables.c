/* The page of one calibration: everything its record has, as tables and facts. */
#include "view/page/calibration.h"

#include <math.h>
#include <string.h>

#include "view/json.h"
#include "view/page/page.h"

/* ---- a table: {"title", "note", "columns": [{"label"}], "rows": [{"head", "cells": [{"label",
 * "text"}]}]} ---- */

static json_t *table_new(const char *title, const char *note, const char *const *columns)
{
    json_t *list = json_array();

    for (; *columns; columns++)
        json_array_append_new(list, json_pack("{s:s}", "label", *columns));
    return json_pack("{s:s, s:o, s:o, s:[]}", "title", title, "note", ipr_json_text(note),
                     "columns", list, "rows");
}

/** A row with its first cell; takes `head`. */
static json_t *add_row(json_t *table, json_t *head)
{
    json_t *row = json_pack("{s:o, s:[]}", "head", head, "cells");

    json_array_append_new(json_object_get(table, "rows"), row);
    return row;
}

/** The next cell, under the next column's label; takes `text`. */
static void add_cell(json_t *table, json_t *row, json_t *text)
{
    json_t *cells = json_object_get(row, "cells");
    const json_t *column =
        json_array_get(json_object_get(table, "columns"), json_array_size(cells) + 1);

    json_array_append_new(
        cells, json_pack("{s:s, s:o}", "label", ipr_json_text_at(column, "label"), "text", text));
}

/** "12" or "-3.5": significant digits, for figures of any size. */
static json_t *number(const json_t *o, const char *path, int digits)
{
    const double x = ipr_json_at(o, path, NAN);

    return isfinite(x) ? ipr_page_format("%.*g", digits, x) : json_null();
}

static json_t *fixed(const json_t *o, const char *path, int digits)
{
    return ipr_page_fixed(ipr_json_at(o, path, NAN), digits);
}

/** "0.2656 ± 0.0316", the latter a standard error. */
static json_t *with_error(const json_t *o, const char *path, const char *error, int digits)
{
    const double x = ipr_json_at(o, path, NAN), se = ipr_json_at(o, error, NAN);

    if (!isfinite(x))
        return json_null();
    return isfinite(se) ? ipr_page_format("%.*f ± %.*f", digits, x, digits, se)
                        : ipr_page_fixed(x, digits);
}

static json_t *range(const json_t *o, const char *path, int digits)
{
    return ipr_page_interval_fixed(ipr_json_find(o, path), digits);
}

/** "56.3 / 56.2%": actual and projected. */
static json_t *compared_share(const json_t *o, const char *path)
{
    const json_t *both = ipr_json_find(o, path);
    const double a = ipr_json_at(both, "actual", NAN), p = ipr_json_at(both, "projected", NAN);

    return isfinite(a) && isfinite(p) ? ipr_page_format("%.1f / %.1f%%", 100.0 * a, 100.0 * p)
                                      : json_null();
}

static json_t *compared_error(const json_t *o, const char *path)
{
    const json_t *both = ipr_json_find(o, path);
    const double a = ipr_json_at(both, "actual", NAN), p = ipr_json_at(both, "projected", NAN);

    return isfinite(a) && isfinite(p) ? ipr_page_format("%.4f / %.4f", a, p) : json_null();
}

static json_t *elo_of(const json_t *milepost)
{
    return ipr_page_whole(ipr_json_at(milepost, "elo", NAN));
}

/* ---- the tables ---- */

static json_t *band_table(const json_t *record)
{
    static const char *const columns[] = {
        "Elo", "Mean error", "Standard error", "95% of the line", "95% of a milepost", "s",
        "c",   NULL
    };
    json_t *table = table_new("The line at round ratings",
                              "Where the line may lie, and where a further milepost may; s and c "
                              "of an agent of that rating, c on its own line.",
                              columns);
    const json_t *at;
    size_t i;

    json_array_foreach(json_object_get(record, "band"), i, at) {
        json_t *row = add_row(table, elo_of(at));
        add_cell(table, row, fixed(at, "ae_ref", 4));
        add_cell(table, row, fixed(at, "se", 0));
        add_cell(table, row, range(at, "interval", 0));
        add_cell(table, row, range(at, "milepost_interval", 0));
        add_cell(table, row, fixed(at, "s", 4));
        add_cell(table, row, fixed(at, "c", 4));
    }
    return table;
}

/** "forced 7, decided 428" */
static json_t *excluded_text(const json_t *excluded)
{
    static const struct {
        const char *reason, *text;
    } reasons[] = { { "before_first_move", "before the first move judged" },
                    { "unjudged", "not judged" },
                    { "forced", "forced" },
                    { "repeated", "repeated" },
                    { "decided", "decided" },
                    { "not_among_top", "not among the top" } };
    json_t *text = json_string("");

    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        const double n = ipr_json_at(excluded, reasons[i].reason, 0.0);
        if (n <= 0.0)
            continue;
        json_t *longer = ipr_page_format("%s%s%.0f %s", json_string_value(text),
                                         json_string_length(text) ? ", " : "", n, reasons[i].text);
        json_decref(text);
        text = longer;
    }
    return text;
}

static json_t *rest_table(const json_t *record)
{
    static const char *const columns[] = {
        "Elo",    "Turns left out", "k, first choices", "k, mean error",
        "Mean c", "95% interval",   "Decisions",        NULL
    };
    json_t *table = table_new(
        "What each milepost rests on",
        "k widens a concordance test for what depends on one another within a game. Mean c "
        "is the Bayesian reference agent's, its interval a credible one.",
        columns);
    const json_t *m;
    size_t i;

    json_array_foreach(json_object_get(record, "mileposts"), i, m) {
        json_t *row = add_row(table, elo_of(m));
        add_cell(table, row, excluded_text(json_object_get(m, "excluded")));
        add_cell(table, row, fixed(m, "concordance.factor_mm", 2));
        add_cell(table, row, fixed(m, "concordance.factor_ad", 2));
        add_cell(table, row, fixed(m, "bayes.mean", 3));
        add_cell(table, row, range(m, "bayes.interval", 3));
        add_cell(table, row, ipr_page_count(ipr_json_at(m, "bayes.events", NAN)));
    }
    return table;
}

static void fit_row(json_t *table, const json_t *m, const char *kind, const json_t *fit)
{
    json_t *row = add_row(table, elo_of(m));

    add_cell(table, row, json_string(kind));
    add_cell(table, row, with_error(fit, "s", "s_se", 4));
    add_cell(table, row, with_error(fit, "c", "c_se", 4));
    add_cell(table, row, with_error(fit, "ae_ref", "ae_ref_se", 4));
    add_cell(table, row, compared_share(fit, "mm"));
    add_cell(table, row, compared_error(fit, "ad"));
    add_cell(table, row, number(fit, "percentile_score", 3));
    add_cell(table, row, number(fit, "qfit", 3));
    add_cell(table, row, fixed(fit, "s_fit", 4));
    add_cell(table, row, fixed(fit, "c_fit", 4));
    add_cell(table, row, ipr_page_count(ipr_json_at(fit, "iterations", NAN)));
}

static json_t *fits_table(const json_t *record)
{
    static const char *const columns[] = { "Elo",
                                           "Fit",
                                           "s",
                                           "c",
                                           "Mean error",
                                           "First choice, actual / projected",
                                           "Error, actual / projected",
                                           "S",
                                           "Qfit",
                                           "s, second stage",
                                           "c, second stage",
                                           "Iterations",
                                           NULL };
    json_t *table = table_new(
        "Every fit of every milepost",
        "Figures after ± are standard errors, clustered by game. The second stage reads c "
        "off its line on Elo and fits s alone.",
        columns);
    const json_t *m, *fit;
    const char *kind;
    size_t i;

    json_array_foreach(json_object_get(record, "mileposts"), i, m) {
        json_object_foreach((json_t *)(uintptr_t)json_object_get(m, "fits"), kind, fit)
            fit_row(table, m, kind, fit);
    }
    return table;
}

static json_t *lines_table(const json_t *record)
{
    static const char *const columns[] = {
        "Fit", "a", "b", "Mileposts about the line", "c at Elo 0", "c per 100 Elo", NULL
    };
    json_t *table = table_new("The line by each kind of fit",
                              "Elo = a − b × mean error. Ratings are read off the first.", columns);
    const json_t *line;
    const char *kind;

    json_object_foreach((json_t *)(uintptr_t)json_object_get(record, "lines"), kind, line) {
        json_t *row = add_row(table, json_string(kind));
        add_cell(table, row, with_error(line, "a", "a_se", 0));
        add_cell(table, row, with_error(line, "b", "b_se", 0));
        add_cell(table, row, fixed(line, "residual_sd", 0));
        add_cell(table, row, with_error(line, "c_line.intercept", "c_line.intercept_se", 3));
        add_cell(table, row, ipr_page_fixed(100.0 * ipr_json_at(line, "c_line.slope", NAN), 4));
    }
    return table;
}

static void curve_row(json_t *table, json_t *name, const json_t *curve)
{
    json_t *row = add_row(table, name);

    add_cell(table, row, fixed(curve, "a", 4));
    add_cell(table, row, range(curve, "a_interval", 4));
    add_cell(table, row, fixed(curve, "b", 3));
    add_cell(table, row, range(curve, "b_interval", 3));
    add_cell(table, row, ipr_page_count(ipr_json_at(curve, "positions", NAN)));
    add_cell(table, row, ipr_page_count(ipr_json_at(curve, "games", NAN)));
}

static json_t *curves_table(const json_t *record)
{
    static const char *const columns[] = { "Mileposts",    "A",         "95% interval", "B",
                                           "95% interval", "Positions", "Games",        NULL };
    json_t *table =
        table_new("What an evaluation is worth",
                  "Share of points scored from v pawns: A + (1 − 2A)/(1 + exp(−B v)).", columns);
    const json_t *band;
    size_t i;

    curve_row(table, json_string("All"), ipr_json_find(record, "score_curve.all"));
    json_array_foreach(ipr_json_find(record, "score_curve.bands"), i, band)
        curve_row(table, ipr_page_interval(band), band);
    return table;
}

static json_t *points_table(const json_t *record)
{
    static const char *const columns[] = { "Evaluation", "Share of points", "95% interval",
                                           "Positions",  "Games",           NULL };
    json_t *table = table_new("Points scored by evaluation, all mileposts", "", columns);
    const json_t *p;
    size_t i;

    json_array_foreach(ipr_json_find(record, "score_curve.all.points"), i, p) {
        json_t *row = add_row(table, ipr_page_signed(ipr_json_at(p, "v", NAN), 2));
        add_cell(table, row, ipr_page_share(ipr_json_at(p, "score", NAN)));
        add_cell(table, row, ipr_page_interval_share(json_object_get(p, "interval")));
        add_cell(table, row, ipr_page_count(ipr_json_at(p, "positions", NAN)));
        add_cell(table, row, ipr_page_count(ipr_json_at(p, "games", NAN)));
    }
    return table;
}

static json_t *families_table(const json_t *record)
{
    static const char *const columns[] = { "Curve",
                                           "Conversion",
                                           "Qfit, moments",
                                           "S, moments",
                                           "Log likelihood, mle",
                                           "Qfit, mle",
                                           "Mileposts fitted",
                                           NULL };
    json_t *table = table_new("Curve families side by side",
                              "A smaller Qfit and S and a greater log likelihood are better; where "
                              "not every milepost could be fitted, sums do not compare.",
                              columns);
    const json_t *f;
    size_t i;

    json_array_foreach(json_object_get(record, "curve_families"), i, f) {
        json_t *row = add_row(table, json_string(ipr_json_text_at(f, "curve")));
        add_cell(table, row, json_string(ipr_json_text_at(f, "conversion")));
        add_cell(table, row, fixed(f, "moments.qfit", 3));
        add_cell(table, row, fixed(f, "moments.percentile_score", 4));
        add_cell(table, row, fixed(f, "mle.log_likelihood", 1));
        add_cell(table, row, fixed(f, "mle.qfit", 3));
        add_cell(table, row,
                 ipr_page_format("%.0f / %.0f", ipr_json_at(f, "moments.mileposts", NAN),
                                 ipr_json_at(f, "mle.mileposts", NAN)));
    }
    return table;
}

static void published_rows(json_t *table, const json_t *rows)
{
    const json_t *m;
    size_t i;

    json_array_foreach(rows, i, m) {
        json_t *row = add_row(table, ipr_page_format("%s, %.0f", ipr_json_text_at(m, "period"),
                                                     ipr_json_at(m, "elo", NAN)));
        add_cell(table, row, ipr_page_whole(ipr_json_at(m, "fitted", NAN)));
        add_cell(table, row, fixed(m, "c_fit", 3));
        add_cell(table, row, fixed(m, "reproduced.c_fit", 4));
        add_cell(table, row, fixed(m, "s_fit", 3));
        add_cell(table, row, fixed(m, "reproduced.s_fit", 4));
        add_cell(table, row, compared_share(m, "mm"));
        add_cell(table, row, compared_error(m, "ad"));
        add_cell(table, row, fixed(m, "qfit", 3));
    }
}

static json_t *published_table(const json_t *record)
{
    static const char *const columns[] = { "Period, Elo",
                                           "Fitted",
                                           "c, published",
                                           "c, made again",
                                           "s, published",
                                           "s, made again",
                                           "First choice, actual / projected",
                                           "Error, actual / projected",
                                           "Qfit",
                                           NULL };
    json_t *table = table_new(
        "As published, and made again",
        "c from its line through the first period; s so that the mean error on the reference set "
        "stays that of the first fit. Shares, errors and Qfit are the published ones.",
        columns);

    published_rows(table, json_object_get(record, "mileposts"));
    published_rows(table, json_object_get(record, "other_periods"));
    return table;
}

json_t *ipr_page_calibration_tables(const json_t *record)
{
    static const struct {
        const char *needs; /* a member of the record */
        json_t *(*make)(const json_t *record);
    } tables[] = {
        { "band", band_table },          { "other_periods", published_table },
        { "score_curve", curves_table }, { "score_curve", points_table },
        { "lines", lines_table },        { "lines", fits_table },
        { "lines", rest_table },         { "curve_families", families_table },
    };
    json_t *list = json_array();

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (json_object_get(record, tables[i].needs))
            json_array_append_new(list, tables[i].make(record));
    return list;
}

/* ---- facts: sentences ---- */

static void add_fact(json_t *facts, json_t *text)
{
    if (json_is_string(text))
        json_array_append_new(facts, json_pack("{s:o}", "text", text));
}

static json_t *bayes_fact(const json_t *record)
{
    const json_t *line = json_object_get(record, "bayes");
    const double a = ipr_json_at(line, "a", NAN);

    if (!json_object_get(line, "b"))
        return json_null();
    return ipr_page_format(
        "Mean c of the Bayesian reference agent: Elo = %.0f × c %s %.0f (standard errors %.0f and "
        "%.0f), the mileposts %.0f points about it.",
        ipr_json_at(line, "b", NAN), a < 0.0 ? "−" : "+", fabs(a), ipr_json_at(line, "b_se", NAN),
        ipr_json_at(line, "a_se", NAN), ipr_json_at(line, "residual_sd", NAN));
}

static json_t *random_fact(const json_t *record)
{
    const json_t *r = json_object_get(record, "random_share");
    const double low = ipr_json_at(r, "interval.low", NAN);

    if (!json_is_number(json_object_get(r, "estimate")))
        return json_null();
    if (!isfinite(low))
        return ipr_page_format("Share of moves as if drawn at random: %.2f%%.",
                               100.0 * ipr_json_at(r, "estimate", NAN));
    return ipr_page_format(
        "Share of moves as if drawn at random, for the fit rmle: %.2f%% (95%% interval %.2f%% to "
        "%.2f%%).",
        100.0 * ipr_json_at(r, "estimate", NAN), 100.0 * low,
        100.0 * ipr_json_at(r, "interval.high", NAN));
}

static json_t *factors_fact(const json_t *record)
{
    const json_t *k = json_object_get(record, "concordance");

    if (!k)
        return json_null();
    return ipr_page_format("Dependence within games widens concordance tests by %.2f for first "
                           "choices and %.2f for the mean error.",
                           ipr_json_at(k, "factor_mm", NAN), ipr_json_at(k, "factor_ad", NAN));
}

static json_t *c_fact(const json_t *record)
{
    const json_t *c = json_object_get(record, "c_line");

    if (!json_object_get(c, "slope_se"))
        return json_null();
    return ipr_page_format(
        "c on Elo: %.4f %s %.4f for every 100 points (standard errors %.4f and %.4f).",
        ipr_json_at(c, "intercept", NAN), ipr_json_at(c, "slope", NAN) < 0.0 ? "−" : "+",
        fabs(100.0 * ipr_json_at(c, "slope", NAN)), ipr_json_at(c, "intercept_se", NAN),
        100.0 * ipr_json_at(c, "slope_se", NAN));
}

json_t *ipr_page_calibration_facts(const json_t *record)
{
    json_t *facts = json_array();

    add_fact(facts, c_fact(record));
    add_fact(facts, bayes_fact(record));
    add_fact(facts, random_fact(record));
    add_fact(facts, factors_fact(record));
    return facts;
}
