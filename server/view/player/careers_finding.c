/* Says in words how the ratings of several sets compare. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/certainty.h"
#include "view/player/career.h"
#include "view/view.h"

/* The sets with a rating, the strongest first. */
struct ranked {
    const struct ipr_career *of[IPR_PARAM_TEXTS_MAX];
    size_t n;
    const char *kind;
};

static int ranked_order(const void *a, const void *b)
{
    const struct ipr_career *const *x = a, *const *y = b;
    const double first = (*x)->rating.estimate, second = (*y)->rating.estimate;

    return first != second ? (first < second) - (first > second) : (*x > *y) - (*x < *y);
}

static struct ranked careers_rank(const struct ipr_career *of, size_t n)
{
    struct ranked r = { .kind = "players" }; /* a set that is there already is left out */

    for (size_t i = 0; i < n; i++) {
        if (!ipr_career_is_whole(&of[i]))
            r.kind = "sets";
        if (isfinite(of[i].rating.estimate))
            r.of[r.n++] = &of[i];
    }
    qsort(r.of, r.n, sizeof *r.of, ranked_order);
    return r;
}

/* That the first is the strongest. */
static double ranked_probability(const struct ranked *r)
{
    double mean[IPR_PARAM_TEXTS_MAX], sd[IPR_PARAM_TEXTS_MAX];

    for (size_t i = 0; i < r->n; i++) {
        mean[i] = r->of[i]->rating.estimate;
        sd[i] = r->of[i]->rating.standard_error;
    }
    return ipr_career_best(mean, sd, r->n, 0);
}

static const char *ranked_verdict(const struct ranked *r, double p, struct ipr_arena *mem)
{
    const char *const word = isfinite(p) ? ipr_certainty_word(p) : NULL;
    const char *const best = r->n == 2 ? "stronger" : "strongest";
    const char *const all = r->n == 2 ? ipr_arena_printf(mem, "the two %s", r->kind)
                                      : ipr_arena_printf(mem, "the %zu %s", r->n, r->kind);

    return word == NULL
               ? ipr_arena_printf(mem, "The moves do not show which of %s is the %s", all, best)
               : ipr_arena_printf(mem, "By the moves it is %s (%s) that %s is the %s of %s", word,
                                  ipr_certainty_percent(p, mem), r->of[0]->label, best, all);
}

/* The largest difference, and whether its 95 % interval contains 0. */
static const char *ranked_difference(const struct ranked *r, bool decided, struct ipr_arena *mem)
{
    const struct ipr_career *const first = r->of[0], *const last = r->of[r->n - 1];
    const double d = first->rating.estimate - last->rating.estimate;
    const bool beyond =
        d > IPR_Z95 * hypot(first->rating.standard_error, last->rating.standard_error);
    const char *const error = beyond ? "more than its error" : "within its error";

    if (r->n == 2 && decided) /* the first has been named */
        return ipr_arena_printf(mem, " The difference, %.0f Elo, is %s.", d, error);
    return ipr_arena_printf(mem, " %s%s is rated above %s by %.0f Elo, %s.",
                            r->n == 2 ? "" : "The largest difference: ", first->label, last->label,
                            d, error);
}

static bool sets_meet(const struct ipr_set *a, const struct ipr_set *b)
{
    const bool years = (a->to == 0 || b->from == 0 || b->from <= a->to) &&
                       (b->to == 0 || a->from == 0 || a->from <= b->to);

    return a->player == b->player && years &&
           (a->colours == 0 || b->colours == 0 || (a->colours & b->colours) != 0) &&
           (a->phases == 0 || b->phases == 0 || (a->phases & b->phases) != 0) &&
           (a->event == 0 || b->event == 0 || a->event == b->event) &&
           (a->upload == 0 || b->upload == 0 || a->upload == b->upload);
}

/* Errors of sets that may share moves are not independent. */
static const char *ranked_overlap(const struct ranked *r)
{
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = i + 1; k < r->n; k++)
            if (sets_meet(&r->of[i]->set, &r->of[k]->set))
                return " Sets that share moves are not independent: between them error and "
                       "probability are rough.";
    return "";
}

const char *ipr_careers_finding(const struct ipr_career *of, size_t n, double *probability,
                                struct ipr_arena *mem)
{
    const struct ranked r = careers_rank(of, n);

    *probability = NAN;
    if (n == 0)
        return NULL;
    if (n == 1)
        return ipr_career_finding(of, true, mem);
    if (r.n < 2)
        return ipr_arena_printf(
            mem,
            "The moves do not show which of the %s is the strongest: fewer than "
            "two have a rating.",
            r.kind);
    *probability = ranked_probability(&r);
    const bool decided = isfinite(*probability) && ipr_certainty_word(*probability) != NULL;

    return ipr_arena_printf(mem, "%s.%s%s", ranked_verdict(&r, *probability, mem),
                            ranked_difference(&r, decided, mem), ranked_overlap(&r));
}
