#include "db/known_turns.h"

#include <string.h>

#include <sodium.h>

#include "db/side_turns.h"
#include "queries/turns_inside.h"

/* Only positions of the first 20 moves have keys. In 3,171 games of many events these were a third
 * of the positions from move 9 on, and 99.4 % of those that occurred again. */
#define KEYED_PLIES 40

/* ---- keys -------------------------------------------------------------------------------------
 */

/* The number of the move, the last field, has no effect on an engine that searches to a depth. */
static void key_begin(crypto_generichash_state *state, const struct ipr_pos *base)
{
    char fen[IPR_FEN_MAX];

    ipr_pos_to_fen(base, fen);
    crypto_generichash_init(state, NULL, 0, 16);
    crypto_generichash_update(state, (const unsigned char *)fen, (size_t)(strrchr(fen, ' ') - fen));
}

unsigned char (*ipr_db_position_keys(const struct ipr_pos *start, const ipr_move *moves,
                                     size_t n_moves, struct ipr_arena *mem))[16]
{
    unsigned char(*keys)[16] = ipr_arena_alloc(mem, n_moves + 1, sizeof *keys);
    struct ipr_pos pos = *start;
    crypto_generichash_state state;

    key_begin(&state, &pos);
    for (size_t ply = 0;; ply++) {
        crypto_generichash_state here = state;

        crypto_generichash_final(&here, keys[ply], sizeof keys[ply]);
        if (ply == n_moves)
            return keys;
        const bool irreversible = ipr_pos_irreversible(&pos, moves[ply]);
        char text[1 + IPR_UCI_MAX] = " ";
        const size_t n = ipr_move_to_uci(&pos, moves[ply], text + 1);

        crypto_generichash_update(&state, (const unsigned char *)text, n + 1);
        ipr_pos_play(&pos, moves[ply]);
        if (irreversible)
            key_begin(&state, &pos);
    }
}

const unsigned char **ipr_db_side_keys(const struct ipr_db_game *game,
                                       const struct ipr_judged_game *judged,
                                       const struct ipr_judged_game *known, int colour,
                                       struct ipr_arena *mem, size_t *n)
{
    unsigned char(*keys)[16] = ipr_db_position_keys(&game->start, game->moves, game->n_moves, mem);
    const unsigned char **out = ipr_arena_alloc(mem, KEYED_PLIES, sizeof *out);
    size_t k = 0;

    *n = 0;
    for (size_t i = 0; i < judged->n && judged->turns[i].ply < KEYED_PLIES; i++) {
        const uint16_t ply = judged->turns[i].ply;

        while (known != NULL && k < known->n && known->turns[k].ply < ply)
            k++;
        if (judged->turns[i].mover == colour)
            out[(*n)++] =
                known != NULL && k < known->n && known->turns[k].ply == ply ? NULL : keys[ply];
    }
    return out;
}

/* ---- turns ------------------------------------------------------------------------------------
 */

/* The turn with `played` from a candidate. The move played there is dropped when it was searched
 * separately and is not the one here. False when the candidate lacks lines or the move. */
static bool adapt_candidate(const struct ipr_judge *judge, const struct ipr_judged_turn *from,
                            uint16_t ply, ipr_move played, struct ipr_judged_turn *out)
{
    /* The first K lines are the result of the search over all moves. */
    const unsigned k = from->legal < judge->multipv ? from->legal : judge->multipv;
    unsigned at = 0;

    while (at < from->lines && from->moves[at] != played)
        at++;
    if (from->lines < k || at == from->lines)
        return false;
    *out = *from;
    out->ply = ply;
    out->played = (uint8_t)at;
    if (at < k) {
        out->lines = (uint8_t)k;
        out->nodes -= from->apart_nodes;
        out->apart_nodes = 0;
    }
    return true;
}

enum ipr_code ipr_db_turns_known(struct ipr_db *db, int32_t judge_id,
                                 const struct ipr_db_game *game, const struct ipr_judge *judge,
                                 struct ipr_arena *mem, struct ipr_judged_game *out,
                                 struct ipr_err *err)
{
    const size_t first = ipr_judge_first_ply(judge);
    const size_t end = game->n_moves < KEYED_PLIES ? game->n_moves : KEYED_PLIES;
    struct ipr_db_position_side *sides = NULL;
    size_t n = 0;

    *out = (struct ipr_judged_game){ NULL, 0 };
    if (!ipr_judge_is_pure(judge) || end <= first)
        return IPR_OK;
    unsigned char(*keys)[16] = ipr_db_position_keys(&game->start, game->moves, end, mem);
    enum ipr_code rc = ipr_db_sides_with_positions(db, judge_id, keys + first, end - first,
                                                   game->id, mem, &sides, &n, err);
    struct ipr_judged_turn *found = ipr_arena_alloc(mem, end, sizeof *found);

    /* found[ply] becomes the turn of a stored side whose position occurs in the game and that has
     * the move played there. */
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        struct ipr_judged_game turns = { 0 };

        rc = ipr_db_side_game(&sides[i].side, 1, IPR_SIDES_WITH_LINES, mem, &turns, err);
        for (size_t t = 0; rc == IPR_OK && t < turns.n && 16 * (t + 1) <= sides[i].keys.n; t++)
            for (size_t ply = first; ply < end; ply++)
                if (found[ply].lines == 0 && memcmp(sides[i].keys.p + 16 * t, keys[ply], 16) == 0)
                    adapt_candidate(judge, &turns.turns[t], (uint16_t)ply, game->moves[ply],
                                    &found[ply]);
    }
    if (rc != IPR_OK)
        return rc;
    for (size_t ply = first; ply < end; ply++)
        if (found[ply].lines > 0)
            found[out->n++] = found[ply];
    out->turns = found;
    return IPR_OK;
}
