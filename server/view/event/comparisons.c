/* How many comparisons of an event are extreme, and how many are expected by chance.
 */
#include <math.h>
#include <stdio.h>

#include "view/event/event.h"
#include "view/json.h"

/* Probability that a normal z is beyond that many standard errors on one side. */
static const struct {
    int errors;
    double tail;
} limits[] = { { 2, 0.022750131948 }, { 3, 0.001349898032 } };

/* Number of rows whose z of a figure ("mm", "ad") lies beyond. */
static int count_beyond(const json_t *players, const char *figure, int errors)
{
    const json_t *row;
    char path[32];
    size_t i;
    int n = 0;

    snprintf(path, sizeof path, "concordance.%s.z", figure);
    json_array_foreach(players, i, row)
        n += fabs(ipr_json_at(row, path, 0.0)) > errors;
    return n;
}

/* Those whose simulated tail is smaller than `tail`; null if too few sets were simulated. The
 * distribution of z is skewed: among n honest performances 2 n tail are expected. */
static json_t *by_tails(const json_t *players, const char *figure, double tail)
{
    const json_t *row;
    char path[32];
    size_t i;
    int n = 0;

    snprintf(path, sizeof path, "concordance.%s.tail", figure);
    json_array_foreach(players, i, row) {
        if (!json_is_number(ipr_json_find(row, path)))
            continue;
        if ((ipr_json_at(row, "concordance.replicates", 0.0) + 1.0) * tail < 1.0)
            return json_null();
        n += ipr_json_at(row, path, 1.0) < tail;
    }
    return json_integer(n);
}

json_t *ipr_event_comparisons(const json_t *players)
{
    json_t *list = json_array();
    const json_t *row;
    size_t i;
    int n = 0;

    json_array_foreach(players, i, row)
        n += json_is_number(ipr_json_find(row, "concordance.mm.z"));
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
        json_array_append_new(
            list, json_pack("{s:i, s:o, s:i, s:i, s:{s:o, s:o}}", "standard_errors",
                            limits[k].errors, "expected", ipr_json_num(n * 2.0 * limits[k].tail),
                            "mm", count_beyond(players, "mm", limits[k].errors), "ad",
                            count_beyond(players, "ad", limits[k].errors), "by_tails", "mm",
                            by_tails(players, "mm", limits[k].tail), "ad",
                            by_tails(players, "ad", limits[k].tail)));
    return json_pack("{s:i, s:o}", "compared", n, "beyond", list);
}
