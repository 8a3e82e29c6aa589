#include "engine/assignment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct ipr_assignment *ipr_assignment_new(const struct ipr_db_job *job)
{
    struct ipr_assignment *a = ipr_xcalloc(1, sizeof *a);

    a->job = *job;
    a->sides = job->sides;
    a->why = (struct ipr_err)IPR_ERR_INIT;
    a->mem = (struct ipr_arena)IPR_ARENA_INIT;
    return a;
}

void ipr_assignment_free(struct ipr_assignment **a)
{
    if (*a == NULL)
        return;
    ipr_arena_release(&(*a)->mem);
    free(*a);
    *a = NULL;
}

bool ipr_assignment_same_judge(const struct ipr_judge *a, const struct ipr_judge *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->engine, b->engine) == 0 &&
           strcmp(a->network, b->network) == 0 && strcmp(a->options, b->options) == 0 &&
           a->apart == b->apart && ipr_judge_same_search(a, b);
}

void ipr_assignment_reason(const struct ipr_assignment *a, char out[IPR_REASON_MAX])
{
    struct ipr_pos pos = a->game.start;
    char fen[IPR_FEN_MAX];

    if (a->why.ply < 0 || (size_t)a->why.ply > a->game.n_moves) {
        snprintf(out, IPR_REASON_MAX, "%s", a->why.msg);
        return;
    }
    for (int32_t i = 0; i < a->why.ply; i++)
        ipr_pos_play(&pos, a->game.moves[i]);
    ipr_pos_to_fen(&pos, fen);
    snprintf(out, IPR_REASON_MAX, "at ply %d (%s): %s", (int)a->why.ply, fen, a->why.msg);
}
