/* Refuses parameters that are unknown, or given twice without being a list. */
#include <string.h>

#include "resource/reading.h"

/* The field for the year of a side is known if the side is. */
static const struct ipr_param_def *param_def_of(const struct ipr_resource *r, const char *name)
{
    static const char year[] = "_year";
    const size_t n = strlen(name), suffix = sizeof year - 1;
    const struct ipr_param_def *d = ipr_resource_param(r, name);

    if (d != NULL || n <= suffix || strcmp(name + n - suffix, year) != 0)
        return d;
    for (d = r->params; d->name != NULL; d++)
        if (d->type == IPR_PARAM_SIDE && strlen(d->name) == n - suffix &&
            strncmp(d->name, name, n - suffix) == 0)
            return d;
    return NULL;
}

/* True if the resource takes the parameter in this place: a write has some in the body, others in
 * the address. */
static bool param_is_taken_at(const struct ipr_resource *r, const struct ipr_param_def *d,
                              enum ipr_given_place place)
{
    const bool body = r->flags & (IPR_FLAG_BODY | IPR_FLAG_UPLOAD | IPR_FLAG_RAW);

    if (place == IPR_GIVEN_PAGE)
        return !d->api;
    if (place == IPR_GIVEN_QUERY)
        return !body || d->query;
    return place == IPR_GIVEN_PATH || !d->query || (r->flags & IPR_FLAG_UPLOAD);
}

static bool param_is_in_path(const char *name, const struct ipr_given *given, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (given[i].place == IPR_GIVEN_PATH && strcmp(given[i].name, name) == 0)
            return true;
    return false;
}

static enum ipr_code param_refuse_unknown(const struct ipr_resource *r,
                                          const struct ipr_given *given, size_t n,
                                          const struct ipr_given *g, struct ipr_err *err)
{
    struct ipr_buf known = IPR_BUF_INIT;

    for (const struct ipr_param_def *d = r->params; d->name != NULL; d++)
        if (param_is_taken_at(r, d, g->place) && !param_is_in_path(d->name, given, n))
            ipr_buf_printf(&known, "%s%s", known.n > 0 ? ", " : "", d->name);
    const enum ipr_code rc =
        ipr_err_type(err, IPR_EPARSE, "unknown_parameter", "no parameter \"%.*s\" here%s%s",
                     (int)ipr_param_clip(g->name, 60), g->name, known.n > 0 ? "; known: " : "",
                     ipr_buf_c(&known));
    ipr_buf_release(&known);
    return rc;
}

enum ipr_code ipr_params_check(const struct ipr_resource *r, const struct ipr_given *given,
                               size_t n, struct ipr_err *err)
{
    for (size_t i = 0; i < n; i++) {
        const struct ipr_param_def *d = param_def_of(r, given[i].name);

        if (d == NULL && given[i].place == IPR_GIVEN_PAGE &&
            ipr_name_is_listed(IPR_CARRIED_PARAMS, given[i].name))
            continue; /* a page that it does not concern */
        if (d == NULL || !param_is_taken_at(r, d, given[i].place))
            return param_refuse_unknown(r, given, n, &given[i], err);
        for (size_t k = 0; k < i; k++)
            if (d->type != IPR_PARAM_TEXTS && d->type != IPR_PARAM_INTS &&
                strcmp(given[k].name, given[i].name) == 0) {
                const char *first = given[k].text != NULL ? given[k].text : IPR_PARAM_ANOTHER_TYPE;

                return ipr_param_refuse(err, given[i].name,
                                        given[i].text != NULL ? given[i].text
                                                              : IPR_PARAM_ANOTHER_TYPE,
                                        "one value, which is \"%.*s\"",
                                        (int)ipr_param_clip(first, IPR_PARAM_GOT_MAX), first);
            }
    }
    return IPR_OK;
}
