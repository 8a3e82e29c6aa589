#include "ingest/batch.h"

#include <stdlib.h>
#include <string.h>

#include "core/names.h"
#include "db/jobs.h"
#include "db/judges.h"
#include "db/turns.h"
#include "db/uploads.h"

#define ERRORS_MAX 1000 /* located errors kept of one upload; counting goes on */

/* ---- refused games ----------------------------------------------------------------------------
 */

static const char *player_text(const struct ipr_pgn_tag *tags, size_t n_tags, const char *name,
                               struct ipr_arena *mem)
{
    return ipr_row_text(ipr_row_tag(tags, n_tags, name), IPR_NAME_MAX, mem);
}

/* Messages may be cut within a character, and quote what was sent. */
static const char *detail_text(const struct ipr_batch *b, const struct ipr_err *cause,
                               struct ipr_arena *mem)
{
    const char *text = cause->msg;

    if (b->file[0] != '\0')
        text = ipr_arena_printf(mem, "%s: %s", b->file, cause->msg);
    return ipr_row_text(ipr_str_c(text), 500, mem);
}

static enum ipr_code add_error(struct ipr_batch *b, const struct ipr_pgn_tag *tags, size_t n_tags,
                               const struct ipr_err *cause, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    const struct ipr_db_upload_error e = {
        .game = b->counts.games_read,
        .line = cause->line > INT32_MAX ? INT32_MAX : (int32_t)cause->line,
        .column = cause->column > INT32_MAX ? INT32_MAX : (int32_t)cause->column,
        .ply = cause->ply,
        .type = cause->type[0] != '\0' ? cause->type : "bad_game",
        .detail = detail_text(b, cause, &mem),
        .white = player_text(tags, n_tags, "White", &mem),
        .black = player_text(tags, n_tags, "Black", &mem),
    };
    const enum ipr_code rc = ipr_db_upload_error_add(b->db, b->upload_id, &e, err);

    ipr_arena_release(&mem);
    return rc;
}

/* The game has been counted as read. */
static enum ipr_code reject(struct ipr_batch *b, const struct ipr_pgn_tag *tags, size_t n_tags,
                            const struct ipr_err *cause, struct ipr_err *err)
{
    b->counts.rejected++;
    if (b->errors >= ERRORS_MAX)
        return IPR_OK;
    b->errors++;
    return add_error(b, tags, n_tags, cause, err);
}

enum ipr_code ipr_batch_refuse(struct ipr_batch *b, const struct ipr_pgn_tag *tags, size_t n_tags,
                               const struct ipr_err *cause, struct ipr_err *err)
{
    b->counts.games_read++;
    return reject(b, tags, n_tags, cause, err);
}

/* ---- accepted games ---------------------------------------------------------------------------
 */

static enum ipr_code add_row(struct ipr_batch *b, const struct ipr_row_source *src, uint32_t line,
                             const struct ipr_interchange_game *judged, int32_t judge_id,
                             struct ipr_err *err)
{
    struct ipr_err cause = IPR_ERR_INIT;

    if (ipr_row_make(src, &b->mem, &b->rows[b->n], &cause) != IPR_OK) {
        cause.line = line;
        return reject(b, src->tags, src->n_tags, &cause, err);
    }
    b->rows[b->n].ordinal = b->counts.games_read;
    b->judged[b->n] = judged;
    b->judge_ids[b->n] = judge_id;
    b->n++;
    if (b->n == IPR_BATCH_ROWS || b->mem.used > IPR_BATCH_BYTES)
        return ipr_batch_flush(b, err);
    return IPR_OK;
}

enum ipr_code ipr_batch_add(struct ipr_batch *b, const struct ipr_row_source *src, uint32_t line,
                            struct ipr_err *err)
{
    b->counts.games_read++;
    return add_row(b, src, line, NULL, 0, err);
}

/* A judge by name alone is the one of that name that has judged here. */
static enum ipr_code known_judge(struct ipr_db *db, const struct ipr_judge *judge, int32_t *id,
                                 struct ipr_err *err)
{
    struct ipr_judge known;
    struct ipr_err cause = IPR_ERR_INIT;
    enum ipr_code rc = ipr_db_judge_by_name(db, judge->name, id, &known, &cause);

    if (rc == IPR_OK && known.multipv == judge->multipv && known.depth == judge->depth &&
        known.first_move == judge->first_move)
        return IPR_OK;
    if (rc == IPR_OK || rc == IPR_ENOTFOUND)
        return ipr_err_at(err, IPR_EPARSE, "unknown_judge", 0, 0, -1,
                          "Nothing was judged by \"%s\" here yet, so its name alone does not say "
                          "which engine it is.",
                          judge->name);
    if (err != NULL)
        *err = cause;
    return rc;
}

/* Fields are text and numbers without padding, and unused bytes of the text are zero. */
static enum ipr_code find_judge(struct ipr_batch *b, const struct ipr_judge *judge, int32_t *id,
                                struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    if (b->judge_id == 0 || memcmp(&b->judge, judge, sizeof *judge) != 0) {
        if (judge->engine[0] == '\0')
            rc = known_judge(b->db, judge, &b->judge_id, err);
        else
            rc = ipr_db_judge_ensure(b->db, judge, &b->judge_id, err);
        b->judge = *judge;
    }
    if (rc == IPR_OK)
        *id = b->judge_id;
    else
        b->judge_id = 0;
    return rc;
}

enum ipr_code ipr_batch_add_judged(struct ipr_batch *b, const struct ipr_interchange_game *g,
                                   uint32_t line, struct ipr_err *err)
{
    const struct ipr_row_source src = { .tags = g->tags,
                                        .n_tags = g->n_tags,
                                        .start = &g->start,
                                        .moves = g->moves,
                                        .n_moves = g->n_moves,
                                        .result = g->result };
    struct ipr_err cause = IPR_ERR_INIT;
    int32_t judge_id = 0;

    b->counts.games_read++;
    if (g->sides == 0)
        return add_row(b, &src, line, NULL, 0, err);
    const enum ipr_code rc = find_judge(b, &g->judge, &judge_id, &cause);
    if (rc == IPR_EPARSE) {
        cause.line = line;
        return reject(b, g->tags, g->n_tags, &cause, err);
    }
    if (rc != IPR_OK) {
        if (err != NULL && err->code == IPR_OK)
            *err = cause;
        return rc;
    }
    return add_row(b, &src, line, g, judge_id, err);
}

/* ---- storing ----------------------------------------------------------------------------------
 */

static enum ipr_code store_sides(struct ipr_batch *b, size_t i, struct ipr_err *err)
{
    const struct ipr_interchange_game *g = b->judged[i];
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_game stored;
    unsigned fresh = 0;
    enum ipr_code rc = ipr_db_game_get(b->db, b->rows[i].id, &mem, &stored, err);

    if (rc == IPR_OK)
        rc = ipr_db_sides_store(b->db, b->judge_ids[i], &stored, &g->judged, g->sides, "import",
                                &fresh, err);
    if (rc == IPR_OK)
        b->counts.judged++;
    ipr_arena_release(&mem);
    return rc;
}

static int compare_ids(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Every game once, though a file may hold it several times. */
static enum ipr_code enqueue(struct ipr_batch *b, struct ipr_err *err)
{
    int64_t ids[IPR_BATCH_ROWS];
    size_t n = 0;
    int32_t queued = 0;

    for (size_t i = 0; i < b->n; i++)
        ids[i] = b->rows[i].id;
    qsort(ids, b->n, sizeof *ids, compare_ids);
    for (size_t i = 0; i < b->n; i++) {
        if (i == 0 || ids[i] != ids[n - 1])
            ids[n++] = ids[i];
    }
    const enum ipr_code rc =
        ipr_db_jobs_enqueue(b->db, ids, n, b->options->judge, b->options->priority, &queued, err);
    if (rc == IPR_OK)
        b->counts.queued += queued;
    return rc;
}

enum ipr_code ipr_batch_flush(struct ipr_batch *b, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    if (b->n > 0)
        rc = ipr_db_games_resolve(b->db, b->rows, b->n, err);
    if (rc == IPR_OK)
        rc = ipr_db_games_insert(b->db, b->upload_id, b->rows, b->n, err);
    for (size_t i = 0; rc == IPR_OK && i < b->n; i++) {
        b->counts.imported++;
        if (b->judged[i] != NULL)
            rc = store_sides(b, i, err);
    }
    if (rc == IPR_OK && b->n > 0 && b->options->judge != NULL)
        rc = enqueue(b, err);
    b->n = 0;
    ipr_arena_release(&b->mem);
    return rc;
}

void ipr_batch_release(struct ipr_batch *b)
{
    b->n = 0;
    ipr_arena_release(&b->mem);
}
