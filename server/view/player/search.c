/* The search of every page: players, their years and events. */
#include "view/player/search.h"

#include <string.h>

#include "core/names.h"
#include "resource/write.h"
#include "sentence/sentence.h"
#include "view/context.h"
#include "view/figure/figure.h"
#include "view/json.h"

#define YEARS_SHOWN 3

struct searching {
    const struct ipr_view_context *c;
    const struct ipr_search_request *p;
    struct ipr_search asked;
    json_t *players, *years, *events; /* lists of hits */
    bool near;
};

static json_t *search_hit(const char *name, const char *to, int first, int last, json_t *games)
{
    json_t *hit = json_object();

    json_object_set_new(hit, "name", json_string(name));
    json_object_set_new(hit, "to", json_string(to));
    json_object_set_new(hit, "first_year", ipr_json_known(first));
    json_object_set_new(hit, "last_year", ipr_json_known(last));
    json_object_set(hit, "games", games);
    return hit;
}

/* "/players/12/fischer-robert-j" */
static const char *search_address(const char *of, const json_t *one, const char *named,
                                  struct ipr_arena *mem)
{
    const char *const slug = ipr_name_slug(named, mem);

    return ipr_arena_printf(mem, "/%s/%.0f%s%s", of, ipr_json_at(one, "id", 0.0),
                            *slug != '\0' ? "/" : "", slug);
}

static void search_add_player(struct searching *s, const json_t *player)
{
    const char *const name = ipr_json_text_at(player, "name");
    json_t *hit =
        search_hit(name, search_address("players", player, name, s->c->v->mem),
                   (int)ipr_json_at(player, "first_year", 0.0),
                   (int)ipr_json_at(player, "last_year", 0.0), json_object_get(player, "games"));

    json_object_set(hit, "peak", json_object_get(player, "peak"));
    json_array_append_new(s->players, hit);
}

static void search_add_year(struct searching *s, const json_t *player,
                            const struct ipr_db_player_year *row)
{
    struct ipr_arena *const mem = s->c->v->mem;
    const char *const name = ipr_json_text_at(player, "name");
    json_t *games = json_integer(row->games);
    json_t *hit = search_hit(
        ipr_arena_printf(mem, "%s, %d", name, row->year),
        ipr_arena_printf(mem, "%s/%d", search_address("players", player, name, mem), row->year),
        row->year, row->year, games);

    json_decref(games);
    json_array_append_new(s->years, hit);
}

/* The year that was typed; else the years of most games. */
static enum ipr_code search_years_of(struct searching *s, const json_t *player, struct ipr_err *err)
{
    struct ipr_db_player_year *rows = NULL;
    size_t n = 0;
    const enum ipr_code rc =
        ipr_db_player_years(s->c->v->db, (int32_t)ipr_json_at(player, "id", 0.0), s->c->judge_id,
                            s->c->times, s->c->v->mem, &rows, &n, err);

    for (int k = 0; rc == IPR_OK && k < s->asked.n_years; k++)
        for (size_t i = 0; i < n && json_array_size(s->years) < YEARS_SHOWN; i++)
            if (rows[i].year == s->asked.years[k] && rows[i].games > 0)
                search_add_year(s, player, &rows[i]);
    while (rc == IPR_OK && s->asked.n_years == 0 && json_array_size(s->years) < YEARS_SHOWN) {
        struct ipr_db_player_year *most = NULL;

        for (size_t i = 0; i < n; i++)
            if (rows[i].year > 0 && rows[i].games > 0 &&
                (most == NULL || rows[i].games > most->games))
                most = &rows[i];
        if (most == NULL)
            break;
        search_add_year(s, player, most);
        most->games = 0;
    }
    return rc;
}

static enum ipr_code search_players(struct searching *s, struct ipr_err *err)
{
    struct ipr_players_request q = IPR_PLAYERS_REQUEST_INIT;
    struct ipr_err why = IPR_ERR_INIT;
    json_t *found = json_object(), *one;
    size_t i;

    q.q = s->asked.words;
    q.limit = s->p->limit;
    enum ipr_code rc = ipr_fill_players(s->c, &q, found, &why);
    if (rc == IPR_EPARSE) { /* no name at all */
        ipr_err_clear(&why);
        rc = IPR_OK;
    } else if (rc != IPR_OK) {
        rc = ipr_err_pass(err, &why);
    }
    s->near = ipr_json_true_at(found, "near");
    json_array_foreach(json_object_get(found, "players"), i, one) {
        search_add_player(s, one);
        if (rc == IPR_OK && (i == 0 || s->asked.n_years > 0))
            rc = search_years_of(s, one, err);
    }
    json_decref(found);
    return rc;
}

static void search_add_event(struct searching *s, const json_t *event)
{
    struct ipr_arena *const mem = s->c->v->mem;
    const int year = (int)ipr_json_at(event, "year", 0.0);
    const char *const name = ipr_json_text_at(event, "name");

    json_array_append_new(
        s->events,
        search_hit(name, search_address("events", event, ipr_name_dated(name, year, mem), mem),
                   year, year, json_object_get(event, "games")));
}

static enum ipr_code search_events(struct searching *s, int year, struct ipr_err *err)
{
    struct ipr_events_request q = IPR_EVENTS_REQUEST_INIT;
    struct ipr_answer_events *const found = ipr_shape_new(IPR_SHAPE_EVENTS, s->c->v->mem);

    q.q = s->asked.words;
    q.year = year;
    q.limit = s->p->limit;
    const enum ipr_code rc = ipr_fill_events(s->c, &q, found, err);

    for (size_t i = 0; i < found->events.n; i++) {
        json_t *const one = ipr_shape_json(IPR_SHAPE_EVENT_LIST_ROW, &found->events.at[i]);

        search_add_event(s, one);
        json_decref(one);
    }
    return rc;
}

static enum ipr_code search_all(struct searching *s, struct ipr_err *err)
{
    enum ipr_code rc = search_players(s, err);

    if (s->asked.n_years == 0 && rc == IPR_OK)
        rc = search_events(s, 0, err);
    for (int i = 0; i < s->asked.n_years && rc == IPR_OK; i++)
        rc = search_events(s, s->asked.years[i], err);
    return rc;
}

/* ---- the answer ---- */

/* True if a name has these words whole: "Tata Steel" has "tata", "Tatai" only begins with it. */
static bool search_has_words(const char *name, const char *words, struct ipr_arena *mem)
{
    const char *const all = ipr_arena_printf(mem, "-%s-", ipr_name_slug(name, mem));
    char *const slug = ipr_arena_printf(mem, "%s", ipr_name_slug(words, mem));
    char *rest = NULL;

    for (char *word = strtok_r(slug, "-", &rest); word != NULL; word = strtok_r(NULL, "-", &rest))
        if (strstr(all, ipr_arena_printf(mem, "-%s-", word)) == NULL)
            return false;
    return true;
}

static bool search_any_has_words(const struct searching *s, const json_t *hits)
{
    const json_t *hit;
    size_t i;

    json_array_foreach(hits, i, hit)
        if (search_has_words(ipr_json_text_at(hit, "name"), s->asked.words, s->c->v->mem))
            return true;
    return false;
}

static void search_add_group(json_t *groups, const char *kind, json_t *hits)
{
    if (json_array_size(hits) > 0)
        json_array_append_new(groups, json_pack("{s:s, s:O}", "kind", kind, "hits", hits));
}

/* Years first where one was typed, and events first where they alone have the words. */
static json_t *search_groups(const struct searching *s)
{
    const bool events_first =
        !search_any_has_words(s, s->players) && search_any_has_words(s, s->events);
    json_t *groups = json_array();

    if (events_first)
        search_add_group(groups, "events", s->events);
    if (s->asked.n_years > 0)
        search_add_group(groups, "player_years", s->years);
    search_add_group(groups, "players", s->players);
    if (s->asked.n_years == 0)
        search_add_group(groups, "player_years", s->years);
    if (!events_first)
        search_add_group(groups, "events", s->events);
    return groups;
}

/* Players with similar names are not meant if they have less than a hundredth of the games of the
 * first. */
static size_t search_good_players(const struct searching *s)
{
    const double most = ipr_json_at(json_array_get(s->players, 0), "games", 0.0);
    const json_t *hit;
    size_t i, n = 0;

    json_array_foreach(s->players, i, hit)
        n += !s->near || ipr_json_at(hit, "games", 0.0) * 100.0 >= most;
    return n;
}

/* Where the only good hit is: of a year that was typed it is a player's or an event's, else a
 * player's or an event's without one. NULL: there are several, or none. */
static const char *search_only(const struct searching *s)
{
    const bool dated = s->asked.n_years > 0;
    const size_t n = dated ? json_array_size(s->years) : search_good_players(s),
                 events = json_array_size(s->events);

    if (n + events != 1)
        return NULL;
    const json_t *hits = dated ? s->years : s->players;
    if (events == 1)
        hits = s->events;
    return ipr_json_text_at(json_array_get(hits, 0), "to");
}

static bool search_is_player(const struct searching *s, const char *name)
{
    struct ipr_players_request q = IPR_PLAYERS_REQUEST_INIT;
    json_t *const found = json_object();

    q.q = name;
    q.limit = 1;
    const enum ipr_code rc = ipr_fill_players(s->c, &q, found, NULL);
    const bool is = rc == IPR_OK && json_array_size(json_object_get(found, "players")) > 0;

    json_decref(found);
    return is;
}

/* The comparison of two players who were typed; NULL: that is not it. */
static const char *search_two(const struct searching *s)
{
    struct ipr_arena *const mem = s->c->v->mem;
    const size_t found =
        json_array_size(s->players) + json_array_size(s->years) + json_array_size(s->events);
    const char *name[2];

    if (s->p->q == NULL || found > 0 || s->asked.n_years > 0 ||
        !ipr_search_read_two(s->p->q, name, mem) || !search_is_player(s, name[0]) ||
        !search_is_player(s, name[1]))
        return NULL;
    json_t *const white = ipr_given_json("white", name[0]), *const black =
                                                                ipr_given_json("black", name[1]);
    const char *const to = ipr_arena_printf(mem, "/compare?%s&%s", ipr_json_text_at(white, "query"),
                                            ipr_json_text_at(black, "query"));

    json_decref(white);
    json_decref(black);
    return to;
}

static const char *search_finding(const struct searching *s)
{
    const double players = (double)json_array_size(s->players),
                 years = (double)json_array_size(s->years),
                 events = (double)json_array_size(s->events);
    const bool dated = s->asked.n_years > 0;
    const struct ipr_player_found_slots slots = {
        .near = s->near,
        .players = ipr_number_if(players > 0, players),
        .more_players = players >= s->p->limit,
        .years = ipr_number_if(dated && years > 0, years),
        .events = ipr_number_if(events > 0, events),
        .more_events = events >= s->p->limit,
        .first_years = players == 0,
        .first_events = players + (dated ? years : 0) == 0,
    };

    return ipr_say_player_found(slots.first_events && events == 0 ? IPR_PLAYER_FOUND_NONE
                                                                  : IPR_PLAYER_FOUND_SOME,
                                &slots, s->c->v->mem);
}

static json_t *search_years_json(const struct ipr_search *asked)
{
    json_t *list = json_array();

    for (int i = 0; i < asked->n_years; i++)
        json_array_append_new(list, json_integer(asked->years[i]));
    return list;
}

enum ipr_code ipr_fill_search(const struct ipr_view_context *c, const struct ipr_search_request *p,
                              json_t *out, struct ipr_err *err)
{
    struct searching s = { .c = c,
                           .p = p,
                           .asked = ipr_search_read(p->q != NULL ? p->q : "", c->v->mem),
                           .players = json_array(),
                           .years = json_array(),
                           .events = json_array() };
    const enum ipr_code rc = *s.asked.words != '\0' ? search_all(&s, err) : IPR_OK;

    if (rc == IPR_OK) {
        json_object_set_new(out, "search", ipr_json_text(p->q));
        json_object_set_new(out, "words", ipr_json_text(s.asked.words));
        json_object_set_new(out, "years", search_years_json(&s.asked));
        if (s.near)
            json_object_set_new(out, "near", json_true());
        json_object_set_new(out, "finding", json_string(search_finding(&s)));
        json_object_set_new(out, "groups", search_groups(&s));
        const char *const two = search_two(&s);

        json_object_set_new(out, "only", ipr_json_text(two != NULL ? two : search_only(&s)));
    }
    json_decref(s.players);
    json_decref(s.years);
    json_decref(s.events);
    return rc;
}
