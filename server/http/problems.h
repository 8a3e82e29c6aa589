#ifndef IPR_HTTP_PROBLEMS_H
#define IPR_HTTP_PROBLEMS_H

#include <stddef.h>

/* What a problem document can be about: every type of an error that reaches a client, once. The
 * address /problems/{type} tells it. */
struct ipr_problem_type {
    const char *type; /* as ipr_err_at has it */
    unsigned status;  /* of HTTP */
    const char *title, *meaning, *remedy;
};

/** NULL: there is no such type. */
const struct ipr_problem_type *ipr_problem_find(const char *type);
/** The types in the order of their status, from 0 on; NULL behind the last. */
const struct ipr_problem_type *ipr_problem_at(size_t i);

#endif
