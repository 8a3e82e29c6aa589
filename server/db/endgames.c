#include "db/endgames.h"

#include "db/pq.h"

#define COLUMNS 7

enum ipr_code ipr_db_endgame_store(struct ipr_db *db, int64_t game_id,
                                   const struct ipr_db_endgame_turn *turns, size_t n,
                                   struct ipr_err *err)
{
    struct ipr_db_array column[COLUMNS] = { 0 };
    struct ipr_db_params p = { 0 };

    if (n == 0)
        return IPR_OK;
    for (size_t i = 0; i < n; i++) {
        const struct ipr_db_endgame_turn *const t = &turns[i];
        const int value[COLUMNS] = { t->ply,   t->mover,      t->men,      t->before,
                                     t->after, t->dtz_before, t->dtz_after };

        for (size_t c = 0; c < COLUMNS; c++)
            ipr_db_array_int(&column[c], value[c]);
    }
    ipr_db_p_int(&p, game_id);
    for (size_t c = 0; c < COLUMNS; c++)
        ipr_db_p_array_take(&p, &column[c]);
    return ipr_db_exec(db, IPR_Q_ENDGAME_PUT, &p, NULL, err);
}

static void fill_turn(struct ipr_db_row *r, void *out)
{
    struct ipr_db_endgame_turn *const t = out;

    t->ply = (uint16_t)ipr_db_col_int(r, "ply", 0, INT16_MAX);
    t->mover = (uint8_t)ipr_db_col_int(r, "mover", 0, 1);
    t->men = (uint8_t)ipr_db_col_int(r, "men", 2, 32);
    t->before = (int8_t)ipr_db_col_int(r, "before", -2, 2);
    t->after = (int8_t)ipr_db_col_int(r, "after", -2, 2);
    t->dtz_before = (int16_t)ipr_db_col_int(r, "dtz_before", INT16_MIN, INT16_MAX);
    t->dtz_after = (int16_t)ipr_db_col_int(r, "dtz_after", INT16_MIN, INT16_MAX);
}

enum ipr_code ipr_db_endgame_of(struct ipr_db *db, int64_t game_id, struct ipr_arena *mem,
                                struct ipr_db_endgame_turn **turns, size_t *n, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *rows = NULL;

    ipr_db_p_int(&p, game_id);
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_ENDGAME_OF, &p, mem, sizeof **turns, fill_turn, &rows, n, err);
    if (rc == IPR_OK)
        *turns = rows;
    return rc;
}
