/* A tournament: all players, with results, Elo and ratings from the moves. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/evidence.h"
#include "pgn/reader.h"
#include "resource/cursor.h"
#include "view/event/event.h"
#include "view/event/field.h"
#include "view/json.h"

/* Limit of one answer, so that it takes about a second at most: some events are whole databases.
 * The first player of an answer is always rated. */
#define TURNS_MAX 40000
/* Read at a time: about 10 MB. */
#define TURNS_AT_ONCE 6000

/* For each player; "elo" is that of all games here, judged or not. */
#define RATINGS (IPR_RATE_IPR | IPR_RATE_CONFORMANCE | IPR_RATE_BAYES | IPR_RATE_CONCORDANCE)

/* ---- the part that one answer has ---- */

struct part {
    size_t from, to; /* of the entries */
};

/* After the player `after` ("": from the first on), at most `limit` with at most TURNS_MAX turns.
 */
static enum ipr_code part_of(const struct ipr_event_entry *entries, size_t n, const char *after,
                             int limit, struct part *out, struct ipr_err *err)
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
                                   const struct ipr_event_entry *e,
                                   const struct ipr_db_player_turns *t, json_t *rows,
                                   struct ipr_err *err)
{
    const struct ipr_db_scope scope = {
        .person = e->player.id, .event = event, .colours = IPR_DB_BOTH_COLOURS, .times = c->times
    };
    size_t *keep = ipr_xcalloc(t->n ? t->n : 1, sizeof *keep);
    const struct ipr_material m = {
        .context = c, .scope = &scope, .t = t, .keep = keep, .wanted = RATINGS
    };
    struct ipr_figure_ratings rating = { 0 };
    bool by_file = false;

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
        .rating = ipr_strength_narrower(c, &e->strength, &e->evals, &by_file),
        .moves_and_results = ipr_strength_and_results(c, &e->strength, e->rated, e->n_rated),
        .ipr = rating.ipr,
        .conformance = rating.conformance,
        .bayes = rating.bayes,
        .concordance = rating.concordance,
        .place = e->place,
    };
    json_array_append_new(rows, ipr_shape_json(IPR_SHAPE_EVENT_ROW, &row));
    return IPR_OK;
}

/* Entries [from, to), whose turns are read by one query. */
static enum ipr_code add_some(const struct ipr_view_context *c, int32_t event,
                              const struct ipr_event_entry *entries, struct part part, json_t *rows,
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
                                const struct ipr_event_entry *entries, struct part part,
                                json_t **out, struct ipr_err *err)
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

/* Of the whole field, whatever part of it is shown. `all`: no game is left out by its class. */
static enum ipr_code add_screening(const struct ipr_view_context *c, int32_t event, bool all,
                                   struct ipr_event_field *f, json_t *out, struct ipr_err *err)
{
    const size_t flagged = f->n > IPR_EVENT_TABLE ? 0 : IPR_EVENT_FLAGGED;
    enum ipr_code rc = ipr_event_test_all(c, event, f, err);

    if (rc == IPR_OK)
        rc = ipr_event_flag(c, f->tested, f->n_tested < flagged ? f->n_tested : flagged, err);
    if (rc != IPR_OK)
        return rc;
    json_object_set_new(out, "crosstable", ipr_event_crosstable(f));
    json_object_set_new(out, "screening", ipr_event_screening(c, f));
    ipr_event_add_answers(c, f, all, out);
    return IPR_OK;
}

/* The players after a cursor, and which part of the list they are. */
static enum ipr_code add_event_players(const struct ipr_view_context *c,
                                       const struct ipr_event_request *p, bool all, json_t *out,
                                       struct ipr_err *err)
{
    struct ipr_event_field e = { 0 };
    struct part part = { 0 };
    json_t *rows = NULL;

    enum ipr_code rc = ipr_event_field_of(c, p->event, &e, err);
    if (rc == IPR_OK)
        rc = add_screening(c, p->event, all, &e, out, err);
    if (rc == IPR_OK)
        rc = part_of(e.all, e.n, p->after != NULL ? p->after : "", p->limit, &part, err);
    if (rc == IPR_OK)
        rc = entry_rows(c, p->event, e.all, part, &rows, err);
    if (rc != IPR_OK)
        return rc;
    json_object_set_new(out, "players_total", json_integer((json_int_t)e.n));
    json_object_set_new(out, "only_player", ipr_event_only_json(&e));
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

bool ipr_event_has_all(const struct ipr_view_context *c, const struct ipr_db_tournament_games *t)
{
    for (int k = 0; k < IPR_TIME_CLASSES; k++)
        if (t->in_class[k] > 0 && (c->times & IPR_TIME_BIT(k)) == 0)
            return false;
    return true;
}

/* No tournament has so many games; its players are rated by their years. */
static void refuse_players(json_t *out)
{
    json_object_set_new(out, "players", json_array());
    json_object_set_new(out, "players_total", json_null());
    json_object_set_new(out, "only_player", json_null());
    json_object_set_new(out, "comparisons", ipr_event_comparisons(NULL));
    json_object_set_new(out, "crosstable", json_null());
    json_object_set_new(out, "screening", json_null());
    json_object_set_new(out, "by_moves", json_null());
    json_object_set_new(out, "reconciled", json_null());
    json_object_set_new(out, "incomplete", json_null());
    json_object_set_new(out, "only_players", json_null());
    json_object_set_new(out, "next", json_null());
    json_object_set_new(
        out, "reason",
        json_sprintf("there are more than %d games under this name and year, which is no "
                     "tournament; players are rated by year",
                     IPR_TOURNAMENT_GAMES));
}

enum ipr_code ipr_event_add_with_moves(const struct ipr_view_context *c, int32_t event, json_t *out,
                                       struct ipr_err *err)
{
    int n = 0;
    const enum ipr_code rc = ipr_db_event_games_with_moves(c->v->db, event, &n, err);

    if (rc == IPR_OK)
        json_object_set_new(out, "games_with_moves", json_integer(n));
    return rc;
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
    rc = ipr_event_add_with_moves(c, p->event, out, err);
    if (rc != IPR_OK)
        return rc;
    if (t.games > IPR_TOURNAMENT_GAMES)
        refuse_players(out);
    else
        rc = add_event_players(c, p, ipr_event_has_all(c, &t), out, err);
    json_object_set_new(out, "after", ipr_json_text(p->after));
    json_object_set_new(out, "limit", json_integer(p->limit));
    return rc;
}
