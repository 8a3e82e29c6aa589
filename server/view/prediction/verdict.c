#include "view/prediction/verdict.h"

#include <math.h>
#include <string.h>

#include "sentence/sentence.h"
#include "view/certainty.h"
#include "view/wording.h"

struct step {
    double from; /* a probability or a score */
    const char *word;
};

static const struct step favourite_words[] = {
    { .76, "an overwhelming favourite" },
    { .64, "a clear favourite" },
    { .57, "the favourite" },
    { .52, "a slight favourite" },
};

#define STEPS      4
#define LEANS_FROM .6 /* a probability */

/* "" below the last. */
static const char *favourite_word(double score)
{
    for (size_t i = 0; i < STEPS; i++)
        if (score >= favourite_words[i].from)
            return favourite_words[i].word;
    return "";
}

/* "Fischer 1972"; the whole name if the other player has the same surname. */
static const char *verdict_player(const struct ipr_predict *p, const struct ipr_predict_side *s)
{
    const struct ipr_predict_side *const other = s == p->white ? p->black : p->white;
    const bool shared = s->player.id != other->player.id &&
                        ipr_wording_same_surname(s->player.name, other->player.name);
    const char *const name = ipr_wording_surname(s->player.name, shared, p->context->v->mem);
    return s->who.year == 0 ? name
                            : ipr_arena_printf(p->context->v->mem, "%s %d", name, s->who.year);
}

/* How certain it is that the favourite scores more than half, by a normal distribution with the
 * lower end of the interval of those points; NULL without one. */
static const char *verdict_certainty(double points, double low, struct ipr_arena *mem)
{
    const double z = IPR_Z95 * (points - .5) / (points - low);
    const struct ipr_compare_certainty_slots slots = { .probability = .5 * erfc(-z / sqrt(2.)) };

    if (!isfinite(z))
        return NULL;
    if (ipr_certainty_word(slots.probability) != NULL)
        return ipr_say_compare_certainty(IPR_COMPARE_CERTAINTY_LIKELY, &slots, mem);
    return ipr_say_compare_certainty(slots.probability < LEANS_FROM ? IPR_COMPARE_CERTAINTY_OPEN
                                                                    : IPR_COMPARE_CERTAINTY_LEANS,
                                     &slots, mem);
}

void ipr_predict_verdict(const struct ipr_predict *p, const struct ipr_figure_game_chances *chances,
                         const struct ipr_figure_rating_difference *difference,
                         struct ipr_figure_verdict *out)
{
    const double percent = round(100 * chances->expected);
    const bool first = chances->expected >= .5;
    const double points = fmax(percent, 100 - percent);
    const char *const word = favourite_word(points / 100);
    const struct ipr_predict_side *const sides[] = { p->white, p->black };
    struct ipr_arena *const mem = p->context->v->mem;
    const struct ipr_compare_results_slots slots = { .name = verdict_player(p, sides[!first]),
                                                     .against = verdict_player(p, sides[first]),
                                                     .favourite = word,
                                                     .points = points };

    out->probability = NAN;
    if (p->white->player.id == p->black->player.id && p->white->who.year == p->black->who.year) {
        out->text = ipr_say_compare_results(IPR_COMPARE_RESULTS_SAME, &slots, mem);
        return;
    }
    if (isfinite(difference->estimate))
        out->probability = .5 * erfc(-difference->estimate / difference->standard_error / sqrt(2.));
    if (!isfinite(chances->expected))
        return;
    out->text = ipr_say_compare_results(
        *word == '\0' ? IPR_COMPARE_RESULTS_EVEN : IPR_COMPARE_RESULTS_FAVOURITE, &slots, mem);
    out->certainty = first
                         ? verdict_certainty(chances->expected, chances->interval.lo, mem)
                         : verdict_certainty(1 - chances->expected, 1 - chances->interval.hi, mem);
}
