#include "ingest/source.h"

#include <stdlib.h>
#include <string.h>

#include "ingest/lines.h"

#define CHUNK_BYTES ((size_t)64 * 1024)

struct work {
    struct ipr_unpack *u;
    const struct ipr_source_sink *sink;
    struct ipr_lines *lines; /* while a text of interchange is read */
    bool recognised;         /* something read was a game, if only a refused one */
    char *chunk;             /* of the text: what was read last */
    size_t n;
};

static enum ipr_code pass_on(const struct ipr_err *cause, struct ipr_err *err)
{
    if (err != NULL && err->code == IPR_OK)
        *err = *cause;
    return cause->code;
}

/* ---- PGN --------------------------------------------------------------------------------------
 */

/* Any words at all can be read as one refused game, and a lone "*" as an accepted one. A tag or a
 * move makes it a game. */
static enum ipr_code take_game(void *payload, const struct ipr_pgn_game *game, struct ipr_err *err)
{
    struct work *w = payload;
    struct ipr_pgn_game empty;

    if (game->n_tags > 0 || game->n_moves > 0)
        w->recognised = true;
    else if (game->error.code == IPR_OK) {
        empty = *game;
        ipr_err_at(&empty.error, IPR_EPARSE, "empty_game", game->line, 1, -1,
                   "There is neither a tag nor a move.");
        game = &empty;
    }
    return w->sink->pgn(w->sink->payload, game, err);
}

/* A text without games is a fault only when no other text of the archive has any. */
static enum ipr_code finish_pgn(struct ipr_pgn_reader *reader, struct ipr_err *err)
{
    struct ipr_err cause = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_pgn_reader_finish(reader, &cause);

    if (rc == IPR_OK || (rc == IPR_EPARSE && strcmp(cause.type, "no_games") == 0))
        return IPR_OK;
    return pass_on(&cause, err);
}

static enum ipr_code read_pgn(struct work *w, struct ipr_err *err)
{
    struct ipr_pgn_reader *reader = ipr_pgn_reader_new(&w->sink->limits, take_game, w);
    enum ipr_code rc = IPR_OK;

    while (rc == IPR_OK && w->n > 0) {
        rc = ipr_pgn_reader_feed(reader, w->chunk, w->n, err);
        if (rc == IPR_OK)
            rc = ipr_unpack_read(w->u, w->chunk, CHUNK_BYTES, &w->n, err);
    }
    if (rc == IPR_OK)
        rc = finish_pgn(reader, err);
    ipr_pgn_reader_free(&reader);
    return rc;
}

/* ---- interchange ------------------------------------------------------------------------------
 */

static enum ipr_code take_line(void *payload, struct ipr_str line, uint32_t line_no, bool too_long,
                               struct ipr_err *err)
{
    struct work *w = payload;
    struct ipr_interchange_game *g = ipr_arena_alloc(w->sink->mem, 1, sizeof *g);
    struct ipr_source_line out = {
        .line = line_no, .offset = w->lines->offset, .game = g, .error = IPR_ERR_INIT
    };
    enum ipr_code rc;

    w->recognised = true;
    if (too_long)
        rc = ipr_err_at(&out.error, IPR_EPARSE, "line_too_long", line_no, 1, -1,
                        "The line is longer than %zu bytes.", IPR_LINE_MAX_BYTES);
    else
        rc = ipr_interchange_read(line, line_no, w->sink->mem, g, &out.error);
    if (rc != IPR_OK && rc != IPR_EPARSE)
        return pass_on(&out.error, err);
    return w->sink->line(w->sink->payload, &out, err);
}

static enum ipr_code read_lines(struct work *w, struct ipr_err *err)
{
    struct ipr_lines lines;
    enum ipr_code rc = IPR_OK;

    ipr_lines_init(&lines, IPR_LINE_MAX_BYTES, take_line, w);
    w->lines = &lines;
    while (rc == IPR_OK && w->n > 0) {
        rc = ipr_lines_feed(&lines, w->chunk, w->n, err);
        if (rc == IPR_OK)
            rc = ipr_unpack_read(w->u, w->chunk, CHUNK_BYTES, &w->n, err);
    }
    if (rc == IPR_OK)
        rc = ipr_lines_finish(&lines, err);
    ipr_lines_release(&lines);
    w->lines = NULL;
    return rc;
}

/* ---- which of the two -------------------------------------------------------------------------
 */

/* An object begins '{' and a quote; a PGN that opens with a comment hardly does. */
static bool looks_like_json(struct ipr_str s)
{
    if (s.n >= 3 && memcmp(s.p, "\xef\xbb\xbf", 3) == 0)
        s = (struct ipr_str){ s.p + 3, s.n - 3 };
    s = ipr_str_trim(s);
    if (s.n == 0 || s.p[0] != '{')
        return false;
    s = ipr_str_trim((struct ipr_str){ s.p + 1, s.n - 1 });
    return s.n > 0 && (s.p[0] == '"' || s.p[0] == '}');
}

static bool has_mark(struct ipr_str text, size_t at, struct ipr_str mark)
{
    return text.n >= at + mark.n && memcmp(text.p + at, mark.p, mark.n) == 0;
}

/* UTF-8 and Windows-1252 are read; of the rest the one that people do send has a mark. */
static enum ipr_code check_encoding(struct ipr_str text, struct ipr_err *err)
{
    if (has_mark(text, 0, IPR_STR("\xff\xfe")) || has_mark(text, 0, IPR_STR("\xfe\xff")))
        return ipr_err_at(err, IPR_EPARSE, "unknown_encoding", 1, 1, -1,
                          "The text is UTF-16. Save it as UTF-8 and send it again.");
    return IPR_OK;
}

/* What unpacking let through though it is packed: an archive in an archive, or another kind. Read
 * as games it would be a riddle. */
static enum ipr_code check_packed(struct ipr_str text, struct ipr_err *err)
{
    static const struct {
        const char *what;
        size_t at;
        struct ipr_str mark;
    } kinds[] = {
        { "a gzip file", 0, { "\x1f\x8b\x08", 3 } },
        { "a zstd file", 0, { "\x28\xb5\x2f\xfd", 4 } },
        { "a bzip2 file", 4, { "1AY&SY", 6 } },
        { "a zip archive", 0, { "PK\x03\x04", 4 } },
        { "an xz file", 0, { "\xfd\x37zXZ\x00", 6 } },
        { "a 7z archive", 0, { "7z\xbc\xaf\x27\x1c", 6 } },
        { "a RAR archive", 0, { "Rar!\x1a\x07", 6 } },
        { "a tar archive", 257, { "ustar", 5 } },
    };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (has_mark(text, kinds[i].at, kinds[i].mark))
            return ipr_err_at(err, IPR_EPARSE, "bad_archive", 0, 0, -1,
                              "This is %s; what is read is text, in gzip, zstd or bzip2, or as "
                              "files in a zip.",
                              kinds[i].what);
    return IPR_OK;
}

static enum ipr_code read_text(struct work *w, struct ipr_err *err)
{
    enum ipr_code rc = ipr_unpack_read(w->u, w->chunk, CHUNK_BYTES, &w->n, err);
    const struct ipr_str begin = { w->chunk, w->n };

    if (rc == IPR_OK)
        rc = check_encoding(begin, err);
    if (rc == IPR_OK)
        rc = check_packed(begin, err);
    if (rc != IPR_OK)
        return rc;
    if (!looks_like_json(begin))
        return read_pgn(w, err);
    if (w->sink->pgn_only)
        return ipr_err_at(err, IPR_EPARSE, "judged_games", 0, 0, -1,
                          "These are judged games; `intrinsic import` takes them, an upload takes "
                          "PGN.");
    return read_lines(w, err);
}

enum ipr_code ipr_source_read(struct ipr_unpack *u, const struct ipr_source_sink *sink,
                              struct ipr_err *err)
{
    struct work w = { .u = u, .sink = sink, .chunk = ipr_xmalloc(CHUNK_BYTES) };
    const char *name = NULL;
    enum ipr_code rc;

    for (;;) {
        rc = ipr_unpack_next(u, &name, err);
        if (rc != IPR_OK || name == NULL)
            break;
        sink->text(sink->payload, name);
        w.n = 0;
        rc = read_text(&w, err);
        if (rc != IPR_OK)
            break;
    }
    if (rc == IPR_OK && !w.recognised)
        rc = ipr_err_at(err, IPR_EPARSE, "no_games", 0, 0, -1, "There is no game in the file.");
    free(w.chunk);
    return rc;
}
