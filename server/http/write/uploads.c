/* Uploads: receives files, imports them and reports the result. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/setting.h"
#include "db/uploads.h"
#include "http/base/authorization.h"
#include "http/base/fetching.h"
#include "http/base/import_queue.h"
#include "http/base/reply.h"
#include "http/base/routes.h"
#include "http/base/spool.h"
#include "http/base/upload_key.h"

/* Fields of the form that are not in the address. */
static enum ipr_code read_fields(struct ipr_req *req, struct ipr_err *err)
{
    static const char *const names[] = { "judge", "priority", "analyse" };
    const size_t in_address = req->n_given;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = ipr_spool_field(req->spool, names[i]);
        size_t k = 0;

        while (k < in_address && strcmp(req->given[k].name, names[i]) != 0)
            k++;
        if (value != NULL && k == in_address)
            req->given[req->n_given++] =
                (struct ipr_given){ .name = names[i], .text = value, .place = IPR_GIVEN_BODY };
    }
    return ipr_req_params(req, err);
}

/* Checked before the import: a wrong judge would leave the games stored but not queued. */
static enum ipr_code check_judge(const struct ipr_req *req, const char *judge, struct ipr_err *err)
{
    struct ipr_db *db = NULL;

    enum ipr_code rc = ipr_req_lease(req, &db, err);
    if (rc == IPR_OK)
        rc = ipr_req_judge(db, judge, err);
    ipr_db_return(&db);
    return rc;
}

/* Reads the options of an upload of games to analyse. */
static enum ipr_code read_analysis(struct ipr_req *req, struct ipr_ingest_options *out,
                                   struct ipr_err *err)
{
    const struct ipr_upload_post_request *p = req->params;
    const char *judge = ipr_setting_queue(req->http->o.config, p->judge);

    out->form = IPR_SOURCE_PGN;
    out->notes_only = !req->writer_judges;
    out->judge = p->analyse ? judge : NULL;
    out->priority = p->priority;
    if (req->visitor && (p->judge != NULL || p->priority < 5))
        return ipr_err_type(err, IPR_EDENIED, "token_needed",
                            "without a token an upload is analysed by the default engine setting, "
                            "at priority 5 or later");
    return check_judge(req, judge, err);
}

/* Strangers' games are theirs, unless the operator lists them; evaluations are for games that are
 * listed, but those of the example, whose players do not exist. */
static enum ipr_code read_listed(struct ipr_req *req, bool example, bool *listed,
                                 struct ipr_err *err)
{
    const struct ipr_upload_post_request *p = req->params;

    *listed =
        req->route->id != IPR_RESOURCE_UPLOAD_POST || p->listed || !ipr_upload_is_private(req);
    if (example)
        *listed = false;
    if (req->route->id == IPR_RESOURCE_UPLOAD_POST && p->listed && ipr_upload_is_private(req) &&
        !req->writer_rules)
        return ipr_err_type(
            err, IPR_EDENIED, "scope_needed",
            "uploads are private here: to list one needs a token of the scope admin");
    return IPR_OK;
}

static enum ipr_code read_options(struct ipr_req *req, struct ipr_ingest_options *out,
                                  struct ipr_err *err)
{
    enum ipr_code rc = read_fields(req, err);

    if (rc != IPR_OK)
        return rc;
    *out = (struct ipr_ingest_options){
        .source = ipr_spool_source(req->spool),
        .owner = req->writer,
        .max_bytes = req->http->o.config->max_upload_mb << 20,
        .max_ms = req->http->o.config->import_max_s * 1000,
        .spelling = req->http->o.spelling,
        .again = true, /* a new upload; known games count as duplicates */
    };
    if (req->route->id == IPR_RESOURCE_UPLOAD_POST)
        return read_analysis(req, out, err);
    out->form = IPR_SOURCE_LINES;
    return IPR_OK;
}

/* Prefer (RFC 7240): the client comes back for the result. */
static bool prefers_async(const struct ipr_req *req)
{
    static const char word[] = "respond-async";
    const char *prefer = ipr_req_header(req, "Prefer");

    for (const char *p = prefer; p != NULL && *p != '\0'; p += strcspn(p, ",")) {
        p += strspn(p, ", \t");
        if (strncasecmp(p, word, sizeof word - 1) == 0 &&
            strchr(",; \t", p[sizeof word - 1]) != NULL)
            return true;
    }
    return false;
}

struct record {
    const struct ipr_ingest_options *options;
    unsigned char digest[32];
    struct ipr_str key; /* digest of the key of a private one */
    int64_t bytes, id;
};

static enum ipr_code record_begin(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct record *r = arg;
    const struct ipr_ingest_options *o = r->options;

    return ipr_db_upload_begin(db, o->source, r->digest, r->bytes, o->judge != NULL ? o->judge : "",
                               o->owner, r->key, &r->id, err);
}

/* A private one has its number before its record, which is made where nothing else is seen. */
static enum ipr_code record_privately(struct ipr_req *req, struct ipr_db *db, struct record *r,
                                      unsigned char key[32], struct ipr_err *err)
{
    int64_t id = 0;
    const enum ipr_code rc = ipr_db_private_id(db, &id, err);

    if (rc != IPR_OK)
        return rc;
    ipr_upload_key_make(req, key);
    r->key = (struct ipr_str){ (const char *)key, 32 };
    req->space = id;
    return ipr_db_enter(db, id, err);
}

/* From now on it can be seen. In a transaction, so that its number is known before it is there: if
 * the answer to the commit is lost the client gets 503 and comes again, and nobody imports this
 * one.
 */
static enum ipr_code upload_record(struct ipr_req *req, int fd, bool example,
                                   struct ipr_ingest_options *options, struct ipr_err *err)
{
    struct record r = { .options = options };
    unsigned char key[32];
    struct ipr_db *db = NULL;
    struct stat body;
    bool listed = true;

    r.bytes = fstat(fd, &body) == 0 ? body.st_size : 0;
    ipr_spool_file_digest(req->spool, r.digest);
    enum ipr_code rc = read_listed(req, example, &listed, err);
    if (rc == IPR_OK)
        rc = ipr_req_lease(req, &db, err);
    if (rc == IPR_OK && !listed)
        rc = record_privately(req, db, &r, key, err);
    if (rc == IPR_OK)
        rc = ipr_db_tx(db, record_begin, &r, err);
    ipr_db_return(&db);
    options->upload_id = r.id;
    if (rc != IPR_OK && r.id != 0)
        ipr_import_queue_lose(req->http->imports, r.id);
    return rc;
}

/* Its record, as it is at this moment. */
static enum MHD_Result upload_reply(struct ipr_req *req, int64_t id)
{
    struct ipr_view view = { .config = req->http->o.config,
                             .mem = &req->mem,
                             .upload_key = req->upload_key,
                             .owner_key = req->owner_key };
    struct ipr_err err = IPR_ERR_INIT;
    json_t *upload = NULL;
    enum ipr_code rc = ipr_req_lease(req, &view.db, &err);

    if (rc == IPR_OK)
        rc = ipr_view_upload(&view, &(struct ipr_upload_request){ .upload = id }, &upload, &err);
    ipr_db_return(&view.db);
    if (rc != IPR_OK)
        return ipr_reply_error(req, &err);
    const char *key = req->upload_key != NULL ? req->upload_key
                                              : ipr_arena_printf(&req->mem, "%lld", (long long)id);
    const char *api = ipr_arena_printf(&req->mem, "/api/v1/uploads/%s", key);
    return ipr_reply_written(req, MHD_HTTP_ACCEPTED, api, api + strlen("/api/v1"), upload);
}

/* The body "example:open" stands for the composed tournament of the samples, with its evaluations:
 * the file has it afterwards. */
static enum ipr_code take_example(struct ipr_req *req, int fd, struct ipr_ingest_options *options,
                                  bool *taken, struct ipr_err *err)
{
    static const char name[] = "example:open";
    char body[sizeof name] = "";
    struct stat sample = { 0 };

    if (pread(fd, body, sizeof body, 0) != sizeof name - 1 || strcmp(body, name) != 0)
        return IPR_OK;
    const char *path =
        ipr_arena_printf(&req->mem, "%s/samples/open.ndjson.zst", req->http->o.static_dir);
    const int from = open(path, O_RDONLY | O_CLOEXEC);
    *taken = from >= 0 && ftruncate(fd, 0) == 0 && fstat(from, &sample) == 0 &&
             sendfile(fd, from, &(off_t){ 0 }, (size_t)sample.st_size) == sample.st_size &&
             lseek(fd, 0, SEEK_SET) == 0;
    const int error = errno;
    if (from >= 0)
        close(from);
    if (!*taken)
        return ipr_err_set(err, IPR_EIO, "%s: %s", path, strerrordesc_np(error));
    options->source = "Forest Open";
    options->form = IPR_SOURCE_LINES;
    options->judge = NULL;
    options->notes_only = false;
    /* It counts for a quota as if it had been sent. */
    if (req->counted != 0)
        req->counted = req->received;
    req->received += (size_t)sample.st_size;
    return ipr_authorize_received(req, true, err);
}

/* The body is complete: queues it. */
static enum MHD_Result upload_hand_over(struct ipr_req *req)
{
    bool async = prefers_async(req);
    char who[IPR_FETCH_WHO];
    const char *fetch = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_ingest_options options;
    struct ipr_db *db = NULL;
    bool example = false;
    int64_t n = 0;
    int fd = -1;

    enum ipr_code rc = ipr_spool_finish(req->spool, &fd, &err);
    if (rc == IPR_OK)
        rc = read_options(req, &options, &err);
    if (rc == IPR_OK && options.form == IPR_SOURCE_PGN)
        rc = take_example(req, fd, &options, &example, &err);
    if (rc == IPR_OK && options.form == IPR_SOURCE_PGN && ipr_fetch_named(fd, who)) {
        options.source = fetch = who;
        async = true; /* the site may take a minute */
        rc = ipr_fetch_allowed(req->http->o.config, who, &err);
        if (rc == IPR_OK && req->visitor) /* nobody knows how much that is */
            rc = ipr_err_type(&err, IPR_EDENIED, "token_needed",
                              "to fetch games from a site needs a token here; a file does not");
    }
    if (rc == IPR_OK)
        rc = upload_record(req, fd, example, &options, &err);
    if (rc == IPR_OK) {
        rc = ipr_import_queue_put(req, fd, &options, fetch, !async, &err);
        if (rc != IPR_OK && ipr_req_lease(req, &db, NULL) == IPR_OK) /* no queue has taken it */
            (void)!ipr_db_upload_withdraw(db, options.upload_id, &n, NULL);
        ipr_db_return(&db);
    }
    if (rc == IPR_OK && !async)
        return MHD_YES;
    ipr_spool_free(&req->spool);
    if (rc != IPR_OK)
        return ipr_reply_error(req, &err);
    if (prefers_async(req))
        ipr_reply_header(req, "Preference-Applied", "respond-async");
    return upload_reply(req, options.upload_id);
}

/* POST /api/v1/uploads and /api/v1/evaluations: called at the end of the body, and again at the end
 * of the import. */
enum MHD_Result ipr_http_upload_post(struct ipr_req *req)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_ingest_result result = { 0 };

    if (req->import == NULL)
        return upload_hand_over(req);
    if (ipr_import_result(req->import, &result, &err) != IPR_OK)
        return ipr_reply_error(req, &err);
    return upload_reply(req, result.upload_id);
}
