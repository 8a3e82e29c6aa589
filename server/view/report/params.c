/* Parameters of reports, as the key their answers are stored by. */
#include <stdlib.h>
#include <string.h>

#include "view/report/work.h"

const struct ipr_resource *ipr_report_resource(const struct ipr_report_kind *kind)
{
    return ipr_resource_named(kind->name);
}

json_t *ipr_report_params_default(const struct ipr_report_kind *kind)
{
    const struct ipr_resource *r = ipr_report_resource(kind);

    return ipr_params_json(r, r->init, NULL);
}

bool ipr_report_params_are_default(const struct ipr_report_kind *kind, const json_t *params)
{
    json_t *defaults = ipr_report_params_default(kind);
    const bool same = json_equal(params, defaults);

    json_decref(defaults);
    return same;
}

const char *ipr_report_params_text(const json_t *params, struct ipr_arena *mem)
{
    char *text = json_dumps(params, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(12));
    const char *out = ipr_arena_strndup(mem, text, strlen(text));

    free(text);
    return out;
}
