/* Games without moves, whose analysed sides have figures instead (docs/interchange.md). */
#include "core/interchange_figures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/judge_json.h"
#include "model/turn.h"

#define PLIES_STORED_MAX INT16_MAX
#define KEY_DIGITS       16
#define LEGAL_MAX        UINT8_MAX
#define SUM_MAX          ((json_int_t)1000000000) /* of one move; totals must fit into eight bytes */
#define VERSION_MAX      INT16_MAX

static const char *const colour_letter[2] = { "w", "b" };

static enum ipr_code bad_figures(struct ipr_err *err, unsigned colour, const char *what)
{
    return ipr_err_type(err, IPR_EPARSE, "bad_evaluation", "The side of %s %s.",
                        colour == IPR_WHITE ? "White" : "Black", what);
}

/* ---- moves ---- */

static bool moves_key_read(const json_t *text, int64_t *out)
{
    const char *const digits = json_string_value(text);

    if (digits == NULL || strlen(digits) != KEY_DIGITS ||
        strspn(digits, "0123456789abcdef") != KEY_DIGITS)
        return false;
    *out = (int64_t)strtoull(digits, NULL, 16);
    return true;
}

static enum ipr_code key_of_moves(const json_t *moves, struct ipr_interchange_game *g,
                                  struct ipr_err *err)
{
    json_int_t plies;

    if (!ipr_json_int(json_object_get(moves, "plies"), 1, PLIES_STORED_MAX, &plies))
        return ipr_err_type(err, IPR_EPARSE, "bad_json",
                            "The line has a game without moves that gives no number of half-moves "
                            "from 1 to %d.",
                            PLIES_STORED_MAX);
    if (!moves_key_read(json_object_get(moves, "key"), &g->moves_key))
        return ipr_err_type(err, IPR_EPARSE, "bad_json",
                            "The line has a game without moves whose key is not %d hexadecimal "
                            "digits.",
                            KEY_DIGITS);
    g->n_moves = (size_t)plies;
    return IPR_OK;
}

/* ---- a side ---- */

static bool read_cp(const json_t *value, json_int_t at_most, int16_t *out)
{
    json_int_t cp;

    if (!ipr_json_int(value, -IPR_CP_LIMIT, at_most, &cp))
        return false;
    *out = (int16_t)cp;
    return true;
}

/* A judge of two lines has a second one wherever there are two legal moves. */
static bool read_second(const json_t *value, unsigned multipv, const struct ipr_turn_figures *t,
                        int16_t *out)
{
    *out = IPR_FIGURES_NONE;
    return multipv > 1 && t->legal > 1 ? read_cp(value, t->best_cp, out) : json_is_null(value);
}

static bool read_turn(const json_t *best, const json_t *played, const json_t *legal,
                      struct ipr_turn_figures *t)
{
    json_int_t n;

    if (!ipr_json_int(legal, 1, LEGAL_MAX, &n) || !read_cp(best, IPR_CP_LIMIT, &t->best_cp) ||
        !read_cp(played, t->best_cp, &t->played_cp))
        return false;
    t->legal = (uint8_t)n;
    return n > 1 || t->played_cp == t->best_cp;
}

static enum ipr_code side_turns(const json_t *json, unsigned multipv, unsigned colour, size_t first,
                                struct ipr_side_figures *side, struct ipr_err *err)
{
    const json_t *best = json_object_get(json, "best"), *second = json_object_get(json, "second");
    const json_t *played = json_object_get(json, "played"), *legal = json_object_get(json, "legal");

    if (json_array_size(best) != side->n || json_array_size(second) != side->n ||
        json_array_size(played) != side->n || json_array_size(legal) != side->n)
        return ipr_err_type(err, IPR_EPARSE, "missing_turn",
                            "The side of %s needs lists best, second, played and legal of %zu "
                            "turns each.",
                            colour == IPR_WHITE ? "White" : "Black", side->n);
    for (size_t i = 0; i < side->n; i++) {
        struct ipr_turn_figures *const t = &side->turns[i];

        t->ply = (uint16_t)(first + 2 * i);
        if (!read_turn(json_array_get(best, i), json_array_get(played, i), json_array_get(legal, i),
                       t))
            return bad_figures(err, colour, "has a turn with impossible figures");
        if (!read_second(json_array_get(second, i), multipv, t, &side->second[i]))
            return bad_figures(
                err, colour,
                "has a second evaluation that its engine setting cannot have, or lacks one");
    }
    return IPR_OK;
}

/* Reads the plies of repeated positions. */
static enum ipr_code side_repeated(const json_t *plies, unsigned colour, size_t first,
                                   struct ipr_side_figures *side, struct ipr_err *err)
{
    for (size_t i = 0; i < json_array_size(plies); i++) {
        json_int_t ply;

        if (!ipr_json_int(json_array_get(plies, i), (json_int_t)first,
                          (json_int_t)(first + 2 * side->n) - 1, &ply) ||
            ((size_t)ply - first) % 2 != 0)
            return bad_figures(err, colour, "has a repeated position at a ply that it lacks");
        side->turns[((size_t)ply - first) / 2].repeated = true;
    }
    return plies == NULL || json_is_array(plies)
               ? IPR_OK
               : bad_figures(err, colour, "has repeated positions that are not a list");
}

static enum ipr_code side_sums(const json_t *json, unsigned colour, struct ipr_side_figures *side,
                               struct ipr_err *err)
{
    json_int_t version, score, information, moves;

    if (json == NULL)
        return IPR_OK;
    if (!ipr_json_int(json_object_get(json, "version"), 1, VERSION_MAX, &version) ||
        !ipr_json_int(json_object_get(json, "moves"), 0, (json_int_t)side->n, &moves) ||
        !ipr_json_int(json_object_get(json, "score"), -moves * SUM_MAX, moves * SUM_MAX, &score) ||
        !ipr_json_int(json_object_get(json, "information"), 0, moves * SUM_MAX, &information))
        return bad_figures(err, colour, "has sums of its rating that are missing or impossible");
    side->sums = (struct ipr_side_sums){
        .version = (int)version, .score = score, .information = information, .moves = (int32_t)moves
    };
    return IPR_OK;
}

static enum ipr_code read_side(const json_t *json, struct ipr_arena *mem,
                               struct ipr_interchange_game *g, struct ipr_side_figures out[2],
                               struct ipr_err *err)
{
    const char *const mover = json_string_value(json_object_get(json, "mover"));
    const unsigned colour = mover != NULL && strcmp(mover, colour_letter[1]) == 0;
    struct ipr_side_figures *const side = &out[colour];
    size_t first;

    if (mover == NULL || strcmp(mover, colour_letter[colour]) != 0 || g->sides >> colour & 1u)
        return ipr_err_type(err, IPR_EPARSE, "bad_evaluation",
                            "The figures of a side name no mover \"w\" or \"b\", or one twice.");
    /* A side must have all turns of its colour from the first move of the judge on. */
    const size_t from = ipr_judge_first_ply(&g->judge);
    first = from + ((from & 1u) != (colour ^ g->start.turn));
    side->n = g->n_moves > first ? (g->n_moves - first + 1) / 2 : 0;
    side->turns = ipr_arena_alloc(mem, side->n, sizeof *side->turns);
    side->second = ipr_arena_alloc(mem, side->n, sizeof *side->second);
    enum ipr_code rc = side_turns(json, g->judge.multipv, colour, first, side, err);
    if (rc == IPR_OK)
        rc = side_repeated(json_object_get(json, "repeated"), colour, first, side, err);
    if (rc == IPR_OK && g->domain != NULL && json_object_get(json, "rating") != NULL)
        rc = bad_figures(err, colour, "has sums of a rating, which only chess has");
    if (rc == IPR_OK)
        rc = side_sums(json_object_get(json, "rating"), colour, side, err);
    g->sides |= 1u << colour;
    return rc;
}

enum ipr_code ipr_interchange_read_figures(const json_t *root, struct ipr_arena *mem,
                                           struct ipr_interchange_game *g, struct ipr_err *err)
{
    struct ipr_side_figures *const side = ipr_arena_alloc(mem, 2, sizeof *side);
    const json_t *const sides = json_object_get(root, "figures");
    enum ipr_code rc = key_of_moves(json_object_get(root, "moves"), g, err);

    if (rc == IPR_OK && g->judge.multipv > IPR_FIGURES_LINES)
        rc = ipr_err_type(err, IPR_EPARSE, "bad_judge",
                          "The judge of a game without moves has at most %d lines.",
                          IPR_FIGURES_LINES);
    if (rc == IPR_OK && json_array_size(sides) == 0)
        rc = ipr_err_type(err, IPR_EPARSE, "bad_json",
                          "The line has a game with neither moves nor figures.");
    for (size_t i = 0; rc == IPR_OK && i < json_array_size(sides); i++)
        rc = read_side(json_array_get(sides, i), mem, g, side, err);
    g->figures = side;
    return rc;
}

/* ---- writing ---- */

void ipr_interchange_write_moves_key(struct ipr_buf *out, const struct ipr_interchange_game *g)
{
    ipr_buf_printf(out, ",\"moves\":{\"plies\":%zu,\"key\":\"%016" PRIx64 "\"}", g->n_moves,
                   (uint64_t)g->moves_key);
}

enum column { BEST, SECOND, PLAYED, LEGAL, COLUMNS };

static int column_value(const struct ipr_side_figures *side, enum column c, size_t i)
{
    switch (c) {
    case BEST:
        return side->turns[i].best_cp;
    case SECOND:
        return side->second[i];
    case PLAYED:
        return side->turns[i].played_cp;
    case LEGAL:
    case COLUMNS:
        break;
    }
    return side->turns[i].legal;
}

static void write_column(struct ipr_buf *out, const struct ipr_side_figures *side, enum column c)
{
    static const char *const name[COLUMNS] = { "best", "second", "played", "legal" };

    ipr_buf_printf(out, ",\"%s\":[", name[c]);
    for (size_t i = 0; i < side->n; i++) {
        const int value = column_value(side, c, i);

        if (i > 0)
            ipr_buf_putc(out, ',');
        if (value == IPR_FIGURES_NONE)
            ipr_buf_puts(out, "null");
        else
            ipr_buf_put_int(out, value);
    }
    ipr_buf_putc(out, ']');
}

static void write_side(struct ipr_buf *out, const struct ipr_side_figures *side, unsigned colour)
{
    const struct ipr_side_sums *const s = &side->sums;

    ipr_buf_printf(out, "{\"mover\":\"%s\"", colour_letter[colour]);
    for (enum column c = BEST; c < COLUMNS; c++)
        write_column(out, side, c);
    bool any = false;
    for (size_t i = 0; i < side->n; i++) {
        if (!side->turns[i].repeated)
            continue;
        ipr_buf_printf(out, any ? ",%d" : ",\"repeated\":[%d", side->turns[i].ply);
        any = true;
    }
    if (any)
        ipr_buf_putc(out, ']');
    if (s->version != 0)
        ipr_buf_printf(out,
                       ",\"rating\":{\"version\":%d,\"score\":%" PRId64 ",\"information\":%" PRId64
                       ",\"moves\":%" PRId32 "}",
                       s->version, s->score, s->information, s->moves);
    ipr_buf_putc(out, '}');
}

void ipr_interchange_write_figures(struct ipr_buf *out, const struct ipr_interchange_game *g)
{
    bool first = true;

    ipr_buf_puts(out, ",\"figures\":[");
    for (unsigned c = 0; c < 2; c++) {
        if (!(g->sides >> c & 1u))
            continue;
        if (!first)
            ipr_buf_putc(out, ',');
        write_side(out, &g->figures[c], c);
        first = false;
    }
    ipr_buf_putc(out, ']');
}
