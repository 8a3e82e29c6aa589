#ifndef IPR_PGN_SECTION_H
#define IPR_PGN_SECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Cutting the input into sections: a tag section with the movetext after it. Internal. */

/** A place in the input. */
struct ipr_pgn_place {
    uint64_t offset;      /* of the byte */
    uint64_t line_offset; /* of the first byte of its line */
    uint32_t line;        /* 1-based */
};

enum ipr_section_state {
    IPR_SECTION_TEXT,    /* between tags, and in movetext */
    IPR_SECTION_BRACE,   /* in a {comment} */
    IPR_SECTION_LINE,    /* in a ; comment or a % line */
    IPR_SECTION_BRACKET, /* after [, which opens a tag only when a name follows */
    IPR_SECTION_TAG,     /* the rest as in enum ipr_tag_state */
    IPR_SECTION_ANGLE,   /* after <, which begins markup only when a letter or / follows */
    IPR_SECTION_MARKUP,  /* in <markup>, which ends with its line at the latest */
};

/** A tag ends at the ] after its closing quote, or with its line. A quote closes only when ] is
 * the next thing, so that unescaped quotes inside a value do no harm. An escaped quote closes too
 * when ] is the next thing and the last of the line: a value that ends with a backslash which its
 * writer did not escape. */
enum ipr_tag_state {
    IPR_TAG_NAME,
    IPR_TAG_STRING,
    IPR_TAG_ESCAPE,
    IPR_TAG_QUOTE,
    IPR_TAG_ESCAPED_QUOTE,
    IPR_TAG_ESCAPED_END, /* at the ] after one */
    IPR_TAG_CLOSED,      /* at the ] */
    IPR_TAG_BROKEN,      /* ] before any value, or the line ended */
};

enum ipr_tag_state ipr_tag_step(enum ipr_tag_state state, char c);

/** The common form of a value: printable ASCII without quote and backslash, and "] at once. Returns
 * its closing quote, NULL when the value is any other. `p` is after the opening quote. */
const char *ipr_plain_value(const char *p, const char *end);

struct ipr_section_scan {
    enum ipr_section_state state;
    enum ipr_tag_state tag;
    bool moves_seen; /* something other than tags and comments since the section began */
    bool line_start;
    bool after_cr;
    struct ipr_pgn_place at;      /* the next byte */
    struct ipr_pgn_place bracket; /* the last [ in text */
    uint64_t brace;               /* offset of the last { in text */
};

enum ipr_section_event {
    IPR_SECTION_MORE,  /* all bytes consumed */
    IPR_SECTION_BEGIN, /* a new section began at `bracket`; the bytes up to its name are consumed */
    IPR_SECTION_NESTED /* a { inside the comment at `brace`: it may never have been closed */
};

void ipr_section_init(struct ipr_section_scan *s, struct ipr_pgn_place at);

/** Consumes bytes up to the next event and returns their number. */
size_t ipr_section_next(struct ipr_section_scan *s, struct ipr_str bytes,
                        enum ipr_section_event *event);

/** Moves a place forward over text. CR, LF and CRLF end a line. */
void ipr_place_advance(struct ipr_pgn_place *place, const char *p, size_t n);

/** Offset of the first line that begins like a tag pair, or n. */
size_t ipr_find_tag_line(struct ipr_str text);

/** Begins the name in <br />, </p>: remains of web pages between tags and moves. The PGN standard
 * reserves < and > for future use. */
static inline bool ipr_begins_markup(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '/';
}

static inline bool ipr_is_tag_name_char(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static inline bool ipr_is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

#endif
