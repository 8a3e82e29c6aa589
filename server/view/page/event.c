/* The report of a tournament. */
#include "view/page/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/str.h"
#include "view/json.h"
#include "view/wording.h"

static json_t *event_title(const json_t *resource)
{
    const double year = ipr_json_at(resource, "event.year", NAN);
    const char *name = ipr_json_text_at(resource, "event.name");
    char digits[16];

    snprintf(digits, sizeof digits, "%.0f", year);
    return isfinite(year) && strstr(name, digits) == NULL ? ipr_page_format("%s, %.0f", name, year)
                                                          : ipr_page_format("%s", name);
}

/* Whether not all of the players are on the page. */
static bool event_is_part(const json_t *resource)
{
    const size_t shown = json_array_size(json_object_get(resource, "players"));

    return (double)shown < ipr_json_at(resource, "players_total", 0.0);
}

/* Sets "expected_of" of players with forfeited games or games that lack an Elo. */
static void put_expected_games(const json_t *players)
{
    json_t *p;
    size_t i;

    json_array_foreach(players, i, p) {
        const double n = ipr_json_at(p, "expected.games", 0.0);

        if (n < ipr_json_at(p, "score_games", 0.0) &&
            json_is_number(ipr_json_find(p, "expected.points")))
            json_object_set_new(p, "expected_of", json_integer((json_int_t)n));
    }
}

/* ---- z by round ---- */

#define STRIP_CELL   18.0 /* px */
#define STRIP_NARROW 11.0
#define STRIP_MANY   14 /* rounds, from which cells are narrow */
#define STRIP_MIDDLE 18.0
#define STRIP_UNIT   4.0  /* px a standard error */
#define STRIP_CAP    4.25 /* standard errors */

/* The game at its first flagged move, "href" and "on_board", for
 * templates/partials/event_game.html. Of no engine setting, unless one was requested: the game's
 * page takes the one with more lines where it has analysed the game, by which moves are flagged. */
static void put_event_game(const json_t *game, json_t *row)
{
    const double ply = ipr_json_at(game, "ply", NAN), id = ipr_json_at(game, "game", 0.0);

    json_object_set_new(row, "on_board", json_boolean(isfinite(ply)));
    json_object_set_new(row, "href",
                        isfinite(ply) ? ipr_page_format("/games/%.0f?ply=%.0f", id, ply)
                                      : ipr_page_format("/games/%.0f", id));
}

static json_t *strip_label(const json_t *game, double round, double z)
{
    const char *const name = ipr_json_text_at(game, "opponent.name");
    const char *const color = ipr_json_text_at(game, "color");
    const double moves = ipr_json_at(game, "moves", 0.0);

    if (isfinite(z))
        return ipr_page_format("Round %.0f, %s against %s: z %+.1f, %.0f moves", round, color, name,
                               z, moves);
    return ipr_page_format("Round %.0f, %s against %s: %s", round, color, name,
                           ipr_json_true_at(game, "forfeited") ? "forfeited"
                           : moves > 0                         ? "too few moves for a z"
                                                               : "not analysed");
}

static json_t *strip_cell(const json_t *game, double round, double x, double width)
{
    const double z = ipr_json_at(game, "z", NAN);
    const double size = isfinite(z) ? STRIP_UNIT * fmin(fabs(z), STRIP_CAP) : 1.0;
    const double up = isfinite(z) && z > 0 ? size : isfinite(z) ? 0.0 : 0.5;

    json_t *cell = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "x", ipr_page_format("%g", x), "width",
        ipr_page_format("%g", width), "bar_x", ipr_page_format("%g", x + 1.5), "bar_width",
        ipr_page_format("%g", width - 3.0), "y", ipr_page_format("%.1f", STRIP_MIDDLE - up),
        "height", ipr_page_format("%.1f", fmax(size, 1.0)), "kind",
        !isfinite(z) ? "gap"
        : z > 2.0    ? "far"
        : z > 0.0    ? "above"
                     : "below",
        "label", strip_label(game, round, z));

    put_event_game(game, cell);
    return cell;
}

/* Several games of a round share its cell. */
static json_t *event_strip(const json_t *rounds)
{
    const size_t n = json_array_size(rounds);
    const double cell = n > STRIP_MANY ? STRIP_NARROW : STRIP_CELL;
    json_t *cells = json_array();
    const json_t *round, *game;
    size_t r, i;

    json_array_foreach(rounds, r, round) {
        const json_t *const games = json_object_get(round, "games");
        const double width = cell / (double)json_array_size(games);

        json_array_foreach(games, i, game)
            json_array_append_new(cells, strip_cell(game, ipr_json_at(round, "round", 0.0),
                                                    cell * (double)r + width * (double)i, width));
    }
    return json_pack("{s:o, s:o}", "width", ipr_page_format("%g", cell * (double)n), "cells",
                     cells);
}

/* Sets "strip" of the rows of the screening, from the crosstable's games of the same player. */
static void put_strips(json_t *resource)
{
    const json_t *table = ipr_json_find(resource, "crosstable.rows"), *of;
    json_t *row;
    size_t i, k;

    json_array_foreach(json_object_get(json_object_get(resource, "screening"), "rows"), i, row)
        json_array_foreach(table, k, of) {
            if (ipr_json_at(of, "player.id", 0.0) != ipr_json_at(row, "player.id", -1.0))
                continue;
            json_object_set_new(row, "strip", event_strip(json_object_get(of, "rounds")));
            break;
        }
}

/* ---- crosstable ---- */

static const char *crosstable_result(const json_t *game)
{
    const double points = ipr_json_at(game, "points", NAN);
    const bool forfeited = ipr_json_true_at(game, "forfeited");

    if (!isfinite(points))
        return "*";
    if (points == 0.5)
        return "½";
    return points > 0.5 ? (forfeited ? "+" : "1") : forfeited ? "–" : "0";
}

/* "12w1": against no. 12 with White, won. */
static void put_crosstable(json_t *resource)
{
    json_t *row, *round, *game;
    size_t i, r, k;

    json_array_foreach(json_object_get(json_object_get(resource, "crosstable"), "rows"), i, row)
        json_array_foreach(json_object_get(row, "rounds"), r, round)
            json_array_foreach(json_object_get(round, "games"), k, game) {
                const double number = ipr_json_at(game, "opponent_number", NAN);
                const char color = *ipr_json_text_at(game, "color") == 'w' ? 'w' : 'b';

                json_object_set_new(
                    game, "cell",
                    isfinite(number)
                        ? ipr_page_format("%.0f%c%s", number, color, crosstable_result(game))
                        : ipr_page_format("?%c%s", color, crosstable_result(game)));
                put_event_game(game, game);
            }
}

/* ---- who leads ---- */

#define LEADERS      3 /* who share the first place and are named */
#define PART_LEADERS 4 /* whose points are said, of games that are a part of an event */

/* Games of a row of the crosstable that have a result. */
static int games_scored(const json_t *row)
{
    const json_t *round, *game;
    size_t k, g;
    int games = 0;

    json_array_foreach(json_object_get(row, "rounds"), k, round)
        json_array_foreach(json_object_get(round, "games"), g, game)
            games += json_is_number(json_object_get(game, "points"));
    return games;
}

/* The surname, "Fischer"; the whole name if another row has the same one. */
static json_t *leader_name(const json_t *rows, const json_t *row)
{
    const char *const name = ipr_json_text_at(row, "player.name");
    bool shared = false;
    const json_t *other;
    size_t i;

    json_array_foreach(rows, i, other)
        shared = shared || (other != row &&
                            ipr_wording_same_surname(ipr_json_text_at(other, "player.name"), name));
    return shared ? json_string(name) : json_stringn(name, strcspn(name, ","));
}

/* The names of the first n rows, with `each` row's points where that is wanted. */
static void leader_names(const json_t *rows, size_t n, bool points, struct ipr_buf *names)
{
    for (size_t i = 0; i < n; i++) {
        const json_t *const row = json_array_get(rows, i);
        json_t *const name = leader_name(rows, row);

        ipr_buf_printf(names, "%s%s",
                       i == 0                  ? ""
                       : !points && i + 1 == n ? " and "
                                               : ", ",
                       json_string_value(name));
        if (points)
            ipr_buf_printf(names, " %g of %d", ipr_json_at(row, "score", 0.0), games_scored(row));
        json_decref(name);
    }
}

/* The rows whose points are said: of the players whose games alone are stored, of a field of which
 * that is not known all. A new reference. */
static json_t *part_rows(const json_t *resource, const json_t *rows)
{
    const json_t *const of = json_object_get(resource, "only_players");
    json_t *out = json_array(), *row;
    const json_t *player;
    size_t i, k;

    json_array_foreach(rows, i, row) {
        bool shown = !json_is_array(of);

        json_array_foreach(of, k, player)
            shown = shown || ipr_json_at(player, "id", -1.0) == ipr_json_at(row, "player.id", 0.0);
        if (shown)
            json_array_append(out, row);
    }
    return out;
}

/* Games that are plainly not all of the event, and so without places. */
static json_t *part_leader(const json_t *resource, const json_t *rows, const char *why)
{
    json_t *const shown = part_rows(resource, rows);
    const size_t n = json_array_size(shown);
    struct ipr_buf names = IPR_BUF_INIT;

    if (n <= PART_LEADERS)
        leader_names(shown, n, true, &names);
    json_t *const out = n > PART_LEADERS || n == 0
                            ? ipr_page_format("Not all of this event is here: %s.", why)
                            : ipr_page_format("Not all of this event is here: %s. Points in these "
                                              "games: %s.",
                                              why, ipr_buf_c(&names));
    json_decref(shown);
    ipr_buf_release(&names);
    return out;
}

/* Who has most points, "Fischer, 12.5 of 20". The games that are stored may be some of
 * the event's, so it is not said who won. NULL without a crosstable or points. */
static json_t *event_leader(const json_t *rows)
{
    const json_t *const first = json_array_get(rows, 0);
    const double score = ipr_json_at(first, "score", 0.0);
    struct ipr_buf names = IPR_BUF_INIT;
    const json_t *row;
    size_t i, n = 0;

    json_array_foreach(rows, i, row)
        n += ipr_json_at(row, "place", 0.0) == 1.0;
    if (score <= 0.0)
        return NULL;
    if (n > LEADERS)
        return ipr_page_format("Most points in these games, by %zu players: %g.", n, score);
    leader_names(rows, n, false, &names);
    json_t *const out = n == 1 ? ipr_page_format("Most points in these games: %s, %g of %d.",
                                                 ipr_buf_c(&names), score, games_scored(first))
                               : ipr_page_format("Most points in these games: %s, %g each.",
                                                 ipr_buf_c(&names), score);
    ipr_buf_release(&names);
    return out;
}

/* ---- one player's games ---- */

/* The row of the crosstable whose games are all that is stored: that of the only player, or either
 * of a single game. NULL: a tournament or a match. */
static const json_t *event_alone(const json_t *resource)
{
    const json_t *const rows = ipr_json_find(resource, "crosstable.rows");
    const double only = ipr_json_at(resource, "only_player.id", 0.0);
    const json_t *row;
    size_t i;

    if (ipr_json_at(resource, "games", 0.0) == 1.0)
        return json_array_get(rows, 0);
    json_array_foreach(rows, i, row)
        if (ipr_json_at(row, "player.id", -1.0) == only)
            return row;
    return NULL;
}

static json_t *alone_leader(const json_t *resource, const json_t *alone)
{
    const double score = ipr_json_at(alone, "score", 0.0);

    if (!json_is_object(json_object_get(resource, "only_player")))
        return json_string("Only one game of this event is here.");
    return ipr_page_format("Only games of %s are here: %g points of %d.",
                           ipr_json_text_at(alone, "player.name"), score, games_scored(alone));
}

static const char *stored_result(const json_t *game, bool white)
{
    const double points = ipr_json_at(game, "points", NAN);
    const double of_white = white ? points : 1.0 - points;

    if (!isfinite(points))
        return "*";
    return points == 0.5 ? "½–½" : of_white > 0.5 ? "1–0" : "0–1";
}

/* Its games, as a list instead of a crosstable. */
static json_t *alone_games(const json_t *alone)
{
    json_t *out = json_array(), *one;
    const json_t *round, *game;
    size_t r, i;

    json_array_foreach(json_object_get(alone, "rounds"), r, round)
        json_array_foreach(json_object_get(round, "games"), i, game) {
            const bool white = *ipr_json_text_at(game, "color") == 'w';

            one = json_pack(
                "{s:O, s:o}", "round", json_object_get(round, "round"), "result",
                ipr_page_format("%s%s", stored_result(game, white),
                                ipr_json_true_at(game, "forfeited") ? ", forfeited" : ""));
            put_event_game(game, one);
            json_object_set(one, white ? "white" : "black", json_object_get(alone, "player"));
            json_object_set(one, white ? "black" : "white", json_object_get(game, "opponent"));
            json_array_append_new(out, one);
        }
    return out;
}

/* ---- who is not tested ---- */

static json_t *excluded_group(json_t *groups, const char *reason)
{
    json_t *group = ipr_json_first(groups, "reason", reason);

    if (group != NULL)
        return group;
    group = json_pack("{s:s, s:[]}", "reason", reason, "rows");
    json_array_append_new(groups, group);
    return group;
}

/* By reason. */
static json_t *event_excluded(const json_t *resource)
{
    json_t *groups = json_array(), *row;
    size_t i;

    json_array_foreach(ipr_json_find(resource, "screening.excluded"), i, row)
        json_array_append(
            json_object_get(excluded_group(groups, ipr_json_text_at(row, "reason")), "rows"), row);
    return groups;
}

#define SCREENING_SHOWN 20

/* The rows of the screening that are shown at once, or the others; of one player's games the row of
 * that player alone. */
static json_t *screening_part(const json_t *resource, bool first)
{
    const double only = ipr_json_at(resource, "only_player.id", 0.0);
    json_t *out = json_array(), *row;
    size_t i;

    json_array_foreach(ipr_json_find(resource, "screening.rows"), i, row)
        if (only > 0 ? first && ipr_json_at(row, "player.id", 0.0) == only
                     : (i < SCREENING_SHOWN) == first)
            json_array_append(out, row);
    return out;
}

/* ---- ratings ---- */

/* Columns of the table, and where a row has its value. */
static const struct {
    const char *name, *at;
} event_columns[] = {
    { "rating", "rating.interval" },   { "moves_and_results", "moves_and_results.estimate" },
    { "expected", "expected.points" }, { "performance", "performance.interval" },
    { "ipr", "ipr.estimate" },         { "elo", "elo.estimate" },
};
#define EVENT_COLUMNS (sizeof event_columns / sizeof *event_columns)

static bool event_has(const json_t *player, size_t column)
{
    const json_t *const value = ipr_json_find(player, event_columns[column].at);

    return json_is_number(value) || json_is_object(value);
}

/* Players with a rating or an expected score; an Elo alone is in the crosstable. */
static json_t *event_rated(const json_t *resource)
{
    const double only = ipr_json_at(resource, "only_player.id", 0.0);
    json_t *out = json_array(), *player;
    size_t i, k;

    json_array_foreach(json_object_get(resource, "players"), i, player) {
        bool any = false;

        for (k = 0; k + 1 < EVENT_COLUMNS; k++)
            any = any || event_has(player, k);
        if (any && (only == 0.0 || ipr_json_at(player, "player.id", -1.0) == only))
            json_array_append(out, player);
    }
    return out;
}

/* Which columns have a value in any row: the others are left out. */
static json_t *event_any(const json_t *rated)
{
    json_t *out = json_object();
    const json_t *player;
    size_t i, k;

    for (k = 0; k < EVENT_COLUMNS; k++) {
        bool any = false;

        json_array_foreach(rated, i, player)
            any = any || event_has(player, k);
        json_object_set_new(out, event_columns[k].name, json_boolean(any));
    }
    return out;
}

static bool event_any_of(const json_t *any, const char *name)
{
    return json_is_true(json_object_get(any, name));
}

static void put_ratings(const json_t *resource, json_t *page)
{
    json_t *rated = event_rated(resource), *any = event_any(rated);

    json_object_set_new(page, "drawn",
                        json_boolean(event_any_of(any, "rating") || event_any_of(any, "ipr") ||
                                     event_any_of(any, "performance")));
    json_object_set_new(page, "part",
                        json_boolean(event_is_part(resource) &&
                                     !json_is_object(json_object_get(resource, "only_player"))));
    json_object_set_new(page, "open",
                        json_boolean(json_is_string(json_object_get(resource, "after"))));
    json_object_set_new(page, "any", any);
    json_object_set_new(page, "rated", rated);
}

/* ---- the page ---- */

/* A larger crosstable is folded below the screening. */
#define TABLE_FIRST 20

static void put_parts(const json_t *resource, json_t *page)
{
    const json_t *const rows = ipr_json_find(resource, "crosstable.rows");
    const json_t *const alone = event_alone(resource);
    const bool only = json_is_object(json_object_get(resource, "only_player"));
    const char *const part = ipr_json_text_at(resource, "incomplete");
    json_t *screening = screening_part(resource, true);

    json_object_set_new(page, "leader",
                        alone != NULL   ? alone_leader(resource, alone)
                        : *part != '\0' ? part_leader(resource, rows, part)
                                        : event_leader(rows));
    json_object_set_new(page, "placed", json_boolean(!only && *part == '\0'));
    json_object_set_new(page, "match", json_boolean(json_array_size(rows) == 2));
    json_object_set_new(page, "stored", alone != NULL ? alone_games(alone) : json_array());
    json_object_set_new(page, "table_first",
                        json_boolean(alone == NULL && json_array_size(rows) <= TABLE_FIRST));
    json_object_set_new(page, "table_last",
                        json_boolean(alone == NULL && json_array_size(rows) > TABLE_FIRST));
    json_object_set_new(page, "corrected", json_boolean(!only && json_array_size(screening) > 1));
    json_object_set_new(page, "statistics",
                        json_boolean(json_array_size(screening) > 0 ||
                                     ipr_json_at(resource, "comparisons.compared", 0.0) > 0));
    json_object_set_new(page, "screening", screening);
    json_object_set_new(page, "screening_more", screening_part(resource, false));
    json_object_set_new(page, "excluded", event_excluded(resource));
}

/* The head of the page: who has most points, who was better by the moves, who stands out. */
static void put_answer(const json_t *resource, json_t *page)
{
    const char *const parts[] = { ipr_json_text_at(page, "leader"),
                                  ipr_json_text_at(resource, "by_moves"),
                                  ipr_json_text_at(resource, "screening.answer") };
    struct ipr_buf text = IPR_BUF_INIT;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        ipr_buf_printf(&text, "%s%s", *ipr_buf_c(&text) != '\0' && *parts[i] != '\0' ? " " : "",
                       parts[i]);
    if (*ipr_buf_c(&text) != '\0')
        json_object_set_new(page, "answer", json_string(ipr_buf_c(&text)));
    ipr_buf_release(&text);
}

bool ipr_page_event(json_t *resource, json_t *page)
{
    const json_t *players = json_object_get(resource, "players");

    json_object_set_new(page, "title", event_title(resource));
    put_expected_games(players);
    put_strips(resource);
    put_crosstable(resource);
    put_ratings(resource, page);
    put_parts(resource, page);
    put_answer(resource, page);
    return json_is_array(players) && json_is_object(json_object_get(resource, "event"));
}

/* ---- the dossier of a player ---- */

static json_t *page_today(void)
{
    const time_t now = time(NULL);
    struct tm utc;
    char text[16];

    gmtime_r(&now, &utc);
    strftime(text, sizeof text, "%Y-%m-%d", &utc);
    return json_string(text);
}

static void put_glyphs(const json_t *flagged)
{
    json_t *move;
    size_t i;

    json_array_foreach(flagged, i, move)
        json_object_set_new(move, "glyph",
                            json_string(ipr_page_glyph(ipr_json_text_at(move, "mark"))));
}

bool ipr_page_event_player(json_t *resource, json_t *page)
{
    json_t *rounds = json_object_get(resource, "rounds"), *round, *game;
    bool any_z = json_is_number(ipr_json_find(resource, "test.z")), any_flagged = false;
    size_t r, i;

    json_object_set_new(page, "title",
                        ipr_page_format("%s in %s", ipr_json_text_at(resource, "player.name"),
                                        ipr_json_text_at(resource, "event.name")));
    json_object_set_new(page, "event", event_title(resource));
    json_object_set_new(page, "corrected",
                        json_boolean(!json_is_object(json_object_get(resource, "only_player")) &&
                                     ipr_json_at(resource, "field.tested", 0.0) > 1.0));
    json_object_set_new(page, "strip", event_strip(rounds));
    json_object_set_new(page, "date", page_today());
    json_array_foreach(rounds, r, round)
        json_array_foreach(json_object_get(round, "games"), i, game) {
            put_event_game(game, game);
            json_object_set_new(game, "result", json_string(crosstable_result(game)));
            put_glyphs(json_object_get(game, "flagged"));
            any_z = any_z || json_is_number(json_object_get(game, "z"));
            any_flagged = any_flagged || json_is_array(json_object_get(game, "flagged"));
        }
    json_object_set_new(page, "any_z", json_boolean(any_z));
    /* Of figures alone nothing is flagged, and nothing is known. */
    json_object_set_new(
        page, "any_flagged",
        json_boolean(any_flagged && ipr_json_at(resource, "games_with_moves", 0.0) > 0));
    return json_is_array(rounds) && json_is_object(json_object_get(resource, "test"));
}
