#include "rate/pgn.h"

#include "core/marks.h"
#include "view/game/game.h"

/* The turns of the rating's search; where a move was searched again, that search. */
static struct ipr_judged_game pgn_turns(const struct ipr_interchange_game *text,
                                        struct ipr_arena *mem)
{
    const struct ipr_judged_game *const judged = &text->judged;
    struct ipr_judged_turn *const turns = ipr_arena_alloc(mem, judged->n + 1, sizeof *turns);

    for (size_t i = 0; i < judged->n; i++) {
        const struct ipr_judged_turn *by =
            ipr_judged_turn_at(&text->confirmed, judged->turns[i].ply);

        turns[i] = by != NULL ? *by : judged->turns[i];
    }
    return (struct ipr_judged_game){ turns, judged->n };
}

/* The notes of the file, or marks with what they lost: only lines of analysed games have confirmed
 * moves, and these have no notes. */
static void pgn_notes(const struct ipr_interchange_game *text, struct ipr_stored_game *out,
                      struct ipr_arena *mem)
{
    static const int nags[] = { [IPR_MARK_INACCURACY] = 6,
                                [IPR_MARK_MISTAKE] = 2,
                                [IPR_MARK_BLUNDER] = 4,
                                [IPR_MARK_FOUND] = 1,
                                [IPR_MARK_BRILLIANT] = 3 };
    struct ipr_marked *const marked = ipr_arena_alloc(mem, text->n_moves + 1, sizeof *marked);
    const size_t most = text->n_notes + 2 * text->confirmed.n + 1;
    struct ipr_pgn_note *note = ipr_arena_alloc(mem, most, sizeof *note);

    out->notes = note;
    for (size_t i = 0; i < text->n_notes; i++)
        *note++ = text->notes[i];
    if (text->confirmed.n > 0 && text->n_notes == 0)
        ipr_mark_moves(&text->start, text->moves, text->n_moves, &text->judged, &text->judged,
                       &text->confirmed, marked);
    for (uint32_t ply = 0; ply < text->n_moves; ply++) {
        if (marked[ply].mark != IPR_MARK_NONE)
            *note++ = (struct ipr_pgn_note){ .ply = ply + 1,
                                             .kind = IPR_NOTE_NAG,
                                             .nag = nags[marked[ply].mark] };
        if (marked[ply].mark != IPR_MARK_NONE && marked[ply].mark < IPR_MARK_FOUND)
            *note++ = (struct ipr_pgn_note){ .ply = ply + 1,
                                             .kind = IPR_NOTE_COMMENT,
                                             .text = ipr_str_c(ipr_arena_printf(
                                                 mem, "loses %.2f points", marked[ply].lost)) };
    }
    out->n_notes = (size_t)(note - out->notes);
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
