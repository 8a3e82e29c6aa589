#ifndef LAB_PAPERS_FIGURE_H
#define LAB_PAPERS_FIGURE_H

#include "db/turns.h"
#include "lab/papers/papers.h"
#include "stats/clustered.h"

/* The figures of papers, made from what is stored: figure.c chooses a maker by the member "make" of
 * the figure in static/papers/PAPER.json, and has what they share. */

struct ipr_paper_figure {
    const struct ipr_view_context *context;
    const json_t *paper, *def; /* the file, and its entry of this figure */
    json_t *series, *constants;
    const char *reason; /* why there is none; NULL: there is one */
    size_t turns, games;
    bool of_calibration; /* and not of the games stored */
};

/** Fills series and constants, or the reason. Only failures of our own are errors. */
typedef enum ipr_code ipr_paper_figure_fn(struct ipr_paper_figure *f, struct ipr_err *err);

/* Figures of the players' own moves, by careers.c, evaluations.c and distributions.c. */
ipr_paper_figure_fn ipr_paper_careers IPR_CHECK, ipr_paper_iprs IPR_CHECK,
    ipr_paper_match_losses IPR_CHECK, ipr_paper_losses_by_evaluation IPR_CHECK,
    ipr_paper_share_by_evaluation IPR_CHECK, ipr_paper_colours IPR_CHECK,
    ipr_paper_losses IPR_CHECK, ipr_paper_match_differences IPR_CHECK,
    ipr_paper_evaluations IPR_CHECK, ipr_paper_reached IPR_CHECK;
/* Figures of both players' moves of matches and games, by scores.c and covariances.c. */
ipr_paper_figure_fn ipr_paper_match_scores IPR_CHECK, ipr_paper_sums IPR_CHECK,
    ipr_paper_surface IPR_CHECK, ipr_paper_best_bounds IPR_CHECK, ipr_paper_worth IPR_CHECK;
/* Figures of Markov's predictor. */
ipr_paper_figure_fn ipr_paper_matrix IPR_CHECK, ipr_paper_stationary IPR_CHECK;
/* Figures of methods. */
ipr_paper_figure_fn ipr_paper_conformance_curves IPR_CHECK, ipr_paper_posteriors IPR_CHECK,
    ipr_paper_depths IPR_CHECK;

/** Adds a series; its points, borrowed. `panel`: of figures with several beside each other, or
 * NULL. */
json_t *ipr_paper_add_series(struct ipr_paper_figure *f, const char *name, const char *panel);
/** Why the last series has no points. */
void ipr_paper_set_reason(struct ipr_paper_figure *f, const char *reason);
/** `interval` NaN: not known; n: moves, games. */
void ipr_paper_add_point(json_t *points, double x, double y, struct ipr_interval interval,
                         size_t n);
/** The share as y, its 95 % interval, and the moves. */
void ipr_paper_add_share(json_t *points, double x, const struct ipr_share *share);
/** Their difference as y. They are of different sides of games, so their errors are taken as
 * independent. */
void ipr_paper_add_difference(json_t *points, double x, const struct ipr_share *a,
                              const struct ipr_share *b);
/** The mean of scores of games as y, its 95 % interval, and the games. */
void ipr_paper_add_mean(json_t *points, double x, const double *scores, size_t n);
/** A cell of a heat map. */
void ipr_paper_add_cell(json_t *points, double x, double y, double value);
/** A number that the paper prints: `name` finds what it prints in "constants" of the figure. */
void ipr_paper_add_constant(struct ipr_paper_figure *f, const char *name, double ours,
                            struct ipr_interval interval);

/** Moves of a person that count for conformance, with the results of their games. */
struct ipr_paper_moves {
    const char *name; /* as printed */
    struct ipr_db_player_turns t;
    size_t *keep; /* the n turns t.turns[keep[i]] */
    size_t n, games;
};

/** Reads a player of the paper in the years from..to (0, 0: all), against one opponent or, 0, all
 * of them; in the view's arena. Moves that count are added to the figure's numbers. */
IPR_CHECK enum ipr_code ipr_paper_moves(struct ipr_paper_figure *f, const char *name, int from,
                                        int to, int32_t opponent, struct ipr_paper_moves *out,
                                        struct ipr_err *err);

/** Calls `take` with the career of each player in turn, whose memory is released afterwards:
 * members "name" of the list, or with a list of texts these. */
typedef enum ipr_code ipr_paper_take_fn(struct ipr_paper_figure *f, const struct ipr_paper_moves *m,
                                        void *arg, struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_paper_each_career(struct ipr_paper_figure *f, const json_t *names,
                                              ipr_paper_take_fn *take, void *arg,
                                              struct ipr_err *err);

/* Matches of the list "matches" of the figure: "year" and two "players", the winner first. */
typedef enum ipr_code ipr_paper_match_fn(struct ipr_paper_figure *f, const json_t *match,
                                         struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_paper_each_match(struct ipr_paper_figure *f, ipr_paper_match_fn *take,
                                             struct ipr_err *err);
/** The winner (0), the loser (1). */
const char *ipr_paper_match_name(const json_t *match, int of);
/** The moves of one of them in games of that year against the other. */
IPR_CHECK enum ipr_code ipr_paper_match_moves(struct ipr_paper_figure *f, const json_t *match,
                                              int of, struct ipr_paper_moves *out,
                                              struct ipr_err *err);
/** The reason for no points of a side with fewer than IPR_VIEW_MIN_TURNS moves. */
extern const char ipr_paper_too_few[];

/** Every player of the paper, by surname. New reference. */
json_t *ipr_paper_players(const struct ipr_paper_figure *f);

#endif
