#ifndef IPR_VIEW_GAME_REPORT_H
#define IPR_VIEW_GAME_REPORT_H

#include <jansson.h>

#include "model/move_mark.h"
#include "model/turning.h"
#include "uci/judge.h"
#include "view/context.h"

/* Reports on the analysed moves of a game: how much they cost, and how likely players of some
 * ratings are to find them. */

#define IPR_REPORT_RATINGS 4 /* 1600, 2000, 2400, 2700 */

struct ipr_report_move {
    uint16_t ply;
    const char *san;
    double lost;    /* expected points, as counted (struct ipr_marked) */
    double as_good; /* probability of a move as good, by a player of 2400; NAN: not known */
    double hard;    /* expected points that such a player loses there; NAN: not known */
};

/** An analysed move, forced or not. */
struct ipr_report_place {
    uint16_t ply;
    uint8_t mover;
    double white, white_after; /* White's expected score */
    double lost;               /* as counted */
};

struct ipr_report_side {
    struct ipr_report_move *moves; /* with a choice */
    size_t n, count[IPR_PHASES], marks[IPR_MARK_FOUND + 1];
    double pawns[IPR_PHASES], points[IPR_PHASES]; /* lost */
};

/** The other engine setting, which has a word in the marks of the moves that it has analysed. */
struct ipr_marking {
    int32_t judge_id; /* 0: there is none */
    unsigned lines;
    bool wider;                  /* than the setting that is shown: the marks are its own */
    struct ipr_judged_game game; /* what it says of a game, as read last */
};

struct ipr_marked {
    enum ipr_mark mark;
    double lost;      /* expected points that are counted: by the setting that is shown, or by the
                         other if the two do not agree (ipr_mark_agree) and it says less */
    double otherwise; /* those by the other setting where the two do not agree; else NAN */
};

struct ipr_game_report {
    struct ipr_arena *mem;
    const struct ipr_marking *marking; /* NULL: the setting shown is the only one */
    const struct ipr_judge *judge;
    const struct ipr_calibration_use *use; /* NULL: there are no probabilities */
    const char *reason;                    /* why not */
    double s[IPR_REPORT_RATINGS], c[IPR_REPORT_RATINGS];
    struct ipr_report_side side[2];
    struct ipr_report_place *places;
    size_t n;
};

/** The cost of a move against the engine's best one. */
struct ipr_move_cost {
    int16_t best_cp, played_cp;       /* from the mover's view, cut at +-IPR_CP_LIMIT */
    double expected, expected_played; /* expected scores of the mover */
    double lost;                      /* their difference */
    enum ipr_mark mark;
    enum ipr_phase phase;
};

/** `pos`: the position before the move, NULL where it is not stored: the phase is IPR_PHASES then;
 * `turn`: ipr_db_turn_of of `t`. */
struct ipr_move_cost ipr_move_cost_of(const struct ipr_pos *pos, const struct ipr_judged_turn *t,
                                      const struct ipr_turn *turn);

/** `shown`: judge and calibration, borrowed; `turns`: most moves that are added. */
void ipr_game_report_init(const struct ipr_view_context *shown, size_t turns,
                          struct ipr_game_report *out);

/** Adds a turn; sets its members from "loss" on. */
void ipr_game_report_add(struct ipr_game_report *r, const struct ipr_pos *pos,
                         const struct ipr_judged_turn *t, json_t *turn);

/** Sets "evaluation", "evaluation_played", "loss", "points_lost" and "mark". */
void ipr_move_cost_put(const struct ipr_move_cost *c, json_t *out);

/** The mark of a move by one setting; `turn` is the same in the form of the models
 * (ipr_db_turn_of). */
enum ipr_mark ipr_game_mark(const struct ipr_judged_turn *t, const struct ipr_turn *turn);

/** The other setting where `shown` has the evaluations: of one with more than two lines that of
 * ratings; of any other that of the context, else the default one, if it has more than two. */
IPR_CHECK enum ipr_code ipr_marking_open(const struct ipr_view_context *c,
                                         const struct ipr_judge *shown, struct ipr_marking *out,
                                         struct ipr_err *err);
/** Reads what it says of a game. */
IPR_CHECK enum ipr_code ipr_marking_read(const struct ipr_view_context *c, int64_t game,
                                         struct ipr_marking *m, struct ipr_err *err);

/** The mark of a move of that game on every page; as ipr_game_mark where the setting of the marking
 * has not analysed it. */
struct ipr_marked ipr_marking_of(const struct ipr_marking *m, const struct ipr_judged_turn *t,
                                 const struct ipr_turn *turn, struct ipr_arena *mem);

/** NULL: it is not analysed. */
const struct ipr_judged_turn *ipr_judged_turn_at(const struct ipr_judged_game *judged,
                                                 unsigned ply);

/** Sets "sides" and "likelihood_reason". */
void ipr_game_report_finish(const struct ipr_game_report *r, json_t *out);

/** Where a game of n_moves half-moves turned; nowhere, if nobody won. */
struct ipr_turning ipr_game_report_turning(const struct ipr_game_report *r, enum ipr_result result,
                                           size_t n_moves);

/** A move with its evaluation, for the mover, and the position after it. */
json_t *ipr_game_line(const struct ipr_pos *pos, const struct ipr_judged_turn *t, unsigned line);

#endif
