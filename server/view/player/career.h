#ifndef IPR_VIEW_PLAYER_CAREER_H
#define IPR_VIEW_PLAYER_CAREER_H

#include "model/career.h"
#include "resource/set.h"
#include "sentence/sentence.h"
#include "view/rating/path.h"
#include "view/rating/rate.h"
#include "view/rating/scope.h"

/* A set of a player's games, rated as a whole and by years. */

struct ipr_career_year {
    int year;
    struct ipr_figure_rating_short rating;
    double raw, raw_se; /* without the prior */
};

/** Maximum number of games whose moves a set of some phases is rated from. */
#define IPR_CAREER_PHASE_GAMES 4000

struct ipr_career {
    struct ipr_set set;
    const char *text;  /* ipr_set_text */
    const char *label; /* set by the caller, as it depends on the other sets */
    struct ipr_rate_scope of;
    int born;           /* year, by the spelling file; 0: unknown */
    const char *reason; /* why there is no rating; NULL: there is one */
    struct ipr_figure_rating_short rating;
    size_t without_moves; /* of a set of some phases: games of which only figures are stored */
    struct ipr_career_year *years; /* [n] with counted moves, ascending */
    size_t n;
    struct ipr_path *path;     /* of a set without limits but years; NULL: of another one */
    struct ipr_path_part part; /* of it: the peak of a whole career, else the set's years */
    bool beside;               /* has no strength, and is not compared with those that have one */
};

/** The sums over the moves of some phases of the game, by year; the games' moves are read. Years
 * ascending, without undated games. IPR_EPARSE: in more games than IPR_CAREER_PHASE_GAMES. */
IPR_CHECK enum ipr_code ipr_career_phases(const struct ipr_view_context *c,
                                          const struct ipr_db_scope *scope, unsigned phases,
                                          struct ipr_db_strength *sums,
                                          struct ipr_db_year_strength **years, size_t *n,
                                          size_t *games, size_t *without_moves,
                                          struct ipr_err *err);

/** The games that a set has, of its player; its phases are of moves. Borrows its opponents. */
struct ipr_view_scope ipr_career_scope(const struct ipr_set *set);

/** Reads and rates a set, by stored sums. IPR_EPARSE "bad_parameter": no such player, event or
 * opponent. */
IPR_CHECK enum ipr_code ipr_career_open(const struct ipr_view_context *c, const struct ipr_set *set,
                                        struct ipr_career *out, struct ipr_err *err);

/** Says in words what the moves show: of a player the strength at the peak, or in the set's years;
 * of other sets the rating of these games. */
const char *ipr_career_finding(const struct ipr_career *career, struct ipr_arena *mem);

/** The strength by which sets are compared: that at the peak or in the set's years; where no set
 * has one, the rating of their games. NAN: there is none. */
double ipr_career_strength(const struct ipr_career *career);

/** The first set less the second. */
struct ipr_trajectory_change ipr_career_difference(const struct ipr_career *a,
                                                   const struct ipr_career *b);

/**
 * Which of several sets is the strongest, and how sure that is; of one set its own finding. NULL:
 * there is none. probability: that the first is the strongest; NaN: it is not known.
 */
const char *ipr_careers_finding(const struct ipr_career *of, size_t n, double *probability,
                                struct ipr_arena *mem);

/**
 * What is known of one of its years against the others, in a sentence (docs/figures.md, "A year in
 * the career"). NULL: the year has no rating, or there is no other.
 */
const char *ipr_career_year_finding(const struct ipr_career *career, int year,
                                    struct ipr_arena *mem);

/** True if the set is all games of its player. */
bool ipr_career_is_whole(const struct ipr_career *career);

/** True if it has a strength, not only the rating of its games. */
bool ipr_career_has_strength(const struct ipr_career *career);

/** "middlegame", "endgame" */
struct ipr_texts ipr_career_phase_names(unsigned phases, struct ipr_arena *mem);

/** The surname, or all of a name without a comma. */
const char *ipr_career_surname(const char *name, struct ipr_arena *mem);

/** The expected scores of the sets against each other, by the strength of their moves: rows of
 * shape set_row. Sets without an estimate are left out. */
struct ipr_list_set_row ipr_career_against(const struct ipr_career *careers, size_t n,
                                           struct ipr_arena *mem);

#endif
