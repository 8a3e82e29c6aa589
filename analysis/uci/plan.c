#include "uci/plan.h"

/* The known turn of that ply, NULL when there is none; *at advances with the plies. */
static const struct ipr_judged_turn *find_known(const struct ipr_judged_game *known, size_t *at,
                                                size_t ply)
{
    if (known == NULL)
        return NULL;
    while (*at < known->n && known->turns[*at].ply < ply)
        ++*at;
    return *at < known->n && known->turns[*at].ply == ply ? &known->turns[*at] : NULL;
}

enum ipr_code ipr_plan_make(struct ipr_plan *p, const struct ipr_judge *judge,
                            const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                            unsigned sides, const struct ipr_judged_game *known,
                            struct ipr_arena *mem, struct ipr_err *err)
{
    size_t at = 0;

    *p = (struct ipr_plan){ .place = ipr_arena_alloc(mem, n_moves + 1, sizeof *p->place) };
    p->place[0] = (struct ipr_place){ .pos = *start };
    for (size_t ply = 0; ply < n_moves; ply++) {
        struct ipr_place *next = &p->place[ply + 1];

        *next = p->place[ply];
        /* An engine that gets an illegal move judges another position without an error. */
        if (!ipr_pos_is_legal(&next->pos, moves[ply]))
            return ipr_err_at(err, IPR_EINVAL, "illegal_move", 0, 0, (int32_t)ply,
                              "session: illegal move at ply %zu", ply);
        if (ipr_pos_irreversible(&next->pos, moves[ply]))
            next->base = ply + 1;
        ipr_pos_play(&next->pos, moves[ply]);
    }
    p->game.turns = ipr_arena_alloc(mem, n_moves + 1, sizeof *p->game.turns);
    p->todo = ipr_arena_alloc(mem, n_moves + 1, sizeof *p->todo);
    for (size_t ply = ipr_judge_first_ply(judge); ply < n_moves; ply++) {
        const struct ipr_judged_turn *t = find_known(known, &at, ply);

        if ((sides >> p->place[ply].pos.turn & 1U) == 0)
            continue;
        if (t == NULL)
            p->todo[p->n_todo++] = p->game.n;
        p->game.turns[p->game.n++] =
            t != NULL ? *t : (struct ipr_judged_turn){ .ply = (uint16_t)ply };
    }
    if (judge->clear != IPR_CLEAR_POSITION) {
        for (size_t i = 0; i < p->n_todo / 2; i++) {
            const size_t swap = p->todo[i];

            p->todo[i] = p->todo[p->n_todo - 1 - i];
            p->todo[p->n_todo - 1 - i] = swap;
        }
    }
    return IPR_OK;
}
