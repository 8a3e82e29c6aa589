/* Log losses of predictors on the games of matches that all of them predict. */
#include "view/report/match_losses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/prediction_error.h"
#include "stats/clustered.h"
#include "view/figure/figure.h"

#define LOSSES_MAX  32   /* predictors */
#define LOSSES_CLIP .001 /* as in docs/predictors.md */

struct losses {
    const char *name[LOSSES_MAX]; /* the last is "even" */
    size_t predictors;
    double *loss[LOSSES_MAX]; /* of each common match, a game */
    double mean[LOSSES_MAX];
    double *games;
    int32_t *match;
    size_t n; /* common matches */
    double all;
};

static double losses_expected(const struct ipr_answer_match *match, const char *name)
{
    for (size_t i = 0; i < match->predictions.n; i++)
        if (strcmp(match->predictions.at[i].name, name) == 0)
            return match->predictions.at[i].of.expected;
    return strcmp(name, "even") == 0 ? .5 : NAN;
}

static double losses_of(double p, double s)
{
    p = fmin(fmax(p, LOSSES_CLIP), 1 - LOSSES_CLIP);
    return -s * log(p) - (1 - s) * log1p(-p);
}

static bool losses_has(const struct ipr_list_match *matches, const char *name)
{
    for (size_t i = 0; i < matches->n; i++)
        if (isfinite(losses_expected(&matches->at[i], name)))
            return true;
    return false;
}

static void losses_find_predictors(struct losses *l, const struct ipr_list_match *matches)
{
    for (size_t i = 0; matches->n > 0 && i < matches->at->predictions.n; i++) {
        const char *const name = matches->at->predictions.at[i].name;

        if (l->predictors < LOSSES_MAX - 1 && losses_has(matches, name))
            l->name[l->predictors++] = name;
    }
    l->name[l->predictors++] = "even";
}

static bool losses_common(const struct losses *l, const struct ipr_answer_match *match)
{
    for (size_t k = 0; k < l->predictors; k++)
        if (!isfinite(losses_expected(match, l->name[k])))
            return false;
    return true;
}

static void losses_read(struct losses *l, const struct ipr_list_match *matches)
{
    for (size_t i = 0; i < matches->n; i++) {
        const struct ipr_answer_match *const match = &matches->at[i];

        if (!losses_common(l, match))
            continue;
        for (size_t k = 0; k < l->predictors; k++)
            l->loss[k][l->n] = losses_of(losses_expected(match, l->name[k]), match->score);
        l->games[l->n] = (double)match->games;
        l->all += l->games[l->n];
        l->match[l->n] = (int32_t)l->n;
        l->n++;
    }
}

/* The lowest of those not taken yet. */
static size_t losses_next(const struct losses *l, const bool *taken)
{
    size_t least = l->predictors;

    for (size_t k = 0; k < l->predictors; k++)
        if (!taken[k] && (least == l->predictors || l->mean[k] < l->mean[least]))
            least = k;
    return least;
}

/* The losses of predictor k; `best` is the lowest. */
static struct ipr_answer_match_loss losses_row(const struct losses *l, size_t k, size_t best,
                                               struct ipr_arena *mem)
{
    double *x = ipr_arena_alloc(mem, l->n, sizeof *x);
    double *influence = ipr_arena_alloc(mem, l->n, sizeof *influence);
    const bool known = k != best && l->n >= IPR_PREDICTION_ERROR_MATCHES;

    for (size_t i = 0; i < l->n; i++)
        x[i] = l->loss[k][i] - l->loss[best][i];
    const double d = ipr_stats_weighted_mean(x, l->games, l->n, influence);
    const double se = known ? ipr_stats_influence_se(influence, l->match, l->n, l->n) : NAN;
    const double half = known ? ipr_stats_quantile95(l->n) * se : NAN;

    return (struct ipr_answer_match_loss){
        l->name[k], l->mean[k], ipr_number_if(k != best, d), se, { d - half, d + half }
    };
}

static void losses_list(struct losses *l, struct ipr_arena *mem, struct ipr_list_match_loss *out)
{
    double *influence = ipr_arena_alloc(mem, l->n + 1, sizeof *influence);
    bool taken[LOSSES_MAX] = { false };

    for (size_t k = 0; k < l->predictors; k++)
        l->mean[k] = ipr_stats_weighted_mean(l->loss[k], l->games, l->n, influence);
    const size_t best = losses_next(l, taken);
    out->at = ipr_shape_list(IPR_SHAPE_MATCH_LOSS, l->predictors, mem);
    for (; out->n < l->predictors; out->n++) {
        const size_t k = losses_next(l, taken);

        taken[k] = true;
        out->at[out->n] = losses_row(l, k, best, mem);
    }
}

void ipr_match_losses(const struct ipr_list_match *matches, struct ipr_arena *mem,
                      struct ipr_answer_common_matches *out)
{
    const size_t n = matches->n;
    struct losses l = { .games = ipr_arena_alloc(mem, n + 1, sizeof(double)),
                        .match = ipr_arena_alloc(mem, n + 1, sizeof(int32_t)) };

    losses_find_predictors(&l, matches);
    for (size_t k = 0; k < l.predictors; k++)
        l.loss[k] = ipr_arena_alloc(mem, n + 1, sizeof(double));
    losses_read(&l, matches);
    if (l.n > 0)
        losses_list(&l, mem, &out->log_losses);
    out->games = (int64_t)l.all;
}
