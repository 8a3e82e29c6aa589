#include "db/events.h"

#include <string.h>

#include "db/pq.h"

static void add_columns(struct ipr_db_params *p, const struct ipr_db_event *events, size_t n)
{
    struct ipr_db_array names = { 0 }, years = { 0 };

    for (size_t i = 0; i < n; i++) {
        ipr_db_array_text(&names, events[i].name);
        ipr_db_array_int(&years, events[i].name[0] != '\0' ? events[i].year : 0);
    }
    ipr_db_p_array_take(p, &names);
    ipr_db_p_array_take(p, &years);
}

enum ipr_code ipr_db_events(struct ipr_db *db, const struct ipr_db_event *events, size_t n,
                            int32_t *out, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_params p = { 0 };
    void *list = NULL;
    size_t found = 0;

    add_columns(&p, events, n);
    enum ipr_code rc = ipr_db_exec(db, IPR_Q_EVENTS_ADD, &p, NULL, err);
    if (rc == IPR_OK) {
        add_columns(&p, events, n);
        rc = ipr_db_list(db, IPR_Q_EVENTS_FIND, &p, &mem, sizeof *out, ipr_db_fill_id32, &list,
                         &found, err);
    }
    if (rc == IPR_OK && found != n)
        rc = ipr_err_set(err, IPR_EDB, "%zu of %zu events are in the database", found, n);
    if (rc == IPR_OK && n > 0)
        memcpy(out, list, n * sizeof *out);
    ipr_arena_release(&mem);
    return rc;
}
