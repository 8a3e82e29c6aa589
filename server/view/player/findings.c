/* The sentences at the head of lists of players. */
#include "view/player/findings.h"

#include "sentence/sentence.h"
#include "view/json.h"
#include "view/wording.h"

/* ---- players ---- */

static const char *players_ratings(const char *highest, double n, struct ipr_arena *mem)
{
    const struct ipr_player_list_slots slots = { .n = n };

    return highest != NULL ? highest : ipr_say_player_list(IPR_PLAYER_LIST_NONE, &slots, mem);
}

static const char *players_none(const char *search)
{
    return *search != '\0' ? "No player of that name."
                           : "No player is stored, or none passes these "
                             "filters.";
}

const char *ipr_players_finding(const json_t *players, const char *highest, struct ipr_arena *mem)
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
                                players_ratings(highest, n, mem));
    const double similar = ipr_json_at(players, "similar", 0.0);
    if (similar > 0)
        return ipr_arena_printf(mem, "%s of a similar name and with far more games %s first. %s",
                                ipr_wording_plural(similar, "player", "players", mem),
                                similar == 1 ? "comes" : "come", players_ratings(highest, n, mem));
    return players_ratings(highest, n, mem);
}

/* ---- pairs that may be one person ---- */

const char *ipr_doubtful_finding(const json_t *doubtful, struct ipr_arena *mem)
{
    const double pairs = (double)json_array_size(json_object_get(doubtful, "pairs"));
    const double sure = (double)json_array_size(json_object_get(doubtful, "aliases"));
    const bool more = *ipr_json_text_at(doubtful, "next") != '\0';
    const struct ipr_player_doubtful_slots slots = { .pairs = pairs, .sure = sure, .more = more };

    return ipr_say_player_doubtful(pairs == 0 ? IPR_PLAYER_DOUBTFUL_NONE : IPR_PLAYER_DOUBTFUL_SOME,
                                   &slots, mem);
}
