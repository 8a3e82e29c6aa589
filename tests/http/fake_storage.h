#ifndef IPR_TEST_HTTP_FAKE_STORAGE_H
#define IPR_TEST_HTTP_FAKE_STORAGE_H

/* Storage without a database, as `fake` of fakes.h wants it, which includes this. */

struct ipr_db_pool {
    char unused;
};
struct ipr_db {
    char unused;
};
struct ipr_db_listener {
    char unused;
};

static struct ipr_db_pool fake_pool;
static struct ipr_db fake_db;
static struct ipr_db_listener fake_listener;

/* Other data at each request, so that every one reaches its view, unless a test wants the same. */
static enum ipr_code fake_version(struct ipr_arena *mem, const char **out)
{
    static atomic_uint asked;

    *out = ipr_arena_printf(mem, "%u", fake.same_data ? 0 : 1 + atomic_fetch_add(&asked, 1));
    return IPR_OK;
}

#define FAKE_VERSION(name, params, unused)                                                         \
    enum ipr_code ipr_db_##name##_version params                                                   \
    {                                                                                              \
        (void)db, (void)err, (void)(unused);                                                       \
        fake_count(&fake.versions);                                                                \
        return fake_version(mem, out);                                                             \
    }
#define FAKE_OF_ALL(name)                                                                          \
    FAKE_VERSION(                                                                                  \
        name, (struct ipr_db * db, struct ipr_arena * mem, const char **out, struct ipr_err *err), \
        mem)
#define FAKE_OF_ONE(name, type)                                                                    \
    FAKE_VERSION(name,                                                                             \
                 (struct ipr_db * db, type id, struct ipr_arena * mem, const char **out,           \
                  struct ipr_err *err),                                                            \
                 id)

enum ipr_code ipr_db_snapshot_version(struct ipr_db *db, struct ipr_arena *mem, const char **out,
                                      struct ipr_err *err)
{
    (void)db, (void)err;
    fake.questions++;
    (void)poll(NULL, 0, fake.question_ms);
    return fake_version(mem, out);
}

FAKE_OF_ALL(store)
FAKE_OF_ALL(judges)
FAKE_OF_ALL(queue)
FAKE_OF_ONE(player, int32_t)
FAKE_OF_ONE(event, int32_t)
FAKE_OF_ONE(game, int64_t)

enum ipr_code ipr_db_lease_in(struct ipr_db_pool *pool, int64_t space, struct ipr_db **out,
                              struct ipr_err *err)
{
    (void)pool, (void)space;
    pthread_mutex_lock(&fake.lock);
    const enum ipr_code rc = fake.db_fail.code;
    if (rc == IPR_OK) {
        fake.leased++;
        *out = &fake_db;
    } else {
        *err = fake.db_fail;
    }
    pthread_mutex_unlock(&fake.lock);
    return rc;
}

enum ipr_code ipr_db_lease(struct ipr_db_pool *pool, struct ipr_db **out, struct ipr_err *err)
{
    return ipr_db_lease_in(pool, IPR_DB_LISTED, out, err);
}

enum ipr_code ipr_db_enter(struct ipr_db *db, int64_t space, struct ipr_err *err)
{
    (void)db, (void)space, (void)err;
    return IPR_OK;
}

void ipr_db_return(struct ipr_db **db)
{
    if (*db == NULL)
        return;
    pthread_mutex_lock(&fake.lock);
    fake.leased--;
    pthread_mutex_unlock(&fake.lock);
    *db = NULL;
}

void ipr_db_pool_use(struct ipr_db_pool *pool, unsigned *lent, unsigned *size)
{
    (void)pool;
    pthread_mutex_lock(&fake.lock);
    *lent = (unsigned)fake.leased;
    *size = 10;
    pthread_mutex_unlock(&fake.lock);
}

/* No test with this storage sets a replica. */
struct ipr_db *ipr_db_replica_lease(struct ipr_db_replica *replica)
{
    assert_null(replica);
    return NULL;
}

void ipr_db_replica_count(struct ipr_db_replica *replica, enum ipr_replica_read what)
{
    (void)what;
    assert_null(replica);
}

void ipr_db_replica_failed(struct ipr_db_replica *replica, const struct ipr_err *err)
{
    (void)err;
    assert_null(replica);
}

void ipr_db_replica_state(struct ipr_db_replica *replica, struct ipr_replica_state *out)
{
    (void)out;
    assert_null(replica);
}

void ipr_db_replica_pool_use(struct ipr_db_replica *replica, unsigned *lent, unsigned *size)
{
    (void)lent;
    (void)size;
    assert_null(replica);
}

const char *ipr_replica_read_name(enum ipr_replica_read what)
{
    (void)what;
    return "";
}

enum ipr_code ipr_db_ready(struct ipr_db *db, struct ipr_err *err)
{
    (void)db;
    pthread_mutex_lock(&fake.lock);
    const enum ipr_code rc = fake.ready_fail.code;
    if (rc != IPR_OK)
        *err = fake.ready_fail;
    pthread_mutex_unlock(&fake.lock);
    return rc;
}

enum ipr_code ipr_db_writable(struct ipr_db *db, bool *writable, struct ipr_err *err)
{
    (void)db;
    (void)err;
    *writable = true;
    return IPR_OK;
}

enum ipr_code ipr_db_token_known(struct ipr_db *db, const unsigned char digest[32],
                                 struct ipr_arena *mem, const char **name, int *scopes,
                                 bool *expired, bool *any, struct ipr_err *err)
{
    (void)db;
    (void)mem;
    (void)err;
    pthread_mutex_lock(&fake.lock);
    *any = fake.any_token;
    *name = fake.any_token && memcmp(digest, fake.token, 32) == 0 ? "known token" : NULL;
    *scopes = *name != NULL ? fake.token_scopes : 0;
    *expired = fake.token_expired;
    pthread_mutex_unlock(&fake.lock);
    return IPR_OK;
}

enum ipr_code ipr_db_token_use(struct ipr_db *db, const unsigned char digest[32], int64_t bytes,
                               bool limited, int64_t *rows, struct ipr_err *err)
{
    (void)db;
    (void)digest;
    (void)err;
    pthread_mutex_lock(&fake.lock);
    *rows = !limited || fake.token_bytes + bytes <= fake.token_quota;
    if (*rows > 0)
        fake.token_bytes += bytes;
    pthread_mutex_unlock(&fake.lock);
    return IPR_OK;
}

enum ipr_code ipr_db_audit_add(struct ipr_db *db, const char *writer, const char *client,
                               const char *method, const char *path, int status,
                               const char *request, int64_t *id, struct ipr_err *err)
{
    (void)db;
    (void)request;
    pthread_mutex_lock(&fake.lock);
    const enum ipr_code rc = fake.audit_fail.code;
    if (rc != IPR_OK)
        *err = fake.audit_fail;
    else
        snprintf(fake.audited, sizeof fake.audited, "%s %s %s %s %d", writer, client, method, path,
                 status);
    pthread_mutex_unlock(&fake.lock);
    *id = 1;
    return rc;
}

/* The row before has the status of a write that has begun, "… 0". */
enum ipr_code ipr_db_audit_end(struct ipr_db *db, int64_t id, int status, struct ipr_err *err)
{
    (void)db;
    (void)err;
    pthread_mutex_lock(&fake.lock);
    if (id == 1 && fake.audited[0] != '\0')
        snprintf(fake.audited + strlen(fake.audited) - 1, 4, "%d", status);
    pthread_mutex_unlock(&fake.lock);
    return IPR_OK;
}

/* ---- keys of writes: none is known ---- */

enum ipr_code ipr_db_idempotency_sweep(struct ipr_db *db, struct ipr_err *err)
{
    (void)db;
    (void)err;
    return IPR_OK;
}

enum ipr_code ipr_db_idempotency_claim(struct ipr_db *db, const char *writer, const char *key,
                                       const unsigned char request[32], int64_t *rows,
                                       struct ipr_err *err)
{
    (void)db;
    (void)writer;
    (void)key;
    (void)request;
    (void)err;
    *rows = 1;
    return IPR_OK;
}

enum ipr_code ipr_db_idempotency_find(struct ipr_db *db, const char *writer, const char *key,
                                      const unsigned char request[32], struct ipr_arena *mem,
                                      struct ipr_db_answer *answer, struct ipr_err *err)
{
    (void)db;
    (void)writer;
    (void)key;
    (void)request;
    (void)mem;
    (void)answer;
    return ipr_err_set(err, IPR_ENOTFOUND, "no request with that key");
}

enum ipr_code ipr_db_idempotency_keep(struct ipr_db *db, const char *writer, const char *key,
                                      int status, const char *content_type, const char *location,
                                      const char *body, struct ipr_err *err)
{
    (void)db;
    (void)writer;
    (void)key;
    (void)status;
    (void)content_type;
    (void)location;
    (void)body;
    (void)err;
    return IPR_OK;
}

enum ipr_code ipr_db_idempotency_release(struct ipr_db *db, const char *writer, const char *key,
                                         struct ipr_err *err)
{
    (void)db;
    (void)writer;
    (void)key;
    (void)err;
    return IPR_OK;
}

/* ---- decisions about identities ---- */

static enum ipr_code decided(int64_t *change, struct ipr_err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static enum ipr_code decided(int64_t *change, struct ipr_err *err, const char *fmt, ...)
{
    va_list ap;

    pthread_mutex_lock(&fake.lock);
    va_start(ap, fmt);
    vsnprintf(fake.decided, sizeof fake.decided, fmt, ap);
    va_end(ap);
    const enum ipr_code rc = fake.decide_fail.code;
    if (rc != IPR_OK)
        *err = fake.decide_fail;
    else if (change != NULL)
        *change = 5;
    pthread_mutex_unlock(&fake.lock);
    return rc;
}

enum ipr_code ipr_db_merge(struct ipr_db *db, int32_t who, int32_t into, bool sure, const char *by,
                           int64_t *change, struct ipr_err *err)
{
    (void)db;
    return decided(change, err, "merge %d %d%s by %s", (int)who, (int)into, sure ? " surely" : "",
                   by);
}

enum ipr_code ipr_db_merge_several(struct ipr_db *db, const int64_t *who, size_t n, const char *by,
                                   int64_t *change, struct ipr_err *err)
{
    (void)db;
    return decided(change, err, "merge %zu into %d by %s", n - 1, (int)who[0], by);
}

enum ipr_code ipr_db_aliases_merge(struct ipr_db *db, const struct ipr_spelling *spelling,
                                   const char *by, int64_t *batch, int32_t *merged,
                                   struct ipr_err *err)
{
    (void)db;
    (void)spelling;
    *merged = 3;
    return decided(batch, err, "aliases by %s", by);
}

enum ipr_code ipr_db_distinct(struct ipr_db *db, int32_t who, int32_t from, const char *by,
                              int64_t *change, struct ipr_err *err)
{
    (void)db;
    return decided(change, err, "distinct %d %d by %s", (int)who, (int)from, by);
}

enum ipr_code ipr_db_split(struct ipr_db *db, int32_t who, const struct ipr_db_split *s,
                           const char *by, int64_t *change, struct ipr_err *err)
{
    (void)db;
    return decided(change, err, "split %d %s [%s] %d-%d %s %zu:%lld %d by %s", (int)who, s->name,
                   s->key, s->from, s->to, shown(s->tagged), s->n_games,
                   s->n_games > 0 ? (long long)s->games[s->n_games - 1] : 0, s->colour, by);
}

enum ipr_code ipr_db_identity_undo(struct ipr_db *db, int64_t change, const char *by,
                                   struct ipr_err *err)
{
    (void)db;
    return decided(NULL, err, "undo %lld by %s", (long long)change, by);
}

/* A decision about nobody's private games. */
enum ipr_code ipr_db_identity_change_get(struct ipr_db *db, int64_t id, struct ipr_arena *mem,
                                         struct ipr_db_identity_change *out, struct ipr_err *err)
{
    (void)db, (void)mem, (void)err;
    *out = (struct ipr_db_identity_change){ .id = id, .kind = "merge", .player_id = 1 };
    return IPR_OK;
}

/* ---- judging ---- */

enum ipr_code ipr_db_definition_get(struct ipr_db *db, const char *name, struct ipr_judge *out,
                                    struct ipr_err *err)
{
    (void)db;
    if (!ipr_judge_builtin(name, out))
        return ipr_err_at(err, IPR_ENOTFOUND, "no_such_judge", 0, 0, -1, "no judge %s", name);
    return IPR_OK;
}

enum ipr_code ipr_db_definition_add(struct ipr_db *db, const struct ipr_judge *judge,
                                    const char *creator, bool *fresh, struct ipr_err *err)
{
    (void)db;
    *fresh = strcmp(judge->name, "there") != 0;
    return decided(NULL, err, "judge %s %s %u lines depth %u nodes %u by %s", judge->name,
                   judge->program, judge->multipv, judge->depth, judge->nodes, creator);
}

enum ipr_code ipr_db_workers(struct ipr_db *db, struct ipr_arena *mem, struct ipr_db_worker **rows,
                             size_t *n, struct ipr_err *err)
{
    (void)db;
    (void)err;
    *rows = ipr_arena_alloc(mem, 1, sizeof **rows);
    **rows = (struct ipr_db_worker){ .name = "elsewhere:1", .engines = "stockfish ethereal" };
    *n = 1;
    return IPR_OK;
}

enum ipr_code ipr_db_analyses_queue(struct ipr_db *db, const struct ipr_db_plan *plan,
                                    const char *judge, int priority, const char *owner,
                                    bool estimate, struct ipr_db_planned *out, struct ipr_err *err)
{
    char list[64] = "";

    (void)db;
    if (plan->n_spans > 0)
        snprintf(list, sizeof list, " %zu spans %d.. from %d to %d", plan->n_spans,
                 (int)plan->spans[0].player, plan->spans[0].from, plan->spans[0].to);
    if (plan->n_listed > 0)
        snprintf(list, sizeof list, " %zu listed %d..", plan->n_listed, (int)plan->listed[0]);
    *out = (struct ipr_db_planned){ 4, 120, 1, 20, estimate ? 1.5 : -1.0 };
    return decided(NULL, err, "%s %s%s%s for %s at %d by %s", estimate ? "estimate" : "queue",
                   selected(&plan->games), list, plan->own ? " own" : "", judge, priority, owner);
}

enum ipr_code ipr_db_analyses_steer(struct ipr_db *db, const struct ipr_db_selection *s,
                                    enum ipr_db_steer what, int priority, int32_t *changed,
                                    struct ipr_err *err)
{
    static const char *const names[] = { "cancel", "pause", "resume", "retry", "priority" };

    (void)db;
    *changed = 4;
    return decided(NULL, err, "%s %d %s", names[what], priority, selected(s));
}

enum ipr_code ipr_db_listener_open(const char *url, struct ipr_db_listener **out,
                                   struct ipr_err *err)
{
    (void)err;
    assert_string_equal(url, "fake");
    *out = &fake_listener;
    return IPR_OK;
}

bool ipr_db_listener_wait(struct ipr_db_listener *l, int timeout_ms, int wake_fd)
{
    struct pollfd p[2] = { { .fd = fake.notify_fd, .events = POLLIN },
                           { .fd = wake_fd, .events = POLLIN } };
    uint64_t n;

    (void)l;
    poll(p, 2, timeout_ms);
    return read(fake.notify_fd, &n, sizeof n) == sizeof n;
}

void ipr_db_listener_close(struct ipr_db_listener **l)
{
    *l = NULL;
}

#endif
