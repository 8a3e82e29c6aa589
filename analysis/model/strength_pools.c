#include "model/strength_pools.h"

#include "model/strength_human.h"

/* `make pool` writes the constants. */
#define POOL ipr_strength_online_rapid_files
#include "model/strength_online_rapid_files.inc"
#undef POOL
#define POOL ipr_strength_online_rapid_moves
#include "model/strength_online_rapid_moves.inc"
#undef POOL
#define POOL ipr_strength_online_blitz_moves
#include "model/strength_online_blitz_moves.inc"
#undef POOL
#define POOL ipr_strength_online_bullet_moves
#include "model/strength_online_bullet_moves.inc"
#undef POOL
#define POOL ipr_strength_otb_rapid_moves
#include "model/strength_otb_rapid_moves.inc"
#undef POOL
#define POOL ipr_strength_otb_blitz_moves
#include "model/strength_otb_blitz_moves.inc"
#undef POOL
#define POOL ipr_strength_online_rapid_humans
#include "model/strength_online_rapid_humans.inc"
#undef POOL
#define POOL ipr_strength_online_blitz_humans
#include "model/strength_online_blitz_humans.inc"
#undef POOL
#define POOL ipr_strength_online_bullet_humans
#include "model/strength_online_bullet_humans.inc"
