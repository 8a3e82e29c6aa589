#ifndef IPR_RESOURCE_CURSOR_H
#define IPR_RESOURCE_CURSOR_H

#include "resource/resource.h"

/** IPR_EPARSE for a cursor that does not, or no longer, belong to this list. */
enum ipr_code ipr_param_refuse_cursor(struct ipr_err *err, const char *after);

/** The form of a cursor that clients receive. It is bound to the list, its order and its filters:
 * the reader refuses it with other ones, and removes the binding. NULL: none. */
const char *ipr_cursor_bind(const struct ipr_resource *r, const void *params, const char *next,
                            struct ipr_arena *mem);

/** A cursor that is a number; 0 if it is absent. IPR_EPARSE. */
IPR_CHECK enum ipr_code ipr_param_cursor(const char *after, int64_t max, int64_t *out,
                                         struct ipr_err *err);

/** A cursor of two numbers, "3075-4"; -1 and 0 if it is absent. IPR_EPARSE. */
IPR_CHECK enum ipr_code ipr_param_cursor_pair(const char *after, int64_t max, int64_t *first,
                                              int32_t *id, struct ipr_err *err);

#endif
