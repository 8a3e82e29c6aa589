/* Parameters of reports: read from a query, told, and written as the key they are kept by. */
#include "view/report/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/json.h"

static const struct ipr_report_param none[] = { { .name = NULL } };

const struct ipr_report_param *ipr_report_params(const struct ipr_report_kind *kind)
{
    return kind->params ? kind->params : none;
}

static json_t *fallback_of(const struct ipr_report_param *p)
{
    switch (p->type) {
    case IPR_REPORT_INT:
        return json_integer((json_int_t)p->fallback);
    case IPR_REPORT_REAL:
        return json_real(p->fallback);
    case IPR_REPORT_CHOICE:
        break;
    }
    return json_string(p->choices[0]);
}

static enum ipr_code refuse_choice(const struct ipr_report_param *p, struct ipr_err *err)
{
    char list[IPR_ERR_TEXT];
    size_t n = 0;

    for (size_t i = 0; p->choices[i] && n < sizeof list; i++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i > 0 ? ", " : "", p->choices[i]);
    return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "%s: one of %.200s", p->name,
                      list);
}

static enum ipr_code read_param(const struct ipr_report_param *p, const char *text, json_t **out,
                                struct ipr_err *err)
{
    const struct ipr_str s = ipr_str_c(text);
    int64_t whole;
    double real;

    switch (p->type) {
    case IPR_REPORT_INT:
        if (!ipr_str_int(s, (int64_t)p->low, (int64_t)p->high, &whole))
            return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                              "%s is not a whole number from %.0f to %.0f", p->name, p->low,
                              p->high);
        *out = json_integer(whole);
        return IPR_OK;
    case IPR_REPORT_REAL:
        if (!ipr_str_double(s, p->low, p->high, &real))
            return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                              "%s is not a number from %g to %g", p->name, p->low, p->high);
        *out = json_real(real == 0.0 ? 0.0 : real); /* no -0 */
        return IPR_OK;
    case IPR_REPORT_CHOICE:
        break;
    }
    for (size_t i = 0; p->choices[i]; i++)
        if (strcmp(p->choices[i], text) == 0) {
            *out = json_string(text);
            return IPR_OK;
        }
    return refuse_choice(p, err);
}

static enum ipr_code refuse_unknown(const struct ipr_report_query *q, struct ipr_err *err)
{
    const char *name;
    json_t *value;

    json_object_foreach(q->given, name, value) {
        const struct ipr_report_param *p = ipr_report_params(q->kind);

        while (p->name && strcmp(p->name, name) != 0)
            p++;
        if (!p->name && strcmp(name, "judge") != 0 && strcmp(name, "time_class") != 0)
            return ipr_err_at(err, IPR_EPARSE, "unknown_parameter", 0, 0, -1,
                              "the report %s has no parameter \"%.40s\"", q->kind->name, name);
    }
    return IPR_OK;
}

enum ipr_code ipr_report_params_read(const struct ipr_report_query *q, json_t **out,
                                     struct ipr_err *err)
{
    json_t *params = json_object();
    enum ipr_code rc = refuse_unknown(q, err);

    for (const struct ipr_report_param *p = ipr_report_params(q->kind); p->name && rc == IPR_OK;
         p++) {
        const char *text = json_string_value(json_object_get(q->given, p->name));
        json_t *value = NULL;

        if (text && *text)
            rc = read_param(p, text, &value, err);
        else
            value = fallback_of(p);
        if (rc == IPR_OK)
            json_object_set_new(params, p->name, value);
    }
    if (rc == IPR_OK)
        *out = params;
    else
        json_decref(params);
    return rc;
}

bool ipr_report_params_usual(const struct ipr_report_kind *kind, const json_t *params)
{
    for (const struct ipr_report_param *p = ipr_report_params(kind); p->name; p++) {
        json_t *fallback = fallback_of(p);
        const bool same = json_equal(json_object_get(params, p->name), fallback);

        json_decref(fallback);
        if (!same)
            return false;
    }
    return true;
}

const char *ipr_report_params_text(const json_t *params, struct ipr_arena *mem)
{
    char *text = json_dumps(params, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(12));
    const char *out = ipr_arena_strndup(mem, text, strlen(text));

    free(text);
    return out;
}

static const char *type_text(enum ipr_report_type type)
{
    return type == IPR_REPORT_INT ? "integer" : type == IPR_REPORT_REAL ? "number" : "choice";
}

static json_t *bound_json(const struct ipr_report_param *p, double bound)
{
    return p->type == IPR_REPORT_CHOICE ? json_null()
           : p->type == IPR_REPORT_INT  ? json_integer((json_int_t)bound)
                                        : ipr_json_num(bound);
}

json_t *ipr_report_param_json(const struct ipr_report_param *p)
{
    const bool number = p->type != IPR_REPORT_CHOICE;
    json_t *choices = number ? json_null() : json_array();

    for (size_t i = 0; !number && p->choices[i]; i++)
        json_array_append_new(choices, json_string(p->choices[i]));
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "name", p->name, "type", type_text(p->type),
                     "low", bound_json(p, p->low), "high", bound_json(p, p->high), "choices",
                     choices, "default", fallback_of(p));
}
