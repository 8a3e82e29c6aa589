/* One game: data of the file, the state by the rules, the evaluations of judges. */
#include "view/game/game.h"

#include "chess/san.h"
#include "chess/state.h"
#include "core/judge_json.h"
#include "core/openings.h"
#include "db/confirmations.h"
#include "db/endgames.h"
#include "db/provenance.h"
#include "db/turns.h"
#include "resource/read.h"
#include "view/context.h"
#include "view/game/report.h"
#include "view/json.h"
#include "view/rating/rate.h"
#include "view/rows.h"

/* Data of the file */

static const char *str_text(struct ipr_str s, struct ipr_arena *mem)
{
    return ipr_arena_strndup(mem, s.p, s.n);
}

static struct ipr_map_text tags_map(const struct ipr_stored_game *g, struct ipr_arena *mem)
{
    struct ipr_map_text tags = { ipr_arena_alloc(mem, g->n_tags + 1, sizeof *tags.at), g->n_tags };

    for (size_t i = 0; i < g->n_tags; i++)
        tags.at[i] = (struct ipr_in_map_text){ str_text(g->tags[i].name, mem),
                                               str_text(g->tags[i].value, mem) };
    return tags;
}

static int64_t known_count(int64_t v)
{
    return v == IPR_NOTE_UNKNOWN ? IPR_NULL_COUNT : v;
}

static struct ipr_answer_note_search *
note_search(const struct ipr_pos *before, const struct ipr_note_search *s, struct ipr_arena *mem)
{
    const struct ipr_answer_note_search out = {
        .move = ipr_game_move(before, s->move, mem),
        .value = s->value,
        .depth = s->depth,
        .seldepth = known_count(s->seldepth),
        .tbhits = known_count(s->tbhits),
        .time_ms = known_count(s->time_ms),
        .dmean = known_count(s->dmean),
        .dmax = known_count(s->dmax),
        .ddmax = known_count(s->ddmax),
    };

    return ipr_shape_copy(IPR_SHAPE_NOTE_SEARCH, &out, mem);
}

/* `before`: the position before the move that the note is about. */
static void note_fill(const struct ipr_pgn_note *n, const struct ipr_pos *before,
                      struct ipr_arena *mem, struct ipr_answer_game_note *out)
{
    out->ply = (int64_t)n->ply;
    switch (n->kind) {
    case IPR_NOTE_NAG:
        out->nag = n->nag;
        break;
    case IPR_NOTE_COMMENT:
        out->comment = str_text(n->text, mem);
        break;
    case IPR_NOTE_EVAL:
        out->eval_white.count = n->mate ? IPR_NO_COUNT : n->value;
        out->eval_white.mate = ipr_game_mate(n->mate, n->value, mem);
        out->depth = n->depth != 0 ? n->depth : IPR_NULL_COUNT;
        break;
    case IPR_NOTE_CLK:
        out->clock_ms = n->ms;
        break;
    case IPR_NOTE_EMT:
        out->elapsed_ms = n->ms;
        break;
    case IPR_NOTE_SEARCH:
        out->search = note_search(before, &n->search, mem);
        break;
    }
}

/* State by the rules */

/* Positions without a special state, which are most, are left out. */
static void add_states(const struct ipr_stored_game *g, struct ipr_arena *mem,
                       struct ipr_answer_game_record *out)
{
    const size_t n = g->row.n_moves + 1;
    struct ipr_state *const states = ipr_arena_alloc(mem, n, sizeof *states);

    ipr_game_states(&g->row.start, g->row.moves, g->row.n_moves, states);
    out->states.at = ipr_arena_alloc(mem, n, sizeof *out->states.at);
    for (size_t i = 0; i < n; i++) {
        const struct ipr_state *const s = &states[i];

        if (*ipr_state_name(s) != '\0' || s->check || s->repetitions >= 2)
            out->states.at[out->states.n++] =
                (struct ipr_answer_game_state){ (int64_t)i, ipr_state_name(s), s->check,
                                                s->repetitions, s->halfmove };
    }
    out->final_state = ipr_state_name(&states[n - 1]);
}

/* Evaluations of judges */

static void game_turn_fill(const struct ipr_pos *pos, const struct ipr_judged_turn *t,
                           struct ipr_arena *mem, struct ipr_answer_game_turn *out)
{
    bool mate;
    int32_t value;
    const bool evaluated = ipr_eval_after(t, &mate, &value);

    out->ply = t->ply;
    out->mover = ipr_colour_letter(t->mover);
    out->depth = t->depth;
    out->legal = t->legal;
    out->nodes = (int64_t)t->nodes;
    out->repeated = t->repeated;
    out->best = ipr_game_line(pos, t, 0, mem);
    out->played = ipr_game_line(pos, t, t->played, mem);
    out->rank = t->played + 1;
    if (evaluated && !mate)
        out->eval_white.count = value;
    out->eval_white.mate = ipr_game_mate(evaluated && mate, value, mem);
}

/* Replays the game, for members that need the position at a move. */
struct walk {
    const struct ipr_stored_game *game;
    const struct ipr_judged_game *judged[2]; /* with lines, and figures alone */
    const struct ipr_marked *marked;
    struct ipr_game_report *report;
    size_t turn[2];
    struct ipr_answer_game_record *out;
};

static void walk_notes(struct walk *w, size_t ply, const struct ipr_pos *before)
{
    const struct ipr_stored_game *const g = w->game;
    struct ipr_list_game_note *const notes = &w->out->notes;

    for (; notes->n < g->n_notes && g->notes[notes->n].ply <= ply; notes->n++)
        note_fill(&g->notes[notes->n], before, w->report->mem, &notes->at[notes->n]);
}

/* A move of which only figures are stored is a turn once it is confirmed. */
static void walk_turn(struct walk *w, const struct ipr_pos *pos, const struct ipr_judged_turn *t)
{
    const struct ipr_marked *const m = &w->marked[t->ply];
    const struct ipr_judged_turn *const said = m->by != NULL ? m->by : t;
    struct ipr_answer_game_turn *const turn =
        said->moves != NULL ? &w->out->turns.at[w->out->turns.n++] : NULL;

    if (turn != NULL)
        game_turn_fill(pos, said, w->report->mem, turn);
    ipr_game_report_add(w->report, pos, w->game->row.moves[t->ply], t, m, turn);
}

static void walk_move(struct walk *w, size_t ply, const struct ipr_pos *pos)
{
    const ipr_move move = w->game->row.moves[ply];
    struct ipr_pos after = *pos;

    ipr_pos_play(&after, move);
    w->out->moves.at[ply] =
        (struct ipr_answer_played_move){ .move = ipr_game_move(pos, move, w->report->mem),
                                         .ply = (int64_t)ply,
                                         .number = pos->fullmove,
                                         .mover = ipr_colour_letter(pos->turn),
                                         .fen = ipr_game_fen(&after, w->report->mem) };
    for (size_t i = 0; i < 2; i++)
        for (; w->turn[i] < w->judged[i]->n && w->judged[i]->turns[w->turn[i]].ply <= ply;
             w->turn[i]++)
            walk_turn(w, pos, &w->judged[i]->turns[w->turn[i]]);
}

/* Analysed moves of which only figures are stored; where the game's moves are, they have names. */
static void add_game_figures(const struct ipr_stored_game *g, const struct ipr_judged_game *figures,
                             unsigned multipv, struct ipr_arena *mem,
                             struct ipr_list_game_figure *out)
{
    struct ipr_pos pos = g->row.start;
    size_t ply = 0;

    out->at = ipr_shape_list(IPR_SHAPE_GAME_FIGURE, figures->n, mem);
    for (size_t i = 0; i < figures->n; i++) {
        const struct ipr_judged_turn *const t = &figures->turns[i];
        const bool placed = t->ply < g->row.n_moves;

        for (; placed && ply < t->ply; ply++)
            ipr_pos_play(&pos, g->row.moves[ply]);
        if (t->legal < 2)
            continue;
        const struct ipr_turn turn = ipr_db_turn_of(t, g->row.year, multipv, mem);
        const struct ipr_move_cost cost = ipr_move_cost_of(placed ? &pos : NULL, &turn);
        out->at[out->n++] = (struct ipr_answer_game_figure){
            .move_cost = ipr_move_cost_answer(&cost),
            .ply = t->ply,
            .number = ipr_pos_number(&g->row.start, t->ply),
            .mover = ipr_colour_letter(t->mover),
            .san = placed ? ipr_game_move(&pos, g->row.moves[t->ply], mem).san : NULL,
        };
    }
}

/* Where the game turned, and the position that is shown: the requested one, else that after the
 * game had turned, else that after its first move. */
static void add_position(const struct ipr_stored_game *g, const struct ipr_marked *marked, int ply,
                         struct ipr_arena *mem, struct ipr_answer_game_record *out)
{
    const struct ipr_turning turning =
        ipr_marked_turning(marked, g->row.n_moves, g->row.start.turn, g->row.result);
    const struct ipr_answer_game_turning turned = { turning.kind == IPR_TURNING_AT_MOVE ? "move"
                                                                                        : "decline",
                                                    (int64_t)turning.from, (int64_t)turning.to };
    size_t shown = turning.kind != IPR_TURNING_NONE ? turning.to + 1 : g->row.n_moves > 0;
    struct ipr_pos pos = g->row.start;

    if (ply != IPR_PARAM_ABSENT)
        shown = (size_t)ply;
    for (size_t i = 0; i < shown; i++)
        ipr_pos_play(&pos, g->row.moves[i]);
    if (turning.kind != IPR_TURNING_NONE)
        out->turning = ipr_shape_copy(IPR_SHAPE_GAME_TURNING, &turned, mem);
    out->position = (struct ipr_answer_game_position){ (int64_t)shown, ipr_game_fen(&pos, mem),
                                                       ipr_pos_in_check(&pos) };
}

static void add_play(struct walk *w, struct ipr_answer_game_record *out)
{
    const struct ipr_db_game *const row = &w->game->row;
    struct ipr_arena *const mem = w->report->mem;
    struct ipr_pos pos = row->start;

    out->moves.at = ipr_arena_alloc(mem, row->n_moves + 1, sizeof *out->moves.at);
    out->turns.at = ipr_shape_list(IPR_SHAPE_GAME_TURN, w->judged[0]->n + w->judged[1]->n, mem);
    out->notes.at = ipr_shape_list(IPR_SHAPE_GAME_NOTE, w->game->n_notes, mem);
    out->white_expected.at = ipr_arena_alloc(mem, row->n_moves + 1, sizeof(double));
    walk_notes(w, 0, &pos);
    for (; out->moves.n < row->n_moves; out->moves.n++) {
        const struct ipr_pos before = pos;

        walk_move(w, out->moves.n, &pos);
        ipr_pos_play(&pos, row->moves[out->moves.n]);
        walk_notes(w, out->moves.n + 1, &before);
    }
    for (; out->white_expected.n <= row->n_moves; out->white_expected.n++)
        out->white_expected.at[out->white_expected.n] = w->marked[out->white_expected.n].white;
}

/* Tablebase values */

static int64_t dtz_count(int16_t dtz)
{
    return dtz != 0 ? dtz : IPR_NO_COUNT;
}

static enum ipr_code add_endgame(const struct ipr_view *v, int64_t id,
                                 struct ipr_list_endgame_move *out, struct ipr_err *err)
{
    static const char *const values[] = { "loss", "blessed_loss", "draw", "cursed_win", "win" };
    struct ipr_db_endgame_turn *rows = NULL;
    size_t n = 0;
    const enum ipr_code rc = ipr_db_endgame_of(v->db, id, v->mem, &rows, &n, err);

    out->at = ipr_arena_alloc(v->mem, n + 1, sizeof *out->at);
    for (; rc == IPR_OK && out->n < n; out->n++) {
        const struct ipr_db_endgame_turn *const r = &rows[out->n];

        out->at[out->n] = (struct ipr_answer_endgame_move){ r->ply,
                                                            ipr_colour_letter(r->mover),
                                                            r->men,
                                                            values[r->before + 2],
                                                            values[r->after + 2],
                                                            dtz_count(r->dtz_before),
                                                            dtz_count(r->dtz_after) };
    }
    return rc;
}

/* Sources of the game */

static enum ipr_code add_judgements(const struct ipr_view *v, const struct ipr_db_judgement *rows,
                                    size_t n, struct ipr_list_game_analysis *out,
                                    struct ipr_err *err)
{
    struct ipr_judge *const judges = ipr_arena_alloc(v->mem, n + 1, sizeof *judges);
    enum ipr_code rc = IPR_OK;

    out->at = ipr_arena_alloc(v->mem, n + 1, sizeof *out->at);
    for (; rc == IPR_OK && out->n < n; out->n++) {
        const struct ipr_db_judgement *const j = &rows[out->n];

        rc = ipr_db_judge_get(v->db, j->judge_id, &judges[out->n], err);
        if (rc == IPR_OK)
            out->at[out->n] = (struct ipr_answer_game_analysis){
                .judge = *ipr_view_judge_of(&judges[out->n], j->judge_id, v->mem),
                .mover = ipr_colour_letter(j->colour),
                .turns = j->turns,
                .lines = j->lines,
                .source = j->source,
                .finished = j->finished,
            };
    }
    return rc;
}

/* Ratings that the moves give the players */

static enum ipr_code add_ratings(const struct ipr_view_context *c, int64_t id,
                                 struct ipr_answer_side_ratings *out, struct ipr_err *err)
{
    struct ipr_db_player_strength *rows = NULL;
    struct ipr_db_strength sums[2] = { { 0 }, { 0 } };
    size_t n = 0;
    const enum ipr_code rc = ipr_db_strength_of_game(c->v->db, id, c->v->mem, &rows, &n, err);

    for (size_t i = 0; i < n; i++)
        sums[rows[i].colour] = rows[i].sums;
    *out = (struct ipr_answer_side_ratings){ ipr_strength_figure(c, &sums[0]),
                                             ipr_strength_figure(c, &sums[1]) };
    return rc;
}

/* The whole */

static void add_heading(const struct ipr_stored_game *g, struct ipr_arena *mem,
                        struct ipr_answer_game_record *out)
{
    const struct ipr_db_game *const row = &g->row;

    out->id = row->id;
    out->white.named = ipr_named(row->white_id, row->white);
    out->white.elo = row->white_elo;
    out->black.named = ipr_named(row->black_id, row->black);
    out->black.elo = row->black_elo;
    out->result = ipr_result_text(row->result);
    out->event = row->event;
    out->event_id = row->event_id;
    out->site = row->site;
    out->round = row->round;
    out->date = row->date;
    out->year = row->year;
    out->time_class = ipr_time_class_name(row->time_class);
    out->time_class_known = ipr_time_known_name(row->time_known);
    out->opening = ipr_opening_name(ipr_opening_of(ipr_pgn_tag_find(g->tags, g->n_tags, "ECO"),
                                                   &row->start, row->moves, row->n_moves));
    out->tags = tags_map(g, mem);
    out->start_fen = row->custom_start ? ipr_game_fen(&row->start, mem) : NULL;
    out->plies = (int64_t)row->plies;
    out->moves_stored = row->n_moves == row->plies;
}

/* The evaluations shown: the context's, or those that count with them; where there are none and no
 * setting was requested those there are. */
static enum ipr_code game_judge(const struct ipr_view_context *c, int64_t game, bool requested,
                                const struct ipr_db_judgement *rows, size_t n,
                                struct ipr_view_context *out, struct ipr_err *err)
{
    bool found = false;

    *out = *c;
    const enum ipr_code rc =
        ipr_db_judge_of_game(c->v->db, game, c->judge_id, &found, &out->judge_id, &out->judge, err);
    if (rc != IPR_OK || found || requested || n == 0)
        return rc;
    out->judge_id = rows[0].judge_id;
    return ipr_db_judge_get(c->v->db, out->judge_id, &out->judge, err);
}

enum ipr_code ipr_fill_game(const struct ipr_view_context *c, const struct ipr_game_request *p,
                            struct ipr_answer_game_record *out, struct ipr_err *err)
{
    const struct ipr_view *const v = c->v;
    struct ipr_judged_game judged = { NULL, 0 }, figures = { NULL, 0 };
    struct ipr_db_judgement *rows = NULL;
    struct ipr_view_context *const shown = ipr_arena_alloc(v->mem, 1, sizeof *shown);
    struct ipr_game_report report;
    struct ipr_marked *marked = NULL;
    struct ipr_stored_game g;
    struct ipr_db_game_upload *sources = NULL;
    size_t n = 0, waiting = 0;
    bool follow = false;
    enum ipr_code rc = ipr_stored_game_get(v->db, p->game, v->mem, &g, err);

    if (rc == IPR_OK && p->ply != IPR_PARAM_ABSENT && (size_t)p->ply > g.row.n_moves)
        rc = ipr_param_refuse(err, "ply", ipr_arena_printf(v->mem, "%d", p->ply),
                              "at most %zu, the half-moves stored", g.row.n_moves);
    if (rc == IPR_OK)
        rc = ipr_db_game_judgements(v->db, p->game, v->mem, &rows, &n, err);
    if (rc == IPR_OK)
        rc = game_judge(c, p->game, p->judge != NULL, rows, n, shown, err);
    if (rc == IPR_OK && shown->judge_id != 0)
        rc = ipr_db_game_turns_or_figures(v->db, shown->judge_id, p->game, v->mem, &judged,
                                          &figures, err);
    if (rc == IPR_OK)
        rc = ipr_db_marked(v->db, &g.row, &judged, v->mem, &marked, &waiting, err);
    if (rc == IPR_OK && v->config->confirm_nodes > 0)
        rc = ipr_db_confirm_follows(v->db, p->game, &follow, err);
    if (rc != IPR_OK)
        return rc;
    ipr_game_report_init(shown, judged.n, figures.n, &report);
    report.waits = waiting > 0;
    struct walk w = { &g, { &judged, &figures }, marked, &report, { 0, 0 }, out };
    add_heading(&g, v->mem, out);
    add_states(&g, v->mem, out);
    out->judge = ipr_view_context_setting(shown);
    out->unconfirmed = (int64_t)waiting;
    out->marks_follow = waiting > 0 && follow;
    add_play(&w, out);
    add_game_figures(&g, &figures, shown->judge.multipv, v->mem, &out->figures);
    out->sides = ipr_game_report_sides(&report);
    out->likelihood_reason = report.reason;
    add_position(&g, marked, p->ply, v->mem, out);
    rc = add_ratings(c, p->game, &out->ratings, err);
    if (rc == IPR_OK)
        rc = add_endgame(v, p->game, &out->endgame, err);
    if (rc == IPR_OK)
        rc = add_judgements(v, rows, n, &out->judged_by, err);
    if (rc == IPR_OK)
        rc = ipr_db_game_uploads(v->db, p->game, v->mem, &sources, &out->sources.n, err);
    out->sources.at = sources;
    return rc;
}

enum ipr_code ipr_view_game_pgn(const struct ipr_view *v, const struct ipr_game_request *p,
                                struct ipr_buf *out, struct ipr_err *err)
{
    static const enum ipr_pgn_form forms[] = { [IPR_GAME_FORM_PLAIN] = IPR_PGN_PLAIN,
                                               [IPR_GAME_FORM_NOTES] = IPR_PGN_NOTES,
                                               [IPR_GAME_FORM_ALLIOT] = IPR_PGN_ALLIOT };
    struct ipr_view_context c;

    if (p->evals && p->form != IPR_GAME_FORM_NOTES)
        return ipr_param_refuse(err, "evals", "true", "only with form=notes");
    enum ipr_code rc = ipr_setting_for(v, IPR_FOR_LINES,
                                       &(struct ipr_setting_scope){ .judge = p->judge }, &c, err);
    if (rc != IPR_OK)
        return rc;
    const struct ipr_game_pgn how = {
        .form = forms[p->form], .evals = p->evals, .judge_id = c.judge_id, .judge = c.judge
    };
    rc = ipr_game_pgn(v->db, p->game, &how, v->mem, out, err);
    ipr_view_context_close(&c);
    return rc;
}
