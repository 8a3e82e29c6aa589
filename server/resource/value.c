/* Reads what was given for a parameter as text, and as a value of its type. */
#include <stdio.h>
#include <string.h>

#include "pgn/time_class.h"
#include "resource/reading.h"

#define YEAR_MAX 9999

/* ---- what was given ---- */

const struct ipr_given *ipr_reading_find(const struct ipr_reading *r, const char *name)
{
    for (size_t i = 0; i < r->n; i++)
        if (strcmp(r->given[i].name, name) == 0)
            return &r->given[i];
    return NULL;
}

/* A JSON list of whole numbers as text, separated by commas; NULL if it has other values. */
static const char *json_list_text(const struct ipr_reading *r, const json_t *list)
{
    const char *text = "";
    const json_t *v;
    size_t i;

    if (json_array_size(list) > IPR_PARAM_INTS_MAX)
        return NULL;
    json_array_foreach(list, i, v) {
        if (!json_is_integer(v))
            return NULL;
        text = ipr_arena_printf(r->mem, "%s%s%" JSON_INTEGER_FORMAT, text, i > 0 ? "," : "",
                                json_integer_value(v));
    }
    return text;
}

/* A member of a JSON body as the text that a query would have; NULL: null, or another type of
 * value. */
static const char *json_param_text(const struct ipr_reading *r, const json_t *v)
{
    switch (json_typeof(v)) {
    case JSON_STRING:
        return strlen(json_string_value(v)) == json_string_length(v) ? json_string_value(v) : NULL;
    case JSON_INTEGER:
        return ipr_arena_printf(r->mem, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
    case JSON_REAL:
        return ipr_arena_printf(r->mem, "%.17g", json_real_value(v));
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_ARRAY:
        return json_list_text(r, v);
    case JSON_NULL:
    case JSON_OBJECT:
        break;
    }
    return NULL;
}

/* Texts are read from strings only, other types from any value with the same spelling. */
static bool json_fits_param(const struct ipr_param_def *d, const json_t *v)
{
    const bool text =
        d->type == IPR_PARAM_TEXT || d->type == IPR_PARAM_TEXTS || d->type == IPR_PARAM_CURSOR;

    if (json_is_array(v))
        return d->type == IPR_PARAM_INTS;
    return json_is_string(v) || (!text && !json_is_object(v));
}

bool ipr_given_is_absent(const struct ipr_given *g)
{
    if (g == NULL || (g->text != NULL && g->text[0] == '\0'))
        return true;
    return g->text == NULL &&
           (json_is_null(g->json) || (json_is_string(g->json) && json_string_length(g->json) == 0));
}

const char *ipr_given_text(const struct ipr_reading *r, const struct ipr_param_def *d,
                           const struct ipr_given *g)
{
    if (g->text != NULL)
        return g->text;
    const char *text = json_fits_param(d, g->json) ? json_param_text(r, g->json) : NULL;
    return text != NULL ? text : IPR_PARAM_ANOTHER_TYPE;
}

/* ---- its value ---- */

static bool param_read_int(const struct ipr_reading *r, const struct ipr_param_def *d,
                           const char *text)
{
    const int64_t hi = ipr_param_whole(d->hi);
    int64_t n;

    if (!ipr_str_int(ipr_str_trim(ipr_str_c(text)), (int64_t)d->lo, hi, &n))
        return false;
    if (d->size == sizeof n)
        memcpy(r->out + d->at, &n, sizeof n);
    else
        memcpy(r->out + d->at, &(int){ (int)n }, sizeof(int));
    return true;
}

static bool param_read_real(const struct ipr_reading *r, const struct ipr_param_def *d,
                            const char *text)
{
    double x;

    if (!ipr_str_double(ipr_str_c(text), d->lo, d->hi, &x))
        return false;
    x = x == 0.0 ? 0.0 : x; /* turns -0 into 0 */
    memcpy(r->out + d->at, &x, sizeof x);
    return true;
}

static int choice_index(const struct ipr_param_def *d, struct ipr_str word)
{
    for (int i = 0; d->words[i] != NULL; i++)
        if (ipr_str_is(word, d->words[i]))
            return i;
    return -1;
}

static bool param_read_choice(const struct ipr_reading *r, const struct ipr_param_def *d,
                              const char *text)
{
    const int at = choice_index(d, ipr_str_c(text));

    memcpy(r->out + d->at, &at, sizeof at);
    return at >= 0;
}

static bool param_read_bool(const struct ipr_reading *r, const struct ipr_param_def *d,
                            const char *text)
{
    const bool yes = strcmp(text, "true") == 0;

    memcpy(r->out + d->at, &yes, sizeof yes);
    return yes || strcmp(text, "false") == 0;
}

/* A list of words separated by commas, as a set of bits. */
static bool param_read_set(const struct ipr_reading *r, const struct ipr_param_def *d,
                           const char *text)
{
    unsigned set = 0;

    for (const char *p = text; p != NULL;) {
        const struct ipr_str word = { p, strcspn(p, ",") };
        const int at = choice_index(d, word);

        if (at < 0)
            return false;
        set |= 1u << at;
        p = p[word.n] != '\0' ? p + word.n + 1 : NULL;
    }
    memcpy(r->out + d->at, &set, sizeof set);
    return true;
}

static bool param_read_times(const struct ipr_reading *r, const struct ipr_param_def *d,
                             const char *text)
{
    unsigned set;

    if (ipr_time_set_read(text, &set) != NULL)
        return false;
    memcpy(r->out + d->at, &set, sizeof set);
    return true;
}

/* Adds some to the list. */
static bool param_read_ints(const struct ipr_reading *r, const struct ipr_param_def *d,
                            const char *text)
{
    struct ipr_param_ints list;

    memcpy(&list, r->out + d->at, sizeof list);
    for (const char *p = text; p != NULL;) {
        const struct ipr_str one = { p, strcspn(p, ",") };

        if (list.n == IPR_PARAM_INTS_MAX ||
            !ipr_str_int(one, (int64_t)d->lo, ipr_param_whole(d->hi), &list.v[list.n++]))
            return false;
        p = p[one.n] != '\0' ? p + one.n + 1 : NULL;
    }
    memcpy(r->out + d->at, &list, sizeof list);
    return true;
}

/* "12:1971"; in a form the year is a separate field, NAME_year. */
static bool param_read_side(const struct ipr_reading *r, const struct ipr_param_def *d,
                            const char *text)
{
    char name[40];
    const char *colon = strchr(text, ':');
    const struct ipr_str id = { text, colon != NULL ? (size_t)(colon - text) : strlen(text) };
    int64_t player, year;

    snprintf(name, sizeof name, "%s_year", d->name);
    const struct ipr_given *apart = ipr_reading_find(r, name);
    const char *year_text = apart != NULL ? apart->text : NULL;
    if (colon != NULL)
        year_text = colon + 1;
    if (!ipr_str_int(id, 1, INT32_MAX, &player) || year_text == NULL ||
        !ipr_str_int(ipr_str_c(year_text), 1, YEAR_MAX, &year))
        return false;
    const struct ipr_param_side side = { .player = (int)player, .year = (int)year };
    memcpy(r->out + d->at, &side, sizeof side);
    return true;
}

static bool param_read_text(const struct ipr_reading *r, const struct ipr_param_def *d,
                            const char *text)
{
    memcpy(r->out + d->at, &text, sizeof(const char *));
    if (d->type == IPR_PARAM_DATE)
        return ipr_date_is(text);
    return d->type == IPR_PARAM_CURSOR || strlen(text) <= (size_t)d->hi;
}

/* Adds one to the list. */
static bool param_read_texts(const struct ipr_reading *r, const struct ipr_param_def *d,
                             const char *text)
{
    struct ipr_param_texts list;

    memcpy(&list, r->out + d->at, sizeof list);
    if (list.n == IPR_PARAM_TEXTS_MAX || strlen(text) > (size_t)d->hi)
        return false;
    list.v[list.n++] = text;
    memcpy(r->out + d->at, &list, sizeof list);
    return true;
}

/* For a type whose value is JSON: it can only be given in a body. */
static bool param_no_value(const struct ipr_reading *r, const struct ipr_param_def *d,
                           const char *text)
{
    (void)r, (void)d, (void)text;
    return false;
}

bool ipr_param_read_value(const struct ipr_reading *r, const struct ipr_param_def *d,
                          const char *text)
{
    static bool (*const readers[])(const struct ipr_reading *, const struct ipr_param_def *,
                                   const char *) = {
        [IPR_PARAM_INT] = param_read_int,   [IPR_PARAM_REAL] = param_read_real,
        [IPR_PARAM_BOOL] = param_read_bool, [IPR_PARAM_CHOICE] = param_read_choice,
        [IPR_PARAM_SET] = param_read_set,   [IPR_PARAM_TIMES] = param_read_times,
        [IPR_PARAM_TEXT] = param_read_text, [IPR_PARAM_CURSOR] = param_read_text,
        [IPR_PARAM_SIDE] = param_read_side, [IPR_PARAM_INTS] = param_read_ints,
        [IPR_PARAM_JSON] = param_no_value,  [IPR_PARAM_TEXTS] = param_read_texts,
        [IPR_PARAM_DATE] = param_read_text,
    };

    return readers[d->type](r, d, text);
}
