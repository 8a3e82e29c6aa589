#include "http/base/problems.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/log.h"
#include "db/db.h"

static const struct ipr_problem_type types[] = {
#include "problem_types.h"
};

const struct ipr_problem_type *ipr_problem_find(const char *type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].type, type) == 0)
            return &types[i];
    return NULL;
}

const struct ipr_problem_type *ipr_problem_at(size_t i)
{
    return i < sizeof types / sizeof *types ? &types[i] : NULL;
}

struct ipr_problem ipr_problem_make(const char *type, const char *fmt, ...)
{
    const struct ipr_problem_type *known = ipr_problem_find(type);
    struct ipr_problem p = { .ply = -1 };
    va_list ap;

    if (known == NULL) { /* tests/lint/problems.sh finds it first */
        ipr_log(IPR_LOG_ERROR, "problem_unlisted", "type=%s", type);
        return ipr_problem_make("internal_error", "The service failed; its log has the cause.");
    }
    p.status = known->status;
    snprintf(p.type, sizeof p.type, "%s", known->type);
    va_start(ap, fmt);
    vsnprintf(p.detail, sizeof p.detail, fmt, ap);
    va_end(ap);
    return p;
}

/* Type of an error without one; NULL: the client does not get the cause. */
static const char *error_general_type(enum ipr_code code)
{
    switch (code) {
    case IPR_EPARSE:
        return "bad_request";
    case IPR_ENOTFOUND:
        return "not_found";
    case IPR_ECONFLICT:
        return "conflict";
    case IPR_EDATA:
        return "too_little_data";
    case IPR_ENOCONV:
        return "no_convergence";
    case IPR_ELIMIT:
        return "limit_passed";
    case IPR_ERETRY:
        return "try_again";
    case IPR_EDENIED:
        return "denied";
    case IPR_OK:
    case IPR_EINVAL:
    case IPR_EIO:
    case IPR_EDB:
        break;
    }
    return NULL;
}

/* The address of the database and the messages of libpq are for the log. */
static const char *error_detail(const struct ipr_err *err)
{
    if (err->code != IPR_ERETRY)
        return err->msg;
    if (strcmp(err->type, IPR_DB_AWAY) == 0)
        return "The database of this service is unavailable. Retry later.";
    if (strcmp(err->type, IPR_DB_READ_ONLY) == 0)
        return "The database of this service takes no writes at present. Retry later.";
    if (strcmp(err->type, IPR_STORAGE_FULL) == 0)
        return "The service has no room left to store it. Retry later.";
    return err->type[0] != '\0' ? err->msg : "The service is unavailable. Retry later.";
}

struct ipr_problem ipr_problem_of(const struct ipr_err *err)
{
    const char *general = error_general_type(err->code);

    if (general == NULL)
        return ipr_problem_make("internal_error", "The service failed; its log has the cause.");
    struct ipr_problem p =
        ipr_problem_make(err->type[0] != '\0' ? err->type : general, "%s", error_detail(err));
    if (p.status < 500) {
        p.line = err->line;
        p.column = err->column;
        p.ply = err->ply;
        p.nth = err->nth;
        p.reason = err->reason;
        snprintf(p.param, sizeof p.param, "%s", err->param);
    }
    return p;
}

struct ipr_problem ipr_problem_log(const struct ipr_err *err)
{
    const struct ipr_problem p = ipr_problem_of(err);

    ipr_log(p.status >= 500 ? IPR_LOG_ERROR : IPR_LOG_DEBUG, "request_failed",
            "code=%s type=%s msg=\"%s\"", ipr_code_name(err->code), p.type, ipr_log_text(err->msg));
    return p;
}
