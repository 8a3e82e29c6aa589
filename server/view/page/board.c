/* The page of one game: its board, its list of moves, its graph of expected scores and what it says
 * first. */
#include "view/page/page.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "model/move_mark.h"
#include "sentence/sentence.h"
#include "view/json.h"
#include "view/page/format.h"

#define START_FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

/* ---- the board ---- */

json_t *ipr_page_square(const char *square)
{
    return ipr_shape_page_json(IPR_SHAPE_PAGE_SQUARE,
                               &(struct ipr_page_square){ square[0] - 'a', '8' - square[1] });
}

json_t *ipr_page_pieces(const char *fen)
{
    json_t *list = json_array();
    int x = 0, y = 0;

    for (const char *p = fen; *p != '\0' && *p != ' '; p++) {
        if (*p == '/') {
            x = 0;
            y++;
        } else if (isdigit((unsigned char)*p)) {
            x += *p - '0';
        } else {
            const char piece[3] = { isupper((unsigned char)*p) ? 'w' : 'b',
                                    (char)tolower((unsigned char)*p), '\0' };

            json_array_append_new(list,
                                  ipr_shape_page_json(IPR_SHAPE_PAGE_PIECE,
                                                      &(struct ipr_page_piece){ piece, x++, y }));
        }
    }
    return list;
}

/* The one arrow of a position: what was better than the move that led to it, else the engine's
 * first choice there; from the middle of a square to that of another. */
static struct ipr_page_arrow *board_arrow(const struct ipr_page_move *move,
                                          const struct ipr_page_move *next, struct ipr_arena *mem)
{
    const char *const better = move != NULL ? ipr_json_text_at(move->better, "uci") : "";
    const char *const best = next != NULL ? ipr_json_text_at(next->turn, "best.uci") : "";
    const char *const uci = *better != '\0' ? better : best;
    struct ipr_page_arrow *const out = ipr_arena_alloc(mem, 1, sizeof *out);

    if (strlen(uci) < 4)
        return NULL;
    *out = (struct ipr_page_arrow){ uci[0] - 'a' + 0.5, '8' - uci[1] + 0.5, uci[2] - 'a' + 0.5,
                                    '8' - uci[3] + 0.5, *better != '\0' };
    return out;
}

static struct ipr_page_board *game_board(const json_t *resource, const struct ipr_page_move *own,
                                         struct ipr_arena *mem)
{
    const json_t *const moves = json_object_get(resource, "moves");
    const size_t ply = (size_t)ipr_json_at(resource, "position.ply", 0.0);
    const size_t last = json_array_size(moves);
    const struct ipr_page_move *const move = ply > 0 && ply <= last ? &own[ply - 1] : NULL;
    const struct ipr_page_move *const next = ply < last ? &own[ply] : NULL;
    const char *const uci =
        move != NULL ? ipr_json_text_at(json_array_get(moves, ply - 1), "uci") : "";
    struct ipr_page_board *const board = ipr_shape_new(IPR_SHAPE_PAGE_BOARD, mem);

    board->pieces = ipr_page_pieces(ipr_json_text_at(resource, "position.fen"));
    if (strlen(uci) >= 4) {
        board->from = ipr_page_square(uci);
        board->to = ipr_page_square(uci + 2);
    }
    board->arrow = board_arrow(move, next, mem);
    if (ply > 0)
        board->previous = (int64_t)ply - 1;
    if (ply < last)
        board->next = (int64_t)ply + 1;
    board->last = (int64_t)last;
    board->label = move != NULL ? move->label : NULL;
    return board;
}

/* ---- the moves ---- */

const char *ipr_page_glyph(const char *mark)
{
    return ipr_sentence_word(ipr_words("glyphs"), mark);
}

/* Expected points that it lost; NAN: not known. */
static double move_lost(const struct ipr_page_move *move)
{
    return ipr_json_at(move->turn != NULL ? move->turn : move->figure, "points_lost", NAN);
}

static void moves_put_words(const json_t *resource, struct ipr_page_move *own,
                            struct ipr_arena *mem)
{
    const json_t *const moves = json_object_get(resource, "moves"), *move;
    const double shown = ipr_json_at(resource, "position.ply", 0.0);
    const bool waits = ipr_json_at(resource, "unconfirmed", 0.0) > 0.0;
    size_t i;

    json_array_foreach(moves, i, move) {
        const bool white = strcmp(ipr_json_text_at(move, "mover"), "w") == 0;
        const json_t *const reply = i + 1 < json_array_size(moves) ? own[i + 1].turn : NULL;

        own[i].after = (int64_t)i + 1;
        own[i].glyph = ipr_page_glyph(ipr_json_text_at(own[i].turn, "mark"));
        own[i].label = ipr_arena_printf(mem, "%.0f%s%s%s", ipr_json_at(move, "number", 0.0),
                                        white ? ". " : "…", ipr_json_text_at(move, "san"),
                                        own[i].glyph); /* "23…Qd7" */
        own[i].shown = (double)own[i].after == shown;
        own[i].reply = ipr_json_text_at(reply, "best.uci");
        /* Until marks have come, a loss of their size has a number beside it. */
        if (waits && move_lost(&own[i]) >= IPR_MARK_INACCURACY_AT)
            own[i].beside = move_lost(&own[i]);
    }
}

/* Moves before the first one analysed that have nothing but themselves are one row of the table. */
static const char *moves_skip(const json_t *moves, struct ipr_page_move *own, struct ipr_arena *mem)
{
    const size_t n = json_array_size(moves);
    size_t i = 0;

    for (; i < n && own[i].turn == NULL && own[i].figure == NULL; i++)
        if (own[i].clock_ms != IPR_NO_COUNT || own[i].truth != NULL || own[i].check >= 0 ||
            json_array_size(own[i].notes) > 0)
            return NULL;
    if (i == 0 || i == n)
        return NULL;
    for (size_t k = 0; k < i; k++)
        own[k].skipped = true;
    return ipr_arena_printf(mem, "1–%.0f",
                            ipr_json_at(json_array_get(moves, i - 1), "number", 0.0));
}

/* ---- the graph ---- */

/* The line of White's expected score, and the area between it and 50 %: x in half-moves, y in per
 * cent from the top. */
static void graph_put_curve(const json_t *white, struct ipr_page_graph *graph,
                            struct ipr_arena *mem)
{
    struct ipr_buf line = IPR_BUF_INIT;
    size_t i, first = 0, last = 0;
    const json_t *at;

    json_array_foreach(white, i, at) {
        if (!json_is_number(at))
            continue;
        if (line.n == 0)
            first = i;
        last = i;
        ipr_buf_printf(&line, "%s%zu %.1f", line.n > 0 ? "L" : "", i,
                       100.0 * (1.0 - json_number_value(at)));
    }
    graph->line = ipr_arena_printf(mem, "M%s", ipr_buf_c(&line));
    graph->area = ipr_arena_printf(mem, "M%zu 50L%sL%zu 50Z", first, ipr_buf_c(&line), last);
    ipr_buf_release(&line);
}

/* A dot at a mistake or a blunder; the one at which the game turned is named. */
static struct ipr_page_mark graph_mark(const json_t *resource, const struct ipr_page_move *move,
                                       bool named)
{
    const size_t last = json_array_size(json_object_get(resource, "moves"));
    const json_t *const white = json_object_get(resource, "white_expected");
    const double x = 100.0 * (double)move->after / (double)last;
    const double y = 100.0 * (1.0 - json_number_value(json_array_get(white, (size_t)move->after)));
    struct ipr_page_mark out = { .x = x,
                                 .y = y,
                                 .kind = ipr_json_text_at(move->turn, "mark"),
                                 .anchor = "middle",
                                 .label = move->label,
                                 .named = named,
                                 .dy = y < 50.0 ? -9 : 17 };

    if (x > 85.0)
        out.anchor = "end";
    else if (x < 15.0)
        out.anchor = "start";
    return out;
}

/* The ply of the move at which the game turned; -1: it was no single move. */
static double turned_at(const json_t *resource)
{
    return strcmp(ipr_json_text_at(resource, "turning.kind"), "move") == 0
               ? ipr_json_at(resource, "turning.to", -1.0)
               : -1.0;
}

static void graph_put_marks(const json_t *resource, const struct ipr_page_move *own, size_t n,
                            struct ipr_page_graph *graph, struct ipr_arena *mem)
{
    const double turned = turned_at(resource);

    graph->marks.at = ipr_arena_alloc(mem, n + 1, sizeof *graph->marks.at);
    for (size_t i = 0; i < n; i++) {
        const char *const mark = ipr_json_text_at(own[i].turn, "mark");
        const bool named = (double)i == turned;

        if (named || strcmp(mark, "mistake") == 0 || strcmp(mark, "blunder") == 0)
            graph->marks.at[graph->marks.n++] = graph_mark(resource, &own[i], named);
    }
}

static void graph_put_ticks(const json_t *moves, struct ipr_page_graph *graph,
                            struct ipr_arena *mem)
{
    const size_t last = json_array_size(moves);
    const json_t *move;
    size_t i;

    graph->ticks.at = ipr_arena_alloc(mem, last + 1, sizeof *graph->ticks.at);
    json_array_foreach(moves, i, move) {
        const int number = (int)ipr_json_at(move, "number", 0.0);

        if (number % 10 == 0 && strcmp(ipr_json_text_at(move, "mover"), "w") == 0)
            graph->ticks.at[graph->ticks.n++] = (struct ipr_page_graph_tick){
                ipr_page_per_cent(100.0 * (double)i / (double)last, mem), number
            };
    }
}

/* The moves between which a game was lost little by little. */
static struct ipr_page_bar *graph_slide(const json_t *resource, double last, struct ipr_arena *mem)
{
    const double from = ipr_json_at(resource, "turning.from", 0.0);
    const double to = ipr_json_at(resource, "turning.to", -1.0) + 1.0;
    struct ipr_page_bar *const out = ipr_arena_alloc(mem, 1, sizeof *out);

    *out = (struct ipr_page_bar){ ipr_page_per_cent(100.0 * from / last, mem),
                                  ipr_page_per_cent(100.0 * (to - from) / last, mem) };
    return turned_at(resource) >= 0.0 || to <= from ? NULL : out;
}

static struct ipr_page_graph *game_graph(const json_t *resource, const struct ipr_page_move *own,
                                         struct ipr_arena *mem)
{
    const json_t *const moves = json_object_get(resource, "moves");
    const size_t n = json_array_size(moves);
    const double last = (double)n;
    struct ipr_page_graph *const graph = ipr_shape_new(IPR_SHAPE_PAGE_GRAPH, mem);

    if (json_array_size(json_object_get(resource, "turns")) +
            json_array_size(json_object_get(resource, "figures")) <
        2)
        return NULL;
    graph->last = (int64_t)n;
    graph->now = ipr_page_per_cent(100.0 * ipr_json_at(resource, "position.ply", 0.0) / last, mem);
    graph_put_curve(json_object_get(resource, "white_expected"), graph, mem);
    graph_put_marks(resource, own, n, graph, mem);
    graph_put_ticks(moves, graph, mem);
    graph->slide = graph_slide(resource, last, mem);
    return graph;
}

/* ---- what comes first ---- */

#define COSTLY 0.005 /* expected points, which are shown with two decimals */

/* The ply of the move with which the loser lost most, or in a draw either; past the last: nobody
 * lost anything. */
static size_t costliest_ply(const json_t *resource, const struct ipr_page_move *own)
{
    const char *const result = ipr_json_text_at(resource, "result");
    const char *const loser = strcmp(result, "1-0") == 0 ? "b" : "w";
    const char *const mover =
        strcmp(result, "1-0") == 0 || strcmp(result, "0-1") == 0 ? loser : NULL;
    const json_t *const moves = json_object_get(resource, "moves"), *move;
    size_t costliest = json_array_size(moves), i;
    double most = COSTLY;

    json_array_foreach(moves, i, move) {
        const double lost = move_lost(&own[i]);

        if (lost > most && (mover == NULL || strcmp(mover, ipr_json_text_at(move, "mover")) == 0)) {
            most = lost;
            costliest = i;
        }
    }
    return costliest;
}

static enum ipr_game_verdict verdict_case(const json_t *resource, bool decided, bool played)
{
    if (!played)
        return decided ? IPR_GAME_VERDICT_FORFEIT : IPR_GAME_VERDICT_UNPLAYED;
    if (!decided)
        return IPR_GAME_VERDICT_DRAWN;
    if (*ipr_json_text_at(resource, "turning.kind") == '\0')
        return IPR_GAME_VERDICT_WON;
    return turned_at(resource) >= 0.0 ? IPR_GAME_VERDICT_TURNED : IPR_GAME_VERDICT_SLID;
}

/* How it ended, and the move or moves at which it turned, or else the costliest one. */
static const char *game_verdict(const json_t *resource, const struct ipr_page_move *own,
                                struct ipr_arena *mem)
{
    const json_t *const moves = json_object_get(resource, "moves");
    const char *const result = ipr_json_text_at(resource, "result");
    const bool lost = strcmp(result, "0-1") == 0, decided = lost || strcmp(result, "1-0") == 0;
    const char *const names[] = { ipr_json_text_at(resource, "white.name"),
                                  ipr_json_text_at(resource, "black.name") };
    const double played = ipr_json_at(resource, "plies", 0.0);
    const double to = ipr_json_at(resource, "turning.to", -1.0);
    const size_t ply = to >= 0.0 ? (size_t)to : costliest_ply(resource, own);
    const struct ipr_page_move none = { .label = "" };
    const struct ipr_page_move *const at = ply < json_array_size(moves) ? &own[ply] : &none;

    if (!decided && strcmp(result, "1/2-1/2") != 0 && played > 0.0)
        return NULL;
    return ipr_say_game_verdict(
        verdict_case(resource, decided, played > 0.0),
        &(struct ipr_game_verdict_slots){
            .first = names[lost],
            .second = names[!lost],
            .moves = floor((played + 1.0) / 2.0),
            .at = at->label,
            .better = ipr_json_text_at(at->better, "san"),
            .from = ipr_json_at(
                json_array_get(moves, (size_t)ipr_json_at(resource, "turning.from", 0.0)), "number",
                NAN),
            .to = ipr_json_at(json_array_get(moves, ply), "number", NAN),
            .analysed = json_array_size(json_object_get(resource, "turns")) > 1 },
        mem);
}

/* ---- the cards ---- */

static void card_put_moments(json_t *list, const struct ipr_page_move *own, size_t n)
{
    json_t *row;
    size_t i;

    json_array_foreach(list, i, row) {
        const size_t ply = (size_t)ipr_json_at(row, "ply", 0.0);

        if (ply < n)
            ipr_page_put(row, IPR_SHAPE_PAGE_MOMENT,
                         &(struct ipr_page_moment){ own[ply].after, own[ply].label,
                                                    ipr_json_text_at(own[ply].better, "san") });
    }
}

/* A bar of what a side lost by phase, `scale` points long. */
static void card_put_phases(json_t *phases, double scale, struct ipr_arena *mem)
{
    double from = 0.0;
    json_t *row;
    size_t i;

    json_array_foreach(phases, i, row) {
        const double width = 100.0 * ipr_json_at(row, "points_lost", 0.0) / scale;

        ipr_page_put(
            row, IPR_SHAPE_PAGE_BAR,
            &(struct ipr_page_bar){ ipr_page_per_cent(from, mem), ipr_page_per_cent(width, mem) });
        from += width;
    }
}

static void game_put_card(const json_t *resource, const char *colour,
                          const struct ipr_page_move *own, struct ipr_list_page_card *cards,
                          struct ipr_arena *mem)
{
    json_t *const side = json_object_get(json_object_get(resource, "sides"), colour);
    const size_t n = json_array_size(json_object_get(resource, "moves"));

    if (ipr_json_at(side, "moves", 0.0) < 1.0)
        return;
    card_put_moments(json_object_get(side, "costliest"), own, n);
    card_put_moments(json_object_get(side, "hardest"), own, n);
    card_put_phases(json_object_get(side, "phases"),
                    fmax(ipr_json_at(resource, "sides.white.points_lost", 0.0),
                         ipr_json_at(resource, "sides.black.points_lost", 0.0)),
                    mem);
    cards->at[cards->n++] =
        (struct ipr_page_card){ colour, json_incref(json_object_get(resource, colour)),
                                json_incref(side) };
}

void ipr_page_board(const json_t *resource, struct ipr_page_move *own, struct ipr_page_game *page,
                    struct ipr_arena *mem)
{
    const json_t *const moves = json_object_get(resource, "moves");
    const char *const start = ipr_json_text_at(resource, "start_fen");

    moves_put_words(resource, own, mem);
    page->board = game_board(resource, own, mem);
    page->skipped = moves_skip(moves, own, mem);
    page->graph = game_graph(resource, own, mem);
    page->verdict = game_verdict(resource, own, mem);
    page->cards.at = ipr_arena_alloc(mem, 2, sizeof *page->cards.at);
    game_put_card(resource, "white", own, &page->cards, mem);
    game_put_card(resource, "black", own, &page->cards, mem);
    page->game = (int64_t)ipr_json_at(resource, "id", 0.0);
    page->start = *start != '\0' ? start : START_FEN;
    page->at_start = ipr_json_at(resource, "position.ply", 0.0) == 0.0;
    page->start_reply = json_array_size(moves) > 0 ? ipr_json_text_at(own[0].turn, "best.uci") : "";
}
