#include "view/certainty.h"

#include <math.h>
#include <stddef.h>

#include "view/wording.h"

static const struct certainty_word {
    int from; /* per cent */
    const char *word;
} words[] = {
    { 99, "virtually certain" },
    { 95, "extremely likely" },
    { 90, "very likely" },
    { 66, "likely" },
};

#define WORDS (sizeof words / sizeof *words)

const char *ipr_certainty_word(double probability)
{
    for (size_t i = 0; i < WORDS; i++)
        if (round(100 * probability) >= words[i].from)
            return words[i].word;
    return NULL;
}

const char *ipr_certainty_percent(double probability, struct ipr_arena *mem)
{
    const double percent = round(100 * probability);

    if (percent < 1)
        return "below 1%";
    return percent >= 100 ? "above 99%" : ipr_arena_printf(mem, "%.0f%%", percent);
}

const char *ipr_certainty_one_in(double probability, struct ipr_arena *mem)
{
    const double n = 1 / probability, unit = n < 100 ? 1 : pow(10.0, floor(log10(n)) - 1);

    return ipr_wording_count(round(n / unit) * unit, mem);
}
