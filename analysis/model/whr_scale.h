#ifndef IPR_MODEL_WHR_SCALE_H
#define IPR_MODEL_WHR_SCALE_H

#include <stdbool.h>

#include "model/whr.h"

/*
 * The scale of strengths from results [Elo]: what is added to them so that they are on the scale of
 * known ratings, such as those of FIDE's lists, as it was in each year. Over decades the two scales
 * drift apart, because lists have no rule for the strength of new players and results no other.
 *
 * d = known rating - strength, of players with enough games in a year. The offset of a period of
 * years is the median of its d; it applies to their mean year, and between two periods it changes
 * linearly. Before the first and after the last period it is theirs. A period with too few ratings
 * or players is left out; without any period there is a constant, which is on no list's scale.
 *
 *   standard error = 1.2533 s sqrt(max(n, P / (P - 1) sum_p (sum_{i of p} sign(d_i - median))^2)) /
 * n
 *
 * with s = 1.4826 times the median of |d - median|, n ratings and P players p: the asymptotic error
 * of a median of normal deviations, clustered by player. Errors of periods are taken as
 * independent. For every year before the first and after the last rating `drift` is added in
 * quadrature, all these years together: it is a steady drift.
 *
 * Source: P. J. Huber, Robust Statistics (1981), sections 3.2, 5.1 (median, MAD); R. L. Williams,
 * Biometrics 56 (2000) 645-646 (clusters). Chosen as docs/results.md describes.
 */

#define IPR_WHR_PERIODS 32 /* maximum; later ones do not count */

struct ipr_whr_scale_options {
    int32_t years;           /* of a period, >= 1; periods begin at multiples of it */
    double games;            /* minimum of a player's year */
    size_t ratings, players; /* minimum of a period, >= 1 */
    double plain;            /* offset without any period */
    double drift;            /* a year, see above */
    bool mean, step; /* not chosen: mean instead of median; one offset for the whole period and
                        years nearest to it */
};

struct ipr_whr_period {
    int32_t from, to; /* first and last year with a rating */
    double year;      /* mean of the ratings' years */
    double offset, se;
    double spread; /* s above: standard deviation of one player's rating around it */
    size_t ratings, players;
};

struct ipr_whr_scale {
    struct ipr_whr_period period[IPR_WHR_PERIODS]; /* [n] by year */
    size_t n;
    double plain, drift;
    bool step;
};

/**
 * The scale from known ratings.
 *
 * strength[n]   by player, then year
 * known[n]      rating of the same player and year, NaN if there is none
 */
void ipr_whr_scale_fit(const struct ipr_whr_strength *strength, const double *known, size_t n,
                       const struct ipr_whr_scale_options *options, struct ipr_whr_scale *out);

/** A year on the scale, or the mean of several years. */
struct ipr_whr_place {
    double weight[IPR_WHR_PERIODS]; /* of the periods' offsets, and of the constant */
    double before, after;           /* years out of the range of ratings; without any: the year */
    double offset;                  /* to add to strengths */
};

struct ipr_whr_place ipr_whr_place(const struct ipr_whr_scale *scale, double year);
/** Adds weight times `year` to a mean, which begins with all members 0. */
void ipr_whr_place_add(const struct ipr_whr_place *year, double weight, struct ipr_whr_place *mean);
/** Standard error of the offset; NaN without any period. */
double ipr_whr_place_se(const struct ipr_whr_scale *scale, const struct ipr_whr_place *place);
/** Standard error of the difference of two offsets: 0 for the same year. */
double ipr_whr_place_difference_se(const struct ipr_whr_scale *scale, const struct ipr_whr_place *a,
                                   const struct ipr_whr_place *b);

#endif
