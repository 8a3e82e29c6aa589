#ifndef IPR_BASE_JSON_SCAN_H
#define IPR_BASE_JSON_SCAN_H

#include <stdbool.h>

#include "base/str.h"

/**
 * A JSON reader (RFC 8259) that allocates nothing, for large values of which little is needed. A
 * scan is a position in a borrowed text; copies of it read independently. Errors are sticky: after
 * malformed JSON, or a value of another kind than requested, every call returns false and `bad` is
 * set, so that one check at the end is enough. Strings are returned raw, with their escapes.
 */
struct ipr_scan {
    const char *p, *end;
    unsigned depth; /* of open arrays and objects, entered or skipped; at most IPR_SCAN_DEPTH */
    bool first;     /* just behind an opening bracket */
    bool bad;
};

#define IPR_SCAN_DEPTH 32

struct ipr_scan ipr_scan_of(struct ipr_str text);

/** First byte of the next value: one of { [ " t f n - 0 … 9, '\0' at the end or after failure. */
char ipr_scan_peek(struct ipr_scan *s);

/** Enters an array; _next is true while there is an element to read, and leaves it at the end. */
bool ipr_scan_array(struct ipr_scan *s);
bool ipr_scan_next(struct ipr_scan *s);

/** Enters an object; _member is true while there is a value to read, and leaves it at the end. */
bool ipr_scan_object(struct ipr_scan *s);
bool ipr_scan_member(struct ipr_scan *s, struct ipr_str *name);

/** Reads one value; _integer fails outside [lo, hi] and with fraction or exponent. */
bool ipr_scan_string(struct ipr_scan *s, struct ipr_str *out);
bool ipr_scan_integer(struct ipr_scan *s, int64_t lo, int64_t hi, int64_t *out);
bool ipr_scan_null(struct ipr_scan *s);

/** Skips one value of any kind; `out` (may be NULL) is its text. */
bool ipr_scan_skip(struct ipr_scan *s, struct ipr_str *out);

/** True when only white space is left and no call failed. */
bool ipr_scan_done(struct ipr_scan *s);

#endif
