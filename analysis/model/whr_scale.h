#ifndef IPR_MODEL_WHR_SCALE_H
#define IPR_MODEL_WHR_SCALE_H

#include <stdbool.h>

#include "model/whr.h"

/*
 * The scale that strengths from results are on: that of the Elo lists, as it was in each year, by
 * the Elo of the component's players. Its error is that of the level, s / sqrt(n) with n years of
 * players with Elo, and for every year before the first and after the last of them a drift, all
 * these years together: without Elo the two scales drift apart steadily, because lists have no rule
 * for the strength of new players and results no other. docs/results.md.
 */

struct ipr_whr_scale_options {
    size_t ratings, players; /* minimum of a scale, >= 1 */
    double games; /* enough of a player to know his strength without the opponents' Elo */
    double sd;    /* s */
    double drift; /* a year */
};

struct ipr_whr_scale {
    int32_t from, to;        /* first and last year with Elo */
    size_t ratings, players; /* players' years with Elo, and their players */
};

/** Elo in a tag as the model takes it; 0: none. Lists begin in 1971; until 1986 they began with
 * 2200, which collections also put for players without Elo. */
int16_t ipr_whr_elo(int32_t year, int32_t elo);

/** Adds the strengths of one player. */
void ipr_whr_scale_add(const struct ipr_whr_strength *strength, size_t n,
                       struct ipr_whr_scale *scale);
/** True if it is on the scale of the lists. */
bool ipr_whr_scaled(const struct ipr_whr_scale *scale, const struct ipr_whr_scale_options *options);

/** Number of a player's first strengths that are of too few games, against opponents of whom too
 * little is known: until half of a year's games are against players with Elo, or there are enough
 * games so far. Rising players would be overrated in them. */
size_t ipr_whr_early(const struct ipr_whr_strength *strength, size_t n,
                     const struct ipr_whr_scale_options *options);

/** Years out of the range of the scale: of a year, or the mean of several. */
struct ipr_whr_place {
    double before, after;
};

struct ipr_whr_place ipr_whr_place(const struct ipr_whr_scale *scale, double year);
/** Standard error of the scale in this place. */
double ipr_whr_place_se(const struct ipr_whr_scale *scale, const struct ipr_whr_place *place,
                        const struct ipr_whr_scale_options *options);
/** Standard error of the change of the scale between two places: 0 for the same year. */
double ipr_whr_place_difference_se(const struct ipr_whr_place *a, const struct ipr_whr_place *b,
                                   const struct ipr_whr_scale_options *options);

#endif
