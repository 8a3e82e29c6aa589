#ifndef IPR_STATS_TWISTER_H
#define IPR_STATS_TWISTER_H

#include <stddef.h>
#include <stdint.h>

#define IPR_TWISTER_WORDS 624

/**
 * The stream of numbers of gsl_rng_mt19937 (Matsumoto and Nishimura, ACM TOMACS 8, 1998, 3-30), 624
 * at a time: where replicates draw games, a function call for each number took as long as all the
 * rest.
 */
struct ipr_twister {
    uint32_t state[IPR_TWISTER_WORDS], out[IPR_TWISTER_WORDS];
    size_t used; /* of out */
};

/** The state of gsl_rng_set; seed 0 is 4357, as there. */
void ipr_twister_seed(struct ipr_twister *t, uint32_t seed);

/** The next 624 numbers into out. */
void ipr_twister_more(struct ipr_twister *t);

/** Returns a number from 0 to n - 1, the one that gsl_rng_uniform_int returns; n >= 1. */
static inline uint32_t ipr_twister_below(struct ipr_twister *t, uint32_t n)
{
    const uint32_t scale = UINT32_MAX / n;
    uint32_t k;

    do {
        if (t->used == IPR_TWISTER_WORDS)
            ipr_twister_more(t);
        k = t->out[t->used++] / scale;
    } while (k >= n);
    return k;
}

#endif
