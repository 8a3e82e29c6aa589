/* One game, as JSON, page and PGN. */
#include <stdlib.h>
#include <string.h>

#include "http/format.h"
#include "http/reply.h"
#include "http/routes.h"

static enum MHD_Result reply_pgn(struct ipr_req *req)
{
    struct ipr_view view = { .config = req->http->o.config, .mem = &req->mem };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf pgn = IPR_BUF_INIT;
    enum ipr_code rc = ipr_req_lease(req, &view.db, &err);

    if (rc == IPR_OK)
        rc = ipr_view_game_pgn(&view, req->params, &pgn, &err);
    ipr_db_return(&view.db);
    if (rc != IPR_OK) {
        ipr_buf_release(&pgn);
        return ipr_reply_error(req, &err);
    }
    return ipr_reply_buf(req, MHD_HTTP_OK, ipr_format_type(IPR_FORMAT_PGN), &pgn);
}

/* A game as JSON, as a page or as PGN. */
enum MHD_Result ipr_http_game(struct ipr_req *req)
{
    return req->format == IPR_FORMAT_PGN ? reply_pgn(req) : ipr_http_resource(req);
}
