#include "tmpl/csv.h"

#include <stdbool.h>
#include <string.h>

#include "tmpl/number.h"

static void csv_quote(const char *text, struct ipr_buf *out)
{
    ipr_buf_putc(out, '"');
    for (; *text != '\0'; text++)
        ipr_buf_printf(out, *text == '"' ? "\"\"" : "%c", *text);
    ipr_buf_putc(out, '"');
}

void ipr_csv_cell(const json_t *value, struct ipr_buf *out)
{
    struct ipr_buf text = IPR_BUF_INIT;

    if (value == NULL || json_is_null(value))
        return;
    const char *const s = json_string_value(value);
    const bool formula = s != NULL && strlen(s) > 1 && strchr("=+-@\t\r\n", s[0]) != NULL;
    if (s != NULL)
        ipr_buf_printf(&text, "%s%s", formula ? "'" : "", s);
    else
        ipr_json_write(value, &text);
    if (strpbrk(ipr_buf_c(&text), ",\"\r\n") == NULL)
        ipr_buf_puts(out, ipr_buf_c(&text));
    else
        csv_quote(ipr_buf_c(&text), out);
    ipr_buf_release(&text);
}
