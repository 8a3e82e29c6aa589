/* The sentences at the head of calibrations and of the validation. */
#include "view/calibration/findings.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "stats/interval.h"
#include "view/json.h"
#include "view/wording.h"

#define FINDING_PLAYERS 30  /* of a level, at least */
#define FINDING_GAMES   30  /* of the sets that the validation is stated by */
#define COVERAGE        .95 /* of an interval that is right */

/* ---- calibrations ---- */

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

/* ---- validation ---- */

/* The chosen estimator's sets of so many games of one band, or of single games. */
static const struct ipr_answer_validation_sets *
validation_sets(const struct ipr_answer_validation *v, size_t part, int64_t games)
{
    const struct ipr_list_validation_sets none = { NULL, 0 };
    const struct ipr_list_validation_sets list = part < v->parts.n ? v->parts.at[part].sets : none;

    for (size_t i = 0; i < list.n; i++)
        if (list.at[i].chosen && list.at[i].games == games && strcmp(list.at[i].of, "player") != 0)
            return &list.at[i];
    return NULL;
}

static double validation_chance(double sets)
{
    return IPR_Z95 * sqrt(COVERAGE * (1 - COVERAGE) / sets);
}

/* The numbers of games whose interval contains the Elo too rarely: "5 games, 10 games". */
static const char *validation_short(const struct ipr_answer_validation *v, struct ipr_arena *mem)
{
    const char *out = "";

    for (size_t i = 0; i < v->parts.n; i++)
        for (size_t k = 0; k < v->parts.at[i].sets.n; k++) {
            const struct ipr_answer_validation_sets *const set = &v->parts.at[i].sets.at[k];

            if (set->chosen && set->coverage < COVERAGE - validation_chance(set->sets))
                out = ipr_arena_printf(mem, "%s%s%" PRId64, out, *out != '\0' ? ", " : "",
                                       set->games);
        }
    return out;
}

/* "96% of 159 sets" */
static const char *validation_share(const struct ipr_answer_validation_sets *set,
                                    struct ipr_arena *mem)
{
    return ipr_arena_printf(mem, "%.0f%% of %s", 100 * set->coverage,
                            ipr_wording_plural(set->sets, "set", "sets", mem));
}

/* How often the interval of so many games held. */
static const char *validation_test(const struct ipr_answer_validation_sets *set,
                                   struct ipr_arena *mem)
{
    const double chance = validation_chance(set->sets);

    return ipr_arena_printf(mem,
                            "Tested on other players than those it was fitted to, the 95%% "
                            "interval contained the Elo in %s of %d games (%.0f%% to %.0f%% are "
                            "expected by chance)",
                            validation_share(set, mem), FINDING_GAMES, 100 * (COVERAGE - chance),
                            fmin(100, 100 * (COVERAGE + chance)));
}

/* Says how it does with players who are in no fit at all. */
static const char *validation_blind(const struct ipr_answer_validation_sets *set,
                                    struct ipr_arena *mem)
{
    return set == NULL
               ? ""
               : ipr_arena_printf(
                     mem, ", and in %s by players whose games had no part in making the rating",
                     validation_share(set, mem));
}

/* Says how much one game tells. */
static const char *validation_one(const struct ipr_answer_validation_sets *one,
                                  struct ipr_arena *mem)
{
    return one == NULL ? ""
                       : ipr_arena_printf(mem,
                                          " From one game the error is only %.0f%% smaller than if "
                                          "everybody got the same rating.",
                                          100 * one->less);
}

/* The error, in Elo: what a reader of a rating wants first. `one`: of one game; NULL: not known. */
static const char *validation_error(const struct ipr_answer_validation_sets *set,
                                    const struct ipr_answer_validation_sets *one, const char *fails,
                                    struct ipr_arena *mem)
{
    const double half = set->width / 2;
    const char *const single =
        one == NULL ? "" : ipr_arena_printf(mem, ", from one game within %.0f", one->width / 2);

    if (*fails != '\0')
        return ipr_arena_printf(
            mem,
            "A rating from %d games should be within %.0f points of the player's "
            "Elo in 19 of 20 cases%s, but the interval is too narrow at %s "
            "games a set.",
            FINDING_GAMES, half, single, fails);
    return ipr_arena_printf(
        mem,
        "A rating from %d games is within %.0f points of the player's Elo in 19 of 20 cases%s.",
        FINDING_GAMES, half, single);
}

const char *ipr_validation_finding(const struct ipr_answer_validation *v, struct ipr_arena *mem)
{
    const struct ipr_answer_validation_sets *const set = validation_sets(v, 0, FINDING_GAMES);

    if (set == NULL || !isfinite(set->coverage))
        return NULL;
    return validation_error(set, validation_sets(v, 0, 1), validation_short(v, mem), mem);
}

const char *ipr_validation_tested(const struct ipr_answer_validation *v, struct ipr_arena *mem)
{
    const struct ipr_answer_validation_sets *const set = validation_sets(v, 0, FINDING_GAMES);
    double low = 1, high = 0;

    if (set == NULL)
        return NULL;
    for (size_t i = 0; i < v->by_level.n; i++) {
        const struct ipr_answer_validation_level_row *const level = &v->by_level.at[i];

        if (level->games != 1 || level->rating == NULL || level->players < FINDING_PLAYERS ||
            strcmp(level->evaluations, "results") == 0)
            continue;
        low = fmin(low, level->coverage);
        high = fmax(high, level->coverage);
    }
    return ipr_arena_printf(
        mem, "%s%s.%s%s", validation_test(set, mem),
        validation_blind(validation_sets(v, 1, FINDING_GAMES), mem),
        validation_one(validation_sets(v, 0, 1), mem),
        low > high ? ""
                   : ipr_arena_printf(mem,
                                      " At each level of each pool of players the interval of one "
                                      "game holds for %.0f%% to %.0f%% of them.",
                                      100 * low, 100 * high));
}
