/* One game, as JSON, page and PGN. */
#include <stdlib.h>
#include <string.h>

#include "http/reply.h"
#include "http/routes.h"

#define PGN_SUFFIX ".pgn"
#define PGN_TYPE   "application/x-chess-pgn"

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
    const size_t n = pgn.n;
    return ipr_reply_take(req, MHD_HTTP_OK, PGN_TYPE "; charset=utf-8", ipr_buf_steal(&pgn), n);
}

/* Takes the suffix off the id. */
static bool asks_by_suffix(struct ipr_req *req)
{
    const size_t n = strlen(req->ids[0]), suffix = strlen(PGN_SUFFIX);

    if (n <= suffix || strcmp(req->ids[0] + n - suffix, PGN_SUFFIX) != 0)
        return false;
    req->given[0].text = req->ids[0] = ipr_arena_strndup(&req->mem, req->ids[0], n - suffix);
    return true;
}

static bool asks_by_accept(const struct ipr_req *req)
{
    const char *const accept = ipr_req_header(req, "Accept");

    return accept != NULL && (strstr(accept, PGN_TYPE) != NULL ||
                              strstr(accept, "application/vnd.chess-pgn") != NULL);
}

enum MHD_Result ipr_http_game(struct ipr_req *req)
{
    const bool pgn = req->route->page == NULL && (asks_by_suffix(req) || asks_by_accept(req));
    struct ipr_err err = IPR_ERR_INIT;

    if (ipr_req_params(req, &err) != IPR_OK)
        return ipr_reply_error(req, &err);
    return pgn ? reply_pgn(req) : ipr_http_resource(req);
}
