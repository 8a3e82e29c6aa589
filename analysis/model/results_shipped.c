#include "model/results_shipped.h"

/* `make results` writes the included file. */
const struct ipr_results_shipped ipr_results_shipped = {
#include "model/results_shipped.inc"
};
