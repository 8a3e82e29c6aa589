/* Tournaments to choose from. */
#include <inttypes.h>
#include <string.h>

#include "db/tournaments.h"
#include "view/context.h"
#include "view/json.h"

#define LIMIT_DEFAULT 50
#define LIMIT_MAX     500
#define SEARCH_MAX    200 /* bytes */

/** "year-id" of the last row seen; NULL or "" is the start. */
static enum ipr_code read_cursor(const char *after, struct ipr_db_tournament_query *q,
                                 struct ipr_err *err)
{
    int64_t year, id;

    q->after_year = -1;
    if (!after || !*after)
        return IPR_OK;
    const char *dash = strchr(after, '-');
    if (dash &&
        ipr_str_int((struct ipr_str){ after, (size_t)(dash - after) }, 0, INT16_MAX, &year) &&
        ipr_str_int(ipr_str_c(dash + 1), 1, INT32_MAX, &id)) {
        q->after_year = (int)year;
        q->after_id = (int32_t)id;
        return IPR_OK;
    }
    return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                      "after: not a cursor of this list");
}

static json_t *event_json(const struct ipr_db_tournament *t)
{
    const bool all = t->games <= IPR_TOURNAMENT_GAMES;

    return json_pack("{s:i, s:s, s:o, s:i, s:i, s:i, s:b}", "id", (int)t->id, "name", t->name,
                     "year", ipr_json_known(t->year), "games", (int)t->games, "games_judged",
                     (int)t->judged, "players", (int)t->players, "counted_all", (int)all);
}

static json_t *list_json(const struct ipr_db_tournament *rows, size_t n, size_t limit)
{
    json_t *list = json_array();
    json_t *next = json_null();

    for (size_t i = 0; i < n && i < limit; i++)
        json_array_append_new(list, event_json(&rows[i]));
    if (n > limit)
        next = json_sprintf("%d-%" PRId32, rows[limit - 1].year, rows[limit - 1].id);
    return json_pack("{s:o, s:o}", "events", list, "next", next);
}

/**
 * {"events": [{"id", "name", "year", "games", "games_judged", "players", "counted_all": false where
 * there are more games than were looked at}], "next", "judge", "search", "year"}. limit 1 to 500, 0
 * for the default of 50.
 */
enum ipr_code ipr_view_events(const struct ipr_view *v, const char *search, int year,
                              const char *after, int limit, const char *judge, json_t **out,
                              struct ipr_err *err)
{
    struct ipr_db_tournament_query q = { .search = search ? search : "", .year = year };
    struct ipr_db_tournament *rows = NULL;
    struct ipr_view_context c;
    size_t n = 0;

    if (limit == 0)
        limit = LIMIT_DEFAULT;
    if (limit < 1 || limit > LIMIT_MAX)
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "limit: 1 to %d", LIMIT_MAX);
    if (strlen(q.search) > SEARCH_MAX)
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "q: at most %d bytes",
                          SEARCH_MAX);
    enum ipr_code rc = read_cursor(after, &q, err);
    if (rc == IPR_OK)
        rc = ipr_view_context_open(v, judge, &c, err);
    if (rc != IPR_OK)
        return rc;
    q.judge_id = c.judge_id;
    q.limit = limit + 1; /* one more tells whether there is a next page */
    rc = ipr_db_tournament_list(v->db, &q, v->mem, &rows, &n, err);
    if (rc == IPR_OK) {
        *out = list_json(rows, n, (size_t)limit);
        json_object_set_new(*out, "judge", ipr_view_context_judge(&c));
        json_object_set_new(*out, "search", ipr_json_text(search));
        json_object_set_new(*out, "year", ipr_json_known(year));
    }
    ipr_view_context_close(&c);
    return rc;
}
