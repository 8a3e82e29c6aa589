#include "pgn/result.h"

#include <string.h>

const char *ipr_result_text(enum ipr_result r)
{
    switch (r) {
    case IPR_WHITE_WINS:
        return "1-0";
    case IPR_BLACK_WINS:
        return "0-1";
    case IPR_DRAW:
        return "1/2-1/2";
    case IPR_RESULT_UNKNOWN:
        break;
    }
    return "*";
}

#define RESULT_MAX 24

size_t ipr_dash_at(const char *p, const char *end)
{
    static const char windows[] = "\x96\x97"; /* Windows-1252, where no UTF-8 continues */

    if (end - p >= 3 && p[0] == '\xE2' &&
        ((p[1] == '\x80' && p[2] >= '\x90' && p[2] <= '\x95') ||
         (p[1] == '\x88' && p[2] == '\x92')))
        return 3;
    return p < end && *p != '\0' && strchr(windows, *p) != NULL;
}

/* Without spaces, every dash or colon a hyphen; what is too long for a result is cut. */
static struct ipr_str result_plain(struct ipr_str text, char out[RESULT_MAX])
{
    const char *const end = text.p + text.n;
    size_t n = 0;

    for (const char *p = text.p; p < end && n < RESULT_MAX;) {
        const size_t dash = ipr_dash_at(p, end);

        if (dash > 0 || *p == ':')
            out[n++] = '-';
        else if (*p != ' ' && *p != '\t')
            out[n++] = *p;
        p += dash > 0 ? dash : 1;
    }
    return (struct ipr_str){ out, n };
}

enum ipr_result ipr_result_read(struct ipr_str text)
{
    static const struct {
        const char *text;
        enum ipr_result result;
    } spellings[] = {
        { "1-0", IPR_WHITE_WINS }, { "0-1", IPR_BLACK_WINS }, { "1/2-1/2", IPR_DRAW },
        { "1/2", IPR_DRAW },       { "0.5-0.5", IPR_DRAW },   { "\xC2\xBD-\xC2\xBD", IPR_DRAW },
        { "\xC2\xBD", IPR_DRAW },  { "\xBD-\xBD", IPR_DRAW }, { "\xBD", IPR_DRAW },
        { "+--", IPR_WHITE_WINS }, { "--+", IPR_BLACK_WINS },
    };
    char plain[RESULT_MAX];
    const struct ipr_str read = result_plain(text, plain);

    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (ipr_str_is(read, spellings[i].text))
            return spellings[i].result;
    return IPR_RESULT_UNKNOWN;
}

bool ipr_result_is_double_forfeit(struct ipr_str text)
{
    char plain[RESULT_MAX];

    return ipr_str_is(result_plain(text, plain), "0-0");
}
