/* Makes the head of an event's page: who was better by the moves, and why the test and the rating
 * can be on different sides of the Elo. */
#include <math.h>
#include <string.h>

#include "sentence/sentence.h"
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

/* "2705 (95% interval 2501 to 2950)", or without the words where they have been said. */
static const char *answer_rating(const struct ipr_figure_rating *r, bool words,
                                 struct ipr_arena *mem)
{
    const struct ipr_event_rating_slots slots = { .estimate = r->figure.estimate,
                                                  .interval = r->figure.interval };

    return ipr_say_event_rating(words ? IPR_EVENT_RATING_FIRST : IPR_EVENT_RATING_NEXT, &slots,
                                mem);
}

static bool answer_overlap(const struct ipr_figure_rating *a, const struct ipr_figure_rating *b)
{
    const struct ipr_interval i = a->figure.interval, k = b->figure.interval;

    return i.lo <= k.hi && k.lo <= i.hi;
}

static size_t answer_all_rated(const struct ipr_view_context *c, const struct ipr_event_field *f,
                               struct answer_rated *out)
{
    size_t n = 0;

    for (size_t i = 0; i < f->n; i++) {
        const struct ipr_event_entry *const e = &f->all[i];
        struct answer_rated one = { .of = e };

        one.rating = ipr_strength_fuller(c, &e->strength, &e->evals, &one.by_file);
        if (isfinite(one.rating->figure.estimate))
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
    const struct ipr_event_by_moves_slots slots = { .first = ipr_event_name(f, a->of, mem),
                                                    .first_rating =
                                                        answer_rating(a->rating, true, mem),
                                                    .second = ipr_event_name(f, b->of, mem),
                                                    .second_rating =
                                                        answer_rating(b->rating, false, mem),
                                                    .of_field = f->n > 2,
                                                    .probability = .5 * erfc(-z / sqrt(2.)) };
    enum ipr_event_by_moves which = IPR_EVENT_BY_MOVES_APART;

    if (isfinite(z) && ipr_certainty_word(slots.probability) != NULL)
        which = IPR_EVENT_BY_MOVES_LIKELY;
    else if (isfinite(z) || answer_overlap(a->rating, b->rating))
        which = IPR_EVENT_BY_MOVES_OPEN;
    return ipr_say_event_by_moves(which, &slots, mem);
}

/* The first of a field, and how many others have an interval that overlaps with that of the first.
 */
static const char *answer_of_field(const struct ipr_event_field *f, const struct answer_rated *of,
                                   size_t n, size_t first, struct ipr_arena *mem)
{
    enum ipr_event_by_moves which = IPR_EVENT_BY_MOVES_FIRST_OF_SOME;
    size_t overlap = 0;

    for (size_t i = 0; i < n; i++)
        overlap += i != first && answer_overlap(of[i].rating, of[first].rating);
    if (overlap == n - 1)
        which = n == 3 ? IPR_EVENT_BY_MOVES_FIRST_OF_BOTH : IPR_EVENT_BY_MOVES_FIRST_OF_ALL;
    else if (overlap < 2)
        which = overlap == 0 ? IPR_EVENT_BY_MOVES_FIRST_ALONE : IPR_EVENT_BY_MOVES_FIRST_OF_ONE;
    return ipr_say_event_by_moves(which,
                                  &(struct ipr_event_by_moves_slots){
                                      .first = ipr_event_name(f, of[first].of, mem),
                                      .first_rating = answer_rating(of[first].rating, true, mem),
                                      .overlap = (double)overlap,
                                      .others = (double)n - 1 },
                                  mem);
}

static const char *answer_of_rated(const struct ipr_event_field *f, const struct answer_rated *of,
                                   size_t n, struct ipr_arena *mem)
{
    size_t first = 0;

    for (size_t i = 1; i < n; i++)
        if (of[i].rating->figure.estimate > of[first].rating->figure.estimate)
            first = i;
    if (n == 2)
        return answer_of_two(f, &of[first], &of[!first], mem);
    if (n > 2)
        return answer_of_field(f, of, n, first, mem);
    return ipr_say_event_by_moves(
        IPR_EVENT_BY_MOVES_ONLY,
        &(struct ipr_event_by_moves_slots){ .first = ipr_event_name(f, of->of, mem),
                                            .first_rating = answer_rating(of->rating, true, mem) },
        mem);
}

static const char *answer_by_moves(const struct ipr_event_field *f, const struct answer_rated *of,
                                   size_t n, struct ipr_arena *mem)
{
    if (f->only == NULL)
        return n > 0 ? answer_of_rated(f, of, n, mem) : NULL;
    for (size_t i = 0; i < n; i++)
        if (of[i].of == f->only)
            return ipr_say_event_by_moves(
                IPR_EVENT_BY_MOVES_ONE_PLAYER,
                &(struct ipr_event_by_moves_slots){ .first_rating =
                                                        answer_rating(of[i].rating, true, mem) },
                mem);
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
    if (t->z >= .05 && d < 0)
        return 1;
    return t->z <= -.05 && d > 0 ? -1 : 0;
}

/* "Fischer", "Fischer and Spassky", "12 players" */
static const char *answer_names(const struct ipr_event_field *f,
                                const struct ipr_event_entry *const *of, size_t n,
                                struct ipr_arena *mem)
{
    const char **const names = ipr_arena_alloc(mem, n + 1, sizeof *names);

    for (size_t i = 0; i < n; i++)
        names[i] = ipr_event_name(f, of[i], mem);
    return ipr_say_event_who(n > NAMED ? IPR_EVENT_WHO_MANY : IPR_EVENT_WHO_NAMED,
                             &(struct ipr_event_who_slots){ .names = { names, n }, .n = (double)n },
                             mem);
}

/* The test and the rating are on different sides of the Elo. */
static const char *answer_sides(const struct ipr_event_field *f, const struct answer_rated *rated,
                                size_t n, struct ipr_arena *mem)
{
    const struct ipr_event_entry **const of = ipr_arena_alloc(mem, n + 1, sizeof *of);
    const struct ipr_figure_expectation *prior = NULL;
    enum ipr_event_reconciled which = IPR_EVENT_RECONCILED_BOTH;
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
    if ((size_t)sides == apart)
        which = IPR_EVENT_RECONCILED_ABOVE;
    else if (sides == -(int)apart)
        which = IPR_EVENT_RECONCILED_BELOW;
    return ipr_say_event_reconciled(
        which, &(struct ipr_event_reconciled_slots){ answer_names(f, of, apart, mem), prior->mean },
        mem);
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
    if (missed == 0)
        return NULL;
    return ipr_say_event_reconciled(
        IPR_EVENT_RECONCILED_MISSED,
        &(struct ipr_event_reconciled_slots){ answer_names(f, of, missed, mem), mean }, mem);
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
