/* Head to head between two player-years: what both are, and every prediction. */
#include <string.h>

#include "view/json.h"
#include "view/prediction/predict.h"

static json_t *side_json(const struct ipr_view_context *c, const struct ipr_predict_side *s)
{
    return json_pack("{s:o, s:o, s:o, s:i, s:O?, s:b, s:O?, s:O?}", "player",
                     ipr_json_player(s->player.id, s->player.name), "year",
                     ipr_json_known(s->who.year), "not_rated", ipr_view_context_unrated(c, &s->row),
                     "turns", (int)s->row.turns, "games", json_object_get(s->rating, "games"),
                     "active", s->row.counted >= IPR_VIEW_ACTIVE_TURNS, "ipr",
                     json_object_get(s->rating, "ipr"), "elo", json_object_get(s->rating, "elo"));
}

static enum ipr_code predict(const struct ipr_predict *p, const char *method, json_t **out,
                             struct ipr_err *err)
{
    const struct ipr_view_context *c = p->context;
    json_t *predictions = NULL;

    const enum ipr_code rc = ipr_predict_by(p, method, &predictions, err);
    if (rc == IPR_OK)
        *out = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "method", method, "judge",
                         ipr_view_context_judge(c), "calibration", ipr_view_context_calibration(c),
                         "time_classes", ipr_view_context_times(c), "white", side_json(c, p->white),
                         "black", side_json(c, p->black), "predictions", predictions);
    return rc;
}

static enum ipr_code unknown_method(const struct ipr_view *v, struct ipr_err *err)
{
    const char *names = "";

    for (size_t i = 0; ipr_predict_name(i); i++)
        names = ipr_arena_printf(v->mem, "%s%s, ", names, ipr_predict_name(i));
    return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "method: one of %sall", names);
}

/**
 * {"method", "judge", "calibration", "time_classes",
 *  "white", "black": {"player", "year", "not_rated", "turns", "games", "active", "ipr", "elo"},
 *  "predictions": {method: view/prediction/predict.h}}
 * "white" is the first player named; both assignments of colours are always given.
 */
enum ipr_code ipr_view_prediction(const struct ipr_view *v, struct ipr_view_side white,
                                  struct ipr_view_side black, const char *method,
                                  const struct ipr_view_options *options, const char *judge,
                                  json_t **out, struct ipr_err *err)
{
    struct ipr_view_context c;
    struct ipr_predict_side w = { .rating = NULL }, b = { .rating = NULL };
    struct ipr_predict p = { .context = &c, .white = &w, .black = &b };

    if (!method || !*method)
        method = "all";
    if (strcmp(method, "all") != 0 && !ipr_predict_knows(method))
        return unknown_method(v, err);
    enum ipr_code rc = ipr_predict_params_read(options, method, &p.params, err);
    if (rc == IPR_OK)
        rc = ipr_view_context_open(v, judge, &c, err);
    if (rc != IPR_OK)
        return rc;
    rc = ipr_predict_side_open(&c, white, &w, err);
    if (rc == IPR_OK)
        rc = ipr_predict_side_open(&c, black, &b, err);
    if (rc == IPR_OK)
        rc = predict(&p, method, out, err);
    ipr_predict_side_close(&w);
    ipr_predict_side_close(&b);
    ipr_view_context_close(&c);
    return rc;
}
