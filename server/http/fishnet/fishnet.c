#include "http/fishnet/fishnet.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "core/log.h"
#include "http/base/authorization.h"
#include "http/base/reply.h"
#include "http/base/spool.h"
#include "http/fishnet/wire.h"
#include "http/fishnet/work.h"
#include "resource/write.h"

#define BODY_MAX ((size_t)64 * 1024) /* of all bodies except an analysis */

const char *ipr_fishnet_shown(const char *target)
{
    static const char keys[] = "/fishnet/key/";

    return strncmp(target, keys, sizeof keys - 1) == 0 ? keys : target;
}

/* ---- keys ---- */

static enum ipr_code check_key(struct ipr_req *req, struct ipr_db *db, struct ipr_str secret,
                               struct ipr_db_key *out, struct ipr_err *err)
{
    unsigned char digest[32];
    struct ipr_err none = IPR_ERR_INIT;

    if (secret.n == 0)
        return ipr_err_type(err, IPR_EDENIED, "token_needed",
                            "judging needs a key; `intrinsic token create --fishnet` makes one");
    ipr_authorize_digest(secret, digest);
    const enum ipr_code rc = ipr_db_key_get(db, digest, &req->mem, out, &none);
    if (rc == IPR_ENOTFOUND)
        return ipr_err_type(err, IPR_EDENIED, "token_unknown", "unknown key");
    if (rc != IPR_OK)
        return ipr_err_set(err, rc, "%s", none.msg);
    return out->suspended == NULL
               ? IPR_OK
               : ipr_err_type(err, IPR_EDENIED, "key_suspended", "this key is suspended");
}

/* The key of the header if it has one, else that of the body. */
static enum ipr_code admit_visitor(struct ipr_req *req, struct ipr_db *db,
                                   const struct ipr_remote_client *client,
                                   struct ipr_fishnet_visitor *out, struct ipr_err *err)
{
    const struct ipr_str header = ipr_authorize_bearer(req);
    const char *agent = ipr_req_header(req, "User-Agent");

    out->client = *client;
    if (client->version[0] == '\0' && agent != NULL)
        ipr_remote_agent_version(agent, out->client.version);
    const struct ipr_str key = header.n > 0 ? header : ipr_str_c(client->key);
    const enum ipr_code rc = check_key(req, db, key, &out->key, err);
    if (rc == IPR_OK)
        snprintf(out->worker, sizeof out->worker, IPR_FISHNET_PROGRAM ":%.80s", out->key.name);
    return rc;
}

/* ---- bodies ---- */

static enum ipr_code begin_analysis(struct ipr_req *req, bool *held, struct ipr_err *err)
{
    const struct ipr_str header = ipr_authorize_bearer(req);
    struct ipr_db_key key;
    struct ipr_db *db = NULL;
    enum ipr_code rc = ipr_req_lease(req, &db, err);

    if (rc == IPR_OK && header.n > 0)
        rc = check_key(req, db, header, &key, err);
    if (rc == IPR_OK)
        rc = ipr_fishnet_is_held(db, req->ids[0], held, err);
    ipr_db_return(&db);
    return rc;
}

struct ipr_problem ipr_fishnet_begin(struct ipr_req *req)
{
    struct ipr_err err = IPR_ERR_INIT;
    bool held = false;

    req->space = IPR_DB_ALL;
    if (ipr_req_is_read(req))
        return (struct ipr_problem){ 0 };
    if (req->resource->flags & IPR_FLAG_BODY) {
        req->body = (struct ipr_buf)IPR_BUF_INIT;
        return (struct ipr_problem){ 0 };
    }
    if (begin_analysis(req, &held, &err) != IPR_OK)
        return ipr_problem_of(&err);
    if (!held) /* discarded: the lease is over */
        return (struct ipr_problem){ 0 };
    return ipr_spool_begin_raw(req, IPR_FISHNET_ANALYSIS_MAX, &req->spool);
}

/* Maps a spooled body as text, until munmap. */
static enum ipr_code map_body(struct ipr_spool *spool, struct ipr_str *out, struct ipr_err *err)
{
    struct stat st;
    int fd = -1;

    const enum ipr_code rc = ipr_spool_finish(spool, &fd, err);
    if (rc != IPR_OK)
        return rc;
    if (fstat(fd, &st) != 0 || st.st_size <= 0)
        return ipr_err_set(err, IPR_EIO, "cannot read a spooled analysis");
    void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED)
        return ipr_err_set(err, IPR_EIO, "cannot map a spooled analysis");
    *out = (struct ipr_str){ p, (size_t)st.st_size };
    return IPR_OK;
}

/* Reads a small body, leases a connection and checks the client. */
static enum ipr_code open_visit(struct ipr_req *req, struct ipr_db **db,
                                struct ipr_fishnet_visitor *visitor, struct ipr_err *err)
{
    const struct ipr_str text = { ipr_buf_c(&req->body), req->body.n };
    struct ipr_remote_body body;

    if (req->body.n > BODY_MAX)
        return ipr_err_type(err, IPR_ELIMIT, "body_too_large", "this body is at most %zu bytes",
                            BODY_MAX);
    enum ipr_code rc = ipr_remote_body_read(text, &body, err);
    if (rc == IPR_OK)
        rc = ipr_req_lease(req, db, err);
    return rc == IPR_OK ? admit_visitor(req, *db, &body.client, visitor, err) : rc;
}

/* ---- jobs ---- */

/* Clients of version 1 expect a certain sentence, those of version 2 the status. */
static enum MHD_Result too_old(struct ipr_req *req)
{
    return ipr_reply_json(req, MHD_HTTP_NOT_ACCEPTABLE,
                          json_pack("{s:s}", "error",
                                    "This version of fishnet cannot judge here; 1.18, and 2.1 to "
                                    "2.x can. Please restart fishnet to upgrade."));
}

/* The next game: 202, which every version accepts as a job; 204 when there is none. */
static enum MHD_Result hand_out(struct ipr_req *req, struct ipr_db **db,
                                const struct ipr_fishnet_visitor *visitor)
{
    struct ipr_fishnet_lease lease;
    struct ipr_err err = IPR_ERR_INIT;

    const enum ipr_code rc =
        ipr_fishnet_claim(*db, req->http->o.config, visitor, &req->mem, &lease, &err);
    ipr_db_return(db);
    if (rc == IPR_ENOTFOUND)
        return ipr_reply_empty(req, MHD_HTTP_NO_CONTENT);
    if (rc != IPR_OK)
        return ipr_reply_error(req, &err);
    ipr_log(IPR_LOG_INFO, "game_handed_out", "game=%lld key=\"%s\" version=\"%s\"",
            (long long)lease.game.id, ipr_log_text(visitor->key.name),
            ipr_log_text(visitor->client.version));
    return ipr_reply_json(
        req, MHD_HTTP_ACCEPTED,
        ipr_fishnet_job_json(&lease.job, &lease.judge, &lease.game, lease.chosen));
}

static bool wants_no_more(const struct ipr_req *req)
{
    const char *stop = ipr_params_text(req->resource, req->params, "stop");

    return stop != NULL && strcmp(stop, "true") == 0;
}

static enum MHD_Result fishnet_fail(struct ipr_req *req, struct ipr_db **db,
                                    const struct ipr_err *err)
{
    ipr_db_return(db);
    return ipr_reply_error(req, err);
}

enum MHD_Result ipr_http_fishnet_acquire(struct ipr_req *req)
{
    struct ipr_fishnet_visitor visitor;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db *db = NULL;

    if (open_visit(req, &db, &visitor, &err) != IPR_OK)
        return fishnet_fail(req, &db, &err);
    if (!ipr_remote_version_fits(visitor.client.version)) {
        ipr_db_return(&db);
        return too_old(req);
    }
    return hand_out(req, &db, &visitor);
}

/* The lease is over, through no fault of the client, which continues with the next game. */
static enum MHD_Result answer_late(struct ipr_req *req)
{
    const struct ipr_remote_client unsaid = { 0 };
    struct ipr_fishnet_visitor visitor;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db *db = NULL;

    ipr_log(IPR_LOG_WARN, "lease_lost", "lease=\"%s\"", ipr_log_text(req->ids[0]));
    if (wants_no_more(req) || ipr_authorize_bearer(req).n == 0)
        return ipr_reply_empty(req, MHD_HTTP_NO_CONTENT);
    enum ipr_code rc = ipr_req_lease(req, &db, &err);
    if (rc == IPR_OK)
        rc = admit_visitor(req, db, &unsaid, &visitor, &err);
    return rc == IPR_OK ? hand_out(req, &db, &visitor) : fishnet_fail(req, &db, &err);
}

static enum ipr_code take_report(struct ipr_req *req, struct ipr_db *db, struct ipr_str text,
                                 struct ipr_fishnet_visitor *visitor, enum ipr_fishnet_taken *taken,
                                 struct ipr_err *err)
{
    struct ipr_remote_body body;
    enum ipr_code rc = ipr_remote_body_read(text, &body, err);

    if (rc == IPR_OK)
        rc = admit_visitor(req, db, &body.client, visitor, err);
    if (rc == IPR_OK && body.analysis.p == NULL)
        body.analysis = IPR_STR("null"); /* rejected like any other invalid analysis */
    if (rc == IPR_OK)
        rc = ipr_fishnet_take(db, req->http->o.config, visitor, req->ids[0], body.analysis,
                              &req->mem, taken, err);
    return rc;
}

enum MHD_Result ipr_http_fishnet_analysis(struct ipr_req *req)
{
    struct ipr_fishnet_visitor visitor;
    enum ipr_fishnet_taken taken = IPR_FISHNET_LATE;
    struct ipr_str text = { NULL, 0 };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db *db = NULL;

    if (req->spool == NULL)
        return answer_late(req);
    enum ipr_code rc = map_body(req->spool, &text, &err);
    if (rc == IPR_OK)
        rc = ipr_req_lease(req, &db, &err);
    if (rc == IPR_OK)
        rc = take_report(req, db, text, &visitor, &taken, &err);
    if (text.p != NULL)
        munmap((void *)(uintptr_t)text.p, text.n);
    /* A rejected analysis has a reason: the client shows it, waits a while and continues. */
    if (rc != IPR_OK || taken == IPR_FISHNET_REFUSED)
        return fishnet_fail(req, &db, &err);
    if (taken != IPR_FISHNET_GOES_ON && !wants_no_more(req))
        return hand_out(req, &db, &visitor);
    ipr_db_return(&db);
    return ipr_reply_empty(req, MHD_HTTP_NO_CONTENT);
}

/* Moves of running games are never handed out here, so this belongs to no lease. */
enum MHD_Result ipr_http_fishnet_move(struct ipr_req *req)
{
    return wants_no_more(req) ? ipr_reply_empty(req, MHD_HTTP_NO_CONTENT)
                              : ipr_http_fishnet_acquire(req);
}

enum MHD_Result ipr_http_fishnet_abort(struct ipr_req *req)
{
    struct ipr_fishnet_visitor visitor;
    struct ipr_db_job job;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db *db = NULL;
    enum ipr_code rc = open_visit(req, &db, &visitor, &err);

    if (rc == IPR_OK)
        rc = ipr_fishnet_held(db, &visitor, req->ids[0], &job, &err);
    if (rc == IPR_OK)
        rc = ipr_db_job_release(db, &job, &err);
    if (rc != IPR_OK && rc != IPR_ECONFLICT) /* a lease that is over need not be released */
        return fishnet_fail(req, &db, &err);
    ipr_db_return(&db);
    return ipr_reply_empty(req, MHD_HTTP_NO_CONTENT);
}

/* ---- other requests ---- */

/* The key is in the header or, from clients of version 1, in the address; those expect 404 for a
 * wrong one. */
enum MHD_Result ipr_http_fishnet_key(struct ipr_req *req)
{
    const bool named = req->ids[0] != NULL;
    struct ipr_db_key key;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db *db = NULL;

    enum ipr_code rc = ipr_req_lease(req, &db, &err);
    if (rc == IPR_OK)
        rc = check_key(req, db, named ? ipr_str_c(req->ids[0]) : ipr_authorize_bearer(req), &key,
                       &err);
    ipr_db_return(&db);
    if (rc == IPR_EDENIED && named)
        return ipr_reply_problem(req, ipr_problem_make("not_found", "%s", err.msg));
    if (rc != IPR_OK)
        return ipr_reply_error(req, &err);
    return ipr_reply_json(req, MHD_HTTP_OK, json_pack("{s:s}", "key", key.name));
}

static enum MHD_Result fishnet_status(struct ipr_req *req, const char *program)
{
    struct ipr_db_status s[2] = { { 0 } };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db *db = NULL;
    enum ipr_code rc = ipr_req_lease(req, &db, &err);

    if (rc == IPR_OK)
        rc = ipr_db_status(db, program, s, &err);
    ipr_db_return(&db);
    return rc == IPR_OK ? ipr_reply_json(req, MHD_HTTP_OK, ipr_fishnet_status_json(s))
                        : ipr_reply_error(req, &err);
}

enum MHD_Result ipr_http_fishnet_status(struct ipr_req *req)
{
    return fishnet_status(req, IPR_FISHNET_PROGRAM);
}

enum MHD_Result ipr_http_status(struct ipr_req *req)
{
    return fishnet_status(req, NULL);
}
