#ifndef IPR_MODEL_REGAN_DEPTH_SET_H
#define IPR_MODEL_REGAN_DEPTH_SET_H

#include "model/lanes.h"
#include "model/regan_depth.h"

/* Internals of struct ipr_rh_depth_set and its evaluation; for the files of regan_depth.h only. */

/** IPR_BLOCK turns of like length; arrays are lanes (lanes.h). */
struct ipr_rh_depth_block {
    size_t n;                        /* entries of the longest */
    const float *count;              /* [n] moves of the entry; 0 beyond a turn's own */
    const uint32_t *at;              /* [n * depths] index into log_delta: (i * depths + d) */
    uint16_t played[IPR_BLOCK];      /* entry of the move played */
    double log_log_moves[IPR_BLOCK]; /* ln ln of the number of moves */
    uint32_t game[IPR_BLOCK];        /* 0 .. games - 1 */
    unsigned turns;                  /* lanes with a turn, the first ones */
};

struct ipr_rh_depth_set {
    size_t n, games;
    unsigned depths;
    bool choice;  /* some turn has two moves */
    bool differ;  /* some move's difference is not the same at all depths */
    size_t first; /* turns whose move has no difference from the best at the last depth */
    size_t blocks;
    struct ipr_rh_depth_block *block;
    size_t distinct;   /* differences that occur */
    double *log_delta; /* [distinct, up to whole blocks] -1e6 for 0 */
    float *counts;
    uint32_t *places;
};

/** Room for evaluating a set at many points. Owns its buffers. */
struct ipr_rh_depth_task {
    const struct ipr_rh_depth_set *set;
    double *y, *ds, *dc; /* of every difference: the curve and its derivatives by ln s, ln c */
    double *log_l;       /* of every turn, where it was found last */
    double *score;       /* [games * (2 + depths)] gradient by ln s, ln c and each w_d */
    double *spread;      /* [(2 + depths) * (2 + depths)] sum over turns of gradient gradient' */
};

void ipr_rh_depth_task_init(struct ipr_rh_depth_task *task, const struct ipr_rh_depth_set *set);
void ipr_rh_depth_task_release(struct ipr_rh_depth_task *task);

enum {
    IPR_RH_DEPTH_GRADIENT = 1, /* by ln s, ln c and the weights that are not 0 */
    IPR_RH_DEPTH_ALL = 2,      /* by those that are 0, too */
    IPR_RH_DEPTH_SPREAD = 4    /* and the sum over turns of its products */
};

/**
 * sum ln p_played at (ln s, ln c), within the domain, and w[depths], sum 1.
 *
 * want   sum of the above, 0 for the value alone: what is overwritten of score and spread
 *
 * The likelihood does not change when all weights grow alike: sum_d w_d dl/dw_d = 0.
 */
double ipr_rh_depth_at(struct ipr_rh_depth_task *task, double log_s, double log_c, const double *w,
                       int want);

#endif
