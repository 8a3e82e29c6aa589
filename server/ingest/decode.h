#ifndef IPR_INGEST_GUNZIP_H
#define IPR_INGEST_GUNZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Unpacks gzip and compares the check sum and the length at the end of each of its parts, which
 * libarchive ignores. */

struct ipr_gunzip;

/** The next packed bytes, valid until the next call: their number, 0 at the end, -1 on failure. */
typedef ssize_t (*ipr_gunzip_fn)(void *payload, const unsigned char **bytes);

/** True if a file that begins so is gzip. */
bool ipr_gunzip_is(const unsigned char *bytes, size_t n);

struct ipr_gunzip *ipr_gunzip_new(ipr_gunzip_fn from, void *payload);
/** Bytes that were read before, to look at them: they come first. */
void ipr_gunzip_feed(struct ipr_gunzip *g, const unsigned char *bytes, size_t n);

void ipr_gunzip_free(struct ipr_gunzip **g); /* accepts NULL */

/** An ipr_gunzip_fn of the unpacked bytes; `payload` is the gunzip. -1 also where the packed bytes
 * are damaged or cut off, or where others follow them: see ipr_gunzip_why. */
ssize_t ipr_gunzip_read(void *payload, const unsigned char **bytes);

/** The fault of the packed bytes; NULL: they have none, reading them failed. */
const char *ipr_gunzip_why(const struct ipr_gunzip *g);

#endif
