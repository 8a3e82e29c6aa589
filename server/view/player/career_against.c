/* Sets against each other, by the strength of their moves. */
#include <math.h>

#include "model/elo.h"
#include "stats/interval.h"
#include "view/json.h"
#include "view/player/career.h"

static bool career_has_estimate(const struct ipr_career *k)
{
    return isfinite(ipr_career_strength(k));
}

/* Expected score of the row's player, whose Elo scale is straight on the logit scale, so that the
 * ends of the interval of a difference are those of its score. */
static json_t *against_cell(const struct ipr_career *row, const struct ipr_career *column)
{
    const struct ipr_trajectory_change d = ipr_career_difference(row, column);
    const struct ipr_interval interval = { ipr_elo_expect(d.mean - IPR_Z95 * d.sd, 0.0),
                                           ipr_elo_expect(d.mean + IPR_Z95 * d.sd, 0.0) };

    const struct ipr_answer_set_cell cell = { .expected = ipr_elo_expect(d.mean, 0.0),
                                              .interval = interval,
                                              .higher = ipr_path_probability(d) };

    return ipr_shape_json(IPR_SHAPE_SET_CELL, &cell);
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
