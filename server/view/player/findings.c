/* The sentences at the head of lists of players. */
#include "view/player/findings.h"

#include <math.h>

#include "view/json.h"
#include "view/wording.h"

/* ---- players ---- */

static double player_rating(const json_t *player)
{
    return ipr_json_at(player, "rating.estimate", NAN);
}

/* The one with the highest rating; NULL: nobody is rated. */
static const json_t *players_highest(const json_t *list)
{
    const json_t *player, *highest = NULL;
    size_t i;

    json_array_foreach(list, i, player) {
        if (isfinite(player_rating(player)) &&
            (highest == NULL || player_rating(player) > player_rating(highest)))
            highest = player;
    }
    return highest;
}

/* How many are rated, and how many of them have an interval that reaches up to `low`. */
static size_t players_rated(const json_t *list, double low)
{
    const json_t *player;
    size_t i, n = 0;

    json_array_foreach(list, i, player)
        n += isfinite(player_rating(player)) &&
             ipr_json_at(player, "rating.interval.high", INFINITY) >= low;
    return n;
}

/* Says how a player is rated who is alone in the list. */
static const char *player_alone(const json_t *player, struct ipr_arena *mem)
{
    const char *const rating = ipr_wording_rating(json_object_get(player, "rating"), mem);
    const char *const name = ipr_json_text_at(player, "name");

    return rating == NULL ? ipr_arena_printf(mem, "%s is not rated by the moves yet.", name)
                          : ipr_arena_printf(mem, "%s is rated %s.", name, rating);
}

/* Who has the highest rating, how certain that is, and how many have one. `part`: of a list that
 * has more pages. */
static const char *players_ratings(const json_t *list, bool part, struct ipr_arena *mem)
{
    const json_t *const highest = players_highest(list);
    const double n = (double)json_array_size(list);

    if (n == 1 && !part)
        return player_alone(json_array_get(list, 0), mem);
    if (highest == NULL)
        return ipr_arena_printf(mem, "None of %s%s is rated by the moves yet.",
                                ipr_wording_plural(n, "player", "players", mem),
                                part ? " on this page" : "");
    const double low = ipr_json_at(highest, "rating.interval.low", -INFINITY);
    const double rated = (double)players_rated(list, -INFINITY),
                 others = (double)players_rated(list, low) - 1;

    return ipr_arena_printf(
        mem, "%s has the highest rating by the moves%s, %s%s. %s of %s %s rated.",
        ipr_json_text_at(highest, "name"), part ? " on this page" : "",
        ipr_wording_rating(json_object_get(highest, "rating"), mem),
        others > 0
            ? ipr_arena_printf(mem, "; the %s of %s into this one",
                               others == 1 ? "interval" : "intervals",
                               ipr_wording_plural(others, "other reaches", "others reach", mem))
            : "",
        ipr_wording_count(rated, mem), ipr_wording_plural(n, "player", "players", mem),
        rated == 1 ? "is" : "are");
}

static const char *players_none(const char *search)
{
    return *search != '\0' ? "No player of that name."
                           : "No player is stored, or none passes these "
                             "filters.";
}

const char *ipr_players_finding(const json_t *players, bool part, struct ipr_arena *mem)
{
    const json_t *const list = json_object_get(players, "players");
    const char *const search = ipr_json_text_at(players, "search");
    const double n = (double)json_array_size(list);
    const bool near = ipr_json_true_at(players, "near");

    if (n == 0)
        return players_none(search);
    if (near)
        return ipr_arena_printf(mem, "No player of that name; spelled otherwise: %s. %s",
                                ipr_wording_plural(n, "name", "names", mem),
                                players_ratings(list, part, mem));
    const double similar = ipr_json_at(players, "similar", 0.0);
    if (similar > 0)
        return ipr_arena_printf(mem, "%s of a similar name and with far more games %s first. %s",
                                ipr_wording_plural(similar, "player", "players", mem),
                                similar == 1 ? "comes" : "come", players_ratings(list, part, mem));
    return players_ratings(list, part, mem);
}

/* ---- pairs that may be one person ---- */

const char *ipr_doubtful_finding(const json_t *doubtful, struct ipr_arena *mem)
{
    const double pairs = (double)json_array_size(json_object_get(doubtful, "pairs"));
    const double sure = (double)json_array_size(json_object_get(doubtful, "aliases"));
    const bool more = *ipr_json_text_at(doubtful, "next") != '\0';
    const char *const certain =
        sure > 0 ? ipr_arena_printf(mem, " By the spelling file %s one person for certain.",
                                    ipr_wording_plural(sure, "pair is", "pairs are", mem))
                 : "";

    if (pairs == 0)
        return ipr_arena_printf(mem, "%s%s",
                                more ? "Of the names that this page examined no two are so similar "
                                       "that they may be one person; there are more."
                                     : "No two names are so similar that they may be one person.",
                                certain);
    return ipr_arena_printf(
        mem, "%s so similar that they may be one person%s.%s",
        ipr_wording_plural(pairs, "pair of names is", "pairs of names are", mem),
        more ? "; there are more on the next page" : "", certain);
}
