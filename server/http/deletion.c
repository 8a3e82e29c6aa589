/* Uploads and games that are taken back. */
#include "db/deletion.h"

#include "core/log.h"
#include "http/reply.h"
#include "http/routes.h"

#define WAIT_S 5 /* for an import that is at work */

static json_t *deletion_json(const struct ipr_db_deletion *d)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "games", (json_int_t)d->games, "evaluations",
                     (json_int_t)d->evaluations, "kept", (json_int_t)d->kept, "restored",
                     (json_int_t)d->restored, "players", (json_int_t)d->players, "events",
                     (json_int_t)d->events);
}

typedef enum ipr_code (*delete_fn)(struct ipr_db *db, int64_t id, int wait_s,
                                   struct ipr_db_deletion *out, struct ipr_err *err);

static enum MHD_Result answer_deletion(struct ipr_req *req, const char *what, delete_fn fn)
{
    const int64_t id = ipr_params_id(req->resource, req->params, what);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db_deletion d = { 0 };
    struct ipr_db *db = NULL;

    enum ipr_code rc = ipr_req_lease(req, &db, &err);
    if (rc == IPR_OK)
        rc = fn(db, id, WAIT_S, &d, &err);
    ipr_db_return(&db);
    if (rc != IPR_OK)
        return ipr_reply_error(req, &err);
    ipr_log(IPR_LOG_INFO, "deletion", "%s=%lld games=%lld by=\"%s\"", what, (long long)id,
            (long long)d.games, ipr_log_text(req->writer));
    if (!req->html)
        return ipr_reply_json(req, MHD_HTTP_OK, deletion_json(&d));
    ipr_reply_header(req, "Location", "/"); /* the page of the form is gone */
    return ipr_reply_empty(req, MHD_HTTP_SEE_OTHER);
}

enum MHD_Result ipr_http_upload_delete(struct ipr_req *req)
{
    return answer_deletion(req, "upload", ipr_db_upload_delete);
}

enum MHD_Result ipr_http_game_delete(struct ipr_req *req)
{
    return answer_deletion(req, "game", ipr_db_game_delete);
}
