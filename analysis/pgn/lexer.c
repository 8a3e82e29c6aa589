#include "pgn/lexer.h"

#include <string.h>

#include "pgn/reader.h"
#include "pgn/section.h"

enum {
    WORD = 0,  /* begins or continues a token */
    SPACE = 1, /* between tokens; control characters count as such */
    OTHER = 2, /* ends a token and is looked at by itself */
    SIGN = 4,  /* begins a token of annotation signs, or a null move */
    DIGIT = 8,
};

static const unsigned char class_of[256] = {
    [0] = SPACE,    [1] = SPACE,    [2] = SPACE,   [3] = SPACE,    [4] = SPACE,    [5] = SPACE,
    [6] = SPACE,    [7] = SPACE,    [8] = SPACE,   ['\t'] = SPACE, ['\n'] = SPACE, ['\v'] = SPACE,
    ['\f'] = SPACE, ['\r'] = SPACE, [14] = SPACE,  [15] = SPACE,   [16] = SPACE,   [17] = SPACE,
    [18] = SPACE,   [19] = SPACE,   [20] = SPACE,  [21] = SPACE,   [22] = SPACE,   [23] = SPACE,
    [24] = SPACE,   [25] = SPACE,   [26] = SPACE,  [27] = SPACE,   [28] = SPACE,   [29] = SPACE,
    [30] = SPACE,   [31] = SPACE,   [' '] = SPACE, [127] = SPACE,  ['{'] = OTHER,  ['}'] = OTHER,
    ['('] = OTHER,  [')'] = OTHER,  ['['] = OTHER, [';'] = OTHER,  ['$'] = OTHER,  ['*'] = OTHER,
    ['!'] = SIGN,   ['?'] = SIGN,   ['+'] = SIGN,  ['-'] = SIGN,   ['='] = SIGN,   ['/'] = SIGN,
    ['#'] = SIGN,   ['~'] = SIGN,   ['<'] = SIGN,  ['>'] = SIGN,   ['.'] = SIGN,   ['0'] = DIGIT,
    ['1'] = DIGIT,  ['2'] = DIGIT,  ['3'] = DIGIT, ['4'] = DIGIT,  ['5'] = DIGIT,  ['6'] = DIGIT,
    ['7'] = DIGIT,  ['8'] = DIGIT,  ['9'] = DIGIT,
};

static unsigned class_at(const char *p)
{
    return class_of[(unsigned char)*p];
}

static const char *line_end(const char *p, const char *end)
{
    while (p < end && !ipr_is_line_end(*p))
        p++;
    return p;
}

static bool at_line_start(const struct ipr_pgn_lexer *lex, const char *p)
{
    return p > lex->begin ? ipr_is_line_end(p[-1]) : lex->begins_line;
}

/* After the comment that begins at p, or NULL when it is not closed. */
static const char *after_comment(const char *p, const char *end)
{
    const char *const close = memchr(p, '}', (size_t)(end - p));

    return close != NULL ? close + 1 : NULL;
}

/* Longer than any word with a meaning of its own: null moves, results, "e.p.". */
#define SHORT_WORD 9

/* The word at p, its first byte whatever it is, or as many bytes of it as SHORT_WORD. A token may
 * be only the beginning of a word, as "1." is of "1.1.1.e4": looking further than this for each
 * would take quadratic time. */
static struct ipr_str short_word_at(const char *p, const char *end)
{
    size_t n = 1;

    if (end - p > SHORT_WORD)
        end = p + SHORT_WORD;
    while (p + n < end && (class_at(p + n) & (SPACE | OTHER)) == 0)
        n++;
    return (struct ipr_str){ p, n };
}

/* All of the word that w begins; for tokens that take it all. */
static struct ipr_str whole_word(struct ipr_str w, const char *end)
{
    while (w.p + w.n < end && (class_at(w.p + w.n) & (SPACE | OTHER)) == 0)
        w.n++;
    return w;
}

/* ---- Variations ---- */

/* Passes over the variation that begins at lex->p, with all that are nested in it. */
static enum ipr_pgn_kind skip_variation(struct ipr_pgn_lexer *lex, struct ipr_str *where)
{
    const char *const open = lex->p;
    const char *p = open;
    size_t depth = 0;

    while (p < lex->end) {
        if (*p == '{') {
            const char *const after = after_comment(p, lex->end);

            if (after == NULL) {
                *where = (struct ipr_str){ p, 1 };
                return IPR_PGN_OPEN_COMMENT;
            }
            p = after;
            continue;
        }
        if (*p == ';' || (*p == '%' && at_line_start(lex, p))) {
            p = line_end(p, lex->end);
            continue;
        }
        depth += *p == '(';
        if (*p++ == ')' && --depth == 0) {
            lex->p = p;
            return IPR_PGN_END;
        }
    }
    *where = (struct ipr_str){ open, 1 };
    return IPR_PGN_OPEN_VARIATION;
}

/* ---- Tags ---- */

static bool opens_tag(const char *p, const char *end)
{
    for (p++; p < end && (*p == ' ' || *p == '\t'); p++)
        ;
    return p < end && ipr_is_tag_name_char(*p);
}

static bool is_plain(struct ipr_str value)
{
    for (size_t i = 0; i < value.n; i++)
        if (value.p[i] < ' ' || value.p[i] > '~' || value.p[i] == '\\')
            return false;
    return true;
}

static void read_tag(struct ipr_pgn_lexer *lex, struct ipr_pgn_token *token)
{
    enum ipr_tag_state state = IPR_TAG_NAME;
    const char *p = lex->p + 1, *open = NULL, *close = NULL;

    while (*p == ' ' || *p == '\t')
        p++;
    const char *const name = p;
    while (p < lex->end && ipr_is_tag_name_char(*p))
        p++;
    token->name = (struct ipr_str){ name, (size_t)(p - name) };
    while (p < lex->end && (*p == ' ' || *p == '\t'))
        p++;
    const char *const expected = p; /* the opening quote */
    for (; p < lex->end && state != IPR_TAG_CLOSED && state != IPR_TAG_BROKEN; p++) {
        const enum ipr_tag_state was = state;

        state = ipr_tag_step(state, *p);
        if (was == IPR_TAG_NAME && state == IPR_TAG_STRING)
            open = p;
        else if (*p == '"' && state == IPR_TAG_QUOTE)
            close = p;
    }
    token->text = (struct ipr_str){ lex->p, (size_t)(p - lex->p) };
    token->kind = IPR_PGN_BAD_TAG;
    lex->p = p;
    if (state != IPR_TAG_CLOSED || open != expected || close == NULL)
        return;
    token->kind = IPR_PGN_TAG;
    token->value = (struct ipr_str){ open + 1, (size_t)(close - open) - 1 };
    token->plain = is_plain(token->value);
}

/* ---- Words ---- */

static bool is_null_move(struct ipr_str w)
{
    static const char spellings[][5] = { "--", "Z0", "0000", "@@@@", "null", "pass" };

    if (w.n != 2 && w.n != 4)
        return false;
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (w.p[0] == spellings[i][0] && ipr_str_is(w, spellings[i]))
            return true;
    return false;
}

/* Passes over "12", "12." and "12...", also where a move follows at once. False for castling
 * with zeros, which begins like a number. */
static bool skip_number(struct ipr_pgn_lexer *lex)
{
    const char *p = lex->p;
    unsigned number = 0;

    for (; p < lex->end && class_at(p) == DIGIT; p++)
        if (number < 100000)
            number = number * 10 + (unsigned)(*p - '0');
    if (p < lex->end && (*p == '-' || *p == '/'))
        return false;
    while (p < lex->end && *p == '.')
        p++;
    lex->p = p;
    lex->number = number;
    return true;
}

/* Byte-order mark, no-break space, ellipsis: length of the one at p, or 0. */
static size_t foreign_space(const char *p, const char *end)
{
    static const char texts[][4] = { "\xEF\xBB\xBF", "\xC2\xA0", "\xE2\x80\xA6" };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const size_t n = strlen(texts[i]);

        if ((size_t)(end - p) >= n && memcmp(p, texts[i], n) == 0)
            return n;
    }
    return 0;
}

static bool take(struct ipr_pgn_lexer *lex, struct ipr_pgn_token *token, enum ipr_pgn_kind kind)
{
    token->kind = kind;
    lex->p += token->text.n;
    return true;
}

static bool take_move(struct ipr_pgn_lexer *lex, struct ipr_pgn_token *token)
{
    token->text = whole_word(token->text, lex->end);
    return take(lex, token, IPR_PGN_MOVE);
}

static bool pass(struct ipr_pgn_lexer *lex, size_t n)
{
    lex->p += n;
    return false;
}

/* Annotation signs are passed over, and dots before a move. */
static bool read_signs(struct ipr_pgn_lexer *lex, struct ipr_pgn_token *token)
{
    const char *p, *dots = lex->p;

    if (is_null_move(token->text))
        return take(lex, token, IPR_PGN_NULL_MOVE);
    while (dots < lex->end && *dots == '.')
        dots++;
    for (p = dots; p < lex->end && class_at(p) == SIGN; p++)
        ;
    if (p == lex->end || (class_at(p) & (SPACE | OTHER)) != 0)
        return pass(lex, (size_t)(p - lex->p));
    return dots > lex->p ? pass(lex, (size_t)(dots - lex->p)) : take_move(lex, token);
}

static bool read_digits(struct ipr_pgn_lexer *lex, struct ipr_pgn_token *token)
{
    const struct ipr_str w = token->text;

    if (w.p[w.n - 1] != '.') { /* not the usual "12." */
        if (is_null_move(w))
            return take(lex, token, IPR_PGN_NULL_MOVE);
        if (ipr_result_read(w) != IPR_RESULT_UNKNOWN)
            return take(lex, token, IPR_PGN_RESULT);
    }
    return skip_number(lex) ? false : take_move(lex, token);
}

/* Reads the word at lex->p; false when it is one to pass over, which is then done. */
static bool read_word(struct ipr_pgn_lexer *lex, struct ipr_pgn_token *token)
{
    const unsigned class = class_at(lex->p);
    const struct ipr_str w = short_word_at(lex->p, lex->end);

    token->text = w;
    if (class == SIGN)
        return read_signs(lex, token);
    if (class == DIGIT)
        return read_digits(lex, token);
    if ((unsigned char)*w.p >= 0x80) {
        const size_t space = foreign_space(lex->p, lex->end);

        if (space > 0)
            return pass(lex, space);
        if (ipr_result_read(w) != IPR_RESULT_UNKNOWN)
            return take(lex, token, IPR_PGN_RESULT);
    }
    if (*w.p == 'e' && (ipr_str_is(w, "e.p.") || ipr_str_is(w, "ep")))
        return pass(lex, w.n);
    return is_null_move(w) ? take(lex, token, IPR_PGN_NULL_MOVE) : take_move(lex, token);
}

/* Reads or passes over what begins with a character that stands by itself. */
static bool read_other(struct ipr_pgn_lexer *lex, struct ipr_pgn_token *token)
{
    const char *after;

    token->text = (struct ipr_str){ lex->p, 1 };
    switch (*lex->p) {
    case '{':
        after = after_comment(lex->p, lex->end);
        token->kind = IPR_PGN_OPEN_COMMENT;
        lex->p = after != NULL ? after : lex->end;
        return after == NULL;
    case ';':
        lex->p = line_end(lex->p, lex->end);
        return false;
    case '(':
        token->kind = skip_variation(lex, &token->text);
        if (token->kind != IPR_PGN_END)
            lex->p = lex->end;
        return token->kind != IPR_PGN_END;
    case '$':
        for (lex->p++; lex->p < lex->end && class_at(lex->p) == DIGIT; lex->p++)
            ;
        return false;
    case '[':
        if (opens_tag(lex->p, lex->end)) {
            read_tag(lex, token);
            return true;
        }
        token->text = whole_word(token->text, lex->end);
        token->kind = IPR_PGN_MOVE;
        break;
    case '*':
        token->kind = IPR_PGN_RESULT;
        break;
    default:
        token->kind = IPR_PGN_STRAY_CLOSE;
        break;
    }
    lex->p += token->text.n;
    return true;
}

void ipr_pgn_next(struct ipr_pgn_lexer *lex, struct ipr_pgn_token *token)
{
    while (lex->p < lex->end) {
        const unsigned class = class_at(lex->p);

        if (class == SPACE) {
            lex->p++;
        } else if (*lex->p == '%' && at_line_start(lex, lex->p)) {
            lex->p = line_end(lex->p, lex->end);
        } else if (class == OTHER ? read_other(lex, token) : read_word(lex, token)) {
            return;
        }
    }
    token->kind = IPR_PGN_END;
    token->text = (struct ipr_str){ lex->end, 0 };
}
