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
    return json_pack("{s:i, s:i}", "x", square[0] - 'a', "y", '8' - square[1]);
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
            char piece[3] = { isupper((unsigned char)*p) ? 'w' : 'b',
                              (char)tolower((unsigned char)*p), '\0' };
            json_array_append_new(list,
                                  json_pack("{s:s, s:i, s:i}", "piece", piece, "x", x++, "y", y));
        }
    }
    return list;
}

/* The one arrow of a position: what was better than the move that led to it, else the engine's
 * first choice there; from the middle of a square to that of another. */
static json_t *board_arrow(const json_t *move, const json_t *next)
{
    const char *const better = ipr_json_text_at(move, "better.uci");
    const char *const uci = *better != '\0' ? better : ipr_json_text_at(next, "turn.best.uci");

    if (strlen(uci) < 4)
        return json_null();
    return json_pack("{s:f, s:f, s:f, s:f, s:b}", "x1", uci[0] - 'a' + 0.5, "y1",
                     '8' - uci[1] + 0.5, "x2", uci[2] - 'a' + 0.5, "y2", '8' - uci[3] + 0.5,
                     "instead", *better != '\0');
}

static json_t *ply_or_null(json_int_t ply, bool there)
{
    return there ? json_integer(ply) : json_null();
}

static void put_board(const json_t *resource, json_t *page)
{
    const json_t *const moves = json_object_get(resource, "moves");
    const json_int_t ply = (json_int_t)ipr_json_at(resource, "position.ply", 0.0);
    const json_int_t last = (json_int_t)json_array_size(moves);
    const json_t *const move = ply > 0 ? json_array_get(moves, (size_t)ply - 1) : NULL;
    const json_t *const next = json_array_get(moves, (size_t)ply);
    const char *const uci = ipr_json_text_at(move, "uci");
    json_t *board = json_object();

    json_object_set_new(board, "ply", json_integer(ply));
    json_object_set_new(board, "pieces",
                        ipr_page_pieces(ipr_json_text_at(resource, "position.fen")));
    if (strlen(uci) >= 4) {
        json_object_set_new(board, "from", ipr_page_square(uci));
        json_object_set_new(board, "to", ipr_page_square(uci + 2));
    }
    json_object_set_new(board, "arrow", board_arrow(move, next));
    json_object_set_new(board, "previous", ply_or_null(ply - 1, ply > 0));
    json_object_set_new(board, "next", ply_or_null(ply + 1, ply < last));
    json_object_set_new(board, "last", json_integer(last));
    json_object_set(board, "label", json_object_get(move, "label"));
    json_object_set_new(page, "board", board);
}

/* ---- the moves ---- */

const char *ipr_page_glyph(const char *mark)
{
    return ipr_sentence_word(ipr_words("glyphs"), mark);
}

static void put_move(json_t *moves, size_t i, json_int_t shown, bool waits, json_t *move)
{
    const char *const glyph = ipr_page_glyph(ipr_json_text_at(move, "turn.mark"));
    const json_t *const next = json_array_get(moves, i + 1);

    json_object_set_new(move, "after", json_integer((json_int_t)i + 1));
    json_object_set_new(move, "glyph", json_string(glyph));
    const bool white = strcmp(ipr_json_text_at(move, "mover"), "w") == 0;
    json_object_set_new(move, "label", /* "23…Qd7" */
                        ipr_page_format("%.0f%s%s%s", ipr_json_at(move, "number", 0.0),
                                        white ? ". " : "…", ipr_json_text_at(move, "san"), glyph));
    json_object_set_new(move, "shown", json_boolean((json_int_t)i + 1 == shown));
    json_object_set_new(move, "reply", json_string(ipr_json_text_at(next, "turn.best.uci")));
    /* Until marks have come, a loss of their size has a number beside it. */
    json_object_set_new(move, "number_beside",
                        json_boolean(waits && ipr_json_at(move, "cost.points_lost", 0.0) >=
                                                  IPR_MARK_INACCURACY_AT));
}

/* Moves before the first one analysed that have nothing but themselves are one row of the table. */
static void put_skipped(const json_t *moves, json_t *page)
{
    json_t *move;
    size_t i;

    json_array_foreach(moves, i, move) {
        if (json_object_get(move, "cost") != NULL)
            break;
        if (json_object_get(move, "clock_ms") != NULL || json_object_get(move, "truth") != NULL ||
            json_object_get(move, "state") != NULL ||
            json_array_size(json_object_get(move, "notes")) > 0)
            return;
    }
    if (i == 0 || i == json_array_size(moves))
        return;
    for (size_t k = 0; k < i; k++)
        json_object_set_new(json_array_get(moves, k), "skipped", json_true());
    json_object_set_new(
        page, "skipped",
        ipr_page_format("1–%.0f", ipr_json_at(json_array_get(moves, i - 1), "number", 0.0)));
}

/* ---- the graph ---- */

static json_t *percent_json(double x)
{
    return ipr_page_format("%.2f%%", x);
}

/* The line of White's expected score, and the area between it and 50 %: x in half-moves, y in per
 * cent from the top. */
static void put_curve(const json_t *white, json_t *graph)
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
    json_object_set_new(graph, "line", json_sprintf("M%s", ipr_buf_c(&line)));
    json_object_set_new(graph, "area",
                        json_sprintf("M%zu 50L%sL%zu 50Z", first, ipr_buf_c(&line), last));
    ipr_buf_release(&line);
}

/* A dot at a mistake or a blunder; the one at which the game turned is named. */
static json_t *mark_json(const json_t *resource, const json_t *move, bool named)
{
    const double after = ipr_json_at(move, "after", 0.0);
    const double x = 100.0 * after / (double)json_array_size(json_object_get(resource, "moves"));
    const json_t *const white = json_object_get(resource, "white_expected");
    const double y = 100.0 * (1.0 - json_number_value(json_array_get(white, (size_t)after)));
    const char *anchor = "middle";

    if (x > 85.0)
        anchor = "end";
    else if (x < 15.0)
        anchor = "start";
    return json_pack("{s:f, s:f, s:s, s:s, s:O, s:b, s:i}", "x", x, "y", y, "kind",
                     ipr_json_text_at(move, "turn.mark"), "anchor", anchor, "label",
                     json_object_get(move, "label"), "named", named, "dy", y < 50.0 ? -9 : 17);
}

/* The ply of the move at which the game turned; -1: it was no single move. */
static double turned_at(const json_t *resource)
{
    return strcmp(ipr_json_text_at(resource, "turning.kind"), "move") == 0
               ? ipr_json_at(resource, "turning.to", -1.0)
               : -1.0;
}

static void put_marks(const json_t *resource, const json_t *moves, json_t *graph)
{
    const double turned = turned_at(resource);
    json_t *marks = json_array(), *move;
    size_t i;

    json_array_foreach(moves, i, move) {
        const char *const mark = ipr_json_text_at(move, "turn.mark");
        const bool named = (double)i == turned;

        if (named || strcmp(mark, "mistake") == 0 || strcmp(mark, "blunder") == 0)
            json_array_append_new(marks, mark_json(resource, move, named));
    }
    json_object_set_new(graph, "marks", marks);
}

static void put_ticks(const json_t *moves, json_t *graph)
{
    const double last = (double)json_array_size(moves);
    const json_t *move;
    json_t *ticks = json_array();
    size_t i;

    json_array_foreach(moves, i, move) {
        const int number = (int)ipr_json_at(move, "number", 0.0);

        if (number % 10 == 0 && strcmp(ipr_json_text_at(move, "mover"), "w") == 0)
            json_array_append_new(ticks, json_pack("{s:o, s:i}", "x",
                                                   percent_json(100.0 * (double)i / last), "number",
                                                   number));
    }
    json_object_set_new(graph, "ticks", ticks);
}

/* The moves between which a game was lost little by little. */
static json_t *slide_json(const json_t *resource, double last)
{
    const double from = ipr_json_at(resource, "turning.from", 0.0);
    const double to = ipr_json_at(resource, "turning.to", -1.0) + 1.0;

    return turned_at(resource) >= 0.0 || to <= from
               ? json_null()
               : json_pack("{s:o, s:o}", "x", percent_json(100.0 * from / last), "width",
                           percent_json(100.0 * (to - from) / last));
}

static void put_graph(const json_t *resource, json_t *page)
{
    const json_t *const moves = json_object_get(resource, "moves");
    const size_t last = json_array_size(moves);
    json_t *graph;

    if (json_array_size(json_object_get(resource, "turns")) +
            json_array_size(json_object_get(resource, "figures")) <
        2)
        return;
    graph =
        json_pack("{s:i, s:o}", "last", (int)last, "now",
                  percent_json(100.0 * ipr_json_at(resource, "position.ply", 0.0) / (double)last));
    put_curve(json_object_get(resource, "white_expected"), graph);
    put_marks(resource, moves, graph);
    put_ticks(moves, graph);
    json_object_set_new(graph, "slide", slide_json(resource, (double)last));
    json_object_set_new(page, "graph", graph);
}

/* ---- what comes first ---- */

#define COSTLY 0.005 /* expected points, which are shown with two decimals */

/* The move with which the loser lost most, or in a draw either; NULL: nobody lost anything. */
static const json_t *costliest_move(const json_t *resource)
{
    const char *const result = ipr_json_text_at(resource, "result");
    const char *const loser = strcmp(result, "1-0") == 0 ? "b" : "w";
    const char *const mover =
        strcmp(result, "1-0") == 0 || strcmp(result, "0-1") == 0 ? loser : NULL;
    const json_t *move, *costliest = NULL;
    double most = COSTLY;
    size_t i;

    json_array_foreach(json_object_get(resource, "moves"), i, move) {
        const double lost = ipr_json_at(move, "cost.points_lost", 0.0);

        if (lost > most && (mover == NULL || strcmp(mover, ipr_json_text_at(move, "mover")) == 0)) {
            most = lost;
            costliest = move;
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
static void put_verdict(const json_t *resource, json_t *page)
{
    const json_t *const moves = json_object_get(resource, "moves");
    const char *const result = ipr_json_text_at(resource, "result");
    const bool lost = strcmp(result, "0-1") == 0, decided = lost || strcmp(result, "1-0") == 0;
    const char *const names[] = { ipr_json_text_at(resource, "white.name"),
                                  ipr_json_text_at(resource, "black.name") };
    const double played = ipr_json_at(resource, "plies", 0.0);
    const double to = ipr_json_at(resource, "turning.to", -1.0);
    const json_t *const at =
        to >= 0.0 ? json_array_get(moves, (size_t)to) : costliest_move(resource);
    struct ipr_arena mem = IPR_ARENA_INIT;

    if (!decided && strcmp(result, "1/2-1/2") != 0 && played > 0.0)
        return;
    const char *const said = ipr_say_game_verdict(
        verdict_case(resource, decided, played > 0.0),
        &(struct ipr_game_verdict_slots){
            .first = names[lost],
            .second = names[!lost],
            .moves = floor((played + 1.0) / 2.0),
            .at = ipr_json_text_at(at, "label"),
            .better = ipr_json_text_at(at, "better.san"),
            .from = ipr_json_at(
                json_array_get(moves, (size_t)ipr_json_at(resource, "turning.from", 0.0)), "number",
                NAN),
            .to = ipr_json_at(at, "number", NAN),
            .analysed = json_array_size(json_object_get(resource, "turns")) > 1 },
        &mem);
    json_object_set_new(page, "verdict", json_string(said));
    ipr_arena_release(&mem);
}

/* ---- the cards ---- */

static void put_labels(const json_t *moves, json_t *list)
{
    json_t *row;
    size_t i;

    json_array_foreach(list, i, row) {
        const json_t *const move = json_array_get(moves, (size_t)ipr_json_at(row, "ply", 0.0));

        json_object_set(row, "move", (json_t *)(uintptr_t)move);
    }
}

/* A bar of what a side lost by phase, `scale` points long. */
static void put_phases(json_t *side, double scale)
{
    double from = 0.0;
    json_t *row;
    size_t i;

    json_array_foreach(json_object_get(side, "phases"), i, row) {
        const double width = 100.0 * ipr_json_at(row, "points_lost", 0.0) / scale;

        json_object_set_new(row, "x", percent_json(from));
        json_object_set_new(row, "width", percent_json(width));
        from += width;
    }
}

static void put_card(const json_t *resource, const char *colour, json_t *cards)
{
    json_t *const side = json_object_get(json_object_get(resource, "sides"), colour);
    json_t *card;

    if (ipr_json_at(side, "moves", 0.0) < 1.0)
        return;
    card = json_pack("{s:O, s:O}", "player", json_object_get(resource, colour), "side", side);
    put_labels(json_object_get(resource, "moves"), json_object_get(side, "costliest"));
    put_labels(json_object_get(resource, "moves"), json_object_get(side, "hardest"));
    put_phases(side, fmax(ipr_json_at(resource, "sides.white.points_lost", 0.0),
                          ipr_json_at(resource, "sides.black.points_lost", 0.0)));
    json_object_set_new(card, "colour", json_string(colour));
    json_array_append_new(cards, card);
}

void ipr_page_board(json_t *resource, json_t *page)
{
    json_t *const moves = json_object_get(resource, "moves");
    const json_int_t shown = (json_int_t)ipr_json_at(resource, "position.ply", 0.0);
    const char *const start = ipr_json_text_at(resource, "start_fen");
    json_t *move, *cards = json_array();
    size_t i;

    json_array_foreach(moves, i, move)
        put_move(moves, i, shown, ipr_json_at(resource, "unconfirmed", 0.0) > 0.0, move);
    put_board(resource, page);
    put_skipped(moves, page);
    put_graph(resource, page);
    put_verdict(resource, page);
    put_card(resource, "white", cards);
    put_card(resource, "black", cards);
    json_object_set_new(page, "cards", cards);
    json_object_set(page, "game", json_object_get(resource, "id"));
    json_object_set_new(page, "start", json_string(*start != '\0' ? start : START_FEN));
    json_object_set_new(page, "at_start", json_boolean(shown == 0));
    json_object_set_new(page, "start_reply",
                        json_string(ipr_json_text_at(json_array_get(moves, 0), "turn.best.uci")));
}
