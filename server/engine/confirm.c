#include "engine/confirm.h"

#include <math.h>

#include "core/confirm.h"
#include "db/judges.h"
#include "model/move_mark.h"

struct confirm_move {
    struct ipr_db_unconfirmed from;
    struct ipr_confirmed_turn result; /* turn.lines 0: none yet */
};

struct ipr_confirm {
    const struct ipr_db_game *game;
    uint32_t nodes; /* of the first search of a move */
    struct confirm_move *move;
    size_t n;
    struct ipr_judge judge; /* of the engine, once run */
};

struct ipr_confirm *ipr_confirm_make(const struct ipr_db_game *game, uint32_t nodes,
                                     const struct ipr_db_unconfirmed *moves, size_t n,
                                     struct ipr_arena *mem)
{
    struct ipr_confirm *const c = ipr_arena_alloc(mem, 1, sizeof *c);

    *c = (struct ipr_confirm){
        .game = game, .nodes = nodes, .move = ipr_arena_alloc(mem, n, sizeof *c->move), .n = n
    };
    for (size_t i = 0; i < n; i++)
        c->move[i].from = moves[i];
    return c;
}

enum ipr_code ipr_confirm_load(struct ipr_db *db, const struct ipr_db_game *game, uint32_t nodes,
                               struct ipr_arena *mem, struct ipr_confirm **out,
                               struct ipr_judge *definition, struct ipr_err *err)
{
    struct ipr_db_unconfirmed *left = NULL;
    size_t n = 0;
    const enum ipr_code rc = ipr_db_unconfirmed(db, game, nodes, mem, &left, &n, err);

    definition->nodes = nodes;
    *out = rc == IPR_OK && n > 0 ? ipr_confirm_make(game, nodes, left, n, mem) : NULL;
    return rc;
}

void ipr_confirm_settled(const struct ipr_confirm *c, struct ipr_judged_game *out)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->move[i].result.turn.lines > 0 && !c->move[i].result.open)
            out->turns[out->n++] = c->move[i].result.turn;
}

size_t ipr_confirm_turns(const struct ipr_confirm *c)
{
    return c->n;
}

size_t ipr_confirm_done(const struct ipr_confirm *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n; i++)
        n += c->move[i].result.turn.lines > 0 && !c->move[i].result.open;
    return n;
}

/* ---- searching ---- */

/* The tick of one search, in terms of all moves. */
struct confirm_tick {
    ipr_engine_tick_fn tick;
    void *payload;
    size_t done, total;
};

static enum ipr_code confirm_on_tick(void *payload, size_t done, size_t total)
{
    const struct confirm_tick *t = payload;

    (void)done;
    (void)total;
    return t->tick != NULL ? t->tick(t->payload, t->done, t->total) : IPR_OK;
}

/* One move: the game up to it, and no other move of that player. */
static enum ipr_code search_move(const struct ipr_confirm *c, struct confirm_move *m,
                                 struct ipr_engine *e, struct confirm_tick *tick, uint32_t nodes,
                                 struct ipr_arena *mem, struct ipr_err *err)
{
    struct ipr_engine_task task = { .start = &c->game->start,
                                    .moves = c->game->moves,
                                    .nodes = nodes,
                                    .tick = confirm_on_tick,
                                    .payload = tick };
    struct ipr_judged_game judged = { 0 };

    ipr_engine_task_turn(&task, &m->from.turn);
    const enum ipr_code rc = ipr_engine_judge(e, &task, mem, &judged, NULL, err);

    if (rc == IPR_OK && judged.n != 1)
        return ipr_err_set(err, IPR_EINVAL, "confirm: %zu turns at ply %u", judged.n,
                           m->from.turn.ply);
    if (rc == IPR_OK)
        m->result.turn = judged.turns[0];
    return rc;
}

/* True if there is nothing to say of a move: it loses nothing, and nobody had to find it. Of one
 * that drifts a look says so only where all others are worse. */
static bool is_nothing(const struct confirm_move *m)
{
    const double gain = ipr_confirm_gain(&m->result.turn);

    if (!(gain > -IPR_MARK_FOUND_NEXT))
        return isnan(gain) || !ipr_turn_hidden(&m->from.turn);
    return gain < IPR_CONFIRM_NOTHING && !m->from.drifts;
}

/* Searches a move until the search has settled, going on from the last one that did not. */
static enum ipr_code confirm_move(const struct ipr_confirm *c, struct confirm_move *m,
                                  struct ipr_engine *e, struct confirm_tick *tick,
                                  struct ipr_arena *mem, struct ipr_err *err)
{
    const bool glance = m->from.drifts || ipr_confirm_loss(&m->from.turn) >= IPR_CONFIRM_LOSS;
    struct ipr_judged_turn *const t = &m->result.turn;
    bool more = m->from.unsettled;
    enum ipr_code rc = IPR_OK;

    m->result.open = true;
    if (!more && glance)
        rc = search_move(c, m, e, tick, c->nodes / IPR_CONFIRM_GLANCE + 1, mem, err);
    if (rc == IPR_OK && !more && (!glance || is_nothing(m))) {
        t->lines = 0; /* neither glance nor look are kept: an interrupted move begins again */
        rc = search_move(c, m, e, tick, c->nodes / IPR_CONFIRM_LOOK + 1, mem, err);
    }
    if (!more)
        m->result.open = rc != IPR_OK || !is_nothing(m);
    if (rc == IPR_OK && !more && m->result.open) {
        t->lines = 0;
        rc = search_move(c, m, e, tick, c->nodes, mem, err);
        more = rc == IPR_OK && !ipr_confirm_settle(t, mem);
        m->result.open = rc != IPR_OK || more;
    }
    if (rc == IPR_OK && more) {
        rc = search_move(c, m, e, tick, IPR_CONFIRM_MORE * c->nodes, mem, err);
        if (rc == IPR_OK)
            (void)ipr_confirm_settle(t, mem);
        m->result.open = rc != IPR_OK;
    }
    return rc;
}

enum ipr_code ipr_confirm_run(struct ipr_confirm *c, struct ipr_engine *e, ipr_engine_tick_fn tick,
                              void *payload, struct ipr_arena *mem, struct ipr_err *err)
{
    struct confirm_tick t = { .tick = tick, .payload = payload, .total = c->n };
    enum ipr_code rc = IPR_OK;

    c->judge = *ipr_engine_judge_of(e);
    for (size_t i = 0; rc == IPR_OK && i < c->n; i++) {
        t.done = i;
        rc = confirm_move(c, &c->move[i], e, &t, mem, err);
    }
    return rc;
}

/* ---- storing ---- */

enum ipr_code ipr_confirm_store(struct ipr_db *db, const struct ipr_confirm *c,
                                const struct ipr_db_game *game, uint32_t nodes, const char *source,
                                bool *left, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_confirmed_turn *turns = ipr_arena_alloc(&mem, c != NULL ? c->n : 0, sizeof *turns);
    struct ipr_db_unconfirmed *moves = NULL;
    int32_t judge_id = 0;
    size_t n = 0, n_left = 0;
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; c != NULL && i < c->n; i++)
        if (c->move[i].result.turn.lines > 0)
            turns[n++] = c->move[i].result;
    if (n > 0)
        rc = ipr_db_judge_ensure(db, &c->judge, &judge_id, err);
    /* This locks the game even if there is nothing to store, so that a side that is being stored
     * now is seen below. */
    if (rc == IPR_OK)
        rc = ipr_db_confirm_store(db, judge_id, game->id, source, turns, n, err);
    if (rc == IPR_OK)
        rc = ipr_db_unconfirmed(db, game, nodes, &mem, &moves, &n_left, err);
    *left = n_left > 0;
    ipr_arena_release(&mem);
    return rc;
}
