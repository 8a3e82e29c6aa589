/* The search of every page: players, their years and events. */
#include "view/player/search.h"

#include <inttypes.h>
#include <string.h>

#include "core/names.h"
#include "db/tournaments.h"
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
    struct ipr_list_search_hit players, years, events;
    bool near;
};

static struct ipr_list_search_hit search_hits(size_t most, struct ipr_arena *mem)
{
    return (struct ipr_list_search_hit){ ipr_shape_list(IPR_SHAPE_SEARCH_HIT, most, mem), 0 };
}

/* "/players/12/fischer-robert-j" */
static const char *search_address(const char *of, int32_t id, const char *named,
                                  struct ipr_arena *mem)
{
    const char *const slug = ipr_name_slug(named, mem);

    return ipr_arena_printf(mem, "/%s/%" PRId32 "%s%s", of, id, *slug != '\0' ? "/" : "", slug);
}

static void search_add_player(struct searching *s, struct ipr_answer_rated_player *player)
{
    const struct ipr_db_player *const row = player->row;

    s->players.at[s->players.n++] = (struct ipr_answer_search_hit){
        .name = row->name,
        .to = search_address("players", row->id, row->name, s->c->v->mem),
        .first_year = row->first_year,
        .last_year = row->last_year,
        .games = row->games,
        .peak = &player->peak,
    };
}

static void search_add_year(struct searching *s, const struct ipr_db_player *player,
                            const struct ipr_db_player_year *row)
{
    struct ipr_arena *const mem = s->c->v->mem;
    const char *const to = search_address("players", player->id, player->name, mem);

    s->years.at[s->years.n++] =
        (struct ipr_answer_search_hit){ .name = ipr_arena_printf(mem, "%s, %d", player->name,
                                                                 row->year),
                                        .to = ipr_arena_printf(mem, "%s/%d", to, row->year),
                                        .first_year = row->year,
                                        .last_year = row->year,
                                        .games = row->games };
}

/* The year that was typed; else the years of most games. */
static enum ipr_code search_years_of(struct searching *s, const struct ipr_db_player *player,
                                     struct ipr_err *err)
{
    struct ipr_db_player_year *rows = NULL;
    size_t n = 0;
    const enum ipr_code rc = ipr_db_player_years(s->c->v->db, player->id, s->c->judge_id,
                                                 s->c->times, s->c->v->mem, &rows, &n, err);

    for (int k = 0; rc == IPR_OK && k < s->asked.n_years; k++)
        for (size_t i = 0; i < n && s->years.n < YEARS_SHOWN; i++)
            if (rows[i].year == s->asked.years[k] && rows[i].games > 0)
                search_add_year(s, player, &rows[i]);
    while (rc == IPR_OK && s->asked.n_years == 0 && s->years.n < YEARS_SHOWN) {
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
    struct ipr_answer_players *const found = ipr_shape_new(IPR_SHAPE_PLAYERS, s->c->v->mem);
    struct ipr_err why = IPR_ERR_INIT;

    q.q = s->asked.words;
    q.limit = s->p->limit;
    enum ipr_code rc = ipr_fill_players(s->c, &q, found, &why);
    if (rc == IPR_EPARSE) { /* no name at all */
        ipr_err_clear(&why);
        rc = IPR_OK;
    } else if (rc != IPR_OK) {
        rc = ipr_err_pass(err, &why);
    }
    s->near = found->near > 0;
    for (size_t i = 0; i < found->players.n; i++) {
        search_add_player(s, &found->players.at[i]);
        if (rc == IPR_OK && (i == 0 || s->asked.n_years > 0))
            rc = search_years_of(s, found->players.at[i].row, err);
    }
    return rc;
}

static enum ipr_code search_events(struct searching *s, int year, struct ipr_err *err)
{
    struct ipr_arena *const mem = s->c->v->mem;
    struct ipr_events_request q = IPR_EVENTS_REQUEST_INIT;
    struct ipr_answer_events *const found = ipr_shape_new(IPR_SHAPE_EVENTS, mem);

    q.q = s->asked.words;
    q.year = year;
    q.limit = s->p->limit;
    const enum ipr_code rc = ipr_fill_events(s->c, &q, found, err);

    for (size_t i = 0; i < found->events.n; i++) {
        const struct ipr_db_tournament *const row = found->events.at[i].row;
        const char *const dated = ipr_name_dated(row->name, row->year, mem);

        s->events.at[s->events.n++] =
            (struct ipr_answer_search_hit){ .name = row->name,
                                            .to = search_address("events", row->id, dated, mem),
                                            .first_year = row->year,
                                            .last_year = row->year,
                                            .games = row->games };
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

static bool search_any_has_words(const struct searching *s, const struct ipr_list_search_hit *hits)
{
    for (size_t i = 0; i < hits->n; i++)
        if (search_has_words(hits->at[i].name, s->asked.words, s->c->v->mem))
            return true;
    return false;
}

static void search_add_group(struct ipr_list_search_group *groups, const char *kind,
                             const struct ipr_list_search_hit *hits)
{
    if (hits->n > 0)
        groups->at[groups->n++] = (struct ipr_answer_search_group){ kind, *hits };
}

/* Years first where one was typed, and events first where they alone have the words. */
static struct ipr_list_search_group search_groups(const struct searching *s)
{
    const bool events_first =
        !search_any_has_words(s, &s->players) && search_any_has_words(s, &s->events);
    struct ipr_list_search_group groups = { ipr_shape_list(IPR_SHAPE_SEARCH_GROUP, 3, s->c->v->mem),
                                            0 };

    if (events_first)
        search_add_group(&groups, "events", &s->events);
    if (s->asked.n_years > 0)
        search_add_group(&groups, "player_years", &s->years);
    search_add_group(&groups, "players", &s->players);
    if (s->asked.n_years == 0)
        search_add_group(&groups, "player_years", &s->years);
    if (!events_first)
        search_add_group(&groups, "events", &s->events);
    return groups;
}

/* Players with similar names are not meant if they have few games beside the first. */
static size_t search_good_players(const struct searching *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->players.n; i++)
        n += !s->near || s->players.at[i].games * IPR_VIEW_MEANT >= s->players.at[0].games;
    return n;
}

/* Where the only good hit is: of a year that was typed it is a player's or an event's, else a
 * player's or an event's without one. NULL: there are several, or none. */
static const char *search_only(const struct searching *s)
{
    const bool dated = s->asked.n_years > 0;
    const size_t n = dated ? s->years.n : search_good_players(s);

    if (n + s->events.n != 1)
        return NULL;
    if (s->events.n == 1)
        return s->events.at[0].to;
    return dated ? s->years.at[0].to : s->players.at[0].to;
}

static bool search_is_player(const struct searching *s, const char *name)
{
    struct ipr_players_request q = IPR_PLAYERS_REQUEST_INIT;
    struct ipr_answer_players *const found = ipr_shape_new(IPR_SHAPE_PLAYERS, s->c->v->mem);

    q.q = ipr_search_read(name, s->c->v->mem).words;
    q.limit = 1;
    return ipr_fill_players(s->c, &q, found, NULL) == IPR_OK && found->players.n > 0;
}

/* The comparison of two players who were typed; NULL: that is not it. */
static const char *search_two(const struct searching *s)
{
    struct ipr_arena *const mem = s->c->v->mem;
    const size_t found = s->players.n + s->years.n + s->events.n;
    const char *name[2];

    const enum ipr_search_two two =
        s->p->q != NULL ? ipr_search_read_two(s->p->q, name, mem) : IPR_SEARCH_NOT_TWO;

    if (two == IPR_SEARCH_NOT_TWO || (two == IPR_SEARCH_TWO_WORDS && found > 0) ||
        !search_is_player(s, name[0]) || !search_is_player(s, name[1]))
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
    const double players = (double)s->players.n, years = (double)s->years.n,
                 events = (double)s->events.n;
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

enum ipr_code ipr_fill_search(const struct ipr_view_context *c, const struct ipr_search_request *p,
                              struct ipr_answer_search *out, struct ipr_err *err)
{
    struct ipr_arena *const mem = c->v->mem;
    const size_t most = (size_t)p->limit;
    struct searching s = { .c = c,
                           .p = p,
                           .asked = ipr_search_read(p->q != NULL ? p->q : "", mem),
                           .players = search_hits(most, mem),
                           .years = search_hits(YEARS_SHOWN, mem) };

    s.events = search_hits(most * (size_t)(s.asked.n_years + 1), mem);
    const enum ipr_code rc = *s.asked.words != '\0' ? search_all(&s, err) : IPR_OK;
    if (rc != IPR_OK)
        return rc;
    out->search = p->q;
    out->words = s.asked.words;
    out->years.at = ipr_arena_alloc(mem, IPR_SEARCH_YEARS, sizeof *out->years.at);
    for (int i = 0; i < s.asked.n_years; i++)
        out->years.at[out->years.n++] = s.asked.years[i];
    if (s.near)
        out->near = true;
    out->finding = search_finding(&s);
    out->groups = search_groups(&s);
    out->only = search_two(&s);
    if (out->only == NULL)
        out->only = search_only(&s);
    return IPR_OK;
}
