#ifndef IPR_VIEW_PREDICTION_VERDICT_H
#define IPR_VIEW_PREDICTION_VERDICT_H

#include "view/prediction/predict.h"

/**
 * The answer in a sentence, from the chances, how certain it is, and the probability that the moves
 * of the first player were the stronger ones, from the difference of the strengths by the moves.
 *
 * The expected score of the favourite decides the word, at about the scores of 14, 50, 100 and 200
 * Elo more: below .52 "about even", from there on "a slight favourite", from .57 "the favourite",
 * .64 "a clear favourite", .76 "an overwhelming favourite". How certain it is that the favourite
 * scores more than half is the probability by the interval of that score: below .60 "cannot tell",
 * below .66 "leans", from there on the words of Mastrandrea et al. (view/certainty.h).
 *
 * The same side twice: that 50 % is expected by definition.
 */
void ipr_predict_verdict(const struct ipr_predict *p, const struct ipr_figure_game_chances *chances,
                         const struct ipr_figure_rating_difference *difference,
                         struct ipr_figure_verdict *out);

#endif
