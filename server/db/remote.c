#include "db/remote.h"

#include "db/pq.h"

/* ---- keys ---- */

static void fill_key(struct ipr_db_row *r, void *out)
{
    struct ipr_db_key *k = out;

    k->id = ipr_db_col_i32(r, "id");
    k->name = ipr_db_col_text(r, "name");
    k->suspended = ipr_db_col_text_or(r, "suspended", NULL);
}

enum ipr_code ipr_db_key_get(struct ipr_db *db, const unsigned char digest[32],
                             struct ipr_arena *mem, struct ipr_db_key *out, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_bytes(&p, digest, 32);
    return ipr_db_one(db, IPR_Q_KEY_GET, &p, mem, sizeof *out, fill_key, out, "such key", err);
}

static void fill_suspended(struct ipr_db_row *r, void *out)
{
    bool *suspended = out;

    *suspended = ipr_db_col_bool(r, "suspended");
}

enum ipr_code ipr_db_key_refused(struct ipr_db *db, int32_t key_id, const char *reason,
                                 bool *suspended, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, key_id);
    ipr_db_p_int(&p, IPR_DB_KEY_REFUSAL);
    ipr_db_p_int(&p, IPR_DB_KEY_REFUSAL * IPR_DB_KEY_REFUSALS);
    ipr_db_p_text(&p, reason);
    return ipr_db_one(db, IPR_Q_KEY_REFUSED, &p, NULL, sizeof *suspended, fill_suspended, suspended,
                      "such key", err);
}

enum ipr_code ipr_db_key_good(struct ipr_db *db, int32_t key_id, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, key_id);
    return ipr_db_exec(db, IPR_Q_KEY_GOOD, &p, NULL, err);
}

static void fill_silent(struct ipr_db_row *r, void *out)
{
    int32_t *silent = out;

    *silent = ipr_db_col_i32(r, "silent");
}

static void fill_held(struct ipr_db_row *r, void *out)
{
    int64_t *held = out;

    *held = ipr_db_col_i64(r, "held");
}

enum ipr_code ipr_db_key_asks(struct ipr_db *db, int32_t key_id, const char *worker, int64_t leases,
                              bool *may, struct ipr_err *err)
{
    struct ipr_db_params key = { 0 }, name = { 0 };
    int32_t silent = 0;
    int64_t held = 0;

    ipr_db_p_int(&key, key_id);
    enum ipr_code rc = ipr_db_one(db, IPR_Q_KEY_ASKS, &key, NULL, sizeof silent, fill_silent,
                                  &silent, "such key", err);
    if (rc != IPR_OK)
        return rc;
    /* A statement of its own: it sees what was claimed while the first one waited. */
    ipr_db_p_text(&name, worker);
    rc = ipr_db_one(db, IPR_Q_KEY_HELD, &name, NULL, sizeof held, fill_held, &held, "count", err);
    *may = held < (silent < IPR_DB_KEY_SILENCES ? leases : 1);
    return rc;
}

struct engine {
    bool known;
    int64_t fresh;
};

static void fill_engine(struct ipr_db_row *r, void *out)
{
    struct engine *e = out;

    e->known = ipr_db_col_bool(r, "known");
    e->fresh = ipr_db_col_i64(r, "fresh");
}

enum ipr_code ipr_db_key_engine(struct ipr_db *db, int32_t key_id, const char *engine, bool *known,
                                bool *may, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    struct engine e = { 0 };

    ipr_db_p_int(&p, key_id);
    ipr_db_p_text(&p, engine);
    const enum ipr_code rc =
        ipr_db_one(db, IPR_Q_KEY_ENGINE, &p, NULL, sizeof e, fill_engine, &e, "count", err);
    *known = e.known;
    *may = e.known || e.fresh < IPR_DB_KEY_ENGINES;
    return rc;
}

enum ipr_code ipr_db_key_engine_add(struct ipr_db *db, int32_t key_id, const char *engine,
                                    struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, key_id);
    ipr_db_p_text(&p, engine);
    return ipr_db_exec(db, IPR_Q_KEY_ENGINE_ADD, &p, NULL, err);
}

enum ipr_code ipr_db_key_suspend(struct ipr_db *db, int32_t key_id, const char *reason,
                                 struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, key_id);
    ipr_db_p_text(&p, reason);
    return ipr_db_exec(db, IPR_Q_KEY_SUSPEND, &p, NULL, err);
}

static void fill_token(struct ipr_db_row *r, void *out)
{
    struct ipr_db_token *t = out;

    t->name = ipr_db_col_text(r, "name");
    t->kind = ipr_db_col_text(r, "kind");
    t->created = ipr_db_col_text(r, "created");
    t->suspended = ipr_db_col_text_or(r, "suspended", NULL);
    t->revoked = ipr_db_col_text_or(r, "revoked", NULL);
    t->games = ipr_db_col_i64(r, "games");
    t->checked = ipr_db_col_i64(r, "checked");
    t->failed = ipr_db_col_i64(r, "failed");
    t->silences = ipr_db_col_i64(r, "silences");
}

enum ipr_code ipr_db_token_list(struct ipr_db *db, struct ipr_arena *mem,
                                struct ipr_db_token **rows, size_t *n, struct ipr_err *err)
{
    void *list = NULL;
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_TOKEN_LIST, NULL, mem, sizeof **rows, fill_token, &list, n, err);

    if (rc == IPR_OK)
        *rows = list;
    return rc;
}

static enum ipr_code change_key(struct ipr_db *db, enum ipr_query query, const char *name,
                                const char *state, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    int64_t rows = 0;

    ipr_db_p_text(&p, name);
    const enum ipr_code rc = ipr_db_exec_count(db, query, &p, &rows, err);
    if (rc == IPR_OK && rows == 0)
        return ipr_err_set(err, IPR_ENOTFOUND, "no %s key is named %s", state, name);
    return rc;
}

enum ipr_code ipr_db_token_resume(struct ipr_db *db, const char *name, struct ipr_err *err)
{
    return change_key(db, IPR_Q_TOKEN_RESUME, name, "suspended", err);
}

enum ipr_code ipr_db_token_suspend(struct ipr_db *db, const char *name, struct ipr_err *err)
{
    return change_key(db, IPR_Q_TOKEN_SUSPEND, name, "good", err);
}

/* ---- what was judged under them ---- */

struct lease {
    bool own;
    int64_t age_s;
};

static void fill_lease(struct ipr_db_row *r, void *out)
{
    struct lease *l = out;

    l->own = ipr_db_col_bool(r, "own");
    l->age_s = ipr_db_col_i64(r, "age");
}

enum ipr_code ipr_db_lease_of(struct ipr_db *db, const struct ipr_db_job *job, const char *worker,
                              bool *own, int64_t *age_s, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    struct lease l = { 0 };

    ipr_db_p_int(&p, job->id);
    ipr_db_p_int(&p, job->token);
    ipr_db_p_text(&p, worker);
    const enum ipr_code rc =
        ipr_db_one(db, IPR_Q_LEASE_OF, &p, NULL, sizeof l, fill_lease, &l, "such lease", NULL);
    if (rc == IPR_ENOTFOUND)
        return ipr_err_set(err, IPR_ECONFLICT, "the lease is over");
    if (rc != IPR_OK)
        return ipr_err_set(err, rc, "lease of a job");
    *own = l.own;
    *age_s = l.age_s;
    return IPR_OK;
}

enum ipr_code ipr_db_remote_judged(struct ipr_db *db, int64_t game_id, int32_t judge_id,
                                   int32_t key_id, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, game_id);
    ipr_db_p_int(&p, judge_id);
    ipr_db_p_int(&p, key_id);
    return ipr_db_exec(db, IPR_Q_REMOTE_JUDGED, &p, NULL, err);
}

static void fill_unchecked(struct ipr_db_row *r, void *out)
{
    struct ipr_db_unchecked *u = out;

    u->game_id = ipr_db_col_i64(r, "game_id");
    u->judge_id = ipr_db_col_i32(r, "judge_id");
    u->key_id = ipr_db_col_i32(r, "token_id");
    u->judge = ipr_db_col_text(r, "judge");
    u->key = ipr_db_col_text(r, "key");
}

enum ipr_code ipr_db_unchecked_get(struct ipr_db *db, int64_t game_id, const char *judge,
                                   struct ipr_arena *mem, struct ipr_db_unchecked *out,
                                   struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, game_id);
    ipr_db_p_text(&p, judge);
    return ipr_db_one(db, IPR_Q_UNCHECKED_GET, &p, mem, sizeof *out, fill_unchecked, out,
                      "judgement of this game to check", err);
}

enum ipr_code ipr_db_unchecked_list(struct ipr_db *db, int32_t key_id, struct ipr_arena *mem,
                                    struct ipr_db_unchecked **rows, size_t *n, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_int(&p, key_id);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_UNCHECKED_LIST, &p, mem, sizeof **rows,
                                         fill_unchecked, &list, n, err);
    if (rc == IPR_OK)
        *rows = list;
    return rc;
}

enum ipr_code ipr_db_remote_checked(struct ipr_db *db, const struct ipr_db_unchecked *of,
                                    unsigned turns, double difference, bool passed,
                                    struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, of->game_id);
    ipr_db_p_int(&p, of->judge_id);
    ipr_db_p_int(&p, turns);
    ipr_db_p_text(&p, ipr_arena_printf(&p.mem, "%.17g", difference));
    ipr_db_p_text(&p, passed ? "t" : "f");
    return ipr_db_exec(db, IPR_Q_REMOTE_CHECKED, &p, NULL, err);
}

/* ---- the queue as clients are told of it ---- */

static void fill_status(struct ipr_db_row *r, void *out)
{
    struct ipr_db_status *s = out;

    s->acquired = ipr_db_col_i64(r, "acquired");
    s->queued = ipr_db_col_i64(r, "queued");
    s->oldest_s = ipr_db_col_i64(r, "oldest");
}

enum ipr_code ipr_db_status(struct ipr_db *db, const char *program, struct ipr_db_status out[2],
                            struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    struct ipr_arena mem = IPR_ARENA_INIT;
    void *list = NULL;
    size_t n = 0;

    ipr_db_p_text(&p, program);
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_QUEUE_STATUS, &p, &mem, sizeof *out, fill_status, &list, &n, err);
    for (size_t i = 0; rc == IPR_OK && i < 2 && i < n; i++)
        out[i] = ((const struct ipr_db_status *)list)[i];
    ipr_arena_release(&mem);
    return rc;
}
