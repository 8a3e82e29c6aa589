/* A tournament: all players, with results, Elo and ratings from the moves. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/evidence.h"
#include "pgn/reader.h"
#include "resource/cursor.h"
#include "sentence/sentence.h"
#include "view/event/field.h"

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

/* The row of a player whose turns were read. */
static enum ipr_code fill_entry_row(const struct ipr_view_context *c, int32_t event,
                                    const struct ipr_event_entry *e,
                                    const struct ipr_db_player_turns *t,
                                    struct ipr_figure_event_row *out, struct ipr_err *err)
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
    /* Members for a single player are left out: lists by game and the diagnostics of one figure. */
    rating.bayes->by_result = NULL;
    rating.conformance->guid_bratko = rating.conformance->weighted = NULL;
    *out = (struct ipr_figure_event_row){
        .results = e->results->results,
        .player = ipr_named(e->player.id, e->player.name),
        .games = e->player.n_sides,
        .games_judged = e->judged,
        .turns = rating.turns,
        .elo = e->results->elo_mean,
        .rating = ipr_strength_fuller(c, &e->strength, &e->evals, &by_file),
        .moves_and_results = ipr_strength_and_results(c, &e->strength, e->rated, e->n_rated),
        .ipr = rating.ipr,
        .conformance = rating.conformance,
        .bayes = rating.bayes,
        .concordance = rating.concordance,
        .place = e->place,
    };
    return IPR_OK;
}

/* Fills n entries, whose turns are read by one query. */
static enum ipr_code fill_some(const struct ipr_view_context *c, int32_t event,
                               const struct ipr_event_entry *entries, size_t n,
                               struct ipr_figure_event_row *out, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_tournament_player *players = ipr_arena_alloc(&mem, n, sizeof *players);
    struct ipr_db_player_turns *turns = ipr_arena_alloc(&mem, n, sizeof *turns);

    for (size_t i = 0; i < n; i++)
        players[i] = entries[i].player;
    enum ipr_code rc = ipr_db_tournament_turns(c->v->db, c->judge_id, players, n, &mem, turns, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        rc = fill_entry_row(c, event, &entries[i], &turns[i], &out[i], err);
    ipr_arena_release(&mem);
    return rc;
}

static enum ipr_code fill_rows(const struct ipr_view_context *c, int32_t event,
                               const struct ipr_event_entry *entries, struct part part,
                               struct ipr_list_event_row *out, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    out->at = ipr_arena_alloc(c->v->mem, part.to - part.from + 1, sizeof *out->at);
    while (rc == IPR_OK && part.from < part.to) {
        size_t to = part.from, turns = 0;

        do
            turns += entries[to++].turns;
        while (to < part.to && turns + entries[to].turns <= TURNS_AT_ONCE);
        rc = fill_some(c, event, &entries[part.from], to - part.from, &out->at[out->n], err);
        out->n += to - part.from;
        part.from = to;
    }
    return rc;
}

/* The players after a cursor, and which part of the list they are; of the whole field, whatever
 * part of it is shown, crosstable and screening. */
static enum ipr_code fill_players(const struct ipr_view_context *c,
                                  const struct ipr_event_request *p,
                                  const struct ipr_db_tournament_games *t,
                                  struct ipr_answer_event_report *out, struct ipr_err *err)
{
    struct ipr_arena *const mem = c->v->mem;
    struct ipr_event_field f = { 0 };
    struct part part = { 0 };

    enum ipr_code rc = ipr_event_field_of(c, p->event, &f, err);
    if (rc == IPR_OK)
        rc = ipr_event_test_all(c, p->event, &f, err);
    if (rc == IPR_OK)
        rc = part_of(f.all, f.n, p->after != NULL ? p->after : "", p->limit, &part, err);
    if (rc == IPR_OK)
        rc = fill_rows(c, p->event, f.all, part, &out->players, err);
    if (rc != IPR_OK)
        return rc;
    out->players_total = (int64_t)f.n;
    out->crosstable = ipr_event_crosstable(&f, mem);
    out->screening = ipr_event_screening(&f, mem);
    ipr_event_stored(c, t, &f, &out->event_stored);
    ipr_event_answers(c, &f, out);
    out->comparisons = ipr_event_comparisons(out->players.at, out->players.n, mem);
    if (part.to < f.n)
        out->next = ipr_arena_printf(mem, "%" PRId32, f.all[part.to - 1].player.id);
    return ipr_event_finds(c, &f, &out->screening->finds, err);
}

/* ---- the whole ---- */

enum ipr_code ipr_event_get(const struct ipr_view_context *c, int32_t event,
                            struct ipr_db_tournament_games *t, struct ipr_answer_event *out,
                            int64_t *with_moves, struct ipr_err *err)
{
    int n = 0;
    enum ipr_code rc =
        ipr_db_tournament_get(c->v->db, event, c->judge_id, c->times, c->v->mem, t, err);

    if (rc == IPR_OK)
        rc = ipr_db_event_games_with_moves(c->v->db, event, &n, err);
    if (rc != IPR_OK)
        return rc;
    *out = (struct ipr_answer_event){ .named = ipr_named(t->id, t->name), .year = t->year };
    *with_moves = n;
    return IPR_OK;
}

/*
 * Order of the work: the event's games for the results, then the turns of the players named, in
 * parts of some 10 MB; a player's fit takes a few ms.
 */
enum ipr_code ipr_fill_event(const struct ipr_view_context *c, const struct ipr_event_request *p,
                             struct ipr_answer_event_report *out, struct ipr_err *err)
{
    struct ipr_db_tournament_games t;
    struct ipr_db_event_section *sections = NULL;
    enum ipr_code rc = ipr_event_get(c, p->event, &t, &out->event, &out->games_with_moves, err);

    if (rc == IPR_OK)
        rc = ipr_db_event_sections(c->v->db, p->event, c->v->mem, &sections, &out->sections.n, err);
    if (rc != IPR_OK)
        return rc;
    out->sections.at = sections;
    ipr_view_context_basis(c, &out->basis_of_figures);
    out->not_rated = ipr_view_context_not_rated(c, t.in_class);
    out->games = 0;
    for (int k = 0; k < IPR_TIME_CLASSES; k++)
        out->games += c->times & IPR_TIME_BIT(k) ? t.in_class[k] : 0;
    out->games_judged = t.judged;
    out->results = (struct ipr_answer_event_results){
        .white_won = t.results[IPR_WHITE_WINS],
        .black_won = t.results[IPR_BLACK_WINS],
        .drawn = t.results[IPR_DRAW],
        .unknown = t.results[IPR_RESULT_UNKNOWN],
    };
    out->after = p->after;
    out->limit = p->limit;
    if (t.games <= IPR_TOURNAMENT_GAMES)
        return fill_players(c, p, &t, out, err);
    out->comparisons = ipr_event_comparisons(NULL, 0, c->v->mem);
    out->reason = ipr_say_event_too_large(
        IPR_EVENT_TOO_LARGE_GAMES, &(struct ipr_event_too_large_slots){ IPR_TOURNAMENT_GAMES },
        c->v->mem);
    return IPR_OK;
}
