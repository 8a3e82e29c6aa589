/* The sentences at the head of /validation. The service shows these sentences as they stand in
 * static/validation.json. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "lab/report.h"
#include "stats/interval.h"
#include "view/json.h"
#include "view/wording.h"

#define WORDS_PLAYERS 30 /* of a level, at least */
#define WORDS_GAMES   30 /* of the sets that the validation is stated by */

#define COVERAGE .95 /* of an interval that is right */

static bool words_are_chosen(const json_t *set)
{
    return ipr_json_true_at(set, "chosen");
}

/* The chosen estimator's sets of so many games of one band, or of single games. */
static const json_t *words_sets(const json_t *document, size_t part, int games)
{
    const json_t *const of = json_array_get(json_object_get(document, "parts"), part), *set;
    size_t i;

    json_array_foreach(json_object_get(of, "sets"), i, set)
        if (words_are_chosen(set) && ipr_json_at(set, "games", 0) == games &&
            strcmp(ipr_json_text_at(set, "of"), "player") != 0)
            return set;
    return NULL;
}

static double words_coverage(const json_t *set)
{
    return ipr_json_at(set, "coverage", NAN);
}

/* By how much chance alone makes the share of sets differ, in 19 of 20 cases. */
static double words_chance(const json_t *set)
{
    return IPR_Z95 * sqrt(COVERAGE * (1 - COVERAGE) / ipr_json_at(set, "sets", NAN));
}

/* The numbers of games whose interval contains the Elo too rarely: "5, 10". */
static const char *words_short(const json_t *document, struct ipr_arena *mem)
{
    const json_t *part, *set;
    const char *out = "";
    size_t i, k;

    json_array_foreach(json_object_get(document, "parts"), i, part)
        json_array_foreach(json_object_get(part, "sets"), k, set)
            if (words_are_chosen(set) && words_coverage(set) < COVERAGE - words_chance(set))
                out = ipr_arena_printf(mem, "%s%s%.0f", out, *out != '\0' ? ", " : "",
                                       ipr_json_at(set, "games", 0));
    return out;
}

/* "96% of 159 sets" */
static const char *words_share(const json_t *set, struct ipr_arena *mem)
{
    return ipr_arena_printf(mem, "%.0f%% of %s", 100 * words_coverage(set),
                            ipr_wording_plural(ipr_json_at(set, "sets", NAN), "set", "sets", mem));
}

/* The error, in Elo, which a reader of a rating wants first. It can be relied on if for no number
 * of games of a set, of players in no fit, the share of intervals that contain the Elo is smaller
 * than chance lets expect: 0.95 - 1.96 sqrt(0.95 * 0.05 / sets). */
static json_t *words_finding(const json_t *document, const json_t *set, struct ipr_arena *mem)
{
    const json_t *const one = words_sets(document, 0, 1);
    const char *const fails = words_short(document, mem);
    const double half = ipr_json_at(set, "width", NAN) / 2;
    const char *const single = one == NULL ? ""
                                           : ipr_arena_printf(mem, ", from one game within %.0f",
                                                              ipr_json_at(one, "width", NAN) / 2);

    if (*fails != '\0')
        return json_sprintf("A rating from %d games should be within %.0f points of the player's "
                            "Elo in 19 of 20 cases%s, but the interval is too narrow at %s "
                            "games a set.",
                            WORDS_GAMES, half, single, fails);
    return json_sprintf(
        "A rating from %d games is within %.0f points of the player's Elo in 19 of 20 cases%s.",
        WORDS_GAMES, half, single);
}

/* Says how often the interval holds at each level, from one game. */
static const char *words_levels(const json_t *document, struct ipr_arena *mem)
{
    double low = 1, high = 0;
    const json_t *level;
    size_t i;

    json_array_foreach(json_object_get(document, "by_level"), i, level) {
        if (ipr_json_at(level, "games", 0) != 1 ||
            !json_is_object(json_object_get(level, "rating")) ||
            ipr_json_at(level, "players", 0) < WORDS_PLAYERS ||
            strcmp(ipr_json_text_at(level, "evaluations"), "results") == 0)
            continue;
        low = fmin(low, words_coverage(level));
        high = fmax(high, words_coverage(level));
    }
    return low > high ? ""
                      : ipr_arena_printf(mem,
                                         " At each level of each pool of players the interval of "
                                         "one game holds for %.0f%% to %.0f%% of them.",
                                         100 * low, 100 * high);
}

/* How often the interval held, of other players than those of the fit and of those who are in no
 * fit at all, and what one game is worth. */
static json_t *words_tested(const json_t *document, const json_t *set, struct ipr_arena *mem)
{
    const json_t *const blind = words_sets(document, 1, WORDS_GAMES);
    const json_t *const one = words_sets(document, 0, 1);
    const double chance = words_chance(set);

    return json_sprintf(
        "Tested on other players than those it was fitted to, the 95%% interval contained the Elo "
        "in %s of %d games (%.0f%% to %.0f%% are expected by chance)%s.%s%s",
        words_share(set, mem), WORDS_GAMES, 100 * (COVERAGE - chance),
        fmin(100, 100 * (COVERAGE + chance)),
        blind == NULL
            ? ""
            : ipr_arena_printf(
                  mem, ", and in %s by players whose games had no part in making the rating",
                  words_share(blind, mem)),
        one == NULL ? ""
                    : ipr_arena_printf(mem,
                                       " From one game the error is only %.0f%% smaller than if "
                                       "everybody got the same rating.",
                                       100 * ipr_json_at(one, "less", NAN)),
        words_levels(document, mem));
}

void bench_words(json_t *document)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    const json_t *const set = words_sets(document, 0, WORDS_GAMES);
    const bool known = isfinite(words_coverage(set));

    json_object_set_new(document, "finding",
                        known ? words_finding(document, set, &mem) : json_null());
    json_object_set_new(document, "tested",
                        set != NULL ? words_tested(document, set, &mem) : json_null());
    ipr_arena_release(&mem);
}
