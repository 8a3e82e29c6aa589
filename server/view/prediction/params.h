#ifndef IPR_VIEW_PREDICTION_PARAMS_H
#define IPR_VIEW_PREDICTION_PARAMS_H

#include <jansson.h>

#include "model/conformance_predict.h"
#include "model/covariance.h"
#include "model/markov.h"
#include "view/view.h"

/* What the methods of prediction are computed with, and what of it can be requested. */

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
    bool matrices; /* whether Markov's are in the answer */
};

/**
 * The parameters of the resource `prediction`; what was not given is as A has it: conformance's
 * threshold, k1 and k2 of section 2; covariance with score=bound: n0 = 32, b = 2.4, raw losses,
 * with score=tanh: n0 = 0, a = 1.16, weighted losses with k1 = 1.20, k2 = -3.41 (section 4.3.1).
 * IPR_EPARSE where they are without effect beside each other. Untouched on error.
 */
IPR_CHECK enum ipr_code ipr_predict_params_make(const struct ipr_prediction_request *given,
                                                struct ipr_predict_params *out,
                                                struct ipr_err *err);

/** As the answer names them ("params"). New references. */
json_t *ipr_predict_params_conformance(const struct ipr_predict_params *p);
json_t *ipr_predict_params_covariance(const struct ipr_predict_params *p);
json_t *ipr_predict_params_markov(const struct ipr_predict_params *p);

#endif
