#ifndef IPR_INGEST_DECODE_H
#define IPR_INGEST_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** Unpacks gzip, zstd or bzip2, one packing of it, check sums included. Several files one after the
 * other are one text; anything else behind them is a fault. */

enum ipr_packing { IPR_PACKED_NOT, IPR_PACKED_GZIP, IPR_PACKED_ZSTD, IPR_PACKED_BZIP2 };

/** More bytes, borrowed until the next call: their number, 0 at the end, -1 on failure. */
typedef ssize_t (*ipr_decode_fn)(void *payload, const unsigned char **bytes);

struct ipr_decode;

/** By the first bytes. */
enum ipr_packing ipr_packing_of(const unsigned char *bytes, size_t n);

/** From packed bytes of `from`, behind `n` that are there already; these are borrowed until the
 * first call of `from`. */
struct ipr_decode *ipr_decode_new(enum ipr_packing packing, const unsigned char *bytes, size_t n,
                                  ipr_decode_fn from, void *payload);
void ipr_decode_free(struct ipr_decode **d);

/** An ipr_decode_fn of what is unpacked; `payload` is the struct ipr_decode. */
ssize_t ipr_decode_read(void *payload, const unsigned char **bytes);

/** The fault in the packed bytes; NULL: none, or `from` has failed. */
const char *ipr_decode_why(const struct ipr_decode *d);

#endif
