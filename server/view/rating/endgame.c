/* Play in positions of the endgame tablebases. */
#include "view/rating/rate.h"

#include <stdio.h>
#include <stdlib.h>

#include "db/endgames.h"
#include "model/endgame.h"

/*
 * Derived from the position for the model: the number of moves, and whether the move played was a
 * capture, a pawn move or a mate. A distance of 0 means none or unknown; only a mate has none to
 * the end.
 */
static struct ipr_endgame_turn endgame_turn_of_row(const struct ipr_db_endgame_turn *row,
                                                   struct ipr_pos *pos, ipr_move move, int32_t game)
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

static void endgame_add_game(const struct ipr_db_endgame_game *g, int32_t number,
                             struct ipr_endgame_turn *out)
{
    struct ipr_pos pos = g->start;
    size_t k = 0;

    for (size_t ply = 0; ply < g->n_moves && k < g->n; ply++) {
        if (g->turns[k].ply != ply) {
            ipr_pos_play(&pos, g->moves[ply]);
            continue;
        }
        out[k] = endgame_turn_of_row(&g->turns[k], &pos, g->moves[ply], number);
        k++;
    }
}

static struct ipr_endgame_turn *endgame_turns(const struct ipr_db_endgame_game *games, size_t n,
                                              struct ipr_arena *mem, size_t *n_turns)
{
    struct ipr_endgame_turn *turns;
    size_t at = 0;

    *n_turns = 0;
    for (size_t i = 0; i < n; i++)
        *n_turns += games[i].n;
    turns = ipr_arena_alloc(mem, *n_turns, sizeof *turns);
    for (size_t i = 0; i < n; i++) {
        endgame_add_game(&games[i], (int32_t)i, &turns[at]);
        at += games[i].n;
    }
    return turns;
}

static struct ipr_figure_dtz_lost *endgame_dtz(const struct ipr_endgame *e, struct ipr_arena *mem)
{
    struct ipr_figure_dtz_lost *out = ipr_shape_new(IPR_SHAPE_DTZ_LOST, mem);

    out->turns = e->dtz.turns;
    if (!e->dtz.known) {
        out->reason = ipr_say_reason_endgame(IPR_REASON_ENDGAME_FEW_KEPT);
        return out;
    }
    out->mean = e->dtz.mean;
    out->standard_error = ipr_number_if(e->dtz.se_known, e->dtz.se);
    out->interval = ipr_interval_if(e->dtz.se_known, e->dtz.interval);
    out->games = e->dtz.games;
    out->best = e->dtz.best;
    return out;
}

static struct ipr_figure_kept_classes *endgame_kept(const struct ipr_endgame *e,
                                                    struct ipr_arena *mem)
{
    struct ipr_figure_kept_classes *out = ipr_shape_new(IPR_SHAPE_KEPT_CLASSES, mem);
    struct ipr_figure_kept *const of[IPR_ENDGAME_CLASSES] = {
        [IPR_ENDGAME_CLASS_ALL] = &out->all,   [IPR_ENDGAME_CLASS_AT_STAKE] = &out->at_stake,
        [IPR_ENDGAME_CLASS_WON] = &out->won,   [IPR_ENDGAME_CLASS_DRAWN] = &out->drawn,
        [IPR_ENDGAME_CLASS_LOST] = &out->lost,
    };

    for (int c = 0; c < IPR_ENDGAME_CLASSES; c++) {
        of[c]->turns = e->kept[c].turns;
        if (e->kept[c].known)
            of[c]->share = ipr_rate_share(&e->kept[c].share);
        else
            of[c]->reason = ipr_arena_printf(mem, "%d moves are needed", IPR_ENDGAME_FLOOR);
    }
    return out;
}

/* Tablebases have no judge and no window; turns are left out for other reasons. */
static struct ipr_figure_group endgame_group(const struct ipr_material *m, const size_t *excluded,
                                             size_t turns, size_t games, const char *reason)
{
    const struct ipr_provenance from = { .context = m->context,
                                         .method = IPR_METHOD_ENDGAME,
                                         .turns = turns,
                                         .games = games,
                                         .converged = true };
    struct ipr_figure_group group = ipr_figure_group(&from, reason);

    group.provenance.judge = IPR_UNKNOWN;
    for (int i = 0; i < IPR_ENDGAME_REASONS; i++) {
        group.basis.excluded.of[i].name = ipr_endgame_excluded_name((enum ipr_endgame_excluded)i);
        group.basis.excluded.of[i].n = excluded[i];
    }
    return group;
}

static enum ipr_code endgame_none(const struct ipr_material *m,
                                  const struct ipr_endgame_turn *turns, size_t n,
                                  const char *reason, struct ipr_figure_endgame *out,
                                  struct ipr_err *err)
{
    size_t count[IPR_ENDGAME_REASONS + 1] = { 0 };
    bool any = true;
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; i < n; i++)
        count[ipr_endgame_reason(&turns[i])]++;
    if (n == 0) {
        rc = ipr_db_endgame_any(m->context->v->db, &any, err);
        reason = ipr_say_reason_endgame(any ? IPR_REASON_ENDGAME_NO_POSITION
                                            : IPR_REASON_ENDGAME_NO_TABLEBASES);
    }
    out->group = endgame_group(m, count, count[IPR_ENDGAME_REASONS], 0, reason);
    return rc;
}

/* All games of the scope with turns in the tablebases, whatever the judge. */
enum ipr_code ipr_rate_endgame(const struct ipr_material *m, struct ipr_figure_ratings *out,
                               struct ipr_err *err)
{
    const struct ipr_view *v = m->context->v;
    struct ipr_figure_endgame *figure = ipr_shape_new(IPR_SHAPE_ENDGAME, v->mem);
    struct ipr_db_endgame_game *games = NULL;
    struct ipr_err why = IPR_ERR_INIT;
    const char *reason = NULL;
    size_t n_games = 0, n = 0;
    struct ipr_endgame e;

    out->endgame = figure;
    enum ipr_code rc = ipr_db_endgame_scope(v->db, m->scope, v->mem, &games, &n_games, err);
    if (rc != IPR_OK)
        return rc;
    const struct ipr_endgame_turn *turns = endgame_turns(games, n_games, v->mem, &n);
    rc = ipr_figure_settle(ipr_endgame(turns, n, IPR_ENDGAME_FLOOR, &e, &why), &why, v->mem,
                           &reason, err);
    if (rc != IPR_OK)
        return rc;
    if (reason != NULL)
        return endgame_none(m, turns, n, reason, figure, err);
    figure->group =
        endgame_group(m, e.excluded, e.turns, e.kept[IPR_ENDGAME_CLASS_ALL].share.games, NULL);
    figure->kept = endgame_kept(&e, v->mem);
    figure->dtz_lost = endgame_dtz(&e, v->mem);
    return IPR_OK;
}
