#ifndef IPR_UCI_PLAN_H
#define IPR_UCI_PLAN_H

#include "uci/judge.h"

/** The turns of a game that are to be judged, in their order, and all positions. */
struct ipr_plan {
    struct ipr_place {
        struct ipr_pos pos;
        size_t base;             /* ply after the last irreversible move */
    } * place;                   /* of each ply, the end included */
    struct ipr_judged_game game; /* all turns wanted, ascending; those known filled in, the others
                                    with their ply alone */
    size_t *todo;                /* the others, in the order in which they are judged */
    size_t n_todo;
};

/** Memory from `mem`; arguments as for ipr_session_new. IPR_EINVAL with the ply of an illegal
 * move. */
IPR_CHECK enum ipr_code ipr_plan_make(struct ipr_plan *p, const struct ipr_judge *judge,
                                      const struct ipr_pos *start, const ipr_move *moves,
                                      size_t n_moves, unsigned sides,
                                      const struct ipr_judged_game *known, struct ipr_arena *mem,
                                      struct ipr_err *err);

#endif
