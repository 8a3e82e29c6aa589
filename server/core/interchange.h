#ifndef IPR_CORE_INTERCHANGE_H
#define IPR_CORE_INTERCHANGE_H

#include "base/mem.h"
#include "base/str.h"
#include "chess/position.h"
#include "core/figures.h"
#include "pgn/reader.h"
#include "uci/judge.h"

/* Judged games as NDJSON, one game a line: see docs/interchange.md. */

#define IPR_DOMAIN_CHESS "chess"

struct ipr_interchange_game {
    const struct ipr_pgn_tag *tags;
    size_t n_tags;
    struct ipr_pos start;
    bool custom_start;
    const ipr_move *moves;
    size_t n_moves;
    enum ipr_result result;
    const char *domain;     /* what game it is one of; NULL: chess */
    struct ipr_judge judge; /* name "" when the line has settings without a name */
    struct ipr_judged_game judged;
    struct ipr_judge confirmed_by;    /* name "": nothing is confirmed */
    struct ipr_judged_game confirmed; /* of the last depth only (core/confirmed.h) */
    unsigned sides;                   /* sides with turns or figures; bit 0 White, bit 1 Black */
    /* Only for a game without moves (`moves` NULL, n_moves its half-moves), else NULL and 0. */
    const struct ipr_side_figures *figures; /* [2] */
    int64_t moves_key;                      /* core/digest.h */
    const struct ipr_pgn_note *notes;       /* of PGN that is reported (ingest/report.h) alone */
    size_t n_notes;
};

/**
 * One line → game; memory from `mem`. Every move is checked for legality and every turn against
 * the game (ipr_judged_check): IPR_EPARSE with line_no, ply and type: "bad_json", "bad_fen",
 * "illegal_move", "game_too_long", "bad_judge", "bad_evaluation", "missing_turn". For a rejected
 * game `out` contains the tags that could be read, to identify it, and nothing else.
 */
IPR_CHECK enum ipr_code ipr_interchange_read(struct ipr_str line, uint32_t line_no,
                                             struct ipr_arena *mem,
                                             struct ipr_interchange_game *out, struct ipr_err *err);

/** Game → one line, newline included. Members in the documented order; read(write(g)) = g. */
void ipr_interchange_write(struct ipr_buf *out, const struct ipr_interchange_game *g);

#endif
