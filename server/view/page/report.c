/* What the pages of all reports have in common. */
#include "view/page/page.h"

#include <string.h>

#include "resource/resource.h"
#include "view/json.h"
#include "view/page/words.h"

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

    if (r == NULL)
        return false;
    json_object_set_new(page, "title", json_string(ipr_words_text(ipr_words("reports"), r->name)));
    json_object_set_new(page, "fields", report_fields(r, json_object_get(resource, "params")));
    put_report_state(resource, page);
    return true;
}
