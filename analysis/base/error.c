#include "base/error.h"

#include <stdio.h>
#include <string.h>

static void err_fill(struct ipr_err *err, enum ipr_code code, const char *fmt, va_list ap)
{
    err->code = code;
    vsnprintf(err->msg, sizeof err->msg, fmt, ap);
}

enum ipr_code ipr_err_set(struct ipr_err *err, enum ipr_code code, const char *fmt, ...)
{
    va_list ap;

    if (err == NULL || err->code != IPR_OK)
        return code;
    va_start(ap, fmt);
    err_fill(err, code, fmt, ap);
    va_end(ap);
    return code;
}

enum ipr_code ipr_err_at(struct ipr_err *err, enum ipr_code code, const char *type, uint32_t line,
                         uint32_t column, int32_t ply, const char *fmt, ...)
{
    va_list ap;

    if (err == NULL || err->code != IPR_OK)
        return code;
    va_start(ap, fmt);
    err_fill(err, code, fmt, ap);
    va_end(ap);
    err->line = line;
    err->column = column;
    err->ply = ply;
    snprintf(err->type, sizeof err->type, "%s", type);
    return code;
}

enum ipr_code ipr_err_param(struct ipr_err *err, const char *param, size_t reason, const char *fmt,
                            ...)
{
    va_list ap;

    if (err == NULL || err->code != IPR_OK)
        return IPR_EPARSE;
    va_start(ap, fmt);
    err_fill(err, IPR_EPARSE, fmt, ap);
    va_end(ap);
    snprintf(err->type, sizeof err->type, "bad_parameter");
    snprintf(err->param, sizeof err->param, "%s", param);
    err->reason = (uint32_t)reason;
    return IPR_EPARSE;
}

enum ipr_code ipr_err_pass(struct ipr_err *err, const struct ipr_err *cause)
{
    if (err != NULL && err->code == IPR_OK)
        *err = *cause;
    return cause->code;
}

void ipr_err_clear(struct ipr_err *err)
{
    if (err != NULL)
        *err = (struct ipr_err)IPR_ERR_INIT;
}

const char *ipr_code_name(enum ipr_code code)
{
    switch (code) {
    case IPR_OK:
        return "OK";
    case IPR_EINVAL:
        return "EINVAL";
    case IPR_EPARSE:
        return "EPARSE";
    case IPR_ENOTFOUND:
        return "ENOTFOUND";
    case IPR_ECONFLICT:
        return "ECONFLICT";
    case IPR_EDATA:
        return "EDATA";
    case IPR_ENOCONV:
        return "ENOCONV";
    case IPR_ELIMIT:
        return "ELIMIT";
    case IPR_ERETRY:
        return "ERETRY";
    case IPR_EIO:
        return "EIO";
    case IPR_EDB:
        return "EDB";
    case IPR_EDENIED:
        return "EDENIED";
    }
    return "unknown";
}
