#ifndef IPR_VIEW_PLAYER_NEAR_H
#define IPR_VIEW_PLAYER_NEAR_H

#include "view/context.h"

/** The key of the person whom the spelling file has under this name; NULL: none, or no file. */
const char *ipr_players_spelled(const struct ipr_view *v, const char *key);

/**
 * Players whom a search means although letters of it are wrong, or it is as another language writes
 * the name, before those whom it found (`rows`, at most `limit` in all). Each wrong letter is as
 * unlikely as a tenth of the games: a player with a similar name comes first only if that leaves
 * more games than anybody has who was found. *similar: how many were added; without any found the
 * rest, whose names are similar anyhow, are in the same order.
 */
IPR_CHECK enum ipr_code ipr_players_near(const struct ipr_view_context *c, const char *key,
                                         int limit, struct ipr_db_player **rows, size_t *n,
                                         size_t *similar, struct ipr_err *err);

#endif
