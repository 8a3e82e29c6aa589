#include "model/results_shipped.h"

/* `make results` writes the included file. */
const struct ipr_results_shipped ipr_results_shipped = {
#include "model/results_shipped.inc"
    .scale = { .offset = 2410, .residual = 35, .drift = 3.5 },
};
