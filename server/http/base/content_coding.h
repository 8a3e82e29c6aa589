#ifndef IPR_HTTP_CONTENT_CODING_H
#define IPR_HTTP_CONTENT_CODING_H

#include <stdbool.h>

#include "base/str.h"

/* Content codings of answers (RFC 9110, 12.5.3). */

enum ipr_coding {
    IPR_CODING_NONE, /* identity */
    IPR_CODING_ZSTD,
    IPR_CODING_GZIP,
    IPR_CODINGS,
    IPR_CODING_UNACCEPTABLE = IPR_CODINGS, /* the client refuses all of them */
};

/** The next item of a header like Accept or Accept-Encoding, "gzip ; q=0.5", and its weight: 1
 * without q, 0 for a q that is not a number from 0 to 1. False at the end. */
bool ipr_accept_next(struct ipr_str *list, struct ipr_str *item, double *weight);

/** "gzip"; "" for identity. */
const char *ipr_coding_name(enum ipr_coding coding);

/** True if a body of this Content-Type and length is worth compressing. */
bool ipr_coding_pays(const char *content_type, size_t n);

/** The coding for a client with this Accept-Encoding (NULL: none). `pays` false: identity, unless
 * the client refuses it. */
enum ipr_coding ipr_coding_choose(const char *accept, bool pays);

/** Appends `in` compressed, at a level for bodies made for one request or, with `once`, at a higher
 * one for bodies compressed once and sent many times. The result is deterministic. */
void ipr_coding_apply(enum ipr_coding coding, bool once, struct ipr_str in, struct ipr_buf *out);

/** The same for a body in pieces. */
struct ipr_coder;
struct ipr_coder *ipr_coder_new(enum ipr_coding coding, bool once);
/** Appends a piece, so that the client can decompress everything sent so far; `last`: with the end
 * of the body. */
void ipr_coder_add(struct ipr_coder *c, struct ipr_str in, bool last, struct ipr_buf *out);
void ipr_coder_free(struct ipr_coder **c);

#endif
