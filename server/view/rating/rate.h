#ifndef IPR_VIEW_RATING_RATE_H
#define IPR_VIEW_RATING_RATE_H

#include "db/results.h"
#include "db/strength.h"
#include "db/turns.h"
#include "model/complexity.h"
#include "sentence/sentence.h"
#include "stats/clustered.h"
#include "view/context.h"
#include "view/figure/figure.h"

/* The ratings of a set of a person's games, one file each. */

/** Which ratings, and parts of them that take long: the bits of `include` in a request. */
enum {
    IPR_RATE_FITS = IPR_RATINGS_INCLUDE_FITS, /* "fits": of the IPR by every way of fitting */
    IPR_RATE_BOOTSTRAP =
        IPR_RATINGS_INCLUDE_GAME_BOOTSTRAP,     /* "game_bootstrap": of the IPR's error */
    IPR_RATE_SIDES = IPR_RATINGS_INCLUDE_SIDES, /* "sides": each game by the reference agent */
    IPR_RATING_BITS, /* server/ratings.def; IPR_RATE_DEFAULT: what is computed for every year */
};

/** The data they are computed from. */
struct ipr_material {
    const struct ipr_view_context *context;
    const struct ipr_db_scope *scope;
    const struct ipr_db_player_turns *t; /* of the context's judge */
    size_t *keep;                        /* room for t->n: for windows */
    unsigned wanted;                     /* set of IPR_RATE_* */
    bool opponents;                      /* the opponents' mean Elo is the prior of the rating */
};

/** Sets one member of `out`, in the request's arena. Where fewer than IPR_VIEW_MIN_TURNS turns
 * count, it has a reason instead of an estimate. Only failures of our own are errors. */
typedef enum ipr_code ipr_rate_fn(const struct ipr_material *m, struct ipr_figure_ratings *out,
                                  struct ipr_err *err);

ipr_rate_fn IPR_RATING_FUNCTIONS; /* ipr_rate_NAME, of server/ratings.def */

/* For ipr_rate_beside: the material has no turns. */
ipr_rate_fn ipr_rate_strength IPR_CHECK, ipr_rate_accumulated IPR_CHECK, ipr_rate_endgame IPR_CHECK;

/** The rating of any set of one player's sides; a reason where none of their moves counts. */
struct ipr_figure_rating *ipr_strength_figure(const struct ipr_view_context *c,
                                              const struct ipr_db_strength *sums);

/** The same on one of the pool's scales. */
struct ipr_figure_rating *ipr_scale_figure(const struct ipr_view_context *c,
                                           const struct ipr_scale *scale,
                                           const struct ipr_db_strength *sums);

/** The same of sums over evaluations in files (model/strength_evals.h). Deviations from the Elo are
 * not tested for these. */
struct ipr_figure_rating *ipr_evals_figure(const struct ipr_view_context *c,
                                           const struct ipr_db_strength *sums);

/** True if the context's engine setting is that of evaluations in files. */
bool ipr_strength_is_by_file(const struct ipr_view_context *c);

/**
 * The rating of a player's moves of all years up to who.year (0: of the career) with
 * ipr_year_weight (model/years.h), without a prior and without these games; a reason if there are
 * too few moves of the year itself.
 */
IPR_CHECK enum ipr_code ipr_strength_up_to(const struct ipr_view_context *c,
                                           struct ipr_view_side who, double forgetting,
                                           const int64_t *without, size_t n_without,
                                           struct ipr_figure *out, struct ipr_err *err);

/** The moves of a set of one player's sides with the results of n groups of its games. */
struct ipr_figure_moves_and_results *ipr_strength_and_results(const struct ipr_view_context *c,
                                                              const struct ipr_db_strength *sums,
                                                              const struct ipr_db_results *results,
                                                              size_t n);

/** Sets *reason where a scope without a judged move, as `sums` has it, has no game at all. */
IPR_CHECK enum ipr_code ipr_strength_no_games(const struct ipr_view_context *c,
                                              const struct ipr_db_scope *scope,
                                              const struct ipr_db_strength *sums,
                                              const char **reason, struct ipr_err *err);

/** Rating of a scope by moves, and by moves and results. `opponents`: the prior's mean is the mean
 * Elo of the opponents, if any have one. */
IPR_CHECK enum ipr_code ipr_strength_of(const struct ipr_view_context *c,
                                        const struct ipr_db_scope *scope, bool opponents,
                                        struct ipr_figure_rating **rating,
                                        struct ipr_figure_moves_and_results **both,
                                        struct ipr_err *err);

/** Rates one player's games by analysis or by evaluations in files, whichever is of more games; the
 * former if both are of as many. A profile (IPR_FOR_PROFILE) chooses by the same rule. */
struct ipr_figure_rating *ipr_strength_fuller(const struct ipr_view_context *c,
                                              const struct ipr_db_strength *analysed,
                                              const struct ipr_db_strength *evals, bool *by_file);

/** The same as lists have it. */
/** True if the player's Elo is in the tags of all games that are rated: that of some of them can be
 * of another time, or filled in for the others' sake, so that the rating is not compared with it.
 */
bool ipr_strength_has_elo(int64_t moves, int64_t tagged_moves);

struct ipr_figure_rating_short ipr_strength_shorten(const struct ipr_figure_rating *rating);
struct ipr_figure_rating_short ipr_strength_short(const struct ipr_view_context *c,
                                                  const struct ipr_db_strength *sums);

/** A strength from results: its error against players of the same years, and its place on the
 * scale. */
struct ipr_results_place {
    double relative_error;
    struct ipr_whr_scale scale; /* of its component */
    struct ipr_whr_place place;
};

/** Strength from results of a player-year, or of a career, year 0. *at: set if there is one. */
IPR_CHECK enum ipr_code ipr_results_strength(const struct ipr_view_context *c, int32_t person,
                                             int year, struct ipr_figure_results_strength **out,
                                             struct ipr_results_place *at, struct ipr_err *err);
/** The same as lists have it; NULL where there is none. */
struct ipr_figure_results_short *ipr_results_short(const struct ipr_db_results_strength *s,
                                                   struct ipr_arena *mem);

/** The turns of a scope that count for a method: n indexes in the material's `keep`. */
struct ipr_rate_turns {
    size_t n;
    struct ipr_window window;
    struct ipr_window_counts counts;
    struct ipr_provenance from; /* of these turns; refers to the two above */
    const char *reason;         /* the reason why nothing can be estimated; NULL: none */
};
void ipr_rate_select(const struct ipr_material *m, enum ipr_method method, struct ipr_window window,
                     struct ipr_rate_turns *out);

/** The reason for no rating when no move counts; games at other time controls may be analysed. */
const char *ipr_rate_no_moves(const struct ipr_view_context *c, const char *setting);

/** The same when there is no game of the classes counted: "no rapid games in 1978". */
const char *ipr_rate_no_games(const struct ipr_view_context *c, const struct ipr_db_scope *scope);

/** "500 moves are needed, there are 120": the reason why nothing is estimated. */
const char *ipr_rate_needed(enum ipr_reason_needed which, size_t n, size_t have,
                            struct ipr_arena *mem);

/** The reason for no rating when too few turns count: of the material's turns, as in `counts`. */
const char *ipr_rate_too_few(const struct ipr_material *m, const struct ipr_window_counts *counts);

/** Number of games of the turns keep[n], which ascend by game. */
size_t ipr_rate_games(const struct ipr_turn *turns, const size_t *keep, size_t n);

/** A share, with the wider of its two intervals first. */
struct ipr_figure_share ipr_rate_share(const struct ipr_share *s);

/** The mean loss against the evaluation, of turns[keep[n]]. */
struct ipr_figure_loss_lines ipr_rate_loss_lines(const struct ipr_turn *turns, const size_t *keep,
                                                 size_t n, enum ipr_played_order order);

/** The search of a turn, among those that are compared; one of no time if only figures of it are
 * stored. */
struct ipr_depth_time ipr_rate_search(const struct ipr_judge *judge,
                                      const struct ipr_judged_turn *t);

/** Complexity and raw losses of the n turns in m->keep; to be freed. Depth against time is among
 * these turns' searches. */
struct ipr_complexity_turn *ipr_rate_indicators(const struct ipr_material *m, size_t n);
/** The reason why a correlation is not given, such as too few turns; NULL if it is. */
const char *ipr_rate_complexity_reason(enum ipr_complexity_kind kind,
                                       const struct ipr_complexity_rho *r,
                                       const struct ipr_judge *judge);

/** Computes the ratings wanted, from the judged turns and the results of the scope only, so that
 * they may be cached while these are unchanged. Other members of `out` are unchanged. */
IPR_CHECK enum ipr_code ipr_rate(const struct ipr_view_context *c, const struct ipr_db_scope *scope,
                                 unsigned wanted, struct ipr_figure_ratings *out,
                                 struct ipr_err *err);
/** The same for material made elsewhere. */
IPR_CHECK enum ipr_code ipr_rate_material(const struct ipr_material *m,
                                          struct ipr_figure_ratings *out, struct ipr_err *err);

/** Adds the members that depend on other data, so that they are computed for every answer: "rating"
 * (of evaluations by its own judge), "accumulated" to "conformance" (of a calendar year; other
 * years count) and "endgame" (independent of the judge, so that it may come from another judge's
 * work). */
IPR_CHECK enum ipr_code ipr_rate_beside(const struct ipr_view_context *c,
                                        const struct ipr_db_scope *scope, bool opponents,
                                        struct ipr_figure_ratings *all, struct ipr_err *err);

/** The part of `wanted` (of IPR_RATE_DEFAULT) that `r` lacks. */
unsigned ipr_rate_missing(const struct ipr_figure_ratings *r, unsigned wanted);

/** Ratings of a player-year (or of a career, year 0), cached or computed and then cached: at least
 * those wanted (of IPR_RATE_DEFAULT). `version` is that of their data. `cached_only`: *out NULL
 * when not all of them are cached. */
IPR_CHECK enum ipr_code ipr_rate_cached(const struct ipr_view_context *c, int32_t player, int year,
                                        int64_t version, unsigned wanted, bool cached_only,
                                        struct ipr_figure_ratings **out, struct ipr_err *err);

/** The turns of a scope that count for Regan & Haworth's model. */
struct ipr_rate_set {
    struct ipr_rh_set *set; /* NULL: there is a reason */
    struct ipr_rate_turns t;
};

/**
 * Opens the set of a scope in the calibration's window and with its parameters; the caller frees
 * `set`. Without a calibration, or with too few turns, `set` is NULL and t.reason says why.
 */
IPR_CHECK enum ipr_code ipr_rate_set_open(const struct ipr_material *m, enum ipr_method method,
                                          struct ipr_rate_set *out, struct ipr_err *err);

/* ---- results and Elo ---- */

/*
 * Games of a person with the Elo of both players when they were played: what the tags of the game
 * say; else the rating on the latest list that is not after the game and at most a year older
 * (db/elo.h); else none.
 */

struct ipr_elo_source {
    int elo;     /* 0: none is known */
    bool listed; /* from a rating list, not from the tags */
};

struct ipr_elo_game {
    const struct ipr_db_player_side *side;
    struct ipr_elo_source own, opponent;
};

/** The sides of a person that count: all, or the judged ones and the forfeited ones: these are only
 * counted. Games in c->v->mem. */
IPR_CHECK enum ipr_code ipr_elo_games(const struct ipr_view_context *c, int32_t person,
                                      const struct ipr_db_player_turns *t, bool judged_only,
                                      struct ipr_elo_game **games, size_t *n, struct ipr_err *err);

/** The mean of the person's own Elo over the games that were played, each weighted by its judged
 * turns ("turns": all of them) or, where none is judged, all alike ("turns": 0). `what` is the name
 * of the games ("the analysed games"). */
struct ipr_figure_elo_mean ipr_elo_mean(const struct ipr_view_context *c,
                                        const struct ipr_elo_game *games, size_t n,
                                        enum ipr_reason_elo_mean none);
/** One Elo of the tags or of a list; 0: none is known at the end of a scope. */
struct ipr_figure_elo_mean ipr_elo_at(const struct ipr_view_context *c, int elo, bool listed);

/** Figures from the results of the games that were played. The expected share has no error itself,
 * but a range of actual shares around it (model/elo.h); the performance is of all scored games, if
 * every opponent's rating is known. */
struct ipr_figure_results ipr_elo_results(const struct ipr_view_context *c,
                                          const struct ipr_elo_game *games, size_t n);

#endif
