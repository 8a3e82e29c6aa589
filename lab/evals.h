#ifndef LAB_EVALS_H
#define LAB_EVALS_H

#include "lab/report.h"

/** A copy of `d` with one evaluation a position, at a depth: of each turn the value before the
 * move, and after it, which is that of the next position. Turns without a next one are left out. */
void bench_evals_strip(const struct bench_data *d, size_t depth, struct bench_data *out);
void bench_evals_free(struct bench_data *d);

/**
 * Fits the rating to stripped games, and prints how far it agrees with the one by everything.
 *
 * full       only its data are read
 * searched   file of lab/evals.mjs
 * model      where the fit is written as C initialisers; NULL: nowhere
 */
bool bench_evals(struct bench_report *full, const char *searched, const char *model,
                 struct ipr_err *err);

#endif
