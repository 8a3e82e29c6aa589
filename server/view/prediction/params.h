#ifndef IPR_VIEW_PREDICTION_PARAMS_H
#define IPR_VIEW_PREDICTION_PARAMS_H

#include <jansson.h>

#include "model/conformance_predict.h"
#include "model/covariance.h"
#include "model/markov.h"
#include "view/view.h"

/* What the methods of prediction are computed with, and what of it can be asked for. */

/** Forms of a loss (methods section 1). */
enum ipr_predict_loss {
    IPR_PREDICT_LOSS_RAW,
    IPR_PREDICT_LOSS_GUID_BRATKO, /* raw, with its own window */
    IPR_PREDICT_LOSS_PONDERATED
};

struct ipr_predict_params {
    struct ipr_acs_params conformance;
    struct ipr_covariance_params covariance;
    enum ipr_predict_loss loss;          /* of covariance */
    struct ipr_conformance_params gains; /* the same for the model, with k1 and k2 */
    struct ipr_markov_params markov;
    bool matrices; /* whether Markov's are told */
};

/* More replicates than this take longer than a request should. */
#define IPR_PREDICT_REPLICATES_MAX 5000

/**
 * The parameters of `method` ("all": of every one) that were asked for; the others as A has them.
 *
 * conformance: alpha, beta, k1, k2.
 *
 * covariance: score=bound|tanh, n0, b (of bound), a (of tanh), loss=raw|guid_bratko|ponderated,
 * k1 and k2 (of ponderated), replicates, seed. bound has n0 = 32, b = 2.4, raw; tanh n0 = 0,
 * a = 1.16, ponderated with k1 = 1.20, k2 = -3.41 (A section 4.3.1).
 *
 * markov: classes=19|10 or edges=10,22,… (cp; zero is a class of its own, the last edge is of the
 * end class), empty_row=pool|identity, colours=together|separate, matrices, replicates, seed.
 *
 * NULL options: none. IPR_EPARSE "bad_parameter" that names the first one which is malformed, out
 * of range, without effect beside the others, or another method's. Untouched on error.
 */
IPR_CHECK enum ipr_code ipr_predict_params_read(const struct ipr_view_options *options,
                                                const char *method, struct ipr_predict_params *out,
                                                struct ipr_err *err);

/** As the answer names them ("params"). New references. */
json_t *ipr_predict_params_conformance(const struct ipr_predict_params *p);
json_t *ipr_predict_params_covariance(const struct ipr_predict_params *p);
json_t *ipr_predict_params_markov(const struct ipr_predict_params *p);

#endif
