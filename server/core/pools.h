#ifndef IPR_CORE_POOLS_H
#define IPR_CORE_POOLS_H

#include "model/strength_shipped.h"
#include "uci/judge.h"

/* Which constants a rating is computed with, and where they hold. Nothing else in server/ names
 * them. */

/** A scale of ratings. */
struct ipr_scale {
    enum ipr_judge_role role; /* of the engine setting whose evaluations it was fitted to */
    const struct ipr_strength_shipped *fit;
    double low, high; /* Elo that it is calibrated for; beyond it an estimate is a bound */
};

/** A population of players with scales of its own. */
struct ipr_pool {
    const char *name, *title;
    unsigned times;         /* set of IPR_TIME_BIT: games whose ratings are on these scales */
    struct ipr_scale moves; /* of moves analysed here */
    struct ipr_scale files; /* of evaluations in files */
};

/** The pool of games at these classes of time control; 0: where none is requested. */
const struct ipr_pool *ipr_pool_of(unsigned times);

/** Name of the scale's engine setting, which its calibration has, too. */
const char *ipr_scale_name(const struct ipr_scale *scale);

/** Whether the scale is calibrated for an Elo. */
bool ipr_scale_holds(const struct ipr_scale *scale, double elo);

/** Definition of that setting; not of one that no engine here has. */
struct ipr_judge ipr_scale_judge(const struct ipr_scale *scale);

#endif
