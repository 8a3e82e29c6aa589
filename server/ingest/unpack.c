#include "ingest/unpack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>

#include "base/mem.h"
#include "ingest/gunzip.h"

#define BLOCK_BYTES   ((size_t)64 * 1024)
#define MAX_RATIO     200
#define FREE_BYTES    ((int64_t)1024 * 1024)
#define MAX_ENTRIES   1000
#define MAX_WRAPPINGS 2 /* a compressed file inside a compressed request; more is an attack */

struct ipr_unpack {
    struct archive *archive;
    struct ipr_unpack_limits limits;
    int fd;
    bool regular;        /* a seekable file; else a pipe, read once from here on */
    int64_t start, size; /* of the packed bytes; size 0 when unknown */
    int64_t at;          /* current position in them */
    struct ipr_gunzip *gunzip[MAX_WRAPPINGS]; /* each reads from the one before, then none */
    size_t n_gunzip;
    struct ipr_gunzip *inner;  /* of a text that is gzip in another packing; NULL: none */
    const unsigned char *rest; /* of the text, read and not given yet */
    size_t n_rest;
    const unsigned char *first; /* the first block, which is looked at before it is given */
    ssize_t n_first;
    int64_t given; /* to libarchive */
    int64_t unpacked, entries;
    int io_errno;              /* of a failed read, 0 when none failed */
    bool has_bytes;            /* something was read */
    ipr_unpack_other_fn other; /* may be NULL */
    void *other_payload;
    char name[256];
    unsigned char block[BLOCK_BYTES], text[BLOCK_BYTES];
};

/* ---- packed bytes: pread, independent of the descriptor's position; read for a pipe ---- */

static ssize_t read_packed(void *payload, const unsigned char **bytes)
{
    struct ipr_unpack *u = payload;
    ssize_t n;

    do
        n = u->regular ? pread(u->fd, u->block, sizeof u->block, u->start + u->at)
                       : read(u->fd, u->block, sizeof u->block);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        u->io_errno = errno;
    else
        u->at += n;
    u->has_bytes = u->has_bytes || n > 0;
    *bytes = u->block;
    return n;
}

/* Without what gzip is around them. */
static ssize_t read_inner(struct ipr_unpack *u, const unsigned char **bytes)
{
    return u->n_gunzip == 0 ? read_packed(u, bytes)
                            : ipr_gunzip_read(u->gunzip[u->n_gunzip - 1], bytes);
}

/* The innermost layer that found its bytes damaged; NULL: none. */
static const char *gunzip_why(const struct ipr_unpack *u)
{
    for (size_t i = 0; i < u->n_gunzip; i++)
        if (ipr_gunzip_why(u->gunzip[i]) != NULL)
            return ipr_gunzip_why(u->gunzip[i]);
    return NULL;
}

/* Takes off gzip, as long as there is some: libarchive would not compare check sums. */
static void unpack_unwrap(struct ipr_unpack *u)
{
    u->n_first = read_packed(u, &u->first);
    while (u->n_gunzip < MAX_WRAPPINGS && u->n_first > 0 &&
           ipr_gunzip_is(u->first, (size_t)u->n_first)) {
        struct ipr_gunzip *const below = u->n_gunzip > 0 ? u->gunzip[u->n_gunzip - 1] : NULL;
        struct ipr_gunzip *const g =
            below != NULL ? ipr_gunzip_new(ipr_gunzip_read, below) : ipr_gunzip_new(read_packed, u);

        ipr_gunzip_feed(g, u->first, (size_t)u->n_first);
        u->gunzip[u->n_gunzip++] = g;
        u->n_first = ipr_gunzip_read(g, &u->first);
    }
}

/* ---- callbacks of libarchive ---- */

static la_ssize_t read_block(struct archive *a, void *data, const void **block)
{
    struct ipr_unpack *u = data;
    const unsigned char *bytes = u->first;
    const ssize_t n = bytes != NULL ? u->n_first : read_inner(u, &bytes);

    u->first = NULL;
    *block = bytes;
    if (n < 0) {
        const char *why = gunzip_why(u);

        archive_set_error(a, u->io_errno, "%s", why != NULL ? why : "read");
        return ARCHIVE_FATAL;
    }
    u->given += n;
    return n;
}

static la_int64_t seek_to(struct archive *a, void *data, la_int64_t offset, int whence)
{
    struct ipr_unpack *u = data;
    int64_t from = 0;

    (void)a;
    if (whence != SEEK_SET)
        from = whence == SEEK_CUR ? u->at : u->size;
    if (offset < -from || offset > u->size - from)
        return ARCHIVE_FATAL;
    u->first = NULL;
    u->at = from + offset;
    return u->at;
}

/* ---- errors --------------------------------------------------------------------------------- */

static enum ipr_code cannot_read(int cause, struct ipr_err *err)
{
    return ipr_err_set(err, IPR_EIO, "The file cannot be read: %s.", strerrordesc_np(cause));
}

static enum ipr_code no_memory(struct ipr_err *err)
{
    return ipr_err_set(err, IPR_ERETRY, "There is no memory to unpack the file.");
}

/* libarchive does not always say why it cannot open: set errno to 0 before. */
static enum ipr_code unpack_damaged(const struct ipr_unpack *u, struct ipr_err *err)
{
    const int cause = errno;
    const char *why = archive_error_string(u->archive);

    if (u->io_errno != 0)
        return cannot_read(u->io_errno, err);
    if (archive_errno(u->archive) == ENOMEM || (why == NULL && cause == ENOMEM))
        return no_memory(err);
    const char *const at = u->name[0] != '\0' ? ", at " : "";
    return why != NULL ? ipr_err_type(err, IPR_EPARSE, "bad_archive",
                                      "The file cannot be unpacked%s%s: %s.", at, u->name, why)
                       : ipr_err_type(err, IPR_EPARSE, "bad_archive",
                                      "The file cannot be unpacked%s%s.", at, u->name);
}

/* ---- opening -------------------------------------------------------------------------------- */

static bool open_archive(struct ipr_unpack *u)
{
    const bool seeks = u->regular && u->n_gunzip == 0;
    struct archive *a = u->archive;

    return archive_read_support_filter_zstd(a) == ARCHIVE_OK &&
           archive_read_support_filter_bzip2(a) == ARCHIVE_OK &&
           archive_read_support_format_raw(a) == ARCHIVE_OK &&
           archive_read_support_format_empty(a) == ARCHIVE_OK &&
           archive_read_support_format_zip(a) == ARCHIVE_OK &&
           archive_read_set_callback_data(a, u) == ARCHIVE_OK &&
           archive_read_set_read_callback(a, read_block) == ARCHIVE_OK &&
           (!seeks || archive_read_set_seek_callback(a, seek_to) == ARCHIVE_OK) &&
           archive_read_open1(a) == ARCHIVE_OK &&
           (size_t)archive_filter_count(a) + u->n_gunzip <= MAX_WRAPPINGS + 1;
}

static enum ipr_code start_reading(struct ipr_unpack *u, struct ipr_err *err)
{
    u->archive = archive_read_new();
    if (u->archive == NULL)
        return no_memory(err);
    unpack_unwrap(u);
    errno = 0;
    /* Opening reads the first block, to detect the packing. */
    const bool opened = open_archive(u);
    if (!u->has_bytes && u->io_errno == 0)
        return ipr_err_type(err, IPR_EPARSE, "empty_body", "There is nothing to read.");
    return opened ? IPR_OK : unpack_damaged(u, err);
}

enum ipr_code ipr_unpack_open(int fd, int64_t start, const struct ipr_unpack_limits *limits,
                              struct ipr_unpack **out, struct ipr_err *err)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return cannot_read(errno, err);
    struct ipr_unpack *u = ipr_xcalloc(1, sizeof *u);
    struct ipr_unpack_limits l = *limits;
    if (l.max_ratio == 0)
        l.max_ratio = MAX_RATIO;
    if (l.free_bytes == 0)
        l.free_bytes = FREE_BYTES;
    if (l.max_entries == 0)
        l.max_entries = MAX_ENTRIES;
    u->limits = l;
    u->fd = fd;
    u->regular = S_ISREG(st.st_mode);
    u->start = start;
    u->size = u->regular && st.st_size > start ? st.st_size - start : 0;
    const enum ipr_code rc = start_reading(u, err);
    if (rc == IPR_OK)
        *out = u;
    else
        ipr_unpack_close(&u);
    return rc;
}

void ipr_unpack_close(struct ipr_unpack **u)
{
    if (*u == NULL)
        return;
    ipr_gunzip_free(&(*u)->inner);
    archive_read_free((*u)->archive);
    for (size_t i = 0; i < (*u)->n_gunzip; i++)
        ipr_gunzip_free(&(*u)->gunzip[i]);
    free(*u);
    *u = NULL;
}

void ipr_unpack_on_other(struct ipr_unpack *u, ipr_unpack_other_fn fn, void *payload)
{
    u->other = fn;
    u->other_payload = payload;
}

/* ---- texts ---------------------------------------------------------------------------------- */

bool ipr_unpack_is_archive(const struct ipr_unpack *u)
{
    return (archive_format(u->archive) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP;
}

static bool ends_in(const char *name, const char *suffix)
{
    const size_t n = strlen(name), n_suffix = strlen(suffix);

    return n > n_suffix && strcasecmp(name + n - n_suffix, suffix) == 0;
}

/* "._game.pgn" is metadata that macOS packs with game.pgn, not a text. */
static bool name_wanted(const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *base = slash != NULL ? slash + 1 : name;

    return strncmp(base, "._", 2) != 0 && (ends_in(base, ".pgn") || ends_in(base, ".ndjson") ||
                                           ends_in(base, ".jsonl") || ends_in(base, ".json"));
}

/* In a locale without UTF-8 only the second form of the name may exist. */
static const char *entry_name(struct archive_entry *entry)
{
    const char *name = archive_entry_pathname(entry);

    if (name == NULL)
        name = archive_entry_pathname_utf8(entry);
    return name != NULL ? name : "";
}

/* The first bytes of a skipped file count towards no limit. If they are encrypted or damaged the
 * texts are not affected. */
static enum ipr_code unpack_skip(struct ipr_unpack *u, const char *name, struct ipr_err *err)
{
    char begin[IPR_UNPACK_BEGIN];
    size_t n = 0;

    if (u->other == NULL)
        return IPR_OK;
    while (n < sizeof begin) {
        const la_ssize_t more = archive_read_data(u->archive, begin + n, sizeof begin - n);

        if (more <= 0)
            break;
        n += (size_t)more;
    }
    archive_clear_error(u->archive);
    return u->other(u->other_payload, name, (struct ipr_str){ begin, n }, err);
}

/* ---- bytes of a text ---- */

/* An ipr_gunzip_fn of what libarchive unpacks. */
static ssize_t read_text(void *payload, const unsigned char **bytes)
{
    struct ipr_unpack *u = payload;
    la_ssize_t n;

    do
        n = archive_read_data(u->archive, u->text, sizeof u->text);
    while (n == ARCHIVE_RETRY);
    *bytes = u->text;
    return n < 0 ? -1 : n;
}

/* libarchive would not compare the check sums of gzip in another packing: it is taken off here. */
static enum ipr_code unpack_inner(struct ipr_unpack *u, struct ipr_err *err)
{
    const size_t wrappings = u->n_gunzip + (size_t)archive_filter_count(u->archive) - 1;
    const ssize_t n = read_text(u, &u->rest);

    if (n < 0)
        return unpack_damaged(u, err);
    u->n_rest = (size_t)n;
    if (!ipr_gunzip_is(u->rest, u->n_rest))
        return IPR_OK;
    if (wrappings >= MAX_WRAPPINGS)
        return ipr_err_type(err, IPR_EPARSE, "bad_archive",
                            "The file cannot be unpacked: it is packed more than %d times.",
                            MAX_WRAPPINGS);
    u->inner = ipr_gunzip_new(read_text, u);
    ipr_gunzip_feed(u->inner, u->rest, u->n_rest);
    u->n_rest = 0;
    return IPR_OK;
}

/* As archive_read_data; what was read ahead comes first. */
static la_ssize_t text_read(struct ipr_unpack *u, void *bytes, size_t size)
{
    if (u->n_rest == 0 && u->inner == NULL)
        return archive_read_data(u->archive, bytes, size);
    if (u->n_rest == 0) {
        const ssize_t n = ipr_gunzip_read(u->inner, &u->rest);

        if (n < 0 && ipr_gunzip_why(u->inner) != NULL)
            archive_set_error(u->archive, 0, "%s", ipr_gunzip_why(u->inner));
        if (n <= 0)
            return n < 0 ? ARCHIVE_FATAL : 0;
        u->n_rest = (size_t)n;
    }
    const size_t n = u->n_rest < size ? u->n_rest : size;
    memcpy(bytes, u->rest, n);
    u->rest += n;
    u->n_rest -= n;
    return (la_ssize_t)n;
}

enum ipr_code ipr_unpack_next(struct ipr_unpack *u, const char **name, struct ipr_err *err)
{
    struct archive_entry *entry;

    for (;;) {
        const int rc = archive_read_next_header(u->archive, &entry);

        if (rc == ARCHIVE_RETRY)
            continue;
        /* A damaged first block looks like an empty file, except for its error. */
        if (rc == ARCHIVE_EOF && archive_error_string(u->archive) == NULL) {
            *name = NULL;
            return IPR_OK;
        }
        if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN)
            return unpack_damaged(u, err);
        if (++u->entries > u->limits.max_entries)
            return ipr_err_type(err, IPR_ELIMIT, "too_many_files",
                                "The archive holds more than %lld files.",
                                (long long)u->limits.max_entries);
        if (!ipr_unpack_is_archive(u)) {
            u->name[0] = '\0';
            break;
        }
        snprintf(u->name, sizeof u->name, "%s", entry_name(entry));
        if (archive_entry_filetype(entry) != AE_IFREG)
            continue;
        if (name_wanted(entry_name(entry)))
            break;
        const enum ipr_code skipped = unpack_skip(u, entry_name(entry), err);
        if (skipped != IPR_OK)
            return skipped;
    }
    *name = u->name;
    return ipr_unpack_is_archive(u) ? IPR_OK : unpack_inner(u, err);
}

static enum ipr_code within_limits(const struct ipr_unpack *u, struct ipr_err *err)
{
    const int64_t packed = u->regular ? u->size : u->at;

    if (u->unpacked > u->limits.max_bytes)
        return ipr_err_type(err, IPR_ELIMIT, "too_large",
                            "Unpacked, the file is larger than the limit of %lld bytes.",
                            (long long)u->limits.max_bytes);
    if (u->unpacked > u->limits.free_bytes && u->unpacked / u->limits.max_ratio > packed)
        return ipr_err_type(err, IPR_ELIMIT, "too_large",
                            "The file unpacks to more than %lld times its size.",
                            (long long)u->limits.max_ratio);
    return IPR_OK;
}

/* The end of a compressed text must be the end of the file: what follows it would be lost. */
static enum ipr_code check_end(struct ipr_unpack *u, struct ipr_err *err)
{
    const void *block;

    if (ipr_unpack_is_archive(u) || archive_filter_count(u->archive) <= 1)
        return IPR_OK;
    if (archive_filter_bytes(u->archive, -1) < u->given || read_block(u->archive, u, &block) > 0)
        return ipr_err_type(err, IPR_EPARSE, "bad_archive",
                            "The file cannot be unpacked: it continues after its compressed part.");
    return u->io_errno != 0 ? cannot_read(u->io_errno, err) : IPR_OK;
}

enum ipr_code ipr_unpack_read(struct ipr_unpack *u, void *bytes, size_t size, size_t *n,
                              struct ipr_err *err)
{
    size_t got = 0;

    while (got < size) {
        const la_ssize_t more = text_read(u, (unsigned char *)bytes + got, size - got);

        if (more == ARCHIVE_RETRY)
            continue;
        if (more < 0)
            return unpack_damaged(u, err);
        if (more == 0) {
            const enum ipr_code rc = check_end(u, err);
            if (rc != IPR_OK)
                return rc;
            break;
        }
        got += (size_t)more;
        u->unpacked += more;
        const enum ipr_code rc = within_limits(u, err);
        if (rc != IPR_OK)
            return rc;
    }
    *n = got;
    return IPR_OK;
}

int64_t ipr_unpack_bytes(const struct ipr_unpack *u)
{
    return u->unpacked;
}

int64_t ipr_unpack_packed(const struct ipr_unpack *u)
{
    return u->at;
}
