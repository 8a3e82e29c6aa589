#include "db/events.h"

#include <stdlib.h>
#include <string.h>

#include "queries/events_inside.h"

#define MISSING (-1) /* query events_find */

/* Mentions repeat: a tournament is named in each of its games. One of each is looked up. */
struct mention {
    struct ipr_db_event event;
    size_t at; /* in the caller's list */
};

static int by_event(const void *a, const void *b)
{
    const struct ipr_db_event *x = &((const struct mention *)a)->event;
    const struct ipr_db_event *y = &((const struct mention *)b)->event;

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

enum ipr_code ipr_db_events(struct ipr_db *db, const struct ipr_db_event *events, size_t n,
                            int32_t *out, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct mention *all = ipr_arena_alloc(&mem, n, sizeof *all);
    struct ipr_db_event *one = ipr_arena_alloc(&mem, n, sizeof *one);
    int32_t *ids = NULL;
    size_t distinct = 0;
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; i < n; i++) {
        all[i] = (struct mention){ events[i], i };
        if (events[i].name[0] == '\0')
            all[i].event.year = 0; /* no event has no year */
    }
    if (n > 1)
        qsort(all, n, sizeof *all, by_event);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || by_event(&all[i], &all[i - 1]) != 0)
            one[distinct++] = all[i].event;
    if (distinct > 0)
        rc = events_resolve(db, one, distinct, &mem, &ids, err);
    for (size_t i = 0, k = 0; rc == IPR_OK && i < n; i++) {
        if (i > 0 && by_event(&all[i], &all[i - 1]) != 0)
            k++;
        out[all[i].at] = ids[k];
    }
    ipr_arena_release(&mem);
    return rc;
}
