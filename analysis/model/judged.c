#include "model/judged.h"

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

bool ipr_turn_valid(const struct ipr_turn *t)
{
    if (t->cp == NULL || t->lines == 0 || t->n_cp < t->lines || t->n_cp > t->lines + 1)
        return false;
    if (t->played >= t->n_cp || t->legal < t->n_cp)
        return false;
    /* The one entry past the lines is the move played, or there is none. */
    return t->n_cp == t->lines || t->played == t->lines;
}

struct ipr_judged ipr_judged(const struct ipr_turn *t, enum ipr_played_order order)
{
    struct ipr_judged j = { .outside = t->played >= t->lines };
    int best = ipr_cp_clamp(t->cp[0]);
    int v = best;
    const int last = j.outside ? t->lines - 1 : t->played;

    for (int i = 1; i <= last; i++)
        v = min_int(v, ipr_cp_clamp(t->cp[i]));
    if (j.outside) {
        const int separate = ipr_cp_clamp(t->cp[t->played]);
        v = order == IPR_PLAYED_LAST ? min_int(v, separate) : separate;
        if (v > best)
            best = v;
    }
    j.best_cp = (int16_t)best;
    j.played_cp = (int16_t)v;
    return j;
}
