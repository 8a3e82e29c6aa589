#include "core/json_text.h"

#include <unistr.h>

/* Number of bytes at the start of `s` that need no escaping in JSON. */
static size_t json_plain(struct ipr_str s)
{
    size_t i = 0;

    while (i < s.n) {
        const unsigned char c = (unsigned char)s.p[i];

        if (c < 0x20 || c == '"' || c == '\\')
            break;
        if (c < 0x80) {
            i++;
            continue;
        }
        ucs4_t point;
        const int n = u8_mbtoucr(&point, (const uint8_t *)s.p + i, s.n - i);
        if (n <= 0)
            break;
        i += (size_t)n;
    }
    return i;
}

void ipr_json_string(struct ipr_buf *out, struct ipr_str s)
{
    ipr_buf_putc(out, '"');
    while (s.n > 0) {
        const size_t n = json_plain(s);

        ipr_buf_add(out, s.p, n);
        if (n < s.n) {
            const unsigned char c = (unsigned char)s.p[n];

            if (c >= 0x80)
                ipr_buf_puts(out, "\xef\xbf\xbd");
            else if (c < 0x20)
                ipr_buf_printf(out, "\\u%04x", c);
            else
                ipr_buf_printf(out, "\\%c", c);
        }
        const size_t used = n < s.n ? n + 1 : n;
        s = (struct ipr_str){ s.p + used, s.n - used };
    }
    ipr_buf_putc(out, '"');
}
