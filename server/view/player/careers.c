/* Careers: sets of games of several players, by years or ages, and against each other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/champions.h"
#include "core/names.h"
#include "db/elo.h"
#include "model/move_mark.h"
#include "resource/read.h"
#include "sentence/sentence.h"
#include "view/document.h"
#include "view/json.h"
#include "view/player/career.h"
#include "view/wording.h"

struct careers {
    const struct ipr_view_context *c;
    const struct ipr_careers_request *asked;
    bool ages;
    struct ipr_career of[IPR_PARAM_TEXTS_MAX];
    size_t n;
};

/* ---- reading ---- */

/* A set that is there already adds nothing. */
static bool careers_have(const struct careers *all, const char *text)
{
    for (size_t i = 0; i < all->n; i++)
        if (strcmp(all->of[i].text, text) == 0)
            return true;
    return false;
}

/* Ratings of games are compared only where no set has a strength: the two are not one quantity. */
static void careers_set_apart(struct careers *all)
{
    bool any = false;

    for (size_t i = 0; i < all->n; i++)
        any = any || ipr_career_has_strength(&all->of[i]);
    for (size_t i = 0; i < all->n; i++)
        all->of[i].beside = any && !ipr_career_has_strength(&all->of[i]);
}

static enum ipr_code careers_open(struct careers *all, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; rc == IPR_OK && i < all->asked->set.n; i++) {
        struct ipr_set set;

        rc = ipr_set_read(all->asked->set.v[i], &set, err);
        if (rc == IPR_OK && !careers_have(all, ipr_set_text(&set, all->c->v->mem))) {
            rc = ipr_career_open(all->c, &set, &all->of[all->n], err);
            all->n += rc == IPR_OK;
        }
        if (rc != IPR_OK && err != NULL)
            err->nth = (uint32_t)i;
    }
    careers_set_apart(all);
    return rc;
}

/* ---- names ---- */

/* True if another player among them has the same surname. */
static bool surname_is_shared(const struct careers *all, const struct ipr_career *k)
{
    const char *const name = ipr_career_surname(k->of.player.name, all->c->v->mem);

    for (size_t i = 0; i < all->n; i++)
        if (all->of[i].of.player.id != k->of.player.id &&
            strcmp(ipr_career_surname(all->of[i].of.player.name, all->c->v->mem), name) == 0)
            return true;
    return false;
}

static const char *label_years(const struct ipr_set *s, const char *label, struct ipr_arena *mem)
{
    if (s->from == 0 && s->to == 0)
        return label;
    if (s->from == s->to)
        return ipr_arena_printf(mem, "%s %d", label, s->from);
    if (s->from == 0)
        return ipr_arena_printf(mem, "%s to %d", label, s->to);
    return s->to == 0 ? ipr_arena_printf(mem, "%s from %d", label, s->from)
                      : ipr_arena_printf(mem, "%s %d\u2013%d", label, s->from, s->to);
}

/* ", middlegame and endgame" */
static const char *label_phases(unsigned phases, const char *label, struct ipr_arena *mem)
{
    const unsigned late = 1u << IPR_PHASE_MIDDLEGAME | 1u << IPR_PHASE_ENDGAME;
    const char *between = ",";

    if (phases == late)
        return ipr_arena_printf(mem, "%s, without the opening", label);
    for (int i = 0; i < IPR_PHASES; i++)
        if ((phases & 1u << i) != 0) {
            label =
                ipr_arena_printf(mem, "%s%s %s", label, between, ipr_phase_name((enum ipr_phase)i));
            between = " and";
        }
    return label;
}

/* "Fischer 1968–1972, White, Bled against Spassky, endgame" */
static const char *set_label(const char *name, const struct ipr_set *s,
                             const struct ipr_rate_scope *of, struct ipr_arena *mem)
{
    const char *label = label_years(s, name, mem);

    if (s->colours != 0)
        label = ipr_arena_printf(mem, "%s, %s", label, s->colours == 1u ? "White" : "Black");
    if (s->event != 0)
        label = ipr_arena_printf(mem, "%s, %s", label, ipr_name_event(of->event.name, mem));
    for (size_t i = 0; i < of->n_opponents; i++)
        label = ipr_arena_printf(mem, "%s %s %s", label, i == 0 ? "against" : "or",
                                 ipr_career_surname(of->opponents[i].name, mem));
    if (s->upload != 0)
        label = ipr_arena_printf(mem, "%s, upload %lld", label, (long long)s->upload);
    return label_phases(s->phases, label, mem);
}

static const char *career_label(const struct careers *all, const struct ipr_career *k)
{
    struct ipr_arena *mem = all->c->v->mem;

    return set_label(ipr_wording_surname(k->of.player.name, surname_is_shared(all, k), mem),
                     &k->set, &k->of, mem);
}

/* ---- years ---- */

static const struct ipr_career_year *career_rated_year(const struct ipr_career *k, int year)
{
    for (size_t i = 0; i < k->n; i++)
        if (k->years[i].year == year)
            return &k->years[i];
    return NULL;
}

static bool set_has_conditions(const struct ipr_set *s)
{
    return s->colours != 0 || s->event != 0 || s->n_opponents > 0 || s->upload != 0 ||
           s->phases != 0;
}

/* Elo and strength from results are of all games of a year: with conditions only beside a rating.
 */
static bool year_is_shown(const struct ipr_career *k, const struct ipr_db_player_year *y)
{
    const struct ipr_set *s = &k->set;

    return y->year > 0 && (s->from == 0 || y->year >= s->from) &&
           (s->to == 0 || y->year <= s->to) &&
           (!set_has_conditions(s) || career_rated_year(k, y->year) != NULL);
}

/* Elo of a player in the years of his games. */
struct career_elo {
    const struct ipr_db_player_year *tags; /* [n_tags] */
    size_t n_tags;
    struct ipr_db_elo_listed *lists; /* [n_lists] */
    size_t n_lists;
};

/* As in the player's list of years; else the mean in the tags of all
 * games; else that of the rating lists of the year. */
static json_t *year_elo(const struct career_elo *e, const json_t *row, int year)
{
    const double analysed = ipr_json_at(row, "elo", NAN);
    double sum = 0;
    int n = 0;

    if (isfinite(analysed))
        return ipr_json_num(analysed);
    for (size_t i = 0; i < e->n_tags; i++)
        if (e->tags[i].year == year && e->tags[i].elo_mean > 0)
            return ipr_json_num(e->tags[i].elo_mean);
    for (size_t i = 0; i < e->n_lists; i++)
        if (strtol(e->lists[i].month, NULL, 10) == year) { /* "1972-07" */
            sum += e->lists[i].elo;
            n++;
        }
    return ipr_json_num(ipr_number_if(n > 0, sum / n));
}

/* From the row of the player's list of years. */
static json_t *year_json(const struct ipr_career *k, const struct career_elo *e, const json_t *row)
{
    const int year = (int)ipr_json_at(row, "year", 0);
    const struct ipr_career_year *rated = career_rated_year(k, year);
    json_t *results = json_object_get(row, "results_strength");
    json_t *rating =
        rated == NULL ? json_null() : ipr_shape_json(IPR_SHAPE_RATING_SHORT, &rated->rating);
    const size_t at = k->path != NULL ? ipr_path_find(k->path, year) : 0;
    json_t *const strength = k->path != NULL && at < k->path->n
                                 ? ipr_shape_json(IPR_SHAPE_PATH_YEAR, &k->path->year[at])
                                 : json_null();

    return json_pack("{s:i, s:o, s:o, s:o, s:o, s:O?}", "year", year, "age",
                     ipr_json_known(k->born > 0 ? year - k->born : 0), "strength", strength,
                     "rating", rating, "elo", year_elo(e, row, year), "results_strength", results);
}

static enum ipr_code career_years(const struct ipr_view_context *c, const struct ipr_career *k,
                                  unsigned *budget, json_t *out, struct ipr_err *err)
{
    struct ipr_db_player_year *rows = NULL;
    json_t *list = json_array(), *row;
    struct career_elo elo = { 0 };
    size_t n = 0, shown = 0, i;
    enum ipr_code rc = ipr_db_player_years(c->v->db, k->of.player.id, c->judge_id, c->times,
                                           c->v->mem, &rows, &n, err);

    for (i = 0; rc == IPR_OK && i < n; i++)
        if (year_is_shown(k, &rows[i]))
            rows[shown++] = rows[i];
    if (rc == IPR_OK)
        rc = ipr_view_add_year_rows(c, NULL, rows, shown, 0, false, budget, list, err);
    if (rc == IPR_OK)
        rc = ipr_db_elo_history(c->v->db, k->of.player.id, 0, 0, c->v->mem, &elo.lists,
                                &elo.n_lists, err);
    elo.tags = rows;
    elo.n_tags = shown;
    json_array_foreach(list, i, row) {
        json_array_append_new(out, year_json(k, &elo, row));
    }
    json_decref(list);
    return rc;
}

/* ---- the answer ---- */

static const char *career_no_ages(const struct careers *all, const struct ipr_career *k)
{
    if (!all->ages || k->born > 0)
        return NULL;
    const struct ipr_player_not_born_slots slots = { k->of.player.name };
    return all->c->v->spelling == NULL
               ? ipr_say_player_no_ages(IPR_PLAYER_NO_AGES_NO_FILE)
               : ipr_say_player_not_born(IPR_PLAYER_NOT_BORN_UNKNOWN, &slots, all->c->v->mem);
}

static json_t *career_phases_json(unsigned phases)
{
    json_t *list = json_array();

    for (int i = 0; i < IPR_PHASES; i++)
        if ((phases & 1u << i) != 0)
            json_array_append_new(list, json_string(ipr_phase_name((enum ipr_phase)i)));
    return list;
}

/* In the years of the set, as the shape of a peak has it. */
static json_t *career_strength_json(const struct ipr_career *k)
{
    const struct ipr_trajectory_point *const at = &k->part.at;
    const struct ipr_figure_set_strength out = {
        .estimate = at->mean,
        .standard_error = (at->hi - at->lo) / 2 / IPR_Z95,
        .interval = { at->lo, at->hi },
        .from = ipr_count_if(k->set.from != 0, (size_t)k->set.from),
        .to = ipr_count_if(k->set.to != 0, (size_t)k->set.to),
    };

    return ipr_shape_json(IPR_SHAPE_SET_STRENGTH, &out);
}

static enum ipr_code career_json(const struct careers *all, const struct ipr_career *k,
                                 unsigned *budget, json_t *sets, struct ipr_err *err)
{
    struct ipr_arena *mem = all->c->v->mem;
    json_t *years = json_array();
    json_t *out = json_pack("{s:s, s:s, s:o, s:o}", "set", k->text, "label", k->label, "player",
                            ipr_json_player(k->of.player.id, k->of.player.name), "born",
                            ipr_json_known(k->born));

    if (k->set.event != 0)
        json_object_set_new(out, "event", ipr_json_player(k->set.event, k->of.event.name));
    json_object_set_new(out, "opponents", ipr_rate_scope_opponents(&k->of));
    if (k->set.phases != 0) {
        json_object_set_new(out, "phases", career_phases_json(k->set.phases));
        json_object_set_new(out, "games_without_moves", json_integer((json_int_t)k->without_moves));
    }
    json_object_set_new(out, "rating", ipr_shape_json(IPR_SHAPE_RATING_SHORT, &k->rating));
    if (k->path != NULL)
        json_object_set_new(out, "path", ipr_path_json(k->path, k->set.from, k->set.to));
    if (ipr_career_is_whole(k))
        json_object_set_new(out, "peak", ipr_shape_json(IPR_SHAPE_PLAYER_PEAK, &k->path->peak));
    else if (ipr_career_has_strength(k))
        json_object_set_new(out, "strength", career_strength_json(k));
    json_object_set_new(out, "finding", json_string(ipr_career_finding(k, mem)));
    json_object_set_new(out, "no_ages", ipr_json_text(career_no_ages(all, k)));
    json_object_set_new(out, "years", years);
    json_array_append_new(sets, out);
    return career_years(all->c, k, budget, years, err);
}

static json_t *careers_finding(const struct careers *all)
{
    double p;
    const char *const text = ipr_careers_finding(all->of, all->n, &p, all->c->v->mem);

    return text == NULL ? json_null()
                        : json_pack("{s:s, s:o}", "text", text, "probability", ipr_json_num(p));
}

/* ---- sets that the form adds ---- */

#define FOUND_ALONE 12 /* players offered, if nothing else is looked for */
#define FOUND_EACH  4  /* players, opponents and events of the sets offered, if more is */

struct found {
    json_t *players, *opponents, *events; /* rows with id and name; NULL: not looked for */
};

/* The number of a player or event by itself, or those of a name. */
static bool found_number(const char *text, int *id)
{
    int64_t n = 0;

    if (!ipr_str_int(ipr_str_c(text), 1, INT32_MAX, &n))
        return false;
    *id = (int)n;
    return true;
}

static json_t *found_rows(json_t *answer, const char *member)
{
    json_t *rows = json_incref(json_object_get(answer, member));

    json_decref(answer);
    return rows;
}

static enum ipr_code found_players(const struct careers *all, const char *text, int limit,
                                   json_t **out, struct ipr_err *err)
{
    struct ipr_players_request q = IPR_PLAYERS_REQUEST_INIT;
    json_t *answer = NULL;
    int id = 0;

    if (found_number(text, &id)) {
        *out = json_pack("[{s:i}]", "id", id);
        return IPR_OK;
    }
    q.q = text;
    q.judge = all->asked->judge;
    q.limit = limit;
    const enum ipr_code rc = ipr_view_players(all->c->v, &q, &answer, err);
    if (rc == IPR_OK)
        *out = found_rows(answer, "players");
    return rc;
}

static enum ipr_code found_events(const struct careers *all, const char *text, json_t **out,
                                  struct ipr_err *err)
{
    struct ipr_events_request q = IPR_EVENTS_REQUEST_INIT;
    json_t *answer = NULL;
    int id = 0;

    if (found_number(text, &id)) {
        *out = json_pack("[{s:i}]", "id", id);
        return IPR_OK;
    }
    q.q = text;
    q.from = all->asked->from;
    q.to = all->asked->to;
    q.limit = 10 * FOUND_EACH; /* the player is in few of them */
    const enum ipr_code rc = ipr_view_events(all->c->v, &q, &answer, err);
    if (rc == IPR_OK)
        *out = found_rows(answer, "events");
    return rc;
}

static struct ipr_set found_set(const struct ipr_careers_request *p, const json_t *player,
                                const json_t *opponent, const json_t *event)
{
    struct ipr_set set = { .player = (int)ipr_json_at(player, "id", 0),
                           .from = p->from,
                           .to = p->to,
                           .colours = p->color >= 0 ? 1u << p->color : 0,
                           .event = (int)ipr_json_at(event, "id", 0),
                           .upload = p->upload,
                           .phases = p->phase };

    if (opponent != NULL)
        set.opponents[set.n_opponents++] = (int)ipr_json_at(opponent, "id", 0);
    return set;
}

/* A set with games is offered, whether they are analysed or not; without limits that may leave none
 * every player. */
static enum ipr_code found_add(const struct careers *all, const struct ipr_set *set,
                               const json_t *player, json_t *found, struct ipr_err *err)
{
    struct ipr_arena *const mem = all->c->v->mem;
    const struct ipr_view_scope asked = ipr_career_scope(set);
    const bool limited = set->event != 0 || set->n_opponents > 0 || set->upload != 0;
    int32_t games[IPR_TIME_CLASSES] = { 0 }, n = 0;
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_rate_scope of;
    enum ipr_code rc = ipr_rate_scope_open(all->c, set->player, &asked, &of, &why);

    if (rc == IPR_ENOTFOUND ||
        rc == IPR_EPARSE) { /* there is no such player, opponent, event or upload */
        ipr_err_clear(&why);
        return IPR_OK;
    }
    if (rc == IPR_OK && limited)
        rc = ipr_db_scope_games(all->c->v->db, &of.db, games, &why);
    if (rc != IPR_OK)
        return ipr_err_pass(err, &why);
    for (int class = 0; class < IPR_TIME_CLASSES; class ++)
        n += games[class];
    if (limited && n == 0)
        return IPR_OK;
    json_array_append_new(
        found, json_pack("{s:i, s:s, s:s, s:O?, s:O?, s:s}", "id", (int)of.player.id, "name",
                         of.player.name, "label",
                         set_label(ipr_name_spoken(of.player.name, mem), set, &of, mem),
                         "first_year", json_object_get(player, "first_year"), "last_year",
                         json_object_get(player, "last_year"), "set", ipr_set_text(set, mem)));
    return IPR_OK;
}

/* Row i; NULL for the only round of a list that was not looked for. */
static const json_t *found_at(const json_t *rows, size_t i)
{
    return rows != NULL ? json_array_get(rows, i) : NULL;
}

static size_t found_rounds(const json_t *rows)
{
    return rows != NULL ? json_array_size(rows) : 1;
}

static enum ipr_code found_combine(const struct careers *all, const struct found *f, json_t *found,
                                   struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; i < found_rounds(f->players); i++)
        for (size_t j = 0; j < found_rounds(f->opponents); j++)
            for (size_t k = 0; rc == IPR_OK && k < found_rounds(f->events) &&
                               json_array_size(found) < FOUND_ALONE;
                 k++) {
                const struct ipr_set set =
                    found_set(all->asked, found_at(f->players, i), found_at(f->opponents, j),
                              found_at(f->events, k));

                rc = found_add(all, &set, found_at(f->players, i), found, err);
            }
    return rc;
}

/* Players by name, with the sets that the form adds: of each with each opponent and event whose
 * name fits, where there are games. */
static enum ipr_code careers_find(const struct careers *all, json_t *out, struct ipr_err *err)
{
    const struct ipr_careers_request *p = all->asked;
    const bool more = p->opponent != NULL || p->event != NULL;
    json_t *found = json_array();
    struct found f = { 0 };

    if (p->q == NULL) {
        json_decref(found);
        return IPR_OK;
    }
    enum ipr_code rc = found_players(all, p->q, more ? FOUND_EACH : FOUND_ALONE, &f.players, err);
    if (rc == IPR_OK && p->opponent != NULL)
        rc = found_players(all, p->opponent, FOUND_EACH, &f.opponents, err);
    if (rc == IPR_OK && p->event != NULL)
        rc = found_events(all, p->event, &f.events, err);
    if (rc == IPR_OK)
        rc = found_combine(all, &f, found, err);
    json_object_set_new(out, "found", found);
    json_object_set_new(out, "found_players", json_integer((json_int_t)json_array_size(f.players)));
    json_decref(f.players);
    json_decref(f.opponents);
    json_decref(f.events);
    return rc;
}

enum ipr_code ipr_fill_careers(const struct ipr_view_context *c,
                               const struct ipr_careers_request *p, json_t *out,
                               struct ipr_err *err)
{
    struct careers *all = ipr_arena_alloc(c->v->mem, 1, sizeof *all);
    json_t *sets = json_array();
    unsigned budget = IPR_VIEW_BUDGET;

    *all = (struct careers){ .c = c, .asked = p, .ages = p->by == IPR_CAREERS_BY_AGE };
    ipr_view_context_add_basis(c, out);
    json_object_set_new(out, "sets", sets);
    enum ipr_code rc = careers_open(all, err);
    for (size_t i = 0; rc == IPR_OK && i < all->n; i++)
        all->of[i].label = career_label(all, &all->of[i]);
    for (size_t i = 0; rc == IPR_OK && i < all->n; i++)
        rc = career_json(all, &all->of[i], &budget, sets, err);
    if (rc == IPR_OK)
        rc = careers_find(all, out, err);
    json_object_set_new(out, "by", json_string(all->ages ? "age" : "year"));
    json_object_set_new(out, "finding", rc == IPR_OK ? careers_finding(all) : json_null());
    json_object_set_new(out, "against", ipr_career_against(all->of, rc == IPR_OK ? all->n : 0));
    return rc;
}
