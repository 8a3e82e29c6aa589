/* The best rated player-years, from the stored list of years. */
#include "view/player/best_years.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/pools.h"
#include "db/strength.h"
#include "view/json.h"
#include "view/rating/rate.h"

static struct ipr_db_strength best_sums(const struct ipr_db_best_year *y)
{
    return (struct ipr_db_strength){ .score = y->score,
                                     .information = y->information,
                                     .moves = y->moves,
                                     .games = y->games,
                                     .judge_id = y->judge_id,
                                     .classes = y->classes };
}

struct ipr_figure_rating_short ipr_best_year_rating(const struct ipr_best_years *b, size_t i)
{
    const struct ipr_db_strength sums = best_sums(&b->row[i]);

    return ipr_strength_short(b->context, &sums);
}

struct best_rated {
    struct ipr_db_best_year row;
    struct ipr_rank_entry rating;
};

/* Best first. */
static int best_first(const void *a, const void *b)
{
    const struct ipr_rank_entry *x = &((const struct best_rated *)a)->rating,
                                *y = &((const struct best_rated *)b)->rating;

    return (x->estimate < y->estimate) - (x->estimate > y->estimate);
}

static void best_rate(struct ipr_best_years *b)
{
    struct best_rated *all = ipr_arena_alloc(b->context->v->mem, b->n + 1, sizeof *all);

    b->field = ipr_arena_alloc(b->context->v->mem, b->n + 1, sizeof *b->field);
    for (size_t i = 0; i < b->n; i++) {
        const struct ipr_strength_estimate e =
            ipr_strength_of_stored(&ipr_setting_pool(b->context, b->row[i].classes)->moves,
                                   &b->row[i].mix, b->row[i].score, b->row[i].information);

        all[i] = (struct best_rated){ b->row[i], { e.mean, e.sd } };
    }
    qsort(all, b->n, sizeof *all, best_first);
    for (size_t i = 0; i < b->n; i++) {
        b->row[i] = all[i].row;
        b->field[i] = all[i].rating;
        if (!ipr_strength_has_elo(b->row[i].moves, b->row[i].tagged_moves))
            b->row[i].elo = 0;
    }
}

enum ipr_code ipr_best_years(const struct ipr_view_context *c, struct ipr_best_years *out,
                             struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    int32_t list = 0;

    *out = (struct ipr_best_years){ .context = c, .complete = true };
    if (c->judge_id != 0)
        rc = ipr_db_year_list_so_far(c->v->db, c->judge_id, c->times, &list, &out->complete, err);
    if (rc == IPR_OK && list != 0)
        rc = ipr_db_best_years(c->v->db, list, c->times, IPR_VIEW_MIN_TURNS, IPR_BEST_YEARS,
                               c->v->mem, &out->row, &out->n, err);
    if (rc == IPR_OK)
        best_rate(out);
    return rc;
}

double ipr_best_year_difference(const struct ipr_best_years *b, size_t i)
{
    return b->row[i].elo > 0 ? b->field[i].estimate - b->row[i].elo : (double)NAN;
}

static json_t *ranked_json(const struct ipr_best_years *b, size_t i, struct ipr_rank_interval rank)
{
    const struct ipr_db_best_year *const y = &b->row[i];
    const double difference = ipr_best_year_difference(b, i);
    const struct ipr_figure_rating_short rating = ipr_best_year_rating(b, i);

    return json_pack("{s:o, s:i, s:o, s:o, s:o, s:I, s:I}", "player",
                     ipr_json_player(y->player_id, y->name), "year", y->year, "rating",
                     ipr_shape_json(IPR_SHAPE_RATING_SHORT, &rating), "elo", ipr_json_known(y->elo),
                     "difference", isfinite(difference) ? ipr_json_num(difference) : json_null(),
                     "rank_low", (json_int_t)rank.low, "rank_high", (json_int_t)rank.high);
}

json_t *ipr_best_years_json(const struct ipr_best_years *b, const size_t *at, size_t n)
{
    struct ipr_rank_interval *rank = ipr_arena_alloc(b->context->v->mem, n + 1, sizeof *rank);
    json_t *list = json_array();

    if (n > 0)
        ipr_rank_intervals(b->field, b->n, at, n, rank);
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, ranked_json(b, at[i], rank[i]));
    return list;
}

/* ---- orders ---- */

struct best_key {
    size_t i;
    double number; /* ascending; NaN last */
    const char *name;
};

static int best_compare(const void *a, const void *b)
{
    const struct best_key *x = a, *y = b;
    const int name = strcmp(x->name, y->name);
    const bool unknown = isnan(x->number) || isnan(y->number);

    if (name != 0)
        return name;
    if (unknown && isnan(x->number) != isnan(y->number))
        return isnan(x->number) ? 1 : -1;
    if (!unknown && x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->i < y->i ? -1 : 1; /* the better one */
}

static double best_number(const struct ipr_best_years *b, size_t i, int sort)
{
    switch (sort) {
    case IPR_DASHBOARD_SORT__ELO:
        return b->row[i].elo > 0 ? -(double)b->row[i].elo : (double)NAN;
    case IPR_DASHBOARD_SORT__DIFFERENCE:
        return -ipr_best_year_difference(b, i);
    case IPR_DASHBOARD_SORT_DIFFERENCE:
        return ipr_best_year_difference(b, i);
    case IPR_DASHBOARD_SORT__YEAR:
        return -b->row[i].year;
    case IPR_DASHBOARD_SORT_YEAR:
    case IPR_DASHBOARD_SORT_PLAYER:
        return b->row[i].year;
    case IPR_DASHBOARD_SORT__MOVES:
        return -(double)b->row[i].moves;
    default:
        return (double)i;
    }
}

size_t *ipr_best_years_sorted(const struct ipr_best_years *b, int sort)
{
    struct ipr_arena *const mem = b->context->v->mem;
    struct best_key *key = ipr_arena_alloc(mem, b->n + 1, sizeof *key);
    size_t *at = ipr_arena_alloc(mem, b->n + 1, sizeof *at);

    for (size_t i = 0; i < b->n; i++)
        key[i] = (struct best_key){ i, best_number(b, i, sort),
                                    sort == IPR_DASHBOARD_SORT_PLAYER ? b->row[i].name : "" };
    qsort(key, b->n, sizeof *key, best_compare);
    for (size_t i = 0; i < b->n; i++)
        at[i] = key[i].i;
    return at;
}
