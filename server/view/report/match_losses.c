/* Log losses of predictors on the games of matches that all of them predict. */
#include "view/report/match_losses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/prediction_error.h"
#include "stats/clustered.h"
#include "view/figure/figure.h"
#include "view/json.h"

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

static double losses_expected(const json_t *match, const char *name)
{
    const json_t *p = json_object_get(json_object_get(match, "predictions"), name);

    return strcmp(name, "even") == 0 ? .5 : ipr_json_at(p, "expected", NAN);
}

static double losses_of(double p, double s)
{
    p = fmin(fmax(p, LOSSES_CLIP), 1 - LOSSES_CLIP);
    return -s * log(p) - (1 - s) * log1p(-p);
}

static bool losses_has(const json_t *matches, const char *name)
{
    const json_t *match;
    size_t i;

    json_array_foreach(matches, i, match)
        if (isfinite(losses_expected(match, name)))
            return true;
    return false;
}

static void losses_find_predictors(struct losses *l, const json_t *matches)
{
    json_t *first = json_object_get(json_array_get(matches, 0), "predictions"), *value;
    const char *name;

    json_object_foreach(first, name, value)
        if (l->predictors < LOSSES_MAX - 1 && losses_has(matches, name))
            l->name[l->predictors++] = name;
    l->name[l->predictors++] = "even";
}

static bool losses_common(const struct losses *l, const json_t *match)
{
    for (size_t k = 0; k < l->predictors; k++)
        if (!isfinite(losses_expected(match, l->name[k])))
            return false;
    return true;
}

static void losses_read(struct losses *l, const json_t *matches)
{
    const json_t *match;
    size_t i;

    json_array_foreach(matches, i, match) {
        if (!losses_common(l, match))
            continue;
        for (size_t k = 0; k < l->predictors; k++)
            l->loss[k][l->n] =
                losses_of(losses_expected(match, l->name[k]), ipr_json_at(match, "score", NAN));
        l->games[l->n] = ipr_json_at(match, "games", 0);
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

/* Writes the losses of predictor k; `best` is the lowest. */
static json_t *losses_json(const struct losses *l, size_t k, size_t best, struct ipr_arena *mem)
{
    double *x = ipr_arena_alloc(mem, l->n, sizeof *x);
    double *influence = ipr_arena_alloc(mem, l->n, sizeof *influence);
    const bool known = k != best && l->n >= IPR_PREDICTION_ERROR_MATCHES;

    for (size_t i = 0; i < l->n; i++)
        x[i] = l->loss[k][i] - l->loss[best][i];
    const double d = ipr_stats_weighted_mean(x, l->games, l->n, influence);
    const double se = known ? ipr_stats_influence_se(influence, l->match, l->n, l->n) : 0;
    const double half = known ? ipr_stats_quantile95(l->n) * se : 0;

    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "predictor", l->name[k], "log_loss",
                     ipr_json_num(l->mean[k]), "difference",
                     ipr_json_num(ipr_number_if(k != best, d)), "standard_error",
                     ipr_json_num(ipr_number_if(known, se)), "interval",
                     ipr_json_interval_if(known, (struct ipr_interval){ d - half, d + half }));
}

static json_t *losses_list(struct losses *l, struct ipr_arena *mem)
{
    double *influence = ipr_arena_alloc(mem, l->n + 1, sizeof *influence);
    json_t *out = json_array();
    bool taken[LOSSES_MAX] = { false };

    if (l->n == 0)
        return out;
    for (size_t k = 0; k < l->predictors; k++)
        l->mean[k] = ipr_stats_weighted_mean(l->loss[k], l->games, l->n, influence);
    const size_t best = losses_next(l, taken);
    for (size_t i = 0; i < l->predictors; i++) {
        const size_t k = losses_next(l, taken);

        taken[k] = true;
        json_array_append_new(out, losses_json(l, k, best, mem));
    }
    return out;
}

json_t *ipr_match_losses(const json_t *matches)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    const size_t n = json_array_size(matches);
    struct losses l = { .games = ipr_arena_alloc(&mem, n + 1, sizeof(double)),
                        .match = ipr_arena_alloc(&mem, n + 1, sizeof(int32_t)) };

    losses_find_predictors(&l, matches);
    for (size_t k = 0; k < l.predictors; k++)
        l.loss[k] = ipr_arena_alloc(&mem, n + 1, sizeof(double));
    losses_read(&l, matches);
    json_t *list = losses_list(&l, &mem);
    json_t *out = json_pack("{s:I, s:o}", "games", (json_int_t)l.all, "log_losses", list);
    ipr_arena_release(&mem);
    return out;
}
