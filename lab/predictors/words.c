/* Sentences about the comparison of predictors. The service shows these sentences as they stand
 * in static/predictors.json. Elo "predicted games better than any predictor from the moves" if the
 * interval of each of their differences from it excludes 0; of the others only the games of
 * champions against each other count, and "not shown to be better than even chances" is an interval
 * with 0 in it. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "lab/predictors/table.h"
#include "view/json.h"
#include "view/wording.h"

/* The verdict for games of players with an Elo, or for others, and the table that it is from. */
struct words {
    const json_t *verdict, *rows;
    struct ipr_arena *mem;
};

static struct words words_from(const json_t *document, bool elo, struct ipr_arena *mem)
{
    const json_t *const table =
        ipr_json_first(json_object_get(document, "tables"), "name", elo ? "any" : "champions");

    return (struct words){ .verdict = ipr_json_find(document, elo ? "recommended.with_elo"
                                                                  : "recommended.without_elo"),
                           .rows = json_object_get(table, "predictors"),
                           .mem = mem };
}

static const char *words_title(const struct words *w)
{
    return ipr_json_text_at(w->verdict, "title");
}

static bool words_better(const struct words *w)
{
    return ipr_json_true_at(w->verdict, "better_than_base");
}

static const char *words_games(const struct words *w)
{
    return ipr_arena_printf(w->mem, "%s games",
                            ipr_wording_count(ipr_json_at(w->verdict, "games", 0), w->mem));
}

/* ---- the finding, with its figures ---- */

static const char *words_games_of_champions(const struct words *w)
{
    return ipr_arena_printf(w->mem, "%s of %.0f champions", words_games(w),
                            ipr_json_at(w->verdict, "champions", 0));
}

/* True if the predictor needs moves and nothing else. */
static bool words_is_of_moves(const char *name)
{
    return strcmp(name, "even") != 0 && strncmp(name, "elo", 3) != 0;
}

/* Returns the predictor from moves with the lowest corrected log loss; NULL: there is none. */
static const json_t *words_best_of_moves(const struct words *w)
{
    const json_t *row, *best = NULL;
    size_t i;

    json_array_foreach(w->rows, i, row)
        if (words_is_of_moves(ipr_json_text_at(row, "predictor")) &&
            (best == NULL || ipr_json_at(row, "corrected_log_loss", INFINITY) <
                                 ipr_json_at(best, "corrected_log_loss", INFINITY)))
            best = row;
    return best;
}

/* "0.0105 higher, 95% interval 0.0057 to 0.0153" */
static const char *words_difference(const json_t *row, struct ipr_arena *mem)
{
    const double d = ipr_json_at(row, "difference", NAN), sign = d < 0 ? -1 : 1;
    const double low = sign * ipr_json_at(row, "interval.low", NAN);
    const double high = sign * ipr_json_at(row, "interval.high", NAN);

    return ipr_arena_printf(mem, "%s %s, 95%% interval %s to %s",
                            ipr_wording_fixed(sign * d, 4, mem), d < 0 ? "lower" : "higher",
                            ipr_wording_fixed(fmin(low, high), 4, mem),
                            ipr_wording_fixed(fmax(low, high), 4, mem));
}

static const char *words_difference_of_verdict(const struct words *w)
{
    return words_difference(
        ipr_json_first(w->rows, "predictor", ipr_json_text_at(w->verdict, "predictor")), w->mem);
}

/* Says which predictor is best for players with an Elo. */
static const char *words_best_with_elo(const struct words *w)
{
    const char *const of = words_games_of_champions(w);
    const char *const base = ipr_json_text_at(w->verdict, "base");
    const json_t *const closest = words_best_of_moves(w);

    if (words_better(w))
        return ipr_arena_printf(w->mem,
                                "On %s, %s predicts results better than %s: its log loss is %s.",
                                of, words_title(w), base, words_difference_of_verdict(w));
    if (closest == NULL)
        return ipr_arena_printf(w->mem, "%s predicts results best, on %s.", base, of);
    return ipr_arena_printf(w->mem,
                            "%s predicts results best: on %s no predictor from the moves is "
                            "better; the log loss of the closest, %s, is %s.",
                            base, of, ipr_json_text_at(closest, "title"),
                            words_difference(closest, w->mem));
}

static const char *words_best_without_elo(const struct words *w)
{
    const char *const of = words_games_of_champions(w);
    const json_t *const closest = words_best_of_moves(w);

    if (words_better(w))
        return ipr_arena_printf(w->mem,
                                " Without Elo, on %s, %s is best, with a log loss %s than half the "
                                "points for everybody.",
                                of, words_title(w), words_difference_of_verdict(w));
    return closest == NULL
               ? ""
               : ipr_arena_printf(w->mem,
                                  " Without Elo, on %s who played each other, none is shown to "
                                  "be better than half the points for everybody: the log loss "
                                  "of %s, the lowest, is %s.",
                                  of, ipr_json_text_at(closest, "title"),
                                  words_difference(closest, w->mem));
}

/* ---- the recommendation, in brief ---- */

/* True if Elo predicted better than each predictor from the moves alone: every interval of the
 * differences excludes 0. */
static bool words_elo_is_better(const struct words *w)
{
    const json_t *row;
    size_t i, n = 0;

    json_array_foreach(w->rows, i, row) {
        if (!words_is_of_moves(ipr_json_text_at(row, "predictor")))
            continue;
        if (!(ipr_json_at(row, "interval.low", -INFINITY) > 0))
            return false;
        n++;
    }
    return n > 0;
}

/* "Elo predicted 7,348 games better than any predictor from the moves", of `name`. */
static const char *words_with_elo(const struct words *w, const char *name)
{
    if (words_better(w))
        return ipr_arena_printf(w->mem, "%s predicted %s better than Elo", name, words_games(w));
    return words_elo_is_better(w)
               ? ipr_arena_printf(w->mem,
                                  "%s predicted %s better than any predictor from the moves", name,
                                  words_games(w))
               : ipr_arena_printf(w->mem, "no predictor from the moves predicted %s better",
                                  words_games(w));
}

static const char *words_without_elo(const struct words *w)
{
    return words_better(w)
               ? ipr_arena_printf(w->mem,
                                  "without an Elo believe %s: it predicted %s better than even "
                                  "chances",
                                  words_title(w), words_games(w))
               : "without an Elo none was shown to be better than even chances";
}

static const char *words_why_with_elo(const struct words *w)
{
    const char *const why = words_with_elo(w, words_title(w));

    return ipr_arena_printf(w->mem, "%s%s.", *why == 'n' ? "N" : "", why + (*why == 'n'));
}

static const char *words_why_without_elo(const struct words *w)
{
    return words_better(w)
               ? ipr_arena_printf(w->mem,
                                  "Without an Elo of both, %s predicted %s better than even "
                                  "chances.",
                                  words_title(w), words_games(w))
               : "Without an Elo of both, no predictor was shown to be better than even chances.";
}

/* How each predictor did, as a clause about "it"; by the word for it that /royale has. */
static json_t *words_tests(const struct words *with, const struct words *without)
{
    const char *const games = words_games(without);
    json_t *const out = json_pack("{s:s}", "elo", words_with_elo(with, "it"));
    const json_t *row;
    size_t i;

    json_array_foreach(without->rows, i, row) {
        const char *const name = ipr_json_text_at(row, "predictor");
        const bool better = ipr_json_at(row, "interval.high", INFINITY) < 0;

        json_object_set_new(
            out, strcmp(name, "mean_loss") == 0 ? "ipr" : name,
            better
                ? json_sprintf("it predicted %s between champions better than even chances", games)
                : json_sprintf("in %s between champions it was not shown to predict results "
                               "better than even chances",
                               games));
    }
    return out;
}

void predictors_words(json_t *document)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    const struct words with = words_from(document, true, &mem);
    const struct words without = words_from(document, false, &mem);
    const char *const brief =
        ipr_arena_printf(&mem, "To predict results, believe %s where both players have %s",
                         words_title(&with), words_better(&with) ? "an Elo" : "one");

    json_object_set_new(json_object_get(document, "recommended"), "text",
                        json_sprintf("%s: %s; %s.", brief, words_with_elo(&with, "it"),
                                     words_without_elo(&without)));
    json_object_set_new(
        document, "finding",
        json_sprintf("%s%s", words_best_with_elo(&with), words_best_without_elo(&without)));
    json_object_set_new(document, "words",
                        json_pack("{s:s, s:s, s:s, s:o}", "brief", brief, "why_with_elo",
                                  words_why_with_elo(&with), "why_without_elo",
                                  words_why_without_elo(&without), "tests",
                                  words_tests(&with, &without)));
    ipr_arena_release(&mem);
}
