/* Moves of a set as rows of the answer. */
#include <math.h>
#include <string.h>

#include "chess/san.h"
#include "view/evidence/evidence.h"
#include "view/json.h"

static json_t *row_game(const struct ipr_db_evidence_game *g)
{
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "id", (json_int_t)g->id, "white",
                     ipr_json_player(g->white_id, g->white), "black",
                     ipr_json_player(g->black_id, g->black), "event", ipr_json_text(g->event),
                     "round", ipr_json_text(g->round), "date", ipr_json_text(g->date), "year",
                     ipr_json_known(g->year), "result", ipr_result_text(g->result));
}

static struct ipr_pos row_position(const struct ipr_db_evidence_game *g, unsigned ply)
{
    struct ipr_pos pos = g->start;

    for (unsigned i = 0; i < ply; i++)
        ipr_pos_play(&pos, g->moves[i]);
    return pos;
}

/* The move played, of whose analysis only figures are stored; null without the game's moves. */
static json_t *row_played(const struct ipr_db_evidence_game *g, const struct ipr_evidence_move *m,
                          const struct ipr_pos *pos)
{
    const int16_t score = m->cost.played_cp;
    const struct ipr_judged_turn as_played = { .ply = m->turn->ply,
                                               .depth = 1,
                                               .lines = 1,
                                               .moves = &g->moves[m->turn->ply],
                                               .score = &score };

    return pos == NULL ? json_null() : ipr_game_line(pos, &as_played, 0);
}

/* Position and moves; `pos`: NULL where the game's moves are not stored. */
static void row_board(const struct ipr_db_evidence_game *g, const struct ipr_evidence_move *m,
                      const struct ipr_pos *pos, json_t *row)
{
    const bool lines = m->turn->moves != NULL;
    char fen[IPR_FEN_MAX] = "";

    if (pos != NULL)
        ipr_pos_to_fen(pos, fen);
    json_object_set_new(row, "fen", ipr_json_text(fen));
    json_object_set_new(row, "best", lines ? ipr_game_line(pos, m->turn, 0) : json_null());
    json_object_set_new(row, "played",
                        lines ? ipr_game_line(pos, m->turn, m->turn->played)
                              : row_played(g, m, pos));
}

static void row_cost(const struct ipr_evidence_move *m, double all_lost, json_t *row)
{
    const struct ipr_move_cost *const c = &m->cost;

    json_object_set_new(
        row, "phase", c->phase == IPR_PHASES ? json_null() : json_string(ipr_phase_name(c->phase)));
    ipr_move_cost_put(c, row);
    json_object_set_new(row, "mark", ipr_json_text(ipr_mark_name(m->mark)));
    json_object_set_new(row, "share",
                        all_lost > 0 ? ipr_json_num(c->lost / all_lost) : json_null());
    json_object_set_new(row, "clock_ms",
                        m->clock_ms < 0 ? json_null() : json_integer((json_int_t)m->clock_ms));
}

static void row_strength(const struct ipr_evidence_set *set, const struct ipr_evidence_move *m,
                         json_t *row)
{
    const struct ipr_evidence_person *const who = ipr_evidence_person_of(set, m);
    const struct ipr_move_strength *const s = &m->strength;

    json_object_set_new(
        row, "score", s->counts ? ipr_json_num((double)s->score / IPR_STRENGTH_UNIT) : json_null());
    json_object_set_new(row, "information",
                        s->counts ? ipr_json_num((double)s->information / IPR_STRENGTH_UNIT)
                                  : json_null());
    json_object_set_new(row, "part", ipr_json_num(ipr_evidence_part(set, m)));
    json_object_set_new(row, "effect", isnan(m->effect) ? json_null() : ipr_json_num(m->effect));
    struct ipr_evidence_person rest = *who;

    ipr_evidence_subtract(&rest, m);
    json_object_set_new(row, "rating_without",
                        isnan(m->effect) ? json_null() : ipr_json_num(ipr_evidence_rating(&rest)));
}

static json_t *row_move(const struct ipr_evidence_set *set, const struct ipr_evidence_move *m,
                        const struct ipr_pos *pos, double all_lost)
{
    const struct ipr_db_evidence_game *const g = &set->games[m->game];
    const bool white = m->turn->mover == IPR_WHITE;
    json_t *row = json_object();

    json_object_set_new(row, "game", row_game(g));
    json_object_set_new(row, "player",
                        white ? ipr_json_player(g->white_id, g->white)
                              : ipr_json_player(g->black_id, g->black));
    json_object_set_new(row, "opponent",
                        white ? ipr_json_player(g->black_id, g->black)
                              : ipr_json_player(g->white_id, g->white));
    json_object_set_new(row, "mover", json_string(white ? "w" : "b"));
    json_object_set_new(row, "ply", json_integer(m->turn->ply));
    json_object_set_new(row, "number", json_integer(ipr_pos_number(&g->start, m->turn->ply)));
    row_board(g, m, pos, row);
    row_cost(m, all_lost, row);
    row_strength(set, m, row);
    return row;
}

/* Why a move has no likelihoods. */
static const char row_few_lines[] = "too few lines";
static const char row_uncalibrated[] = "not calibrated";
static const char row_beyond[] = "decided or repeated";

static void row_likelihoods(struct ipr_game_report *report, const struct ipr_judged_turn *wide,
                            json_t *row)
{
    const bool known = wide != NULL && ipr_setting_is_wide(report->judge);
    json_t *const likelihoods =
        known ? ipr_game_report_likelihoods(report, wide, NULL) : json_null();
    const char *reason = row_beyond;

    if (!known)
        reason = row_few_lines;
    else if (report->reason != NULL)
        reason = row_uncalibrated;
    json_object_set_new(row, "likelihoods_reason",
                        json_is_array(likelihoods) ? json_null() : json_string(reason));
    json_object_set_new(row, "likelihoods", likelihoods);
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
                                json_t *rows, struct ipr_err *err)
{
    struct ipr_judged_game *judged = NULL;
    struct ipr_game_report report;
    const enum ipr_code rc = rows_wide(wide, set, at, n, &judged, err);

    ipr_game_report_init(wide, n, 0, &report);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        const unsigned ply = at[i]->turn->ply;
        const struct ipr_db_evidence_game *const g = &set->games[at[i]->game];
        const bool placed = ply < g->n_moves;
        const struct ipr_pos pos = row_position(g, placed ? ply : 0);
        json_t *row = row_move(set, at[i], placed ? &pos : NULL, all_lost);

        const struct ipr_judged_turn *const by = ipr_judged_turn_at(&judged[at[i]->game], ply);

        row_likelihoods(&report, by, row);
        json_array_append_new(rows, row);
    }
    return rc;
}
