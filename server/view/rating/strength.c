/* The rating: strength of the moves, from sums that are stored with each side. */
#include <math.h>
#include <string.h>

#include "model/strength_curve.h"
#include "model/years.h"
#include "sentence/sentence.h"
#include "stats/interval.h"
#include "view/rating/rate.h"

#define SURPRISE_MOVES 30 /* minimum for the comparison with Elo */

bool ipr_strength_has_elo(int64_t moves, int64_t tagged_moves)
{
    return tagged_moves >= moves;
}

/* How often such a deviation occurs by chance, from the largest null sets with at most `moves`
 * moves.
 */
static struct ipr_figure_chance *surprise_chance(const struct ipr_strength_shipped *s, double moves,
                                                 double z, struct ipr_arena *mem)
{
    const struct ipr_strength_null *row = s->null_sets;
    struct ipr_figure_chance *out;
    int k;

    if (fabs(z) < 2)
        return NULL;
    for (size_t i = 1; i < IPR_STRENGTH_NULLS && row[1].moves <= moves; i++)
        row++;
    k = fabs(z) < 4 ? (int)fabs(z) - 2 : 2;
    out = ipr_shape_new(IPR_SHAPE_CHANCE, mem);
    out->beyond = (size_t)k + 2;
    out->share = z < 0 ? row->below[k] : row->above[k];
    out->one_in = out->share > 0 ? (size_t)lround(1 / out->share) : IPR_UNKNOWN;
    out->sets = (size_t)row->sets;
    out->moves = (size_t)row->moves;
    return out;
}

static struct ipr_strength_calibration strength_calibration(const struct ipr_strength_shipped *s,
                                                            const struct ipr_db_strength *sums)
{
    return ipr_strength_calibration_of(
        s, ipr_strength_error_of_stored(&sums->mix, sums->score, sums->information));
}

static struct ipr_figure_surprise *strength_surprise(const struct ipr_scale *scale,
                                                     const struct ipr_db_strength *sums,
                                                     struct ipr_arena *mem)
{
    struct ipr_figure_surprise *out = ipr_shape_new(IPR_SHAPE_SURPRISE, mem);
    const struct ipr_strength_shipped *const s = scale->fit;

    out->elo = ipr_number_if(sums->elo > 0, sums->elo);
    if (!ipr_strength_has_elo(sums->moves, sums->tagged_moves))
        out->reason = ipr_say_reason_strength(IPR_REASON_STRENGTH_ELO_NOT_TAGGED);
    else if (!ipr_scale_holds(scale, sums->elo))
        out->reason = ipr_say_reason_strength(IPR_REASON_STRENGTH_ELO_BEYOND);
    else if (sums->moves < SURPRISE_MOVES)
        out->reason = ipr_say_reason_strength(IPR_REASON_STRENGTH_THIRTY_MOVES);
    if (out->reason != NULL)
        return out;
    const struct ipr_strength_set set = { .score = (double)sums->score / IPR_STRENGTH_UNIT,
                                          .information =
                                              (double)sums->information / IPR_STRENGTH_UNIT,
                                          .elo = sums->elo,
                                          .year = sums->year,
                                          .events = sums->events };
    const struct ipr_strength_calibration m = strength_calibration(s, sums);

    out->z = ipr_strength_surprise(&m, &set);
    out->era =
        ipr_number_if(sums->year > 0, ipr_strength_era_at(&s->calibration, sums->elo, sums->year));
    out->tail = .5 * erfc(fabs(out->z) / sqrt(2.));
    out->chance = surprise_chance(s, (double)sums->moves, out->z, mem);
    return out;
}

static const char *strength_none(const struct ipr_view_context *c, const struct ipr_scale *scale,
                                 const struct ipr_db_strength *sums)
{
    if (sums->information > 0)
        return ipr_scale_none(ipr_setting_pool(c, sums->classes), scale, c->v->mem);
    if (sums->judge_id != 0 || scale == &ipr_setting_pool(c, sums->classes)->humans)
        return ipr_say_reason_strength(IPR_REASON_STRENGTH_NO_MOVE);
    if (scale == &ipr_setting_pool(c, sums->classes)->files)
        return ipr_say_reason_strength(IPR_REASON_STRENGTH_NO_EVALUATIONS);
    return ipr_rate_no_moves(
        c, ipr_arena_printf(c->v->mem, "%s of %s", ipr_scale_name(scale), IPR_STRENGTH_ENGINE));
}

/* Makes the provenance of either figure. `own` has the judge of the sums. */
static struct ipr_provenance strength_from(const struct ipr_view_context *c,
                                           const struct ipr_db_strength *sums,
                                           enum ipr_method method, struct ipr_view_context *own)
{
    static const struct ipr_window window = {
        .first_move = 9, .limit_cp = 500, .drop_forced = true, .drop_repeated = true
    };

    *own = *c;
    own->judge_id = sums->judge_id;
    return (struct ipr_provenance){
        .context = own,
        .method = method,
        .window = &window,
        .turns = (size_t)sums->moves,
        .games = (size_t)sums->games,
        .converged = true,
    };
}

/* NULL without a scale. */
static struct ipr_figure_expectation *strength_prior(const struct ipr_scale *scale,
                                                     struct ipr_arena *mem)
{
    struct ipr_figure_expectation *prior = ipr_shape_new(IPR_SHAPE_EXPECTATION, mem);
    const struct ipr_strength_shipped *const s = scale->fit;

    if (s == NULL)
        return NULL;
    *prior = (struct ipr_figure_expectation){ s->prior_mean, s->prior_sd, IPR_UNKNOWN };
    return prior;
}

/* Prior around the mean Elo of the opponents in analysed games with a result; the prior of all
 * players if no opponent has an Elo. */
static struct ipr_figure_expectation *strength_prior_of(const struct ipr_scale *scale,
                                                        const struct ipr_db_results *results,
                                                        size_t n, struct ipr_arena *mem)
{
    struct ipr_figure_expectation *prior = strength_prior(scale, mem);
    double games = 0, elo = 0;

    for (size_t i = 0; i < n; i++) {
        games += results[i].games;
        elo += (double)results[i].games * results[i].opponent;
    }
    if (prior != NULL && games > 0 && scale->fit->opponents_sd > 0)
        *prior =
            (struct ipr_figure_expectation){ elo / games, scale->fit->opponents_sd, (size_t)games };
    return prior;
}

/* With the opponents as prior, where that is requested, the interval is the one with it. */
static struct ipr_strength_estimate strength_estimate(const struct ipr_strength_shipped *s,
                                                      const struct ipr_db_strength *sums,
                                                      const struct ipr_figure_expectation *prior)
{
    const double score = (double)sums->score / IPR_STRENGTH_UNIT;
    const double information = (double)sums->information / IPR_STRENGTH_UNIT;
    const struct ipr_strength_calibration m = strength_calibration(s, sums);

    if (prior->opponents != IPR_UNKNOWN)
        return ipr_strength_of_sums(&m, score, information, prior->mean, prior->standard_deviation);
    return ipr_strength_rating(
        s, ipr_strength_error_of_stored(&sums->mix, sums->score, sums->information), score,
        information, prior->mean, prior->standard_deviation);
}

/* NULL for the engine of the calibration alone. `elo`: about the rating. */
static struct ipr_figure_equated *strength_equated(const struct ipr_strength_curve *curve,
                                                   const struct ipr_db_strength *sums, double elo,
                                                   struct ipr_arena *mem)
{
    struct ipr_figure_equated *out;

    if (sums->mix.other <= 0)
        return NULL;
    out = ipr_shape_new(IPR_SHAPE_EQUATED, mem);
    out->engine = ipr_arena_printf(mem, "%s", sums->engines);
    out->share = ipr_number_if(sums->mix.other < (double)sums->information,
                               sums->mix.other / (double)sums->information);
    out->known = sums->mix.unknown <= 0;
    out->standard_error = ipr_strength_error_of_stored(&sums->mix, sums->score, sums->information) /
                          fabs(ipr_strength_curve_slope(curve, elo));
    return out;
}

static struct ipr_figure_rating *strength_figure(const struct ipr_view_context *c,
                                                 const struct ipr_scale *scale,
                                                 const struct ipr_db_strength *sums,
                                                 struct ipr_figure_expectation *prior)
{
    struct ipr_figure_rating *out = ipr_shape_new(IPR_SHAPE_RATING, c->v->mem);
    const struct ipr_figure_range range = { scale->low, scale->high };
    struct ipr_view_context own;
    const struct ipr_pool *const pool = ipr_setting_pool(c, sums->classes);
    static const struct ipr_window without_evaluations = { .first_move = 9, .drop_forced = true };
    struct ipr_provenance from = strength_from(c, sums, IPR_METHOD_STRENGTH, &own);

    if (scale == &pool->humans)
        from.window = &without_evaluations;
    out->pool = pool->name;
    if (sums->information <= 0 || scale->fit == NULL) {
        out->figure = ipr_figure_none(&from, strength_none(c, scale, sums));
        return out;
    }
    const struct ipr_strength_estimate e = strength_estimate(scale->fit, sums, prior);

    out->equated = strength_equated(&scale->fit->calibration.curve, sums, e.raw, c->v->mem);
    out->figure = ipr_figure(e.mean, e.sd, (struct ipr_interval){ e.lo, e.hi }, &from);
    out->figure.group.provenance.calibration = ipr_scale_name(scale);
    out->extrapolated = !ipr_range_holds(range, e.mean);
    out->raw = ipr_shape_new(IPR_SHAPE_RAW, c->v->mem);
    out->raw->estimate = e.raw;
    out->raw->interval = (struct ipr_interval){ e.raw_lo, e.raw_hi };
    if (scale == &pool->files || scale->fit->null_sets[0].sets == 0) {
        out->surprise = ipr_shape_new(IPR_SHAPE_SURPRISE, c->v->mem);
        out->surprise->reason = ipr_say_reason_strength(IPR_REASON_STRENGTH_CHANCE_NOT_TESTED);
    } else {
        out->surprise = strength_surprise(scale, sums, c->v->mem);
    }
    out->prior = prior;
    out->calibrated_range = range;
    return out;
}

struct ipr_figure_rating *ipr_scale_figure(const struct ipr_view_context *c,
                                           const struct ipr_scale *scale,
                                           const struct ipr_db_strength *sums)
{
    return strength_figure(c, scale, sums, strength_prior(scale, c->v->mem));
}

struct ipr_figure_rating *ipr_strength_figure(const struct ipr_view_context *c,
                                              const struct ipr_db_strength *sums)
{
    return ipr_scale_figure(c, &ipr_setting_pool(c, sums->classes)->moves, sums);
}

struct ipr_figure_rating *ipr_evals_figure(const struct ipr_view_context *c,
                                           const struct ipr_db_strength *sums)
{
    return ipr_scale_figure(c, &ipr_setting_pool(c, sums->classes)->files, sums);
}

/* ---- with earlier years ---- */

/* The years together. The sums are scaled to the information of the effective sample (Kish), so
 * that the interval is that of weighted moves. */
static struct ipr_strength_estimate strength_of_years(const struct ipr_strength_shipped *s,
                                                      const struct ipr_db_year_strength *years,
                                                      size_t n, int year, double forgetting)
{
    double score = 0, information = 0, squares = 0;
    struct ipr_strength_mix mix = { 0 };

    for (size_t i = 0; i < n; i++) {
        const double weight = ipr_year_weight(years[i].year, year, forgetting);

        score += weight * (double)years[i].score;
        information += weight * (double)years[i].information;
        squares += weight * weight * (double)years[i].information;
        ipr_strength_mix_sum(&mix, &years[i].mix, weight);
    }
    const double unit = information / squares / IPR_STRENGTH_UNIT;
    const struct ipr_strength_calibration m = ipr_strength_calibration_of(
        s, ipr_strength_mix_error(&mix, information, score / information));
    return ipr_strength_of_sums(&m, unit * score, unit * information, s->prior_mean, s->prior_sd);
}

enum ipr_code ipr_strength_up_to(const struct ipr_view_context *c, struct ipr_view_side who,
                                 double forgetting, const int64_t *without, size_t n_without,
                                 struct ipr_figure *out, struct ipr_err *err)
{
    struct ipr_db_strength sums = { 0 };
    struct ipr_db_year_strength *years = NULL;
    struct ipr_view_context own;
    int64_t in_year = 0;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_strength_up_to(c->v->db, who.player, who.year, c->times,
                                                   without, n_without, c->v->mem, &years, &n, err);
    if (rc != IPR_OK)
        return rc;
    for (size_t i = 0; i < n; i++) {
        if (ipr_year_weight(years[i].year, who.year, forgetting) == 0)
            continue;
        sums.moves += years[i].moves;
        sums.games += years[i].games;
        sums.information += years[i].information;
        sums.judge_id = years[i].judge_id;
        sums.classes |= years[i].classes;
        in_year += years[i].year == who.year ? years[i].moves : 0;
    }
    const struct ipr_provenance from = strength_from(c, &sums, IPR_METHOD_STRENGTH, &own);
    const struct ipr_scale *const scale = &ipr_setting_pool(c, sums.classes)->moves;
    const char *reason = NULL;
    if (sums.judge_id == 0 || scale->fit == NULL)
        reason = strength_none(c, scale, &sums);
    else if (in_year < IPR_VIEW_MIN_TURNS)
        reason = ipr_rate_needed(IPR_REASON_NEEDED_MOVES, IPR_VIEW_MIN_TURNS, (size_t)in_year,
                                 c->v->mem);
    if (reason != NULL) {
        *out = ipr_figure_none(&from, reason);
        return IPR_OK;
    }
    const struct ipr_strength_estimate e =
        strength_of_years(scale->fit, years, n, who.year, forgetting);

    *out = ipr_figure(e.raw, (e.raw_hi - e.raw_lo) / 2.0 / IPR_Z95,
                      (struct ipr_interval){ e.raw_lo, e.raw_hi }, &from);
    out->group.provenance.calibration = ipr_scale_name(scale);
    return IPR_OK;
}

/* ---- with the results ---- */

static void results_fill(const struct ipr_scale *scale, const struct ipr_db_strength *sums,
                         const struct ipr_strength_match *match, size_t n,
                         const struct ipr_provenance *from, struct ipr_figure_expectation *prior,
                         struct ipr_figure_moves_and_results *out)
{
    const struct ipr_strength_shipped *s = scale->fit;
    const struct ipr_strength_calibration m = strength_calibration(s, sums);
    const struct ipr_strength_estimate moves = strength_estimate(s, sums, prior);
    const struct ipr_strength_estimate both =
        ipr_strength_with_results(&m, &s->results, (double)sums->score / IPR_STRENGTH_UNIT,
                                  (double)sums->information / IPR_STRENGTH_UNIT, match, n,
                                  prior->mean, prior->standard_deviation);

    struct ipr_interval shown = { both.lo, both.hi };

    /* As that of the rating: without the prior, but for one that is requested. */
    if (s->alone && prior->opponents == IPR_UNKNOWN)
        shown = (struct ipr_interval){ fmin(both.raw_lo, both.mean), fmax(both.raw_hi, both.mean) };
    out->figure = ipr_figure(both.mean, both.sd, shown, from);
    out->figure.group.provenance.calibration = ipr_scale_name(scale);
    out->score = 0;
    for (size_t i = 0; i < n; i++)
        out->score += match[i].points;
    out->expected = ipr_number_if(ipr_scale_holds(scale, moves.mean),
                                  ipr_strength_expected_points(&s->results, match, n, moves.mean));
    out->prior = prior;
}

static struct ipr_figure_moves_and_results *results_untested(const struct ipr_view_context *c,
                                                             const struct ipr_db_strength *sums)
{
    struct ipr_figure_moves_and_results *out =
        ipr_shape_new(IPR_SHAPE_MOVES_AND_RESULTS, c->v->mem);
    struct ipr_view_context own;
    const struct ipr_provenance from = strength_from(c, sums, IPR_METHOD_MOVES_AND_RESULTS, &own);

    out->rated_games = 0;
    out->figure =
        ipr_figure_none(&from, ipr_say_reason_strength(IPR_REASON_STRENGTH_RESULTS_NOT_TESTED));
    return out;
}

static struct ipr_figure_moves_and_results *
strength_and_results(const struct ipr_view_context *c, const struct ipr_scale *scale,
                     const struct ipr_db_strength *sums, const struct ipr_db_results *results,
                     size_t n, struct ipr_figure_expectation *prior)
{
    struct ipr_figure_moves_and_results *out =
        ipr_shape_new(IPR_SHAPE_MOVES_AND_RESULTS, c->v->mem);
    struct ipr_strength_match *match = ipr_arena_alloc(c->v->mem, n + 1, sizeof *match);
    struct ipr_view_context own;
    const struct ipr_provenance from = strength_from(c, sums, IPR_METHOD_MOVES_AND_RESULTS, &own);

    out->rated_games = 0;
    for (size_t i = 0; i < n; i++) {
        const struct ipr_db_results *const r = &results[i];

        match[i] = (struct ipr_strength_match){
            .opponent = r->opponent,
            .colour = r->colour,
            .games = r->games,
            .points = r->half_points / 2.,
            .score = (double)r->score / IPR_STRENGTH_UNIT,
            .information = (double)r->information / IPR_STRENGTH_UNIT,
            .other_score = (double)r->other_score / IPR_STRENGTH_UNIT,
            .other_information = (double)r->other_information / IPR_STRENGTH_UNIT,
        };
        out->rated_games += (size_t)r->games;
    }
    if (sums->information <= 0 || scale->fit == NULL)
        out->figure = ipr_figure_none(&from, strength_none(c, scale, sums));
    else if (scale->fit->opponents_sd == 0)
        return results_untested(c, sums);
    else if (n == 0)
        out->figure =
            ipr_figure_none(&from, ipr_say_reason_strength(IPR_REASON_STRENGTH_NO_OPPONENT));
    else
        results_fill(scale, sums, match, n, &from, prior, out);
    return out;
}

struct ipr_figure_moves_and_results *ipr_strength_and_results(const struct ipr_view_context *c,
                                                              const struct ipr_db_strength *sums,
                                                              const struct ipr_db_results *results,
                                                              size_t n)
{
    const struct ipr_scale *const scale = &ipr_setting_pool(c, sums->classes)->moves;

    return strength_and_results(c, scale, sums, results, n, strength_prior(scale, c->v->mem));
}

bool ipr_strength_is_by_file(const struct ipr_view_context *c)
{
    return strcmp(c->judge.name, ipr_setting_name(IPR_FOR_FILES)) == 0;
}

enum ipr_code ipr_strength_no_games(const struct ipr_view_context *c,
                                    const struct ipr_db_scope *scope,
                                    const struct ipr_db_strength *sums, const char **reason,
                                    struct ipr_err *err)
{
    int32_t in_class[IPR_TIME_CLASSES], games = 0;

    if (sums->judge_id != 0)
        return IPR_OK;
    const enum ipr_code rc = ipr_db_scope_games(c->v->db, scope, in_class, err);
    for (unsigned i = 0; rc == IPR_OK && i < IPR_TIME_CLASSES; i++)
        games += (scope->times & IPR_TIME_BIT(i)) != 0 ? in_class[i] : 0;
    if (rc == IPR_OK && games == 0)
        *reason = ipr_rate_no_games(c, scope);
    return rc;
}

enum ipr_code ipr_strength_of(const struct ipr_view_context *c, const struct ipr_db_scope *scope,
                              bool opponents, struct ipr_figure_rating **rating,
                              struct ipr_figure_moves_and_results **both, struct ipr_err *err)
{
    struct ipr_db_results *results = NULL;
    const char *reason = NULL;
    struct ipr_db_strength sums;
    size_t n = 0;
    const bool by_file = ipr_strength_is_by_file(c);
    enum ipr_code rc = ipr_db_strength_of_scope(c->v->db, scope, by_file ? -1 : 1, &sums, err);

    if (rc == IPR_OK)
        rc = ipr_db_results_of_scope(c->v->db, scope, c->v->mem, &results, &n, err);
    if (rc != IPR_OK)
        return rc;
    const struct ipr_pool *const pool = ipr_setting_pool(c, sums.classes);
    const struct ipr_scale *const scale = by_file ? &pool->files : &pool->moves;
    struct ipr_figure_expectation *prior = opponents
                                               ? strength_prior_of(scale, results, n, c->v->mem)
                                               : strength_prior(scale, c->v->mem);

    *rating = strength_figure(c, scale, &sums, prior);
    *both = by_file ? results_untested(c, &sums)
                    : strength_and_results(c, scale, &sums, results, n, prior);
    rc = ipr_strength_no_games(c, scope, &sums, &reason, err);
    if (reason != NULL)
        (*rating)->figure.group.reason = (*both)->figure.group.reason = reason;
    return rc;
}

struct ipr_figure_rating_short ipr_strength_shorten(const struct ipr_figure_rating *rating)
{
    const struct ipr_figure *figure = &rating->figure;

    return (struct ipr_figure_rating_short){
        .pool = rating->pool,
        .estimate = figure->estimate,
        .standard_error = figure->standard_error,
        .extrapolated = rating->extrapolated,
        .interval = figure->interval,
        .turns = figure->group.basis.turns,
        .games = figure->group.basis.games,
        .reason = figure->group.reason,
    };
}

struct ipr_figure_rating_short ipr_strength_short(const struct ipr_view_context *c,
                                                  const struct ipr_db_strength *sums)
{
    return ipr_strength_shorten(ipr_strength_figure(c, sums));
}

struct ipr_figure_rating *ipr_strength_fuller(const struct ipr_view_context *c,
                                              const struct ipr_db_strength *analysed,
                                              const struct ipr_db_strength *evals, bool *by_file)
{
    struct ipr_figure_rating *const moves = ipr_strength_figure(c, analysed);
    struct ipr_figure_rating *const file =
        evals->information > 0 ? ipr_evals_figure(c, evals) : NULL;

    *by_file = file != NULL &&
               (moves->raw == NULL || (file->raw != NULL && evals->games > analysed->games));
    return *by_file ? file : moves;
}

enum ipr_code ipr_rate_strength(const struct ipr_material *m, struct ipr_figure_ratings *out,
                                struct ipr_err *err)
{
    return ipr_strength_of(m->context, m->scope, m->opponents, &out->rating,
                           &out->moves_and_results, err);
}
