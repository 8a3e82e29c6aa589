#ifndef IPR_VIEW_GAME_GAME_H
#define IPR_VIEW_GAME_GAME_H

#include "core/pseudonyms.h"
#include "db/db.h"
#include "db/games.h"
#include "pgn/writer.h"
#include "uci/judge.h"

/* A complete stored game, for its resource, its page and its PGN. */

struct ipr_stored_game {
    struct ipr_db_game row;
    const struct ipr_pgn_tag *tags;
    size_t n_tags;
    struct ipr_pgn_note *notes; /* data of the file besides the moves */
    size_t n_notes;
};

/** Memory from the arena. IPR_ENOTFOUND if there is no such game. */
IPR_CHECK enum ipr_code ipr_stored_game_get(struct ipr_db *db, int64_t id, struct ipr_arena *mem,
                                            struct ipr_stored_game *out, struct ipr_err *err);

/** The parts that are written beside the moves. */
struct ipr_game_pgn {
    enum ipr_pgn_form form;
    bool evals; /* the judge's evaluations as [%eval], instead of those that came with the game */
    int32_t judge_id; /* 0: none */
    struct ipr_judge judge;
    const struct ipr_pseudonyms *hide; /* names, and comments, which can have them; NULL: no */
};

/**
 * Appends a game as PGN; `judged` are the turns of the judge, NULL for none of them.
 *
 * Not in Alliot's form: after every judged move [%eval pawns,depth] or [%eval #n,depth], White's
 * view of the position after it, and a tag Evaluator that names the judge. A move that mates has
 * none. Evaluations in the file are then omitted, its other notes are kept.
 *
 * Alliot's form: the move played, and of the judge's two best those that were not played, instead
 * of the searches in the file. Value in centipawns of the mover, a mate in n as 32000 - n; dmean,
 * dmax and ddmax over the depths that the judge reported as centipawns, "-" with fewer than two of
 * them; seldepth, tbhits and time are not stored and written as "-". The tag Annotator names engine
 * and settings, as his does.
 */
void ipr_stored_game_pgn(const struct ipr_stored_game *game, const struct ipr_judged_game *judged,
                         const struct ipr_game_pgn *how, struct ipr_arena *mem,
                         struct ipr_buf *out);

/** The same from the database, with the turns that `how` requests. Alliot's form of a game that the
 * judge has not judged has the searches in the file. IPR_ECONFLICT (type "not_judged") when there
 * is neither. */
IPR_CHECK enum ipr_code ipr_game_pgn(struct ipr_db *db, int64_t id, const struct ipr_game_pgn *how,
                                     struct ipr_arena *mem, struct ipr_buf *out,
                                     struct ipr_err *err);

/** White's view of the position after a judged turn: `mate` and `value` as in a note of kind
 * IPR_NOTE_EVAL. False when the move gave mate. */
bool ipr_eval_after(const struct ipr_judged_turn *t, bool *mate, int32_t *value);

/** Appends a game with a judge's evaluations as a line of docs/interchange.md; with figures instead
 * of moves if `figures` or if only figures are stored. IPR_EDATA "too_many_lines" if the judge has
 * more than IPR_FIGURES_LINES lines. `hide`: names; NULL: they stay. */
IPR_CHECK enum ipr_code ipr_evaluations_line(struct ipr_db *db, int64_t game_id, int32_t judge_id,
                                             const struct ipr_judge *judge, bool figures,
                                             const struct ipr_pseudonyms *hide, struct ipr_buf *out,
                                             struct ipr_err *err);

#endif
