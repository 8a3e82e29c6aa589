#include "uci/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uci/parse.h"

enum phase {
    CLEAR,         /* "ucinewgame", "isready" to be sent */
    READY,         /* "readyok" awaited */
    ASK,           /* "position", "go" to be sent */
    SEARCH,        /* "bestmove" awaited */
    ASK_PLAYED,    /* "go searchmoves" to be sent */
    SEARCH_PLAYED, /* its "bestmove" awaited */
    DONE,
    FAILED
};

/* What one search has said so far. Rows of `score` are the legal moves in their fixed order. */
struct search {
    int16_t *score;               /* legal x depth, NONE where nothing exact was said */
    uint16_t line[IPR_MAX_MOVES]; /* row of the k-th line at the last depth */
    bool has_line[IPR_MAX_MOVES];
    unsigned block; /* depth of the latest first line */
    uint64_t nodes;
};

struct ipr_session {
    const struct ipr_judge *judge;
    const struct ipr_pos *start;
    const ipr_move *moves;
    size_t n_moves;
    unsigned sides;
    struct ipr_arena *mem;
    bool chess960;

    enum phase phase;
    size_t ply;
    struct ipr_pos pos;  /* at ply */
    struct ipr_pos base; /* after the last irreversible move */
    size_t base_ply;
    ipr_move legal[IPR_MAX_MOVES];
    size_t n_legal;
    unsigned lines; /* min(K, legal) */
    struct search search;
    ipr_move *turn_moves; /* of the turn in work, with room for the move played */
    int16_t *turn_score;

    size_t total;
    struct ipr_judged_game game;
    char *text; /* commands to send */
    size_t text_size;
};

static bool is_chess960(const struct ipr_pos *pos)
{
    static const uint8_t rook[4] = { 7, 0, 63, 56 };
    static const uint64_t king[2] = { UINT64_C(1) << 4, UINT64_C(1) << 60 };

    for (unsigned i = 0; i < 4; i++) {
        if ((pos->castling >> i & 1U) == 0)
            continue;
        if (pos->rook_from[i] != rook[i])
            return true;
        if ((pos->by_piece[5] & pos->by_colour[i / 2]) != king[i / 2])
            return true;
    }
    return false;
}

static bool wanted(const struct ipr_session *s)
{
    return s->ply >= ipr_judge_first_ply(s->judge) && (s->sides >> s->pos.turn & 1U) != 0;
}

static void step(struct ipr_session *s)
{
    const ipr_move m = s->moves[s->ply];
    const bool irreversible = ipr_pos_irreversible(&s->pos, m);

    ipr_pos_play(&s->pos, m);
    s->ply++;
    if (irreversible) {
        s->base = s->pos;
        s->base_ply = s->ply;
    }
}

/* Goes to the next turn to be judged, from s->ply on. */
static void seek(struct ipr_session *s)
{
    while (s->ply < s->n_moves && !wanted(s))
        step(s);
    if (s->ply == s->n_moves) {
        s->phase = DONE;
        return;
    }
    s->n_legal = ipr_pos_legal(&s->pos, s->legal);
    s->lines = s->n_legal < s->judge->multipv ? (unsigned)s->n_legal : s->judge->multipv;
    s->phase = CLEAR;
}

static void rewind_to_start(struct ipr_session *s)
{
    s->ply = 0;
    s->pos = *s->start;
    s->base = *s->start;
    s->base_ply = 0;
}

/* One pass over the game beforehand: an engine that is sent an illegal move judges another
 * position without a word. */
static enum ipr_code count_turns(struct ipr_session *s, struct ipr_err *err)
{
    while (s->ply < s->n_moves) {
        if (!ipr_pos_is_legal(&s->pos, s->moves[s->ply]))
            return ipr_err_at(err, IPR_EINVAL, "illegal_move", 0, 0, (int32_t)s->ply,
                              "session: illegal move at ply %zu", s->ply);
        s->total += wanted(s) ? 1 : 0;
        step(s);
    }
    return IPR_OK;
}

enum ipr_code ipr_session_new(const struct ipr_judge *judge, const struct ipr_pos *start,
                              const ipr_move *moves, size_t n_moves, unsigned sides,
                              struct ipr_arena *mem, struct ipr_session **out, struct ipr_err *err)
{
    struct ipr_session *s;

    if (!ipr_judge_valid(judge) || n_moves > UINT16_MAX)
        return ipr_err_set(err, IPR_EINVAL, "session: judge settings or %zu moves", n_moves);

    s = ipr_arena_alloc(mem, 1, sizeof *s);
    s->judge = judge;
    s->start = start;
    s->moves = moves;
    s->n_moves = n_moves;
    s->sides = sides;
    s->mem = mem;
    s->chess960 = is_chess960(start);
    rewind_to_start(s);
    const enum ipr_code rc = count_turns(s, err);
    if (rc != IPR_OK)
        return rc;

    s->game.turns = ipr_arena_alloc(mem, s->total + 1, sizeof *s->game.turns);
    s->search.score =
        ipr_arena_alloc(mem, (size_t)IPR_MAX_MOVES * judge->depth, sizeof *s->search.score);
    s->text_size = 128 + IPR_FEN_MAX + n_moves * (IPR_UCI_MAX + 1);
    s->text = ipr_arena_alloc(mem, s->text_size, 1);
    rewind_to_start(s);
    seek(s);
    *out = s;
    return IPR_OK;
}

enum ipr_session_want ipr_session_want(const struct ipr_session *s)
{
    switch (s->phase) {
    case CLEAR:
    case ASK:
    case ASK_PLAYED:
        return IPR_SESSION_SEND;
    case READY:
    case SEARCH:
    case SEARCH_PLAYED:
    case FAILED:
        return IPR_SESSION_READ;
    case DONE:
        break;
    }
    return IPR_SESSION_DONE;
}

int32_t ipr_session_ply(const struct ipr_session *s)
{
    return s->phase == DONE ? -1 : (int32_t)s->ply;
}

bool ipr_session_searching(const struct ipr_session *s)
{
    return s->phase == SEARCH || s->phase == SEARCH_PLAYED;
}

size_t ipr_session_turns_done(const struct ipr_session *s)
{
    return s->game.n;
}

size_t ipr_session_turns_total(const struct ipr_session *s)
{
    return s->total;
}

const struct ipr_judged_game *ipr_session_result(const struct ipr_session *s)
{
    return s->phase == DONE ? &s->game : NULL;
}

/* In Chess960 mode engines know castling only as king takes rook. */
static size_t move_text(const struct ipr_session *s, const struct ipr_pos *pos, ipr_move m,
                        char out[IPR_UCI_MAX])
{
    if (!s->chess960 || (m & 0x8000U) == 0)
        return ipr_move_to_uci(pos, m, out);
    out[0] = (char)('a' + (m & 7));
    out[1] = (char)('1' + (m >> 3 & 7));
    out[2] = (char)('a' + (m >> 6 & 7));
    out[3] = (char)('1' + (m >> 9 & 7));
    out[4] = '\0';
    return 4;
}

static void text_add(struct ipr_session *s, size_t *n, const char *piece)
{
    *n += (size_t)snprintf(s->text + *n, s->text_size - *n, "%s", piece);
}

static size_t write_clear(struct ipr_session *s)
{
    size_t n = 0;

    if (s->game.n == 0) /* an engine keeps it from the game before */
        text_add(s, &n,
                 s->chess960 ? "setoption name UCI_Chess960 value true\n"
                             : "setoption name UCI_Chess960 value false\n");
    text_add(s, &n, "ucinewgame\nisready\n");
    return n;
}

static size_t write_position(struct ipr_session *s)
{
    struct ipr_pos pos = s->base;
    char fen[IPR_FEN_MAX], move[IPR_UCI_MAX], go[32];
    size_t n = 0;

    ipr_pos_to_fen(&s->base, fen);
    text_add(s, &n, "position fen ");
    text_add(s, &n, fen);
    if (s->base_ply < s->ply)
        text_add(s, &n, " moves");
    for (size_t i = s->base_ply; i < s->ply; i++) {
        move_text(s, &pos, s->moves[i], move);
        text_add(s, &n, " ");
        text_add(s, &n, move);
        ipr_pos_play(&pos, s->moves[i]);
    }
    snprintf(go, sizeof go, "\ngo depth %u\n", (unsigned)s->judge->depth);
    text_add(s, &n, go);
    return n;
}

static size_t write_played(struct ipr_session *s)
{
    char move[IPR_UCI_MAX];

    move_text(s, &s->pos, s->moves[s->ply], move);
    return (size_t)snprintf(s->text, s->text_size, "go depth %u searchmoves %s\n",
                            (unsigned)s->judge->depth, move);
}

static void clear_search(struct ipr_session *s)
{
    int16_t *score = s->search.score;
    const size_t cells = s->n_legal * s->judge->depth;

    s->search = (struct search){ .score = score };
    for (size_t i = 0; i < cells; i++)
        score[i] = IPR_SCORE_NONE;
}

struct ipr_str ipr_session_out(struct ipr_session *s)
{
    size_t n = 0;

    switch (s->phase) {
    case CLEAR:
        n = write_clear(s);
        s->phase = READY;
        break;
    case ASK:
        clear_search(s);
        n = write_position(s);
        s->phase = SEARCH;
        break;
    case ASK_PLAYED:
        n = write_played(s);
        s->phase = SEARCH_PLAYED;
        break;
    case READY:
    case SEARCH:
    case SEARCH_PLAYED:
    case DONE:
    case FAILED:
        break;
    }
    return (struct ipr_str){ s->text, n };
}

static enum ipr_code fail(struct ipr_session *s, struct ipr_err *err, const char *what,
                          struct ipr_str about)
{
    char shown[40];
    size_t n = 0;

    for (; n < about.n && n + 1 < sizeof shown; n++) {
        const char c = about.p[n];

        shown[n] = '?';
        if (c >= ' ' && c <= '~')
            shown[n] = c;
    }
    shown[n] = '\0';
    s->phase = FAILED;
    return ipr_err_at(err, IPR_EPARSE, "engine_protocol", 0, 0, (int32_t)s->ply,
                      "engine at ply %zu: %s: \"%s\"", s->ply, what, shown);
}

/* Row of a root move; false when it is not one of the position. */
static bool find_row(const struct ipr_session *s, struct ipr_str text, uint16_t *row)
{
    ipr_move m;

    if (ipr_move_from_uci(&s->pos, text, &m, NULL) != IPR_OK)
        return false;
    for (size_t i = 0; i < s->n_legal; i++) {
        if (s->legal[i] == m) {
            *row = (uint16_t)i;
            return true;
        }
    }
    return false;
}

static bool to_score(const struct ipr_uci_line *l, int16_t *out)
{
    const int32_t n = abs(l->score);

    if (!l->mate) {
        *out = (int16_t)l->score;
        return n <= IPR_SCORE_CP_MAX;
    }
    if (n < 1 || n > IPR_SCORE_MATE_IN_MAX)
        return false;
    *out = (int16_t)(l->score > 0 ? IPR_SCORE_MATE - n : n - IPR_SCORE_MATE);
    return true;
}

/*
 * Only numbered lines with an exact score count. After three seconds an engine also prints
 * lists of which the first lines belong to this depth and the others still to the one before:
 * those others are passed over, or the result would depend on the clock.
 */
static enum ipr_code take_info(struct ipr_session *s, const struct ipr_uci_line *l,
                               struct ipr_str line, struct ipr_err *err)
{
    const unsigned lines = s->phase == SEARCH ? s->lines : 1;
    const unsigned depth = s->judge->depth;
    struct search *search = &s->search;
    uint16_t row;
    int16_t score;

    if (l->has_nodes)
        search->nodes = l->nodes;
    if (l->multipv == 1)
        search->block = l->depth;
    if (l->multipv == 0 || !l->has_score || l->depth == 0 || l->depth > depth)
        return IPR_OK;
    if (l->bound != IPR_UCI_EXACT || l->depth != search->block)
        return IPR_OK;
    if (l->multipv > lines)
        return fail(s, err, "more lines than asked for", line);
    if (!find_row(s, l->move, &row))
        return fail(s, err, "illegal root move", l->move);
    if (s->phase == SEARCH_PLAYED && s->legal[row] != s->moves[s->ply])
        return fail(s, err, "another move than asked for", l->move);
    if (!to_score(l, &score))
        return fail(s, err, "impossible score", line);

    search->score[(size_t)row * depth + l->depth - 1] = score;
    if (l->depth == depth) {
        search->line[l->multipv - 1] = row;
        search->has_line[l->multipv - 1] = true;
    }
    return IPR_OK;
}

/* The first `lines` lines became complete with "bestmove". */
static enum ipr_code check_complete(struct ipr_session *s, unsigned lines, struct ipr_str best,
                                    struct ipr_err *err)
{
    bool seen[IPR_MAX_MOVES] = { false };
    uint16_t row;

    if (!find_row(s, best, &row))
        return fail(s, err, "illegal best move", best);
    for (unsigned k = 0; k < lines; k++) {
        if (!s->search.has_line[k])
            return fail(s, err, "line missing at the depth asked for; best move", best);
        if (seen[s->search.line[k]])
            return fail(s, err, "two lines with one move; best move", best);
        seen[s->search.line[k]] = true;
    }
    if (s->search.line[0] != row)
        return fail(s, err, "best move is not the first line's", best);
    return IPR_OK;
}

static void copy_row(const struct ipr_session *s, unsigned line, uint16_t row)
{
    const size_t depth = s->judge->depth;

    s->turn_moves[line] = s->legal[row];
    memcpy(s->turn_score + line * depth, s->search.score + row * depth,
           depth * sizeof *s->turn_score);
}

/* Starts the result of this turn with the lines of the search over all moves. */
static struct ipr_judged_turn *start_turn(struct ipr_session *s)
{
    struct ipr_judged_turn *t = &s->game.turns[s->game.n];
    const size_t room = s->lines + 1U;

    s->turn_moves = ipr_arena_alloc(s->mem, room, sizeof *s->turn_moves);
    s->turn_score = ipr_arena_alloc(s->mem, room * s->judge->depth, sizeof *s->turn_score);
    *t = (struct ipr_judged_turn){ .ply = (uint16_t)s->ply,
                                   .mover = s->pos.turn,
                                   .depth = (uint8_t)s->judge->depth,
                                   .lines = (uint8_t)s->lines,
                                   .legal = (uint8_t)s->n_legal,
                                   .nodes = s->search.nodes };
    for (unsigned k = 0; k < s->lines; k++)
        copy_row(s, k, s->search.line[k]);
    t->moves = s->turn_moves;
    t->score = s->turn_score;
    t->played = t->lines;
    for (unsigned k = 0; k < s->lines; k++) {
        if (t->moves[k] == s->moves[s->ply])
            t->played = (uint8_t)k;
    }
    return t;
}

static enum ipr_code finish_turn(struct ipr_session *s, struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;

    s->game.n++;
    step(s);
    seek(s);
    if (s->phase != DONE)
        return IPR_OK;
    if (ipr_judged_check(s->judge, s->start, s->moves, s->n_moves, s->sides, &s->game, &why) ==
        IPR_OK)
        return IPR_OK;
    s->phase = FAILED;
    return ipr_err_at(err, IPR_EPARSE, "engine_protocol", 0, 0, why.ply, "engine: %s", why.msg);
}

static enum ipr_code end_search(struct ipr_session *s, struct ipr_str best, struct ipr_err *err)
{
    const enum ipr_code rc = check_complete(s, s->lines, best, err);

    if (rc != IPR_OK)
        return rc;
    if (start_turn(s)->played < s->lines)
        return finish_turn(s, err);
    clear_search(s);
    s->phase = ASK_PLAYED;
    return IPR_OK;
}

/* The move played joins the lines, with the room start_turn left for it. */
static enum ipr_code end_search_played(struct ipr_session *s, struct ipr_str best,
                                       struct ipr_err *err)
{
    struct ipr_judged_turn *t = &s->game.turns[s->game.n];
    const enum ipr_code rc = check_complete(s, 1, best, err);

    if (rc != IPR_OK)
        return rc;
    copy_row(s, s->lines, s->search.line[0]);
    t->lines++;
    t->nodes += s->search.nodes;
    return finish_turn(s, err);
}

enum ipr_code ipr_session_line(struct ipr_session *s, struct ipr_str line, struct ipr_err *err)
{
    struct ipr_uci_line l;

    if (s->phase == FAILED || ipr_session_want(s) != IPR_SESSION_READ)
        return ipr_err_set(err, IPR_EINVAL, "session: no line was wanted");
    ipr_uci_parse(line, &l);
    if (l.kind == IPR_UCI_BAD)
        return fail(s, err, "malformed line", line);
    if (s->phase == READY) {
        if (l.kind == IPR_UCI_BESTMOVE)
            return fail(s, err, "best move without a search", line);
        if (l.kind == IPR_UCI_READYOK)
            s->phase = ASK;
        return IPR_OK;
    }
    if (l.kind == IPR_UCI_INFO)
        return take_info(s, &l, line, err);
    if (l.kind == IPR_UCI_BESTMOVE)
        return s->phase == SEARCH ? end_search(s, l.move, err) : end_search_played(s, l.move, err);
    return IPR_OK;
}
