#include "db/provenance.h"

#include "db/pq.h"

static void fill_judgement(struct ipr_db_row *r, void *out)
{
    struct ipr_db_judgement *j = out;

    j->judge_id = ipr_db_col_i32(r, "judge_id");
    j->colour = ipr_db_col_i32(r, "colour");
    j->turns = ipr_db_col_i32(r, "turns");
    j->source = ipr_db_col_text(r, "source");
    j->finished = ipr_db_col_text(r, "finished");
}

enum ipr_code ipr_db_game_judgements(struct ipr_db *db, int64_t game_id, struct ipr_arena *mem,
                                     struct ipr_db_judgement **rows, size_t *n, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_int(&p, game_id);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_GAME_JUDGEMENTS, &p, mem, sizeof **rows,
                                         fill_judgement, &list, n, err);
    if (rc == IPR_OK)
        *rows = list;
    return rc;
}

static void fill_upload(struct ipr_db_row *r, void *out)
{
    struct ipr_db_game_upload *u = out;

    u->upload_id = ipr_db_col_i64(r, "upload_id");
    u->ordinal = ipr_db_col_i32(r, "ordinal");
    u->duplicate = ipr_db_col_bool(r, "duplicate");
    u->source = ipr_db_col_text(r, "source");
    u->created = ipr_db_col_text(r, "created");
}

enum ipr_code ipr_db_game_uploads(struct ipr_db *db, int64_t game_id, struct ipr_arena *mem,
                                  struct ipr_db_game_upload **rows, size_t *n, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_int(&p, game_id);
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_GAME_UPLOADS, &p, mem, sizeof **rows, fill_upload, &list, n, err);
    if (rc == IPR_OK)
        *rows = list;
    return rc;
}
