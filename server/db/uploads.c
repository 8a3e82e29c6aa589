#include "db/uploads.h"

#include "db/copy.h"
#include "db/pq.h"

enum ipr_code ipr_db_upload_begin(struct ipr_db *db, const char *source,
                                  const unsigned char digest[32], int64_t bytes, const char *judge,
                                  int64_t *id, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_text(&p, source);
    ipr_db_p_bytes(&p, digest, 32);
    ipr_db_p_int(&p, bytes);
    ipr_db_p_text(&p, judge != NULL ? judge : "");
    return ipr_db_one(db, IPR_Q_UPLOAD_BEGIN, &p, NULL, sizeof *id, ipr_db_fill_id64, id, "upload",
                      err);
}

enum ipr_code ipr_db_upload_error_add(struct ipr_db *db, int64_t id,
                                      const struct ipr_db_upload_error *e, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, id);
    ipr_db_p_int(&p, e->game);
    ipr_db_p_int(&p, e->line);
    ipr_db_p_int(&p, e->column);
    if (e->ply >= 0)
        ipr_db_p_int(&p, e->ply);
    else
        ipr_db_p_text(&p, NULL);
    ipr_db_p_text(&p, e->type);
    ipr_db_p_text(&p, e->detail);
    ipr_db_p_text(&p, e->white);
    ipr_db_p_text(&p, e->black);
    return ipr_db_exec(db, IPR_Q_UPLOAD_ERROR_ADD, &p, NULL, err);
}

enum ipr_code ipr_db_upload_end(struct ipr_db *db, const struct ipr_db_upload *u,
                                struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    int64_t rows = 0;

    ipr_db_p_int(&p, u->id);
    ipr_db_p_int(&p, u->games_read);
    ipr_db_p_int(&p, u->imported);
    ipr_db_p_int(&p, u->duplicate);
    ipr_db_p_int(&p, u->rejected);
    ipr_db_p_int(&p, u->judged);
    ipr_db_p_int(&p, u->variations);
    const enum ipr_code rc = ipr_db_exec_count(db, IPR_Q_UPLOAD_END, &p, &rows, err);
    if (rc == IPR_OK && rows == 0)
        return ipr_err_set(err, IPR_ENOTFOUND, "no such upload");
    return rc;
}

enum ipr_code ipr_db_upload_by_digest(struct ipr_db *db, const unsigned char digest[32],
                                      int64_t *id, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_bytes(&p, digest, 32);
    return ipr_db_one(db, IPR_Q_UPLOAD_BY_DIGEST, &p, NULL, sizeof *id, ipr_db_fill_id64, id,
                      "upload of these bytes", err);
}

static void fill_upload(struct ipr_db_row *r, void *out)
{
    struct ipr_db_upload *u = out;

    u->id = ipr_db_col_i64(r, "id");
    u->created = ipr_db_col_text(r, "created");
    u->source = ipr_db_col_text(r, "source");
    u->judge = ipr_db_col_text(r, "judge");
    u->bytes = ipr_db_col_i64(r, "bytes");
    u->games_read = ipr_db_col_i32(r, "games_read");
    u->imported = ipr_db_col_i32(r, "imported");
    u->duplicate = ipr_db_col_i32(r, "duplicate");
    u->rejected = ipr_db_col_i32(r, "rejected");
    u->judged = ipr_db_col_i32(r, "judged");
    u->variations = ipr_db_col_i64(r, "variations");
    u->queued = ipr_db_col_i32(r, "queued");
    u->running = ipr_db_col_i32(r, "running");
    u->analysed = ipr_db_col_i32(r, "analysed");
    u->failed = ipr_db_col_i32(r, "failed");
    u->turns_done = ipr_db_col_i64(r, "turns_done");
    u->turns_total = ipr_db_col_i64(r, "turns_total");
}

enum ipr_code ipr_db_upload_get(struct ipr_db *db, int64_t id, struct ipr_arena *mem,
                                struct ipr_db_upload *out, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    if (id <= 0) /* 0 would mean the newest */
        return ipr_err_set(err, IPR_ENOTFOUND, "no such upload");
    ipr_db_p_int(&p, id);
    ipr_db_p_int(&p, 1);
    return ipr_db_one(db, IPR_Q_UPLOAD_LIST, &p, mem, sizeof *out, fill_upload, out, "such upload",
                      err);
}

enum ipr_code ipr_db_upload_list(struct ipr_db *db, int limit, struct ipr_arena *mem,
                                 struct ipr_db_upload **rows, size_t *n, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_int(&p, 0);
    ipr_db_p_int(&p, limit);
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_UPLOAD_LIST, &p, mem, sizeof **rows, fill_upload, &list, n, err);
    if (rc == IPR_OK)
        *rows = list;
    return rc;
}

static void fill_error(struct ipr_db_row *r, void *out)
{
    struct ipr_db_upload_error *e = out;

    e->game = ipr_db_col_i32(r, "game");
    e->line = ipr_db_col_i32(r, "line");
    e->column = ipr_db_col_i32(r, "col");
    e->ply = ipr_db_col_i32_or(r, "ply", -1);
    e->type = ipr_db_col_text(r, "type");
    e->detail = ipr_db_col_text(r, "detail");
    e->white = ipr_db_col_text(r, "white");
    e->black = ipr_db_col_text(r, "black");
}

enum ipr_code ipr_db_upload_errors(struct ipr_db *db, int64_t id, struct ipr_arena *mem,
                                   struct ipr_db_upload_error **rows, size_t *n,
                                   struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_int(&p, id);
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_UPLOAD_ERRORS, &p, mem, sizeof **rows, fill_error, &list, n, err);
    if (rc == IPR_OK)
        *rows = list;
    return rc;
}

const char *ipr_duplicate_name(enum ipr_duplicate kind)
{
    static const char *const names[] = { "identical", "contained", "extends", "spelling", "none" };

    return names[kind];
}

const char *ipr_conflict_name(int bit)
{
    static const char *const names[IPR_CONFLICTS] = { "result", "white_fide_id", "black_fide_id",
                                                      "white_elo", "black_elo" };

    return names[bit];
}

enum ipr_code ipr_db_duplicates_add(struct ipr_db *db, int64_t upload_id,
                                    const struct ipr_db_duplicate *rows, size_t n,
                                    struct ipr_err *err)
{
    static const char sql[] = "COPY upload_duplicate (upload_id, ordinal, game_id, kind, improved,"
                              " conflicts) FROM STDIN (FORMAT binary)";
    struct ipr_db_copy copy;

    if (n == 0)
        return IPR_OK;
    const enum ipr_code rc = ipr_db_copy_begin(db, sql, &copy, err);
    if (rc != IPR_OK)
        return rc;
    for (size_t i = 0; i < n; i++) {
        ipr_db_copy_row(&copy, 6);
        ipr_db_copy_i64(&copy, upload_id);
        ipr_db_copy_i32(&copy, rows[i].game);
        ipr_db_copy_i64(&copy, rows[i].kept);
        ipr_db_copy_i16(&copy, rows[i].kind);
        ipr_db_copy_bool(&copy, rows[i].improved);
        ipr_db_copy_i16(&copy, rows[i].conflicts);
    }
    return ipr_db_copy_end(&copy, err);
}

static void fill_duplicate(struct ipr_db_row *r, void *out)
{
    struct ipr_db_duplicate *d = out;

    d->game = ipr_db_col_i32(r, "ordinal");
    d->kept = ipr_db_col_i64(r, "game_id");
    d->kind = (enum ipr_duplicate)ipr_db_col_int(r, "kind", 0, IPR_DUPLICATE_NONE - 1);
    d->improved = ipr_db_col_bool(r, "improved");
    d->conflicts = (unsigned)ipr_db_col_int(r, "conflicts", 0, (1 << IPR_CONFLICTS) - 1);
}

enum ipr_code ipr_db_duplicates(struct ipr_db *db, int64_t upload_id, int32_t after, int limit,
                                struct ipr_arena *mem, struct ipr_db_duplicate **rows, size_t *n,
                                struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_int(&p, upload_id);
    ipr_db_p_int(&p, after);
    ipr_db_p_int(&p, limit);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_UPLOAD_DUPLICATES, &p, mem, sizeof **rows,
                                         fill_duplicate, &list, n, err);
    if (rc == IPR_OK)
        *rows = list;
    return rc;
}

static void fill_failed(struct ipr_db_row *r, void *out)
{
    struct ipr_db_failed_job *f = out;

    f->game_id = ipr_db_col_i64(r, "game_id");
    f->white = ipr_db_col_text(r, "white");
    f->black = ipr_db_col_text(r, "black");
    f->reason = ipr_db_col_text(r, "reason");
}

enum ipr_code ipr_db_upload_failed(struct ipr_db *db, int64_t id, struct ipr_arena *mem,
                                   struct ipr_db_failed_job **rows, size_t *n, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_int(&p, id);
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_UPLOAD_FAILED, &p, mem, sizeof **rows, fill_failed, &list, n, err);
    if (rc == IPR_OK)
        *rows = list;
    return rc;
}

static void fill_upload_player(struct ipr_db_row *r, void *out)
{
    struct ipr_db_upload_player *u = out;

    u->player_id = ipr_db_col_i32(r, "player_id");
    u->name = ipr_db_col_text(r, "name");
    u->year = ipr_db_col_i32(r, "year");
    u->games = ipr_db_col_i32(r, "games");
}

enum ipr_code ipr_db_upload_players(struct ipr_db *db, int64_t id, int limit, struct ipr_arena *mem,
                                    struct ipr_db_upload_player **rows, size_t *n,
                                    struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_int(&p, id);
    ipr_db_p_int(&p, limit);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_UPLOAD_PLAYERS, &p, mem, sizeof **rows,
                                         fill_upload_player, &list, n, err);
    if (rc == IPR_OK)
        *rows = list;
    return rc;
}
