#include "model/strength_shipped.h"

/* `make rating` writes the constants. */
const struct ipr_strength_shipped ipr_strength_shipped = {
#include "model/strength_shipped.inc"
};
