/* The sentences at the head of a table, made from its figures. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/str.h"
#include "lab/papers/papers.h"
#include "view/json.h"

/* Below so many pairs of values no order is spoken of. */
#define FEWEST 5
/* Kendall's tau from which two orders agree; from which they agree in part. */
#define AGREES 0.7
#define PARTLY 0.3

static double finding_error(const json_t *column, const char *of)
{
    const json_t *error = json_object_get(json_object_get(column, "errors"), of);

    return ipr_json_at(error, "estimate", NAN);
}

/* The column with the least error, of those with a prediction; NULL: there is none. */
static const json_t *finding_least(const json_t *columns, const char *of)
{
    const json_t *column, *least = NULL;
    size_t i;

    json_array_foreach(columns, i, column) {
        if (isfinite(finding_error(column, of)) &&
            (least == NULL || finding_error(column, of) < finding_error(least, of)))
            least = column;
    }
    return least;
}

static const char *finding_title(const json_t *column)
{
    return ipr_json_text_at(column, "title");
}

/* The paper's best method, in the paper and here over the same matches. */
static void finding_of_best(const json_t *best, size_t rows, struct ipr_buf *out)
{
    ipr_buf_printf(out,
                   "Over the %.0f of %zu matches that can be predicted here %s, the paper's best "
                   "method, has a mean error of %.1f percentage points in the paper and %.1f here; "
                   "predicting 50%% for everybody has %.1f.",
                   ipr_json_at(best, "both", 0.0), rows, finding_title(best),
                   100.0 * finding_error(best, "printed"), 100.0 * finding_error(best, "ours"),
                   100.0 * finding_error(best, "even"));
}

/* True if a method beats half the points by more than chance explains. */
static bool finding_beats(const json_t *column)
{
    return ipr_json_at(json_object_get(column, "errors"), "gain.interval.low", -1.0) > 0.0;
}

static void finding_of_ours(const json_t *columns, struct ipr_buf *out)
{
    const json_t *column;
    bool any = false;
    size_t i;

    json_array_foreach(columns, i, column) {
        if (!finding_beats(column))
            continue;
        ipr_buf_printf(out, "%s%s",
                       any ? ", " : " Here better than 50% by more than chance explains: ",
                       finding_title(column));
        any = true;
    }
    ipr_buf_printf(out, "%s",
                   any ? "." : " Here no method is better than 50% by more than chance explains.");
}

static void finding_of_matches(const json_t *answer, struct ipr_buf *out)
{
    const json_t *columns = json_object_get(answer, "columns");
    const json_t *best = finding_least(columns, "printed_all");
    const size_t rows = json_array_size(json_object_get(answer, "rows"));

    if (best == NULL || ipr_json_at(best, "both", 0.0) < FEWEST) {
        ipr_buf_printf(
            out,
            "Too few of the %zu matches can be predicted here: moves of the years before "
            "them are missing.",
            rows);
        return;
    }
    finding_of_best(best, rows, out);
    finding_of_ours(columns, out);
}

static const char *finding_verdict(double kendall)
{
    if (kendall >= AGREES)
        return "agrees with the paper's";
    return kendall >= PARTLY ? "agrees with the paper's in part" : "is not the paper's";
}

/* How many mean scores of the paper are within our intervals. */
static void finding_of_scores(const json_t *rows, struct ipr_buf *out)
{
    size_t i, n = 0, contained = 0;
    const json_t *row;

    json_array_foreach(rows, i, row) {
        const double printed = ipr_json_at(row, "printed", NAN),
                     low = ipr_json_at(row, "interval.low", NAN);

        if (!isfinite(printed) || !isfinite(low))
            continue;
        n++;
        contained += printed >= low && printed <= ipr_json_at(row, "interval.high", NAN);
    }
    if (n > 0)
        ipr_buf_printf(out, " Of %zu mean scores of the paper %zu are within our 95%% intervals.",
                       n, contained);
}

static void finding_of_standings(const json_t *answer, struct ipr_buf *out)
{
    const json_t *standings = json_object_get(answer, "standings");
    const double kendall = ipr_json_at(standings, "kendall", NAN);
    const double players = ipr_json_at(standings, "players", 0.0);
    const double all = ipr_json_at(standings, "all", 0.0);
    char tau[IPR_NUMBER_TEXT], rho[IPR_NUMBER_TEXT];

    if (players < FEWEST || !isfinite(kendall)) {
        ipr_buf_printf(out,
                       "Only %.0f of the %.0f players have enough moves here in their best years: "
                       "too few for an order.",
                       players, all);
        return;
    }
    ipr_number_fixed(kendall, 2, tau);
    ipr_number_fixed(ipr_json_at(standings, "spearman", NAN), 2, rho);
    ipr_buf_printf(
        out,
        "Our order of the %.0f of %.0f players who have enough moves here in those years "
        "%s (Kendall's tau %s, Spearman's rho %s).",
        players, all, finding_verdict(kendall), tau, rho);
    finding_of_scores(json_object_get(standings, "rows"), out);
}

/* ---- values ---- */

/* True if rows can be put in order by a column, and its order is in [low, high) of Kendall's tau.
 */
static bool finding_is_between(const json_t *column, double low, double high)
{
    const double kendall = ipr_json_at(column, "kendall", NAN);

    return ipr_json_at(column, "both", 0.0) >= FEWEST && kendall >= low && kendall < high;
}

/* The columns whose order agrees so with the paper's. */
static void finding_of_orders(const json_t *columns, double low, double high, struct ipr_buf *out)
{
    char tau[IPR_NUMBER_TEXT];
    const json_t *column;
    bool any = false;
    size_t i;

    json_array_foreach(columns, i, column) {
        if (!finding_is_between(column, low, high))
            continue;
        if (!any)
            ipr_buf_printf(out, " Our order of the rows by %s", finding_title(column));
        else
            ipr_buf_printf(out, ", %s", finding_title(column));
        ipr_number_fixed(ipr_json_at(column, "kendall", NAN), 2, tau);
        ipr_buf_printf(out, any ? " (%s)" : " (Kendall's tau %s)", tau);
        any = true;
    }
    if (any)
        ipr_buf_printf(out, " %s.", finding_verdict(low));
}

/* The row where ours is highest, or lowest. */
static const char *finding_extreme(const json_t *rows, size_t k, double sign)
{
    const json_t *row, *most = NULL;
    double value = -INFINITY;
    size_t i;

    json_array_foreach(rows, i, row) {
        const json_t *cell = json_array_get(json_object_get(row, "cells"), k);
        const double ours = sign * ipr_json_at(cell, "ours", NAN);

        if (ours > value) {
            value = ours;
            most = row;
        }
    }
    return ipr_json_text_at(most, "label");
}

/* Says whether rows that might be the same are. */
static void finding_of_alike(const json_t *columns, const json_t *rows, struct ipr_buf *out)
{
    const json_t *column;
    size_t k;

    json_array_foreach(columns, k, column) {
        const json_t *alike = json_object_get(column, "alike");

        if (!json_is_object(alike))
            continue;
        ipr_buf_printf(out,
                       " %s: our rows differ by %s (Cochran's Q %.1f with %.0f degrees of "
                       "freedom, p = %.2g); the highest is %s, the lowest %s.",
                       finding_title(column),
                       ipr_json_true_at(alike, "distinct") ? "more than chance explains"
                                                           : "no more than chance explains",
                       ipr_json_at(alike, "q", NAN), ipr_json_at(alike, "degrees", NAN),
                       ipr_json_at(alike, "p", NAN), finding_extreme(rows, k, 1.0),
                       finding_extreme(rows, k, -1.0));
    }
}

/* How far ours are from the paper's in the columns with too few rows for an order. */
static void finding_of_few(const json_t *columns, struct ipr_buf *out)
{
    const json_t *column;
    size_t i;

    json_array_foreach(columns, i, column) {
        const double both = ipr_json_at(column, "both", 0.0);

        if (both > 0.0 && both < FEWEST && json_object_get(column, "alike") == NULL) {
            const double apart = ipr_json_at(column, "mean_difference", NAN);

            ipr_buf_printf(out, " %s: ours %s %.*f %s than the paper's%s.", finding_title(column),
                           both > 1.0 ? "are" : "is", (int)ipr_json_at(column, "digits", 0.0),
                           fabs(apart), apart < 0.0 ? "less" : "more",
                           both > 1.0 ? " on average" : "");
        }
    }
}

static void finding_of_values(const json_t *answer, struct ipr_buf *out)
{
    const json_t *columns = json_object_get(answer, "columns");
    const double both = ipr_json_sum(columns, "both"), of = ipr_json_sum(columns, "printed");
    const double intervals = ipr_json_sum(columns, "intervals");
    const double contained = ipr_json_sum(columns, "contained");

    ipr_buf_printf(out, "%.0f of the paper's %.0f figures %s.", both, of,
                   both == 1.0 ? "has one of ours beside it" : "have one of ours beside them");
    if (intervals == 1.0)
        ipr_buf_printf(out, " It is %s our 95%% interval.", contained > 0.0 ? "within" : "outside");
    else if (intervals > 0.0)
        ipr_buf_printf(out, " Of %.0f with an interval of ours, %.0f are within it.", intervals,
                       contained);
    finding_of_orders(columns, AGREES, INFINITY, out);
    finding_of_orders(columns, PARTLY, AGREES, out);
    finding_of_orders(columns, -1.0, PARTLY, out);
    finding_of_few(columns, out);
    finding_of_alike(columns, json_object_get(answer, "rows"), out);
}

json_t *ipr_paper_finding(const json_t *answer)
{
    struct ipr_buf text = IPR_BUF_INIT;

    const char *form = ipr_json_text_at(answer, "form");

    if (strcmp(form, "best_years") == 0)
        finding_of_standings(answer, &text);
    else if (strcmp(form, "values") == 0)
        finding_of_values(answer, &text);
    else
        finding_of_matches(answer, &text);
    json_t *out = json_string(ipr_buf_c(&text));
    ipr_buf_release(&text);
    return out;
}
