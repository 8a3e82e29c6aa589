#include "view/certainty.h"

#include <stddef.h>

const char *ipr_certainty_word(double probability)
{
    static const struct {
        double from;
        const char *word;
    } words[] = {
        { .99, "virtually certain" },
        { .95, "extremely likely" },
        { .90, "very likely" },
        { .66, "likely" },
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (probability >= words[i].from)
            return words[i].word;
    return NULL;
}
