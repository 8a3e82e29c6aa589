/* The models' inner loops, 2 lanes wide. */
#define IPR_LANES 2
#include "model/lanes_kernel.h"

const struct ipr_lanes ipr_lanes_2 = IPR_LANES_TABLE("baseline");
