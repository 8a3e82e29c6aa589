/* Tournaments to choose from. */
#include <inttypes.h>
#include <string.h>

#include "db/tournaments.h"
#include "resource/cursor.h"
#include "view/context.h"
#include "view/json.h"
#include "view/rows.h"

static json_t *event_json(const struct ipr_db_tournament *t)
{
    json_t *out = ipr_row_json(IPR_SHAPE_EVENT_LIST_ROW, t);

    json_object_set_new(out, "counted_all", json_boolean(t->games <= IPR_TOURNAMENT_GAMES));
    return out;
}

enum ipr_code ipr_fill_events(const struct ipr_view_context *c, const struct ipr_events_request *p,
                              json_t *out, struct ipr_err *err)
{
    const size_t limit = (size_t)p->limit;
    struct ipr_db_tournament_query q = { .search = p->q != NULL ? p->q : "",
                                         .player = p->player,
                                         .ascending = p->sort == IPR_EVENTS_SORT_YEAR,
                                         .judge_id = c->judge_id,
                                         .limit = p->limit + 1 }; /* whether there is a next page */
    struct ipr_db_tournament *rows = NULL;
    json_t *list = json_array(), *next = json_null();
    int64_t after_year;
    size_t n = 0;

    json_object_set_new(out, "events", list);
    ipr_view_years(p->year, p->from, p->to, &q.from, &q.to);
    enum ipr_code rc = ipr_param_cursor_pair(p->after, INT16_MAX, &after_year, &q.after_id, err);
    if (rc == IPR_OK) {
        q.after_year = (int)after_year;
        rc = ipr_db_tournament_list(c->v->db, &q, c->v->mem, &rows, &n, err);
    }
    for (size_t i = 0; i < n && i < limit; i++)
        json_array_append_new(list, event_json(&rows[i]));
    if (n > limit)
        next = json_sprintf("%d-%" PRId32, rows[limit - 1].year, rows[limit - 1].id);
    json_object_set_new(out, "next", next);
    json_object_set_new(out, "judge", ipr_view_context_judge(c));
    json_object_set_new(out, "search", ipr_json_text(p->q));
    json_object_set_new(out, "year", ipr_json_known(p->year));
    return rc;
}
