/* What the pages of all reports have in common. */
#include "view/page/page.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "view/json.h"
#include "view/report/report.h"

static json_t *seconds_text(double s)
{
    return s < 0.1 ? json_string("less than 0.1 s")
                   : ipr_page_format(s < 10.0 ? "%.1f s" : "%.0f s", s);
}

static json_t *state_page(const json_t *report)
{
    const char *state = ipr_json_text_at(report, "state");
    const bool answered = json_is_string(json_object_get(report, "computed"));
    const bool computing = strcmp(state, "computing") == 0;
    const bool older = answered && !ipr_json_true_at(report, "current");
    json_t *out =
        json_pack("{s:b, s:b, s:b, s:b}", "waiting", computing && !answered, "older", (int)older,
                  "older_computing", older && computing, "failed", strcmp(state, "failed") == 0);

    json_object_set_new(out, "reason", ipr_json_text(ipr_json_text_at(report, "reason")));
    json_object_set_new(out, "computed",
                        answered ? ipr_page_when(ipr_json_text_at(report, "computed"))
                                 : json_null());
    json_object_set_new(out, "seconds",
                        answered ? seconds_text(ipr_json_at(report, "seconds", 0.0)) : json_null());
    json_object_set_new(out, "data",
                        answered ? ipr_page_format("%.0f", ipr_json_at(report, "data", 0.0))
                                 : json_null());
    return out;
}

/* Parameters that are not the usual ones; values are numbers and words of the service's own. */
static void add_params(const struct ipr_report_kind *kind, const json_t *params,
                       struct ipr_buf *query)
{
    for (const struct ipr_report_param *p = kind->params; p && p->name; p++) {
        const json_t *value = json_object_get(params, p->name);

        if (p->type == IPR_REPORT_CHOICE && strcmp(json_string_value(value), p->choices[0]) != 0)
            ipr_buf_printf(query, "&%s=%s", p->name, json_string_value(value));
        else if (p->type != IPR_REPORT_CHOICE && json_number_value(value) != p->fallback)
            ipr_buf_printf(query, "&%s=%.12g", p->name, json_number_value(value));
    }
}

static void add_query(const json_t *resource, const struct ipr_report_kind *kind,
                      struct ipr_buf *query)
{
    const double judge = ipr_json_at(resource, "judge.id", NAN);
    json_t *times = ipr_page_times_query(json_object_get(resource, "time_classes"), "&");

    if (isfinite(judge))
        ipr_buf_printf(query, "&judge=%.0f", judge);
    add_params(kind, json_object_get(resource, "params"), query);
    ipr_buf_puts(query, json_string_value(times));
    json_decref(times);
    if (query->n > 0)
        query->p[0] = '?';
}

/* What a form on the page must send along so that the answer is of the same games. */
static json_t *kept_fields(const json_t *resource)
{
    const double judge = ipr_json_at(resource, "judge.id", NAN);
    json_t *times = ipr_page_times_query(json_object_get(resource, "time_classes"), "");
    const char *list = strchr(json_string_value(times), '=');
    json_t *out = json_array();

    if (isfinite(judge))
        json_array_append_new(
            out, json_pack("{s:s, s:o}", "name", "judge", "value", ipr_page_format("%.0f", judge)));
    if (list)
        json_array_append_new(out,
                              json_pack("{s:s, s:s}", "name", "time_class", "value", list + 1));
    json_decref(times);
    return out;
}

bool ipr_page_report(const json_t *resource, const char *title, json_t *page)
{
    const json_t *report = json_object_get(resource, "report");
    const struct ipr_report_kind *kind = ipr_report_kind(ipr_json_text_at(report, "kind"));
    struct ipr_buf query = IPR_BUF_INIT, json = IPR_BUF_INIT;

    if (!kind)
        return false;
    add_query(resource, kind, &query);
    ipr_buf_printf(&json, "/api/v1/reports/%s%s", kind->name, ipr_buf_c(&query));
    ipr_page_head(page, title, ipr_buf_c(&json));
    json_object_set_new(page, "query", json_string(ipr_buf_c(&query)));
    json_object_set_new(page, "kept_fields", kept_fields(resource));
    json_object_set_new(page, "report_state", state_page(report));
    json_object_set_new(page, "refused", ipr_json_text(ipr_json_text_at(resource, "reason")));
    json_object_set_new(page, "answered",
                        json_boolean(json_is_string(json_object_get(report, "computed")) &&
                                     !json_object_get(resource, "reason")));
    json_object_set_new(page, "times", ipr_page_times(json_object_get(resource, "time_classes")));
    json_object_set_new(page, "judge", ipr_page_judge(json_object_get(resource, "judge")));
    json_object_set_new(page, "calibration",
                        ipr_json_text(ipr_json_text_at(resource, "calibration.name")));
    ipr_buf_release(&query);
    ipr_buf_release(&json);
    return true;
}
