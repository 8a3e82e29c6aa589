#include "model/results_shipped.h"

/* `make results` writes the constants. */
const struct ipr_results_shipped ipr_results_shipped = {
#include "model/results_shipped.inc"
};
