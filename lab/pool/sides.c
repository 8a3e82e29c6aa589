/* The sides of a pool's games. */
#include <stdlib.h>

#include "base/mem.h"
#include "core/file_evals.h"
#include "core/strength_turns.h"
#include "lab/names.h"
#include "lab/pgn.h"
#include "lab/pool/pool.h"
#include "pgn/reader.h"
#include "stats/resample.h"

unsigned pool_fold(uint64_t player)
{
    return (unsigned)(ipr_mix64(player) % POOL_FOLDS);
}

unsigned pool_half(uint64_t player)
{
    return (unsigned)(ipr_mix64(player + 1) % 2);
}

void pool_add(struct pool_sides *s, bool features, double rating, uint64_t player)
{
    if ((s->n & (s->n - 1)) == 0) {
        const size_t room = s->n > 0 ? 2 * s->n : 1;

        s->rating = ipr_xrealloc(s->rating, room, sizeof *s->rating);
        s->moves = ipr_xrealloc(s->moves, room, sizeof *s->moves);
        s->year = ipr_xrealloc(s->year, room, sizeof *s->year);
        s->player = ipr_xrealloc(s->player, room, sizeof *s->player);
        s->opponent = ipr_xrealloc(s->opponent, room, sizeof *s->opponent);
        s->score = ipr_xrealloc(s->score, room, sizeof *s->score);
        if (features) {
            s->features = ipr_xrealloc(s->features, room, sizeof *s->features);
            s->neighbour = ipr_xrealloc(s->neighbour, room, sizeof *s->neighbour);
        }
    }
    s->rating[s->n] = rating;
    s->moves[s->n] = 0;
    s->year[s->n] = 0;
    s->player[s->n] = player;
    s->opponent[s->n] = 0;
    s->score[s->n++] = (struct ipr_strength_score){ 0, 0 };
}

/* The game as other programs look at it: with mates, and what the rules say of its end. */
static struct neighbours_position *sides_positions(const struct ipr_pgn_game *g, const int16_t *cp,
                                                   struct ipr_arena *mem)
{
    struct neighbours_position *const at = ipr_arena_alloc(mem, g->n_moves + 1, sizeof *at);
    ipr_move legal[IPR_MAX_MOVES];
    struct ipr_pos pos = g->start;

    for (size_t i = 0; i <= g->n_moves; i++) {
        const size_t n = ipr_pos_legal(&pos, legal);

        at[i] = (struct neighbours_position){ .known = cp[i] != IPR_STRENGTH_NONE,
                                              .forced = n <= 1,
                                              .mate = n == 0 && ipr_pos_in_check(&pos),
                                              .value = cp[i] };
        if (at[i].mate)
            at[i].value = 0;
        if (i < g->n_moves)
            ipr_pos_play(&pos, g->moves[i]);
    }
    for (size_t k = 0; k < g->n_notes; k++) {
        const struct ipr_pgn_note *const note = &g->notes[k];

        if (note->kind == IPR_NOTE_EVAL && note->ply <= g->n_moves && at[note->ply].known &&
            !(at[note->ply].mate && at[note->ply].value == 0)) {
            at[note->ply].mate = note->mate;
            at[note->ply].value = note->value;
        }
    }
    at[0].known = true;
    at[0].value = NEIGHBOURS_INITIAL;
    return at;
}

static bool sides_add(struct pool_sides *s, const struct ipr_side_move *move, size_t n,
                      unsigned colour, const double rating[2], const uint64_t player[2])
{
    struct ipr_side_features f;

    ipr_side_features(move, n, colour, &f);
    if (f.moves == 0)
        return false;
    pool_add(s, true, rating[colour], player[colour]);
    s->opponent[s->n - 1] = player[1 - colour];
    s->features[s->n - 1] = f;
    return true;
}

static enum ipr_code sides_take(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    const double rating[2] = { (double)bench_number_in(ipr_pgn_tag_get(g, "WhiteElo")),
                               (double)bench_number_in(ipr_pgn_tag_get(g, "BlackElo")) };
    const uint64_t player[2] = { bench_pgn_player(g, "White"), bench_pgn_player(g, "Black") };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct pool_sides *const s = payload;
    struct ipr_file_evals e;

    (void)err;
    if (g->error.code != IPR_OK || g->custom_start || rating[0] <= 0 || rating[1] <= 0)
        return IPR_OK;
    ipr_file_evals_read(&g->start, g->moves, g->n_moves, g->notes, g->n_notes, &mem, &e);
    if (ipr_file_evals_suffice(&e)) {
        struct ipr_side_move *const move = ipr_arena_alloc(&mem, g->n_moves + 1, sizeof *move);
        struct neighbours_side neighbour[2];

        ipr_side_moves(&g->start, g->moves, g->n_moves, e.cp, move);
        neighbours_sides(sides_positions(g, e.cp, &mem), g->n_moves, neighbour);
        for (unsigned colour = 0; colour < 2; colour++)
            if (sides_add(s, move, g->n_moves, colour, rating, player))
                s->neighbour[s->n - 1] = neighbour[colour];
    }
    ipr_arena_release(&mem);
    return IPR_OK;
}

bool pool_read(struct pool_sides *out)
{
    *out = (struct pool_sides){ .n = 0 };
    return bench_pgn_read(sides_take, out);
}

void pool_free(struct pool_sides *s)
{
    free(s->rating);
    free(s->moves);
    free(s->year);
    free(s->player);
    free(s->opponent);
    free(s->features);
    free(s->neighbour);
    free(s->score);
}
