#ifndef IPR_VIEW_CALIBRATION_PARTS_H
#define IPR_VIEW_CALIBRATION_PARTS_H

#include <stdatomic.h>

#include <jansson.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"
#include "model/calibration_fit.h"
#include "model/turn.h"
#include "model/window.h"
#include "uci/judge.h"
#include "view/calibration/use.h"
#include "view/figure/figure.h"

/*
 * The parts of a calibration record, for the files of this folder only. One file a part, and each
 * uses only those above it:
 *
 *   input.c                        the figures, read
 *   record.c                       functions for several parts; the line to Elo
 *   sets.c                         mileposts and reference set, ready for fitting
 *   fits.c, curve_families.c, bayes.c, score_curve.c, pool.c    the parts of the record
 *   make.c                         the record
 *   load.c, loaded.c               a record, ready for use
 *   published.c                    a record from a printed table
 */

/* ---- input.c ---- */

/* Figures of a calibration read into memory, one group a milepost, ascending. */

struct ipr_figures_milepost {
    int nominal;            /* round Elo value that names it */
    struct ipr_turn *turns; /* in the order of the file; cp from the arena */
    double *elo;            /* of the mover, beside each turn */
    double *score;          /* the mover's result of the game, beside each turn; NaN: not known */
    size_t n;
};

struct ipr_figures {
    struct ipr_judge judge;
    json_t *judge_json; /* as in the first line, new reference */
    struct ipr_figures_milepost *mileposts;
    size_t n;
    size_t games;  /* lines: sides of games */
    size_t scored; /* of them, with a known result */
};

/**
 * Reads NDJSON figures (calibration.h). Memory from `mem`, except for judge_json.
 * IPR_EPARSE with the line and type "bad_figures" or "mixed_judges"; nothing is skipped.
 */
IPR_CHECK enum ipr_code ipr_figures_read(struct ipr_str text, struct ipr_arena *mem,
                                         struct ipr_figures *out, struct ipr_err *err);

/* ---- record.c ---- */

/** A figure that no rating is computed from, to 6 significant digits; NaN when not finite. */
double ipr_calibration_figure(double x);

struct ipr_figure_projection *ipr_calibration_compared(double projected, double actual,
                                                       struct ipr_arena *mem);

/** The method of a record computed with these settings. */
struct ipr_answer_calibration_method ipr_calibration_method(const struct ipr_rh_params *params);

struct ipr_answer_c_line ipr_calibration_c_line(const struct ipr_calibration *line);

/** Where the fit of a kind stands, and its line. */
struct ipr_answer_milepost_fit **ipr_calibration_fit_at(struct ipr_answer_milepost_fits *fits,
                                                        enum ipr_rh_fit_kind kind);
/** NULL: none. */
const struct ipr_answer_milepost_fit *ipr_calibration_fit_of(const struct ipr_answer_milepost *m,
                                                             enum ipr_rh_fit_kind kind);
struct ipr_answer_fit_line **ipr_calibration_line_at(struct ipr_answer_fit_lines *lines,
                                                     enum ipr_rh_fit_kind kind);

#define IPR_CALIBRATION_AGENT (-1) /* in place of a kind of fit: the reference agent */

/**
 * What the sampling of a record's mileposts makes of the residual variance of its line of slope b
 * by that kind of fit, from what stands in each of them; 0 where one does not say.
 */
double ipr_calibration_sampling_in(const struct ipr_answer_calibration_made *record, double b,
                                   int kind);

/** Sets "sampling_sd" of the record, of its "lines" and of "bayes", where it is known. */
void ipr_calibration_add_sampling(struct ipr_answer_calibration_record *record);

/** Sets the line of a record, its errors and range, "c_line" and "band". */
void ipr_calibration_add_line(const struct ipr_calibration *line,
                              const struct ipr_rh_set *reference, struct ipr_arena *mem,
                              struct ipr_answer_calibration_made *record);

/* ---- sets.c ---- */

/** Mileposts made ready for fitting, in the order of the figures. */
struct ipr_calibration_sets {
    const struct ipr_figures *figures;
    struct ipr_arena *mem; /* of the record */
    struct ipr_rh_params params;
    struct ipr_calibration_set {
        size_t *keep; /* turns in R's window */
        size_t n;
        double elo; /* mean of the movers' ratings over these turns */
        struct ipr_window_counts counts;
        struct ipr_rh_set *set;
    } * at;                         /* [figures->n] */
    const struct ipr_rh_set **sets; /* the same sets */
    const struct ipr_rh_set *reference;
    const atomic_bool *stop; /* checked between fits; NULL: never stopped */
};

/** False when *stop is set: the remaining parts are not computed, and the record is invalid. */
bool ipr_calibration_go_on(const struct ipr_calibration_sets *sets);

/** Figures with the sets made from them. */
struct ipr_calibration_opened {
    struct ipr_arena mem;
    struct ipr_figures figures;
    struct ipr_calibration_sets sets;
    struct ipr_turn *reference_turns;
    size_t n_reference;
    struct ipr_rh_set *reference;
};

/** IPR_EPARSE "thin_milepost" and those of ipr_figures_read; to be closed. */
IPR_CHECK enum ipr_code ipr_calibration_open(struct ipr_str text, const atomic_bool *stop,
                                             struct ipr_calibration_opened *o, struct ipr_err *err);
void ipr_calibration_close(struct ipr_calibration_opened *o);

/* ---- parts of the record, whose mileposts are there ---- */

/** Fits of every kind: sets "fits" of each milepost and "lines" of the record. */
void ipr_calibration_add_fits(const struct ipr_calibration_sets *sets, double random_share,
                              struct ipr_answer_calibration_made *record);

/** Sets "random_share" of the record. Returns the share, 0 where it cannot be estimated. */
double ipr_calibration_add_random(const struct ipr_calibration_sets *sets,
                                  struct ipr_answer_calibration_made *record);

/** Sets "concordance" of each milepost, at its own s and c, and pooled of the record. */
void ipr_calibration_add_factors(const struct ipr_calibration_sets *sets,
                                 const struct ipr_milepost *m,
                                 struct ipr_answer_calibration_made *record);

/**
 * R section 4's comparison, "curve_families": each curve family with both conversions, fitted
 * to each milepost separately. Qfit is the mean by turns, the others are sums. Figures of families
 * that do not fit every milepost are not comparable with those of the others.
 */
IPR_CHECK enum ipr_code ipr_calibration_add_families(const struct ipr_calibration_sets *sets,
                                                     struct ipr_answer_calibration_made *record,
                                                     struct ipr_err *err);

/** Sets "bayes" of each milepost, and of the record: the line on the Elo scale. */
void ipr_calibration_add_bayes(const struct ipr_calibration_sets *sets,
                               struct ipr_answer_calibration_made *record);

/** Sets "score_curve". Positions are all judged turns of sides with a known result, from the
 * mover's view. */
void ipr_calibration_add_score_curve(const struct ipr_calibration_sets *sets,
                                     struct ipr_answer_calibration_made *record);

/**
 * Sets "markov_pool": how often an evaluation of the best move went with one of the move played,
 * of all turns in the conformance window; centipawns, within +-IPR_CP_LIMIT. The digest is that of
 * the transitions' text.
 */
void ipr_calibration_add_pool(const struct ipr_calibration_sets *sets,
                              struct ipr_answer_calibration_made *record);

/** From that of a record; true and empty if it has none, false for a malformed one. */
bool ipr_calibration_pool_read(const struct ipr_answer_markov_pool *pool,
                               struct ipr_calibration_pool *out);

#endif
