#include "ingest/ingest.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sodium.h>

#include "db/known_games.h"
#include "db/uploads.h"
#include "ingest/batch.h"
#include "ingest/interchange.h"
#include "ingest/lines.h"
#include "ingest/pipe.h"
#include "ingest/row.h"
#include "ingest/store.h"
#include "ingest/unpack.h"
#include "pgn/reader.h"

#define CHUNK_BYTES    ((size_t)64 * 1024)
#define LINE_MAX_BYTES ((size_t)16 * 1024 * 1024)
#define SOURCE_BYTES   255

/* One import, handed to the transaction. */
struct import {
    int fd;
    int64_t start, bytes;
    unsigned char digest[32];
    const char *source;
    const struct ipr_ingest_options *options;
    struct ipr_ingest_result result;
};

/* The side that reads, in a thread of its own. */
struct reading {
    const struct import *im;
    struct ipr_pipe *pipe;
    struct ipr_batch *batch; /* being filled; NULL: none yet */
    const char *file;        /* name of the text within an archive, "" when there is none */
    int32_t games_read;
    bool recognised; /* something read was a game, if only a refused one */
    bool unwanted;   /* the side that stores has given up */
    enum ipr_code rc;
    struct ipr_err err;
};

/* ---- batches ----------------------------------------------------------------------------------
 */

static void send_batch(struct reading *r)
{
    if (r->batch != NULL)
        ipr_pipe_send(r->pipe, r->batch);
    r->batch = NULL;
}

/* A batch with room for a game, for which everything that belongs to it is then allocated. */
static enum ipr_code make_room(struct reading *r, struct ipr_err *err)
{
    if (r->batch != NULL && ipr_batch_full(r->batch))
        send_batch(r);
    if (r->batch == NULL)
        r->batch = ipr_pipe_blank(r->pipe);
    if (r->batch != NULL)
        return IPR_OK;
    r->unwanted = true;
    return ipr_err_set(err, IPR_EIO, "nobody stores what is read");
}

/* ---- PGN --------------------------------------------------------------------------------------
 */

static enum ipr_code take_pgn(void *payload, const struct ipr_pgn_game *game, struct ipr_err *err)
{
    struct reading *r = payload;
    const struct ipr_row_source src = { .tags = game->tags,
                                        .n_tags = game->n_tags,
                                        .start = &game->start,
                                        .moves = game->moves,
                                        .n_moves = game->n_moves,
                                        .notes = game->notes,
                                        .n_notes = game->n_notes,
                                        .result = game->result };
    const enum ipr_code rc = make_room(r, err);

    if (rc != IPR_OK)
        return rc;
    /* Any words at all can be read as one refused game. A tag or a move makes it one. */
    r->recognised = r->recognised || game->n_tags > 0 || game->n_moves > 0;
    r->games_read++;
    if (game->error.code != IPR_OK)
        ipr_batch_refuse(r->batch, game->tags, game->n_tags, r->games_read, r->file, &game->error);
    else
        ipr_batch_add(r->batch, &src, NULL, r->games_read, game->line, r->file);
    return IPR_OK;
}

/* A text without games is a fault only when no other text of the archive has any. */
static enum ipr_code finish_pgn(struct ipr_pgn_reader *reader, struct ipr_err *err)
{
    struct ipr_err cause = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_pgn_reader_finish(reader, &cause);

    if (rc == IPR_OK || (rc == IPR_EPARSE && strcmp(cause.type, "no_games") == 0))
        return IPR_OK;
    if (err != NULL && err->code == IPR_OK)
        *err = cause;
    return rc;
}

static enum ipr_code read_pgn(struct reading *r, struct ipr_unpack *u, char *chunk, size_t n,
                              struct ipr_err *err)
{
    const struct ipr_pgn_limits limits = { .notes = true };
    struct ipr_pgn_reader *reader = ipr_pgn_reader_new(&limits, take_pgn, r);
    enum ipr_code rc = IPR_OK;

    while (rc == IPR_OK && n > 0) {
        rc = ipr_pgn_reader_feed(reader, chunk, n, err);
        if (rc == IPR_OK)
            rc = ipr_unpack_read(u, chunk, CHUNK_BYTES, &n, err);
    }
    if (rc == IPR_OK)
        rc = finish_pgn(reader, err);
    ipr_pgn_reader_free(&reader);
    return rc;
}

/* ---- interchange ------------------------------------------------------------------------------
 */

static void add_judged(struct reading *r, const struct ipr_interchange_game *g, uint32_t line)
{
    const struct ipr_row_source src = { .tags = g->tags,
                                        .n_tags = g->n_tags,
                                        .start = &g->start,
                                        .moves = g->moves,
                                        .n_moves = g->n_moves,
                                        .result = g->result };

    ipr_batch_add(r->batch, &src, g->sides != 0 ? g : NULL, r->games_read, line, r->file);
}

static enum ipr_code take_line(void *payload, struct ipr_str line, uint32_t line_no, bool too_long,
                               struct ipr_err *err)
{
    struct reading *r = payload;
    struct ipr_err cause = IPR_ERR_INIT;
    enum ipr_code rc = make_room(r, err);

    if (rc != IPR_OK)
        return rc;
    struct ipr_interchange_game *g = ipr_arena_alloc(&r->batch->mem, 1, sizeof *g);
    r->recognised = true;
    r->games_read++;
    if (too_long)
        rc = ipr_err_at(&cause, IPR_EPARSE, "line_too_long", line_no, 1, -1,
                        "The line is longer than %zu bytes.", LINE_MAX_BYTES);
    else
        rc = ipr_interchange_read(line, line_no, &r->batch->mem, g, &cause);
    if (rc == IPR_OK) {
        add_judged(r, g, line_no);
    } else if (rc == IPR_EPARSE) {
        ipr_batch_refuse(r->batch, g->tags, g->n_tags, r->games_read, r->file, &cause);
        rc = IPR_OK;
    } else if (err != NULL && err->code == IPR_OK) {
        *err = cause;
    }
    return rc;
}

static enum ipr_code read_lines(struct reading *r, struct ipr_unpack *u, char *chunk, size_t n,
                                struct ipr_err *err)
{
    struct ipr_lines lines;
    enum ipr_code rc = IPR_OK;

    ipr_lines_init(&lines, LINE_MAX_BYTES, take_line, r);
    while (rc == IPR_OK && n > 0) {
        rc = ipr_lines_feed(&lines, chunk, n, err);
        if (rc == IPR_OK)
            rc = ipr_unpack_read(u, chunk, CHUNK_BYTES, &n, err);
    }
    if (rc == IPR_OK)
        rc = ipr_lines_finish(&lines, err);
    ipr_lines_release(&lines);
    return rc;
}

/* ---- which of the two -------------------------------------------------------------------------
 */

/* An object begins '{' and a quote; a PGN that opens with a comment hardly does. */
static bool looks_like_json(const char *p, size_t n)
{
    struct ipr_str s = { p, n };

    if (s.n >= 3 && memcmp(s.p, "\xef\xbb\xbf", 3) == 0)
        s = (struct ipr_str){ s.p + 3, s.n - 3 };
    s = ipr_str_trim(s);
    if (s.n == 0 || s.p[0] != '{')
        return false;
    s = ipr_str_trim((struct ipr_str){ s.p + 1, s.n - 1 });
    return s.n > 0 && (s.p[0] == '"' || s.p[0] == '}');
}

/* UTF-8 and Windows-1252 are read; of the rest the one that people do send has a mark. */
static enum ipr_code check_encoding(const char *p, size_t n, struct ipr_err *err)
{
    if (n >= 2 && (memcmp(p, "\xff\xfe", 2) == 0 || memcmp(p, "\xfe\xff", 2) == 0))
        return ipr_err_at(err, IPR_EPARSE, "unknown_encoding", 1, 1, -1,
                          "The text is UTF-16. Save it as UTF-8 and send it again.");
    return IPR_OK;
}

static enum ipr_code read_text(struct reading *r, struct ipr_unpack *u, struct ipr_err *err)
{
    char *chunk = ipr_xmalloc(CHUNK_BYTES);
    size_t n = 0;
    enum ipr_code rc = ipr_unpack_read(u, chunk, CHUNK_BYTES, &n, err);

    if (rc == IPR_OK)
        rc = check_encoding(chunk, n, err);
    if (rc == IPR_OK && looks_like_json(chunk, n))
        rc = r->im->options->pgn_only
                 ? ipr_err_at(err, IPR_EPARSE, "judged_games", 0, 0, -1,
                              "These are judged games; `intrinsic import` takes them, an upload "
                              "takes PGN.")
                 : read_lines(r, u, chunk, n, err);
    else if (rc == IPR_OK)
        rc = read_pgn(r, u, chunk, n, err);
    free(chunk);
    return rc;
}

static enum ipr_code read_texts(struct reading *r, struct ipr_unpack *u, struct ipr_err *err)
{
    struct ipr_arena names = IPR_ARENA_INIT;
    const char *name = NULL;
    enum ipr_code rc;

    for (;;) {
        rc = ipr_unpack_next(u, &name, err);
        if (rc != IPR_OK || name == NULL)
            break;
        r->file = ipr_row_text(ipr_str_c(name), SOURCE_BYTES, &names);
        rc = read_text(r, u, err);
        if (rc != IPR_OK)
            break;
    }
    if (rc == IPR_OK && !r->recognised)
        rc = ipr_err_at(err, IPR_EPARSE, "no_games", 0, 0, -1, "There is no game in the file.");
    ipr_arena_release(&names);
    return rc;
}

/* ---- two threads ------------------------------------------------------------------------------
 */

static void *read_main(void *arg)
{
    struct reading *r = arg;
    const struct ipr_unpack_limits limits = { .max_bytes = r->im->options->max_bytes };
    struct ipr_unpack *u = NULL;

    r->rc = ipr_unpack_open(r->im->fd, r->im->start, &limits, &u, &r->err);
    if (r->rc == IPR_OK)
        r->rc = read_texts(r, u, &r->err);
    ipr_unpack_close(&u);
    send_batch(r);
    ipr_pipe_close(r->pipe);
    return NULL;
}

static enum ipr_code store_all(struct ipr_store *s, struct ipr_pipe *pipe, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    struct ipr_batch *b;

    while ((b = ipr_pipe_receive(pipe)) != NULL) {
        if (rc == IPR_OK)
            rc = ipr_store_batch(s, b, err);
        if (rc != IPR_OK)
            ipr_pipe_give_up(pipe);
        ipr_pipe_return(pipe, b);
    }
    return rc;
}

/* Reading and storing at once. Of two failures the one that caused the other is told. */
static enum ipr_code read_and_store(struct ipr_store *s, const struct import *im,
                                    struct ipr_err *err)
{
    struct reading r = { .im = im, .pipe = ipr_pipe_new(), .file = "" };
    pthread_t thread;
    enum ipr_code rc;

    const int failed = pthread_create(&thread, NULL, read_main, &r);
    if (failed != 0) {
        ipr_pipe_free(&r.pipe);
        return ipr_err_set(err, IPR_ERETRY, "no thread to read with: %s", strerrordesc_np(failed));
    }
    rc = store_all(s, r.pipe, err);
    pthread_join(thread, NULL);
    ipr_pipe_free(&r.pipe);
    s->counts.games_read = r.games_read;
    if (rc == IPR_OK && r.rc != IPR_OK && err != NULL && err->code == IPR_OK)
        *err = r.err;
    return rc == IPR_OK ? r.rc : rc;
}

/* ---- the transaction --------------------------------------------------------------------------
 */

static enum ipr_code end_upload(const struct ipr_store *s, const struct import *im,
                                struct ipr_err *err)
{
    const struct ipr_db_upload u = {
        .id = s->upload_id,
        .source = im->source,
        .judge = im->options->judge != NULL ? im->options->judge : "",
        .bytes = im->bytes,
        .games_read = s->counts.games_read,
        .imported = s->counts.imported,
        .duplicate = s->counts.duplicate,
        .rejected = s->counts.rejected,
        .judged = s->counts.judged,
        .queued = s->counts.queued,
    };

    return ipr_db_upload_end(s->db, &u, err);
}

/* May run several times: whatever it learns is forgotten at its start. */
static enum ipr_code import_all(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct import *im = arg;
    struct ipr_store s = { .db = db, .options = im->options, .cache = ipr_cache_new() };
    enum ipr_code rc = ipr_db_import_begin(db, im->options->wait_s, err);

    if (rc == IPR_OK)
        rc = ipr_db_upload_begin(db, im->source, im->digest, im->bytes,
                                 im->options->judge != NULL ? im->options->judge : "", &s.upload_id,
                                 err);
    if (rc == IPR_OK)
        rc = read_and_store(&s, im, err);
    if (rc == IPR_OK)
        rc = end_upload(&s, im, err);
    if (rc == IPR_OK) {
        im->result = s.counts;
        im->result.upload_id = s.upload_id;
    }
    ipr_cache_free(&s.cache);
    return rc;
}

/* ---- bytes as sent ----------------------------------------------------------------------------
 */

static enum ipr_code digest_bytes(struct import *im, struct ipr_err *err)
{
    crypto_generichash_state state;
    unsigned char *chunk = ipr_xmalloc(CHUNK_BYTES);
    ssize_t n;
    int cause = 0;

    crypto_generichash_init(&state, NULL, 0, sizeof im->digest);
    for (;;) {
        n = pread(im->fd, chunk, CHUNK_BYTES, im->start + im->bytes);
        cause = errno;
        if (n < 0 && cause == EINTR)
            continue;
        if (n <= 0)
            break;
        crypto_generichash_update(&state, chunk, (size_t)n);
        im->bytes += n;
    }
    crypto_generichash_final(&state, im->digest, sizeof im->digest);
    free(chunk);
    if (n < 0)
        return ipr_err_set(err, IPR_EIO, "reading the upload: %s", strerrordesc_np(cause));
    if (im->bytes == 0)
        return ipr_err_at(err, IPR_EPARSE, "empty_body", 0, 0, -1, "There is nothing to read.");
    return IPR_OK;
}

/* Whether these bytes were imported before. */
static enum ipr_code look_up(struct ipr_db *db, struct import *im, struct ipr_err *err)
{
    struct ipr_err cause = IPR_ERR_INIT;
    int64_t id;

    if (im->options->again)
        return IPR_OK;
    const enum ipr_code rc = ipr_db_upload_by_digest(db, im->digest, &id, &cause);
    if (rc == IPR_ENOTFOUND)
        return IPR_OK;
    if (rc == IPR_OK) {
        im->result.upload_id = id;
        im->result.seen_before = true;
    } else if (err != NULL && err->code == IPR_OK) {
        *err = cause;
    }
    return rc;
}

enum ipr_code ipr_ingest_fd(struct ipr_db *db, int fd, const struct ipr_ingest_options *options,
                            struct ipr_ingest_result *out, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct import im = { .fd = fd, .options = options, .start = lseek(fd, 0, SEEK_CUR) };
    enum ipr_code rc;

    if (im.start < 0)
        return ipr_err_set(err, IPR_EIO, "an import needs a regular file: %s",
                           strerrordesc_np(errno));
    im.source = ipr_row_text(ipr_str_c(options->source), SOURCE_BYTES, &mem);
    rc = digest_bytes(&im, err);
    if (rc == IPR_OK)
        rc = look_up(db, &im, err);
    if (rc == IPR_OK && !im.result.seen_before)
        rc = ipr_db_tx(db, import_all, &im, err);
    if (rc == IPR_OK)
        *out = im.result;
    ipr_arena_release(&mem);
    return rc;
}
