#ifndef IPR_MODEL_MOVE_MARK_H
#define IPR_MODEL_MOVE_MARK_H

#include <stdbool.h>

/*
 * The cost of a move in expected points, and its mark. The expected score of an evaluation is the
 * curve of the calibration `standard` over all its mileposts (/api/v1/calibrations/standard,
 * score_curve.all): A + (1 - 2A)/(1 + e^(-B v)), v in pawns.
 */

#define IPR_POINTS_A 0.00492126
#define IPR_POINTS_B 0.886294

/** Points lost from which a move is marked ?!, ?, ??. */
#define IPR_MARK_INACCURACY_AT 0.05
#define IPR_MARK_MISTAKE_AT    0.15
#define IPR_MARK_BLUNDER_AT    0.30

/** A move is marked ! if it loses less than the first, every other move at least the second, so
 * many moves are legal, and the search of this depth puts another move at least the last of these
 * above it: expected points. It is marked !! if it is a sacrifice, too, and every other move loses
 * at least IPR_MARK_BRILLIANT_NEXT. */
#define IPR_MARK_FOUND_LOSS     0.02
#define IPR_MARK_FOUND_NEXT     0.10
#define IPR_MARK_FOUND_LEGAL    4
#define IPR_MARK_FOUND_DEPTH    4
#define IPR_MARK_FOUND_SHALLOW  0.05
#define IPR_MARK_BRILLIANT_NEXT 0.20

enum ipr_mark {
    IPR_MARK_NONE,
    IPR_MARK_INACCURACY,
    IPR_MARK_MISTAKE,
    IPR_MARK_BLUNDER,
    IPR_MARK_FOUND,
    IPR_MARK_BRILLIANT
};

/** Expected score of the side that the evaluation is of; evaluations are cut to +-IPR_CP_LIMIT. */
double ipr_points(int cp);

/** Accuracy of a move in per cent, as lichess.org has it (lila, AccuracyPercent.scala): from the
 * chances of winning before and after it, by a curve of its own; 100 where nothing is lost. */
double ipr_accuracy(int best_cp, int played_cp);
/** The same from what a move takes of the chances, 0 to 100. */
double ipr_accuracy_of(double lost);

/**
 * The mark of a move.
 *
 * loss       expected points that it loses against the best move
 * next       those that the best of the other moves loses; negative where that is better
 * hidden     whether the shallow search preferred another move
 * sacrifice  whether it gives material away
 */
enum ipr_mark ipr_mark_of(double loss, double next, bool hidden, bool sacrifice);

/** "inaccuracy", "mistake", "blunder", "found", "brilliant"; "" for none. */
const char *ipr_mark_name(enum ipr_mark mark);

enum ipr_phase { IPR_PHASE_OPENING, IPR_PHASE_MIDDLEGAME, IPR_PHASE_ENDGAME, IPR_PHASES };

#define IPR_PHASE_OPENING_MOVES 15
#define IPR_PHASE_ENDGAME_WORTH 26

/** Endgame: the pieces of both sides, without kings and pawns, are worth at most 26 (knight and
 * bishop 3, rook 5, queen 9), twice Speelman's 13 a side; opening: else, up to move 15. */
enum ipr_phase ipr_phase_of(unsigned move, unsigned worth);

/** "opening", "middlegame", "endgame". */
const char *ipr_phase_name(enum ipr_phase phase);

#endif
