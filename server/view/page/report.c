/* What the pages of all reports have in common. */
#include "view/page/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "resource/resource.h"
#include "view/json.h"
#include "view/page/words.h"

/* Parameters that are not the defaults; values are numbers and words of the service's own. */
static void add_report_params(const struct ipr_resource *r, const json_t *params,
                              struct ipr_buf *query)
{
    for (const struct ipr_param_def *d = r->params; d->name != NULL; d++) {
        const json_t *value = json_object_get(params, d->name);
        char text[32];

        if (d->shared)
            continue;
        snprintf(text, sizeof text, "%.12g", json_number_value(value));
        const char *word = json_is_string(value) ? json_string_value(value) : text;
        if (strcmp(word, d->preset) != 0)
            ipr_buf_printf(query, "&%s=%s", d->name, word);
    }
}

static void add_report_query(const json_t *resource, const struct ipr_resource *r,
                             struct ipr_buf *query)
{
    const double judge = ipr_json_at(resource, "judge.id", NAN);
    json_t *times = ipr_page_times_query(json_object_get(resource, "time_classes"), "&");

    if (isfinite(judge))
        ipr_buf_printf(query, "&judge=%.0f", judge);
    add_report_params(r, json_object_get(resource, "params"), query);
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

static json_t *report_options(const struct ipr_param_def *d, const char *chosen)
{
    json_t *options = json_array();

    for (size_t i = 0; d->words[i] != NULL; i++)
        json_array_append_new(options, json_pack("{s:s, s:b}", "value", d->words[i], "selected",
                                                 strcmp(d->words[i], chosen) == 0));
    return options;
}

/* "fields" of the form that requests the report with other parameters. */
static json_t *report_fields(const struct ipr_resource *r, const json_t *params)
{
    json_t *fields = json_array();

    for (const struct ipr_param_def *d = r->params; d->name != NULL; d++) {
        json_t *const value = json_object_get(params, d->name);

        if (d->shared)
            continue;
        json_array_append_new(fields, d->type == IPR_PARAM_CHOICE
                                          ? json_pack("{s:s, s:o}", "name", d->name, "options",
                                                      report_options(d, json_string_value(value)))
                                          : json_pack("{s:s, s:O, s:f, s:f}", "name", d->name,
                                                      "value", value, "low", d->lo, "high", d->hi));
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
    const struct ipr_resource *r = ipr_resource_named(ipr_json_text_at(resource, "report.kind"));
    const json_t *params = json_object_get(resource, "params");
    struct ipr_buf query = IPR_BUF_INIT;

    if (r == NULL)
        return false;
    add_report_query(resource, r, &query);
    json_t *href = ipr_page_format("/api/v1/reports/%s%s", r->name, ipr_buf_c(&query));
    ipr_page_head(page, ipr_words_text(ipr_words("reports"), r->name), json_string_value(href));
    json_object_set_new(page, "fields", report_fields(r, params));
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
