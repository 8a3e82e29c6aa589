/* Describes the values that a parameter can have, and refuses others. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pgn/time_class.h"
#include "resource/reading.h"

size_t ipr_param_clip(const char *text, size_t most)
{
    size_t n = strlen(text);

    if (n <= most)
        return n;
    for (n = most; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
        ;
    return n;
}

enum ipr_code ipr_param_refuse(struct ipr_err *err, const char *name, const char *got,
                               const char *fmt, ...)
{
    char expected[IPR_ERR_TEXT];
    va_list args;

    va_start(args, fmt);
    vsnprintf(expected, sizeof expected, fmt, args);
    va_end(args);
    const size_t reason = strlen(name) + 2;
    if (got == NULL)
        return ipr_err_param(err, name, reason, "%s: expected %s, got nothing", name, expected);
    return ipr_err_param(err, name, reason, "%s: expected %s, got \"%.*s\"", name, expected,
                         (int)ipr_param_clip(got, IPR_PARAM_GOT_MAX), got);
}

enum ipr_code ipr_param_refuse_json(struct ipr_err *err, const char *name, const json_t *got,
                                    const char *expected)
{
    char *text = got != NULL && !json_is_string(got)
                     ? json_dumps(got, JSON_COMPACT | JSON_ENCODE_ANY)
                     : NULL;
    const enum ipr_code rc = ipr_param_refuse(
        err, name, json_is_string(got) ? json_string_value(got) : text, "%s", expected);

    free(text);
    return rc;
}

static void expected_add_words(const struct ipr_param_def *d, const char *last, struct ipr_buf *out)
{
    for (size_t i = 0; d->words[i] != NULL; i++) {
        if (i > 0)
            ipr_buf_puts(out, d->words[i + 1] == NULL ? last : ", ");
        ipr_buf_puts(out, d->words[i]);
    }
}

static void expected_add_range(const struct ipr_param_def *d, const char *what, struct ipr_buf *out)
{
    ipr_buf_printf(out, "%s from %.10g", what, d->lo);
    if (d->hi < INT32_MAX)
        ipr_buf_printf(out, " to %.10g", d->hi);
}

void ipr_param_expected(const struct ipr_param_def *d, struct ipr_buf *out)
{
    switch (d->type) {
    case IPR_PARAM_INT:
        expected_add_range(d, "a whole number", out);
        break;
    case IPR_PARAM_REAL:
        expected_add_range(d, "a number", out);
        break;
    case IPR_PARAM_BOOL:
        ipr_buf_puts(out, "true or false");
        break;
    case IPR_PARAM_CHOICE:
        expected_add_words(d, " or ", out);
        break;
    case IPR_PARAM_SET:
        ipr_buf_puts(out, "a list of ");
        expected_add_words(d, ", ", out);
        break;
    case IPR_PARAM_TIMES:
        ipr_buf_puts(out, "all or a list of ");
        for (int c = 0; c < IPR_TIME_CLASSES; c++)
            ipr_buf_printf(out, "%s%s", c > 0 ? ", " : "",
                           ipr_time_class_name((enum ipr_time_class)c));
        break;
    case IPR_PARAM_TEXT:
        ipr_buf_printf(out, "a text of at most %.0f bytes", d->hi);
        break;
    case IPR_PARAM_DATE:
        ipr_buf_puts(out, "a date as 2024, 2024-05 or 2024-05-31");
        break;
    case IPR_PARAM_TEXTS:
        ipr_buf_printf(out, "up to %d texts of at most %.0f bytes each", IPR_PARAM_TEXTS_MAX,
                       d->hi);
        break;
    case IPR_PARAM_CURSOR:
        ipr_buf_puts(out, IPR_CURSOR_EXPECTED);
        break;
    case IPR_PARAM_SIDE:
        ipr_buf_puts(out, "PLAYER:YEAR, as in 12:1971 (/careers compares players at their peaks)");
        break;
    case IPR_PARAM_INTS:
        expected_add_range(d, "whole numbers", out);
        ipr_buf_puts(out, ", separated by commas");
        break;
    case IPR_PARAM_JSON:
        ipr_buf_puts(out, "a JSON value");
        break;
    }
}
