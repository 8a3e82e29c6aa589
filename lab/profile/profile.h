#ifndef LAB_PROFILE_H
#define LAB_PROFILE_H

#include <stdint.h>

#include "model/profile.h"

/* Sides of games as moves with what they lost. */

struct profile_side {
    double rating;
    uint64_t player; /* digest */
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
/** Writes the initialiser of `between`, or of all else. */
bool profile_write(const struct ipr_profile_reference *r, bool between, const char *path);

/* ---- check.c ---- */

/** The moves of some sides as one player's, in `out`; the mean rating. */
double profile_join(const struct profile_sides *s, const size_t *at, size_t n,
                    struct ipr_profile_move **out, size_t *moves);
/** Sets kappa by players composed of the sides that are taken: 40 games of one band of ratings. */
void profile_kappa(const struct profile_sides *s, const bool *take,
                   struct ipr_profile_reference *r);
/** Sets `between` by what the halves of the games of players with 20 and more have in common. */
void profile_between(const struct profile_sides *s, const bool *take,
                     struct ipr_profile_reference *r);

/** Prints what is named of composed players without and with a weakness. */
void profile_planted(const struct profile_sides *s, const bool *take,
                     const struct ipr_profile_reference *r);

/** Halves of the games of players with 20 and more. */
struct profile_halves {
    const struct ipr_profile_reference *r;
    size_t halves;
    size_t named;  /* weaknesses named by them in parts which the other half compares, too */
    size_t again;  /* of these, those where more is lost in the other half, too */
    double chance; /* as many as if any part of the other half had been named */
};

/** Adds those of the sides that are taken. */
void profile_halves(const struct profile_sides *s, const bool *take, struct profile_halves *h);

#endif
