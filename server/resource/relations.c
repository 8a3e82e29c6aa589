/* Checks parameters that need, exclude or limit each other. */
#include <string.h>

#include "resource/reading.h"
#include "resource/write.h"

/* A parameter with the text given for it. */
struct param_given {
    const struct ipr_param_def *def;
    const char *text;
};

static const char *params_method(const struct ipr_resource *r, const void *params)
{
    const struct ipr_param_def *d = ipr_resource_param(r, "method");
    int at;

    if (d == NULL || d->type != IPR_PARAM_CHOICE)
        return NULL;
    memcpy(&at, (const unsigned char *)params + d->at, sizeof at);
    return at >= 0 ? d->words[at] : NULL;
}

static bool param_has_value(const struct ipr_reading *r, const char *name)
{
    return !ipr_given_is_absent(ipr_reading_find(r, name));
}

static enum ipr_code relation_refuse(const struct ipr_reading *r, const struct param_given *t,
                                     const char *relation, const char *others)
{
    return ipr_param_refuse(r->err, t->def->name, t->text, "%s %s", relation, others);
}

/* True if the parameter has a value other than its default. */
static bool param_says_something(const struct ipr_reading *r, const struct ipr_param_def *d)
{
    return memcmp(r->out + d->at, (const unsigned char *)r->resource->init + d->at, d->size) != 0;
}

/* A form sends defaults, too, whatever the method. */
static enum ipr_code relation_check_method(const struct ipr_reading *r, const struct param_given *t)
{
    if (ipr_param_of_method(t->def, params_method(r->resource, r->out)) ||
        !param_says_something(r, t->def))
        return IPR_OK;
    return relation_refuse(r, t, "only with", ipr_arena_printf(r->mem, "method=%s", t->def->of));
}

/* True if one of the names in "a,b" has a value. */
static bool param_any_has_value(const struct ipr_reading *r, const char *names)
{
    for (const struct ipr_param_def *d = r->resource->params; d->name != NULL; d++)
        if (ipr_name_is_listed(names, d->name) && param_has_value(r, d->name))
            return true;
    return false;
}

static double param_number(const struct ipr_reading *r, const char *name)
{
    const struct ipr_param_def *d = ipr_resource_param(r->resource, name);
    double x = 0.0;

    if (d->type != IPR_PARAM_REAL)
        return (double)ipr_params_id(r->resource, r->out, name);
    memcpy(&x, r->out + d->at, sizeof x);
    return x;
}

static enum ipr_code relation_check_order(const struct ipr_reading *r, const struct param_given *t)
{
    const char *const upto = t->def->upto;

    if (!param_has_value(r, upto))
        return IPR_OK;
    const char *const most =
        ipr_given_text(r, ipr_resource_param(r->resource, upto), ipr_reading_find(r, upto));
    /* A day is not after its own month. */
    const size_t n = strlen(most) < strlen(t->text) ? strlen(most) : strlen(t->text);
    const bool above = t->def->type == IPR_PARAM_DATE
                           ? strncmp(t->text, most, n) > 0
                           : param_number(r, t->def->name) > param_number(r, upto);

    return above ? relation_refuse(r, t, "at most",
                                   ipr_arena_printf(r->mem, "%s, the value of %s", most, upto))
                 : IPR_OK;
}

static enum ipr_code relation_check_others(const struct ipr_reading *r, const struct param_given *t)
{
    const struct ipr_param_def *d = t->def;
    enum ipr_code rc = relation_check_method(r, t);

    if (rc == IPR_OK && d->with != NULL && param_says_something(r, d) &&
        !param_has_value(r, d->with))
        rc = relation_refuse(r, t, "only with", d->with);
    if (rc == IPR_OK && d->without != NULL && param_says_something(r, d) &&
        param_any_has_value(r, d->without))
        rc = relation_refuse(r, t, "only without", d->without);
    if (rc == IPR_OK && d->upto != NULL)
        rc = relation_check_order(r, t);
    return rc;
}

enum ipr_code ipr_params_check_relations(const struct ipr_reading *r)
{
    enum ipr_code rc = IPR_OK;

    for (const struct ipr_param_def *d = r->resource->params; rc == IPR_OK && d->name != NULL;
         d++) {
        const struct ipr_given *g = ipr_reading_find(r, d->name);

        if (!ipr_given_is_absent(g))
            rc = relation_check_others(r, &(struct param_given){ d, ipr_given_text(r, d, g) });
    }
    return rc;
}
