#include "engine/backoff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Its index, or the index where it would be added. */
static size_t backoff_place(const struct ipr_backoff *r, const char *judge)
{
    size_t i = 0;

    while (i < r->n && strcmp(r->all[i].name, judge) != 0)
        i++;
    return i;
}

int64_t ipr_backoff_failed(struct ipr_backoff *r, const char *judge, int64_t now)
{
    const size_t i = backoff_place(r, judge);

    if (i == r->n) {
        if (r->n == r->room) {
            r->room = r->room == 0 ? 8 : 2 * r->room;
            r->all = ipr_xrealloc(r->all, r->room, sizeof *r->all);
            r->names = ipr_xrealloc(r->names, r->room, sizeof *r->names);
        }
        struct ipr_backoff_judge *j = &r->all[r->n++];
        *j = (struct ipr_backoff_judge){ .breaker = { 0, 0 } };
        snprintf(j->name, sizeof j->name, "%s", judge);
    }
    return ipr_breaker_failed(&r->all[i].breaker, false, now);
}

void ipr_backoff_worked(struct ipr_backoff *r, const char *judge)
{
    const size_t i = backoff_place(r, judge);

    if (i < r->n)
        r->all[i] = r->all[--r->n];
}

const char *const *ipr_backoff_names(struct ipr_backoff *r, int64_t now, size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < r->n; i++)
        if (ipr_breaker_open(&r->all[i].breaker, now))
            r->names[(*n)++] = r->all[i].name;
    return r->names;
}

void ipr_backoff_release(struct ipr_backoff *r)
{
    free(r->all);
    free(r->names);
    *r = (struct ipr_backoff){ 0 };
}
