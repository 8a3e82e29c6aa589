#include "db/identities.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "core/name_similarity.h"
#include "queries/identities_inside.h"

static int by_identity(const void *a, const void *b)
{
    const struct ipr_identity *x = *(const struct ipr_identity *const *)a;
    const struct ipr_identity *y = *(const struct ipr_identity *const *)b;

    if (x->fide_id != y->fide_id)
        return x->fide_id < y->fide_id ? -1 : 1;
    const int key = strcmp(x->key, y->key);
    return key != 0 ? key : strcmp(x->tagged, y->tagged);
}

/* `f` was read before the players were added: a new one has no spellings yet. */
static enum ipr_code add_spellings(struct ipr_db *db, const struct ipr_identity *const *who,
                                   size_t n, const struct ipr_db_found_identity *f,
                                   const struct ipr_db_found_identity *now, struct ipr_arena *mem,
                                   struct ipr_err *err)
{
    struct ipr_db_new_spelling *fresh = ipr_arena_alloc(mem, 2 * n, sizeof *fresh);
    size_t k = 0;

    for (size_t i = 0; i < n; i++) {
        if (f[i].spelled)
            continue;
        fresh[k++] = (struct ipr_db_new_spelling){ now[i].id, who[i]->key, who[i]->name };
        if (strcmp(who[i]->tagged, who[i]->key) != 0)
            fresh[k++] =
                (struct ipr_db_new_spelling){ now[i].id, who[i]->tagged, who[i]->tagged_name };
    }
    return ipr_db_spellings_add(db, fresh, k, err);
}

/* In the order of the games: the first who has an id names it. */
static int by_first_game(const void *a, const void *b)
{
    const struct ipr_identity *x = *(const struct ipr_identity *const *)a;
    const struct ipr_identity *y = *(const struct ipr_identity *const *)b;

    return (x > y) - (x < y);
}

static enum ipr_code identities_get(struct ipr_db *db, const struct ipr_identity *const *who,
                                    size_t n, struct ipr_arena *mem,
                                    struct ipr_db_found_identity **before,
                                    struct ipr_db_found_identity **out, struct ipr_err *err)
{
    const struct ipr_identity **missing = ipr_arena_alloc(mem, n, sizeof *missing);
    size_t n_missing = 0, found = 0;
    enum ipr_code rc = ipr_db_identities_find(db, who, n, mem, before, &found, err);

    *out = *before;
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        if ((*before)[i].id == 0)
            missing[n_missing++] = who[i];
    if (rc != IPR_OK || n_missing == 0)
        return rc;
    qsort(missing, n_missing, sizeof *missing, by_first_game);
    rc = ipr_db_identities_add(db, missing, n_missing, err);
    return rc == IPR_OK ? ipr_db_identities_find(db, who, n, mem, out, &found, err) : rc;
}

static bool is_another(const struct ipr_identity *who, const struct ipr_db_found_identity *found)
{
    return who->fide_id != 0 && !found->spelled && ipr_names_apart(found->known, who->key) &&
           ipr_names_apart(found->known, who->tagged);
}

/* A FIDE id is written to the wrong side, or to every game of a file: a name that does not fit
 * those by which the id is known is another player, by name. */
static enum ipr_code identities_resolve(struct ipr_db *db, const struct ipr_identity **who,
                                        size_t n, struct ipr_arena *mem,
                                        struct ipr_db_found_identity **out, struct ipr_err *err)
{
    struct ipr_identity *named = ipr_arena_alloc(mem, n, sizeof *named);
    const struct ipr_identity **one = ipr_arena_alloc(mem, n, sizeof *one);
    struct ipr_db_found_identity *before = NULL, *again = NULL, *now = NULL;
    size_t k = 0;
    enum ipr_code rc = identities_get(db, who, n, mem, &before, out, err);

    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        if (is_another(who[i], &(*out)[i])) {
            named[k] = *who[i];
            named[k].fide_id = 0;
            one[k] = &named[k];
            k++;
        }
    if (rc == IPR_OK && k > 0)
        rc = identities_get(db, one, k, mem, &again, &now, err);
    for (size_t i = n; rc == IPR_OK && i-- > 0;)
        if (k > 0 && is_another(who[i], &(*out)[i])) {
            before[i] = again[--k];
            (*out)[i] = now[k];
            (*out)[i].known = NULL;
        }
    return rc == IPR_OK ? add_spellings(db, who, n, before, *out, mem, err) : rc;
}

/* The games repeat names: a tournament names a player in each of its games. Each name is looked up
 * once. */
enum ipr_code ipr_db_identities(struct ipr_db *db, const struct ipr_identity *who, size_t n,
                                struct ipr_db_identity *out, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    const struct ipr_identity **one = ipr_arena_alloc(&mem, n, sizeof *one);
    struct ipr_db_found_identity *found = NULL;
    size_t distinct = 0;

    for (size_t i = 0; i < n; i++)
        if (who[i].key[0] != '\0')
            one[distinct++] = &who[i];
    distinct = ipr_sort_unique(one, distinct, sizeof *one, by_identity);
    const enum ipr_code rc = identities_resolve(db, one, distinct, &mem, &found, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        const struct ipr_identity *key = &who[i];
        const struct ipr_identity **of =
            distinct > 0 ? bsearch(&key, one, distinct, sizeof *one, by_identity) : NULL;

        out[i] = (struct ipr_db_identity){ .id = IPR_PLAYER_NOBODY };
        if (of == NULL)
            continue;
        out[i].id = found[of - one].id;
        out[i].person = found[of - one].person;
        out[i].set_aside = found[of - one].known == NULL;
    }
    ipr_arena_release(&mem);
    return rc;
}
