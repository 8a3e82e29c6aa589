/* Turns with every depth, in blocks. */
#include "model/regan_depth_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/regan_set.h"
#include "stats/clustered.h"

/* Differences that occur, each with its number: a table of open addresses. */
struct table {
    double *value; /* [n] */
    size_t n, room;
    uint32_t *slot; /* [slots] number + 1; 0: free */
    size_t slots;   /* a power of 2, at least twice room */
};

static size_t table_place(const struct table *t, double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    bits *= 0x9e3779b97f4a7c15U;
    for (size_t at = (bits >> 32) & (t->slots - 1);; at = (at + 1) & (t->slots - 1)) {
        const uint32_t k = t->slot[at];
        if (k == 0 || memcmp(&t->value[k - 1], &x, sizeof x) == 0)
            return at;
    }
}

static void table_grow(struct table *t)
{
    t->room = t->room > 0 ? 2 * t->room : 4096;
    t->slots = 2 * t->room;
    t->value = ipr_xrealloc(t->value, t->room, sizeof *t->value);
    free(t->slot);
    t->slot = ipr_xcalloc(t->slots, sizeof *t->slot);
    for (size_t k = 0; k < t->n; k++)
        t->slot[table_place(t, t->value[k])] = (uint32_t)(k + 1);
}

static uint32_t table_number(struct table *t, double x)
{
    size_t at;

    if (t->n == t->room)
        table_grow(t);
    at = table_place(t, x);
    if (t->slot[at] == 0) {
        t->value[t->n] = x;
        t->slot[at] = (uint32_t)++t->n;
    }
    return t->slot[at] - 1;
}

/* A turn to be added to a block. */
struct sorted {
    const struct ipr_turn *turn;
    const struct ipr_rh_depth_scores *scores;
    unsigned n; /* entries */
    uint32_t game;
};

static int by_length_game_ply(const void *a, const void *b)
{
    const struct sorted *x = a;
    const struct sorted *y = b;

    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    if (x->game != y->game)
        return x->game < y->game ? -1 : 1;
    if (x->turn->ply != y->turn->ply)
        return x->turn->ply < y->turn->ply ? -1 : 1;
    return (x->turn->mover > y->turn->mover) - (x->turn->mover < y->turn->mover);
}

/* One turn's list into its lane. */
static void depth_set_fill_lane(struct ipr_rh_depth_set *s, struct table *table,
                                const struct sorted *turn, const struct ipr_rh_depth_list *list,
                                struct ipr_rh_depth_block *b, size_t lane, float *count,
                                uint32_t *at)
{
    double moves = 0.0;

    for (unsigned i = 0; i < list->n; i++) {
        const double *delta = &list->delta[i * s->depths];

        count[IPR_BLOCK * i + lane] = (float)list->count[i];
        moves += list->count[i];
        for (unsigned d = 0; d < s->depths; d++) {
            at[IPR_BLOCK * (i * s->depths + d) + lane] = table_number(table, delta[d]);
            s->differ = s->differ || delta[d] < delta[0] || delta[d] > delta[0];
        }
    }
    s->choice = s->choice || moves > 1.0;
    s->first += !(list->delta[list->played * s->depths + s->depths - 1] > 0.0);
    b->played[lane] = (uint16_t)list->played;
    b->log_log_moves[lane] = log(log(fmax(moves, 2.0)));
    b->game[lane] = turn->game;
    b->turns++;
}

static void fill_blocks(struct ipr_rh_depth_set *s, const struct ipr_rh_params *params,
                        const struct sorted *turns, struct table *table)
{
    struct ipr_rh_depth_list list;
    size_t room = 0;
    size_t from = 0;

    s->blocks = (s->n + IPR_BLOCK - 1) / IPR_BLOCK;
    s->block = ipr_xcalloc(s->blocks, sizeof *s->block);
    for (size_t i = 0; i < s->n; i++) /* ascending: the last of a block is its longest */
        s->block[i / IPR_BLOCK].n = turns[i].n;
    for (size_t b = 0; b < s->blocks; b++)
        room += IPR_BLOCK * s->block[b].n;
    s->counts = ipr_xcalloc(room, sizeof *s->counts);
    s->places = ipr_xcalloc(room * s->depths, sizeof *s->places);
    list.delta = ipr_xcalloc((IPR_RH_LINES_MAX + 2) * (size_t)s->depths, sizeof *list.delta);
    for (size_t b = 0; b < s->blocks; b++) {
        struct ipr_rh_depth_block *block = &s->block[b];

        for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
            const size_t i = b * IPR_BLOCK + lane;
            if (i < s->n) {
                ipr_rh_depth_list(params, turns[i].turn, turns[i].scores, s->depths, &list);
                depth_set_fill_lane(s, table, &turns[i], &list, block, lane, s->counts + from,
                                    s->places + from * s->depths);
            } else { /* a turn with a single move */
                s->counts[from + lane] = 1.0F;
                block->log_log_moves[lane] = log(log(2.0));
            }
        }
        block->count = s->counts + from;
        block->at = s->places + from * s->depths;
        from += IPR_BLOCK * block->n;
    }
    free(list.delta);
}

static enum ipr_code depth_set_check(const struct ipr_rh_params *p, const struct ipr_turn *t,
                                     const struct ipr_rh_depth_scores *s, struct ipr_err *err)
{
    if (p->family != IPR_RH_EXP || p->conversion != IPR_RH_POWER || !(p->cap > 0.0) ||
        !isfinite(p->cap) || !(p->tie_pawns >= 0.0) || !isfinite(p->tie_pawns))
        return ipr_err_set(err, IPR_EINVAL, "regan: a curve that has no depths");
    if (!ipr_turn_valid(t))
        return ipr_err_set(err, IPR_EINVAL, "regan: a turn is not valid");
    if (s->depths < 1 || s->depths > IPR_RH_DEPTHS_MAX)
        return ipr_err_set(err, IPR_EINVAL, "regan: %u depths", s->depths);
    return IPR_OK;
}

enum ipr_code ipr_rh_depth_set_new(const struct ipr_rh_params *params, const struct ipr_turn *turns,
                                   const struct ipr_rh_depth_scores *scores, const size_t *keep,
                                   size_t n, struct ipr_rh_depth_set **out, struct ipr_err *err)
{
    struct ipr_rh_depth_set *s;
    struct table table = { 0 };
    struct sorted *sorted;
    int32_t *label;
    uint32_t *game;

    if (n == 0)
        return ipr_err_set(err, IPR_EDATA, "no turn remains to be fitted");
    for (size_t i = 0; i < n; i++) {
        const size_t k = keep != NULL ? keep[i] : i;
        const enum ipr_code rc = depth_set_check(params, &turns[k], &scores[k], err);
        if (rc != IPR_OK)
            return rc;
    }
    s = ipr_xcalloc(1, sizeof *s);
    s->n = n;
    sorted = ipr_xcalloc(n, sizeof *sorted);
    label = ipr_xcalloc(n, sizeof *label);
    game = ipr_xcalloc(n, sizeof *game);
    for (size_t i = 0; i < n; i++)
        label[i] = turns[keep != NULL ? keep[i] : i].game;
    s->games = ipr_stats_cluster(label, n, game);
    for (size_t i = 0; i < n; i++) {
        const size_t k = keep != NULL ? keep[i] : i;
        sorted[i] = (struct sorted){
            &turns[k], &scores[k],
            turns[k].n_cp +
                (turns[k].legal > turns[k].n_cp && params->tail != IPR_RH_TAIL_NONE ? 1U : 0U),
            game[i]
        };
        if (scores[k].depths > s->depths)
            s->depths = scores[k].depths;
    }
    qsort(sorted, n, sizeof *sorted, by_length_game_ply);
    fill_blocks(s, params, sorted, &table);
    const size_t whole = (table.n + IPR_BLOCK - 1) / IPR_BLOCK * IPR_BLOCK;

    s->distinct = whole;
    s->log_delta = ipr_xcalloc(whole, sizeof *s->log_delta);
    for (size_t k = 0; k < whole; k++)
        s->log_delta[k] = k < table.n && table.value[k] > 0.0 ? log(table.value[k]) : -1e6;
    free(table.value);
    free(table.slot);
    free(game);
    free(label);
    free(sorted);
    *out = s;
    return IPR_OK;
}

void ipr_rh_depth_set_free(struct ipr_rh_depth_set **set)
{
    if (*set == NULL)
        return;
    free((*set)->block);
    free((*set)->log_delta);
    free((*set)->counts);
    free((*set)->places);
    free(*set);
    *set = NULL;
}
