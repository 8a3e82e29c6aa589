/* Judges and calibrations. */
#include "db/judges.h"
#include "core/judge_json.h"
#include "db/records.h"
#include "view/json.h"
#include "view/view.h"

/** {"judges": [{judge as in the interchange form, "id", "games", "turns"}]} */
enum ipr_code ipr_view_judges(const struct ipr_view *v, json_t **out, struct ipr_err *err)
{
    struct ipr_db_judge_row *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_judge_list(v->db, v->mem, &rows, &n, err);
    if (rc != IPR_OK)
        return rc;
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *judge = ipr_judge_to_json(&rows[i].judge);
        json_object_set_new(judge, "id", json_integer(rows[i].id));
        json_object_set_new(judge, "games", json_integer(rows[i].games));
        json_object_set_new(judge, "turns", json_integer(rows[i].turns));
        json_array_append_new(list, judge);
    }
    *out = json_pack("{s:o}", "judges", list);
    return IPR_OK;
}

static enum ipr_code read_record(const struct ipr_view *v, const char *name, json_t **out,
                                 struct ipr_err *err)
{
    struct ipr_db_calibration row;

    const enum ipr_code rc = ipr_db_calibration_get(v->db, name, v->mem, &row, err);
    if (rc != IPR_OK)
        return rc;
    json_t *record = json_loads(row.record_json, 0, NULL);
    if (!json_is_object(record)) {
        json_decref(record);
        return ipr_err_set(err, IPR_EDB, "the stored calibration %s is not JSON", name);
    }
    json_object_set_new(record, "digest", ipr_json_text(row.digest));
    json_object_set_new(record, "created", ipr_json_text(row.created));
    *out = record;
    return IPR_OK;
}

/**
 * {"calibrations": [{"name", "digest", "created", "judge", "method", "elo_range", "a", "a_se",
 *  "b", "b_se", "residual_sd", "turns", "games", "mileposts": [{"nominal", "elo", "turns",
 *  "games", "s", "c", "ae_ref", "fitted", "residual"}], "figures_digest"}]}: the records without
 * their reference turns.
 */
enum ipr_code ipr_view_calibrations(const struct ipr_view *v, json_t **out, struct ipr_err *err)
{
    struct ipr_db_calibration *rows = NULL;
    json_t *list = json_array();
    size_t n = 0;

    enum ipr_code rc = ipr_db_calibration_list(v->db, v->mem, &rows, &n, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        json_t *record = NULL;
        rc = read_record(v, rows[i].name, &record, err);
        if (rc == IPR_OK) {
            json_object_del(json_object_get(record, "reference"), "turns");
            json_array_append_new(list, record);
        }
    }
    if (rc != IPR_OK) {
        json_decref(list);
        return rc;
    }
    *out = json_pack("{s:o}", "calibrations", list);
    return IPR_OK;
}

/** The whole record, reference turns included, with "digest" and "created". */
enum ipr_code ipr_view_calibration(const struct ipr_view *v, const char *name, json_t **out,
                                   struct ipr_err *err)
{
    return read_record(v, name, out, err);
}
