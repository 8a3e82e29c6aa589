/* Uploads: in comes a file, out goes what became of it. */
#include <string.h>

#include "http/import_queue.h"
#include "http/reply.h"
#include "http/routes.h"
#include "http/spool.h"

#define PRIORITY_DEFAULT 5
#define PAGE_DEFAULT     100
#define PAGE_MAX         1000

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

/* The address wins over the form. */
static const char *setting(const struct ipr_req *req, const char *name)
{
    const char *value = ipr_req_param(req, name);

    return value != NULL ? value : ipr_spool_field(req->spool, name);
}

/* Now, before the import: afterwards the games would be there and nobody to judge them. */
static enum ipr_code check_judge(const struct ipr_req *req, const char *judge, struct ipr_err *err)
{
    struct ipr_db *db = NULL;

    enum ipr_code rc = ipr_req_lease(req, &db, err);
    if (rc == IPR_OK)
        rc = ipr_req_judge(db, judge, err);
    ipr_db_return(&db);
    return rc;
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
    const enum ipr_code rc = check_judge(req, judge, err);
    if (rc != IPR_OK)
        return rc;
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
        .again = true, /* its own upload, with what is known counted as duplicates */
    };
    return IPR_OK;
}

static enum MHD_Result accepted(struct ipr_req *req, int64_t id, json_t *upload)
{
    const char *base = req->html ? "" : "/api/v1";

    ipr_reply_header(req, "Location",
                     ipr_arena_printf(&req->mem, "%s/uploads/%lld", base, (long long)id));
    if (!req->html)
        return ipr_reply_json(req, MHD_HTTP_ACCEPTED, upload);
    json_decref(upload);
    return ipr_reply_empty(req, MHD_HTTP_SEE_OTHER);
}

/* The body is in its file: into the queue with it. */
static enum MHD_Result hand_over(struct ipr_req *req)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_ingest_options options;
    int fd = -1;

    enum ipr_code rc = ipr_spool_finish(req->spool, &fd, &err);
    if (rc == IPR_OK)
        rc = read_options(req, &options, &err);
    if (rc == IPR_OK)
        rc = ipr_import_queue_put(req, fd, &options, &err);
    if (rc == IPR_OK)
        return MHD_YES;
    ipr_spool_free(&req->spool);
    return ipr_reply_error(req, &err);
}

/* The import is over. */
static enum MHD_Result answer(struct ipr_req *req)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_view view = { .config = req->http->o.config, .mem = &req->mem };
    struct ipr_ingest_result result = { 0 };
    json_t *upload = NULL;

    ipr_spool_free(&req->spool);
    enum ipr_code rc = ipr_import_result(req->import, &result, &err);
    if (rc == IPR_OK)
        rc = ipr_req_lease(req, &view.db, &err);
    if (rc == IPR_OK)
        rc = ipr_view_upload(&view, result.upload_id, &upload, &err);
    ipr_db_return(&view.db);
    return rc == IPR_OK ? accepted(req, result.upload_id, upload) : ipr_reply_error(req, &err);
}

/* POST /api/v1/uploads: called at the end of the body, and again at the end of the import. */
enum MHD_Result ipr_http_upload_post(struct ipr_req *req)
{
    return req->import == NULL ? hand_over(req) : answer(req);
}
