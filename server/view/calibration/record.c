/* What several parts of a record are written with. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <sodium.h>

#include "view/calibration/parts.h"
#include "view/json.h"

json_t *ipr_calibration_figure(double x)
{
    char text[32];

    if (!isfinite(x))
        return json_null();
    snprintf(text, sizeof text, "%.6g", x);
    return json_real(strtod(text, NULL));
}

json_t *ipr_calibration_excluded(const struct ipr_window_counts *counts)
{
    json_t *out = json_object();

    for (int i = 0; i < IPR_EXCLUDED_REASONS; i++)
        if (counts->excluded[i] > 0)
            json_object_set_new(out, ipr_excluded_name((enum ipr_excluded)i),
                                json_integer((json_int_t)counts->excluded[i]));
    return out;
}

struct ipr_rh_params ipr_calibration_params(const struct ipr_judge *judge)
{
    struct ipr_rh_params params = IPR_RH_PARAMS_INIT;

    params.k = judge->multipv;
    return params;
}

json_t *ipr_calibration_method(const struct ipr_rh_params *params)
{
    const struct ipr_window w = ipr_window_default(IPR_WINDOW_REGAN);

    return json_pack("{s:s, s:s, s:s, s:s, s:f, s:f, s:s, s:{s:i, s:f, s:b, s:b}}", "fit",
                     "moments", "tail", "extrapolated", "tie", "first", "curve", "exp", "tie_pawns",
                     params->tie_pawns, "cap_pawns", params->cap, "played", "placed", "window",
                     "first_move", (int)w.first_move, "limit_pawns", w.limit_cp / 100.0,
                     "drop_forced", w.drop_forced, "drop_repeated", w.drop_repeated);
}

void ipr_calibration_digest(struct ipr_str text, char hex[IPR_CALIBRATION_DIGEST])
{
    unsigned char digest[IPR_CALIBRATION_DIGEST / 2];

    crypto_generichash(digest, sizeof digest, (const unsigned char *)text.p, text.n, NULL, 0);
    sodium_bin2hex(hex, IPR_CALIBRATION_DIGEST, digest, sizeof digest);
}
