/* The report of a tournament, and the dossier of a player in it. */
#include "view/page/page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/champions.h"
#include "core/names.h"
#include "sentence/sentence.h"
#include "view/wording.h"

static const char *event_title(const struct ipr_answer_event *event, struct ipr_arena *mem)
{
    const char *const name = ipr_name_event(event->named.name, mem);
    const char *const digits = ipr_arena_printf(mem, "%" PRId64, event->year);

    return event->year > 0 && strstr(name, digits) == NULL
               ? ipr_arena_printf(mem, "%s, %s", name, digits)
               : name;
}

/* ---- games ---- */

static const char *game_result(const struct ipr_answer_event_game *game)
{
    if (!isfinite(game->points))
        return "*";
    if (game->points == 0.5)
        return "½";
    if (game->points > 0.5)
        return game->forfeited ? "+" : "1";
    return game->forfeited ? "–" : "0";
}

/* `href` is of no engine setting, unless one was requested: the game's page takes its own. A cell
 * of the crosstable, "12w1": against no. 12 with White, won. */
static void page_game(struct ipr_answer_event_game *game, struct ipr_arena *mem)
{
    const char *const opponent = game->opponent_number != IPR_NO_COUNT
                                     ? ipr_arena_printf(mem, "%" PRId64, game->opponent_number)
                                     : "?";

    game->href = ipr_arena_printf(mem, "/games/%" PRId64, game->game);
    game->result = game_result(game);
    game->cell = ipr_arena_printf(mem, "%s%c%s", opponent, *game->color, game->result);
}

/* ---- z by round ---- */

#define STRIP_CELL   18.0 /* px */
#define STRIP_NARROW 11.0
#define STRIP_MANY   14 /* rounds, from which cells are narrow */
#define STRIP_MIDDLE 18.0
#define STRIP_UNIT   4.0  /* px a standard error */
#define STRIP_CAP    4.25 /* standard errors */

static const char *strip_label(const struct ipr_answer_event_game *game, int64_t round,
                               struct ipr_arena *mem)
{
    const char *what = "not analysed";

    if (isfinite(game->z))
        what = ipr_arena_printf(mem, "z %+.1f, %" PRId64 " moves", game->z, game->moves);
    else if (game->forfeited)
        what = "forfeited";
    else if (game->moves > 0)
        what = "too few moves for a z";
    return ipr_arena_printf(mem, "Round %" PRId64 ", %s against %s: %s", round, game->color,
                            ipr_name_spoken(game->opponent.name, mem), what);
}

static void strip_cell(const struct ipr_answer_event_game *game, int64_t round, double x,
                       double width, struct ipr_arena *mem, struct ipr_page_strip_cell *out)
{
    const bool known = isfinite(game->z);
    const double size = known ? STRIP_UNIT * fmin(fabs(game->z), STRIP_CAP) : 1.0;
    double up = 0.5;

    out->kind = "gap";
    if (known) {
        up = game->z > 0 ? size : 0.0;
        out->kind = game->z > 0 ? "above" : "below";
    }
    if (game->z > 2.0)
        out->kind = "far";
    out->x = ipr_arena_printf(mem, "%g", x);
    out->width = ipr_arena_printf(mem, "%g", width);
    out->bar_x = ipr_arena_printf(mem, "%g", x + 1.5);
    out->bar_width = ipr_arena_printf(mem, "%g", width - 3.0);
    out->y = ipr_arena_printf(mem, "%.1f", STRIP_MIDDLE - up);
    out->height = ipr_arena_printf(mem, "%.1f", fmax(size, 1.0));
    out->label = strip_label(game, round, mem);
    out->href = game->href;
}

/* Draws n rounds; several games of one share its place. */
static struct ipr_page_strip *event_strip(const struct ipr_answer_event_round *rounds, size_t n,
                                          struct ipr_arena *mem)
{
    const double cell = n > STRIP_MANY ? STRIP_NARROW : STRIP_CELL;
    struct ipr_page_strip *const out = ipr_shape_new(IPR_SHAPE_PAGE_STRIP, mem);
    size_t games = 0;

    for (size_t r = 0; r < n; r++)
        games += rounds[r].games.n;
    out->width = ipr_arena_printf(mem, "%g", cell * (double)n);
    out->cells.at = ipr_shape_list(IPR_SHAPE_PAGE_STRIP_CELL, games, mem);
    for (size_t r = 0; r < n; r++) {
        const double width = cell / (double)rounds[r].games.n;

        for (size_t i = 0; i < rounds[r].games.n; i++)
            strip_cell(&rounds[r].games.at[i], rounds[r].round,
                       cell * (double)r + width * (double)i, width, mem,
                       &out->cells.at[out->cells.n++]);
    }
    return out;
}

/* ---- who leads ---- */

#define LEADERS      3 /* who share the first place and are named */
#define PART_LEADERS 4 /* whose points are said, of games that are a part of an event */

/* Games of a row of the crosstable that have a result. */
static int games_scored(const struct ipr_answer_crosstable_row *row)
{
    int games = 0;

    for (size_t r = 0; r < row->rounds.n; r++)
        for (size_t i = 0; i < row->rounds.at[r].games.n; i++)
            games += isfinite(row->rounds.at[r].games.at[i].points);
    return games;
}

/* The surname, "Fischer"; the whole name if another row has the same one. */
static const char *leader_name(const struct ipr_list_crosstable_row *rows, const char *name,
                               struct ipr_arena *mem)
{
    size_t same = 0;

    for (size_t i = 0; i < rows->n; i++)
        same += ipr_wording_same_surname(rows->at[i].player.name, name);
    return ipr_wording_surname(name, same > 1, mem);
}

/* Games that are plainly not all of the event, and so without places: the points of the players
 * whose games alone are stored, of a field of which that is not known those of all. */
static const char *part_leader(const struct ipr_answer_event_report *e,
                               const struct ipr_list_crosstable_row *rows, struct ipr_arena *mem)
{
    const char **const points = ipr_arena_alloc(mem, rows->n + 1, sizeof *points);
    size_t n = 0;

    for (size_t i = 0; i < rows->n; i++) {
        const struct ipr_answer_crosstable_row *const row = &rows->at[i];
        bool shown = e->only_players.at == NULL;

        for (size_t k = 0; k < e->only_players.n; k++)
            shown = shown || e->only_players.at[k].id == row->player.id;
        if (shown)
            points[n++] = ipr_say_event_points(
                IPR_EVENT_POINTS_OF,
                &(struct ipr_event_points_slots){ leader_name(rows, row->player.name, mem),
                                                  row->score, games_scored(row) },
                mem);
    }
    return ipr_say_event_leader(
        n > PART_LEADERS || n == 0 ? IPR_EVENT_LEADER_PART_LARGE : IPR_EVENT_LEADER_PART,
        &(struct ipr_event_leader_slots){ .why = e->incomplete, .points = { points, n } }, mem);
}

/* Who has most points, "Fischer, 12.5 of 20". The games that are stored may be some of the event's,
 * so it is not said who won. "" without a crosstable or points. */
static const char *event_leader(const struct ipr_list_crosstable_row *rows, struct ipr_arena *mem)
{
    const double score = rows->n > 0 ? rows->at[0].score : 0.0;
    const char *names[LEADERS];
    enum ipr_event_leader which = IPR_EVENT_LEADER_SEVERAL;
    size_t n = 0;

    if (score <= 0.0)
        return "";
    for (size_t i = 0; i < rows->n; i++)
        n += rows->at[i].place == 1;
    if (n > LEADERS)
        which = IPR_EVENT_LEADER_MANY;
    else if (n == 1)
        which = IPR_EVENT_LEADER_ONE;
    for (size_t i = 0; i < n && i < LEADERS; i++)
        names[i] = leader_name(rows, rows->at[i].player.name, mem);
    return ipr_say_event_leader(
        which,
        &(struct ipr_event_leader_slots){ .names = { names, n < LEADERS ? n : LEADERS },
                                          .players = (double)n,
                                          .score = score,
                                          .games = games_scored(rows->at) },
        mem);
}

/* ---- one player's games ---- */

/* The row of the crosstable whose games are all that is stored: that of the only player, or either
 * of a single game. NULL: a tournament or a match. */
static const struct ipr_answer_crosstable_row *
event_alone(const struct ipr_answer_event_report *e, const struct ipr_list_crosstable_row *rows)
{
    if (e->games == 1)
        return rows->n > 0 ? rows->at : NULL;
    for (size_t i = 0; i < rows->n && e->only_player != NULL; i++)
        if (rows->at[i].player.id == e->only_player->id)
            return &rows->at[i];
    return NULL;
}

static const char *stored_result(const struct ipr_answer_event_game *game)
{
    const double of_white = *game->color == 'w' ? game->points : 1.0 - game->points;

    if (!isfinite(game->points))
        return "*";
    if (game->points == 0.5)
        return "½–½";
    return of_white > 0.5 ? "1–0" : "0–1";
}

/* Its games, as a list instead of a crosstable. */
static void alone_games(const struct ipr_answer_crosstable_row *alone, struct ipr_arena *mem,
                        struct ipr_list_page_stored_game *out)
{
    size_t n = 0;

    for (size_t r = 0; r < alone->rounds.n; r++)
        n += alone->rounds.at[r].games.n;
    out->at = ipr_arena_alloc(mem, n + 1, sizeof *out->at);
    for (size_t r = 0; r < alone->rounds.n; r++)
        for (size_t i = 0; i < alone->rounds.at[r].games.n; i++) {
            const struct ipr_answer_event_game *const game = &alone->rounds.at[r].games.at[i];
            const bool white = *game->color == 'w';

            out->at[out->n++] = (struct ipr_page_stored_game){
                .round = alone->rounds.at[r].round,
                .white = white ? alone->player : game->opponent,
                .black = white ? game->opponent : alone->player,
                .result = ipr_arena_printf(mem, "%s%s", stored_result(game),
                                           game->forfeited ? ", forfeited" : ""),
                .href = game->href,
            };
        }
}

/* ---- who is tested ---- */

#define SCREENING_SHOWN 20

/* The rows that are shown at once, and the others; of one player's games the row of that player
 * alone. Each with the games of the same player in the crosstable. */
static void event_screening(const struct ipr_answer_event_report *e,
                            const struct ipr_list_crosstable_row *table, struct ipr_arena *mem,
                            struct ipr_page_event *page)
{
    const struct ipr_list_screening_row *const rows = &e->screening->rows;
    struct ipr_page_screening_row *const all = ipr_arena_alloc(mem, rows->n + 1, sizeof *all);
    size_t n = 0;

    for (size_t i = 0; i < rows->n; i++) {
        if (e->only_player != NULL && rows->at[i].player.id != e->only_player->id)
            continue;
        all[n].screening_row = rows->at[i];
        for (size_t k = 0; k < table->n && all[n].strip == NULL; k++)
            if (table->at[k].player.id == rows->at[i].player.id)
                all[n].strip = event_strip(table->at[k].rounds.at, table->at[k].rounds.n, mem);
        n++;
    }
    page->screening.at = all;
    page->screening.n = n < SCREENING_SHOWN ? n : SCREENING_SHOWN;
    page->screening_more.at = all + page->screening.n;
    page->screening_more.n = n - page->screening.n;
}

/* Who is not tested, by reason. */
static void event_excluded(const struct ipr_list_screening_row *rows, struct ipr_arena *mem,
                           struct ipr_list_page_excluded *out)
{
    out->at = ipr_arena_alloc(mem, rows->n + 1, sizeof *out->at);
    for (size_t i = 0; i < rows->n; i++) {
        size_t k = 0;

        while (k < out->n && strcmp(out->at[k].reason, rows->at[i].reason) != 0)
            k++;
        if (k == out->n) {
            out->at[out->n++].reason = rows->at[i].reason;
            out->at[k].rows.at = ipr_arena_alloc(mem, rows->n, sizeof *rows->at);
        }
        out->at[k].rows.at[out->at[k].rows.n++] = rows->at[i];
    }
}

/* ---- ratings ---- */

static bool interval_known(struct ipr_interval i)
{
    return isfinite(i.lo) || isfinite(i.hi);
}

static struct ipr_page_event_columns columns_of(const struct ipr_figure_event_row *p)
{
    return (struct ipr_page_event_columns){
        .rating = p->rating != NULL && interval_known(p->rating->figure.interval),
        .moves_and_results =
            p->moves_and_results != NULL && isfinite(p->moves_and_results->figure.estimate),
        .expected = isfinite(p->results.expected.points),
        .performance = interval_known(p->results.performance.figure.interval),
        .ipr = p->ipr != NULL && isfinite(p->ipr->figure.estimate),
        .elo = isfinite(p->elo.figure.estimate),
    };
}

/* Players with a rating or an expected score (an Elo alone is in the crosstable), and which columns
 * have a value in any of these rows: the others are left out. */
static void event_ratings(const struct ipr_answer_event_report *e, struct ipr_arena *mem,
                          struct ipr_page_event *page)
{
    struct ipr_page_event_columns *const any = &page->any;

    *any = (struct ipr_page_event_columns){ 0 };
    page->rated.at = ipr_shape_list(IPR_SHAPE_PAGE_EVENT_RATED, e->players.n, mem);
    for (size_t i = 0; i < e->players.n; i++) {
        const struct ipr_figure_event_row *const p = &e->players.at[i];
        const struct ipr_page_event_columns has = columns_of(p);
        const size_t games = p->results.expected.figure.group.basis.games;

        if (!has.rating && !has.moves_and_results && !has.expected && !has.performance && !has.ipr)
            continue;
        if (e->only_player != NULL && p->player.id != e->only_player->id)
            continue;
        page->rated.at[page->rated.n].event_row = *p;
        if (has.expected && games < p->results.score_games)
            page->rated.at[page->rated.n].expected_of = (int64_t)games;
        page->rated.n++;
        any->rating |= has.rating;
        any->moves_and_results |= has.moves_and_results;
        any->expected |= has.expected;
        any->performance |= has.performance;
        any->ipr |= has.ipr;
        any->elo |= has.elo;
    }
    page->drawn = any->rating || any->ipr || any->performance;
    page->part = (int64_t)e->players.n < e->players_total && e->only_player == NULL;
    page->open = e->after != NULL;
}

/* ---- the page ---- */

/* A larger crosstable is folded below the screening. */
#define TABLE_FIRST 20

/* Who has most points; of one player's games whose they are. */
static const char *page_leader(const struct ipr_answer_event_report *e,
                               const struct ipr_list_crosstable_row *rows,
                               const struct ipr_answer_crosstable_row *alone, struct ipr_arena *mem)
{
    if (alone == NULL)
        return e->incomplete != NULL ? part_leader(e, rows, mem) : event_leader(rows, mem);
    const char *const name = ipr_name_spoken(alone->player.name, mem);

    return ipr_say_event_leader(
        e->only_player == NULL ? IPR_EVENT_LEADER_ONE_GAME : IPR_EVENT_LEADER_ONE_PLAYER,
        &(struct ipr_event_leader_slots){
            .names = { &name, 1 }, .score = alone->score, .games = games_scored(alone) },
        mem);
}

bool ipr_page_event(void *answer, void *out, struct ipr_arena *mem)
{
    struct ipr_answer_event_report *const e = answer;
    struct ipr_page_event *const page = out;
    const struct ipr_list_crosstable_row none = { NULL, 0 };
    const struct ipr_list_crosstable_row *const rows =
        e->crosstable != NULL ? &e->crosstable->rows : &none;
    const struct ipr_answer_crosstable_row *const alone = event_alone(e, rows);

    if (e->players.at == NULL || e->event.named.name == NULL)
        return false;
    for (size_t i = 0; i < rows->n; i++)
        for (size_t r = 0; r < rows->at[i].rounds.n; r++)
            for (size_t k = 0; k < rows->at[i].rounds.at[r].games.n; k++)
                page_game(&rows->at[i].rounds.at[r].games.at[k], mem);
    page->title = event_title(&e->event, mem);
    page->placed = e->only_player == NULL && e->incomplete == NULL;
    page->match = rows->n == 2;
    page->table_first = alone == NULL && rows->n <= TABLE_FIRST;
    page->table_last = alone == NULL && rows->n > TABLE_FIRST;
    if (alone != NULL)
        alone_games(alone, mem, &page->stored);
    if (e->screening != NULL) {
        event_screening(e, rows, mem, page);
        event_excluded(&e->screening->excluded, mem, &page->excluded);
    }
    page->corrected = e->only_player == NULL && page->screening.n > 1;
    page->statistics = page->screening.n > 0 || e->comparisons.compared > 0;
    event_ratings(e, mem, page);

    /* Who has most points, who was better by the moves, who stands out. */
    const char *const parts[] = { page_leader(e, rows, alone, mem), e->by_moves,
                                  e->screening != NULL ? e->screening->answer : NULL };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i] != NULL && *parts[i] != '\0')
            page->answer = page->answer == NULL
                               ? parts[i]
                               : ipr_arena_printf(mem, "%s %s", page->answer, parts[i]);
    return true;
}

/* ---- the dossier of a player ---- */

bool ipr_page_event_player(void *answer, void *out, struct ipr_arena *mem)
{
    struct ipr_answer_event_player *const e = answer;
    struct ipr_page_event_player *const page = out;
    struct ipr_answer_event_round *const rounds =
        ipr_arena_alloc(mem, e->rounds.n + 1, sizeof *rounds);
    char *const date = ipr_arena_alloc(mem, 16, 1);
    const time_t now = time(NULL);
    struct tm utc;

    if (e->rounds.at == NULL || e->player.name == NULL)
        return false;
    page->any_z = isfinite(e->test.z);
    page->any_flagged = false;
    for (size_t r = 0; r < e->rounds.n; r++) {
        struct ipr_list_event_player_game *const games = &e->rounds.at[r].games;

        rounds[r].round = e->rounds.at[r].round;
        rounds[r].games.at = ipr_arena_alloc(mem, games->n + 1, sizeof *rounds[r].games.at);
        for (size_t i = 0; i < games->n; i++) {
            page_game(&games->at[i].event_game, mem);
            rounds[r].games.at[rounds[r].games.n++] = games->at[i].event_game;
            for (size_t k = 0; k < games->at[i].flagged.n; k++)
                games->at[i].flagged.at[k].glyph = ipr_page_glyph(games->at[i].flagged.at[k].mark);
            page->any_z |= isfinite(games->at[i].z);
            /* Nothing is flagged, or known, where there are figures alone. */
            page->any_flagged |= games->at[i].flagged.at != NULL && e->games_with_moves > 0;
        }
    }
    gmtime_r(&now, &utc);
    strftime(date, 16, "%Y-%m-%d", &utc);
    page->title = ipr_arena_printf(mem, "%s in %s", ipr_name_spoken(e->player.name, mem),
                                   ipr_name_event(e->event.named.name, mem));
    page->event = event_title(&e->event, mem);
    page->corrected = e->only_player == NULL && e->field.tested > 1;
    page->strip = *event_strip(rounds, e->rounds.n, mem);
    page->date = date;
    return true;
}
