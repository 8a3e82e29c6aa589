#include "db/events.h"

#include "db/pq.h"

#define MISSING (-1) /* query events_find */

static void add_columns(struct ipr_db_params *p, const struct ipr_db_event *events, size_t n,
                        const int32_t *found)
{
    struct ipr_db_array names = { 0 }, years = { 0 };

    for (size_t i = 0; i < n; i++) {
        if (found != NULL && found[i] != MISSING)
            continue;
        ipr_db_array_text(&names, events[i].name);
        ipr_db_array_int(&years, events[i].name[0] != '\0' ? events[i].year : 0);
    }
    ipr_db_p_array_take(p, &names);
    ipr_db_p_array_take(p, &years);
}

static enum ipr_code find(struct ipr_db *db, const struct ipr_db_event *events, size_t n,
                          int32_t *out, bool *missing, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_params p = { 0 };
    void *list = NULL;
    size_t found = 0;

    add_columns(&p, events, n, NULL);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_EVENTS_FIND, &p, &mem, sizeof *out,
                                         ipr_db_fill_id32, &list, &found, err);
    *missing = false;
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        out[i] = ((const int32_t *)list)[i];
        *missing |= out[i] == MISSING;
    }
    ipr_arena_release(&mem);
    return rc;
}

enum ipr_code ipr_db_events(struct ipr_db *db, const struct ipr_db_event *events, size_t n,
                            int32_t *out, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    bool missing = false;
    enum ipr_code rc = find(db, events, n, out, &missing, err);

    if (rc != IPR_OK || !missing)
        return rc;
    add_columns(&p, events, n, out);
    rc = ipr_db_exec(db, IPR_Q_EVENTS_ADD, &p, NULL, err);
    if (rc == IPR_OK)
        rc = find(db, events, n, out, &missing, err);
    if (rc == IPR_OK && missing)
        return ipr_err_set(err, IPR_EDB, "an event that was added is not there");
    return rc;
}
