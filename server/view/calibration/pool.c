/* Transitions of all turns of a calibration: the pool for rows that a player lacks. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/judged.h"
#include "view/calibration/parts.h"
#include "view/json.h"

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

/* [[best, played, turns], …], ascending, from n sorted transitions of a turn each. */
static json_t *pool_pairs_json(const struct ipr_calibration_transition *t, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0, same; i < n; i += same) {
        for (same = 1; i + same < n && pool_order(&t[i], &t[i + same]) == 0;)
            same++;
        json_array_append_new(
            list, json_pack("[i, i, I]", (int)t[i].best_cp, (int)t[i].played_cp, (json_int_t)same));
    }
    return list;
}

static void pool_digest(const json_t *transitions, char hex[IPR_CALIBRATION_DIGEST])
{
    char *text = json_dumps(transitions, JSON_COMPACT);

    if (text == NULL)
        abort();
    ipr_calibration_digest(ipr_str_c(text), hex);
    free(text);
}

json_t *ipr_calibration_pool_json(const struct ipr_figures *f)
{
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_CONFORMANCE);
    char digest[IPR_CALIBRATION_DIGEST];
    size_t room = 1, n = 0;

    for (size_t i = 0; i < f->n; i++)
        room += f->mileposts[i].n;
    struct ipr_calibration_transition *t = ipr_xcalloc(room, sizeof *t);
    for (size_t i = 0; i < f->n; i++)
        n += pool_take(&window, &f->mileposts[i], t + n);
    qsort(t, n, sizeof *t, pool_order);
    json_t *transitions = pool_pairs_json(t, n);
    free(t);
    pool_digest(transitions, digest);
    return json_pack("{s:i, s:I, s:I, s:{s:i, s:b}, s:s, s:o}", "version", POOL_VERSION, "turns",
                     (json_int_t)n, "games", (json_int_t)f->games, "window", "first_move",
                     (int)window.first_move, "drop_forced", window.drop_forced, "digest", digest,
                     "transitions", transitions);
}

static bool pool_read_pair(const json_t *json, struct ipr_calibration_transition *out)
{
    const json_int_t best = json_integer_value(json_array_get(json, 0));
    const json_int_t played = json_integer_value(json_array_get(json, 1));
    const json_int_t turns = json_integer_value(json_array_get(json, 2));

    if (best > IPR_CP_LIMIT || played < -IPR_CP_LIMIT || played > best || turns < 1 ||
        turns > INT32_MAX)
        return false;
    *out = (struct ipr_calibration_transition){ (int16_t)best, (int16_t)played, (int32_t)turns };
    return true;
}

bool ipr_calibration_pool_read(const json_t *record, struct ipr_calibration_pool *out)
{
    const json_t *pool = json_object_get(record, "markov_pool");
    const json_t *list = json_object_get(pool, "transitions");
    const size_t n = json_array_size(list);
    char digest[IPR_CALIBRATION_DIGEST];

    if (pool == NULL)
        return true;
    pool_digest(list, digest);
    if (ipr_json_at(pool, "version", 0.0) != POOL_VERSION || n == 0 || n > PAIRS_MAX ||
        strcmp(digest, ipr_json_text_at(pool, "digest")) != 0)
        return false;
    out->transitions = ipr_xcalloc(n, sizeof *out->transitions);
    memcpy(out->digest, digest, sizeof digest);
    while (out->n < n && pool_read_pair(json_array_get(list, out->n), &out->transitions[out->n]))
        out->n++;
    return out->n == n;
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
