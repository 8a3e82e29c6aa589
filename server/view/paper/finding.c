/* The sentences at the head of a table, made from its figures. */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "view/json.h"
#include "view/paper/paper.h"

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

/* Whether a method beats half the points by more than chance explains. */
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
    return kendall >= AGREES   ? "agrees with the paper's"
           : kendall >= PARTLY ? "agrees with the paper's in part"
                               : "is not the paper's";
}

static void finding_of_standings(const json_t *answer, struct ipr_buf *out)
{
    const json_t *standings = json_object_get(answer, "standings");
    const double kendall = ipr_json_at(standings, "kendall", NAN);
    const double players = ipr_json_at(standings, "players", 0.0);
    const double all = ipr_json_at(standings, "all", 0.0);

    if (players < FEWEST || !isfinite(kendall)) {
        ipr_buf_printf(out,
                       "Only %.0f of the %.0f players have enough moves here in their best years: "
                       "too few for an order.",
                       players, all);
        return;
    }
    ipr_buf_printf(
        out,
        "Our order of the %.0f of %.0f players who have enough moves here in those years "
        "%s (Kendall's tau %.2f, Spearman's rho %.2f).",
        players, all, finding_verdict(kendall), kendall, ipr_json_at(standings, "spearman", NAN));
}

json_t *ipr_paper_finding(const json_t *answer)
{
    struct ipr_buf text = IPR_BUF_INIT;

    if (strcmp(ipr_json_text_at(answer, "form"), "best_years") == 0)
        finding_of_standings(answer, &text);
    else
        finding_of_matches(answer, &text);
    json_t *out = json_string(ipr_buf_c(&text));
    ipr_buf_release(&text);
    return out;
}
