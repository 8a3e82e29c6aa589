#include "db/events.h"

#include <stdlib.h>
#include <string.h>

#include "db/pq.h"

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

static void add_columns(struct ipr_db_params *p, const struct mention *m, size_t n)
{
    struct ipr_db_array names = { 0 }, years = { 0 };

    for (size_t i = 0; i < n; i++) {
        ipr_db_array_text(&names, m[i].event.name);
        ipr_db_array_int(&years, m[i].event.year);
    }
    ipr_db_p_array_take(p, &names);
    ipr_db_p_array_take(p, &years);
}

static enum ipr_code events_find(struct ipr_db *db, const struct mention *m, size_t n,
                                 struct ipr_arena *mem, int32_t **out, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;
    size_t found = 0;

    add_columns(&p, m, n);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_EVENTS_FIND, &p, mem, sizeof **out,
                                         ipr_db_fill_id32, &list, &found, err);
    if (rc == IPR_OK)
        *out = list;
    return rc;
}

static enum ipr_code events_add(struct ipr_db *db, const struct mention *m, size_t n,
                                struct ipr_arena *mem, int32_t **out, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    add_columns(&p, m, n);
    enum ipr_code rc = ipr_db_exec(db, IPR_Q_EVENTS_ADD, &p, NULL, err);
    if (rc == IPR_OK)
        rc = events_find(db, m, n, mem, out, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        if ((*out)[i] == MISSING)
            rc = ipr_err_set(err, IPR_EDB, "an event that was added is not there");
    return rc;
}

/* Ids of distinct events, in mem. */
static enum ipr_code events_resolve(struct ipr_db *db, const struct mention *m, size_t n,
                                    struct ipr_arena *mem, int32_t **out, struct ipr_err *err)
{
    struct mention *missing = ipr_arena_alloc(mem, n, sizeof *missing);
    int32_t *added = NULL;
    size_t n_missing = 0;
    enum ipr_code rc = events_find(db, m, n, mem, out, err);

    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        if ((*out)[i] == MISSING)
            missing[n_missing++] = (struct mention){ m[i].event, i };
    if (rc == IPR_OK && n_missing > 0)
        rc = events_add(db, missing, n_missing, mem, &added, err);
    for (size_t i = 0; rc == IPR_OK && i < n_missing; i++)
        (*out)[missing[i].at] = added[i];
    return rc;
}

enum ipr_code ipr_db_events(struct ipr_db *db, const struct ipr_db_event *events, size_t n,
                            int32_t *out, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct mention *all = ipr_arena_alloc(&mem, n, sizeof *all);
    struct mention *one = ipr_arena_alloc(&mem, n, sizeof *one);
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
            one[distinct++] = all[i];
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
