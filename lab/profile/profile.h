#ifndef LAB_PROFILE_H
#define LAB_PROFILE_H

#include <stdint.h>

#include "model/profile.h"

/* Sides of games as moves with what they lost. */

struct profile_side {
    double rating;
    uint64_t player; /* digest */
    uint64_t set;    /* of games that are looked at together: a player's, or those of a year */
    uint32_t line;   /* of the game's opening; 0: not known */
    size_t first, n; /* in `move` */
};

struct profile_sides {
    struct profile_side *side; /* [n] */
    size_t n;
    struct ipr_profile_move *move; /* [moves]; `game` and `line` are not set */
    size_t moves;
};

/* ---- read.c: standard input ---- */

/** Figures of games that the engine setting `rating` has analysed (lab/figures.c). Clocks and
 * openings come from a PGN file of the same games; NULL: none. */
bool profile_read_figures(const char *clocks, struct profile_sides *out);
/** PGN with evaluations. */
bool profile_read_evals(struct profile_sides *out);
/** Figures of games without moves in a file; phases and openings come from PGN of them. A set is a
 * player's year. */
bool profile_read_careers(const char *figures, struct profile_sides *out);
void profile_free(struct profile_sides *s);

/* ---- fit.c ---- */

/** Sets what is lost by rating, colour, and, unless `hurried` is set, with little time left, from
 * the sides that are taken whose ratings are from low to high. */
void profile_fit(const struct profile_sides *s, const bool *take, double low, double high,
                 struct ipr_profile_reference *out);
/** Sets the standard errors of what is usual in the parts, as players are left out. `untimed`: what
 * little time costs is not fitted, and so has none. */
void profile_error(const struct profile_sides *s, const bool *take, bool untimed,
                   struct ipr_profile_reference *r);
/** Writes the initialiser of `between`, or of all else but `halves`. */
bool profile_write(const struct ipr_profile_reference *r, bool between, const char *path);

/* ---- check.c ---- */

/** The moves of some sides as one player's, in `out`; the mean rating. */
double profile_join(const struct profile_sides *s, const size_t *at, size_t n,
                    struct ipr_profile_move **out, size_t *moves);
/** Sets kappa by players composed of the sides that are taken: 40 games of one band of ratings. */
void profile_kappa(const struct profile_sides *s, const bool *take,
                   struct ipr_profile_reference *r);
#define PROFILE_REAL 20 /* games of an account that is looked at */

/** Sets `between` by what the halves of the games of players with 20 and more have in common. */
void profile_between(const struct profile_sides *s, const bool *take,
                     struct ipr_profile_reference *r);

/** Prints what is named of composed players without and with a weakness. */
void profile_planted(const struct profile_sides *s, const bool *take,
                     const struct ipr_profile_reference *r);

/** Calls `each` with the sides of each set that are taken, if there are so many. */
typedef void (*profile_set_fn)(void *payload, const struct profile_sides *s, const size_t *at,
                               size_t n);
void profile_each(const struct profile_sides *s, const bool *take, size_t least,
                  profile_set_fn each, void *payload);

/* ---- repeat.c ---- */

struct repeat_set;

/** Random halvings of sets of games. */
struct profile_repeat {
    const struct ipr_profile_reference *r;
    unsigned group;         /* of the sets that are added */
    struct repeat_set *set; /* [n] */
    size_t n;
};

/** Adds the sets of at least so many of the sides that are taken. */
void profile_repeat_add(const struct profile_sides *s, const bool *take, size_t least,
                        struct profile_repeat *t);

struct profile_repeated {
    size_t sets, players, naming; /* players of whom any half names a weakness */
    double named;                 /* weaknesses of a halving, on average */
    double there, chance;         /* shares of these where more is lost in the other half, too; and
                                     where it is of others of like rating */
    double before, after; /* how much more is lost there in the half that names it; in the other,
                             less that of others of like rating */
    double p;             /* one-sided, of `there` */
};

/** Sets *out by the sets of some groups. */
void profile_repeat_of(struct profile_repeat *t, unsigned first, unsigned last,
                       struct profile_repeated *out);
void profile_repeat_free(struct profile_repeat *t);

/** Gives the sides that are taken to other players of like rating, so that these differ in nothing.
 */
void profile_scramble(struct profile_sides *s, const bool *take, uint32_t seed);

#endif
