#include "view/rating/scope.h"

#include "core/names.h"
#include "resource/read.h"
#include "sentence/sentence.h"
#include "view/figure/figure.h"
#include "view/json.h"

static enum ipr_code scope_refuse(const struct ipr_view *v, const char *name, int32_t id,
                                  const char *expected, struct ipr_err *err)
{
    return ipr_param_refuse(err, name, ipr_arena_printf(v->mem, "%d", (int)id), "%s", expected);
}

static enum ipr_code scope_find_event(const struct ipr_view *v, struct ipr_rate_scope *s,
                                      struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    enum ipr_code rc = IPR_OK;

    if (s->db.event != 0)
        rc = ipr_db_event_get(v->db, s->db.event, v->mem, &s->event, &why);
    if (rc == IPR_ENOTFOUND)
        return scope_refuse(v, "event", s->db.event, "the id of an event", err);
    return rc == IPR_OK ? rc : ipr_err_pass(err, &why);
}

static enum ipr_code scope_find_opponent(const struct ipr_view_context *c, int32_t id,
                                         struct ipr_db_player *out, struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    const enum ipr_code rc =
        ipr_db_player_get(c->v->db, id, c->judge_id, c->times, c->v->mem, out, &why);

    if (rc == IPR_ENOTFOUND)
        return scope_refuse(c->v, "opponent", id, "the id of a player", err);
    return rc == IPR_OK ? rc : ipr_err_pass(err, &why);
}

/* Sets db.opponents, too. */
static enum ipr_code scope_find_opponents(const struct ipr_view_context *c,
                                          const struct ipr_view_scope *asked,
                                          struct ipr_rate_scope *s, struct ipr_err *err)
{
    const char *list = "";
    enum ipr_code rc = IPR_OK;

    if (asked->n_opponents == 0)
        return IPR_OK;
    s->opponents = ipr_arena_alloc(c->v->mem, asked->n_opponents, sizeof *s->opponents);
    for (size_t i = 0; rc == IPR_OK && i < asked->n_opponents; i++) {
        rc = scope_find_opponent(c, asked->opponents[i], &s->opponents[i], err);
        if (rc == IPR_OK)
            list = ipr_arena_printf(c->v->mem, "%s%s%d", list, i > 0 ? "," : "",
                                    (int)s->opponents[i].id);
    }
    s->n_opponents = asked->n_opponents;
    s->db.opponents = ipr_arena_printf(c->v->mem, "{%s}", list);
    return rc;
}

enum ipr_code ipr_rate_scope_open(const struct ipr_view_context *c, int32_t player,
                                  const struct ipr_view_scope *asked, struct ipr_rate_scope *s,
                                  struct ipr_err *err)
{
    const bool years = asked->from || asked->to;

    *s = (struct ipr_rate_scope){ 0 };
    enum ipr_code rc =
        ipr_db_player_get(c->v->db, player, c->judge_id, c->times, c->v->mem, &s->player, err);
    if (rc != IPR_OK)
        return rc;
    s->db = (struct ipr_db_scope){
        .person = s->player.id,
        .from = years && !asked->from ? 1 : asked->from,
        .to = years && !asked->to ? INT16_MAX : asked->to,
        .event = asked->event,
        .colours = asked->colours ? asked->colours : IPR_DB_BOTH_COLOURS,
        .times = c->times,
        .upload = asked->upload,
    };
    rc = scope_find_event(c->v, s, err);
    return rc == IPR_OK ? scope_find_opponents(c, asked, s, err) : rc;
}

json_t *ipr_rate_scope_opponents(const struct ipr_rate_scope *s)
{
    json_t *out = json_array();

    for (size_t i = 0; i < s->n_opponents; i++)
        json_array_append_new(out, ipr_json_player(s->opponents[i].id, s->opponents[i].name));
    return out;
}

enum ipr_code ipr_rate_scope_no_game(const struct ipr_rate_scope *s,
                                     const struct ipr_view_scope *asked, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    const char **const opponents = ipr_arena_alloc(&mem, s->n_opponents + 1, sizeof *opponents);
    const bool year = asked->from == asked->to;

    for (size_t i = 0; i < s->n_opponents; i++)
        opponents[i] = s->opponents[i].name;
    const struct ipr_reason_no_game_slots slots = {
        .who = s->player.name,
        .white = s->db.colours == 1u,
        .black = s->db.colours == 2u,
        .opponents = { opponents, s->n_opponents },
        .year = ipr_number_if(year && asked->from != 0, asked->from),
        .from = ipr_number_if(!year && asked->from != 0, asked->from),
        .to = ipr_number_if(!year && asked->to != 0, asked->to),
        .event_id = s->db.event,
        .event = s->db.event != 0 ? ipr_name_event(s->event.name, &mem) : NULL,
        .upload = ipr_number_if(s->db.upload != 0, (double)s->db.upload),
    };
    const enum ipr_code rc = ipr_err_set(
        err, IPR_ENOTFOUND, "%s", ipr_say_reason_no_game(IPR_REASON_NO_GAME_ALL, &slots, &mem));
    ipr_arena_release(&mem);
    return rc;
}
