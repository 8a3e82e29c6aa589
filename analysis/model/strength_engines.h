#ifndef IPR_MODEL_STRENGTH_ENGINES_H
#define IPR_MODEL_STRENGTH_ENGINES_H

#include <stdbool.h>
#include <stddef.h>

#include "model/strength.h"

/**
 * Equations between engines. The scores of moves are those of a model that is fitted to the
 * evaluations of one engine (IPR_STRENGTH_ENGINE). Those of another, by the same engine setting,
 * are brought to its scale: z, the score per information, becomes shift + scale z, and information
 * is multiplied by what the engine's is worth. docs/engines.md has the measurement.
 */
struct ipr_strength_engine {
    const char *name;    /* the engine's own, without what follows a space after it */
    const char *network; /* "": none */
    double shift, scale, information;
    /* Standard error of z: hypot(shift_error, scale_error (z - centre)), z after the equation. */
    double centre, shift_error, scale_error;
};

/** The i-th engine; NULL after the last. The first is the one that the model is fitted to. */
const struct ipr_strength_engine *ipr_strength_engine_at(size_t i);

/** The row of an engine of that "id name" and network. One that is not in the table has the mean
 * of the rows, another version of Stockfish that of its versions, with the widest error. Never
 * NULL.
 */
const struct ipr_strength_engine *ipr_strength_engine_of(const char *name, const char *network);

/** True if it is the one that the model is fitted to. */
bool ipr_strength_engine_is_own(const struct ipr_strength_engine *engine);
/** True if it is in the table. */
bool ipr_strength_engine_is_known(const struct ipr_strength_engine *engine);

/** A score on the scale of the model's engine; sums of scores can be taken before or after it. */
struct ipr_strength_score ipr_strength_equate(const struct ipr_strength_engine *engine,
                                              struct ipr_strength_score score);

/** Standard error that the equation adds to the z of a rating. */
double ipr_strength_equation_error(const struct ipr_strength_engine *engine, double z);

/**
 * The equations in sums over sides by several engines. Sides of one engine share the error of its
 * equation, so the errors are weighted by information; those of two engines are added as if they
 * were one error, which is cautious. All are sums weighted by information.
 */
struct ipr_strength_mix {
    double shift_error, scale_error;
    double centre;         /* scale_error centre */
    double other, unknown; /* of engines that need an equation; that are not in the table */
};

/** Adds `weight` times other sums. */
void ipr_strength_mix_sum(struct ipr_strength_mix *mix, const struct ipr_strength_mix *other,
                          double weight);

/** Adds sums of an engine with so much information. */
void ipr_strength_mix_add(struct ipr_strength_mix *mix, const struct ipr_strength_engine *engine,
                          double information);

/** Standard error that the equations add to the z of a rating of so much information in all, in the
 * unit of the sums. Of one engine: ipr_strength_equation_error. */
double ipr_strength_mix_error(const struct ipr_strength_mix *mix, double information, double z);

#endif
