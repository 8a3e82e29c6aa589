#include "core/ssp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_BYTES 4096 /* the longest of Debian's files has 120 */

struct ipr_ssp {
    char *path;
    int fd;
    bool end;
    bool named; /* a canonical name was read */
    uint32_t number;
    size_t at, n;
    char bytes[65536];
};

enum ipr_code ipr_ssp_refuse(const struct ipr_ssp *r, struct ipr_err *err, const char *why)
{
    return ipr_err_at(err, IPR_EPARSE, "not_spelling", r->number, 0, -1,
                      "%s: not a spelling file: line %u %s", r->path, r->number, why);
}

static enum ipr_code ssp_fill(struct ipr_ssp *r, struct ipr_err *err)
{
    memmove(r->bytes, r->bytes + r->at, r->n - r->at);
    r->n -= r->at;
    r->at = 0;
    ssize_t got;
    do {
        got = read(r->fd, r->bytes + r->n, sizeof r->bytes - r->n);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return ipr_err_set(err, IPR_EIO, "%s: %s", r->path, strerror(errno));
    r->n += (size_t)got;
    r->end = got == 0;
    return IPR_OK;
}

/* The next line without its end; `*more` is false when there is none. */
static enum ipr_code next_line(struct ipr_ssp *r, struct ipr_str *line, bool *more,
                               struct ipr_err *err)
{
    const char *stop;

    while ((stop = memchr(r->bytes + r->at, '\n', r->n - r->at)) == NULL && !r->end) {
        if (r->n - r->at > LINE_BYTES)
            break;
        const enum ipr_code rc = ssp_fill(r, err);
        if (rc != IPR_OK)
            return rc;
    }
    *line = (struct ipr_str){ r->bytes + r->at, 0 };
    line->n = stop != NULL ? (size_t)(stop - line->p) : r->n - r->at;
    *more = line->n > 0 || stop != NULL;
    if (!*more)
        return IPR_OK;
    r->number++;
    r->at += line->n + (stop != NULL ? 1 : 0);
    if (memchr(line->p, '\0', line->n) != NULL)
        return ipr_ssp_refuse(r, err, "is not text");
    if (line->n > LINE_BYTES)
        return ipr_ssp_refuse(r, err, "is too long");
    if (stop == NULL)
        return ipr_ssp_refuse(r, err, "breaks off: the file is cut short");
    return IPR_OK;
}

static bool is_section(struct ipr_str line, const char *name)
{
    const size_t n = strlen(name);

    return line.n >= n && memcmp(line.p, name, n) == 0 && (line.n == n || line.p[n] == ' ');
}

static enum ipr_code find_section(struct ipr_ssp *r, struct ipr_err *err)
{
    struct ipr_str line;
    bool more = true;
    enum ipr_code rc;

    do {
        rc = next_line(r, &line, &more, err);
    } while (rc == IPR_OK && more && !is_section(line, "@PLAYER"));
    if (rc == IPR_OK && !more)
        rc = ipr_err_type(err, IPR_EPARSE, "not_spelling",
                          "%s: not a spelling file: it has no section @PLAYER", r->path);
    return rc;
}

static enum ipr_code open_file(const char *path, int *fd, struct ipr_err *err)
{
    struct stat st;

    /* Non-blocking: a pipe without a writer must not block the start. */
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0 || fstat(*fd, &st) != 0)
        return ipr_err_set(err, IPR_EIO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return ipr_err_set(err, IPR_EIO, "%s: not a file", path);
    return IPR_OK;
}

enum ipr_code ipr_ssp_open(const char *path, struct ipr_ssp **out, struct ipr_err *err)
{
    struct ipr_ssp *r = ipr_xcalloc(1, sizeof *r);

    r->path = ipr_xstrdup(path);
    enum ipr_code rc = open_file(path, &r->fd, err);
    if (rc == IPR_OK)
        rc = find_section(r, err);
    if (rc == IPR_OK)
        *out = r;
    else
        ipr_ssp_close(&r);
    return rc;
}

void ipr_ssp_close(struct ipr_ssp **r)
{
    if (*r == NULL)
        return;
    if ((*r)->fd >= 0)
        close((*r)->fd);
    free((*r)->path);
    free(*r);
    *r = NULL;
}

enum ipr_code ipr_ssp_next(struct ipr_ssp *r, struct ipr_ssp_line *out, struct ipr_err *err)
{
    struct ipr_str line, text, comment;
    bool more;

    do {
        const enum ipr_code rc = next_line(r, &line, &more, err);
        if (rc != IPR_OK)
            return rc;
        if (!more || (line.n > 0 && line.p[0] == '@')) {
            *out = (struct ipr_ssp_line){ .kind = IPR_SSP_END, .number = r->number };
            return IPR_OK;
        }
        const char *hash = memchr(line.p, '#', line.n);
        const size_t n = hash != NULL ? (size_t)(hash - line.p) : line.n;
        comment = (struct ipr_str){ line.p + n + (hash != NULL), line.n - n - (hash != NULL) };
        text = ipr_str_trim((struct ipr_str){ line.p, n });
    } while (text.n == 0);

    const bool indented = text.p != line.p, spelling = text.p[0] == '=', note = text.p[0] == '%';
    enum ipr_ssp_kind kind = IPR_SSP_PERSON;
    if (spelling || note)
        kind = spelling ? IPR_SSP_SPELLING : IPR_SSP_NOTE;
    else if (indented)
        return ipr_ssp_refuse(r, err, "belongs to no name");
    if (kind == IPR_SSP_PERSON)
        r->named = true;
    else if (!r->named)
        return ipr_ssp_refuse(r, err, "belongs to no name");
    if (spelling)
        text = ipr_str_trim((struct ipr_str){ text.p + 1, text.n - 1 });
    *out = (struct ipr_ssp_line){ kind, text, comment, r->number, (uint32_t)(text.p - line.p) + 1 };
    return IPR_OK;
}

/* The year at the beginning, four digits; 0: none. */
static int year_at(struct ipr_str s)
{
    int64_t year = 0;

    return s.n >= 4 && ipr_str_int((struct ipr_str){ s.p, 4 }, 1, 9999, &year) ? (int)year : 0;
}

void ipr_ssp_life(struct ipr_str comment, int *born, int *died)
{
    const char *const end = comment.p + comment.n, *bracket = memchr(comment.p, ']', comment.n);

    *born = *died = 0;
    if (bracket == NULL)
        return;
    const struct ipr_str rest =
        ipr_str_trim((struct ipr_str){ bracket + 1, (size_t)(end - bracket - 1) });
    *born = year_at(rest);
    for (size_t i = 0; i + 2 < rest.n; i++)
        if (rest.p[i] == '-' && rest.p[i + 1] == '-') {
            *died = year_at((struct ipr_str){ rest.p + i + 2, rest.n - i - 2 });
            return;
        }
}

struct ipr_str ipr_ssp_unmarked(struct ipr_str name)
{
    struct ipr_str s = name;

    while (s.n > 0 && s.p[s.n - 1] >= '0' && s.p[s.n - 1] <= '9')
        s.n--;
    if (s.n == name.n && s.n > 2 && s.p[s.n - 2] == ' ' && s.p[s.n - 1] >= 'a' &&
        s.p[s.n - 1] <= 'z')
        s.n--;
    s = ipr_str_trim(s);
    return s.n > 0 ? s : name;
}

const char *ipr_ssp_tidy(struct ipr_str name, struct ipr_arena *mem)
{
    char *out = ipr_arena_alloc(mem, name.n + 1, 1), *at = out;

    for (struct ipr_str word; ipr_str_word(&name, &word);) {
        if (at > out && word.p[0] != ',')
            *at++ = ' ';
        memcpy(at, word.p, word.n);
        at += word.n;
    }
    return out;
}

int32_t ipr_ssp_fide_id(struct ipr_str note)
{
    struct ipr_str word;
    int64_t id;

    if (!ipr_str_word(&note, &word) || !ipr_str_is(word, "%Bio") || !ipr_str_word(&note, &word) ||
        !ipr_str_is(word, "FIDEID") || !ipr_str_word(&note, &word))
        return 0;
    size_t digits = 0;
    while (digits < word.n && word.p[digits] >= '0' && word.p[digits] <= '9')
        digits++;
    return ipr_str_int((struct ipr_str){ word.p, digits }, 1, INT32_MAX, &id) ? (int32_t)id : 0;
}
