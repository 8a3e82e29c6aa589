#ifndef IPR_INGEST_ROW_H
#define IPR_INGEST_ROW_H

#include "base/mem.h"
#include "db/games.h"
#include "pgn/reader.h"

/* Makes a row of the database from a game as read. */

struct ipr_row_source {
    const struct ipr_pgn_tag *tags;
    size_t n_tags;
    const struct ipr_pos *start;
    const ipr_move *moves; /* NULL with n_moves > 0: not known but for their digest */
    size_t n_moves;
    int64_t moves_key; /* that digest */
    const struct ipr_pgn_note *notes;
    size_t n_notes;
    enum ipr_result result;
    const struct ipr_spelling *spelling; /* may be NULL */
};

/** The players, from `tags` and `spelling` of the source. IPR_EPARSE, not located: "name_too_long"
 * (ipr_identity_make), "same_player": one FIDE id on both sides. The same name on both sides is
 * allowed: namesakes meet, and programs play themselves.
 */
IPR_CHECK enum ipr_code ipr_row_players(const struct ipr_row_source *src, struct ipr_arena *mem,
                                        struct ipr_identity *white, struct ipr_identity *black,
                                        struct ipr_err *err);

/**
 * Fills everything but `ordinal` and the ids; memory from `mem`, nothing borrowed from `src` except
 * canonical names, which live as long as its spelling file. IPR_EPARSE, not located:
 * ipr_row_players.
 */
IPR_CHECK enum ipr_code ipr_row_make(const struct ipr_row_source *src, struct ipr_arena *mem,
                                     struct ipr_db_new_game *out, struct ipr_err *err);

/** NULL for the initial position. */
const char *ipr_row_start_fen(const struct ipr_pos *start, struct ipr_arena *mem);

/** The year of a PGN date; 0 if unknown. */
int ipr_row_year(struct ipr_str date);

/** True if the value of a tag is known, that is none of "", "?", "-", "*" and "????.??.??". */
bool ipr_row_known(const char *value);

/** Text for the database: valid UTF-8, control characters as spaces, trimmed, at most `max` bytes,
 * cut between characters. */
const char *ipr_row_text(struct ipr_str s, size_t max, struct ipr_arena *mem);

#endif
