#include "pgn/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chess/quote.h"
#include "chess/san.h"
#include "pgn/lexer.h"

#define MAX_TAGS 256

/* One section being parsed. */
struct work {
    struct ipr_game_parser *gp;
    struct ipr_pgn_lexer lex;
    struct ipr_pgn_place place; /* where lines have been counted to */
    const char *counted;
    struct ipr_pgn_game game;
    struct ipr_pos pos;    /* after the last move */
    struct ipr_pos before; /* and before it; kept for notes */
    const char *begin;     /* of the text since the last game */
    const char *first;     /* first token of the game, NULL when none is open */
    const char *last_tag;
    const char *last_end; /* of the last token */
    const char *fen_tag, *variant_tag;
    bool plain;      /* no tag needs converting */
    bool positioned; /* the start position is known: the tags are complete */
    bool terminated; /* the game has its result token */
    const struct ipr_pgn_section *section;
    struct ipr_section_outcome outcome;
};

const struct ipr_pgn_tag *ipr_pgn_tag_named(const struct ipr_pgn_tag *tags, size_t n_tags,
                                            const char *name)
{
    const struct ipr_pgn_tag *like = NULL;
    const size_t length = strlen(name);

    for (size_t i = 0; i < n_tags; i++) {
        if (tags[i].name.n != length) /* nearly every tag */
            continue;
        if (memcmp(tags[i].name.p, name, length) == 0)
            return &tags[i];
        if (like == NULL && ipr_str_is_like(tags[i].name, name))
            like = &tags[i];
    }
    return like;
}

struct ipr_str ipr_pgn_tag_find(const struct ipr_pgn_tag *tags, size_t n_tags, const char *name)
{
    const struct ipr_pgn_tag *tag = ipr_pgn_tag_named(tags, n_tags, name);

    return tag != NULL ? tag->value : IPR_STR("");
}

struct ipr_str ipr_pgn_tag_get(const struct ipr_pgn_game *g, const char *name)
{
    return ipr_pgn_tag_find(g->tags, g->n_tags, name);
}

void ipr_game_parser_init(struct ipr_game_parser *gp, ipr_pgn_game_fn fn, void *payload,
                          size_t max_plies, bool keep_notes)
{
    *gp = (struct ipr_game_parser){ .fn = fn,
                                    .payload = payload,
                                    .max_plies = max_plies,
                                    .keep_notes = keep_notes,
                                    .mem = IPR_ARENA_INIT,
                                    .tags = ipr_xcalloc(MAX_TAGS, sizeof *gp->tags),
                                    .moves = ipr_xcalloc(512, sizeof *gp->moves),
                                    .moves_size = 512 };
}

void ipr_game_parser_release(struct ipr_game_parser *gp)
{
    ipr_arena_release(&gp->mem);
    free(gp->tags);
    free(gp->moves);
    ipr_note_list_release(&gp->notes);
}

/* ---- Places and errors ---- */

/* Counts lines forward from the last place requested. Only the first token of a game and its first
 * error are located, so the places ascend. */
static const struct ipr_pgn_place *game_place(struct work *w, const char *p)
{
    if (p > w->counted) {
        ipr_place_advance(&w->place, w->counted, (size_t)(p - w->counted));
        w->counted = p;
    }
    return &w->place;
}

/* Puts the place of a token into the game's error. */
static void game_locate(struct work *w, const char *token)
{
    const struct ipr_pgn_place *const at = game_place(w, token);

    w->game.error.line = at->line;
    w->game.error.column = (uint32_t)(at->offset - at->line_offset + 1);
    w->game.error.ply = (int32_t)w->game.n_moves;
}

static void game_refuse(struct work *w, const char *token, const char *type, const char *msg)
{
    if (w->game.error.code != IPR_OK)
        return;
    (void)ipr_err_at(&w->game.error, IPR_EPARSE, type, 0, 0, -1, "%s", msg);
    game_locate(w, token);
}

/* ---- Tags ---- */

static struct ipr_str tag_unescape(struct ipr_arena *mem, struct ipr_str s)
{
    char *const out = ipr_arena_alloc(mem, s.n + 1, 1);
    size_t n = 0;

    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\\' && i + 1 < s.n && (s.p[i + 1] == '\\' || s.p[i + 1] == '"'))
            i++;
        out[n++] = s.p[i] >= '\0' && s.p[i] < ' ' ? ' ' : s.p[i];
    }
    return (struct ipr_str){ out, n };
}

/* Converts tags and comments to UTF-8. The encoding of each is detected separately: files by
 * several authors mix encodings within a game. */
static void convert_texts(struct work *w)
{
    struct ipr_encoding *const seen = &w->game.encoding;

    for (size_t i = 0; i < w->game.n_tags && !w->plain; i++) {
        struct ipr_pgn_tag *const tag = &w->gp->tags[i];

        tag->name = ipr_text_to_utf8(&w->gp->mem, tag->name, seen);
        tag->value = tag_unescape(&w->gp->mem, ipr_text_to_utf8(&w->gp->mem, tag->value, seen));
    }
    if (!w->gp->notes.plain)
        ipr_note_list_convert(&w->gp->notes, &w->gp->mem, seen);
}

static void check_variant(struct work *w)
{
    /* The names of standard chess and Chess960. */
    static const char *const names[] = { "",
                                         "?",
                                         "-",
                                         "standard",
                                         "chess",
                                         "normal",
                                         "chess960",
                                         "chess 960",
                                         "fischerandom",
                                         "fischer random",
                                         "from position",
                                         "fromposition" };
    const struct ipr_str v = ipr_str_trim(ipr_pgn_tag_get(&w->game, "Variant"));
    char quoted[IPR_QUOTE_MAX], msg[IPR_ERR_TEXT];

    if (w->variant_tag == NULL)
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ipr_str_is_like(v, names[i]))
            return;
    snprintf(msg, sizeof msg, "the variant '%s' cannot be analysed: it is another game than chess",
             ipr_quote(v, quoted));
    game_refuse(w, w->variant_tag, "unsupported_variant", msg);
}

static void game_read_start(struct work *w)
{
    const struct ipr_str fen = ipr_str_trim(ipr_pgn_tag_get(&w->game, "FEN"));
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos from_tag;
    char msg[IPR_ERR_TEXT];

    if (w->fen_tag == NULL || fen.n == 0 || ipr_str_is(fen, "?"))
        return;
    if (ipr_pos_from_fen(&from_tag, fen, &err) == IPR_OK) {
        w->game.custom_start = from_tag.key != w->game.start.key ||
                               from_tag.halfmove != w->game.start.halfmove ||
                               from_tag.fullmove != w->game.start.fullmove;
        w->game.start = from_tag;
        return;
    }
    snprintf(msg, sizeof msg, "FEN: %.*s", (int)sizeof msg - 8, err.msg);
    game_refuse(w, w->fen_tag, "bad_fen", msg);
}

/* The tags are complete: determines the start position. */
static void game_position(struct work *w)
{
    if (w->positioned)
        return;
    w->positioned = true;
    check_variant(w);
    game_read_start(w);
    w->pos = w->game.start;
}

/* ---- Beginning and ending a game ---- */

static void game_reset(struct work *w)
{
    ipr_arena_release(&w->gp->mem);
    ipr_note_list_clear(&w->gp->notes);
    w->game = (struct ipr_pgn_game){ .error = IPR_ERR_INIT, .tags = w->gp->tags };
    w->first = w->last_tag = w->fen_tag = w->variant_tag = NULL;
    w->plain = true;
    w->positioned = w->terminated = false;
}

static void game_begin(struct work *w, const char *token)
{
    const struct ipr_pgn_place *at;

    if (w->first != NULL)
        return;
    at = game_place(w, token);
    ipr_pos_start(&w->game.start);
    w->first = token;
    w->game.index = w->gp->index;
    w->game.offset = at->offset;
    w->game.line = at->line;
}

/* A game that is too long may have shown no token of its own: it begins with its text. */
static void game_begin_text(struct work *w)
{
    const char *p = w->begin;

    while (p < w->lex.end && (*p == ' ' || *p == '\t' || ipr_is_line_end(*p)))
        p++;
    game_begin(w, p);
}

/* The game's text ends at `end`. */
static enum ipr_code game_finish(struct work *w, const char *end, struct ipr_err *err)
{
    enum ipr_code rc;

    if (w->first == NULL)
        return IPR_OK;
    game_position(w);
    convert_texts(w);
    ipr_note_list_commas(&w->gp->notes);
    /* "*" is written where a result was not known yet; the tag, or a mate, knows it. */
    if (w->game.result == IPR_RESULT_UNKNOWN)
        w->game.result = ipr_result_read(ipr_pgn_tag_get(&w->game, "Result"));
    if (w->game.result == IPR_RESULT_UNKNOWN && w->game.error.code == IPR_OK &&
        ipr_pos_in_check(&w->pos) && ipr_pos_legal(&w->pos, (ipr_move[IPR_MAX_MOVES]){ 0 }) == 0)
        w->game.result = w->pos.turn == IPR_BLACK ? IPR_WHITE_WINS : IPR_BLACK_WINS;
    w->game.moves = w->gp->moves;
    w->game.end = w->pos;
    w->game.notes = w->gp->notes.notes;
    w->game.n_notes = w->gp->notes.n;
    w->gp->index++;
    rc = w->gp->fn(w->gp->payload, &w->game, err);
    game_reset(w);
    w->begin = end;
    w->outcome.used = (size_t)(end - w->lex.begin);
    return rc;
}

/* ---- Tokens ---- */

/* True if a tag has exactly this name. */
static bool has_tag(const struct work *w, struct ipr_str name)
{
    for (size_t i = 0; i < w->game.n_tags; i++)
        if (ipr_str_eq(w->gp->tags[i].name, name))
            return true;
    return false;
}

static bool blank_line_between(const char *p, const char *end)
{
    unsigned ends = 0;

    for (; p < end && ends < 2; p++) {
        if (ipr_is_line_end(*p)) {
            ends++;
            if (*p == '\r' && p + 1 < end && p[1] == '\n')
                p++;
        } else if (*p != ' ' && *p != '\t') {
            ends = 0;
        }
    }
    return ends >= 2;
}

/* A game without moves or result ends where new tags begin. */
static bool begins_anew(const struct work *w, const struct ipr_pgn_token *t)
{
    if (w->first == NULL)
        return false;
    if (w->positioned)
        return true;
    return (ipr_str_is_like(t->name, "Event") || blank_line_between(w->last_tag, t->text.p)) &&
           has_tag(w, t->name);
}

/* Notes the place of the tag that ipr_pgn_tag_get will find. */
static void note_place(const struct work *w, const struct ipr_pgn_token *t, const char *name,
                       const char **place)
{
    if (ipr_str_is(t->name, name) ? !has_tag(w, t->name)
                                  : *place == NULL && ipr_str_is_like(t->name, name))
        *place = t->text.p;
}

static void store_tag(struct work *w, const struct ipr_pgn_token *t)
{
    if (t->kind == IPR_PGN_BAD_TAG) {
        game_refuse(w, t->text.p, "bad_tag", "this tag pair is not of the form [Name \"value\"]");
        return;
    }
    if (w->game.n_tags == MAX_TAGS) {
        game_refuse(w, t->text.p, "bad_tag", "the game has more than 256 tags");
        return;
    }
    note_place(w, t, "FEN", &w->fen_tag);
    note_place(w, t, "Variant", &w->variant_tag);
    w->plain &= t->plain;
    w->gp->tags[w->game.n_tags++] = (struct ipr_pgn_tag){ t->name, t->value };
}

static enum ipr_code game_take_tag(struct work *w, const struct ipr_pgn_token *t,
                                   struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    if (begins_anew(w, t))
        rc = game_finish(w, t->text.p, err);
    w->gp->after_end = false;
    game_begin(w, t->text.p);
    store_tag(w, t);
    w->last_tag = w->lex.p;
    return rc;
}

/* "N" (a novelty) and "D" (a diagram) after a move annotate it. After a move number, or where the
 * text stops, they may be the beginning of a move. */
static unsigned word_glyph(const struct work *w, struct ipr_str word)
{
    if (word.n != 1 || w->game.n_moves == 0 || w->lex.number != 0 || word.p + 1 == w->lex.end)
        return 0;
    switch (*word.p) {
    case 'N':
        return IPR_NAG_NOVELTY;
    case 'D':
        return IPR_NAG_DIAGRAM;
    default:
        return 0;
    }
}

static void game_take_move(struct work *w, const struct ipr_pgn_token *t)
{
    struct ipr_game_parser *const gp = w->gp;
    const unsigned glyph = word_glyph(w, t->text);
    ipr_move m;

    if (w->game.error.code != IPR_OK)
        return;
    if (glyph != 0) {
        if (gp->keep_notes)
            ipr_note_nag(&gp->notes, (uint32_t)w->game.n_moves, glyph);
        return;
    }
    if (w->game.n_moves == gp->max_plies) {
        game_refuse(w, t->text.p, "game_too_long", "the game has more moves than are accepted");
        return;
    }
    if (ipr_san_read(&w->pos, t->move, &m, &w->game.error) != IPR_OK) {
        game_locate(w, t->text.p);
        return;
    }
    if (w->game.n_moves == gp->moves_size) {
        gp->moves_size *= 2;
        gp->moves = ipr_xrealloc(gp->moves, gp->moves_size, sizeof *gp->moves);
    }
    if (gp->keep_notes)
        w->before = w->pos;
    ipr_pos_play(&w->pos, m);
    gp->moves[w->game.n_moves++] = m;
    w->lex.number = 0;
    if (gp->keep_notes)
        ipr_note_suffix(&gp->notes, (uint32_t)w->game.n_moves, t->text);
}

/* True for annotations, which neither begin a game nor end one. */
static bool is_annotation(enum ipr_pgn_kind kind)
{
    return kind == IPR_PGN_COMMENT || kind == IPR_PGN_NAG || kind == IPR_PGN_SIGNS ||
           kind == IPR_PGN_VARIATION;
}

static void game_take_note(struct work *w, const struct ipr_pgn_token *t)
{
    struct ipr_game_parser *const gp = w->gp;
    const uint32_t ply = (uint32_t)w->game.n_moves;

    switch ((unsigned)t->kind) {
    case IPR_PGN_COMMENT:
        ipr_note_comment(&gp->notes, &gp->mem, ply, ply > 0 ? gp->moves[ply - 1] : IPR_MOVE_NONE,
                         t->text);
        break;
    case IPR_PGN_VARIATION:
        if (ply > 0)
            ipr_note_variation(&gp->notes, ply, &w->before, t->text);
        break;
    case IPR_PGN_NAG:
        ipr_note_numeric(&gp->notes, ply, t->text);
        break;
    default:
        ipr_note_signs(&gp->notes, ply, t->text);
        break;
    }
    if (gp->notes.over) {
        game_begin_text(w);
        game_refuse(w, t->text.p, "game_too_long", "the game has more notes than are accepted");
        w->outcome.lost = true;
    }
}

static void game_take_text(struct work *w, const struct ipr_pgn_token *t)
{
    static const struct {
        enum ipr_pgn_kind kind;
        const char *type, *msg;
    } refused[] = {
        { IPR_PGN_NULL_MOVE, "null_move", "a null move is not a move of a game" },
        { IPR_PGN_OPEN_COMMENT, "unterminated_comment", "this comment is never closed" },
        { IPR_PGN_OPEN_VARIATION, "unterminated_variation", "this variation is never closed" },
        { IPR_PGN_STRAY_CLOSE, "stray_close", "this bracket closes nothing" },
    };

    game_begin(w, t->text.p);
    game_position(w);
    /* Moves without tags that follow a finished game and do not number from 1 are a remnant of it:
     * reading them from the initial position would invent a game. */
    if (w->gp->after_end && w->game.n_tags == 0 && w->game.n_moves == 0 && w->lex.number > 1)
        game_refuse(w, t->text.p, "text_after_result", "moves go on after the result of a game");
    if (t->kind == IPR_PGN_MOVE)
        game_take_move(w, t);
    else
        for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
            if (refused[i].kind == t->kind)
                game_refuse(w, t->text.p, refused[i].type, refused[i].msg);
    w->outcome.lost = w->game.error.code != IPR_OK;
}

/* The game is passed on when the next begins: comments may follow its result. */
static void take_result(struct work *w, const struct ipr_pgn_token *t)
{
    if (w->first == NULL && w->gp->after_end) { /* the result is there twice */
        w->outcome.used = (size_t)(w->lex.p - w->lex.begin);
        return;
    }
    game_begin(w, t->text.p);
    w->game.result = ipr_result_read(t->text);
    w->terminated = w->gp->after_end = true;
    w->lex.number = 0;
}

/* Text that stops in the middle may stop inside a token, a comment or a variation. */
static bool is_cut_off(const struct work *w, const struct ipr_pgn_token *t)
{
    return (w->section->cut || w->section->too_long) &&
           (t->text.p + t->text.n == w->lex.end || t->kind == IPR_PGN_OPEN_COMMENT ||
            t->kind == IPR_PGN_OPEN_VARIATION);
}

static enum ipr_code take_end(struct work *w, struct ipr_err *err)
{
    if (w->section->cut)
        return IPR_OK;
    if (w->section->too_long) {
        game_begin_text(w);
        game_refuse(w, w->first, "game_too_long", "the game is longer than is accepted");
    }
    w->outcome.used = w->section->text.n;
    return game_finish(w, w->lex.end, err);
}

/* "0-0" at the end of a game whose tag has the same: it is no castling. */
static bool is_double_forfeit(struct work *w, const struct ipr_pgn_token *t)
{
    struct ipr_pgn_lexer rest = w->lex;
    struct ipr_pgn_token next;

    if (t->kind != IPR_PGN_MOVE || t->move.n == 0 || t->move.p[0] != '0' ||
        !ipr_result_is_double_forfeit(t->move) ||
        !ipr_result_is_double_forfeit(ipr_pgn_tag_get(&w->game, "Result")))
        return false;
    do
        ipr_pgn_next(&rest, &next);
    while (is_annotation(next.kind));
    return next.kind == IPR_PGN_END || next.kind == IPR_PGN_TAG || next.kind == IPR_PGN_RESULT;
}

static enum ipr_code take_token(struct work *w, const struct ipr_pgn_token *t, struct ipr_err *err)
{
    if (t->kind == IPR_PGN_TAG || t->kind == IPR_PGN_BAD_TAG)
        return game_take_tag(w, t, err);
    if (t->kind == IPR_PGN_RESULT || is_double_forfeit(w, t)) {
        take_result(w, t);
    } else if (is_annotation(t->kind)) {
        if (t->kind == IPR_PGN_VARIATION)
            w->game.variations += t->variations;
        if (w->gp->keep_notes)
            game_take_note(w, t);
    } else {
        game_take_text(w, t);
    }
    return IPR_OK;
}

/* A game without a result ends where, after a blank line, moves number from 1 again. */
static bool moves_begin_anew(const struct work *w, const struct ipr_pgn_token *t)
{
    return t->kind == IPR_PGN_MOVE && w->lex.number == 1 && w->game.n_moves >= 2 &&
           blank_line_between(w->last_end, t->text.p);
}

static enum ipr_code read_tokens(struct work *w, struct ipr_err *err)
{
    struct ipr_pgn_token t;
    enum ipr_code rc = IPR_OK;

    while (rc == IPR_OK) {
        ipr_pgn_next(&w->lex, &t);
        const bool ends = t.kind == IPR_PGN_END || is_cut_off(w, &t);
        if ((w->terminated && (ends || !is_annotation(t.kind))) || moves_begin_anew(w, &t))
            rc = game_finish(w, t.text.p, err);
        w->last_end = w->lex.p;
        if (rc != IPR_OK)
            break;
        if (ends)
            return take_end(w, err);
        rc = take_token(w, &t, err);
        if (w->outcome.lost) {
            rc = game_finish(w, w->lex.end, err);
            w->outcome.used = w->section->text.n;
            w->lex.p = w->lex.end;
            return rc;
        }
    }
    return rc;
}

enum ipr_code ipr_section_games(struct ipr_game_parser *gp, const struct ipr_pgn_section *section,
                                struct ipr_section_outcome *outcome, struct ipr_err *err)
{
    const char *const text = section->text.p, *const end = text + section->text.n;
    struct work w = { .gp = gp,
                      .lex = { text, text, end, section->at.offset == section->at.line_offset,
                               false, 0 },
                      .place = section->at,
                      .counted = text,
                      .begin = text,
                      .last_end = text,
                      .section = section };
    enum ipr_code rc;

    game_reset(&w);
    rc = read_tokens(&w, err);
    *outcome = w.outcome;
    return rc;
}
