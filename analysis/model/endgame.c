#include "model/endgame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/turn.h"
#include "stats/sum.h"

int ipr_endgame_value(enum ipr_endgame_wdl wdl)
{
    if (wdl == IPR_ENDGAME_WIN)
        return 1;
    return wdl == IPR_ENDGAME_LOSS ? -1 : 0;
}

unsigned ipr_endgame_dtz_lost(const struct ipr_endgame_turn *t)
{
    if (t->zeroing || t->dtz_after + 1 <= t->dtz_before)
        return 0;
    return t->dtz_after + 1u - t->dtz_before;
}

enum ipr_endgame_excluded ipr_endgame_reason(const struct ipr_endgame_turn *t)
{
    if (!t->probed)
        return IPR_ENDGAME_UNPROBED;
    if (t->legal == 1)
        return IPR_ENDGAME_FORCED;
    if (ipr_endgame_value(t->after) > ipr_endgame_value(t->before))
        return IPR_ENDGAME_CONTRADICTORY;
    return IPR_ENDGAME_REASONS;
}

static bool in_class(const struct ipr_endgame_turn *t, enum ipr_endgame_class class)
{
    const int value = ipr_endgame_value(t->before);

    switch (class) {
    case IPR_ENDGAME_CLASS_ALL:
        return true;
    case IPR_ENDGAME_CLASS_AT_STAKE:
        return value >= 0;
    case IPR_ENDGAME_CLASS_WON:
        return value > 0;
    case IPR_ENDGAME_CLASS_DRAWN:
        return value == 0;
    case IPR_ENDGAME_CLASS_LOST:
        return value < 0;
    case IPR_ENDGAME_CLASSES:
        break;
    }
    return false;
}

/* Counted turns, and memory for their figures. */
struct kept_turns {
    const struct ipr_endgame_turn **turn;
    size_t n, floor;
    bool *hit;
    double *lost;
    int32_t *game;
};

static enum ipr_code share_of(struct kept_turns *k, enum ipr_endgame_class class,
                              struct ipr_endgame_kept *out, struct ipr_err *err)
{
    for (size_t i = 0; i < k->n; i++) {
        const struct ipr_endgame_turn *t = k->turn[i];
        if (!in_class(t, class))
            continue;
        k->hit[out->turns] = ipr_endgame_value(t->after) == ipr_endgame_value(t->before);
        k->game[out->turns++] = t->game;
    }
    out->known = out->turns >= k->floor;
    if (!out->known)
        return IPR_OK;
    return ipr_stats_share(k->hit, k->game, out->turns, &out->share, err);
}

static void add_dtz(struct kept_turns *k, struct ipr_endgame *e)
{
    for (size_t i = 0; i < k->n; i++) {
        const struct ipr_endgame_turn *t = k->turn[i];
        if (t->before != IPR_ENDGAME_WIN || t->after != IPR_ENDGAME_WIN || !t->dtz_known)
            continue;
        k->lost[e->dtz.turns] = ipr_endgame_dtz_lost(t);
        k->game[e->dtz.turns++] = t->game;
        e->dtz.best += ipr_endgame_dtz_lost(t) == 0;
    }
    e->dtz.known = e->dtz.turns >= k->floor;
    if (!e->dtz.known)
        return;
    e->dtz.mean = ipr_stats_mean(k->lost, e->dtz.turns);
    e->dtz.se = ipr_stats_mean_se(k->lost, k->game, e->dtz.turns, &e->dtz.games);
    e->dtz.se_known = e->dtz.games > 1;
    if (e->dtz.se_known) {
        const double half = ipr_stats_quantile95(e->dtz.games) * e->dtz.se;
        e->dtz.interval =
            (struct ipr_interval){ fmax(0.0, e->dtz.mean - half), e->dtz.mean + half };
    }
}

enum ipr_code ipr_endgame(const struct ipr_endgame_turn *turns, size_t n, size_t floor,
                          struct ipr_endgame *out, struct ipr_err *err)
{
    struct ipr_endgame e;
    struct kept_turns k = { .floor = floor };
    enum ipr_code rc;

    if (floor == 0)
        return ipr_err_set(err, IPR_EINVAL, "endgame: a floor of 0 turns");
    for (size_t i = 0; i < n; i++)
        if (turns[i].probed && ((unsigned)turns[i].before > IPR_ENDGAME_WIN ||
                                (unsigned)turns[i].after > IPR_ENDGAME_WIN))
            return ipr_err_set(err, IPR_EINVAL, "endgame: values %d and %d", (int)turns[i].before,
                               (int)turns[i].after);
    memset(&e, 0, sizeof e);
    k.turn = ipr_xcalloc(n + 1, sizeof *k.turn);
    for (size_t i = 0; i < n; i++) {
        const enum ipr_endgame_excluded why = ipr_endgame_reason(&turns[i]);
        if (why == IPR_ENDGAME_REASONS)
            k.turn[k.n++] = &turns[i];
        else
            e.excluded[why]++;
    }
    e.turns = k.n;
    if (k.n < floor) {
        rc = ipr_err_set(err, IPR_EDATA, "%zu moves within the tablebases' reach, %zu are needed",
                         k.n, floor);
    } else {
        rc = IPR_OK;
        k.hit = ipr_xcalloc(k.n, sizeof *k.hit);
        k.lost = ipr_xcalloc(k.n, sizeof *k.lost);
        k.game = ipr_xcalloc(k.n, sizeof *k.game);
        for (int c = 0; c < IPR_ENDGAME_CLASSES && rc == IPR_OK; c++)
            rc = share_of(&k, (enum ipr_endgame_class)c, &e.kept[c], err);
        add_dtz(&k, &e);
        free(k.hit);
        free(k.lost);
        free(k.game);
    }
    free(k.turn);
    if (rc == IPR_OK)
        *out = e;
    return rc;
}

const char *ipr_endgame_excluded_name(enum ipr_endgame_excluded reason)
{
    static const char *const names[IPR_ENDGAME_REASONS] = { "unprobed", "forced", "contradictory" };

    return (unsigned)reason < IPR_ENDGAME_REASONS ? names[reason] : "";
}
