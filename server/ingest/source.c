#include "ingest/source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ingest/chess_com.h"
#include "ingest/lichess.h"
#include "ingest/lines.h"

#define CHUNK_BYTES ((size_t)64 * 1024)

struct source_work {
    struct ipr_unpack *u;
    const struct ipr_source_sink *sink;
    struct ipr_lines *lines;         /* while a text of lines is read */
    struct ipr_chess_com_game place; /* of the game of a site that is read as PGN */
    struct ipr_buf game;             /* of the line, as PGN */
    uint32_t n_games;                /* of lines read as PGN */
    const char *name;                /* of the text */
    struct ipr_pgn_game *held;       /* of the text: rejected games without tag and move */
    size_t n_held;
    bool recognised;      /* of the text: it has a game, even a rejected one */
    bool any_recognised;  /* the same for all texts before it */
    struct ipr_err first; /* the first error of something that is not a game */
    char *chunk;          /* of the text: the end of what was read */
    size_t n;
};

/* ---- skipped files -------------------------------------------------------------------------
 */

static enum ipr_code source_skip(struct source_work *w, const char *name, const struct ipr_err *why,
                                 struct ipr_err *err)
{
    const struct ipr_source_skipped left = { .name = name, .why = why };

    if (why != NULL && w->first.code == IPR_OK)
        ipr_err_type(&w->first, why->code, why->type, "%.80s: %s", name, why->msg);
    return w->sink->skipped(w->sink->payload, &left, err);
}

/* The text or file contains no game; `first` is the first error, if any.
 */
static enum ipr_code source_no_games(const char *what, const struct ipr_err *first,
                                     struct ipr_err *err)
{
    if (first->code == IPR_OK)
        return ipr_err_type(err, IPR_EPARSE, "no_games", "There is no game in the %s.", what);
    if (first->line == 0)
        return ipr_err_type(err, IPR_EPARSE, "no_games", "There is no game in the %s: %s", what,
                            first->msg);
    return ipr_err_type(err, IPR_EPARSE, "no_games",
                        "There is no game in the %s: line %" PRIu32 ", column %" PRIu32 ": %s",
                        what, first->line, first->column, first->msg);
}

/* ---- PGN --------------------------------------------------------------------------------------
 */

/* A lone "*" is read as an accepted game. A tag or a move makes it a game. */
static enum ipr_code hand_on(struct source_work *w, const struct ipr_pgn_game *game,
                             struct ipr_err *err)
{
    struct ipr_pgn_game empty;

    if (game->n_tags == 0 && game->n_moves == 0 && game->error.code == IPR_OK) {
        empty = *game;
        ipr_err_at(&empty.error, IPR_EPARSE, "empty_game", game->line, 1, -1,
                   "There is neither a tag nor a move.");
        game = &empty;
    }
    return w->sink->pgn(w->sink->payload, game, err);
}

static enum ipr_code source_take_game(void *payload, const struct ipr_pgn_game *game,
                                      struct ipr_err *err)
{
    struct source_work *w = payload;
    enum ipr_code rc = IPR_OK;

    if (!w->recognised) {
        /* Text exceeding a limit may contain a game, so it is reported. */
        if (game->n_tags == 0 && game->n_moves == 0 &&
            strcmp(game->error.type, "game_too_long") != 0 && w->n_held < IPR_SOURCE_HELD) {
            /* Without tags and moves only numbers and the error remain; borrowed data are dropped.
             */
            if (w->held == NULL)
                w->held = ipr_xcalloc(IPR_SOURCE_HELD, sizeof *w->held);
            struct ipr_pgn_game *const g = &w->held[w->n_held++];
            *g = *game;
            g->tags = NULL;
            g->moves = NULL;
            g->notes = NULL;
            g->n_notes = 0;
            return IPR_OK;
        }
        rc = IPR_OK;
        w->recognised = true;
        for (size_t i = 0; rc == IPR_OK && i < w->n_held; i++)
            rc = hand_on(w, &w->held[i], err);
        w->n_held = 0;
    }
    return rc == IPR_OK ? hand_on(w, game, err) : rc;
}

/* The text has ended without a game. Blanks and comments are not reported. */
static enum ipr_code end_without_games(struct source_work *w, struct ipr_err *err)
{
    struct ipr_err cause = IPR_ERR_INIT;

    if (w->n_held == 0)
        return IPR_OK;
    if (ipr_unpack_is_archive(w->u)) {
        (void)source_no_games("text", &w->held[0].error, &cause);
        return source_skip(w, w->name, &cause, err);
    }
    w->first = w->held[0].error;
    return IPR_OK;
}

static enum ipr_code finish_pgn(struct source_work *w, struct ipr_pgn_reader *reader,
                                struct ipr_err *err)
{
    struct ipr_err cause = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_pgn_reader_finish(reader, &cause);

    if (rc != IPR_OK && (rc != IPR_EPARSE || strcmp(cause.type, "no_games") != 0))
        return ipr_err_pass(err, &cause);
    return w->recognised ? IPR_OK : end_without_games(w, err);
}

static enum ipr_code read_pgn(struct source_work *w, struct ipr_err *err)
{
    struct ipr_pgn_reader *reader = ipr_pgn_reader_new(&w->sink->limits, source_take_game, w);
    enum ipr_code rc = IPR_OK;

    while (rc == IPR_OK && w->n > 0) {
        rc = ipr_pgn_reader_feed(reader, w->chunk, w->n, err);
        if (rc == IPR_OK)
            rc = ipr_unpack_read(w->u, w->chunk, CHUNK_BYTES, &w->n, err);
    }
    if (rc == IPR_OK)
        rc = finish_pgn(w, reader, err);
    ipr_pgn_reader_free(&reader);
    return rc;
}

/* ---- interchange ------------------------------------------------------------------------------
 */

static enum ipr_code source_take_line(void *payload, struct ipr_str line, uint32_t line_no,
                                      bool too_long, struct ipr_err *err)
{
    struct source_work *w = payload;
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
        return ipr_err_pass(err, &out.error);
    return w->sink->line(w->sink->payload, &out, err);
}

static enum ipr_code source_read_lines(struct source_work *w, size_t max_line, ipr_line_fn take,
                                       struct ipr_err *err)
{
    struct ipr_lines lines;
    enum ipr_code rc = IPR_OK;

    ipr_lines_init(&lines, max_line, take, w);
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

/* ---- lichess's lines ---- */

/* The place is that of the game in its text, not in its PGN. */
static enum ipr_code source_take_game_of_site(void *payload, const struct ipr_pgn_game *game,
                                              struct ipr_err *err)
{
    struct source_work *w = payload;
    struct ipr_pgn_game here = *game;

    here.index = w->n_games++;
    here.offset = w->place.offset;
    here.line = w->place.line;
    if (here.error.code != IPR_OK) {
        here.error.line = here.line;
        here.error.column = w->place.column;
    }
    return w->sink->pgn(w->sink->payload, &here, err);
}

static enum ipr_code source_take_pgn_of_site(struct source_work *w, struct ipr_str pgn,
                                             struct ipr_err *err)
{
    struct ipr_pgn_reader *reader =
        ipr_pgn_reader_new(&w->sink->limits, source_take_game_of_site, w);
    enum ipr_code rc = ipr_pgn_reader_feed(reader, pgn.p, pgn.n, err);

    if (rc == IPR_OK)
        rc = ipr_pgn_reader_finish(reader, err);
    ipr_pgn_reader_free(&reader);
    return rc;
}

static enum ipr_code source_take_lichess(void *payload, struct ipr_str line, uint32_t line_no,
                                         bool too_long, struct ipr_err *err)
{
    struct source_work *w = payload;
    struct ipr_pgn_game none = { .error = IPR_ERR_INIT };

    w->recognised = true;
    w->place = (struct ipr_chess_com_game){ line_no, 1, w->lines->offset, NULL, NULL };
    ipr_buf_reset(&w->game);
    if (too_long)
        ipr_err_at(&none.error, IPR_EPARSE, "line_too_long", line_no, 1, -1,
                   "The line is longer than %zu bytes.", IPR_LICHESS_LINE_MAX);
    else if (ipr_lichess_pgn(line, line_no, &w->game, &none.error) == IPR_OK)
        return source_take_pgn_of_site(w, (struct ipr_str){ w->game.p, w->game.n }, err);
    return source_take_game_of_site(w, &none, err);
}

/* ---- chess.com's archives ---- */

static enum ipr_code source_take_chess_com(void *payload, const struct ipr_chess_com_game *game,
                                           struct ipr_err *err)
{
    struct source_work *w = payload;

    w->recognised = true;
    w->place = *game;
    if (game->why != NULL) {
        w->place.line = game->why->line;
        w->place.column = game->why->column;
    }
    return game->pgn != NULL
               ? source_take_pgn_of_site(w, ipr_str_c(game->pgn), err)
               : source_take_game_of_site(w, &(struct ipr_pgn_game){ .error = *game->why }, err);
}

static enum ipr_code source_read_chess_com(struct source_work *w, struct ipr_err *err)
{
    struct ipr_chess_com archive = { .game = source_take_chess_com, .payload = w };
    enum ipr_code rc = IPR_OK;

    while (rc == IPR_OK && w->n > 0) {
        rc = ipr_chess_com_feed(&archive, (struct ipr_str){ w->chunk, w->n }, err);
        if (rc == IPR_OK)
            rc = ipr_unpack_read(w->u, w->chunk, CHUNK_BYTES, &w->n, err);
    }
    if (rc == IPR_OK)
        return ipr_chess_com_finish(&archive, err);
    ipr_buf_release(&archive.text);
    return rc;
}

/* ---- detection of the format
 * -------------------------------------------------------------------------
 */

/* An object begins with '{' and a quote; a PGN that begins with a comment rarely does. */
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

/* UTF-8 and Windows-1252 are supported; UTF-16 has a mark, or a zero in every other byte. */
static enum ipr_code check_encoding(struct ipr_str text, struct ipr_err *err)
{
    const bool marked =
        has_mark(text, 0, IPR_STR("\xff\xfe")) || has_mark(text, 0, IPR_STR("\xfe\xff"));
    const bool low = text.n >= 4 && text.p[0] != '\0' && text.p[1] == '\0' && text.p[2] != '\0' &&
                     text.p[3] == '\0';
    const bool high = text.n >= 4 && text.p[0] == '\0' && text.p[1] != '\0' && text.p[2] == '\0' &&
                      text.p[3] != '\0';

    if (marked || low || high)
        return ipr_err_at(err, IPR_EPARSE, "unknown_encoding", 1, 1, -1,
                          "The text is UTF-16. Save it as UTF-8 and send it again.");
    return IPR_OK;
}

/* Packed data left by the unpacking: an archive in an archive, or an unsupported kind. As games it
 * would give misleading errors. */
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
            return ipr_err_type(err, IPR_EPARSE, "bad_archive",
                                "This is %s; supported are text, in gzip, zstd or bzip2, or as "
                                "files in a zip, not packed twice.",
                                kinds[i].what);
    return IPR_OK;
}

/* Suffixes of packed files. */
static bool is_packed_name(const char *name)
{
    static const char *const endings[] = { ".gz",  ".zst", ".bz2", ".xz",
                                           ".zip", ".7z",  ".rar", ".tar" };
    const char *slash = strrchr(name, '/'), *base = slash != NULL ? slash + 1 : name;
    const size_t n = strlen(base);

    for (size_t i = 0; i < sizeof endings / sizeof *endings && strncmp(base, "._", 2) != 0; i++) {
        const size_t n_ending = strlen(endings[i]);

        if (n >= n_ending && strcasecmp(base + n - n_ending, endings[i]) == 0)
            return true;
    }
    return false;
}

/* A file of the archive that is not a text by its name. If packed it may contain games. */
static enum ipr_code take_other(void *payload, const char *name, struct ipr_str begin,
                                struct ipr_err *err)
{
    struct source_work *w = payload;
    struct ipr_err why = IPR_ERR_INIT;

    if (check_packed(begin, &why) == IPR_OK && is_packed_name(name))
        ipr_err_type(&why, IPR_EPARSE, "bad_archive",
                     "By its name it is packed; files within an archive are not unpacked.");
    return source_skip(w, name, why.code != IPR_OK ? &why : NULL, err);
}

static enum ipr_code source_read_text(struct source_work *w, struct ipr_err *err)
{
    struct ipr_err cause = IPR_ERR_INIT;
    enum ipr_code rc = ipr_unpack_read(w->u, w->chunk, CHUNK_BYTES, &w->n, err);
    const struct ipr_str begin = { w->chunk, w->n };

    if (rc != IPR_OK)
        return rc;
    if (check_encoding(begin, &cause) != IPR_OK || check_packed(begin, &cause) != IPR_OK)
        return ipr_unpack_is_archive(w->u) ? source_skip(w, w->name, &cause, err)
                                           : ipr_err_pass(err, &cause);
    if (looks_like_json(begin) && w->sink->form != IPR_SOURCE_LINES && ipr_lichess_begins(begin))
        return source_read_lines(w, IPR_LICHESS_LINE_MAX, source_take_lichess, err);
    if (looks_like_json(begin) && w->sink->form != IPR_SOURCE_LINES && ipr_chess_com_begins(begin))
        return source_read_chess_com(w, err);
    if (looks_like_json(begin)) {
        if (w->sink->form == IPR_SOURCE_PGN)
            return ipr_err_type(
                err, IPR_EPARSE, "judged_games",
                "this is JSON, not of lichess or chess.com; lines of analysed games "
                "are POSTed to /api/v1/evaluations");
        return source_read_lines(w, IPR_LINE_MAX_BYTES, source_take_line, err);
    }
    if (w->sink->form == IPR_SOURCE_LINES)
        return ipr_err_type(err, IPR_EPARSE, "no_evaluations",
                            "these are no lines of analysed games; POST PGN to /api/v1/uploads");
    return read_pgn(w, err);
}

static enum ipr_code source_read_texts(struct source_work *w, struct ipr_err *err)
{
    for (;;) {
        enum ipr_code rc = ipr_unpack_next(w->u, &w->name, err);

        if (rc != IPR_OK || w->name == NULL) {
            w->sink->text(w->sink->payload, "");
            return rc;
        }
        w->sink->text(w->sink->payload, w->name);
        w->n = w->n_held = 0;
        w->recognised = false;
        rc = source_read_text(w, err);
        w->any_recognised = w->any_recognised || w->recognised;
        if (rc != IPR_OK)
            return rc;
    }
}

enum ipr_code ipr_source_read(struct ipr_unpack *u, const struct ipr_source_sink *sink,
                              struct ipr_err *err)
{
    struct source_work w = {
        .u = u, .sink = sink, .chunk = ipr_xmalloc(CHUNK_BYTES), .first = IPR_ERR_INIT
    };

    ipr_unpack_on_other(u, take_other, &w);
    enum ipr_code rc = source_read_texts(&w, err);
    if (rc == IPR_OK && !w.any_recognised)
        rc = source_no_games("file", &w.first, err);
    ipr_unpack_on_other(u, NULL, NULL);
    ipr_buf_release(&w.game);
    free(w.held);
    free(w.chunk);
    return rc;
}
