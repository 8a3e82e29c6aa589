#include "db/import_filter.h"

#include <stdlib.h>

#include "queries/duplicate_candidates_inside.h"

/* A Bloom filter with one hash function: 4 MiB, of which a million games set one bit in sixteen. */
#define BITS ((uint64_t)1 << 25)

struct ipr_db_import_filter {
    bool had_games;                  /* there were games before */
    int32_t last_player, last_event; /* of those that existed before */
    uint64_t bits[BITS / 64];
};

enum ipr_code ipr_db_import_filter_open(struct ipr_db *db, struct ipr_db_import_filter **out,
                                        struct ipr_err *err)
{
    struct ipr_db_import_filter *own = ipr_xcalloc(1, sizeof *own);
    const enum ipr_code rc =
        ipr_db_import_before(db, &own->had_games, &own->last_player, &own->last_event, err);

    if (rc != IPR_OK)
        ipr_db_import_filter_free(&own);
    *out = own;
    return rc;
}

void ipr_db_import_filter_free(struct ipr_db_import_filter **own)
{
    free(*own);
    *own = NULL;
}

/* The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
static uint64_t mix_bits(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint64_t pair_place(const struct ipr_db_new_game *g, int32_t stem)
{
    const uint64_t pair = (uint64_t)(uint32_t)g->white_id.id << 32 | (uint32_t)g->black_id.id;

    return mix_bits(mix_bits(pair) + (uint32_t)stem) % BITS;
}

static uint64_t moves_place(const struct ipr_db_new_game *g, int year)
{
    return mix_bits((uint64_t)g->moves_key + (uint64_t)year) % BITS;
}

static void filter_set(struct ipr_db_import_filter *own, uint64_t place)
{
    own->bits[place / 64] |= (uint64_t)1 << place % 64;
}

static bool filter_has(const struct ipr_db_import_filter *own, uint64_t place)
{
    return (own->bits[place / 64] >> place % 64 & 1) != 0;
}

void ipr_db_import_filter_add(struct ipr_db_import_filter *own, const struct ipr_db_new_game *game)
{
    filter_set(own, pair_place(game, game->stem));
    filter_set(own, moves_place(game, game->year));
}

bool ipr_db_import_filter_may_have_pair(const struct ipr_db_import_filter *own,
                                        const struct ipr_db_new_game *game)
{
    const int32_t last = own->last_player;

    if (own->had_games && game->white_id.id <= last && game->black_id.id <= last)
        return true;
    return filter_has(own, pair_place(game, game->stem)) || filter_has(own, pair_place(game, 0));
}

bool ipr_db_import_filter_may_have_moves(const struct ipr_db_import_filter *own,
                                         const struct ipr_db_new_game *game)
{
    return own->had_games || game->year == 0 || filter_has(own, moves_place(game, game->year)) ||
           filter_has(own, moves_place(game, 0));
}

enum ipr_code ipr_db_import_filter_tidy(const struct ipr_db_import_filter *own, struct ipr_db *db,
                                        struct ipr_err *err)
{
    return ipr_db_import_tidy(db, own->last_player, own->last_event, err);
}
