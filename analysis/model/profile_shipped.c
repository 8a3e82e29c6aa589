/* Written by `make profile`. How much players differ is known of online rapid games alone. */
#include "model/profile.h"

const struct ipr_profile_reference ipr_profile_online_rapid_files = {
#include "model/profile_between.inc"
#include "model/profile_halves_online.inc"
#include "model/profile_online_rapid_files.inc"
};

const struct ipr_profile_reference ipr_profile_online_rapid_moves = {
#include "model/profile_between.inc"
#include "model/profile_halves_online.inc"
#include "model/profile_online_rapid_moves.inc"
};

const struct ipr_profile_reference ipr_profile_online_blitz_moves = {
#include "model/profile_between.inc"
#include "model/profile_halves_online.inc"
#include "model/profile_online_blitz_moves.inc"
};

const struct ipr_profile_reference ipr_profile_online_bullet_moves = {
#include "model/profile_between.inc"
#include "model/profile_halves_online.inc"
#include "model/profile_online_bullet_moves.inc"
};

const struct ipr_profile_reference ipr_profile_otb_moves = {
#include "model/profile_between.inc"
#include "model/profile_halves_otb.inc"
#include "model/profile_otb_moves.inc"
};
