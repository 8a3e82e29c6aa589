/* Players and their years. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/champions.h"
#include "core/file_evals.h"
#include "core/names.h"
#include "db/evidence.h"
#include "db/judges.h"
#include "db/listed_years.h"
#include "db/lists.h"
#include "resource/cursor.h"
#include "resource/read.h"
#include "resource/write.h"
#include "view/context.h"
#include "view/json.h"
#include "view/player/career.h"
#include "view/player/findings.h"
#include "view/player/near.h"
#include "view/player/ranking.h"
#include "view/player/search.h"
#include "view/rating/rate.h"
#include "view/rows.h"
#include "view/wording.h"

struct found_players {
    struct ipr_db_player *rows;
    size_t n;
    size_t similar;             /* of these, the first, whose names are only similar */
    bool near;                  /* no player has that name: these have similar ones */
    int64_t left_out;           /* by filters; IPR_NO_COUNT: not counted */
    const char *fastest;        /* what is said of a list by rises; NULL: of another one */
    const char *highest;        /* what is said of a list by strength; NULL: of another one */
    struct ipr_ranking ranking; /* of a list by strength: of all players with enough moves */
};

/* A list by strength has the sentence of the start page on the same players; another one says who
 * of those shown is highest. */
static const char *players_said(const struct ipr_view_context *c, const struct found_players *f,
                                const struct ipr_path *path, const struct ipr_answer_players *out)
{
    if (f->fastest != NULL || f->highest != NULL)
        return f->fastest != NULL ? f->fastest : f->highest;
    const struct ipr_ranking rows = ipr_ranking_of_rows(c, f->rows, path, out->players.n);

    return ipr_players_finding(out, ipr_ranking_finding(&rows, true, c->v->mem), c->v->mem);
}

/* The next page begins after the last row shown that is of the list, not put before it. */
static enum ipr_code players_add(const struct ipr_view_context *c,
                                 const struct ipr_players_request *p, const struct found_players *f,
                                 struct ipr_answer_players *out, struct ipr_err *err)
{
    const size_t limit = (size_t)p->limit, shown = f->n < limit ? f->n : limit;
    struct ipr_path *path;

    if (f->n > limit && limit > f->similar)
        out->next = ipr_arena_printf(c->v->mem, "%" PRId64 "-%" PRId32, f->rows[limit - 1].turns,
                                     f->rows[limit - 1].id);
    else if (f->n > limit)
        out->next = ipr_arena_printf(c->v->mem, "%" PRId64 "-1", INT64_MAX);
    out->search = p->q;
    if (f->near)
        out->near = true;
    else if (f->similar > 0)
        out->similar = (int64_t)f->similar;
    out->rows_left_out = f->left_out;
    out->players.at = ipr_arena_alloc(c->v->mem, shown + 1, sizeof *out->players.at);
    const enum ipr_code rc = ipr_ranking_paths(c, f->rows, shown, &path, err);
    for (size_t i = 0; rc == IPR_OK && i < shown; i++) {
        const size_t at = ipr_ranking_find(&f->ranking, f->rows[i].id);
        struct ipr_answer_rated_player row = { &f->rows[i], path[i].peak, NAN, NAN };

        if (at < f->ranking.n) {
            row.first = f->ranking.first[at];
            row.first_five = f->ranking.first_five[at];
        }
        out->players.at[out->players.n++] = row;
    }
    if (rc == IPR_OK)
        out->finding = players_said(c, f, path, out);
    return rc;
}

static enum ipr_code player_still_there(const struct ipr_view_context *c, int32_t id,
                                        const char *after, struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_db_player p;

    const enum ipr_code rc =
        ipr_db_player_get(c->v->db, id, c->judge_id, c->times, c->v->mem, &p, &why);
    if (rc == IPR_ENOTFOUND)
        return ipr_param_refuse_cursor(err, after);
    return rc == IPR_OK ? IPR_OK : ipr_err_pass(err, &why);
}

static bool players_by_moves(const struct ipr_players_request *p)
{
    return p->sort < 0 || p->sort == IPR_PLAYERS_SORT__MOVES;
}

static bool players_by_strength(const struct ipr_players_request *p)
{
    return p->sort == IPR_PLAYERS_SORT_RATING || p->sort == IPR_PLAYERS_SORT__RATING ||
           p->sort == IPR_PLAYERS_SORT__RISE;
}

static enum ipr_code players_add_ranking(const struct ipr_view_context *c, int32_t list,
                                         const struct ipr_db_person_filter *f,
                                         struct found_players *found, struct ipr_err *err)
{
    struct ipr_ranking some = { .n = 0 };
    enum ipr_code rc = ipr_ranking_of_list(c, list, &found->ranking, err);
    /* True if the list leaves out some of those that are ranked. */
    const bool left_out = f->search_key != NULL || f->event != 0 || f->from != 0 || f->to != 0 ||
                          f->created != NULL || f->moves_from > found->ranking.moves ||
                          f->moves_to != 0 || f->peak_from != 0 || f->peak_to != 0 ||
                          f->born_from != 0 || f->born_to != 0;

    if (rc == IPR_OK && left_out)
        rc = ipr_ranking_of_some(c, list, f, &some, err);
    if (rc == IPR_OK)
        found->highest =
            ipr_ranking_finding(left_out ? &some : &found->ranking, left_out, c->v->mem);
    return rc;
}

/* A page of the stored list of careers. */
static enum ipr_code players_ranked(const struct ipr_view_context *c,
                                    const struct ipr_players_request *p,
                                    const struct ipr_db_person_filter *f, int32_t after,
                                    struct found_players *found, struct ipr_err *err)
{
    const char *const sort = ipr_params_text(ipr_resource_at(IPR_RESOURCE_PLAYERS), p, "sort");
    int32_t list = 0;

    if (c->judge_id == 0)
        return IPR_OK;
    enum ipr_code rc =
        ipr_db_year_list(c->v->db, c->judge_id, c->times, c->v->for_its_time, &list, err);
    if (rc == IPR_OK)
        rc = ipr_db_rated_person_list(c->v->db, f, list, c->judge_id, sort, after, p->limit + 1,
                                      c->v->mem, &found->rows, &found->n, err);
    if (rc == IPR_OK && p->after == NULL)
        rc = ipr_db_rated_persons_left_out(c->v->db, f, list, &found->left_out, err);
    if (rc == IPR_OK)
        rc = players_add_ranking(c, list, f, found, err);
    return rc == IPR_OK && p->sort == IPR_PLAYERS_SORT__RISE
               ? ipr_ranking_fastest(c, list, f, &found->fastest, err)
               : rc;
}

/* In a search that finds nobody the spelling file may have the name; else letters may be wrong, or
 * the name is as another language writes it. That is one page; where somebody was found, players of
 * similar names come before the first page. */
static enum ipr_code players_found(const struct ipr_view_context *c,
                                   const struct ipr_players_request *p, const char *key,
                                   int64_t after_turns, int32_t after_id, struct found_players *f,
                                   struct ipr_err *err)
{
    enum ipr_code rc = ipr_db_player_list(c->v->db, key, c->judge_id, after_turns, after_id,
                                          p->limit + 1, NULL, c->v->mem, &f->rows, &f->n, err);
    const size_t exact = f->n;

    if (rc != IPR_OK || key == NULL || p->after != NULL)
        return rc;
    const char *const listed = exact == 0 ? ipr_players_spelled(c->v, key) : NULL;
    if (listed != NULL)
        rc = ipr_db_player_list(c->v->db, listed, c->judge_id, -1, 0, p->limit, NULL, c->v->mem,
                                &f->rows, &f->n, err);
    if (rc == IPR_OK && (exact > 0 || f->n == 0))
        rc = ipr_players_near(c, key, p->limit, &f->rows, &f->n, &f->similar, err);
    f->near = exact == 0 && f->n > 0 && ipr_champion_called(key, c->v->mem) == NULL;
    return rc;
}

/* Those of ids, a FIDE id or an exact name, who are few: on one page. */
static enum ipr_code players_named(const struct ipr_view_context *c,
                                   const struct ipr_players_request *p, struct found_players *f,
                                   struct ipr_err *err)
{
    const struct ipr_view *v = c->v;
    const char *key = NULL;
    int32_t *const wanted = ipr_arena_alloc(v->mem, p->ids.n + 1, sizeof *wanted), *ids = NULL;
    size_t n = 0;

    for (size_t i = 0; i < p->ids.n; i++)
        wanted[i] = (int32_t)p->ids.v[i]; /* within the range of the parameter */
    if (p->name != NULL && ipr_name_key(p->name, v->mem, &key, NULL) != IPR_OK)
        return ipr_param_refuse(err, "name", p->name, "a name");
    enum ipr_code rc =
        ipr_db_persons_of(v->db, wanted, p->ids.n, p->fide_id, key, v->mem, &ids, &n, err);
    if (rc == IPR_OK && n > (size_t)p->limit)
        rc = ipr_param_refuse(err, "limit", NULL, "at least %zu", n);
    f->rows = ipr_arena_alloc(v->mem, n + 1, sizeof *f->rows);
    for (; rc == IPR_OK && f->n < n; f->n++)
        rc =
            ipr_db_player_get(v->db, ids[f->n], c->judge_id, c->times, v->mem, &f->rows[f->n], err);
    return rc;
}

enum ipr_code ipr_fill_players(const struct ipr_view_context *c,
                               const struct ipr_players_request *p, struct ipr_answer_players *out,
                               struct ipr_err *err)
{
    const char *sort = players_by_moves(p)
                           ? "-moves"
                           : ipr_params_text(ipr_resource_at(IPR_RESOURCE_PLAYERS), p, "sort");
    struct ipr_db_person_filter f = { .event = p->event,
                                      .created = p->created_since,
                                      .moves_from = p->moves_from,
                                      .moves_to = p->moves_to,
                                      .peak_from = p->peak_from,
                                      .peak_to = p->peak_to,
                                      .born_from = p->born_from,
                                      .born_to = p->born_to };
    const struct ipr_view *v = c->v;
    struct found_players found = { .left_out = IPR_NO_COUNT };
    const char *key = NULL;
    int64_t after_turns;
    int32_t after_id;

    enum ipr_code rc = ipr_param_cursor_pair(p->after, INT64_MAX, &after_turns, &after_id, err);
    ipr_view_years(p->year, p->from, p->to, &f.from, &f.to);
    if (rc == IPR_OK && f.created != NULL)
        rc = ipr_db_upload_since(v->db, f.created, &f.first_upload, err);
    if (rc == IPR_OK && p->q != NULL &&
        ipr_name_key(ipr_search_read(p->q, v->mem).words, v->mem, &key, NULL) != IPR_OK)
        rc = ipr_param_refuse(err, "q", p->q, "a name");
    if (rc == IPR_OK && !players_by_strength(p) &&
        (f.moves_from != 0 || f.moves_to != 0 || f.peak_from != 0 || f.peak_to != 0))
        rc = ipr_param_refuse(err, "sort", sort, "-rating, rating or -rise");
    if (rc != IPR_OK)
        return rc;
    f.search_key = key; /* no name has a year */
    if (!players_by_moves(p) && after_id != 0) {
        rc = player_still_there(c, after_id, p->after, err); /* the name of the order */
        if (rc != IPR_OK)
            return rc;
    }
    /* One more shows whether there is a next page. */
    if (p->ids.n > 0 || p->fide_id != 0 || p->name != NULL)
        rc = players_named(c, p, &found, err);
    else if (players_by_strength(p))
        rc = players_ranked(c, p, &f, after_id, &found, err);
    else if (p->event != 0 || p->year != 0 || p->from != 0 || p->to != 0 || f.created != NULL ||
             f.born_from != 0 || f.born_to != 0 || !players_by_moves(p))
        /* The list of all players and of a search is in the order of an index; these are not. */
        rc = ipr_db_person_list(v->db, &f, c->judge_id, sort, after_turns, after_id, p->limit + 1,
                                v->mem, &found.rows, &found.n, err);
    else
        rc = players_found(c, p, key, after_turns, after_id, &found, err);
    if (rc != IPR_OK)
        return rc;
    out->judge = ipr_view_context_setting(c);
    out->time_classes = ipr_view_context_classes(c);
    return players_add(c, p, &found, out, err);
}

static bool players_are_none(const json_t *answer)
{
    return json_array_size(json_object_get(answer, "players")) == 0;
}

/* A reader looks for the strongest: the page begins by rating where no order was requested. A
 * search stays in the order of the API, and so does the list as long as nobody is rated, or who is
 * rated is being listed. */
enum ipr_code ipr_view_players_page(const struct ipr_view *v, const struct ipr_players_request *p,
                                    json_t **out, struct ipr_err *err)
{
    struct ipr_players_request *const rated = ipr_arena_alloc(v->mem, 1, sizeof *rated);
    struct ipr_err why = IPR_ERR_INIT;
    json_t *list = NULL;

    if (p->sort >= 0 || p->q != NULL || p->after != NULL)
        return ipr_view_players(v, p, out, err);
    *rated = *p;
    rated->sort = IPR_PLAYERS_SORT__RATING;
    /* The ranking of all is of those with enough moves, where there are any. */
    if (p->event == 0 && p->year == 0 && p->from == 0 && p->to == 0)
        rated->moves_from = IPR_RANKING_MOVES;
    enum ipr_code rc = ipr_view_players(v, rated, &list, &why);
    if (rc == IPR_OK && rated->moves_from > 0 && players_are_none(list)) {
        json_decref(list);
        list = NULL;
        rated->moves_from = 0;
        rc = ipr_view_players(v, rated, &list, &why);
    }
    if (rc == IPR_OK && !players_are_none(list)) {
        if (v->chosen != NULL)
            *v->chosen = rated;
        *out = list;
        return IPR_OK;
    }
    json_decref(list);
    if (rc != IPR_OK && strcmp(why.type, IPR_DB_LIST_INCOMPLETE) != 0)
        return ipr_err_pass(err, &why);
    ipr_err_clear(&why);
    return ipr_view_players(v, p, out, err);
}

/* ---- one player ---- */

/* A player as each setting of the rule counts the moves. */
struct player_found {
    int32_t id;
    struct ipr_db_player by[IPR_SETTING_CANDIDATES];
};

/* Counts the moves that ratings rest on for settings of ratings, analysed ones for the rest. */
static enum ipr_code player_count(void *of, size_t i, const struct ipr_view_context *c, int64_t *n,
                                  struct ipr_err *err)
{
    struct player_found *const found = of;
    struct ipr_db_strength sums = { 0 };
    enum ipr_code rc = ipr_db_player_get(c->v->db, found->id, c->judge_id, c->times, c->v->mem,
                                         &found->by[i], err);

    *n = rc == IPR_OK ? found->by[i].turns : 0;
    if (*n > 0 && !ipr_setting_is_wide(&c->judge)) {
        const struct ipr_db_scope all = ipr_db_scope_year(found->by[i].id, 0, c->times);

        rc = ipr_db_strength_of_scope(c->v->db, &all, ipr_strength_is_by_file(c) ? -1 : 1, &sums,
                                      err);
        *n = sums.moves;
    }
    return rc;
}

/* The rating and the counts are those of one setting, the other figures those of another. */
static enum ipr_code player_open(const struct ipr_view *v, int32_t id, const char *judge,
                                 struct ipr_view_context *rated, struct ipr_db_player *out,
                                 struct ipr_err *err)
{
    struct player_found found = { .id = id };
    const struct ipr_setting_scope scope = { judge, player_count, &found };
    const enum ipr_code rc = ipr_setting_for(v, IPR_FOR_CAREER, &scope, rated, err);

    *out = found.by[rated->candidate];
    return rc;
}

static enum ipr_code player_add_years(const struct ipr_view_context *c,
                                      const struct ipr_view_context *rated, int32_t id, json_t *out,
                                      struct ipr_err *err)
{
    struct ipr_answer_player_basis basis;
    struct ipr_db_player_year *rows = NULL;
    unsigned budget = IPR_VIEW_BUDGET;
    json_t *list = json_array();
    size_t n = 0;

    ipr_view_context_basis(c, &basis.basis_of_figures);
    basis.counted_by = rated->judge.name;
    json_object_update_new(out, ipr_shape_json(IPR_SHAPE_PLAYER_BASIS, &basis));
    json_object_set_new(out, "years", list);
    const enum ipr_code rc =
        ipr_db_player_years(c->v->db, id, c->judge_id, c->times, c->v->mem, &rows, &n, err);
    return rc == IPR_OK ? ipr_view_add_year_rows(c, rated, rows, n, 0, false, &budget, list, err)
                        : rc;
}

/* Adds the rating by all games. */
static enum ipr_code player_add_rating(const struct ipr_view_context *rated, int32_t id,
                                       json_t *out, struct ipr_err *err)
{
    const struct ipr_db_scope scope = ipr_db_scope_year(id, 0, rated->times);
    struct ipr_figure_moves_and_results *both = NULL;
    struct ipr_figure_rating *rating = NULL;
    const enum ipr_code rc = ipr_strength_of(rated, &scope, false, &rating, &both, err);

    if (rc != IPR_OK)
        return rc;
    json_object_set_new(out, "rating", ipr_shape_json(IPR_SHAPE_RATING, rating));
    json_object_set_new(out, "moves_and_results",
                        ipr_shape_json(IPR_SHAPE_MOVES_AND_RESULTS, both));
    return IPR_OK;
}

/* The strength over time, and what it says of the peak. */
static enum ipr_code player_add_path(const struct ipr_view_context *rated,
                                     const struct ipr_db_player *player, json_t *out,
                                     struct ipr_err *err)
{
    const struct ipr_set all_games = { .player = player->id };
    struct ipr_career career;
    const enum ipr_code rc = ipr_career_open(rated, &all_games, &career, err);

    if (rc != IPR_OK)
        return rc;
    json_object_set_new(out, "peak", ipr_shape_json(IPR_SHAPE_PLAYER_PEAK, &career.path->peak));
    json_object_set_new(out, "path", ipr_path_json(career.path));
    json_object_set_new(out, "finding", ipr_json_text(ipr_career_finding(&career, rated->v->mem)));
    return rc;
}

static enum ipr_code add_person_identities(const struct ipr_view *v, int32_t id, json_t *out,
                                           struct ipr_err *err)
{
    struct ipr_db_spelling *spelled = NULL;
    struct ipr_db_member *members = NULL;
    size_t n_spelled = 0, n_members = 0;

    enum ipr_code rc = ipr_db_player_spellings(v->db, id, v->mem, &spelled, &n_spelled, err);
    if (rc == IPR_OK)
        rc = ipr_db_player_members(v->db, id, v->mem, &members, &n_members, err);
    if (rc != IPR_OK)
        return rc;
    json_t *names = json_array();
    for (size_t i = 0; i < n_spelled; i++)
        json_array_append_new(names, json_string(spelled[i].name));
    json_object_set_new(out, "spellings", names);
    json_object_set_new(out, "members", ipr_rows_json(IPR_SHAPE_MERGED_PLAYER, members, n_members));
    return IPR_OK;
}

/* Adds the number of games whose moves can be listed. */
static enum ipr_code player_add_listed(const struct ipr_view *v, int32_t id, json_t *out,
                                       struct ipr_err *err)
{
    const struct ipr_db_year_of all = { .player = id };
    int *n = NULL;
    size_t rows = 0;
    const enum ipr_code rc = ipr_db_games_with_moves(v->db, &all, 1, v->mem, &n, &rows, err);

    if (rc == IPR_OK)
        json_object_set_new(out, "games_with_moves", json_integer(rows > 0 ? n[0] : 0));
    return rc;
}

enum ipr_code ipr_fill_player(const struct ipr_view_context *c, const struct ipr_player_request *p,
                              json_t *out, struct ipr_err *err)
{
    struct ipr_view_context rated = { 0 };
    struct ipr_db_player player;

    enum ipr_code rc = player_open(c->v, p->player, p->judge, &rated, &player, err);
    if (rc == IPR_OK) {
        json_object_update_new(out, ipr_row_json(IPR_SHAPE_PLAYER_ROW, &player));
        rc = player_add_rating(&rated, player.id, out, err);
    }
    if (rc == IPR_OK)
        rc = player_add_path(&rated, &player, out, err);
    if (rc == IPR_OK)
        rc = player_add_listed(c->v, player.id, out, err);
    if (rc == IPR_OK)
        rc = add_person_identities(c->v, player.id, out, err);
    if (rc == IPR_OK)
        rc = player_add_years(c, &rated, player.id, out, err);
    ipr_view_context_close(&rated);
    return rc;
}
