#include "http/fishnet/work.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "core/log.h"
#include "db/confirmations.h"
#include "db/endgames.h"
#include "db/judges.h"
#include "db/turns.h"
#include "engine/tablebase.h"
#include "http/fishnet/wire.h"

#define BOTH_SIDES 3U
/* In addition to the time for the positions: transfer both ways, with a retry. */
#define LEASE_MARGIN_S 60
/* Maximum total duration of a game's lease after renewals by partial reports, in leases. */
#define LEASES_MAX 3
/* Maximum number of jobs that no client can do, failed per request. */
#define UNFIT_MAX 16

static int lease_s(const struct ipr_fishnet_lease *l)
{
    const size_t positions = l->chosen != NULL ? 2 * l->turns : l->game.n_moves + 1;
    const uint64_t ms = (uint64_t)ipr_remote_timeout_ms(&l->judge) * positions;

    return (int)(ms / 1000) + LEASE_MARGIN_S;
}

/* ---- out ---- */

struct claiming {
    int32_t key_id;
    const char *worker;
    int64_t leases;
    bool confirm; /* if there is no game */
    struct ipr_db_job job;
    bool found;
};

/* Counts the key's games and takes the job in one transaction. */
static enum ipr_code claim_one(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct claiming *c = arg;
    struct ipr_db_queue_cursor cursor = { 0 }, last = { .from = IPR_PRIORITY_LAST + 1 };
    struct ipr_err none = IPR_ERR_INIT;
    bool may = false;
    enum ipr_code rc = ipr_db_key_asks(db, c->key_id, c->worker, c->leases, &may, err);

    c->found = false;
    if (rc != IPR_OK || !may)
        return rc;
    rc = ipr_db_job_claim(db, IPR_FISHNET_PROGRAM, c->worker, LEASE_MARGIN_S, &cursor, &c->job,
                          &none);
    if (rc == IPR_ENOTFOUND && c->confirm) /* these are in the queue of local workers */
        rc = ipr_db_job_claim(db, "stockfish", c->worker, LEASE_MARGIN_S, &last, &c->job, &none);
    c->found = rc == IPR_OK;
    if (rc == IPR_OK || rc == IPR_ENOTFOUND)
        return IPR_OK;
    if (err != NULL)
        *err = none;
    return rc;
}

static enum ipr_code claim_job(struct ipr_db *db, struct claiming *c, bool confirm,
                               struct ipr_err *err)
{
    int32_t expired = 0;

    c->confirm = false;
    enum ipr_code rc = ipr_db_tx(db, claim_one, c, err);

    /* Without local workers no other thread requeues expired leases. Outside the transaction: it
     * locks other keys, in their order. */
    if (rc == IPR_OK && !c->found) {
        rc = ipr_db_jobs_sweep(db, &expired, err);
        c->confirm = confirm;
        if (rc == IPR_OK && (expired > 0 || confirm))
            rc = ipr_db_tx(db, claim_one, c, err);
    }
    if (rc == IPR_OK && !c->found)
        return ipr_err_set(err, IPR_ENOTFOUND, "no game for this key");
    return rc;
}

/* The moves of a confirmation that are left, and its search. */
static enum ipr_code load_chosen(struct ipr_db *db, const struct ipr_config *config,
                                 struct ipr_arena *mem, struct ipr_fishnet_lease *l,
                                 struct ipr_err *err)
{
    struct ipr_db_unconfirmed *left = NULL;
    enum ipr_code rc = IPR_OK;

    l->judge.nodes = (uint32_t)config->confirm_nodes;
    l->judge.tablebases = false;
    l->chosen = ipr_arena_alloc(mem, l->game.n_moves, sizeof *l->chosen);
    l->turns = 0;
    if (l->judge.nodes > 0)
        rc = ipr_db_unconfirmed(db, &l->game, l->judge.nodes, mem, &left, &l->turns, err);
    for (size_t i = 0; rc == IPR_OK && i < l->turns; i++)
        l->chosen[left[i].turn.ply] = true;
    return rc;
}

static enum ipr_code load_lease(struct ipr_db *db, const struct ipr_config *config,
                                struct ipr_arena *mem, struct ipr_fishnet_lease *l,
                                struct ipr_err *err)
{
    enum ipr_code rc = ipr_db_definition_get(db, l->job.judge, &l->judge, err);

    if (rc == IPR_OK)
        rc = ipr_db_game_get(db, l->job.game_id, mem, &l->game, err);
    if (rc != IPR_OK || l->job.kind == IPR_JOB_CONFIRM)
        return rc == IPR_OK ? load_chosen(db, config, mem, l, err) : rc;
    const size_t first = ipr_judge_first_ply(&l->judge);
    l->turns = l->game.n_moves > first ? l->game.n_moves - first : 0;
    return IPR_OK;
}

/* Ends a job, once its game is locked. Of a confirmation what is left by now, as what it has
 * contradicted, becomes another one, which the same key may begin at once. */
static enum ipr_code end_job(struct ipr_db *db, const struct ipr_fishnet_lease *l,
                             struct ipr_err *err)
{
    const enum ipr_code rc = ipr_db_job_complete(db, &l->job, err);

    return rc == IPR_OK && l->chosen != NULL
               ? ipr_db_confirm_queue(db, &l->game, l->judge.nodes, err)
               : rc;
}

static enum ipr_code end_confirmed(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct ipr_fishnet_lease *l = arg;
    const enum ipr_code rc = ipr_db_confirm_store(db, 0, l->game.id, "", NULL, 0, err);

    return rc == IPR_OK ? end_job(db, l, err) : rc;
}

/* Adds the engine to those of the key when `take`. */
static enum ipr_code know_engine(struct ipr_db *db, const struct ipr_fishnet_visitor *v, bool take,
                                 struct ipr_err *err)
{
    char engine[IPR_FISHNET_ENGINE_MAX];
    bool known = false, may = true;

    ipr_fishnet_engine(&v->client, engine);
    if (engine[0] == '\0')
        return IPR_OK;
    const enum ipr_code rc = ipr_db_key_engine(db, v->key.id, engine, &known, &may, err);
    if (rc == IPR_OK && !may)
        return ipr_err_type(err, IPR_EDENIED, "too_many_engines",
                            "this key has brought %d new engines within thirty days",
                            IPR_DB_KEY_ENGINES);
    return rc == IPR_OK && take && !known ? ipr_db_key_engine_add(db, v->key.id, engine, err) : rc;
}

enum ipr_code ipr_fishnet_claim(struct ipr_db *db, const struct ipr_config *config,
                                const struct ipr_fishnet_visitor *visitor, struct ipr_arena *mem,
                                struct ipr_fishnet_lease *out, struct ipr_err *err)
{
    struct ipr_fishnet_lease l = { .turns = 0 };
    struct claiming c = { .key_id = visitor->key.id,
                          .worker = visitor->worker,
                          .leases = config->fishnet_leases };

    enum ipr_code rc = know_engine(db, visitor, false, err);
    for (int i = 0; rc == IPR_OK && i < UNFIT_MAX; i++) {
        rc = claim_job(db, &c, config->confirm_nodes > 0, err);
        l = (struct ipr_fishnet_lease){ .job = c.job };
        if (rc == IPR_OK)
            rc = load_lease(db, config, mem, &l, err);
        if (rc != IPR_OK)
            return rc;
        if (l.chosen != NULL && l.turns == 0) {
            rc = ipr_db_tx(db, end_confirmed, &l, err);
            continue;
        }
        if (l.chosen == NULL && !ipr_remote_judge_fits(&l.judge)) {
            rc = ipr_db_job_fail(db, &l.job,
                                 "a judge of fishnet needs a depth, of two at least, and has no "
                                 "tablebases",
                                 err);
            continue;
        }
        rc = ipr_db_job_heartbeat(db, &l.job, lease_s(&l), 0, (int)l.turns, err);
        if (rc == IPR_OK)
            *out = l;
        return rc;
    }
    return rc != IPR_OK ? rc
                        : ipr_err_set(err, IPR_ENOTFOUND, "no job that fishnet clients can do");
}

/* ---- in ---- */

enum ipr_code ipr_fishnet_is_held(struct ipr_db *db, const char *id, bool *held,
                                  struct ipr_err *err)
{
    struct ipr_err none = IPR_ERR_INIT;
    struct ipr_db_job job;
    int64_t job_id, token;

    *held = false;
    if (!ipr_fishnet_id_read(id, &job_id, &token))
        return IPR_OK;
    const enum ipr_code rc = ipr_db_job_held(db, job_id, token, &job, &none);
    *held = rc == IPR_OK;
    if (rc == IPR_OK || rc == IPR_ECONFLICT)
        return IPR_OK;
    return ipr_err_set(err, rc, "%s", none.msg);
}

enum ipr_code ipr_fishnet_held(struct ipr_db *db, const struct ipr_fishnet_visitor *visitor,
                               const char *id, struct ipr_db_job *out, struct ipr_err *err)
{
    int64_t job_id, token, age_s = 0;
    bool own = false;

    if (!ipr_fishnet_id_read(id, &job_id, &token))
        return ipr_err_set(err, IPR_ECONFLICT, "no such lease");
    enum ipr_code rc = ipr_db_job_held(db, job_id, token, out, err);
    if (rc == IPR_OK)
        rc = ipr_db_lease_of(db, out, visitor->worker, &own, &age_s, err);
    return rc == IPR_OK && !own ? ipr_err_set(err, IPR_ECONFLICT, "another key's lease") : rc;
}

/* Stockfish's name ends with features of the processor ("Stockfish 11 64 BMI2"), which affect only
 * its speed. */
static void drop_processor(char *name)
{
    static const char *const words[] = { " BMI2", " POPCNT", " 64" };
    const size_t min = strlen("Stockfish 1");

    if (strncmp(name, "Stockfish ", strlen("Stockfish ")) != 0)
        return;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t n = strlen(name), w = strlen(words[i]);

        if (n >= min + w && strcmp(name + n - w, words[i]) == 0)
            name[n - w] = '\0';
    }
}

void ipr_fishnet_engine(const struct ipr_remote_client *client, char out[IPR_FISHNET_ENGINE_MAX])
{
    out[0] = '\0';
    if (client->flavor[0] != '\0') {
        snprintf(out, IPR_FISHNET_ENGINE_MAX, IPR_FISHNET_PROGRAM " %s %s", client->version,
                 client->flavor);
    } else if (client->engine[0] != '\0') {
        snprintf(out, IPR_FISHNET_ENGINE_MAX, "%s", client->engine);
        drop_processor(out);
    }
}

/* The engine named by the client becomes part of the judge. Threads and hash are those requested,
 * since clients of version 2 do not report theirs. */
static enum ipr_code identify_judge(const struct ipr_fishnet_visitor *v, struct ipr_judge *judge,
                                    struct ipr_err *err)
{
    char engine[IPR_FISHNET_ENGINE_MAX];

    ipr_fishnet_engine(&v->client, engine);
    if (engine[0] == '\0')
        return ipr_err_type(err, IPR_EPARSE, "bad_evaluation", "the engine has no name");
    snprintf(judge->engine, sizeof judge->engine, "%s", engine);
    if (v->client.flavor[0] == '\0') /* for version 2 this follows from the engine's name */
        snprintf(judge->options, sizeof judge->options, IPR_FISHNET_PROGRAM " 1");
    judge->clear = IPR_CLEAR_REMOTE;
    judge->apart = IPR_APART_AFTER;
    return IPR_OK;
}

struct storing {
    const struct ipr_fishnet_visitor *visitor;
    const struct ipr_fishnet_lease *lease;
    const struct ipr_judge *judge;
    const struct ipr_judged_game *judged;
    struct ipr_confirmed_turn *confirmed; /* the same of a confirmation; NULL: it is none */
    struct ipr_db_endgame_turn *endgame;  /* from this machine's tablebases */
    size_t n_endgame;
    bool check; /* by a local worker */
};

static enum ipr_code store_judged(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct storing *s = arg;
    const struct ipr_fishnet_lease *l = s->lease;
    const struct ipr_db_work work = { .source = s->visitor->worker };
    int32_t judge_id = 0;

    enum ipr_code rc = ipr_db_judge_ensure(db, s->judge, &judge_id, err);
    if (rc == IPR_OK && s->confirmed != NULL)
        rc = ipr_db_confirm_store(db, judge_id, l->game.id, work.source, s->confirmed, s->judged->n,
                                  err);
    else if (rc == IPR_OK)
        rc = ipr_db_sides_store(db, judge_id, &l->game, s->judged, BOTH_SIDES, &work, NULL, err);
    if (rc == IPR_OK && s->n_endgame > 0)
        rc = ipr_db_endgame_store(db, l->game.id, s->endgame, s->n_endgame, err);
    if (rc == IPR_OK)
        rc = ipr_db_remote_judged(db, l->game.id, judge_id, s->visitor->key.id, err);
    if (rc == IPR_OK && s->check)
        rc = ipr_db_job_add_check(db, l->game.id, l->job.judge, err);
    /* Lock order as everywhere: game, aggregates, job, key. */
    if (rc == IPR_OK)
        rc = end_job(db, l, err);
    if (rc == IPR_OK)
        rc = ipr_db_key_good(db, s->visitor->key.id, err);
    if (rc == IPR_OK)
        rc = know_engine(db, s->visitor, true, err);
    if (rc == IPR_OK)
        ipr_log(IPR_LOG_INFO, "game_judged", "game=%" PRId64 " judge=%s turns=%zu key=\"%s\"%s",
                l->game.id, l->job.judge, s->judged->n, ipr_log_text(s->visitor->key.name),
                s->check ? " check=true" : "");
    return rc;
}

/* Its turns as confirmed. A search that has not settled is not repeated. */
static struct ipr_confirmed_turn *confirmed_turns(const struct ipr_judged_game *judged,
                                                  struct ipr_arena *mem)
{
    struct ipr_confirmed_turn *out = ipr_arena_alloc(mem, judged->n, sizeof *out);

    for (size_t i = 0; i < judged->n; i++) {
        out[i].turn = judged->turns[i];
        (void)ipr_confirm_settle(&out[i].turn, mem);
    }
    return out;
}

static enum ipr_code convert_report(struct ipr_db *db, const struct ipr_config *config,
                                    const struct ipr_fishnet_visitor *visitor,
                                    const struct ipr_fishnet_lease *l,
                                    struct ipr_remote_report *report, struct ipr_arena *mem,
                                    struct ipr_err *err)
{
    struct ipr_judge judge = l->judge;
    struct ipr_judged_game judged = { 0 };
    struct storing s = { .visitor = visitor, .lease = l, .judge = &judge, .judged = &judged };
    enum ipr_code rc = identify_judge(visitor, &judge, err);

    if (rc == IPR_OK)
        rc = ipr_remote_judged(&judge, &l->game.start, l->game.moves, l->game.n_moves, l->chosen,
                               report, mem, &judged, err);
    if (rc == IPR_OK) {
        /* Unpredictable for the client. */
        s.check = judged.n > 0 && (int64_t)randombytes_uniform(100) < config->fishnet_check;
        if (l->chosen != NULL)
            s.confirmed = confirmed_turns(&judged, mem);
        else
            ipr_tablebase_turns(&l->game.start, l->game.moves, l->game.n_moves, mem, &s.endgame,
                                &s.n_endgame);
        rc = ipr_db_tx(db, store_judged, &s, err);
    }
    return rc;
}

/* A partial report renews the lease, but not without limit. */
static enum ipr_code prolong_lease(struct ipr_db *db, const struct ipr_fishnet_visitor *visitor,
                                   const struct ipr_fishnet_lease *l, struct ipr_err *err)
{
    const int lease = lease_s(l);
    bool own = false;
    int64_t age_s = 0;

    const enum ipr_code rc = ipr_db_lease_of(db, &l->job, visitor->worker, &own, &age_s, err);
    if (rc != IPR_OK || age_s > (int64_t)(LEASES_MAX - 1) * lease)
        return rc;
    return ipr_db_job_heartbeat(db, &l->job, lease, 0, (int)l->turns, err);
}

struct refusing {
    const struct ipr_db_job *job;
    int32_t key_id;
    const char *why, *reason;
    bool suspended;
};

/* Counts an attempt at the game and a rejection of the key, in one transaction. */
static enum ipr_code count_refused(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct refusing *r = arg;
    const enum ipr_code rc = ipr_db_job_fail(db, r->job, r->reason, err);

    return rc == IPR_OK ? ipr_db_key_refused(db, r->key_id, r->why, &r->suspended, err) : rc;
}

static enum ipr_code refuse_game(struct ipr_db *db, const struct ipr_fishnet_visitor *visitor,
                                 const struct ipr_db_job *job, const char *why, struct ipr_err *err)
{
    char reason[IPR_ERR_TEXT + 100];
    struct refusing r = { .job = job, .key_id = visitor->key.id, .why = why, .reason = reason };

    snprintf(reason, sizeof reason, "refused from fishnet key %.60s: %s", visitor->key.name, why);
    ipr_log(IPR_LOG_WARN, "game_refused", "game=%" PRId64 " key=\"%s\" msg=\"%s\"", job->game_id,
            ipr_log_text(visitor->key.name), ipr_log_text(why));
    const enum ipr_code rc = ipr_db_tx(db, count_refused, &r, err);
    if (rc == IPR_OK && r.suspended)
        ipr_log(IPR_LOG_ERROR, "key_suspended", "key=\"%s\" msg=\"%s\"",
                ipr_log_text(visitor->key.name), ipr_log_text(why));
    return rc;
}

enum ipr_code ipr_fishnet_take(struct ipr_db *db, const struct ipr_config *config,
                               const struct ipr_fishnet_visitor *visitor, const char *id,
                               struct ipr_str analysis, struct ipr_arena *mem,
                               enum ipr_fishnet_taken *out, struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT, lost = IPR_ERR_INIT;
    struct ipr_fishnet_lease l = { .turns = 0 };
    struct ipr_remote_report report = { .form = IPR_REMOTE_PARTIAL };
    enum ipr_code rc = ipr_fishnet_held(db, visitor, id, &l.job, &why);

    if (rc == IPR_OK)
        rc = load_lease(db, config, mem, &l, &why);
    if (rc == IPR_OK && l.chosen != NULL && (size_t)l.job.turns_total != l.turns) {
        /* Others are left than were requested: a side was analysed meanwhile. */
        rc = ipr_db_job_release(db, &l.job, &why);
        rc = rc == IPR_OK ? IPR_ECONFLICT : rc;
    }
    if (rc == IPR_OK)
        rc = ipr_remote_report_open(analysis, &report, &why);
    if (rc == IPR_OK)
        rc = report.form == IPR_REMOTE_PARTIAL
                 ? prolong_lease(db, visitor, &l, &why)
                 : convert_report(db, config, visitor, &l, &report, mem, &why);
    *out = report.form == IPR_REMOTE_PARTIAL ? IPR_FISHNET_GOES_ON : IPR_FISHNET_STORED;
    if (rc == IPR_EPARSE || rc == IPR_EDENIED) {
        *out = IPR_FISHNET_REFUSED;
        rc = rc == IPR_EPARSE ? refuse_game(db, visitor, &l.job, why.msg, &lost)
                              : ipr_db_job_release(db, &l.job, &lost);
        if (err != NULL)
            *err = rc == IPR_OK ? why : lost;
    } else if (rc != IPR_OK && rc != IPR_ECONFLICT && err != NULL) {
        *err = why;
    }
    if (rc == IPR_ECONFLICT) {
        *out = IPR_FISHNET_LATE;
        rc = IPR_OK;
    }
    return rc;
}
