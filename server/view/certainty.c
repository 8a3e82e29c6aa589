#include "view/certainty.h"

#include <math.h>
#include <stdbool.h>
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

static bool word_holds(const struct certainty_word *w, double probability)
{
    return probability >= w->from / 100.;
}

const char *ipr_certainty_word(double probability)
{
    for (size_t i = 0; i < WORDS; i++)
        if (word_holds(&words[i], probability))
            return words[i].word;
    return NULL;
}

const char *ipr_certainty_percent(double probability, struct ipr_arena *mem)
{
    double percent = round(100 * probability);

    if (percent >= 100)
        return "above 99%";
    for (size_t i = 0; i < WORDS; i++)
        if (percent >= words[i].from && !word_holds(&words[i], probability))
            percent = words[i].from - 1;
    return ipr_arena_printf(mem, "%.0f%%", percent);
}

const char *ipr_certainty_one_in(double probability, struct ipr_arena *mem)
{
    const double n = 1 / probability, unit = n < 100 ? 1 : pow(10.0, floor(log10(n)) - 1);

    return ipr_wording_count(round(n / unit) * unit, mem);
}
