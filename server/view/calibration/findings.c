/* The sentences at the head of calibrations. */
#include "view/calibration/findings.h"

#include <math.h>

#include "sentence/sentence.h"
#include "stats/interval.h"
#include "view/figure/figure.h"
#include "view/json.h"

/* Sets the least and the greatest 95 % error of its scale, one where both are the same. */
static void calibration_error(const json_t *band, struct ipr_calibration_one_slots *out)
{
    const json_t *at;
    size_t i;

    json_array_foreach(band, i, at) {
        const double error = IPR_Z95 * ipr_json_at(at, "se", NAN);

        if (!isfinite(error))
            continue;
        if (!(error >= out->least)) {
            out->least = error;
            out->least_elo = ipr_json_at(at, "elo", NAN);
        }
        if (!(error <= out->most)) {
            out->most = error;
            out->most_elo = ipr_json_at(at, "elo", NAN);
        }
    }
    if (round(out->least) == round(out->most))
        out->most = NAN;
}

/* The 95 % quantile of chi-squared divided by its degrees of freedom (Wilson and Hilferty). */
static double chi2_ratio95(double freedom)
{
    const double v = 2. / (9. * freedom);
    const double root = 1. - v + 1.644854 * sqrt(v);

    return root * root * root;
}

const char *ipr_calibration_finding(const json_t *record, struct ipr_arena *mem)
{
    const json_t *const judge = json_object_get(record, "judge");
    const double nodes = ipr_json_at(judge, "limit.nodes", 0),
                 depth = ipr_json_at(judge, "limit.depth", 0);
    const double mileposts = (double)json_array_size(json_object_get(record, "mileposts"));
    struct ipr_calibration_one_slots slots = {
        .name = ipr_json_text_at(record, "name"),
        .engine = ipr_json_text_at(judge, "engine"),
        .lines = ipr_json_at(judge, "multipv", 0),
        .nodes = ipr_number_if(nodes > 0, nodes),
        .depth = ipr_number_if(depth > 0, depth),
        .low = ipr_json_at(record, "elo_range.low", NAN),
        .high = ipr_json_at(record, "elo_range.high", NAN),
        .least = NAN,
        .most = NAN,
        .groups = mileposts,
        .moves = ipr_json_at(record, "turns", NAN),
        .games = ipr_json_at(record, "games", NAN),
        .residual = ipr_json_at(record, "residual_sd", NAN),
        .sampling = ipr_number_if(mileposts >= 3, ipr_json_at(record, "sampling_sd", NAN)),
    };

    if (!isfinite(slots.low) || !isfinite(slots.high) || !isfinite(ipr_json_at(record, "a", NAN)))
        return NULL;
    calibration_error(json_object_get(record, "band"), &slots);
    slots.beyond = slots.residual * slots.residual >
                   slots.sampling * slots.sampling * chi2_ratio95(mileposts - 2);
    return ipr_say_calibration_one(IPR_CALIBRATION_ONE_SAID, &slots, mem);
}

const char *ipr_calibrations_finding(const json_t *records, const char *standard,
                                     struct ipr_arena *mem)
{
    const char *const own = ipr_json_text_at(ipr_json_first(records, "name", standard), "finding");
    const size_t n = json_array_size(records);
    const struct ipr_calibration_list_slots slots = { .n = (double)n,
                                                      .standard = standard,
                                                      .own = *own != '\0' ? own : NULL };

    return ipr_say_calibration_list(
        n == 0 ? IPR_CALIBRATION_LIST_NONE : IPR_CALIBRATION_LIST_STORED, &slots, mem);
}
