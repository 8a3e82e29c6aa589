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
static const char *moves_title(const json_t *resource, struct ipr_arena *mem)
{
    const char *player = ipr_name_spoken(ipr_json_text_at(resource, "player.name"), mem);
    const char *opponent = ipr_name_spoken(ipr_json_text_at(resource, "opponent.name"), mem);
    const char *event = ipr_json_text_at(resource, "event.name");

    if (*player == '\0' && *event == '\0')
        return "Which moves";
    const char *const against = *opponent != '\0' ? ", against " : "";
    const char *const comma = *player != '\0' && *event != '\0' ? ", " : "";
    return ipr_arena_printf(mem, "Which moves: %s%s%s%s%s", player, against, opponent, comma,
                            ipr_name_event(event, mem));
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
static const char *evidence_label(const json_t *row, const char *glyph, struct ipr_arena *mem)
{
    const char *const san = ipr_json_text_at(row, "played.san");
    const bool white = strcmp(ipr_json_text_at(row, "mover"), "w") == 0;
    const double number = ipr_json_at(row, "number", 0.0);

    if (*san == '\0')
        return ipr_arena_printf(mem, "move %.0f%s%s", number, *glyph != '\0' ? " " : "", glyph);
    return ipr_arena_printf(mem, "%.0f%s%s%s", number, white ? ". " : "…", san, glyph);
}

static void move_put_page(json_t *row, struct ipr_arena *mem)
{
    const char *const played = ipr_json_text_at(row, "played.uci");
    const struct ipr_page_evidence own = {
        .pieces = ipr_page_pieces(ipr_json_text_at(row, "fen")),
        .squares = moves_squares(played),
        .label = evidence_label(row, ipr_page_glyph(ipr_json_text_at(row, "mark")), mem),
        .after = (int64_t)ipr_json_at(row, "ply", 0.0) + 1,
        .better = strcmp(ipr_json_text_at(row, "best.uci"), played) != 0
                      ? json_incref(json_object_get(row, "best"))
                      : NULL,
    };

    ipr_page_put(row, IPR_SHAPE_PAGE_EVIDENCE, &own);
}

/* The moves that the list begins with, for what is said first. */
static json_t *moves_top(const json_t *moves)
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
    return top;
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

bool ipr_page_moves(void *resource, void *out, struct ipr_arena *mem)
{
    json_t *const moves = json_object_get(resource, "moves");
    struct ipr_page_moves *const page = out;
    json_t *row;
    bool unlikely = false;
    size_t i;

    page->likely = false;
    json_array_foreach(moves, i, row) {
        move_put_page(row, mem);
        page->likely |= json_array_size(json_object_get(row, "likelihoods")) > 0;
        unlikely |= json_is_string(json_object_get(row, "likelihoods_reason"));
    }
    moves_mark_opponent(resource);
    put_loss_bars(json_object_get(resource, "bins"));
    page->title = moves_title(resource, mem);
    page->clocks = ipr_json_at(resource, "clocks", 0.0) > 0.0;
    page->unlikely = page->likely && unlikely;
    page->all_figures =
        ipr_json_at(resource, "moves_as_figures", 0.0) == ipr_json_at(resource, "all_moves", 0.0);
    /* With figures alone there is neither a better move, nor parts, nor phases. */
    page->first = page->all_figures ? 2 : 3;
    page->rest = (page->all_figures ? 1 : 3) + page->clocks + 2 * page->likely;
    page->columns = page->first + 3 + !page->all_figures + page->rest;
    page->both_sides = json_is_null(json_object_get(resource, "player"));
    page->filtered = ipr_json_at(resource, "found", 0.0) < ipr_json_at(resource, "all_moves", 0.0);
    page->top = moves_top(moves);
    return json_is_array(moves);
}
