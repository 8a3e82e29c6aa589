#include "core/interchange.h"

#include <stdio.h>
#include <string.h>

#include "core/interchange_figures.h"
#include "core/judge_json.h"

#define GAME_PLIES_MAX 20000
#define NODES_MAX      1000000000000 /* of one turn; the sum over a game must fit into eight bytes */
#define TAG_NAME_MAX   255

static const char *colour_name(const struct ipr_pos *pos)
{
    return pos->turn == IPR_WHITE ? "White" : "Black";
}

static enum ipr_code bad_json(struct ipr_err *err, const char *what)
{
    return ipr_err_type(err, IPR_EPARSE, "bad_json", "The line %s.", what);
}

static enum ipr_code bad_turn(struct ipr_err *err, const struct ipr_pos *pos, int32_t ply,
                              const char *what)
{
    return ipr_err_at(err, IPR_EPARSE, "bad_evaluation", 0, 0, ply,
                      "The evaluation of move %u of %s %s.", pos->fullmove, colour_name(pos), what);
}

static struct ipr_str interchange_text(const json_t *s)
{
    return (struct ipr_str){ json_string_value(s), json_string_length(s) };
}

static struct ipr_str text_copy(struct ipr_arena *mem, struct ipr_str s)
{
    return (struct ipr_str){ ipr_arena_strndup(mem, s.p, s.n), s.n };
}

/* ---- tags, result, start, moves ---------------------------------------------------------------
 */

static bool tag_value_ok(struct ipr_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if ((unsigned char)s.p[i] < 0x20 || s.p[i] == 0x7f)
            return false;
    }
    return true;
}

static enum ipr_code read_tags(json_t *tags, struct ipr_arena *mem, struct ipr_interchange_game *g,
                               struct ipr_err *err)
{
    struct ipr_pgn_tag *list;
    const char *name;
    json_t *value;

    if (!json_is_object(tags))
        return bad_json(err, "has no tags");
    list = ipr_arena_alloc(mem, json_object_size(tags), sizeof *list);
    g->tags = list;
    json_object_foreach(tags, name, value) {
        const struct ipr_str key = ipr_str_c(name);

        if (key.n > TAG_NAME_MAX || !ipr_pgn_is_tag_name(key))
            return bad_json(err, "has a tag with a name that PGN cannot have");
        if (!json_is_string(value) || !tag_value_ok(interchange_text(value)))
            return bad_json(err, "has a tag that is not a plain text");
        list[g->n_tags++] =
            (struct ipr_pgn_tag){ text_copy(mem, key), text_copy(mem, interchange_text(value)) };
    }
    return IPR_OK;
}

static enum ipr_code interchange_read_start(struct ipr_interchange_game *g, struct ipr_err *err)
{
    ipr_pos_start(&g->start);
    if (g->domain != NULL)
        return IPR_OK; /* the first player moves first */
    for (size_t i = 0; i < g->n_tags; i++) {
        if (!ipr_str_is(g->tags[i].name, "FEN") || ipr_str_trim(g->tags[i].value).n == 0)
            continue;
        g->custom_start = true;
        return ipr_pos_from_fen(&g->start, ipr_str_trim(g->tags[i].value), err);
    }
    return IPR_OK;
}

static enum ipr_code interchange_read_result(const json_t *result, struct ipr_interchange_game *g,
                                             struct ipr_err *err)
{
    if (!json_is_string(result))
        return bad_json(err, "has no result");
    g->result = ipr_result_read(interchange_text(result));
    if (!ipr_str_is(interchange_text(result), ipr_result_text(g->result)))
        return bad_json(err, "has a result other than 1-0, 0-1, 1/2-1/2 and *");
    return IPR_OK;
}

#define DOMAIN_MAX 31

static enum ipr_code read_domain(const json_t *domain, bool moves, struct ipr_arena *mem,
                                 struct ipr_interchange_game *g, struct ipr_err *err)
{
    const struct ipr_str name = interchange_text(domain);

    if (domain == NULL || (json_is_string(domain) && ipr_str_is(name, IPR_DOMAIN_CHESS)))
        return IPR_OK;
    if (!json_is_string(domain) || name.n == 0 || name.n > DOMAIN_MAX ||
        strspn(name.p, "abcdefghijklmnopqrstuvwxyz0123456789_-") != name.n)
        return bad_json(err, "has a domain that is not 1 to 31 of a-z, 0-9, _ and -");
    if (moves)
        return bad_json(err, "has moves of another game than chess: it can only have figures");
    g->domain = text_copy(mem, name).p;
    return IPR_OK;
}

static size_t count_words(struct ipr_str text)
{
    struct ipr_str word;
    size_t n = 0;

    while (ipr_str_word(&text, &word))
        n++;
    return n;
}

static enum ipr_code read_moves(const json_t *text, struct ipr_arena *mem,
                                struct ipr_interchange_game *g, struct ipr_err *err)
{
    struct ipr_pos pos = g->start;
    ipr_move *moves;

    if (!json_is_string(text))
        return bad_json(err, "has no moves");
    struct ipr_str rest = interchange_text(text), word;
    const size_t n = count_words(rest);
    if (n > GAME_PLIES_MAX)
        return ipr_err_type(err, IPR_EPARSE, "game_too_long",
                            "The game has more than %d half-moves.", GAME_PLIES_MAX);
    moves = ipr_arena_alloc(mem, n, sizeof *moves);
    for (size_t i = 0; i < n && ipr_str_word(&rest, &word); i++) {
        if (ipr_move_from_uci(&pos, word, &moves[i], NULL) != IPR_OK) {
            return ipr_err_at(err, IPR_EPARSE, "illegal_move", 0, 0, (int32_t)i,
                              "Move %u of %s, %.*s, is not legal.", pos.fullmove, colour_name(&pos),
                              (int)(word.n < 16 ? word.n : 16), word.p);
        }
        ipr_pos_play(&pos, moves[i]);
    }
    g->moves = moves;
    g->n_moves = n;
    return IPR_OK;
}

/* ---- turns ------------------------------------------------------------------------------------
 */

static bool read_score(const json_t *json, int16_t *out)
{
    json_int_t n;

    if (json_is_null(json)) {
        *out = IPR_SCORE_NONE;
        return true;
    }
    if (ipr_json_int(json, -IPR_SCORE_CP_MAX, IPR_SCORE_CP_MAX, &n)) {
        *out = (int16_t)n;
        return true;
    }
    if (json_object_size(json) != 1 ||
        !ipr_json_int(json_object_get(json, "mate"), -IPR_SCORE_MATE_IN_MAX, IPR_SCORE_MATE_IN_MAX,
                      &n) ||
        n == 0)
        return false;
    *out = (int16_t)(n > 0 ? IPR_SCORE_MATE - n : -IPR_SCORE_MATE - n);
    return true;
}

/* `last`: each move has one score, that of the last depth. */
static enum ipr_code read_scores(const json_t *rows, bool last, const struct ipr_pos *pos,
                                 struct ipr_arena *mem, struct ipr_judged_turn *t,
                                 struct ipr_err *err)
{
    int16_t *score;

    if (json_array_size(rows) != t->lines)
        return bad_turn(err, pos, t->ply, "needs one list of scores for each of its moves");
    score = ipr_arena_alloc(mem, (size_t)t->lines * t->depth, sizeof *score);
    t->score = score;
    for (unsigned i = 0; i < t->lines; i++) {
        const json_t *row = json_array_get(rows, i);

        if (last) {
            for (unsigned d = 1; d < t->depth; d++)
                *score++ = IPR_SCORE_NONE;
            if (!read_score(row, score++))
                return bad_turn(err, pos, t->ply, "needs a score of each move");
            continue;
        }
        if (json_array_size(row) != t->depth)
            return bad_turn(err, pos, t->ply, "needs one score of each move for each depth");
        for (unsigned d = 0; d < t->depth; d++) {
            if (!read_score(json_array_get(row, d), score++))
                return bad_turn(err, pos, t->ply,
                                "has a score that is neither centipawns nor a mate nor null");
        }
    }
    return IPR_OK;
}

static enum ipr_code interchange_read_lines(const json_t *lines, const struct ipr_pos *pos,
                                            struct ipr_arena *mem, struct ipr_judged_turn *t,
                                            struct ipr_err *err)
{
    const size_t n = json_array_size(lines);
    ipr_move *moves;

    if (n == 0 || n > UINT8_MAX)
        return bad_turn(err, pos, t->ply, "has no moves, or more than 255");
    moves = ipr_arena_alloc(mem, n, sizeof *moves);
    for (size_t i = 0; i < n; i++) {
        const json_t *move = json_array_get(lines, i);

        if (!json_is_string(move) ||
            ipr_move_from_uci(pos, interchange_text(move), &moves[i], NULL) != IPR_OK)
            return bad_turn(err, pos, t->ply, "has a move that is not legal there");
    }
    t->moves = moves;
    t->lines = (uint8_t)n;
    return IPR_OK;
}

/* Everything but ply and the lines. */
static enum ipr_code read_facts(const json_t *turn, const struct ipr_judge *judge,
                                const struct ipr_pos *pos, struct ipr_judged_turn *t,
                                struct ipr_err *err)
{
    const json_t *mover = json_object_get(turn, "mover"), *legal = json_object_get(turn, "legal");
    const json_t *nodes = json_object_get(turn, "nodes");
    const json_t *settled = json_object_get(turn, "settled");
    ipr_move moves[IPR_MAX_MOVES];
    json_int_t n;

    if (!json_is_string(mover) ||
        !ipr_str_is(interchange_text(mover), ipr_colour_letter(pos->turn)))
        return bad_turn(err, pos, t->ply, "names the wrong mover");
    t->mover = pos->turn;
    if (!ipr_json_int(json_object_get(turn, "depth"), judge->depth > 0 ? judge->depth : 1,
                      judge->depth > 0 ? judge->depth : IPR_DEPTH_MAX, &n))
        return bad_turn(err, pos, t->ply, "was not made at the depth of its judge");
    t->depth = (uint8_t)n;
    if (!ipr_json_int(json_object_get(turn, "played"), 0, UINT8_MAX, &n))
        return bad_turn(err, pos, t->ply, "does not name the move played");
    t->played = (uint8_t)n;
    t->legal = (uint8_t)ipr_pos_legal(pos, moves);
    if (legal != NULL && !ipr_json_int(legal, t->legal, t->legal, &n))
        return bad_turn(err, pos, t->ply, "gives a wrong number of legal moves");
    n = 0;
    if (nodes != NULL && !ipr_json_int(nodes, 0, NODES_MAX, &n))
        return bad_turn(err, pos, t->ply, "gives an impossible number of nodes");
    t->nodes = (uint64_t)n;
    if (settled != NULL && !json_is_boolean(settled))
        return bad_turn(err, pos, t->ply, "has a member settled that is neither true nor false");
    t->settled = json_is_true(settled);
    return IPR_OK;
}

/* The member `line`, which may be missing. */
static enum ipr_code read_line(const json_t *text, const struct ipr_pos *pos, struct ipr_arena *mem,
                               struct ipr_judged_turn *t, struct ipr_err *err)
{
    ipr_move *const line = ipr_arena_alloc(mem, IPR_LINE_MAX, sizeof *line);
    struct ipr_pos at = *pos;
    struct ipr_str word;

    if (text == NULL)
        return IPR_OK;
    if (!json_is_string(text))
        return bad_turn(err, pos, t->ply, "has a line that is no text");
    struct ipr_str rest = interchange_text(text);
    t->line = line;
    while (ipr_str_word(&rest, &word)) {
        if (t->n_line == IPR_LINE_MAX ||
            ipr_move_from_uci(&at, word, &line[t->n_line], NULL) != IPR_OK)
            return bad_turn(err, pos, t->ply, "has a line that is too long or not legal");
        ipr_pos_play(&at, line[t->n_line++]);
    }
    return t->n_line == 0 || (t->lines == 2 && line[0] == t->moves[t->played ^ 1])
               ? IPR_OK
               : bad_turn(err, pos, t->ply, "has a line that does not begin with its other move");
}

/* Those of `judge` into `out`. *sides: that have turns. */
static enum ipr_code read_turns(const json_t *turns, bool last, struct ipr_arena *mem,
                                const struct ipr_interchange_game *g, const struct ipr_judge *judge,
                                struct ipr_judged_game *out, unsigned *sides, struct ipr_err *err)
{
    const size_t n = json_array_size(turns);
    struct ipr_pos pos = g->start;
    size_t at = 0;

    if (!json_is_array(turns))
        return bad_json(err, "has no turns");
    if (n > g->n_moves)
        return bad_json(err, "has more turns than the game has moves");
    out->turns = ipr_arena_alloc(mem, n, sizeof *out->turns);
    for (size_t i = 0; i < n; i++) {
        const json_t *turn = json_array_get(turns, i);
        struct ipr_judged_turn *t = &out->turns[i];
        json_int_t ply;

        if (!ipr_json_int(json_object_get(turn, "ply"), i == 0 ? 0 : (json_int_t)at + 1,
                          (json_int_t)g->n_moves - 1, &ply))
            return ipr_err_type(
                err, IPR_EPARSE, "bad_evaluation",
                "A turn has a ply that is missing, outside the game or not ascending.");
        for (; at < (size_t)ply; at++)
            ipr_pos_play(&pos, g->moves[at]);
        t->ply = (uint16_t)ply;
        enum ipr_code rc = read_facts(turn, judge, &pos, t, err);
        if (rc == IPR_OK)
            rc = interchange_read_lines(json_object_get(turn, "moves"), &pos, mem, t, err);
        if (rc == IPR_OK)
            rc = read_scores(json_object_get(turn, "scores"), last, &pos, mem, t, err);
        if (rc == IPR_OK && last)
            rc = read_line(json_object_get(turn, "line"), &pos, mem, t, err);
        if (rc != IPR_OK)
            return rc;
        *sides |= 1U << t->mover;
        out->n = i + 1;
    }
    return IPR_OK;
}

/* Turns that were searched again, of a judge of their own; none need be there. */
static enum ipr_code read_confirmed(const json_t *confirmed, struct ipr_arena *mem,
                                    struct ipr_interchange_game *g, struct ipr_err *err)
{
    unsigned sides = 0;

    if (confirmed == NULL)
        return IPR_OK;
    if (!json_is_object(confirmed))
        return bad_json(err, "has a member confirmed that is not an object");
    enum ipr_code rc =
        ipr_judge_from_json(json_object_get(confirmed, "judge"), &g->confirmed_by, err);
    if (rc == IPR_OK && g->confirmed_by.engine[0] == '\0')
        return bad_json(err, "has confirmed moves of an engine setting without its engine");
    if (rc == IPR_OK)
        rc = read_turns(json_object_get(confirmed, "turns"), true, mem, g, &g->confirmed_by,
                        &g->confirmed, &sides, err);
    return rc == IPR_OK ? ipr_judged_check(&g->confirmed_by, &g->start, g->moves, g->n_moves, 0,
                                           &g->confirmed, err)
                        : rc;
}

/* ---- a line ------------------------------------------------------------------------------------
 */

static enum ipr_code read_game(json_t *root, struct ipr_arena *mem, struct ipr_interchange_game *g,
                               struct ipr_err *err)
{
    enum ipr_code rc;

    if (!json_is_object(root))
        return bad_json(err, "is not a JSON object");
    rc = read_tags(json_object_get(root, "tags"), mem, g, err);
    const json_t *const moves = json_object_get(root, "moves");
    const bool figures = json_is_object(moves);
    if (rc == IPR_OK)
        rc = read_domain(json_object_get(root, "domain"), !figures, mem, g, err);
    if (rc == IPR_OK)
        rc = interchange_read_start(g, err);
    if (rc == IPR_OK)
        rc = interchange_read_result(json_object_get(root, "result"), g, err);
    if (rc == IPR_OK && !figures)
        rc = read_moves(moves, mem, g, err);
    if (rc == IPR_OK)
        rc = ipr_judge_from_json(json_object_get(root, "judge"), &g->judge, err);
    if (rc == IPR_OK && figures)
        return ipr_interchange_read_figures(root, mem, g, err);
    if (rc == IPR_OK)
        rc = read_turns(json_object_get(root, "turns"), false, mem, g, &g->judge, &g->judged,
                        &g->sides, err);
    if (rc == IPR_OK)
        rc =
            ipr_judged_check(&g->judge, &g->start, g->moves, g->n_moves, g->sides, &g->judged, err);
    if (rc == IPR_OK)
        rc = read_confirmed(json_object_get(root, "confirmed"), mem, g, err);
    return rc;
}

enum ipr_code ipr_interchange_read(struct ipr_str line, uint32_t line_no, struct ipr_arena *mem,
                                   struct ipr_interchange_game *out, struct ipr_err *err)
{
    struct ipr_interchange_game g = { 0 };
    struct ipr_err cause = IPR_ERR_INIT;
    json_error_t at;
    json_t *root = json_loadb(line.p, line.n, JSON_REJECT_DUPLICATES, &at);
    enum ipr_code rc;

    if (root == NULL)
        rc = ipr_err_at(&cause, IPR_EPARSE, "bad_json", line_no,
                        at.position > 0 ? (uint32_t)at.position : 1, -1,
                        "The line is not valid JSON: %s.", at.text);
    else
        rc = read_game(root, mem, &g, &cause);
    json_decref(root);
    if (rc == IPR_OK) {
        *out = g;
        return IPR_OK;
    }
    *out = (struct ipr_interchange_game){ .tags = g.tags, .n_tags = g.n_tags };
    cause.line = line_no;
    return ipr_err_pass(err, &cause);
}
