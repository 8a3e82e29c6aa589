/* Moves of a set as rows of the answer. */
#include <math.h>

#include "view/evidence/positions.h"
#include "view/figure/figure.h"

static struct ipr_answer_evidence_game row_game(const struct ipr_db_evidence_game *g)
{
    return (struct ipr_answer_evidence_game){ .id = g->id,
                                              .white = ipr_named(g->white_id, g->white),
                                              .black = ipr_named(g->black_id, g->black),
                                              .event = g->event,
                                              .round = g->round,
                                              .date = g->date,
                                              .year = g->year,
                                              .result = ipr_result_text(g->result) };
}

static struct ipr_answer_evaluated_move *row_line(const struct ipr_pos *pos,
                                                  const struct ipr_judged_turn *t, unsigned line,
                                                  struct ipr_arena *mem)
{
    const struct ipr_answer_evaluated_move out = ipr_game_line(pos, t, line, mem);

    return ipr_shape_copy(IPR_SHAPE_EVALUATED_MOVE, &out, mem);
}

/* Position and moves. Of an analysis of which only figures are stored the move played alone is
 * known. */
static void row_board(const struct ipr_db_evidence_game *g, const struct ipr_evidence_move *m,
                      struct ipr_arena *mem, struct ipr_answer_evidence_move *row)
{
    const struct ipr_pos pos = ipr_position_before(g, m->turn->ply);
    const int16_t score = m->cost.played_cp;
    const struct ipr_judged_turn as_played = { .ply = m->turn->ply,
                                               .depth = 1,
                                               .lines = 1,
                                               .moves = &g->moves[m->turn->ply],
                                               .score = &score };

    row->fen = ipr_game_fen(&pos, mem);
    if (m->turn->moves == NULL) {
        row->played = row_line(&pos, &as_played, 0, mem);
        return;
    }
    row->best = row_line(&pos, m->turn, 0, mem);
    row->played = row_line(&pos, m->turn, m->turn->played, mem);
}

static void row_strength(const struct ipr_evidence_set *set, const struct ipr_evidence_move *m,
                         struct ipr_answer_evidence_move *row)
{
    struct ipr_evidence_person rest = *ipr_evidence_person_of(set, m);
    const struct ipr_move_strength *const s = &m->strength;

    row->score = ipr_number_if(s->counts, (double)s->score / IPR_STRENGTH_UNIT);
    row->information = ipr_number_if(s->counts, (double)s->information / IPR_STRENGTH_UNIT);
    row->part = ipr_evidence_part(set, m);
    row->effect = m->effect;
    ipr_evidence_subtract(&rest, m);
    row->rating_without = ipr_number_if(!isnan(m->effect), ipr_evidence_rating(&rest));
}

static void row_move(const struct ipr_evidence_set *set, const struct ipr_evidence_move *m,
                     double all_lost, struct ipr_arena *mem, struct ipr_answer_evidence_move *row)
{
    const struct ipr_db_evidence_game *const g = &set->games[m->game];
    const bool white = m->turn->mover == IPR_WHITE;

    row->move_cost = ipr_move_cost_answer(&m->cost);
    row->game = row_game(g);
    row->player = white ? row->game.white : row->game.black;
    row->opponent = white ? row->game.black : row->game.white;
    row->mover = white ? "w" : "b";
    row->ply = m->turn->ply;
    row->number = ipr_pos_number(&g->start, m->turn->ply);
    if (m->turn->ply < g->n_moves)
        row_board(g, m, mem, row);
    if (m->cost.phase != IPR_PHASES)
        row->phase = ipr_phase_name(m->cost.phase);
    row->mark = ipr_mark_name(m->mark);
    row->share = ipr_number_if(all_lost > 0, m->cost.lost / all_lost);
    row->clock_ms = m->clock_ms;
    row_strength(set, m, row);
}

static void row_likelihoods(struct ipr_game_report *report, const struct ipr_judged_turn *wide,
                            struct ipr_answer_evidence_move *row)
{
    const bool known = wide != NULL && ipr_setting_is_wide(report->judge);

    if (known)
        row->likelihoods = ipr_game_report_likelihoods(report, wide, NULL);
    if (row->likelihoods.at != NULL)
        return;
    row->likelihoods_reason = "decided or repeated";
    if (!known)
        row->likelihoods_reason = "too few lines";
    else if (report->reason != NULL)
        row->likelihoods_reason = "not calibrated";
}

/* The evaluations by the wide setting of the games that the rows are from, by index of the game. */
static enum ipr_code rows_wide(const struct ipr_view_context *wide,
                               const struct ipr_evidence_set *set,
                               struct ipr_evidence_move *const *at, size_t n,
                               struct ipr_judged_game **out, struct ipr_err *err)
{
    struct ipr_arena *const mem = wide->v->mem;
    enum ipr_code rc = IPR_OK;

    *out = ipr_arena_alloc(mem, set->n_games + 1, sizeof **out);
    for (size_t i = 0; rc == IPR_OK && i < n && wide->judge_id != 0; i++) {
        struct ipr_judged_game *const of = &(*out)[at[i]->game];

        if (of->turns == NULL)
            rc = ipr_db_game_turns(wide->v->db, wide->judge_id, set->games[at[i]->game].id, mem, of,
                                   err);
    }
    return rc;
}

enum ipr_code ipr_evidence_rows(const struct ipr_view_context *wide,
                                const struct ipr_evidence_set *set,
                                struct ipr_evidence_move *const *at, size_t n, double all_lost,
                                struct ipr_list_evidence_move *rows, struct ipr_err *err)
{
    struct ipr_judged_game *judged = NULL;
    struct ipr_game_report report;
    const enum ipr_code rc = rows_wide(wide, set, at, n, &judged, err);

    ipr_game_report_init(wide, n, 0, &report);
    rows->at = ipr_shape_list(IPR_SHAPE_EVIDENCE_MOVE, n, wide->v->mem);
    for (; rc == IPR_OK && rows->n < n; rows->n++) {
        const struct ipr_evidence_move *const m = at[rows->n];

        row_move(set, m, all_lost, wide->v->mem, &rows->at[rows->n]);
        row_likelihoods(&report, ipr_judged_turn_at(&judged[m->game], m->turn->ply),
                        &rows->at[rows->n]);
    }
    return rc;
}
