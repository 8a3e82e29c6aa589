#ifndef IPR_EDGE_FRAMING_H
#define IPR_EDGE_FRAMING_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/*
 * Where each request of a connection begins and ends, by RFC 9112 read strictly. Two programs that
 * disagree on that can be made to answer what nobody sent (request smuggling), so everything that
 * servers are known to read differently is a fault: a bare LF, NUL and other control characters,
 * folded lines, a space before the colon, more than one Content-Length, Host, Origin or
 * Transfer-Encoding, Content-Length with Transfer-Encoding, any coding but "chunked".
 */

/** Limits of a head, and of the trailers after a chunked body; a head that is within them fits
 * into the memory that libmicrohttpd has for it. */
#define IPR_FRAMING_HEAD_MAX   ((size_t)16 * 1024)
#define IPR_FRAMING_FIELDS_MAX 100u
#define IPR_FRAMING_PARTS_MAX  256u /* parameters of the query; cookies */
#define IPR_FRAMING_CHUNK_LINE ((size_t)256)

enum ipr_framing_part {
    IPR_FRAMING_IDLE, /* nothing of a request was received yet */
    IPR_FRAMING_FIELDS,
    IPR_FRAMING_SIZED, /* a body of Content-Length */
    IPR_FRAMING_CHUNK_SIZE,
    IPR_FRAMING_CHUNK,
    IPR_FRAMING_CHUNK_END,
    IPR_FRAMING_TRAILERS
};

/** The state of one connection. All 0 to begin with. */
struct ipr_framing {
    enum ipr_framing_part part;
    struct ipr_buf line; /* the beginning of a line that has not ended */
    size_t head;         /* bytes of the head, or of the trailers */
    unsigned fields;
    uint64_t rest; /* bytes of the body, or of its chunk, still to come */
    bool old;      /* HTTP/1.0 */
    bool blank;    /* an empty line before the request line was skipped */
    unsigned seen; /* fields that occur once */
    /** The first fault: a type of problem, with its detail; NULL: none. Nothing is read after it.
     */
    const char *fault, *detail;
};

/** Reads what was received. The number of bytes that belong to requests without a fault: `n`, or
 * fewer when a fault was found, those of the requests that ended before. */
size_t ipr_framing_take(struct ipr_framing *f, const char *data, size_t n);

/** True if it waits for the rest of a head. */
bool ipr_framing_in_head(const struct ipr_framing *f);
/** True if it waits for the rest of a body: of sizes of its chunks and of trailers, too. */
bool ipr_framing_in_body(const struct ipr_framing *f);

void ipr_framing_release(struct ipr_framing *f);

#endif
