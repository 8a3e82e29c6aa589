#include "uci/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDE(NAME, PROGRAM, CLEAR, APART, DEPTH)                                                   \
    {                                                                                              \
        .name = NAME, .program = PROGRAM, .multipv = 20, .depth = DEPTH, .hash_mb = 16,            \
        .threads = 1, .first_move = 9, .clear = CLEAR, .apart = APART                              \
    }

static const struct ipr_judge builtin[] = {
    WIDE("quick", "stockfish", IPR_CLEAR_POSITION, IPR_APART_SEARCHMOVES, 8),
    WIDE("standard", "stockfish", IPR_CLEAR_POSITION, IPR_APART_SEARCHMOVES, 10),
    WIDE("deep", "stockfish", IPR_CLEAR_POSITION, IPR_APART_SEARCHMOVES, 14),
    { .name = "narrow",
      .program = "stockfish",
      .multipv = 1,
      .depth = 10,
      .hash_mb = 16,
      .threads = 1,
      .first_move = 9 },
    { .name = "alliot",
      .program = "stockfish",
      .multipv = 2,
      .time_ms = 240000,
      .hash_mb = 256,
      .threads = 1,
      .first_move = 10,
      .clear = IPR_CLEAR_GAME,
      .tablebases = true },
    WIDE("fishnet", "fishnet", IPR_CLEAR_REMOTE, IPR_APART_AFTER, 10),
    { .name = "rating",
      .program = "stockfish",
      .multipv = 2,
      .depth = 10,
      .hash_mb = 16,
      .threads = 1,
      .first_move = 9 },
    { .name = "confirm",
      .program = "stockfish",
      .multipv = 2,
      .nodes = 2000000,
      .hash_mb = 64,
      .threads = 1,
      .first_move = 1,
      .apart = IPR_APART_LINE,
      .tablebases = true },
};

const struct ipr_judge *ipr_judge_builtin_at(size_t i)
{
    return i < sizeof builtin / sizeof builtin[0] ? &builtin[i] : NULL;
}

bool ipr_judge_builtin(const char *name, struct ipr_judge *out)
{
    for (size_t i = 0; i < sizeof builtin / sizeof builtin[0]; i++) {
        if (strcmp(name, builtin[i].name) != 0)
            continue;
        *out = builtin[i];
        return true;
    }
    return false;
}

bool ipr_judge_retired(const char *name)
{
    return strcmp(name, "quick") == 0 || strcmp(name, "narrow") == 0;
}

bool ipr_judge_is_pure(const struct ipr_judge *j)
{
    return j->clear == IPR_CLEAR_POSITION && j->time_ms == 0 && j->threads == 1 &&
           strstr(j->options, IPR_IRREPRODUCIBLE) == NULL;
}

bool ipr_judge_by_side(const struct ipr_judge *j)
{
    return j->clear == IPR_CLEAR_POSITION && strcmp(j->program, "fishnet") != 0;
}

static bool same_settings(const struct ipr_judge *a, const struct ipr_judge *b)
{
    return a->multipv == b->multipv && a->depth == b->depth && a->nodes == b->nodes &&
           a->time_ms == b->time_ms && a->hash_mb == b->hash_mb && a->threads == b->threads &&
           a->first_move == b->first_move && a->clear == b->clear;
}

bool ipr_judge_same_search(const struct ipr_judge *a, const struct ipr_judge *b)
{
    return same_settings(a, b) && a->tablebases == b->tablebases;
}

bool ipr_judge_same(const struct ipr_judge *a, const struct ipr_judge *b)
{
    return same_settings(a, b) && a->apart == b->apart && strcmp(a->engine, b->engine) == 0 &&
           strcmp(a->network, b->network) == 0 && strcmp(a->options, b->options) == 0;
}

void ipr_judge_limit_text(const struct ipr_judge *j, char out[IPR_LIMIT_TEXT_MAX])
{
    if (j->depth > 0)
        snprintf(out, IPR_LIMIT_TEXT_MAX, "depth %u", (unsigned)j->depth);
    else if (j->nodes > 0)
        snprintf(out, IPR_LIMIT_TEXT_MAX, "%u nodes", (unsigned)j->nodes);
    else
        snprintf(out, IPR_LIMIT_TEXT_MAX, "at most %g s", (double)j->time_ms / 1000.0);
}

unsigned ipr_judge_first_ply(const struct ipr_judge *j)
{
    return 2U * (j->first_move - 1U);
}

bool ipr_judge_valid(const struct ipr_judge *j)
{
    const int limits = (j->depth > 0) + (j->nodes > 0) + (j->time_ms > 0);

    return j->multipv >= 1 && j->multipv <= 250 && j->depth <= IPR_DEPTH_MAX && limits == 1 &&
           j->hash_mb >= 1 && j->threads >= 1 && j->first_move >= 1 &&
           j->clear <= IPR_CLEAR_REMOTE && j->apart <= IPR_APART_LINE &&
           (j->apart != IPR_APART_EACH || j->depth > 0) &&
           (j->apart != IPR_APART_LINE || (j->nodes > 0 && j->multipv == 2));
}

bool ipr_score_is_mate(int16_t score, int *moves)
{
    if (score == IPR_SCORE_NONE || abs(score) <= IPR_SCORE_CP_MAX)
        return false;
    if (moves != NULL)
        *moves = score > 0 ? IPR_SCORE_MATE - score : -IPR_SCORE_MATE - score;
    return true;
}

bool ipr_score_valid(int16_t score)
{
    int moves;

    if (score == IPR_SCORE_NONE)
        return false;
    if (!ipr_score_is_mate(score, &moves))
        return true;
    return abs(moves) >= 1 && abs(moves) <= IPR_SCORE_MATE_IN_MAX && (moves > 0) == (score > 0);
}

int16_t ipr_score_before(int16_t after)
{
    int moves;

    if (after == IPR_SCORE_NONE)
        return after;
    if (ipr_score_is_mate(after, &moves) && moves <= 0 && -moves < IPR_SCORE_MATE_IN_MAX)
        return (int16_t)(-after - 1);
    return (int16_t)-after;
}

int16_t ipr_judged_final(const struct ipr_judged_turn *t, unsigned line)
{
    return t->score[(size_t)line * t->depth + t->depth - 1];
}

static enum ipr_code judged_bad(struct ipr_err *err, const struct ipr_judged_turn *t,
                                const char *what)
{
    return ipr_err_at(err, IPR_EPARSE, "bad_evaluation", 0, 0, t->ply, "turn at ply %u: %s",
                      (unsigned)t->ply, what);
}

static enum ipr_code judged_check_scores(const struct ipr_judged_turn *t, unsigned k,
                                         struct ipr_err *err)
{
    for (size_t i = 0; i < (size_t)t->lines * t->depth; i++) {
        if (t->score[i] != IPR_SCORE_NONE && !ipr_score_valid(t->score[i]))
            return judged_bad(err, t, "score out of range");
    }
    for (unsigned i = 0; i < t->lines; i++) {
        if (ipr_judged_final(t, i) == IPR_SCORE_NONE)
            return judged_bad(err, t, "line without a score at the last depth");
        if (i > 0 && i < k && ipr_judged_final(t, i) > ipr_judged_final(t, i - 1))
            return judged_bad(err, t, "lines not in descending order");
    }
    return IPR_OK;
}

static enum ipr_code judged_check_moves(const struct ipr_judged_turn *t, const ipr_move *legal,
                                        size_t n, struct ipr_err *err)
{
    bool seen[IPR_MAX_MOVES] = { false };

    for (unsigned i = 0; i < t->lines; i++) {
        size_t at = 0;

        while (at < n && legal[at] != t->moves[i])
            at++;
        if (at == n)
            return judged_bad(err, t, "illegal move among the lines");
        if (seen[at])
            return judged_bad(err, t, "move twice among the lines");
        seen[at] = true;
    }
    return IPR_OK;
}

static enum ipr_code judged_check_turn(const struct ipr_judge *judge, const struct ipr_pos *pos,
                                       ipr_move played, struct ipr_judged_turn *t,
                                       struct ipr_err *err)
{
    ipr_move legal[IPR_MAX_MOVES];
    const size_t n = ipr_pos_legal(pos, legal);
    const unsigned k = n < judge->multipv ? (unsigned)n : judge->multipv;
    enum ipr_code rc;

    if (t->moves == NULL || t->score == NULL || t->lines == 0)
        return judged_bad(err, t, "no lines");
    if (judge->depth > 0 && t->depth != judge->depth)
        return judged_bad(err, t, "not the judge's depth");
    if (t->depth < 1 || t->depth > IPR_DEPTH_MAX)
        return judged_bad(err, t, "impossible depth");
    if (t->lines != k && t->lines != k + 1)
        return judged_bad(err, t, "wrong number of lines");
    if (t->played >= t->lines || (t->lines == k + 1 && t->played != k))
        return judged_bad(err, t, "wrong index of the move played");
    rc = judged_check_moves(t, legal, n, err);
    if (rc == IPR_OK && t->moves[t->played] != played)
        rc = judged_bad(err, t, "not the move played in the game");
    if (rc == IPR_OK)
        rc = judged_check_scores(t, k, err);
    if (rc != IPR_OK)
        return rc;
    t->legal = (uint8_t)n;
    t->mover = pos->turn;
    return IPR_OK;
}

enum ipr_code ipr_judged_check(const struct ipr_judge *judge, const struct ipr_pos *start,
                               const ipr_move *moves, size_t n_moves, unsigned sides,
                               struct ipr_judged_game *g, struct ipr_err *err)
{
    struct ipr_pos pos = *start;
    uint64_t *keys;
    size_t since = 0, next = 0;
    enum ipr_code rc = IPR_OK;

    if (!ipr_judge_valid(judge) || n_moves > UINT16_MAX)
        return ipr_err_set(err, IPR_EINVAL, "judged_check: judge settings or %zu moves", n_moves);

    keys = ipr_xcalloc(n_moves + 1, sizeof *keys);
    for (size_t ply = 0; rc == IPR_OK && ply < n_moves; ply++) {
        keys[ply] = pos.key;
        if (!ipr_pos_is_legal(&pos, moves[ply])) {
            rc = ipr_err_set(err, IPR_EINVAL, "judged_check: illegal move at ply %zu", ply);
            break;
        }
        if (next < g->n && g->turns[next].ply < ply) {
            rc = judged_bad(err, &g->turns[next], "out of order");
        } else if (next < g->n && g->turns[next].ply == ply) {
            rc = judged_check_turn(judge, &pos, moves[ply], &g->turns[next], err);
            /* A position can only recur since the last irreversible move. */
            g->turns[next].repeated = false;
            for (size_t i = since; i < ply; i++)
                g->turns[next].repeated |= keys[i] == keys[ply];
            next++;
        } else if (ply >= ipr_judge_first_ply(judge) && (sides >> pos.turn & 1U) != 0) {
            rc = ipr_err_at(err, IPR_EPARSE, "missing_turn", 0, 0, (int32_t)ply,
                            "no evaluation of the turn at ply %zu", ply);
        }
        if (ipr_pos_irreversible(&pos, moves[ply]))
            since = ply + 1;
        ipr_pos_play(&pos, moves[ply]);
    }
    if (rc == IPR_OK && next < g->n)
        rc = judged_bad(err, &g->turns[next], "outside the game or out of order");
    free(keys);
    return rc;
}

struct ipr_judged_game ipr_judged_copy(const struct ipr_judged_game *from, struct ipr_arena *mem)
{
    struct ipr_judged_turn *turns = ipr_arena_alloc(mem, from->n + 1, sizeof *turns);

    for (size_t i = 0; i < from->n; i++) {
        const struct ipr_judged_turn *t = &from->turns[i];
        const size_t scores = (size_t)t->lines * t->depth;
        ipr_move *moves = ipr_arena_alloc(mem, t->lines, sizeof *moves);
        int16_t *score = ipr_arena_alloc(mem, scores, sizeof *score);

        memcpy(moves, t->moves, t->lines * sizeof *moves);
        memcpy(score, t->score, scores * sizeof *score);
        turns[i] = *t;
        turns[i].moves = moves;
        turns[i].score = score;
        if (t->n_line > 0)
            turns[i].line = memcpy(ipr_arena_alloc(mem, t->n_line, sizeof *t->line), t->line,
                                   t->n_line * sizeof *t->line);
    }
    return (struct ipr_judged_game){ turns, from->n };
}
