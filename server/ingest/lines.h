#ifndef IPR_INGEST_LINES_H
#define IPR_INGEST_LINES_H

#include <stdbool.h>

#include "base/str.h"

/* Splits a stream of bytes into lines, with bounded memory. */

/** `line` without its end, borrowed during the call; `too_long` when it exceeds the limit, then
 * `line` is truncated. Blank lines are skipped. A code other than IPR_OK stops. */
typedef enum ipr_code (*ipr_line_fn)(void *payload, struct ipr_str line, uint32_t line_no,
                                     bool too_long, struct ipr_err *err);

struct ipr_lines {
    struct ipr_buf buf; /* the line so far; its cap is the limit */
    uint32_t line_no;   /* of the line so far, 1-based */
    uint64_t offset;    /* of its first byte */
    uint64_t fed;       /* bytes so far */
    ipr_line_fn fn;
    void *payload;
};

/** A byte order mark at the start is skipped. */
void ipr_lines_init(struct ipr_lines *l, size_t max_line, ipr_line_fn fn, void *payload);
IPR_CHECK enum ipr_code ipr_lines_feed(struct ipr_lines *l, const void *bytes, size_t n,
                                       struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_lines_finish(struct ipr_lines *l, struct ipr_err *err);
void ipr_lines_release(struct ipr_lines *l);

#endif
