/* The sentences at the head of calibrations. */
#include "view/calibration/findings.h"

#include <math.h>
#include <string.h>

#include "sentence/sentence.h"
#include "stats/interval.h"
#include "view/figure/figure.h"
#include "view/json.h"

/* Sets the least and the greatest 95 % error of its scale, one where both are the same. */
static void calibration_error(const struct ipr_list_calibration_band *band,
                              struct ipr_calibration_one_slots *out)
{
    for (size_t i = 0; i < band->n; i++) {
        const double error = IPR_Z95 * band->at[i].se, elo = (double)band->at[i].elo;

        if (!isfinite(error))
            continue;
        if (!(error >= out->least)) {
            out->least = error;
            out->least_elo = elo;
        }
        if (!(error <= out->most)) {
            out->most = error;
            out->most_elo = elo;
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

const char *ipr_calibration_finding(const struct ipr_answer_calibration_record *record,
                                    struct ipr_arena *mem)
{
    const json_t *const judge = record->judge;
    const double nodes = ipr_json_at(judge, "limit.nodes", 0),
                 depth = ipr_json_at(judge, "limit.depth", 0);
    const double mileposts = (double)record->mileposts.n;
    struct ipr_calibration_one_slots slots = {
        .name = record->name,
        .engine = ipr_json_text_at(judge, "engine"),
        .lines = ipr_json_at(judge, "multipv", 0),
        .nodes = ipr_number_if(nodes > 0, nodes),
        .depth = ipr_number_if(depth > 0, depth),
        .low = record->elo_range.low,
        .high = record->elo_range.high,
        .least = NAN,
        .most = NAN,
        .groups = mileposts,
        .moves = ipr_number_if(record->turns >= 0, (double)record->turns),
        .games = ipr_number_if(record->games >= 0, (double)record->games),
        .residual = record->residual_sd,
        .sampling = ipr_number_if(mileposts >= 3, record->sampling_sd),
    };

    if (!isfinite(slots.low) || !isfinite(slots.high) || !isfinite(record->a))
        return NULL;
    calibration_error(&record->band, &slots);
    slots.beyond = slots.residual * slots.residual >
                   slots.sampling * slots.sampling * chi2_ratio95(mileposts - 2);
    return ipr_say_calibration_one(IPR_CALIBRATION_ONE_SAID, &slots, mem);
}

const char *ipr_calibrations_finding(const struct ipr_list_calibration_record *records,
                                     const char *standard, struct ipr_arena *mem)
{
    struct ipr_calibration_list_slots slots = { .n = (double)records->n, .standard = standard };

    for (size_t i = 0; i < records->n; i++)
        if (strcmp(records->at[i].name, standard) == 0)
            slots.own = records->at[i].finding;
    return ipr_say_calibration_list(
        records->n == 0 ? IPR_CALIBRATION_LIST_NONE : IPR_CALIBRATION_LIST_STORED, &slots, mem);
}
