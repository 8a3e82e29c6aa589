#include "view/prediction/verdict.h"

#include <math.h>
#include <string.h>

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

/* NULL: below the last. */
static const char *favourite_word(double score)
{
    for (size_t i = 0; i < STEPS; i++)
        if (score >= favourite_words[i].from)
            return favourite_words[i].word;
    return NULL;
}

static const char *strength_name(const char *strength)
{
    if (strcmp(strength, "elo") == 0)
        return "Elo";
    return strcmp(strength, "rating") == 0 ? "the rating by the moves"
                                           : "the strength from results";
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

/* As percentages of the first player's points, or of the second's. */
static struct ipr_interval verdict_shares(struct ipr_interval of_first, bool first)
{
    return first ? (struct ipr_interval){ 100 * of_first.lo, 100 * of_first.hi }
                 : (struct ipr_interval){ 100 - 100 * of_first.hi, 100 - 100 * of_first.lo };
}

/* ": 67% of the points, 95% interval 55 to 79%", of the favourite. */
static const char *verdict_points(const struct ipr_predict *p, const char *name, double score,
                                  struct ipr_interval shares)
{
    struct ipr_arena *const mem = p->context->v->mem;
    const char *const of =
        favourite_word(score) == NULL ? ipr_arena_printf(mem, ": for %s ", name) : ": ";

    return isfinite(shares.lo)
               ? ipr_arena_printf(mem, "%s%.0f%% of the points, 95%% interval %.0f to %.0f%%", of,
                                  100 * score, shares.lo, shares.hi)
               : ipr_arena_printf(mem, "%s%.0f%% of the points", of, 100 * score);
}

/* Says the chances of the favourite, who is named first; `points`: by verdict_points, or "". */
static const char *verdict_chances(const struct ipr_predict *p, const char *name,
                                   const char *against, double score, struct ipr_interval shares,
                                   const char *by, const char *points)
{
    const char *const word = favourite_word(score);
    struct ipr_arena *const mem = p->context->v->mem;

    if (word == NULL)
        return ipr_arena_printf(mem, "%s and %s would be about even, by %s%s.", name, against, by,
                                points);
    const char *open = "";
    if (shares.lo < 50)
        open = ipr_arena_printf(mem, " %s does not rule out that %s scores more.",
                                *points != '\0' ? "That" : "The interval", against);
    return ipr_arena_printf(mem, "%s would be %s against %s, by %s%s.%s", name, word, against, by,
                            points, open);
}

/* `d`: how much more the player's rating is, >= 0. */
static const char *verdict_moves(const struct ipr_predict *p, const char *name, double d, double se,
                                 const char *certainty, double probability)
{
    struct ipr_arena *const mem = p->context->v->mem;
    const char *const rated = ipr_arena_printf(
        mem, "rated %.0f Elo higher, 95%% interval %s%.0f to %.0f", d,
        d < IPR_Z95 * se ? "\u2212" : "", fabs(d - IPR_Z95 * se), d + IPR_Z95 * se);

    return certainty == NULL
               ? ipr_arena_printf(mem, "The moves do not show who was stronger: %s is %s.", name,
                                  rated)
               : ipr_arena_printf(mem, "By the moves it is %s (%s) that %s was stronger: %s.",
                                  certainty, ipr_certainty_percent(probability, mem), name, rated);
}

/* NULL: the sides are two. */
static const char *verdict_of_one(const struct ipr_predict *p, const char *name)
{
    if (p->white->player.id != p->black->player.id || p->white->who.year != p->black->who.year)
        return NULL;
    return ipr_arena_printf(p->context->v->mem,
                            "Both sides are %s: 50%% is expected by definition, and says nothing.",
                            name);
}

/* The parts of the verdict, in the order of the text. */
struct verdict_parts {
    const char *favoured, *brief, *moves, *apart;
};

static const char *verdict_join(const struct verdict_parts *v, const char *favoured,
                                struct ipr_arena *mem)
{
    const char *const text =
        ipr_arena_printf(mem, "%s%s%s%s", favoured,
                         *favoured != '\0' && *v->moves != '\0' ? " " : "", v->moves, v->apart);

    return *text != '\0' ? text : NULL;
}

/* Sets "favoured" and "brief". */
static void verdict_favour(const struct ipr_predict *p,
                           const struct ipr_figure_game_chances *chances, const char *white,
                           const char *black, struct verdict_parts *v)
{
    const double percent = round(100 * chances->expected);
    const bool first = chances->expected >= .5;
    const char *const name = first ? white : black, *const other = first ? black : white;
    const double score = (first ? percent : 100 - percent) / 100;
    const struct ipr_interval shares = verdict_shares(chances->interval, first);
    const char *const by = strength_name(chances->strength);

    v->favoured =
        verdict_chances(p, name, other, score, shares, by, verdict_points(p, name, score, shares));
    v->brief = verdict_chances(p, name, other, score, shares, by, "");
}

void ipr_predict_verdict(const struct ipr_predict *p, const struct ipr_figure_game_chances *chances,
                         const struct ipr_figure_rating_difference *difference,
                         struct ipr_figure_verdict *out)
{
    const char *const white = verdict_player(p, p->white), *const black =
                                                               verdict_player(p, p->black);
    const bool first = chances->expected >= .5, stronger = difference->estimate >= 0;
    struct ipr_arena *const mem = p->context->v->mem;
    struct verdict_parts v = { "", "", "", "" };
    const char *word = NULL;

    out->probability = NAN;
    if ((out->text = out->brief = verdict_of_one(p, white)) != NULL)
        return;
    if (isfinite(chances->expected))
        verdict_favour(p, chances, white, black, &v);
    if (isfinite(difference->estimate)) {
        const double z = fabs(difference->estimate) / difference->standard_error;
        const double probability = .5 * erfc(-z / sqrt(2.));

        word = ipr_certainty_word(probability);
        v.moves = verdict_moves(p, stronger ? white : black, fabs(difference->estimate),
                                difference->standard_error, word, probability);
        out->probability = stronger ? probability : 1 - probability;
    }
    if (*v.favoured != '\0' && word != NULL && first != stronger)
        v.apart = " Results and moves measure different things; the chances follow the results, "
                  "which no predictor from the moves has been shown to beat.";
    out->text = verdict_join(&v, v.favoured, mem);
    out->brief = verdict_join(&v, v.brief, mem);
}
