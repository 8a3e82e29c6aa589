/* The rating: strength of the moves, from sums that are stored with each side. */
#include <math.h>

#include "model/strength_shipped.h"
#include "view/rating/rate.h"

#define STRENGTH_CALIBRATION "rating"
#define STRENGTH_UNIT        1e6 /* of the stored sums */
#define SURPRISE_MOVES       30  /* fewer: no comparison */

static const struct ipr_figure_range strength_range = { IPR_STRENGTH_ELO_MIN,
                                                        IPR_STRENGTH_ELO_MAX };

static struct ipr_figure_raw *strength_raw(const struct ipr_strength_estimate *e,
                                           struct ipr_arena *mem)
{
    struct ipr_figure_raw *raw = ipr_shape_new(IPR_SHAPE_RAW, mem);

    raw->estimate = ipr_number_if(ipr_range_holds(strength_range, e->raw), e->raw);
    raw->bound = ipr_range_bound(strength_range, e->raw);
    raw->interval =
        ipr_range_interval(strength_range, (struct ipr_interval){ e->raw_lo, e->raw_hi });
    return raw;
}

static const char *surprise_reason(const struct ipr_db_strength *sums)
{
    if (sums->tagged_moves < sums->moves)
        return "the player's Elo is not in the tags of all these games";
    if (!ipr_range_holds(strength_range, sums->elo))
        return "the player's Elo is beyond the calibrated range";
    return sums->moves < SURPRISE_MOVES ? "30 moves are needed" : NULL;
}

static struct ipr_figure_surprise *strength_surprise(const struct ipr_view *v,
                                                     const struct ipr_db_strength *sums)
{
    struct ipr_figure_surprise *out = ipr_shape_new(IPR_SHAPE_SURPRISE, v->mem);

    out->elo = ipr_number_if(sums->elo > 0, sums->elo);
    out->reason = surprise_reason(sums);
    if (out->reason != NULL)
        return out;
    out->z = ipr_strength_surprise(&ipr_strength_shipped.calibration,
                                   (double)sums->score / STRENGTH_UNIT,
                                   (double)sums->information / STRENGTH_UNIT, sums->elo);
    out->tail = .5 * erfc(fabs(out->z) / sqrt(2.));
    return out;
}

static const char *strength_none(const struct ipr_db_strength *sums)
{
    return sums->judge_id == 0 ? "none of the player's moves has been analysed yet with the engine "
                                 "setting " STRENGTH_CALIBRATION " of " IPR_STRENGTH_ENGINE
                               : "no move of these games counts";
}

struct ipr_figure_rating *ipr_strength_figure(const struct ipr_view_context *c,
                                              const struct ipr_db_strength *sums)
{
    static const struct ipr_window window = {
        .first_move = 9, .limit_cp = 500, .drop_forced = true, .drop_repeated = true
    };
    const struct ipr_strength_shipped *s = &ipr_strength_shipped;
    struct ipr_figure_rating *out = ipr_shape_new(IPR_SHAPE_RATING, c->v->mem);
    struct ipr_view_context own = *c;
    const struct ipr_provenance from = {
        .context = &own,
        .method = IPR_METHOD_STRENGTH,
        .window = &window,
        .turns = (size_t)sums->moves,
        .games = (size_t)sums->games,
        .converged = true,
    };

    own.judge_id = sums->judge_id;
    if (sums->information <= 0) {
        out->figure = ipr_figure_none(&from, strength_none(sums));
        return out;
    }
    const struct ipr_strength_estimate e =
        ipr_strength_of_sums(&s->calibration, (double)sums->score / STRENGTH_UNIT,
                             (double)sums->information / STRENGTH_UNIT, s->prior_mean, s->prior_sd);

    out->figure =
        ipr_figure(ipr_number_if(ipr_range_holds(strength_range, e.mean), e.mean),
                   ipr_number_if(ipr_range_holds(strength_range, e.mean), e.sd),
                   ipr_range_interval(strength_range, (struct ipr_interval){ e.lo, e.hi }), &from);
    out->figure.group.provenance.calibration = STRENGTH_CALIBRATION;
    out->bound = ipr_range_bound(strength_range, e.mean);
    out->raw = strength_raw(&e, c->v->mem);
    out->surprise = strength_surprise(c->v, sums);
    out->prior = ipr_shape_new(IPR_SHAPE_EXPECTATION, c->v->mem);
    *out->prior = (struct ipr_figure_expectation){ s->prior_mean, s->prior_sd };
    out->calibrated_range = strength_range;
    return out;
}

struct ipr_figure_rating_short ipr_strength_short(const struct ipr_view_context *c,
                                                  const struct ipr_db_strength *sums)
{
    const struct ipr_figure_rating *rating = ipr_strength_figure(c, sums);
    const struct ipr_figure *figure = &rating->figure;

    return (struct ipr_figure_rating_short){
        .estimate = figure->estimate,
        .standard_error = figure->standard_error,
        .bound = rating->bound,
        .interval = figure->interval,
        .turns = figure->group.basis.turns,
        .games = figure->group.basis.games,
        .reason = figure->group.reason,
    };
}

enum ipr_code ipr_rate_strength(const struct ipr_material *m, struct ipr_figure_ratings *out,
                                struct ipr_err *err)
{
    struct ipr_db_strength sums;
    const enum ipr_code rc = ipr_db_strength_of_scope(m->context->v->db, m->scope, &sums, err);

    if (rc == IPR_OK)
        out->rating = ipr_strength_figure(m->context, &sums);
    return rc;
}
