#include "view/figure/figure.h"

#include "sentence/sentence.h"

#define BIN_WIDTH 0.5 /* pawns */
#define BINS_EACH 10  /* on either side of 0: evaluations beyond +-5 pawns are in the last */

size_t ipr_figure_score_bins(const struct ipr_score_position *x, size_t n,
                             double (*number)(double x), struct ipr_arena *mem,
                             struct ipr_answer_score_bin **out)
{
    struct ipr_score_bin bins[IPR_SCORE_BINS(BINS_EACH)];
    size_t used = 0;

    *out = ipr_shape_list(IPR_SHAPE_SCORE_BIN, IPR_SCORE_BINS(BINS_EACH), mem);
    if (ipr_score_bins(x, n, BIN_WIDTH, BINS_EACH, bins, NULL) != IPR_OK)
        return 0;
    for (size_t i = 0; i < IPR_SCORE_BINS(BINS_EACH); i++) {
        const struct ipr_score_bin *const bin = &bins[i];

        if (bin->positions == 0)
            continue;
        struct ipr_answer_score_bin *const to = &(*out)[used++];
        to->low = number(bin->lo);
        to->high = number(bin->hi);
        to->v = number(bin->v);
        to->score = number(bin->score);
        to->positions = (int64_t)bin->positions;
        to->games = (int64_t)bin->games;
        if (bin->se_known)
            to->standard_error = number(bin->se);
        if (bin->interval_known)
            to->interval = bin->interval;
        else
            to->interval_reason = ipr_say_reason_interval(IPR_REASON_INTERVAL_ONE_GAME);
    }
    return used;
}
