#include "chess/quote.h"

const char *ipr_quote(struct ipr_str text, char out[IPR_QUOTE_MAX])
{
    const size_t shown = text.n <= 24 ? text.n : 21;
    size_t n = 0;

    while (n < shown) {
        out[n] = text.p[n] >= ' ' && text.p[n] <= '~' ? text.p[n] : '?';
        n++;
    }
    for (unsigned dots = 0; shown < text.n && dots < 3; dots++)
        out[n++] = '.';
    out[n] = '\0';
    return out;
}
