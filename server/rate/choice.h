#ifndef IPR_RATE_CHOICE_H
#define IPR_RATE_CHOICE_H

#include "core/args.h"
#include "db/games.h"

/* Which players and games `intrinsic rate` counts, and what it gives a rating. */

enum ipr_rate_by {
    IPR_RATE_BY_PLAYER,
    IPR_RATE_BY_EVENT,
    IPR_RATE_BY_YEAR,
    IPR_RATE_BY_MONTH,
    IPR_RATE_BY_GAME
};

#define IPR_RATE_NAMES 12 /* at most */

struct ipr_rate_choice {
    enum ipr_rate_by by;
    /* None: everybody. One: players whose names begin so. Several: one person, whose accounts have
     * these whole names. Case and accents do not matter. */
    const char *player[IPR_RATE_NAMES];
    size_t n_players;
    unsigned times;    /* set of IPR_TIME_BIT; 0: any */
    const char *since; /* YYYY, YYYY-MM or YYYY-MM-DD; NULL: any date */
    bool rated_only;
};

/** Why a game is left out, beside its class of time control. */
enum ipr_rate_reason {
    IPR_RATE_BEFORE,
    IPR_RATE_UNDATED,
    IPR_RATE_NOT_RATED,
    IPR_RATE_REPEATED,      /* it is there already */
    IPR_RATE_WITHOUT_EVALS, /* none in its file, or not enough */
    IPR_RATE_REASONS
};

/** "before", "undated", "not_rated", "repeated", "without_evals". */
extern const char *const ipr_rate_reason_names[IPR_RATE_REASONS];

/** Games of the player requested that are not counted, by the first reason that applies. */
struct ipr_rate_left_out {
    size_t time[IPR_TIME_CLASSES], reason[IPR_RATE_REASONS];
};

/** Reads the options; texts are borrowed. */
IPR_CHECK enum ipr_code ipr_rate_choice_read(const struct ipr_args *args,
                                             struct ipr_rate_choice *out, struct ipr_err *err);

/** True if a player is the one of player[k]. */
bool ipr_rate_is_named(const struct ipr_rate_choice *choice, size_t k,
                       const struct ipr_identity *player);

/** True if a name is the player's of the choice. */
bool ipr_rate_is_chosen(const struct ipr_rate_choice *choice, const struct ipr_identity *player);

/** True if a game is of the choice; else it counts as left out, unless it is of other players. */
bool ipr_rate_game_is_chosen(const struct ipr_rate_choice *choice,
                             const struct ipr_db_new_game *row, const struct ipr_pgn_tag *tags,
                             size_t n_tags, struct ipr_rate_left_out *left_out);

/** YYYYMM of a game, without a month YYYY00, without a year 0. */
int ipr_rate_month(const struct ipr_db_new_game *row);

#endif
