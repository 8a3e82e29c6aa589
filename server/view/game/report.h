#ifndef IPR_VIEW_GAME_REPORT_H
#define IPR_VIEW_GAME_REPORT_H

#include "core/marks.h"
#include "view/context.h"

/* Reports on the analysed moves of a game: how much they cost, and how likely players of some
 * ratings are to find them. */

#define IPR_REPORT_RATINGS 4 /* 1600, 2000, 2400, 2700 */

struct ipr_report_move {
    uint16_t ply;
    const char *san;
    double lost; /* expected points, as marked */
    bool confirmed;
    double as_good; /* probability of a move as good, by a player of 2400; NAN: not known */
    double hard;    /* expected points that such a player loses there; NAN: not known */
};

struct ipr_report_side {
    struct ipr_report_move *moves; /* with a choice */
    size_t n, count[IPR_PHASES], marks[IPR_MARK_BRILLIANT + 1];
    double pawns[IPR_PHASES], points[IPR_PHASES]; /* lost */
    double accuracy;                              /* sum, in per cent */
};

struct ipr_game_report {
    struct ipr_arena *mem;
    bool waits; /* marks of some moves are still to come */
    const struct ipr_judge *judge;
    const struct ipr_calibration_use *use; /* NULL: there are no probabilities */
    const char *reason;                    /* why not */
    double s[IPR_REPORT_RATINGS], c[IPR_REPORT_RATINGS];
    struct ipr_report_side side[2];
};

/** The cost of a move against the engine's best one. */
struct ipr_move_cost {
    int16_t best_cp, played_cp;       /* from the mover's view, cut at +-IPR_CP_LIMIT */
    double expected, expected_played; /* expected scores of the mover */
    double lost;                      /* their difference */
    enum ipr_phase phase;
};

/** `pos`: the position before the move, NULL where it is not stored: the phase is IPR_PHASES then;
 * `turn`: ipr_db_turn_of of the turn. */
struct ipr_move_cost ipr_move_cost_of(const struct ipr_pos *pos, const struct ipr_turn *turn);

/** `shown`: judge and calibration, borrowed; `turns`, `figures`: most moves that are added with
 * their lines and without. */
void ipr_game_report_init(const struct ipr_view_context *shown, size_t turns, size_t figures,
                          struct ipr_game_report *out);

/** Adds a turn of the setting shown, by which `move` was played; sets the members of `turn` from
 * "loss" on, by the confirmed search where there is one. Without either that or lines it is NULL.
 */
void ipr_game_report_add(struct ipr_game_report *r, const struct ipr_pos *pos, ipr_move move,
                         const struct ipr_judged_turn *t, const struct ipr_marked *marked,
                         struct ipr_answer_game_turn *turn);

/** How likely players of some ratings are to choose the move of a turn; none where the model was
 * not calibrated: outside of its window of moves. `m`: NULL, or of this move. */
struct ipr_list_likelihood ipr_game_report_likelihoods(const struct ipr_game_report *r,
                                                       const struct ipr_judged_turn *t,
                                                       struct ipr_report_move *m);

struct ipr_answer_move_cost ipr_move_cost_answer(const struct ipr_move_cost *c);

struct ipr_answer_game_sides ipr_game_report_sides(const struct ipr_game_report *r);

/** A move in a position, as UCI and SAN. */
struct ipr_answer_move ipr_game_move(const struct ipr_pos *pos, ipr_move move,
                                     struct ipr_arena *mem);

const char *ipr_game_fen(const struct ipr_pos *pos, struct ipr_arena *mem);

/** NULL: it is none. */
struct ipr_answer_mate *ipr_game_mate(bool mate, int moves, struct ipr_arena *mem);

/** A move with its evaluation, for the mover, and the position after it. */
struct ipr_answer_evaluated_move ipr_game_line(const struct ipr_pos *pos,
                                               const struct ipr_judged_turn *t, unsigned line,
                                               struct ipr_arena *mem);

#endif
