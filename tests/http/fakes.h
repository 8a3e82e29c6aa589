#ifndef IPR_TEST_HTTP_FAKES_H
#define IPR_TEST_HTTP_FAKES_H

/* Stand-ins for storage, views and ingest, included by the one test that drives every failure
 * through them: each function of their contracts that server/http calls, and no more. */

#include <poll.h>
#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "db/aliases.h"
#include "db/analyses.h"
#include "db/db.h"
#include "db/deletion.h"
#include "db/idempotency.h"
#include "db/identity_changes.h"
#include "db/judges.h"
#include "db/listed_years.h"
#include "db/monitor.h"
#include "db/records.h"
#include "db/results.h"
#include "db/uploads.h"
#include "db/versions.h"
#include "db/workers.h"
#include "ingest/ingest.h"
#include "ipr_test.h"
#include "rate/answer.h"
#include "resource/write.h"
#include "view/calibration/calibration.h"
#include "view/paper/matches.h"
#include "view/queue/analyses.h"
#include "view/report/report.h"
#include "view/view.h"

static struct {
    pthread_mutex_t lock; /* guards all: requests are answered on other threads */
    struct ipr_err fail;  /* of every view */
    struct ipr_err db_fail, ready_fail, audit_fail, ingest_fail, page_fail;
    bool any_token, token_expired;
    int token_scopes;
    int64_t token_quota, token_bytes;
    char audited[256];
    atomic_bool same_data; /* the data have one version; otherwise another one at each request */
    unsigned char token[32];
    atomic_int question_ms, questions; /* whether anything was written: how long that takes */
    int leased;
    bool views_held;     /* views begin and do not end … */
    int views_let;       /* … but for so many */
    int views;           /* begun */
    const char *awaited; /* part of a call … */
    int awaited_at;      /* … and which of the views that was */
    char call[256];      /* the last view requested, with its arguments */
    char decided[256];   /* the last decision about identities, with its arguments */
    unsigned times;      /* classes of time control of the last view requested */
    struct ipr_err decide_fail;
    char ingest[256];
    bool ingest_held;       /* imports begin and do not end */
    int ingests;            /* begun */
    bool works_held;        /* calibrations begin and end only when they are stopped */
    int works;              /* begun */
    int versions;           /* queried */
    int withdrawn;          /* records of uploads */
    pthread_cond_t changed; /* any of those eight */
    char failed[40];        /* the type of the last failure of an upload on record */
    long long ingest_bytes;
    long long ingested[80]; /* bytes of the first imports, in their order */
    unsigned char ingest_digest[32];
    int queued;
    int seconds; /* remaining, as progress estimates it */
    unsigned progress_calls;
    int notify_fd; /* stands for NOTIFY; set before any thread */
} fake = { .lock = PTHREAD_MUTEX_INITIALIZER,
           .changed = PTHREAD_COND_INITIALIZER,
           .notify_fd = -1 };

static void fake_reset(void)
{
    pthread_mutex_lock(&fake.lock);
    ipr_err_clear(&fake.fail);
    ipr_err_clear(&fake.db_fail);
    ipr_err_clear(&fake.ready_fail);
    ipr_err_clear(&fake.audit_fail);
    ipr_err_clear(&fake.ingest_fail);
    ipr_err_clear(&fake.page_fail);
    ipr_err_clear(&fake.decide_fail);
    fake.decided[0] = '\0';
    fake.times = 0;
    fake.any_token = fake.token_expired = false;
    fake.token_scopes = IPR_SCOPES_ALL;
    fake.token_quota = INT64_MAX;
    fake.token_bytes = 0;
    fake.audited[0] = '\0';
    fake.same_data = false;
    fake.question_ms = fake.questions = 0;
    fake.call[0] = fake.ingest[0] = '\0';
    fake.ingest_bytes = -1;
    fake.ingest_held = fake.views_held = fake.works_held = false;
    fake.views_let = 0;
    fake.ingests = fake.views = fake.works = fake.versions = 0;
    fake.queued = fake.seconds = fake.withdrawn = 0;
    fake.failed[0] = '\0';
    pthread_mutex_unlock(&fake.lock);
}

static inline void fake_fail(struct ipr_err *where, enum ipr_code code, const char *type,
                             const char *msg)
{
    pthread_mutex_lock(&fake.lock);
    ipr_err_clear(where);
    (void)ipr_err_at(where, code, type, code == IPR_EPARSE ? 3 : 0, code == IPR_EPARSE ? 7 : 0, -1,
                     "%s", msg);
    pthread_mutex_unlock(&fake.lock);
}

static inline void fake_queue(int n)
{
    const uint64_t one = 1;

    pthread_mutex_lock(&fake.lock);
    fake.queued = n;
    pthread_mutex_unlock(&fake.lock);
    (void)!write(fake.notify_fd, &one, sizeof one);
}

static inline void fake_hold(bool *what, bool held)
{
    pthread_mutex_lock(&fake.lock);
    *what = held;
    pthread_cond_broadcast(&fake.changed);
    pthread_mutex_unlock(&fake.lock);
}

/* Until so many have begun. */
static inline void fake_await(const int *begun, int n)
{
    pthread_mutex_lock(&fake.lock);
    while (*begun < n)
        pthread_cond_wait(&fake.changed, &fake.lock);
    pthread_mutex_unlock(&fake.lock);
}

static inline void fake_count(int *what)
{
    pthread_mutex_lock(&fake.lock);
    ++*what;
    pthread_cond_broadcast(&fake.changed);
    pthread_mutex_unlock(&fake.lock);
}

/* Under the lock. */
static void fake_begin(int *begun, const bool *held)
{
    ++*begun;
    pthread_cond_broadcast(&fake.changed);
    while (*held)
        pthread_cond_wait(&fake.changed, &fake.lock);
}

static inline int fake_ingests(void)
{
    pthread_mutex_lock(&fake.lock);
    const int n = fake.ingests;
    pthread_mutex_unlock(&fake.lock);
    return n;
}

static const char *shown(const char *s)
{
    return s != NULL ? s : "-";
}

/* What every view answers: the call itself, so that a test sees what arrived. */
static enum ipr_code seen(json_t **out, struct ipr_err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static enum ipr_code seen(json_t **out, struct ipr_err *err, const char *fmt, ...)
{
    va_list ap;

    char call[sizeof fake.call];

    va_start(ap, fmt);
    vsnprintf(call, sizeof call, fmt, ap);
    va_end(ap);
    pthread_mutex_lock(&fake.lock);
    ++fake.views;
    if (fake.awaited != NULL && strstr(call, fake.awaited) != NULL)
        fake.awaited_at = fake.views;
    pthread_cond_broadcast(&fake.changed);
    while (fake.views_held && fake.views_let == 0)
        pthread_cond_wait(&fake.changed, &fake.lock);
    fake.views_let -= fake.views_held;
    memcpy(fake.call, call, sizeof call);
    const enum ipr_code rc = fake.fail.code;
    if (rc == IPR_OK)
        *out = json_pack("{s:s, s:f}", "call", fake.call, "share", 0.1);
    else
        *err = fake.fail;
    pthread_mutex_unlock(&fake.lock);
    return rc;
}

/* The address of the request, which has every parameter that is no default; with blanks for
 * its &, which pages show escaped. */
static enum ipr_code view_seen(const struct ipr_view *v, const char *how, enum ipr_resource_id id,
                               const void *params, json_t **out, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;

    pthread_mutex_lock(&fake.lock);
    fake.times = v->time_classes;
    pthread_mutex_unlock(&fake.lock);
    const struct ipr_resource *const r = ipr_resource_at(id);
    const char *href = r->api != NULL ? ipr_params_href(r, params, &mem)
                                      : "/api/v1/identity-changes"; /* of its write */
    char *text = ipr_arena_strndup(&mem, href, strlen(href));
    for (char *c = text; *c != '\0'; c++)
        *c = *c == '&' ? ' ' : *c;
    const enum ipr_code rc = seen(out, err, "%s%s", how, text);
    ipr_arena_release(&mem);
    return rc;
}

#define FAKE_VIEW(function, resource, id, how)                                                     \
    enum ipr_code function(const struct ipr_view *v, const struct ipr_##resource##_request *p,     \
                           json_t **out, struct ipr_err *err)                                      \
    {                                                                                              \
        return view_seen(v, how, IPR_RESOURCE_##id, p, out, err);                                  \
    }

#include "view/setting.h"

#include "stand_ins.h" /* of server/resources.def */

enum ipr_code ipr_setting_times(struct ipr_db *db, const struct ipr_times_scope *scope,
                                struct ipr_arena *mem, unsigned *times, struct ipr_err *err)
{
    (void)db, (void)scope, (void)mem, (void)err;
    *times = 0;
    return IPR_OK;
}

enum ipr_code ipr_view_compare_sides(const struct ipr_view *v,
                                     const struct ipr_prediction_request *p, json_t **out,
                                     struct ipr_err *err)
{
    (void)v;
    (void)err;
    *out =
        p->white.typed == NULL || strcmp(p->white.typed, "nobody") == 0
            ? json_pack("{s:{s:s}, s:{}}", "white", "reason", "no player", "black")
        : strcmp(p->white.typed, "several") == 0
            ? json_pack("{s:{s:[{s:s}]}, s:{}}", "white", "found", "query", "white=1:1971", "black")
            : json_pack("{s:{s:s}, s:{s:s}}", "white", "query", "white=1:1971", "black", "query",
                        "black=2:1972");
    return IPR_OK;
}

enum ipr_code ipr_view_player_name(const struct ipr_view *v, int32_t id, const char **name,
                                   struct ipr_err *err)
{
    (void)v;
    (void)id;
    (void)err;
    *name = "Any, Name";
    return IPR_OK;
}

enum ipr_code ipr_view_event_name(const struct ipr_view *v, int32_t id, const char **name,
                                  int *year, struct ipr_err *err)
{
    (void)v;
    (void)id;
    (void)err;
    *name = "Any Name";
    *year = 1971;
    return IPR_OK;
}

static enum ipr_code fake_deletion(const char *what, int64_t id, struct ipr_db_deletion *out,
                                   struct ipr_err *err)
{
    json_t *call = NULL;
    const enum ipr_code rc = seen(&call, err, "delete %s %lld", what, (long long)id);

    json_decref(call);
    *out = (struct ipr_db_deletion){ .games = 1 };
    return rc;
}

/* ---- records of uploads ---- */

enum ipr_code ipr_db_tx(struct ipr_db *db, ipr_db_tx_fn fn, void *arg, struct ipr_err *err)
{
    return fn(db, arg, err);
}

enum ipr_code ipr_db_upload_begin(struct ipr_db *db, const char *source,
                                  const unsigned char digest[32], int64_t bytes, const char *judge,
                                  const char *created_by, struct ipr_str key, int64_t *id,
                                  struct ipr_err *err)
{
    (void)db, (void)source, (void)digest, (void)bytes, (void)judge, (void)created_by, (void)err;
    *id = key.n == 0 ? 7 : IPR_DB_PRIVATE_FROM;
    return IPR_OK;
}

enum ipr_code ipr_db_private_id(struct ipr_db *db, int64_t *id, struct ipr_err *err)
{
    (void)db, (void)err;
    *id = IPR_DB_PRIVATE_FROM;
    return IPR_OK;
}

enum ipr_code ipr_db_upload_of_keys(struct ipr_db *db, const char *const *keys, size_t n_keys,
                                    const int64_t *ids, size_t n_ids, struct ipr_arena *mem,
                                    bool *found, int64_t *id, const char **key, struct ipr_err *err)
{
    (void)db, (void)keys, (void)n_keys, (void)ids, (void)n_ids, (void)mem, (void)id, (void)key;
    (void)err;
    *found = false;
    return IPR_OK;
}

enum ipr_code ipr_db_upload_progress(struct ipr_db *db, const struct ipr_db_upload *u,
                                     struct ipr_err *err)
{
    (void)db, (void)u, (void)err;
    return IPR_OK;
}

/* The type of the last failure on record. */
enum ipr_code ipr_db_upload_fail(struct ipr_db *db, int64_t id, const char *problem,
                                 const char *detail, struct ipr_err *err)
{
    (void)db, (void)id, (void)detail, (void)err;
    pthread_mutex_lock(&fake.lock);
    snprintf(fake.failed, sizeof fake.failed, "%s", problem);
    pthread_mutex_unlock(&fake.lock);
    return IPR_OK;
}

enum ipr_code ipr_db_upload_withdraw(struct ipr_db *db, int64_t id, int64_t *rows,
                                     struct ipr_err *err)
{
    (void)db, (void)id, (void)err;
    *rows = 0;
    fake_count(&fake.withdrawn);
    return IPR_OK;
}

enum ipr_code ipr_db_upload_cancel(struct ipr_db *db, int64_t id, int64_t *rows,
                                   struct ipr_err *err)
{
    (void)db, (void)id, (void)err;
    *rows = 0;
    return IPR_OK;
}

enum ipr_code ipr_db_uploads_interrupt(struct ipr_db *db, int64_t id, int64_t *rows,
                                       struct ipr_err *err)
{
    (void)db, (void)id, (void)err;
    *rows = 0;
    return IPR_OK;
}

enum ipr_code ipr_db_uploads_settle(struct ipr_db *db, bool *settled, struct ipr_err *err)
{
    (void)db, (void)err;
    *settled = false;
    return IPR_OK;
}

enum ipr_code ipr_db_uploads_count(struct ipr_db *db, bool *counted, struct ipr_err *err)
{
    (void)db;
    (void)err;
    *counted = false;
    return IPR_OK;
}

enum ipr_code ipr_db_year_lists_work(struct ipr_db *db, bool *worked, struct ipr_err *err)
{
    (void)db;
    (void)err;
    *worked = false;
    return IPR_OK;
}

enum ipr_code ipr_db_games_analyse(struct ipr_db *db, int64_t changed, bool *renewed,
                                   struct ipr_err *err)
{
    (void)db;
    (void)changed;
    (void)err;
    *renewed = false;
    return IPR_OK;
}

enum ipr_code ipr_db_turns_analyse(struct ipr_db *db, bool *renewed, struct ipr_err *err)
{
    (void)db;
    (void)err;
    *renewed = false;
    return IPR_OK;
}

enum ipr_code ipr_db_results_fit(struct ipr_db *db, bool *fitted, struct ipr_err *err)
{
    (void)db;
    (void)err;
    *fitted = false;
    return IPR_OK;
}

enum ipr_code ipr_db_upload_delete(struct ipr_db *db, int64_t upload_id, int wait_s,
                                   struct ipr_db_deletion *out, struct ipr_err *err)
{
    (void)db;
    (void)wait_s;
    return fake_deletion("upload", upload_id, out, err);
}

enum ipr_code ipr_db_game_delete(struct ipr_db *db, int64_t game_id, int wait_s,
                                 struct ipr_db_deletion *out, struct ipr_err *err)
{
    (void)db;
    (void)wait_s;
    return fake_deletion("game", game_id, out, err);
}

enum ipr_code ipr_view_game_pgn(const struct ipr_view *v, const struct ipr_game_request *p,
                                struct ipr_buf *out, struct ipr_err *err)
{
    json_t *call = NULL;
    const enum ipr_code rc = view_seen(v, "pgn ", IPR_RESOURCE_GAME, p, &call, err);

    if (rc == IPR_OK)
        ipr_buf_puts(out, "1. e4 *\n\n");
    json_decref(call);
    return rc;
}

enum ipr_code ipr_view_progress(const struct ipr_view *v, int64_t id, json_t **out,
                                struct ipr_err *err)
{
    (void)v;
    pthread_mutex_lock(&fake.lock);
    const enum ipr_code rc = fake.fail.code;
    fake.progress_calls++;
    if (rc == IPR_OK)
        *out = json_pack("{s:I, s:i, s:i, s:b}", "id", (json_int_t)id, "queued", fake.queued,
                         "seconds", fake.seconds, "done", fake.queued == 0);
    else
        *err = fake.fail;
    pthread_mutex_unlock(&fake.lock);
    return rc;
}

/* "upload 7 game 0 person 12 1971 quick" */
static const char *selected(const struct ipr_db_selection *s)
{
    static _Thread_local char text[128];

    snprintf(text, sizeof text, "upload %lld game %lld person %d %d %s", (long long)s->upload,
             (long long)s->game, (int)s->person, s->year, shown(s->judge));
    return text;
}

/* Identity 13 is part of person 12, 99 is nobody. */
enum ipr_code ipr_view_selection(const struct ipr_view *v, struct ipr_db_selection *s,
                                 struct ipr_err *err)
{
    (void)v;
    if (s->person == 99)
        return ipr_err_set(err, IPR_ENOTFOUND, "no player 99");
    if (s->upload == 99)
        return ipr_err_set(err, IPR_ENOTFOUND, "no upload 99");
    if (s->person == 13)
        s->person = 12;
    return IPR_OK;
}

/* One span, which shows how it was called. */
enum ipr_code ipr_paper_plan_matches(const struct ipr_view *v, const char *judge,
                                     const struct ipr_view_matches *matches,
                                     struct ipr_list_match_left_out *left_out,
                                     struct ipr_db_plan *plan, struct ipr_err *err)
{
    const int32_t player = 12;

    (void)judge;
    (void)left_out;
    (void)err;
    assert_non_null(matches->list);
    plan->spans = ipr_db_spans(&player, 1, matches->earlier, matches->own_games, v->mem);
    plan->n_spans = 1;
    return IPR_OK;
}

enum ipr_code ipr_view_judging(const struct ipr_view *v, const struct ipr_db_selection *s,
                               json_t **out, struct ipr_err *err)
{
    (void)v;
    pthread_mutex_lock(&fake.lock);
    const enum ipr_code rc = fake.fail.code;
    fake.progress_calls++;
    if (rc == IPR_OK)
        *out = json_pack("{s:i, s:i, s:i, s:b}", "player", (int)s->person, "year", s->year,
                         "queued", fake.queued, "done", s->person != 0 && fake.queued == 0);
    else
        *err = fake.fail;
    pthread_mutex_unlock(&fake.lock);
    return rc;
}

enum ipr_code ipr_view_metrics(const struct ipr_view *v, struct ipr_buf *out, struct ipr_err *err)
{
    json_t *call = NULL;
    const enum ipr_code rc = seen(&call, err, "metrics");

    (void)v;
    ipr_buf_puts(out, "# HELP fake Of the database.\n# TYPE fake gauge\nfake 1\n");
    json_decref(call);
    return rc;
}

/* Reports: computed at once. */

const struct ipr_report_kind *ipr_report_kind(const char *name)
{
    static _Thread_local struct ipr_report_kind kind;

    kind.name = name;
    return &kind;
}

/* "report royale active=500 judge=quick" */
enum ipr_code ipr_view_report(const struct ipr_view *v, const struct ipr_report_query *q,
                              json_t **out, struct ipr_err *err)
{
    struct ipr_buf given = IPR_BUF_INIT;
    const char *name;
    json_t *value;

    json_object_foreach(q->params, name, value)
        if (json_is_string(value))
            ipr_buf_printf(&given, " %s=%s", name, json_string_value(value));
        else
            ipr_buf_printf(&given, " %s=%d", name, (int)json_integer_value(value));
    if (q->judge != NULL)
        ipr_buf_printf(&given, " judge=%s", q->judge);
    pthread_mutex_lock(&fake.lock);
    fake.times = v->time_classes;
    pthread_mutex_unlock(&fake.lock);
    const enum ipr_code rc = seen(out, err, "report %s%s", q->kind->name, ipr_buf_c(&given));
    if (rc == IPR_OK)
        json_object_set_new(*out, "report", json_pack("{s:s}", "state", "kept"));
    ipr_buf_release(&given);
    return rc;
}

const char *ipr_report_state(const json_t *resource)
{
    return json_string_value(json_object_get(json_object_get(resource, "report"), "state"));
}

bool ipr_report_pending(const json_t *resource)
{
    return strcmp(ipr_report_state(resource), "computing") == 0;
}

enum ipr_code ipr_report_work(const struct ipr_config *c, struct ipr_db *db,
                              struct ipr_db_replica *replica, int64_t holder,
                              const atomic_bool *stop, bool *worked, struct ipr_err *err)
{
    (void)c;
    (void)db;
    (void)replica;
    (void)holder;
    (void)stop;
    (void)err;
    *worked = false;
    return IPR_OK;
}

/* The games themselves, with what is asked of them. */
enum ipr_code ipr_rate_answer(const struct ipr_rate_question *q, int fd, struct ipr_buf *out,
                              uint64_t *rejected, struct ipr_err *err)
{
    char games[64] = "";

    (void)!read(fd, games, sizeof games - 1);
    *rejected = 0;
    snprintf(fake.call, sizeof fake.call, "rate %s %d %d", games, (int)q->choice.by,
             (int)q->format);
    ipr_buf_puts(out, "{}\n");
    return q->config != NULL ? IPR_OK : ipr_err_set(err, IPR_EIO, "no settings");
}

/* Figures come to a record without a line; of the name "taken" there is another one. While works
 * are held they go on until they are stopped. */
enum ipr_code ipr_calibration_make(const char *name, struct ipr_str figures, bool families,
                                   const atomic_bool *stop, json_t **record, struct ipr_err *err)
{
    static const struct timespec moment = { 0, 10000000 };

    (void)families;
    if (figures.n == 0)
        return ipr_err_at(err, IPR_EPARSE, "bad_figures", 3, 0, -1, "line 3: nothing");
    pthread_mutex_lock(&fake.lock);
    fake.works++;
    pthread_cond_broadcast(&fake.changed);
    while (fake.works_held && !atomic_load(stop)) {
        pthread_mutex_unlock(&fake.lock);
        nanosleep(&moment, NULL);
        pthread_mutex_lock(&fake.lock);
    }
    pthread_mutex_unlock(&fake.lock);
    if (atomic_load(stop))
        return ipr_err_set(err, IPR_ERETRY, "stopped");
    *record = json_pack("{s:s, s:[]}", "name", name, "curve_families");
    return IPR_OK;
}

enum ipr_code ipr_view_calibration_add(const struct ipr_view *v, const json_t *record, bool *fresh,
                                       struct ipr_err *err)
{
    const char *name = json_string_value(json_object_get(record, "name"));

    (void)v;
    assert_non_null(json_object_get(record, "curve_families"));
    if (strcmp(name, "taken") == 0)
        return ipr_err_at(err, IPR_ECONFLICT, "calibration_exists", 0, 0, -1, "there is another");
    *fresh = strcmp(name, "known") != 0;
    return IPR_OK;
}

enum ipr_code ipr_view_page(const char *template_name, json_t *resource, struct ipr_err *err)
{
    pthread_mutex_lock(&fake.lock);
    const enum ipr_code rc = fake.page_fail.code;
    if (rc != IPR_OK)
        *err = fake.page_fail;
    pthread_mutex_unlock(&fake.lock);
    if (rc == IPR_OK)
        json_object_set_new(resource, "page", json_pack("{s:s}", "made", template_name));
    return rc;
}

/* ---- ingest ---- */

/* Whole at its first turn. */
struct ipr_ingest {
    int fd;
    struct ipr_ingest_options options;
    struct ipr_ingest_result result;
};

enum ipr_code ipr_ingest_open(int fd, const struct ipr_ingest_options *options,
                              struct ipr_ingest **out, struct ipr_err *err)
{
    (void)err;
    *out = ipr_xcalloc(1, sizeof **out);
    **out = (struct ipr_ingest){ .fd = fd, .options = *options };
    return IPR_OK;
}

enum ipr_code ipr_ingest_run(struct ipr_ingest *in, struct ipr_db *db, bool *ended,
                             struct ipr_err *err)
{
    const struct ipr_ingest_options *o = &in->options;
    crypto_generichash_state hash;
    unsigned char chunk[65536];
    long long total = 0;
    ssize_t n;

    (void)db;
    crypto_generichash_init(&hash, NULL, 0, 32);
    while ((n = read(in->fd, chunk, sizeof chunk)) > 0) {
        crypto_generichash_update(&hash, chunk, (unsigned long long)n);
        total += n;
    }
    pthread_mutex_lock(&fake.lock);
    fake_begin(&fake.ingests, &fake.ingest_held);
    crypto_generichash_final(&hash, fake.ingest_digest, 32);
    fake.ingest_bytes = total;
    if (fake.ingests <= (int)(sizeof fake.ingested / sizeof *fake.ingested))
        fake.ingested[fake.ingests - 1] = total;
    snprintf(fake.ingest, sizeof fake.ingest, "%s %s %d %lld", o->source, shown(o->judge),
             o->priority, (long long)o->max_bytes);
    const enum ipr_code rc = fake.ingest_fail.code;
    if (rc == IPR_OK)
        in->result =
            (struct ipr_ingest_result){ .upload_id = o->upload_id, .games_read = 1, .imported = 1 };
    else
        *err = fake.ingest_fail;
    pthread_mutex_unlock(&fake.lock);
    *ended = true;
    return rc;
}

enum ipr_code ipr_ingest_undo(struct ipr_ingest *in, struct ipr_db *db, const struct ipr_err *why,
                              struct ipr_err *err)
{
    return ipr_db_upload_fail(db, in->options.upload_id, why->type, why->msg, err);
}

int64_t ipr_ingest_left(const struct ipr_ingest *in)
{
    (void)in;
    return 0;
}

const struct ipr_ingest_result *ipr_ingest_result(const struct ipr_ingest *in)
{
    return &in->result;
}

void ipr_ingest_close(struct ipr_ingest **in)
{
    free(*in);
    *in = NULL;
}

#include "fake_fishnet.h"
#include "fake_storage.h"

#endif
