/* The page of a head to head: the player-years of its form, and the prediction. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "core/champions.h"
#include "resource/write.h"
#include "sentence/sentence.h"
#include "view/json.h"
#include "view/prediction/predict.h"

#define PLAYERS_FOUND 12 /* of a name … */
#define YEARS_OFFERED 80 /* … and the years of them, where none was typed */
#define GAMES_MET     500

/* ---- what was typed ---- */

struct typed {
    const char *name; /* without blanks and commas at its ends */
    int year;         /* 0: none */
};

static struct ipr_str typed_trim(struct ipr_str s)
{
    while (s.n > 0 && strchr(" \t,:", s.p[0]) != NULL)
        s = (struct ipr_str){ s.p + 1, s.n - 1 };
    while (s.n > 0 && strchr(" \t,:", s.p[s.n - 1]) != NULL)
        s.n--;
    return s;
}

static bool typed_year(struct ipr_str word, int *year)
{
    int64_t n;

    if (word.n != 4 || !ipr_str_int(word, 1000, IPR_VIEW_YEAR_MAX, &n))
        return false;
    *year = (int)n;
    return true;
}

/* "fischer 1971", "1971 Fischer, Robert J": a year stands at one of the ends. */
static struct typed side_read_typed(const char *text, struct ipr_arena *mem)
{
    struct ipr_str s = typed_trim(ipr_str_c(text));
    const size_t first = s.n >= 4 ? 4 : s.n;
    struct typed out = { .year = 0 };

    if (typed_year((struct ipr_str){ s.p + s.n - first, first }, &out.year))
        s.n -= first;
    else if (typed_year((struct ipr_str){ s.p, first }, &out.year))
        s = (struct ipr_str){ s.p + first, s.n - first };
    s = typed_trim(s);
    out.name = ipr_arena_strndup(mem, s.p, s.n);
    return out;
}

/* ---- who that may be ---- */

static const char *side_set(int player, int year, struct ipr_arena *mem)
{
    return ipr_arena_printf(mem, "%d:%d", player, year);
}

static void side_offer(const char *side, const struct ipr_db_player *player, int year,
                       struct ipr_arena *mem, json_t *found)
{
    json_t *one = ipr_given_json(side, side_set(player->id, year, mem));

    json_object_set_new(one, "player", ipr_json_player(player->id, player->name));
    json_object_set_new(one, "year", json_integer(year));
    json_array_append_new(found, one);
}

/* The years with games of a player, or of these the one that was typed. */
static enum ipr_code side_offer_years(const struct ipr_view_context *c, const char *side,
                                      const struct ipr_db_player *player, int year, json_t *found,
                                      struct ipr_err *err)
{
    struct ipr_db_player_year *rows = NULL;
    size_t n = 0;
    const enum ipr_code rc =
        ipr_db_player_years(c->v->db, player->id, c->judge_id, c->times, c->v->mem, &rows, &n, err);

    for (size_t i = 0; rc == IPR_OK && i < n && json_array_size(found) < YEARS_OFFERED; i++)
        if (rows[i].year > 0 && rows[i].games > 0 && (year == 0 || rows[i].year == year))
            side_offer(side, player, rows[i].year, c->v->mem, found);
    return rc;
}

/* A number may be given instead of a name: the player with this id, if there is one. */
static enum ipr_code side_numbered(const struct ipr_view_context *c, const char *name,
                                   struct ipr_list_rated_player *out, struct ipr_err *err)
{
    struct ipr_db_player *const player = ipr_arena_alloc(c->v->mem, 1, sizeof *player);
    struct ipr_err why = IPR_ERR_INIT;
    int64_t id;

    if (!ipr_str_int(ipr_str_c(name), 1, INT32_MAX, &id))
        return IPR_OK;
    const enum ipr_code rc =
        ipr_db_player_get(c->v->db, (int32_t)id, c->judge_id, c->times, c->v->mem, player, &why);
    if (rc != IPR_OK && rc != IPR_ENOTFOUND)
        return ipr_err_pass(err, &why);
    ipr_err_clear(&why);
    out->at = ipr_shape_new(IPR_SHAPE_RATED_PLAYER, c->v->mem);
    out->at[0].row = player;
    out->n = rc == IPR_OK;
    return IPR_OK;
}

static enum ipr_code side_find(const struct ipr_view_context *c, const char *side,
                               const struct typed *t, const char *judge, json_t *found,
                               struct ipr_err *err)
{
    struct ipr_answer_players *const answer = ipr_shape_new(IPR_SHAPE_PLAYERS, c->v->mem);
    struct ipr_list_rated_player *const players = &answer->players;
    struct ipr_players_request q = IPR_PLAYERS_REQUEST_INIT;
    struct ipr_view_context years = { 0 };
    struct ipr_err why = IPR_ERR_INIT;
    bool exact = false; /* one of them has the very name: then nobody else is meant */

    q.q = t->name;
    q.limit = PLAYERS_FOUND;
    enum ipr_code rc = side_numbered(c, t->name, players, &why);
    if (rc == IPR_OK && players->n == 0)
        rc = ipr_setting_for(c->v, IPR_FOR_YEARS, &(struct ipr_setting_scope){ .judge = judge },
                             &years, &why);
    if (rc == IPR_OK && players->n == 0)
        rc = ipr_fill_players(&years, &q, answer, &why);
    ipr_view_context_close(&years);
    if (rc == IPR_EPARSE) { /* no name at all */
        ipr_err_clear(&why);
        return IPR_OK;
    }
    if (rc != IPR_OK)
        return ipr_err_pass(err, &why);
    for (size_t i = 0; i < players->n; i++)
        exact = exact || strcasecmp(players->at[i].row->name, t->name) == 0;
    for (size_t i = 0; rc == IPR_OK && i < players->n; i++)
        if (exact ? strcasecmp(players->at[i].row->name, t->name) == 0
                  : players->at[i].row->games * IPR_VIEW_MEANT >= players->at[0].row->games)
            rc = side_offer_years(c, side, players->at[i].row, t->year, found, err);
    return rc;
}

static const char *side_reason(const struct typed *t, struct ipr_arena *mem)
{
    const struct ipr_reason_name_slots slots = { t->year };
    const enum ipr_reason_name unnamed =
        t->year == 0 ? IPR_REASON_NAME_NOBODY : IPR_REASON_NAME_NOT_IN_YEAR;

    return ipr_say_reason_name(t->name[0] == '\0' ? IPR_REASON_NAME_NEEDED : unnamed, &slots, mem);
}

/* The player of all that were found, where a name without a year means one alone; 0: another case.
 */
static int side_only_player(const struct typed *t, const json_t *found)
{
    const int first = (int)ipr_json_at(json_array_get(found, 0), "player.id", 0);
    const json_t *one;
    size_t i;

    json_array_foreach(found, i, one)
        if (t->year != 0 || (int)ipr_json_at(one, "player.id", 0) != first)
            return 0;
    return first;
}

/* {"text", "query", "set", "found", "reason"}: "query" of the only one that fits, else those that
 * do in "found", else why there is none; "set" of careers, of a player without a year. */
static enum ipr_code side_look_up(const struct ipr_view_context *c, const char *side,
                                  const char *text, const char *judge, json_t *out,
                                  struct ipr_err *err)
{
    const struct typed t = side_read_typed(text, c->v->mem);
    json_t *found = json_array();
    enum ipr_code rc = IPR_OK;

    if (t.name[0] != '\0')
        rc = side_find(c, side, &t, judge, found, err);
    json_object_set_new(out, "text", json_string(text));
    json_object_set_new(out, "given", ipr_given_json(side, text));
    if (side_only_player(&t, found) > 0)
        json_object_set_new(out, "set", json_sprintf("set=%d", side_only_player(&t, found)));
    if (json_array_size(found) == 1)
        json_object_set(out, "query", json_object_get(json_array_get(found, 0), "query"));
    else if (json_array_size(found) > 1)
        json_object_set(out, "found", found);
    else
        json_object_set_new(out, "reason", json_string(side_reason(&t, c->v->mem)));
    json_decref(found);
    return rc;
}

/* Sets a side that is known, with its name as it may be typed. */
static enum ipr_code side_name(const struct ipr_view_context *c, const char *side,
                               const struct ipr_param_side *s, json_t *out, struct ipr_err *err)
{
    const char *const set = side_set(s->player, s->year, c->v->mem);
    json_t *given = ipr_given_json(side, set);
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_db_player player;
    const enum ipr_code rc =
        ipr_db_player_get(c->v->db, s->player, c->judge_id, c->times, c->v->mem, &player, &why);

    json_object_set(out, "query", json_object_get(given, "query"));
    json_decref(given);
    json_object_set_new(
        out, "text",
        rc == IPR_OK ? json_sprintf("%s %d", ipr_name_spoken(player.name, c->v->mem), s->year)
                     : json_string(set));
    if (rc != IPR_OK && rc != IPR_ENOTFOUND)
        return ipr_err_pass(err, &why);
    ipr_err_clear(&why); /* the prediction says that there is no such player */
    return IPR_OK;
}

static enum ipr_code compare_side(const struct ipr_view_context *c, const char *side,
                                  const struct ipr_param_side *s, const char *judge, json_t *sides,
                                  struct ipr_err *err)
{
    json_t *out = json_object();

    json_object_set_new(sides, side, out);
    if (s->typed != NULL)
        return side_look_up(c, side, s->typed, judge, out, err);
    return s->player != 0 ? side_name(c, side, s, out, err) : IPR_OK;
}

static enum ipr_code sides_read(const struct ipr_view_context *c,
                                const struct ipr_prediction_request *p, json_t *sides,
                                struct ipr_err *err)
{
    const enum ipr_code rc = compare_side(c, "white", &p->white, p->judge, sides, err);

    return rc == IPR_OK ? compare_side(c, "black", &p->black, p->judge, sides, err) : rc;
}

enum ipr_code ipr_view_compare_sides(const struct ipr_view *v,
                                     const struct ipr_prediction_request *p, json_t **out,
                                     struct ipr_err *err)
{
    struct ipr_view_context c = { 0 };
    json_t *sides = json_object();
    enum ipr_code rc = ipr_setting_for(v, IPR_FOR_LINES,
                                       &(struct ipr_setting_scope){ .judge = p->judge }, &c, err);

    if (rc == IPR_OK)
        rc = sides_read(&c, p, sides, err);
    ipr_view_context_close(&c);
    if (rc == IPR_OK)
        *out = sides;
    else
        json_decref(sides);
    return rc;
}

/* Strengths of all years of both, and the games that they played with each other. */
static enum ipr_code compare_beside(const struct ipr_view_context *c,
                                    const struct ipr_prediction_request *p, json_t *out,
                                    struct ipr_err *err)
{
    const int32_t persons[] = { p->white.player, p->black.player };
    struct ipr_games_request q = IPR_GAMES_REQUEST_INIT;
    struct ipr_path paths[2];
    json_t *met = NULL;
    enum ipr_code rc = IPR_OK;

    for (int i = 0; i < 2 && rc == IPR_OK; i++)
        rc = ipr_paths_of(c, &persons[i], 1, &paths[i], err);
    if (rc != IPR_OK)
        return rc;
    json_object_set_new(out, "careers",
                        json_pack("[o, o]", ipr_path_json(&paths[0]), ipr_path_json(&paths[1])));
    q.player = persons[0];
    q.opponent = persons[1];
    q.limit = GAMES_MET;
    if (persons[0] != persons[1])
        rc = ipr_view_games(c->v, &q, &met, err);
    json_object_set_new(out, "met", met);
    return rc;
}

/* With all methods, if sides are given. */
enum ipr_code ipr_fill_compare(const struct ipr_view_context *c,
                               const struct ipr_prediction_request *p, json_t *out,
                               struct ipr_err *err)
{
    json_t *prediction = json_null(), *sides = json_object();

    json_object_set_new(out, "sides", sides);
    enum ipr_code rc = sides_read(c, p, sides, err);
    if (rc == IPR_OK && p->white.player != 0 && p->black.player != 0)
        rc = ipr_view_prediction(c->v, p, &prediction, err);
    if (rc == IPR_OK && json_is_object(prediction))
        rc = compare_beside(c, p, out, err);
    json_object_set_new(out, "prediction", prediction);
    return rc;
}
