/* The sentences at the head of lists of players. */
#include "view/player/findings.h"

#include "sentence/sentence.h"
#include "view/json.h"

/* ---- players ---- */

static const char *players_ratings(const char *highest, double n, struct ipr_arena *mem)
{
    const struct ipr_player_list_slots slots = { .n = n };

    return highest != NULL ? highest : ipr_say_player_list(IPR_PLAYER_LIST_NONE, &slots, mem);
}

const char *ipr_players_finding(const struct ipr_answer_players *players, const char *highest,
                                struct ipr_arena *mem)
{
    const size_t n = players->players.n;
    const bool named = players->search != NULL && *players->search != '\0';
    const struct ipr_player_players_slots slots = {
        .n = (double)n,
        .similar = (double)players->similar,
        .ratings = players_ratings(highest, (double)n, mem),
    };

    if (n == 0)
        return ipr_say_player_players(
            named ? IPR_PLAYER_PLAYERS_NOT_OF_NAME : IPR_PLAYER_PLAYERS_NONE, &slots, mem);
    if (players->near > 0)
        return ipr_say_player_players(IPR_PLAYER_PLAYERS_NEAR, &slots, mem);
    return slots.similar > 0 ? ipr_say_player_players(IPR_PLAYER_PLAYERS_SIMILAR, &slots, mem)
                             : slots.ratings;
}

/* ---- pairs that may be one person ---- */

const char *ipr_doubtful_finding(const struct ipr_answer_similar_pairs *doubtful,
                                 struct ipr_arena *mem)
{
    const size_t pairs = doubtful->pairs.n;
    const struct ipr_player_doubtful_slots slots = { .pairs = (double)pairs,
                                                     .sure = (double)doubtful->aliases.n,
                                                     .more = doubtful->next != NULL };

    return ipr_say_player_doubtful(pairs == 0 ? IPR_PLAYER_DOUBTFUL_NONE : IPR_PLAYER_DOUBTFUL_SOME,
                                   &slots, mem);
}
