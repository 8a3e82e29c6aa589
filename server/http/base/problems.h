#ifndef IPR_HTTP_PROBLEMS_H
#define IPR_HTTP_PROBLEMS_H

#include <stddef.h>

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

#endif
