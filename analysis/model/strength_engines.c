#include "model/strength_engines.h"

#include <math.h>
#include <string.h>

#include "model/strength_shipped.h"

/* `make engines` writes the rows after the first; the last two are of other versions of Stockfish
 * and of all other engines. A change of one of them is a new IPR_STRENGTH_SUMS_VERSION, for what is
 * stored of its evaluations. */
static const struct ipr_strength_engine engines[] = {
    { IPR_STRENGTH_ENGINE, IPR_STRENGTH_NETWORK, 0, 1, 1, 0, 0, 0 },
#include "model/strength_engines.inc"
};

#define ENGINES_KNOWN (sizeof engines / sizeof *engines - 2)

const struct ipr_strength_engine *ipr_strength_engine_at(size_t i)
{
    return i < ENGINES_KNOWN ? &engines[i] : NULL;
}

/* "Stockfish 16" is also "Stockfish 16 64 POPCNT", but not "Stockfish 16.1". */
static bool engines_named(const char *name, const char *row)
{
    const size_t n = strlen(row);

    return strncmp(name, row, n) == 0 && (name[n] == '\0' || name[n] == ' ');
}

const struct ipr_strength_engine *ipr_strength_engine_of(const char *name, const char *network)
{
    for (size_t i = 0; i < ENGINES_KNOWN; i++)
        if (engines_named(name, engines[i].name) && strcmp(network, engines[i].network) == 0)
            return &engines[i];
    return &engines[ENGINES_KNOWN + !engines_named(name, engines[ENGINES_KNOWN].name)];
}

bool ipr_strength_engine_is_own(const struct ipr_strength_engine *engine)
{
    return engine == &engines[0];
}

bool ipr_strength_engine_is_known(const struct ipr_strength_engine *engine)
{
    return engine < &engines[ENGINES_KNOWN];
}

struct ipr_strength_score ipr_strength_equate(const struct ipr_strength_engine *engine,
                                              struct ipr_strength_score score)
{
    return (struct ipr_strength_score){ engine->information * (engine->scale * score.score +
                                                               engine->shift * score.information),
                                        engine->information * score.information };
}

double ipr_strength_equation_error(const struct ipr_strength_engine *engine, double z)
{
    return hypot(engine->shift_error, engine->scale_error * (z - engine->centre));
}

void ipr_strength_mix_sum(struct ipr_strength_mix *mix, const struct ipr_strength_mix *other,
                          double weight)
{
    mix->shift_error += weight * other->shift_error;
    mix->scale_error += weight * other->scale_error;
    mix->centre += weight * other->centre;
    mix->other += weight * other->other;
    mix->unknown += weight * other->unknown;
}

void ipr_strength_mix_add(struct ipr_strength_mix *mix, const struct ipr_strength_engine *engine,
                          double information)
{
    const struct ipr_strength_mix one = { engine->shift_error, engine->scale_error,
                                          engine->scale_error * engine->centre,
                                          !ipr_strength_engine_is_own(engine),
                                          !ipr_strength_engine_is_known(engine) };

    ipr_strength_mix_sum(mix, &one, information);
}

double ipr_strength_mix_error(const struct ipr_strength_mix *mix, double information, double z)
{
    return information > 0
               ? hypot(mix->shift_error, mix->scale_error * z - mix->centre) / information
               : 0;
}
