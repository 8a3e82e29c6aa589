/* How many of the comparisons of an event stand far out when nothing is amiss in any of them. */
#include <string.h>

#include "view/event.h"
#include "view/json.h"

/* A normal z lies so far out on one side with this probability. A performance counts as being as
 * far out when its own simulated tail is smaller: its z is skewed, and the number of those is what
 * the normal one says. */
static const struct {
    int errors;
    double tail;
} limits[] = { { 2, 0.022750131948 }, { 3, 0.001349898032 } };

static size_t beyond(const json_t *players, const char *path, double tail)
{
    const json_t *row;
    size_t i, n = 0;

    json_array_foreach(players, i, row) n += ipr_json_at(row, path, 1.0) < tail;
    return n;
}

json_t *ipr_event_comparisons(const json_t *players)
{
    json_t *list = json_array();
    const json_t *row;
    size_t i, n = 0;

    json_array_foreach(players, i, row) n += json_is_number(ipr_json_find(row, "concordance.mm.z"));
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
        json_array_append_new(
            list, json_pack("{s:i, s:o, s:i, s:i}", "standard_errors", limits[k].errors, "expected",
                            ipr_json_num((double)n * 2.0 * limits[k].tail), "mm",
                            (int)beyond(players, "concordance.mm.tail", limits[k].tail), "ad",
                            (int)beyond(players, "concordance.ad.tail", limits[k].tail)));
    return json_pack("{s:i, s:o}", "compared", (int)n, "beyond", list);
}
