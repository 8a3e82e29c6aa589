/* Predictions by name of the method. */
#include <string.h>

#include "view/prediction/predict.h"
#include "view/rating/rate.h"

static const struct {
    const char *name, *tested;
    ipr_predict_fn *predict;
    size_t at;
    bool turns;     /* whether it uses the turns of the sides */
    bool published; /* by preference those of the setting for methods of many lines */
    bool lines;     /* whether it needs more than two lines */
} methods[] = {
    IPR_PREDICTOR_ROWS,
};

#define METHODS (sizeof methods / sizeof *methods)

static bool method_chosen(const char *method, size_t i)
{
    return strcmp(method, "all") == 0 || strcmp(method, methods[i].name) == 0;
}

static bool method_needs_turns(const char *method)
{
    for (size_t i = 0; i < METHODS; i++)
        if (methods[i].turns && method_chosen(method, i))
            return true;
    return false;
}

enum ipr_code ipr_predict_side_load(const struct ipr_view_context *c, const char *method,
                                    struct ipr_predict_side *s, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    if (c->judge_id && method_needs_turns(method))
        rc = ipr_db_player_transitions(c->v->db, s->who.player, s->who.year, c->judge_id, c->times,
                                       c->v->mem, &s->turns, &s->n, err);
    if (rc == IPR_OK)
        rc = ipr_rate_cached(c, s->who.player, s->who.year, s->row.version,
                             IPR_RATE_IPR | IPR_RATE_ELO, false, &s->rating, err);
    return rc;
}

enum ipr_code ipr_predict_side_open(const struct ipr_view_context *c, struct ipr_view_side who,
                                    const char *method, struct ipr_predict_side *s,
                                    struct ipr_err *err)
{
    const enum ipr_code rc = ipr_predict_side_find(c, who, s, err);

    return rc == IPR_OK ? ipr_predict_side_load(c, method, s, err) : rc;
}

const char *ipr_predict_name(size_t i)
{
    return i < METHODS ? methods[i].name : NULL;
}

const struct ipr_figure_prediction *ipr_predict_tested(const struct ipr_figure_predictions *all,
                                                       const char *tested)
{
    const struct ipr_figure_prediction *found = NULL;

    for (size_t i = 0; i < METHODS; i++)
        if (strcmp(methods[i].tested, tested) == 0)
            memcpy(&found, (const char *)all + methods[i].at, sizeof found);
    return found;
}

static bool side_has_turns(const struct ipr_predict_side *s)
{
    return s->row.counted >= IPR_VIEW_MIN_TURNS;
}

enum ipr_code ipr_predict_by(const struct ipr_predict *p, const char *method,
                             struct ipr_figure_predictions *out, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; rc == IPR_OK && i < METHODS; i++) {
        if (!method_chosen(method, i))
            continue;
        const bool turns =
            p->wide != NULL && side_has_turns(p->wide->white) && side_has_turns(p->wide->black);
        const bool wide = methods[i].lines || (methods[i].published && turns);
        const struct ipr_predict *by = wide && p->wide != NULL ? p->wide : p;
        struct ipr_figure_prediction *one = ipr_shape_new(IPR_SHAPE_PREDICTION, p->context->v->mem);

        rc = methods[i].predict(by, one, err);
        if (rc == IPR_OK)
            rc = ipr_predict_score(p, one, err);
        memcpy((char *)out + methods[i].at, &one, sizeof one);
    }
    if (rc != IPR_OK) /* members held as JSON are released */
        json_decref(ipr_shape_json(IPR_SHAPE_PREDICTIONS, out));
    return rc;
}
