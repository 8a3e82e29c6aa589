#include "fetch/file.h"

#include <errno.h>
#include <search.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

#define GAME_MAX ((size_t)4 << 20)
#define FILE_MAX ((int64_t)4 << 30)
#define IDLE_MAX ((int64_t)256 << 20) /* a month of a busy player, all of it known, is a tenth */

struct ipr_fetch_file {
    const char *path;
    char part[4096];
    FILE *out;
    struct ipr_fetch_span span;
    struct ipr_buf line, game; /* what is incomplete */
    bool moves, comment;       /* of `game`: its moves have begun; in a comment */
    bool reading;              /* what is there already is read */
    int64_t bytes, latest_ms;  /* bytes: up to the end of the last whole game */
    int64_t offset;            /* of what is read, up to the end of the line */
    int64_t came, idle;        /* bytes received, in all and since the last new game */
    bool ours;                 /* the part is of this fetch */
    uint64_t games, added;
    void *known; /* keys of games */
};

/* ---- a game's text ---- */

/* The value of a tag, if a line of the game begins with it. */
static struct ipr_str game_tag(struct ipr_str game, const char *name)
{
    const size_t n = strlen(name);

    for (const char *p = game.p, *end = game.p + game.n; p < end && *p == '[';) {
        const char *eol = memchr(p, '\n', (size_t)(end - p));
        const size_t line = (size_t)((eol != NULL ? eol : end) - p);
        if (line > n + 4 && memcmp(p + 1, name, n) == 0 && memcmp(p + 1 + n, " \"", 2) == 0) {
            const struct ipr_str rest = { p + n + 3, line - n - 3 };
            const char *quote = memchr(rest.p, '"', rest.n);
            return (struct ipr_str){ rest.p, quote != NULL ? (size_t)(quote - rest.p) : 0 };
        }
        p += line + 1;
    }
    return (struct ipr_str){ NULL, 0 };
}

/* Both sites give each game an address. */
static uintptr_t game_key(struct ipr_str game)
{
    static const unsigned char none[crypto_shorthash_KEYBYTES];
    struct ipr_str name = game_tag(game, "Link");
    uintptr_t key = 0;
    unsigned char hash[crypto_shorthash_BYTES];

    if (name.n == 0)
        name = game_tag(game, "Site");
    if (name.n == 0 || memmem(name.p, name.n, "://", 3) == NULL)
        name = game;
    (void)crypto_shorthash(hash, (const unsigned char *)name.p, name.n, none);
    memcpy(&key, hash, sizeof key < sizeof hash ? sizeof key : sizeof hash);
    return key;
}

static int compare_keys(const void *a, const void *b)
{
    return (uintptr_t)a < (uintptr_t)b ? -1 : (uintptr_t)a > (uintptr_t)b;
}

/* Ms since 1970 of the beginning; 0 if unknown. */
static int64_t game_time(struct ipr_str game)
{
    const struct ipr_str day = game_tag(game, "UTCDate"), hour = game_tag(game, "UTCTime");
    struct tm tm = { 0 };
    char text[24];

    snprintf(text, sizeof text, "%.*s %.*s", (int)(day.n <= 10 ? day.n : 0), day.n > 0 ? day.p : "",
             (int)(hour.n <= 8 ? hour.n : 0), hour.n > 0 ? hour.p : "");
    const char *end = strptime(text, "%Y.%m.%d %H:%M:%S", &tm);
    return end != NULL && *end == '\0' ? (int64_t)timegm(&tm) * 1000 : 0;
}

static void keep_key(void *node)
{
    (void)node; /* the key is the pointer itself */
}

static enum ipr_code file_write(struct ipr_fetch_file *f, const char *bytes, size_t n,
                                struct ipr_err *err)
{
    f->bytes += (int64_t)n;
    if (f->bytes > FILE_MAX)
        return ipr_err_set(err, IPR_ELIMIT, "%s: more than %lld bytes; --since and --until choose",
                           f->path, (long long)FILE_MAX);
    if (fwrite(bytes, 1, n, f->out) != n)
        return ipr_err_set(err, IPR_EIO, "%s: %s", f->part, strerror(errno));
    return IPR_OK;
}

static enum ipr_code game_write(struct ipr_fetch_file *f, struct ipr_str game, struct ipr_err *err)
{
    enum ipr_code rc = file_write(f, "\n", 1, err);

    if (rc == IPR_OK)
        rc = file_write(f, game.p, game.n, err);
    return rc == IPR_OK ? file_write(f, "\n", 1, err) : rc;
}

/* A whole game, as it came; the blank line before it is ours. */
static enum ipr_code game_take(struct ipr_fetch_file *f, struct ipr_err *err)
{
    const struct ipr_str game = { f->game.p, f->game.n };
    const int64_t ms = game_time(game);
    void *const key = (void *)game_key(game);

    if (f->reading)
        f->bytes = f->offset;
    if (ms != 0 && (ms < f->span.from_ms || ms > f->span.to_ms))
        return IPR_OK;
    if (tfind(key, &f->known, compare_keys) != NULL)
        return IPR_OK;
    const enum ipr_code rc = f->reading ? IPR_OK : game_write(f, game, err);
    if (rc != IPR_OK)
        return rc;
    if (tsearch(key, &f->known, compare_keys) == NULL)
        abort(); /* no memory, as ipr_xmalloc */
    f->latest_ms = ms > f->latest_ms ? ms : f->latest_ms;
    f->games++;
    f->added += !f->reading;
    f->idle = 0;
    return IPR_OK;
}

/* ---- lines ---- */

static bool line_is_blank(struct ipr_str line)
{
    return ipr_str_trim(line).n == 0;
}

static bool game_has_result(struct ipr_str line)
{
    static const char *const results[] = { "1-0", "0-1", "1/2-1/2", "*" };
    const struct ipr_str text = ipr_str_trim(line);

    for (size_t i = 0; i < 4; i++) {
        const size_t n = strlen(results[i]);
        if (text.n >= n && memcmp(text.p + text.n - n, results[i], n) == 0 &&
            (text.n == n || text.p[text.n - n - 1] == ' '))
            return true;
    }
    return false;
}

static void line_skim_comments(struct ipr_fetch_file *f, struct ipr_str line)
{
    for (size_t i = 0; i < line.n; i++)
        f->comment = f->comment ? line.p[i] != '}' : line.p[i] == '{';
}

static void game_drop(struct ipr_fetch_file *f)
{
    ipr_buf_reset(&f->game);
    f->moves = f->comment = false;
}

/* A game is its tags, then lines of moves up to one that ends with a result. */
static enum ipr_code game_take_line(struct ipr_fetch_file *f, struct ipr_str line,
                                    struct ipr_err *err)
{
    if (f->game.n == 0 && (line.n == 0 || line.p[0] != '['))
        return IPR_OK;
    f->moves = f->moves || (!line_is_blank(line) && line.p[0] != '[');
    if (f->moves && !f->comment && line.n > 0 && line.p[0] == '[')
        return ipr_err_set(err, IPR_EDATA, "a game has no result");
    if (f->game.n > 0)
        ipr_buf_putc(&f->game, '\n');
    ipr_buf_add(&f->game, line.p, line.n);
    if (f->game.n > GAME_MAX)
        return ipr_err_set(err, IPR_ELIMIT, "a game has more than %zu bytes", GAME_MAX);
    if (f->moves)
        line_skim_comments(f, line);
    if (!f->moves || f->comment || !game_has_result(line))
        return IPR_OK;
    const enum ipr_code rc = game_take(f, err);
    game_drop(f);
    return rc;
}

enum ipr_code ipr_fetch_file_add(struct ipr_fetch_file *f, const char *bytes, size_t n,
                                 struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    f->came += f->reading ? 0 : (int64_t)n;
    f->idle += f->reading ? 0 : (int64_t)n;
    if (f->came > FILE_MAX || f->idle > IDLE_MAX)
        return ipr_err_set(err, IPR_ELIMIT,
                           "the site sends and sends: %lld MB, %lld MB of it since "
                           "the last new game",
                           (long long)f->came >> 20, (long long)f->idle >> 20);
    while (rc == IPR_OK && n > 0) {
        const char *eol = memchr(bytes, '\n', n);
        const size_t m = eol != NULL ? (size_t)(eol - bytes) : n;
        ipr_buf_add(&f->line, bytes, m);
        f->offset += (int64_t)m + (eol != NULL);
        if (f->line.n > GAME_MAX)
            return ipr_err_set(err, IPR_ELIMIT, "a line has more than %zu bytes", GAME_MAX);
        if (eol == NULL)
            break;
        if (f->line.n > 0 && f->line.p[f->line.n - 1] == '\r')
            f->line.n--;
        rc = game_take_line(f, (struct ipr_str){ f->line.p, f->line.n }, err);
        ipr_buf_reset(&f->line);
        bytes += m + 1, n -= m + 1;
    }
    return rc;
}

bool ipr_fetch_file_end_answer(struct ipr_fetch_file *f)
{
    struct ipr_err err = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_fetch_file_add(f, "\n", 1, &err);
    const bool whole = rc == IPR_OK && f->game.n == 0;

    game_drop(f);
    ipr_buf_reset(&f->line);
    return whole;
}

/* ---- the file ---- */

/* Reads what is there; what follows its last whole game is cut off. */
static enum ipr_code file_read(struct ipr_fetch_file *f, const char *asked, struct ipr_err *err)
{
    char chunk[65536], *line = NULL;
    size_t size = 0, n;
    enum ipr_code rc = IPR_OK;
    const ssize_t first = getline(&line, &size, f->out);

    if (first > 0 && strcmp(line, asked) != 0)
        rc = line[first - 1] != '\n' && strncmp(line, asked, (size_t)first) == 0
                 ? IPR_OK /* ended while it was begun */
                 : ipr_err_set(err, IPR_ECONFLICT,
                               "%s is not of this fetch, or of one with other options: give "
                               "another --output, or remove it",
                               f->path);
    f->ours = rc == IPR_OK;
    f->bytes = f->offset = (int64_t)strlen(asked);
    f->reading = true;
    while (rc == IPR_OK && (n = fread(chunk, 1, sizeof chunk, f->out)) > 0)
        rc = ipr_fetch_file_add(f, chunk, n, err);
    f->reading = false;
    game_drop(f);
    ipr_buf_reset(&f->line);
    free(line);
    return rc;
}

static enum ipr_code file_begin(struct ipr_fetch_file *f, const char *asked, struct ipr_err *err)
{
    if (fseeko(f->out, 0, SEEK_SET) != 0 || fwrite(asked, 1, strlen(asked), f->out) == 0 ||
        fseeko(f->out, (off_t)f->bytes, SEEK_SET) != 0 || fflush(f->out) != 0 ||
        ftruncate(fileno(f->out), (off_t)f->bytes) != 0)
        return ipr_err_set(err, IPR_EIO, "%s: %s", f->part, strerror(errno));
    return IPR_OK;
}

static enum ipr_code file_copy(struct ipr_fetch_file *f, FILE *from, struct ipr_err *err)
{
    char chunk[65536];
    size_t n;

    while ((n = fread(chunk, 1, sizeof chunk, from)) > 0)
        if (fwrite(chunk, 1, n, f->out) != n)
            return ipr_err_set(err, IPR_EIO, "%s: %s", f->part, strerror(errno));
    rewind(f->out);
    return IPR_OK;
}

static enum ipr_code file_open_part(struct ipr_fetch_file *f, bool again, struct ipr_err *err)
{
    FILE *whole = NULL;
    enum ipr_code rc = IPR_OK;

    f->out = again ? NULL : fopen(f->part, "r+be");
    if (f->out != NULL)
        return IPR_OK;
    f->out = fopen(f->part, "w+be");
    if (f->out == NULL)
        return ipr_err_set(err, IPR_EIO, "%s: %s", f->part, strerror(errno));
    whole = again ? NULL : fopen(f->path, "rbe");
    if (whole != NULL) {
        rc = file_copy(f, whole, err);
        fclose(whole);
    }
    return rc;
}

/* With `again` the file of another fetch is not replaced, either. */
static enum ipr_code file_check_old(const char *path, const char *asked, struct ipr_err *err)
{
    char *line = NULL;
    size_t size = 0;
    enum ipr_code rc = IPR_OK;
    FILE *old = fopen(path, "rbe");

    if (old != NULL && (getline(&line, &size, old) < 0 || strcmp(line, asked) != 0))
        rc = ipr_err_set(err, IPR_ECONFLICT, "%s is there, and not of this fetch", path);
    if (old != NULL)
        fclose(old);
    free(line);
    return rc;
}

enum ipr_code ipr_fetch_file_open(const char *path, const char *asked, bool again,
                                  struct ipr_fetch_span span, struct ipr_fetch_file **out,
                                  struct ipr_err *err)
{
    struct ipr_fetch_file *f = ipr_xmalloc(sizeof *f);
    enum ipr_code rc = IPR_OK;

    *f = (struct ipr_fetch_file){ .path = path, .span = span };
    *out = f;
    if (snprintf(f->part, sizeof f->part, "%s.part", path) >= (int)sizeof f->part)
        rc = ipr_err_set(err, IPR_EPARSE, "%s: name too long", path);
    if (rc == IPR_OK)
        rc = file_check_old(path, asked, err);
    if (rc == IPR_OK)
        rc = file_open_part(f, again, err);
    if (rc == IPR_OK)
        rc = file_read(f, asked, err);
    if (rc == IPR_OK)
        rc = file_begin(f, asked, err);
    return rc;
}

int64_t ipr_fetch_file_latest_ms(const struct ipr_fetch_file *f)
{
    return f->latest_ms;
}

uint64_t ipr_fetch_file_games(const struct ipr_fetch_file *f)
{
    return f->games;
}

uint64_t ipr_fetch_file_added(const struct ipr_fetch_file *f)
{
    return f->added;
}

enum ipr_code ipr_fetch_file_finish(struct ipr_fetch_file *f, struct ipr_err *err)
{
    const bool written = fflush(f->out) == 0 && fsync(fileno(f->out)) == 0;

    if (!written || rename(f->part, f->path) != 0)
        return ipr_err_set(err, IPR_EIO, "%s: %s", f->path, strerror(errno));
    return IPR_OK;
}

void ipr_fetch_file_close(struct ipr_fetch_file **file)
{
    struct ipr_fetch_file *f = *file;

    if (f == NULL)
        return;
    if (f->out != NULL && fclose(f->out) == 0 && f->ours && f->games == 0)
        (void)unlink(f->part);
    tdestroy(f->known, keep_key);
    ipr_buf_release(&f->line);
    ipr_buf_release(&f->game);
    free(f);
    *file = NULL;
}
