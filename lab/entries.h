#ifndef LAB_ENTRIES_H
#define LAB_ENTRIES_H

#include "lab/data.h"
#include "lab/methods/strength_fit.h"
#include "lab/methods/strength_sides.h"

/** Statistics of one move, summed over a side: the mean is its score. */
enum bench_plain {
    BENCH_CAPPED_1,
    BENCH_CAPPED_2,
    BENCH_EXPECTED,
    BENCH_SCALED,
    BENCH_SHARE_30,
    BENCH_SHARE_50,
    BENCH_ROOT,
    BENCH_ROOT_9, /* loss at depths 9 and 10 */
    BENCH_PLAINS
};

extern const char *const bench_plain_name[BENCH_PLAINS];

/** answer[n_sides] */
void bench_entry_plain(const struct bench_data *d, enum bench_plain kind,
                       struct ipr_strength_side *answer);

/** Capped loss, centred and weighted in 27 cells of phase, gap and depths at which the best move is
 * first; out of fold. */
void bench_entry_cells(const struct bench_data *d, struct ipr_strength_side *answer);

/** Scores of a move that counts by the fit that does not know its player: of the move itself, the
 * judging engine's first choice, and its second where that loses BENCH_CLOSE at most, else the
 * first. */
struct bench_move {
    struct ipr_strength_score own, best, close;
};

#define BENCH_CLOSE 50. /* centipawns */

/** Features of the moves, centred and scaled over all games that are not blind. */
struct bench_features {
    double (*x)[IPR_STRENGTH_FEATURES];
    double *loss, *theta;
    bool *take;                      /* scratch */
    struct bench_move *move;         /* of the last chain; 0 of those that do not count */
    unsigned without;                /* set of steps of the loss that tell nothing of strength */
    struct ipr_strength_model model; /* centre and scale, and the fit to all that is not blind */
    struct ipr_strength_curvature *curvature;
};

IPR_CHECK enum ipr_code bench_features_make(const struct bench_data *d, struct bench_features *f,
                                            struct ipr_err *err);

void bench_features_free(struct bench_features *f);

/**
 * The chain of logits: sides that are not blind by a fit without their fold, blind ones by the fit
 * to all games that are not blind.
 *
 * use[]   features that take part
 */
IPR_CHECK enum ipr_code bench_entry_chain(const struct bench_data *d, struct bench_features *f,
                                          const bool *use, struct ipr_strength_side *answer,
                                          struct ipr_err *err);

#endif
