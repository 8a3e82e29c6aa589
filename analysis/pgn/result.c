#include "pgn/result.h"

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

enum ipr_result ipr_result_read(struct ipr_str text)
{
    static const struct {
        const char *text;
        enum ipr_result result;
    } spellings[] = {
        { "1-0", IPR_WHITE_WINS }, { "0-1", IPR_BLACK_WINS }, { "1/2-1/2", IPR_DRAW },
        { "1/2", IPR_DRAW },       { "0.5-0.5", IPR_DRAW },   { "\xC2\xBD-\xC2\xBD", IPR_DRAW },
        { "\xC2\xBD", IPR_DRAW },  { "\xBD-\xBD", IPR_DRAW }, { "\xBD", IPR_DRAW },
    };

    text = ipr_str_trim(text);
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (ipr_str_is(text, spellings[i].text))
            return spellings[i].result;
    return IPR_RESULT_UNKNOWN;
}
