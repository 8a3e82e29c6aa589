#include "model/move_mark.h"

#include <math.h>

#include "model/turn.h"

double ipr_points(int cp)
{
    const double v = fmin(fmax(cp, -IPR_CP_LIMIT), IPR_CP_LIMIT) / 100.0;

    return IPR_POINTS_A + (1.0 - 2.0 * IPR_POINTS_A) / (1.0 + exp(-IPR_POINTS_B * v));
}

enum ipr_mark ipr_mark_of(double loss, double next, bool hidden, bool sacrifice)
{
    if (loss >= IPR_MARK_BLUNDER_AT)
        return IPR_MARK_BLUNDER;
    if (loss >= IPR_MARK_MISTAKE_AT)
        return IPR_MARK_MISTAKE;
    if (loss >= IPR_MARK_INACCURACY_AT)
        return IPR_MARK_INACCURACY;
    if (loss >= IPR_MARK_FOUND_LOSS || next < IPR_MARK_FOUND_NEXT || !hidden)
        return IPR_MARK_NONE;
    return sacrifice && next >= IPR_MARK_BRILLIANT_NEXT ? IPR_MARK_BRILLIANT : IPR_MARK_FOUND;
}

double ipr_accuracy_of(double lost)
{
    if (lost <= 0)
        return 100;
    /* One point more, as the site adds for the errors of its analysis. */
    return fmin(
        100, fmax(0, 103.1668100711649 * exp(-.04354415386753951 * lost) - 3.166924740191411 + 1));
}

static double accuracy_chances(int cp)
{
    return 100 / (1 + exp(-.00368208 * fmax(-1000, fmin(1000, cp))));
}

double ipr_accuracy(int best_cp, int played_cp)
{
    return ipr_accuracy_of(accuracy_chances(best_cp) - accuracy_chances(played_cp));
}

const char *ipr_mark_name(enum ipr_mark mark)
{
    static const char *const names[] = { "",        "inaccuracy", "mistake",
                                         "blunder", "found",      "brilliant" };

    return names[mark];
}

enum ipr_phase ipr_phase_of(unsigned move, unsigned worth)
{
    if (worth <= IPR_PHASE_ENDGAME_WORTH)
        return IPR_PHASE_ENDGAME;
    return move <= IPR_PHASE_OPENING_MOVES ? IPR_PHASE_OPENING : IPR_PHASE_MIDDLEGAME;
}

const char *ipr_phase_name(enum ipr_phase phase)
{
    static const char *const names[] = { "opening", "middlegame", "endgame" };

    return names[phase];
}
