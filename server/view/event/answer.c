/* What the head of an event's page says: who was better by the moves, and why the test and the
 * rating can be on different sides of the Elo. */
#include <math.h>
#include <string.h>

#include "view/certainty.h"
#include "view/event/field.h"
#include "view/wording.h"

#define NAMED 3 /* players of a sentence; of more their number is said */

/* ---- names and ratings in words ---- */

const char *ipr_event_name(const struct ipr_event_field *f, const struct ipr_event_entry *e,
                           struct ipr_arena *mem)
{
    bool shared = false;

    for (size_t i = 0; i < f->n; i++)
        shared = shared || (&f->all[i] != e &&
                            ipr_wording_same_surname(f->all[i].player.name, e->player.name));
    return ipr_wording_surname(e->player.name, shared, mem);
}

/* A player with a rating of the moves of this event. */
struct answer_rated {
    const struct ipr_event_entry *of;
    const struct ipr_figure_rating *rating;
    bool by_file;
};

/* "2705 (95% interval above 2501)", or without the words where they have been said. */
static const char *answer_rating(const struct ipr_figure_rating *r, bool words,
                                 struct ipr_arena *mem)
{
    const struct ipr_figure *const f = &r->figure;
    const char *const value = isfinite(f->estimate)
                                  ? ipr_arena_printf(mem, "%.0f", f->estimate)
                                  : ipr_wording_interval(r->bound.low, r->bound.high, mem);

    return ipr_arena_printf(mem, "%s (%s%s)", value, words ? "95% interval " : "",
                            ipr_wording_interval(f->interval.lo, f->interval.hi, mem));
}

/* One beyond the calibrated range is above or below all others. */
static double answer_height(const struct ipr_figure_rating *r)
{
    return isfinite(r->figure.estimate) ? r->figure.estimate
           : isfinite(r->bound.low)     ? INFINITY
                                        : -INFINITY;
}

static bool answer_overlap(const struct ipr_figure_rating *a, const struct ipr_figure_rating *b)
{
    const struct ipr_interval i = a->figure.interval, k = b->figure.interval;

    return !(i.lo > k.hi || k.lo > i.hi); /* an open end is NaN */
}

static size_t answer_all_rated(const struct ipr_view_context *c, const struct ipr_event_field *f,
                               struct answer_rated *out)
{
    size_t n = 0;

    for (size_t i = 0; i < f->n; i++) {
        const struct ipr_event_entry *const e = &f->all[i];
        struct answer_rated one = { .of = e };

        one.rating = ipr_strength_narrower(c, &e->strength, &e->evals, &one.by_file);
        if (isfinite(one.rating->figure.interval.lo) || isfinite(one.rating->figure.interval.hi))
            out[n++] = one;
    }
    return n;
}

/* ---- who was better by the moves ---- */

/* The error of the difference counts the two as independent, as in a head to head. */
static const char *answer_of_two(const struct ipr_event_field *f, const struct answer_rated *a,
                                 const struct answer_rated *b, struct ipr_arena *mem)
{
    const struct ipr_figure *const x = &a->rating->figure, *const y = &b->rating->figure;
    const double z = (x->estimate - y->estimate) / hypot(x->standard_error, y->standard_error);
    const double probability = .5 * erfc(-z / sqrt(2.));
    const char *const name = ipr_event_name(f, a->of, mem);
    const char *const both =
        ipr_arena_printf(mem, "%s %s, %s %s", name, answer_rating(a->rating, true, mem),
                         ipr_event_name(f, b->of, mem), answer_rating(b->rating, false, mem));
    const char *const word = isfinite(z) ? ipr_certainty_word(probability) : NULL;
    const char *const of = f->n > 2 ? ", of two players rated," : "";

    if (word != NULL)
        return ipr_arena_printf(mem, "By the moves%s it is %s (%s) that %s was better: %s.", of,
                                word, ipr_certainty_percent(probability, mem), name, both);
    if (isfinite(z) || answer_overlap(a->rating, b->rating))
        return ipr_arena_printf(mem, "The moves%s do not show who was better: %s.", of, both);
    return ipr_arena_printf(mem, "By the moves%s %s was better: %s.", of, name, both);
}

/* "the intervals of both others rated overlap with it" */
static const char *answer_overlapping(size_t overlap, size_t others, struct ipr_arena *mem)
{
    if (overlap == others)
        return ipr_arena_printf(mem, "the intervals of %s others rated overlap with it",
                                others == 2 ? "both" : ipr_arena_printf(mem, "all %zu", others));
    if (overlap == 1)
        return ipr_arena_printf(mem, "the interval of 1 of the %zu others rated overlaps with it",
                                others);
    return ipr_arena_printf(mem, "the intervals of %s of the %zu others rated overlap with it",
                            overlap == 0 ? "none" : ipr_arena_printf(mem, "%zu", overlap), others);
}

/* The first of a field, and how many others have an interval that overlaps with that of the first.
 */
static const char *answer_of_field(const struct ipr_event_field *f, const struct answer_rated *of,
                                   size_t n, size_t first, struct ipr_arena *mem)
{
    size_t overlap = 0;

    for (size_t i = 0; i < n; i++)
        overlap += i != first && answer_overlap(of[i].rating, of[first].rating);
    return ipr_arena_printf(
        mem, "Best rated by the moves: %s, %s; %s.", ipr_event_name(f, of[first].of, mem),
        answer_rating(of[first].rating, true, mem), answer_overlapping(overlap, n - 1, mem));
}

static const char *answer_of_rated(const struct ipr_event_field *f, const struct answer_rated *of,
                                   size_t n, struct ipr_arena *mem)
{
    size_t first = 0;

    for (size_t i = 1; i < n; i++)
        if (answer_height(of[i].rating) > answer_height(of[first].rating))
            first = i;
    if (n == 2)
        return answer_of_two(f, &of[first], &of[!first], mem);
    return n > 2 ? answer_of_field(f, of, n, first, mem)
                 : ipr_arena_printf(mem, "By the moves %s is rated %s; nobody else is rated.",
                                    ipr_event_name(f, of->of, mem),
                                    answer_rating(of->rating, true, mem));
}

static const char *answer_by_moves(const struct ipr_event_field *f, const struct answer_rated *of,
                                   size_t n, struct ipr_arena *mem)
{
    if (f->only == NULL)
        return n > 0 ? answer_of_rated(f, of, n, mem) : NULL;
    for (size_t i = 0; i < n; i++)
        if (of[i].of == f->only)
            return ipr_arena_printf(mem, "The moves are rated %s.",
                                    answer_rating(of[i].rating, true, mem));
    return NULL;
}

/* ---- test and rating ---- */

/* 1: the test is above the Elo and the rating below it; -1: the other way; 0: they agree. Less than
 * what pages show of a z counts as none. */
static int answer_apart(const struct answer_rated *r)
{
    const struct ipr_answer_screening_row *const t = &r->of->test;
    const double d = r->rating->figure.estimate - t->elo;

    if (t->reason != NULL || r->by_file || !isfinite(d) || r->rating->prior == NULL)
        return 0;
    return t->z >= .05 && d < 0 ? 1 : t->z <= -.05 && d > 0 ? -1 : 0;
}

/* "Fischer", "Fischer and Spassky", "12 players" */
static const char *answer_names(const struct ipr_event_field *f,
                                const struct ipr_event_entry *const *of, size_t n,
                                struct ipr_arena *mem)
{
    const char *out = "";

    if (n > NAMED)
        return ipr_arena_printf(mem, "%zu players", n);
    for (size_t i = 0; i < n; i++)
        out = ipr_arena_printf(mem, "%s%s%s", out,
                               i == 0       ? ""
                               : i + 1 == n ? " and "
                                            : ", ",
                               ipr_event_name(f, of[i], mem));
    return out;
}

/* The test and the rating are on different sides of the Elo. */
static const char *answer_sides(const struct ipr_event_field *f, const struct answer_rated *rated,
                                size_t n, struct ipr_arena *mem)
{
    const struct ipr_event_entry **const of = ipr_arena_alloc(mem, n + 1, sizeof *of);
    const struct ipr_figure_expectation *prior = NULL;
    size_t apart = 0;
    int sides = 0;

    for (size_t i = 0; i < n; i++) {
        const int side = answer_apart(&rated[i]);

        if (side == 0 || (f->only != NULL && rated[i].of != f->only))
            continue;
        of[apart++] = rated[i].of;
        sides += side;
        prior = rated[i].rating->prior;
    }
    if (apart == 0)
        return NULL;
    return ipr_arena_printf(
        mem,
        "%s: %s. The rating draws few moves towards the mean of its prior, %.0f; the test compares "
        "with play at the same Elo in the years of the games.",
        answer_names(f, of, apart, mem),
        (size_t)sides == apart ? "above the Elo in the test, below it in the rating"
        : sides == -(int)apart ? "below the Elo in the test, above it in the rating"
                               : "on different sides of the Elo in the test and the rating",
        prior->mean);
}

/* Nobody is tested above the calibrated range, and the interval of the rating has not the Elo. */
static bool answer_misses(const struct answer_rated *r)
{
    const struct ipr_figure *const figure = &r->rating->figure;
    const double elo = r->of->test.elo;

    return r->of->test.reason != NULL && !r->by_file && isfinite(elo) && r->rating->prior != NULL &&
           (figure->interval.hi < elo || figure->interval.lo > elo);
}

static const char *answer_missed(const struct ipr_event_field *f, const struct answer_rated *rated,
                                 size_t n, struct ipr_arena *mem)
{
    const struct ipr_event_entry **const of = ipr_arena_alloc(mem, n + 1, sizeof *of);
    double mean = NAN;
    size_t missed = 0;

    for (size_t i = 0; i < n; i++)
        if (answer_misses(&rated[i])) {
            of[missed++] = rated[i].of;
            mean = rated[i].rating->prior->mean;
        }
    return missed == 0
               ? NULL
               : ipr_arena_printf(mem,
                                  "%s: the interval of the rating does not contain the Elo. The "
                                  "rating draws few moves towards the mean of its prior, %.0f, and "
                                  "one interval in twenty misses by chance.",
                                  answer_names(f, of, missed, mem), mean);
}

/* ---- all of it ---- */

void ipr_event_answers(const struct ipr_view_context *c, const struct ipr_event_field *f,
                       struct ipr_answer_event_report *out)
{
    struct ipr_arena *const mem = c->v->mem;
    struct answer_rated *const rated = ipr_arena_alloc(mem, f->n + 1, sizeof *rated);
    const size_t n = f->n > IPR_EVENT_TABLE ? 0 : answer_all_rated(c, f, rated);

    const char *const sides = answer_sides(f, rated, n, mem);
    const char *const missed = answer_missed(f, rated, n, mem);

    out->by_moves = answer_by_moves(f, rated, n, mem);
    out->reconciled = sides != NULL ? sides : missed;
    if (sides != NULL && missed != NULL)
        out->reconciled = ipr_arena_printf(mem, "%s %s", sides, missed);
}
