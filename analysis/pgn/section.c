#include "pgn/section.h"

#include <string.h>

static enum ipr_tag_state in_string(char c)
{
    if (c == '\\')
        return IPR_TAG_ESCAPE;
    return c == '"' ? IPR_TAG_QUOTE : IPR_TAG_STRING;
}

enum ipr_tag_state ipr_tag_step(enum ipr_tag_state state, char c)
{
    const bool blank = c == ' ' || c == '\t';

    if (ipr_is_line_end(c))
        return state == IPR_TAG_ESCAPED_END ? IPR_TAG_CLOSED : IPR_TAG_BROKEN;
    switch (state) {
    case IPR_TAG_NAME:
        if (c == '"')
            return IPR_TAG_STRING;
        return c == ']' ? IPR_TAG_BROKEN : IPR_TAG_NAME;
    case IPR_TAG_STRING:
        return in_string(c);
    case IPR_TAG_ESCAPE:
        return c == '"' ? IPR_TAG_ESCAPED_QUOTE : IPR_TAG_STRING;
    case IPR_TAG_QUOTE:
        if (c == ']')
            return IPR_TAG_CLOSED;
        return blank ? IPR_TAG_QUOTE : in_string(c);
    case IPR_TAG_ESCAPED_QUOTE:
        if (c == ']')
            return IPR_TAG_ESCAPED_END;
        return blank ? IPR_TAG_ESCAPED_QUOTE : in_string(c);
    case IPR_TAG_ESCAPED_END:
        return blank ? IPR_TAG_ESCAPED_END : in_string(c);
    case IPR_TAG_CLOSED:
    case IPR_TAG_BROKEN:
        break;
    }
    return state;
}

const char *ipr_plain_value(const char *p, const char *end)
{
    while (p < end && *p >= ' ' && *p <= '~' && *p != '"' && *p != '\\')
        p++;
    return end - p >= 2 && p[0] == '"' && p[1] == ']' ? p : NULL;
}

void ipr_section_init(struct ipr_section_scan *s, struct ipr_pgn_place at)
{
    *s = (struct ipr_section_scan){ .state = IPR_SECTION_TEXT,
                                    .line_start = at.offset == at.line_offset,
                                    .at = at };
}

/* Characters with a meaning in text and in comments; all others are skipped in one loop. */
enum { ORDINARY, BLANK, SPECIAL };

/* No move begins with > or -: mail quotes lines, and lists have bullets, before tags, too. */
static const unsigned char text_class[256] = {
    ['>'] = BLANK,   ['-'] = BLANK,   [0] = BLANK,      ['\t'] = BLANK,   [' '] = BLANK,
    ['\v'] = BLANK,  ['\f'] = BLANK,  ['\n'] = SPECIAL, ['\r'] = SPECIAL, ['{'] = SPECIAL,
    [';'] = SPECIAL, ['['] = SPECIAL, ['%'] = SPECIAL,  ['<'] = SPECIAL,
};
static const unsigned char brace_class[256] = {
    ['\n'] = SPECIAL, ['\r'] = SPECIAL, ['{'] = SPECIAL, ['}'] = SPECIAL
};
static const unsigned char name_class[256] = {
    ['\n'] = SPECIAL, ['\r'] = SPECIAL, ['"'] = SPECIAL, [']'] = SPECIAL
};
static const unsigned char string_class[256] = {
    ['\n'] = SPECIAL, ['\r'] = SPECIAL, ['"'] = SPECIAL, ['\\'] = SPECIAL
};
static const unsigned char line_class[256] = { ['\n'] = SPECIAL, ['\r'] = SPECIAL };

static size_t section_skip_class(const unsigned char class[256], struct ipr_str b, size_t i)
{
    while (i < b.n && class[(unsigned char)b.p[i]] != SPECIAL)
        i++;
    return i;
}

/* Sixteen bytes at once, as vectors of the compiler. */
typedef unsigned char bytes16 __attribute__((vector_size(16)));
typedef unsigned long long pair64 __attribute__((vector_size(16)));

static bool has_special(const char *p)
{
    bytes16 v;

    memcpy(&v, p, sizeof v);
    const pair64 found = (pair64)((v == '\n') | (v == '\r') | (v == '{') | (v == ';') | (v == '[') |
                                  (v == '%') | (v == '<'));
    return (found[0] | found[1]) != 0;
}

/* Movetext is the bulk of most files. */
static size_t pass_over_text(struct ipr_str b, size_t i)
{
    while (b.n - i >= sizeof(bytes16) && !has_special(b.p + i))
        i += sizeof(bytes16);
    return section_skip_class(text_class, b, i);
}

static void text_byte(struct ipr_section_scan *s, char c)
{
    if (c == '{') {
        s->state = IPR_SECTION_BRACE;
        s->brace = s->at.offset;
    } else if (c == ';' || (c == '%' && s->line_start)) {
        s->state = IPR_SECTION_LINE;
    } else if (c == '[') {
        s->state = IPR_SECTION_BRACKET;
        s->bracket = s->at;
    } else if (c == '<') {
        s->state = IPR_SECTION_ANGLE;
    } else if (text_class[(unsigned char)c] == ORDINARY || c == '%') {
        s->moves_seen = true;
    }
}

/* True when the byte is the first of a name, so that the bracket opens a tag. */
static bool bracket_byte(struct ipr_section_scan *s, char c)
{
    if (c == ' ' || c == '\t')
        return false;
    if (!ipr_is_tag_name_char(c)) {
        s->state = IPR_SECTION_TEXT;
        s->moves_seen = true;
        text_byte(s, c);
        return false;
    }
    s->state = IPR_SECTION_TAG;
    s->tag = IPR_TAG_NAME;
    return true;
}

/* A < that begins no markup is one of the signs between moves. */
static void angle_byte(struct ipr_section_scan *s, char c)
{
    if (ipr_begins_markup(c)) {
        s->state = IPR_SECTION_MARKUP;
        return;
    }
    s->state = IPR_SECTION_TEXT;
    s->moves_seen = true;
    text_byte(s, c);
}

/* Returns the end of a tag of the usual form that begins at i, or i if it is any other. After moves
 * a tag begins a section, so it is looked at more closely. */
static size_t pass_over_tag(const struct ipr_section_scan *s, struct ipr_str b, size_t i)
{
    const char *const end = b.p + b.n, *p = b.p + i;

    if (s->moves_seen || p == end || *p != '[')
        return i;
    for (p++; p < end && ipr_is_tag_name_char(*p); p++)
        ;
    if (p == b.p + i + 1 || end - p < 2 || p[0] != ' ' || p[1] != '"')
        return i;
    p = ipr_plain_value(p + 2, end);
    return p != NULL ? (size_t)(p + 2 - b.p) : i;
}

/* Skips bytes which change nothing in this state. Returns where it stopped. */
static size_t section_skip(struct ipr_section_scan *s, struct ipr_str b, size_t i)
{
    size_t end = i;

    if (s->state == IPR_SECTION_TEXT) {
        end = pass_over_text(b, i);
        for (size_t k = i; k < end && !s->moves_seen; k++)
            s->moves_seen = text_class[(unsigned char)b.p[k]] == ORDINARY;
        end = pass_over_tag(s, b, end);
    } else if (s->state == IPR_SECTION_BRACE) {
        end = section_skip_class(brace_class, b, i);
    } else if (s->state == IPR_SECTION_LINE) {
        end = section_skip_class(line_class, b, i);
    } else if (s->state == IPR_SECTION_TAG && s->tag == IPR_TAG_NAME) {
        end = section_skip_class(name_class, b, i);
    } else if (s->state == IPR_SECTION_TAG && s->tag == IPR_TAG_STRING) {
        end = section_skip_class(string_class, b, i);
    }
    if (end != i) {
        s->at.offset += end - i;
        s->after_cr = s->line_start = false;
    }
    return end;
}

size_t ipr_section_next(struct ipr_section_scan *s, struct ipr_str bytes,
                        enum ipr_section_event *event)
{
    size_t i = 0;

    *event = IPR_SECTION_MORE;
    while ((i = section_skip(s, bytes, i)) < bytes.n) {
        const char c = bytes.p[i];
        bool nested = false;

        switch (s->state) {
        case IPR_SECTION_TEXT:
            text_byte(s, c);
            break;
        case IPR_SECTION_BRACE:
            nested = c == '{';
            if (c == '}')
                s->state = IPR_SECTION_TEXT;
            break;
        case IPR_SECTION_LINE:
            s->state = IPR_SECTION_TEXT;
            break;
        case IPR_SECTION_BRACKET:
            if (bracket_byte(s, c) && s->moves_seen) {
                s->moves_seen = false;
                *event = IPR_SECTION_BEGIN;
                return i;
            }
            break;
        case IPR_SECTION_TAG:
            s->tag = ipr_tag_step(s->tag, c);
            if (s->tag == IPR_TAG_CLOSED || s->tag == IPR_TAG_BROKEN)
                s->state = IPR_SECTION_TEXT;
            break;
        case IPR_SECTION_ANGLE:
            angle_byte(s, c);
            break;
        case IPR_SECTION_MARKUP:
            if (c == '>' || ipr_is_line_end(c))
                s->state = IPR_SECTION_TEXT;
            break;
        }
        s->at.offset++;
        s->at.line += ipr_is_line_end(c) && (c != '\n' || !s->after_cr);
        if (ipr_is_line_end(c))
            s->at.line_offset = s->at.offset;
        s->after_cr = c == '\r';
        s->line_start = ipr_is_line_end(c);
        i++;
        if (nested) {
            *event = IPR_SECTION_NESTED;
            return i;
        }
    }
    return i;
}

void ipr_place_advance(struct ipr_pgn_place *place, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!ipr_is_line_end(p[i]))
            continue;
        if (p[i] == '\r' && i + 1 < n && p[i + 1] == '\n')
            i++;
        place->line++;
        place->line_offset = place->offset + i + 1;
    }
    place->offset += n;
}

static bool is_tag_line(struct ipr_str line)
{
    size_t i = 1;

    if (line.n == 0 || line.p[0] != '[')
        return false;
    while (i < line.n && ipr_is_tag_name_char(line.p[i]))
        i++;
    if (i == 1)
        return false;
    while (i < line.n && (line.p[i] == ' ' || line.p[i] == '\t'))
        i++;
    return i < line.n && line.p[i] == '"';
}

size_t ipr_find_tag_line(struct ipr_str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (ipr_is_line_end(text.p[i]) &&
            is_tag_line((struct ipr_str){ text.p + i + 1, text.n - i - 1 }))
            return i + 1;
    return text.n;
}
