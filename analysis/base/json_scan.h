#ifndef IPR_BASE_JSON_SCAN_H
#define IPR_BASE_JSON_SCAN_H

#include <stdbool.h>

#include "base/str.h"

/**
 * A reader of JSON text (RFC 8259) that builds nothing, for large values of which little is wanted.
 * A scan is a place in a borrowed text; copies of it read on independently. Failure is sticky:
 * after text that is no JSON, or not what was asked for, every call says no and `bad` is set, so
 * read freely and look once. The bytes of strings are handed out as they stand, escapes and all.
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

/** Passes over one value of any kind; `out` (may be NULL) is its text. */
bool ipr_scan_skip(struct ipr_scan *s, struct ipr_str *out);

/** True when nothing but white space is left and nothing failed. */
bool ipr_scan_done(struct ipr_scan *s);

#endif
