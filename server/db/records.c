#include "db/records.h"

#include <string.h>

#include "db/pq.h"

struct put {
    const char *name, *judge_json, *record_json, *digest;
    bool changed;
};

static enum ipr_code is_known(struct ipr_db *db, const struct put *c, bool *out,
                              struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    int64_t rows = 0;

    ipr_db_p_text(&p, c->name);
    ipr_db_p_text(&p, c->digest);
    const enum ipr_code rc = ipr_db_exec_count(db, IPR_Q_CALIBRATION_KNOWN, &p, &rows, err);
    *out = rows > 0;
    return rc;
}

/* A changed calibration gets a new id: answers that rest on the old one go with it, and one that
 * is being computed at this moment can no longer be kept. */
static enum ipr_code replace(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct put *c = arg;
    struct ipr_db_params p = { 0 };
    bool same = false;
    enum ipr_code rc = is_known(db, c, &same, err);

    c->changed = !same;
    if (rc != IPR_OK || same)
        return rc;
    ipr_db_p_text(&p, c->name);
    rc = ipr_db_exec(db, IPR_Q_CALIBRATION_DROP, &p, NULL, err);
    if (rc != IPR_OK)
        return rc;
    ipr_db_p_text(&p, c->name);
    ipr_db_p_text(&p, c->judge_json);
    ipr_db_p_text(&p, c->record_json);
    ipr_db_p_text(&p, c->digest);
    return ipr_db_exec(db, IPR_Q_CALIBRATION_ADD, &p, NULL, err);
}

enum ipr_code ipr_db_calibration_put(struct ipr_db *db, const char *name, const char *judge_json,
                                     const char *record_json, const char *digest, bool *changed,
                                     struct ipr_err *err)
{
    struct put c = { name, judge_json, record_json, digest, false };
    const enum ipr_code rc = ipr_db_within(db, replace, &c, err);

    if (rc == IPR_OK && changed != NULL)
        *changed = c.changed;
    return rc;
}

enum ipr_code ipr_db_calibration_new(struct ipr_db *db, const char *name, const char *judge_json,
                                     const char *record_json, const char *digest, bool *fresh,
                                     struct ipr_err *err)
{
    const struct put c = { name, judge_json, record_json, digest, false };
    struct ipr_db_params p = { 0 };
    int64_t rows = 0;
    bool same = false;

    ipr_db_p_text(&p, name);
    ipr_db_p_text(&p, judge_json);
    ipr_db_p_text(&p, record_json);
    ipr_db_p_text(&p, digest);
    enum ipr_code rc = ipr_db_exec_count(db, IPR_Q_CALIBRATION_NEW, &p, &rows, err);
    if (rc == IPR_OK && rows == 0)
        rc = is_known(db, &c, &same, err);
    if (rc == IPR_OK && rows == 0 && !same)
        rc = ipr_err_at(err, IPR_ECONFLICT, "calibration_exists", 0, 0, -1,
                        "there is another calibration of the name %s", name);
    if (rc == IPR_OK)
        *fresh = rows > 0;
    return rc;
}

static void fill_calibration(struct ipr_db_row *r, void *out)
{
    struct ipr_db_calibration *c = out;

    c->id = ipr_db_col_i32(r, "id");
    c->name = ipr_db_col_text(r, "name");
    c->judge_json = ipr_db_col_text(r, "judge");
    c->record_json = ipr_db_col_text_or(r, "record", NULL);
    c->digest = ipr_db_col_text(r, "digest");
    c->created = ipr_db_col_text(r, "created");
}

enum ipr_code ipr_db_calibration_get(struct ipr_db *db, const char *name, struct ipr_arena *mem,
                                     struct ipr_db_calibration *out, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_text(&p, name);
    return ipr_db_one(db, IPR_Q_CALIBRATION_GET, &p, mem, sizeof *out, fill_calibration, out,
                      "such calibration", err);
}

enum ipr_code ipr_db_calibration_list(struct ipr_db *db, struct ipr_arena *mem,
                                      struct ipr_db_calibration **rows, size_t *n,
                                      struct ipr_err *err)
{
    void *list = NULL;
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_CALIBRATION_LIST, NULL, mem, sizeof **rows,
                                         fill_calibration, &list, n, err);

    if (rc == IPR_OK)
        *rows = list;
    return rc;
}

static void p_rating_key(struct ipr_db_params *p, const struct ipr_db_rating_key *key)
{
    ipr_db_p_int(p, key->person);
    ipr_db_p_int(p, key->year);
    ipr_db_p_int(p, key->judge_id);
    ipr_db_p_int(p, key->calibration_id);
    ipr_db_p_text(p, key->mismatch ? "t" : "f");
    ipr_db_p_int(p, key->times);
    ipr_db_p_int(p, key->version);
}

static void fill_answer(struct ipr_db_row *r, void *out)
{
    const char **answer = out;

    *answer = ipr_db_col_text(r, "answer");
}

enum ipr_code ipr_db_rating_get(struct ipr_db *db, const struct ipr_db_rating_key *key,
                                struct ipr_arena *mem, const char **answer_json,
                                struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    p_rating_key(&p, key);
    return ipr_db_one(db, IPR_Q_RATING_GET, &p, mem, sizeof *answer_json, fill_answer, answer_json,
                      "kept answer", err);
}

enum ipr_code ipr_db_rating_put(struct ipr_db *db, const struct ipr_db_rating_key *key,
                                const char *answer_json, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    p_rating_key(&p, key);
    ipr_db_p_text(&p, answer_json);
    return ipr_db_exec(db, IPR_Q_RATING_PUT, &p, NULL, err);
}

enum ipr_code ipr_db_token_put(struct ipr_db *db, const char *name, const char *kind,
                               const unsigned char digest[32], struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_text(&p, name);
    ipr_db_p_text(&p, kind);
    ipr_db_p_bytes(&p, digest, 32);
    return ipr_db_exec(db, IPR_Q_TOKEN_PUT, &p, NULL, err);
}

struct revocation {
    const char *name;
    bool fishnet;
};

/* What a key holds is not to be charged to the next one of its name. */
static enum ipr_code revoke(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct revocation *r = arg;
    struct ipr_db_params token = { 0 }, key = { 0 };
    int64_t rows = 0;

    ipr_db_p_text(&token, r->name);
    ipr_db_p_text(&token, r->fishnet ? "fishnet" : "api");
    const enum ipr_code rc = ipr_db_exec_count(db, IPR_Q_TOKEN_REVOKE, &token, &rows, err);
    if (rc == IPR_OK && rows == 0)
        return ipr_err_set(err, IPR_ENOTFOUND, "no %s is named %s",
                           r->fishnet ? "fishnet key" : "token for writing", r->name);
    if (rc != IPR_OK || !r->fishnet)
        return rc;
    ipr_db_p_text(&key, r->name);
    return ipr_db_exec(db, IPR_Q_KEY_RELEASE, &key, NULL, err);
}

enum ipr_code ipr_db_token_revoke(struct ipr_db *db, const char *name, const char *kind,
                                  struct ipr_err *err)
{
    struct revocation r = { name, strcmp(kind, "fishnet") == 0 };

    return ipr_db_tx(db, revoke, &r, err);
}

struct token_state {
    const char *name;
    bool any;
};

static void fill_token(struct ipr_db_row *r, void *out)
{
    struct token_state *t = out;

    t->name = ipr_db_col_text_or(r, "name", NULL);
    t->any = ipr_db_col_bool(r, "tokens");
}

enum ipr_code ipr_db_token_known(struct ipr_db *db, const unsigned char digest[32],
                                 struct ipr_arena *mem, const char **name, bool *any,
                                 struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    struct token_state t;

    ipr_db_p_bytes(&p, digest, 32);
    const enum ipr_code rc =
        ipr_db_one(db, IPR_Q_TOKEN_KNOWN, &p, mem, sizeof t, fill_token, &t, "token state", err);
    if (rc == IPR_OK) {
        *name = t.name;
        *any = t.any;
    }
    return rc;
}
