#include "stats/twister.h"

#define WORDS   IPR_TWISTER_WORDS
#define SHIFT   397
#define HIGHEST 0x80000000U

void ipr_twister_seed(struct ipr_twister *t, uint32_t seed)
{
    t->state[0] = seed == 0 ? 4357U : seed;
    for (uint32_t i = 1; i < WORDS; i++)
        t->state[i] = 1812433253U * (t->state[i - 1] ^ t->state[i - 1] >> 30) + i;
    t->used = WORDS;
}

static uint32_t twister_word(uint32_t high, uint32_t low, uint32_t far)
{
    const uint32_t y = (high & HIGHEST) | (low & ~HIGHEST);

    return far ^ y >> 1 ^ (0x9908b0dfU & -(y & 1U));
}

void ipr_twister_more(struct ipr_twister *t)
{
    uint32_t *const s = t->state;

    for (size_t i = 0; i < WORDS - SHIFT; i++)
        s[i] = twister_word(s[i], s[i + 1], s[i + SHIFT]);
    for (size_t i = WORDS - SHIFT; i < WORDS - 1; i++)
        s[i] = twister_word(s[i], s[i + 1], s[i + SHIFT - WORDS]);
    s[WORDS - 1] = twister_word(s[WORDS - 1], s[0], s[SHIFT - 1]);
    for (size_t i = 0; i < WORDS; i++) {
        uint32_t y = s[i];

        y ^= y >> 11;
        y ^= y << 7 & 0x9d2c5680U;
        y ^= y << 15 & 0xefc60000U;
        t->out[i] = y ^ y >> 18;
    }
    t->used = 0;
}
