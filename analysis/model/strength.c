#include "model/strength.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/turn.h"

const double ipr_strength_step[IPR_STRENGTH_STEPS] = { 5, 20, 50, 100, 200 };

/* Data of one position, before they become features. */
struct strength_look {
    double phase, gap, gap9, gap8, first, in, stay, swing, rise, eval, legal, surprise;
};

/* Sums over earlier positions of the game, each ply by 0.85 less. */
struct strength_past {
    double surprise, swing, gap;
};

static double strength_cp(const struct ipr_strength_turn *t, size_t move, size_t k)
{
    const int cp = t->cp[move][k];

    if (cp == IPR_STRENGTH_NONE)
        return NAN;
    return ipr_cp_clamp(cp);
}

static double strength_log(double cp, double unit)
{
    return copysign(log1p(fabs(cp) / unit), cp);
}

bool ipr_strength_counts(const struct ipr_strength_turn *t)
{
    return t->ply >= 16 && t->legal >= 2 && !t->repeated &&
           fabs(strength_cp(t, 0, IPR_STRENGTH_DEPTHS - 1)) <= 500;
}

static double strength_loss_at(const struct ipr_strength_turn *t, size_t k)
{
    const double played = strength_cp(t, 2, k);
    const double best = fmax(fmax(strength_cp(t, 0, k), strength_cp(t, 1, k)), played);

    return isnan(played) ? NAN : best - played;
}

double ipr_strength_loss(const struct ipr_strength_turn *t)
{
    const double last = strength_loss_at(t, IPR_STRENGTH_DEPTHS - 1);
    const double before = strength_loss_at(t, IPR_STRENGTH_DEPTHS - 2);

    return isnan(before) ? last : (last + before) / 2;
}

static bool strength_first(const struct ipr_strength_turn *t, size_t k)
{
    const double best = strength_cp(t, 0, k), second = strength_cp(t, 1, k);

    return !isnan(best) && !(best < second);
}

/* Value of the position by depth: the better of the lines reported, else the depth before, or the
 * first that reported one. */
static void strength_values(const struct ipr_strength_turn *t, double v[IPR_STRENGTH_DEPTHS])
{
    for (size_t k = 0; k < IPR_STRENGTH_DEPTHS; k++) {
        v[k] = fmax(strength_cp(t, 0, k), strength_cp(t, 1, k));
        if (isnan(v[k]) && k > 0)
            v[k] = v[k - 1];
    }
    for (size_t k = IPR_STRENGTH_DEPTHS - 1; k-- > 0;)
        if (isnan(v[k]))
            v[k] = v[k + 1];
}

static void strength_changes(const struct ipr_strength_turn *t, struct strength_look *l)
{
    double v[IPR_STRENGTH_DEPTHS], swing = 0, shallow = 0;

    strength_values(t, v);
    for (size_t k = 1; k < IPR_STRENGTH_DEPTHS; k++)
        swing += fmin(fabs(v[k] - v[k - 1]), 200) / (IPR_STRENGTH_DEPTHS - 1);
    for (size_t k = 2; k < 6; k++)
        shallow += v[k] / 4;
    l->swing = log1p(swing / 10);
    l->rise = strength_log(fmax(fmin(v[IPR_STRENGTH_DEPTHS - 1] - shallow, 300), -300), 20);
}

/* Shares of depths 1 to 9 at which the best move is first, and is reported; share of the last
 * depths in a row at which it is first. */
static void strength_ranks(const struct ipr_strength_turn *t, struct strength_look *l)
{
    const size_t n = IPR_STRENGTH_DEPTHS - 1;
    size_t stay = 0;

    while (stay < n && strength_first(t, n - 1 - stay))
        stay++;
    l->stay = (double)stay / (double)n;
    for (size_t k = 0; k < n; k++) {
        l->first += strength_first(t, k) ? 1 / (double)n : 0;
        l->in += isnan(strength_cp(t, 0, k)) ? 0 : 1 / (double)n;
    }
}

static double strength_gap(const struct ipr_strength_turn *t, size_t k, double otherwise)
{
    const double gap = strength_cp(t, 0, k) - strength_cp(t, 1, k);

    return strength_log(isnan(gap) ? otherwise : fmax(fmin(gap, 400), -400), 10);
}

/* Difference of the best evaluation from the one after the opponent's move. */
static double strength_jump(const struct ipr_strength_turn *before,
                            const struct ipr_strength_turn *t)
{
    const double change = strength_cp(t, 0, IPR_STRENGTH_DEPTHS - 1) +
                          strength_cp(before, 2, IPR_STRENGTH_DEPTHS - 1);

    return strength_log(fmax(fmin(change, 200), -200), 10);
}

static double strength_phase(const struct ipr_strength_turn *t)
{
    return fmin(fmax(t->ply, 16), 120) / 20;
}

static double strength_mobility(const struct ipr_strength_turn *t)
{
    return log(fmin(fmax(t->legal, 2), 60));
}

/* Returns all but the surprise, which needs the turn before. */
static struct strength_look strength_look_at(const struct ipr_strength_turn *t)
{
    const double best = strength_cp(t, 0, IPR_STRENGTH_DEPTHS - 1);
    const double second = strength_cp(t, 1, IPR_STRENGTH_DEPTHS - 1);
    const double ahead = isnan(second) ? 0 : fmax(best - second, 0);
    const double gap = t->legal < 2 ? 1000 : ahead;
    struct strength_look l = { .phase = strength_phase(t),
                               .gap = log1p(gap / 10),
                               .eval = best / 100,
                               .legal = strength_mobility(t) };

    l.gap9 = strength_gap(t, 8, gap);
    l.gap8 = strength_gap(t, 7, gap);
    strength_ranks(t, &l);
    strength_changes(t, &l);
    return l;
}

/* A value and its excess over each of the knots. */
static void strength_hinge(double *x, double v, const double *knot, size_t n)
{
    *x++ = v;
    for (size_t i = 0; i < n; i++)
        *x++ = v > knot[i] ? v - knot[i] : 0;
}

static double *strength_add(double *x, const double *v, size_t n)
{
    memcpy(x, v, n * sizeof *v);
    return x + n;
}

/* Places of what strength_of_bare gives. */
static const unsigned char strength_bare[] = { 0,  1,  2,  3,  4,  5,  6,  14, 15, 16,
                                               17, 18, 19, 20, 21, 22, 34, 35, 36, 38 };

/* Constant and phase, evaluation, legal moves, phase by evaluation. */
static void strength_of_bare(double *x, const struct strength_look *l)
{
    static const double phase[] = { 1.2, 1.6, 2, 2.6, 3.4 };
    static const double eval[] = { -5, -3, -1.5, -.5, .5, 1.5, 3, 5 };

    x[0] = 1;
    strength_hinge(x + 1, l->phase, phase, 5);
    strength_hinge(x + 14, l->eval, eval, 8);
    x[34] = l->legal;
    x[35] = fmax(l->legal - 2.3, 0);
    x[36] = l->legal < 1.7 ? 1 : 0;
    x[38] = l->phase * fabs(l->eval);
}

static double *strength_of_scores(double *x, const struct strength_look *l)
{
    static const double gap[] = { .4, .9, 1.4, 2, 2.6, 3.2 };
    const double ranks[] = { l->gap9,  fmax(l->gap9, 0), l->gap8,          l->first,
                             l->in,    l->stay,          l->stay * l->gap, l->first * l->gap,
                             l->swing, l->rise,          fmax(l->rise, 0) };

    strength_of_bare(x, l);
    strength_hinge(x + 7, l->gap, gap, 6);
    strength_add(x + 23, ranks, sizeof ranks / sizeof *ranks);
    x[37] = l->phase * l->gap;
    x[39] = l->swing * l->gap;
    x[40] = l->legal * l->gap;
    return x + 41;
}

static double *strength_of_kind(double *x, unsigned kind)
{
    for (unsigned bit = 1; bit <= IPR_STRENGTH_CASTLING; bit <<= 1)
        *x++ = (kind & bit) != 0;
    for (unsigned piece = 0; piece < 5; piece++)
        *x++ = kind >> 6 == piece;
    return x;
}

static void strength_of_position(double *x, const struct ipr_strength_turn *t,
                                 const struct strength_look *l)
{
    const double own = t->pieces[0], other = t->pieces[1], all = (own + other) / 62;
    const unsigned kind = t->kind[0];
    const bool quiet = (kind & (IPR_STRENGTH_CAPTURE | IPR_STRENGTH_CHECK)) == 0;
    const double v[] = { all,
                         fmax(all - .5, 0),
                         (own - other) / 5,
                         fabs(own - other) / 5,
                         (t->pawns[0] + t->pawns[1]) / 16.,
                         t->pawns[0] - t->pawns[1],
                         t->check,
                         all * l->gap,
                         (kind & IPR_STRENGTH_RECAPTURE) != 0 ? l->gap : 0,
                         (kind & IPR_STRENGTH_CAPTURE) != 0 ? l->gap : 0,
                         quiet ? l->gap : 0 };

    x = strength_add(x, v, sizeof v / sizeof *v);
    strength_of_kind(strength_of_kind(x, kind), t->kind[1]);
}

static bool strength_one_sided(const struct ipr_strength_turn *turn, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if ((turn[i].ply - turn[0].ply) % 2 != 0)
            return false;
    return true;
}

/* Without the opponent's turns the surprise is unknown (NaN). With both sides, a turn that has none
 * before it counts as one without surprise. */
void ipr_strength_features(const struct ipr_strength_turn *turn, size_t n,
                           double (*x)[IPR_STRENGTH_FEATURES])
{
    const double none = strength_one_sided(turn, n) ? NAN : 0;
    const struct strength_look unknown = { .surprise = none, .swing = none, .gap = none };
    struct strength_past past = { none, 0, 0 };
    struct strength_look before = { 0 }, l;

    for (size_t i = 0; i < n; i++) {
        const bool next = i > 0 && turn[i - 1].ply + 1 == turn[i].ply;
        double *end = x[i];

        if (i > 0) { /* less what is typical, so that the sums are 0 if nothing is known */
            const double keep = pow(.85, turn[i].ply - turn[i - 1].ply);

            past.surprise = keep * (past.surprise + fabs(before.surprise) - .9);
            past.swing = keep * (past.swing + before.swing - 1.1);
            past.gap = keep * (past.gap + before.gap - 1.3);
        }
        l = strength_look_at(&turn[i]);
        l.surprise = next ? strength_jump(&turn[i - 1], &turn[i]) : none;
        end = strength_of_scores(end, &l);
        if (!next)
            before = unknown;
        const double v[] = { fabs(l.surprise), l.surprise, before.swing, before.gap,
                             past.surprise,    past.swing, past.gap };
        end = strength_add(end, v, sizeof v / sizeof *v);
        strength_of_position(end, &turn[i], &l);
        before = l;
    }
}

void ipr_strength_bare_features(const struct ipr_strength_turn *t, double x[IPR_STRENGTH_FEATURES])
{
    const struct strength_look l = {
        .phase = strength_phase(t),
        .eval = strength_cp(t, 0, IPR_STRENGTH_DEPTHS - 1) / 100,
        .legal = strength_mobility(t),
    };

    memset(x, 0, IPR_STRENGTH_FEATURES * sizeof *x);
    strength_of_bare(x, &l);
}

bool ipr_strength_is_bare(size_t feature)
{
    return memchr(strength_bare, (int)feature, sizeof strength_bare) != NULL;
}

static double strength_scaled(const struct ipr_strength_model *m, const double *x, size_t i)
{
    return isnan(x[i]) ? 0 : (x[i] - m->centre[i]) * m->scale[i];
}

void ipr_strength_scale(const struct ipr_strength_model *m, double x[IPR_STRENGTH_FEATURES])
{
    for (size_t i = 1; i < IPR_STRENGTH_FEATURES; i++)
        x[i] = strength_scaled(m, x, i);
}

void ipr_strength_bare_scale(const struct ipr_strength_model *m, double x[IPR_STRENGTH_FEATURES])
{
    for (size_t i = 1; i < sizeof strength_bare; i++)
        x[strength_bare[i]] = strength_scaled(m, x, strength_bare[i]);
}

void ipr_strength_slope(const double x[IPR_STRENGTH_FEATURES], double u[IPR_STRENGTH_SLOPES])
{
    u[0] = 1;
    u[1] = x[1];
    u[2] = x[7];
}

static double strength_product(const double *a, const double *x)
{
    double z = 0;

    for (size_t i = 0; i < IPR_STRENGTH_FEATURES; i++)
        z += a[i] * x[i];
    return z;
}

static double strength_bare_product(const double *a, const double *x)
{
    double z = 0;

    for (size_t i = 0; i < sizeof strength_bare; i++)
        z += a[strength_bare[i]] * x[strength_bare[i]];
    return z;
}

static struct ipr_strength_score
strength_score_by(const struct ipr_strength_model *m, const double x[IPR_STRENGTH_FEATURES],
                  double (*product)(const double *a, const double *x), double loss)
{
    struct ipr_strength_score out = { 0, 0 };
    double u[IPR_STRENGTH_SLOPES];

    ipr_strength_slope(x, u);
    for (size_t k = 0; k < IPR_STRENGTH_STEPS; k++) {
        double g = 0, p;

        for (size_t i = 0; i < IPR_STRENGTH_SLOPES; i++)
            g += m->g[k][i] * u[i];
        p = 1 / (1 + exp(-product(m->a[k], x)));
        out.score += g * ((loss > ipr_strength_step[k] ? 1 : 0) - p);
        out.information += g * g * p * (1 - p);
        if (!(loss > ipr_strength_step[k]))
            break;
    }
    return out;
}

struct ipr_strength_score ipr_strength_score(const struct ipr_strength_model *m,
                                             const double x[IPR_STRENGTH_FEATURES], double loss)
{
    return strength_score_by(m, x, strength_product, loss);
}

void ipr_strength_scores(const struct ipr_strength_model *m, const struct ipr_strength_turn *turn,
                         size_t n, struct ipr_strength_score *out)
{
    double(*const x)[IPR_STRENGTH_FEATURES] = ipr_xcalloc(n + 1, sizeof *x);

    ipr_strength_features(turn, n, x);
    for (size_t i = 0; i < n; i++) {
        out[i] = (struct ipr_strength_score){ 0, 0 };
        if (!ipr_strength_counts(&turn[i]))
            continue;
        ipr_strength_scale(m, x[i]);
        out[i] = ipr_strength_score(m, x[i], ipr_strength_loss(&turn[i]));
    }
    free(x);
}

struct ipr_strength_score ipr_strength_bare_score(const struct ipr_strength_model *m,
                                                  const double x[IPR_STRENGTH_FEATURES],
                                                  double loss)
{
    struct ipr_strength_score out = strength_score_by(m, x, strength_bare_product, fmax(loss, 0));

    if (loss < 0)
        out.score = 2 * out.score - strength_score_by(m, x, strength_bare_product, -loss).score;
    return out;
}
