#include "ingest/reading.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/annotated.h"
#include "core/file_evals.h"
#include "ingest/pipe.h"
#include "ingest/row.h"
#include "ingest/source.h"
#include "ingest/unpack.h"

struct ipr_reading {
    int fd;
    int64_t start;
    const struct ipr_ingest_options *options;
    struct ipr_pipe *pipe;
    struct ipr_unpack *unpack;
    struct ipr_source_sink sink;
    struct ipr_batch
        *batch;       /* being filled, with room for a game; NULL: the storing side has stopped */
    const char *file; /* name of the text within an archive, "" when there is none */
    struct ipr_arena names;
    int32_t games_read, unread, passed_over;
    int64_t variations;
    struct ipr_err err;
    pthread_t thread;
    size_t taken; /* batches, by the storing side */
};

/* ---- games into batches -----------------------------------------------------------------------
 */

static void reading_send(struct ipr_reading *r)
{
    if (r->batch == NULL)
        return;
    r->batch->mark = (struct ipr_batch_mark){ .games_read = r->games_read };
    if (r->unpack != NULL) {
        r->batch->mark.bytes = ipr_unpack_packed(r->unpack);
        r->batch->mark.unpacked = ipr_unpack_bytes(r->unpack);
    }
    ipr_pipe_send(r->pipe, r->batch);
    r->batch = NULL;
}

/* Called after every game: data of the next game may be allocated in the batch before it is added.
 */
static enum ipr_code reading_make_room(struct ipr_reading *r, struct ipr_err *err)
{
    if (r->batch != NULL && !ipr_batch_full(r->batch))
        return IPR_OK;
    reading_send(r);
    r->batch = ipr_pipe_blank(r->pipe);
    if (r->batch == NULL)
        return ipr_err_set(err, IPR_EIO, "the storing side has stopped");
    r->sink.mem = &r->batch->mem;
    return IPR_OK;
}

static void reading_take_text(void *payload, const char *name)
{
    struct ipr_reading *r = payload;

    ipr_arena_release(&r->names);
    r->file = ipr_row_text(ipr_str_c(name), IPR_SOURCE_BYTES, &r->names);
}

/* Evaluations that come with a game. In a private upload they concern nobody else, but for those of
 * Alliot's form, which name an engine for all. */
static const struct ipr_interchange_game *reading_evaluations(struct ipr_reading *r,
                                                              const struct ipr_pgn_game *game)
{
    const bool trusted = !r->options->notes_only;
    const bool own = ipr_db_space_of(r->options->upload_id) > 0;
    struct ipr_interchange_game judged;

    if (game->n_notes == 0 || (!trusted && !own) ||
        ((!trusted || !ipr_annotated_read(game, &r->batch->mem, &judged)) &&
         !ipr_file_evals_game(game, &r->batch->mem, &judged)))
        return NULL;
    struct ipr_interchange_game *const out = ipr_arena_alloc(&r->batch->mem, 1, sizeof *out);
    *out = judged;
    return out;
}

static enum ipr_code take_pgn(void *payload, const struct ipr_pgn_game *game, struct ipr_err *err)
{
    struct ipr_reading *r = payload;
    const struct ipr_row_source src = { .tags = game->tags,
                                        .n_tags = game->n_tags,
                                        .start = &game->start,
                                        .moves = game->moves,
                                        .n_moves = game->n_moves,
                                        .notes = game->notes,
                                        .n_notes = game->n_notes,
                                        .result = game->result,
                                        .spelling = r->options->spelling };

    r->games_read++;
    r->variations += game->variations;
    if (game->error.code != IPR_OK)
        ipr_batch_refuse(r->batch, game->tags, game->n_tags, r->games_read, r->file, &game->error);
    else
        ipr_batch_add(r->batch, &src, reading_evaluations(r, game), r->games_read, game->line,
                      r->file);
    return reading_make_room(r, err);
}

static enum ipr_code reading_take_line(void *payload, const struct ipr_source_line *line,
                                       struct ipr_err *err)
{
    struct ipr_reading *r = payload;
    const struct ipr_interchange_game *g = line->game;
    const struct ipr_row_source src = { .tags = g->tags,
                                        .n_tags = g->n_tags,
                                        .start = &g->start,
                                        .moves = g->moves,
                                        .n_moves = g->n_moves,
                                        .moves_key = g->moves_key,
                                        .result = g->result,
                                        .spelling =
                                            g->domain == NULL ? r->options->spelling : NULL };

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
    struct ipr_reading *r = payload;

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

static void *read_main(void *arg)
{
    struct ipr_reading *r = arg;
    const struct ipr_unpack_limits limits = { .max_bytes = r->options->max_bytes };

    r->sink = (struct ipr_source_sink){ .payload = r,
                                        .text = reading_take_text,
                                        .pgn = take_pgn,
                                        .line = reading_take_line,
                                        .skipped = reading_take_skipped,
                                        .limits = { .notes = true },
                                        .form = r->options->form };
    enum ipr_code rc = reading_make_room(r, &r->err); /* r->err says whether it failed */
    if (rc == IPR_OK)
        rc = ipr_unpack_open(r->fd, r->start, &limits, &r->unpack, &r->err);
    if (rc == IPR_OK)
        rc = ipr_source_read(r->unpack, &r->sink, &r->err);
    reading_send(r);
    ipr_pipe_close(r->pipe);
    ipr_unpack_close(&r->unpack);
    ipr_arena_release(&r->names);
    return NULL;
}

enum ipr_code ipr_reading_start(int fd, int64_t start, const struct ipr_ingest_options *options,
                                struct ipr_reading **out, struct ipr_err *err)
{
    struct ipr_reading *r = ipr_xcalloc(1, sizeof *r);

    *r = (struct ipr_reading){
        .fd = fd, .start = start, .options = options, .pipe = ipr_pipe_new(), .file = ""
    };
    const int failed = pthread_create(&r->thread, NULL, read_main, r);
    if (failed != 0) {
        ipr_pipe_free(&r->pipe);
        free(r);
        return ipr_err_set(err, IPR_ERETRY, "cannot start the reading thread: %s",
                           strerrordesc_np(failed));
    }
    *out = r;
    return IPR_OK;
}

/* ---- the storing side -------------------------------------------------------------------------
 */

void ipr_reading_stop(struct ipr_reading **reading)
{
    struct ipr_reading *r = *reading;
    struct ipr_batch *b;

    if (r == NULL)
        return;
    ipr_pipe_give_up(r->pipe);
    while ((b = ipr_pipe_receive(r->pipe)) != NULL)
        ipr_pipe_return(r->pipe, b);
    pthread_join(r->thread, NULL);
    ipr_pipe_free(&r->pipe);
    free(r);
    *reading = NULL;
}

struct ipr_batch *ipr_reading_receive(struct ipr_reading *r)
{
    struct ipr_batch *b = ipr_pipe_receive(r->pipe);

    r->taken += b != NULL;
    return b;
}

void ipr_reading_return(struct ipr_reading *r, struct ipr_batch *b)
{
    ipr_pipe_return(r->pipe, b);
}

size_t ipr_reading_taken(const struct ipr_reading *r)
{
    return r->taken;
}

enum ipr_code ipr_reading_end(struct ipr_reading **reading, struct ipr_ingest_result *counts,
                              struct ipr_err *err)
{
    const struct ipr_reading *r = *reading;
    const struct ipr_err cause = r->err; /* the reader has closed the pipe */

    counts->games_read = r->games_read;
    counts->variations = r->variations;
    counts->unread = r->unread;
    counts->passed_over = r->passed_over;
    ipr_reading_stop(reading);
    return ipr_err_pass(err, &cause);
}
