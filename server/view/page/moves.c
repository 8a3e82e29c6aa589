/* The page of a set's moves: its title, small boards, and the bars by what moves lost. */
#include "view/page/page.h"

#include <math.h>
#include <string.h>

#include "core/champions.h"
#include "core/names.h"
#include "view/json.h"

#define TOP      3     /* moves that are named first */
#define TOP_LOST 0.005 /* expected points that they lost at least: shown with two decimals */

/* "Fischer, Robert J, against Spassky, Boris V, World Championship 28th"; years and filters are in
 * the form. */
static json_t *moves_title(const json_t *resource)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    const char *player = ipr_name_spoken(ipr_json_text_at(resource, "player.name"), &mem);
    const char *opponent = ipr_name_spoken(ipr_json_text_at(resource, "opponent.name"), &mem);
    const char *event = ipr_json_text_at(resource, "event.name");

    if (*player == '\0' && *event == '\0')
        return json_string("Which moves");
    const char *const against = *opponent != '\0' ? ", against " : "";
    const char *const comma = *player != '\0' && *event != '\0' ? ", " : "";
    json_t *out = ipr_page_format("Which moves: %s%s%s%s%s", player, against, opponent, comma,
                                  ipr_name_event(event, &mem));
    ipr_arena_release(&mem);
    return out;
}

static void moves_mark_opponent(const json_t *resource)
{
    const double chosen = ipr_json_at(resource, "opponent.id", 0.0);
    json_t *row;
    size_t i;

    json_array_foreach(json_object_get(resource, "opponents"), i, row)
        json_object_set_new(row, "chosen", json_boolean(ipr_json_at(row, "id", -1.0) == chosen));
}

static json_t *moves_squares(const char *uci)
{
    return strlen(uci) < 4 ? json_array()
                           : json_pack("[o, o]", ipr_page_square(uci), ipr_page_square(uci + 2));
}

/* "26…Nd7?", or "move 26, Black" of a game whose moves are not stored. */
static json_t *evidence_label(const json_t *row, const char *glyph)
{
    const char *const san = ipr_json_text_at(row, "played.san");
    const bool white = strcmp(ipr_json_text_at(row, "mover"), "w") == 0;
    const double number = ipr_json_at(row, "number", 0.0);

    if (*san == '\0')
        return ipr_page_format("move %.0f%s%s", number, *glyph != '\0' ? " " : "", glyph);
    return ipr_page_format("%.0f%s%s%s", number, white ? ". " : "…", san, glyph);
}

static void put_move_row(json_t *row)
{
    const char *const best = ipr_json_text_at(row, "best.uci");
    const char *const played = ipr_json_text_at(row, "played.uci");

    json_object_set_new(row, "pieces", ipr_page_pieces(ipr_json_text_at(row, "fen")));
    json_object_set_new(row, "squares", moves_squares(played));
    json_object_set_new(row, "label",
                        evidence_label(row, ipr_page_glyph(ipr_json_text_at(row, "mark"))));
    json_object_set_new(row, "after", json_integer((json_int_t)ipr_json_at(row, "ply", 0.0) + 1));
    if (strcmp(best, played) != 0)
        json_object_set(row, "better", json_object_get(row, "best"));
}

/* The moves that the list begins with, for what is said first. */
static void put_top(const json_t *moves, json_t *page)
{
    json_t *const top = json_array();
    json_t *row;
    size_t i;

    json_array_foreach(moves, i, row) {
        if (json_array_size(top) == TOP || ipr_json_at(row, "points_lost", 0.0) < TOP_LOST)
            break;
        json_object_set_new(row, "follows", json_boolean(json_array_size(top) > 0));
        json_array_append(top, row);
    }
    json_object_set_new(page, "top", top);
}

/* Heights in per cent of the highest. */
static void put_loss_bars(json_t *bins)
{
    double most = 0.0;
    json_t *bin;
    size_t i;

    json_array_foreach(bins, i, bin)
        most = fmax(most, ipr_json_at(bin, "share", 0.0));
    json_array_foreach(bins, i, bin)
        json_object_set_new(
            bin, "width",
            ipr_page_format("%.1f%%",
                            most > 0.0 ? 100.0 * ipr_json_at(bin, "share", 0.0) / most : 0.0));
}

/* Columns of the table up to the move, and from the part in the rating on: of figures alone it has
 * neither a better move, nor parts, nor phases. */
static void put_columns(bool clocks, bool likelihoods, bool all_figures, json_t *page)
{
    const int first = all_figures ? 2 : 3;
    const int rest = (all_figures ? 1 : 3) + clocks + 2 * likelihoods;

    json_object_set_new(page, "first", json_integer(first));
    json_object_set_new(page, "rest", json_integer(rest));
    json_object_set_new(page, "columns", json_integer(first + 3 + !all_figures + rest));
}

bool ipr_page_moves(json_t *resource, json_t *page)
{
    json_t *const moves = json_object_get(resource, "moves");
    const bool clocks = ipr_json_at(resource, "clocks", 0.0) > 0.0;
    const bool all_figures =
        ipr_json_at(resource, "moves_as_figures", 0.0) == ipr_json_at(resource, "all_moves", 0.0);
    json_t *row;
    bool likelihoods = false, unlikely = false;
    size_t i;

    json_array_foreach(moves, i, row) {
        put_move_row(row);
        likelihoods = likelihoods || json_array_size(json_object_get(row, "likelihoods")) > 0;
        unlikely = unlikely || json_is_string(json_object_get(row, "likelihoods_reason"));
    }
    moves_mark_opponent(resource);
    put_loss_bars(json_object_get(resource, "bins"));
    json_object_set_new(page, "title", moves_title(resource));
    json_object_set_new(page, "clocks", json_boolean(clocks));
    json_object_set_new(page, "likely", json_boolean(likelihoods));
    json_object_set_new(page, "unlikely", json_boolean(likelihoods && unlikely));
    put_columns(clocks, likelihoods, all_figures, page);
    json_object_set_new(page, "both_sides",
                        json_boolean(json_is_null(json_object_get(resource, "player"))));
    json_object_set_new(page, "filtered",
                        json_boolean(ipr_json_at(resource, "found", 0.0) <
                                     ipr_json_at(resource, "all_moves", 0.0)));
    put_top(moves, page);
    json_object_set_new(page, "all_figures", json_boolean(all_figures));
    return json_is_array(moves);
}
