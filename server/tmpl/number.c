#include "tmpl/number.h"

#include <stdio.h>

#include "base/number.h"

static void write_string(const json_t *value, struct ipr_buf *out)
{
    const char *s = json_string_value(value);
    const size_t n = json_string_length(value);
    size_t start = 0;

    ipr_buf_putc(out, '"');
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)s[i];

        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        ipr_buf_add(out, s + start, i - start);
        start = i + 1;
        if (c == '"' || c == '\\')
            ipr_buf_printf(out, "\\%c", c);
        else if (c == '\n')
            ipr_buf_puts(out, "\\n");
        else
            ipr_buf_printf(out, "\\u%04x", c);
    }
    ipr_buf_add(out, s + start, n - start);
    ipr_buf_putc(out, '"');
}

static void write_object(const json_t *value, struct ipr_buf *out)
{
    /* jansson iterates over a const object only with a cast. */
    json_t *object = json_object_size(value) > 0 ? json_incref((json_t *)(uintptr_t)value) : NULL;
    bool first = true;

    ipr_buf_putc(out, '{');
    for (void *at = json_object_iter(object); at != NULL; at = json_object_iter_next(object, at)) {
        if (!first)
            ipr_buf_putc(out, ',');
        first = false;
        json_t *text = json_string(json_object_iter_key(at));
        write_string(text, out);
        json_decref(text);
        ipr_buf_putc(out, ':');
        ipr_json_write(json_object_iter_value(at), out);
    }
    json_decref(object);
    ipr_buf_putc(out, '}');
}

void ipr_json_write(const json_t *value, struct ipr_buf *out)
{
    char number[IPR_NUMBER_TEXT];

    if (value == NULL) {
        ipr_buf_puts(out, "null");
        return;
    }
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        write_object(value, out);
        break;
    case JSON_ARRAY:
        ipr_buf_putc(out, '[');
        for (size_t i = 0; i < json_array_size(value); i++) {
            if (i > 0)
                ipr_buf_putc(out, ',');
            ipr_json_write(json_array_get(value, i), out);
        }
        ipr_buf_putc(out, ']');
        break;
    case JSON_STRING:
        write_string(value, out);
        break;
    case JSON_INTEGER:
        ipr_buf_printf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        break;
    case JSON_REAL:
        ipr_number_real(json_real_value(value), number);
        ipr_buf_puts(out, number);
        break;
    case JSON_TRUE:
        ipr_buf_puts(out, "true");
        break;
    case JSON_FALSE:
        ipr_buf_puts(out, "false");
        break;
    case JSON_NULL:
        ipr_buf_puts(out, "null");
        break;
    }
}
