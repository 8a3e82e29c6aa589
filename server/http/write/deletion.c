/* Deletion of uploads and games. */
#include "db/deletion.h"

#include "core/log.h"
#include "db/uploads.h"
#include "http/base/import_queue.h"
#include "http/base/reply.h"
#include "http/base/routes.h"
#include "resource/write.h"
#include "view/rows.h"

#define WAIT_S 5 /* for a running import */

/* One that waits for its import is only a record; one that is imported stops first. */
static enum ipr_code upload_stop_delete(const struct ipr_req *req, struct ipr_db *db, int64_t id,
                                        struct ipr_db_deletion *d, struct ipr_err *err)
{
    int64_t waited = 0, unfinished = 0;
    enum ipr_code rc = ipr_db_upload_withdraw(db, id, &waited, err);

    if (rc == IPR_OK && waited == 0)
        rc = ipr_db_upload_cancel(db, id, &unfinished, err);
    if (rc == IPR_OK && waited > 0)
        ipr_import_queue_cancel(req->http->imports, id);
    return rc == IPR_OK && waited == 0 ? ipr_db_upload_delete(db, id, WAIT_S, d, err) : rc;
}

/* DELETE of an upload, also by the button of its page, or of a game. */
enum MHD_Result ipr_http_delete(struct ipr_req *req)
{
    const bool game = req->route->id == IPR_RESOURCE_GAME_DELETE;
    const char *what = game ? "game" : "upload";
    const int64_t id = ipr_params_id(req->resource, req->params, what);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db_deletion d = { 0 };
    struct ipr_db *db = NULL;

    enum ipr_code rc = ipr_req_lease(req, &db, &err);
    /* Who may delete uploads need not have their keys. */
    if (rc == IPR_OK && !game)
        rc = ipr_db_enter(db, ipr_db_space_of(id), &err);
    if (rc == IPR_OK)
        rc = game ? ipr_db_game_delete(db, id, WAIT_S, &d, &err)
                  : upload_stop_delete(req, db, id, &d, &err);
    ipr_db_return(&db);
    if (rc != IPR_OK)
        return ipr_reply_error(req, &err);
    ipr_log(IPR_LOG_INFO, "deletion", "%s=%lld games=%lld by=\"%s\"", what, (long long)id,
            (long long)d.games, ipr_log_text(req->writer));
    /* The page of the form is gone; this one has a word for who comes from there. */
    return ipr_reply_written(req, MHD_HTTP_OK, NULL, "/uploads#deleted",
                             ipr_row_json(IPR_SHAPE_DELETION, &d));
}
