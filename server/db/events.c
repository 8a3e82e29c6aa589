#include "db/events.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "queries/events_inside.h"

#define MISSING (-1) /* query events_find */

static int by_event(const void *a, const void *b)
{
    const struct ipr_db_event *x = a, *y = b;

    if (x->year != y->year)
        return x->year < y->year ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Ids of distinct events, in mem. */
static enum ipr_code events_resolve(struct ipr_db *db, const struct ipr_db_event *events, size_t n,
                                    struct ipr_arena *mem, int32_t **out, struct ipr_err *err)
{
    struct ipr_db_event *missing = ipr_arena_alloc(mem, n, sizeof *missing);
    size_t n_missing = 0, found = 0;
    enum ipr_code rc = ipr_db_events_find(db, events, n, mem, out, &found, err);

    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        if ((*out)[i] == MISSING)
            missing[n_missing++] = events[i];
    if (rc != IPR_OK || n_missing == 0)
        return rc;
    rc = ipr_db_events_add(db, missing, n_missing, err);
    if (rc == IPR_OK)
        rc = ipr_db_events_find(db, events, n, mem, out, &found, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        if ((*out)[i] == MISSING)
            rc = ipr_err_set(err, IPR_EDB, "an event that was added is not there");
    return rc;
}

/* No event has no year. */
static struct ipr_db_event event_mentioned(const struct ipr_db_event *e)
{
    return (struct ipr_db_event){ e->name, e->name[0] != '\0' ? e->year : 0 };
}

/* The games repeat names: a tournament is named in each of its games. Each name is looked up
 * once. */
enum ipr_code ipr_db_events(struct ipr_db *db, const struct ipr_db_event *events, size_t n,
                            int32_t *out, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_event *one = ipr_arena_alloc(&mem, n, sizeof *one);
    int32_t *ids = NULL;

    for (size_t i = 0; i < n; i++)
        one[i] = event_mentioned(&events[i]);
    const size_t distinct = ipr_sort_unique(one, n, sizeof *one, by_event);
    const enum ipr_code rc = events_resolve(db, one, distinct, &mem, &ids, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        const struct ipr_db_event event = event_mentioned(&events[i]);
        const struct ipr_db_event *of = bsearch(&event, one, distinct, sizeof *one, by_event);

        out[i] = ids[of - one];
    }
    ipr_arena_release(&mem);
    return rc;
}
