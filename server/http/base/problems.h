#ifndef IPR_HTTP_PROBLEMS_H
#define IPR_HTTP_PROBLEMS_H

#include "http/base/request.h"

/* The types of problem documents: every error type that reaches a client, once. The address
 * /problems/{type} describes it. */
struct ipr_problem_type {
    const char *type; /* as ipr_err_at has it */
    unsigned status;  /* of HTTP */
    const char *title, *meaning, *remedy;
};

/** NULL: there is no such type. */
const struct ipr_problem_type *ipr_problem_find(const char *type);
/** The types in the order of their status, from 0 on; NULL after the last. */
const struct ipr_problem_type *ipr_problem_at(size_t i);

/** The only place where errors become statuses (by server/problems.def) and internal messages are
 * withheld from clients. */
struct ipr_problem ipr_problem_of(const struct ipr_err *err);
/** The same, logged. */
struct ipr_problem ipr_problem_log(const struct ipr_err *err);

struct ipr_problem ipr_problem_make(const char *type, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
