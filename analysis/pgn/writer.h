#ifndef IPR_PGN_WRITER_H
#define IPR_PGN_WRITER_H

#include "base/str.h"
#include "chess/position.h"
#include "pgn/reader.h"

enum ipr_pgn_form {
    IPR_PGN_PLAIN, /* moves alone */
    IPR_PGN_NOTES, /* with all notes */
    /* The form of Alliot's database (2017, 2.4): of the tags the seven of the roster and Annotator;
     * moves as from-to squares (UCI) without numbers; a search as
     * {value,depth,seldepth,tbhits,time,dmean,(dmax,ddmax)} after the move, those of other moves in
     * variations of that one move. Other notes are omitted. */
    IPR_PGN_ALLIOT,
};

/**
 * Appends one game in export format: seven-tag roster first (missing ones as "?"), the other tags
 * in the order given, movetext wrapped below 80 columns with the annotations of the game in the
 * order of their plies, result, blank line. Reading the text and writing the notes again gives the
 * same bytes.
 *
 * Comments: runs of white space become one space or line end, { and } become ( and ), which alone
 * cannot be within {}, other control characters become "?". Neighbouring commands share one {}.
 * A search before the first move cannot be written and is omitted.
 *
 * Moves are SAN; in Alliot's form they are from-to squares, as in his files: pgn-extract and our
 * reader accept both, and programs for his database expect the second.
 */
void ipr_pgn_write_notes(struct ipr_buf *out, const struct ipr_pgn_tag *tags, size_t n_tags,
                         const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                         const struct ipr_pgn_note *notes, size_t n_notes, enum ipr_pgn_form form,
                         enum ipr_result result);

#endif
