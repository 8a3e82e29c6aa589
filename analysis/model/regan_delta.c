#include "model/regan_delta.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/regan_set.h"
#include "stats/clustered.h"

static double delta_scaled(double pawns)
{
    return copysign(log1p(fabs(pawns)), pawns);
}

double ipr_rh_delta(int best_cp, int cp, double cap)
{
    const double best = best_cp / 100.0;
    const double v = fmax(cp / 100.0, best - cap);

    return fmax(0.0, delta_scaled(best) - delta_scaled(v));
}

double ipr_rh_ruled_delta(const struct ipr_rh_params *p, int best_cp, int cp)
{
    const double d = ipr_rh_delta(best_cp, cp, p->cap);

    if (p->tie == IPR_RH_TIE_FIRST && cp >= best_cp)
        return p->tie_pawns;
    if (p->tie == IPR_RH_TIE_FLOOR)
        return fmax(d, p->tie_pawns);
    return d;
}

void ipr_rh_read_lines(const struct ipr_turn *t, int *v)
{
    v[0] = ipr_cp_clamp(t->cp[0]);
    for (unsigned i = 1; i < t->lines; i++) {
        const int x = ipr_cp_clamp(t->cp[i]);
        v[i] = x < v[i - 1] ? x : v[i - 1];
    }
}

int ipr_rh_tail_value(const struct ipr_rh_params *p, const int *v, unsigned lines)
{
    const unsigned half = lines >= 2 ? lines / 2 - 1 : 0; /* v_(K/2), counted from 1 */

    if (p->tail == IPR_RH_TAIL_EXTRAPOLATED)
        return ipr_cp_clamp(2 * v[lines - 1] - v[half]);
    return v[lines - 1];
}

void ipr_rh_list(const struct ipr_rh_params *params, const struct ipr_turn *turn,
                 struct ipr_rh_list *out)
{
    const bool separate = turn->played >= turn->lines;
    const unsigned unseen = (unsigned)turn->legal - turn->n_cp;
    int *const v = out->cp;
    unsigned n = turn->lines;
    int tail;
    int x = 0;

    ipr_rh_read_lines(turn, v);
    tail = ipr_rh_tail_value(params, v, n);
    out->tail = params->tail == IPR_RH_TAIL_NONE ? 0 : unseen;
    out->played = separate ? -1 : (int)turn->played;
    out->extra = separate;
    if (separate) {
        x = ipr_cp_clamp(turn->cp[turn->played]);
        if (params->order == IPR_PLAYED_LAST && x > v[n - 1])
            x = v[n - 1];
        if (params->order == IPR_PLAYED_PLACED && n < IPR_RH_LINES_MAX &&
            (x > v[n - 1] || (out->tail > 0 && x > tail))) {
            unsigned at = n;
            for (; at > 0 && v[at - 1] < x; at--)
                v[at] = v[at - 1];
            v[at] = x;
            n++;
            out->played = (int)at;
            out->extra = false;
        }
    }
    out->lines = n;
    out->tail_cp = tail;
    out->extra_cp = x;
    out->delta[0] = 0.0;
    for (unsigned i = 1; i < n; i++)
        out->delta[i] = ipr_rh_ruled_delta(params, v[0], v[i]);
    out->tail_delta = out->tail > 0 ? ipr_rh_ruled_delta(params, v[0], tail) : 0.0;
    out->extra_delta = out->extra ? ipr_rh_ruled_delta(params, v[0], x) : 0.0;
}

/* Appends `count` moves of one delta to the turn that is being built. */
static void set_append(struct ipr_rh_set *s, struct ipr_rh_turn *t, double delta, unsigned count)
{
    const size_t at = t->first + t->n;

    if (t->n > 0 && s->delta[at - 1] >= delta && s->delta[at - 1] <= delta) {
        s->count[at - 1] += count;
        return;
    }
    s->delta[at] = delta;
    s->count[at] = count;
    t->n++;
}

/* The move played is `back` moves before the end of the list so far. */
static void mark_played(const struct ipr_rh_set *s, struct ipr_rh_turn *t, uint32_t position)
{
    t->position = position;
    t->played = (uint16_t)(t->n - 1);
    t->played_before = (uint16_t)(s->count[t->first + t->n - 1] - 1);
}

static void build_turn(struct ipr_rh_set *s, struct ipr_rh_turn *t, const struct ipr_turn *turn)
{
    struct ipr_rh_list list;

    ipr_rh_list(&s->params, turn, &list);
    t->first = (uint32_t)s->entries;
    t->n = 0;
    t->legal = turn->legal;
    for (unsigned i = 0; i < list.lines; i++) {
        set_append(s, t, list.delta[i], 1);
        if ((int)i == list.played)
            mark_played(s, t, i);
    }
    if (list.tail > 0)
        set_append(s, t, list.tail_delta, list.tail);
    if (list.extra) {
        set_append(s, t, list.extra_delta, 1);
        mark_played(s, t, list.lines + list.tail);
    }
    s->entries += t->n;
    if (t->n > s->widest)
        s->widest = t->n;
}

struct order {
    const struct ipr_turn *turn;
    size_t source;
};

static int by_game_ply(const void *a, const void *b)
{
    const struct order *x = a;
    const struct order *y = b;

    if (x->turn->game != y->turn->game)
        return x->turn->game < y->turn->game ? -1 : 1;
    if (x->turn->ply != y->turn->ply)
        return x->turn->ply < y->turn->ply ? -1 : 1;
    return (x->source > y->source) - (x->source < y->source);
}

struct by_length {
    uint32_t n, turn;
};

static int by_length_turn(const void *a, const void *b)
{
    const struct by_length *x = a;
    const struct by_length *y = b;

    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    return (x->turn > y->turn) - (x->turn < y->turn);
}

/* Groups turns of similar length. Returns the number of entries of all blocks. */
static size_t assign_slots(struct ipr_rh_set *s)
{
    struct by_length *l = ipr_xcalloc(s->n, sizeof *l);
    size_t room = 0;

    for (size_t t = 0; t < s->n; t++)
        l[t] = (struct by_length){ s->turns[t].n, (uint32_t)t };
    qsort(l, s->n, sizeof *l, by_length_turn);
    s->blocks = (s->n + IPR_BLOCK - 1) / IPR_BLOCK;
    s->slot_turn = ipr_xcalloc(s->blocks * IPR_BLOCK, sizeof *s->slot_turn);
    s->block = ipr_xcalloc(s->blocks, sizeof *s->block);
    for (size_t i = 0; i < s->blocks * IPR_BLOCK; i++) {
        s->slot_turn[i] = i < s->n ? l[i].turn : IPR_RH_NO_TURN;
        if (i >= s->n)
            continue;
        s->turns[l[i].turn].slot = (uint32_t)i;
        s->block[i / IPR_BLOCK].n = l[i].n; /* the longest is the last */
    }
    for (size_t b = 0; b < s->blocks; b++)
        room += s->block[b].n;
    free(l);
    return room;
}

/* One turn's list into its lane; -1e6 stands for ln 0: the curve is 0 there. */
static void set_fill_lane(const struct ipr_rh_set *s, const struct ipr_rh_turn *t,
                          double *log_delta, double *delta, float *count, float *before)
{
    for (uint32_t i = 0; i < t->n; i++) {
        const double d = s->delta[t->first + i];
        const unsigned n = s->count[t->first + i];

        log_delta[IPR_BLOCK * i] = d > 0.0 ? log(d) : -1e6;
        delta[IPR_BLOCK * i] = d;
        count[IPR_BLOCK * i] = (float)n;
        before[IPR_BLOCK * i] = i < t->played ? (float)n : 0.0F;
        if (i == t->played)
            before[IPR_BLOCK * i] = (float)t->played_before;
    }
}

/* An empty lane is a turn with a single move. */
static void build_blocks(struct ipr_rh_set *s)
{
    const size_t room = IPR_BLOCK * assign_slots(s);
    const size_t slots = IPR_BLOCK * s->blocks;
    size_t at = 0;
    double *log_log_moves;

    s->lanes = ipr_lanes_best();
    s->lane_values = ipr_xcalloc(2 * room + slots, sizeof *s->lane_values);
    s->lane_counts = ipr_xcalloc(2 * room, sizeof *s->lane_counts);
    s->lane_played = ipr_xcalloc(slots, sizeof *s->lane_played);
    log_log_moves = s->lane_values + 2 * room;
    for (size_t i = 0; i < room; i++)
        s->lane_values[i] = -1e6;
    for (size_t slot = 0; slot < slots; slot++) {
        struct ipr_rh_block *b = &s->block[slot / IPR_BLOCK];
        const size_t lane = slot % IPR_BLOCK;
        double moves = 0.0;

        if (lane == 0) {
            b->log_delta = s->lane_values + at;
            b->delta = s->lane_values + room + at;
            b->count = s->lane_counts + at;
            b->before = s->lane_counts + room + at;
            b->played = s->lane_played + slot;
            b->log_log_moves = log_log_moves + slot;
        }
        if (s->slot_turn[slot] != IPR_RH_NO_TURN) {
            const struct ipr_rh_turn *t = &s->turns[s->slot_turn[slot]];
            set_fill_lane(s, t, s->lane_values + at + lane, s->lane_values + room + at + lane,
                          s->lane_counts + at + lane, s->lane_counts + room + at + lane);
            s->lane_played[slot] = t->played;
            for (uint32_t i = 0; i < t->n; i++)
                moves += s->count[t->first + i];
        } else {
            s->lane_counts[at + lane] = 1.0F;
        }
        log_log_moves[slot] = log(log(fmax(moves, 2.0)));
        if (lane == IPR_BLOCK - 1)
            at += IPR_BLOCK * b->n;
    }
}

enum ipr_code ipr_rh_set_new(const struct ipr_rh_params *params, const struct ipr_turn *turns,
                             const size_t *keep, size_t n, struct ipr_rh_set **out,
                             struct ipr_err *err)
{
    struct ipr_rh_set *s;
    struct order *o;
    size_t room = 0;

    if (params->k < 1 || params->k > IPR_RH_LINES_MAX || !(params->cap > 0.0) ||
        !isfinite(params->cap) || !(params->tie_pawns >= 0.0) || !isfinite(params->tie_pawns))
        return ipr_err_set(err, IPR_EINVAL, "regan: k=%u cap=%g tie=%g", params->k, params->cap,
                           params->tie_pawns);
    if (n == 0)
        return ipr_err_set(err, IPR_EDATA, "no turn remains to be fitted");
    for (size_t i = 0; i < n; i++) {
        const struct ipr_turn *t = &turns[keep != NULL ? keep[i] : i];
        if (!ipr_turn_valid(t))
            return ipr_err_set(err, IPR_EINVAL, "regan: turn %zu is not valid", i);
        room += t->n_cp + 1U;
    }

    s = ipr_xcalloc(1, sizeof *s);
    s->params = *params;
    s->n = n;
    s->delta = ipr_xcalloc(room, sizeof *s->delta);
    s->count = ipr_xcalloc(room, sizeof *s->count);
    o = ipr_xcalloc(n, sizeof *o);
    for (size_t i = 0; i < n; i++) {
        const size_t at = keep != NULL ? keep[i] : i;
        o[i] = (struct order){ &turns[at], at };
    }
    qsort(o, n, sizeof *o, by_game_ply);
    s->turns = ipr_xcalloc(s->n, sizeof *s->turns);
    for (size_t i = 0; i < s->n; i++) {
        struct ipr_rh_turn *t = &s->turns[i];
        if (i > 0 && o[i].turn->game != o[i - 1].turn->game)
            s->games++;
        t->game = (uint32_t)s->games;
        build_turn(s, t, o[i].turn);
    }
    s->games++;
    free(o);
    build_blocks(s);
    *out = s;
    return IPR_OK;
}

void ipr_rh_set_free(struct ipr_rh_set **set)
{
    if (set == NULL || *set == NULL)
        return;
    free((*set)->turns);
    free((*set)->delta);
    free((*set)->count);
    free((*set)->slot_turn);
    free((*set)->block);
    free((*set)->lane_values);
    free((*set)->lane_counts);
    free((*set)->lane_played);
    free(*set);
    *set = NULL;
}

size_t ipr_rh_set_games(const struct ipr_rh_set *set)
{
    return set->games;
}
