#ifndef IPR_CORE_CONFIRMED_H
#define IPR_CORE_CONFIRMED_H

#include "base/mem.h"
#include "base/str.h"
#include "uci/judge.h"

/* Moves of a game that were chosen (core/confirm.h) and searched again so deeply that a page may
 * say something about one of them: how two searches agree, and how they are stored
 * (db/confirmations.h). */

/** The engine setting, and the owner of its jobs. */
#define IPR_CONFIRM "confirm"

/** A move of which searches disagree is searched again with this many times the nodes, up to this
 * many times those of the setting. */
#define IPR_CONFIRM_MORE 4
#define IPR_CONFIRM_CAP  16

/** Most losses that a shallow search sees are none. A move chosen for one is first searched with
 * the nodes divided by this; where it loses less than IPR_CONFIRM_NOTHING then, that is the end. */
#define IPR_CONFIRM_QUICK   8
#define IPR_CONFIRM_NOTHING 0.02

/** Expected points that the move played loses. */
double ipr_confirm_loss(const struct ipr_judged_turn *t);
/** The same after the search to a lower depth; NAN where it gave no score of the best move or of
 * the move played. */
double ipr_confirm_loss_at(const struct ipr_judged_turn *t, unsigned depth);

/** True if the losses of a move by two searches are within 0.05 of each other. */
bool ipr_confirm_agree(double lost, double other);

/** A turn that was searched again. */
struct ipr_confirmed_turn {
    struct ipr_judged_turn turn;
    bool open; /* the searches do not agree yet: the next one has more nodes */
};

/** Appends the stored form of a turn: the scores of its last depth only. */
void ipr_confirm_pack(const struct ipr_confirmed_turn *t, struct ipr_buf *out);

/** Reads all turns; scores at lower depths are IPR_SCORE_NONE. IPR_EPARSE if they are malformed or
 * not ascending. */
IPR_CHECK enum ipr_code ipr_confirm_unpack(struct ipr_str packed, struct ipr_arena *mem,
                                           struct ipr_confirmed_turn **out, size_t *n,
                                           struct ipr_err *err);

#endif
