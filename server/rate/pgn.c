#include "rate/pgn.h"

#include <string.h>

#include "core/marks.h"
#include "view/game/game.h"

/* The turns of the rating's search; where a move was searched again, that search. */
static struct ipr_judged_game pgn_turns(const struct ipr_interchange_game *text,
                                        struct ipr_arena *mem)
{
    const struct ipr_judged_game *const a = &text->judged, *const b = &text->confirmed;
    struct ipr_judged_turn *const turns = ipr_arena_alloc(mem, a->n + b->n + 1, sizeof *turns);
    size_t n = 0;

    for (size_t i = 0, k = 0; i < a->n || k < b->n;) {
        if (k == b->n || (i < a->n && a->turns[i].ply < b->turns[k].ply)) {
            turns[n++] = a->turns[i++];
        } else {
            i += i < a->n && a->turns[i].ply == b->turns[k].ply;
            turns[n++] = b->turns[k++];
        }
    }
    return (struct ipr_judged_game){ turns, n };
}

/* The mark of a move, and what it lost. */
static size_t pgn_mark(const struct ipr_marked *m, size_t ply, struct ipr_arena *mem,
                       struct ipr_pgn_note *out)
{
    static const int nags[] = { [IPR_MARK_INACCURACY] = 6,
                                [IPR_MARK_MISTAKE] = 2,
                                [IPR_MARK_BLUNDER] = 4,
                                [IPR_MARK_FOUND] = 1,
                                [IPR_MARK_BRILLIANT] = 3 };
    size_t n = 0;

    if (m->mark == IPR_MARK_NONE)
        return 0;
    out[n++] = (struct ipr_pgn_note){ .ply = (uint32_t)ply + 1,
                                      .kind = IPR_NOTE_NAG,
                                      .nag = nags[m->mark] };
    if (m->mark < IPR_MARK_FOUND)
        out[n++] = (struct ipr_pgn_note){ .ply = (uint32_t)ply + 1,
                                          .kind = IPR_NOTE_COMMENT,
                                          .text = ipr_str_c(ipr_arena_printf(
                                              mem, "loses %.2f points", m->lost)) };
    return n;
}

/* Lines of analysed games have no notes, and nothing else has confirmed moves: one of the two. */
static void pgn_notes(const struct ipr_interchange_game *text, struct ipr_stored_game *out,
                      struct ipr_arena *mem)
{
    const size_t most = text->n_notes + 2 * text->confirmed.n + 1;
    struct ipr_marked *const marked = ipr_arena_alloc(mem, text->n_moves + 1, sizeof *marked);

    out->notes = ipr_arena_alloc(mem, most, sizeof *out->notes);
    if (text->n_notes > 0)
        memcpy(out->notes, text->notes, text->n_notes * sizeof *out->notes);
    out->n_notes = text->n_notes;
    if (text->n_notes > 0 || text->confirmed.n == 0)
        return;
    ipr_mark_moves(&text->start, text->moves, text->n_moves, &text->judged, &text->judged,
                   &text->confirmed, marked);
    for (size_t ply = 0; ply < text->n_moves; ply++)
        out->n_notes += pgn_mark(&marked[ply], ply, mem, out->notes + out->n_notes);
}

void ipr_rate_game_pgn(const struct ipr_rate_game *g, struct ipr_buf *out)
{
    const struct ipr_interchange_game *const text = g->text;
    const struct ipr_game_pgn how = { .form = IPR_PGN_NOTES, .evals = true, .judge = text->judge };
    struct ipr_stored_game game = { .row = { .start = text->start,
                                             .moves = text->moves,
                                             .n_moves = text->moves != NULL ? text->n_moves : 0,
                                             .result = text->result },
                                    .tags = text->tags,
                                    .n_tags = text->n_tags };
    struct ipr_arena mem = IPR_ARENA_INIT;
    const struct ipr_judged_game turns = pgn_turns(text, &mem);
    const bool analysed = g->source == IPR_RATE_ENGINE && text->sides != 0;

    pgn_notes(text, &game, &mem);
    ipr_stored_game_pgn(&game, analysed ? &turns : NULL, &how, &mem, out);
    ipr_arena_release(&mem);
}
