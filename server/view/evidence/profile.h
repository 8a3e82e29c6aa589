#ifndef IPR_VIEW_EVIDENCE_PROFILE_H
#define IPR_VIEW_EVIDENCE_PROFILE_H

#include "core/openings.h"
#include "model/profile.h"
#include "view/evidence/evidence.h"
#include "view/rating/rate.h"

/* Where a player's games lose points (model/profile.h), stored ones or those of a file. */

struct ipr_profile_source {
    const struct ipr_evidence_set *set; /* moves of the player alone */
    struct ipr_figure_named player;
    const struct ipr_pool *pool;        /* of all games */
    bool by_file;                       /* evaluations of files, not moves analysed here */
    bool compared;                      /* the engine setting is that of the pool's reference */
    const struct ipr_db_strength *sums; /* of the rating */
};

/** Fills the answer of /profile but for its basis, a blank one. */
void ipr_profile_make(const struct ipr_profile_source *from, struct ipr_arena *mem,
                      struct ipr_answer_profile *out);

/** The moves to confirm for the positions that the answer lacks: the costliest of the parts to work
 * on, or of all moves; *out may have one twice. Returns their number. */
size_t ipr_profile_unconfirmed(const struct ipr_profile_source *from, struct ipr_arena *mem,
                               const struct ipr_evidence_move ***out);

/** A move, and what it cost: fills a blank one. */
void ipr_profile_moment(const struct ipr_evidence_set *set, const struct ipr_evidence_move *m,
                        struct ipr_arena *mem, struct ipr_answer_profile_moment *out);

/** Points of that side in a game; NAN: not known. */
double ipr_profile_points(const struct ipr_db_evidence_game *g, bool black);

/** Sets the games, and what they have in common; `opening` is that of each move's game. */
void ipr_profile_games_fill(const struct ipr_profile_source *from,
                            const struct ipr_opening *opening, struct ipr_arena *mem,
                            struct ipr_answer_profile *out);

/** Sets the ratings of the games one after the other, and what they show. */
void ipr_progress_fill(const struct ipr_profile_source *from, const struct ipr_view_context *c,
                       const struct ipr_scale *scale, struct ipr_answer_profile *out);

#endif
