#ifndef IPR_CORE_POOLS_H
#define IPR_CORE_POOLS_H

#include "core/setting.h"
#include "model/profile.h"
#include "model/strength_shipped.h"

/* Which constants a rating is computed with, and where they hold. Nothing else in server/ names
 * them. */

/** A scale of ratings. */
struct ipr_scale {
    enum ipr_purpose purpose; /* that of the engine setting whose evaluations it was fitted to */
    /* Scores of moves are those of one model in all pools; its calibration, errors and prior are
     * the pool's. NULL: there is no scale yet, and so no rating. */
    const struct ipr_strength_shipped *fit;
    double low, high; /* ratings that it is calibrated for; beyond it an estimate is a bound */
    const struct ipr_profile_reference *usual; /* where its players lose points; NULL: not known */
};

/** A population of players with scales of its own. */
struct ipr_pool {
    const char *name, *title;
    const char *games;       /* the games, in the words of a sentence: "online blitz games" */
    const char *server;      /* whose ratings the scales are of; NULL: none's */
    unsigned times;          /* set of IPR_TIME_BIT: games whose ratings are on these scales */
    struct ipr_scale moves;  /* of moves analysed here */
    struct ipr_scale files;  /* of evaluations in files */
    struct ipr_scale humans; /* of networks of human moves */
};

#define IPR_POOLS 10

/** All of them, 0 <= i < IPR_POOLS; the first is that of standard games over the board. */
const struct ipr_pool *ipr_pool_at(size_t i);

/** The pool of games at these classes of time control; 0: where none is requested. Of a set with
 * classes of several pools it is one without a scale: they never give one number. */
const struct ipr_pool *ipr_pool_of(unsigned times);

/** The pool of that name; that of games over the board if there is none. */
const struct ipr_pool *ipr_pool_named(const char *name);

/** " on the scale of lichess rapid", wherever they were played, " in rapid over the board", to
 * follow "games"; nothing of games over the board at classical time controls. */
const char *ipr_pool_in(const struct ipr_pool *pool, struct ipr_arena *mem);

/** The server of games of the pool, if its ratings are on another scale; else NULL. */
const char *ipr_pool_foreign(const struct ipr_pool *pool, const char *server);

/** Why there is no rating on a scale of this pool; NULL: there is a scale. */
const char *ipr_scale_none(const struct ipr_pool *pool, const struct ipr_scale *scale,
                           struct ipr_arena *mem);

/** The scale of a pool that has one: of moves, else of files, else of moves over the board, for
 * what is drawn without a rating. */
const struct ipr_scale *ipr_pool_scale(const struct ipr_pool *pool);

/** Name of the scale's engine setting, which its calibration has, too. */
const char *ipr_scale_name(const struct ipr_scale *scale);

/** True if the scale is calibrated for a rating. */
bool ipr_scale_holds(const struct ipr_scale *scale, double rating);

#endif
