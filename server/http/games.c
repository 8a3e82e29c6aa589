/* One game, as JSON, page and PGN. */
#include <stdlib.h>
#include <string.h>

#include "http/reply.h"
#include "http/routes.h"

#define PGN_SUFFIX ".pgn"
#define PGN_TYPE   "application/x-chess-pgn"

enum ipr_code ipr_res_game(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                           struct ipr_err *err)
{
    int64_t id;
    enum ipr_code rc = ipr_req_id(req, 0, INT64_MAX, &id, err);

    if (rc == IPR_OK)
        rc = ipr_view_game(view, id, ipr_req_param(req, "judge"), out, err);
    return rc;
}

/* "evals=true" */
static enum ipr_code read_evals(const struct ipr_req *req, bool *out, struct ipr_err *err)
{
    const char *const text = ipr_req_param(req, "evals");

    *out = text != NULL && strcmp(text, "true") == 0;
    if (text == NULL || *out || strcmp(text, "false") == 0)
        return IPR_OK;
    return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "evals: true or false");
}

static enum ipr_code read_form(const struct ipr_req *req, enum ipr_pgn_form *out,
                               struct ipr_err *err)
{
    static const char *const names[] = {
        [IPR_PGN_PLAIN] = "plain", [IPR_PGN_NOTES] = "notes", [IPR_PGN_ALLIOT] = "alliot"
    };
    const char *const text = ipr_req_param(req, "form");

    *out = IPR_PGN_NOTES;
    if (text == NULL)
        return IPR_OK;
    for (enum ipr_pgn_form f = IPR_PGN_PLAIN; f <= IPR_PGN_ALLIOT; f++)
        if (strcmp(text, names[f]) == 0) {
            *out = f;
            return IPR_OK;
        }
    return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "form: plain, notes or alliot");
}

static enum ipr_code fetch_pgn(const struct ipr_req *req, const struct ipr_view *view,
                               struct ipr_buf *out, struct ipr_err *err)
{
    enum ipr_pgn_form form;
    bool evals;
    int64_t id;
    enum ipr_code rc = ipr_req_id(req, 0, INT64_MAX, &id, err);

    if (rc == IPR_OK)
        rc = read_form(req, &form, err);
    if (rc == IPR_OK)
        rc = read_evals(req, &evals, err);
    if (rc == IPR_OK && evals && form != IPR_PGN_NOTES)
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                          "evals: only the form notes has them");
    if (rc == IPR_OK)
        rc = ipr_view_game_pgn(view, id, form, evals, ipr_req_param(req, "judge"), out, err);
    return rc;
}

static enum MHD_Result reply_pgn(struct ipr_req *req)
{
    struct ipr_view view = { .config = req->http->o.config, .mem = &req->mem };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf pgn = IPR_BUF_INIT;
    enum ipr_code rc = ipr_req_lease(req, &view.db, &err);

    if (rc == IPR_OK)
        rc = fetch_pgn(req, &view, &pgn, &err);
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
    req->ids[0] = ipr_arena_strndup(&req->mem, req->ids[0], n - suffix);
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
    if (asks_by_suffix(req) || asks_by_accept(req))
        return reply_pgn(req);
    return ipr_http_resource(req);
}
