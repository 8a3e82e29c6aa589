/* Decisions about players: merged, split, distinct. */
#include <string.h>

#include "core/log.h"
#include "core/names.h"
#include "db/aliases.h"
#include "db/identity_changes.h"
#include "http/base/reply.h"
#include "http/base/routes.h"

#define GAMES_MAX 10000 /* games in one split */

/* ---- split ---- */

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

/* With only one of the years the range is open. */
static enum ipr_code split_player(struct ipr_req *req, const struct ipr_identity_post_request *p,
                                  struct ipr_db *db, int64_t *change, struct ipr_err *err)
{
    struct ipr_db_split s = { .name = p->name != NULL ? p->name : "",
                              .tagged = p->tagged,
                              .colour = p->color };

    if (p->from != 0 || p->to != 0) {
        s.from = p->from != 0 ? p->from : 1;
        s.to = p->to != 0 ? p->to : IPR_VIEW_YEAR_MAX;
    }
    if (ipr_name_key(s.name, &req->mem, &s.key, NULL) != IPR_OK || ipr_name_of_nobody(s.key) ||
        has_control(s.name))
        return ipr_param_refuse(err, "name", p->name, "a name of a player");
    const enum ipr_code rc = read_games(req, p->games, &s, err);
    if (rc != IPR_OK)
        return rc;
    if (s.from == 0 && s.games == NULL && s.tagged == NULL)
        return ipr_param_refuse(err, "games", NULL, "from, to, games or tagged");
    return ipr_db_split(db, p->player, &s, req->writer, change, err);
}

/* ---- the handler ---- */

/* The owner of a private upload may only say which of its players are one, and take that back. */
static enum ipr_code may_decide(struct ipr_req *req, const struct ipr_identity_post_request *p,
                                struct ipr_db *db, struct ipr_err *err)
{
    struct ipr_db_identity_change c = { 0 };
    bool own = (p->players.n > 0 ? p->players.v[0] : p->player) >= IPR_DB_PRIVATE_FROM &&
               p->kind == IPR_IDENTITY_POST_KIND_MERGE;
    enum ipr_code rc = IPR_OK;

    if (req->writer_rules)
        return IPR_OK;
    if (p->player >= IPR_DB_PRIVATE_FROM && p->kind == IPR_IDENTITY_POST_KIND_UNDO &&
        p->change > 0) {
        rc = ipr_db_identity_change_get(db, p->change, &req->mem, &c, err);
        own = c.player_id >= IPR_DB_PRIVATE_FROM;
    }
    if (rc != IPR_OK || own)
        return rc;
    return ipr_err_type(err, IPR_EDENIED, "scope_needed", "this needs a token of the scope admin");
}

/* Fills the number of the change. */
static enum ipr_code identity_decide(struct ipr_req *req, const struct ipr_identity_post_request *p,
                                     struct ipr_db *db, int64_t *change, struct ipr_err *err)
{
    const bool merges = p->kind == IPR_IDENTITY_POST_KIND_MERGE;
    const bool undoes = p->kind == IPR_IDENTITY_POST_KIND_UNDO;
    const struct ipr_spelling *const spelling = req->http->o.spelling;
    enum ipr_code rc = IPR_OK;
    int32_t merged = 0;

    if ((rc = may_decide(req, p, db, err)) != IPR_OK)
        return rc;
    if (p->players.n == 1)
        return ipr_param_refuse(err, "players", NULL, "ids of two players or more");
    if (merges && p->players.n > 0)
        return ipr_db_merge_several(db, p->players.v, p->players.n, req->writer, change, err);
    if (undoes && p->change == 0)
        return ipr_param_refuse(err, "change", NULL, "the number of a decision");
    if (!undoes && p->kind != IPR_IDENTITY_POST_KIND_ALIASES && p->player == 0)
        return ipr_param_refuse(err, "player", NULL, "the id of a player");
    if ((merges || p->kind == IPR_IDENTITY_POST_KIND_DISTINCT) && p->other == 0)
        return ipr_param_refuse(err, "other", NULL, "the id of the other player");
    switch (p->kind) {
    case IPR_IDENTITY_POST_KIND_MERGE:
        return ipr_db_merge(db, p->player, p->other, p->sure, req->writer, change, err);
    case IPR_IDENTITY_POST_KIND_DISTINCT:
        return ipr_db_distinct(db, p->player, p->other, req->writer, change, err);
    case IPR_IDENTITY_POST_KIND_SPLIT:
        return split_player(req, p, db, change, err);
    case IPR_IDENTITY_POST_KIND_ALIASES:
        if (spelling != NULL)
            rc = ipr_db_aliases_merge(db, spelling, req->writer, change, &merged, err);
        return rc != IPR_OK || merged > 0
                   ? rc
                   : ipr_err_set(err, IPR_ENOTFOUND,
                                 "no two players are one person by the spelling file");
    default:
        *change = p->change;
        return ipr_db_identity_undo(db, p->change, req->writer, err);
    }
}

/* POST /api/v1/identity-changes */
enum MHD_Result ipr_http_decide(struct ipr_req *req)
{
    struct ipr_identity_post_request *const p = ipr_arena_alloc(&req->mem, 1, sizeof *p);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_view view = { .config = req->http->o.config, .mem = &req->mem };
    json_t *change = NULL;
    int64_t n = 0;

    memcpy(p, req->params, sizeof *p);
    req->params = p;
    if (p->players.n > 0 && p->back != NULL)
        p->back = ipr_arena_printf(&req->mem, "%s?player=%d", p->back, (int)p->players.v[0]);
    if (p->players.n == 1 && req->html && p->back != NULL) /* who has one account has chosen it */
        return ipr_reply_written(req, MHD_HTTP_OK, NULL, p->back, NULL);
    enum ipr_code rc = ipr_req_lease(req, &view.db, &err);
    if (rc == IPR_OK)
        rc = identity_decide(req, p, view.db, &n, &err);
    if (rc == IPR_OK)
        rc = ipr_view_identity_change(&view, &(struct ipr_identity_change_request){ n }, &change,
                                      &err);
    ipr_db_return(&view.db);
    if (rc != IPR_OK)
        return ipr_reply_error(req, &err);
    ipr_log(IPR_LOG_INFO, "identity_change", "change=%lld by=\"%s\"", (long long)n,
            ipr_log_text(req->writer));
    return ipr_reply_written(req, MHD_HTTP_OK, NULL, "/players/doubtful", change);
}
