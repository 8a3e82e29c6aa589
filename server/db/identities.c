#include "db/identities.h"

#include <stdlib.h>
#include <string.h>

#include "db/pq.h"

/* Mentions repeat: a tournament names a player in each of the games. One of each is looked up. */
struct mention {
    const struct ipr_identity *who;
    size_t at; /* in the caller's list */
};

struct found {
    struct ipr_db_identity is;
    bool spelled; /* both keys are on record */
};

static int by_identity(const void *a, const void *b)
{
    const struct ipr_identity *x = ((const struct mention *)a)->who;
    const struct ipr_identity *y = ((const struct mention *)b)->who;

    if (x->fide_id != y->fide_id)
        return x->fide_id < y->fide_id ? -1 : 1;
    const int key = strcmp(x->key, y->key);
    return key != 0 ? key : strcmp(x->tagged, y->tagged);
}

static void fill_found(struct ipr_db_row *r, void *out)
{
    struct found *f = out;

    f->is.id = ipr_db_col_i32(r, "id");
    f->is.person = ipr_db_col_i32(r, "person");
    f->spelled = ipr_db_col_bool(r, "spelled");
}

static enum ipr_code identities_find(struct ipr_db *db, const struct mention *m, size_t n,
                                     struct ipr_arena *mem, struct found **out, struct ipr_err *err)
{
    struct ipr_db_array fide = { 0 }, keys = { 0 }, tagged = { 0 };
    struct ipr_db_params p = { 0 };
    void *list = NULL;
    size_t found = 0;

    for (size_t i = 0; i < n; i++) {
        ipr_db_array_int(&fide, m[i].who->fide_id);
        ipr_db_array_text(&keys, m[i].who->key);
        ipr_db_array_text(&tagged, m[i].who->tagged);
    }
    ipr_db_p_array_take(&p, &fide);
    ipr_db_p_array_take(&p, &keys);
    ipr_db_p_array_take(&p, &tagged);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_IDENTITIES_FIND, &p, mem, sizeof **out,
                                         fill_found, &list, &found, err);
    if (rc == IPR_OK)
        *out = list;
    return rc;
}

static enum ipr_code identities_add(struct ipr_db *db, const struct mention *m, size_t n,
                                    const struct found *f, struct ipr_err *err)
{
    struct ipr_db_array fide = { 0 }, keys = { 0 }, names = { 0 };
    struct ipr_db_params p = { 0 };

    for (size_t i = 0; i < n; i++)
        if (f[i].is.id == 0) {
            ipr_db_array_int(&fide, m[i].who->fide_id);
            ipr_db_array_text(&keys, m[i].who->key);
            ipr_db_array_text(&names, m[i].who->name);
        }
    ipr_db_p_array_take(&p, &fide);
    ipr_db_p_array_take(&p, &keys);
    ipr_db_p_array_take(&p, &names);
    return ipr_db_exec(db, IPR_Q_IDENTITIES_ADD, &p, NULL, err);
}

/* Of `f` before the players were added: a new one has no spelling at all. */
static enum ipr_code add_spellings(struct ipr_db *db, const struct mention *m, size_t n,
                                   const struct found *f, const struct found *now,
                                   struct ipr_err *err)
{
    struct ipr_db_array ids = { 0 }, keys = { 0 }, names = { 0 };
    struct ipr_db_params p = { 0 };

    for (size_t i = 0; i < n; i++) {
        if (f[i].spelled)
            continue;
        ipr_db_array_int(&ids, now[i].is.id);
        ipr_db_array_text(&keys, m[i].who->key);
        ipr_db_array_text(&names, m[i].who->name);
        if (strcmp(m[i].who->tagged, m[i].who->key) == 0)
            continue;
        ipr_db_array_int(&ids, now[i].is.id);
        ipr_db_array_text(&keys, m[i].who->tagged);
        ipr_db_array_text(&names, m[i].who->tagged_name);
    }
    ipr_db_p_array_take(&p, &ids);
    ipr_db_p_array_take(&p, &keys);
    ipr_db_p_array_take(&p, &names);
    return ipr_db_exec_later(db, IPR_Q_SPELLINGS_ADD, &p, err);
}

static enum ipr_code identities_resolve(struct ipr_db *db, const struct mention *m, size_t n,
                                        struct ipr_arena *mem, struct found **out,
                                        struct ipr_err *err)
{
    struct found *before = NULL;
    bool missing = false, unspelled = false;
    enum ipr_code rc = identities_find(db, m, n, mem, &before, err);

    *out = before;
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        missing |= before[i].is.id == 0;
        unspelled |= !before[i].spelled;
    }
    if (rc == IPR_OK && missing)
        rc = identities_add(db, m, n, before, err);
    if (rc == IPR_OK && missing)
        rc = identities_find(db, m, n, mem, out, err);
    if (rc == IPR_OK && unspelled)
        rc = add_spellings(db, m, n, before, *out, err);
    return rc;
}

enum ipr_code ipr_db_identities(struct ipr_db *db, const struct ipr_identity *who, size_t n,
                                struct ipr_db_identity *out, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct mention *all = ipr_arena_alloc(&mem, n, sizeof *all);
    struct mention *one = ipr_arena_alloc(&mem, n, sizeof *one);
    struct found *found = NULL;
    size_t named = 0, distinct = 0;
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; i < n; i++) {
        out[i] = (struct ipr_db_identity){ .id = IPR_PLAYER_NOBODY };
        if (who[i].key[0] != '\0')
            all[named++] = (struct mention){ &who[i], i };
    }
    if (named > 1)
        qsort(all, named, sizeof *all, by_identity);
    for (size_t i = 0; i < named; i++)
        if (i == 0 || by_identity(&all[i], &all[i - 1]) != 0)
            one[distinct++] = all[i];
    if (distinct > 0)
        rc = identities_resolve(db, one, distinct, &mem, &found, err);
    for (size_t i = 0, k = 0; rc == IPR_OK && i < named; i++) {
        if (i > 0 && by_identity(&all[i], &all[i - 1]) != 0)
            k++;
        out[all[i].at] = found[k].is;
    }
    ipr_arena_release(&mem);
    return rc;
}
