#include "view/report/finding.h"

#include <math.h>
#include <string.h>

#include "model/prediction_error.h"
#include "registry.h"
#include "view/certainty.h"
#include "view/json.h"
#include "view/wording.h"

/* The answer of a report while it is put in words. */
struct finding {
    const json_t *of, *document;
    struct ipr_arena *mem;
    const char *by; /* what that rests on; NULL: nothing is said of it */
    bool shown;
};

/* ---- numbers and names ---- */

/* "95% interval 0.67 to 0.78" of a member "interval" of `o`, times `scale`. */
static const char *finding_interval(const struct finding *f, const json_t *o, double scale,
                                    int digits, const char *unit)
{
    return ipr_arena_printf(
        f->mem, "95%% interval %s%s to %s%s",
        ipr_wording_fixed(scale * ipr_json_at(o, "interval.low", NAN), digits, f->mem), unit,
        ipr_wording_fixed(scale * ipr_json_at(o, "interval.high", NAN), digits, f->mem), unit);
}

/* "from 26,065 moves in 378 games" of a figure. */
static const char *finding_basis(const struct finding *f, const json_t *o)
{
    return ipr_arena_printf(
        f->mem, "from %s in %s",
        ipr_wording_plural(ipr_json_at(o, "turns", 0), "move", "moves", f->mem),
        ipr_wording_plural(ipr_json_at(o, "games", 0), "game", "games", f->mem));
}

struct finding_name {
    const char *key, *text;
};

/* As within a sentence. */
static const struct finding_name finding_predictors[] = {
    IPR_PREDICTOR_PHRASE,
    { "even", "“always 50%”" },
    { NULL, NULL },
};

static const struct finding_name finding_indicators[] = {
    { "stability", "the mean change of the evaluation from depth to depth" },
    { "jump_value", "the largest change of the evaluation from a depth to the next" },
    { "jump_depth", "the depth of the largest change of the evaluation" },
    { "jump_value_depth", "the largest change of the evaluation times its depth" },
    { "sullivan", "the change of the evaluation where the best move was found" },
    { "depth_time", "the depth reached in the time" },
    { NULL, NULL },
};

static const char *finding_named(const struct finding_name *names, const char *key)
{
    for (; names->key != NULL; names++)
        if (strcmp(names->key, key) == 0)
            return names->text;
    return key;
}

const char *ipr_correlation_size(double rho)
{
    const double size = fabs(rho);

    return size >= .5 ? "large" : size >= .3 ? "medium" : size >= .1 ? "small" : "negligible";
}

/* ---- the royale ---- */

/* "Fischer"; the whole name if another player has the same surname. */
static const char *finding_player(const struct finding *f, const json_t *row)
{
    const char *name = ipr_json_text_at(row, "player.name");
    const double id = ipr_json_at(row, "player.id", 0);
    bool shared = false;
    const json_t *other;
    size_t i;

    json_array_foreach(json_object_get(f->of, "ranking"), i, other)
        shared = shared || (ipr_json_at(other, "player.id", 0) != id &&
                            ipr_wording_same_surname(ipr_json_text_at(other, "player.name"), name));
    return ipr_wording_surname(name, shared, f->mem);
}

/* A player of the ranking. */
struct finding_player {
    const json_t *best; /* the year that is most probably the best of all */
    double probability; /* that one of the years is: one at most is, so that theirs add up */
};

static struct finding_player finding_add_years(const json_t *ranking, double id)
{
    struct finding_player out = { NULL, 0 };
    double most = -1;
    const json_t *row;
    size_t i;

    json_array_foreach(ranking, i, row) {
        const double p = ipr_json_at(row, "best_probability", 0);

        if (ipr_json_at(row, "player.id", 0) != id)
            continue;
        out.probability += p;
        if (p > most) {
            most = p;
            out.best = row;
        }
    }
    return out;
}

/* The two players who are most probably the strongest; the second has no year if there is none. */
static void finding_leaders(const struct finding *f, struct finding_player out[2])
{
    const json_t *const ranking = json_object_get(f->of, "ranking"), *row;
    size_t i;

    out[0] = out[1] = (struct finding_player){ NULL, -1 };
    json_array_foreach(ranking, i, row) {
        const double id = ipr_json_at(row, "player.id", 0);
        const struct finding_player p = finding_add_years(ranking, id);

        if (p.best != row) /* each player once */
            continue;
        if (p.probability > out[0].probability) {
            out[1] = out[0];
            out[0] = p;
        } else if (p.probability > out[1].probability) {
            out[1] = p;
        }
    }
}

#define OF_YEARS     "Single years, each by its own games, compared by %s: "
#define OTHER_METHOD "Strengths, by another method, follow from all years of a player."

static const char *finding_royale_predictor(const struct finding *f)
{
    return finding_named(finding_predictors, ipr_json_text_at(f->of, "compared_by.predictor"));
}

/* Where no player is likely to be the strongest. */
static const char *finding_undecided(const struct finding *f, const struct finding_player p[2])
{
    const char *const next =
        p[1].best == NULL
            ? ""
            : ipr_arena_printf(f->mem, ", then %s, with %s", finding_player(f, p[1].best),
                               ipr_certainty_percent(p[1].probability, f->mem));

    return ipr_arena_printf(f->mem,
                            OF_YEARS "the data do not show who comes first; %s does with a "
                                     "probability of %s%s. " OTHER_METHOD,
                            finding_royale_predictor(f), finding_player(f, p[0].best),
                            ipr_certainty_percent(p[0].probability, f->mem), next);
}

static const char *finding_of_leader(struct finding *f)
{
    struct finding_player p[2];

    finding_leaders(f, p);
    const char *const who = finding_player(f, p[0].best);
    const char *const word = ipr_certainty_word(p[0].probability);
    const double year = ipr_json_at(p[0].best, "year", 0);
    const double of_year = ipr_json_at(p[0].best, "best_probability", 0);
    const char *const word_of_year = ipr_certainty_word(of_year);

    f->shown = word != NULL;
    if (word == NULL)
        return finding_undecided(f, p);
    return word_of_year != NULL
               ? ipr_arena_printf(f->mem, OF_YEARS "%s %.0f comes first (%s, %s). " OTHER_METHOD,
                                  finding_royale_predictor(f), who, year, word_of_year,
                                  ipr_certainty_percent(of_year, f->mem))
               : ipr_arena_printf(f->mem,
                                  OF_YEARS "%s comes first (%s, %s). In which year, the data do "
                                           "not show: %.0f is first, with %s. " OTHER_METHOD,
                                  finding_royale_predictor(f), who, word,
                                  ipr_certainty_percent(p[0].probability, f->mem), year,
                                  ipr_certainty_percent(of_year, f->mem));
}

/* By what, and how far that is to be believed. */
static const char *finding_royale_by(const struct finding *f)
{
    const char *const key = ipr_json_text_at(f->of, "compared_by.predictor");
    const char *const test =
        ipr_json_text_at(f->document, ipr_arena_printf(f->mem, "words.tests.%s", key));
    const bool elo = strcmp(key, "elo") == 0;

    return ipr_arena_printf(f->mem, "Compared by %s%s%s%s.", finding_named(finding_predictors, key),
                            !ipr_json_true_at(f->of, "compared_by.by_rule") ? ""
                            : elo ? ", which every year has"
                                  : ", as not every year has an Elo",
                            *test != '\0' ? "; " : "", test);
}

static const char *finding_of_royale(struct finding *f)
{
    const json_t *first = json_array_get(json_object_get(f->of, "ranking"), 0);
    const char *const field =
        ipr_wording_plural(ipr_json_at(f->of, "active", 0), "player-year", "player-years", f->mem);

    if (first == NULL)
        return NULL;
    f->by = finding_royale_by(f);
    if (isfinite(ipr_json_at(first, "best_probability", NAN)))
        return finding_of_leader(f);
    return ipr_arena_printf(
        f->mem,
        "%s %.0f comes first of %s, with a mean expected score of %s%% from %s; no errors are "
        "known, so nothing shows whether this order means anything.",
        finding_player(f, first), ipr_json_at(first, "year", 0), field,
        ipr_wording_fixed(100 * ipr_json_at(first, "expected", NAN), 1, f->mem),
        ipr_wording_plural(ipr_json_at(first, "turns", 0), "move", "moves", f->mem));
}

/* ---- the comparisons ---- */

/* Predictors after the first whose difference from it may be chance. */
static size_t finding_tied(const json_t *losses)
{
    const json_t *one;
    size_t i, n = 0;

    json_array_foreach(losses, i, one)
        n += i > 0 && !(ipr_json_at(one, "interval.low", -INFINITY) > 0);
    return n;
}

static const char *finding_of_losses(struct finding *f, const json_t *losses, double matches)
{
    const json_t *const best = json_array_get(losses, 0);
    const size_t others = json_array_size(losses) - 1, tied = finding_tied(losses);
    const char *const who = finding_named(finding_predictors, ipr_json_text_at(best, "predictor"));

    f->shown = tied == 0;
    if (tied == 0)
        return ipr_arena_printf(f->mem, "In the %.0f matches here %s predicts best.", matches, who);
    f->by = ipr_arena_printf(
        f->mem, "In the matches here %s be distinguished from %s.",
        tied == others ? ipr_arena_printf(f->mem, "none of the %zu others can", others)
                       : ipr_arena_printf(f->mem, "%zu of the %zu others cannot", tied, others),
        who);
    return ipr_arena_printf(f->mem, "The %.0f matches here do not show which is best.", matches);
}

/* Says what these matches show, beside the larger test that the recommendation is from. */
static const char *finding_of_these_matches(struct finding *f)
{
    const json_t *losses = ipr_json_find(f->of, "common.log_losses");
    const double matches = ipr_json_at(f->of, "common.matches", 0);

    if (losses == NULL)
        return NULL;
    if (matches >= IPR_PREDICTION_ERROR_MATCHES && json_array_size(losses) > 1)
        return finding_of_losses(f, losses, matches);
    return ipr_arena_printf(
        f->mem,
        "There are too few matches here to say more: all predictors predict %s, and %d are needed.",
        ipr_wording_count(matches, f->mem), IPR_PREDICTION_ERROR_MATCHES);
}

static const char *finding_of_comparisons(struct finding *f)
{
    const char *const here = finding_of_these_matches(f);
    const json_t *const words = json_object_get(f->document, "words");

    if (here == NULL || words == NULL)
        return here;
    const char *const by = f->by != NULL ? ipr_arena_printf(f->mem, " %s", f->by) : "";
    f->by = ipr_arena_printf(f->mem, "%s %s%s", ipr_json_text_at(words, "why_with_elo"),
                             ipr_json_text_at(words, "why_without_elo"), by);
    return ipr_arena_printf(f->mem, "%s. %s", ipr_json_text_at(words, "brief"), here);
}

/* ---- correlations ---- */

/* True if the interval is on one side of 0. */
static bool finding_excludes_zero(const json_t *figure)
{
    const double low = ipr_json_at(figure, "interval.low", NAN);
    const double high = ipr_json_at(figure, "interval.high", NAN);

    return low > 0 || high < 0;
}

/* "ρ = 0.73, 95% interval 0.67 to 0.78, from 26,065 moves in 378 games" */
static const char *finding_rho(const struct finding *f, const json_t *figure)
{
    return ipr_arena_printf(f->mem, "ρ = %s, %s, %s",
                            ipr_wording_fixed(ipr_json_at(figure, "estimate", NAN), 2, f->mem),
                            finding_interval(f, figure, 1, 2, ""), finding_basis(f, figure));
}

static const char *finding_of_conformance(struct finding *f)
{
    const json_t *at = ipr_json_find(f->of, "forms.weighted.at_30.rho");
    const double rho = ipr_json_at(at, "estimate", NAN);

    if (!isfinite(rho))
        return NULL;
    f->shown = finding_excludes_zero(at);
    if (!f->shown)
        return ipr_arena_printf(
            f->mem,
            "These games do not show that the side with more good moves scores more: "
            "the correlation with the result is %s.",
            finding_rho(f, at));
    return ipr_arena_printf(
        f->mem,
        "The side with more good moves scores %s: the difference in moves that lose at "
        "most 0.30 pawns has a %s correlation with the result, %s.",
        rho > 0 ? "more" : "less", ipr_correlation_size(rho), finding_rho(f, at));
}

static const char *finding_of_covariance(struct finding *f)
{
    const json_t *best = json_object_get(f->of, "best");
    const size_t tried = json_array_size(json_object_get(f->of, "n0")) *
                         json_array_size(json_object_get(f->of, "b"));
    const double rho = ipr_json_at(best, "estimate", NAN);

    if (!isfinite(rho))
        return NULL;
    f->shown = finding_excludes_zero(best);
    if (!f->shown)
        return ipr_arena_printf(
            f->mem,
            "These games do not show that the losses of a game go with its result: the "
            "highest correlation is %s.",
            finding_rho(f, best));
    return ipr_arena_printf(
        f->mem,
        "The losses of a game have a %s correlation with its result, %s, where it is highest: at "
        "n0 = %.0f and b = %s pawns. The highest of %s is chosen, so by chance it is somewhat too "
        "high.",
        ipr_correlation_size(rho), finding_rho(f, best), ipr_json_at(best, "n0", NAN),
        ipr_wording_fixed(ipr_json_at(best, "b", NAN), 1, f->mem),
        ipr_wording_plural((double)tried, "pair", "pairs", f->mem));
}

/* ---- complexity ---- */

/* The indicator with the largest correlation; *known: how many have one. */
static const char *finding_indicator(const struct finding *f, size_t *known)
{
    json_t *all = json_object_get(json_object_get(f->of, "all"), "indicators"), *one;
    const char *name, *best = NULL;
    double most = -1;

    *known = 0;
    json_object_foreach(all, name, one) {
        const double size = fabs(ipr_json_at(one, "estimate", NAN));

        *known += isfinite(size);
        if (size > most) {
            most = size;
            best = name;
        }
    }
    return best;
}

/* Players of whom it has the same sign, its interval without 0. */
static double finding_players_alike(const struct finding *f, const char *indicator, double sign)
{
    const json_t *row;
    double n = 0;
    size_t i;

    json_array_foreach(json_object_get(f->of, "players"), i, row) {
        const json_t *one = json_object_get(json_object_get(row, "indicators"), indicator);

        n += finding_excludes_zero(one) && ipr_json_at(one, "estimate", 0) * sign > 0;
    }
    return n;
}

static const char *finding_of_complexity(struct finding *f)
{
    size_t known;
    const char *const name = finding_indicator(f, &known);
    const json_t *one =
        name != NULL ? json_object_get(ipr_json_find(f->of, "all.indicators"), name) : NULL;
    const double rho = ipr_json_at(one, "estimate", NAN);
    const size_t players = json_array_size(json_object_get(f->of, "players"));

    if (!isfinite(rho))
        return NULL;
    const char *const which = ipr_arena_printf(
        f->mem, "of %zu indicators %s has the largest correlation with the loss, %s", known,
        finding_named(finding_indicators, name), finding_rho(f, one));
    f->shown = finding_excludes_zero(one);
    if (!f->shown)
        return ipr_arena_printf(
            f->mem, "The moves do not show that errors go with hard positions: %s.", which);
    return ipr_arena_printf(f->mem,
                            "Players lose %s in positions that are hard for the engine, %s the "
                            "connection is %s: %s; by "
                            "their own moves alone, %.0f of %zu players show it.",
                            rho > 0 ? "more" : "less", fabs(rho) < .3 ? "but" : "and",
                            ipr_correlation_size(rho), which, finding_players_alike(f, name, rho),
                            players);
}

/* ---- the score curve ---- */

/* The positions with an advantage nearest to a pawn, 0.75 to 1.25. */
static const json_t *finding_pawn(const struct finding *f)
{
    const json_t *bin;
    size_t i;

    json_array_foreach(ipr_json_find(f->of, "all.bins"), i, bin) {
        const double low = ipr_json_at(bin, "low", NAN), high = ipr_json_at(bin, "high", NAN);

        if (low < 1 && high > 1)
            return bin;
    }
    return NULL;
}

/* The lowest and the highest band with a known error; false: there are no two. */
static bool finding_bands(const struct finding *f, const json_t *ends[2])
{
    const json_t *band;
    size_t i;

    ends[0] = ends[1] = NULL;
    json_array_foreach(json_object_get(f->of, "bands"), i, band) {
        if (!isfinite(ipr_json_at(band, "b.standard_error", NAN)))
            continue;
        ends[0] = ends[0] != NULL ? ends[0] : band;
        ends[1] = band;
    }
    return ends[0] != ends[1];
}

/* Compares players of the highest band with those of the lowest, by the slopes of their curves. */
static const char *finding_of_bands(const struct finding *f)
{
    const json_t *e[2];

    if (!finding_bands(f, e))
        return "whether it is worth more to stronger players these games do not show: too few of "
               "them are of players of another rating";
    const double d = ipr_json_at(e[1], "b.estimate", NAN) - ipr_json_at(e[0], "b.estimate", NAN);
    const double se = hypot(ipr_json_at(e[1], "b.standard_error", NAN),
                            ipr_json_at(e[0], "b.standard_error", NAN));
    const char *const word = ipr_certainty_word(.5 * erfc(-fabs(d) / se / sqrt(2.)));
    const char *const bands =
        ipr_arena_printf(f->mem, "%.0f to %.0f and %.0f to %.0f Elo",
                         ipr_json_at(e[0], "elo.low", 0), ipr_json_at(e[0], "elo.high", 0) - 1,
                         ipr_json_at(e[1], "elo.low", 0), ipr_json_at(e[1], "elo.high", 0) - 1);

    return word == NULL
               ? ipr_arena_printf(
                     f->mem, "the curves of %s do not show that it is worth more to either", bands)
               : ipr_arena_printf(f->mem, "of players of %s it is %s worth more to the %s ones",
                                  bands, word, d > 0 ? "stronger" : "weaker");
}

static const char *finding_of_score_curve(struct finding *f)
{
    const json_t *pawn = finding_pawn(f);

    if (!isfinite(ipr_json_at(pawn, "interval.low", NAN)))
        return NULL;
    f->shown = ipr_json_at(pawn, "interval.low", 0) > .5;
    return ipr_arena_printf(
        f->mem,
        "With an advantage of about a pawn (%s) the player to move scored %s%% of the points, %s, "
        "in %s of %s; %s.",
        ipr_wording_fixed(ipr_json_at(pawn, "v", NAN), 2, f->mem),
        ipr_wording_fixed(100 * ipr_json_at(pawn, "score", NAN), 1, f->mem),
        finding_interval(f, pawn, 100, 1, "%"),
        ipr_wording_plural(ipr_json_at(pawn, "positions", 0), "position", "positions", f->mem),
        ipr_wording_plural(ipr_json_at(pawn, "games", 0), "game", "games", f->mem),
        finding_of_bands(f));
}

/* ---- all of them ---- */

static const struct finding_kind {
    const char *name;
    const char *(*say)(struct finding *f);
} finding_kinds[] = {
    { "royale", finding_of_royale },           { "comparisons", finding_of_comparisons },
    { "conformance", finding_of_conformance }, { "complexity", finding_of_complexity },
    { "covariance", finding_of_covariance },   { "score_curve", finding_of_score_curve },
};

struct ipr_report_finding ipr_report_finding(const char *kind, const json_t *answer,
                                             const json_t *predictors, struct ipr_arena *mem)
{
    struct finding f = { .of = answer, .document = predictors, .mem = mem };
    struct ipr_report_finding out = { NULL, NULL, false };

    for (size_t i = 0; i < sizeof finding_kinds / sizeof *finding_kinds; i++)
        if (strcmp(finding_kinds[i].name, kind) == 0 && json_object_get(answer, "reason") == NULL)
            out.text = finding_kinds[i].say(&f);
    out.by = f.by;
    out.shown = out.text != NULL && f.shown;
    return out;
}

const char *ipr_report_list_finding(const json_t *reports, struct ipr_arena *mem)
{
    const char *first = NULL;
    size_t i, answered = 0, shown = 0;
    const json_t *one;

    json_array_foreach(reports, i, one) {
        const bool shows = ipr_json_true_at(one, "shown");

        answered += json_is_string(json_object_get(one, "finding"));
        shown += shows;
        if (shows && first == NULL)
            first = ipr_json_text_at(one, "finding");
    }
    const size_t all = json_array_size(reports);
    if (answered == 0)
        return ipr_arena_printf(mem,
                                "No answer yet: each of these %zu reports is computed when it is "
                                "opened for the first time.",
                                all);
    if (first == NULL)
        return ipr_arena_printf(mem,
                                "No question is answered by the data of the %s computed so far.",
                                ipr_wording_plural((double)answered, "report", "reports", mem));
    return ipr_arena_printf(mem, "%s The data answer %zu of the %zu questions%s.", first, shown,
                            all, answered < all ? "; others are not computed yet" : "");
}
