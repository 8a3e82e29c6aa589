/* Careers: sets of games of several players, by years or ages, and against each other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/champions.h"
#include "core/names.h"
#include "db/elo.h"
#include "db/tournaments.h"
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

/* "Fischer 1968–1972, White, Bled against Spassky, endgame" */
static const char *set_label(const char *name, const struct ipr_set *s,
                             const struct ipr_rate_scope *of, struct ipr_arena *mem)
{
    const char **const opponents = ipr_arena_alloc(mem, of->n_opponents + 1, sizeof *opponents);
    const bool year = s->from == s->to;

    for (size_t i = 0; i < of->n_opponents; i++)
        opponents[i] = ipr_career_surname(of->opponents[i].name, mem);
    const struct ipr_player_label_slots slots = {
        .who = name,
        .year = ipr_number_if(year && s->from != 0, s->from),
        .from = ipr_number_if(!year && s->from != 0, s->from),
        .to = ipr_number_if(!year && s->to != 0, s->to),
        .white = s->colours == 1u,
        .black = s->colours > 1u,
        .event = s->event != 0 ? ipr_name_event(of->event.name, mem) : NULL,
        .opponents = { opponents, of->n_opponents },
        .upload = ipr_number_if(s->upload != 0, (double)s->upload),
        .late = s->phases == (1u << IPR_PHASE_MIDDLEGAME | 1u << IPR_PHASE_ENDGAME),
        .phases = ipr_career_phase_names(s->phases, mem),
    };
    return ipr_say_player_label(IPR_PLAYER_LABEL_ALL, &slots, mem);
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
static double year_elo(const struct career_elo *e, double analysed, int year)
{
    double sum = 0;
    int n = 0;

    if (isfinite(analysed))
        return analysed;
    for (size_t i = 0; i < e->n_tags; i++)
        if (e->tags[i].year == year && e->tags[i].elo_mean > 0)
            return e->tags[i].elo_mean;
    for (size_t i = 0; i < e->n_lists; i++)
        if (strtol(e->lists[i].month, NULL, 10) == year) { /* "1972-07" */
            sum += e->lists[i].elo;
            n++;
        }
    return ipr_number_if(n > 0, sum / n);
}

/* From the row of the player's list of years. */
static void career_year_fill(const struct ipr_career *k, const struct career_elo *e,
                             const json_t *row, struct ipr_arena *mem,
                             struct ipr_answer_career_year *out)
{
    const int year = (int)ipr_json_at(row, "year", 0);
    const struct ipr_career_year *rated = career_rated_year(k, year);
    const json_t *const results = json_object_get(row, "results_strength");
    const size_t at = k->path != NULL ? ipr_path_find(k->path, year) : 0;

    out->year = year;
    if (k->born > 0)
        out->age = year - k->born;
    if (k->path != NULL && at < k->path->n)
        out->strength = &k->path->year[at];
    if (rated != NULL)
        out->rating = ipr_shape_copy(IPR_SHAPE_RATING_SHORT, &rated->rating, mem);
    out->elo = year_elo(e, ipr_json_at(row, "elo", NAN), year);
    if (!json_is_object(results))
        return;
    out->results_strength = ipr_shape_new(IPR_SHAPE_RESULTS_SHORT, mem);
    ipr_shape_read(IPR_SHAPE_RESULTS_SHORT, results, mem, out->results_strength);
}

static enum ipr_code career_years(const struct ipr_view_context *c, const struct ipr_career *k,
                                  unsigned *budget, struct ipr_list_career_year *out,
                                  struct ipr_err *err)
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
    out->n = json_array_size(list);
    out->at = ipr_shape_list(IPR_SHAPE_CAREER_YEAR, out->n, c->v->mem);
    json_array_foreach(list, i, row) {
        career_year_fill(k, &elo, row, c->v->mem, &out->at[i]);
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

/* In the years of the set, as the shape of a peak has it. */
static struct ipr_figure_set_strength *career_part_strength(const struct ipr_career *k,
                                                            struct ipr_arena *mem)
{
    const struct ipr_trajectory_point *const at = &k->part.at;
    const struct ipr_figure_set_strength out = {
        .estimate = at->mean,
        .standard_error = (at->hi - at->lo) / 2 / IPR_Z95,
        .interval = { at->lo, at->hi },
        .from = ipr_count_if(k->set.from != 0, (size_t)k->set.from),
        .to = ipr_count_if(k->set.to != 0, (size_t)k->set.to),
    };

    return ipr_shape_copy(IPR_SHAPE_SET_STRENGTH, &out, mem);
}

static void career_add_limits(const struct ipr_career *k, struct ipr_arena *mem,
                              struct ipr_answer_career *out)
{
    const struct ipr_figure_named event = ipr_named(k->set.event, k->of.event.name);

    if (k->set.event != 0)
        out->event = ipr_shape_copy(IPR_SHAPE_NAMED, &event, mem);
    out->opponents.at = ipr_arena_alloc(mem, k->of.n_opponents + 1, sizeof *out->opponents.at);
    for (; out->opponents.n < k->of.n_opponents; out->opponents.n++)
        out->opponents.at[out->opponents.n] =
            ipr_named(k->of.opponents[out->opponents.n].id, k->of.opponents[out->opponents.n].name);
    if (k->set.phases == 0)
        return;
    const struct ipr_texts phases = ipr_career_phase_names(k->set.phases, mem);
    out->phases = (struct ipr_list_text){ (const char **)(uintptr_t)phases.at, phases.n };
    out->games_without_moves = (int64_t)k->without_moves;
}

static enum ipr_code career_fill(const struct careers *all, const struct ipr_career *k,
                                 unsigned *budget, struct ipr_answer_career *out,
                                 struct ipr_err *err)
{
    struct ipr_arena *mem = all->c->v->mem;

    out->set = k->text;
    out->label = k->label;
    out->player = ipr_named(k->of.player.id, k->of.player.name);
    out->born = k->born;
    career_add_limits(k, mem, out);
    out->rating = k->rating;
    if (k->path != NULL)
        out->path = ipr_path_years(k->path, k->set.from, k->set.to);
    if (ipr_career_is_whole(k))
        out->peak = &k->path->peak;
    else if (ipr_career_has_strength(k))
        out->strength = career_part_strength(k, mem);
    out->finding = ipr_career_finding(k, mem);
    out->no_ages = career_no_ages(all, k);
    return career_years(all->c, k, budget, &out->years, err);
}

static struct ipr_answer_careers_finding *careers_finding(const struct careers *all)
{
    struct ipr_answer_careers_finding out;

    out.text = ipr_careers_finding(all->of, all->n, &out.probability, all->c->v->mem);
    return out.text != NULL ? ipr_shape_copy(IPR_SHAPE_CAREERS_FINDING, &out, all->c->v->mem)
                            : NULL;
}

/* ---- sets that the form adds ---- */

#define FOUND_ALONE 12 /* players offered, if nothing else is looked for */
#define FOUND_EACH  4  /* players, opponents and events of the sets offered, if more is */

/* Ids of players or events, and the years of players; id 0 alone: none was looked for. */
struct found {
    struct ipr_db_player *rows;
    size_t n;
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

static struct found found_nothing(struct ipr_arena *mem)
{
    struct found f = { ipr_arena_alloc(mem, 1, sizeof *f.rows), 1 };

    f.rows[0] = (struct ipr_db_player){ .id = 0 };
    return f;
}

static enum ipr_code found_players(const struct careers *all, const char *text, int limit,
                                   struct found *out, struct ipr_err *err)
{
    struct ipr_arena *const mem = all->c->v->mem;
    struct ipr_answer_players *const answer = ipr_shape_new(IPR_SHAPE_PLAYERS, mem);
    struct ipr_players_request q = IPR_PLAYERS_REQUEST_INIT;
    struct ipr_view_context years = { 0 };

    *out = found_nothing(mem);
    if (text == NULL || found_number(text, &out->rows[0].id))
        return IPR_OK;
    q.q = text;
    q.limit = limit;
    enum ipr_code rc =
        ipr_setting_for(all->c->v, IPR_FOR_YEARS,
                        &(struct ipr_setting_scope){ .judge = all->asked->judge }, &years, err);
    if (rc == IPR_OK)
        rc = ipr_fill_players(&years, &q, answer, err);
    ipr_view_context_close(&years);
    out->rows = ipr_arena_alloc(mem, answer->players.n + 1, sizeof *out->rows);
    for (out->n = 0; out->n < answer->players.n; out->n++)
        out->rows[out->n] = *answer->players.at[out->n].row;
    return rc;
}

static enum ipr_code found_events(const struct careers *all, const char *text, struct found *out,
                                  struct ipr_err *err)
{
    struct ipr_arena *const mem = all->c->v->mem;
    struct ipr_answer_events *const answer = ipr_shape_new(IPR_SHAPE_EVENTS, mem);
    struct ipr_events_request q = IPR_EVENTS_REQUEST_INIT;

    *out = found_nothing(mem);
    if (text == NULL || found_number(text, &out->rows[0].id))
        return IPR_OK;
    q.q = text;
    q.from = all->asked->from;
    q.to = all->asked->to;
    q.limit = 10 * FOUND_EACH; /* the player is in few of them */
    const enum ipr_code rc = ipr_fill_events(all->c, &q, answer, err);
    out->rows = ipr_arena_alloc(mem, answer->events.n + 1, sizeof *out->rows);
    for (out->n = 0; out->n < answer->events.n; out->n++)
        out->rows[out->n] = (struct ipr_db_player){ .id = answer->events.at[out->n].row->id };
    return rc;
}

static struct ipr_set found_set(const struct ipr_careers_request *p, int player, int opponent,
                                int event)
{
    return (struct ipr_set){ .player = player,
                             .from = p->from,
                             .to = p->to,
                             .colours = p->color >= 0 ? 1u << p->color : 0,
                             .event = event,
                             .upload = p->upload,
                             .phases = p->phase,
                             .opponents = { opponent },
                             .n_opponents = opponent != 0 };
}

/* A set with games is offered, whether they are analysed or not; without limits that may leave none
 * every player. */
static enum ipr_code found_add(const struct careers *all, const struct ipr_set *set,
                               const struct ipr_db_player *player,
                               struct ipr_list_career_found *found, struct ipr_err *err)
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
    found->at[found->n++] = (struct ipr_answer_career_found){
        .named = ipr_named(of.player.id, of.player.name),
        .first_year = player->first_year,
        .last_year = player->last_year,
        .set = ipr_set_text(set, mem),
        .label = set_label(ipr_name_spoken(of.player.name, mem), set, &of, mem),
    };
    return IPR_OK;
}

/* Players by name, with the sets that the form adds: of each with each opponent and event whose
 * name fits, where there are games. */
static enum ipr_code careers_find(const struct careers *all, struct ipr_answer_careers *out,
                                  struct ipr_err *err)
{
    const struct ipr_careers_request *p = all->asked;
    const bool more = p->opponent != NULL || p->event != NULL;
    struct found players, opponents, events;

    if (p->q == NULL)
        return IPR_OK;
    out->found.at = ipr_arena_alloc(all->c->v->mem, FOUND_ALONE, sizeof *out->found.at);
    enum ipr_code rc = found_players(all, p->q, more ? FOUND_EACH : FOUND_ALONE, &players, err);
    if (rc == IPR_OK)
        rc = found_players(all, p->opponent, FOUND_EACH, &opponents, err);
    if (rc == IPR_OK)
        rc = found_events(all, p->event, &events, err);
    if (rc != IPR_OK)
        return rc;
    out->found_players = (int64_t)players.n;
    for (size_t i = 0; i < players.n; i++)
        for (size_t j = 0; j < opponents.n; j++)
            for (size_t k = 0; rc == IPR_OK && k < events.n && out->found.n < FOUND_ALONE; k++) {
                const struct ipr_set set =
                    found_set(p, players.rows[i].id, opponents.rows[j].id, events.rows[k].id);

                rc = found_add(all, &set, &players.rows[i], &out->found, err);
            }
    return rc;
}

enum ipr_code ipr_fill_careers(const struct ipr_view_context *c,
                               const struct ipr_careers_request *p, struct ipr_answer_careers *out,
                               struct ipr_err *err)
{
    struct careers *all = ipr_arena_alloc(c->v->mem, 1, sizeof *all);
    unsigned budget = IPR_VIEW_BUDGET;

    *all = (struct careers){ .c = c, .asked = p, .ages = p->by == IPR_CAREERS_BY_AGE };
    ipr_view_context_basis(c, &out->basis_of_figures);
    out->by = all->ages ? "age" : "year";
    enum ipr_code rc = careers_open(all, err);
    for (size_t i = 0; rc == IPR_OK && i < all->n; i++)
        all->of[i].label = career_label(all, &all->of[i]);
    out->sets.at = ipr_shape_list(IPR_SHAPE_CAREER, all->n, c->v->mem);
    for (; rc == IPR_OK && out->sets.n < all->n; out->sets.n++)
        rc = career_fill(all, &all->of[out->sets.n], &budget, &out->sets.at[out->sets.n], err);
    if (rc == IPR_OK)
        rc = careers_find(all, out, err);
    if (rc != IPR_OK)
        return rc;
    out->finding = careers_finding(all);
    out->against = ipr_career_against(all->of, all->n, c->v->mem);
    return rc;
}
