#include "model/results_shipped.h"

/* `make results` writes the constants; a change of them is a new IPR_RESULTS_VERSION. */
const struct ipr_results_shipped ipr_results_shipped = {
#include "model/results_shipped.inc"
};
