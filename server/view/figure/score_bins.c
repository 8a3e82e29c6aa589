#include "view/figure/figure.h"

#include "sentence/sentence.h"
#include "view/json.h"

#define BIN_WIDTH 0.5 /* pawns */
#define BINS_EACH 10  /* on either side of 0: evaluations beyond +-5 pawns are in the last */

static json_t *score_bin_json(const struct ipr_score_bin *bin, json_t *(*number)(double x),
                              bool errors)
{
    json_t *out =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:I, s:I}", "low", number(bin->lo), "high",
                  number(bin->hi), "v", number(bin->v), "score", number(bin->score), "interval",
                  bin->interval_known ? ipr_json_interval(bin->interval) : json_null(), "positions",
                  (json_int_t)bin->positions, "games", (json_int_t)bin->games);

    if (errors)
        json_object_set_new(out, "standard_error", bin->se_known ? number(bin->se) : json_null());
    if (!bin->interval_known)
        json_object_set_new(out, "interval_reason",
                            json_string(ipr_say_reason_interval(IPR_REASON_INTERVAL_ONE_GAME)));
    return out;
}

json_t *ipr_figure_score_bins(const struct ipr_score_position *x, size_t n,
                              json_t *(*number)(double x), bool errors)
{
    struct ipr_score_bin bins[IPR_SCORE_BINS(BINS_EACH)];
    json_t *list = json_array();

    if (ipr_score_bins(x, n, BIN_WIDTH, BINS_EACH, bins, NULL) != IPR_OK)
        return list;
    for (size_t i = 0; i < IPR_SCORE_BINS(BINS_EACH); i++)
        if (bins[i].positions > 0)
            json_array_append_new(list, score_bin_json(&bins[i], number, errors));
    return list;
}
