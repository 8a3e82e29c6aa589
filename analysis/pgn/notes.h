#ifndef IPR_PGN_NOTES_H
#define IPR_PGN_NOTES_H

#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"
#include "chess/position.h"

/* Annotations of a game: glyphs, comments, and the commands [%eval], [%clk], [%emt] and searches
 * recorded in Alliot's format within them; each with the half-move it follows. Variations are
 * skipped, except Alliot's: his format has the evaluations of moves that were not played there.
 *
 * The notes of one comment are its commands in order, then the rest of its text. A malformed
 * command is text. */

enum ipr_note_kind {
    IPR_NOTE_NAG,     /* $n, or what ! ? !! ?? !? ?! mean ($1..$6), = ~ += =+ +/- -/+ +- -+
                         ($10, $13..$19), and the words N ($146) and D ($220) after a move */
    IPR_NOTE_COMMENT, /* text of a {} or ; comment, known commands taken out, each row of white
                         space and control characters one space; never empty */
    IPR_NOTE_EVAL,    /* [%eval 0.23], [%eval #-3], [%eval 0.23,18], [%eval 23,18] */
    IPR_NOTE_CLK,     /* [%clk 1:59:30.5]: time left */
    IPR_NOTE_EMT,     /* [%emt 0:00:12]: time spent */
    IPR_NOTE_SEARCH,  /* {90,24,43,0,124176,8,(43,3)}: one searched move (Alliot 2017, 2.4) */
};

/** A value of a searched move that its writer did not know: "-" in a file, as in
 * {90,24,-,-,-,8,(43,3)}. */
#define IPR_NOTE_UNKNOWN INT32_MIN

/** A searched move: Alliot's value,depth,seldepth,tbhits,time,dmean,(dmax,ddmax). All but value and
 * depth may be IPR_NOTE_UNKNOWN. */
struct ipr_note_search {
    ipr_move move;    /* the one played, or the first of a variation that replaces it; legal */
    int32_t value;    /* centipawns, mover's view */
    int32_t depth;    /* plies */
    int32_t seldepth; /* plies */
    int64_t tbhits;   /* tablebase hits */
    int64_t time_ms;  /* spent */
    int32_t dmean;    /* mean change of the value from one depth to the next, centipawns */
    int32_t dmax;     /* the largest of them */
    int32_t ddmax;    /* and the depth it came at */
};

struct ipr_pgn_note {
    uint32_t ply; /* half-moves played before it: 0 before the first move, n after the n-th */
    enum ipr_note_kind kind;
    int32_t nag;         /* NAG: 0..255 */
    bool mate;           /* EVAL: value is moves to mate, not centipawns */
    int32_t value;       /* EVAL: White's view, centipawns or moves */
    int32_t depth;       /* EVAL: 0 when not given */
    int32_t comma;       /* EVAL, while a game is read: 67 of "0,67", which may be a fraction … */
    uint8_t digits;      /* … of so many digits; 0: it is none. Neither is packed */
    int64_t ms;          /* CLK, EMT: milliseconds, >= 0 */
    struct ipr_str text; /* COMMENT: UTF-8, no NUL */
    struct ipr_note_search search;
};

/** Notes packed into a few bytes for the database; nothing for no notes. They are in the order
 * of their plies and within the domains above; ms up to half of INT64_MAX. */
void ipr_notes_pack(const struct ipr_pgn_note *notes, size_t n, struct ipr_buf *out);
/** The notes again; memory and texts from the arena. IPR_EPARSE when the bytes are malformed.
 */
IPR_CHECK enum ipr_code ipr_notes_unpack(struct ipr_str bytes, struct ipr_arena *mem,
                                         struct ipr_pgn_note **notes, size_t *n,
                                         struct ipr_err *err);

/** Merges the notes of two records of one game: all notes of `own`, and those of `other` that add
 * something: other comments, glyphs and searches, and an evaluation or clock where own has none of
 * that kind at that half-move. By half-move, own's first. Room for n_own + n_other in `out`;
 * returns their number. Texts are borrowed. Both lists ascend by ply. */
size_t ipr_notes_merge(const struct ipr_pgn_note *own, size_t n_own,
                       const struct ipr_pgn_note *other, size_t n_other, struct ipr_pgn_note *out);

#endif
