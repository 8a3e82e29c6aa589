#include "http/base/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <unistr.h>

#include "core/log.h"
#include "http/base/reply.h"
#include "http/base/routes.h"

#define FORM_BUFFER   65536
#define FORM_OVERHEAD 65536 /* boundaries and fields around the file */
#define FIELD_MAX     63
#define SOURCE_MAX    200

/* Limits of the other fields of a form. */
static const char *const field_names[] = { "judge", "priority", "analyse" };
#define N_FIELDS (sizeof field_names / sizeof *field_names)

/* A code page: each of its bytes in UTF-8. */
struct page {
    char text[256][5];
};

struct ipr_spool {
    int fd;
    int64_t size, limit;
    struct MHD_PostProcessor *form; /* NULL: raw body */
    bool file_seen;
    struct page *page; /* of the bytes that come; NULL: as import finds it */
    char source[SOURCE_MAX + 1];
    char field[N_FIELDS][FIELD_MAX + 1];
    crypto_generichash_state hash; /* of the file */
    struct ipr_err err;            /* the first failure */
};

static bool spool_is_type(const char *header, const char *const *list)
{
    for (; *list != NULL; list++)
        if (ipr_req_is_type(header, *list))
            return true;
    return false;
}

static bool type_is_listed(const struct ipr_resource *r, const char *header)
{
    struct ipr_str list = ipr_str_c(r->types), type;

    while (ipr_str_word(&list, &type))
        if (strncasecmp(header, type.p, type.n) == 0 && strchr("; \t", header[type.n]) != NULL)
            return true;
    return false;
}

/* The address that stores a file of this type; NULL: none. */
static const char *address_for_type(const char *header)
{
    for (const struct ipr_address *a = ipr_addresses; a->method != NULL; a++)
        if ((ipr_resource_at(a->id)->flags & IPR_FLAG_UPLOAD) &&
            a->id != IPR_RESOURCE_GAMES_RATED && type_is_listed(ipr_resource_at(a->id), header))
            return a->path;
    return NULL;
}

static struct ipr_problem refuse_type(const struct ipr_req *req, const char *type)
{
    const char *address = address_for_type(type);

    if (address != NULL)
        return ipr_problem_make("unsupported_type", "POST %.100s to %s", type, address);
    return ipr_problem_make("unsupported_type", "Content-Type: expected one of %s, got \"%.100s\"",
                            req->resource->types, type);
}

static struct ipr_problem spool_check_type(const struct ipr_req *req, bool *form)
{
    static const char *const encodings[] = { "identity", "gzip", "x-gzip", "zstd", NULL };
    const char *type = ipr_req_header(req, "Content-Type");
    const char *encoding = ipr_req_header(req, "Content-Encoding");

    *form = type != NULL && ipr_req_is_type(type, "multipart/form-data");
    if (type != NULL && !type_is_listed(req->resource, type))
        return refuse_type(req, type);
    if (encoding != NULL && !spool_is_type(encoding, encodings))
        return ipr_problem_make("unsupported_encoding",
                                "Content-Encoding: expected gzip, zstd or none");
    return (struct ipr_problem){ 0 };
}

static int spool_open(const char *dir)
{
    char path[512];

    int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
    snprintf(path, sizeof path, "%s/intrinsic-upload-XXXXXX", dir);
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

static void spool_too_large(struct ipr_spool *s)
{
    (void)ipr_err_type(&s->err, IPR_ELIMIT, "upload_too_large", "an upload is at most %lld MiB",
                       (long long)(s->limit >> 20));
}

static void spool_fail(struct ipr_spool *s)
{
    const bool full = errno == ENOSPC || errno == EDQUOT;

    ipr_log(IPR_LOG_ERROR, "spool", "msg=\"cannot store an upload: %s\"", strerrordesc_np(errno));
    (void)ipr_err_type(&s->err, full ? IPR_ERETRY : IPR_EIO, full ? IPR_STORAGE_FULL : "",
                       "cannot store an upload: %s", strerrordesc_np(errno));
}

/* ---- what Content-Type says ---- */

/* The value of a parameter, names in any case; NULL: it has none. */
static struct ipr_str type_param(const char *header, const char *name)
{
    for (const char *p = strchr(header, ';'); p != NULL; p = strchr(p, ';')) {
        p += 1 + strspn(p + 1, " \t");
        const size_t n = strcspn(p, "=; \t");
        if (p[n] != '=')
            continue;
        const char *const value = p + n + 1, *const quote =
                                                 *value == '"' ? strchr(value + 1, '"') : NULL;
        const size_t size = quote != NULL ? (size_t)(quote + 1 - value) : strcspn(value, "; \t");
        if (ipr_str_is_like((struct ipr_str){ p, n }, name))
            return (struct ipr_str){ value, size };
        p = value + size;
    }
    return (struct ipr_str){ NULL, 0 };
}

/* The library takes all that follows "boundary=", in small letters, for its value: the header is
 * made so where it lies. */
static void type_end_boundary(const char *header)
{
    const struct ipr_str value = type_param(header, "boundary");
    char *const end = (char *)(uintptr_t)value.p;

    if (value.p == NULL)
        return;
    memcpy(end - 9, "boundary=", 9);
    end[value.n] = '\0';
}

/* Pages with a byte a character. What Windows calls 1252 import finds by itself, as it does UTF-8
 * and UTF-16. */
static bool spool_set_page(struct ipr_spool *s, const char *header)
{
    static const char *const pages[] = { "windows-125", "cp125",     "iso-8859-", "iso8859-",
                                         "koi8-",       "cp437",     "cp850",     "cp852",
                                         "cp866",       "macintosh", "latin" };
    static const char *const found[] = { "utf",          "us-ascii",   "ascii",
                                         "windows-1252", "iso-8859-1", "latin1" };
    const struct ipr_str param = type_param(header, "charset");
    const bool quoted = param.n > 1 && *param.p == '"';
    char name[24];
    bool known = false;

    snprintf(name, sizeof name, "%.*s", (int)(param.n - 2 * quoted), param.p + quoted);
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        if (param.p == NULL || strncasecmp(name, "utf", 3) == 0 || strcasecmp(name, found[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        known |= strncasecmp(name, pages[i], strlen(pages[i])) == 0;
    const iconv_t to_utf8 = known ? iconv_open("UTF-8", name) : (iconv_t)-1;
    if (to_utf8 == (iconv_t)-1)
        return false;
    free(s->page);
    s->page = ipr_xcalloc(1, sizeof *s->page);
    for (int i = 1; i < 256; i++) {
        char byte = (char)i, *in = &byte, *out = s->page->text[i];
        size_t n = 1, room = 4;

        if (iconv(to_utf8, &in, &n, &out, &room) != 0)
            memcpy(s->page->text[i], "\xEF\xBF\xBD", 3);
    }
    iconv_close(to_utf8);
    return true;
}

static bool is_packed(const char *bytes, size_t n)
{
    static const char *const begins[] = { "\x1F\x8B", "PK", "\x28\xB5\x2F\xFD" };

    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (n >= strlen(begins[i]) && memcmp(bytes, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

static void spool_append(struct ipr_spool *s, const char *bytes, size_t n)
{
    struct page *const page = s->page;
    struct ipr_buf text = IPR_BUF_INIT;

    if (page != NULL && (s->size > 0 || !is_packed(bytes, n))) {
        for (size_t i = 0; i < n; i++)
            ipr_buf_puts(&text, page->text[(unsigned char)bytes[i]]);
        s->page = NULL;
        spool_append(s, text.p, text.n);
        s->page = page;
        ipr_buf_release(&text);
        return;
    }
    free(page); /* what is packed is in a page of its own */
    s->page = NULL;
    if (s->err.code != IPR_OK)
        return;
    if ((int64_t)n > s->limit - s->size) {
        spool_too_large(s);
        return;
    }
    s->size += (int64_t)n;
    crypto_generichash_update(&s->hash, (const unsigned char *)bytes, n);
    while (n > 0) {
        const ssize_t done = write(s->fd, bytes, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            spool_fail(s);
            return;
        }
        bytes += done;
        n -= (size_t)done;
    }
}

/* Only the last part of a path, without control characters, as valid UTF-8. */
static void spool_set_source(struct ipr_spool *s, const char *filename)
{
    size_t n = 0;

    for (const char *p = filename; *p != '\0'; p++)
        if (*p == '/' || *p == '\\')
            filename = p + 1;
    for (const char *p = filename; *p != '\0' && n < SOURCE_MAX; p++)
        if ((unsigned char)*p >= 0x20 && *p != 0x7f)
            s->source[n++] = *p;
    s->source[n] = '\0';
    const uint8_t *bad = u8_check((const uint8_t *)s->source, n);
    if (bad != NULL)
        s->source[bad - (const uint8_t *)s->source] = '\0';
}

static void spool_bad_form(struct ipr_spool *s, const char *what, const char *name)
{
    (void)ipr_err_type(&s->err, IPR_EPARSE, "bad_form", "%s%.60s", what, name);
}

static void spool_take_field(struct ipr_spool *s, const char *key, const char *data, uint64_t off,
                             size_t n)
{
    for (size_t i = 0; i < N_FIELDS; i++) {
        if (strcmp(key, field_names[i]) != 0)
            continue;
        if (off + n > FIELD_MAX) {
            spool_bad_form(s, "the value is too long: ", field_names[i]);
            return;
        }
        memcpy(s->field[i] + off, data, n);
        s->field[i][off + n] = '\0';
        return;
    }
    spool_bad_form(s, "unknown field ",
                   u8_check((const uint8_t *)key, strlen(key)) != NULL ? "" : key);
}

static enum MHD_Result spool_on_part(void *cls, enum MHD_ValueKind kind, const char *key,
                                     const char *filename, const char *content_type,
                                     const char *transfer_encoding, const char *data, uint64_t off,
                                     size_t n)
{
    struct ipr_spool *s = cls;

    (void)kind;
    (void)transfer_encoding;
    if (key == NULL) {
        spool_bad_form(s, "a part of the form has no name", "");
    } else if (strcmp(key, "file") != 0) {
        spool_take_field(s, key, data, off, n);
    } else {
        if (off == 0 && n > 0 && s->size > 0)
            spool_bad_form(s, "the form has more than one file", "");
        if (off == 0 && content_type != NULL && !spool_set_page(s, content_type))
            spool_bad_form(s, "the charset of the file is not known here", "");
        if (off == 0 && filename != NULL && filename[0] != '\0')
            spool_set_source(s, filename);
        s->file_seen = true;
        spool_append(s, data, n);
    }
    return s->err.code == IPR_OK ? MHD_YES : MHD_NO;
}

/* `form`: fields may come around the file. */
static struct ipr_problem spool_begin(struct ipr_req *req, int64_t limit, bool form,
                                      struct ipr_spool **out)
{
    const char *length = ipr_req_header(req, "Content-Length");
    const char *type = ipr_req_header(req, "Content-Type");
    struct ipr_err err = IPR_ERR_INIT;
    int64_t n;

    struct ipr_spool *s = ipr_xcalloc(1, sizeof *s);
    *s = (struct ipr_spool){ .fd = -1, .limit = limit, .source = "api", .err = IPR_ERR_INIT };
    crypto_generichash_init(&s->hash, NULL, 0, 32);
    if (length != NULL &&
        !ipr_str_int(ipr_str_c(length), 0, limit + (form ? FORM_OVERHEAD : 0), &n))
        spool_too_large(s);
    else if ((s->fd = spool_open(req->http->tmp_dir)) < 0)
        spool_fail(s);
    if (s->err.code == IPR_OK && type != NULL && !form && !spool_set_page(s, type))
        (void)ipr_err_type(&s->err, IPR_EPARSE, "unknown_encoding",
                           "Content-Type: the charset of \"%.100s\" is not known here", type);
    if (form)
        type_end_boundary(ipr_req_header(req, "Content-Type"));
    if (s->err.code == IPR_OK && form &&
        (s->form = MHD_create_post_processor(req->conn, FORM_BUFFER, spool_on_part, s)) == NULL)
        spool_bad_form(s, "the form has no boundary", "");
    err = s->err;
    if (err.code != IPR_OK) {
        ipr_spool_free(&s);
        return ipr_problem_of(&err);
    }
    *out = s;
    return (struct ipr_problem){ 0 };
}

struct ipr_problem ipr_spool_begin(struct ipr_req *req, struct ipr_spool **out)
{
    bool form;
    const struct ipr_problem p = spool_check_type(req, &form);

    return p.status != 0 ? p
                         : spool_begin(req, req->http->o.config->max_upload_mb << 20, form, out);
}

struct ipr_problem ipr_spool_begin_raw(struct ipr_req *req, int64_t limit, struct ipr_spool **out)
{
    const char *type = ipr_req_header(req, "Content-Type");

    if (type != NULL && req->resource->types != NULL && !type_is_listed(req->resource, type))
        return refuse_type(req, type);
    return spool_begin(req, limit, false, out);
}

void ipr_spool_take(struct ipr_spool *s, const char *bytes, size_t n)
{
    if (s->err.code != IPR_OK)
        return;
    if (s->form == NULL)
        spool_append(s, bytes, n);
    else if (MHD_post_process(s->form, bytes, n) != MHD_YES)
        spool_bad_form(s, "the form is malformed", "");
}

bool ipr_spool_failed(const struct ipr_spool *s)
{
    return s->err.code != IPR_OK;
}

enum ipr_code ipr_spool_finish(struct ipr_spool *s, int *fd, struct ipr_err *err)
{
    struct MHD_PostProcessor *form = s->form;

    s->form = NULL;
    if (form != NULL && MHD_destroy_post_processor(form) != MHD_YES)
        spool_bad_form(s, "the form ends too early", "");
    if (s->err.code == IPR_OK && form != NULL && !s->file_seen)
        spool_bad_form(s, "the form has no field \"file\"", "");
    if (s->err.code == IPR_OK && s->size == 0)
        (void)ipr_err_type(&s->err, IPR_EPARSE, "empty_body",
                           "nothing was sent: the file or body is empty");
    if (s->err.code == IPR_OK && lseek(s->fd, 0, SEEK_SET) != 0)
        (void)ipr_err_set(&s->err, IPR_EIO, "cannot read an upload: %s", strerrordesc_np(errno));
    if (s->err.code != IPR_OK)
        return ipr_err_pass(err, &s->err);
    *fd = s->fd;
    return IPR_OK;
}

void ipr_spool_digest(const struct ipr_spool *s, unsigned char out[32])
{
    crypto_generichash_state hash = s->hash;

    crypto_generichash_update(&hash, (const unsigned char *)s->source, sizeof s->source);
    crypto_generichash_update(&hash, (const unsigned char *)s->field, sizeof s->field);
    crypto_generichash_final(&hash, out, 32);
}

void ipr_spool_file_digest(const struct ipr_spool *s, unsigned char out[32])
{
    crypto_generichash_state hash = s->hash;

    crypto_generichash_final(&hash, out, 32);
}

const char *ipr_spool_source(const struct ipr_spool *s)
{
    return s->source[0] != '\0' ? s->source : "api";
}

const char *ipr_spool_field(const struct ipr_spool *s, const char *name)
{
    for (size_t i = 0; i < N_FIELDS; i++)
        if (strcmp(name, field_names[i]) == 0 && s->field[i][0] != '\0')
            return s->field[i];
    return NULL;
}

void ipr_spool_free(struct ipr_spool **spool)
{
    struct ipr_spool *s = *spool;

    if (s == NULL)
        return;
    if (s->form != NULL)
        MHD_destroy_post_processor(s->form);
    if (s->fd >= 0)
        close(s->fd);
    free(s->page);
    free(s);
    *spool = NULL;
}
