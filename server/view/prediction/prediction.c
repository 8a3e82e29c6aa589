/* Head to head between two player-years: both sides, and every prediction. */
#include <string.h>

#include "view/json.h"
#include "view/prediction/predict.h"

static void head_side(const struct ipr_view_context *c, const struct ipr_predict_side *s,
                      struct ipr_figure_side *out)
{
    out->player = (struct ipr_figure_named){ (size_t)s->player.id, s->player.name };
    out->year = s->who.year ? (size_t)s->who.year : IPR_UNKNOWN;
    out->not_rated = ipr_view_context_unrated(c, &s->row);
    out->turns = (size_t)s->row.turns;
    out->games = s->rating->games;
    out->active = s->row.counted >= IPR_VIEW_ACTIVE_TURNS;
    out->ipr = s->rating->ipr;
    out->elo = s->rating->elo;
}

static enum ipr_code head_answer(const struct ipr_predict *p, const char *method, json_t *out,
                                 struct ipr_err *err)
{
    const struct ipr_view_context *c = p->context;
    struct ipr_figure_head_to_head answer;

    ipr_shape_blank(IPR_SHAPE_HEAD_TO_HEAD, &answer);
    const enum ipr_code rc = ipr_predict_by(p, method, &answer.predictions, err);
    if (rc != IPR_OK)
        return rc;
    answer.method = method;
    answer.judge = ipr_view_context_judge(c);
    answer.calibration = ipr_view_context_calibration(c);
    answer.time_classes = ipr_view_context_times(c);
    head_side(c, p->white, &answer.white);
    head_side(c, p->black, &answer.black);
    json_object_update_new(out, ipr_shape_json(IPR_SHAPE_HEAD_TO_HEAD, &answer));
    return IPR_OK;
}

/* "white" is the first player named; both assignments of colours are always given. */
enum ipr_code ipr_fill_prediction(const struct ipr_view_context *c,
                                  const struct ipr_prediction_request *p, json_t *out,
                                  struct ipr_err *err)
{
    const char *method = ipr_params_text(ipr_resource_at(IPR_RESOURCE_PREDICTION), p, "method");
    const struct ipr_view_side white = { p->white.player, p->white.year };
    const struct ipr_view_side black = { p->black.player, p->black.year };
    struct ipr_predict_side w, b;
    struct ipr_predict of = { .context = c, .white = &w, .black = &b };

    enum ipr_code rc = ipr_predict_params_make(p, &of.params, err);
    if (rc == IPR_OK)
        rc = ipr_predict_side_open(c, white, method, &w, err);
    if (rc == IPR_OK)
        rc = ipr_predict_side_open(c, black, method, &b, err);
    return rc == IPR_OK ? head_answer(&of, method, out, err) : rc;
}
