#include "db/uploads.h"

#include "db/copy.h"
#include "queries/uploads_inside.h"

enum ipr_code ipr_db_upload_get(struct ipr_db *db, int64_t id, struct ipr_arena *mem,
                                struct ipr_db_upload *out, struct ipr_err *err)
{
    struct ipr_db_upload *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_upload_list(db, id, 1, mem, &rows, &n, err);
    if (rc == IPR_OK && (n == 0 || rows->id != id))
        return ipr_err_set(err, IPR_ENOTFOUND, "no such upload");
    if (rc == IPR_OK)
        *out = *rows;
    return rc;
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

struct upload_counting {
    int64_t id;
    bool counted;
};

static enum ipr_code upload_count_in_tx(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct upload_counting *c = arg;
    const enum ipr_code rc = ipr_db_upload_patience(db, err);

    return rc == IPR_OK ? ipr_db_upload_count_games(db, c->id, &c->counted, err) : rc;
}

enum ipr_code ipr_db_uploads_count(struct ipr_db *db, bool *counted, struct ipr_err *err)
{
    struct upload_counting c = { 0 };
    enum ipr_code rc = ipr_db_upload_to_count(db, &c.id, err);

    if (rc == IPR_OK && c.id != 0)
        rc = ipr_db_tx(db, upload_count_in_tx, &c, err);
    *counted = rc == IPR_OK && c.counted;
    return *counted ? ipr_db_upload_counted(db, c.id, err) : rc;
}
