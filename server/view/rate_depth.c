#include "view/rate.h"
enum ipr_code ipr_rate_depth(const struct ipr_material *m, json_t **out, struct ipr_err *err)
{
    (void)m;
    (void)err;
    *out = json_null();
    return IPR_OK;
}
