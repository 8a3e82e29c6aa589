#include "db/known_turns.h"

#include <string.h>

#include <sodium.h>

#include "queries/turns_inside.h"

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

static void add_move(crypto_generichash_state *state, const struct ipr_pos *pos, ipr_move m)
{
    char text[1 + IPR_UCI_MAX] = " ";
    const size_t n = ipr_move_to_uci(pos, m, text + 1);

    crypto_generichash_update(state, (const unsigned char *)text, n + 1);
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

        add_move(&state, &pos, moves[ply]);
        ipr_pos_play(&pos, moves[ply]);
        if (irreversible)
            key_begin(&state, &pos);
    }
}

/* ---- turns ------------------------------------------------------------------------------------
 */

/* Its first K lines: the result of the search over all moves. */
static unsigned lines_of_all(const struct ipr_judge *judge, const struct ipr_judged_turn *t)
{
    return t->legal < judge->multipv ? t->legal : judge->multipv;
}

static bool find_move(const struct ipr_judged_turn *t, ipr_move m, unsigned *at)
{
    for (unsigned i = 0; i < t->lines; i++)
        if (t->moves[i] == m) {
            *at = i;
            return true;
        }
    return false;
}

/* The turn with `played` from a candidate. The move played there is dropped when it was searched
 * separately and is not the one here. False when the candidate lacks lines or the move. */
static bool adapt_candidate(const struct ipr_judge *judge, const struct ipr_judged_turn *from,
                            uint16_t ply, ipr_move played, struct ipr_judged_turn *out)
{
    const unsigned k = lines_of_all(judge, from);
    unsigned at;

    if (from->lines < k || !find_move(from, played, &at))
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

/* The candidates of one turn are adjacent; those with enough lines are identical. */
static void choose_candidates(const struct ipr_judge *judge, const struct ipr_db_game *game,
                              uint16_t first, const struct ipr_db_known_turn *c, size_t n,
                              struct ipr_judged_game *out)
{
    size_t done = 0; /* candidates of turns already processed */

    while (done < n) {
        const size_t at = c[done].at;
        const uint16_t ply = (uint16_t)(first + at);
        struct ipr_judged_turn t;
        bool found = false;

        for (; done < n && c[done].at == at; done++)
            found = found || adapt_candidate(judge, &c[done].turn, ply, game->moves[ply], &t);
        if (found)
            out->turns[out->n++] = t;
    }
}

enum ipr_code ipr_db_turns_known(struct ipr_db *db, int32_t judge_id,
                                 const struct ipr_db_game *game, const struct ipr_judge *judge,
                                 struct ipr_arena *mem, struct ipr_judged_game *out,
                                 struct ipr_err *err)
{
    const size_t first = ipr_judge_first_ply(judge);
    struct ipr_db_known_turn *known = NULL;
    size_t n = 0;

    *out = (struct ipr_judged_game){ NULL, 0 };
    if (!ipr_judge_is_pure(judge) || game->n_moves <= first || game->n_moves > UINT16_MAX)
        return IPR_OK;
    unsigned char(*keys)[16] = ipr_db_position_keys(&game->start, game->moves, game->n_moves, mem);
    const enum ipr_code rc =
        ipr_db_turns_alike(db, judge_id, keys + first, game->n_moves - first, mem, &known, &n, err);

    if (rc != IPR_OK)
        return rc;
    out->turns = ipr_arena_alloc(mem, game->n_moves - first, sizeof *out->turns);
    choose_candidates(judge, game, (uint16_t)first, known, n, out);
    return IPR_OK;
}
