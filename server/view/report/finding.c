#include "view/report/finding.h"

#include <math.h>
#include <string.h>

#include "model/prediction_error.h"
#include "registry.h"
#include "sentence/sentence.h"
#include "view/certainty.h"
#include "view/figure/figure.h"
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

struct finding_name {
    const char *key, *text;
};

/* As within a sentence. */
static const struct finding_name finding_predictors[] = {
    IPR_PREDICTOR_PHRASE,
    { "even", "“always 50%”" },
    { NULL, NULL },
};

/* In the order of the cases of the sentence. */
static const char *const finding_indicators[] = { "stability",        "jump_value", "jump_depth",
                                                  "jump_value_depth", "sullivan",   "depth_time" };

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

static const char *finding_of_leader(struct finding *f)
{
    struct finding_player p[2];

    finding_leaders(f, p);
    const double of_year = ipr_json_at(p[0].best, "best_probability", 0);
    const bool next = p[1].best != NULL;
    const struct ipr_report_royale_slots slots = {
        .by = finding_named(finding_predictors, ipr_json_text_at(f->of, "compared_by.predictor")),
        .who = finding_player(f, p[0].best),
        .year = ipr_json_at(p[0].best, "year", 0),
        .chance = p[0].probability,
        .of_year = of_year,
        .next = next ? finding_player(f, p[1].best) : NULL,
        .next_chance = ipr_number_if(next, p[1].probability),
    };

    f->shown = ipr_certainty_word(p[0].probability) != NULL;
    return ipr_say_report_royale(!f->shown                             ? IPR_REPORT_ROYALE_UNDECIDED
                                 : ipr_certainty_word(of_year) != NULL ? IPR_REPORT_ROYALE_YEAR
                                                                       : IPR_REPORT_ROYALE_PLAYER,
                                 &slots, f->mem);
}

/* By what, and how far that is to be believed. */
static const char *finding_royale_by(const struct finding *f)
{
    const char *const key = ipr_json_text_at(f->of, "compared_by.predictor");
    const char *const test =
        ipr_json_text_at(f->document, ipr_arena_printf(f->mem, "words.tests.%s", key));
    const struct ipr_report_royale_by_slots slots = {
        .by = finding_named(finding_predictors, key),
        .rule = ipr_json_true_at(f->of, "compared_by.by_rule"),
        .elo = strcmp(key, "elo") == 0,
        .test = *test != '\0' ? test : NULL,
    };

    return ipr_say_report_royale_by(IPR_REPORT_ROYALE_BY_ALL, &slots, f->mem);
}

static const char *finding_of_royale(struct finding *f)
{
    const json_t *first = json_array_get(json_object_get(f->of, "ranking"), 0);

    if (first == NULL)
        return NULL;
    f->by = finding_royale_by(f);
    if (isfinite(ipr_json_at(first, "best_probability", NAN)))
        return finding_of_leader(f);
    return ipr_say_report_royale_plain(IPR_REPORT_ROYALE_PLAIN_ALL,
                                       &(struct ipr_report_royale_plain_slots){
                                           finding_player(f, first), ipr_json_at(first, "year", 0),
                                           ipr_json_at(f->of, "active", 0),
                                           ipr_json_at(first, "expected", NAN),
                                           ipr_json_at(first, "turns", 0) },
                                       f->mem);
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
    if (tied > 0)
        f->by = ipr_say_report_matches_tied(
            tied == others ? IPR_REPORT_MATCHES_TIED_NONE : IPR_REPORT_MATCHES_TIED_SOME,
            &(struct ipr_report_matches_tied_slots){ who, (double)tied, (double)others }, f->mem);
    return ipr_say_report_matches(
        tied == 0 ? IPR_REPORT_MATCHES_BEST : IPR_REPORT_MATCHES_OPEN,
        &(struct ipr_report_matches_slots){ matches, who, IPR_PREDICTION_ERROR_MATCHES }, f->mem);
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
    return ipr_say_report_matches(
        IPR_REPORT_MATCHES_FEW,
        &(struct ipr_report_matches_slots){ matches, NULL, IPR_PREDICTION_ERROR_MATCHES }, f->mem);
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
    return ipr_say_report_correlation(IPR_REPORT_CORRELATION_ALL,
                                      &(struct ipr_report_correlation_slots){
                                          ipr_json_at(figure, "estimate", NAN),
                                          ipr_json_interval_of(json_object_get(figure, "interval")),
                                          ipr_json_at(figure, "turns", 0),
                                          ipr_json_at(figure, "games", 0) },
                                      f->mem);
}

static const char *finding_of_conformance(struct finding *f)
{
    const json_t *at = ipr_json_find(f->of, "forms.weighted.at_30.rho");
    const double rho = ipr_json_at(at, "estimate", NAN);

    if (!isfinite(rho))
        return NULL;
    f->shown = finding_excludes_zero(at);
    return ipr_say_report_conformance(
        f->shown ? IPR_REPORT_CONFORMANCE_FOUND : IPR_REPORT_CONFORMANCE_OPEN,
        &(struct ipr_report_conformance_slots){ finding_rho(f, at), ipr_correlation_size(rho),
                                                rho <= 0 },
        f->mem);
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
    return ipr_say_report_covariance(
        f->shown ? IPR_REPORT_COVARIANCE_FOUND : IPR_REPORT_COVARIANCE_OPEN,
        &(struct ipr_report_covariance_slots){ finding_rho(f, best), ipr_correlation_size(rho),
                                               ipr_json_at(best, "n0", NAN),
                                               ipr_json_at(best, "b", NAN), (double)tried },
        f->mem);
}

/* ---- complexity ---- */

/* The indicator with the largest correlation, of *known that have one. */
static enum ipr_report_indicator finding_indicator(const json_t *all, size_t *known)
{
    size_t best = 0;
    double most = -1;

    *known = 0;
    for (size_t i = 0; i < sizeof finding_indicators / sizeof *finding_indicators; i++) {
        const json_t *const one = json_object_get(all, finding_indicators[i]);
        const double size = fabs(ipr_json_at(one, "estimate", NAN));

        *known += isfinite(size);
        if (size > most) {
            most = size;
            best = i;
        }
    }
    return (enum ipr_report_indicator)best;
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
    const json_t *const all = ipr_json_find(f->of, "all.indicators");
    const enum ipr_report_indicator which = finding_indicator(all, &known);
    const char *const name = finding_indicators[which];
    const json_t *const one = json_object_get(all, name);
    const double rho = ipr_json_at(one, "estimate", NAN);
    const size_t players = json_array_size(json_object_get(f->of, "players"));

    if (!isfinite(rho))
        return NULL;
    const struct ipr_report_complexity_slots slots = {
        .indicator = ipr_say_report_indicator(
            which, &(struct ipr_report_indicator_slots){ (double)known }, f->mem),
        .rho = finding_rho(f, one),
        .size = ipr_correlation_size(rho),
        .less = rho <= 0,
        .weak = fabs(rho) < .3,
        .alike = finding_players_alike(f, name, rho),
        .players = (double)players,
    };

    f->shown = finding_excludes_zero(one);
    return ipr_say_report_complexity(
        f->shown ? IPR_REPORT_COMPLEXITY_FOUND : IPR_REPORT_COMPLEXITY_OPEN, &slots, f->mem);
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
        return ipr_say_report_bands(IPR_REPORT_BANDS_FEW, &(struct ipr_report_bands_slots){ 0 },
                                    f->mem);
    const double d = ipr_json_at(e[1], "b.estimate", NAN) - ipr_json_at(e[0], "b.estimate", NAN);
    const double se = hypot(ipr_json_at(e[1], "b.standard_error", NAN),
                            ipr_json_at(e[0], "b.standard_error", NAN));
    const struct ipr_report_bands_slots slots = {
        ipr_json_at(e[0], "elo.low", 0),     ipr_json_at(e[0], "elo.high", 0) - 1,
        ipr_json_at(e[1], "elo.low", 0),     ipr_json_at(e[1], "elo.high", 0) - 1,
        .5 * erfc(-fabs(d) / se / sqrt(2.)), d > 0,
    };

    return ipr_say_report_bands(ipr_certainty_word(slots.chance) == NULL ? IPR_REPORT_BANDS_OPEN
                                                                         : IPR_REPORT_BANDS_FOUND,
                                &slots, f->mem);
}

static const char *finding_of_score_curve(struct finding *f)
{
    const json_t *pawn = finding_pawn(f);

    if (!isfinite(ipr_json_at(pawn, "interval.low", NAN)))
        return NULL;
    f->shown = ipr_json_at(pawn, "interval.low", 0) > .5;
    return ipr_say_report_score_curve(
        IPR_REPORT_SCORE_CURVE_ALL,
        &(struct ipr_report_score_curve_slots){
            ipr_json_at(pawn, "v", NAN), ipr_json_at(pawn, "score", NAN),
            ipr_json_interval_of(json_object_get(pawn, "interval")),
            ipr_json_at(pawn, "positions", 0), ipr_json_at(pawn, "games", 0), finding_of_bands(f) },
        f->mem);
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

const char *ipr_report_list_finding(const struct ipr_list_report_kind *reports,
                                    struct ipr_arena *mem)
{
    const char *first = NULL;
    size_t answered = 0, shown = 0;

    for (size_t i = 0; i < reports->n; i++) {
        const struct ipr_answer_report_kind *const one = &reports->at[i];

        answered += one->finding != NULL;
        shown += one->shown == 1;
        if (one->shown == 1 && first == NULL)
            first = one->finding;
    }
    return ipr_say_report_list(
        answered == 0   ? IPR_REPORT_LIST_NONE
        : first == NULL ? IPR_REPORT_LIST_OPEN
                        : IPR_REPORT_LIST_SOME,
        &(struct ipr_report_list_slots){ first, (double)shown, (double)answered, (double)reports->n,
                                         answered < reports->n },
        mem);
}
