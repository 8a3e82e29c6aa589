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

#define STEPS 4

/* "" below the last. */
static const char *favourite_word(double score)
{
    for (size_t i = 0; i < STEPS; i++)
        if (score >= favourite_words[i].from)
            return favourite_words[i].word;
    return "";
}

static const char *strength_name(const char *strength)
{
    if (strcmp(strength, "elo") == 0)
        return "Elo";
    return strcmp(strength, "rating") == 0 ? "the moves" : "the strength from results";
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

/* Shares of the first player's points, or of the second's. */
static struct ipr_interval verdict_shares(struct ipr_interval of_first, bool first)
{
    return first ? of_first : (struct ipr_interval){ 1 - of_first.hi, 1 - of_first.lo };
}

/* The names as the sentences have them, the first player's and the second's. */
struct verdict_names {
    const char *of[2];
};

/* Says the chances of the favourite, who is named first; `score`: with the figures. */
static const char *verdict_results(const struct verdict_names *names,
                                   const struct ipr_figure_game_chances *chances, bool score,
                                   struct ipr_arena *mem)
{
    const double percent = round(100 * chances->expected);
    const bool first = chances->expected >= .5;
    const double points = fmax(percent, 100 - percent) / 100;
    const struct ipr_interval shares = verdict_shares(chances->interval, first);
    const double shown = score ? points : NAN;
    const char *const word = favourite_word(points);

    if (!isfinite(chances->expected))
        return "";
    return ipr_say_compare_results(
        *word == '\0' ? IPR_COMPARE_RESULTS_EVEN : IPR_COMPARE_RESULTS_FAVOURITE,
        &(struct ipr_compare_results_slots){ .name = names->of[!first],
                                             .against = names->of[first],
                                             .by = strength_name(chances->strength),
                                             .favourite = word,
                                             .score = shown,
                                             .shares = shares,
                                             .open = shares.lo < .5 },
        mem);
}

/* Says who is rated higher; `moves`: with what that player would score, NULL: without it. */
static const char *verdict_moves(const struct verdict_names *names,
                                 const struct ipr_figure_rating_difference *difference,
                                 const struct ipr_figure_game_chances *moves, bool apart,
                                 struct ipr_arena *mem)
{
    const bool first = difference->estimate >= 0;
    const double d = fabs(difference->estimate), half = IPR_Z95 * difference->standard_error;
    struct ipr_compare_moves_slots slots = {
        .name = names->of[!first],
        .gap = d,
        .gaps = { d - half, d + half },
        .score = NAN,
        .shares = { NAN, NAN },
        .probability = .5 * erfc(-d / difference->standard_error / sqrt(2.)),
        .apart = apart
    };

    if (!isfinite(d))
        return "";
    if (moves != NULL) {
        slots.score = first ? moves->expected : 1 - moves->expected;
        slots.shares = verdict_shares(moves->interval, first);
    }
    return ipr_say_compare_moves(ipr_certainty_word(slots.probability) == NULL
                                     ? IPR_COMPARE_MOVES_OPEN
                                     : IPR_COMPARE_MOVES_LIKELY,
                                 &slots, mem);
}

static const char *verdict_join(const char *results, const char *moves, struct ipr_arena *mem)
{
    const char *const between = *results != '\0' && *moves != '\0' ? " " : "";
    const char *const text = ipr_arena_printf(mem, "%s%s%s", results, between, moves);

    return *text != '\0' ? text : NULL;
}

void ipr_predict_verdict(const struct ipr_predict *p, const struct ipr_figure_game_chances *chances,
                         const struct ipr_figure_game_chances *by_moves,
                         const struct ipr_figure_rating_difference *difference,
                         struct ipr_figure_verdict *out)
{
    const struct verdict_names names = { { verdict_player(p, p->white),
                                           verdict_player(p, p->black) } };
    const bool results = isfinite(chances->expected) && strcmp(chances->strength, "rating") != 0;
    const bool apart =
        isfinite(chances->expected) && (chances->expected >= .5) != (difference->estimate >= 0);
    struct ipr_arena *const mem = p->context->v->mem;

    out->probability = NAN;
    if (p->white->player.id == p->black->player.id && p->white->who.year == p->black->who.year) {
        out->text = out->brief = ipr_say_compare_same(
            IPR_COMPARE_SAME_BOTH, &(struct ipr_compare_same_slots){ names.of[0] }, mem);
        return;
    }
    if (isfinite(difference->estimate))
        out->probability = .5 * erfc(-difference->estimate / difference->standard_error / sqrt(2.));
    out->text =
        verdict_join(verdict_results(&names, chances, true, mem),
                     verdict_moves(&names, difference, results ? by_moves : NULL, apart, mem), mem);
    out->brief = verdict_join(verdict_results(&names, chances, false, mem),
                              verdict_moves(&names, difference, NULL, apart, mem), mem);
}
