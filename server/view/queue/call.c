/* The judged games of a player, and those still needed for a rating. */
#include "db/monitor.h"
#include "view/context.h"
#include "view/figure/shape.h"

static enum ipr_code call_add_judged_by(const struct ipr_view *v, int32_t person, int year,
                                        json_t *out, struct ipr_err *err)
{
    struct ipr_db_judged_by *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_judged_by(v->db, person, year, v->mem, &rows, &n, err);
    if (rc != IPR_OK)
        return rc;
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct ipr_figure_judged_by one = { (size_t)rows[i].judge_id, rows[i].name,
                                                  (size_t)rows[i].multipv, (size_t)rows[i].games,
                                                  (size_t)rows[i].turns };

        json_array_append_new(list, ipr_shape_json(IPR_SHAPE_JUDGED_BY, &one));
    }
    json_object_set_new(out, "judged_by", list);
    return IPR_OK;
}

enum ipr_code ipr_view_add_offer(const struct ipr_view_context *c, int32_t person, int year,
                                 json_t *out, struct ipr_err *err)
{
    struct ipr_judge judge;
    int64_t games = 0, turns = 0;

    enum ipr_code rc = call_add_judged_by(c->v, person, year, out, err);
    if (rc == IPR_OK)
        rc = ipr_setting_wide(c, &judge, err);
    if (rc == IPR_OK)
        rc = ipr_db_unjudged(c->v->db, person, year, judge.name, true, false, &games, &turns, err);
    const struct ipr_figure_offer offer = { judge.name, (size_t)games, (size_t)turns };
    if (rc == IPR_OK)
        json_object_set_new(out, "offer",
                            games == 0 ? json_null() : ipr_shape_json(IPR_SHAPE_OFFER, &offer));
    return rc;
}
