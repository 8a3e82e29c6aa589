#ifndef IPR_VIEW_RATING_SCOPE_H
#define IPR_VIEW_RATING_SCOPE_H

#include "db/events.h"
#include "db/players.h"
#include "db/turns.h"
#include "view/context.h"

/** Which of a player's games are rated, with the names of what was requested. */
struct ipr_rate_scope {
    struct ipr_db_scope db;
    struct ipr_db_player player;
    struct ipr_db_event event;       /* if there is one */
    struct ipr_db_player *opponents; /* [n_opponents] roots */
    size_t n_opponents;
};

/** Finds player, event and opponents. IPR_ENOTFOUND: no such player; IPR_EPARSE: no such event or
 * opponent. */
IPR_CHECK enum ipr_code ipr_rate_scope_open(const struct ipr_view_context *c, int32_t player,
                                            const struct ipr_view_scope *asked,
                                            struct ipr_rate_scope *out, struct ipr_err *err);

/** [{"id", "name"}]. New reference. */
json_t *ipr_rate_scope_opponents(const struct ipr_rate_scope *s);

/** IPR_ENOTFOUND: "Fischer, Robert James has no game as Black from 1960 to 1962 in the event 12
 * (Bled)". */
IPR_CHECK enum ipr_code ipr_rate_scope_no_game(const struct ipr_rate_scope *s,
                                               const struct ipr_view_scope *asked,
                                               struct ipr_err *err);

#endif
