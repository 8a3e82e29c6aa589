#include "view/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/log.h"
#include "db/reports.h"
#include "view/estimate.h"
#include "view/json.h"

/* ---- kinds ---- */

static const struct ipr_report_kind *const kinds[] = {
    &ipr_report_royale,     &ipr_report_comparisons, &ipr_report_conformance,
    &ipr_report_complexity, &ipr_report_covariance,  &ipr_report_score_curve,
};

const struct ipr_report_kind *ipr_report_kind_at(size_t i)
{
    return i < sizeof kinds / sizeof(struct ipr_report_kind *) ? kinds[i] : NULL;
}

const struct ipr_report_kind *ipr_report_kind(const char *name)
{
    for (size_t i = 0; ipr_report_kind_at(i); i++)
        if (strcmp(ipr_report_kind_at(i)->name, name) == 0)
            return ipr_report_kind_at(i);
    return NULL;
}

/* Those that are main pages of their own. */
static bool has_own_address(const struct ipr_report_kind *kind)
{
    return strcmp(kind->name, "royale") == 0 || strcmp(kind->name, "comparisons") == 0;
}

const char *ipr_report_page_path(const struct ipr_report_kind *kind, struct ipr_arena *mem)
{
    return ipr_arena_printf(mem, "%s/%s", has_own_address(kind) ? "" : "/reports", kind->name);
}

static int version_of(const struct ipr_report_kind *kind)
{
    return (int)(((unsigned)ipr_method_versions() + (unsigned)kind->version) & INT32_MAX);
}

/* ---- parameters ---- */

static const struct ipr_report_param none[] = { { .name = NULL } };

static const struct ipr_report_param *params_of(const struct ipr_report_kind *kind)
{
    return kind->params ? kind->params : none;
}

static json_t *fallback_of(const struct ipr_report_param *p)
{
    switch (p->type) {
    case IPR_REPORT_INT:
        return json_integer((json_int_t)p->fallback);
    case IPR_REPORT_REAL:
        return json_real(p->fallback);
    case IPR_REPORT_CHOICE:
        break;
    }
    return json_string(p->choices[0]);
}

static enum ipr_code refuse_choice(const struct ipr_report_param *p, struct ipr_err *err)
{
    char list[IPR_ERR_TEXT];
    size_t n = 0;

    for (size_t i = 0; p->choices[i] && n < sizeof list; i++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i > 0 ? ", " : "", p->choices[i]);
    return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "%s: one of %.200s", p->name,
                      list);
}

static enum ipr_code read_param(const struct ipr_report_param *p, const char *text, json_t **out,
                                struct ipr_err *err)
{
    const struct ipr_str s = ipr_str_c(text);
    int64_t whole;
    double real;

    switch (p->type) {
    case IPR_REPORT_INT:
        if (!ipr_str_int(s, (int64_t)p->low, (int64_t)p->high, &whole))
            return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                              "%s is not a whole number from %.0f to %.0f", p->name, p->low,
                              p->high);
        *out = json_integer(whole);
        return IPR_OK;
    case IPR_REPORT_REAL:
        if (!ipr_str_double(s, p->low, p->high, &real))
            return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                              "%s is not a number from %g to %g", p->name, p->low, p->high);
        *out = json_real(real == 0.0 ? 0.0 : real); /* no -0 */
        return IPR_OK;
    case IPR_REPORT_CHOICE:
        break;
    }
    for (size_t i = 0; p->choices[i]; i++)
        if (strcmp(p->choices[i], text) == 0) {
            *out = json_string(text);
            return IPR_OK;
        }
    return refuse_choice(p, err);
}

static enum ipr_code refuse_unknown(const struct ipr_report_query *q, struct ipr_err *err)
{
    const char *name;
    json_t *value;

    json_object_foreach(q->given, name, value)
    {
        const struct ipr_report_param *p = params_of(q->kind);

        while (p->name && strcmp(p->name, name) != 0)
            p++;
        if (!p->name && strcmp(name, "judge") != 0 && strcmp(name, "time_class") != 0)
            return ipr_err_at(err, IPR_EPARSE, "unknown_parameter", 0, 0, -1,
                              "the report %s has no parameter \"%.40s\"", q->kind->name, name);
    }
    return IPR_OK;
}

/* Every parameter of the kind, checked. */
static enum ipr_code read_params(const struct ipr_report_query *q, json_t **out,
                                 struct ipr_err *err)
{
    json_t *params = json_object();
    enum ipr_code rc = refuse_unknown(q, err);

    for (const struct ipr_report_param *p = params_of(q->kind); p->name && rc == IPR_OK; p++) {
        const char *text = json_string_value(json_object_get(q->given, p->name));
        json_t *value = NULL;

        if (text && *text)
            rc = read_param(p, text, &value, err);
        else
            value = fallback_of(p);
        if (rc == IPR_OK)
            json_object_set_new(params, p->name, value);
    }
    if (rc == IPR_OK)
        *out = params;
    else
        json_decref(params);
    return rc;
}

static bool are_fallbacks(const struct ipr_report_kind *kind, const json_t *params)
{
    for (const struct ipr_report_param *p = params_of(kind); p->name; p++) {
        json_t *fallback = fallback_of(p);
        const bool same = json_equal(json_object_get(params, p->name), fallback);

        json_decref(fallback);
        if (!same)
            return false;
    }
    return true;
}

static const char *canonical(const json_t *params, struct ipr_arena *mem)
{
    char *text = json_dumps(params, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(12));
    const char *out = ipr_arena_strndup(mem, text, strlen(text));

    free(text);
    return out;
}

/* ---- what is told ---- */

/* One that was asked for. */
struct ask {
    const struct ipr_view_context *context;
    const struct ipr_report_kind *kind;
    json_t *params;
    struct ipr_db_report_key key;
    int64_t data; /* at present */
};

static const char *digest_of(const struct ipr_view_context *c)
{
    return c->calibration ? c->calibration_digest : "";
}

static bool is_current(const struct ask *a, const struct ipr_db_report *r)
{
    return r->answered && r->data == a->data && r->version == version_of(a->kind) &&
           strcmp(r->calibration, digest_of(a->context)) == 0;
}

static const char *state_text(enum ipr_db_report_state state)
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

static json_t *state_json(const struct ask *a, const struct ipr_db_report *r, const char *reason)
{
    json_t *out = json_pack("{s:s, s:s, s:b}", "kind", a->kind->name, "state", state_text(r->state),
                            "current", is_current(a, r));

    json_object_set_new(out, "data", r->answered ? json_integer(r->data) : json_null());
    json_object_set_new(out, "computed", r->answered ? json_string(r->computed) : json_null());
    json_object_set_new(out, "seconds", r->answered ? ipr_json_num(r->seconds) : json_null());
    json_object_set_new(out, "version", r->answered ? json_integer(r->version) : json_null());
    if (!reason && r->state == IPR_REPORT_FAILED)
        reason = "the computation failed; the service's log says why";
    json_object_set_new(out, "reason", reason ? json_string(reason) : json_null());
    return out;
}

/* What every answer says of where it comes from. */
static void add_provenance(const struct ipr_view_context *c, json_t *params, json_t *out)
{
    json_object_set_new(out, "judge", ipr_view_context_judge(c));
    json_object_set_new(out, "calibration", ipr_view_context_calibration(c));
    json_object_set_new(out, "time_classes", ipr_view_context_times(c));
    json_object_set(out, "params", params);
}

static json_t *told(const struct ask *a, const struct ipr_db_report *r, const char *reason)
{
    json_t *out = r->answered ? json_loads(r->answer, 0, NULL) : NULL;

    if (!json_is_object(out)) {
        json_decref(out);
        out = json_object();
        add_provenance(a->context, a->params, out);
    }
    json_object_set_new(out, "report", state_json(a, r, reason));
    return out;
}

static enum ipr_code get(const struct ask *a, bool with_answer, struct ipr_db_report *r,
                         bool *there, struct ipr_err *err)
{
    const struct ipr_view *v = a->context->v;
    struct ipr_err why = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_db_report_get(v->db, &a->key, with_answer, v->mem, r, &why);

    *there = rc == IPR_OK;
    if (rc == IPR_OK || rc == IPR_ENOTFOUND)
        return IPR_OK;
    return ipr_err_set(err, rc, "%s", why.msg);
}

/* Whether it must be computed (again) before there is a current answer, and nobody is at it. */
static bool must_want(const struct ask *a, const struct ipr_db_report *r)
{
    switch (r->state) {
    case IPR_REPORT_WANTED:
    case IPR_REPORT_RUNNING:
        return false;
    case IPR_REPORT_KEPT:
        return !is_current(a, r);
    case IPR_REPORT_FAILED:
        break;
    }
    return r->rested;
}

static bool is_usual(const struct ask *a)
{
    const struct ipr_view *v = a->context->v;

    return are_fallbacks(a->kind, a->params) && a->context->times == IPR_TIME_SET_DEFAULT &&
           strcmp(a->context->judge.name, v->config->judge) == 0;
}

/* An older answer is better than the word that too many others wait. */
static enum ipr_code want(const struct ask *a, struct ipr_db_report *r, bool there,
                          const char **reason, struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_db_report_want(a->context->v->db, &a->key, is_usual(a), &why);

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

/* Of a judge that has judged nothing: there is nothing to compute, or to keep. */
static json_t *nothing_yet(const struct ask *a)
{
    const struct ipr_db_report r = { .state = IPR_REPORT_KEPT };
    json_t *out = told(a, &r, NULL);

    json_object_set_new(json_object_get(out, "report"), "current", json_true());
    json_object_set_new(out, "reason", json_string(a->context->reason));
    return out;
}

static enum ipr_code answer(struct ask *a, json_t **out, struct ipr_err *err)
{
    const struct ipr_view_context *c = a->context;
    struct ipr_db_report r = { .state = IPR_REPORT_KEPT };
    const char *reason = NULL;
    bool there = false;

    a->key = (struct ipr_db_report_key){ a->kind->name, canonical(a->params, c->v->mem),
                                         c->judge_id, c->times };
    enum ipr_code rc =
        ipr_db_data_version(c->v->db, c->judge_id, c->times, a->kind->games, &a->data, err);
    if (rc == IPR_OK)
        rc = get(a, true, &r, &there, err);
    if (rc == IPR_OK && (!there || must_want(a, &r)))
        rc = want(a, &r, there, &reason, err);
    if (rc == IPR_OK)
        *out = told(a, &r, reason);
    return rc;
}

enum ipr_code ipr_view_report(const struct ipr_view *v, const struct ipr_report_query *q,
                              json_t **out, struct ipr_err *err)
{
    struct ipr_view_context c;
    struct ask a = { .context = &c, .kind = q->kind };
    enum ipr_code rc = read_params(q, &a.params, err);

    if (rc != IPR_OK)
        return rc;
    rc = ipr_view_context_open(v, json_string_value(json_object_get(q->given, "judge")), &c, err);
    if (rc == IPR_OK) {
        if (c.judge_id)
            rc = answer(&a, out, err);
        else
            *out = nothing_yet(&a);
        ipr_view_context_close(&c);
    }
    json_decref(a.params);
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

static const char *type_text(enum ipr_report_type type)
{
    return type == IPR_REPORT_INT ? "integer" : type == IPR_REPORT_REAL ? "number" : "choice";
}

static json_t *bound_json(const struct ipr_report_param *p, double bound)
{
    return p->type == IPR_REPORT_CHOICE ? json_null()
           : p->type == IPR_REPORT_INT  ? json_integer((json_int_t)bound)
                                        : ipr_json_num(bound);
}

static json_t *param_json(const struct ipr_report_param *p)
{
    const bool number = p->type != IPR_REPORT_CHOICE;
    json_t *choices = number ? json_null() : json_array();

    for (size_t i = 0; !number && p->choices[i]; i++)
        json_array_append_new(choices, json_string(p->choices[i]));
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "name", p->name, "type", type_text(p->type),
                     "low", bound_json(p, p->low), "high", bound_json(p, p->high), "choices",
                     choices, "default", fallback_of(p));
}

/* Asks as with the defaults, for the state alone. */
static enum ipr_code kind_state(const struct ipr_view_context *c,
                                const struct ipr_report_kind *kind, json_t **out,
                                struct ipr_err *err)
{
    const struct ipr_report_query q = { kind, NULL };
    struct ask a = { .context = c, .kind = kind };
    struct ipr_db_report r;
    bool there = false;
    enum ipr_code rc = read_params(&q, &a.params, err);

    *out = NULL;
    if (rc == IPR_OK && c->judge_id) {
        a.key = (struct ipr_db_report_key){ kind->name, canonical(a.params, c->v->mem), c->judge_id,
                                            c->times };
        rc = ipr_db_data_version(c->v->db, c->judge_id, c->times, kind->games, &a.data, err);
        if (rc == IPR_OK)
            rc = get(&a, false, &r, &there, err);
        if (rc == IPR_OK && there)
            *out = state_json(&a, &r, NULL);
    }
    json_decref(a.params);
    if (rc == IPR_OK && !*out)
        *out = json_null();
    return rc;
}

static enum ipr_code kind_json(const struct ipr_view_context *c, const struct ipr_report_kind *kind,
                               json_t **out, struct ipr_err *err)
{
    json_t *state = NULL;
    const enum ipr_code rc = kind_state(c, kind, &state, err);

    if (rc != IPR_OK)
        return rc;
    json_t *params = json_array();
    for (const struct ipr_report_param *p = params_of(kind); p->name; p++)
        json_array_append_new(params, param_json(p));
    *out = json_pack("{s:s, s:s, s:s, s:o, s:o}", "kind", kind->name, "href",
                     ipr_arena_printf(c->v->mem, "/api/v1/reports/%s", kind->name), "page",
                     ipr_report_page_path(kind, c->v->mem), "params", params, "report", state);
    return IPR_OK;
}

enum ipr_code ipr_view_reports(const struct ipr_view *v, const char *judge, json_t **out,
                               struct ipr_err *err)
{
    struct ipr_view_context c;
    enum ipr_code rc = ipr_view_context_open(v, judge, &c, err);

    if (rc != IPR_OK)
        return rc;
    json_t *list = json_array();
    for (size_t i = 0; rc == IPR_OK && ipr_report_kind_at(i); i++) {
        json_t *kind = NULL;

        rc = kind_json(&c, ipr_report_kind_at(i), &kind, err);
        if (rc == IPR_OK)
            json_array_append_new(list, kind);
    }
    if (rc == IPR_OK)
        *out = json_pack("{s:o, s:o, s:o}", "reports", list, "judge", ipr_view_context_judge(&c),
                         "time_classes", ipr_view_context_times(&c));
    else
        json_decref(list);
    ipr_view_context_close(&c);
    return rc;
}

/* ---- computing ---- */

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* One at work. */
struct work {
    const struct ipr_view *v;
    struct ipr_db_report_job job;
    const struct ipr_report_kind *kind;
    json_t *params;
    char calibration[128]; /* digest */
    int64_t data;
};

/* Where too little is there to say anything, that is the answer. */
static enum ipr_code compute(struct work *w, const struct ipr_view_context *c, json_t **out,
                             struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    enum ipr_code rc = IPR_EDATA;
    json_t *answer = NULL;

    if (c->judge_id)
        rc = w->kind->compute(c, w->params, &answer, &why);
    else
        (void)ipr_err_set(&why, rc, "%s", c->reason);
    if (rc == IPR_EDATA || rc == IPR_ENOCONV)
        answer = json_pack("{s:s}", "reason", why.msg);
    else if (rc != IPR_OK)
        return ipr_err_at(err, rc, why.type, 0, 0, -1, "%s", why.msg);
    add_provenance(c, w->params, answer);
    *out = answer;
    return IPR_OK;
}

static enum ipr_code within_snapshot(struct work *w, json_t **out, struct ipr_err *err)
{
    const struct ipr_db_report_key *key = &w->job.key;
    struct ipr_view_context c;
    char judge[16];

    snprintf(judge, sizeof judge, "%d", (int)key->judge_id);
    enum ipr_code rc =
        ipr_db_data_version(w->v->db, key->judge_id, key->times, w->kind->games, &w->data, err);
    if (rc == IPR_OK)
        rc = ipr_view_context_open(w->v, judge, &c, err);
    if (rc != IPR_OK)
        return rc;
    snprintf(w->calibration, sizeof w->calibration, "%s", digest_of(&c));
    rc = compute(w, &c, out, err);
    ipr_view_context_close(&c);
    return rc;
}

static enum ipr_code compute_job(struct work *w, json_t **out, struct ipr_err *err)
{
    w->kind = ipr_report_kind(w->job.key.kind);
    w->params = json_loads(w->job.key.params, 0, NULL);
    if (!w->kind || !w->params)
        return ipr_err_set(err, IPR_ENOTFOUND, "this version knows no report %s", w->job.key.kind);
    enum ipr_code rc = ipr_db_snapshot_begin(w->v->db, err);
    if (rc == IPR_OK)
        rc = within_snapshot(w, out, err);
    ipr_db_snapshot_end(w->v->db);
    return rc;
}

static enum ipr_code keep(const struct work *w, const json_t *answer, int64_t ms,
                          struct ipr_err *err)
{
    char *text = json_dumps(answer, JSON_COMPACT | JSON_REAL_PRECISION(12));
    const struct ipr_db_report_answer a = {
        .json = text,
        .data = w->data,
        .calibration = w->calibration,
        .version = version_of(w->kind),
        .ms = (int32_t)(ms < INT32_MAX ? ms : INT32_MAX),
    };
    bool kept = false;
    const enum ipr_code rc = ipr_db_report_keep(w->v->db, &w->job, &a, &kept, err);

    if (rc == IPR_OK)
        ipr_log(kept ? IPR_LOG_INFO : IPR_LOG_WARN, kept ? "report" : "report_lease_lost",
                "kind=%s judge=%d data=%lld bytes=%zu ms=%lld", w->kind->name,
                (int)w->job.key.judge_id, (long long)w->data, strlen(text), (long long)ms);
    free(text);
    return rc;
}

static enum ipr_code give_back(const struct work *w, const struct ipr_err *why, struct ipr_err *err)
{
    if (!ipr_view_go_on(w->v))
        return ipr_db_report_release(w->v->db, &w->job, err);
    ipr_log(IPR_LOG_ERROR, "report_failed", "kind=%s judge=%d attempt=%d code=%s msg=\"%s\"",
            w->job.key.kind, (int)w->job.key.judge_id, w->job.attempts, ipr_code_name(why->code),
            ipr_log_text(why->msg));
    return ipr_db_report_fail(w->v->db, &w->job, why->msg, err);
}

static enum ipr_code work(struct work *w, struct ipr_err *err)
{
    const int64_t begun = now_ms();
    struct ipr_err why = IPR_ERR_INIT;
    json_t *answer = NULL;
    enum ipr_code rc = compute_job(w, &answer, &why);

    rc = rc == IPR_OK ? keep(w, answer, now_ms() - begun, err) : give_back(w, &why, err);
    json_decref(answer);
    json_decref(w->params);
    return rc;
}

enum ipr_code ipr_report_work(const struct ipr_config *config, struct ipr_db *db,
                              const atomic_bool *stop, bool *worked, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err none_wanted = IPR_ERR_INIT;
    struct ipr_view v = { .config = config, .db = db, .mem = &mem, .snapshot = true, .stop = stop };
    struct work w = { .v = &v };
    enum ipr_code rc = ipr_db_report_claim(db, &mem, &w.job, &none_wanted);

    *worked = rc == IPR_OK;
    if (rc == IPR_OK) {
        v.time_classes = w.job.key.times;
        rc = work(&w, err);
    } else if (rc == IPR_ENOTFOUND) {
        rc = IPR_OK;
    } else {
        rc = ipr_err_at(err, rc, none_wanted.type, 0, 0, -1, "%s", none_wanted.msg);
    }
    ipr_arena_release(&mem);
    return rc;
}
