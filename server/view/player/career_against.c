/* Sets against each other, by the strength of their moves. */
#include <math.h>

#include "model/elo.h"
#include "stats/interval.h"
#include "view/player/career.h"

static bool career_has_estimate(const struct ipr_career *k)
{
    return isfinite(ipr_career_strength(k));
}

/* Expected score of the row's player, whose Elo scale is straight on the logit scale, so that the
 * ends of the interval of a difference are those of its score. */
static struct ipr_answer_set_cell against_cell(const struct ipr_career *row,
                                               const struct ipr_career *column)
{
    const struct ipr_trajectory_change d = ipr_career_difference(row, column);

    return (struct ipr_answer_set_cell){
        .expected = ipr_elo_expect(d.mean, 0.0),
        .interval = { ipr_elo_expect(d.mean - IPR_Z95 * d.sd, 0.0),
                      ipr_elo_expect(d.mean + IPR_Z95 * d.sd, 0.0) },
        .higher = ipr_path_probability(d),
    };
}

struct ipr_list_set_row ipr_career_against(const struct ipr_career *careers, size_t n,
                                           struct ipr_arena *mem)
{
    struct ipr_list_set_row rows = { ipr_shape_list(IPR_SHAPE_SET_ROW, n, mem), 0 };

    for (size_t i = 0; i < n; i++) {
        struct ipr_answer_set_row *const row = &rows.at[rows.n];

        if (!career_has_estimate(&careers[i]))
            continue;
        row->set = careers[i].text;
        row->label = careers[i].label;
        row->against.at = ipr_shape_list(IPR_SHAPE_SET_CELL, n, mem);
        for (size_t j = 0; j < n; j++) {
            if (career_has_estimate(&careers[j]) && i != j)
                row->against.at[row->against.n] = against_cell(&careers[i], &careers[j]);
            row->against.n += career_has_estimate(&careers[j]);
        }
        rows.n++;
    }
    if (rows.n < 2)
        rows.n = 0;
    return rows;
}
