#include "chess/quote.h"

#include <stdio.h>
#include <string.h>

/* The character at text.p[*i], whose last byte *i then is. A byte that is no UTF-8 is itself. */
static unsigned long quoted_point(struct ipr_str text, size_t *i)
{
    const unsigned char *const p = (const unsigned char *)text.p + *i;
    const size_t more = 1u + (p[0] >= 0xE0) + (p[0] >= 0xF0);
    unsigned long code = p[0] & (0x3Fu >> more);

    if (p[0] < 0xC0 || p[0] >= 0xF8 || text.n - *i <= more)
        return p[0];
    for (size_t k = 1; k <= more; k++) {
        if ((p[k] & 0xC0) != 0x80)
            return p[0];
        code = code << 6 | (p[k] & 0x3F);
    }
    *i += more;
    return code;
}

const char *ipr_quote(struct ipr_str text, char out[IPR_QUOTE_MAX])
{
    size_t n = 0, i = 0;

    for (; i < text.n; i++) {
        const unsigned long code = quoted_point(text, &i);
        char shown[12] = { (char)code };

        if (code < ' ' || code > '~')
            snprintf(shown, sizeof shown, "U+%04lX", code);
        const size_t length = ipr_str_c(shown).n;
        if (n + length > IPR_QUOTE_MAX - 4)
            break;
        memcpy(out + n, shown, length);
        n += length;
    }
    snprintf(out + n, IPR_QUOTE_MAX - n, "%s", i < text.n ? "..." : "");
    return out;
}
