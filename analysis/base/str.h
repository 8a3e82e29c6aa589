#ifndef IPR_BASE_STR_H
#define IPR_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** A borrowed piece of text; not terminated. */
struct ipr_str {
    const char *p;
    size_t n;
};

#define IPR_STR(literal) ((struct ipr_str){ (literal), sizeof(literal) - 1 })

struct ipr_str ipr_str_c(const char *s); /* NULL gives an empty one */
bool ipr_str_eq(struct ipr_str a, struct ipr_str b);
bool ipr_str_is(struct ipr_str a, const char *b);
bool ipr_str_is_like(struct ipr_str a, const char *b); /* ASCII letters of either case */
struct ipr_str ipr_str_trim(struct ipr_str s);         /* ASCII white space on both sides */

/** Next token separated by spaces or tabs; false at the end. `rest` advances. */
bool ipr_str_word(struct ipr_str *rest, struct ipr_str *word);

/**
 * The whole of `s` as a decimal number within [lo, hi]; false otherwise, `out` untouched.
 * The one way in which text becomes a number here.
 */
bool ipr_str_int(struct ipr_str s, int64_t lo, int64_t hi, int64_t *out);
bool ipr_str_double(struct ipr_str s, double lo, double hi, double *out);

/**
 * A growing buffer. Overflow is sticky: beyond `cap` bytes nothing more is appended and `over` is
 * set, so that one check at the end is enough. NUL-terminated after the first append.
 */
struct ipr_buf {
    char *p;
    size_t n, size;
    size_t cap; /* 0: no cap */
    bool over;
};

#define IPR_BUF_INIT                                                                               \
    {                                                                                              \
        NULL, 0, 0, 0, false                                                                       \
    }

void ipr_buf_add(struct ipr_buf *b, const void *bytes, size_t n);
void ipr_buf_puts(struct ipr_buf *b, const char *s);
void ipr_buf_putc(struct ipr_buf *b, char c);
void ipr_buf_put_int(struct ipr_buf *b, int64_t value); /* decimal; much faster than printf */
void ipr_buf_put_varint(struct ipr_buf *b,
                        uint64_t value); /* LEB128: 7 bits a byte, lowest first */
void ipr_buf_printf(struct ipr_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void ipr_buf_reset(struct ipr_buf *b);   /* empties it, keeps its memory */
void ipr_buf_release(struct ipr_buf *b); /* frees its memory */
char *ipr_buf_steal(struct ipr_buf *b);  /* terminated; caller frees; buffer is empty after */
const char *ipr_buf_c(const struct ipr_buf *b); /* terminated, "" when empty */

/** Bytes left to read; `bad` is set by reading beyond the end and by a malformed number. */
struct ipr_bytes {
    const unsigned char *p, *end;
    bool bad;
};

/** A number up to `most`, at most 63 bits; 0 when bad. Any encoding but the shortest is refused, so
 * that equal numbers are equal bytes. */
uint64_t ipr_bytes_varint(struct ipr_bytes *bytes, uint64_t most);

/** YYYYMMDD of "2024-03-07", with `fill` for a month and a day that are not known. Returns how many
 * of the three are known. */
int ipr_date_read(const char *text, char hyphen, int fill, int *day_number);

/** True of YYYY, YYYY-MM and YYYY-MM-DD. */
bool ipr_date_is(const char *text);

#endif
