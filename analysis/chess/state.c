#include "chess/state.h"

#include <stdlib.h>

#include "base/mem.h"
#include "chess/attacks.h"

#define DARK_SQUARES UINT64_C(0xAA55AA55AA55AA55) /* a1 is dark */

#define CLAIM_REPETITIONS 3u
#define DRAWN_REPETITIONS 5u
#define CLAIM_PLIES       100u
#define DRAWN_PLIES       150u

/* The keys of the positions so far, and the index of the one after the last capture or pawn move:
 * no earlier position can occur again. */
struct line {
    uint64_t *keys;
    size_t run_start;
};

/* Equal positions are an even number of plies apart, since the same side is to move. The latest of
 * them has the number of the others. */
static uint16_t line_repetitions(const struct line *line, const struct ipr_state *states, size_t at)
{
    for (size_t back = 2; back <= at - line->run_start; back += 2)
        if (line->keys[at - back] == line->keys[at])
            return (uint16_t)(states[at - back].repetitions + 1);
    return 1;
}

static bool material_insufficient(const struct ipr_pos *pos)
{
    const uint64_t minor = pos->by_piece[IPR_KNIGHT] | pos->by_piece[IPR_BISHOP];
    const uint64_t bishops = pos->by_piece[IPR_BISHOP];

    if (ipr_occupied(pos) != (minor | pos->by_piece[IPR_KING]))
        return false;
    if (!ipr_several(minor))
        return true;
    return minor == bishops && ((bishops & DARK_SQUARES) == 0 || (bishops & ~DARK_SQUARES) == 0);
}

static void note_state(struct line *line, const struct ipr_pos *pos, size_t at,
                       struct ipr_state *states)
{
    struct ipr_state *const s = &states[at];
    ipr_move legal[IPR_MAX_MOVES];
    const bool stuck = ipr_pos_legal(pos, legal) == 0;

    if (pos->halfmove == 0)
        line->run_start = at;
    line->keys[at] = pos->key;
    s->halfmove = pos->halfmove;
    s->repetitions = line_repetitions(line, states, at);
    s->check = ipr_pos_in_check(pos);
    s->checkmate = stuck && s->check;
    s->stalemate = stuck && !s->check;
    s->insufficient = material_insufficient(pos);
    s->threefold = s->repetitions >= CLAIM_REPETITIONS;
    s->fivefold = s->repetitions >= DRAWN_REPETITIONS;
    s->fifty = s->halfmove >= CLAIM_PLIES && !s->checkmate;
    s->seventy_five = s->halfmove >= DRAWN_PLIES && !s->checkmate;
}

void ipr_game_states(const struct ipr_pos *start, const ipr_move *moves, size_t n,
                     struct ipr_state *out)
{
    struct line line = { ipr_xcalloc(n + 1, sizeof *line.keys), 0 };
    struct ipr_pos pos = *start;

    note_state(&line, &pos, 0, out);
    for (size_t i = 0; i < n; i++) {
        ipr_pos_play(&pos, moves[i]);
        note_state(&line, &pos, i + 1, out);
    }
    free(line.keys);
}

const char *ipr_state_name(const struct ipr_state *s)
{
    if (s->checkmate)
        return "checkmate";
    if (s->stalemate)
        return "stalemate";
    if (s->insufficient)
        return "insufficient_material";
    if (s->fivefold)
        return "fivefold_repetition";
    if (s->seventy_five)
        return "seventy_five_moves";
    if (s->threefold)
        return "threefold_repetition";
    return s->fifty ? "fifty_moves" : "";
}
