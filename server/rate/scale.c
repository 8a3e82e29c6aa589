#include "rate/scale.h"

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
