#include "view/prediction/predict.h"

#include <math.h>

#include "base/number.h"
#include "core/both.h"
#include "resource/read.h"
#include "view/json.h"

static double or_else(double given, double otherwise)
{
    return isfinite(given) ? given : otherwise;
}

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
        ipr_buf_printf(&list, "%s%d", i > 0 ? "," : "", edges->v[i]);
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
    c->b = or_else(a->b, c->b);
    c->a = or_else(a->a, c->a);
    c->replicates = (unsigned)int_or(a->replicates, (int)c->replicates);
    c->seed = (uint64_t)int_or(a->seed, (int)c->seed);
    p->loss = tanh ? IPR_PREDICTION_LOSS_WEIGHTED : IPR_PREDICTION_LOSS_RAW;
    if (a->loss >= 0)
        p->loss = a->loss;
    p->gains = gains;
    p->gains.loss = p->loss == IPR_PREDICTION_LOSS_WEIGHTED ? IPR_LOSS_WEIGHTED : IPR_LOSS_RAW;
    p->gains.k1 = or_else(a->k1, tanh ? 1.20 : gains.k1);
    p->gains.k2 = or_else(a->k2, tanh ? -3.41 : gains.k2);
    p->gains.forgetting = or_else(a->forgetting, 0.0);
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
    m->forgetting = or_else(a->forgetting, m->forgetting);
    m->both = ipr_both;
    p->matrices = a->matrices;
    return a->edges.n > 0 ? set_edges(&a->edges, &m->classes, err) : IPR_OK;
}

enum ipr_code ipr_predict_params_make(const struct ipr_prediction_request *a,
                                      struct ipr_predict_params *out, struct ipr_err *err)
{
    struct ipr_predict_params p = { .conformance = ipr_acs_default() };
    enum ipr_code rc = check_together(a, err);

    if (rc == IPR_OK)
        rc = set_markov(a, &p, err);
    if (rc != IPR_OK)
        return rc;
    p.conformance.alpha = or_else(a->alpha, p.conformance.alpha);
    p.conformance.beta = or_else(a->beta, p.conformance.beta);
    p.conformance.loss.k1 = or_else(a->k1, p.conformance.loss.k1);
    p.conformance.loss.k2 = or_else(a->k2, p.conformance.loss.k2);
    p.conformance.loss.forgetting = or_else(a->forgetting, p.conformance.loss.forgetting);
    p.rating_forgetting = or_else(a->forgetting, IPR_FORGETTING);
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
static json_t *forgetting_json(double forgetting)
{
    return ipr_json_num(ipr_number_if(forgetting > 0.0, forgetting));
}

static json_t *with_k(json_t *out, const struct ipr_conformance_params *loss)
{
    json_object_set_new(out, "k1", ipr_json_num(loss->k1));
    json_object_set_new(out, "k2", ipr_json_num(loss->k2));
    return out;
}

json_t *ipr_predict_params_conformance(const struct ipr_predict_params *p)
{
    const struct ipr_acs_params *c = &p->conformance;

    return with_k(json_pack("{s:s, s:o, s:o, s:o, s:o}", "loss", "weighted", "threshold",
                            ipr_json_num(c->threshold), "alpha", ipr_json_num(c->alpha), "beta",
                            ipr_json_num(c->beta), "forgetting",
                            forgetting_json(c->loss.forgetting)),
                  &c->loss);
}

json_t *ipr_predict_params_covariance(const struct ipr_predict_params *p)
{
    const struct ipr_covariance_params *c = &p->covariance;
    const bool tanh = c->score == IPR_COVARIANCE_TANH;
    json_t *out =
        json_pack("{s:s, s:i, s:o, s:s, s:o, s:i, s:I}", "score", choice_word("score", tanh), "n0",
                  (int)c->n0, tanh ? "a" : "b", ipr_json_num(tanh ? c->a : c->b), "loss",
                  choice_word("loss", p->loss), "forgetting", forgetting_json(p->gains.forgetting),
                  "replicates", (int)c->replicates, "seed", (json_int_t)c->seed);

    return p->loss == IPR_PREDICTION_LOSS_WEIGHTED ? with_k(out, &p->gains) : out;
}

json_t *ipr_predict_params_markov(const struct ipr_predict_params *p)
{
    const struct ipr_markov_params *m = &p->markov;
    json_t *edges = json_array();

    for (unsigned i = 0; i < m->classes.edges; i++)
        json_array_append_new(edges, json_integer(m->classes.edge[i]));
    return json_pack("{s:i, s:o, s:b, s:s, s:s, s:o, s:i, s:I}", "classes", (int)m->classes.n,
                     "edges", edges, "zero_class", m->classes.zero_class, "empty_row",
                     choice_word("empty_row", m->empty_row == IPR_EMPTY_ROW_IDENTITY), "colors",
                     choice_word("colors", m->separate_colours), "forgetting",
                     forgetting_json(m->forgetting), "replicates", (int)m->replicates, "seed",
                     (json_int_t)m->seed);
}

json_t *ipr_predict_params_rating(const struct ipr_predict_params *p)
{
    return json_pack("{s:i, s:o}", "scale", 400, "forgetting",
                     forgetting_json(p->rating_forgetting));
}

/* ---- the pool ---- */

static bool pool_known(const struct ipr_view_context *c)
{
    return c->calibration != NULL && c->calibration->pool.n > 0;
}

const double *ipr_predict_pool(const struct ipr_view_context *c,
                               const struct ipr_markov_classes *classes, double *counts)
{
    if (!pool_known(c))
        return NULL;
    ipr_calibration_pool_count(&c->calibration->pool, classes, counts);
    return counts;
}

void ipr_predict_pool_json(const struct ipr_view_context *c, json_t *out)
{
    const bool known = pool_known(c);

    json_object_set_new(out, "pool", known ? json_string(c->calibration->name) : json_null());
    json_object_set_new(out, "pool_digest",
                        known ? json_string(c->calibration->pool.digest) : json_null());
    if (!known)
        json_object_set_new(out, "pool_reason",
                            ipr_json_text(c->calibration == NULL
                                              ? c->reason
                                              : "the calibration has no pool of transitions"));
}
