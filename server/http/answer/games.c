/* One game, as JSON, page and PGN. */
#include <stdlib.h>
#include <string.h>

#include "http/answer/reading.h"
#include "http/base/format.h"
#include "http/base/reply.h"
#include "http/base/routes.h"

struct game_pgn {
    struct ipr_req *req;
    struct ipr_buf text;
};

/* An ipr_reading_fn. */
static enum ipr_code write_pgn(struct ipr_db *db, struct ipr_db_pool *keep, void *arg,
                               struct ipr_err *err)
{
    struct game_pgn *g = arg;
    const struct ipr_view view = {
        .config = g->req->http->o.config, .db = db, .keep = keep, .mem = &g->req->mem
    };

    ipr_buf_reset(&g->text);
    return ipr_view_game_pgn(&view, g->req->params, &g->text, err);
}

static enum MHD_Result reply_pgn(struct ipr_req *req)
{
    struct game_pgn g = { req, IPR_BUF_INIT };
    struct ipr_err err = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_reading_do(req, write_pgn, &g, &err);

    if (rc != IPR_OK) {
        ipr_buf_release(&g.text);
        return ipr_reply_error(req, &err);
    }
    return ipr_reply_buf(req, MHD_HTTP_OK, ipr_format_type(IPR_FORMAT_PGN), &g.text);
}

/* A game as JSON, as a page or as PGN. */
enum MHD_Result ipr_http_game(struct ipr_req *req)
{
    return req->format == IPR_FORMAT_PGN ? reply_pgn(req) : ipr_http_resource(req);
}
