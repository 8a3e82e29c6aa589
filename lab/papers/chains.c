/* Figures of the Markov chain of a game between two player-years. */
#include <math.h>
#include <string.h>

#include "lab/papers/figure.h"
#include "view/json.h"
#include "view/prediction/predict.h"

static enum ipr_code chain_side(struct ipr_paper_figure *f, const json_t *def,
                                struct ipr_predict_side *side, struct ipr_err *err)
{
    const char *name = ipr_json_text_at(def, "name");
    const int year = (int)ipr_json_at(def, "year", 0.0);
    struct ipr_err why = IPR_ERR_INIT;
    int32_t id;

    enum ipr_code rc = ipr_paper_find_person(f->context, f->paper, name, &id, err);
    if (rc != IPR_OK)
        return rc;
    rc = id == 0 ? IPR_ENOTFOUND
                 : ipr_predict_side_open(f->context, (struct ipr_view_side){ id, year }, "markov",
                                         side, &why);
    if (rc == IPR_ENOTFOUND)
        f->reason =
            ipr_arena_printf(f->context->v->mem, "no games of %s in %d are stored", name, year);
    else if (rc != IPR_OK)
        return ipr_err_at(err, rc, why.type, 0, 0, -1, "%s", why.msg);
    return IPR_OK;
}

static enum ipr_code chain_predict(struct ipr_paper_figure *f, struct ipr_predict *p,
                                   struct ipr_figure_prediction **out, struct ipr_err *err)
{
    struct ipr_prediction_request given = IPR_PREDICTION_REQUEST_INIT;
    struct ipr_figure_predictions figures = { NULL };

    given.classes = ipr_json_at(f->def, "classes", 19.0) < 19.0 ? IPR_PREDICTION_CLASSES_10
                                                                : IPR_PREDICTION_CLASSES_19;
    given.replicates = 0;
    given.matrices = true;
    enum ipr_code rc = ipr_predict_params_make(&given, &p->params, err);
    if (rc == IPR_OK)
        rc = ipr_predict_by(p, "markov", &figures, err);
    if (rc != IPR_OK)
        return rc;
    *out = figures.markov;
    if (figures.markov->matrices == NULL)
        f->reason = figures.markov->reason;
    if (figures.markov->turns != NULL)
        f->turns = figures.markov->turns->white + figures.markov->turns->black;
    if (figures.markov->games != NULL)
        f->games = figures.markov->games->white + figures.markov->games->black;
    return rc;
}

/* The prediction with its matrices; NULL: there is none, for the reason of the figure. */
static enum ipr_code chain_make(struct ipr_paper_figure *f, const struct ipr_figure_chain **out,
                                struct ipr_err *err)
{
    const json_t *players = json_object_get(f->def, "players");
    struct ipr_figure_prediction *prediction = NULL;
    struct ipr_predict_side *side = ipr_arena_alloc(f->context->v->mem, 2, sizeof *side);
    struct ipr_predict p = { .context = f->context, .white = &side[0], .black = &side[1] };
    enum ipr_code rc = IPR_OK;

    *out = NULL;
    for (size_t i = 0; i < 2 && rc == IPR_OK && f->reason == NULL; i++)
        rc = chain_side(f, json_array_get(players, i), &side[i], err);
    if (rc == IPR_OK && f->reason == NULL)
        rc = chain_predict(f, &p, &prediction, err);
    if (rc == IPR_OK && prediction != NULL && prediction->matrices != NULL)
        *out = &prediction->matrices->as_white;
    return rc;
}

/* The middle of a class in pawns, or its number. */
static double chain_class(const struct ipr_paper_figure *f, size_t i)
{
    return ipr_json_at(f->def, "first", 0.0) + ipr_json_at(f->def, "step", 1.0) * (double)i;
}

enum ipr_code ipr_paper_matrix(struct ipr_paper_figure *f, struct ipr_err *err)
{
    const char *which = ipr_json_text_at(f->def, "matrix");
    const struct ipr_figure_chain *chain;

    const enum ipr_code rc = chain_make(f, &chain, err);
    if (rc != IPR_OK || chain == NULL)
        return rc;
    const double *m = chain->product.at;
    if (strcmp(which, "white") == 0)
        m = chain->white.at;
    else if (strcmp(which, "black") == 0)
        m = chain->black.at;
    const size_t n = chain->stationary.n;
    json_t *points = ipr_paper_add_series(f, ipr_json_text_at(f->def, "series"), NULL);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            ipr_paper_add_cell(points, chain_class(f, k), chain_class(f, i), m[i * n + k]);
    return rc;
}

/* White wins in the last class, Black in the first. */
enum ipr_code ipr_paper_stationary(struct ipr_paper_figure *f, struct ipr_err *err)
{
    const struct ipr_interval unknown = { NAN, NAN };
    const struct ipr_figure_chain *chain;

    const enum ipr_code rc = chain_make(f, &chain, err);
    if (rc != IPR_OK || chain == NULL)
        return rc;
    const double *pi = chain->stationary.at;
    const size_t n = chain->stationary.n;
    json_t *points = ipr_paper_add_series(f, ipr_json_text_at(f->def, "series"), NULL);
    for (size_t i = 0; i < n; i++)
        ipr_paper_add_point(points, chain_class(f, i), pi[i], unknown, 0);
    ipr_paper_add_constant(f, "White wins", pi[n - 1], unknown);
    ipr_paper_add_constant(f, "draw", 1.0 - pi[0] - pi[n - 1], unknown);
    ipr_paper_add_constant(f, "Black wins", pi[0], unknown);
    return rc;
}
