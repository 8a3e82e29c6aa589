/* One game at one engine: which search comes next, and what its answer is for. Turns are put in
 * order by uci/plan.h, read by uci/search.h and uci/after.h, and sent by uci/commands.h. */
#include "uci/session.h"

#include <stdlib.h>
#include <string.h>

#include "uci/adaptive.h"
#include "uci/after.h"
#include "uci/commands.h"
#include "uci/parse.h"
#include "uci/plan.h"
#include "uci/search.h"

enum phase {
    CLEAR,  /* "ucinewgame", "isready" to be sent */
    READY,  /* "readyok" awaited */
    ASK,    /* "position", "go" to be sent */
    SEARCH, /* "bestmove" awaited */
    STOP,   /* the same, and "stop" is to be sent */
    DONE,
    FAILED
};

/* The searches for the current turn. */
enum task {
    WHOLE,  /* all its moves */
    PLAYED, /* the move played, by searchmoves */
    OWN,    /* the same, and nothing was searched before */
    OTHERS, /* all moves but that */
    AFTER   /* the position after a move */
};

/* Moves that are searched again, after a search that ended with a bound (uci/search.h). */
struct ipr_rest {
    ipr_move moves[IPR_MAX_MOVES];
    size_t n; /* 0: it is the first search of its task */
    unsigned searches;
    uint64_t nodes; /* of the searches before */
};

struct ipr_session {
    const struct ipr_judge *judge;
    const struct ipr_pos *start;
    const ipr_move *moves;
    size_t n_moves;
    unsigned sides;
    struct ipr_arena *mem;
    bool chess960;

    struct ipr_plan plan;
    size_t next; /* of plan.todo */

    enum phase phase;
    enum task task;
    bool cleared;     /* "ucinewgame" was sent for this game */
    bool stopped;     /* "stop" was sent in this search */
    unsigned multipv; /* what the engine is set to; 0: not known */
    struct ipr_search search;
    struct ipr_rest rest;
    struct ipr_after after;
    int32_t evaluations[3]; /* of the last turns judged, White's view */
    unsigned n_evaluations;

    /* The current turn, with memory for the move played. */
    ipr_move *turn_moves;
    int16_t *turn_score;

    /* Every move of the turn is searched separately: the moves, and the current one. */
    bool each_apart;
    ipr_move each[IPR_MAX_MOVES];
    size_t n_each, each_at;
    int16_t *each_score;
    uint64_t each_nodes;

    struct ipr_uci_text text;
};

/* ---- from turn to turn ---- */

static struct ipr_judged_turn *session_turn(const struct ipr_session *s)
{
    return &s->plan.game.turns[s->plan.todo[s->next]];
}

static const struct ipr_pos *session_position(const struct ipr_session *s)
{
    return &s->plan.place[session_turn(s)->ply].pos;
}

static ipr_move session_played(const struct ipr_session *s)
{
    return s->moves[session_turn(s)->ply];
}

/* A line of the engine, printable; of a long one the beginning and the end. */
enum { SHOWN_HEAD = 70, SHOWN_TAIL = 70 };

static void line_show(struct ipr_str line, char out[SHOWN_HEAD + 5 + SHOWN_TAIL + 1])
{
    const bool whole = line.n <= SHOWN_HEAD + 5 + SHOWN_TAIL;
    const char *from = line.p;
    char *to = out;

    for (const char *end = line.p + line.n; from < end; from++) {
        if (!whole && from == line.p + SHOWN_HEAD) {
            memcpy(to, " ... ", 5);
            to += 5;
            from = end - SHOWN_TAIL;
        }
        *to++ = '?';
        if (*from >= ' ' && *from <= '~')
            to[-1] = *from;
    }
    *to = '\0';
}

static enum ipr_code session_fail(struct ipr_session *s, struct ipr_err *err, const char *what,
                                  struct ipr_str about)
{
    char shown[SHOWN_HEAD + 5 + SHOWN_TAIL + 1];

    line_show(about, shown);
    s->phase = FAILED;
    return ipr_err_at(err, IPR_EPARSE, "engine_protocol", 0, 0, session_turn(s)->ply,
                      "engine at ply %u: %s: \"%s\"", (unsigned)session_turn(s)->ply, what, shown);
}

static enum ipr_code session_finish(struct ipr_session *s, struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;

    s->phase = DONE;
    if (ipr_judged_check(s->judge, s->start, s->moves, s->n_moves, s->sides, &s->plan.game, &why) ==
        IPR_OK)
        return IPR_OK;
    s->phase = FAILED;
    return ipr_err_at(err, IPR_EPARSE, "engine_protocol", 0, 0, why.ply, "engine: %s", why.msg);
}

static enum ipr_code each_next(struct ipr_session *s, struct ipr_err *err);

static enum ipr_code begin_turn(struct ipr_session *s, struct ipr_err *err)
{
    if (s->next == s->plan.n_todo)
        return session_finish(s, err);
    s->phase = s->judge->clear == IPR_CLEAR_POSITION || !s->cleared ? CLEAR : ASK;
    s->task = s->judge->apart == IPR_APART_LINE ? OWN : WHOLE;
    s->rest = (struct ipr_rest){ 0 };
    s->n_each = ipr_pos_legal(session_position(s), s->each);
    /* A forced move too, for engines of which little is known: many answer it without a search. */
    s->each_apart = s->judge->apart == IPR_APART_EACH ||
                    (s->judge->apart == IPR_APART_AFTER && s->judge->depth > 0 && s->n_each == 1);
    if (!s->each_apart)
        return IPR_OK;
    s->each_at = 0;
    s->each_nodes = 0;
    return each_next(s, err);
}

static enum ipr_code finish_turn(struct ipr_session *s, struct ipr_err *err)
{
    struct ipr_judged_turn *t = session_turn(s);

    t->moves = s->turn_moves;
    t->score = s->turn_score;
    const int32_t e = ipr_judged_final(t, 0);

    s->evaluations[2] = s->evaluations[1];
    s->evaluations[1] = s->evaluations[0];
    s->evaluations[0] = t->mover == IPR_WHITE ? e : -e;
    s->n_evaluations += s->n_evaluations < 3 ? 1 : 0;
    s->next++;
    return begin_turn(s, err);
}

/* Room for the lines of a turn and the move played; its other facts. */
static void open_turn(struct ipr_session *s, size_t n_legal, unsigned depth)
{
    const unsigned k = n_legal < s->judge->multipv ? (unsigned)n_legal : s->judge->multipv;
    struct ipr_judged_turn *t = session_turn(s);

    s->turn_moves = ipr_arena_alloc(s->mem, k + 1U, sizeof *s->turn_moves);
    s->turn_score = ipr_arena_alloc(s->mem, (k + 1U) * depth, sizeof *s->turn_score);
    *t = (struct ipr_judged_turn){ .ply = t->ply,
                                   .mover = session_position(s)->turn,
                                   .depth = (uint8_t)depth,
                                   .lines = (uint8_t)k,
                                   .played = (uint8_t)k,
                                   .legal = (uint8_t)n_legal };
}

static void put_line(struct ipr_session *s, unsigned line, ipr_move m, const int16_t *score)
{
    struct ipr_judged_turn *t = session_turn(s);

    s->turn_moves[line] = m;
    memcpy(s->turn_score + (size_t)line * t->depth, score, t->depth * sizeof *score);
    if (m == session_played(s))
        t->played = (uint8_t)line;
}

/* Adds the move played, searched separately, to the lines. */
static enum ipr_code join_played(struct ipr_session *s, const int16_t *score, uint64_t nodes,
                                 struct ipr_err *err)
{
    struct ipr_judged_turn *t = session_turn(s);

    t->settled = t->settled || s->rest.searches > 0;
    nodes += s->rest.nodes;
    put_line(s, t->lines, session_played(s), score);
    t->lines++;
    t->nodes += nodes;
    t->apart_nodes = nodes;
    return finish_turn(s, err);
}

/* ---- a move judged by the position after it ---- */

/* False when no search is needed, and `score` is filled in. */
static bool ask_after(struct ipr_session *s, ipr_move m, unsigned depth, int16_t *score)
{
    s->task = AFTER;
    ipr_after_begin(&s->after, session_position(s), m, depth);
    if (!s->after.ended)
        return true;
    ipr_after_scores(&s->after, NULL, depth, score);
    return false;
}

/* The best moves first; equals stay in the order of move generation. */
static enum ipr_code end_each(struct ipr_session *s, struct ipr_err *err)
{
    const unsigned depth = s->judge->depth;
    uint16_t order[IPR_MAX_MOVES];

    open_turn(s, s->n_each, depth);
    for (size_t i = 0; i < s->n_each; i++) {
        const int16_t final = s->each_score[i * depth + depth - 1];
        size_t at = i;

        for (; at > 0 && s->each_score[(size_t)order[at - 1] * depth + depth - 1] < final; at--)
            order[at] = order[at - 1];
        order[at] = (uint16_t)i;
    }
    struct ipr_judged_turn *t = session_turn(s);
    const unsigned k = t->lines;
    t->nodes = s->each_nodes;
    for (unsigned i = 0; i < s->n_each; i++) {
        const uint16_t row = order[i];

        if (i < k)
            put_line(s, i, s->each[row], s->each_score + (size_t)row * depth);
        else if (s->each[row] == session_played(s))
            return join_played(s, s->each_score + (size_t)row * depth, 0, err);
    }
    return finish_turn(s, err);
}

/* Goes to the next move that needs a search. */
static enum ipr_code each_next(struct ipr_session *s, struct ipr_err *err)
{
    const unsigned depth = s->judge->depth;

    while (s->each_at < s->n_each &&
           !ask_after(s, s->each[s->each_at], depth, s->each_score + s->each_at * depth))
        s->each_at++;
    return s->each_at == s->n_each ? end_each(s, err) : IPR_OK;
}

static enum ipr_code end_after(struct ipr_session *s, struct ipr_err *err)
{
    const unsigned depth = s->each_apart ? s->judge->depth : session_turn(s)->depth;
    int16_t score[IPR_DEPTH_MAX];

    ipr_after_scores(&s->after, &s->search, depth, score);
    if (!s->each_apart)
        return join_played(s, score, s->search.nodes, err);
    memcpy(s->each_score + s->each_at * depth, score, depth * sizeof *score);
    s->each_nodes += s->search.nodes;
    s->each_at++;
    s->phase = ASK;
    return each_next(s, err);
}

/* ---- searches over all moves ---- */

static enum ipr_code judge_played_apart(struct ipr_session *s, struct ipr_err *err)
{
    int16_t score[IPR_DEPTH_MAX];

    s->phase = ASK;
    s->task = PLAYED;
    s->rest = (struct ipr_rest){ 0 };
    if (s->judge->apart == IPR_APART_SEARCHMOVES)
        return IPR_OK;
    if (s->judge->clear == IPR_CLEAR_POSITION)
        s->phase = CLEAR;
    return ask_after(s, session_played(s), session_turn(s)->depth, score)
               ? IPR_OK
               : join_played(s, score, 0, err);
}

/* ---- the move played, and all others ---- */

static size_t other_moves(const struct ipr_session *s, ipr_move *out)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n_each; i++)
        if (s->each[i] != session_played(s))
            out[n++] = s->each[i];
    return n;
}

static enum ipr_code end_own(struct ipr_session *s, struct ipr_err *err)
{
    const struct ipr_search *search = &s->search;

    open_turn(s, s->n_each, search->reached);
    session_turn(s)->nodes = search->nodes;
    put_line(s, 0, session_played(s), search->score[search->rows[0]]);
    if (s->n_each < 2)
        return finish_turn(s, err);
    s->task = OTHERS;
    s->phase = ASK;
    return IPR_OK;
}

/* The best of the others after each depth, which need not be the same move; depths are counted back
 * from the last one. */
static enum ipr_code end_others(struct ipr_session *s, struct ipr_err *err)
{
    const struct ipr_search *search = &s->search;
    const ipr_move best = search->legal[search->rows[0]];
    struct ipr_judged_turn *t = session_turn(s);
    int16_t own[IPR_DEPTH_MAX], other[IPR_DEPTH_MAX];

    if (best == session_played(s))
        return session_fail(s, err, "another move than requested", ipr_str_c(""));
    memcpy(own, s->turn_score, t->depth * sizeof *own);
    for (unsigned back = 1; back <= t->depth; back++)
        other[t->depth - back] =
            back <= search->reached ? search->best[search->reached - back] : IPR_SCORE_NONE;
    const bool better = other[t->depth - 1] > own[t->depth - 1];
    put_line(s, better, session_played(s), own);
    put_line(s, !better, best, other);
    t->nodes += search->nodes;
    t->apart_nodes = search->nodes;
    ipr_move *const line = ipr_arena_alloc(s->mem, IPR_LINE_MAX, sizeof *line);
    t->n_line = (uint8_t)ipr_search_line(search, line);
    t->line = line;
    return finish_turn(s, err);
}

static enum ipr_code end_whole(struct ipr_session *s, struct ipr_err *err)
{
    const struct ipr_search *search = &s->search;

    open_turn(s, search->n_legal, search->reached);
    struct ipr_judged_turn *t = session_turn(s);
    t->nodes = s->rest.nodes + search->nodes;
    t->settled = s->rest.searches > 0;
    for (unsigned k = 0; k < search->lines; k++)
        put_line(s, k, search->legal[search->rows[k]], search->score[search->rows[k]]);
    return t->played < t->lines ? finish_turn(s, err) : judge_played_apart(s, err);
}

/* One move has a narrower tree than all others: it comes as deep with half the nodes. */
static uint32_t own_nodes(const struct ipr_session *s)
{
    return s->judge->nodes / 2;
}

/* Only we end a search before its nodes or time are used up, except at the maximum depth. */
static bool ended_early(const struct ipr_session *s)
{
    const struct ipr_judge *j = s->judge;
    const uint32_t nodes = s->task == OWN ? own_nodes(s) : j->nodes;

    return s->search.reached < IPR_DEPTH_MAX &&
           (s->search.nodes < nodes || (!s->stopped && s->search.time_ms < j->time_ms / 4));
}

/* True when the rest of the moves is to be searched again: of each such search a line is exact, or
 * the next one begins with a fuller hash. */
static bool search_goes_on(struct ipr_session *s)
{
    struct ipr_rest *rest = &s->rest;

    if (s->task == AFTER || s->judge->apart != IPR_APART_SEARCHMOVES ||
        rest->searches > s->search.lines)
        return false;
    rest->n = ipr_search_rest(&s->search, rest->moves);
    if (rest->n == 0)
        return false;
    rest->searches++;
    rest->nodes += s->search.nodes;
    s->phase = ASK;
    return true;
}

static enum ipr_code end_search(struct ipr_session *s, struct ipr_str best, struct ipr_err *err)
{
    if (search_goes_on(s))
        return IPR_OK;
    const char *wrong = ipr_search_end(&s->search, best);

    if (wrong == NULL && s->task != PLAYED && s->task != AFTER && ended_early(s))
        wrong = "search ended before its time; best move";
    if (wrong != NULL)
        return session_fail(s, err, wrong, best);
    switch (s->task) {
    case WHOLE:
        return end_whole(s, err);
    case OWN:
        return end_own(s, err);
    case PLAYED:
        return join_played(s, s->search.score[s->search.rows[0]], s->search.nodes, err);
    case OTHERS:
        return end_others(s, err);
    case AFTER:
        break;
    }
    return end_after(s, err);
}

/* True if Alliot's rule ends the search, a depth being complete just now. */
static bool session_enough(const struct ipr_session *s)
{
    const struct ipr_search *search = &s->search;
    const unsigned d = search->reached;
    int32_t depths[3];
    bool three = d >= 3;

    if (s->judge->time_ms == 0 || s->task != WHOLE || !search->completed)
        return false;
    for (unsigned i = 0; three && i < 3; i++) {
        depths[i] = search->best[d - 1 - i];
        three = search->best[d - 1 - i] != IPR_SCORE_NONE;
    }
    const int32_t *const turns = s->n_evaluations == 3 ? s->evaluations : NULL;
    return ipr_adaptive_enough(s->judge->time_ms, search->time_ms, three ? depths : NULL, turns);
}

static enum ipr_code take_info(struct ipr_session *s, const struct ipr_uci_line *l,
                               struct ipr_str line, struct ipr_err *err)
{
    const char *wrong = ipr_search_info(&s->search, l);

    if (l->move.n > 0) /* the move chosen then is irrelevant */
        line.n = (size_t)(l->move.p + l->move.n - line.p);
    if (wrong != NULL)
        return session_fail(s, err, wrong, line);
    if (!s->stopped && session_enough(s)) {
        s->stopped = true;
        s->phase = STOP;
    }
    return IPR_OK;
}

/* ---- what is sent ---- */

static void set_multipv(struct ipr_session *s, unsigned multipv)
{
    if (s->judge->apart == IPR_APART_AFTER && s->multipv != multipv)
        ipr_uci_put(&s->text, "setoption name MultiPV value %u\n", multipv);
    s->multipv = multipv;
}

static void write_position(struct ipr_session *s, const ipr_move *more, size_t n_more)
{
    const size_t ply = session_turn(s)->ply, base = s->plan.place[ply].base;

    ipr_uci_put_position(&s->text, s->chess960, &s->plan.place[base].pos, s->moves + base,
                         ply - base, more, n_more);
}

static void write_go_depth(struct ipr_session *s, unsigned depth, const ipr_move *only, size_t n)
{
    ipr_uci_put_go_depth(&s->text, depth, s->chess960, session_position(s), only, n);
}

static void write_ask(struct ipr_session *s)
{
    const ipr_move m = session_played(s);
    ipr_move others[IPR_MAX_MOVES];

    s->stopped = false;
    if (s->rest.n > 0) {
        ipr_search_begin_rest(&s->search);
        write_go_depth(s, s->search.depth, s->rest.moves, s->rest.n);
        s->rest.n = 0;
        return;
    }
    switch (s->task) {
    case WHOLE:
        ipr_search_begin(&s->search, session_position(s), s->judge->multipv, s->judge->depth);
        set_multipv(s, s->judge->multipv);
        write_position(s, NULL, 0);
        ipr_uci_put_go(&s->text, s->judge);
        break;
    case OWN:
        ipr_search_begin(&s->search, session_position(s), 1, 0);
        write_position(s, NULL, 0);
        ipr_uci_put_go_nodes(&s->text, own_nodes(s), s->chess960, session_position(s), &m, 1);
        break;
    case PLAYED:
        ipr_search_begin_only(&s->search, m, session_turn(s)->depth);
        write_go_depth(s, session_turn(s)->depth, &m, 1);
        break;
    case OTHERS:
        ipr_search_begin(&s->search, session_position(s), 1, 0);
        ipr_uci_put_go_nodes(&s->text, s->judge->nodes, s->chess960, session_position(s), others,
                             other_moves(s, others));
        break;
    case AFTER:
        ipr_search_begin(&s->search, &s->after.pos, 1, s->after.depth);
        set_multipv(s, 1);
        write_position(s, s->after.moves, s->after.behind);
        write_go_depth(s, s->after.depth, NULL, 0);
        break;
    }
}

/* ---- the machine ---- */

enum ipr_code ipr_session_new(const struct ipr_judge *judge, const struct ipr_pos *start,
                              const ipr_move *moves, size_t n_moves, unsigned sides,
                              const struct ipr_judged_game *known, struct ipr_arena *mem,
                              struct ipr_session **out, struct ipr_err *err)
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
    s->chess960 = ipr_uci_is_chess960(start);
    enum ipr_code rc =
        ipr_plan_make(&s->plan, judge, start, moves, n_moves, sides, known, mem, err);
    if (rc != IPR_OK)
        return rc;
    s->each_score =
        ipr_arena_alloc(mem, (size_t)IPR_MAX_MOVES * judge->depth, sizeof *s->each_score);
    s->text.size = ipr_uci_text_size(n_moves);
    s->text.p = ipr_arena_alloc(mem, s->text.size, 1);
    rc = begin_turn(s, err);
    if (rc == IPR_OK)
        *out = s;
    return rc;
}

enum ipr_session_want ipr_session_want(const struct ipr_session *s)
{
    switch (s->phase) {
    case CLEAR:
    case ASK:
    case STOP:
        return IPR_SESSION_SEND;
    case READY:
    case SEARCH:
    case FAILED:
        return IPR_SESSION_READ;
    case DONE:
        break;
    }
    return IPR_SESSION_DONE;
}

int32_t ipr_session_ply(const struct ipr_session *s)
{
    return s->phase == DONE ? -1 : (int32_t)session_turn(s)->ply;
}

bool ipr_session_searching(const struct ipr_session *s)
{
    return s->phase == SEARCH || s->phase == STOP;
}

size_t ipr_session_turns_done(const struct ipr_session *s)
{
    return s->plan.game.n - s->plan.n_todo + s->next;
}

size_t ipr_session_turns_total(const struct ipr_session *s)
{
    return s->plan.game.n;
}

const struct ipr_judged_game *ipr_session_result(const struct ipr_session *s)
{
    return s->phase == DONE ? &s->plan.game : NULL;
}

struct ipr_str ipr_session_out(struct ipr_session *s)
{
    s->text.n = 0;
    switch (s->phase) {
    case CLEAR:
        s->cleared = true;
        ipr_uci_put(&s->text, "ucinewgame\nisready\n");
        s->phase = READY;
        break;
    case ASK:
        write_ask(s);
        s->phase = SEARCH;
        break;
    case STOP:
        ipr_uci_put(&s->text, "stop\n");
        s->phase = SEARCH;
        break;
    case READY:
    case SEARCH:
    case DONE:
    case FAILED:
        break;
    }
    return (struct ipr_str){ s->text.p, s->text.n };
}

enum ipr_code ipr_session_line(struct ipr_session *s, struct ipr_str line, struct ipr_err *err)
{
    struct ipr_uci_line l;

    if (s->phase == FAILED || ipr_session_want(s) != IPR_SESSION_READ)
        return ipr_err_set(err, IPR_EINVAL, "session: no line was wanted");
    ipr_uci_parse(line, &l);
    if (l.kind == IPR_UCI_BAD)
        return session_fail(s, err, "malformed line", line);
    if (s->phase == READY) {
        if (l.kind == IPR_UCI_BESTMOVE)
            return session_fail(s, err, "best move without a search", line);
        if (l.kind == IPR_UCI_READYOK)
            s->phase = ASK;
        return IPR_OK;
    }
    if (l.kind == IPR_UCI_INFO)
        return take_info(s, &l, line, err);
    return l.kind == IPR_UCI_BESTMOVE ? end_search(s, l.move, err) : IPR_OK;
}
