#ifndef IPR_MODEL_SCREENING_H
#define IPR_MODEL_SCREENING_H

#include <stddef.h>

/*
 * Many players tested at once: how many are expected beyond a limit by chance, and what a z is
 * worth when it is the largest of many. Tests are one-sided: z above 0 is play better than
 * expected.
 */

/** The rarest deviation that the games counted for the false alarms can show: about one set of
 * 10,000 lies beyond 4 standard errors (docs/benchmark.md, False alarms). No tail is taken for
 * smaller. */
#define IPR_SCREENING_TAIL_MIN 1e-4

/** P(Z >= z) of a normal Z, at least IPR_SCREENING_TAIL_MIN. */
double ipr_screening_tail(double z);

/** Number of n players expected at z or beyond by chance. */
double ipr_screening_expected(size_t n, double z);

/**
 * A lower bound of the probability that chance shows fewer than k players where `expected` are
 * expected: 1 - expected / k (Markov's inequality), which holds however the players' z depend on
 * each other. 0 where it says nothing.
 */
double ipr_screening_fewer(double expected, size_t k);

/**
 * Corrects the tails of n tests, ascending, for their number.
 *
 * holm[n]   probability that chance alone would put any of the n so far out: max over j <= i of
 *           (n - j) p_j, at most 1 (S. Holm, Scand. J. Statist. 6, 1979); holds however they depend
 * fdr[n]    share of chance results among those at least as far out: min over j >= i of n p_j /
 *           (j + 1) (Benjamini & Hochberg, J. R. Stat. Soc. B 57, 1995); holds where they are
 *           independent or depend positively, as those of one event do
 */
void ipr_screening_correct(const double *tail, size_t n, double *holm, double *fdr);

#endif
