/* A tournament: all players, with results, Elo and ratings from the moves. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "db/tournaments.h"
#include "pgn/reader.h"
#include "resource/cursor.h"
#include "view/event/event.h"
#include "view/json.h"
#include "view/rating/rate.h"

/* Limit of one answer, so that it takes about a second at most: some events are whole databases.
 * The first player of an answer is always rated. */
#define TURNS_MAX 40000
/* Read at a time: about 10 MB. */
#define TURNS_AT_ONCE 6000

/* For each player; "elo" is that of all games here, judged or not. */
#define RATINGS (IPR_RATE_IPR | IPR_RATE_CONFORMANCE | IPR_RATE_BAYES | IPR_RATE_CONCORDANCE)

struct entry {
    struct ipr_db_tournament_player player;
    struct ipr_figure_elo *results; /* of all games, judged or not */
    double score, performance;      /* of these; performance NaN: not known */
    struct ipr_db_strength strength;
    const struct ipr_db_results *rated; /* [n_rated] */
    size_t n_rated, judged, turns;
};

struct entries {
    struct entry *all; /* [n] */
    size_t n;
};

static int by_descending(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) - isnan(b);
    return (a < b) - (a > b);
}

/* By score, then performance, those without one last; then by name, so that the order is unique. */
static int by_score(const void *a, const void *b)
{
    const struct entry *p = a, *q = b;
    int order = by_descending(p->score, q->score);

    if (order == 0)
        order = by_descending(p->performance, q->performance);
    if (order == 0)
        order = strcmp(p->player.name, q->player.name);
    return order ? order : (p->player.id > q->player.id) - (p->player.id < q->player.id);
}

static enum ipr_code fill_entry(const struct ipr_view_context *c, struct entry *e,
                                struct ipr_err *err)
{
    const struct ipr_db_player_turns sides = { .sides = e->player.sides,
                                               .n_sides = e->player.n_sides };
    struct ipr_elo_game *games = NULL;
    size_t n = 0;

    for (size_t i = 0; i < e->player.n_sides; i++) {
        const int32_t turns = e->player.sides[i].turns;

        e->judged += turns >= 0;
        e->turns += turns > 0 ? (size_t)turns : 0;
    }
    const enum ipr_code rc = ipr_elo_games(c, e->player.id, &sides, false, &games, &n, err);
    if (rc != IPR_OK)
        return rc;
    e->results = ipr_arena_alloc(c->v->mem, 1, sizeof *e->results);
    e->results->elo_mean = ipr_elo_mean(c, games, n, "the games");
    e->results->results = ipr_elo_results(c, games, n);

    const struct ipr_figure_results *r = &e->results->results;
    e->score = (isfinite(r->score) ? r->score : 0.0) +
               (isfinite(r->unplayed.score) ? r->unplayed.score : 0.0); /* as tournaments count */
    e->performance = r->performance.figure.estimate;
    return IPR_OK;
}

static enum ipr_code entries_of(const struct ipr_view_context *c, int32_t event,
                                struct entries *out, struct ipr_err *err)
{
    struct ipr_db_tournament_player *players = NULL;
    size_t n = 0;

    enum ipr_code rc = ipr_db_tournament_players(c->v->db, event, c->judge_id, c->times, c->v->mem,
                                                 &players, &n, err);
    if (rc != IPR_OK)
        return rc;
    out->all = ipr_arena_alloc(c->v->mem, n, sizeof *out->all);
    for (; rc == IPR_OK && out->n < n; out->n++) {
        out->all[out->n].player = players[out->n];
        rc = fill_entry(c, &out->all[out->n], err);
    }
    if (out->n > 1)
        qsort(out->all, out->n, sizeof *out->all, by_score);
    return rc;
}

/* Rows are searched by person: bsearch compares their first member. */
static_assert(offsetof(struct ipr_db_player_strength, person) == 0 &&
                  offsetof(struct ipr_db_results, person) == 0,
              "the person comes first");

/* Everybody's with one query. */
static enum ipr_code entries_strength(const struct ipr_view_context *c, int32_t event,
                                      struct entries *e, struct ipr_err *err)
{
    struct ipr_db_player_strength *rows = NULL;
    size_t n = 0;
    const enum ipr_code rc =
        ipr_db_strength_of_event(c->v->db, event, c->times, c->v->mem, &rows, &n, err);

    for (size_t i = 0; rc == IPR_OK && n > 0 && i < e->n; i++) {
        const struct ipr_db_player_strength *row =
            bsearch(&e->all[i].player.id, rows, n, sizeof *rows, ipr_compare_int32);

        if (row != NULL)
            e->all[i].strength = row->sums;
    }
    return rc;
}

/* The same of their results against rated opponents. */
static enum ipr_code entries_results(const struct ipr_view_context *c, int32_t event,
                                     struct entries *e, struct ipr_err *err)
{
    struct ipr_db_results *rows = NULL;
    size_t n = 0;
    const enum ipr_code rc =
        ipr_db_results_of_event(c->v->db, event, c->times, c->v->mem, &rows, &n, err);

    for (size_t i = 0; rc == IPR_OK && n > 0 && i < e->n; i++) {
        const int32_t person = e->all[i].player.id;
        const struct ipr_db_results *row =
            bsearch(&person, rows, n, sizeof *rows, ipr_compare_int32);

        while (row != NULL && row > rows && row[-1].person == person)
            row--;
        e->all[i].rated = row;
        while (row != NULL && row < rows + n && row->person == person) {
            e->all[i].n_rated++;
            row++;
        }
    }
    return rc;
}

/* ---- the part that one answer has ---- */

struct part {
    size_t from, to; /* of the entries */
};

/* After the player `after` ("": from the first on), at most `limit` with at most TURNS_MAX turns.
 */
static enum ipr_code part_of(const struct entry *entries, size_t n, const char *after, int limit,
                             struct part *out, struct ipr_err *err)
{
    size_t from = 0, to, turns = 0;
    int64_t id = 0;

    if (*after) {
        if (ipr_str_int(ipr_str_c(after), 1, INT32_MAX, &id))
            while (from < n && entries[from].player.id != id)
                from++;
        if (id == 0 || from == n)
            return ipr_param_refuse_cursor(err, after);
        from++;
    }
    for (to = from; to < n && to - from < (size_t)limit; to++) {
        turns += entries[to].turns;
        if (to > from && turns > TURNS_MAX)
            break;
    }
    *out = (struct part){ from, to };
    return IPR_OK;
}

/* ---- rows ---- */

/* Members for a single player are left out: lists by game and the diagnostics of one figure. */
static void shorten_ratings(struct ipr_figure_ratings *r)
{
    r->bayes->by_result = NULL;
    r->conformance->guid_bratko = r->conformance->weighted = NULL;
}

/* Adds the row of a player whose turns were read. */
static enum ipr_code add_entry_row(const struct ipr_view_context *c, int32_t event,
                                   const struct entry *e, const struct ipr_db_player_turns *t,
                                   json_t *rows, struct ipr_err *err)
{
    const struct ipr_db_scope scope = {
        .person = e->player.id, .event = event, .colours = IPR_DB_BOTH_COLOURS, .times = c->times
    };
    size_t *keep = ipr_xcalloc(t->n ? t->n : 1, sizeof *keep);
    const struct ipr_material m = {
        .context = c, .scope = &scope, .t = t, .keep = keep, .wanted = RATINGS
    };
    struct ipr_figure_ratings rating = { 0 };

    const enum ipr_code rc = ipr_rate_material(&m, &rating, err);
    free(keep);
    if (rc != IPR_OK)
        return rc;
    shorten_ratings(&rating);
    const struct ipr_figure_event_row row = {
        .results = e->results->results,
        .player = { (size_t)e->player.id, e->player.name },
        .games = e->player.n_sides,
        .games_judged = e->judged,
        .turns = rating.turns,
        .elo = e->results->elo_mean,
        .rating = ipr_strength_figure(c, &e->strength),
        .moves_and_results = ipr_strength_and_results(c, &e->strength, e->rated, e->n_rated),
        .ipr = rating.ipr,
        .conformance = rating.conformance,
        .bayes = rating.bayes,
        .concordance = rating.concordance,
        .place = IPR_UNKNOWN,
    };
    json_array_append_new(rows, ipr_shape_json(IPR_SHAPE_EVENT_ROW, &row));
    return IPR_OK;
}

/* Entries [from, to), whose turns are read by one query. */
static enum ipr_code add_some(const struct ipr_view_context *c, int32_t event,
                              const struct entry *entries, struct part part, json_t *rows,
                              struct ipr_err *err)
{
    const size_t n = part.to - part.from;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_tournament_player *players = ipr_arena_alloc(&mem, n, sizeof *players);
    struct ipr_db_player_turns *turns = ipr_arena_alloc(&mem, n, sizeof *turns);

    for (size_t i = 0; i < n; i++)
        players[i] = entries[part.from + i].player;
    enum ipr_code rc = ipr_db_tournament_turns(c->v->db, c->judge_id, players, n, &mem, turns, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        rc = add_entry_row(c, event, &entries[part.from + i], &turns[i], rows, err);
    ipr_arena_release(&mem);
    return rc;
}

static enum ipr_code entry_rows(const struct ipr_view_context *c, int32_t event,
                                const struct entry *entries, struct part part, json_t **out,
                                struct ipr_err *err)
{
    json_t *rows = json_array();
    enum ipr_code rc = IPR_OK;

    while (rc == IPR_OK && part.from < part.to) {
        struct part some = { part.from, part.from };
        size_t turns = 0;

        do
            turns += entries[some.to++].turns;
        while (some.to < part.to && turns + entries[some.to].turns <= TURNS_AT_ONCE);
        rc = add_some(c, event, entries, some, rows, err);
        part.from = some.to;
    }
    if (rc == IPR_OK)
        *out = rows;
    else
        json_decref(rows);
    return rc;
}

/* Players with equal scores share a place. */
static void number_rows(const struct entry *entries, struct part part, json_t *rows)
{
    for (size_t i = part.from; i < part.to; i++) {
        size_t place = i;

        while (place > 0 && by_descending(entries[place - 1].score, entries[i].score) == 0)
            place--;
        json_object_set_new(json_array_get(rows, i - part.from), "place",
                            json_integer((json_int_t)place + 1));
    }
}

/* The players after a cursor, and which part of the list they are. */
static enum ipr_code add_event_players(const struct ipr_view_context *c,
                                       const struct ipr_event_request *p, json_t *out,
                                       struct ipr_err *err)
{
    struct entries e = { 0 };
    struct part part = { 0 };
    json_t *rows = NULL;

    enum ipr_code rc = entries_of(c, p->event, &e, err);
    if (rc == IPR_OK)
        rc = entries_strength(c, p->event, &e, err);
    if (rc == IPR_OK)
        rc = entries_results(c, p->event, &e, err);
    if (rc == IPR_OK)
        rc = part_of(e.all, e.n, p->after != NULL ? p->after : "", p->limit, &part, err);
    if (rc == IPR_OK)
        rc = entry_rows(c, p->event, e.all, part, &rows, err);
    if (rc != IPR_OK)
        return rc;
    number_rows(e.all, part, rows);
    json_object_set_new(out, "players_total", json_integer((json_int_t)e.n));
    json_object_set_new(out, "comparisons", ipr_event_comparisons(rows));
    json_object_set_new(out, "players", rows);
    json_object_set_new(out, "next",
                        part.to < e.n ? json_sprintf("%" PRId32, e.all[part.to - 1].player.id)
                                      : json_null());
    return IPR_OK;
}

/* ---- the whole ---- */

static void event_heading(const struct ipr_view_context *c, const struct ipr_db_tournament_games *t,
                          json_t *out)
{
    struct ipr_db_player_year classes = { 0 };
    int games = 0;

    for (int k = 0; k < IPR_TIME_CLASSES; k++) {
        classes.in_class[k] = t->in_class[k];
        games += c->times & IPR_TIME_BIT(k) ? t->in_class[k] : 0;
    }
    ipr_view_context_add_basis(c, out);
    json_object_update_new(
        out, json_pack("{s:{s:i, s:s, s:o}, s:o, s:i, s:i, s:{s:i, s:i, s:i, s:i}}", "event", "id",
                       (int)t->id, "name", t->name, "year", ipr_json_known(t->year), "not_rated",
                       ipr_view_context_unrated(c, &classes), "games", games, "games_judged",
                       (int)t->judged, "results", "white_won", (int)t->results[IPR_WHITE_WINS],
                       "black_won", (int)t->results[IPR_BLACK_WINS], "drawn",
                       (int)t->results[IPR_DRAW], "unknown", (int)t->results[IPR_RESULT_UNKNOWN]));
}

/* No tournament has so many games; its players are rated by their years. */
static void refuse_players(json_t *out)
{
    json_object_set_new(out, "players", json_array());
    json_object_set_new(out, "players_total", json_null());
    json_object_set_new(out, "comparisons", ipr_event_comparisons(NULL));
    json_object_set_new(out, "next", json_null());
    json_object_set_new(
        out, "reason",
        json_sprintf("there are more than %d games under this name and year, which is no "
                     "tournament; players are rated by year",
                     IPR_TOURNAMENT_GAMES));
}

/*
 * Order of the work: the event's games for the results, then the turns of the players named, in
 * parts of some 10 MB; a player's fit takes a few ms.
 */
enum ipr_code ipr_fill_event(const struct ipr_view_context *c, const struct ipr_event_request *p,
                             json_t *out, struct ipr_err *err)
{
    struct ipr_db_tournament_games t;

    enum ipr_code rc =
        ipr_db_tournament_get(c->v->db, p->event, c->judge_id, c->times, c->v->mem, &t, err);
    if (rc != IPR_OK)
        return rc;
    event_heading(c, &t, out);
    if (t.games > IPR_TOURNAMENT_GAMES)
        refuse_players(out);
    else
        rc = add_event_players(c, p, out, err);
    json_object_set_new(out, "after", ipr_json_text(p->after));
    json_object_set_new(out, "limit", json_integer(p->limit));
    return rc;
}
