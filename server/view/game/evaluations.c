/* Games with their evaluations, for other programs. */
#include "view/game/game.h"

#include <inttypes.h>
#include <string.h>

#include "core/interchange.h"
#include "core/setting.h"
#include "core/tags_json.h"
#include "db/confirmations.h"
#include "db/games.h"
#include "db/turns.h"
#include "resource/cursor.h"
#include "view/context.h"
#include "view/game/filter.h"
#include "view/json.h"

static enum ipr_code game_read(struct ipr_db *db, int64_t id, struct ipr_arena *mem,
                               struct ipr_interchange_game *out, struct ipr_err *err)
{
    struct ipr_db_game game;
    enum ipr_code rc = ipr_db_game_get(db, id, mem, &game, err);

    if (rc == IPR_OK)
        rc = ipr_tags_from_json(game.tags_json, mem, &out->tags, &out->n_tags, err);
    if (rc == IPR_OK) {
        out->start = game.start;
        out->custom_start = game.custom_start;
        out->moves = game.moves;
        out->n_moves = game.plies;
        out->moves_key = game.moves_key;
        out->result = game.result;
    }
    return rc;
}

/* ---- figures ---- */

static const char *const figure_tags[] = { "Event",  "Site",     "Date",       "Round",
                                           "Result", "WhiteElo", "BlackElo",   "EventDate",
                                           "FEN",    "SetUp",    "TimeControl" };

static bool is_figure_tag(struct ipr_str name)
{
    for (size_t i = 0; i < sizeof figure_tags / sizeof *figure_tags; i++)
        if (ipr_str_is(name, figure_tags[i]))
            return true;
    return false;
}

static void put_person(const char *colour, const char *name, int32_t fide_id, struct ipr_arena *mem,
                       struct ipr_pgn_tag *tags, size_t *n)
{
    tags[(*n)++] = (struct ipr_pgn_tag){ ipr_str_c(colour), ipr_str_c(name) };
    if (fide_id != 0)
        tags[(*n)++] =
            (struct ipr_pgn_tag){ ipr_str_c(ipr_arena_printf(mem, "%sFideId", colour)),
                                  ipr_str_c(ipr_arena_printf(mem, "%" PRId32, fide_id)) };
}

/* Replaces the names in the tags by those of the persons, so that an importer need not identify
 * them again. Of the other tags only those in figure_tags are kept. */
static enum ipr_code choose_tags(struct ipr_db *db, int64_t game_id, struct ipr_arena *mem,
                                 struct ipr_interchange_game *g, struct ipr_err *err)
{
    struct ipr_pgn_tag *const tags = ipr_arena_alloc(mem, g->n_tags + 4, sizeof *tags);
    struct ipr_db_game_persons who = { 0 };
    const enum ipr_code rc = ipr_db_game_persons(db, game_id, mem, &who, err);
    size_t n = 0;

    if (rc != IPR_OK)
        return rc;
    put_person("White", who.white, who.white_fide, mem, tags, &n);
    put_person("Black", who.black, who.black_fide, mem, tags, &n);
    for (size_t i = 0; i < g->n_tags; i++)
        if (is_figure_tag(g->tags[i].name) && g->tags[i].value.n > 0)
            tags[n++] = g->tags[i];
    g->tags = tags;
    g->n_tags = n;
    g->domain = who.domain;
    return IPR_OK;
}

/* The form gives figures of every turn of a side from the first move on, so that a side with gaps,
 * as evaluations in files can have, is left out. */
static unsigned sides_without_gaps(const struct ipr_interchange_game *g,
                                   const struct ipr_side_figures side[2])
{
    const size_t first = ipr_judge_first_ply(&g->judge);
    unsigned sides = g->sides;

    for (size_t c = 0; c < 2; c++) {
        const size_t begins = first + (((size_t)g->start.turn + first + c) & 1u);

        if (side[c].n != (g->n_moves > begins ? (g->n_moves - begins + 1) / 2 : 0))
            sides &= ~(1u << c);
    }
    return sides;
}

/* Sets figures instead of moves if they are requested or only they are stored. */
static enum ipr_code choose_figures(struct ipr_db *db, int64_t game_id, int32_t judge_id,
                                    bool requested, struct ipr_arena *mem,
                                    struct ipr_interchange_game *g, struct ipr_err *err)
{
    struct ipr_side_figures *const side = ipr_arena_alloc(mem, 2, sizeof *side);
    const bool must = requested || (g->moves == NULL && g->n_moves > 0);

    if (!must && g->judged.n > 0)
        return IPR_OK;
    if (requested && g->judge.multipv > IPR_FIGURES_LINES)
        return ipr_err_type(err, IPR_EDATA, "too_many_lines",
                            "The engine setting %s has %d lines; figures are of at most %d.",
                            g->judge.name, (int)g->judge.multipv, IPR_FIGURES_LINES);
    const enum ipr_code rc =
        ipr_db_game_figures(db, judge_id, game_id, g->judge.multipv, mem, side, &g->sides, err);
    if (rc != IPR_OK || (!must && side[0].n + side[1].n == 0))
        return rc;
    if (g->moves != NULL)
        g->sides = sides_without_gaps(g, side);
    if (g->sides == 0 && g->moves != NULL)
        return IPR_OK;
    g->figures = side;
    return choose_tags(db, game_id, mem, g, err);
}

enum ipr_code ipr_evaluations_line(struct ipr_db *db, int64_t game_id, int32_t judge_id,
                                   const struct ipr_judge *judge, bool figures,
                                   const struct ipr_pseudonyms *hide, struct ipr_buf *out,
                                   struct ipr_err *err)
{
    struct ipr_interchange_game g = { .judge = *judge };
    struct ipr_arena mem = IPR_ARENA_INIT;

    bool found = false;

    enum ipr_code rc =
        ipr_db_judge_of_game(db, game_id, judge_id, &found, &judge_id, &g.judge, err);
    if (rc == IPR_OK)
        rc = game_read(db, game_id, &mem, &g, err);
    if (rc == IPR_OK && !figures)
        rc = ipr_db_game_turns(db, judge_id, game_id, &mem, &g.judged, err);
    if (rc == IPR_OK && !figures)
        rc = ipr_db_confirmed_by(db, game_id, 0, &mem, &g.confirmed_by, &g.confirmed, err);
    if (rc == IPR_OK)
        rc = choose_figures(db, game_id, judge_id, figures, &mem, &g, err);
    if (rc == IPR_OK && hide != NULL)
        ipr_pseudonyms_apply(hide, &mem, &g.tags, &g.n_tags);
    if (rc == IPR_OK)
        ipr_interchange_write(out, &g);
    ipr_arena_release(&mem);
    return rc;
}

/* The same game as a row: with its id, unless that is 0. */
static json_t *row_of_line(int64_t id, const struct ipr_buf *line)
{
    json_t *row = json_pack("{s:o*, s:s}", "id", id != 0 ? json_integer(id) : NULL, "domain",
                            IPR_DOMAIN_CHESS);

    json_object_update_new(row, json_loadb(line->p, line->n, 0, NULL));
    return row;
}

/* As PGN or lines of docs/interchange.md where those are wanted, else as rows. */
static enum ipr_code games_write(const struct ipr_view_context *c,
                                 const struct ipr_evaluated_games_request *p, const int64_t *ids,
                                 size_t n, json_t *rows, struct ipr_err *err)
{
    struct ipr_buf *const lines = c->v->lines;
    const bool figures = p->form == IPR_EVALUATED_GAMES_FORM_FIGURES;
    struct ipr_buf line = IPR_BUF_INIT;
    struct ipr_pseudonyms drawn;
    const struct ipr_pseudonyms *hide = c->v->pseudonyms;
    enum ipr_code rc = IPR_OK;

    if (hide == NULL) {
        ipr_pseudonyms_draw(&drawn);
        hide = &drawn;
    }
    if (p->names)
        hide = NULL;
    const struct ipr_game_pgn how = { .form = IPR_PGN_NOTES,
                                      .evals = strcmp(c->judge.name,
                                                      ipr_setting_name(IPR_FOR_FILES)) != 0,
                                      .judge_id = c->judge_id,
                                      .judge = c->judge,
                                      .hide = hide };
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        if (c->v->pgn) {
            rc = ipr_game_pgn(c->v->db, ids[i], &how, c->v->mem, lines, err);
            if (rc == IPR_ECONFLICT && strcmp(err->type, "moves_not_stored") == 0) {
                ipr_err_clear(err);
                rc = IPR_OK;
            }
            continue;
        }
        ipr_buf_reset(&line);
        rc = ipr_evaluations_line(c->v->db, ids[i], c->judge_id, &c->judge, figures, hide,
                                  lines != NULL ? lines : &line, err);
        if (rc == IPR_OK && lines == NULL)
            json_array_append_new(rows, row_of_line(p->names ? ids[i] : 0, &line));
    }
    ipr_buf_release(&line);
    return rc;
}

enum ipr_code ipr_fill_evaluations(const struct ipr_view_context *c,
                                   const struct ipr_evaluated_games_request *p,
                                   struct ipr_answer_evaluated_games *out, struct ipr_err *err)
{
    struct ipr_db_game_filter f = IPR_GAME_FILTER(p);
    const struct ipr_view *v = c->v;
    const size_t limit = (size_t)p->limit;
    int64_t after, *ids = NULL;
    size_t n = 0;

    f.game = p->game;
    f.judge_id = c->judge_id;
    out->evaluations = json_array();
    enum ipr_code rc = ipr_param_cursor(p->after, INT64_MAX, &after, err);
    if (rc == IPR_OK && c->judge_id != 0) /* one more shows whether there is a next page */
        rc = ipr_db_game_ids(v->db, &f, after, p->limit + 1, v->mem, &ids, &n, err);
    if (rc == IPR_OK)
        rc = games_write(c, p, ids, n < limit ? n : limit, out->evaluations, err);
    if (n > limit)
        out->next = ipr_arena_printf(v->mem, "%" PRId64, ids[limit - 1]);
    return rc;
}
