#ifndef IPR_RESOURCE_READING_H
#define IPR_RESOURCE_READING_H

#include "resource/read.h"

/* Internal to the reader of parameters. */

#define IPR_PARAM_GOT_MAX      40 /* bytes of a value that a refusal shows */
#define IPR_PARAM_ANOTHER_TYPE "(another type)"
#define IPR_CURSOR_EXPECTED                                                                        \
    "a cursor: the member next of an answer with the same list, order and filters"

/** A request being read, and its destination. */
struct ipr_reading {
    const struct ipr_resource *resource;
    const struct ipr_given *given;
    size_t n;
    struct ipr_arena *mem;
    unsigned char *out;
    bool partial; /* required parameters may be missing */
    struct ipr_err *err;
};

/** The parameter of that name as received; NULL if it was not given. */
const struct ipr_given *ipr_reading_find(const struct ipr_reading *r, const char *name);

/** True if it counts as absent: an empty text, as from an empty field of a form, or null. */
bool ipr_given_is_absent(const struct ipr_given *g);

/** The value as text; IPR_PARAM_ANOTHER_TYPE for JSON that the parameter cannot be. */
const char *ipr_given_text(const struct ipr_reading *r, const struct ipr_param_def *d,
                           const struct ipr_given *g);

/** Sets the member of a parameter; false if the text is not a value of its type. */
bool ipr_param_read_value(const struct ipr_reading *r, const struct ipr_param_def *d,
                          const char *text);

/** IPR_EPARSE if a parameter lacks another that it needs, or contradicts one. */
IPR_CHECK enum ipr_code ipr_params_check_relations(const struct ipr_reading *r);

/** Checks and removes the binding of cursors (ipr_cursor_bind). IPR_EPARSE. */
IPR_CHECK enum ipr_code ipr_cursors_unbind(const struct ipr_reading *r);

/** Number of bytes of a text to show, at most `most`, without cutting a character. */
size_t ipr_param_clip(const char *text, size_t most);

#endif
