/* Play where tablebases tell the truth. */
#include "view/rating/rate.h"

#include <stdio.h>
#include <stdlib.h>

#include "db/endgames.h"
#include "model/endgame.h"
#include "view/json.h"

/**
 * What the model needs beside what is stored: how many moves there were, and whether the move
 * played captured, was a pawn's or mated, from the position itself. A distance of 0 is none or not
 * known; only a mate has none to the end.
 */
static struct ipr_endgame_turn turn_of(const struct ipr_db_endgame_turn *row, struct ipr_pos *pos,
                                       ipr_move move, int32_t game)
{
    ipr_move legal[IPR_MAX_MOVES];
    const size_t n = ipr_pos_legal(pos, legal);

    ipr_pos_play(pos, move);
    const bool mate = ipr_pos_in_check(pos) && ipr_pos_legal(pos, legal) == 0;
    const bool zeroing = mate || pos->halfmove == 0;
    return (struct ipr_endgame_turn){
        .game = game,
        .legal = (uint8_t)n,
        .probed = true,
        .before = (enum ipr_endgame_wdl)(row->before + 2),
        .after = (enum ipr_endgame_wdl)(row->after + 2),
        .dtz_known = row->dtz_before != 0 && (zeroing || row->dtz_after != 0),
        .zeroing = zeroing,
        .dtz_before = (uint16_t)abs(row->dtz_before),
        .dtz_after = (uint16_t)abs(row->dtz_after),
    };
}

static void add_game(const struct ipr_db_endgame_game *g, int32_t number,
                     struct ipr_endgame_turn *out)
{
    struct ipr_pos pos = g->start;
    size_t k = 0;

    for (size_t ply = 0; ply < g->n_moves && k < g->n; ply++) {
        if (g->turns[k].ply != ply) {
            ipr_pos_play(&pos, g->moves[ply]);
            continue;
        }
        out[k] = turn_of(&g->turns[k], &pos, g->moves[ply], number);
        k++;
    }
}

static struct ipr_endgame_turn *turns_of(const struct ipr_db_endgame_game *games, size_t n,
                                         struct ipr_arena *mem, size_t *n_turns)
{
    struct ipr_endgame_turn *turns;
    size_t at = 0;

    *n_turns = 0;
    for (size_t i = 0; i < n; i++)
        *n_turns += games[i].n;
    turns = ipr_arena_alloc(mem, *n_turns, sizeof *turns);
    for (size_t i = 0; i < n; i++) {
        add_game(&games[i], (int32_t)i, &turns[at]);
        at += games[i].n;
    }
    return turns;
}

static json_t *dtz_json(const struct ipr_endgame *e)
{
    if (!e->dtz.known)
        return json_pack("{s:n, s:n, s:n, s:I, s:n, s:s}", "mean", "standard_error", "interval",
                         "turns", (json_int_t)e->dtz.turns, "best", "reason",
                         "too few moves that kept a win, with a known distance");
    return json_pack("{s:o, s:o, s:o, s:I, s:I, s:I}", "mean", ipr_json_num(e->dtz.mean),
                     "standard_error", e->dtz.se_known ? ipr_json_num(e->dtz.se) : json_null(),
                     "interval", e->dtz.se_known ? ipr_json_interval(e->dtz.interval) : json_null(),
                     "turns", (json_int_t)e->dtz.turns, "games", (json_int_t)e->dtz.games, "best",
                     (json_int_t)e->dtz.best);
}

static json_t *classes_json(const struct ipr_endgame *e)
{
    json_t *out = json_object();

    for (int c = 0; c < IPR_ENDGAME_CLASSES; c++) {
        const struct ipr_endgame_kept *k = &e->kept[c];
        json_t *one = k->known ? ipr_rate_share_json(&k->share) : json_pack("{s:n}", "share");

        json_object_set_new(one, "turns", json_integer((json_int_t)k->turns));
        if (!k->known) {
            char why[80];

            snprintf(why, sizeof why, "%d turns are needed", IPR_ENDGAME_FLOOR);
            json_object_set_new(one, "reason", json_string(why));
        }
        json_object_set_new(out, ipr_endgame_class_name((enum ipr_endgame_class)c), one);
    }
    return out;
}

/** The truth belongs to no judge and has no window; what is left out has reasons of its own. */
static void add_provenance(const struct ipr_material *m, const size_t *excluded, size_t turns,
                           size_t games, json_t *out)
{
    struct ipr_view_context nobody = *m->context;
    const struct ipr_provenance from = { .context = &nobody,
                                         .method = IPR_METHOD_ENDGAME,
                                         .turns = turns,
                                         .games = games,
                                         .converged = true };
    json_t *left_out = json_object();

    nobody.judge_id = 0;
    ipr_estimate_provenance(out, &from);
    for (int i = 0; i < IPR_ENDGAME_REASONS; i++)
        if (excluded[i] > 0)
            json_object_set_new(left_out, ipr_endgame_excluded_name((enum ipr_endgame_excluded)i),
                                json_integer((json_int_t)excluded[i]));
    json_object_set_new(out, "excluded", left_out);
}

static enum ipr_code refuse(const struct ipr_material *m, const struct ipr_endgame_turn *turns,
                            size_t n, const char *why, json_t **out, struct ipr_err *err)
{
    size_t count[IPR_ENDGAME_REASONS + 1] = { 0 };
    bool any = true;

    for (size_t i = 0; i < n; i++)
        count[ipr_endgame_reason(&turns[i])]++;
    if (n == 0) {
        const enum ipr_code rc = ipr_db_endgame_any(m->context->v->db, &any, err);
        if (rc != IPR_OK)
            return rc;
        why = any ? "no position of these games was within the tablebases' reach, or there were "
                    "no tablebases when they were judged"
                  : "there were no tablebases when games were judged";
    }
    *out = json_pack("{s:n, s:n, s:s}", "kept", "dtz_lost", "reason", why);
    add_provenance(m, count, count[IPR_ENDGAME_REASONS], 0, *out);
    return IPR_OK;
}

/**
 * {"kept": {"all", "at_stake" (won or drawn before the move), "won", "drawn", "lost": {share of
 * turns that kept the value, as in conformance, "turns"} or a null share and "reason"},
 * "dtz_lost": {"mean" half-moves by which moves that kept a win took it farther from the next
 * capture, pawn move or mate, "standard_error", "interval", "turns", "games", "best": turns that
 * lost none} or nulls and "reason", provenance; "judge" and "window" are null} or nulls and
 * "reason". Whatever the judge: all games of the scope with turns that tablebases know.
 */
enum ipr_code ipr_rate_endgame(const struct ipr_material *m, json_t **out, struct ipr_err *err)
{
    const struct ipr_view *v = m->context->v;
    struct ipr_db_endgame_game *games = NULL;
    struct ipr_err why = IPR_ERR_INIT;
    size_t n_games = 0, n = 0;
    struct ipr_endgame e;

    enum ipr_code rc = ipr_db_endgame_scope(v->db, m->scope, v->mem, &games, &n_games, err);
    if (rc != IPR_OK)
        return rc;
    const struct ipr_endgame_turn *turns = turns_of(games, n_games, v->mem, &n);
    rc = ipr_endgame(turns, n, IPR_ENDGAME_FLOOR, &e, &why);
    if (rc == IPR_EDATA)
        return refuse(m, turns, n, why.msg, out, err);
    if (rc != IPR_OK)
        return ipr_err_set(err, rc, "%s", why.msg);
    *out = json_pack("{s:o, s:o}", "kept", classes_json(&e), "dtz_lost", dtz_json(&e));
    add_provenance(m, e.excluded, e.turns, e.kept[IPR_ENDGAME_CLASS_ALL].share.games, *out);
    return IPR_OK;
}
