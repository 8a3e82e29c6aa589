/* The rating: strength of the moves, from sums that are stored with each side. */
#include <math.h>

#include "model/strength_shipped.h"
#include "view/rating/rate.h"

#define STRENGTH_CALIBRATION "rating"
#define STRENGTH_UNIT        1e6 /* of the stored sums */
#define SURPRISE_MOVES       30  /* fewer: no comparison */

static bool strength_inside(double elo)
{
    return elo >= IPR_STRENGTH_ELO_MIN && elo <= IPR_STRENGTH_ELO_MAX;
}

/* An estimate beyond the calibrated range is a bound. */
static struct ipr_interval strength_bound(double elo)
{
    return (struct ipr_interval){ elo > IPR_STRENGTH_ELO_MAX ? IPR_STRENGTH_ELO_MAX : NAN,
                                  elo < IPR_STRENGTH_ELO_MIN ? IPR_STRENGTH_ELO_MIN : NAN };
}

/* An end beyond the range is open; what is wholly beyond it begins where the range ends. */
static struct ipr_interval strength_interval(double lo, double hi)
{
    return (struct ipr_interval){
        lo < IPR_STRENGTH_ELO_MIN ? NAN : fmin(lo, IPR_STRENGTH_ELO_MAX),
        hi > IPR_STRENGTH_ELO_MAX ? NAN : fmax(hi, IPR_STRENGTH_ELO_MIN),
    };
}

static struct ipr_figure_raw *strength_raw(const struct ipr_strength_estimate *e,
                                           struct ipr_arena *mem)
{
    struct ipr_figure_raw *raw = ipr_shape_new(IPR_SHAPE_RAW, mem);

    raw->estimate = ipr_number_if(strength_inside(e->raw), e->raw);
    raw->bound = strength_bound(e->raw);
    raw->interval = strength_interval(e->raw_lo, e->raw_hi);
    return raw;
}

static const char *surprise_reason(const struct ipr_db_strength *sums)
{
    if (sums->tagged_moves < sums->moves)
        return "the player's Elo is not in the tags of all these games";
    if (!strength_inside(sums->elo))
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

    out->figure = ipr_figure(ipr_number_if(strength_inside(e.mean), e.mean),
                             ipr_number_if(strength_inside(e.mean), e.sd),
                             strength_interval(e.lo, e.hi), &from);
    out->figure.group.provenance.calibration = STRENGTH_CALIBRATION;
    out->bound = strength_bound(e.mean);
    out->raw = strength_raw(&e, c->v->mem);
    out->surprise = strength_surprise(c->v, sums);
    out->prior = ipr_shape_new(IPR_SHAPE_EXPECTATION, c->v->mem);
    *out->prior = (struct ipr_figure_expectation){ s->prior_mean, s->prior_sd };
    out->calibrated_range = (struct ipr_figure_range){ IPR_STRENGTH_ELO_MIN, IPR_STRENGTH_ELO_MAX };
    return out;
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
