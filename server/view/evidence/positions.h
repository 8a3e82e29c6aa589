#ifndef IPR_VIEW_EVIDENCE_POSITIONS_H
#define IPR_VIEW_EVIDENCE_POSITIONS_H

#include "model/profile.h"
#include "view/evidence/evidence.h"

/* Errors in the games of a profile as positions to solve. */

struct ipr_positions_of {
    const struct ipr_evidence_set *set;
    const struct ipr_profile_move *move; /* [set->n] */
    struct ipr_arena *mem;
};

struct ipr_pos ipr_position_before(const struct ipr_db_evidence_game *g, unsigned ply);

/** The costliest confirmed errors of a part of the moves, at most `limit`; row NULL: of all. */
struct ipr_list_profile_position ipr_positions_find(const struct ipr_positions_of *w,
                                                    const struct ipr_profile_row *row,
                                                    size_t limit);

/** As many of the costliest moves that are not confirmed as it lacks positions. Writes them to at,
 * which has room for set->n, and returns their number. */
size_t ipr_positions_lacking(const struct ipr_positions_of *w, const struct ipr_profile_row *row,
                             size_t limit, const struct ipr_evidence_move **at);

#endif
