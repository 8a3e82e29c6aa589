#include "lab/number.h"

#include <math.h>

json_t *bench_number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *bench_range(double low, double high)
{
    return json_pack("{s:i, s:i}", "low", (int)low, "high", (int)fmin(high, 2800));
}
