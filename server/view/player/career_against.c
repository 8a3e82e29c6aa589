/* Sets against each other, by the strength of their moves. */
#include <math.h>

#include "model/elo.h"
#include "stats/interval.h"
#include "view/json.h"
#include "view/player/career.h"

static bool career_has_estimate(const struct ipr_career *k)
{
    return isfinite(ipr_career_strength(k)) && isfinite(ipr_career_error(k));
}

/* Expected score of the row's player, whose Elo scale is straight on the logit scale, so that the
 * ends of the interval of a difference are those of its score. */
static json_t *against_cell(const struct ipr_career *row, const struct ipr_career *column)
{
    const double d = ipr_career_strength(row) - ipr_career_strength(column);
    const double se = hypot(ipr_career_error(row), ipr_career_error(column));
    const struct ipr_interval interval = { ipr_elo_expect(d - IPR_Z95 * se, 0.0),
                                           ipr_elo_expect(d + IPR_Z95 * se, 0.0) };

    return json_pack("{s:o, s:o, s:o}", "expected", ipr_json_num(ipr_elo_expect(d, 0.0)),
                     "interval", ipr_json_interval(interval), "higher",
                     ipr_json_num(.5 * erfc(-d / se / sqrt(2.))));
}

json_t *ipr_career_against(const struct ipr_career *careers, size_t n)
{
    json_t *const rows = json_array();

    for (size_t i = 0; i < n; i++) {
        json_t *const against = json_array();

        if (career_has_estimate(&careers[i]))
            json_array_append_new(rows, json_pack("{s:s, s:s, s:O}", "set", careers[i].text,
                                                  "label", careers[i].label, "against", against));
        for (size_t j = 0; j < n; j++)
            if (career_has_estimate(&careers[i]) && career_has_estimate(&careers[j]))
                json_array_append_new(against, i == j ? json_null()
                                                      : against_cell(&careers[i], &careers[j]));
        json_decref(against);
    }
    if (json_array_size(rows) < 2)
        json_array_clear(rows);
    return rows;
}
