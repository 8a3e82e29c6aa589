#ifndef IPR_VIEW_CALIBRATION_USE_H
#define IPR_VIEW_CALIBRATION_USE_H

#include "model/bayes.h"
#include "model/calibration_fit.h"
#include "model/markov.h"
#include "model/regan_delta.h"
#include "model/window.h"
#include "view/calibration/calibration.h"

/**
 * Transitions of the calibration's own turns, for the rows that a player lacks: they are the same
 * whatever else is stored. Every pair of evaluations, so that the counts between any classes can be
 * computed.
 */
struct ipr_calibration_pool {
    struct ipr_calibration_transition {
        int16_t best_cp, played_cp; /* v_b, v_p */
        int32_t turns;
    } * transitions;
    size_t n; /* 0: the record has none, as earlier and published ones */
    char digest[IPR_CALIBRATION_DIGEST];
};

/** A calibration record ready for use: immutable after loading, so that threads share it. */
struct ipr_calibration_use {
    char name[64];
    struct ipr_judge judge;
    /* The judge of the reference set's turns: `judge`, except for a published record, whose own
     * turns are not available ("reference_judge"). */
    struct ipr_judge reference_judge;
    struct ipr_calibration line; /* of the moments fits */
    struct {
        struct ipr_calibration line;
        bool known;          /* false if the record has none, as in earlier versions */
    } fits[IPR_RH_RMLE + 1]; /* each kind by its own line, by enum ipr_rh_fit_kind */
    struct ipr_rh_params params;
    struct ipr_window window;
    struct ipr_rh_set *reference;
    struct ipr_bayes_calibration bayes; /* Elo on the reference agent's mean c */
    bool bayes_known;                   /* false in records of earlier versions, as below */
    double random_share;                /* of moves, for rmle; 0: not known, or none */
    double factor_mm, factor_ad;        /* of concordance tests, >= 1; 0: not known */
    struct ipr_calibration_pool pool;
};

/** Model settings of a judge's calibration: R's window and rules, methods section 5. */
struct ipr_rh_params ipr_calibration_params(const struct ipr_judge *judge);

/** Sets counts[classes->n ^ 2] to the pool's, as ipr_markov_count of all its turns would. */
void ipr_calibration_pool_count(const struct ipr_calibration_pool *pool,
                                const struct ipr_markov_classes *classes, double *counts);

/**
 * The loaded calibration with this digest, from the process-wide store or by `load`, which
 * fetches the record's text (borrowed until it returns). Give it back with _release.
 */
typedef enum ipr_code (*ipr_calibration_fetch_fn)(void *arg, const char **record_json,
                                                  struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_calibration_acquire(const char *digest, ipr_calibration_fetch_fn load,
                                                void *arg, const struct ipr_calibration_use **out,
                                                struct ipr_err *err);
void ipr_calibration_release(const struct ipr_calibration_use **use);

#endif
