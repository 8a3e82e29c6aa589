#include "http/answer/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/base/reply.h"
#include "http/base/routes.h"

#define FILES_MAX_BYTES ((size_t)64 * 1024 * 1024)
#define ROOT            "/static/"
#define HASH_TEXT       12 /* of the digest, in a name */
#define KEPT            "public, max-age=31536000, immutable"

enum file_state { FILE_READ, FILE_HASHING, FILE_HASHED };

struct file {
    struct file *next;
    const char *dir, *name, *hashed; /* "css", "a.css", "a.0123456789ab.css" */
    enum file_state state;
    struct ipr_buf bytes[IPR_CODINGS];
    struct ipr_stored stored; /* borrows from them */
};

struct ipr_files {
    struct ipr_arena mem;
    struct file *first;
    size_t total;
};

static const char *file_type(const char *name)
{
    static const struct {
        const char *end, *type;
    } types[] = {
        { ".css", "text/css; charset=utf-8" },
        { ".js", "text/javascript; charset=utf-8" },
        { ".mjs", "text/javascript; charset=utf-8" },
        { ".json", "application/json" },
        { ".map", "application/json" },
        { ".svg", "image/svg+xml" },
        { ".png", "image/png" },
        { ".jpg", "image/jpeg" },
        { ".webp", "image/webp" },
        { ".ico", "image/x-icon" },
        { ".woff2", "font/woff2" },
        { ".pgn", "application/x-chess-pgn; charset=utf-8" },
        { ".txt", "text/plain; charset=utf-8" },
        { ".gz", "application/gzip" },
        { ".zst", "application/zstd" },
    };
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot != NULL && i < sizeof types / sizeof *types; i++)
        if (strcmp(dot, types[i].end) == 0)
            return types[i].type;
    return NULL;
}

static enum ipr_code file_load(struct ipr_files *files, const char *root, const char *dir,
                               const char *name, struct ipr_err *err)
{
    struct ipr_buf all = { .cap = FILES_MAX_BYTES - files->total };
    char path[1024], chunk[16384];
    size_t n;

    snprintf(path, sizeof path, "%s/%s/%s", root, dir, name);
    FILE *f = fopen(path, "rbe");
    if (f == NULL)
        return ipr_err_set(err, IPR_EIO, "cannot read %s: %s", path, strerrordesc_np(errno));
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
        ipr_buf_add(&all, chunk, n);
    const bool bad = ferror(f) != 0;
    fclose(f);
    if (bad || all.over) {
        ipr_buf_release(&all);
        if (!bad)
            return ipr_err_set(err, IPR_ELIMIT, "cannot read %s: static files are too large", path);
        return ipr_err_set(err, IPR_EIO, "cannot read %s: %s", path, strerrordesc_np(errno));
    }
    struct file *file = ipr_arena_alloc(&files->mem, 1, sizeof *file);
    *file = (struct file){ .next = files->first,
                           .dir = dir,
                           .name = ipr_arena_strndup(&files->mem, name, strlen(name)),
                           .stored = { .type = file_type(name) } };
    file->bytes[IPR_CODING_NONE] = all;
    files->total += all.n;
    files->first = file;
    return IPR_OK;
}

static enum ipr_code files_load_dir(struct ipr_files *files, const char *root, const char *dir,
                                    struct ipr_err *err)
{
    char path[1024];
    struct dirent **entry = NULL;
    enum ipr_code rc = IPR_OK;

    snprintf(path, sizeof path, "%s/%s", root, dir);
    const int n = scandir(path, &entry, NULL, alphasort);
    if (n < 0)
        return errno == ENOENT
                   ? IPR_OK
                   : ipr_err_set(err, IPR_EIO, "cannot read %s: %s", path, strerrordesc_np(errno));
    for (int i = 0; i < n; i++) {
        const char *name = entry[i]->d_name;

        if (rc == IPR_OK && name[0] != '.' && file_type(name) != NULL && entry[i]->d_type != DT_DIR)
            rc = file_load(files, root, dir, name, err);
        free(entry[i]);
    }
    free(entry);
    return rc;
}

/* ---- references ---- */

static struct file *files_find(const struct ipr_files *files, struct ipr_str dir,
                               struct ipr_str name)
{
    for (struct file *f = files->first; f != NULL; f = f->next)
        if (ipr_str_is(dir, f->dir) && ipr_str_is(name, f->name))
            return f;
    return NULL;
}

/* The file that the quoted or bracketed address at the beginning of `at` refers to, with the name
 * up to *name; NULL: none. `dir`: folder of the file that contains "./a.js"; NULL: no such
 * references. */
static struct file *files_reference(const struct ipr_files *files, const char *dir,
                                    struct ipr_str at, struct ipr_str *name)
{
    const size_t root = strlen(ROOT);
    struct ipr_str folder = ipr_str_c(dir);
    size_t begin = 2;

    if (at.n > root && memcmp(at.p, ROOT, root) == 0) {
        const char *slash = memchr(at.p + root, '/', at.n - root);
        if (slash == NULL)
            return NULL;
        folder = (struct ipr_str){ at.p + root, (size_t)(slash - at.p) - root };
        begin = root + folder.n + 1;
    } else if (dir == NULL || at.n < 2 || memcmp(at.p, "./", 2) != 0) {
        return NULL;
    }
    size_t end = begin;
    while (end < at.n && strchr("\"'`) \n", at.p[end]) == NULL)
        end++;
    *name = (struct ipr_str){ at.p + begin, end - begin };
    return files_find(files, folder, *name);
}

static enum ipr_code file_hash(struct ipr_files *files, struct file *f, struct ipr_err *err);

/* Appends `text` with its references replaced by hashed names. */
static enum ipr_code files_refer(struct ipr_files *files, const char *dir, struct ipr_str text,
                                 struct ipr_buf *out, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    size_t done = 0;

    for (size_t i = 0; i + 1 < text.n && rc == IPR_OK; i++) {
        const struct ipr_str rest = { text.p + i + 1, text.n - i - 1 };
        struct ipr_str name;

        if (text.p[i] == '\0' || strchr("\"'`(", text.p[i]) == NULL)
            continue;
        struct file *target = files_reference(files, dir, rest, &name);
        if (target == NULL)
            continue;
        rc = file_hash(files, target, err);
        if (rc != IPR_OK)
            break;
        ipr_buf_add(out, text.p + done, (size_t)(name.p - text.p) - done);
        ipr_buf_puts(out, target->hashed);
        done = (size_t)(name.p - text.p) + name.n;
        i = done - 1;
    }
    ipr_buf_add(out, text.p + done, text.n - done);
    return rc;
}

/* ---- content ---- */

static const char *file_hashed_name(struct ipr_arena *mem, const struct file *f)
{
    const char *dot = strrchr(f->name, '.');

    return ipr_arena_printf(mem, "%.*s.%.*s%s", (int)(dot - f->name), f->name, HASH_TEXT,
                            f->stored.digest, dot);
}

static void file_store(struct ipr_arena *mem, struct file *f)
{
    struct ipr_buf *plain = &f->bytes[IPR_CODING_NONE];
    const struct ipr_str body = { ipr_buf_c(plain), plain->n };

    ipr_reply_digest(body, f->stored.digest);
    f->hashed = file_hashed_name(mem, f);
    f->stored.body[IPR_CODING_NONE] = body;
    if (!ipr_coding_pays(f->stored.type, body.n))
        return;
    for (int i = IPR_CODING_ZSTD; i < IPR_CODINGS; i++) {
        ipr_coding_apply(i, true, body, &f->bytes[i]);
        f->stored.body[i] = (struct ipr_str){ f->bytes[i].p, f->bytes[i].n };
    }
}

/* The files that `f` refers to first: their names are part of its content. */
static enum ipr_code file_hash(struct ipr_files *files, struct file *f, struct ipr_err *err)
{
    struct ipr_buf *plain = &f->bytes[IPR_CODING_NONE];
    struct ipr_buf out = IPR_BUF_INIT;
    enum ipr_code rc = IPR_OK;

    if (f->state == FILE_HASHED)
        return rc;
    if (f->state == FILE_HASHING)
        return ipr_err_set(err, IPR_EPARSE,
                           "static/%s/%s refers to itself, directly or through other files", f->dir,
                           f->name);
    f->state = FILE_HASHING;
    if (strncmp(f->stored.type, "text/javascript", 15) == 0 ||
        strncmp(f->stored.type, "text/css", 8) == 0) {
        const struct ipr_str text = { ipr_buf_c(plain), plain->n };
        rc = files_refer(files, f->dir, text, &out, err);
        ipr_buf_release(plain);
        *plain = out;
    }
    file_store(&files->mem, f);
    f->state = FILE_HASHED;
    return rc;
}

/* ---- life ---- */

enum ipr_code ipr_files_load(const char *dir, struct ipr_files **out, struct ipr_err *err)
{
    static const char *const dirs[] = { "css", "js",      "plots",        "vendor",
                                        "img", "samples", "calibrations", "api" };
    struct ipr_files *files = ipr_xcalloc(1, sizeof *files);
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; dir != NULL && rc == IPR_OK && i < sizeof dirs / sizeof *dirs; i++)
        rc = files_load_dir(files, dir, dirs[i], err);
    for (struct file *f = files->first; f != NULL && rc == IPR_OK; f = f->next)
        rc = file_hash(files, f, err);
    if (rc == IPR_OK)
        *out = files;
    else
        ipr_files_free(&files);
    return rc;
}

static void files_rewrite(void *cls, struct ipr_str text, struct ipr_buf *out)
{
    (void)files_refer(cls, NULL, text, out, NULL); /* fails if the address has more than the hash */
}

void ipr_files_link(struct ipr_files *files, struct ipr_tmpl_set *templates)
{
    ipr_tmpl_set_rewrite(templates, files_rewrite, files);
}

void ipr_files_free(struct ipr_files **files)
{
    if (*files == NULL)
        return;
    for (struct file *f = (*files)->first; f != NULL; f = f->next)
        for (int i = 0; i < IPR_CODINGS; i++)
            ipr_buf_release(&f->bytes[i]);
    ipr_arena_release(&(*files)->mem);
    free(*files);
    *files = NULL;
}

const struct ipr_stored *ipr_files_get(const struct ipr_files *files, const char *dir,
                                       const char *name)
{
    const struct file *f = files_find(files, ipr_str_c(dir), ipr_str_c(name));

    return f != NULL ? &f->stored : NULL;
}

/* GET /static/{dir}/{file} */
enum MHD_Result ipr_http_file(struct ipr_req *req)
{
    for (const struct file *f = req->http->files->first; f != NULL; f = f->next) {
        const bool hashed = strcmp(f->hashed, req->ids[1]) == 0;
        const bool packed = f->stored.body[IPR_CODING_GZIP].p != NULL;

        if (strcmp(f->dir, req->ids[0]) == 0 && (hashed || strcmp(f->name, req->ids[1]) == 0))
            return ipr_reply_stored(req, &f->stored, ipr_reply_coding(req, packed),
                                    hashed ? KEPT : IPR_NO_CACHE, NULL, NULL);
    }
    return ipr_reply_problem(req, ipr_problem_make("not_found", "file not found"));
}
