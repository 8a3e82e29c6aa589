#include "db/identities.h"

#include "db/pq.h"

struct found {
    int32_t id, person;
};

static void fill(struct ipr_db_row *r, void *out)
{
    struct found *f = out;

    f->id = ipr_db_col_i32(r, "id");
    f->person = ipr_db_col_i32(r, "person");
}

enum ipr_code ipr_db_identities(struct ipr_db *db, const struct ipr_identity *who, size_t n,
                                struct ipr_db_identity *out, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_params p = { 0 };
    struct ipr_db_array names = { 0 }, keys = { 0 }, wanted = { 0 };
    void *list = NULL;
    size_t found = 0;
    enum ipr_code rc;

    for (size_t i = 0; i < n; i++) {
        if (who[i].key[0] == '\0')
            continue;
        ipr_db_array_text(&names, who[i].name);
        ipr_db_array_text(&keys, who[i].key);
    }
    for (size_t i = 0; i < n; i++)
        ipr_db_array_text(&wanted, who[i].key);
    ipr_db_p_array_take(&p, &names);
    ipr_db_p_array_take(&p, &keys);
    rc = ipr_db_exec(db, IPR_Q_PLAYERS_ADD, &p, NULL, err);
    ipr_db_p_array_take(&p, &wanted);
    if (rc == IPR_OK)
        rc = ipr_db_list(db, IPR_Q_PLAYERS_BY_KEY, &p, &mem, sizeof(struct found), fill, &list,
                         &found, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        out[i] = (struct ipr_db_identity){ ((struct found *)list)[i].id,
                                           ((struct found *)list)[i].person };
    ipr_arena_release(&mem);
    return rc;
}
