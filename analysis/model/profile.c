#include "model/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum ipr_standing ipr_standing_of(double expected)
{
    static const double below[] = { .05, .30, .70, .95 };
    int s = IPR_STANDING_LOST;

    while (s < IPR_STANDING_WON && expected > below[s])
        s++;
    return (enum ipr_standing)s;
}

const char *ipr_profile_part_name(enum ipr_profile_part part)
{
    static const char *const names[] = { "opening", "middlegame", "endgame", "white",   "black",
                                         "ahead",   "level",      "behind",  "hurried", "line" };

    return names[part];
}

int64_t ipr_profile_hurried_below(int64_t start_ms)
{
    const int64_t tenth = start_ms / 10;

    return tenth < 30000 ? tenth : 30000;
}

static double at_rating(const double c[IPR_PROFILE_DEGREE], double x)
{
    return c[0] + x * (c[1] + x * c[2]);
}

double ipr_profile_level(const struct ipr_profile_reference *r, double rating)
{
    const double level = fmin(fmax(rating, r->low), r->high);

    return fabs(rating - level) <= IPR_PROFILE_BEYOND ? level : NAN;
}

/* The reference's own error of a part, between its knots. */
static double error_at(const struct ipr_profile_reference *r, enum ipr_profile_part part,
                       double rating)
{
    const double level = fmin(fmax(rating, r->low), r->high);
    const double x = (level - r->low) / (r->high - r->low) * (IPR_PROFILE_KNOTS - 1);
    const int knot = (int)fmin(x, IPR_PROFILE_KNOTS - 2);

    if (part == IPR_PROFILE_LINE)
        return 0;
    return r->error[part][knot] + (x - knot) * (r->error[part][knot + 1] - r->error[part][knot]);
}

double ipr_profile_expected(const struct ipr_profile_reference *r,
                            const struct ipr_profile_move *move, double rating)
{
    const double x = (fmin(fmax(rating, r->low), r->high) - 1600) / 400;
    const double hurried = move->hurried < 0 ? 0 : r->hurried[move->hurried];

    return fmax(at_rating(r->loss[move->phase][move->standing], x), 0) * r->colour[move->black] *
           (hurried > 0 ? hurried : 1);
}

static bool standing_is(enum ipr_standing s, enum ipr_profile_part part)
{
    if (part == IPR_PROFILE_LEVEL)
        return s == IPR_STANDING_LEVEL;
    return part == IPR_PROFILE_AHEAD ? s > IPR_STANDING_LEVEL : s < IPR_STANDING_LEVEL;
}

bool ipr_profile_is_in(const struct ipr_profile_move *m, const struct ipr_profile_row *row)
{
    switch (row->part) {
    case IPR_PROFILE_OPENING:
    case IPR_PROFILE_MIDDLEGAME:
    case IPR_PROFILE_ENDGAME:
        return (int)m->phase == (int)(row->part - IPR_PROFILE_OPENING);
    case IPR_PROFILE_WHITE:
        return !m->black;
    case IPR_PROFILE_BLACK:
        return m->black;
    case IPR_PROFILE_AHEAD:
    case IPR_PROFILE_LEVEL:
    case IPR_PROFILE_BEHIND:
        return standing_is(m->standing, row->part);
    case IPR_PROFILE_HURRIED:
        return m->hurried > 0;
    case IPR_PROFILE_LINE:
        return m->line == row->line;
    }
    return false;
}

/* The openings with most games, most first, as rows. */
static void lines_find(const struct ipr_profile_move *move, size_t n, struct ipr_profile *out)
{
    uint32_t most = 0;

    for (size_t i = 0; i < n; i++)
        most = move[i].line > most ? move[i].line : most;
    size_t *const games = ipr_xcalloc(most + 1u, sizeof *games);
    for (size_t i = 0; i < n; i++)
        games[move[i].line] += i == 0 || move[i].game != move[i - 1].game;
    games[0] = 0; /* not known */
    for (size_t k = 0; k < IPR_PROFILE_LINES; k++) {
        uint32_t best = 0;

        for (uint32_t line = 1; line <= most; line++)
            if (games[line] > games[best])
                best = line;
        if (games[best] < IPR_PROFILE_SHOWN)
            break;
        out->row[out->n++] = (struct ipr_profile_row){ .part = IPR_PROFILE_LINE, .line = best };
        games[best] = 0;
    }
    free(games);
}

static void row_add(const struct ipr_profile_move *m, double usual, double stronger,
                    struct ipr_profile_row *row)
{
    row->games += row->moves == 0 || m->game != row->last;
    row->last = m->game;
    row->moves++;
    row->lost += m->lost;
    row->usual += usual;
    row->stronger += stronger;
}

/* Against the player's other moves. */
static void row_compare(const struct ipr_profile *p, const struct ipr_profile_reference *r,
                        double rating, struct ipr_profile_row *row)
{
    const double more = p->lost / p->usual, share = row->usual / p->usual;
    const double between = pow(r->between[row->part], 2);

    row->deviation = row->lost / (more * row->usual) - 1;
    row->reference_se = error_at(r, row->part, rating);
    row->se =
        sqrt(r->kappa[row->part] * (1 - share) / (more * row->usual) + pow(row->reference_se, 2));
    row->shrunk = row->deviation * between / (between + row->se * row->se);
    row->extra = row->shrunk * more * row->usual / (double)p->games;
    row->p = .5 * erfc(fabs(row->deviation / row->se) / sqrt(2));
}

/* Points a game that a part has cost beyond what it would have, played as well as the rest: as it
 * was, not shrunk. */
static double row_excess(const struct ipr_profile_row *row)
{
    return row->extra / row->shrunk * row->deviation;
}

/* Holm's method: the least of the p left is called while it is below its share of the error, which
 * is of each direction, as is p. What is sure and too little is then called nothing. */
static void rows_call(struct ipr_profile *out)
{
    size_t left = 0;

    for (size_t i = 0; i < out->n; i++)
        left += isnan(out->row[i].p) ? 0 : 1;
    for (; left > 0; left--) {
        struct ipr_profile_row *least = NULL;

        for (size_t i = 0; i < out->n; i++)
            if (!isnan(out->row[i].p) && out->row[i].called == 0 &&
                (least == NULL || out->row[i].p < least->p))
                least = &out->row[i];
        if (least == NULL || least->p > IPR_PROFILE_ERROR / (double)left)
            break;
        least->called = least->deviation > 0 ? 1 : -1;
    }
    for (size_t i = 0; i < out->n; i++)
        if (!(fabs(out->row[i].deviation) >= IPR_PROFILE_SHARE &&
              fabs(row_excess(&out->row[i])) >= IPR_PROFILE_COST))
            out->row[i].called = 0;
}

/* A part is compared if it has moves enough, and leaves enough to be compared with. */
static bool is_compared(const struct ipr_profile *p, const struct ipr_profile_reference *r,
                        const struct ipr_profile_row *row)
{
    if (row->part == IPR_PROFILE_LINE && row->games < IPR_PROFILE_GAMES)
        return false;
    return r != NULL && (row->part != IPR_PROFILE_HURRIED || r->hurried[1] > 0) &&
           row->moves >= IPR_PROFILE_MOVES && row->moves + IPR_PROFILE_MOVES <= p->moves &&
           row->usual > 0 && row->usual < p->usual && p->lost > 0;
}

static void rows_of_parts(struct ipr_profile *out)
{
    for (int part = 0; part < IPR_PROFILE_PARTS; part++)
        out->row[out->n++].part = (enum ipr_profile_part)part;
}

static void rows_drop_empty(struct ipr_profile *out)
{
    size_t n = 0;

    for (size_t i = 0; i < out->n; i++)
        if (out->row[i].moves > 0)
            out->row[n++] = out->row[i];
    out->n = n;
}

void ipr_profile_of(const struct ipr_profile_move *move, size_t n,
                    const struct ipr_profile_reference *reference, double rating,
                    struct ipr_profile *out)
{
    const double above = rating + IPR_PROFILE_STRONGER;

    memset(out, 0, sizeof *out);
    rows_of_parts(out);
    lines_find(move, n, out);
    for (size_t i = 0; i < n; i++) {
        const double usual =
            reference == NULL ? NAN : ipr_profile_expected(reference, &move[i], rating);
        const double stronger = reference == NULL || above > reference->high
                                    ? NAN
                                    : ipr_profile_expected(reference, &move[i], above);

        out->moves++;
        out->games += i == 0 || move[i].game != move[i - 1].game;
        out->lost += move[i].lost;
        out->usual += usual;
        out->stronger += stronger;
        for (size_t k = 0; k < out->n; k++)
            if (ipr_profile_is_in(&move[i], &out->row[k]))
                row_add(&move[i], usual, stronger, &out->row[k]);
    }
    for (size_t k = 0; k < out->n; k++) {
        struct ipr_profile_row *const row = &out->row[k];

        row->deviation = row->se = row->reference_se = row->shrunk = row->extra = row->p = NAN;
        if (is_compared(out, reference, row))
            row_compare(out, reference, rating, row);
        else if (row->part == IPR_PROFILE_LINE)
            row->usual = row->stronger = NAN;
    }
    rows_drop_empty(out);
    rows_call(out);
}

void ipr_profile_drop_phases(struct ipr_profile *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->row[i].part <= IPR_PROFILE_ENDGAME)
            p->row[i].moves = 0;
    rows_drop_empty(p);
}

size_t ipr_profile_advice(const struct ipr_profile *p, size_t row[IPR_PROFILE_ADVICE])
{
    size_t n = 0;

    for (size_t i = 0; i < p->n; i++) {
        size_t at = n < 3 ? n : 3;

        if (p->row[i].called != 1)
            continue;
        for (; at > 0 && row_excess(&p->row[row[at - 1]]) < row_excess(&p->row[i]); at--)
            if (at < 3)
                row[at] = row[at - 1];
        if (at < 3) {
            row[at] = i;
            n += n < 3;
        }
    }
    return n;
}
