#ifndef IPR_BASE_ERROR_H
#define IPR_BASE_ERROR_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define IPR_CHECK __attribute__((warn_unused_result))

/** Kinds of failure, coarse enough to act on. http/base/reply.c maps each code to one HTTP status.
 */
enum ipr_code {
    IPR_OK = 0,
    IPR_EINVAL,    /* a contract broken by our own code */
    IPR_EPARSE,    /* something a client or a file sent is malformed */
    IPR_ENOTFOUND, /* no such thing */
    IPR_ECONFLICT, /* it exists already, or its state does not allow the call */
    IPR_EDATA,     /* too little or unsuitable data for the result requested */
    IPR_ENOCONV,   /* an iteration did not converge */
    IPR_ELIMIT,    /* a configured limit was passed */
    IPR_ERETRY,    /* a transient failure; the same call may succeed */
    IPR_EIO,       /* files, pipes, processes */
    IPR_EDB,       /* the database */
    IPR_EDENIED    /* the caller may not do this */
};

#define IPR_ERR_TEXT 240

/**
 * Detail of a failure, owned by the caller. The first error wins: set it where the cause is
 * known and pass it up untouched. Functions accept NULL when the detail is not needed.
 */
struct ipr_err {
    enum ipr_code code;
    uint32_t line;   /* 1-based line in the input, 0 when not about a text */
    uint32_t column; /* 1-based byte column, 0 when unknown */
    int32_t ply;     /* half-moves played before the offending one, -1 when not about a game */
    char type[32];   /* stable snake_case kind, e.g. "illegal_move"; "" when the code says enough */
    char param[32];  /* the refused parameter of a request; "" when not about one */
    uint32_t nth;    /* of several values of that parameter, from 0 */
    uint32_t reason; /* where in msg the reason begins, behind the parameter's name */
    char msg[IPR_ERR_TEXT];
};

#define IPR_ERR_INIT                                                                               \
    {                                                                                              \
        .code = IPR_OK, .ply = -1                                                                  \
    }

/** Sets code and message unless an error is already there; returns `code` for `return`. */
enum ipr_code ipr_err_set(struct ipr_err *err, enum ipr_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/** The same with a stable type and a place in a text; ply -1 when none. */
enum ipr_code ipr_err_at(struct ipr_err *err, enum ipr_code code, const char *type, uint32_t line,
                         uint32_t column, int32_t ply, const char *fmt, ...)
    __attribute__((format(printf, 7, 8)));

/** The same without a place. */
#define ipr_err_type(err, code, type, ...) ipr_err_at(err, code, type, 0, 0, -1, __VA_ARGS__)

/** IPR_EPARSE "bad_parameter" of the request's parameter `param`. The reason begins at byte
 * `reason` of the message, behind the parameter's name; 0: the message has no name before it. */
enum ipr_code ipr_err_param(struct ipr_err *err, const char *param, size_t reason, const char *fmt,
                            ...) __attribute__((format(printf, 4, 5)));

/** Passes an error on, unless one is already there; returns its code. */
enum ipr_code ipr_err_pass(struct ipr_err *err, const struct ipr_err *cause);

void ipr_err_clear(struct ipr_err *err);

/** "EPARSE" and so on, for logs. Never NULL. */
const char *ipr_code_name(enum ipr_code code);

#endif
