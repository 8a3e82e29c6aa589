#ifndef IPR_PACK_TEST_H
#define IPR_PACK_TEST_H

#include <stddef.h>

/* Uploads made in memory: each returns a descriptor like that of a spooled file, positioned at
 * its start; the test closes it. They abort when they fail. */

int ipr_pack_plain(const void *bytes, size_t n);
/** filter: "gzip", "zstd" or "bzip2". */
int ipr_pack_filtered(const char *filter, const void *bytes, size_t n);

struct ipr_pack_entry {
    const char *name; /* "" ends a list; a name that ends in '/' is a folder */
    const char *text;
};
int ipr_pack_zip(const struct ipr_pack_entry *entries);
/** The same, but nobody can read it without the password. */
int ipr_pack_zip_encrypted(const struct ipr_pack_entry *entries);

/** The bytes of `a` and `b` one after the other; both are closed. */
int ipr_pack_joined(int a, int b);
/** The first `n` bytes, at most all, of a descriptor, which is closed. */
int ipr_pack_cut(int fd, size_t n);

#endif
