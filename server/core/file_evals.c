#include "core/file_evals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/setting.h"
#include "core/strength_turns.h"
#include "model/turn.h"
#include "pgn/time_class.h"

#define EVALS_UNKNOWN   IPR_STRENGTH_NONE
#define EVALS_CLEAR     100 /* from such an advantage on the sign tells whose view it is */
#define EVALS_PAIRS_MIN 4

/* ---- comments ---- */

/* "+0.35/18", "-1.20/16 12", "0.00/20 1.2s": centipawns and depth. Mates are written in too many
 * ways to be distinguished. */
static bool evals_comment(struct ipr_str text, int32_t *cp, int32_t *depth)
{
    const char *p = text.p, *const end = text.p + text.n;
    int32_t whole = 0, hundredths = 0, digits = 0;
    const bool minus = p < end && *p == '-';

    p += p < end && (*p == '-' || *p == '+');
    for (; p < end && *p >= '0' && *p <= '9' && whole < 1000; p++, digits++)
        whole = whole * 10 + (*p - '0');
    if (digits == 0 || p == end || *p++ != '.')
        return false;
    for (digits = 0; p < end && *p >= '0' && *p <= '9' && digits < 2; p++, digits++)
        hundredths = hundredths * 10 + (*p - '0');
    if (digits != 2 || p == end || *p++ != '/')
        return false;
    for (*depth = digits = 0; p < end && *p >= '0' && *p <= '9' && digits < 3; p++, digits++)
        *depth = *depth * 10 + (*p - '0');
    *cp = (minus ? -1 : 1) * (100 * whole + hundredths);
    return digits > 0 && (p == end || *p == ' ' || *p == ',');
}

/* ---- evaluations by position ---- */

static int16_t evals_limit(int32_t cp)
{
    if (cp > IPR_CP_LIMIT)
        return IPR_CP_LIMIT;
    return cp < -IPR_CP_LIMIT ? -IPR_CP_LIMIT : (int16_t)cp;
}

static void evals_deepen(struct ipr_file_evals *e, int32_t depth)
{
    if (depth > 0 && (e->depth == 0 || depth < e->depth))
        e->depth = (uint16_t)depth;
}

static bool evals_deep(int32_t depth)
{
    return depth == 0 || depth >= IPR_EVALS_DEPTH;
}

static void evals_of_commands(const struct ipr_pgn_note *notes, size_t n, size_t n_moves,
                              struct ipr_file_evals *e, int16_t *at)
{
    for (size_t i = 0; i < n; i++) {
        if (notes[i].kind != IPR_NOTE_EVAL || notes[i].ply > n_moves)
            continue;
        e->view = IPR_EVALS_COMMANDS;
        if (!evals_deep(notes[i].depth))
            continue;
        /* A mate in 0 has no sign. */
        if (notes[i].mate && notes[i].value != 0)
            at[notes[i].ply] = notes[i].value > 0 ? IPR_CP_LIMIT : -IPR_CP_LIMIT;
        else if (!notes[i].mate)
            at[notes[i].ply] = evals_limit(notes[i].value);
        evals_deepen(e, notes[i].depth);
    }
}

static void evals_of_comments(const struct ipr_pgn_note *notes, size_t n, size_t n_moves,
                              struct ipr_file_evals *e, int16_t *at)
{
    int32_t cp, depth;

    for (size_t i = 0; i < n; i++) {
        if (notes[i].kind != IPR_NOTE_COMMENT || notes[i].ply > n_moves ||
            !evals_comment(notes[i].text, &cp, &depth))
            continue;
        e->view = IPR_EVALS_UNDECIDED;
        if (!evals_deep(depth))
            continue;
        at[notes[i].ply] = evals_limit(cp);
        evals_deepen(e, depth);
    }
}

/* Where one side is clearly better, the evaluations of successive positions have one sign if they
 * are from one view, and alternate if each is its mover's. Nine of ten pairs must agree. */
static enum ipr_file_evals_view evals_decide(const int16_t *at, size_t n_moves)
{
    size_t same = 0, other = 0;

    for (size_t i = 0; i < n_moves; i++) {
        if (at[i] == EVALS_UNKNOWN || at[i + 1] == EVALS_UNKNOWN || abs(at[i]) < EVALS_CLEAR ||
            abs(at[i + 1]) < EVALS_CLEAR)
            continue;
        if ((at[i] > 0) == (at[i + 1] > 0))
            same++;
        else
            other++;
    }
    if (same + other < EVALS_PAIRS_MIN)
        return IPR_EVALS_UNDECIDED;
    if (10 * same >= 9 * (same + other))
        return IPR_EVALS_WHITE;
    return 10 * other >= 9 * (same + other) ? IPR_EVALS_MOVERS : IPR_EVALS_UNDECIDED;
}

/* ---- moves ---- */

/* A position can only recur since the last irreversible move. */
struct evals_walk {
    struct ipr_pos pos;
    uint64_t *keys;
    size_t since;
};

static bool walk_repeats(const struct evals_walk *w, size_t ply)
{
    for (size_t i = w->since; i < ply; i++)
        if (w->keys[i] == w->keys[ply])
            return true;
    return false;
}

/* The rules of chess evaluate a position without legal moves. */
static int16_t evals_of_end(const struct ipr_pos *end)
{
    ipr_move legal[IPR_MAX_MOVES];

    if (ipr_pos_legal(end, legal) > 0)
        return EVALS_UNKNOWN;
    if (!ipr_pos_in_check(end))
        return 0;
    return end->turn == IPR_WHITE ? -IPR_CP_LIMIT : IPR_CP_LIMIT;
}

static int16_t evals_view(const struct ipr_pos *pos, int16_t cp)
{
    return (int16_t)(pos->turn == IPR_WHITE ? cp : -cp);
}

static void evals_moves(const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                        int16_t *at, struct ipr_arena *mem, struct ipr_file_evals *out)
{
    const size_t first = 2 * (IPR_FILE_EVALS_FIRST - 1);
    struct evals_walk w = { *start, ipr_arena_alloc(mem, n_moves + 1, sizeof *w.keys), 0 };
    struct ipr_evals_move *to = ipr_arena_alloc(mem, out->wanted + 1, sizeof *to);
    ipr_move legal[IPR_MAX_MOVES];

    out->moves = to;
    w.keys[0] = w.pos.key;
    for (size_t ply = 0; ply < n_moves; ply++) {
        const bool wanted = ply >= first && at[ply] != EVALS_UNKNOWN;

        if (wanted)
            to[out->n] = (struct ipr_evals_move){ .ply = (uint16_t)ply,
                                                  .legal = (uint8_t)ipr_pos_legal(&w.pos, legal),
                                                  .repeated = walk_repeats(&w, ply),
                                                  .best = evals_view(&w.pos, at[ply]) };
        if (ipr_pos_irreversible(&w.pos, moves[ply]))
            w.since = ply + 1;
        ipr_pos_play(&w.pos, moves[ply]);
        w.keys[ply + 1] = w.pos.key;
        if (ply + 1 == n_moves && at[n_moves] == EVALS_UNKNOWN)
            at[n_moves] = evals_of_end(&w.pos);
        if (wanted && at[ply + 1] != EVALS_UNKNOWN)
            to[out->n++].after = (int16_t)-evals_view(&w.pos, at[ply + 1]);
    }
}

void ipr_file_evals_read(const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                         const struct ipr_pgn_note *notes, size_t n_notes, struct ipr_arena *mem,
                         struct ipr_file_evals *out)
{
    const size_t first = 2 * (IPR_FILE_EVALS_FIRST - 1);
    int16_t *at;

    *out = (struct ipr_file_evals){ .wanted = n_moves > first ? n_moves - first : 0 };
    if (n_notes == 0 || n_moves == 0 || n_moves > UINT16_MAX)
        return;
    /* An evaluation for each position, from White's view. */
    at = ipr_arena_alloc(mem, n_moves + 1, sizeof *at);
    for (size_t i = 0; i <= n_moves; i++)
        at[i] = EVALS_UNKNOWN;
    evals_of_commands(notes, n_notes, n_moves, out, at);
    if (out->view == IPR_EVALS_NONE) {
        evals_of_comments(notes, n_notes, n_moves, out, at);
        if (out->view == IPR_EVALS_UNDECIDED)
            out->view = evals_decide(at, n_moves);
    }
    if (out->view == IPR_EVALS_COMMANDS || out->view == IPR_EVALS_WHITE)
        out->cp = at;
    if (out->cp != NULL)
        evals_moves(start, moves, n_moves, at, mem, out);
}

bool ipr_file_evals_suffice(const struct ipr_file_evals *e)
{
    return e->n > 0 && 10 * e->n >= 9 * e->wanted;
}

/* ---- as an engine setting ---- */

int ipr_file_evals_version(const struct ipr_pool *pool)
{
    const struct ipr_strength_shipped *const fit = pool->files.fit;

    return fit != NULL && fit->sides != NULL ? IPR_FILE_EVALS_BY_SIDE : IPR_FILE_EVALS_BY_MOVE;
}

static void evals_sum_moves(const struct ipr_file_evals *e, unsigned first,
                            struct ipr_strength_score sum[2], struct ipr_side_sums sums[2])
{
    for (size_t i = 0; i < e->n; i++) {
        const unsigned c = (first + e->moves[i].ply) & 1u;

        if (ipr_evals_add(&e->moves[i], &sum[c]))
            sums[c].moves++;
    }
}

static void evals_sum_sides(const struct ipr_file_evals *e, const struct ipr_side_model *model,
                            const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                            struct ipr_strength_score sum[2], struct ipr_side_sums sums[2])
{
    struct ipr_side_move *const move = ipr_xcalloc(n_moves + 1, sizeof *move);
    struct ipr_side_features *const f = ipr_xcalloc(1, sizeof *f);

    ipr_side_moves(start, moves, n_moves, e->cp, move);
    for (unsigned c = 0; c < 2; c++) {
        ipr_side_features(move, n_moves, c, f);
        if (ipr_side_add(model, f, &sum[c]))
            sums[c].moves = (int32_t)f->moves;
    }
    free(f);
    free(move);
}

void ipr_file_evals_sums(const struct ipr_file_evals *e, const struct ipr_pool *pool,
                         const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                         struct ipr_side_sums sums[2])
{
    struct ipr_strength_score sum[2] = { { 0 } };
    const int version = ipr_file_evals_version(pool);
    struct ipr_pos initial;

    ipr_pos_start(&initial);
    memset(sums, 0, 2 * sizeof *sums);
    if (version == IPR_FILE_EVALS_BY_MOVE)
        evals_sum_moves(e, start->turn, sum, sums);
    else if (start->key == initial.key)
        evals_sum_sides(e, pool->files.fit->sides, start, moves, n_moves, sum, sums);
    for (unsigned c = 0; c < 2; c++) {
        sums[c].version = version;
        sums[c].score = (int64_t)llround(IPR_STRENGTH_UNIT * sum[c].score);
        sums[c].information = (int64_t)llround(IPR_STRENGTH_UNIT * sum[c].information);
    }
}

struct ipr_turn_figures ipr_file_evals_figures(const struct ipr_evals_move *m)
{
    return (struct ipr_turn_figures){ m->ply, m->legal, m->repeated, m->best,
                                      m->after < m->best ? m->after : m->best };
}

/* No file states the engine's version, its settings and every depth; what it states remains with
 * the game. The depth here is the least that counts. */
void ipr_file_evals_judge(struct ipr_judge *out)
{
    *out = (struct ipr_judge){ .engine = "evaluations in PGN files",
                               .multipv = 1,
                               .depth = IPR_EVALS_DEPTH,
                               .hash_mb = 1,
                               .threads = 1,
                               .first_move = IPR_FILE_EVALS_FIRST,
                               .clear = IPR_CLEAR_REMOTE };
    snprintf(out->name, sizeof out->name, "%s", ipr_setting_name(IPR_FOR_FILES));
    snprintf(out->options, sizeof out->options,
             IPR_IRREPRODUCIBLE "; unknown engines, depth %d or more", IPR_EVALS_DEPTH);
}

static struct ipr_side_figures *evals_sides(const struct ipr_file_evals *e,
                                            const struct ipr_pgn_game *game, struct ipr_arena *mem)
{
    const unsigned first = game->start.turn;
    struct ipr_side_figures *const side = ipr_arena_alloc(mem, 2, sizeof *side);
    struct ipr_side_sums sums[2];
    enum ipr_time_known known;
    const enum ipr_time_class class = ipr_time_class(game->tags, game->n_tags, &known);

    ipr_file_evals_sums(e, ipr_pool_of(IPR_TIME_BIT(class)), &game->start, game->moves,
                        game->n_moves, sums);
    for (unsigned c = 0; c < 2; c++)
        side[c] = (struct ipr_side_figures){
            .turns = ipr_arena_alloc(mem, e->n, sizeof *side[c].turns),
            .second = ipr_arena_alloc(mem, e->n, sizeof *side[c].second),
            .sums = sums[c],
        };
    for (size_t i = 0; i < e->n; i++) {
        struct ipr_side_figures *const of = &side[(first + e->moves[i].ply) & 1u];

        of->turns[of->n] = ipr_file_evals_figures(&e->moves[i]);
        of->second[of->n++] = IPR_FIGURES_NONE;
    }
    return side;
}

bool ipr_file_evals_game(const struct ipr_pgn_game *game, struct ipr_arena *mem,
                         struct ipr_interchange_game *out)
{
    struct ipr_file_evals e;

    ipr_file_evals_read(&game->start, game->moves, game->n_moves, game->notes, game->n_notes, mem,
                        &e);
    if (!ipr_file_evals_suffice(&e))
        return false;
    struct ipr_side_figures *const side = evals_sides(&e, game, mem);

    *out = (struct ipr_interchange_game){ .start = game->start,
                                          .custom_start = game->custom_start,
                                          .n_moves = game->n_moves,
                                          .result = game->result,
                                          .figures = side };
    ipr_file_evals_judge(&out->judge);
    for (unsigned c = 0; c < 2; c++)
        if (side[c].n > 0)
            out->sides |= 1u << c;
    return true;
}
