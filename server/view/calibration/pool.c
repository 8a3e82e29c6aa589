/* Transitions of all turns of a calibration: the pool for rows that a player lacks. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/judged.h"
#include "view/calibration/parts.h"

#define POOL_VERSION 1
#define PAIRS_MAX    1000000

static int pool_order(const void *a, const void *b)
{
    const struct ipr_calibration_transition *x = a, *y = b;

    if (x->best_cp != y->best_cp)
        return x->best_cp < y->best_cp ? -1 : 1;
    return (x->played_cp > y->played_cp) - (x->played_cp < y->played_cp);
}

/* Those of the turns in the window; their number. */
static size_t pool_take(const struct ipr_window *window, const struct ipr_figures_milepost *m,
                        struct ipr_calibration_transition *to)
{
    size_t *keep = ipr_xcalloc(m->n + 1, sizeof *keep);
    const size_t n = ipr_window_select(window, m->turns, m->n, keep, NULL);

    for (size_t i = 0; i < n; i++) {
        const struct ipr_judged j = ipr_judged(&m->turns[keep[i]], window->order);
        to[i] = (struct ipr_calibration_transition){ j.best_cp, j.played_cp, 1 };
    }
    free(keep);
    return n;
}

/* Rows of best, played and turns, ascending, from n sorted transitions of a turn each. */
static struct ipr_matrix_count pool_pairs(const struct ipr_calibration_transition *t, size_t n,
                                          struct ipr_arena *mem)
{
    struct ipr_matrix_count out = { ipr_arena_alloc(mem, 3 * n + 1, sizeof *out.at), 0, 3 };

    for (size_t i = 0, same; i < n; i += same) {
        for (same = 1; i + same < n && pool_order(&t[i], &t[i + same]) == 0;)
            same++;
        memcpy(&out.at[3 * out.n++], (int64_t[]){ t[i].best_cp, t[i].played_cp, (int64_t)same },
               3 * sizeof *out.at);
    }
    return out;
}

static void pool_digest(const struct ipr_answer_markov_pool *pool, char hex[IPR_CALIBRATION_DIGEST])
{
    json_t *json = ipr_shape_json(IPR_SHAPE_MARKOV_POOL, pool);
    char *text = json_dumps(json_object_get(json, "transitions"), JSON_COMPACT);

    ipr_calibration_digest(ipr_str_c(text), hex);
    free(text);
    json_decref(json);
}

void ipr_calibration_add_pool(const struct ipr_calibration_sets *sets,
                              struct ipr_answer_calibration_made *record)
{
    const struct ipr_figures *const f = sets->figures;
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_CONFORMANCE);
    struct ipr_answer_markov_pool *const out = ipr_shape_new(IPR_SHAPE_MARKOV_POOL, sets->mem);
    char digest[IPR_CALIBRATION_DIGEST];
    size_t room = 1, n = 0;

    for (size_t i = 0; i < f->n; i++)
        room += f->mileposts[i].n;
    struct ipr_calibration_transition *t = ipr_xcalloc(room, sizeof *t);
    for (size_t i = 0; i < f->n; i++)
        n += pool_take(&window, &f->mileposts[i], t + n);
    qsort(t, n, sizeof *t, pool_order);
    out->version = POOL_VERSION;
    out->turns = (int64_t)n;
    out->games = (int64_t)f->games;
    out->window.first_move = window.first_move;
    out->window.drop_forced = window.drop_forced;
    out->transitions = pool_pairs(t, n, sets->mem);
    free(t);
    pool_digest(out, digest);
    out->digest = ipr_arena_printf(sets->mem, "%s", digest);
    record->markov_pool = out;
}

static bool pool_read_pair(const int64_t row[3], struct ipr_calibration_transition *out)
{
    const int64_t best = row[0], played = row[1], turns = row[2];

    if (best > IPR_CP_LIMIT || played < -IPR_CP_LIMIT || played > best || turns < 1 ||
        turns > INT32_MAX)
        return false;
    *out = (struct ipr_calibration_transition){ (int16_t)best, (int16_t)played, (int32_t)turns };
    return true;
}

bool ipr_calibration_pool_read(const struct ipr_answer_markov_pool *pool,
                               struct ipr_calibration_pool *out)
{
    char digest[IPR_CALIBRATION_DIGEST];

    if (pool == NULL)
        return true;
    const struct ipr_matrix_count *const list = &pool->transitions;
    if (pool->version != POOL_VERSION || list->n == 0 || list->n > PAIRS_MAX ||
        list->columns != 3 || pool->digest == NULL)
        return false;
    pool_digest(pool, digest);
    if (strcmp(digest, pool->digest) != 0)
        return false;
    out->transitions = ipr_xcalloc(list->n, sizeof *out->transitions);
    memcpy(out->digest, digest, sizeof digest);
    while (out->n < list->n && pool_read_pair(&list->at[3 * out->n], &out->transitions[out->n]))
        out->n++;
    return out->n == list->n;
}

void ipr_calibration_pool_count(const struct ipr_calibration_pool *pool,
                                const struct ipr_markov_classes *classes, double *counts)
{
    memset(counts, 0, (size_t)classes->n * classes->n * sizeof *counts);
    for (size_t i = 0; i < pool->n; i++) {
        const struct ipr_calibration_transition *t = &pool->transitions[i];

        counts[ipr_markov_class(classes, t->best_cp) * classes->n +
               ipr_markov_class(classes, t->played_cp)] += t->turns;
    }
}
