#include "rate/saved.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct ipr_rate_saved {
    FILE *f;
    const char *path;
    struct ipr_buf line;
};

static enum ipr_code saved_failed(const char *path, struct ipr_err *err)
{
    return ipr_err_set(err, IPR_EIO, "%s: %s", path, strerrordesc_np(errno));
}

/* ---- what is there ---- */

static bool same_game(const struct ipr_interchange_game *a, const struct ipr_interchange_game *b)
{
    static const char *const tags[] = { "White", "Black" };
    bool same = a->n_moves == b->n_moves && a->moves != NULL &&
                memcmp(a->moves, b->moves, a->n_moves * sizeof *a->moves) == 0;

    for (size_t i = 0; i < 2; i++)
        same = same && ipr_str_eq(ipr_pgn_tag_find(a->tags, a->n_tags, tags[i]),
                                  ipr_pgn_tag_find(b->tags, b->n_tags, tags[i]));
    return same;
}

/* Takes the turns of a line. */
static enum ipr_code saved_take(const char *path, struct ipr_str line, uint32_t number,
                                struct ipr_rate_games *games, struct ipr_rate_game *g,
                                struct ipr_err *err)
{
    struct ipr_interchange_game game;
    struct ipr_err cause = IPR_ERR_INIT;

    if (g == NULL)
        return ipr_err_set(err, IPR_EPARSE, "%s: line %" PRIu32 ": there are fewer games to rate",
                           path, number);
    if (ipr_interchange_read(line, number, &g->judged_mem, &game, &cause) != IPR_OK)
        return ipr_err_set(err, IPR_EPARSE, "%s: line %" PRIu32 ": %s", path, number, cause.msg);
    if (!same_game(&game, g->text))
        return ipr_err_set(err, IPR_EPARSE,
                           "%s: line %" PRIu32 " is another game than game %" PRIu64
                           " of %s: it was saved for other files or options",
                           path, number, g->number, g->file);
    if (game.sides != ipr_rate_game_sides(&game) || !ipr_rate_is_of(games, &game.judge))
        return ipr_err_set(err, IPR_EPARSE, "%s: line %" PRIu32 ": not analysed by `%s`", path,
                           number, games->judge.name);
    games->found = game.judge;
    g->text->judge = game.judge;
    g->text->judged = game.judged;
    g->text->sides = game.sides;
    return IPR_OK;
}

static struct ipr_rate_game *next_with_moves(const struct ipr_rate_games *games, size_t *at)
{
    while (*at < games->n) {
        struct ipr_rate_game *g = games->at[(*at)++];

        if (ipr_rate_game_for_engine(g))
            return g;
    }
    return NULL;
}

/* `*end` is where the last whole line ends. */
static enum ipr_code saved_read(FILE *f, const char *path, struct ipr_rate_games *games, size_t *n,
                                off_t *end, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    char *line = NULL;
    size_t size = 0, at = 0;
    ssize_t length;

    *n = 0;
    *end = 0;
    while (rc == IPR_OK && (length = getline(&line, &size, f)) > 0 && line[length - 1] == '\n') {
        rc = saved_take(path, (struct ipr_str){ line, (size_t)length - 1 }, (uint32_t)*n + 1, games,
                        next_with_moves(games, &at), err);
        *end += length;
        ++*n;
    }
    free(line);
    return rc == IPR_OK && ferror(f) ? saved_failed(path, err) : rc;
}

enum ipr_code ipr_rate_saved_open(const char *path, struct ipr_rate_games *games,
                                  struct ipr_rate_saved **out, size_t *n, struct ipr_err *err)
{
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    struct stat about;
    off_t end;

    /* A device or a pipe may never end. */
    if (fd >= 0 && (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))) {
        close(fd);
        return ipr_err_set(err, IPR_EIO, "%s: not a regular file", path);
    }
    FILE *f = fd >= 0 ? fdopen(fd, "r+") : NULL;
    if (f == NULL) {
        if (fd >= 0)
            close(fd);
        return saved_failed(path, err);
    }
    enum ipr_code rc = saved_read(f, path, games, n, &end, err);
    if (rc == IPR_OK && (ftruncate(fd, end) != 0 || fseeko(f, end, SEEK_SET) != 0))
        rc = saved_failed(path, err);
    if (rc != IPR_OK) {
        fclose(f);
        return rc;
    }
    *out = ipr_xcalloc(1, sizeof **out);
    **out = (struct ipr_rate_saved){ .f = f, .path = path };
    return IPR_OK;
}

/* ---- what is added ---- */

enum ipr_code ipr_rate_saved_put(struct ipr_rate_saved *s, const struct ipr_rate_game *g,
                                 struct ipr_err *err)
{
    ipr_buf_reset(&s->line);
    ipr_interchange_write(&s->line, g->text);
    if (fwrite(s->line.p, 1, s->line.n, s->f) != s->line.n || fflush(s->f) != 0)
        return saved_failed(s->path, err);
    return IPR_OK;
}

enum ipr_code ipr_rate_saved_close(struct ipr_rate_saved **s, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    if (*s == NULL)
        return IPR_OK;
    if (fclose((*s)->f) != 0)
        rc = saved_failed((*s)->path, err);
    ipr_buf_release(&(*s)->line);
    free(*s);
    *s = NULL;
    return rc;
}
