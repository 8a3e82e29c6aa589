/* The tables of reports that show a part of what their plots show. */
#include "view/json.h"
#include "view/page/page.h"

/* Of n0 and b of the covariance report, and of the losses of the conformance report. */
#define EVERY_N0   8
#define EVERY_B    4
#define EVERY_LOSS 10

/* Every `step`th element. */
static json_t *sample_of(const json_t *list, size_t step)
{
    json_t *out = json_array();

    for (size_t i = 0; i < json_array_size(list); i += step)
        json_array_append(out, json_array_get(list, i));
    return out;
}

/* Points of the curves of all forms of the loss at the same x, side by side. */
static json_t *curve_rows(json_t *forms)
{
    json_t *rows = json_array(), *form;
    const char *name;

    json_object_foreach(forms, name, form) {
        const json_t *curve = json_object_get(form, "curve");

        for (size_t i = 0; i * EVERY_LOSS < json_array_size(curve); i++) {
            if (i == json_array_size(rows))
                json_array_append_new(rows, json_pack("{s:[]}", "cells"));
            json_array_append(json_object_get(json_array_get(rows, i), "cells"),
                              json_array_get(curve, i * EVERY_LOSS));
        }
    }
    return rows;
}

bool ipr_page_report_conformance(json_t *resource, json_t *page)
{
    if (!ipr_page_report(resource, page))
        return false;
    json_object_set_new(page, "curve_rows", curve_rows(json_object_get(resource, "forms")));
    return true;
}

static json_t *surface_rows(const json_t *resource)
{
    const json_t *n0 = json_object_get(resource, "n0"), *rho = json_object_get(resource, "rho");
    json_t *rows = json_array();

    for (size_t i = 0; i < json_array_size(n0); i += EVERY_N0)
        json_array_append_new(rows, json_pack("{s:O, s:o}", "n0", json_array_get(n0, i), "cells",
                                              sample_of(json_array_get(rho, i), EVERY_B)));
    return rows;
}

bool ipr_page_report_covariance(json_t *resource, json_t *page)
{
    if (!ipr_page_report(resource, page))
        return false;
    json_object_set_new(page, "columns", sample_of(json_object_get(resource, "b"), EVERY_B));
    json_object_set_new(page, "rows", surface_rows(resource));
    return true;
}
