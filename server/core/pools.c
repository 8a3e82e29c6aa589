#include "core/pools.h"

#include <string.h>

#include "base/mem.h"
#include "model/strength_evals.h"
#include "model/strength_pools.h"
#include "pgn/time_class.h"

#define NO_MOVES                                                                                   \
    {                                                                                              \
        IPR_FOR_RATING, NULL, 0, 0, NULL                                                           \
    }
#define NO_FILES                                                                                   \
    {                                                                                              \
        IPR_FOR_FILES, NULL, 0, 0, NULL                                                            \
    }
#define NO_HUMANS                                                                                  \
    {                                                                                              \
        IPR_FOR_HUMANS, NULL, 0, 0, NULL                                                           \
    }
#define ONLINE(speed, class)                                                                       \
    "online-" speed, "lichess " speed, "online " speed " games", "lichess", IPR_TIME_BIT(class)
#define OTB(speed, class)                                                                          \
    "otb-" speed, speed " over the board", speed " games over the board", NULL, IPR_TIME_BIT(class)

static const struct ipr_pool pools[IPR_POOLS] = {
    { "otb",
      "Elo over the board at classical or unknown time controls",
      "games over the board",
      NULL,
      IPR_TIME_SET_DEFAULT,
      { IPR_FOR_RATING, &ipr_strength_shipped, 1200, 2900, &ipr_profile_otb_moves },
      { IPR_FOR_FILES, &ipr_strength_evals, 1200, 2900, NULL },
      NO_HUMANS },
    { ONLINE("rapid", IPR_TIME_ONLINE_RAPID),
      { IPR_FOR_RATING, &ipr_strength_online_rapid_moves, 900, 2500,
        &ipr_profile_online_rapid_moves },
      { IPR_FOR_FILES, &ipr_strength_online_rapid_files, 700, 2500,
        &ipr_profile_online_rapid_files },
      { IPR_FOR_HUMANS, &ipr_strength_online_rapid_humans, 700, 2300, NULL } },
    { ONLINE("blitz", IPR_TIME_ONLINE_BLITZ),
      { IPR_FOR_RATING, &ipr_strength_online_blitz_moves, 1000, 2200,
        &ipr_profile_online_blitz_moves },
      NO_FILES,
      { IPR_FOR_HUMANS, &ipr_strength_online_blitz_humans, 1000, 2300, NULL } },
    { ONLINE("bullet", IPR_TIME_ONLINE_BULLET),
      { IPR_FOR_RATING, &ipr_strength_online_bullet_moves, 1000, 2400,
        &ipr_profile_online_bullet_moves },
      NO_FILES,
      { IPR_FOR_HUMANS, &ipr_strength_online_bullet_humans, 1000, 2300, NULL } },
    { ONLINE("classical", IPR_TIME_ONLINE_CLASSICAL), NO_MOVES, NO_FILES, NO_HUMANS },
    { "online-unknown", "online, speed unknown", "online games of unknown speed", NULL,
      IPR_TIME_BIT(IPR_TIME_ONLINE_UNKNOWN), NO_MOVES, NO_FILES, NO_HUMANS },
    { OTB("rapid", IPR_TIME_RAPID),
      { IPR_FOR_RATING, &ipr_strength_otb_rapid_moves, 2300, 2800, NULL },
      NO_FILES,
      NO_HUMANS },
    { OTB("blitz", IPR_TIME_BLITZ),
      { IPR_FOR_RATING, &ipr_strength_otb_blitz_moves, 2300, 2800, NULL },
      NO_FILES,
      NO_HUMANS },
    { OTB("bullet", IPR_TIME_BULLET), NO_MOVES, NO_FILES, NO_HUMANS },
    { "correspondence", "correspondence", "correspondence games", NULL,
      IPR_TIME_BIT(IPR_TIME_CORRESPONDENCE), NO_MOVES, NO_FILES, NO_HUMANS },
};

static const struct ipr_pool mixed = {
    "mixed",   "games of several pools", "games of several pools", NULL, 0, NO_MOVES, NO_FILES,
    NO_HUMANS,
};

const struct ipr_pool *ipr_pool_at(size_t i)
{
    return &pools[i];
}

const struct ipr_pool *ipr_pool_of(unsigned times)
{
    const unsigned classes = times & IPR_TIME_SET_ALL;

    for (size_t i = 0; i < IPR_POOLS; i++)
        if ((classes & ~pools[i].times) == 0)
            return &pools[i];
    return &mixed;
}

const struct ipr_pool *ipr_pool_named(const char *name)
{
    for (size_t i = 0; i < IPR_POOLS; i++)
        if (strcmp(pools[i].name, name) == 0)
            return &pools[i];
    return strcmp(mixed.name, name) == 0 ? &mixed : &pools[0];
}

const struct ipr_scale *ipr_pool_scale(const struct ipr_pool *pool)
{
    if (pool->moves.fit != NULL)
        return &pool->moves;
    return pool->files.fit != NULL ? &pool->files : &pools[0].moves;
}

const char *ipr_pool_in(const struct ipr_pool *pool, struct ipr_arena *mem)
{
    const char *const in = pool->server != NULL ? "on the scale of" : "in";

    return pool == &pools[0] ? "" : ipr_arena_printf(mem, " %s %s", in, pool->title);
}

const char *ipr_pool_foreign(const struct ipr_pool *pool, const char *server)
{
    return pool->server == NULL || server == NULL || strcmp(server, pool->server) == 0 ? NULL
                                                                                       : server;
}

const char *ipr_scale_none(const struct ipr_pool *pool, const struct ipr_scale *scale,
                           struct ipr_arena *mem)
{
    if (scale->fit != NULL)
        return NULL;
    if (pool == &mixed)
        return "games at each speed, over the board and online, have rating scales of their own: "
               "choose one of them";
    if (scale == &pool->moves && pool->files.fit != NULL)
        return ipr_arena_printf(mem, "ratings of %s have no scale yet for moves analysed here",
                                pool->games);
    if (scale == &pool->files && pool->moves.fit != NULL)
        return ipr_arena_printf(mem,
                                "%s are rated when they are analysed here: there is no scale "
                                "for evaluations in their file",
                                pool->games);
    return ipr_arena_printf(mem, "ratings of %s have no scale yet", pool->games);
}

const char *ipr_scale_name(const struct ipr_scale *scale)
{
    return ipr_setting_name(scale->purpose);
}

bool ipr_scale_holds(const struct ipr_scale *scale, double rating)
{
    return scale->fit != NULL && rating >= scale->low && rating <= scale->high;
}
