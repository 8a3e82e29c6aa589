#include "db/elo.h"

#include <string.h>

#include "queries/elo_inside.h"

/* ---- storing ----------------------------------------------------------------------------------
 */

void ipr_db_elo_text(const struct ipr_elo_ratings *r, struct ipr_arena *mem,
                     struct ipr_db_elo_history *out)
{
    struct ipr_buf months = IPR_BUF_INIT, ratings = IPR_BUF_INIT;
    const char *comma = "{";

    for (int y = IPR_ELO_YEAR_FIRST; y <= IPR_ELO_YEAR_LAST; y++) {
        size_t n;
        const uint8_t *lists = ipr_elo_lists(y, &n);

        for (size_t i = 0; i < n; i++) {
            const int one = r->elo[y - IPR_ELO_YEAR_FIRST][i];

            if (one == 0)
                continue;
            ipr_buf_printf(&months, "%s%04d-%02d-01", comma, y, lists[i]);
            ipr_buf_printf(&ratings, "%s%d", comma, one);
            comma = ",";
        }
    }
    out->listed = ipr_arena_printf(mem, "%s}", ipr_buf_c(&months));
    out->elo = ipr_arena_printf(mem, "%s}", ipr_buf_c(&ratings));
    ipr_buf_release(&months);
    ipr_buf_release(&ratings);
}

/* ---- asking -----------------------------------------------------------------------------------
 */

enum ipr_code ipr_db_elo_at(struct ipr_db *db, struct ipr_db_elo_at *at, size_t n,
                            struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_elo_at *rows = NULL;
    size_t n_rows = 0;
    enum ipr_code rc = ipr_db_elo_at_rows(db, at, n, &mem, &rows, &n_rows, err);

    if (rc == IPR_OK && n_rows != n)
        rc = ipr_err_set(err, IPR_EDB, "%zu ratings for %zu questions", n_rows, n);
    if (rc == IPR_OK && n > 0)
        memcpy(at, rows, n * sizeof *at);
    ipr_arena_release(&mem);
    return rc;
}
