#include "rate/scale.h"

#include "core/pools.h"

static bool elo_is_beyond(const struct ipr_rate_games *games, int elo)
{
    return elo > 0 && !ipr_scale_holds(&games->pool->moves, elo);
}

void ipr_rate_kinds_add(const struct ipr_rate_games *games, const struct ipr_rate_game *g,
                        unsigned sides, struct ipr_rate_kinds *kinds)
{
    const struct ipr_db_new_game *const row = &g->row;
    const bool elo = ((sides & 1u) != 0 && elo_is_beyond(games, row->white_elo)) ||
                     ((sides & 2u) != 0 && elo_is_beyond(games, row->black_elo));

    kinds->time[row->time_class]++;
    kinds->elo += elo;
    kinds->off_scale += elo || (games->pool->times & IPR_TIME_BIT(row->time_class)) == 0;
}

static struct ipr_rate_kinds kinds_of_all(const struct ipr_rate_games *games)
{
    struct ipr_rate_kinds kinds = { .elo = 0 };

    for (size_t i = 0; i < games->n; i++) {
        const struct ipr_db_new_game *const row = &games->at[i]->row;
        const unsigned white = ipr_rate_is_chosen(games->choice, &row->white);
        const unsigned black = ipr_rate_is_chosen(games->choice, &row->black);

        ipr_rate_kinds_add(games, games->at[i], white | black << 1, &kinds);
    }
    return kinds;
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
                                        "there already" };
    const struct ipr_rate_left_out *const left = &games->left_out;

    times_put(left->time, IPR_TIME_SET_ALL, out);
    for (size_t i = 0; i < IPR_RATE_REASONS; i++) {
        count_put(left->reason[i], said[i], out);
        if (i == IPR_RATE_BEFORE && left->reason[i] > 0)
            ipr_buf_puts(out, games->choice->since);
    }
}

void ipr_rate_scale_write(const struct ipr_rate_games *games, struct ipr_buf *out)
{
    const struct ipr_strength_shipped *const fit = games->pool->moves.fit;
    const struct ipr_rate_kinds kinds = kinds_of_all(games);
    const unsigned own = games->calibrated ? games->pool->times : IPR_TIME_SET_ALL;
    struct ipr_buf counted = IPR_BUF_INIT, others = IPR_BUF_INIT, left = IPR_BUF_INIT;

    times_put(kinds.time, own, &counted);
    times_put(kinds.time, ~own, &others);
    ipr_rate_left_out_write(games, &left);
    if (games->calibrated)
        ipr_buf_printf(out, "Scale: %s; prior: mean %.0f, sd %.0f. ", games->pool->title,
                       fit->prior_mean, fit->prior_sd);
    ipr_buf_puts(out, "Games by time control");
    if (counted.n > 0)
        ipr_buf_printf(out, ": %s", ipr_buf_c(&counted));
    if (others.n > 0)
        ipr_buf_printf(out, "%s counted all the same: %s", counted.n > 0 ? ";" : ",",
                       ipr_buf_c(&others));
    if (left.n > 0)
        ipr_buf_printf(out, "; left out: %s", ipr_buf_c(&left));
    ipr_buf_puts(out, ".\n");
    ipr_buf_release(&counted);
    ipr_buf_release(&others);
    ipr_buf_release(&left);
}

void ipr_rate_warning_write(const struct ipr_rate_games *games, struct ipr_buf *out)
{
    const struct ipr_rate_kinds kinds = kinds_of_all(games);
    struct ipr_buf which = IPR_BUF_INIT;

    times_put(kinds.time, ~games->pool->times, &which);
    count_put(kinds.elo, "with an Elo", &which);
    if (games->calibrated && which.n > 0) {
        ipr_buf_printf(out, "warning: the scale is not made for some of these games (%s",
                       ipr_buf_c(&which));
        if (kinds.elo > 0)
            ipr_buf_printf(out, " outside %.0f to %.0f", games->pool->moves.low,
                           games->pool->moves.high);
        ipr_buf_puts(out, "): their rating is not on it\n");
    }
    ipr_buf_release(&which);
}
