/* The reader of parameters. */
#include <stdio.h>
#include <string.h>

#include "resource/reading.h"

static enum ipr_code param_refuse_value(const struct ipr_reading *r, const struct ipr_param_def *d,
                                        const char *text)
{
    struct ipr_buf expected = IPR_BUF_INIT;

    ipr_param_expected(d, &expected);
    const enum ipr_code rc = ipr_param_refuse(r->err, d->name, text, "%s", ipr_buf_c(&expected));
    ipr_buf_release(&expected);
    return rc;
}

/* A page takes a name and a year for a player-year, and looks them up itself. */
static bool side_take_typed(const struct ipr_reading *r, const struct ipr_param_def *d,
                            const struct ipr_given *g, const char *text)
{
    const struct ipr_param_side side = { .typed = text };

    if (d->type != IPR_PARAM_SIDE || g->place != IPR_GIVEN_PAGE ||
        strlen(text) > IPR_PARAM_TYPED_MAX)
        return false;
    memcpy(r->out + d->at, &side, sizeof side);
    return true;
}

static enum ipr_code param_read_one(const struct ipr_reading *r, const struct ipr_param_def *d,
                                    const struct ipr_given *g)
{
    if (ipr_given_is_absent(g))
        return d->required && !r->partial ? param_refuse_value(r, d, NULL) : IPR_OK;
    if (g->text == NULL && d->type == IPR_PARAM_JSON) {
        memcpy(r->out + d->at, &g->json, sizeof g->json);
        return IPR_OK;
    }
    const char *text = ipr_given_text(r, d, g);
    if (strcmp(text, IPR_PARAM_ANOTHER_TYPE) == 0)
        return param_refuse_value(r, d, text);
    if (ipr_param_read_value(r, d, text) || side_take_typed(r, d, g, text))
        return IPR_OK;
    if (g->place == IPR_GIVEN_PATH && d->type == IPR_PARAM_INT) {
        const enum ipr_code rc = ipr_err_set(r->err, IPR_ENOTFOUND, "not found");

        if (r->err != NULL)
            snprintf(r->err->param, sizeof r->err->param, "%s", d->name);
        return rc;
    }
    return param_refuse_value(r, d, text);
}

static enum ipr_code param_read(const struct ipr_reading *r, const struct ipr_param_def *d)
{
    enum ipr_code rc = IPR_OK;
    uint32_t nth = 0;

    if (d->type != IPR_PARAM_TEXTS && d->type != IPR_PARAM_INTS)
        return param_read_one(r, d, ipr_reading_find(r, d->name));
    for (size_t i = 0; rc == IPR_OK && i < r->n; i++) {
        if (strcmp(r->given[i].name, d->name) != 0)
            continue;
        rc = param_read_one(r, d, &r->given[i]);
        if (rc != IPR_OK && r->err != NULL)
            r->err->nth = nth;
        nth += !ipr_given_is_absent(&r->given[i]);
    }
    return rc;
}

enum ipr_code ipr_params_read(const struct ipr_resource *resource, const struct ipr_given *given,
                              size_t n, bool partial, struct ipr_arena *mem, void **out,
                              struct ipr_err *err)
{
    unsigned char *const params = ipr_arena_alloc(mem, 1, resource->size);
    const struct ipr_reading r = { resource, given, n, mem, params, partial, err };
    enum ipr_code rc = IPR_OK;

    memcpy(r.out, resource->init, resource->size);
    for (const struct ipr_param_def *d = resource->params; rc == IPR_OK && d->name != NULL; d++)
        rc = param_read(&r, d);
    if (rc == IPR_OK)
        rc = ipr_params_check_relations(&r);
    if (rc == IPR_OK)
        rc = ipr_cursors_unbind(&r);
    if (rc == IPR_OK)
        *out = r.out;
    return rc;
}
