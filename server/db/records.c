#include "db/records.h"

#include <string.h>

#include "queries/records_inside.h"

struct calibration_put {
    const char *name, *judge_json, *record_json, *digest;
    bool changed;
};

/* A changed calibration gets a new id: cached answers that depend on the old one are deleted with
 * it, and one that is being computed at this moment can no longer be cached. */
static enum ipr_code calibration_replace(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct calibration_put *c = arg;
    int64_t same = 0;
    enum ipr_code rc = ipr_db_calibration_known(db, c->name, c->digest, &same, err);

    c->changed = same == 0;
    if (rc != IPR_OK || same > 0)
        return rc;
    rc = ipr_db_calibration_drop(db, c->name, err);
    if (rc != IPR_OK)
        return rc;
    return ipr_db_calibration_add(db, c->name, c->judge_json, c->record_json, c->digest, err);
}

enum ipr_code ipr_db_calibration_put(struct ipr_db *db, const char *name, const char *judge_json,
                                     const char *record_json, const char *digest, bool *changed,
                                     struct ipr_err *err)
{
    struct calibration_put c = { name, judge_json, record_json, digest, false };
    const enum ipr_code rc = ipr_db_within(db, calibration_replace, &c, err);

    if (rc == IPR_OK && changed != NULL)
        *changed = c.changed;
    return rc;
}

enum ipr_code ipr_db_calibration_new(struct ipr_db *db, const char *name, const char *judge_json,
                                     const char *record_json, const char *digest, bool *fresh,
                                     struct ipr_err *err)
{
    int64_t rows = 0, same = 0;
    enum ipr_code rc =
        ipr_db_calibration_add_new(db, name, judge_json, record_json, digest, &rows, err);

    if (rc == IPR_OK && rows == 0)
        rc = ipr_db_calibration_known(db, name, digest, &same, err);
    if (rc == IPR_OK && rows == 0 && same == 0)
        rc = ipr_err_type(err, IPR_ECONFLICT, "calibration_exists",
                          "there is another calibration of the name %s", name);
    if (rc == IPR_OK)
        *fresh = rows > 0;
    return rc;
}

struct revocation {
    const char *name;
    bool fishnet;
};

/* The leases of a key must not be counted for a later key of the same name. */
static enum ipr_code revoke_token(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct revocation *r = arg;
    int64_t rows = 0;
    const enum ipr_code rc =
        ipr_db_token_end(db, r->name, r->fishnet ? "fishnet" : "api", &rows, err);

    if (rc == IPR_OK && rows == 0)
        return ipr_err_set(err, IPR_ENOTFOUND, "no %s is named %s",
                           r->fishnet ? "fishnet key" : "token for writing", r->name);
    return rc != IPR_OK || !r->fishnet ? rc : ipr_db_key_release(db, r->name, err);
}

enum ipr_code ipr_db_token_revoke(struct ipr_db *db, const char *name, const char *kind,
                                  struct ipr_err *err)
{
    struct revocation r = { name, strcmp(kind, "fishnet") == 0 };

    return ipr_db_tx(db, revoke_token, &r, err);
}
