#include "ingest/ingest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>

#include "core/clock.h"
#include "db/deletion.h"
#include "db/duplicate_candidates.h"
#include "db/uploads.h"
#include "ingest/reading.h"
#include "ingest/row.h"
#include "ingest/store.h"

#define CHUNK_BYTES ((size_t)64 * 1024)

#define COUNT_BATCHES 32   /* between two counts of players' games */
#define TURN_MS       1000 /* at least, before another session is let pass */

struct ipr_ingest {
    int fd;
    int64_t start, bytes, id;
    unsigned char digest[32];
    const char *source;
    struct ipr_ingest_options options;
    struct ipr_arena mem;
    struct ipr_reading *reading; /* NULL: it does not run */
    bool started;                /* its record says so */
    /* These are of what is committed: */
    struct ipr_ingest_result result;
    int32_t errors;
    size_t batches;
    bool stored; /* a part of it */
    /* Since it has the lock of imports: */
    int64_t begun_ms, spent_ms; /* the latter before that */
    struct ipr_batch_mark mark; /* of the last batch */
    bool passing, ended;
};

/* ---- reading ----------------------------------------------------------------------------------
 */

/* To the first batch that is not committed: a transaction that is tried again reads them again. */
static enum ipr_code reading_seek(struct ipr_ingest *in, struct ipr_err *err)
{
    if (in->reading != NULL && ipr_reading_taken(in->reading) == in->batches)
        return IPR_OK;
    ipr_reading_stop(&in->reading);
    const enum ipr_code rc = ipr_reading_start(in->fd, in->start, &in->options, &in->reading, err);
    while (rc == IPR_OK && ipr_reading_taken(in->reading) < in->batches) {
        struct ipr_batch *b = ipr_reading_receive(in->reading);

        if (b == NULL)
            return ipr_err_set(err, IPR_EIO, "the upload ends before what is stored of it");
        ipr_reading_return(in->reading, b);
    }
    return rc;
}

/* ---- letting others pass ----------------------------------------------------------------------
 */

/* Others wait meanwhile: no upload may take as long as it likes. */
static enum ipr_code check_time(const struct ipr_ingest *in, const struct ipr_batch *b,
                                struct ipr_err *err)
{
    const int64_t max_ms = in->options.max_ms;

    if (max_ms == 0 || in->spent_ms + ipr_now_ms() - in->begun_ms < max_ms)
        return IPR_OK;
    return ipr_err_at(err, IPR_ELIMIT, "import_too_long", b->n > 0 ? b->lines[0] : 0, 0, -1,
                      "The import took longer than %lld seconds; at game %d it was stopped.",
                      (long long)(max_ms / 1000), (int)(b->n > 0 ? b->rows[0].ordinal : 0));
}

static enum ipr_code ingest_look(struct ipr_ingest *in, struct ipr_store *s, struct ipr_err *err)
{
    const struct ipr_ingest_progress progress = { .bytes_read = in->mark.bytes,
                                                  .counts = &s->counts };

    s->counts.games_read = in->mark.games_read;
    s->counts.unpacked_bytes = in->mark.unpacked;
    in->passing =
        in->options.look != NULL && in->options.look(in->options.look_arg, in->id, &progress);
    /* Other sessions may have deleted the upload, or wait for their turn. */
    bool cancelled = false, awaited = false;
    const enum ipr_code rc = ipr_db_upload_look(s->db, in->id, &cancelled, &awaited, err);
    if (rc != IPR_OK)
        return rc;
    in->passing = in->passing || (awaited && ipr_now_ms() - in->begun_ms >= TURN_MS);
    return !cancelled ? IPR_OK
                      : ipr_err_type(err, IPR_ECONFLICT, "upload_cancelled",
                                     "The upload was deleted while it was imported.");
}

/* ---- storing ----------------------------------------------------------------------------------
 */

/* So that little is left to count when others are to pass. */
static enum ipr_code count_games(struct ipr_ingest *in, struct ipr_store *s, struct ipr_err *err)
{
    if (ipr_reading_taken(in->reading) % COUNT_BATCHES != 0)
        return IPR_OK;
    const enum ipr_code rc = ipr_db_upload_count(s->db, err);
    return rc == IPR_OK ? ipr_db_upload_count_later(s->db, err) : rc;
}

static enum ipr_code store_batches(struct ipr_ingest *in, struct ipr_store *s, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    struct ipr_batch *b;

    while (rc == IPR_OK && !in->passing && (b = ipr_reading_receive(in->reading)) != NULL) {
        rc = check_time(in, b, err);
        if (rc == IPR_OK)
            rc = ipr_store_batch(s, b, err);
        in->mark = b->mark;
        ipr_reading_return(in->reading, b);
        if (rc == IPR_OK)
            rc = count_games(in, s, err);
        if (rc == IPR_OK)
            rc = ingest_look(in, s, err);
    }
    in->ended = rc == IPR_OK && !in->passing;
    return rc;
}

/* ---- the transaction --------------------------------------------------------------------------
 */

/* Without a record of its own an import makes one with its first part: nobody else looks at it. */
static enum ipr_code ingest_record(struct ipr_ingest *in, struct ipr_db *db, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    if (in->options.upload_id == 0 && !in->stored) {
        rc = ipr_db_upload_begin(db, in->source, in->digest, in->bytes,
                                 in->options.judge != NULL ? in->options.judge : "",
                                 in->options.owner, (struct ipr_str){ NULL, 0 }, &in->id, err);
        in->started = false;
    }
    if (rc == IPR_OK)
        rc = ipr_db_upload_hold(db, in->id, err);
    if (rc == IPR_OK && !in->started)
        rc = ipr_db_upload_start(db, in->id, err);
    in->started = in->started || rc == IPR_OK;
    return rc;
}

/* Knowledge of the database holds as long as no other import ran. */
static enum ipr_code part_begin(struct ipr_ingest *in, struct ipr_store *s, struct ipr_err *err)
{
    enum ipr_code rc = ipr_db_import_begin(s->db, in->options.wait_s, err);

    in->begun_ms = ipr_now_ms();
    in->passing = in->ended = false;
    if (rc == IPR_OK && in->options.upload_id == 0)
        rc = ingest_record(in, s->db, err);
    s->upload_id = in->id;
    if (rc == IPR_OK)
        rc = ipr_db_upload_resume(s->db, in->id, err);
    if (rc == IPR_OK)
        rc = ipr_db_import_filter_open(s->db, &s->own, err);
    if (rc == IPR_OK)
        rc = ipr_db_upload_count_later(s->db, err);
    return rc == IPR_OK ? reading_seek(in, err) : rc;
}

static enum ipr_code part_end(struct ipr_ingest *in, struct ipr_store *s, struct ipr_err *err)
{
    enum ipr_code rc = in->ended ? ipr_reading_end(&in->reading, &s->counts, err) : IPR_OK;

    if (rc == IPR_OK && s->counts.duplicate > in->result.duplicate)
        rc = ipr_db_import_filter_tidy(s->own, s->db, err);
    if (rc == IPR_OK)
        rc = ipr_db_upload_count(s->db, err);
    if (rc == IPR_OK) {
        const struct ipr_db_upload u = {
            .id = in->id,
            .bytes_read = in->mark.bytes,
            .games_read = s->counts.games_read,
            .imported = s->counts.imported,
            .duplicate = s->counts.duplicate,
            .rejected = s->counts.rejected,
            .judged = s->counts.judged,
            .variations = s->counts.variations,
        };

        rc = in->ended ? ipr_db_upload_end(s->db, &u, err) : ipr_db_upload_progress(s->db, &u, err);
    }
    /* Once is enough for the plans of those that pass. */
    return rc == IPR_OK && (in->ended || !in->stored)
               ? ipr_db_import_end(s->db, s->counts.imported, err)
               : rc;
}

struct part {
    struct ipr_ingest *in;
    struct ipr_ingest_result counts;
    int32_t errors;
};

/* May run several times: it resets its state at the start. */
static enum ipr_code part_transaction(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct part *p = arg;
    struct ipr_ingest *in = p->in;
    struct ipr_store s = { .db = db,
                           .options = &in->options,
                           .cache = ipr_cache_new(),
                           .counts = in->result,
                           .errors = in->errors };
    enum ipr_code rc = part_begin(in, &s, err);

    if (rc == IPR_OK)
        rc = store_batches(in, &s, err);
    if (rc == IPR_OK)
        rc = part_end(in, &s, err);
    p->counts = s.counts;
    p->errors = s.errors;
    ipr_db_import_filter_free(&s.own);
    ipr_cache_free(&s.cache);
    return rc;
}

enum ipr_code ipr_ingest_run(struct ipr_ingest *in, struct ipr_db *db, bool *ended,
                             struct ipr_err *err)
{
    struct part p = { .in = in };
    enum ipr_code rc = in->options.upload_id != 0 ? ingest_record(in, db, err) : IPR_OK;

    if (rc == IPR_OK)
        rc = ipr_db_tx(db, part_transaction, &p, err);
    if (rc != IPR_OK)
        return rc;
    in->spent_ms += ipr_now_ms() - in->begun_ms;
    in->result = p.counts;
    in->result.upload_id = in->id;
    in->errors = p.errors;
    if (in->reading != NULL)
        in->batches = ipr_reading_taken(in->reading);
    in->stored = true;
    *ended = in->ended;
    /* If it fails the connection is lost, and the lock with it. */
    if (in->ended)
        (void)!ipr_db_upload_let_go(db, in->id, NULL);
    return IPR_OK;
}

enum ipr_code ipr_ingest_undo(struct ipr_ingest *in, struct ipr_db *db, const struct ipr_err *why,
                              struct ipr_err *err)
{
    const enum ipr_code rc = in->stored
                                 ? ipr_db_upload_undo(db, in->id, in->options.wait_s, why, err)
                                 : ipr_db_upload_fail(db, in->id, why->type, why->msg, err);

    (void)!ipr_db_upload_let_go(db, in->id, NULL);
    return rc;
}

/* ---- bytes as sent ----------------------------------------------------------------------------
 */

static enum ipr_code digest_bytes(struct ipr_ingest *in, struct ipr_err *err)
{
    crypto_generichash_state state;
    unsigned char *chunk = ipr_xmalloc(CHUNK_BYTES);
    ssize_t n;
    int cause = 0;

    crypto_generichash_init(&state, NULL, 0, sizeof in->digest);
    for (;;) {
        n = pread(in->fd, chunk, CHUNK_BYTES, in->start + in->bytes);
        cause = errno;
        if (n < 0 && cause == EINTR)
            continue;
        if (n <= 0)
            break;
        crypto_generichash_update(&state, chunk, (size_t)n);
        in->bytes += n;
    }
    crypto_generichash_final(&state, in->digest, sizeof in->digest);
    free(chunk);
    if (n < 0)
        return ipr_err_set(err, IPR_EIO, "reading the upload: %s", strerrordesc_np(cause));
    if (in->bytes == 0)
        return ipr_err_type(err, IPR_EPARSE, "empty_body", "There is nothing to read.");
    return IPR_OK;
}

enum ipr_code ipr_ingest_open(int fd, const struct ipr_ingest_options *options,
                              struct ipr_ingest **out, struct ipr_err *err)
{
    const int64_t start = lseek(fd, 0, SEEK_CUR);
    struct stat st;

    if (start < 0 || fstat(fd, &st) != 0)
        return ipr_err_set(err, IPR_EIO, "an import needs a regular file: %s",
                           strerrordesc_np(errno));
    struct ipr_ingest *in = ipr_xcalloc(1, sizeof *in);
    *in = (struct ipr_ingest){
        .fd = fd, .start = start, .options = *options, .id = options->upload_id
    };
    in->source = ipr_row_text(ipr_str_c(options->source), IPR_SOURCE_BYTES, &in->mem);
    const enum ipr_code rc = in->id == 0 ? digest_bytes(in, err) : IPR_OK;
    if (in->id != 0)
        in->bytes = st.st_size - start;
    if (rc == IPR_OK)
        *out = in;
    else
        ipr_ingest_close(&in);
    return rc;
}

int64_t ipr_ingest_left(const struct ipr_ingest *in)
{
    return in->bytes > in->mark.bytes ? in->bytes - in->mark.bytes : 0;
}

const struct ipr_ingest_result *ipr_ingest_result(const struct ipr_ingest *in)
{
    return &in->result;
}

void ipr_ingest_close(struct ipr_ingest **ingest)
{
    struct ipr_ingest *in = *ingest;

    if (in == NULL)
        return;
    ipr_reading_stop(&in->reading);
    ipr_arena_release(&in->mem);
    free(in);
    *ingest = NULL;
}

/* ---- all at once ------------------------------------------------------------------------------
 */

/* Looks for an earlier import of the same bytes. */
static enum ipr_code ingest_look_up(struct ipr_db *db, struct ipr_ingest *in, struct ipr_err *err)
{
    struct ipr_err cause = IPR_ERR_INIT;
    int64_t id;

    if (in->options.again)
        return IPR_OK;
    const enum ipr_code rc = ipr_db_upload_by_digest(db, in->digest, &id, &cause);
    if (rc == IPR_ENOTFOUND)
        return IPR_OK;
    if (rc != IPR_OK)
        return ipr_err_pass(err, &cause);
    in->result.upload_id = id;
    in->result.seen_before = true;
    return IPR_OK;
}

enum ipr_code ipr_ingest_fd(struct ipr_db *db, int fd, const struct ipr_ingest_options *options,
                            struct ipr_ingest_result *out, struct ipr_err *err)
{
    struct ipr_ingest *in = NULL;
    bool ended = false;
    enum ipr_code rc = ipr_ingest_open(fd, options, &in, err);

    if (rc == IPR_OK)
        rc = ingest_look_up(db, in, err);
    while (rc == IPR_OK && !in->result.seen_before && !ended)
        rc = ipr_ingest_run(in, db, &ended, err);
    if (rc == IPR_OK) {
        *out = in->result;
    } else if (in != NULL) {
        /* Its record goes, too: the caller reports the failure. What cannot be deleted is left to
         * the service. */
        struct ipr_db_deletion gone;

        if (in->stored)
            (void)!ipr_db_upload_delete(db, in->id, 0, &gone, NULL);
        if (in->id != 0)
            (void)!ipr_db_upload_let_go(db, in->id, NULL);
    }
    ipr_ingest_close(&in);
    return rc;
}
