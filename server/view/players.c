/* Players and their years. */
#include "db/players.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/names.h"
#include "view/context.h"
#include "view/json.h"

#define LIMIT_DEFAULT 50
#define LIMIT_MAX     500

/** "turns-id" of the last row seen; NULL or "" is the start. */
static enum ipr_code read_cursor(const char *after, int64_t *turns, int32_t *id,
                                 struct ipr_err *err)
{
    int64_t n = 0;

    *turns = -1;
    *id = 0;
    if (!after || !*after)
        return IPR_OK;
    const char *dash = strchr(after, '-');
    if (dash &&
        ipr_str_int((struct ipr_str){ after, (size_t)(dash - after) }, 0, INT64_MAX, turns) &&
        ipr_str_int(ipr_str_c(dash + 1), 1, INT32_MAX, &n)) {
        *id = (int32_t)n;
        return IPR_OK;
    }
    return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                      "after: not a cursor of this list");
}

static json_t *player_json(const struct ipr_db_player *p)
{
    return json_pack("{s:i, s:s, s:i, s:I, s:o, s:o}", "id", (int)p->id, "name", p->name, "games",
                     (int)p->games, "turns", (json_int_t)p->turns, "first_year",
                     ipr_json_known(p->first_year), "last_year", ipr_json_known(p->last_year));
}

static json_t *list_json(const struct ipr_db_player *rows, size_t n, size_t limit)
{
    json_t *list = json_array();
    json_t *next = json_null();
    char cursor[48];

    for (size_t i = 0; i < n && i < limit; i++)
        json_array_append_new(list, player_json(&rows[i]));
    if (n > limit) {
        const struct ipr_db_player *last = &rows[limit - 1];
        snprintf(cursor, sizeof cursor, "%" PRId64 "-%" PRId32, last->turns, last->id);
        next = json_string(cursor);
    }
    return json_pack("{s:o, s:o}", "players", list, "next", next);
}

/**
 * {"players": [{"id", "name", "games", "turns", "first_year", "last_year"}], "next", "judge",
 *  "search"}; most judged turns first. limit 1 to 500, 0 for the default of 50.
 */
enum ipr_code ipr_view_players(const struct ipr_view *v, const char *search, const char *after,
                               int limit, const char *judge, json_t **out, struct ipr_err *err)
{
    struct ipr_view_context c;
    struct ipr_db_player *rows = NULL;
    const char *key = NULL;
    int64_t after_turns;
    int32_t after_id;
    size_t n = 0;

    if (limit == 0)
        limit = LIMIT_DEFAULT;
    if (limit < 1 || limit > LIMIT_MAX)
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "limit: 1 to %d", LIMIT_MAX);
    enum ipr_code rc = read_cursor(after, &after_turns, &after_id, err);
    if (rc == IPR_OK && search && *search && ipr_name_key(search, v->mem, &key, NULL) != IPR_OK)
        rc = ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "search: not a name");
    if (rc == IPR_OK)
        rc = ipr_view_context_open(v, judge, &c, err);
    if (rc != IPR_OK)
        return rc;
    rc = ipr_db_player_list(v->db, key, c.judge_id, after_turns, after_id, limit + 1, v->mem, &rows,
                            &n, err); /* one more tells whether there is a next page */
    if (rc == IPR_OK) {
        *out = list_json(rows, n, (size_t)limit);
        json_object_set_new(*out, "judge", ipr_view_context_judge(&c));
        json_object_set_new(*out, "search", ipr_json_text(search));
    }
    ipr_view_context_close(&c);
    return rc;
}

static enum ipr_code years_json(const struct ipr_view_context *c, int32_t id, json_t **out,
                                struct ipr_err *err)
{
    struct ipr_db_player_year *rows = NULL;
    unsigned budget = IPR_VIEW_BUDGET;
    json_t *list = json_array();
    size_t n = 0;

    enum ipr_code rc = ipr_db_player_years(c->v->db, id, c->judge_id, c->v->mem, &rows, &n, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        json_t *row = NULL;
        rc = ipr_view_year_row(c, &rows[i], &budget, &row, err);
        if (rc == IPR_OK)
            json_array_append_new(list, row);
    }
    if (rc != IPR_OK) {
        json_decref(list);
        return rc;
    }
    *out = list;
    return IPR_OK;
}

/** The player's own members, or only what names the list of years. */
static enum ipr_code with_years(const struct ipr_view *v, int32_t id, const char *judge, bool whole,
                                json_t **out, struct ipr_err *err)
{
    struct ipr_view_context c;
    struct ipr_db_player p;
    json_t *years = NULL;

    enum ipr_code rc = ipr_view_context_open(v, judge, &c, err);
    if (rc != IPR_OK)
        return rc;
    rc = ipr_db_player_get(v->db, id, c.judge_id, v->mem, &p, err);
    if (rc == IPR_OK)
        rc = years_json(&c, id, &years, err);
    if (rc == IPR_OK) {
        json_t *player =
            whole ? player_json(&p) : json_pack("{s:o}", "player", ipr_json_player(p.id, p.name));
        json_object_set_new(player, "judge", ipr_view_context_judge(&c));
        json_object_set_new(player, "calibration", ipr_view_context_calibration(&c));
        json_object_set_new(player, "years", years);
        *out = player;
    }
    ipr_view_context_close(&c);
    return rc;
}

/** {"id", "name", "games", "turns", "first_year", "last_year", "judge", "calibration", "years":
 * rows as ipr_view_year_row} */
enum ipr_code ipr_view_player(const struct ipr_view *v, int32_t id, const char *judge, json_t **out,
                              struct ipr_err *err)
{
    return with_years(v, id, judge, true, out, err);
}

/** {"player", "judge", "calibration", "years": rows as ipr_view_year_row} */
enum ipr_code ipr_view_player_years(const struct ipr_view *v, int32_t id, const char *judge,
                                    json_t **out, struct ipr_err *err)
{
    return with_years(v, id, judge, false, out, err);
}
