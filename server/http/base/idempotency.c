#include "http/base/idempotency.h"

#include <sodium.h>
#include <string.h>

#include "core/log.h"
#include "http/base/problems.h"
#include "http/base/spool.h"

#define KEY_MAX 255

/* ---- the request ---- */

static void digest_add(crypto_generichash_state *state, const void *bytes, size_t n)
{
    const uint64_t length = n; /* so that two different lists of parts are never the same bytes */

    crypto_generichash_update(state, (const unsigned char *)&length, sizeof length);
    if (n > 0)
        crypto_generichash_update(state, bytes, n);
}

static void digest_request(const struct ipr_req *req, unsigned char out[32])
{
    unsigned char body[32];
    crypto_generichash_state state;

    if (req->spool != NULL)
        ipr_spool_digest(req->spool, body);
    else
        crypto_generichash(body, sizeof body, (const unsigned char *)ipr_buf_c(&req->body),
                           req->body.n, NULL, 0);
    crypto_generichash_init(&state, NULL, 0, 32);
    digest_add(&state, req->method, strlen(req->method));
    digest_add(&state, req->target, strlen(req->target));
    digest_add(&state, body, sizeof body);
    crypto_generichash_final(&state, out, 32);
}

/* The header is a quoted string of structured fields; most clients send it bare. */
static enum ipr_code key_read(struct ipr_req *req, const char *header, struct ipr_err *err)
{
    struct ipr_str key = ipr_str_trim(ipr_str_c(header));

    if (key.n >= 2 && key.p[0] == '"' && key.p[key.n - 1] == '"')
        key = (struct ipr_str){ key.p + 1, key.n - 2 };
    bool good = key.n > 0 && key.n <= KEY_MAX;
    for (size_t i = 0; i < key.n && good; i++)
        good = key.p[i] >= 0x20 && key.p[i] < 0x7f;
    if (!good)
        return ipr_err_set(err, IPR_EPARSE, "Idempotency-Key is 1 to %d printable ASCII characters",
                           KEY_MAX);
    req->idempotency_key = ipr_arena_strndup(&req->mem, key.p, key.n);
    return IPR_OK;
}

/* ---- the first request, and the next ones ---- */

/* *first: the key is new; otherwise *answer is what is known of the first request with it. */
static enum ipr_code key_claim(struct ipr_req *req, bool *first, struct ipr_db_answer *answer,
                               struct ipr_err *err)
{
    unsigned char digest[32];
    struct ipr_db *db = NULL;
    int64_t rows = 0;

    digest_request(req, digest);
    enum ipr_code rc = ipr_req_lease(req, &db, err);
    if (rc == IPR_OK)
        rc = ipr_db_idempotency_sweep(db, err);
    if (rc == IPR_OK)
        rc = ipr_db_idempotency_claim(db, req->writer, req->idempotency_key, digest, &rows, err);
    *first = rows > 0;
    if (rc == IPR_OK && !*first)
        rc = ipr_db_idempotency_find(db, req->writer, req->idempotency_key, digest, &req->mem,
                                     answer, err);
    ipr_db_return(&db);
    return rc;
}

/* The problem with a key that was used before; status 0: the first answer is given again. */
static struct ipr_problem key_problem(const struct ipr_db_answer *answer)
{
    if (!answer->same)
        return ipr_problem_make("idempotency_key_reused",
                                "another request was sent with this Idempotency-Key");
    if (answer->status == 0)
        return ipr_problem_make("idempotency_key_running",
                                "the first request with this Idempotency-Key is still running");
    return (struct ipr_problem){ 0 };
}

bool ipr_idempotency_decides(struct ipr_req *req, struct ipr_db_answer *answer,
                             struct ipr_problem *problem)
{
    const char *header = ipr_req_header(req, "Idempotency-Key");
    const bool writes = strcmp(req->method, "POST") == 0 || strcmp(req->method, "PATCH") == 0;
    struct ipr_err err = IPR_ERR_INIT;
    bool first = false;
    int fd;

    /* Without a writer the request belongs to a protocol with its own keys. An answer to games that
     * are not stored is not stored, either. */
    if (header == NULL || !writes || req->writer == NULL || req->visitor ||
        req->idempotency_key != NULL || req->route->id == IPR_RESOURCE_GAMES_RATED)
        return false;
    if (req->spool != NULL && ipr_spool_finish(req->spool, &fd, NULL) != IPR_OK)
        return false; /* the handler reports what is wrong with the body */
    enum ipr_code rc = key_read(req, header, &err);
    if (rc == IPR_OK)
        rc = key_claim(req, &first, answer, &err);
    req->idempotency_held = rc == IPR_OK && first;
    if (req->idempotency_held)
        return false;
    *problem = rc == IPR_OK ? key_problem(answer) : ipr_problem_log(&err);
    return true;
}

/* ---- the answer ---- */

static void key_failed(const struct ipr_err *err)
{
    ipr_log(IPR_LOG_WARN, "idempotency_failed", "msg=\"%s\"", ipr_log_text(err->msg));
}

void ipr_idempotency_keep(struct ipr_req *req, unsigned status, const char *type, const char *body,
                          size_t n)
{
    struct ipr_db *db = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    const char *location = NULL;

    if (!req->idempotency_held || status >= 500 || status == MHD_HTTP_TOO_MANY_REQUESTS ||
        n > IPR_IDEMPOTENCY_MAX)
        return;
    const char *text = body != NULL ? ipr_arena_strndup(&req->mem, body, n) : NULL;
    for (size_t i = req->n_headers; i-- > 0;)
        if (strcmp(req->header[i].name, "Location") == 0)
            location = req->header[i].value;
    enum ipr_code rc = ipr_req_lease(req, &db, &err);
    if (rc == IPR_OK)
        rc = ipr_db_idempotency_keep(db, req->writer, req->idempotency_key, (int)status, type,
                                     location, text, &err);
    ipr_db_return(&db);
    if (rc == IPR_OK)
        req->idempotency_held = false;
    else
        key_failed(&err);
}

void ipr_idempotency_end(struct ipr_req *req)
{
    struct ipr_db *db = NULL;
    struct ipr_err err = IPR_ERR_INIT;

    if (!req->idempotency_held)
        return;
    enum ipr_code rc = ipr_req_lease(req, &db, &err);
    if (rc == IPR_OK)
        rc = ipr_db_idempotency_release(db, req->writer, req->idempotency_key, &err);
    ipr_db_return(&db);
    if (rc != IPR_OK)
        key_failed(&err);
    req->idempotency_held = false;
}
