/* Decisions about players: merged, split, distinct. */
#include <string.h>

#include "core/log.h"
#include "core/names.h"
#include "db/aliases.h"
#include "db/identity_changes.h"
#include "http/base/reply.h"
#include "http/base/routes.h"

#define GAMES_MAX 10000 /* games in one split */

/* Applies the decision in req->params; fills the number of its change. */
typedef enum ipr_code (*decide_fn)(struct ipr_req *req, struct ipr_db *db, int64_t *change,
                                   struct ipr_err *err);

static enum ipr_code merge_players(struct ipr_req *req, struct ipr_db *db, int64_t *change,
                                   struct ipr_err *err)
{
    const struct ipr_merge_request *p = req->params;

    return ipr_db_merge(db, p->player, p->into, p->sure, req->writer, change, err);
}

static enum ipr_code declare_distinct(struct ipr_req *req, struct ipr_db *db, int64_t *change,
                                      struct ipr_err *err)
{
    const struct ipr_distinct_request *p = req->params;

    return ipr_db_distinct(db, p->player, p->from, req->writer, change, err);
}

static enum ipr_code undo_change(struct ipr_req *req, struct ipr_db *db, int64_t *change,
                                 struct ipr_err *err)
{
    const struct ipr_identity_undo_request *p = req->params;

    *change = p->change;
    return ipr_db_identity_undo(db, p->change, req->writer, err);
}

/* ---- split ---- */

/* "years": [from, to], or from and to; with only one of them the range is open. */
static enum ipr_code read_years(const struct ipr_split_request *p, struct ipr_db_split *s,
                                struct ipr_err *err)
{
    json_int_t year[2] = { p->from, p->to };

    if (p->years != NULL) {
        if (json_array_size(p->years) != 2)
            return ipr_param_refuse_json(err, "years", p->years, "[first, last]");
        for (size_t i = 0; i < 2; i++) {
            const json_t *one = json_array_get(p->years, i);

            year[i] = json_integer_value(one);
            if (!json_is_null(one) && (year[i] < 1 || year[i] > IPR_VIEW_YEAR_MAX))
                return ipr_param_refuse_json(err, "years", p->years, "years from 1 to 9999");
        }
    }
    if (year[0] == 0 && year[1] == 0)
        return IPR_OK;
    s->from = year[0] != 0 ? (int)year[0] : 1;
    s->to = year[1] != 0 ? (int)year[1] : IPR_VIEW_YEAR_MAX;
    return s->from > s->to
               ? ipr_param_refuse_json(err, "years", p->years, "the first not after the last")
               : IPR_OK;
}

/* "games": [ids], or a text of ids from a form. */
static enum ipr_code read_games(struct ipr_req *req, const json_t *games, struct ipr_db_split *s,
                                struct ipr_err *err)
{
    const char *text = json_string_value(games);
    size_t n = 0;

    if (games == NULL)
        return IPR_OK;
    int64_t *ids = ipr_arena_alloc(&req->mem, GAMES_MAX, sizeof *ids);
    for (; n < json_array_size(games) && n < GAMES_MAX; n++) {
        ids[n] = json_integer_value(json_array_get(games, n));
        if (ids[n] < 1)
            return ipr_param_refuse_json(err, "games", games, "a list of ids");
    }
    while (text != NULL && *(text += strspn(text, ", \t\r\n")) != '\0' && n < GAMES_MAX) {
        const size_t digits = strcspn(text, ", \t\r\n");

        if (!ipr_str_int((struct ipr_str){ text, digits }, 1, INT64_MAX, &ids[n++]))
            return ipr_param_refuse(err, "games", text, "ids, separated by commas");
        text += digits;
    }
    if (json_array_size(games) > GAMES_MAX || (n == GAMES_MAX && text != NULL && *text != '\0'))
        return ipr_param_refuse(err, "games", "more", "at most %d ids", GAMES_MAX);
    if (n == 0)
        return ipr_param_refuse_json(err, "games", games, "a list of ids");
    s->games = ids;
    s->n_games = n;
    return IPR_OK;
}

static bool has_control(const char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            return true;
    return false;
}

static enum ipr_code read_name(struct ipr_req *req, const struct ipr_split_request *p,
                               struct ipr_db_split *s, struct ipr_err *err)
{
    s->name = p->name;
    if (ipr_name_key(s->name, &req->mem, &s->key, NULL) != IPR_OK || ipr_name_of_nobody(s->key) ||
        has_control(s->name))
        return ipr_param_refuse(err, "name", p->name, "a name of a player");
    return IPR_OK;
}

static enum ipr_code split_player(struct ipr_req *req, struct ipr_db *db, int64_t *change,
                                  struct ipr_err *err)
{
    const struct ipr_split_request *p = req->params;
    struct ipr_db_split s = { .tagged = p->tagged, .colour = p->color };

    enum ipr_code rc = read_name(req, p, &s, err);
    if (rc == IPR_OK)
        rc = read_years(p, &s, err);
    if (rc == IPR_OK)
        rc = read_games(req, p->games, &s, err);
    if (rc == IPR_OK && s.from == 0 && s.games == NULL && s.tagged == NULL)
        rc = ipr_param_refuse(err, "games", NULL, "years, games or tagged");
    return rc == IPR_OK ? ipr_db_split(db, p->player, &s, req->writer, change, err) : rc;
}

/* ---- the handler ---- */

/* POST /api/v1/players/{player}/merge, …: by the resource. */
enum MHD_Result ipr_http_decide(struct ipr_req *req)
{
    static const decide_fn decide[IPR_RESOURCES] = {
        [IPR_RESOURCE_MERGE] = merge_players,
        [IPR_RESOURCE_DISTINCT] = declare_distinct,
        [IPR_RESOURCE_SPLIT] = split_player,
        [IPR_RESOURCE_IDENTITY_UNDO] = undo_change,
    };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_view view = { .config = req->http->o.config, .mem = &req->mem };
    json_t *change = NULL;
    int64_t n = 0;

    enum ipr_code rc = ipr_req_lease(req, &view.db, &err);
    if (rc == IPR_OK)
        rc = decide[req->route->id](req, view.db, &n, &err);
    if (rc == IPR_OK)
        rc = ipr_view_identity_change(&view, &(struct ipr_identity_change_request){ n }, &change,
                                      &err);
    ipr_db_return(&view.db);
    if (rc != IPR_OK)
        return ipr_reply_error(req, &err);
    ipr_log(IPR_LOG_INFO, "identity_change", "change=%lld by=\"%s\"", (long long)n,
            ipr_log_text(req->writer));
    const char *api = ipr_arena_printf(&req->mem, "/api/v1/identity-changes/%lld", (long long)n);
    return ipr_reply_written(req, MHD_HTTP_OK, api, "/players/doubtful", change);
}

/* POST /api/v1/players/doubtful/aliases */
enum MHD_Result ipr_http_aliases(struct ipr_req *req)
{
    const struct ipr_spelling *spelling = req->http->o.spelling;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db *db = NULL;
    int64_t change = 0;
    int32_t merged = 0;

    enum ipr_code rc = spelling != NULL ? ipr_req_lease(req, &db, &err) : IPR_OK;
    if (rc == IPR_OK && spelling != NULL)
        rc = ipr_db_aliases_merge(db, spelling, req->writer, &change, &merged, &err);
    ipr_db_return(&db);
    if (rc != IPR_OK)
        return ipr_reply_error(req, &err);
    ipr_log(IPR_LOG_INFO, "aliases_merged", "change=%lld merged=%d by=\"%s\"", (long long)change,
            (int)merged, ipr_log_text(req->writer));
    return ipr_reply_written(req, MHD_HTTP_OK, NULL, "/players/doubtful",
                             json_pack("{s:i, s:o}", "merged", (int)merged, "change",
                                       change != 0 ? json_integer(change) : json_null()));
}
