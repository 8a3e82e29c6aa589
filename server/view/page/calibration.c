/* Calibrations: the line from mean error to Elo, milepost by milepost. */
#include "view/page/page.h"

#include <math.h>

#include "view/json.h"
#include "view/page/calibration.h"

static json_t *milepost_rows(const json_t *mileposts, const struct ipr_axis *axis)
{
    json_t *rows = json_array();
    const json_t *m;
    size_t i;

    json_array_foreach(mileposts, i, m) {
        const double elo = ipr_json_at(m, "elo", NAN), fitted = ipr_json_at(m, "fitted", NAN);
        const struct ipr_plot plot = {
            .estimate = fitted, .low = NAN, .high = NAN, .other = elo, .name = "fitted"
        };
        json_t *row = json_pack(
            "{s:o, s:o, s:o, s:o, s:o, s:o}", "elo", ipr_page_whole(elo), "fitted",
            ipr_page_whole(fitted), "residual", ipr_page_signed(elo - fitted, 0), "turns",
            ipr_page_count(ipr_json_at(m, "turns", NAN)), "games",
            ipr_page_count(ipr_json_at(m, "games", NAN)), "plot", ipr_plot_json(axis, &plot));
        json_object_set_new(row, "s", ipr_page_fixed(ipr_json_at(m, "s", NAN), 4));
        json_object_set_new(row, "c", ipr_page_fixed(ipr_json_at(m, "c", NAN), 4));
        json_object_set_new(row, "ae_ref", ipr_page_fixed(ipr_json_at(m, "ae_ref", NAN), 5));
        json_array_append_new(rows, row);
    }
    return rows;
}

/** Of a published one: whose it is, and that it is used for nobody else without a word. */
static json_t *published_note(const json_t *record)
{
    if (!json_object_get(record, "reference_judge"))
        return json_null();
    json_t *judge = ipr_page_judge(json_object_get(record, "reference_judge"));
    json_t *note = ipr_page_format(
        "From %s. These are mileposts of another judge: they are applied to figures of this "
        "service only where a request names this calibration, and every answer then says so. "
        "The turns were not published, so mean errors are taken on the reference set of %s.",
        ipr_json_text_at(record, "source"), json_string_value(judge));

    json_decref(judge);
    return note;
}

/** "from 18,211 turns", null where nobody told how many. */
static json_t *from_turns(const json_t *record)
{
    const double turns = ipr_json_at(record, "turns", NAN);

    if (!isfinite(turns))
        return json_null();
    return ipr_page_plural(turns, "turn", "turns");
}

static json_t *record_page(const json_t *record)
{
    const json_t *mileposts = json_object_get(record, "mileposts");
    double lo = INFINITY, hi = -INFINITY;
    const json_t *m;
    size_t i;

    json_array_foreach(mileposts, i, m) {
        const double elo = ipr_json_at(m, "elo", NAN), fitted = ipr_json_at(m, "fitted", NAN);
        lo = fmin(lo, fmin(elo, fitted));
        hi = fmax(hi, fmax(elo, fitted));
    }
    const struct ipr_axis axis = ipr_axis_elo(lo, hi);
    json_t *out =
        json_pack("{s:o, s:o, s:o}", "name", ipr_json_text(ipr_json_text_at(record, "name")),
                  "rows", milepost_rows(mileposts, &axis), "axis", ipr_axis_json(&axis));

    json_object_set_new(out, "href",
                        ipr_page_format("/calibrations/%s", ipr_json_text_at(record, "name")));
    json_object_set_new(out, "judge", ipr_page_judge(json_object_get(record, "judge")));
    json_object_set_new(out, "line",
                        ipr_page_format("Elo = %.1f − %.1f × mean error",
                                        ipr_json_at(record, "a", NAN),
                                        ipr_json_at(record, "b", NAN)));
    json_object_set_new(out, "line_se",
                        ipr_page_format("standard errors %.1f and %.1f",
                                        ipr_json_at(record, "a_se", NAN),
                                        ipr_json_at(record, "b_se", NAN)));
    json_object_set_new(out, "residual_sd",
                        ipr_page_whole(ipr_json_at(record, "residual_sd", NAN)));
    json_object_set_new(out, "range", ipr_page_interval(json_object_get(record, "elo_range")));
    json_object_set_new(out, "turns", from_turns(record));
    json_object_set_new(out, "published", published_note(record));
    json_object_set_new(
        out, "reference",
        ipr_page_plural(ipr_json_at(record, "reference.size", NAN), "turn", "turns"));
    json_object_set_new(out, "digest", ipr_json_text(ipr_json_text_at(record, "digest")));
    return out;
}

bool ipr_page_calibrations(json_t *resource, json_t *page)
{
    const json_t *list = json_object_get(resource, "calibrations");
    json_t *records = json_array();
    const json_t *record;
    size_t i;

    json_array_foreach(list, i, record)
        json_array_append_new(records, record_page(record));
    ipr_page_head(page, "Calibrations", "/api/v1/calibrations");
    json_object_set_new(page, "records", records);
    return json_is_array(list);
}

bool ipr_page_calibration(json_t *resource, json_t *page)
{
    const char *name = ipr_json_text_at(resource, "name");
    json_t *title = ipr_page_format("Calibration %s", name);
    json_t *href = ipr_page_format("/api/v1/calibrations/%s", name);

    ipr_page_head(page, json_string_value(title), json_string_value(href));
    json_decref(title);
    json_decref(href);
    json_t *record = record_page(resource);
    json_object_set_new(page, "records", json_pack("[o]", record));
    json_object_set_new(page, "facts", ipr_page_calibration_facts(resource));
    json_object_set_new(page, "tables", ipr_page_calibration_tables(resource));
    json_object_set_new(page, "curve",
                        json_boolean(json_object_get(resource, "score_curve") != NULL));
    json_object_set_new(page, "plot",
                        ipr_page_format("/api/v1/calibrations/%s?reference=false", name));
    return json_is_array(json_object_get(resource, "mileposts"));
}
