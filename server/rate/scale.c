#include "rate/scale.h"

#include "core/pools.h"

static bool elo_is_beyond(const struct ipr_scale *scale, int elo)
{
    return elo > 0 && scale->fit != NULL && !ipr_scale_holds(scale, elo);
}

void ipr_rate_kinds_add(const struct ipr_rate_game *g, unsigned sides, struct ipr_rate_kinds *kinds)
{
    const struct ipr_db_new_game *const row = &g->row;
    const struct ipr_scale *const scale = ipr_rate_scale(g);
    const char *const server = ipr_pool_foreign(ipr_rate_pool(g), g->server);

    kinds->server = server != NULL ? server : kinds->server;
    kinds->time[row->time_class]++;
    kinds->off_scale +=
        server == NULL && (((sides & 1u) != 0 && elo_is_beyond(scale, row->white_elo)) ||
                           ((sides & 2u) != 0 && elo_is_beyond(scale, row->black_elo)));
}

/* Counts the kinds of the games of a pool, or with NULL of all; returns their number. */
static size_t kinds_of(const struct ipr_rate_games *games, const struct ipr_pool *pool,
                       struct ipr_rate_kinds *kinds)
{
    size_t n = 0;

    *kinds = (struct ipr_rate_kinds){ .off_scale = 0 };
    for (size_t i = 0; i < games->n; i++) {
        const struct ipr_db_new_game *const row = &games->at[i]->row;
        const unsigned white = ipr_rate_is_chosen(games->choice, &row->white);
        const unsigned black = ipr_rate_is_chosen(games->choice, &row->black);

        if (pool != NULL && ipr_rate_pool(games->at[i]) != pool)
            continue;
        ipr_rate_kinds_add(games->at[i], white | black << 1, kinds);
        n++;
    }
    return n;
}

size_t ipr_rate_pools(const struct ipr_rate_games *games)
{
    struct ipr_rate_kinds kinds;
    size_t n = 0;

    for (size_t i = 0; i < IPR_POOLS; i++)
        n += kinds_of(games, ipr_pool_at(i), &kinds) > 0;
    return n;
}

/* "14 rapid" after a comma, unless there are none. */
static void count_put(size_t n, const char *what, struct ipr_buf *out)
{
    if (n > 0)
        ipr_buf_printf(out, "%s%zu %s", out->n > 0 ? ", " : "", n, what);
}

static void times_put(const size_t n[IPR_TIME_CLASSES], unsigned set, struct ipr_buf *out)
{
    for (unsigned c = 0; c < IPR_TIME_CLASSES; c++)
        if ((set & IPR_TIME_BIT(c)) != 0)
            count_put(n[c], ipr_time_class_name((enum ipr_time_class)c), out);
}

void ipr_rate_left_out_write(const struct ipr_rate_games *games, struct ipr_buf *out)
{
    static const char *const said[] = { "before ", "without a full date", "not said to be rated",
                                        "there already", "without evaluations" };
    const struct ipr_rate_left_out *const left = &games->left_out;

    times_put(left->time, IPR_TIME_SET_ALL, out);
    for (size_t i = 0; i < IPR_RATE_REASONS; i++) {
        count_put(left->reason[i], said[i], out);
        if (i == IPR_RATE_BEFORE && left->reason[i] > 0)
            ipr_buf_puts(out, games->choice->since);
    }
}

/* The scale that is named for a pool: of its first game that an engine is for, else of its first.
 */
static const struct ipr_scale *scale_of_pool(const struct ipr_rate_games *games,
                                             const struct ipr_pool *pool)
{
    const struct ipr_scale *scale = NULL;

    for (size_t i = 0; i < games->n; i++)
        if (ipr_rate_pool(games->at[i]) == pool &&
            (scale == NULL || games->at[i]->source == IPR_RATE_ENGINE))
            scale = ipr_rate_scale(games->at[i]);
    return scale != NULL ? scale : &pool->moves;
}

/* The scale of a pool's games, and their numbers by time control; without a pool these of all. */
static void pool_write(const struct ipr_rate_games *games, const struct ipr_pool *pool,
                       const struct ipr_rate_kinds *kinds, struct ipr_buf *out)
{
    struct ipr_buf counted = IPR_BUF_INIT;

    times_put(kinds->time, IPR_TIME_SET_ALL, &counted);
    if (pool != NULL) {
        const struct ipr_scale *const scale = scale_of_pool(games, pool);

        if (scale->fit != NULL && kinds->server != NULL)
            ipr_buf_printf(out, "Elo: ratings of %s, on another scale. ", kinds->server);
        if (scale->fit != NULL)
            ipr_buf_printf(out, "Scale: %s; prior: mean %.0f, sd %.0f. ", pool->title,
                           scale->fit->prior_mean, scale->fit->prior_sd);
        else
            ipr_buf_printf(out, "No scale yet: %s. ", pool->title);
    }
    ipr_buf_puts(out, "Games by time control");
    if (counted.n > 0)
        ipr_buf_printf(out, ": %s", ipr_buf_c(&counted));
    ipr_buf_release(&counted);
}

void ipr_rate_scale_write(const struct ipr_rate_games *games, struct ipr_buf *out)
{
    struct ipr_buf left = IPR_BUF_INIT;
    struct ipr_rate_kinds kinds;
    size_t lines = 0;

    ipr_rate_left_out_write(games, &left);
    for (size_t i = 0; games->calibrated && i < IPR_POOLS; i++) {
        if (kinds_of(games, ipr_pool_at(i), &kinds) == 0)
            continue;
        ipr_buf_puts(out, lines++ > 0 ? ".\n" : "");
        pool_write(games, ipr_pool_at(i), &kinds, out);
    }
    if (lines == 0) {
        kinds_of(games, NULL, &kinds);
        pool_write(games, NULL, &kinds, out);
    }
    if (left.n > 0)
        ipr_buf_printf(out, "; left out: %s", ipr_buf_c(&left));
    ipr_buf_puts(out, ".\n");
    ipr_buf_release(&left);
}

void ipr_rate_warning_write(const struct ipr_rate_games *games, struct ipr_buf *out)
{
    for (size_t i = 0; games->calibrated && i < IPR_POOLS; i++) {
        const struct ipr_pool *const pool = ipr_pool_at(i);
        const struct ipr_scale *const scale = scale_of_pool(games, pool);
        struct ipr_rate_kinds kinds;

        kinds_of(games, pool, &kinds);
        if (kinds.off_scale > 0)
            ipr_buf_printf(out,
                           "warning: of the %s %zu %s a rating outside %.0f to %.0f, for which "
                           "the scale is not made\n",
                           pool->games, kinds.off_scale, kinds.off_scale == 1 ? "has" : "have",
                           scale->low, scale->high);
    }
}
