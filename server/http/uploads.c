/* Uploads: in comes a file, out goes what became of it. */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "core/log.h"
#include "http/reply.h"
#include "http/routes.h"
#include "http/spool.h"
#include "ingest/ingest.h"

#define PRIORITY_DEFAULT 5
#define PAGE_DEFAULT     100
#define PAGE_MAX         1000

/* Imports wait for each other, and each holds a thread that answers nothing else meanwhile: so many
 * at most, and so long. Threads must be left for everybody else (POOL_THREADS in http.c). */
#define IMPORTS_MAX   3
#define IMPORT_WAIT_S 30
#define WAITING_MAX   2 /* for the end of another one */
#define PLACE_WAIT_S  2

enum ipr_code ipr_res_upload(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                             struct ipr_err *err)
{
    int64_t id;
    enum ipr_code rc = ipr_req_id(req, 0, INT64_MAX, &id, err);

    if (rc == IPR_OK)
        rc = ipr_view_upload(view, id, out, err);
    return rc;
}

enum ipr_code ipr_res_upload_duplicates(struct ipr_req *req, const struct ipr_view *view,
                                        json_t **out, struct ipr_err *err)
{
    int64_t id, after, limit;
    enum ipr_code rc = ipr_req_id(req, 0, INT64_MAX, &id, err);

    if (rc == IPR_OK)
        rc = ipr_req_int(req, "after", 0, INT32_MAX, 0, &after, err);
    if (rc == IPR_OK)
        rc = ipr_req_int(req, "limit", 1, PAGE_MAX, PAGE_DEFAULT, &limit, err);
    if (rc == IPR_OK)
        rc = ipr_view_upload_duplicates(view, id, (int32_t)after, (int)limit, out, err);
    return rc;
}

static enum ipr_code bad_parameter(struct ipr_err *err, const char *what)
{
    return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "%s", what);
}

static bool is_judge(const char *name)
{
    static const char *const known[] = { "quick", "standard", "deep" };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    return false;
}

/* The address wins over the form. */
static const char *setting(const struct ipr_req *req, const char *name)
{
    const char *value = ipr_req_param(req, name);

    return value != NULL ? value : ipr_spool_field(req->spool, name);
}

static enum ipr_code read_options(const struct ipr_req *req, struct ipr_ingest_options *out,
                                  struct ipr_err *err)
{
    const char *judge = setting(req, "judge");
    const char *priority = setting(req, "priority");
    const char *analyse = setting(req, "analyse");
    int64_t n = PRIORITY_DEFAULT;

    if (judge == NULL)
        judge = req->http->o.config->judge;
    if (!is_judge(judge))
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                          "there is no judge \"%.40s\": quick, standard or deep", judge);
    if (priority != NULL && !ipr_str_int(ipr_str_c(priority), 1, 9, &n))
        return bad_parameter(err, "priority is a whole number from 1, first, to 9, last");
    if (analyse != NULL && strcmp(analyse, "true") != 0 && strcmp(analyse, "false") != 0)
        return bad_parameter(err, "analyse is true or false");
    const bool wanted = analyse == NULL || strcmp(analyse, "true") == 0;
    *out = (struct ipr_ingest_options){
        .source = ipr_spool_source(req->spool),
        .judge = wanted ? judge : NULL,
        .priority = (int)n,
        .owner = req->writer,
        .max_bytes = req->http->o.config->max_upload_mb << 20,
        .spelling = req->http->o.spelling,
        .pgn_only = true,
        .wait_s = IMPORT_WAIT_S,
        .again = true, /* its own upload, with what is known counted as duplicates */
    };
    return IPR_OK;
}

static enum MHD_Result answer(struct ipr_req *req, const struct ipr_ingest_result *r,
                              json_t *upload)
{
    const char *base = req->html ? "" : "/api/v1";

    ipr_log(IPR_LOG_INFO, "upload",
            "id=%lld read=%d imported=%d duplicate=%d rejected=%d judged=%d queued=%d",
            (long long)r->upload_id, (int)r->games_read, (int)r->imported, (int)r->duplicate,
            (int)r->rejected, (int)r->judged, (int)r->queued);
    ipr_reply_header(req, "Location",
                     ipr_arena_printf(&req->mem, "%s/uploads/%lld", base, (long long)r->upload_id));
    if (!req->html)
        return ipr_reply_json(req, MHD_HTTP_ACCEPTED, upload);
    json_decref(upload);
    return ipr_reply_empty(req, MHD_HTTP_SEE_OTHER);
}

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t ended;
    int n, waiting; /* guarded by the mutex */
} imports = { .mutex = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER };

/* Small files are in before anybody notices: a short wait lets a few of them through. */
static bool begin_import(void)
{
    struct timespec until;
    int rc = 0;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PLACE_WAIT_S;
    pthread_mutex_lock(&imports.mutex);
    const bool may_wait = imports.waiting < WAITING_MAX;
    imports.waiting += may_wait ? 1 : 0;
    while (may_wait && imports.n >= IMPORTS_MAX && rc == 0)
        rc = pthread_cond_timedwait(&imports.ended, &imports.mutex, &until);
    imports.waiting -= may_wait ? 1 : 0;
    const bool mine = imports.n < IMPORTS_MAX;
    imports.n += mine ? 1 : 0;
    pthread_mutex_unlock(&imports.mutex);
    return mine;
}

static void end_import(void)
{
    pthread_mutex_lock(&imports.mutex);
    imports.n--;
    pthread_cond_signal(&imports.ended);
    pthread_mutex_unlock(&imports.mutex);
}

static enum ipr_code import_spooled(const struct ipr_view *view, int fd,
                                    const struct ipr_ingest_options *options,
                                    struct ipr_ingest_result *result, struct ipr_err *err)
{
    if (!begin_import())
        return ipr_err_at(err, IPR_ERETRY, "import_running", 0, 0, -1,
                          "Other imports are at work. Send the file again when they are over.");
    const enum ipr_code rc = ipr_ingest_fd(view->db, fd, options, result, err);
    end_import();
    return rc;
}

/* POST /api/v1/uploads, once the body is in its file. */
enum MHD_Result ipr_http_upload_post(struct ipr_req *req)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_view view = { .config = req->http->o.config, .mem = &req->mem };
    struct ipr_ingest_options options;
    struct ipr_ingest_result result = { 0 };
    json_t *upload = NULL;
    int fd = -1;

    enum ipr_code rc = ipr_spool_finish(req->spool, &fd, &err);
    if (rc == IPR_OK)
        rc = read_options(req, &options, &err);
    if (rc == IPR_OK)
        rc = ipr_req_lease(req, &view.db, &err);
    if (rc == IPR_OK)
        rc = import_spooled(&view, fd, &options, &result, &err);
    if (rc == IPR_OK)
        rc = ipr_view_upload(&view, result.upload_id, &upload, &err);
    ipr_db_return(&view.db);
    ipr_spool_free(&req->spool);
    return rc == IPR_OK ? answer(req, &result, upload) : ipr_reply_error(req, &err);
}
