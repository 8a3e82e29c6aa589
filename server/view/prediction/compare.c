/* The page of a head to head: the player-years that can be chosen, and the prediction. */
#include <stdlib.h>
#include <string.h>

#include "db/strength.h"
#include "view/json.h"
#include "view/prediction/predict.h"

#define CHOICES_SHOWN 1000 /* those with most moves */

/* Player-years by some engine settings, each at most once a setting. */
struct choices {
    struct ipr_db_player_year *rows;
    size_t n;
};

static enum ipr_code choices_add(const struct ipr_view_context *c, struct choices *to,
                                 struct ipr_err *err)
{
    struct ipr_db_player_year *rows = NULL;
    size_t n = 0;

    if (c->judge_id == 0)
        return IPR_OK;
    const enum ipr_code rc =
        ipr_db_player_years_top(c->v->db, c->judge_id, c->times, IPR_VIEW_MIN_TURNS, CHOICES_SHOWN,
                                c->v->mem, &rows, &n, err);
    if (rc == IPR_OK && n > 0)
        memcpy(to->rows + to->n, rows, n * sizeof *rows);
    to->n += rc == IPR_OK ? n : 0;
    return rc;
}

/* By name and year, so that a year is found in a long list; then most moves first. */
static int choice_order(const void *x, const void *y)
{
    const struct ipr_db_player_year *a = x, *b = y;
    const int names = strcmp(a->name, b->name);

    if (names != 0)
        return names;
    if (a->player_id != b->player_id)
        return a->player_id < b->player_id ? -1 : 1;
    if (a->year != b->year)
        return a->year < b->year ? -1 : 1;
    return (a->counted < b->counted) - (a->counted > b->counted);
}

static bool choice_repeats(const struct choices *all, size_t i)
{
    const struct ipr_db_player_year *const a = &all->rows[i];

    return i > 0 && a[-1].player_id == a->player_id && a[-1].year == a->year;
}

static json_t *choices_json(struct choices *all)
{
    json_t *list = json_array();

    qsort(all->rows, all->n, sizeof *all->rows, choice_order);
    for (size_t i = 0; i < all->n; i++) {
        const struct ipr_db_player_year *const row = &all->rows[i];

        if (!choice_repeats(all, i))
            json_array_append_new(list, json_pack("{s:o, s:o, s:i}", "player",
                                                  ipr_json_player(row->player_id, row->name),
                                                  "year", ipr_json_known(row->year), "counted",
                                                  (int)row->counted));
    }
    return list;
}

/* Of both engine settings that a prediction chooses from, unless one is requested. */
static enum ipr_code compare_add_choices(const struct ipr_view_context *c, bool asked, json_t *out,
                                         struct ipr_err *err)
{
    struct choices all = { ipr_arena_alloc(c->v->mem, 2 * CHOICES_SHOWN, sizeof *all.rows), 0 };
    struct ipr_view_context narrow = { 0 };

    enum ipr_code rc = choices_add(c, &all, err);
    if (rc == IPR_OK && !asked)
        rc = ipr_view_context_open(c->v, IPR_STRENGTH_JUDGE, &narrow, err);
    if (rc == IPR_OK && !asked && narrow.judge_id != c->judge_id)
        rc = choices_add(&narrow, &all, err);
    ipr_view_context_close(&narrow);
    if (rc == IPR_OK)
        json_object_set_new(out, "choices", choices_json(&all));
    return rc;
}

/* With all methods, if sides are given. */
enum ipr_code ipr_fill_compare(const struct ipr_view_context *c,
                               const struct ipr_prediction_request *p, json_t *out,
                               struct ipr_err *err)
{
    json_t *prediction = json_null();

    enum ipr_code rc = compare_add_choices(c, p->judge != NULL, out, err);
    if (rc == IPR_OK && p->white.player != 0 && p->black.player != 0)
        rc = ipr_view_prediction(c->v, p, &prediction, err);
    json_object_set_new(out, "prediction", prediction);
    return rc;
}
