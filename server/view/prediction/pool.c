#include "view/prediction/pool.h"

#include "view/json.h"

static bool pool_known(const struct ipr_view_context *c)
{
    return c->calibration != NULL && c->calibration->pool.n > 0;
}

const double *ipr_predict_pool(const struct ipr_view_context *c,
                               const struct ipr_markov_classes *classes, double *counts)
{
    if (!pool_known(c))
        return NULL;
    ipr_calibration_pool_count(&c->calibration->pool, classes, counts);
    return counts;
}

void ipr_predict_pool_json(const struct ipr_view_context *c, json_t *out)
{
    const bool known = pool_known(c);

    json_object_set_new(out, "pool", known ? json_string(c->calibration->name) : json_null());
    json_object_set_new(out, "pool_digest",
                        known ? json_string(c->calibration->pool.digest) : json_null());
    if (!known)
        json_object_set_new(out, "pool_reason",
                            ipr_json_text(c->calibration == NULL
                                              ? c->reason
                                              : "the calibration has no pool of transitions"));
}
