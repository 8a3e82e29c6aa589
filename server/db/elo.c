#include "db/elo.h"

#include <stdio.h>
#include <string.h>

#include "db/pq.h"
#include "queries/identity_changes_inside.h"

/* ---- storing ----------------------------------------------------------------------------------
 */

/* As the literals of two arrays. */
static void elo_add_ratings(const struct ipr_elo_ratings *r, struct ipr_db_array *listed,
                            struct ipr_db_array *elo)
{
    struct ipr_buf months = { 0 }, ratings = { 0 };
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
    ipr_buf_putc(&months, '}');
    ipr_buf_putc(&ratings, '}');
    ipr_db_array_text(listed, ipr_buf_c(&months));
    ipr_db_array_text(elo, ipr_buf_c(&ratings));
    ipr_buf_release(&months);
    ipr_buf_release(&ratings);
}

enum ipr_code ipr_db_elo_put(struct ipr_db *db, const struct ipr_db_elo_history *h, size_t n,
                             const char *source, int32_t *changed, size_t *n_changed,
                             struct ipr_err *err)
{
    struct ipr_db_array ids = { 0 }, listed = { 0 }, elo = { 0 }, names = { 0 }, by = { 0 };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_params p = { 0 };
    void *list = NULL;
    size_t n_list = 0;

    for (size_t i = 0; i < n; i++) {
        ipr_db_array_int(&ids, h[i].player_id);
        elo_add_ratings(h[i].ratings, &listed, &elo);
        ipr_db_array_text(&names, h[i].name);
        ipr_db_array_text(&by, h[i].by_id ? "fide_id" : "name");
    }
    ipr_db_p_array_take(&p, &ids);
    ipr_db_p_array_take(&p, &listed);
    ipr_db_p_array_take(&p, &elo);
    ipr_db_p_array_take(&p, &names);
    ipr_db_p_array_take(&p, &by);
    ipr_db_p_text(&p, source);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_ELO_PUT, &p, &mem, sizeof *changed,
                                         ipr_db_fill_id32, &list, &n_list, err);
    if (rc == IPR_OK) {
        if (n_list > 0)
            memcpy(changed, list, n_list * sizeof *changed);
        *n_changed = n_list;
    }
    ipr_arena_release(&mem);
    return rc;
}

enum ipr_code ipr_db_elo_touch(struct ipr_db *db, const int32_t *ids, size_t n, struct ipr_err *err)
{
    return n == 0 ? IPR_OK : ipr_db_person_touch(db, ids, n, err);
}

/* ---- asking -----------------------------------------------------------------------------------
 */

static void elo_fill_answer(struct ipr_db_row *r, void *out)
{
    struct ipr_db_elo_at *at = out;

    at->elo = ipr_db_col_i32(r, "elo");
    snprintf(at->listed, sizeof at->listed, "%s", ipr_db_col_text(r, "listed"));
}

enum ipr_code ipr_db_elo_at(struct ipr_db *db, struct ipr_db_elo_at *at, size_t n,
                            struct ipr_err *err)
{
    struct ipr_db_array persons = { 0 }, months = { 0 };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_params p = { 0 };
    void *list = NULL;
    size_t n_rows = 0;

    if (n == 0)
        return IPR_OK;
    for (size_t i = 0; i < n; i++) {
        ipr_db_array_int(&persons, at[i].person);
        ipr_db_array_text(&months, at[i].month);
    }
    ipr_db_p_array_take(&p, &persons);
    ipr_db_p_array_take(&p, &months);
    enum ipr_code rc =
        ipr_db_list(db, IPR_Q_ELO_AT, &p, &mem, sizeof *at, elo_fill_answer, &list, &n_rows, err);
    if (rc == IPR_OK && n_rows != n)
        rc = ipr_err_set(err, IPR_EDB, "%zu ratings for %zu questions", n_rows, n);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        const struct ipr_db_elo_at *answer = (const struct ipr_db_elo_at *)list + i;

        at[i].elo = answer->elo;
        memcpy(at[i].listed, answer->listed, sizeof at[i].listed);
    }
    ipr_arena_release(&mem);
    return rc;
}
