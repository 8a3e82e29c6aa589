#ifndef IPR_VIEW_PREDICTION_VERDICT_H
#define IPR_VIEW_PREDICTION_VERDICT_H

#include "view/prediction/predict.h"

/**
 * The answer in a sentence on the results and one on the moves, from the chances, those by the
 * moves alone, and the difference of the ratings by the moves.
 *
 * Chances: the expected score of the favourite decides the word, at about the scores of 14, 50, 100
 * and 200 Elo more: below .52 "about even", from there on "a slight favourite", from .57 "the
 * favourite", .64 "a clear favourite", .76 "an overwhelming favourite". An interval of that score
 * with one half in it does not rule out that the other scores more.
 *
 * Moves: the probability that a player was the stronger one, by the normal distribution of the
 * difference, in the words of Mastrandrea et al. (IPCC, guidance note on uncertainties, 2010): from
 * .66 on "likely", .90 "very likely", .95 "extremely likely", .99 "virtually certain"; below, the
 * moves do not show it. The error has how far players of equal strength differ by their moves; of
 * two years of one player it is that of their joint distribution.
 *
 * The same side twice: that 50 % is expected by definition.
 */
void ipr_predict_verdict(const struct ipr_predict *p, const struct ipr_figure_game_chances *chances,
                         const struct ipr_figure_game_chances *by_moves,
                         const struct ipr_figure_rating_difference *difference,
                         struct ipr_figure_verdict *out);

#endif
