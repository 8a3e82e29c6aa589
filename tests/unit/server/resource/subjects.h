#ifndef IPR_TEST_RESOURCE_SUBJECTS_H
#define IPR_TEST_RESOURCE_SUBJECTS_H

/* Each parameter of each resource as the subject of a test, from the table of resources. */

#include <stdlib.h>
#include <string.h>

#include "ipr_test.h"
#include "resource/read.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static struct ipr_arena mem;

static inline int release(void **state)
{
    (void)state;
    ipr_arena_release(&mem);
    return 0;
}

/* One parameter of one resource. */
struct subject {
    const struct ipr_resource *r;
    const struct ipr_param_def *d;
};

static inline void each_param(void (*f)(struct subject s))
{
    size_t n = 0;

    for (int id = 0; id < IPR_RESOURCES; id++) {
        const struct ipr_resource *r = ipr_resource_at((enum ipr_resource_id)id);

        assert_ptr_equal(ipr_resource_named(r->name), r);
        for (const struct ipr_param_def *d = r->params; d->name != NULL; d++, n++) {
            assert_ptr_equal(ipr_resource_param(r, d->name), d);
            f((struct subject){ r, d });
        }
    }
    assert_true(n > 100);
}

static inline const void *member(struct subject s, const void *params)
{
    return (const unsigned char *)params + s.d->at;
}

static inline bool is_text(const struct ipr_param_def *d)
{
    return d->type == IPR_PARAM_TEXT || d->type == IPR_PARAM_CURSOR || d->type == IPR_PARAM_DATE;
}

static inline bool same_texts(const struct ipr_param_texts *a, const struct ipr_param_texts *b)
{
    bool same = a->n == b->n;

    for (size_t i = 0; same && i < a->n; i++)
        same = strcmp(a->v[i], b->v[i]) == 0;
    return same;
}

static inline bool same_value(struct subject s, const void *a, const void *b)
{
    if (s.d->type == IPR_PARAM_TEXTS)
        return same_texts(member(s, a), member(s, b));
    if (!is_text(s.d))
        return memcmp(member(s, a), member(s, b), s.d->size) == 0;
    const char *p = *(const char *const *)member(s, a), *q = *(const char *const *)member(s, b);
    return p == NULL || q == NULL ? p == q : strcmp(p, q) == 0;
}

static inline const char *number(double x)
{
    return ipr_arena_printf(&mem, "%.17g", x);
}

/* ---- values other than the default ---- */

static inline const char *last_word(const struct ipr_param_def *d)
{
    size_t n = 0;

    while (d->words[n + 1] != NULL)
        n++;
    return d->preset == NULL || strcmp(d->words[n], d->preset) != 0 ? d->words[n] : d->words[0];
}

static inline const char *value_for(const struct ipr_param_def *d)
{
    switch (d->type) {
    case IPR_PARAM_INT:
        return d->hi >= 9.2e18 ? "9223372036854775806" : number(d->hi - 1);
    case IPR_PARAM_REAL:
        return number(d->lo + (d->hi - d->lo) / 3.0);
    case IPR_PARAM_BOOL:
        return d->preset != NULL && strcmp(d->preset, "true") == 0 ? "false" : "true";
    case IPR_PARAM_CHOICE:
    case IPR_PARAM_SET:
        return last_word(d);
    case IPR_PARAM_TIMES:
        return "rapid,blitz";
    case IPR_PARAM_TEXT:
    case IPR_PARAM_TEXTS:
    case IPR_PARAM_CURSOR:
        return "é &+%/=?";
    case IPR_PARAM_DATE:
        return "1972-07";
    case IPR_PARAM_SIDE:
        return "12:1971";
    case IPR_PARAM_INTS:
        return "1,20,300";
    case IPR_PARAM_JSON:
        break;
    }
    return NULL;
}

/* The first method of those that a parameter is for. */
static inline const char *method_for(const struct ipr_param_def *d)
{
    return ipr_arena_strndup(&mem, d->of, strcspn(d->of, ","));
}

/* What a refusal shows of value_for, or of the JSON value true in its place. */
static inline const char *shown_for(const struct ipr_param_def *d)
{
    const char *text = value_for(d);

    return text != NULL ? text : "true";
}

/* The message that refuses two parameters of a resource; "" if they are accepted. A NULL text: the
 * JSON value true. */
static inline const char *refusal_of(const struct ipr_resource *r, const char *a,
                                     const char *a_text, const char *b, const char *b_text)
{
    const struct ipr_given given[] = { { .name = a, .text = a_text, .json = json_true() },
                                       { .name = b, .text = b_text, .json = json_true() } };
    struct ipr_err err = IPR_ERR_INIT;
    void *out = NULL;

    const enum ipr_code rc = ipr_params_read(r, given, b != NULL ? 2 : 1, true, &mem, &out, &err);
    assert_true(rc == IPR_OK || strcmp(err.type, "bad_parameter") == 0);
    return rc == IPR_OK ? "" : ipr_arena_strndup(&mem, err.msg, strlen(err.msg));
}

#endif
