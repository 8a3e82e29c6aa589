/* Requests for reports: stored answers, and jobs for missing ones. */
#include "view/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/reports.h"
#include "resource/write.h"
#include "sentence/sentence.h"
#include "view/document.h"
#include "view/figure/figure.h"
#include "view/json.h"
#include "view/report/finding.h"

/* ---- kinds ---- */

static const struct ipr_report_kind *const kinds[] = {
    &ipr_report_royale,     &ipr_report_comparisons, &ipr_report_conformance,
    &ipr_report_complexity, &ipr_report_covariance,  &ipr_report_score_curve,
};

#define REPORT_KINDS (sizeof kinds / sizeof(struct ipr_report_kind *))

const struct ipr_report_kind *ipr_report_kind(const char *name)
{
    for (size_t i = 0; i < REPORT_KINDS; i++)
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

int ipr_report_version(const struct ipr_report_kind *kind)
{
    return (int)(((unsigned)ipr_method_versions() + (unsigned)kind->version) & INT32_MAX);
}

static const struct ipr_resource *report_resource(const struct ipr_report_kind *kind)
{
    return ipr_resource_named(kind->name);
}

/* True if any of its figures is read off one: then it can be requested. */
static bool report_has_calibration(const struct ipr_report_kind *kind)
{
    return ipr_resource_param(report_resource(kind), "calibration") != NULL;
}

const char *ipr_report_calibration(const struct ipr_view_context *c,
                                   const struct ipr_report_kind *kind)
{
    return c->calibration != NULL && report_has_calibration(kind) ? c->calibration_digest : "";
}

static void report_basis(const struct ipr_view_context *c, const struct ipr_report_kind *kind,
                         struct ipr_answer_basis_of_figures *out)
{
    ipr_view_context_basis(c, out);
    if (!report_has_calibration(kind))
        out->calibration = NULL;
}

void ipr_report_add_provenance(const struct ipr_view_context *c, const struct ipr_report_kind *kind,
                               json_t *params, json_t *out)
{
    struct ipr_answer_basis_of_figures basis;

    report_basis(c, kind, &basis);
    json_object_update_new(out, ipr_shape_json(IPR_SHAPE_BASIS_OF_FIGURES, &basis));
    json_object_set(out, "params", params);
}

/* ---- their parameters, as the key their answers are stored by ---- */

json_t *ipr_report_params_default(const struct ipr_report_kind *kind)
{
    const struct ipr_resource *r = report_resource(kind);

    return ipr_params_json(r, r->init, NULL);
}

static bool report_params_are_default(const struct ipr_report_kind *kind, const json_t *params)
{
    json_t *defaults = ipr_report_params_default(kind);
    const bool same = json_equal(params, defaults);

    json_decref(defaults);
    return same;
}

/* The same text for the same values: part of the key of an answer. */
static const char *report_params_text(const json_t *params, struct ipr_arena *mem)
{
    char *text = json_dumps(params, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(12));
    const char *out = ipr_arena_strndup(mem, text, strlen(text));

    free(text);
    return out;
}

/* ---- asking ---- */

/* One that was requested. */
struct ask {
    const struct ipr_view_context *context;
    const struct ipr_report_kind *kind;
    json_t *params;
    struct ipr_db_report_key key;
    int64_t data; /* at present */
    bool look;    /* queue nothing */
    bool chosen;  /* the judge was requested */
};

static bool report_is_current(const struct ask *a, const struct ipr_db_report *r)
{
    return r->answered && r->data == a->data && r->version == ipr_report_version(a->kind) &&
           strcmp(r->calibration, ipr_report_calibration(a->context, a->kind)) == 0;
}

static const char *report_state_text(enum ipr_db_report_state state)
{
    switch (state) {
    case IPR_REPORT_WANTED:
    case IPR_REPORT_RUNNING:
        return "computing";
    case IPR_REPORT_KEPT:
        return "kept";
    case IPR_REPORT_FAILED:
        break;
    }
    return "failed";
}

static struct ipr_answer_report_state
report_state(const struct ask *a, const struct ipr_db_report *r, const char *reason)
{
    struct ipr_answer_report_state out = {
        .kind = a->kind->name,
        .state = report_state_text(r->state),
        .current = report_is_current(a, r),
        .data = IPR_NO_COUNT,
        .seconds = NAN,
        .took = NAN,
        .version = IPR_NO_COUNT,
        .reason = reason,
    };

    if (reason == NULL && r->state == IPR_REPORT_FAILED)
        out.reason = ipr_say_reason_report(IPR_REASON_REPORT_FAILED);
    if (r->answered) {
        out.data = r->data;
        out.computed = r->computed;
        out.seconds = r->seconds;
        out.version = r->version;
    }
    return out;
}

/* The test of the predictors, for the reports about them; NULL for others, and if it cannot be
 * read: the figures stand without it. A new reference. */
static json_t *report_predictors(const struct ask *a)
{
    const bool royale = strcmp(a->kind->name, "royale") == 0;
    json_t *document = NULL;
    struct ipr_err err = IPR_ERR_INIT;

    if ((royale || strcmp(a->kind->name, "comparisons") == 0) &&
        ipr_view_document(a->context->v, "predictors.json", &document, &err) != IPR_OK)
        ipr_err_clear(&err);
    return document;
}

static struct ipr_answer_report *report_told(const struct ask *a, const struct ipr_db_report *r,
                                             const char *reason)
{
    struct ipr_arena *const mem = a->context->v->mem;
    struct ipr_answer_report *const out = ipr_shape_new(a->kind->answer, mem); /* begins with it */
    json_t *const stored = r->answered ? json_loads(r->answer, 0, NULL) : NULL;
    json_t *const predictors = report_predictors(a);
    /* From the figures, so that stored answers have the sentence of this program. */
    const struct ipr_report_finding finding =
        ipr_report_finding(a->kind->name, stored, predictors, mem);

    if (json_is_object(stored)) {
        json_object_del(stored, "params"); /* they are those of the request */
        ipr_shape_read(a->kind->answer, stored, mem, out);
    } else {
        report_basis(a->context, a->kind, &out->basis_of_figures);
    }
    out->finding = finding.text;
    out->finding_by = finding.by;
    /* The royale is by the recommended predictor, if every player-year has it. */
    if (predictors != NULL && a->kind == &ipr_report_royale) {
        struct ipr_answer_predictor_verdicts *const by =
            ipr_shape_new(IPR_SHAPE_PREDICTOR_VERDICTS, mem);

        ipr_shape_read(IPR_SHAPE_PREDICTOR_VERDICTS, json_object_get(predictors, "recommended"),
                       mem, by);
        ((struct ipr_answer_royale *)(void *)out)->recommended = by;
    }
    out->report = report_state(a, r, reason);
    json_decref(predictors);
    json_decref(stored);
    return out;
}

static json_t *report_json(const struct ask *a, const struct ipr_answer_report *filled)
{
    json_t *const out = ipr_shape_json(a->kind->answer, filled);

    json_object_set(out, "params", a->params);
    return out;
}

/* The stored answer, by its key; the present version of the data. */
static enum ipr_code report_get(struct ask *a, bool with_answer, struct ipr_db_report *r,
                                bool *there, struct ipr_err *err)
{
    const struct ipr_view_context *c = a->context;
    struct ipr_err why = IPR_ERR_INIT;

    a->key = (struct ipr_db_report_key){ a->kind->name, report_params_text(a->params, c->v->mem),
                                         c->judge_id, c->times };
    enum ipr_code rc =
        ipr_db_data_version(c->v->db, c->judge_id, c->times, a->kind->games, &a->data, err);
    if (rc != IPR_OK)
        return rc;
    rc = ipr_db_report_get(c->v->db, &a->key, with_answer, c->v->mem, r, &why);
    *there = rc == IPR_OK;
    if (rc == IPR_OK || rc == IPR_ENOTFOUND)
        return IPR_OK;
    return ipr_err_set(err, rc, "%s", why.msg);
}

/* True if there is no current answer and it is not being computed. */
static bool report_must_want(const struct ask *a, const struct ipr_db_report *r)
{
    switch (r->state) {
    case IPR_REPORT_WANTED:
    case IPR_REPORT_RUNNING:
        return false;
    case IPR_REPORT_KEPT:
        return !report_is_current(a, r);
    case IPR_REPORT_FAILED:
        break;
    }
    return r->rested;
}

static bool report_is_usual(const struct ask *a)
{
    return report_params_are_default(a->kind, a->params) &&
           a->context->times == IPR_TIME_SET_DEFAULT &&
           (!a->chosen || strcmp(a->context->judge.name, a->context->default_judge) == 0);
}

/* An older answer is better than the error that too many others wait. */
static enum ipr_code report_want(const struct ask *a, struct ipr_db_report *r, bool there,
                                 const char **reason, struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    enum ipr_code rc = IPR_OK;

    if (!a->look)
        rc = ipr_db_report_want(a->context->v->db, &a->key, report_is_usual(a), &why);

    if (rc == IPR_OK) {
        if (!there)
            *r = (struct ipr_db_report){ .answer = "", .calibration = "", .computed = "" };
        r->state = IPR_REPORT_WANTED;
        return IPR_OK;
    }
    if (rc == IPR_ERETRY && strcmp(why.type, "reports_waiting") == 0 && there && r->answered) {
        *reason = ipr_arena_printf(a->context->v->mem, "%s", why.msg);
        return IPR_OK;
    }
    return ipr_err_at(err, rc, why.type, 0, 0, -1, "%s", why.msg);
}

/* For a judge without judged games there is nothing to compute or store. */
static json_t *report_nothing_yet(const struct ask *a)
{
    const struct ipr_db_report r = { .state = IPR_REPORT_KEPT };
    struct ipr_answer_report *const out = report_told(a, &r, NULL);

    out->report.current = true;
    out->reason = a->context->reason;
    return report_json(a, out);
}

static enum ipr_code report_answer(struct ask *a, json_t **out, struct ipr_err *err)
{
    struct ipr_db_report r = { .state = IPR_REPORT_KEPT };
    struct ipr_answer_report *answer;
    const char *reason = NULL;
    bool there = false;

    enum ipr_code rc = report_get(a, true, &r, &there, err);
    if (rc == IPR_OK && (!there || report_must_want(a, &r)))
        rc = report_want(a, &r, there, &reason, err);
    if (rc != IPR_OK)
        return rc;
    answer = report_told(a, &r, reason);
    if (!r.answered) { /* how long a client that waits for it may expect to wait */
        double took = -1;

        rc = ipr_db_report_took(a->context->v->db, a->kind->name, &took, err);
        answer->report.took = ipr_number_if(took >= 0, took);
    }
    if (rc == IPR_OK && a->kind->refresh != NULL)
        rc = a->kind->refresh(a->context, answer, err);
    if (rc == IPR_OK)
        *out = report_json(a, answer);
    return rc;
}

static enum ipr_code report_open(const struct ipr_view *v, const struct ipr_report_query *q,
                                 struct ipr_view_context *c, struct ipr_err *err)
{
    /* The IPR needs more lines than the rest of its kind. */
    const bool narrow =
        q->kind->narrow && strcmp(ipr_json_text_at(q->params, "method"), "ipr") != 0;

    return ipr_setting_for(v, narrow ? IPR_FOR_REPORT : IPR_FOR_LINES,
                           &(struct ipr_setting_scope){ .judge = q->judge }, c, err);
}

enum ipr_code ipr_view_report(const struct ipr_view *v, const struct ipr_report_query *q,
                              json_t **out, struct ipr_err *err)
{
    struct ipr_view_context c;
    struct ask a = { .context = &c,
                     .kind = q->kind,
                     .params = q->params,
                     .look = q->look,
                     .chosen = q->judge != NULL };
    enum ipr_code rc = report_open(v, q, &c, err);

    if (rc == IPR_OK) {
        if (c.judge_id)
            rc = report_answer(&a, out, err);
        else
            *out = report_nothing_yet(&a);
        ipr_view_context_close(&c);
    }
    return rc;
}

const char *ipr_report_state(const json_t *resource)
{
    return ipr_json_text_at(resource, "report.state");
}

bool ipr_report_pending(const json_t *resource)
{
    return strcmp(ipr_report_state(resource), "computing") == 0 &&
           json_is_null(ipr_json_find(resource, "report.computed"));
}

/* ---- the list ---- */

/* Sets what is known of a stored answer. */
static void report_kind_stored(const struct ask *a, const struct ipr_db_report *r,
                               struct ipr_answer_report_kind *out)
{
    struct ipr_arena *const mem = a->context->v->mem;
    const struct ipr_answer_report_state state = report_state(a, r, NULL);
    json_t *answer = r->answered ? json_loads(r->answer, 0, NULL) : NULL;
    json_t *const predictors = report_predictors(a);
    const struct ipr_report_finding finding =
        ipr_report_finding(a->kind->name, answer, predictors, mem);

    out->report = ipr_shape_copy(IPR_SHAPE_REPORT_STATE, &state, mem);
    out->finding = finding.text;
    out->shown = finding.shown;
    json_decref(predictors);
    json_decref(answer);
}

/* With the answer to the default parameters. */
static enum ipr_code report_kind_fill(const struct ipr_view *v, const char *judge,
                                      const struct ipr_report_kind *kind,
                                      struct ipr_answer_report_kind *out, struct ipr_err *err)
{
    struct ipr_view_context c;
    struct ask a = { .context = &c, .kind = kind, .params = ipr_report_params_default(kind) };
    struct ipr_db_report r;
    bool there = false;
    const struct ipr_report_query q = { .kind = kind, .params = a.params, .judge = judge };
    enum ipr_code rc = report_open(v, &q, &c, err);

    out->kind = kind->name;
    out->href = ipr_arena_printf(v->mem, "/api/v1/reports/%s", kind->name);
    out->page = report_resource(kind)->page;
    out->params = json_array();
    out->shown = false;
    for (const struct ipr_param_def *d = report_resource(kind)->params; d->name != NULL; d++)
        if (ipr_param_is_own(d))
            json_array_append_new(out->params, ipr_param_json(d));
    if (rc == IPR_OK) {
        if (c.judge_id)
            rc = report_get(&a, true, &r, &there, err);
        if (rc == IPR_OK && there)
            report_kind_stored(&a, &r, out);
        ipr_view_context_close(&c);
    }
    json_decref(a.params);
    return rc;
}

/* Queues nothing. */
enum ipr_code ipr_fill_reports(const struct ipr_view_context *c,
                               const struct ipr_reports_request *p, struct ipr_answer_reports *out,
                               struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    out->judge = ipr_view_context_setting(c);
    out->time_classes = ipr_view_context_classes(c);
    out->reports.at = ipr_shape_list(IPR_SHAPE_REPORT_KIND, REPORT_KINDS, c->v->mem);
    for (; rc == IPR_OK && out->reports.n < REPORT_KINDS; out->reports.n++)
        rc = report_kind_fill(c->v, p->judge, kinds[out->reports.n],
                              &out->reports.at[out->reports.n], err);
    out->finding = ipr_report_list_finding(&out->reports, c->v->mem);
    return rc;
}
