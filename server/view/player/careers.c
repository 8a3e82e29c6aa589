/* Careers: sets of games of several players, by years or ages, and against each other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/elo.h"
#include "resource/read.h"
#include "view/certainty.h"
#include "view/json.h"
#include "view/player/career.h"

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

static enum ipr_code careers_open(struct careers *all, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; rc == IPR_OK && i < all->asked->set.n; i++) {
        struct ipr_set set;

        rc = ipr_set_read(all->asked->set.v[i], &set, err);
        if (rc != IPR_OK || careers_have(all, ipr_set_text(&set, all->c->v->mem)))
            continue;
        rc = ipr_career_open(all->c, &set, &all->of[all->n], err);
        all->n += rc == IPR_OK;
    }
    return rc;
}

/* ---- names ---- */

/* Whether another player among them has the same surname. */
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
    return s->from == 0 ? ipr_arena_printf(mem, "%s to %d", label, s->to)
           : s->to == 0 ? ipr_arena_printf(mem, "%s from %d", label, s->from)
                        : ipr_arena_printf(mem, "%s %d\u2013%d", label, s->from, s->to);
}

/* "Fischer 1968–1972, White, Bled" */
static const char *career_label(const struct careers *all, const struct ipr_career *k)
{
    struct ipr_arena *mem = all->c->v->mem;
    const char *label =
        surname_is_shared(all, k) ? k->of.player.name : ipr_career_surname(k->of.player.name, mem);

    label = label_years(&k->set, label, mem);
    if (k->set.colours != 0)
        label = ipr_arena_printf(mem, "%s, %s", label, k->set.colours == 1u ? "White" : "Black");
    if (k->set.event != 0)
        label = ipr_arena_printf(mem, "%s, %s", label, k->of.event.name);
    for (size_t i = 0; i < k->of.n_opponents; i++)
        label = ipr_arena_printf(mem, "%s %s %s", label, i == 0 ? "against" : "or",
                                 ipr_career_surname(k->of.opponents[i].name, mem));
    if (k->set.upload != 0)
        label = ipr_arena_printf(mem, "%s, upload %lld", label, (long long)k->set.upload);
    return label;
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
    return s->colours != 0 || s->event != 0 || s->n_opponents > 0 || s->upload != 0;
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

/* That of the analysed games, as in the player's list of years; else the mean in the tags of all
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

    return json_pack("{s:i, s:o, s:o, s:o, s:O?}", "year", year, "age",
                     ipr_json_known(k->born > 0 ? year - k->born : 0), "rating", rating, "elo",
                     year_elo(e, row, year), "results_strength", results);
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
        rc = ipr_view_add_year_rows(c, rows, shown, 0, false, budget, list, err);
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

static json_t *best_json(const struct ipr_career *k)
{
    return k->best == IPR_CAREER_NONE
               ? json_null()
               : json_pack("{s:i, s:o, s:i}", "year", k->years[k->best].year, "probability",
                           ipr_json_num(k->best_probability), "of", (int)k->eligible);
}

static json_t *trend_json(const struct ipr_career *k)
{
    return k->has_trend ? json_pack("{s:o, s:o, s:o}", "estimate", ipr_json_num(k->trend.slope),
                                    "standard_error", ipr_json_num(k->trend.standard_error),
                                    "interval", ipr_json_interval(k->trend.interval))
                        : json_null();
}

static const char *career_no_ages(const struct careers *all, const struct ipr_career *k)
{
    if (!all->ages || k->born > 0)
        return NULL;
    return all->c->v->spelling == NULL
               ? "ages need a spelling file with dates of birth, and none is configured"
               : ipr_arena_printf(all->c->v->mem,
                                  "no date of birth of %s is known: the spelling file has nobody "
                                  "for certain under this name",
                                  k->of.player.name);
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
    json_object_set_new(out, "rating", ipr_shape_json(IPR_SHAPE_RATING_SHORT, &k->rating));
    json_object_set_new(out, "best", best_json(k));
    json_object_set_new(out, "trend", trend_json(k));
    json_object_set_new(out, "finding", json_string(ipr_career_finding(k, mem)));
    json_object_set_new(out, "no_ages", ipr_json_text(career_no_ages(all, k)));
    json_object_set_new(out, "years", years);
    json_array_append_new(sets, out);
    return career_years(all->c, k, budget, years, err);
}

/* The set with the highest rating, and the next; NULL: there is none. */
static void careers_leaders(const struct careers *all, const struct ipr_career *two[2])
{
    two[0] = two[1] = NULL;
    for (size_t i = 0; i < all->n; i++) {
        const struct ipr_career *k = &all->of[i];

        if (!isfinite(k->rating.estimate))
            continue;
        if (two[0] == NULL || k->rating.estimate > two[0]->rating.estimate) {
            two[1] = two[0];
            two[0] = k;
        } else if (two[1] == NULL || k->rating.estimate > two[1]->rating.estimate) {
            two[1] = k;
        }
    }
}

static double careers_probability(const struct careers *all, const struct ipr_career *leader,
                                  size_t *n)
{
    double mean[IPR_PARAM_TEXTS_MAX], sd[IPR_PARAM_TEXTS_MAX];
    size_t at = 0;

    *n = 0;
    for (size_t i = 0; i < all->n; i++)
        if (isfinite(all->of[i].rating.estimate)) {
            at = &all->of[i] == leader ? *n : at;
            mean[*n] = all->of[i].rating.estimate;
            sd[(*n)++] = all->of[i].rating.standard_error;
        }
    return ipr_career_best(mean, sd, *n, at);
}

/* Of one set its own; of several which is the strongest. */
static json_t *careers_finding(const struct careers *all)
{
    struct ipr_arena *mem = all->c->v->mem;
    const struct ipr_career *two[2];
    size_t n;

    if (all->n == 0)
        return json_null();
    if (all->n == 1)
        return json_pack("{s:s, s:n}", "text", ipr_career_finding(&all->of[0], mem), "probability");
    careers_leaders(all, two);
    if (two[0] == NULL || two[1] == NULL)
        return json_pack("{s:s, s:n}", "text",
                         "The moves do not show which set is the strongest: fewer than two have a "
                         "rating.",
                         "probability");
    const double p = careers_probability(all, two[0], &n);
    const char *const word = ipr_certainty_word(p);
    const char *const rated = ipr_career_rated(&two[0]->rating, mem);
    const char *const next = ipr_career_rated(&two[1]->rating, mem);
    const char *const text =
        word == NULL
            ? ipr_arena_printf(mem,
                               "The moves do not show which of %zu sets is the strongest: %s is "
                               "%s; next is %s, %s.",
                               n, two[0]->label, rated, two[1]->label, next)
            : ipr_arena_printf(mem,
                               "By the moves it is %s (%.0f%%) that %s is the strongest of %zu "
                               "sets: %s; next is %s, %s.",
                               word, floor(100 * p), two[0]->label, n, rated, two[1]->label, next);

    return json_pack("{s:s, s:o}", "text", text, "probability", ipr_json_num(p));
}

/* Players by name, each with the set that the form adds. */
static enum ipr_code careers_find(const struct careers *all, json_t *out, struct ipr_err *err)
{
    const struct ipr_careers_request *p = all->asked;
    struct ipr_players_request q = IPR_PLAYERS_REQUEST_INIT;
    json_t *players = NULL, *one;
    size_t i;

    if (p->q == NULL)
        return IPR_OK;
    q.q = p->q;
    q.judge = p->judge;
    q.limit = 12;
    const enum ipr_code rc = ipr_view_players(all->c->v, &q, &players, err);
    if (rc != IPR_OK)
        return rc;
    json_t *found = json_array();
    json_array_foreach(json_object_get(players, "players"), i, one) {
        const struct ipr_set set = { .player = (int)ipr_json_at(one, "id", 0),
                                     .from = p->from,
                                     .to = p->to,
                                     .colours = p->color >= 0 ? 1u << p->color : 0 };

        json_array_append_new(found, json_pack("{s:O, s:O, s:O, s:O, s:s}", "id",
                                               json_object_get(one, "id"), "name",
                                               json_object_get(one, "name"), "first_year",
                                               json_object_get(one, "first_year"), "last_year",
                                               json_object_get(one, "last_year"), "set",
                                               ipr_set_text(&set, all->c->v->mem)));
    }
    json_object_set_new(out, "found", found);
    json_decref(players);
    return IPR_OK;
}

enum ipr_code ipr_fill_careers(const struct ipr_view_context *c,
                               const struct ipr_careers_request *p, json_t *out,
                               struct ipr_err *err)
{
    struct careers *all = ipr_arena_alloc(c->v->mem, 1, sizeof *all);
    json_t *sets = json_array(), *pairs = NULL;
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
        rc = ipr_career_head_to_head(c->v, p->judge, all->of, all->n, &pairs, err);
    if (rc == IPR_OK)
        rc = careers_find(all, out, err);
    json_object_set_new(out, "by", json_string(all->ages ? "age" : "year"));
    json_object_set_new(out, "finding", rc == IPR_OK ? careers_finding(all) : json_null());
    json_object_set_new(out, "head_to_head", pairs != NULL ? pairs : json_array());
    return rc;
}
