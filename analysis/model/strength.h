#ifndef IPR_MODEL_STRENGTH_H
#define IPR_MODEL_STRENGTH_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IPR_STRENGTH_DEPTHS   10
#define IPR_STRENGTH_FEATURES 81
#define IPR_STRENGTH_SLOPES   3
#define IPR_STRENGTH_STEPS    5
#define IPR_STRENGTH_NONE     INT16_MIN

/* Kinds of a move as chess/kind.h has them, ored; the piece (0 pawn to 5 king) is kind >> 6. */
enum ipr_strength_kind {
    IPR_STRENGTH_CAPTURE = 1,
    IPR_STRENGTH_CHECK = 2,
    IPR_STRENGTH_RECAPTURE = 4,
    IPR_STRENGTH_BACK = 8,
    IPR_STRENGTH_PROMOTION = 16,
    IPR_STRENGTH_CASTLING = 32
};

/** A position of a game, as input of the estimate of strength. */
struct ipr_strength_turn {
    uint16_t ply;
    uint8_t legal;
    bool repeated;
    bool check;
    uint8_t pieces[2]; /* 3, 3, 5, 9; of the mover, of the opponent */
    uint8_t pawns[2];
    uint16_t kind[2];                   /* of the best two moves */
    int16_t cp[3][IPR_STRENGTH_DEPTHS]; /* best, second, played; IPR_STRENGTH_NONE: not known */
};

/**
 * P(loss > step k | loss > step k - 1, position, Elo) = 1 / (1 + exp(-a_k x - theta g_k u)): a
 * chain of logits. x are the features, centred and scaled; u those of the slope: 1, phase, gap.
 * theta is strength on the model's scale, 0 and +-1 at 2250 and 300 Elo from it, before the curve.
 */
struct ipr_strength_model {
    double centre[IPR_STRENGTH_FEATURES], scale[IPR_STRENGTH_FEATURES];
    double a[IPR_STRENGTH_STEPS][IPR_STRENGTH_FEATURES];
    double g[IPR_STRENGTH_STEPS][IPR_STRENGTH_SLOPES];
};

/** The information in a move: score d log P / d theta at theta = 0, and its variance. Sums of both
 * over moves and games are all that an estimate needs: theta = sum score / sum information. */
struct ipr_strength_score {
    double score, information;
};

/** Steps of the loss, centipawns. */
extern const double ipr_strength_step[IPR_STRENGTH_STEPS];

/** True if the move counts: from move 9, at least two legal moves, not repeated, |best| <= 500. */
bool ipr_strength_counts(const struct ipr_strength_turn *t);

/** Loss of the move played: the mean of those at depths 9 and 10, at depth 10 alone where 9 did not
 * report it; evaluations within +-1000. */
double ipr_strength_loss(const struct ipr_strength_turn *t);

/**
 * Features of the positions of one game, neither centred nor scaled.
 *
 * turn[n]   both sides, ascending ply; or one side alone
 * x[n][]    output; NAN: not known, of the opponent's play when one side is alone
 *
 * No feature depends on the choice of a move, nor on the result, the players or their ratings.
 */
void ipr_strength_features(const struct ipr_strength_turn *turn, size_t n,
                           double (*x)[IPR_STRENGTH_FEATURES]);

/**
 * The features of a position of which nothing but its evaluation is known, and the one after the
 * move: phase, evaluation and legal moves; the others are what they are without a second line,
 * further depths and a board.
 */
void ipr_strength_bare_features(const struct ipr_strength_turn *t, double x[IPR_STRENGTH_FEATURES]);

/** True if a feature is one of these. */
bool ipr_strength_is_bare(size_t feature);

/**
 * Score of a move whose two evaluations come from two searches: their difference is the loss and
 * the noise of both. Below 0 it is noise alone, and takes back what as much noise above 0 adds: 2
 * S(0) - S(-loss). x[] are bare features, scaled.
 */
struct ipr_strength_score ipr_strength_bare_score(const struct ipr_strength_model *m,
                                                  const double x[IPR_STRENGTH_FEATURES],
                                                  double loss);

/** Centres and scales x in place; what is not known becomes the mean, 0. */
void ipr_strength_scale(const struct ipr_strength_model *m, double x[IPR_STRENGTH_FEATURES]);

/** The same of bare features; the others stay 0, as their coefficients are. */
void ipr_strength_bare_scale(const struct ipr_strength_model *m, double x[IPR_STRENGTH_FEATURES]);

/** Features of the slope from scaled x: 1, phase, gap of the best two. */
void ipr_strength_slope(const double x[IPR_STRENGTH_FEATURES], double u[IPR_STRENGTH_SLOPES]);

/** Score of a loss in a position of scaled features x. */
struct ipr_strength_score ipr_strength_score(const struct ipr_strength_model *m,
                                             const double x[IPR_STRENGTH_FEATURES], double loss);

/** Scores of the moves of a game, turn[n] as of ipr_strength_features; 0 of those that do not
 * count.
 */
void ipr_strength_scores(const struct ipr_strength_model *m, const struct ipr_strength_turn *turn,
                         size_t n, struct ipr_strength_score *out);

#endif
