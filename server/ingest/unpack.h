#ifndef IPR_INGEST_UNPACK_H
#define IPR_INGEST_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

/* Unpacks plain, gzip, zstd, bzip2 or zip bytes into plain texts, in order, and bounds their size.
 * A zip that comes through a pipe or packed is written to a file without a name, since its list is
 * at its end; nothing else is written to disk. */

struct ipr_unpack_limits {
    int64_t max_bytes;   /* of all texts together */
    int64_t max_ratio;   /* unpacked to packed, from free_bytes on; 0: 200 */
    int64_t free_bytes;  /* unpacked size below which the ratio does not matter; 0: 1 MiB */
    int64_t max_entries; /* of an archive, of any kind; 0: 1000 */
};

struct ipr_unpack;

#define IPR_UNPACK_BEGIN 512 /* bytes, enough to recognise a tar */

/** Called for a file of a zip that is skipped because it is not a text by its name; not for
 * folders. `begin` is its first bytes, at most IPR_UNPACK_BEGIN, fewer or none when they cannot be
 * read. Both are borrowed during the call. A code other than IPR_OK stops. */
typedef enum ipr_code (*ipr_unpack_other_fn)(void *payload, const char *name, struct ipr_str begin,
                                             struct ipr_err *err);

/**
 * Starts to read `fd`. A regular file is read from `start` on, without changing its position;
 * anything else, such as a pipe, is read once from its current position, and its ratio is that of
 * the bytes so far. IPR_EPARSE "bad_archive" when its packing is not supported, "empty_body" when
 * it is empty.
 */
IPR_CHECK enum ipr_code ipr_unpack_open(int fd, int64_t start,
                                        const struct ipr_unpack_limits *limits,
                                        struct ipr_unpack **out, struct ipr_err *err);
void ipr_unpack_close(struct ipr_unpack **u);

/** Sets the callback of ipr_unpack_next for skipped files. */
void ipr_unpack_on_other(struct ipr_unpack *u, ipr_unpack_other_fn fn, void *payload);

/**
 * Goes to the next text: the whole of a plain or compressed file, or the next file of a zip whose
 * name ends in .pgn, .ndjson, .jsonl or .json. `name` is "" for the former, else its name in the
 * archive, borrowed until the next call, NULL at the end.
 */
IPR_CHECK enum ipr_code ipr_unpack_next(struct ipr_unpack *u, const char **name,
                                        struct ipr_err *err);

/** Reads more of the current text; `*n` is 0 at its end, less than `size` only there. IPR_EPARSE
 * "bad_archive" when the bytes are damaged, IPR_ELIMIT "too_large" or "too_many_files" past a
 * limit.
 */
IPR_CHECK enum ipr_code ipr_unpack_read(struct ipr_unpack *u, void *bytes, size_t size, size_t *n,
                                        struct ipr_err *err);

/** Bytes of text read so far. */
int64_t ipr_unpack_bytes(const struct ipr_unpack *u);

/** Bytes of the file read so far, packed as they are; of a zip the position in it. */
int64_t ipr_unpack_packed(const struct ipr_unpack *u);

/** True if it is an archive of files, of which single ones may be faulty. */
bool ipr_unpack_is_archive(const struct ipr_unpack *u);

#endif
