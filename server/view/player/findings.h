#ifndef IPR_VIEW_PLAYER_FINDINGS_H
#define IPR_VIEW_PLAYER_FINDINGS_H

#include <jansson.h>

#include "base/mem.h"
#include "view/figure/shape.h"

/* Sentences about lists of players, by rules (docs/figures.md, "Lists"). Texts from `mem`. */

/** The sentences of /players: what a search by name has found, and `highest`, which says who of
 * those listed is highest (NULL where no player has a strength). */
const char *ipr_players_finding(const struct ipr_answer_players *players, const char *highest,
                                struct ipr_arena *mem);

/** For /players/doubtful: how many pairs may be one person, and how many the spelling file is sure
 * of. */
const char *ipr_doubtful_finding(const struct ipr_answer_similar_pairs *doubtful,
                                 struct ipr_arena *mem);

#endif
