/* The sentences at the head of calibrations. */
#include "view/calibration/findings.h"

#include <math.h>

#include "stats/interval.h"
#include "view/json.h"
#include "view/wording.h"

/* "Stockfish 15.1, 20 lines, depth 10" */
static const char *calibration_setting(const json_t *judge, struct ipr_arena *mem)
{
    const double nodes = ipr_json_at(judge, "limit.nodes", 0),
                 depth = ipr_json_at(judge, "limit.depth", 0),
                 lines = ipr_json_at(judge, "multipv", 0);
    const char *limit = "";

    if (nodes > 0)
        limit = ipr_arena_printf(mem, ", %s nodes", ipr_wording_count(nodes, mem));
    else if (depth > 0)
        limit = ipr_arena_printf(mem, ", depth %.0f", depth);
    return ipr_arena_printf(mem, "%s, %.0f line%s%s", ipr_json_text_at(judge, "engine"), lines,
                            lines == 1 ? "" : "s", limit);
}

/* "; the 95% error of its scale is ±54 at Elo 2300 and ±102 at Elo 1700" */
static const char *calibration_error(const json_t *band, struct ipr_arena *mem)
{
    const json_t *at, *least = NULL, *most = NULL;
    size_t i;

    json_array_foreach(band, i, at) {
        const double se = ipr_json_at(at, "se", NAN);

        if (!isfinite(se))
            continue;
        if (least == NULL || se < ipr_json_at(least, "se", NAN))
            least = at;
        if (most == NULL || se > ipr_json_at(most, "se", NAN))
            most = at;
    }
    if (least == NULL)
        return "";
    const double low = IPR_Z95 * ipr_json_at(least, "se", NAN),
                 high = IPR_Z95 * ipr_json_at(most, "se", NAN);
    return round(low) == round(high)
               ? ipr_arena_printf(mem, "; the 95%% error of its scale is ±%.0f", low)
               : ipr_arena_printf(mem,
                                  "; the 95%% error of its scale is ±%.0f at Elo %.0f and ±%.0f at "
                                  "Elo %.0f",
                                  low, ipr_json_at(least, "elo", NAN), high,
                                  ipr_json_at(most, "elo", NAN));
}

/* The 95 % quantile of chi-squared divided by its degrees of freedom (Wilson and Hilferty). */
static double chi2_ratio95(double freedom)
{
    const double v = 2. / (9. * freedom);
    const double root = 1. - v + 1.644854 * sqrt(v);

    return root * root * root;
}

/* Says whether the mileposts scatter by more than the sampling of their moves. */
static const char *calibration_scatter(const json_t *record, double mileposts,
                                       struct ipr_arena *mem)
{
    const double residual = ipr_json_at(record, "residual_sd", NAN),
                 sampling = ipr_json_at(record, "sampling_sd", NAN);

    if (!isfinite(residual))
        return "";
    if (!isfinite(sampling) || mileposts < 3)
        return ipr_arena_printf(mem, "; their Elo lies %.0f around the line", residual);
    const bool more = residual * residual > sampling * sampling * chi2_ratio95(mileposts - 2);
    return ipr_arena_printf(mem,
                            "; their Elo lies %.0f around the line, %s the sampling of their moves "
                            "explains (%.0f)",
                            residual, more ? "more than" : "no more than", sampling);
}

const char *ipr_calibration_finding(const json_t *record, struct ipr_arena *mem)
{
    const double moves = ipr_json_at(record, "turns", NAN),
                 games = ipr_json_at(record, "games", NAN);
    const double low = ipr_json_at(record, "elo_range.low", NAN),
                 high = ipr_json_at(record, "elo_range.high", NAN);
    const size_t mileposts = json_array_size(json_object_get(record, "mileposts"));

    if (!isfinite(low) || !isfinite(high) || !isfinite(ipr_json_at(record, "a", NAN)))
        return NULL;
    const char *const rests =
        isfinite(moves)
            ? ipr_arena_printf(mem, " (%s of %s)", ipr_wording_plural(moves, "move", "moves", mem),
                               ipr_wording_plural(games, "game", "games", mem))
            : " (their moves were not published)";
    return ipr_arena_printf(mem,
                            "The calibration %s is for moves analysed by %s, and covers Elo %.0f "
                            "to %.0f%s. It rests on "
                            "%zu groups of rated players%s%s.",
                            ipr_json_text_at(record, "name"),
                            calibration_setting(json_object_get(record, "judge"), mem), low, high,
                            calibration_error(json_object_get(record, "band"), mem), mileposts,
                            rests, calibration_scatter(record, (double)mileposts, mem));
}

const char *ipr_calibrations_finding(const json_t *records, const char *standard,
                                     struct ipr_arena *mem)
{
    const size_t n = json_array_size(records);
    const char *const own = ipr_json_text_at(ipr_json_first(records, "name", standard), "finding");

    if (n == 0)
        return "No calibration is stored, so there are no ratings by the methods that need one.";
    const char *const stored =
        ipr_arena_printf(mem, "%zu calibration%s stored", n, n == 1 ? " is" : "s are");
    return *own != '\0' ? ipr_arena_printf(mem, "%s; the default is %s. %s", stored, standard, own)
                        : ipr_arena_printf(mem, "%s.", stored);
}
