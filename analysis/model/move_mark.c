#include "model/move_mark.h"

#include <math.h>

#include "model/turn.h"

double ipr_points(int cp)
{
    const double v = fmin(fmax(cp, -IPR_CP_LIMIT), IPR_CP_LIMIT) / 100.0;

    return IPR_POINTS_A + (1.0 - 2.0 * IPR_POINTS_A) / (1.0 + exp(-IPR_POINTS_B * v));
}

enum ipr_mark ipr_mark_of(double loss, double next, bool hidden)
{
    if (loss >= IPR_MARK_BLUNDER_AT)
        return IPR_MARK_BLUNDER;
    if (loss >= IPR_MARK_MISTAKE_AT)
        return IPR_MARK_MISTAKE;
    if (loss >= IPR_MARK_INACCURACY_AT)
        return IPR_MARK_INACCURACY;
    return loss < IPR_MARK_FOUND_LOSS && next >= IPR_MARK_FOUND_NEXT && hidden ? IPR_MARK_FOUND
                                                                               : IPR_MARK_NONE;
}

static enum ipr_mark mark_for(double loss)
{
    return ipr_mark_of(loss, 0.0, false);
}

bool ipr_mark_apart(double lost, double other)
{
    return fabs(lost - other) >= IPR_MARK_APART;
}

bool ipr_mark_agree(double lost, double other)
{
    return !ipr_mark_apart(lost, other) && mark_for(lost) == mark_for(other);
}

enum ipr_mark ipr_mark_smaller(double lost, double other)
{
    return mark_for(fmin(lost, other));
}

const char *ipr_mark_name(enum ipr_mark mark)
{
    static const char *const names[] = { "", "inaccuracy", "mistake", "blunder", "found" };

    return names[mark];
}

enum ipr_phase ipr_phase_of(unsigned move, unsigned pieces)
{
    if (pieces <= IPR_PHASE_ENDGAME_PIECES)
        return IPR_PHASE_ENDGAME;
    return move <= IPR_PHASE_OPENING_MOVES ? IPR_PHASE_OPENING : IPR_PHASE_MIDDLEGAME;
}

const char *ipr_phase_name(enum ipr_phase phase)
{
    static const char *const names[] = { "opening", "middlegame", "endgame" };

    return names[phase];
}
