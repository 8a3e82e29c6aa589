/* Calibrations: the stored records, and a new one from figures that are sent. */
#include <stdlib.h>
#include <string.h>

#include "db/judges.h"
#include "db/records.h"
#include "view/calibration/findings.h"
#include "view/calibration/parts.h"
#include "view/examples.h"
#include "view/json.h"
#include "view/view.h"

/* The whole record, or that without its long lists, with what its mileposts tell of their own
 * errors. */
enum ipr_code ipr_fill_calibration(const struct ipr_view *v,
                                   const struct ipr_calibration_request *p,
                                   struct ipr_answer_calibration_record *out, struct ipr_err *err)
{
    struct ipr_db_calibration row;

    const enum ipr_code rc = ipr_db_calibration_get(v->db, p->name, v->mem, &row, err);
    if (rc != IPR_OK)
        return rc;
    json_t *record = json_loads(row.record_json, 0, NULL);
    ipr_shape_read(IPR_SHAPE_CALIBRATION_RECORD, record, v->mem, out);
    json_decref(record);
    if (out->name == NULL)
        return ipr_err_set(err, IPR_EDB, "the stored calibration %s is not JSON", p->name);
    out->digest = row.digest;
    out->created = row.created;
    ipr_calibration_add_sampling(out);
    out->finding = ipr_calibration_finding(out, v->mem);
    if (!p->reference) {
        out->reference.turns.at = NULL;
        if (out->markov_pool != NULL)
            out->markov_pool->transitions.at = NULL;
    }
    return IPR_OK;
}

/* The records without their long lists. Records of earlier versions have fewer members. */
enum ipr_code ipr_fill_calibrations(const struct ipr_view *v,
                                    const struct ipr_calibrations_request *p
                                    __attribute__((unused)),
                                    struct ipr_answer_calibrations *out, struct ipr_err *err)
{
    struct ipr_list_calibration_record *const list = &out->calibrations;
    struct ipr_db_calibration *rows = NULL;
    size_t n = 0;

    enum ipr_code rc = ipr_db_calibration_list(v->db, v->mem, &rows, &n, err);
    list->at = ipr_shape_list(IPR_SHAPE_CALIBRATION_RECORD, n, v->mem);
    for (; rc == IPR_OK && list->n < n; list->n++)
        rc =
            ipr_fill_calibration(v, &(struct ipr_calibration_request){ .name = rows[list->n].name },
                                 &list->at[list->n], err);
    if (rc == IPR_OK)
        out->finding = ipr_calibrations_finding(list, v->config->calibration, v->mem);
    return rc;
}

enum ipr_code ipr_view_calibration_add(const struct ipr_view *v, const json_t *record, bool *fresh,
                                       struct ipr_err *err)
{
    char *text = json_dumps(record, JSON_COMPACT);
    char *judge = json_dumps(json_object_get(record, "judge"), JSON_COMPACT);
    char digest[IPR_CALIBRATION_DIGEST];

    ipr_calibration_digest(ipr_str_c(text), digest);
    const enum ipr_code rc = ipr_db_calibration_new(v->db, ipr_json_text_at(record, "name"), judge,
                                                    text, digest, fresh, err);
    free(text);
    free(judge);
    return rc;
}

/* With games that the calibration is applied to: those that it is made from are not stored with it.
 */
enum ipr_code ipr_view_calibration_page(const struct ipr_view *v,
                                        const struct ipr_calibration_request *p, json_t **out,
                                        struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_judge judge;
    int32_t id = 0;
    enum ipr_code rc = ipr_view_calibration(v, p, out, err);

    if (rc != IPR_OK)
        return rc;
    rc = ipr_db_judge_by_name(v->db, ipr_json_text_at(*out, "judge.name"), &id, &judge, &why);
    if (rc == IPR_OK)
        rc = ipr_examples_add(v, id, IPR_TIME_SET_DEFAULT, *out, err);
    else
        rc = rc == IPR_ENOTFOUND ? IPR_OK : ipr_err_pass(err, &why);
    if (rc != IPR_OK) {
        json_decref(*out);
        *out = NULL;
    }
    return rc;
}
