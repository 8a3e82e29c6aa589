#include "ingest/batch.h"

#include <assert.h>

#include "core/names.h"

#define DETAIL_BYTES 500

void ipr_batch_reset(struct ipr_batch *b)
{
    b->n = 0;
    b->n_refused = 0;
    ipr_arena_release(&b->mem);
}

bool ipr_batch_full(const struct ipr_batch *b)
{
    return b->n == IPR_BATCH_ROWS || b->n_refused == IPR_BATCH_ROWS ||
           b->mem.used > IPR_BATCH_BYTES;
}

static const char *player_text(const struct ipr_pgn_tag *tags, size_t n_tags, const char *name,
                               struct ipr_arena *mem)
{
    return ipr_row_text(ipr_pgn_tag_find(tags, n_tags, name), IPR_NAME_MAX, mem);
}

void ipr_batch_refuse(struct ipr_batch *b, const struct ipr_pgn_tag *tags, size_t n_tags,
                      int32_t game, const char *file, const struct ipr_err *cause)
{
    const char *type = cause->type[0] != '\0' ? cause->type : "bad_game", *detail = cause->msg;

    if (file[0] != '\0')
        detail = ipr_arena_printf(&b->mem, "%s: %s", file, cause->msg);
    assert(b->n_refused < IPR_BATCH_ROWS);
    b->refused[b->n_refused++] = (struct ipr_db_upload_error){
        .game = game,
        .line = cause->line > INT32_MAX ? INT32_MAX : (int32_t)cause->line,
        .column = cause->column > INT32_MAX ? INT32_MAX : (int32_t)cause->column,
        .ply = cause->ply,
        .type = ipr_row_text(ipr_str_c(type), DETAIL_BYTES, &b->mem),
        /* A message may be truncated within a character, and quote the input. */
        .detail = ipr_row_text(ipr_str_c(detail), DETAIL_BYTES, &b->mem),
        .white = player_text(tags, n_tags, "White", &b->mem),
        .black = player_text(tags, n_tags, "Black", &b->mem),
    };
}

void ipr_batch_add(struct ipr_batch *b, const struct ipr_row_source *src,
                   const struct ipr_interchange_game *judged, int32_t game, uint32_t line,
                   const char *file)
{
    struct ipr_err cause = IPR_ERR_INIT;

    assert(b->n < IPR_BATCH_ROWS);
    if (ipr_row_make(src, &b->mem, &b->rows[b->n], &cause) != IPR_OK) {
        cause.line = line;
        ipr_batch_refuse(b, src->tags, src->n_tags, game, file, &cause);
        return;
    }
    b->rows[b->n].ordinal = game;
    b->judged[b->n] = judged;
    b->lines[b->n] = line;
    b->n++;
}
