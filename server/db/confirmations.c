#include "db/confirmations.h"

#include "core/confirm.h"
#include "db/jobs.h"
#include "db/judges.h"
#include "db/side_turns.h"
#include "queries/confirmations_inside.h"
#include "queries/turns_inside.h"

/* A stored turn, and the limit of the setting that it was searched by. */
struct known {
    struct ipr_confirmed_turn t;
    uint32_t nodes;
};

/* One game's, of all judges; those of one judge ascend. */
static enum ipr_code known_turns(struct ipr_db *db, int64_t game_id, struct ipr_arena *mem,
                                 struct known **out, size_t *n, struct ipr_err *err)
{
    struct ipr_db_confirmation *rows = NULL;
    size_t n_rows = 0, room = 0;
    enum ipr_code rc = ipr_db_confirmations(db, game_id, mem, &rows, &n_rows, err);

    *n = 0;
    for (size_t i = 0; rc == IPR_OK && i < n_rows; i++)
        room += rows[i].turns.n;
    *out = ipr_arena_alloc(mem, room, sizeof **out);
    for (size_t i = 0; rc == IPR_OK && i < n_rows; i++) {
        struct ipr_confirmed_turn *turns = NULL;
        size_t n_turns = 0;

        rc = ipr_confirm_unpack(rows[i].turns, mem, &turns, &n_turns, err);
        for (size_t k = 0; rc == IPR_OK && k < n_turns; k++)
            (*out)[(*n)++] = (struct known){ turns[k], rows[i].nodes };
    }
    return rc;
}

/* Those that have settled, ascending, of each move the search with most nodes; room for all. */
static void confirmed_add(struct ipr_judged_game *out, const struct ipr_confirmed_turn *c)
{
    size_t at = out->n;

    if (c->open)
        return;
    while (at > 0 && out->turns[at - 1].ply > c->turn.ply)
        at--;
    if (at > 0 && out->turns[at - 1].ply == c->turn.ply) {
        if (out->turns[at - 1].nodes < c->turn.nodes)
            out->turns[at - 1] = c->turn;
        return;
    }
    for (size_t k = out->n++; k > at; k--)
        out->turns[k] = out->turns[k - 1];
    out->turns[at] = c->turn;
}

static struct ipr_judged_game confirmed_of(const struct known *known, size_t n,
                                           struct ipr_arena *mem)
{
    struct ipr_judged_game out = { .turns = ipr_arena_alloc(mem, n, sizeof *out.turns) };

    for (size_t i = 0; i < n; i++)
        confirmed_add(&out, &known[i].t);
    return out;
}

enum ipr_code ipr_db_confirmed_games(struct ipr_db *db, const int64_t *ids, size_t n_ids,
                                     struct ipr_arena *mem, struct ipr_judged_game *out,
                                     struct ipr_err *err)
{
    struct ipr_db_game_confirmation *rows = NULL;
    size_t n_rows = 0, row = 0;
    enum ipr_code rc = ipr_db_confirmations_of(db, ids, n_ids, mem, &rows, &n_rows, err);

    for (size_t i = 0; rc == IPR_OK && i < n_ids; i++) {
        size_t room = 0;

        while (row < n_rows && rows[row].game_id < ids[i])
            row++;
        for (size_t k = row; k < n_rows && rows[k].game_id == ids[i]; k++)
            room += rows[k].turns.n;
        out[i] = (struct ipr_judged_game){ .turns = ipr_arena_alloc(mem, room / IPR_CONFIRM_BYTES,
                                                                    sizeof *out->turns) };
        for (; rc == IPR_OK && row < n_rows && rows[row].game_id == ids[i]; row++) {
            struct ipr_confirmed_turn *turns = NULL;
            size_t n = 0;

            rc = ipr_confirm_unpack(rows[row].turns, mem, &turns, &n, err);
            for (size_t k = 0; rc == IPR_OK && k < n; k++)
                confirmed_add(&out[i], &turns[k]);
        }
    }
    return rc;
}

enum ipr_code ipr_db_confirmed_by(struct ipr_db *db, int64_t game_id, int32_t judge_id,
                                  struct ipr_arena *mem, struct ipr_judge *judge,
                                  struct ipr_judged_game *out, struct ipr_err *err)
{
    struct ipr_db_confirmation *rows = NULL;
    size_t n_rows = 0;
    enum ipr_code rc = ipr_db_confirmations(db, game_id, mem, &rows, &n_rows, err);

    *out = (struct ipr_judged_game){ NULL, 0 };
    for (; rc == IPR_OK && n_rows > 0 && out->n == 0; n_rows--) {
        const struct ipr_db_confirmation *const row = &rows[n_rows - 1];
        struct ipr_confirmed_turn *turns = NULL;
        size_t n = 0;

        if (judge_id != 0 && row->judge_id != judge_id)
            continue;
        rc = ipr_confirm_unpack(row->turns, mem, &turns, &n, err);
        if (rc == IPR_OK)
            rc = ipr_db_judge_get(db, row->judge_id, judge, err);
        out->turns = ipr_arena_alloc(mem, n, sizeof *out->turns);
        for (size_t i = 0; rc == IPR_OK && i < n; i++)
            if (!turns[i].open)
                out->turns[out->n++] = turns[i].turn;
    }
    return rc;
}

/* False when a turn is confirmed, if it drifts by more than a look unless all others are worse;
 * *unsettled: a search of it has not settled. */
static bool turn_left(const struct known *known, size_t n, const struct ipr_confirm_choice *at,
                      uint32_t nodes, bool *unsettled)
{
    for (size_t i = 0; i < n; i++) {
        const bool looked = known[i].t.turn.nodes < nodes &&
                            ipr_confirm_gain(&known[i].t.turn) > -IPR_MARK_FOUND_NEXT;

        if (known[i].t.turn.ply != at->ply || known[i].nodes < nodes)
            continue;
        if (!known[i].t.open && !(at->drifts && looked))
            return false;
        *unsettled = *unsettled || (known[i].t.open && known[i].nodes == nodes);
    }
    return true;
}

/* A game's turns as they count for the rating, those of them that are chosen, and what is known. */
struct chosen {
    struct ipr_judged_game judged;
    struct ipr_confirm_choice *at;
    size_t n;
    struct known *known;
    size_t n_known;
    struct ipr_judged_game confirmed;
};

static enum ipr_code chosen_load(struct ipr_db *db, const struct ipr_db_game *game,
                                 struct ipr_arena *mem, struct chosen *out, struct ipr_err *err)
{
    struct ipr_db_game_side *sides = NULL;
    size_t n = 0;

    *out = (struct chosen){ 0 };
    enum ipr_code rc = ipr_db_confirm_sides(db, game->id, mem, &sides, &n, err);
    if (rc == IPR_OK)
        rc = ipr_db_side_game(sides, n, IPR_SIDES_WITH_LINES | IPR_SIDES_OF_FIGURES, mem,
                              &out->judged, err);
    if (rc == IPR_OK)
        rc = known_turns(db, game->id, mem, &out->known, &out->n_known, err);
    if (rc != IPR_OK)
        return rc;
    out->at = ipr_arena_alloc(mem, out->judged.n, sizeof *out->at);
    out->confirmed = confirmed_of(out->known, out->n_known, mem);
    out->n = ipr_confirm_select(&game->start, game->moves, game->n_moves, &out->judged,
                                &out->confirmed, out->at);
    return IPR_OK;
}

enum ipr_code ipr_db_unconfirmed(struct ipr_db *db, const struct ipr_db_game *game, uint32_t nodes,
                                 struct ipr_arena *mem, struct ipr_db_unconfirmed **out, size_t *n,
                                 struct ipr_err *err)
{
    struct chosen c;
    const enum ipr_code rc = chosen_load(db, game, mem, &c, err);

    *n = 0;
    *out = ipr_arena_alloc(mem, c.n, sizeof **out);
    for (size_t i = 0; rc == IPR_OK && i < c.n; i++) {
        struct ipr_db_unconfirmed u = { .turn = *ipr_judged_turn_at(&c.judged, c.at[i].ply),
                                        .drifts = c.at[i].drifts };

        if (turn_left(c.known, c.n_known, &c.at[i], nodes, &u.unsettled))
            (*out)[(*n)++] = u;
    }
    return rc;
}

enum ipr_code ipr_db_marked(struct ipr_db *db, const struct ipr_db_game *game,
                            const struct ipr_judged_game *shown, struct ipr_arena *mem,
                            struct ipr_marked **marked, size_t *waiting, struct ipr_err *err)
{
    struct chosen c;
    const enum ipr_code rc = chosen_load(db, game, mem, &c, err);

    *waiting = 0;
    *marked = ipr_arena_alloc(mem, game->n_moves + 1, sizeof **marked);
    ipr_mark_moves(&game->start, game->moves, game->n_moves, &c.judged,
                   shown != NULL ? shown : &c.judged, &c.confirmed, *marked);
    for (size_t i = 0; rc == IPR_OK && i < c.n; i++)
        *waiting += ipr_judged_turn_at(&c.confirmed, c.at[i].ply) == NULL;
    return rc;
}

enum ipr_code ipr_db_confirm_queue(struct ipr_db *db, const struct ipr_db_game *game,
                                   uint32_t nodes, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_unconfirmed *left = NULL;
    size_t n = 0;
    int64_t queued = 0;
    enum ipr_code rc =
        nodes > 0 ? ipr_db_unconfirmed(db, game, nodes, &mem, &left, &n, err) : IPR_OK;

    if (rc == IPR_OK && n > 0)
        rc = ipr_db_jobs_confirm(db, &game->id, 1, (int)n, &queued, err);
    ipr_arena_release(&mem);
    return rc;
}

/* ---- storing ---- */

enum ipr_code ipr_db_confirm_store(struct ipr_db *db, int32_t judge_id, int64_t game_id,
                                   const char *source, const struct ipr_confirmed_turn *turns,
                                   size_t n, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_confirmation *rows = NULL;
    struct ipr_confirmed_turn *there = NULL;
    struct ipr_buf packed = IPR_BUF_INIT;
    struct ipr_db_locked_game now;
    size_t n_rows = 0, n_there = 0;
    enum ipr_code rc = ipr_db_game_lock(db, game_id, &now, err);

    if (rc == IPR_OK && n > 0)
        rc = ipr_db_confirmations(db, game_id, &mem, &rows, &n_rows, err);
    for (size_t i = 0; rc == IPR_OK && i < n_rows; i++)
        if (rows[i].judge_id == judge_id)
            rc = ipr_confirm_unpack(rows[i].turns, &mem, &there, &n_there, err);
    if (rc == IPR_OK && n > 0) {
        for (size_t i = 0, k = 0; i < n_there || k < n;) {
            const bool older = k == n || (i < n_there && there[i].turn.ply < turns[k].turn.ply);

            if (!older && i < n_there && there[i].turn.ply == turns[k].turn.ply)
                i++; /* the new one counts */
            ipr_confirm_pack(older ? &there[i++] : &turns[k++], &packed);
        }
        rc = ipr_db_confirmation_put(db, game_id, judge_id, source,
                                     (struct ipr_str){ ipr_buf_c(&packed), packed.n }, err);
    }
    ipr_buf_release(&packed);
    ipr_arena_release(&mem);
    return rc;
}
