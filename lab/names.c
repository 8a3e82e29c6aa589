#include "lab/names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "stats/resample.h"

uint64_t bench_digest(const char *text)
{
    uint64_t h = 1469598103934665603u;

    for (; *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return ipr_mix64(h);
}

void bench_player(const char *name, char out[128])
{
    size_t n = 0;
    bool given = false;

    for (; *name != '\0' && n < 126; name++) {
        const char c = (char)(*name | 32);
        const bool digit = c >= '0' && c <= '9' && !given && name[1] != '\0';

        if (*name == ',') {
            given = true;
        } else if ((unsigned char)*name >= 128 || (c >= 'a' && c <= 'z') || digit) {
            out[n++] = c;
            if (given)
                break;
        }
    }
    out[n] = '\0';
}

long bench_number_in(struct ipr_str tag)
{
    char text[16] = "";

    if (tag.n < sizeof text)
        memcpy(text, tag.p, tag.n);
    return strtol(text, NULL, 10);
}
