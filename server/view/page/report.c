/* What the pages of all reports have in common. */
#include "view/page/page.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "view/json.h"
#include "view/page/words.h"
#include "view/report/report.h"

/* Parameters that are not the usual ones; values are numbers and words of the service's own. */
static void add_report_params(const struct ipr_report_kind *kind, const json_t *params,
                              struct ipr_buf *query)
{
    for (const struct ipr_report_param *p = kind->params; p != NULL && p->name != NULL; p++) {
        const json_t *value = json_object_get(params, p->name);

        if (p->type == IPR_REPORT_CHOICE && strcmp(json_string_value(value), p->choices[0]) != 0)
            ipr_buf_printf(query, "&%s=%s", p->name, json_string_value(value));
        else if (p->type != IPR_REPORT_CHOICE && json_number_value(value) != p->fallback)
            ipr_buf_printf(query, "&%s=%.12g", p->name, json_number_value(value));
    }
}

static void add_report_query(const json_t *resource, const struct ipr_report_kind *kind,
                             struct ipr_buf *query)
{
    const double judge = ipr_json_at(resource, "judge.id", NAN);
    json_t *times = ipr_page_times_query(json_object_get(resource, "time_classes"), "&");

    if (isfinite(judge))
        ipr_buf_printf(query, "&judge=%.0f", judge);
    add_report_params(kind, json_object_get(resource, "params"), query);
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
    if (list != NULL)
        json_array_append_new(out,
                              json_pack("{s:s, s:s}", "name", "time_class", "value", list + 1));
    json_decref(times);
    return out;
}

static json_t *report_options(const struct ipr_report_param *p, const char *chosen)
{
    json_t *options = json_array();

    for (size_t i = 0; p->choices[i] != NULL; i++)
        json_array_append_new(options, json_pack("{s:s, s:b}", "value", p->choices[i], "selected",
                                                 strcmp(p->choices[i], chosen) == 0));
    return options;
}

/* "fields" of the form that requests the report with other parameters. */
static json_t *report_fields(const struct ipr_report_kind *kind, const json_t *params)
{
    json_t *fields = json_array();

    for (const struct ipr_report_param *p = kind->params; p != NULL && p->name != NULL; p++) {
        json_t *const value = json_object_get(params, p->name);

        json_array_append_new(fields,
                              p->type == IPR_REPORT_CHOICE
                                  ? json_pack("{s:s, s:o}", "name", p->name, "options",
                                              report_options(p, json_string_value(value)))
                                  : json_pack("{s:s, s:O, s:f, s:f}", "name", p->name, "value",
                                              value, "low", p->low, "high", p->high));
    }
    return fields;
}

static void put_report_state(const json_t *resource, json_t *page)
{
    const json_t *report = json_object_get(resource, "report");
    const bool computed = json_is_string(json_object_get(report, "computed"));
    const bool computing = strcmp(ipr_json_text_at(report, "state"), "computing") == 0;

    json_object_set_new(page, "waiting", json_boolean(computing && !computed));
    json_object_set_new(page, "older",
                        json_boolean(computed && !ipr_json_true_at(report, "current")));
    json_object_set_new(page, "answered",
                        json_boolean(computed && json_object_get(resource, "reason") == NULL));
}

bool ipr_page_report(json_t *resource, json_t *page)
{
    const struct ipr_report_kind *kind = ipr_report_kind(ipr_json_text_at(resource, "report.kind"));
    const json_t *params = json_object_get(resource, "params");
    struct ipr_buf query = IPR_BUF_INIT;

    if (kind == NULL)
        return false;
    add_report_query(resource, kind, &query);
    json_t *href = ipr_page_format("/api/v1/reports/%s%s", kind->name, ipr_buf_c(&query));
    ipr_page_head(page, ipr_words_text(ipr_words("reports"), kind->name), json_string_value(href));
    json_object_set_new(page, "fields", report_fields(kind, params));
    json_object_set_new(page, "kept_fields", kept_fields(resource));
    put_report_state(resource, page);
    ipr_buf_release(&query);
    json_decref(href);
    return true;
}

bool ipr_page_reports(json_t *resource, json_t *page)
{
    ipr_page_head(page, "Reports", "/api/v1/reports");
    return json_is_array(json_object_get(resource, "reports"));
}
