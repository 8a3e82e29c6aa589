/* Says in words how the ratings of several sets compare. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sentence/sentence.h"
#include "view/certainty.h"
#include "view/player/career.h"
#include "view/view.h"

/* The sets that are compared, the strongest first. */
struct ranked {
    const struct ipr_career *of[IPR_PARAM_TEXTS_MAX];
    size_t n;
    bool parts, ratings; /* some are parts of a career; they have no strengths, but ratings */
};

static int ranked_order(const void *a, const void *b)
{
    const struct ipr_career *const *x = a, *const *y = b;
    const double first = ipr_career_strength(*x), second = ipr_career_strength(*y);

    return first != second ? (first < second) - (first > second) : (*x > *y) - (*x < *y);
}

static struct ranked careers_rank(const struct ipr_career *of, size_t n)
{
    struct ranked r = { 0 };

    for (size_t i = 0; i < n; i++)
        if (isfinite(ipr_career_strength(&of[i]))) {
            r.parts |= !ipr_career_is_whole(&of[i]);
            r.ratings |= of[i].path == NULL;
            r.of[r.n++] = &of[i];
        }
    qsort(r.of, r.n, sizeof *r.of, ranked_order);
    return r;
}

/* That the first is the strongest: of the differences from it, whose errors depend on each other,
 * none is below 0. */
static double ranked_probability(const struct ranked *r)
{
    struct ipr_trajectory_change less[IPR_PARAM_TEXTS_MAX];
    double *const cov = ipr_xcalloc(r->n * r->n, sizeof *cov);
    const size_t n = r->n - 1;

    for (size_t i = 0; i < n; i++)
        less[i] = ipr_career_difference(r->of[0], r->of[i + 1]);
    double p = ipr_path_probability(less[0]);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            const double between =
                i == k ? 0 : ipr_career_difference(r->of[i + 1], r->of[k + 1]).sd;

            cov[i * n + k] =
                (less[i].sd * less[i].sd + less[k].sd * less[k].sd - between * between) / 2;
        }
    if (n > 1) {
        double mean[IPR_PARAM_TEXTS_MAX];

        for (size_t i = 0; i < n; i++)
            mean[i] = less[i].mean;
        p = ipr_career_above(mean, cov, n);
    }
    free(cov);
    return p;
}

static const char *ranked_verdict(const struct ranked *r, double p, struct ipr_arena *mem)
{
    const struct ipr_career *const last = r->n > 0 ? r->of[r->n - 1] : NULL;
    const bool likely = isfinite(p) && ipr_certainty_word(p) != NULL;
    enum ipr_player_strongest said =
        likely ? IPR_PLAYER_STRONGEST_LIKELY : IPR_PLAYER_STRONGEST_OPEN;

    if (r->n < 2)
        return ipr_say_player_strongest(IPR_PLAYER_STRONGEST_TOO_FEW,
                                        &(struct ipr_player_strongest_slots){ .estimate = NAN },
                                        mem);
    if (r->n == 2)
        said = likely ? IPR_PLAYER_STRONGEST_LIKELY_OF_TWO : IPR_PLAYER_STRONGEST_OPEN_OF_TWO;
    return ipr_say_player_strongest(
        said,
        &(struct ipr_player_strongest_slots){ .first = r->of[0]->label,
                                              .last = last->label,
                                              .estimate = ipr_career_strength(r->of[0]),
                                              .least = ipr_career_strength(last),
                                              .n = (double)r->n,
                                              .probability = isfinite(p) ? p : 0,
                                              .sets = r->parts,
                                              .peaks = !r->parts && !r->ratings,
                                              .ratings = r->ratings },
        mem);
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

/* Errors of ratings of sets that may share moves are not independent. */
static bool ranked_share(const struct ranked *r)
{
    for (size_t i = 0; i < r->n && r->ratings; i++)
        for (size_t k = i + 1; k < r->n; k++)
            if (sets_meet(&r->of[i]->set, &r->of[k]->set))
                return true;
    return false;
}

static bool careers_beside(const struct ipr_career *of, size_t n)
{
    size_t i = 0;

    while (i < n && !of[i].beside)
        i++;
    return i < n;
}

const char *ipr_careers_finding(const struct ipr_career *of, size_t n, double *probability,
                                struct ipr_arena *mem)
{
    const struct ranked r = careers_rank(of, n);

    *probability = NAN;
    if (n == 0)
        return NULL;
    if (n == 1)
        return ipr_career_finding(of, mem);
    if (r.n >= 2)
        *probability = ranked_probability(&r);
    const struct ipr_player_remark_slots slots = { .said = ranked_verdict(&r, *probability, mem),
                                                   .shared = ranked_share(&r),
                                                   .beside = careers_beside(of, n) };
    return ipr_say_player_remark(IPR_PLAYER_REMARK_ALL, &slots, mem);
}
