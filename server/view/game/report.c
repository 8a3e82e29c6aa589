/* The report of a game: costs and marks of its moves, and how likely they are to be found. */
#include "view/game/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chess/kind.h"
#include "chess/san.h"
#include "core/confirm.h"
#include "core/figures.h"
#include "db/strength.h"
#include "db/turns.h"
#include "model/choice.h"
#include "model/ipr.h"
#include "sentence/sentence.h"

#define REPORT_LINES 5
#define REPORT_BEST  3    /* moves in a list of a side */
#define HARD_POINTS  0.03 /* that a player of 2400 loses where a move counts as hard to find */
#define HARD_SHARE   0.5  /* of players of 2400 who find one as good: of a hard move fewer */
#define COSTLY       0.05 /* points lost by a move in the list of the costly ones */
#define HARD_RATING  2    /* of `ratings` */

static const double ratings[IPR_REPORT_RATINGS] = { 1600, 2000, 2400, 2700 };

/* ---- likelihoods ---- */

static const char *report_refusal(const struct ipr_view_context *shown, bool lines)
{
    if (!ipr_setting_is_wide(&shown->judge) || !lines)
        return ipr_say_reason_likelihoods(IPR_REASON_LIKELIHOODS_FEW_LINES);
    if (shown->calibration == NULL || !ipr_judge_same(&shown->calibration->judge, &shown->judge))
        return ipr_say_reason_likelihoods(IPR_REASON_LIKELIHOODS_NO_CALIBRATION);
    return NULL;
}

void ipr_game_report_init(const struct ipr_view_context *shown, size_t turns, size_t figures,
                          struct ipr_game_report *out)
{
    struct ipr_game_report r = { .mem = shown->v->mem,
                                 .judge = &shown->judge,
                                 .use = shown->calibration,
                                 .reason = turns + figures == 0
                                               ? NULL
                                               : report_refusal(shown, turns > 0) };
    for (size_t i = 0; i < IPR_REPORT_RATINGS && r.reason == NULL && turns > 0; i++)
        if (ipr_calibration_agent(&r.use->line, r.use->reference, ratings[i], &r.s[i], &r.c[i],
                                  NULL) != IPR_OK)
            r.reason = ipr_say_reason_likelihoods(IPR_REASON_LIKELIHOODS_SHORT_RANGE);
    if (r.reason != NULL || turns == 0)
        r.use = NULL;
    for (int i = 0; i < 2; i++)
        r.side[i].moves = ipr_arena_alloc(r.mem, turns + figures + 1, sizeof *r.side[i].moves);
    *out = r;
}

struct ipr_list_likelihood ipr_game_report_likelihoods(const struct ipr_game_report *r,
                                                       const struct ipr_judged_turn *t,
                                                       struct ipr_report_move *m)
{
    const struct ipr_turn turn = ipr_db_turn_of(t, 0, r->judge->multipv, r->mem);
    struct ipr_list_likelihood list = { NULL, 0 };
    size_t keep;

    if (r->use == NULL || ipr_window_select(&r->use->window, &turn, 1, &keep, NULL) == 0)
        return list;
    list.at = ipr_arena_alloc(r->mem, IPR_REPORT_RATINGS, sizeof *list.at);
    for (size_t i = 0; i < IPR_REPORT_RATINGS; i++) {
        struct ipr_choice c;

        if (ipr_choice(&r->use->params, &turn, r->s[i], r->c[i], &c, NULL) != IPR_OK)
            continue;
        list.at[list.n++] =
            (struct ipr_answer_likelihood){ (int64_t)ratings[i], c.played, c.as_good, c.loss };
        if (i == HARD_RATING && m != NULL) {
            m->as_good = c.as_good;
            m->hard = c.loss;
        }
    }
    return list;
}

/* ---- a move ---- */

struct ipr_answer_move ipr_game_move(const struct ipr_pos *pos, ipr_move move,
                                     struct ipr_arena *mem)
{
    char *const uci = ipr_arena_alloc(mem, IPR_UCI_MAX, 1);
    char *const san = ipr_arena_alloc(mem, IPR_SAN_MAX, 1);

    ipr_move_to_uci(pos, move, uci);
    ipr_san_write(pos, move, san);
    return (struct ipr_answer_move){ .uci = uci, .san = san };
}

const char *ipr_game_fen(const struct ipr_pos *pos, struct ipr_arena *mem)
{
    char *const fen = ipr_arena_alloc(mem, IPR_FEN_MAX, 1);

    ipr_pos_to_fen(pos, fen);
    return fen;
}

struct ipr_answer_mate *ipr_game_mate(bool mate, int moves, struct ipr_arena *mem)
{
    const struct ipr_answer_mate in = { moves };

    return mate ? ipr_shape_copy(IPR_SHAPE_MATE, &in, mem) : NULL;
}

struct ipr_answer_evaluated_move ipr_game_line(const struct ipr_pos *pos,
                                               const struct ipr_judged_turn *t, unsigned line,
                                               struct ipr_arena *mem)
{
    const int16_t score = ipr_judged_final(t, line);
    struct ipr_pos after = *pos;
    int moves = 0;
    const bool mate = ipr_score_is_mate(score, &moves);

    ipr_pos_play(&after, t->moves[line]);
    return (struct ipr_answer_evaluated_move){
        .move = ipr_game_move(pos, t->moves[line], mem),
        .score = { mate ? IPR_NO_COUNT : score, ipr_game_mate(mate, moves, mem) },
        .fen = ipr_game_fen(&after, mem),
    };
}

static struct ipr_list_evaluated_move
report_lines(const struct ipr_pos *pos, const struct ipr_judged_turn *t, struct ipr_arena *mem)
{
    struct ipr_list_evaluated_move list = { ipr_arena_alloc(mem, REPORT_LINES, sizeof *list.at),
                                            0 };

    for (unsigned i = 0; i < t->lines && i < REPORT_LINES; i++)
        list.at[list.n++] = ipr_game_line(pos, t, i, mem);
    return list;
}

struct ipr_move_cost ipr_move_cost_of(const struct ipr_pos *pos, const struct ipr_turn *turn)
{
    const struct ipr_judged of = ipr_judged(turn, IPR_PLAYED_PLACED);
    struct ipr_move_cost c = {
        .best_cp = of.best_cp,
        .played_cp = of.played_cp,
        .expected = ipr_points(of.best_cp),
        .expected_played = ipr_points(of.played_cp),
        .phase = pos == NULL ? IPR_PHASES
                             : ipr_phase_of(pos->fullmove, ipr_pos_pieces(pos, IPR_WHITE) +
                                                               ipr_pos_pieces(pos, IPR_BLACK))
    };

    c.lost = c.expected - c.expected_played;
    return c;
}

struct ipr_answer_move_cost ipr_move_cost_answer(const struct ipr_move_cost *c)
{
    return (struct ipr_answer_move_cost){ c->best_cp, c->played_cp, c->best_cp - c->played_cp,
                                          c->lost };
}

static void report_cost(const struct ipr_move_cost *c, struct ipr_answer_game_turn *out)
{
    out->loss = c->best_cp - c->played_cp;
    out->points_lost = c->lost;
    out->expected = c->expected;
    out->expected_played = c->expected_played;
    out->phase = ipr_phase_name(c->phase);
}

static void report_count(const struct ipr_move_cost *c, struct ipr_report_side *side)
{
    side->count[c->phase]++;
    side->pawns[c->phase] += (c->best_cp - c->played_cp) / 100.0;
    side->points[c->phase] += c->lost;
    side->accuracy += ipr_accuracy(c->best_cp, c->played_cp);
}

/* A single move is spoken of by the confirmed search; the sums of a side, as its rating, by that
 * of all moves. */
void ipr_game_report_add(struct ipr_game_report *r, const struct ipr_pos *pos, ipr_move move,
                         const struct ipr_judged_turn *t, const struct ipr_marked *marked,
                         struct ipr_answer_game_turn *turn)
{
    struct ipr_report_side *const side = &r->side[t->mover];
    const struct ipr_judged_turn *const shown = marked->by != NULL ? marked->by : t;
    const struct ipr_turn own = ipr_db_turn_of(t, 0, r->judge->multipv, r->mem);
    const struct ipr_turn said = ipr_db_turn_of(shown, 0, r->judge->multipv, r->mem);
    const struct ipr_move_cost cost = ipr_move_cost_of(pos, &said),
                               sum = ipr_move_cost_of(pos, &own);
    struct ipr_report_move m = { .ply = t->ply,
                                 .lost = cost.lost,
                                 .confirmed = marked->by != NULL,
                                 .as_good = NAN,
                                 .hard = NAN };

    m.san = ipr_game_move(pos, move, r->mem).san;
    if (turn != NULL) {
        report_cost(&cost, turn);
        turn->confirmed = m.confirmed;
        turn->mark = ipr_mark_name(marked->mark);
        turn->lines = report_lines(pos, shown, r->mem);
        turn->likelihoods = ipr_game_report_likelihoods(r, t, &m);
    }
    if (t->legal >= 2) {
        report_count(&sum, side);
        side->marks[marked->mark]++;
        side->moves[side->n++] = m;
    }
}

/* ---- a side ---- */

static int by_loss(const void *a, const void *b)
{
    const struct ipr_report_move *x = a, *y = b;

    return x->lost != y->lost ? (x->lost < y->lost) - (x->lost > y->lost) : x->ply - y->ply;
}

static int by_hardness(const void *a, const void *b)
{
    const struct ipr_report_move *x = a, *y = b;

    if (x->as_good != y->as_good)
        return x->as_good > y->as_good ? 1 : -1;
    return x->ply - y->ply;
}

/* Until the last move is confirmed the others are listed, too, as numbers. */
static struct ipr_list_costly_move report_costliest(const struct ipr_game_report *r,
                                                    const struct ipr_report_move *moves, size_t n)
{
    struct ipr_list_costly_move list = { ipr_arena_alloc(r->mem, REPORT_BEST, sizeof *list.at), 0 };

    for (size_t i = 0; i < n && list.n < REPORT_BEST && moves[i].lost >= COSTLY; i++)
        if (moves[i].confirmed || r->waits)
            list.at[list.n++] = (struct ipr_answer_costly_move){ (int64_t)moves[i].ply,
                                                                 moves[i].san, moves[i].lost };
    return list;
}

static struct ipr_list_hard_move report_hardest(const struct ipr_game_report *r,
                                                const struct ipr_report_move *moves, size_t n)
{
    struct ipr_list_hard_move list = { ipr_arena_alloc(r->mem, REPORT_BEST, sizeof *list.at), 0 };

    for (; list.n < n && list.n < REPORT_BEST; list.n++)
        list.at[list.n] =
            (struct ipr_answer_hard_move){ (int64_t)moves[list.n].ply, moves[list.n].san,
                                           moves[list.n].as_good, moves[list.n].hard };
    return list;
}

/* Those that lost nothing worth a word where a player of 2400 would lose something and most would
 * not find one as good. */
static size_t report_found(const struct ipr_report_side *side, struct ipr_report_move *found)
{
    size_t n = 0;

    for (size_t i = 0; i < side->n; i++)
        if (side->moves[i].hard >= HARD_POINTS && side->moves[i].as_good < HARD_SHARE &&
            side->moves[i].lost < IPR_MARK_FOUND_LOSS)
            found[n++] = side->moves[i];
    return n;
}

static struct ipr_list_phase_loss report_phases(const struct ipr_game_report *r,
                                                const struct ipr_report_side *side)
{
    struct ipr_list_phase_loss list = { ipr_arena_alloc(r->mem, IPR_PHASES, sizeof *list.at), 0 };

    for (enum ipr_phase p = 0; p < IPR_PHASES; p++)
        if (side->count[p] > 0)
            list.at[list.n++] =
                (struct ipr_answer_phase_loss){ ipr_phase_name(p), (int64_t)side->count[p],
                                                side->pawns[p] / (double)side->count[p],
                                                side->points[p] };
    return list;
}

static struct ipr_answer_game_side_report report_side(const struct ipr_game_report *r,
                                                      const struct ipr_report_side *side)
{
    struct ipr_report_move *const sorted = ipr_arena_alloc(r->mem, side->n + 1, sizeof *sorted);
    const double n = (double)side->n;
    double pawns = 0.0, points = 0.0;

    for (int p = 0; p < IPR_PHASES; p++) {
        pawns += side->pawns[p];
        points += side->points[p];
    }
    struct ipr_answer_game_side_report out = { .moves = (int64_t)side->n,
                                               .mean_loss = pawns / n,
                                               .points_lost = points,
                                               .accuracy = side->accuracy / n / 100.0,
                                               .inaccuracies =
                                                   (int64_t)side->marks[IPR_MARK_INACCURACY],
                                               .mistakes = (int64_t)side->marks[IPR_MARK_MISTAKE],
                                               .blunders = (int64_t)side->marks[IPR_MARK_BLUNDER],
                                               .phases = report_phases(r, side) };
    memcpy(sorted, side->moves, side->n * sizeof *sorted);
    qsort(sorted, side->n, sizeof *sorted, by_loss);
    out.costliest = report_costliest(r, sorted, side->n);
    const size_t found = report_found(side, sorted);
    qsort(sorted, found, sizeof *sorted, by_hardness);
    out.hardest = report_hardest(r, sorted, found);
    return out;
}

struct ipr_answer_game_sides ipr_game_report_sides(const struct ipr_game_report *r)
{
    return (struct ipr_answer_game_sides){ report_side(r, &r->side[IPR_WHITE]),
                                           report_side(r, &r->side[IPR_BLACK]) };
}
