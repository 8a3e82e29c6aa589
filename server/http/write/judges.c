/* Engine settings. */
#include <string.h>

#include "core/judge_json.h"
#include "core/log.h"
#include "db/judges.h"
#include "db/workers.h"
#include "engine/programs.h"
#include "http/base/reply.h"
#include "http/base/routes.h"

/* Judges are also found by id (?judge=3): a name must not look like one. */
static enum ipr_code check_judge_name(const struct ipr_judge *judge, struct ipr_err *err)
{
    if (strspn(judge->name, "0123456789") < strlen(judge->name))
        return IPR_OK;
    return ipr_err_type(err, IPR_EPARSE, "bad_judge",
                        "name: expected a name that is not an id, got \"%s\"", judge->name);
}

/* Programs of workers on other machines are trusted as reported. */
static enum ipr_code worker_has(struct ipr_req *req, struct ipr_db *db, const char *program,
                                bool *out, struct ipr_err *err)
{
    struct ipr_db_worker *rows = NULL;
    struct ipr_str word;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_workers(db, &req->mem, &rows, &n, err);
    *out = false;
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        for (struct ipr_str rest = ipr_str_c(rows[i].engines); ipr_str_word(&rest, &word);)
            *out |= ipr_str_is(word, program);
    return rc;
}

/* Only operators choose programs: one in the configuration of this service, or one that a worker
 * has. */
static enum ipr_code check_program(struct ipr_req *req, struct ipr_db *db, const char *program,
                                   struct ipr_err *err)
{
    static const char *const always[] = { "stockfish", "fishnet" };
    const struct ipr_config *config = req->http->o.config;
    struct ipr_programs programs = { .n = 0 };
    struct ipr_err why = IPR_ERR_INIT;
    bool there = false;

    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (strcmp(program, always[i]) == 0)
            return IPR_OK;
    enum ipr_code rc =
        ipr_programs_read(config->stockfish_path, config->engines, &req->mem, &programs, &why);
    if (rc == IPR_OK && ipr_programs_path(&programs, program) != NULL)
        return IPR_OK;
    /* A web service alone needs no Stockfish of its own. */
    if (rc != IPR_OK && rc != IPR_EIO)
        return ipr_err_set(err, IPR_EINVAL, "%s", why.msg);
    rc = worker_has(req, db, program, &there, err);
    if (rc == IPR_OK && !there)
        rc = ipr_err_type(err, IPR_EPARSE, "bad_judge",
                          "program: expected stockfish, fishnet, an engine of INTRINSIC_ENGINES or "
                          "of a worker, got \"%.40s\"",
                          program);
    return rc;
}

static enum ipr_code judge_add(struct ipr_req *req, const json_t *body, bool *fresh, json_t **out,
                               struct ipr_err *err)
{
    struct ipr_view view = { .config = req->http->o.config, .mem = &req->mem };
    struct ipr_judge judge;

    enum ipr_code rc = ipr_definition_from_json(body, &judge, err);
    if (rc == IPR_OK)
        rc = check_judge_name(&judge, err);
    if (rc == IPR_OK)
        rc = ipr_req_lease(req, &view.db, err);
    if (rc == IPR_OK)
        rc = check_program(req, view.db, judge.program, err);
    if (rc == IPR_OK)
        rc = ipr_db_definition_add(view.db, &judge, req->writer, fresh, err);
    if (rc == IPR_OK)
        rc = ipr_view_judge(&view, &(struct ipr_judge_request){ judge.name }, out, err);
    ipr_db_return(&view.db);
    if (rc == IPR_OK && *fresh)
        ipr_log(IPR_LOG_INFO, "judge_defined", "judge=%s program=%s by=\"%s\"", judge.name,
                judge.program, ipr_log_text(req->writer));
    if (rc == IPR_OK)
        ipr_reply_header(req, "Location",
                         ipr_arena_printf(&req->mem, "/api/v1/judges/%s", judge.name));
    return rc;
}

/* POST /api/v1/judges: a definition never changes, so that a name always means the same search. */
enum MHD_Result ipr_http_judges_post(struct ipr_req *req)
{
    struct ipr_err err = IPR_ERR_INIT;
    json_t *judge = NULL;
    bool fresh = false;

    const enum ipr_code rc = judge_add(req, req->body_json, &fresh, &judge, &err);
    if (rc != IPR_OK)
        return ipr_reply_error(req, &err);
    return ipr_reply_json(req, fresh ? MHD_HTTP_CREATED : MHD_HTTP_OK, judge);
}
