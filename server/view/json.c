#include "view/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double ipr_json_round(double x)
{
    char text[40];

    snprintf(text, sizeof text, "%.10g", x);
    return strtod(text, NULL);
}

json_t *ipr_json_num(double x)
{
    json_t *n = json_real(ipr_json_round(x));
    return n != NULL ? n : json_null(); /* not finite */
}

json_t *ipr_json_interval(struct ipr_interval i)
{
    return json_pack("{s:o, s:o, s:f}", "low", ipr_json_num(i.lo), "high", ipr_json_num(i.hi),
                     "level", 0.95);
}

struct ipr_interval ipr_json_interval_of(const json_t *interval)
{
    return (struct ipr_interval){ ipr_json_at(interval, "low", NAN),
                                  ipr_json_at(interval, "high", NAN) };
}

json_t *ipr_json_interval_if(bool known, struct ipr_interval i)
{
    return known ? ipr_json_interval(i) : json_null();
}

json_t *ipr_json_text(const char *s)
{
    if (s == NULL || *s == '\0' || strcmp(s, "?") == 0)
        return json_null();
    json_t *text = json_string(s);
    return text != NULL ? text : json_null();
}

json_t *ipr_json_known(json_int_t n)
{
    return n ? json_integer(n) : json_null();
}

json_t *ipr_json_player(json_int_t id, const char *name)
{
    return json_pack("{s:I, s:s}", "id", id, "name", name);
}

const json_t *ipr_json_find(const json_t *o, const char *path)
{
    char key[64];

    while (o != NULL && *path != '\0') {
        const size_t n = strcspn(path, ".");
        if (n >= sizeof key)
            return NULL;
        memcpy(key, path, n);
        key[n] = '\0';
        o = json_object_get(o, key);
        path += n + (path[n] == '.');
    }
    return o;
}

double ipr_json_at(const json_t *o, const char *path, double fallback)
{
    const json_t *found = ipr_json_find(o, path);
    return json_is_number(found) ? json_number_value(found) : fallback;
}

const char *ipr_json_text_at(const json_t *o, const char *path)
{
    const json_t *found = ipr_json_find(o, path);
    return json_is_string(found) ? json_string_value(found) : "";
}

bool ipr_json_true_at(const json_t *o, const char *path)
{
    return json_is_true(ipr_json_find(o, path));
}

json_t *ipr_json_first(const json_t *list, const char *member, const char *text)
{
    json_t *one;
    size_t i;

    json_array_foreach(list, i, one)
        if (strcmp(ipr_json_text_at(one, member), text) == 0)
            return one;
    return NULL;
}

double ipr_json_sum(const json_t *list, const char *member)
{
    const json_t *one;
    double sum = 0;
    size_t i;

    json_array_foreach(list, i, one)
        sum += ipr_json_at(one, member, 0);
    return sum;
}
