#ifndef IPR_PGN_COMMENT_H
#define IPR_PGN_COMMENT_H

#include "base/mem.h"
#include "pgn/charset.h"
#include "pgn/notes.h"

/* Notes of a game while it is read. Internal. */

#define IPR_MAX_NOTES ((size_t)1 << 18) /* of one game: 13 for each of 20000 half-moves */

/* Beyond the 139 of the standard, as programs number them. */
#define IPR_NAG_NOVELTY 146u
#define IPR_NAG_DIAGRAM 220u

struct ipr_note_list {
    struct ipr_pgn_note *notes;
    size_t n, size;
    bool over;           /* there were more than IPR_MAX_NOTES; the rest is dropped */
    bool plain;          /* every text is ASCII */
    struct ipr_buf text; /* of the current comment */
};

void ipr_note_list_clear(struct ipr_note_list *list); /* empty, memory kept */
void ipr_note_list_release(struct ipr_note_list *list);

/** Reads all evaluations again as decimal fractions with a comma, if they can be nothing else. */
void ipr_note_list_commas(struct ipr_note_list *list);

/** Makes every text UTF-8, detecting the encoding of each; adds to `seen`. */
void ipr_note_list_convert(struct ipr_note_list *list, struct ipr_arena *mem,
                           struct ipr_encoding *seen);

/* `ply` is the number of half-moves played before the note, throughout. */

void ipr_note_nag(struct ipr_note_list *list, uint32_t ply, unsigned nag);
/** "$n"; nothing when that is no number from 0 to 255. */
void ipr_note_numeric(struct ipr_note_list *list, uint32_t ply, struct ipr_str token);
/** "!?", "+-", "=" as their numbers; nothing for other signs. */
void ipr_note_signs(struct ipr_note_list *list, uint32_t ply, struct ipr_str signs);
/** ! and ? at the end of a move. */
void ipr_note_suffix(struct ipr_note_list *list, uint32_t ply, struct ipr_str move);

/** A comment, {...} or ;, with its signs. `move` is the one before it, or IPR_MOVE_NONE. */
void ipr_note_comment(struct ipr_note_list *list, struct ipr_arena *mem, uint32_t ply,
                      ipr_move move, struct ipr_str comment);

/** A variation with its brackets: stored if it is a legal move of the position `before` the last
 * one played, followed by a search. */
void ipr_note_variation(struct ipr_note_list *list, uint32_t ply, const struct ipr_pos *before,
                        struct ipr_str variation);

#endif
