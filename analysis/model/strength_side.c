#include "model/strength_side.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"

#define SIDE_START_CP 20 /* the initial position, White's view */
#define SIDE_CLEAR    500
#define SIDE_FIRST    16 /* ply from which moves count */

/* One move of the side. Evaluations and losses are of its view. */
struct side_look {
    size_t ply;              /* before the move */
    double cp, loss, gain;   /* centipawns; gain: how much the evaluation rose */
    double lost;             /* of the chance to win, per cent (as lichess.org converts it) */
    double before, opponent; /* the same of the own move before, and of the opponent's; or NAN */
    unsigned piece;
    bool capture, check, recapture, castling;
    uint8_t to;
};

struct side_sums {
    double sum[IPR_SIDE_FEATURES];
    size_t n[IPR_SIDE_FEATURES], k;
};

static double side_chance(double cp)
{
    return 100 / (1 + exp(-.00368208 * fmin(fmax(cp, -1000), 1000)));
}

/* The mean of a value over the moves of a kind is the next feature. */
static void side_mean(struct side_sums *s, bool of_kind, double value)
{
    if (of_kind && !isnan(value)) {
        s->sum[s->k] += value;
        s->n[s->k]++;
    }
    s->k++;
}

/* Adds what was lost, in all and how often how much. */
static void side_lost(struct side_sums *s, const struct side_look *l)
{
    static const double steps[] = { 0, 10, 25, 50, 100, 200, 400 }, shares[] = { 2, 5, 10, 20, 30 };
    const bool counts = l->ply >= SIDE_FIRST && fabs(l->cp) <= SIDE_CLEAR;

    side_mean(s, counts, l->loss);
    side_mean(s, counts, fmin(l->loss, 300));
    side_mean(s, counts, sqrt(l->loss));
    side_mean(s, counts, log1p(l->loss));
    side_mean(s, counts, l->gain);
    side_mean(s, counts, l->lost);
    side_mean(s, true, l->lost);
    side_mean(s, true, l->lost * l->lost);
    side_mean(s, true, log1p(l->lost));
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        side_mean(s, counts, l->loss > steps[k]);
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
        side_mean(s, true, l->lost > shares[k]);
}

/* When it was lost. */
static void side_phases(struct side_sums *s, const struct side_look *l)
{
    static const size_t from[] = { 0, 8, 12, 16, 24, 34, 46, 64, SIZE_MAX };

    side_mean(s, l->ply < 20, l->loss);
    side_mean(s, l->ply < 12, l->lost);
    side_mean(s, l->ply >= 20 && l->ply < 50, l->lost);
    side_mean(s, l->ply >= 50, l->lost);
    for (size_t k = 0; from[k] != SIZE_MAX; k++) {
        const bool in = l->ply >= from[k] && l->ply < from[k + 1];

        side_mean(s, in, l->lost);
        side_mean(s, in, l->lost > 10);
        side_mean(s, in && fabs(l->cp) <= SIDE_CLEAR, l->loss > 0);
    }
}

/* In which positions it was lost. */
static void side_positions(struct side_sums *s, const struct side_look *l)
{
    const bool even = fabs(l->cp) <= 100, clear = fabs(l->cp) > 300;

    side_mean(s, even, l->lost);
    side_mean(s, even, l->lost > 5);
    side_mean(s, !even && !clear, l->lost);
    side_mean(s, l->cp > 100 && !clear, l->lost);
    side_mean(s, l->cp < -100 && !clear, l->lost);
    side_mean(s, l->cp > 200, l->loss);
    side_mean(s, l->cp < -200, l->lost);
    side_mean(s, true, l->cp > 200);
    side_mean(s, true, l->cp < -200);
    side_mean(s, true, even);
    side_mean(s, l->opponent > 10, l->lost);
    side_mean(s, l->opponent > 10, l->lost > 5);
    side_mean(s, l->before > 10, l->lost);
    side_mean(s, true, l->lost * l->before);
}

/* With which moves, and how often they were played. */
static void side_kinds(struct side_sums *s, const struct side_look *l)
{
    const unsigned file = l->to % 8;

    side_mean(s, l->recapture, l->lost);
    side_mean(s, l->capture && !l->recapture, l->lost);
    side_mean(s, l->check, l->lost);
    side_mean(s, !l->capture && !l->check, l->lost);
    side_mean(s, true, l->capture);
    side_mean(s, true, l->recapture);
    side_mean(s, true, l->check);
    for (unsigned piece = 0; piece < 6; piece++) {
        side_mean(s, true, l->piece == piece);
        side_mean(s, l->ply < 20, l->piece == piece);
        side_mean(s, l->piece == piece, l->lost);
    }
    side_mean(s, l->ply < 24, l->piece == 0 && (file == 0 || file == 7));
    side_mean(s, l->ply < 24 && l->piece == 1, file < 2 || file > 5);
}

/* ---- what a side has once ---- */

static const size_t side_evaluated[] = { 10, 16, 24, 36, 50 }; /* plies */

struct side_once {
    double at[sizeof side_evaluated / sizeof *side_evaluated];
    double castled, wing, captured, queen, rook, checks, last;
};

static void side_first(double *to, bool is, size_t ply)
{
    if (is && isnan(*to))
        *to = (double)ply;
}

static void side_once_add(struct side_once *o, const struct side_look *l)
{
    side_first(&o->castled, l->castling, l->ply);
    if (l->castling)
        o->wing = l->to % 8;
    side_first(&o->captured, l->capture, l->ply);
    side_first(&o->queen, l->piece == 4, l->ply);
    side_first(&o->rook, l->piece == 3, l->ply);
    o->checks += l->check;
    for (size_t k = 0; k < sizeof side_evaluated / sizeof *side_evaluated; k++)
        if (l->ply / 2 == side_evaluated[k] / 2)
            o->at[k] = l->cp;
    if (!isnan(l->cp))
        o->last = l->cp - l->loss + l->gain;
}

/* The largest losses, and quantiles. */
static float *side_largest(float *x, double *lost, size_t n)
{
    static const double quantiles[] = { .5, .7, .8, .9 };

    qsort(lost, n, sizeof *lost, ipr_compare_double);
    for (size_t k = 0; k < sizeof quantiles / sizeof *quantiles; k++)
        *x++ = n > 0 ? (float)lost[(size_t)(quantiles[k] * (double)n)] : NAN;
    for (size_t k = 1; k <= 3; k++)
        *x++ = n >= k ? (float)lost[n - k] : NAN;
    return x;
}

/* ---- a side ---- */

static double side_cp(const struct ipr_side_move *move, size_t positions)
{
    const int16_t cp = positions > 0 ? move[positions - 1].cp : SIDE_START_CP;

    return cp == IPR_STRENGTH_NONE ? NAN : cp;
}

static struct side_look side_look_at(const struct ipr_side_move *move, size_t ply)
{
    const double sign = ply % 2 == 0 ? 1 : -1;
    const double after = sign * side_cp(move, ply + 1), before = sign * side_cp(move, ply);
    const bool known = !isnan(before) && !isnan(after);
    const unsigned kind = move[ply].kind;
    struct side_look l = { .ply = ply,
                           .cp = NAN,
                           .loss = NAN,
                           .gain = NAN,
                           .lost = NAN,
                           .before = NAN,
                           .opponent = NAN,
                           .piece = kind >> 6,
                           .capture = (kind & IPR_STRENGTH_CAPTURE) != 0,
                           .check = (kind & IPR_STRENGTH_CHECK) != 0,
                           .recapture = (kind & IPR_STRENGTH_RECAPTURE) != 0,
                           .castling = (kind & IPR_STRENGTH_CASTLING) != 0,
                           .to = move[ply].to };

    if (known) {
        l.cp = before;
        l.loss = fmax(before - after, 0);
        l.gain = fmax(after - before, 0);
        l.lost = fmax(side_chance(before) - side_chance(after), 0);
    }
    return l;
}

static uint32_t side_hash(uint32_t key, const struct ipr_side_move *move)
{
    /* FNV-1a over the piece and its square. */
    key = (key ^ (uint32_t)(move->kind >> 6)) * 16777619u;
    return (key ^ move->to) * 16777619u;
}

static void side_opening(const struct ipr_side_move *move, size_t n, unsigned colour,
                         uint32_t key[IPR_SIDE_OPENINGS])
{
    static const size_t moves[IPR_SIDE_OPENINGS] = { 1, 2, 3, 4, 5, 6, 8 };
    uint32_t hash = 2166136261u ^ colour;
    size_t k = 0;

    memset(key, 0, IPR_SIDE_OPENINGS * sizeof *key);
    for (size_t own = 1; k < IPR_SIDE_OPENINGS && 2 * (own - 1) + colour < n; own++) {
        hash = side_hash(hash, &move[2 * (own - 1) + colour]);
        if (own == moves[k])
            key[k++] = hash != 0 ? hash : 1;
    }
}

void ipr_side_features(const struct ipr_side_move *move, size_t n, unsigned colour,
                       struct ipr_side_features *out)
{
    struct side_sums *const sums = ipr_xcalloc(1, sizeof *sums);
    struct side_once once = { { NAN, NAN, NAN, NAN, NAN }, NAN, NAN, NAN, NAN, NAN, 0, NAN };
    double *const lost = ipr_xcalloc(n + 1, sizeof *lost);
    double before[2] = { NAN, NAN }; /* what each side lost last */
    size_t known = 0;
    float *x = out->x;

    out->moves = 0;
    for (size_t ply = 0; ply < n; ply++) {
        struct side_look l = side_look_at(move, ply);

        if (ply % 2 == colour) {
            l.before = before[colour];
            l.opponent = before[1 - colour];
            side_once_add(&once, &l);
            if (!isnan(l.cp)) {
                sums->k = 0;
                side_lost(sums, &l);
                side_phases(sums, &l);
                side_positions(sums, &l);
                side_kinds(sums, &l);
                lost[known++] = l.lost;
                out->moves += ply >= SIDE_FIRST && fabs(l.cp) <= SIDE_CLEAR;
            }
        }
        before[ply % 2] = l.lost;
    }
    for (size_t k = 0; k < sums->k; k++)
        *x++ = sums->n[k] > 0 ? (float)(sums->sum[k] / (double)sums->n[k]) : NAN;
    x = side_largest(x, lost, known);
    for (size_t k = 0; k < sizeof side_evaluated / sizeof *side_evaluated; k++)
        *x++ = (float)once.at[k];
    const double rest[] = { once.castled,       once.wing,   once.captured, once.queen,
                            once.rook,          once.checks, once.last,     (double)known,
                            (double)out->moves, (double)n,   (double)colour };

    for (size_t k = 0; k < sizeof rest / sizeof *rest; k++)
        *x++ = (float)rest[k];
    while (x < out->x + IPR_SIDE_FEATURES)
        *x++ = NAN;
    side_opening(move, n, colour, out->opening);
    free(lost);
    free(sums);
}

void ipr_side_look_up(const struct ipr_side_opening *opening, size_t n, struct ipr_side_features *f)
{
    for (size_t k = 0; k < IPR_SIDE_OPENINGS; k++) {
        size_t low = 0, high = n;

        while (low < high) {
            const size_t mid = (low + high) / 2;

            if (opening[mid].key < f->opening[k])
                low = mid + 1;
            else
                high = mid;
        }
        f->x[IPR_SIDE_FEATURES - IPR_SIDE_OPENINGS + k] =
            low < n && opening[low].key == f->opening[k] ? opening[low].elo : 0;
    }
}

struct ipr_strength_score ipr_side_score(double mean, double boosted)
{
    return (struct ipr_strength_score){ .score = (boosted - mean) / 100, .information = 1 };
}

bool ipr_side_add(const struct ipr_side_model *m, struct ipr_side_features *f,
                  struct ipr_strength_score *sum)
{
    if (f->moves == 0)
        return false;
    ipr_side_look_up(m->opening, m->openings, f);
    const struct ipr_strength_score s = ipr_side_score(m->mean, ipr_boost_at(&m->boost, f->x));

    sum->score += s.score;
    sum->information += s.information;
    return true;
}
