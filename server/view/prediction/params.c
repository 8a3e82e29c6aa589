#include "view/prediction/params.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "view/json.h"

enum { CONFORMANCE = 1, COVARIANCE = 2, MARKOV = 4 };

/* As asked for; NaN and -1: not. */
struct asked {
    double alpha, beta, k1, k2, n0, b, a, replicates, seed;
    int score, loss, classes, empty_row, colours, matrices;
    const char *edges;
};

static const struct number {
    const char *name;
    unsigned of; /* methods */
    double lo, hi;
    bool whole;
    size_t at;
} numbers[] = {
    { "alpha", CONFORMANCE, -1.0, 1.0, false, offsetof(struct asked, alpha) },
    { "beta", CONFORMANCE, 0.001, 1000.0, false, offsetof(struct asked, beta) },
    { "k1", CONFORMANCE | COVARIANCE, 0.01, 100.0, false, offsetof(struct asked, k1) },
    { "k2", CONFORMANCE | COVARIANCE, -100.0, -0.01, false, offsetof(struct asked, k2) },
    { "n0", COVARIANCE, 0.0, IPR_COVARIANCE_N0_MAX, true, offsetof(struct asked, n0) },
    { "b", COVARIANCE, 0.0, 1000.0, false, offsetof(struct asked, b) },
    { "a", COVARIANCE, 0.001, 1000.0, false, offsetof(struct asked, a) },
    { "replicates", COVARIANCE | MARKOV, 0.0, IPR_PREDICT_REPLICATES_MAX, true,
      offsetof(struct asked, replicates) },
    { "seed", COVARIANCE | MARKOV, 0.0, INT32_MAX, true, offsetof(struct asked, seed) },
};

/* Their places are the numbers of the enums. */
static const char *const scores[] = { "bound", "tanh", NULL };
static const char *const losses[] = { "raw", "guid_bratko", "ponderated", NULL };
static const char *const sets[] = { "19", "10", NULL };
static const char *const fillings[] = { "pool", "identity", NULL };
static const char *const colours[] = { "together", "separate", NULL };
static const char *const booleans[] = { "false", "true", NULL };

static const struct choice {
    const char *name;
    unsigned of;
    const char *const *words;
    const char *want;
    size_t at;
} choices[] = {
    { "score", COVARIANCE, scores, "bound or tanh", offsetof(struct asked, score) },
    { "loss", COVARIANCE, losses, "raw, guid_bratko or ponderated", offsetof(struct asked, loss) },
    { "classes", MARKOV, sets, "19 or 10", offsetof(struct asked, classes) },
    { "empty_row", MARKOV, fillings, "pool or identity", offsetof(struct asked, empty_row) },
    { "colours", MARKOV, colours, "together or separate", offsetof(struct asked, colours) },
    { "matrices", MARKOV, booleans, "true or false", offsetof(struct asked, matrices) },
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static unsigned methods_of(const char *method)
{
    static const struct {
        const char *name;
        unsigned bit;
    } known[] = { { "all", ~0U },
                  { "conformance", CONFORMANCE },
                  { "covariance", COVARIANCE },
                  { "markov", MARKOV } };

    for (size_t i = 0; i < COUNT(known); i++)
        if (strcmp(known[i].name, method) == 0)
            return known[i].bit;
    return 0;
}

/** Value of a parameter, NULL when it is not given; IPR_EPARSE for one of another method. */
static enum ipr_code given(const struct ipr_view_options *o, const char *name, unsigned of,
                           const char *method, const char **out, struct ipr_err *err)
{
    *out = o ? o->value(o->of, name) : NULL;
    if (*out && !(of & methods_of(method)))
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                          "%s: not a parameter of the method \"%s\"", name, method);
    return IPR_OK;
}

static enum ipr_code read_number(const struct ipr_view_options *o, const struct number *n,
                                 const char *method, struct asked *out, struct ipr_err *err)
{
    double *to = (double *)((char *)out + n->at);
    const char *text;

    const enum ipr_code rc = given(o, n->name, n->of, method, &text, err);
    *to = NAN;
    if (rc != IPR_OK || !text)
        return rc;
    if (!ipr_str_double(ipr_str_c(text), n->lo, n->hi, to) || (n->whole && *to != floor(*to)))
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                          "%s: a %s from %.10g to %.10g", n->name,
                          n->whole ? "whole number" : "number", n->lo, n->hi);
    return IPR_OK;
}

static enum ipr_code read_choice(const struct ipr_view_options *o, const struct choice *c,
                                 const char *method, struct asked *out, struct ipr_err *err)
{
    int *to = (int *)((char *)out + c->at);
    const char *text;

    const enum ipr_code rc = given(o, c->name, c->of, method, &text, err);
    *to = -1;
    if (rc != IPR_OK || !text)
        return rc;
    for (int i = 0; c->words[i]; i++)
        if (strcmp(c->words[i], text) == 0)
            *to = i;
    if (*to >= 0)
        return IPR_OK;
    return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "%s: %s", c->name, c->want);
}

static enum ipr_code read_all(const struct ipr_view_options *o, const char *method,
                              struct asked *out, struct ipr_err *err)
{
    enum ipr_code rc = given(o, "edges", MARKOV, method, &out->edges, err);

    for (size_t i = 0; rc == IPR_OK && i < COUNT(numbers); i++)
        rc = read_number(o, &numbers[i], method, out, err);
    for (size_t i = 0; rc == IPR_OK && i < COUNT(choices); i++)
        rc = read_choice(o, &choices[i], method, out, err);
    return rc;
}

/** Parameters that would be without effect, or contradict each other. */
static enum ipr_code check_together(const struct asked *a, const char *method, struct ipr_err *err)
{
    const bool tanh = a->score == IPR_COVARIANCE_TANH;
    const bool ponderated = a->loss == IPR_PREDICT_LOSS_PONDERATED || (tanh && a->loss < 0) ||
                            methods_of(method) & CONFORMANCE;
    const char *wrong = NULL;

    if (a->edges && a->classes >= 0)
        wrong = "edges: either these or classes";
    else if (isfinite(a->b) && tanh)
        wrong = "b: only with score=bound";
    else if (isfinite(a->a) && !tanh)
        wrong = "a: only with score=tanh";
    else if ((isfinite(a->k1) || isfinite(a->k2)) && !ponderated)
        wrong = isfinite(a->k1) ? "k1: only with loss=ponderated" : "k2: only with loss=ponderated";
    else if (a->replicates > 0.0 && a->replicates < 100.0)
        wrong = "replicates: 0 for no interval, or 100 and more";
    if (wrong)
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "%s", wrong);
    return IPR_OK;
}

/** "10,22,38" */
static enum ipr_code read_edges(const char *text, struct ipr_markov_classes *out,
                                struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    int16_t edge[IPR_MARKOV_EDGES + 1];
    unsigned n = 0;

    for (const char *p = text;; p++) {
        const struct ipr_str one = { p, strcspn(p, ",") };
        int64_t cp;
        if (!ipr_str_int(one, 1, IPR_CP_LIMIT - 1, &cp))
            return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                              "edges: centipawns from 1 to %d between commas, as in edges=10,22,38",
                              IPR_CP_LIMIT - 1);
        edge[n++] = (int16_t)cp;
        p += one.n;
        if (!*p || n > IPR_MARKOV_EDGES) /* more than there may be, and refused below */
            break;
    }
    if (ipr_markov_classes_make(edge, n, true, true, out, &why) == IPR_OK)
        return IPR_OK;
    return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "edges: %.200s", why.msg);
}

static double or_else(double asked, double otherwise)
{
    return isfinite(asked) ? asked : otherwise;
}

static void set_covariance(const struct asked *a, struct ipr_predict_params *p)
{
    const struct ipr_conformance_params gains = IPR_CONFORMANCE_INIT;
    const bool tanh = a->score == IPR_COVARIANCE_TANH;
    struct ipr_covariance_params *c = &p->covariance;

    *c = ipr_covariance_default();
    c->score = tanh ? IPR_COVARIANCE_TANH : IPR_COVARIANCE_BOUND;
    c->n0 = (unsigned)or_else(a->n0, tanh ? 0.0 : c->n0);
    c->b = or_else(a->b, c->b);
    c->a = or_else(a->a, c->a);
    c->replicates = (unsigned)or_else(a->replicates, c->replicates);
    c->seed = (uint64_t)or_else(a->seed, (double)c->seed);
    p->loss = a->loss >= 0 ? (enum ipr_predict_loss)a->loss
              : tanh       ? IPR_PREDICT_LOSS_PONDERATED
                           : IPR_PREDICT_LOSS_RAW;
    p->gains = gains;
    p->gains.loss = p->loss == IPR_PREDICT_LOSS_PONDERATED ? IPR_LOSS_WEIGHTED : IPR_LOSS_RAW;
    p->gains.k1 = or_else(a->k1, tanh ? 1.20 : gains.k1);
    p->gains.k2 = or_else(a->k2, tanh ? -3.41 : gains.k2);
}

static enum ipr_code set_markov(const struct asked *a, struct ipr_predict_params *p,
                                struct ipr_err *err)
{
    struct ipr_markov_params *m = &p->markov;

    *m = ipr_markov_default();
    if (a->classes == 1)
        m->classes = ipr_markov_classes_10();
    m->empty_row = a->empty_row == 1 ? IPR_EMPTY_ROW_IDENTITY : IPR_EMPTY_ROW_POOL;
    m->separate_colours = a->colours == 1;
    m->replicates = (unsigned)or_else(a->replicates, m->replicates);
    m->seed = (uint64_t)or_else(a->seed, (double)m->seed);
    p->matrices = a->matrices == 1;
    return a->edges ? read_edges(a->edges, &m->classes, err) : IPR_OK;
}

enum ipr_code ipr_predict_params_read(const struct ipr_view_options *options, const char *method,
                                      struct ipr_predict_params *out, struct ipr_err *err)
{
    struct ipr_predict_params p = { .conformance = ipr_acs_default() };
    struct asked a;

    enum ipr_code rc = read_all(options, method, &a, err);
    if (rc == IPR_OK)
        rc = check_together(&a, method, err);
    if (rc == IPR_OK)
        rc = set_markov(&a, &p, err);
    if (rc != IPR_OK)
        return rc;
    p.conformance.alpha = or_else(a.alpha, p.conformance.alpha);
    p.conformance.beta = or_else(a.beta, p.conformance.beta);
    p.conformance.loss.k1 = or_else(a.k1, p.conformance.loss.k1);
    p.conformance.loss.k2 = or_else(a.k2, p.conformance.loss.k2);
    set_covariance(&a, &p);
    *out = p;
    return IPR_OK;
}

/* Earlier years weigh this, for each year that they are earlier. */
#define FORGETTING 0.5

static json_t *with_k(json_t *out, const struct ipr_conformance_params *loss)
{
    json_object_set_new(out, "k1", ipr_json_num(loss->k1));
    json_object_set_new(out, "k2", ipr_json_num(loss->k2));
    return out;
}

json_t *ipr_predict_params_conformance(const struct ipr_predict_params *p)
{
    const struct ipr_acs_params *c = &p->conformance;

    return with_k(json_pack("{s:s, s:o, s:o, s:o, s:f}", "loss", "ponderated", "threshold",
                            ipr_json_num(c->threshold), "alpha", ipr_json_num(c->alpha), "beta",
                            ipr_json_num(c->beta), "forgetting", FORGETTING),
                  &c->loss);
}

json_t *ipr_predict_params_covariance(const struct ipr_predict_params *p)
{
    const struct ipr_covariance_params *c = &p->covariance;
    const bool tanh = c->score == IPR_COVARIANCE_TANH;
    json_t *out = json_pack("{s:s, s:i, s:o, s:s, s:n, s:i, s:I}", "score", scores[c->score], "n0",
                            (int)c->n0, tanh ? "a" : "b", ipr_json_num(tanh ? c->a : c->b), "loss",
                            losses[p->loss], "forgetting", "replicates", (int)c->replicates, "seed",
                            (json_int_t)c->seed);

    return p->loss == IPR_PREDICT_LOSS_PONDERATED ? with_k(out, &p->gains) : out;
}

json_t *ipr_predict_params_markov(const struct ipr_predict_params *p)
{
    const struct ipr_markov_params *m = &p->markov;
    json_t *edges = json_array();

    for (unsigned i = 0; i < m->classes.edges; i++)
        json_array_append_new(edges, json_integer(m->classes.edge[i]));
    return json_pack("{s:i, s:o, s:b, s:s, s:s, s:f, s:i, s:I}", "classes", (int)m->classes.n,
                     "edges", edges, "zero_class", m->classes.zero_class, "empty_row",
                     fillings[m->empty_row], "colours", colours[m->separate_colours], "forgetting",
                     FORGETTING, "replicates", (int)m->replicates, "seed", (json_int_t)m->seed);
}
