/* Cursors of lists. */
#include "resource/cursor.h"

#include <string.h>

#include "resource/reading.h"

enum ipr_code ipr_param_refuse_cursor(struct ipr_err *err, const char *after)
{
    return ipr_param_refuse(err, "after", after, IPR_CURSOR_EXPECTED);
}

/* Checks that a cursor belongs to the list and the other parameters, and removes their hash from
 * it.
 */
static enum ipr_code cursor_unbind(const struct ipr_reading *r, const struct ipr_param_def *d)
{
    const char *const given = *(const char **)(r->out + d->at), *inner;

    if (given == NULL)
        return IPR_OK;
    const char *bound = ipr_cursor_bind(r->resource, r->out, "", r->mem);
    if (strncmp(given, bound, strlen(bound)) != 0)
        return ipr_param_refuse_cursor(r->err, given);
    inner = given + strlen(bound);
    memcpy(r->out + d->at, &inner, sizeof inner);
    return IPR_OK;
}

enum ipr_code ipr_cursors_unbind(const struct ipr_reading *r)
{
    enum ipr_code rc = IPR_OK;

    for (const struct ipr_param_def *d = r->resource->params; rc == IPR_OK && d->name != NULL; d++)
        if (d->type == IPR_PARAM_CURSOR)
            rc = cursor_unbind(r, d);
    return rc;
}

enum ipr_code ipr_param_cursor(const char *after, int64_t max, int64_t *out, struct ipr_err *err)
{
    *out = 0;
    if (after == NULL || ipr_str_int(ipr_str_c(after), 0, max, out))
        return IPR_OK;
    return ipr_param_refuse_cursor(err, after);
}

enum ipr_code ipr_param_cursor_pair(const char *after, int64_t max, int64_t *first, int32_t *id,
                                    struct ipr_err *err)
{
    const char *dash = after != NULL ? strchr(after, '-') : NULL;
    int64_t n;

    *first = -1;
    *id = 0;
    if (after == NULL)
        return IPR_OK;
    if (dash == NULL ||
        !ipr_str_int((struct ipr_str){ after, (size_t)(dash - after) }, 0, max, first) ||
        !ipr_str_int(ipr_str_c(dash + 1), 1, INT32_MAX, &n))
        return ipr_param_refuse_cursor(err, after);
    *id = (int32_t)n;
    return IPR_OK;
}
