#include "view/prediction/predict.h"

#include <math.h>

#include "base/number.h"
#include "core/both.h"
#include "resource/read.h"
#include "sentence/sentence.h"
#include "view/json.h"

static int int_or(int given, int otherwise)
{
    return given != IPR_PARAM_ABSENT ? given : otherwise;
}

static enum ipr_code refuse_real(const char *name, double got, const char *expected,
                                 struct ipr_err *err)
{
    char text[IPR_NUMBER_TEXT];

    ipr_number_real(got, text);
    return ipr_param_refuse(err, name, text, "%s", expected);
}

/* Parameters that would have no effect. */
static enum ipr_code check_together(const struct ipr_prediction_request *a, struct ipr_err *err)
{
    const bool tanh = a->score == IPR_PREDICTION_SCORE_TANH;
    const bool weighted = a->loss == IPR_PREDICTION_LOSS_WEIGHTED || (tanh && a->loss < 0) ||
                          a->method == IPR_PREDICTION_METHOD_CONFORMANCE ||
                          a->method == IPR_PREDICTION_METHOD_ALL;

    if (isfinite(a->b) && tanh)
        return refuse_real("b", a->b, "only with score=bound", err);
    if (isfinite(a->a) && !tanh)
        return refuse_real("a", a->a, "only with score=tanh", err);
    if (isfinite(a->k1) && !weighted)
        return refuse_real("k1", a->k1, "only with loss=weighted", err);
    if (isfinite(a->k2) && !weighted)
        return refuse_real("k2", a->k2, "only with loss=weighted", err);
    if (a->replicates > 0 && a->replicates < 100)
        return refuse_real("replicates", a->replicates, "0 for no interval, or 100 and more", err);
    return IPR_OK;
}

static enum ipr_code refuse_edges(const struct ipr_param_ints *edges, struct ipr_err *err)
{
    struct ipr_buf list = IPR_BUF_INIT;

    for (size_t i = 0; i < edges->n; i++)
        ipr_buf_printf(&list, "%s%d", i > 0 ? "," : "", (int)edges->v[i]);
    const enum ipr_code rc = ipr_param_refuse(err, "edges", ipr_buf_c(&list),
                                              "at most %d rising numbers", IPR_MARKOV_EDGES);
    ipr_buf_release(&list);
    return rc;
}

static enum ipr_code set_edges(const struct ipr_param_ints *edges, struct ipr_markov_classes *out,
                               struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    int16_t edge[IPR_PARAM_INTS_MAX];

    for (size_t i = 0; i < edges->n; i++)
        edge[i] = (int16_t)edges->v[i];
    if (ipr_markov_classes_make(edge, (unsigned)edges->n, true, true, out, &why) == IPR_OK)
        return IPR_OK;
    return refuse_edges(edges, err);
}

static void set_covariance(const struct ipr_prediction_request *a, struct ipr_predict_params *p)
{
    const struct ipr_conformance_params gains = IPR_CONFORMANCE_INIT;
    const bool tanh = a->score == IPR_PREDICTION_SCORE_TANH;
    struct ipr_covariance_params *c = &p->covariance;

    *c = ipr_covariance_default();
    c->score = tanh ? IPR_COVARIANCE_TANH : IPR_COVARIANCE_BOUND;
    c->n0 = (unsigned)int_or(a->n0, tanh ? 0 : (int)c->n0);
    c->b = ipr_number_or(a->b, c->b);
    c->a = ipr_number_or(a->a, c->a);
    c->replicates = (unsigned)int_or(a->replicates, (int)c->replicates);
    c->seed = (uint64_t)int_or(a->seed, (int)c->seed);
    p->loss = tanh ? IPR_PREDICTION_LOSS_WEIGHTED : IPR_PREDICTION_LOSS_RAW;
    if (a->loss >= 0)
        p->loss = a->loss;
    p->gains = gains;
    p->gains.loss = p->loss == IPR_PREDICTION_LOSS_WEIGHTED ? IPR_LOSS_WEIGHTED : IPR_LOSS_RAW;
    p->gains.k1 = ipr_number_or(a->k1, tanh ? 1.20 : gains.k1);
    p->gains.k2 = ipr_number_or(a->k2, tanh ? -3.41 : gains.k2);
    p->gains.forgetting = ipr_number_or(a->forgetting, 0.0);
}

static enum ipr_code set_markov(const struct ipr_prediction_request *a,
                                struct ipr_predict_params *p, struct ipr_err *err)
{
    struct ipr_markov_params *m = &p->markov;

    *m = ipr_markov_default();
    if (a->classes == IPR_PREDICTION_CLASSES_10)
        m->classes = ipr_markov_classes_10();
    m->empty_row = a->empty_row == IPR_PREDICTION_EMPTY_ROW_IDENTITY ? IPR_EMPTY_ROW_IDENTITY
                                                                     : IPR_EMPTY_ROW_POOL;
    m->separate_colours = a->colors == IPR_PREDICTION_COLORS_SEPARATE;
    m->replicates = (unsigned)int_or(a->replicates, (int)m->replicates);
    m->seed = (uint64_t)int_or(a->seed, (int)m->seed);
    m->forgetting = ipr_number_or(a->forgetting, m->forgetting);
    m->both = ipr_both;
    return a->edges.n > 0 ? set_edges(&a->edges, &m->classes, err) : IPR_OK;
}

enum ipr_code ipr_predict_params_make(const struct ipr_prediction_request *a,
                                      struct ipr_predict_params *out, struct ipr_err *err)
{
    struct ipr_predict_params p = { .asked = *a };
    enum ipr_code rc = check_together(a, err);

    if (rc == IPR_OK)
        rc = set_markov(a, &p, err);
    if (rc != IPR_OK)
        return rc;
    set_covariance(a, &p);
    *out = p;
    return IPR_OK;
}

/* The word of a choice of the resource, by its index. */
static const char *choice_word(const char *param, int at)
{
    const struct ipr_resource *r = ipr_resource_at(IPR_RESOURCE_PREDICTION);

    return ipr_resource_param(r, param)->words[at];
}

/* null: the year alone counts. */
double ipr_predict_forgetting(double forgetting)
{
    return forgetting > 0.0 ? forgetting : INFINITY;
}

struct ipr_figure_params *ipr_predict_params_covariance(const struct ipr_predict_params *p,
                                                        struct ipr_arena *mem)
{
    const struct ipr_covariance_params *c = &p->covariance;
    struct ipr_figure_params *const out = ipr_shape_new(IPR_SHAPE_PARAMS, mem);
    const bool tanh = c->score == IPR_COVARIANCE_TANH;

    out->score = choice_word("score", tanh);
    out->n0 = c->n0;
    if (tanh)
        out->a = c->a;
    else
        out->b = c->b;
    out->loss = choice_word("loss", p->loss);
    out->forgetting = ipr_predict_forgetting(p->gains.forgetting);
    out->replicates = c->replicates;
    out->seed = c->seed;
    if (p->loss == IPR_PREDICTION_LOSS_WEIGHTED) {
        out->k1 = p->gains.k1;
        out->k2 = p->gains.k2;
    }
    return out;
}

struct ipr_figure_params *ipr_predict_params_markov(const struct ipr_predict_params *p,
                                                    struct ipr_arena *mem)
{
    const struct ipr_markov_params *m = &p->markov;
    struct ipr_figure_params *const out = ipr_shape_new(IPR_SHAPE_PARAMS, mem);
    size_t *const edges = ipr_arena_alloc(mem, m->classes.edges + 1, sizeof *edges);

    for (unsigned i = 0; i < m->classes.edges; i++)
        edges[i] = (size_t)m->classes.edge[i];
    out->classes = m->classes.n;
    out->edges.at = edges;
    out->edges.n = m->classes.edges;
    out->zero_class = m->classes.zero_class;
    out->empty_row = choice_word("empty_row", m->empty_row == IPR_EMPTY_ROW_IDENTITY);
    out->colors = choice_word("colors", m->separate_colours);
    out->forgetting = ipr_predict_forgetting(m->forgetting);
    out->replicates = m->replicates;
    out->seed = m->seed;
    return out;
}

/* ---- the pool ---- */

/* The calibration that has it: that of the setting, or else one of the same engine. */
static const struct ipr_calibration_use *pool_of(const struct ipr_view_context *c)
{
    const struct ipr_calibration_use *const of =
        c->calibration != NULL ? c->calibration : c->neighbour;

    return of != NULL && of->pool.n > 0 ? of : NULL;
}

const double *ipr_predict_pool(const struct ipr_view_context *c,
                               const struct ipr_markov_classes *classes, double *counts)
{
    const struct ipr_calibration_use *const of = pool_of(c);

    if (of == NULL)
        return NULL;
    ipr_calibration_pool_count(&of->pool, classes, counts);
    return counts;
}

struct ipr_predict_pool ipr_predict_pool_used(const struct ipr_view_context *c)
{
    const struct ipr_calibration_use *const of = pool_of(c);

    if (of == NULL)
        return (struct ipr_predict_pool){ .reason =
                                              c->calibration == NULL && c->neighbour == NULL
                                                  ? c->reason
                                                  : ipr_say_reason_pool(IPR_REASON_POOL_NONE) };
    return (struct ipr_predict_pool){ c->calibration_name, of->pool.digest,
                                      of == c->neighbour ? of->judge.name : NULL, NULL };
}
