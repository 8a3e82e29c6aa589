/* Deletion of uploads and games. */
#include "db/deletion.h"

#include "core/log.h"
#include "http/reply.h"
#include "http/routes.h"
#include "resource/write.h"
#include "view/rows.h"

#define WAIT_S 5 /* for a running import */

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
    if (rc == IPR_OK)
        rc = (game ? ipr_db_game_delete : ipr_db_upload_delete)(db, id, WAIT_S, &d, &err);
    ipr_db_return(&db);
    if (rc != IPR_OK)
        return ipr_reply_error(req, &err);
    ipr_log(IPR_LOG_INFO, "deletion", "%s=%lld games=%lld by=\"%s\"", what, (long long)id,
            (long long)d.games, ipr_log_text(req->writer));
    /* The page of the form is gone. */
    return ipr_reply_written(req, MHD_HTTP_OK, NULL, "/", ipr_row_json(IPR_SHAPE_DELETION, &d));
}
