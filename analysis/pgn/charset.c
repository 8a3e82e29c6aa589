#include "pgn/charset.h"

#include <string.h>

/* Length of the well-formed sequence at p, 0 if there is none. */
static size_t utf8_sequence(const unsigned char *p, size_t n)
{
    const unsigned lead = p[0];
    size_t length;
    unsigned lo = 0x80, hi = 0xBF; /* of the second byte: excludes overlong forms and surrogates */

    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        length = 2;
    else if (lead >= 0xE0 && lead <= 0xEF)
        length = 3;
    else if (lead >= 0xF0 && lead <= 0xF4)
        length = 4;
    else
        return 0;
    if (lead == 0xE0)
        lo = 0xA0;
    else if (lead == 0xED)
        hi = 0x9F;
    else if (lead == 0xF0)
        lo = 0x90;
    else if (lead == 0xF4)
        hi = 0x8F;
    if (length > n || p[1] < lo || p[1] > hi)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

bool ipr_utf8_valid(struct ipr_str s)
{
    const unsigned char *const p = (const unsigned char *)s.p;
    size_t i = 0;

    while (i < s.n) {
        uint64_t eight;

        if (s.n - i >= sizeof eight) {
            memcpy(&eight, p + i, sizeof eight);
            if ((eight & UINT64_C(0x8080808080808080)) == 0) {
                i += sizeof eight;
                continue;
            }
        }
        const size_t length = utf8_sequence(p + i, s.n - i);
        if (length == 0)
            return false;
        i += length;
    }
    return true;
}

/* 0x80 to 0x9F; the five bytes without a character become U+FFFD. */
static const uint16_t upper_control[32] = {
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178,
};

static unsigned code_point(char c)
{
    const unsigned byte = (unsigned char)c;

    return byte >= 0x80 && byte < 0xA0 ? upper_control[byte - 0x80] : byte;
}

struct ipr_str ipr_text_to_utf8(struct ipr_arena *mem, struct ipr_str s, struct ipr_encoding *seen)
{
    size_t size = 0, n = 0;

    if (ipr_utf8_valid(s))
        return s;
    seen->cp1252 = true;
    for (size_t i = 0; i < s.n; i++) {
        const unsigned c = code_point(s.p[i]);

        size += 1u + (c >= 0x80) + (c >= 0x800);
        seen->undecodable += c == 0xFFFD;
    }
    char *const out = ipr_arena_alloc(mem, size + 1, 1);
    for (size_t i = 0; i < s.n; i++) {
        const unsigned c = code_point(s.p[i]);

        if (c < 0x80) {
            out[n++] = (char)c;
        } else if (c < 0x800) {
            out[n++] = (char)(0xC0 | c >> 6);
            out[n++] = (char)(0x80 | (c & 0x3F));
        } else {
            out[n++] = (char)(0xE0 | c >> 12);
            out[n++] = (char)(0x80 | (c >> 6 & 0x3F));
            out[n++] = (char)(0x80 | (c & 0x3F));
        }
    }
    return (struct ipr_str){ out, n };
}
