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

static json_t *str_json(struct ipr_str s)
{
    return json_stringn(s.p, s.n);
}

static json_t *tags_json(const struct ipr_stored_game *g)
{
    json_t *tags = json_object();

    for (size_t i = 0; i < g->n_tags; i++)
        json_object_setn_new(tags, g->tags[i].name.p, g->tags[i].name.n,
                             str_json(g->tags[i].value));
    return tags;
}

static json_t *known_json(int64_t v)
{
    return v == IPR_NOTE_UNKNOWN ? json_null() : json_integer((json_int_t)v);
}

static json_t *search_json(const struct ipr_pos *before, const struct ipr_note_search *s)
{
    char san[IPR_SAN_MAX], uci[IPR_UCI_MAX];

    ipr_san_write(before, s->move, san);
    ipr_move_to_uci(before, s->move, uci);
    return json_pack("{s:s, s:s, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "uci", uci, "san", san,
                     "value", (int)s->value, "depth", (int)s->depth, "seldepth",
                     known_json(s->seldepth), "tbhits", known_json(s->tbhits), "time_ms",
                     known_json(s->time_ms), "dmean", known_json(s->dmean), "dmax",
                     known_json(s->dmax), "ddmax", known_json(s->ddmax));
}

static json_t *score_json(bool mate, int value)
{
    return mate ? json_pack("{s:i}", "mate", value) : json_integer(value);
}

/* `before`: the position before the move that the note is about. */
static json_t *note_json(const struct ipr_pgn_note *n, const struct ipr_pos *before)
{
    json_t *out = json_pack("{s:I}", "ply", (json_int_t)n->ply);

    switch (n->kind) {
    case IPR_NOTE_NAG:
        json_object_set_new(out, "nag", json_integer(n->nag));
        break;
    case IPR_NOTE_COMMENT:
        json_object_set_new(out, "comment", str_json(n->text));
        break;
    case IPR_NOTE_EVAL:
        json_object_set_new(out, "eval_white", score_json(n->mate, n->value));
        json_object_set_new(out, "depth", ipr_json_known(n->depth));
        break;
    case IPR_NOTE_CLK:
        json_object_set_new(out, "clock_ms", json_integer(n->ms));
        break;
    case IPR_NOTE_EMT:
        json_object_set_new(out, "elapsed_ms", json_integer(n->ms));
        break;
    case IPR_NOTE_SEARCH:
        json_object_set_new(out, "search", search_json(before, &n->search));
        break;
    }
    return out;
}

/* State by the rules */

/* Positions without a special state, which are most, are left out. */
static json_t *states_json(const struct ipr_state *states, size_t n_moves)
{
    json_t *list = json_array();

    for (size_t i = 0; i <= n_moves; i++) {
        const struct ipr_state *const s = &states[i];
        const char *const name = ipr_state_name(s);

        if (*name == '\0' && !s->check && s->repetitions < 2)
            continue;
        json_array_append_new(list,
                              json_pack("{s:I, s:o, s:b, s:i, s:i}", "ply", (json_int_t)i, "state",
                                        ipr_json_text(name), "check", s->check, "repetitions",
                                        (int)s->repetitions, "halfmove", (int)s->halfmove));
    }
    return list;
}

/* Evaluations of judges */

static json_t *turn_json(const struct ipr_pos *pos, const struct ipr_judged_turn *t)
{
    bool mate;
    int32_t value;
    const bool evaluated = ipr_eval_after(t, &mate, &value);

    return json_pack("{s:i, s:s, s:i, s:i, s:I, s:b, s:o, s:o, s:i, s:o}", "ply", (int)t->ply,
                     "mover", ipr_colour_letter(t->mover), "depth", (int)t->depth, "legal",
                     (int)t->legal, "nodes", (json_int_t)t->nodes, "repeated", t->repeated, "best",
                     ipr_game_line(pos, t, 0), "played", ipr_game_line(pos, t, t->played), "rank",
                     (int)t->played + 1, "eval_white",
                     evaluated ? score_json(mate, (int)value) : json_null());
}

/* Replays the game, for members that need the position at a move. */
struct walk {
    const struct ipr_stored_game *game;
    const struct ipr_judged_game *judged[2]; /* with lines, and figures alone */
    const struct ipr_marked *marked;
    struct ipr_game_report *report;
    size_t turn[2], note;
    json_t *moves, *turns, *notes;
};

static void walk_notes(struct walk *w, size_t ply, const struct ipr_pos *before)
{
    const struct ipr_stored_game *const g = w->game;

    for (; w->note < g->n_notes && g->notes[w->note].ply <= ply; w->note++)
        json_array_append_new(w->notes, note_json(&g->notes[w->note], before));
}

static json_t *fen_json(const struct ipr_pos *pos)
{
    char fen[IPR_FEN_MAX];

    ipr_pos_to_fen(pos, fen);
    return json_string(fen);
}

static json_t *move_json(const struct ipr_pos *pos, size_t ply, ipr_move m)
{
    char san[IPR_SAN_MAX], uci[IPR_UCI_MAX];
    struct ipr_pos after = *pos;

    ipr_san_write(pos, m, san);
    ipr_move_to_uci(pos, m, uci);
    ipr_pos_play(&after, m);
    return json_pack("{s:I, s:i, s:s, s:s, s:s, s:o}", "ply", (json_int_t)ply, "number",
                     (int)pos->fullmove, "mover", ipr_colour_letter(pos->turn), "uci", uci, "san",
                     san, "fen", fen_json(&after));
}

/* A move of which only figures are stored is a turn once it is confirmed. */
static void walk_turn(struct walk *w, const struct ipr_pos *pos, const struct ipr_judged_turn *t)
{
    const struct ipr_marked *const m = &w->marked[t->ply];
    const struct ipr_judged_turn *const said = m->by != NULL ? m->by : t;
    json_t *turn = said->moves != NULL ? turn_json(pos, said) : NULL;

    ipr_game_report_add(w->report, pos, w->game->row.moves[t->ply], t, m, turn);
    if (turn != NULL)
        json_array_append_new(w->turns, turn);
}

static void walk_move(struct walk *w, size_t ply, const struct ipr_pos *pos)
{
    json_array_append_new(w->moves, move_json(pos, ply, w->game->row.moves[ply]));
    for (size_t i = 0; i < 2; i++)
        for (; w->turn[i] < w->judged[i]->n && w->judged[i]->turns[w->turn[i]].ply <= ply;
             w->turn[i]++)
            walk_turn(w, pos, &w->judged[i]->turns[w->turn[i]]);
}

/* Analysed moves of which only figures are stored; where the game's moves are, they have names. */
static void add_game_figures(const struct ipr_stored_game *g, const struct ipr_judged_game *figures,
                             unsigned multipv, struct ipr_arena *mem, json_t *out)
{
    json_t *list = json_array();
    struct ipr_pos pos = g->row.start;
    size_t ply = 0;

    for (size_t i = 0; i < figures->n; i++) {
        const struct ipr_judged_turn *const t = &figures->turns[i];
        const bool placed = t->ply < g->row.n_moves;
        char san[IPR_SAN_MAX] = "";

        for (; placed && ply < t->ply; ply++)
            ipr_pos_play(&pos, g->row.moves[ply]);
        if (t->legal < 2)
            continue;
        if (placed)
            ipr_san_write(&pos, g->row.moves[t->ply], san);
        const struct ipr_turn turn = ipr_db_turn_of(t, g->row.year, multipv, mem);
        const struct ipr_move_cost cost = ipr_move_cost_of(placed ? &pos : NULL, &turn);
        json_t *row = json_pack("{s:i, s:i, s:s, s:o}", "ply", (int)t->ply, "number",
                                ipr_pos_number(&g->row.start, t->ply), "mover",
                                ipr_colour_letter(t->mover), "san", ipr_json_text(san));
        ipr_move_cost_put(&cost, row);
        json_array_append_new(list, row);
    }
    json_object_set_new(out, "figures", list);
}

static json_t *turning_json(const struct ipr_turning *t)
{
    const struct ipr_answer_game_turning out = { .kind = t->kind == IPR_TURNING_AT_MOVE ? "move"
                                                                                        : "decline",
                                                 .from = (int64_t)t->from,
                                                 .to = (int64_t)t->to };

    return t->kind == IPR_TURNING_NONE ? json_null() : ipr_shape_json(IPR_SHAPE_GAME_TURNING, &out);
}

/* The position that is shown: the requested one, else that after the game had turned, else that
 * after its first move. */
static void add_position(const struct ipr_stored_game *g, const struct ipr_marked *marked, int ply,
                         json_t *out)
{
    const struct ipr_turning turning =
        ipr_marked_turning(marked, g->row.n_moves, g->row.start.turn, g->row.result);
    size_t shown = turning.kind != IPR_TURNING_NONE ? turning.to + 1 : g->row.n_moves > 0;
    struct ipr_pos pos = g->row.start;
    char fen[IPR_FEN_MAX];

    if (ply != IPR_PARAM_ABSENT)
        shown = (size_t)ply;
    for (size_t i = 0; i < shown; i++)
        ipr_pos_play(&pos, g->row.moves[i]);
    json_object_set_new(out, "turning", turning_json(&turning));
    ipr_pos_to_fen(&pos, fen);
    json_object_set_new(
        out, "position",
        ipr_shape_json(IPR_SHAPE_GAME_POSITION,
                       &(struct ipr_answer_game_position){
                           .ply = (int64_t)shown, .fen = fen, .check = ipr_pos_in_check(&pos) }));
}

static void add_play(const struct ipr_stored_game *g, const struct ipr_judged_game *judged,
                     const struct ipr_judged_game *figures, const struct ipr_marked *marked,
                     struct ipr_game_report *report, json_t *out)
{
    struct walk w = { .game = g,
                      .judged = { judged, figures },
                      .marked = marked,
                      .report = report,
                      .moves = json_array(),
                      .turns = json_array(),
                      .notes = json_array() };
    struct ipr_pos pos = g->row.start;

    walk_notes(&w, 0, &pos);
    for (size_t i = 0; i < g->row.n_moves; i++) {
        const struct ipr_pos before = pos;

        walk_move(&w, i, &pos);
        ipr_pos_play(&pos, g->row.moves[i]);
        walk_notes(&w, i + 1, &before);
    }
    json_object_set_new(out, "moves", w.moves);
    json_object_set_new(out, "turns", w.turns);
    json_t *const white = json_array();
    for (size_t i = 0; i <= g->row.n_moves; i++)
        json_array_append_new(white, ipr_json_num(marked[i].white));
    json_object_set_new(out, "white_expected", white);
    json_object_set_new(out, "notes", w.notes);
}

static void add_states(const struct ipr_stored_game *g, struct ipr_arena *mem, json_t *out)
{
    struct ipr_state *const states = ipr_arena_alloc(mem, g->row.n_moves + 1, sizeof *states);

    ipr_game_states(&g->row.start, g->row.moves, g->row.n_moves, states);
    json_object_set_new(out, "states", states_json(states, g->row.n_moves));
    json_object_set_new(out, "final_state", ipr_json_text(ipr_state_name(&states[g->row.n_moves])));
}

/* Tablebase values */

static json_t *dtz_json(int16_t dtz)
{
    return dtz != 0 ? json_integer(dtz) : json_null();
}

static enum ipr_code add_endgame(const struct ipr_view *v, int64_t id, json_t *out,
                                 struct ipr_err *err)
{
    static const char *const values[] = { "loss", "blessed_loss", "draw", "cursed_win", "win" };
    struct ipr_db_endgame_turn *rows = NULL;
    size_t n = 0;
    const enum ipr_code rc = ipr_db_endgame_of(v->db, id, v->mem, &rows, &n, err);
    json_t *list = json_array();

    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        json_array_append_new(
            list,
            json_pack("{s:i, s:s, s:i, s:s, s:s, s:o, s:o}", "ply", (int)rows[i].ply, "mover",
                      ipr_colour_letter(rows[i].mover), "men", (int)rows[i].men, "before",
                      values[rows[i].before + 2], "after", values[rows[i].after + 2], "dtz_before",
                      dtz_json(rows[i].dtz_before), "dtz_after", dtz_json(rows[i].dtz_after)));
    json_object_set_new(out, "endgame", list);
    return rc;
}

/* Sources of the game */

static enum ipr_code judgement_json(const struct ipr_view *v, const struct ipr_db_judgement *j,
                                    json_t **out, struct ipr_err *err)
{
    struct ipr_judge judge;
    const enum ipr_code rc = ipr_db_judge_get(v->db, j->judge_id, &judge, err);

    if (rc != IPR_OK)
        return rc;
    json_t *identity = ipr_judge_to_json(&judge);
    json_object_set_new(identity, "id", json_integer(j->judge_id));
    *out = json_pack("{s:o, s:s, s:i, s:b, s:s, s:s}", "judge", identity, "mover",
                     ipr_colour_letter(j->colour), "turns", (int)j->turns, "lines", j->lines,
                     "source", j->source, "finished", j->finished);
    return IPR_OK;
}

static enum ipr_code add_judgements(const struct ipr_view *v, const struct ipr_db_judgement *rows,
                                    size_t n, json_t *out, struct ipr_err *err)
{
    json_t *list = json_array();
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        json_t *one = NULL;

        rc = judgement_json(v, &rows[i], &one, err);
        if (rc == IPR_OK)
            json_array_append_new(list, one);
    }
    json_object_set_new(out, "judged_by", list);
    return rc;
}

static enum ipr_code add_game_uploads(const struct ipr_view *v, int64_t id, json_t *out,
                                      struct ipr_err *err)
{
    struct ipr_db_game_upload *rows = NULL;
    size_t n = 0;
    const enum ipr_code rc = ipr_db_game_uploads(v->db, id, v->mem, &rows, &n, err);

    json_object_set_new(out, "sources", ipr_rows_json(IPR_SHAPE_GAME_SOURCE, rows, n));
    return rc;
}

/* Ratings that the moves give the players */

static enum ipr_code add_ratings(const struct ipr_view_context *c, int64_t id, json_t *out,
                                 struct ipr_err *err)
{
    struct ipr_db_player_strength *rows = NULL;
    struct ipr_db_strength sums[2] = { { 0 }, { 0 } };
    size_t n = 0;
    const enum ipr_code rc = ipr_db_strength_of_game(c->v->db, id, c->v->mem, &rows, &n, err);

    if (rc != IPR_OK)
        return rc;
    for (size_t i = 0; i < n; i++)
        sums[rows[i].colour] = rows[i].sums;
    const struct ipr_answer_side_ratings ratings = { ipr_strength_figure(c, &sums[0]),
                                                     ipr_strength_figure(c, &sums[1]) };
    json_object_set_new(out, "ratings", ipr_shape_json(IPR_SHAPE_SIDE_RATINGS, &ratings));
    return IPR_OK;
}

/* The whole */

static json_t *game_side(int32_t id, const char *name, int elo)
{
    json_t *side = ipr_json_player(id, name);

    json_object_set_new(side, "elo", ipr_json_known(elo));
    return side;
}

static void add_heading(const struct ipr_stored_game *g, struct ipr_arena *mem, json_t *out)
{
    const struct ipr_db_game *const row = &g->row;
    const struct ipr_opening line = ipr_opening_of(ipr_pgn_tag_find(g->tags, g->n_tags, "ECO"),
                                                   &row->start, row->moves, row->n_moves);
    const struct ipr_answer_played_opening opening = ipr_opened(&line, mem);

    json_object_set_new(out, "id", json_integer(row->id));
    json_object_set_new(out, "white", game_side(row->white_id, row->white, row->white_elo));
    json_object_set_new(out, "black", game_side(row->black_id, row->black, row->black_elo));
    json_object_set_new(out, "result", json_string(ipr_result_text(row->result)));
    json_object_set_new(out, "event", ipr_json_text(row->event));
    json_object_set_new(out, "event_id", ipr_json_known(row->event_id));
    json_object_set_new(out, "site", ipr_json_text(row->site));
    json_object_set_new(out, "round", ipr_json_text(row->round));
    json_object_set_new(out, "date", ipr_json_text(row->date));
    json_object_set_new(out, "year", ipr_json_known(row->year));
    json_object_set_new(out, "time_class", json_string(ipr_time_class_name(row->time_class)));
    json_object_set_new(out, "time_class_known", json_string(ipr_time_known_name(row->time_known)));
    json_object_update_new(out, ipr_shape_json(IPR_SHAPE_PLAYED_OPENING, &opening));
    json_object_set_new(out, "tags", tags_json(g));
    json_object_set_new(out, "start_fen", row->custom_start ? fen_json(&row->start) : json_null());
    json_object_set_new(out, "plies", json_integer((json_int_t)row->plies));
    json_object_set_new(out, "moves_stored", json_boolean(row->n_moves == row->plies));
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
                            json_t *out, struct ipr_err *err)
{
    const struct ipr_view *const v = c->v;
    struct ipr_judged_game judged = { NULL, 0 }, figures = { NULL, 0 };
    struct ipr_db_judgement *rows = NULL;
    struct ipr_view_context shown;
    struct ipr_game_report report;
    struct ipr_marked *marked = NULL;
    struct ipr_stored_game g;
    size_t n = 0, waiting = 0;
    bool follow = false;
    enum ipr_code rc = ipr_stored_game_get(v->db, p->game, v->mem, &g, err);

    if (rc == IPR_OK && p->ply != IPR_PARAM_ABSENT && (size_t)p->ply > g.row.n_moves)
        rc = ipr_param_refuse(err, "ply", ipr_arena_printf(v->mem, "%d", p->ply),
                              "at most %zu, the half-moves stored", g.row.n_moves);
    if (rc == IPR_OK)
        rc = ipr_db_game_judgements(v->db, p->game, v->mem, &rows, &n, err);
    if (rc == IPR_OK)
        rc = game_judge(c, p->game, p->judge != NULL, rows, n, &shown, err);
    if (rc == IPR_OK && shown.judge_id != 0)
        rc = ipr_db_game_turns_or_figures(v->db, shown.judge_id, p->game, v->mem, &judged, &figures,
                                          err);
    if (rc == IPR_OK)
        rc = ipr_db_marked(v->db, &g.row, &judged, v->mem, &marked, &waiting, err);
    if (rc == IPR_OK && v->config->confirm_nodes > 0)
        rc = ipr_db_confirm_follows(v->db, p->game, &follow, err);
    if (rc != IPR_OK)
        return rc;
    add_heading(&g, v->mem, out);
    add_states(&g, v->mem, out);
    json_object_set_new(out, "judge", ipr_view_context_judge(&shown));
    ipr_game_report_init(&shown, judged.n, figures.n, &report);
    report.waits = waiting > 0;
    json_object_set_new(out, "unconfirmed", json_integer((json_int_t)waiting));
    json_object_set_new(out, "marks_follow", json_boolean(waiting > 0 && follow));
    add_play(&g, &judged, &figures, marked, &report, out);
    add_game_figures(&g, &figures, shown.judge.multipv, v->mem, out);
    ipr_game_report_finish(&report, out);
    add_position(&g, marked, p->ply, out);
    rc = add_ratings(c, p->game, out, err);
    if (rc == IPR_OK)
        rc = add_endgame(v, p->game, out, err);
    if (rc == IPR_OK)
        rc = add_judgements(v, rows, n, out, err);
    return rc == IPR_OK ? add_game_uploads(v, p->game, out, err) : rc;
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
