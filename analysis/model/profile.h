#ifndef IPR_MODEL_PROFILE_H
#define IPR_MODEL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/move_mark.h"

/*
 * Where a player loses points: the expected points that the moves of some kind lose, against what
 * players of the same strength lose in the same kind of position.
 *
 * A reference gives the expected loss m of a move by phase, standing and rating. A player's moves
 * lose L in all where M is expected; Lambda = L / M is how much more, everywhere. In a part k of
 * the moves the deviation is L_k / (Lambda M_k) - 1: how much more is lost there than elsewhere,
 * the kinds of position being equal. Losses vary in proportion to what is expected, by kappa, and
 * the deviation has the variance
 *
 *   kappa_k (1 - M_k / M) / (Lambda M_k)
 *
 * to which the square of the reference's own error is added; and players of one rating differ in it
 * by `between`, from which the shrunk deviation follows. A deviation is called one where it is none
 * by chance: by Holm's method over all parts, the chance that any part of a player without one is
 * called so is at most IPR_PROFILE_ERROR. Source: S. Holm, Scandinavian Journal of Statistics 6
 * (1979) 65-70.
 *
 * With many games a deviation can be beyond chance and not worth a player's time. So it is called
 * one only if it is of at least IPR_PROFILE_SHARE, as players of one level differ by .05 to .13
 * (`between`), and costs at least IPR_PROFILE_COST points a game: an inaccuracy, the least error
 * that has a mark, in every game; some 35 rating points.
 */

enum ipr_standing {
    IPR_STANDING_LOST,   /* expected score below .05 */
    IPR_STANDING_BEHIND, /* below .30 */
    IPR_STANDING_LEVEL,
    IPR_STANDING_AHEAD, /* above .70 */
    IPR_STANDING_WON,   /* above .95 */
    IPR_STANDINGS
};

enum ipr_standing ipr_standing_of(double expected);

enum ipr_profile_part {
    IPR_PROFILE_OPENING,
    IPR_PROFILE_MIDDLEGAME,
    IPR_PROFILE_ENDGAME,
    IPR_PROFILE_WHITE,
    IPR_PROFILE_BLACK,
    IPR_PROFILE_AHEAD, /* or won */
    IPR_PROFILE_LEVEL,
    IPR_PROFILE_BEHIND,  /* or lost */
    IPR_PROFILE_HURRIED, /* little time left */
    IPR_PROFILE_PARTS,
    IPR_PROFILE_LINE = IPR_PROFILE_PARTS /* an opening, by name */
};

/** "opening", "middlegame", ..., "hurried", "line". */
const char *ipr_profile_part_name(enum ipr_profile_part part);

/** Time left from which a move is not hurried: a tenth of the time at the start, 30 seconds at
 * most, ms. */
int64_t ipr_profile_hurried_below(int64_t start_ms);

struct ipr_profile_move {
    uint32_t game; /* ascending */
    uint32_t line; /* number of the game's opening, from 1; 0: none */
    enum ipr_phase phase;
    enum ipr_standing standing; /* before the move */
    bool black;
    int8_t hurried; /* -1: not known */
    double lost;    /* expected points, at least 0 */
};

#define IPR_PROFILE_DEGREE 3
#define IPR_PROFILE_KNOTS  5

/** The losses that are usual among players of a pool. */
struct ipr_profile_reference {
    double low, high; /* ratings that it was made for */
    /* With x = (rating - 1600) / 400 the loss is c[0] + c[1] x + c[2] x^2, expected points. */
    double loss[IPR_PHASES][IPR_STANDINGS][IPR_PROFILE_DEGREE];
    double colour[2];  /* of White and Black: times as much */
    double hurried[2]; /* with time and without; 0: not known */
    /* By part, IPR_PROFILE_LINE the last: */
    double kappa[IPR_PROFILE_PARTS + 1];   /* expected points */
    double between[IPR_PROFILE_PARTS + 1]; /* standard deviation of the deviation */
    /* Standard error, as a share, of what is expected in a part of all moves, at ratings that
     * divide low to high evenly. An opening is measured by the same curves as the rest: none. */
    double error[IPR_PROFILE_PARTS][IPR_PROFILE_KNOTS];
    struct {
        double there, chance, p;
    } halves; /* real players: the share of weaknesses named from half of the games that are in the
                 other half, by chance, and the p of the difference (docs/profile.md) */
};

/** References of lichess's pools, by evaluations in files and by moves that the engine setting
 * `rating` has analysed, and of games over the board (docs/profile.md). */
extern const struct ipr_profile_reference ipr_profile_online_rapid_files,
    ipr_profile_online_rapid_moves, ipr_profile_online_blitz_moves, ipr_profile_online_bullet_moves,
    ipr_profile_otb_moves;

/** How far beyond the ratings of a reference a player is compared with those at its end: over so
 * many points the share that a part has in what is expected shifts by 2 % as a rule
 * (docs/profile.md). */
#define IPR_PROFILE_BEYOND 200.

/** The rating of the players that one of `rating` is compared with; NAN: none. */
double ipr_profile_level(const struct ipr_profile_reference *r, double rating);

/** Loss expected of a move of a player of that rating; ratings beyond the reference are its ends.
 */
double ipr_profile_expected(const struct ipr_profile_reference *r,
                            const struct ipr_profile_move *move, double rating);

struct ipr_profile_row {
    enum ipr_profile_part part;
    uint32_t line; /* of IPR_PROFILE_LINE */
    uint32_t last; /* game that was added last */
    size_t moves, games;
    double lost;          /* expected points, in all */
    double usual;         /* of players of the rating, in the same positions; NAN without a
                             reference and of an opening of too few games, as is what follows */
    double stronger;      /* of players who are IPR_PROFILE_STRONGER above it; NAN beyond it */
    double deviation, se; /* against the player's other moves */
    double reference_se;  /* the part of `se` that is the reference's */
    double shrunk;        /* the deviation as it probably is */
    double extra;         /* points a game of the set that it costs */
    double p;             /* chance of as large a deviation in that direction, without one */
    int called;           /* 1: more is lost there, -1: less, 0: neither is sure, or too little */
};

#define IPR_PROFILE_STRONGER 200.
#define IPR_PROFILE_ERROR    .06
#define IPR_PROFILE_SHARE    .10
#define IPR_PROFILE_COST     IPR_MARK_INACCURACY_AT
#define IPR_PROFILE_MOVES    40 /* of a part that is compared, at least */
#define IPR_PROFILE_GAMES    8  /* of an opening that is compared, at least */
#define IPR_PROFILE_SHOWN    3  /* games of an opening that has a row, at least */
#define IPR_PROFILE_LINES    6  /* rows of openings, those with most games */

struct ipr_profile {
    struct ipr_profile_row row[IPR_PROFILE_PARTS + IPR_PROFILE_LINES]; /* without empty parts */
    size_t n;
    size_t moves, games;
    double lost, usual, stronger; /* as above, of all moves */
};

/**
 * move[n]    of one player, by game
 * reference  NULL: nothing is expected
 * rating     of the player, by these moves
 */
void ipr_profile_of(const struct ipr_profile_move *move, size_t n,
                    const struct ipr_profile_reference *reference, double rating,
                    struct ipr_profile *out);

/** Takes out the rows of phases, where they are not known of all moves. */
void ipr_profile_drop_phases(struct ipr_profile *p);

/** True if a move belongs to the part of a row. */
bool ipr_profile_is_in(const struct ipr_profile_move *move, const struct ipr_profile_row *row);

/** Indices of rows in which more is lost, those first that have cost most; how many, at most
 * three. */
#define IPR_PROFILE_ADVICE 3
size_t ipr_profile_advice(const struct ipr_profile *p, size_t row[IPR_PROFILE_ADVICE]);

#endif
