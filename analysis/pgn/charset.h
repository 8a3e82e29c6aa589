#ifndef IPR_PGN_CHARSET_H
#define IPR_PGN_CHARSET_H

#include "base/mem.h"
#include "base/str.h"

/** Well-formed UTF-8: no overlong forms, no surrogates, nothing past U+10FFFF. */
bool ipr_utf8_valid(struct ipr_str s);

/** The text, held by the arena, with every byte read as Windows-1252. */
struct ipr_str ipr_cp1252_to_utf8(struct ipr_arena *mem, struct ipr_str s);

#endif
