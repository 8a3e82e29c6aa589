#include "ingest/unpack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zip.h>

#include "base/mem.h"
#include "ingest/decode.h"

#define BLOCK_BYTES   ((size_t)64 * 1024)
#define MAX_RATIO     200
#define FREE_BYTES    ((int64_t)1024 * 1024)
#define MAX_ENTRIES   1000
#define MAX_WRAPPINGS 2 /* a compressed file inside a compressed request; more is an attack */

struct ipr_unpack {
    struct ipr_unpack_limits limits;
    int fd;
    bool regular;        /* a seekable file; else a pipe, read once from here on */
    int64_t start, size; /* of the packed bytes; size 0 when unknown */
    int64_t at;          /* current position in them */
    struct ipr_decode *layer[MAX_WRAPPINGS]; /* each reads from the one before */
    size_t n_layers;
    ipr_decode_fn read; /* of the last of them, or of the file */
    void *of;
    const unsigned char *rest; /* of the text, read and not given yet */
    size_t n_rest;
    zip_t *zip;       /* NULL: it is one text */
    zip_file_t *file; /* of it, that is read; NULL: none */
    FILE *copy;       /* of a zip that cannot be searched where it is; NULL: none */
    int64_t unpacked, entries;
    int io_errno;              /* of a failed read, 0 when none failed */
    bool given;                /* the one text */
    ipr_unpack_other_fn other; /* may be NULL */
    void *other_payload;
    char name[256];
    unsigned char block[BLOCK_BYTES];
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
    *bytes = u->block;
    return n;
}

/* ---- errors --------------------------------------------------------------------------------- */

static enum ipr_code cannot_read(int cause, struct ipr_err *err)
{
    return ipr_err_set(err, IPR_EIO, "The file cannot be read: %s.", strerrordesc_np(cause));
}

static enum ipr_code unpack_damaged(const struct ipr_unpack *u, const char *why,
                                    struct ipr_err *err)
{
    if (u->io_errno != 0)
        return cannot_read(u->io_errno, err);
    for (size_t i = 0; i < u->n_layers && why == NULL; i++) /* the innermost that found it so */
        why = ipr_decode_why(u->layer[i]);
    const char *const at = u->name[0] != '\0' ? ", at " : "";
    return ipr_err_type(err, IPR_EPARSE, "bad_archive", "The file cannot be unpacked%s%s: %s.", at,
                        u->name, why != NULL ? why : "it is damaged");
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

/* ---- zip ------------------------------------------------------------------------------------ */

/* A source of libzip's for a file as it lies, from `start` on, whatever moves its position. */
static zip_int64_t zip_serve(void *payload, void *data, zip_uint64_t n, zip_source_cmd_t what)
{
    struct ipr_unpack *u = payload;
    ssize_t got;

    switch ((unsigned)what) {
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                              ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
                                              ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, -1);
    case ZIP_SOURCE_OPEN:
        u->at = 0;
        return 0;
    case ZIP_SOURCE_READ:
        do
            got = pread(u->fd, data, n, u->start + u->at);
        while (got < 0 && errno == EINTR);
        u->io_errno = got < 0 ? errno : u->io_errno;
        u->at += got > 0 ? got : 0;
        return got;
    case ZIP_SOURCE_SEEK:
        got = zip_source_seek_compute_offset((zip_uint64_t)u->at, (zip_uint64_t)u->size, data, n,
                                             NULL);
        u->at = got >= 0 ? got : u->at;
        return got >= 0 ? 0 : -1;
    case ZIP_SOURCE_TELL:
        return u->at;
    case ZIP_SOURCE_STAT:
        zip_stat_init(data);
        ((zip_stat_t *)data)->valid = ZIP_STAT_SIZE;
        ((zip_stat_t *)data)->size = (zip_uint64_t)u->size;
        return sizeof(zip_stat_t);
    case ZIP_SOURCE_ERROR:
        ((int *)data)[0] = ZIP_ER_READ;
        ((int *)data)[1] = u->io_errno;
        return 2 * sizeof(int);
    default:
        return 0;
    }
}

/* A zip has its list at its end: one that comes through a pipe, or packed, is written down first.
 */
static enum ipr_code zip_copy(struct ipr_unpack *u, struct ipr_err *err)
{
    const unsigned char *bytes = u->rest;
    ssize_t n = (ssize_t)u->n_rest;
    enum ipr_code rc = IPR_OK;

    u->copy = tmpfile();
    if (u->copy == NULL)
        return cannot_read(errno, err);
    for (; rc == IPR_OK && n > 0; n = rc == IPR_OK ? u->read(u->of, &bytes) : 0) {
        u->unpacked += n;
        rc = within_limits(u, err);
        if (rc == IPR_OK && fwrite(bytes, 1, (size_t)n, u->copy) != (size_t)n)
            rc = cannot_read(errno, err);
    }
    if (rc == IPR_OK && n < 0)
        rc = unpack_damaged(u, NULL, err);
    if (rc == IPR_OK && fflush(u->copy) != 0)
        rc = cannot_read(errno, err);
    u->fd = fileno(u->copy);
    u->start = 0;
    u->size = u->unpacked;
    u->regular = true;
    u->unpacked = 0;
    return rc;
}

static enum ipr_code zip_begin(struct ipr_unpack *u, struct ipr_err *err)
{
    zip_error_t why;
    enum ipr_code rc = u->regular && u->n_layers == 0 ? IPR_OK : zip_copy(u, err);

    if (rc != IPR_OK)
        return rc;
    zip_error_init(&why);
    zip_source_t *source = zip_source_function_create(zip_serve, u, &why);
    if (source != NULL)
        u->zip = zip_open_from_source(source, ZIP_RDONLY, &why);
    if (u->zip == NULL) {
        zip_source_free(source);
        rc = unpack_damaged(u, zip_error_strerror(&why), err);
    }
    zip_error_fini(&why);
    return rc;
}

/* ---- opening -------------------------------------------------------------------------------- */

/* Takes the packings off, and opens a zip, by its first bytes. */
static enum ipr_code start_reading(struct ipr_unpack *u, struct ipr_err *err)
{
    enum ipr_packing packing = IPR_PACKED_NOT;
    ssize_t n = read_packed(u, &u->rest);

    if (n == 0)
        return ipr_err_type(err, IPR_EPARSE, "empty_body", "There is nothing to read.");
    while (n > 0 && (packing = ipr_packing_of(u->rest, (size_t)n)) != IPR_PACKED_NOT) {
        if (u->n_layers == MAX_WRAPPINGS)
            return ipr_err_type(err, IPR_EPARSE, "bad_archive",
                                "The file cannot be unpacked: it is packed more than %d times.",
                                MAX_WRAPPINGS);
        struct ipr_decode *d = ipr_decode_new(packing, u->rest, (size_t)n, u->read, u->of);
        u->layer[u->n_layers++] = d;
        u->read = ipr_decode_read;
        u->of = d;
        n = u->read(u->of, &u->rest);
    }
    if (n < 0)
        return unpack_damaged(u, NULL, err);
    u->n_rest = (size_t)n;
    const bool zip =
        n > 3 && (memcmp(u->rest, "PK\3\4", 4) == 0 || memcmp(u->rest, "PK\5\6", 4) == 0);
    if (!zip && (n < 2 || memcmp(u->rest, "MZ", 2) != 0)) /* a program that unpacks itself */
        return IPR_OK;
    return zip_begin(u, err);
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
    u->read = read_packed;
    u->of = u;
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
    if ((*u)->file != NULL)
        zip_fclose((*u)->file);
    if ((*u)->zip != NULL)
        zip_discard((*u)->zip);
    if ((*u)->copy != NULL)
        fclose((*u)->copy);
    for (size_t i = 0; i < (*u)->n_layers; i++)
        ipr_decode_free(&(*u)->layer[i]);
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
    return u->zip != NULL;
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

/* The first bytes of a skipped file count towards no limit. If they are encrypted or damaged the
 * texts are not affected. */
static enum ipr_code unpack_skip(struct ipr_unpack *u, zip_uint64_t i, const char *name,
                                 struct ipr_err *err)
{
    char begin[IPR_UNPACK_BEGIN];
    zip_file_t *file = u->other != NULL ? zip_fopen_index(u->zip, i, 0) : NULL;
    const zip_int64_t n = file != NULL ? zip_fread(file, begin, sizeof begin) : 0;
    const struct ipr_str bytes = { begin, n > 0 ? (size_t)n : 0 };

    if (file != NULL)
        zip_fclose(file);
    return u->other != NULL ? u->other(u->other_payload, name, bytes, err) : IPR_OK;
}

/* Neither a folder nor a link. */
static bool entry_is_file(zip_t *zip, zip_uint64_t i, const char *name)
{
    zip_uint8_t system = 0;
    zip_uint32_t attributes = 0;

    (void)zip_file_get_external_attributes(zip, i, 0, &system, &attributes);
    const mode_t kind = system == ZIP_OPSYS_UNIX ? (attributes >> 16) & S_IFMT : 0;
    return (kind == 0 || kind == S_IFREG) && name[0] != '\0' && name[strlen(name) - 1] != '/';
}

/* The next file of a zip that is a text. */
static enum ipr_code zip_next(struct ipr_unpack *u, const char **name, struct ipr_err *err)
{
    const zip_int64_t n = zip_get_num_entries(u->zip, 0);
    enum ipr_code rc = IPR_OK;

    if (n > u->limits.max_entries)
        return ipr_err_type(err, IPR_ELIMIT, "too_many_files",
                            "The archive holds more than %lld files.",
                            (long long)u->limits.max_entries);
    if (u->file != NULL)
        zip_fclose(u->file);
    u->file = NULL;
    while (rc == IPR_OK && u->entries < n) {
        const zip_uint64_t i = (zip_uint64_t)u->entries++;
        const char *of = zip_get_name(u->zip, i, ZIP_FL_ENC_GUESS);
        zip_stat_t about = { 0 };

        if (of == NULL || !entry_is_file(u->zip, i, of))
            continue;
        snprintf(u->name, sizeof u->name, "%s", of);
        if (!name_wanted(u->name)) {
            rc = unpack_skip(u, i, u->name, err);
            continue;
        }
        if (zip_stat_index(u->zip, i, 0, &about) == 0 && about.encryption_method != ZIP_EM_NONE)
            return unpack_damaged(u, "it needs a passphrase", err);
        u->file = zip_fopen_index(u->zip, i, 0);
        *name = u->name;
        return u->file != NULL ? IPR_OK : unpack_damaged(u, zip_strerror(u->zip), err);
    }
    *name = NULL;
    return rc;
}

enum ipr_code ipr_unpack_next(struct ipr_unpack *u, const char **name, struct ipr_err *err)
{
    if (u->zip != NULL)
        return zip_next(u, name, err);
    *name = u->given || u->n_rest == 0 ? NULL : u->name;
    u->given = true;
    return IPR_OK;
}

/* ---- bytes of a text ---- */

/* At first what was read ahead; 0 at the end, -1 on failure. */
static ssize_t text_read(struct ipr_unpack *u, void *bytes, size_t size)
{
    if (u->file != NULL)
        return (ssize_t)zip_fread(u->file, bytes, size);
    if (u->n_rest == 0) {
        const ssize_t n = u->read(u->of, &u->rest);

        if (n <= 0)
            return n;
        u->n_rest = (size_t)n;
    }
    const size_t n = u->n_rest < size ? u->n_rest : size;
    memcpy(bytes, u->rest, n);
    u->rest += n;
    u->n_rest -= n;
    return (ssize_t)n;
}

enum ipr_code ipr_unpack_read(struct ipr_unpack *u, void *bytes, size_t size, size_t *n,
                              struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    ssize_t more = 1;

    for (*n = 0; rc == IPR_OK && more > 0 && *n < size; *n += (size_t)more) {
        more = text_read(u, (unsigned char *)bytes + *n, size - *n);
        if (more < 0)
            return unpack_damaged(u, u->file != NULL ? zip_file_strerror(u->file) : NULL, err);
        u->unpacked += more;
        rc = within_limits(u, err);
    }
    return rc;
}

int64_t ipr_unpack_bytes(const struct ipr_unpack *u)
{
    return u->unpacked;
}

int64_t ipr_unpack_packed(const struct ipr_unpack *u)
{
    return u->at;
}
