#include "model/strength_online.h"

/* `make pool` writes the constants. */
#define POOL ipr_strength_online_rapid
#include "model/strength_online_rapid.inc"
