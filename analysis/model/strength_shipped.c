#include "model/strength_shipped.h"

/* `make model` writes the constants; a change of them is a new IPR_STRENGTH_VERSION. */
const struct ipr_strength_shipped ipr_strength_shipped = {
#include "model/strength_shipped.inc"
};
