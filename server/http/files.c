#include "http/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/reply.h"
#include "http/routes.h"

#define FILES_MAX_BYTES ((size_t)64 * 1024 * 1024)

struct file {
    struct file *next;
    const char *dir, *name, *type;
    char *bytes;
    size_t n;
};

struct ipr_files {
    struct ipr_arena mem;
    struct file *first;
    size_t total;
};

static const char *type_of(const char *name)
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

static enum ipr_code load_file(struct ipr_files *files, const char *root, const char *dir,
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
        return ipr_err_set(err, bad ? IPR_EIO : IPR_ELIMIT, "cannot read %s: %s", path,
                           bad ? strerrordesc_np(errno) : "static files are too large");
    }
    struct file *file = ipr_arena_alloc(&files->mem, 1, sizeof *file);
    *file = (struct file){ .next = files->first,
                           .dir = dir,
                           .name = ipr_arena_strndup(&files->mem, name, strlen(name)),
                           .type = type_of(name),
                           .n = all.n };
    file->bytes = ipr_buf_steal(&all);
    files->total += file->n;
    files->first = file;
    return IPR_OK;
}

static enum ipr_code load_dir(struct ipr_files *files, const char *root, const char *dir,
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

        if (rc == IPR_OK && name[0] != '.' && type_of(name) != NULL && entry[i]->d_type != DT_DIR)
            rc = load_file(files, root, dir, name, err);
        free(entry[i]);
    }
    free(entry);
    return rc;
}

enum ipr_code ipr_files_load(const char *dir, struct ipr_files **out, struct ipr_err *err)
{
    static const char *const dirs[] = { "css", "js", "plots", "vendor", "img", "samples" };
    struct ipr_files *files = ipr_xcalloc(1, sizeof *files);
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; dir != NULL && rc == IPR_OK && i < sizeof dirs / sizeof *dirs; i++)
        rc = load_dir(files, dir, dirs[i], err);
    if (rc == IPR_OK)
        *out = files;
    else
        ipr_files_free(&files);
    return rc;
}

void ipr_files_free(struct ipr_files **files)
{
    if (*files == NULL)
        return;
    for (struct file *f = (*files)->first; f != NULL; f = f->next)
        free(f->bytes);
    ipr_arena_release(&(*files)->mem);
    free(*files);
    *files = NULL;
}

/* GET /static/{dir}/{file} */
enum MHD_Result ipr_http_file(struct ipr_req *req)
{
    struct ipr_err err = IPR_ERR_INIT;

    for (const struct file *f = req->http->files->first; f != NULL; f = f->next) {
        if (strcmp(f->dir, req->ids[0]) != 0 || strcmp(f->name, req->ids[1]) != 0)
            continue;
        char *copy = ipr_xmalloc(f->n);
        if (f->n > 0)
            memcpy(copy, f->bytes, f->n);
        return ipr_reply_take(req, MHD_HTTP_OK, f->type, copy, f->n);
    }
    (void)ipr_err_set(&err, IPR_ENOTFOUND, "there is no such file");
    return ipr_reply_error(req, &err);
}
