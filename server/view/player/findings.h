#ifndef IPR_VIEW_PLAYER_FINDINGS_H
#define IPR_VIEW_PLAYER_FINDINGS_H

#include <stdbool.h>

#include <jansson.h>

#include "base/mem.h"

/* Sentences about lists of players, by rules (docs/figures.md, "Lists"). Texts from `mem`. */

/**
 * Of /players: how many are listed, how many of them are rated by their moves, the highest rating
 * with its interval, and how many others have an interval that reaches into that one.
 *
 * part   whether these are not all: there is a page before or after this one
 */
const char *ipr_players_finding(const json_t *players, bool part, struct ipr_arena *mem);

/** For /players/doubtful: how many pairs may be one person, and how many the spelling file is sure
 * of. */
const char *ipr_doubtful_finding(const json_t *doubtful, struct ipr_arena *mem);

#endif
