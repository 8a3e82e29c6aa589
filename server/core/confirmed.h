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

/** A move whose search does not settle is searched again with this many times the nodes, once. */
#define IPR_CONFIRM_MORE 4
/** A marked loss below this does not settle: nearly a third of them were none at ten times the
 * nodes.
 */
#define IPR_CONFIRM_CLEAR 0.10

/** Most moves that a shallow search chooses turn out to be nothing: each is looked at first with
 * the nodes divided by IPR_CONFIRM_LOOK. Where all others are worse and nobody had to find it, that
 * is the end; also where it loses less than IPR_CONFIRM_NOTHING then, except in a drift. One that
 * was chosen for its loss or a drift is glanced at before, with the nodes divided by
 * IPR_CONFIRM_GLANCE, and searched in full at once where that sees something. A glance that sees
 * nothing is not the end: two of 38 famous errors, which it would have ended, lose 0.15 and
 * 0.38 by the look. */
#define IPR_CONFIRM_GLANCE  16
#define IPR_CONFIRM_LOOK    4
#define IPR_CONFIRM_NOTHING 0.03

/** Expected points that the move played loses. */
double ipr_confirm_loss(const struct ipr_judged_turn *t);

/** Those that the best of the other moves gains; negative: loses. NAN: there is none. */
double ipr_confirm_gain(const struct ipr_judged_turn *t);

/**
 * Chooses the one of a search's last three depths by which the others gain neither most nor least,
 * and drops those above it: what the very last one says is now and then withdrawn by the next.
 * False if the three are more than 0.05 apart and give different marks, or the loss is marked and
 * below IPR_CONFIRM_CLEAR: the search has not settled.
 * A turn of other than two lines stays as it is, and is settled.
 */
bool ipr_confirm_settle(struct ipr_judged_turn *t, struct ipr_arena *mem);

/** A turn that was searched again. */
struct ipr_confirmed_turn {
    struct ipr_judged_turn turn;
    bool open; /* the search has not settled: another one with more nodes follows */
};

/** Appends the stored form of a turn: the scores of its last depth only. */
void ipr_confirm_pack(const struct ipr_confirmed_turn *t, struct ipr_buf *out);

/** No turn takes fewer bytes in it. */
#define IPR_CONFIRM_BYTES 8

/** Reads all turns; scores at lower depths are IPR_SCORE_NONE. IPR_EPARSE if they are malformed or
 * not ascending. */
IPR_CHECK enum ipr_code ipr_confirm_unpack(struct ipr_str packed, struct ipr_arena *mem,
                                           struct ipr_confirmed_turn **out, size_t *n,
                                           struct ipr_err *err);

#endif
