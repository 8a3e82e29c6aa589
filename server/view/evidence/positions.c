/* Positions of a player's errors to solve, and the moves that are to be confirmed for more of them.
 */
#include "view/evidence/positions.h"

#include <stdlib.h>
#include <string.h>

#include "core/confirm.h"

static int by_cost(const void *a, const void *b)
{
    const struct ipr_evidence_move *const x = *(struct ipr_evidence_move *const *)a;
    const struct ipr_evidence_move *const y = *(struct ipr_evidence_move *const *)b;

    return x->cost.lost != y->cost.lost
               ? (x->cost.lost < y->cost.lost) - (x->cost.lost > y->cost.lost)
               : (x > y) - (x < y);
}

struct ipr_pos ipr_position_before(const struct ipr_db_evidence_game *g, unsigned ply)
{
    struct ipr_pos pos = g->start;

    for (unsigned i = 0; i < ply; i++)
        ipr_pos_play(&pos, g->moves[i]);
    return pos;
}

static struct ipr_list_profile_step
position_line(struct ipr_pos pos, const struct ipr_judged_turn *t, struct ipr_arena *mem)
{
    struct ipr_list_profile_step out = { .at =
                                             ipr_shape_list(IPR_SHAPE_PROFILE_STEP, t->n_line, mem),
                                         .n = t->n_line };

    for (size_t i = 0; i < out.n; i++) {
        char *const fen = ipr_arena_alloc(mem, IPR_FEN_MAX, 1);

        out.at[i].move = ipr_game_move(&pos, t->line[i], mem);
        ipr_pos_play(&pos, t->line[i]);
        ipr_pos_to_fen(&pos, fen);
        fen[strcspn(fen, " ")] = '\0';
        out.at[i].fen = fen;
    }
    return out;
}

static void position_fill(const struct ipr_positions_of *w, const struct ipr_evidence_move *m,
                          struct ipr_answer_profile_position *out)
{
    const struct ipr_db_evidence_game *const g = &w->set->games[m->game];
    const struct ipr_pos pos = ipr_position_before(g, m->turn->ply);
    const bool black = m->turn->mover == IPR_BLACK;

    out->game = g->id;
    out->opponent = black ? g->white : g->black;
    out->ply = m->turn->ply;
    out->number = ipr_pos_number(&g->start, m->turn->ply);
    out->mover = black ? "b" : "w";
    out->fen = ipr_game_fen(&pos, w->mem);
    out->best = ipr_game_move(&pos, m->turn->moves[0], w->mem);
    out->line = position_line(pos, m->turn, w->mem);
    out->played = ipr_game_move(&pos, m->turn->moves[m->turn->played], w->mem);
    out->lost = m->cost.lost;
    out->mark = ipr_mark_name(m->mark);
}

static bool is_error(const struct ipr_evidence_move *m)
{
    return m->mark >= IPR_MARK_INACCURACY && m->mark <= IPR_MARK_BLUNDER;
}

static bool may_be_error(const struct ipr_evidence_move *m)
{
    return m->mark == IPR_MARK_NONE && m->cost.lost >= IPR_CONFIRM_LOSS;
}

/* The costliest such moves of a part, at most `limit`; row NULL: of all moves. Writes them to
 * at[set->n]. */
static size_t costliest_moves(const struct ipr_positions_of *w, const struct ipr_profile_row *row,
                              bool (*is)(const struct ipr_evidence_move *), size_t limit,
                              const struct ipr_evidence_move **at)
{
    size_t n = 0;

    for (size_t i = 0; i < w->set->n; i++)
        if (is(&w->set->moves[i]) && (row == NULL || ipr_profile_is_in(&w->move[i], row)))
            at[n++] = &w->set->moves[i];
    qsort(at, n, sizeof *at, by_cost);
    return n < limit ? n : limit;
}

size_t ipr_positions_lacking(const struct ipr_positions_of *w, const struct ipr_profile_row *row,
                             size_t limit, const struct ipr_evidence_move **at)
{
    return costliest_moves(w, row, may_be_error,
                           limit - costliest_moves(w, row, is_error, limit, at), at);
}

struct ipr_list_profile_position ipr_positions_find(const struct ipr_positions_of *w,
                                                    const struct ipr_profile_row *row, size_t limit)
{
    const struct ipr_evidence_move **const at = ipr_arena_alloc(w->mem, w->set->n + 1, sizeof *at);
    struct ipr_list_profile_position out = { .n = costliest_moves(w, row, is_error, limit, at) };

    out.at = ipr_shape_list(IPR_SHAPE_PROFILE_POSITION, out.n, w->mem);
    for (size_t i = 0; i < out.n; i++)
        position_fill(w, at[i], &out.at[i]);
    return out;
}
