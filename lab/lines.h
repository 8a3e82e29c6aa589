#ifndef LAB_LINES_H
#define LAB_LINES_H

#include "lab/report.h"
#include "view/calibration/parts.h"

/** A side of a game with every line: turns [from, to) of its milepost. */
struct bench_lines_side {
    size_t milepost, from, to;
    uint64_t key;
    size_t at; /* the same side in the report; BENCH_NO_SIDE where it has none */
};

#define BENCH_NO_SIDE SIZE_MAX

/** Figures of a calibration of 20 lines, by side. */
struct bench_lines {
    struct ipr_arena mem;
    struct ipr_figures figures;
    struct bench_lines_side *side;
    size_t n;
    char digest[BENCH_DIGEST]; /* SHA-256 of the file, hexadecimal */
};

/* papers.c */

/** Entries of the estimators of the papers: answers of the sides that the report has as well. */
IPR_CHECK enum ipr_code bench_papers(const struct bench_lines *l, struct bench_report *r,
                                     struct ipr_err *err);

#endif
