#ifndef IPR_RESOURCE_READING_H
#define IPR_RESOURCE_READING_H

#include "resource/read.h"

/* Between the parts of the reader. */

#define IPR_PARAM_GOT_MAX      40 /* bytes of a value that a refusal shows */
#define IPR_PARAM_ANOTHER_TYPE "(another type)"
#define IPR_CURSOR_EXPECTED                                                                        \
    "a cursor: the member next of an answer with the same list, order and filters"

/** What is being read, and its destination. */
struct ipr_reading {
    const struct ipr_resource *resource;
    const struct ipr_given *given;
    size_t n;
    struct ipr_arena *mem;
    unsigned char *out;
    bool partial; /* required parameters may be missing */
    struct ipr_err *err;
};

/** NULL: not given. */
const struct ipr_given *ipr_reading_find(const struct ipr_reading *r, const char *name);

/** An empty text, as in an unfilled field of a form, and null count as absent. */
bool ipr_given_is_absent(const struct ipr_given *g);

/** IPR_PARAM_ANOTHER_TYPE where it has none. */
const char *ipr_given_text(const struct ipr_reading *r, const struct ipr_param_def *d,
                           const struct ipr_given *g);

/** Sets the member of a parameter; false: its type does not have this value. */
bool ipr_param_read_value(const struct ipr_reading *r, const struct ipr_param_def *d,
                          const char *text);

/** IPR_EPARSE where a parameter needs, excludes or limits another. */
IPR_CHECK enum ipr_code ipr_params_check_relations(const struct ipr_reading *r);

/** Takes off what binds cursors to the list and the other parameters. IPR_EPARSE. */
IPR_CHECK enum ipr_code ipr_cursors_unbind(const struct ipr_reading *r);

/** Bytes of a text to show, at most `most`: no character is cut. */
size_t ipr_param_clip(const char *text, size_t most);

#endif
