#include "pgn/lexer.h"

#include <string.h>

#include "pgn/reader.h"
#include "pgn/section.h"

enum {
    WORD = 0,  /* begins or continues a token */
    SPACE = 1, /* between tokens; control characters count as such */
    OTHER = 2, /* ends a token and is a token itself */
    SIGN = 4,  /* begins a token of annotation signs, or a null move */
    DIGIT = 8,
    LETTER = 16, /* begins a word that can only be a move or "e.p." */
};

static const unsigned char class_of_byte[256] = {
    [0] = SPACE,    [1] = SPACE,    [2] = SPACE,    [3] = SPACE,    [4] = SPACE,    [5] = SPACE,
    [6] = SPACE,    [7] = SPACE,    [8] = SPACE,    ['\t'] = SPACE, ['\n'] = SPACE, ['\v'] = SPACE,
    ['\f'] = SPACE, ['\r'] = SPACE, [14] = SPACE,   [15] = SPACE,   [16] = SPACE,   [17] = SPACE,
    [18] = SPACE,   [19] = SPACE,   [20] = SPACE,   [21] = SPACE,   [22] = SPACE,   [23] = SPACE,
    [24] = SPACE,   [25] = SPACE,   [26] = SPACE,   [27] = SPACE,   [28] = SPACE,   [29] = SPACE,
    [30] = SPACE,   [31] = SPACE,   [' '] = SPACE,  [127] = SPACE,  ['{'] = OTHER,  ['}'] = OTHER,
    ['('] = OTHER,  [')'] = OTHER,  ['['] = OTHER,  [';'] = OTHER,  ['$'] = OTHER,  ['*'] = OTHER,
    ['!'] = SIGN,   ['?'] = SIGN,   ['+'] = SIGN,   ['-'] = SIGN,   ['='] = SIGN,   ['/'] = SIGN,
    ['#'] = SIGN,   ['~'] = SIGN,   ['<'] = OTHER,  ['>'] = SIGN,   ['.'] = SIGN,   ['0'] = DIGIT,
    ['1'] = DIGIT,  ['2'] = DIGIT,  ['3'] = DIGIT,  ['4'] = DIGIT,  ['5'] = DIGIT,  ['6'] = DIGIT,
    ['7'] = DIGIT,  ['8'] = DIGIT,  ['9'] = DIGIT,  ['a'] = LETTER, ['b'] = LETTER, ['c'] = LETTER,
    ['d'] = LETTER, ['e'] = LETTER, ['f'] = LETTER, ['g'] = LETTER, ['h'] = LETTER, ['N'] = LETTER,
    ['B'] = LETTER, ['R'] = LETTER, ['Q'] = LETTER, ['K'] = LETTER, ['O'] = LETTER,
};

static unsigned class_at(const char *p)
{
    return class_of_byte[(unsigned char)*p];
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

/* Longer than any reserved word: null moves, results, "e.p.". */
#define SHORT_WORD 9
/* As long as a result with spaces. */
#define SPACED_RESULT 16

/* The word at p, its first byte whatever it is, or as many bytes of it as SHORT_WORD. A token may
 * be only the beginning of a word, as "1." is of "1.1.1.e4": looking further for each would take
 * quadratic time. */
static struct ipr_str short_word_at(const char *p, const char *end)
{
    size_t n = 1;

    if (end - p > SHORT_WORD)
        end = p + SHORT_WORD;
    while (p + n < end && (class_at(p + n) & (SPACE | OTHER)) == 0)
        n++;
    return (struct ipr_str){ p, n };
}

static bool ends_word(const char *p)
{
    return (class_at(p) & (SPACE | OTHER)) != 0;
}

/* All of the word that w begins; for tokens that take it all. */
static inline struct ipr_str whole_word(struct ipr_str w, const char *end)
{
    while (w.p + w.n < end && !ends_word(w.p + w.n))
        w.n++;
    /* "(Q)" after the square on which a pawn promotes. */
    const char *const p = w.p + w.n;
    if (p < end && *p == '(' && end - p >= 3 && p[2] == ')' && (p[-1] == '8' || p[-1] == '1') &&
        memchr("QRBNqrbn", p[1], 8) != NULL)
        w.n += 3;
    return w;
}

/* ---- Comments ---- */

/* True when the text can be moves or what stands between them. */
static bool may_be_moves(const char *p, const char *end)
{
    static const char letters[] = "abcdefghKQRBNPOox-+#=!?:0123456789";
    size_t n = 0;
    bool rank = false;

    while (p < end && class_at(p) == SPACE)
        p++;
    if (p == end)
        return true;
    if (*p == '}' || *p == '{') /* the pairs decide whether it is a comment or a part of one */
        return false;
    if ((class_at(p) & (OTHER | SIGN | DIGIT)) != 0)
        return true;
    for (; p + n < end && n < SHORT_WORD && !ends_word(p + n); n++) {
        if (memchr(letters, p[n], sizeof letters - 1) == NULL)
            return false;
        rank |= class_at(p + n) == DIGIT || p[n] == '-';
    }
    return rank;
}

/* Returns the place after the } that pairs with the { at p, or NULL if there is none. `close` is
 * the first }. */
static const char *after_pair(const char *p, const char *close, const char *end)
{
    size_t depth = 0;

    for (; p < close; p++)
        depth += *p == '{';
    for (; p < end; p++) {
        depth += *p == '{';
        if (*p == '}' && --depth == 0)
            return p + 1;
    }
    return NULL;
}

/* Returns the end of the comment that begins at p, or NULL if it is not closed. */
static const char *after_comment(struct ipr_pgn_lexer *lex, const char *p)
{
    const char *const close = memchr(p, '}', (size_t)(lex->end - p)), *after;

    if (close == NULL)
        return NULL;
    if (lex->unbalanced || memchr(p + 1, '{', (size_t)(close - p - 1)) == NULL ||
        may_be_moves(close + 1, lex->end))
        return close + 1;
    after = after_pair(p, close, lex->end);
    lex->unbalanced = after == NULL; /* looking to the end once is enough */
    return after != NULL ? after : close + 1;
}

/* ---- Variations ---- */

static const unsigned char variation_class[256] = {
    ['{'] = 1, [';'] = 1, ['%'] = 1, ['('] = 1, [')'] = 1
};

/* Reads the variation that begins at lex->p, with all that are nested in it. */
static void read_variation(struct ipr_pgn_lexer *lex, struct ipr_pgn_token *token)
{
    const char *const open = lex->p;
    const char *p = open;
    size_t depth = 0;

    token->variations = 0;
    for (; p < lex->end; p++) {
        if (variation_class[(unsigned char)*p] == 0)
            continue;
        if (*p == '(') {
            depth++;
            token->variations++;
        } else if (*p == ')') {
            if (--depth > 0)
                continue;
            token->kind = IPR_PGN_VARIATION;
            token->text = (struct ipr_str){ open, (size_t)(p + 1 - open) };
            return;
        } else if (*p == '{') {
            const char *const after = after_comment(lex, p);

            if (after == NULL) {
                token->kind = IPR_PGN_OPEN_COMMENT;
                token->text = (struct ipr_str){ p, 1 };
                return;
            }
            p = after - 1;
        } else if (*p == ';' || at_line_start(lex, p)) {
            p = line_end(p, lex->end) - 1;
        }
    }
    token->kind = IPR_PGN_OPEN_VARIATION;
    token->text = (struct ipr_str){ open, 1 };
}

/* ---- Tags ---- */

static const char *after_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p;
}

static bool opens_tag(const char *p, const char *end)
{
    p = after_blanks(p + 1, end);
    return p < end && ipr_is_tag_name_char(*p);
}

static bool is_plain(struct ipr_str value)
{
    for (size_t i = 0; i < value.n; i++)
        if (value.p[i] < ' ' || value.p[i] > '~' || value.p[i] == '\\')
            return false;
    return true;
}

/* A value of any form: the states determine where the tag ends and whether it has a value. `p` is
 * where the opening quote should be. */
static void read_value(struct ipr_pgn_lexer *lex, const char *p, struct ipr_pgn_token *token)
{
    enum ipr_tag_state state = IPR_TAG_NAME;
    const char *const expected = p, *open = NULL, *close = NULL;

    for (; p < lex->end && state != IPR_TAG_CLOSED && state != IPR_TAG_BROKEN; p++) {
        const enum ipr_tag_state was = state;

        state = ipr_tag_step(state, *p);
        if (was == IPR_TAG_NAME && state == IPR_TAG_STRING)
            open = p;
        else if (*p == '"' && (state == IPR_TAG_QUOTE || state == IPR_TAG_ESCAPED_QUOTE))
            close = p;
        if (was == IPR_TAG_ESCAPED_END && state == IPR_TAG_CLOSED)
            p--; /* the end of the line is no part of the tag */
    }
    if (state == IPR_TAG_ESCAPED_END)
        state = IPR_TAG_CLOSED;
    token->text.n = (size_t)(p - token->text.p);
    token->kind = IPR_PGN_BAD_TAG;
    token->plain = false;
    if (state != IPR_TAG_CLOSED || open != expected || close == NULL)
        return;
    token->kind = IPR_PGN_TAG;
    token->value = (struct ipr_str){ open + 1, (size_t)(close - open) - 1 };
    token->plain = is_plain(token->value);
}

static bool continues_name(char c)
{
    return (unsigned char)c > ' ' && c != '"' && c != '[' && c != ']';
}

bool ipr_pgn_is_tag_name(struct ipr_str s)
{
    size_t n = 0;

    while (n < s.n && continues_name(s.p[n]))
        n++;
    return n > 0 && n == s.n && ipr_is_tag_name_char(s.p[0]);
}

static void lexer_read_tag(struct ipr_pgn_lexer *lex, struct ipr_pgn_token *token)
{
    const char *p = after_blanks(lex->p + 1, lex->end);
    const char *const name = p;

    bool plain_name = true;

    while (p < lex->end && continues_name(*p))
        plain_name &= (unsigned char)*p++ <= '~';
    token->name = (struct ipr_str){ name, (size_t)(p - name) };
    p = after_blanks(p, lex->end);
    const char *const quote = p < lex->end && *p == '"' ? ipr_plain_value(p + 1, lex->end) : NULL;
    if (quote != NULL) {
        token->kind = IPR_PGN_TAG;
        token->value = (struct ipr_str){ p + 1, (size_t)(quote - p) - 1 };
        token->plain = true;
        token->text.n = (size_t)(quote + 2 - token->text.p);
    } else {
        read_value(lex, p, token);
    }
    token->plain &= plain_name;
    lex->p += token->text.n;
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

/* Skips "12", "12." and "12...", also where a move follows at once. False for castling
 * with zeros, which begins like a number. */
static bool skip_number(struct ipr_pgn_lexer *lex)
{
    const char *p = lex->p;
    unsigned number = 0;

    for (; p < lex->end && class_at(p) == DIGIT; p++)
        if (number < 100000)
            number = number * 10 + (unsigned)(*p - '0');
    if (p < lex->end && (*p == '-' || *p == '/' || ipr_dash_at(p, lex->end) > 0))
        return false;
    while (p < lex->end && *p == '.')
        p++;
    lex->p = p;
    lex->number = number;
    return true;
}

/* Byte-order mark, spaces that are not of ASCII, characters that are not seen, ellipsis, and the
 * Informant's signs that have no other spelling here: length of the one at p, or 0. */
static size_t foreign_space(const char *p, const char *end)
{
    static const char texts[][4] = {
        "\xEF\xBB\xBF", "\xC2\xA0",     "\xE2\x80\xA6", "\xC2\xAD",     "\xE2\x80\x89",
        "\xE2\x80\x8A", "\xE2\x80\x8B", "\xE2\x80\x8C", "\xE2\x80\x8D", "\xE2\x80\x8E",
        "\xE2\x80\x8F", "\xE2\x80\xAF", "\xE2\x81\xA0", "\xE2\xA9\xB2", "\xE2\xA9\xB1",
        "\xC2\xB1",     "\xE2\x88\x93", "\xE2\x88\x9E", "\xE2\x86\x91", "\xE2\x86\x92",
        "\xE2\x87\x86", "\xE2\x8A\x95", "\xE2\x96\xA1", "\xE2\xAF\xB9", "\xE2\x88\x86",
        "\xE2\x8C\x93", "\xE2\xA8\x80", "\xE2\x8C\x92",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const size_t n = strlen(texts[i]);

        if ((size_t)(end - p) >= n && memcmp(p, texts[i], n) == 0)
            return n;
    }
    return 0;
}

static bool lexer_take(struct ipr_pgn_lexer *lex, struct ipr_pgn_token *token,
                       enum ipr_pgn_kind kind)
{
    token->kind = kind;
    lex->p += token->text.n;
    return true;
}

/* A move in which a dash, a sign of capture or something that is not seen is not of ASCII; its word
 * ends where something not seen is in it. */
static void move_plain(struct ipr_pgn_token *token)
{
    const char *const begin = token->text.p, *const end = begin + token->text.n;
    const char *p = begin;
    size_t n = 0;

    while (p < end && n < sizeof token->san) {
        const size_t dash = ipr_dash_at(p, end);
        const bool times = end - p >= 2 && p[0] == '\xC3' && p[1] == '\x97';

        if (foreign_space(p, end) > 0)
            break;
        token->san[n++] = *p;
        if (dash > 0 || times)
            token->san[n - 1] = dash > 0 ? '-' : 'x';
        p += dash + 2 * times + (dash == 0 && !times);
    }
    if (n == sizeof token->san) /* it is no move */
        return;
    token->text.n = (size_t)(p - begin);
    token->move = (struct ipr_str){ token->san, n };
}

/* The whole word is a move. */
static bool take_word_as_move(struct ipr_pgn_lexer *lex, struct ipr_pgn_token *token)
{
    token->move = token->text;
    for (size_t i = 0; i < token->text.n; i++)
        if ((unsigned char)token->text.p[i] >= 0x80) {
            move_plain(token);
            break;
        }
    return lexer_take(lex, token, IPR_PGN_MOVE);
}

static bool lexer_take_move(struct ipr_pgn_lexer *lex, struct ipr_pgn_token *token)
{
    token->text = whole_word(token->text, lex->end);
    return take_word_as_move(lex, token);
}

static bool lexer_pass(struct ipr_pgn_lexer *lex, size_t n)
{
    lex->p += n;
    return false;
}

/* Dots are skipped; other signs are annotations, unless a word begins with them. */
static bool read_signs(struct ipr_pgn_lexer *lex, struct ipr_pgn_token *token)
{
    const char *p = lex->p;

    if (*p == '.') {
        while (p < lex->end && *p == '.')
            p++;
        return lexer_pass(lex, (size_t)(p - lex->p));
    }
    if (is_null_move(token->text))
        return lexer_take(lex, token, IPR_PGN_NULL_MOVE);
    while (p < lex->end && class_at(p) == SIGN)
        p++;
    if (p < lex->end && !ends_word(p))
        return lexer_take_move(lex, token);
    token->text.n = (size_t)(p - lex->p);
    return lexer_take(lex, token, IPR_PGN_SIGNS);
}

/* Length of "1 - 0" and its like at p, or 0. */
static size_t spaced_result(const char *p, const char *end)
{
    const char *q = p;
    unsigned spaces = 0;

    if (end - p > SPACED_RESULT)
        end = p + SPACED_RESULT;
    for (; q < end && (*q == ' ' || !ends_word(q)); q++) {
        spaces += *q == ' ';
        if (*q != ' ' && (q + 1 == end || ends_word(q + 1)) && spaces > 0 &&
            ipr_result_read((struct ipr_str){ p, (size_t)(q + 1 - p) }) != IPR_RESULT_UNKNOWN)
            return (size_t)(q + 1 - p);
    }
    return 0;
}

/* Reads the word at lex->p; false when it is one to skip, which is then done. */
static bool lexer_read_word(struct ipr_pgn_lexer *lex, struct ipr_pgn_token *token)
{
    const unsigned class = class_at(lex->p);
    const struct ipr_str w = short_word_at(lex->p, lex->end);

    token->text = w;
    if (class == SIGN)
        return read_signs(lex, token);
    if (class == DIGIT) {
        const size_t spaced = spaced_result(lex->p, lex->end);

        if (spaced > 0) {
            token->text.n = spaced;
            return lexer_take(lex, token, IPR_PGN_RESULT);
        }
        if (w.p[w.n - 1] != '.') { /* not "12." or "12...", which are skipped at once */
            if (is_null_move(w))
                return lexer_take(lex, token, IPR_PGN_NULL_MOVE);
            if (ipr_result_read(w) != IPR_RESULT_UNKNOWN)
                return lexer_take(lex, token, IPR_PGN_RESULT);
        }
        return skip_number(lex) ? false : lexer_take_move(lex, token);
    }
    if ((unsigned char)*w.p >= 0x80) {
        const size_t space = foreign_space(lex->p, lex->end);

        if (space > 0)
            return lexer_pass(lex, space);
        if (ipr_result_read(w) != IPR_RESULT_UNKNOWN)
            return lexer_take(lex, token, IPR_PGN_RESULT);
    }
    return is_null_move(w) ? lexer_take(lex, token, IPR_PGN_NULL_MOVE)
                           : lexer_take_move(lex, token);
}

/* The common "12." or "12..."; false when it may be anything else. */
static bool skip_plain_number(struct ipr_pgn_lexer *lex)
{
    const char *p = lex->p;
    unsigned number = 0;

    for (; p < lex->end && class_at(p) == DIGIT && number < 100000; p++)
        number = number * 10 + (unsigned)(*p - '0');
    if (p == lex->end || *p != '.')
        return false;
    while (p < lex->end && *p == '.')
        p++;
    if (p < lex->end && class_at(p) == DIGIT) /* 0.5-0.5 */
        return false;
    lex->p = p;
    lex->number = number;
    return true;
}

/* Longer than any element that stands for a line's end; looking further would take quadratic time
 * where there are only opening ones. */
#define MARKUP_MAX 80

/* Length of the <markup> at p, or 0. */
static size_t markup_at(const char *p, const char *end)
{
    const char *q = p + 1;

    if (q == end || !ipr_begins_markup(*q))
        return 0;
    if (end - p > MARKUP_MAX)
        end = p + MARKUP_MAX;
    while (q < end && *q != '>' && *q != '<' && !ipr_is_line_end(*q))
        q++;
    return q < end && *q == '>' ? (size_t)(q + 1 - p) : 0;
}

/* Reads what begins with a character that stands by itself. */
static void read_other(struct ipr_pgn_lexer *lex, struct ipr_pgn_token *token)
{
    const char *const p = lex->p;
    const char *after = p + 1;

    token->kind = IPR_PGN_STRAY_CLOSE;
    switch (*p) {
    case '{':
        after = after_comment(lex, p);
        token->kind = after != NULL ? IPR_PGN_COMMENT : IPR_PGN_OPEN_COMMENT;
        token->text = (struct ipr_str){ p, after != NULL ? (size_t)(after - p) : 1 };
        lex->p = after != NULL ? after : lex->end;
        return;
    case '(':
        read_variation(lex, token);
        lex->p = token->kind == IPR_PGN_VARIATION ? p + token->text.n : lex->end;
        return;
    case ';':
        after = line_end(p, lex->end);
        token->kind = IPR_PGN_COMMENT;
        break;
    case '$':
        while (after < lex->end && class_at(after) == DIGIT)
            after++;
        token->kind = IPR_PGN_NAG;
        break;
    case '*':
        token->kind = IPR_PGN_RESULT;
        break;
    case '<': /* which begins no markup: a sign, or an unknown word */
        while (after < lex->end && class_at(after) == SIGN)
            after++;
        token->kind = after == lex->end || ends_word(after) ? IPR_PGN_SIGNS : IPR_PGN_MOVE;
        break;
    case '[': /* which opens no tag */
        while (after < lex->end && !ends_word(after))
            after++;
        token->kind = IPR_PGN_MOVE;
        break;
    default:
        break;
    }
    token->text = token->move = (struct ipr_str){ p, (size_t)(after - p) };
    lex->p = after;
}

/* Reads the token at lex->p; false when it is one to skip, which is then done. */
static bool lexer_read_token(struct ipr_pgn_lexer *lex, struct ipr_pgn_token *token)
{
    const unsigned class = class_at(lex->p);

    if (class == LETTER) { /* a file, a piece or an O */
        const char *const p = lex->p;
        const struct ipr_str w = whole_word((struct ipr_str){ p, 1 }, lex->end);

        if (*p == 'e' && ((w.n == 2 && p[1] == 'p') || (w.n == 4 && memcmp(p, "e.p.", 4) == 0)))
            return lexer_pass(lex, w.n);
        token->text = w;
        return take_word_as_move(lex, token);
    }
    if (class == DIGIT && skip_plain_number(lex))
        return false;
    if (*lex->p == '%' && at_line_start(lex, lex->p)) {
        lex->p = line_end(lex->p, lex->end);
        return false;
    }
    if (class != OTHER)
        return lexer_read_word(lex, token);
    const size_t markup = *lex->p == '<' ? markup_at(lex->p, lex->end) : 0;
    if (markup > 0)
        return lexer_pass(lex, markup);
    if (*lex->p == '[' && opens_tag(lex->p, lex->end)) {
        token->text = (struct ipr_str){ lex->p, 1 };
        lexer_read_tag(lex, token);
    } else {
        read_other(lex, token);
    }
    return true;
}

void ipr_pgn_next(struct ipr_pgn_lexer *lex, struct ipr_pgn_token *token)
{
    for (;;) {
        while (lex->p < lex->end && class_at(lex->p) == SPACE)
            lex->p++;
        if (lex->p == lex->end)
            break;
        if (lexer_read_token(lex, token))
            return;
    }
    token->kind = IPR_PGN_END;
    token->text = (struct ipr_str){ lex->end, 0 };
}
