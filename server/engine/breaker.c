#include "engine/breaker.h"

enum { REST_MS = 1000, REST_MAX_MS = 60000 };

void ipr_breaker_worked(struct ipr_breaker *b)
{
    *b = (struct ipr_breaker){ 0, 0 };
}

int64_t ipr_breaker_failed(struct ipr_breaker *b, bool started, int64_t now)
{
    int64_t rest = REST_MS;

    b->failures++;
    if (started && b->failures < 2)
        return 0;
    for (unsigned i = started ? 2 : 1; i < b->failures && rest < REST_MAX_MS; i++)
        rest *= 2;
    if (rest > REST_MAX_MS)
        rest = REST_MAX_MS;
    /* Several workers may see the same fault at once: that is one failure. */
    if (b->until < now + rest)
        b->until = now + rest;
    return rest;
}

bool ipr_breaker_open(const struct ipr_breaker *b, int64_t now)
{
    return now < b->until;
}
