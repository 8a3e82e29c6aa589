/* Calibrations: the drawing of their mileposts. */
#include <math.h>

#include "view/json.h"
#include "view/page/page.h"

/* Sets "axis" of a record, "residual" and "plot" of its mileposts. */
static void put_milepost_plots(json_t *record)
{
    const json_t *mileposts = json_object_get(record, "mileposts");
    double lo = INFINITY, hi = -INFINITY;
    json_t *m;
    size_t i;

    json_array_foreach(mileposts, i, m) {
        const double elo = ipr_json_at(m, "elo", NAN), fitted = ipr_json_at(m, "fitted", NAN);
        lo = fmin(lo, fmin(elo, fitted));
        hi = fmax(hi, fmax(elo, fitted));
    }
    const struct ipr_axis axis = ipr_axis_elo(lo, hi);
    json_object_set_new(record, "axis", ipr_axis_json(&axis));
    json_array_foreach(mileposts, i, m) {
        const double elo = ipr_json_at(m, "elo", NAN), fitted = ipr_json_at(m, "fitted", NAN);
        const struct ipr_plot plot = {
            .estimate = fitted, .low = NAN, .high = NAN, .other = elo, .name = "fitted"
        };
        json_object_set_new(m, "plot", ipr_plot_json(&axis, &plot));
        json_object_set_new(m, "residual", ipr_json_num(elo - fitted));
    }
}

bool ipr_page_calibrations(json_t *resource, json_t *page __attribute__((unused)))
{
    const json_t *list = json_object_get(resource, "calibrations");
    json_t *record;
    size_t i;

    json_array_foreach(list, i, record)
        put_milepost_plots(record);
    return json_is_array(list);
}

bool ipr_page_calibration(json_t *resource, json_t *page)
{
    json_object_set_new(page, "title",
                        ipr_page_format("Calibration %s", ipr_json_text_at(resource, "name")));
    put_milepost_plots(resource);
    return json_is_array(json_object_get(resource, "mileposts"));
}
