/* Turns with every depth, and their likelihood. */
#include "model/regan_depth_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/regan_prob.h"
#include "model/regan_set.h"
#include "stats/clustered.h"
#include "stats/sum.h"

#define LOG_FLOOR (-690.7755278982137) /* ln 1e-300 */

static int clamp(int cp)
{
    if (cp > IPR_CP_LIMIT)
        return IPR_CP_LIMIT;
    return cp < -IPR_CP_LIMIT ? -IPR_CP_LIMIT : cp;
}

/* Score of the i-th move at depth index d or the next deeper one that reports it; `last` is that of
 * the last depth. */
static int carried(const struct ipr_rh_depth_scores *s, unsigned i, unsigned d, int last)
{
    for (; d + 1 < s->depths; d++)
        if (s->cp[i * s->depths + d] != IPR_RH_DEPTH_NONE)
            return clamp(s->cp[i * s->depths + d]);
    return last;
}

/* Lines at depth index d < depths - 1: v[lines] holds those of the last depth. */
static void lines_at(const struct ipr_rh_depth_scores *s, unsigned lines, unsigned d, int *v)
{
    int lowest = IPR_CP_LIMIT;

    for (unsigned i = 0; i < lines; i++) {
        v[i] = carried(s, i, d, v[i]);
        if (s->cp[i * s->depths + d] != IPR_RH_DEPTH_NONE && v[i] < lowest)
            lowest = v[i];
    }
    for (unsigned i = 0; i < lines; i++)
        if (s->cp[i * s->depths + d] == IPR_RH_DEPTH_NONE && v[i] > lowest)
            v[i] = lowest;
}

static int falling(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

/* Differences at one depth, from the scores of the lines and of the move judged apart there. */
static void column(const struct ipr_rh_params *p, const struct ipr_turn *t, const int *v, int x,
                   unsigned depths, struct ipr_rh_depth_list *out, unsigned d)
{
    const bool apart = t->played >= t->lines;
    int sorted[IPR_RH_LINES_MAX];
    unsigned first = 0;
    int best = v[0];
    double *at = out->delta + d;

    memcpy(sorted, v, t->lines * sizeof *v);
    qsort(sorted, t->lines, sizeof *sorted, falling);
    for (unsigned i = 1; i < t->lines; i++)
        if (v[i] > best) {
            best = v[i];
            first = i;
        }
    if (apart && p->order == IPR_PLAYED_LAST && x > sorted[t->lines - 1])
        x = sorted[t->lines - 1];
    if (apart && x > best) {
        best = x;
        first = out->played;
    }
    for (unsigned i = 0; i < t->lines; i++)
        at[i * depths] = i == first ? 0.0 : ipr_rh_ruled_delta(p, best, v[i]);
    if (out->n > t->lines + (apart ? 1U : 0U))
        at[t->lines * depths] = ipr_rh_ruled_delta(p, best, ipr_rh_tail_value(p, sorted, t->lines));
    if (apart)
        at[out->played * depths] = out->played == first ? 0.0 : ipr_rh_ruled_delta(p, best, x);
}

void ipr_rh_depth_list(const struct ipr_rh_params *params, const struct ipr_turn *turn,
                       const struct ipr_rh_depth_scores *scores, unsigned depths,
                       struct ipr_rh_depth_list *out)
{
    const bool apart = turn->played >= turn->lines;
    const unsigned unseen = (unsigned)turn->legal - turn->n_cp;
    int last[IPR_RH_LINES_MAX];
    int v[IPR_RH_LINES_MAX];

    ipr_rh_read_lines(turn, last);
    out->n = turn->lines;
    for (unsigned i = 0; i < out->n; i++)
        out->count[i] = 1;
    if (unseen > 0 && params->tail != IPR_RH_TAIL_NONE)
        out->count[out->n++] = unseen;
    out->played = turn->played;
    if (apart) {
        out->played = out->n;
        out->count[out->n++] = 1;
    }
    for (unsigned d = 0; d < depths; d++) {
        int x = clamp(turn->cp[turn->played]);

        memcpy(v, last, turn->lines * sizeof *v);
        if (d + 1 < scores->depths) {
            lines_at(scores, turn->lines, d, v);
            x = carried(scores, turn->played, d, x);
        }
        column(params, turn, v, x, depths, out, d);
    }
}

/* Differences that occur, each with its number: a table of open addresses. */
struct table {
    double *value; /* [n] */
    size_t n, room;
    uint32_t *slot; /* [slots] number + 1; 0: free */
    size_t slots;   /* a power of 2, at least twice room */
};

static size_t place_of(const struct table *t, double x)
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

static void grow(struct table *t)
{
    t->room = t->room > 0 ? 2 * t->room : 4096;
    t->slots = 2 * t->room;
    t->value = ipr_xrealloc(t->value, t->room, sizeof *t->value);
    free(t->slot);
    t->slot = ipr_xcalloc(t->slots, sizeof *t->slot);
    for (size_t k = 0; k < t->n; k++)
        t->slot[place_of(t, t->value[k])] = (uint32_t)(k + 1);
}

static uint32_t number_of(struct table *t, double x)
{
    size_t at;

    if (t->n == t->room)
        grow(t);
    at = place_of(t, x);
    if (t->slot[at] == 0) {
        t->value[t->n] = x;
        t->slot[at] = (uint32_t)++t->n;
    }
    return t->slot[at] - 1;
}

/* A turn on its way into a block. */
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

static unsigned entries_of(const struct ipr_rh_params *p, const struct ipr_turn *t)
{
    return t->n_cp + (t->legal > t->n_cp && p->tail != IPR_RH_TAIL_NONE ? 1U : 0U);
}

/* One turn's list into its lane. */
static void fill_lane(struct ipr_rh_depth_set *s, struct table *table, const struct sorted *turn,
                      const struct ipr_rh_depth_list *list, struct ipr_rh_depth_block *b,
                      size_t lane, float *count, uint32_t *at)
{
    double moves = 0.0;

    for (unsigned i = 0; i < list->n; i++) {
        const double *delta = &list->delta[i * s->depths];

        count[IPR_BLOCK * i + lane] = (float)list->count[i];
        moves += list->count[i];
        for (unsigned d = 0; d < s->depths; d++) {
            at[IPR_BLOCK * (i * s->depths + d) + lane] = number_of(table, delta[d]);
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
                fill_lane(s, table, &turns[i], &list, block, lane, s->counts + from,
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

static void fill_differences(struct ipr_rh_depth_set *s, const struct table *table)
{
    const size_t whole = (table->n + IPR_BLOCK - 1) / IPR_BLOCK * IPR_BLOCK;

    s->distinct = whole;
    s->log_delta = ipr_xcalloc(whole, sizeof *s->log_delta);
    for (size_t k = 0; k < whole; k++)
        s->log_delta[k] = k < table->n && table->value[k] > 0.0 ? log(table->value[k]) : -1e6;
}

static enum ipr_code check(const struct ipr_rh_params *p, const struct ipr_turn *t,
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
        const enum ipr_code rc = check(params, &turns[k], &scores[k], err);
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
        sorted[i] =
            (struct sorted){ &turns[k], &scores[k], entries_of(params, &turns[k]), game[i] };
        if (scores[k].depths > s->depths)
            s->depths = scores[k].depths;
    }
    qsort(sorted, n, sizeof *sorted, by_length_game_ply);
    fill_blocks(s, params, sorted, &table);
    fill_differences(s, &table);
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

void ipr_rh_depth_task_init(struct ipr_rh_depth_task *task, const struct ipr_rh_depth_set *set)
{
    const size_t slots = IPR_BLOCK * set->blocks;

    task->set = set;
    task->y = ipr_xcalloc(3 * set->distinct, sizeof *task->y);
    task->ds = task->y + set->distinct;
    task->dc = task->ds + set->distinct;
    task->log_l = ipr_xcalloc(slots, sizeof *task->log_l);
    for (size_t i = 0; i < slots; i++)
        task->log_l[i] = NAN;
    task->score = ipr_xcalloc(set->games * (2U + set->depths), sizeof *task->score);
    task->spread = ipr_xcalloc((2U + set->depths) * (2U + set->depths), sizeof *task->spread);
}

void ipr_rh_depth_task_release(struct ipr_rh_depth_task *task)
{
    free(task->y);
    free(task->log_l);
    free(task->score);
    free(task->spread);
}

/* y = e^-z of every difference, and its derivatives. */
static void curves(struct ipr_rh_depth_task *task, double log_s, double log_c, bool gradient)
{
    const struct ipr_rh_depth_set *s = task->set;
    const struct ipr_curves out = { task->y, task->ds, task->dc };

    ipr_lanes_best()->curve(s->log_delta, s->distinct / IPR_BLOCK, log_s, exp(log_c), gradient,
                            &out);
    for (size_t k = 0; k < s->distinct; k++) {
        task->y[k] = exp(-task->y[k]);
        if (gradient) {
            task->ds[k] *= -task->y[k];
            task->dc[k] *= -task->y[k];
        }
    }
}

enum { ROOM = IPR_BLOCK * IPR_RH_ENTRIES_MAX };

/* A block at one point. The solver wants the likeliest move first: entries 0 and best[lane] have
 * changed places in g, count, p and w, not in y. */
struct at_point {
    double y[ROOM];
    double g[ROOM], p[ROOM], w[ROOM];
    float count[ROOM];
    size_t best[IPR_BLOCK];
};

/* The depths that are looked at. */
struct depths {
    unsigned n;
    unsigned d[IPR_RH_DEPTHS_MAX];
};

static struct depths depths_of(const double *w, unsigned depths, bool all)
{
    struct depths out = { 0 };

    for (unsigned d = 0; d < depths; d++)
        if (all || w[d] > 0.0)
            out.d[out.n++] = d;
    return out;
}

/* sum_d w_d x(delta_(i,d)) of every entry. */
static void mix(const struct ipr_rh_depth_block *b, unsigned depths, const struct depths *of,
                const double *w, const double *x, double *out)
{
    memset(out, 0, IPR_BLOCK * b->n * sizeof *out);
    for (size_t i = 0; i < b->n; i++)
        for (unsigned k = 0; k < of->n; k++) {
            const uint32_t *at = &b->at[IPR_BLOCK * (i * depths + of->d[k])];
            const double wd = w[of->d[k]];
            for (size_t lane = 0; lane < IPR_BLOCK; lane++)
                out[IPR_BLOCK * i + lane] += wd * x[at[lane]];
        }
}

static size_t moved(const struct at_point *a, size_t i, size_t lane)
{
    if (i == 0)
        return a->best[lane];
    return i == a->best[lane] ? 0 : i;
}

static void open_lists(const struct ipr_rh_depth_block *b, struct at_point *a)
{
    for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
        double log_best;

        a->best[lane] = 0;
        for (size_t i = 1; i < b->n; i++)
            if (b->count[IPR_BLOCK * i + lane] > 0.0F &&
                a->y[IPR_BLOCK * i + lane] > a->y[IPR_BLOCK * a->best[lane] + lane])
                a->best[lane] = i;
        log_best = log(a->y[IPR_BLOCK * a->best[lane] + lane]);
        for (size_t i = 0; i < b->n; i++) {
            const size_t from = IPR_BLOCK * moved(a, i, lane) + lane;
            const bool own = b->count[from] > 0.0F;
            a->count[IPR_BLOCK * i + lane] = b->count[from];
            a->g[IPR_BLOCK * i + lane] =
                !own || i == 0 ? 0.0 : (a->y[from] > 0.0 ? log_best - log(a->y[from]) : 1e6);
        }
    }
}

/* ln p of the move played in a lane, and u = L/y of it: d ln p = -u d ln(1/y) + ...; 0 where the
 * likelihood does not move. */
static double log_played(const struct ipr_rh_depth_block *b, const struct at_point *a, size_t lane,
                         double log_l, double *u)
{
    const size_t k = moved(a, b->played[lane], lane);
    const double log_p =
        isfinite(log_l) ? -exp(log_l + a->g[IPR_BLOCK * k + lane]) : (k == 0 ? 0.0 : -INFINITY);

    *u = 0.0;
    if (!(log_p > LOG_FLOOR))
        return LOG_FLOOR;
    if (isfinite(log_l))
        *u = -log_p;
    return log_p;
}

/* coefficient[i] = d ln p_played / dy_i of one lane, the count of the entry included. */
static void coefficients(const struct ipr_rh_depth_block *b, const struct at_point *a, size_t lane,
                         double u, double *coefficient)
{
    double total = 0.0;

    for (size_t i = 0; i < b->n; i++)
        total += a->count[IPR_BLOCK * i + lane] * a->w[IPR_BLOCK * i + lane];
    for (size_t i = 0; i < b->n; i++) {
        const size_t k = IPR_BLOCK * moved(a, i, lane) + lane;
        const double y = a->y[IPR_BLOCK * i + lane];
        const double own = i == b->played[lane] ? 1.0 : 0.0;

        coefficient[IPR_BLOCK * i + lane] = a->count[k] > 0.0F && y > 0.0 && total > 0.0
                                                ? u / y * (own - a->count[k] * a->w[k] / total)
                                                : 0.0;
    }
}

/* Gradients of a block's turns, lanes, by ln s, ln c and the weights. */
static void gradients(const struct ipr_rh_depth_task *task, const struct ipr_rh_depth_block *b,
                      const struct depths *active, const struct depths *wanted, const double *w,
                      const double *coefficient, double *sum)
{
    const unsigned depths = task->set->depths;
    double of_s[ROOM];
    double of_c[ROOM];

    mix(b, depths, active, w, task->ds, of_s);
    mix(b, depths, active, w, task->dc, of_c);
    for (size_t i = 0; i < b->n; i++) {
        const double *k = &coefficient[IPR_BLOCK * i];

        for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
            sum[lane] += k[lane] * of_s[IPR_BLOCK * i + lane];
            sum[IPR_BLOCK + lane] += k[lane] * of_c[IPR_BLOCK * i + lane];
        }
        for (unsigned j = 0; j < wanted->n; j++) {
            const uint32_t *at = &b->at[IPR_BLOCK * (i * depths + wanted->d[j])];
            double *out = &sum[IPR_BLOCK * (2 + wanted->d[j])];
            for (size_t lane = 0; lane < IPR_BLOCK; lane++)
                out[lane] += k[lane] * task->y[at[lane]];
        }
    }
}

/* Adds them to their games, and their products. */
static void add_gradients(struct ipr_rh_depth_task *task, const struct ipr_rh_depth_block *b,
                          const double *sum, bool spread)
{
    const size_t m = 2U + task->set->depths;

    for (size_t lane = 0; lane < b->turns; lane++)
        for (size_t k = 0; k < m; k++) {
            const double x = sum[IPR_BLOCK * k + lane];
            task->score[b->game[lane] * m + k] += x;
            for (size_t j = 0; spread && j <= k; j++)
                task->spread[m * k + j] += x * sum[IPR_BLOCK * j + lane];
        }
}

static void clear(struct ipr_rh_depth_task *task)
{
    const size_t m = 2U + task->set->depths;

    memset(task->score, 0, task->set->games * m * sizeof *task->score);
    memset(task->spread, 0, m * m * sizeof *task->spread);
}

double ipr_rh_depth_at(struct ipr_rh_depth_task *task, double log_s, double log_c, const double *w,
                       int want)
{
    const struct ipr_rh_depth_set *s = task->set;
    const struct depths active = depths_of(w, s->depths, false);
    const struct depths wanted = depths_of(w, s->depths, (want & IPR_RH_DEPTH_ALL) != 0);
    struct ipr_sum loglik = { 0 };
    struct at_point a;

    curves(task, log_s, log_c, want != 0);
    if (want != 0)
        clear(task);
    for (size_t i = 0; i < s->blocks; i++) {
        const struct ipr_rh_depth_block *b = &s->block[i];
        double *log_l = &task->log_l[IPR_BLOCK * i];
        double coefficient[ROOM];
        double sum[IPR_BLOCK * (2 + IPR_RH_DEPTHS_MAX)] = { 0 };

        mix(b, s->depths, &active, w, task->y, a.y);
        open_lists(b, &a);
        ipr_lanes_best()->solve(a.g, a.count, b->log_log_moves, b->n, log_l, a.p, a.w);
        for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
            double u = 0.0;
            if (lane < b->turns)
                ipr_sum_add(&loglik, log_played(b, &a, lane, log_l[lane], &u));
            if (want != 0)
                coefficients(b, &a, lane, u, coefficient);
        }
        if (want == 0)
            continue;
        gradients(task, b, &active, &wanted, w, coefficient, sum);
        add_gradients(task, b, sum, (want & IPR_RH_DEPTH_SPREAD) != 0);
    }
    return ipr_sum_value(&loglik);
}

enum ipr_code ipr_rh_depth_loglik(const struct ipr_rh_depth_set *set, const double *w, double s,
                                  double c, double *loglik, struct ipr_err *err)
{
    double shares[IPR_RH_DEPTHS_MAX];
    struct ipr_rh_depth_task task;
    double total = 0.0;

    for (unsigned d = 0; d < set->depths; d++)
        total += w[d] >= 0.0 ? w[d] : NAN;
    if (!ipr_rh_in_domain(s, c) || !(total > 0.0) || !isfinite(total))
        return ipr_err_set(err, IPR_EINVAL, "regan: weights of depths sum to %g, s=%g c=%g", total,
                           s, c);
    for (unsigned d = 0; d < set->depths; d++)
        shares[d] = w[d] / total;
    ipr_rh_depth_task_init(&task, set);
    *loglik = ipr_rh_depth_at(&task, log(s), log(c), shares, 0);
    ipr_rh_depth_task_release(&task);
    return IPR_OK;
}
