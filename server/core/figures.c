#include "core/figures.h"

#include "model/turn.h"

int16_t ipr_figures_clamp(int16_t score)
{
    const int limit = IPR_CP_LIMIT, high = score > limit ? limit : score;

    return (int16_t)(high < -limit ? -limit : high);
}

struct ipr_turn_figures ipr_turn_figures_of(const struct ipr_judged_turn *t)
{
    const int16_t best = ipr_figures_clamp(ipr_judged_final(t, 0));
    const int16_t played = ipr_figures_clamp(ipr_judged_final(t, t->played));

    return (struct ipr_turn_figures){
        .ply = t->ply,
        .legal = t->legal,
        .repeated = t->repeated,
        .best_cp = played > best ? played : best,
        .played_cp = played,
    };
}

int16_t ipr_figures_second(const struct ipr_judged_turn *t, unsigned multipv)
{
    return multipv > 1 && t->legal > 1 ? ipr_figures_clamp(ipr_judged_final(t, 1))
                                       : IPR_FIGURES_NONE;
}

struct ipr_judged_turn ipr_turn_of_figures(const struct ipr_turn_figures *f, int colour,
                                           int16_t second, struct ipr_arena *mem)
{
    int16_t *score = ipr_arena_alloc(mem, 3, sizeof *score);
    uint8_t lines = 0, played = 0;

    score[lines++] = f->best_cp;
    if (second != IPR_FIGURES_NONE) {
        played = f->played_cp != f->best_cp && f->played_cp == second;
        score[lines++] = second;
    }
    if (f->played_cp != score[played]) {
        played = lines;
        score[lines++] = f->played_cp;
    }
    return (struct ipr_judged_turn){ .ply = f->ply,
                                     .mover = (uint8_t)colour,
                                     .depth = 1,
                                     .lines = lines,
                                     .played = played,
                                     .legal = f->legal,
                                     .repeated = f->repeated,
                                     .score = score };
}
