/* Head to head between two player-years: what both are, and every prediction. */
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

static enum ipr_code head_answer(const struct ipr_predict *p, const char *method, json_t **out,
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
    *out = ipr_shape_json(IPR_SHAPE_HEAD_TO_HEAD, &answer);
    return IPR_OK;
}

/* Shape "head_to_head". "white" is the first player named; both assignments of colours are always
 * given. */
enum ipr_code ipr_view_prediction(const struct ipr_view *v,
                                  const struct ipr_prediction_request *asked, json_t **out,
                                  struct ipr_err *err)
{
    struct ipr_predict_side w, b;
    struct ipr_view_context c;
    struct ipr_predict p = { .context = &c, .white = &w, .black = &b };
    const char *method = ipr_resource_param(ipr_resource_at(IPR_RESOURCE_PREDICTION), "method")
                             ->words[asked->method];

    enum ipr_code rc = ipr_predict_params_make(asked, &p.params, err);
    if (rc == IPR_OK)
        rc = ipr_view_context_open(v, asked->judge, &c, err);
    if (rc != IPR_OK)
        return rc;
    rc = ipr_predict_side_open(&c, (struct ipr_view_side){ asked->white.player, asked->white.year },
                               method, &w, err);
    if (rc == IPR_OK)
        rc = ipr_predict_side_open(
            &c, (struct ipr_view_side){ asked->black.player, asked->black.year }, method, &b, err);
    if (rc == IPR_OK)
        rc = head_answer(&p, method, out, err);
    ipr_view_context_close(&c);
    return rc;
}
