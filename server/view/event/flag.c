/* The moves at which the games of an event open. */
#include <stdlib.h>
#include <string.h>

#include "core/confirmed.h"
#include "db/confirmations.h"
#include "view/event/field.h"
#include "view/game/report.h"

/* The half-move after which a player's game opens, of the confirmed ones: the first that others
 * would have missed if the game was `better` than its Elo, else the first that lost something; -1:
 * none. */
static int flag_ply(const struct ipr_judged_game *confirmed, int colour, bool better)
{
    int other = -1;

    for (size_t i = 0; i < confirmed->n; i++) {
        const struct ipr_judged_turn *const t = &confirmed->turns[i];
        const double gain = t->mover == colour ? ipr_confirm_gain(t) : 0;
        const bool found = gain <= -IPR_MARK_FOUND_NEXT;

        if (!found && !(gain >= IPR_MARK_INACCURACY_AT))
            continue;
        if (found == better)
            return t->ply + 1;
        if (other < 0)
            other = t->ply + 1;
    }
    return other;
}

static int flag_by_id(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

enum ipr_code ipr_event_flag(const struct ipr_view_context *c,
                             struct ipr_event_entry *const *players, size_t n, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    size_t n_ids = 0;

    for (size_t i = 0; i < n; i++)
        n_ids += players[i]->player.n_sides;
    int64_t *const ids = ipr_arena_alloc(&mem, n_ids, sizeof *ids);
    struct ipr_judged_game *const confirmed = ipr_arena_alloc(&mem, n_ids, sizeof *confirmed);
    n_ids = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < players[i]->player.n_sides; k++)
            ids[n_ids++] = players[i]->sides[k].of->game_id;
    qsort(ids, n_ids, sizeof *ids, flag_by_id);
    size_t kept = 0;
    for (size_t i = 0; i < n_ids; i++)
        if (kept == 0 || ids[kept - 1] != ids[i])
            ids[kept++] = ids[i];
    const enum ipr_code rc = ipr_db_confirmed_games(c->v->db, ids, kept, &mem, confirmed, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        for (size_t k = 0; k < players[i]->player.n_sides; k++) {
            struct ipr_event_side *const s = &players[i]->sides[k];
            const int64_t *const at = bsearch(&s->of->game_id, ids, kept, sizeof *ids, flag_by_id);

            s->game.ply = flag_ply(&confirmed[at - ids], s->of->colour, s->game.z > 0);
        }
    ipr_arena_release(&mem);
    return rc;
}
