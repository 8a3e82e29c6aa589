/* Loaded records of the process, so that requests do not read the reference set again. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "view/calibration/use.h"

#define KEPT 8

struct kept {
    char digest[130];
    struct ipr_calibration_use *use; /* NULL: free slot */
    unsigned users;
    uint64_t used; /* clock of the last use, to choose which to remove */
};

static struct {
    pthread_mutex_t lock; /* guards everything here; the records themselves never change */
    struct kept kept[KEPT];
    uint64_t clock;
} store = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* With the lock held. */
static struct kept *loaded_find_kept(const char *digest)
{
    for (size_t i = 0; i < KEPT; i++)
        if (store.kept[i].use != NULL && strcmp(store.kept[i].digest, digest) == 0) {
            store.kept[i].users++;
            store.kept[i].used = ++store.clock;
            return &store.kept[i];
        }
    return NULL;
}

/* With the lock held: a free slot, or that of the record unused for longest; NULL: all in use. */
static struct kept *loaded_make_place(void)
{
    struct kept *oldest = NULL;

    for (size_t i = 0; i < KEPT; i++) {
        struct kept *k = &store.kept[i];
        if (k->use == NULL)
            return k;
        if (k->users == 0 && (oldest == NULL || k->used < oldest->used))
            oldest = k;
    }
    if (oldest != NULL)
        ipr_calibration_free(&oldest->use);
    return oldest;
}

/* Takes `use`; another thread may have added the same record meanwhile. */
static enum ipr_code loaded_keep(const char *digest, struct ipr_calibration_use *use,
                                 const struct ipr_calibration_use **out, struct ipr_err *err)
{
    pthread_mutex_lock(&store.lock);
    struct kept *k = loaded_find_kept(digest);
    if (k != NULL) {
        ipr_calibration_free(&use);
    } else if ((k = loaded_make_place()) != NULL) {
        snprintf(k->digest, sizeof k->digest, "%s", digest); /* its length was checked */
        k->use = use;
        k->users = 1;
        k->used = ++store.clock;
    }
    if (k != NULL)
        *out = k->use;
    pthread_mutex_unlock(&store.lock);
    if (k != NULL)
        return IPR_OK;
    ipr_calibration_free(&use);
    return ipr_err_set(err, IPR_ERETRY, "%d calibrations in use at once", KEPT);
}

enum ipr_code ipr_calibration_acquire(const char *digest, ipr_calibration_fetch_fn load, void *arg,
                                      const struct ipr_calibration_use **out, struct ipr_err *err)
{
    struct ipr_calibration_use *use = NULL;
    const char *text = NULL;
    json_error_t why;

    if (strlen(digest) >= sizeof store.kept[0].digest)
        return ipr_err_set(err, IPR_EINVAL, "digest of %zu characters", strlen(digest));
    pthread_mutex_lock(&store.lock);
    const struct kept *k = loaded_find_kept(digest);
    pthread_mutex_unlock(&store.lock);
    if (k != NULL) {
        *out = k->use;
        return IPR_OK;
    }

    enum ipr_code rc = load(arg, &text, err);
    if (rc != IPR_OK)
        return rc;
    json_t *record = json_loads(text, JSON_REJECT_DUPLICATES, &why);
    rc = record != NULL ? ipr_calibration_load(record, &use, err)
                        : ipr_err_at(err, IPR_EPARSE, "bad_calibration", 0, 0, -1,
                                     "calibration record: %s", why.text);
    json_decref(record);
    return rc == IPR_OK ? loaded_keep(digest, use, out, err) : rc;
}

void ipr_calibration_release(const struct ipr_calibration_use **use)
{
    if (*use == NULL)
        return;
    pthread_mutex_lock(&store.lock);
    for (size_t i = 0; i < KEPT; i++)
        if (store.kept[i].use == *use)
            store.kept[i].users--;
    pthread_mutex_unlock(&store.lock);
    *use = NULL;
}
