#include "ingest/ingest.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sodium.h>

#include "core/clock.h"
#include "db/duplicate_candidates.h"
#include "db/uploads.h"
#include "ingest/batch.h"
#include "ingest/pipe.h"
#include "ingest/row.h"
#include "ingest/source.h"
#include "ingest/store.h"
#include "ingest/unpack.h"

#define CHUNK_BYTES  ((size_t)64 * 1024)
#define SOURCE_BYTES 255

/* One import, the argument of its transaction. */
struct import {
    int fd;
    int64_t start, bytes;
    unsigned char digest[32];
    const char *source;
    const struct ipr_ingest_options *options;
    struct ipr_ingest_result result;
};

/* The reading side, a thread. */
struct reading {
    const struct import *im;
    struct ipr_pipe *pipe;
    struct ipr_source_sink sink;
    struct ipr_batch
        *batch;       /* being filled, with room for a game; NULL: the storing side has stopped */
    const char *file; /* name of the text within an archive, "" when there is none */
    struct ipr_arena names;
    int32_t games_read, unread, passed_over;
    int64_t variations;
    struct ipr_err err;
};

/* ---- games into batches -----------------------------------------------------------------------
 */

/* Called after every game: data of the next game may be allocated in the batch before it is added.
 */
static enum ipr_code reading_make_room(struct reading *r, struct ipr_err *err)
{
    if (r->batch != NULL && !ipr_batch_full(r->batch))
        return IPR_OK;
    if (r->batch != NULL)
        ipr_pipe_send(r->pipe, r->batch);
    r->batch = ipr_pipe_blank(r->pipe);
    if (r->batch == NULL)
        return ipr_err_set(err, IPR_EIO, "the storing side has stopped");
    r->sink.mem = &r->batch->mem;
    return IPR_OK;
}

static void reading_take_text(void *payload, const char *name)
{
    struct reading *r = payload;

    ipr_arena_release(&r->names);
    r->file = ipr_row_text(ipr_str_c(name), SOURCE_BYTES, &r->names);
}

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
                                        .result = game->result,
                                        .spelling = r->im->options->spelling };

    r->games_read++;
    r->variations += game->variations;
    if (game->error.code != IPR_OK)
        ipr_batch_refuse(r->batch, game->tags, game->n_tags, r->games_read, r->file, &game->error);
    else
        ipr_batch_add(r->batch, &src, NULL, r->games_read, game->line, r->file);
    return reading_make_room(r, err);
}

static enum ipr_code reading_take_line(void *payload, const struct ipr_source_line *line,
                                       struct ipr_err *err)
{
    struct reading *r = payload;
    const struct ipr_interchange_game *g = line->game;
    const struct ipr_row_source src = { .tags = g->tags,
                                        .n_tags = g->n_tags,
                                        .start = &g->start,
                                        .moves = g->moves,
                                        .n_moves = g->n_moves,
                                        .moves_key = g->moves_key,
                                        .result = g->result,
                                        .spelling =
                                            g->domain == NULL ? r->im->options->spelling : NULL };

    r->games_read++;
    if (line->error.code != IPR_OK)
        ipr_batch_refuse(r->batch, g->tags, g->n_tags, r->games_read, r->file, &line->error);
    else
        ipr_batch_add(r->batch, &src, g->sides != 0 ? g : NULL, r->games_read, line->line, r->file);
    return reading_make_room(r, err);
}

static enum ipr_code reading_take_skipped(void *payload, const struct ipr_source_skipped *left,
                                          struct ipr_err *err)
{
    struct reading *r = payload;

    if (left->why == NULL) {
        r->passed_over++;
        return IPR_OK;
    }
    /* Games have numbers from 1; each error of an upload needs a unique number. */
    r->unread++;
    reading_take_text(r, left->name);
    ipr_batch_refuse(r->batch, NULL, 0, -r->unread, r->file, left->why);
    return reading_make_room(r, err);
}

/* ---- two threads ------------------------------------------------------------------------------
 */

static enum ipr_code reading_read_all(struct reading *r, struct ipr_err *err)
{
    const struct ipr_unpack_limits limits = { .max_bytes = r->im->options->max_bytes };
    struct ipr_unpack *u = NULL;
    enum ipr_code rc = reading_make_room(r, err);

    if (rc == IPR_OK)
        rc = ipr_unpack_open(r->im->fd, r->im->start, &limits, &u, err);
    if (rc == IPR_OK)
        rc = ipr_source_read(u, &r->sink, err);
    ipr_unpack_close(&u);
    return rc;
}

static void *read_main(void *arg)
{
    struct reading *r = arg;

    r->sink = (struct ipr_source_sink){ .payload = r,
                                        .text = reading_take_text,
                                        .pgn = take_pgn,
                                        .line = reading_take_line,
                                        .skipped = reading_take_skipped,
                                        .limits = { .notes = true },
                                        .form = r->im->options->form };
    (void)reading_read_all(r, &r->err); /* r->err says whether it failed */
    if (r->batch != NULL)
        ipr_pipe_send(r->pipe, r->batch);
    ipr_pipe_close(r->pipe);
    ipr_arena_release(&r->names);
    return NULL;
}

/* Others wait meanwhile: no upload may take as long as it likes. */
static enum ipr_code check_time(const struct ipr_store *s, const struct ipr_batch *b, int64_t begun,
                                struct ipr_err *err)
{
    const int64_t max_ms = s->options->max_ms;

    if (max_ms == 0 || ipr_now_ms() - begun < max_ms)
        return IPR_OK;
    return ipr_err_at(err, IPR_ELIMIT, "import_too_long", b->n > 0 ? b->lines[0] : 0, 0, -1,
                      "The import took longer than %lld seconds; at game %d it was stopped.",
                      (long long)(max_ms / 1000), (int)(b->n > 0 ? b->rows[0].ordinal : 0));
}

static enum ipr_code store_all(struct ipr_store *s, struct ipr_pipe *pipe, struct ipr_err *err)
{
    const int64_t begun = ipr_now_ms();
    enum ipr_code rc = IPR_OK;
    struct ipr_batch *b;

    while ((b = ipr_pipe_receive(pipe)) != NULL) {
        if (rc == IPR_OK)
            rc = check_time(s, b, begun, err);
        if (rc == IPR_OK)
            rc = ipr_store_batch(s, b, err);
        if (rc != IPR_OK)
            ipr_pipe_give_up(pipe);
        ipr_pipe_return(pipe, b);
    }
    return rc;
}

/* Reads and stores in parallel. Of two failures the one that caused the other is returned. */
static enum ipr_code read_and_store(struct ipr_store *s, const struct import *im,
                                    struct ipr_err *err)
{
    struct reading r = { .im = im, .pipe = ipr_pipe_new(), .file = "" };
    pthread_t thread;
    enum ipr_code rc;

    const int failed = pthread_create(&thread, NULL, read_main, &r);
    if (failed != 0) {
        ipr_pipe_free(&r.pipe);
        return ipr_err_set(err, IPR_ERETRY, "cannot start the reading thread: %s",
                           strerrordesc_np(failed));
    }
    rc = store_all(s, r.pipe, err);
    pthread_join(thread, NULL);
    ipr_pipe_free(&r.pipe);
    s->counts.games_read = r.games_read;
    s->counts.variations = r.variations;
    s->counts.unread = r.unread;
    s->counts.passed_over = r.passed_over;
    return rc == IPR_OK ? ipr_err_pass(err, &r.err) : rc;
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
        .variations = s->counts.variations,
        .queued = s->counts.queued,
    };

    return ipr_db_upload_end(s->db, &u, err);
}

/* May run several times: it resets its state at the start. */
static enum ipr_code import_transaction(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct import *im = arg;
    struct ipr_store s = { .db = db, .options = im->options, .cache = ipr_cache_new() };
    enum ipr_code rc = ipr_db_import_begin(db, im->options->wait_s, err);

    if (rc == IPR_OK)
        rc = ipr_db_import_filter_open(db, &s.own, err);
    if (rc == IPR_OK)
        rc = ipr_db_upload_begin(db, im->source, im->digest, im->bytes,
                                 im->options->judge != NULL ? im->options->judge : "",
                                 im->options->owner, &s.upload_id, err);
    if (rc == IPR_OK)
        rc = ipr_db_upload_count_later(db, s.upload_id, err);
    if (rc == IPR_OK)
        rc = read_and_store(&s, im, err);
    if (rc == IPR_OK)
        rc = ipr_db_upload_count(db, s.upload_id, err);
    if (rc == IPR_OK)
        rc = end_upload(&s, im, err);
    if (rc == IPR_OK)
        rc = ipr_db_import_end(db, s.counts.imported, err);
    if (rc == IPR_OK) {
        im->result = s.counts;
        im->result.upload_id = s.upload_id;
    }
    ipr_db_import_filter_free(&s.own);
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
        return ipr_err_type(err, IPR_EPARSE, "empty_body", "There is nothing to read.");
    return IPR_OK;
}

/* Whether these bytes were imported before. */
static enum ipr_code import_look_up(struct ipr_db *db, struct import *im, struct ipr_err *err)
{
    struct ipr_err cause = IPR_ERR_INIT;
    int64_t id;

    if (im->options->again)
        return IPR_OK;
    const enum ipr_code rc = ipr_db_upload_by_digest(db, im->digest, &id, &cause);
    if (rc == IPR_ENOTFOUND)
        return IPR_OK;
    if (rc != IPR_OK)
        return ipr_err_pass(err, &cause);
    im->result.upload_id = id;
    im->result.seen_before = true;
    return IPR_OK;
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
        rc = import_look_up(db, &im, err);
    if (rc == IPR_OK && !im.result.seen_before)
        rc = ipr_db_tx(db, import_transaction, &im, err);
    if (rc == IPR_OK)
        *out = im.result;
    ipr_arena_release(&mem);
    return rc;
}
