#include "rate/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file_evals.h"
#include "db/strength.h"
#include "model/elo.h"
#include "rate/engines.h"
#include "rate/scale.h"
#include "view/context.h"
#include "view/json.h"
#include "view/rating/rate.h"

const char *const ipr_rate_by_names[] = { "player", "event", "year", "month", "game", NULL };

const struct ipr_identity *ipr_rate_player(const struct ipr_rate_side *s)
{
    return s->colour == 0 ? &s->game->row.white : &s->game->row.black;
}

static int side_elo(const struct ipr_rate_side *s, bool own)
{
    return (s->colour == 0) == own ? s->game->row.white_elo : s->game->row.black_elo;
}

/* Half points; -1: no result. */
static int side_half_points(const struct ipr_rate_side *s)
{
    switch (s->game->row.result) {
    case IPR_DRAW:
        return 1;
    case IPR_WHITE_WINS:
        return s->colour == 0 ? 2 : 0;
    case IPR_BLACK_WINS:
        return s->colour == 0 ? 0 : 2;
    case IPR_RESULT_UNKNOWN:
        break;
    }
    return -1;
}

/* The second side of a game of a player with itself, which is one game. */
static bool side_again(const struct ipr_rate_side *side, size_t i)
{
    return i > 0 && side[i].game == side[i - 1].game;
}

/* ---- groups ---- */

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Events are those of the service: a name and a year. */
static int compare_events(const struct ipr_db_new_game *a, const struct ipr_db_new_game *b)
{
    const int c = strcmp(a->event, b->event);

    return c != 0 ? c : compare_numbers(a->event_year, b->event_year);
}

/* 0: sides of one group. */
static int compare_groups(const struct ipr_rate_side *a, const struct ipr_rate_side *b,
                          enum ipr_rate_by by)
{
    int c = 0;

    if (by == IPR_RATE_BY_EVENT)
        c = compare_events(&a->game->row, &b->game->row);
    else if (by == IPR_RATE_BY_YEAR)
        c = compare_numbers(a->game->row.year, b->game->row.year);
    else if (by == IPR_RATE_BY_MONTH)
        c = compare_numbers(ipr_rate_month(&a->game->row), ipr_rate_month(&b->game->row));
    else if (by == IPR_RATE_BY_GAME)
        c = compare_numbers(a->game->row.ordinal, b->game->row.ordinal);
    if (c == 0)
        c = ipr_rate_compare_players(ipr_rate_player(a), ipr_rate_player(b));
    /* Figures of two pools are never mixed; those of one are all of one source. */
    return c != 0 ? c
                  : compare_numbers(ipr_rate_pool(a->game) - ipr_pool_at(0),
                                    ipr_rate_pool(b->game) - ipr_pool_at(0));
}

static int compare_sides(const void *a, const void *b, void *by)
{
    const struct ipr_rate_side *s = a, *t = b;
    const int c = compare_groups(s, t, *(const enum ipr_rate_by *)by);

    return c != 0 ? c : compare_numbers(s->game->row.ordinal, t->game->row.ordinal);
}

/* ---- sums ---- */

/* Adds to the sum of the squares of the events' shares: an event is a name and a year, a game
 * without one an event of its own. `*sum` is that of the event at hand. */
static void end_event(double *squares, double *sum)
{
    *squares += *sum * *sum;
    *sum = 0;
}

static int compare_by_event(const void *a, const void *b)
{
    const struct ipr_rate_side *s = a, *t = b;
    const int c = compare_events(&s->game->row, &t->game->row);

    if (c != 0)
        return c;
    const int year = compare_numbers(s->game->row.year, t->game->row.year);
    return year != 0 || s->game->row.event[0] != '\0'
               ? year
               : compare_numbers(s->game->row.ordinal, t->game->row.ordinal);
}

static double sum_events(const struct ipr_rate_side *side, size_t n)
{
    struct ipr_rate_side *sorted = ipr_xcalloc(n, sizeof *sorted);
    double squares = 0, sum = 0, all = 0;

    memcpy(sorted, side, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_by_event);
    for (size_t i = 0; i < n; i++) {
        const double information =
            (double)sorted[i].game->side[sorted[i].colour].strength_information;

        if (i > 0 && compare_by_event(&sorted[i - 1], &sorted[i]) != 0)
            end_event(&squares, &sum);
        sum += information;
        all += information;
    }
    end_event(&squares, &sum);
    free(sorted);
    return all > 0 ? squares / (all * all) : 0;
}

/* As strength_of_scope (sql/queries/strength.sql). */
struct ipr_db_strength ipr_rate_sums(const struct ipr_rate_side *side, size_t n)
{
    struct ipr_db_strength out = { 0 };
    double elo = 0, year = 0, of_elo = 0, of_year = 0;

    for (size_t i = 0; i < n; i++) {
        const struct ipr_contribution *c = &side[i].game->side[side[i].colour];
        const double information = (double)c->strength_information;
        const int tagged = side_elo(&side[i], true), in = side[i].game->row.year;

        out.score += c->strength_score;
        out.information += c->strength_information;
        out.moves += c->strength_moves;
        out.games += c->strength_moves > 0 && !side_again(side, i);
        out.tagged_moves += tagged > 0 ? c->strength_moves : 0;
        elo += tagged * information;
        of_elo += tagged > 0 ? information : 0;
        year += in * information;
        of_year += in > 0 ? information : 0;
        out.judge_id = 1; /* any: there is one */
        ipr_rate_engine_add(side[i].game, information, &out);
        out.classes |= c->strength_moves > 0 ? IPR_TIME_BIT(side[i].game->row.time_class) : 0;
    }
    out.elo = of_elo > 0 ? elo / of_elo : 0;
    out.year = of_year > 0 ? year / of_year : 0;
    out.events = sum_events(side, n);
    return out;
}

static const char *tag_text(const char *text, const char *unknown)
{
    return text[0] != '\0' && strcmp(text, "?") != 0 ? text : unknown;
}

/* ---- results ---- */

/* Games, points and the performance rating, where every opponent has an Elo. */
static void add_results(const struct ipr_rate_side *side, size_t n, struct ipr_answer_rate_row *row)
{
    double *opponents = ipr_xcalloc(n, sizeof *opponents), points = 0, elo = 0;
    size_t scored = 0, known = 0, tagged = 0;
    struct ipr_elo_performance p = { .rating = 0 };

    for (size_t i = 0; i < n; i++) {
        const int half = side_half_points(&side[i]);

        const struct ipr_db_new_game *const game = &side[i].game->row;

        if (game->n_moves == 0 || ipr_rate_compare_players(&game->white, &game->black) == 0)
            continue; /* not played, or nobody won against another */
        tagged += side_elo(&side[i], true) > 0;
        elo += side_elo(&side[i], true);
        if (half < 0)
            continue;
        scored++;
        points += half / 2.0;
        if (side_elo(&side[i], false) > 0)
            opponents[known++] = side_elo(&side[i], false);
    }
    row->scored_games = (int64_t)scored;
    row->points = points;
    row->elo = tagged > 0 ? elo / (double)tagged : NAN;
    if (scored == 0)
        row->performance.reason = "no game with a result";
    else if (known < scored)
        row->performance.reason = "the Elo of an opponent is not in the tags";
    else if (ipr_elo_performance(opponents, known, points, &p, NULL) != IPR_OK)
        row->performance.reason = "no performance rating";
    else if (p.bounded)
        row->performance.reason = p.open_hi ? "every point was scored: a bound is known, no rating"
                                            : "no point was scored: a bound is known, no rating";
    if (row->performance.reason == NULL) {
        row->performance.estimate = p.rating;
        row->performance.standard_error = p.se;
        row->performance.interval = p.interval;
    }
    free(opponents);
}

/* ---- rows ---- */

static struct ipr_answer_rate_game *game_row(const struct ipr_rate_game *g, struct ipr_arena *mem)
{
    struct ipr_answer_rate_game *const out = ipr_shape_new(IPR_SHAPE_RATE_GAME, mem);
    const struct ipr_db_new_game *row = &g->row;

    *out = (struct ipr_answer_rate_game){ .file = g->file,
                                          .number = (int64_t)g->number,
                                          .white = row->white.name,
                                          .black = row->black.name,
                                          .event = tag_text(row->event, NULL),
                                          .date = tag_text(row->date, NULL),
                                          .round = tag_text(row->round, NULL),
                                          .result = ipr_result_text(row->result),
                                          .played_opening = ipr_opened(&g->opening, mem) };
    return out;
}

const char *ipr_rate_uncalibrated(struct ipr_arena *mem)
{
    return ipr_arena_printf(mem, "ratings are calibrated for the engine setting %s alone",
                            ipr_setting_name(IPR_FOR_RATING));
}

static json_t *rating_json(const struct ipr_rate_games *games, const struct ipr_rate_side *side,
                           size_t n, struct ipr_arena *mem)
{
    const struct ipr_view view = { .mem = mem,
                                   .time_classes = IPR_TIME_BIT(side[0].game->row.time_class) };
    const struct ipr_view_context context = ipr_setting_games(&view);
    const struct ipr_db_strength sums = ipr_rate_sums(side, n);

    json_t *out = ipr_shape_json(IPR_SHAPE_RATING,
                                 ipr_scale_figure(&context, ipr_rate_scale(side[0].game), &sums));
    json_object_del(out, "judge"); /* a number of a database */
    if (!games->calibrated)
        json_object_set_new(out, "reason", json_string(ipr_rate_uncalibrated(mem)));
    return out;
}

/* As the service's conformance; NULL: no move counts. */
static struct ipr_answer_rate_conformance *conformance_row(const struct ipr_rate_side *side,
                                                           size_t n, struct ipr_arena *mem)
{
    struct ipr_answer_rate_conformance *const out = ipr_arena_alloc(mem, 1, sizeof *out);
    int64_t moves = 0, at_0 = 0, at_30 = 0, loss = 0;

    for (size_t i = 0; i < n; i++) {
        const struct ipr_contribution *c = &side[i].game->side[side[i].colour];

        moves += c->counted;
        at_0 += c->at_0;
        at_30 += c->at_30;
        loss += side[i].game->loss_cp[side[i].colour];
    }
    *out = (struct ipr_answer_rate_conformance){ .moves = moves,
                                                 .at_0 = (double)at_0 / (double)moves,
                                                 .at_30 = (double)at_30 / (double)moves,
                                                 .mean_loss = (double)loss / 100. / (double)moves };
    return moves > 0 ? out : NULL;
}

/* Sets what the rows of a section have in common. */
static void add_section(const struct ipr_rate_game *g, enum ipr_rate_by by, struct ipr_arena *mem,
                        struct ipr_answer_rate_row *row)
{
    const int month = ipr_rate_month(&g->row);
    const int year = by == IPR_RATE_BY_EVENT ? g->row.event_year : g->row.year;

    if (by == IPR_RATE_BY_EVENT)
        row->event = tag_text(g->row.event, "");
    if (by == IPR_RATE_BY_EVENT || by == IPR_RATE_BY_YEAR)
        row->year = year != 0 ? year : IPR_NULL_COUNT;
    if (by == IPR_RATE_BY_GAME)
        row->game = game_row(g, mem);
    if (by != IPR_RATE_BY_MONTH)
        return;
    row->month = "";
    if (month != 0)
        row->month =
            ipr_arena_printf(mem, month % 100 > 0 ? "%d-%02d" : "%d", month / 100, month % 100);
}

json_t *ipr_rate_times_json(const size_t n[IPR_TIME_CLASSES])
{
    json_t *times = json_object();

    for (unsigned c = 0; c < IPR_TIME_CLASSES; c++)
        json_object_set_new(times, ipr_time_class_name((enum ipr_time_class)c),
                            json_integer((json_int_t)n[c]));
    return times;
}

/* The scale, and how many of the games are of which kind. */
static void add_scale(const struct ipr_rate_games *games, const struct ipr_rate_side *side,
                      size_t n, struct ipr_answer_rate_row *row)
{
    struct ipr_rate_kinds kinds = { .off_scale = 0 };

    for (size_t i = 0; i < n; i++)
        if (!side_again(side, i))
            ipr_rate_kinds_add(side[i].game, 1u << side[i].colour, &kinds);
    row->pool = games->calibrated ? ipr_rate_pool(side[0].game)->name : NULL;
    row->time_classes = ipr_rate_times_json(kinds.time);
    row->off_scale = games->calibrated ? (int64_t)kinds.off_scale : IPR_NO_COUNT;
}

static json_t *row_json(const struct ipr_rate_games *games, const struct ipr_rate_side *side,
                        size_t n, enum ipr_rate_by by)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_answer_rate_row *const row = ipr_shape_new(IPR_SHAPE_RATE_ROW, &mem);
    const struct ipr_identity *player = ipr_rate_player(side);

    row->player.name = player->name;
    row->player.fide_id = player->fide_id > 0 ? player->fide_id : IPR_NO_COUNT;
    add_section(side->game, by, &mem, row);
    row->games = 0;
    for (size_t i = 0; i < n; i++)
        row->games += !side_again(side, i);
    row->judge = side[0].game->source == IPR_RATE_ENGINE
                     ? games->judge.name
                     : ipr_scale_name(ipr_rate_scale(side[0].game));
    row->rating = rating_json(games, side, n, &mem);
    row->conformance = conformance_row(side, n, &mem);
    add_results(side, n, row);
    add_scale(games, side, n, row);
    json_t *out = ipr_shape_json(IPR_SHAPE_RATE_ROW, row);
    ipr_arena_release(&mem);
    return out;
}

/* ---- all ---- */

/* The estimate; players without a rating stand behind all others. */
static double rank_of(const json_t *row)
{
    return ipr_json_at(row, "rating.estimate", -INFINITY);
}

/* Ratings of one pool together; equals by loss, then by name. */
static int compare_rows(const void *a, const void *b)
{
    const json_t *p = *(json_t *const *)a, *q = *(json_t *const *)b;
    const struct ipr_pool *const pool = ipr_pool_named(ipr_json_text_at(p, "pool")),
                                 *const of = ipr_pool_named(ipr_json_text_at(q, "pool"));
    const double x = rank_of(p), y = rank_of(q);
    const double loss = ipr_json_at(p, "conformance.mean_loss", INFINITY),
                 other = ipr_json_at(q, "conformance.mean_loss", INFINITY);

    if (pool != of)
        return compare_numbers(pool - ipr_pool_at(0), of - ipr_pool_at(0));
    if (x != y)
        return (x < y) - (x > y);
    return loss != other
               ? (loss > other) - (loss < other)
               : strcmp(ipr_json_text_at(p, "player.name"), ipr_json_text_at(q, "player.name"));
}

/* True if two rows are of one event, year or game. */
static bool same_section(const json_t *a, const json_t *b)
{
    static const char *const members[] = { "event", "year", "month", "game" };

    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const json_t *p = json_object_get(a, members[i]), *q = json_object_get(b, members[i]);

        if (p != NULL && !json_equal(p, q))
            return false;
    }
    return true;
}

static json_t *sorted_list(json_t **row, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && same_section(row[i], row[end]);)
            end++;
        qsort(row + i, end - i, sizeof *row, compare_rows);
    }
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, row[i]);
    return list;
}

/* The sides that are chosen, those of a group together; to be freed. */
static struct ipr_rate_side *chosen_sides(const struct ipr_rate_games *games, enum ipr_rate_by by,
                                          size_t *n)
{
    struct ipr_rate_side *const side = ipr_xcalloc(2 * games->n + 1, sizeof *side);

    for (size_t i = 0; i < games->n; i++)
        for (int colour = 0; colour < 2; colour++) {
            const struct ipr_rate_side s = { games->at[i], colour };

            if (ipr_rate_is_chosen(games->choice, ipr_rate_player(&s)))
                side[(*n)++] = s;
        }
    qsort_r(side, *n, sizeof *side, compare_sides, &by);
    return side;
}

static size_t group_end(const struct ipr_rate_side *side, size_t n, size_t i, enum ipr_rate_by by)
{
    size_t end = i + 1;

    while (end < n && compare_groups(&side[i], &side[end], by) == 0)
        end++;
    return end;
}

struct ipr_rate_side *ipr_rate_most(const struct ipr_rate_games *games, size_t *n, size_t *itself)
{
    size_t sides = 0, all = 0, first = 0;
    struct ipr_rate_side *const side = chosen_sides(games, IPR_RATE_BY_PLAYER, &sides);

    for (size_t i = 0; i < sides; i++)
        if (ipr_rate_compare_players(&side[i].game->row.white, &side[i].game->row.black) != 0)
            side[all++] = side[i];
    *itself = (sides - all) / 2;
    *n = 0;
    for (size_t i = 0, end; i < all; i = end) {
        end = group_end(side, all, i, IPR_RATE_BY_PLAYER);
        if (end - i > *n) {
            first = i;
            *n = end - i;
        }
    }
    memmove(side, side + first, *n * sizeof *side);
    return side;
}

json_t *ipr_rate_rows(const struct ipr_rate_games *games)
{
    const enum ipr_rate_by by = games->choice->by;
    size_t n = 0, n_rows = 0;
    struct ipr_rate_side *const side = chosen_sides(games, by, &n);
    json_t **const row = ipr_xcalloc(n + 1, sizeof(json_t *));

    for (size_t i = 0, end; i < n; i = end) {
        end = group_end(side, n, i, by);
        row[n_rows++] = row_json(games, side + i, end - i, by);
    }
    json_t *list = sorted_list(row, n_rows);
    free(row);
    free(side);
    return list;
}
