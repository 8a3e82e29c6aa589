#ifndef IPR_RESOURCE_READ_H
#define IPR_RESOURCE_READ_H

#include "resource/resource.h"

/*
 * The only reader of parameters. For every invalid one it returns IPR_EPARSE "bad_parameter" with
 * the message "NAME: expected WHAT, got "VALUE"", or "… got nothing".
 */

/** A parameter as received: a text, or a member of a JSON body. */
struct ipr_given {
    const char *name;
    const char *text;   /* NULL: the value is json */
    const json_t *json; /* borrowed */
    enum ipr_given_place {
        IPR_GIVEN_PATH,
        IPR_GIVEN_QUERY,
        IPR_GIVEN_PAGE, /* query of a page */
        IPR_GIVEN_BODY,
    } place;
};

/** IPR_EPARSE "unknown_parameter", also for one in the address that belongs in the body or the
 * reverse, or "bad_parameter" for one that is given twice. */
IPR_CHECK enum ipr_code ipr_params_check(const struct ipr_resource *r,
                                         const struct ipr_given *given, size_t n,
                                         struct ipr_err *err);

/** Fills the struct of the resource (resources.h), in mem. Empty texts are absent. `partial`:
 * required parameters may be missing. IPR_EPARSE; IPR_ENOTFOUND, with its name as `param`, for an
 * impossible number in the path. */
IPR_CHECK enum ipr_code ipr_params_read(const struct ipr_resource *r, const struct ipr_given *given,
                                        size_t n, bool partial, struct ipr_arena *mem, void **out,
                                        struct ipr_err *err);

/** IPR_EPARSE "bad_parameter" for errors that the reader cannot detect. `got` NULL: the parameter
 * was absent. */
enum ipr_code ipr_param_refuse(struct ipr_err *err, const char *name, const char *got,
                               const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/** The same of a JSON value, or of a part of one: `name` is then a path, "matches[2].year". */
enum ipr_code ipr_param_refuse_json(struct ipr_err *err, const char *name, const json_t *got,
                                    const char *expected);

/** Describes the values of a parameter: "a whole number from 1 to 500". */
void ipr_param_expected(const struct ipr_param_def *d, struct ipr_buf *out);

#endif
