#ifndef IPR_PGN_CHARSET_H
#define IPR_PGN_CHARSET_H

#include "base/mem.h"
#include "base/str.h"

/** Well-formed UTF-8: no overlong forms, no surrogates, nothing past U+10FFFF. */
bool ipr_utf8_valid(struct ipr_str s);

/** The encodings that some texts were read in, together. */
struct ipr_encoding {
    bool cp1252;          /* one at least was no UTF-8 and was read as Windows-1252 */
    uint32_t undecodable; /* bytes without a character: 81 8D 8F 90 9D */
};

/** A text as UTF-8: unchanged if valid, else converted from Windows-1252, with U+FFFD for undefined
 * bytes, in memory of the arena. Adds to `seen`. */
struct ipr_str ipr_text_to_utf8(struct ipr_arena *mem, struct ipr_str s, struct ipr_encoding *seen);

#endif
