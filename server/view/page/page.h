#ifndef IPR_VIEW_PAGE_PAGE_H
#define IPR_VIEW_PAGE_PAGE_H

#include <stdbool.h>

#include <jansson.h>

#include "view/figure/shape.h"

/* Data of a page in addition to its resource, which templates show by formatters
 * (view/page/format.h): the title, the geometry of drawings, the choices of forms. Its links to
 * itself are made from the parameters it was requested with (http/base/reply.c). */

/** Text as by printf; of more than 511 bytes the beginning. */
json_t *ipr_page_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** An axis of 0 to 100 % of a drawing's width, with room for half a label at both ends. */
struct ipr_axis {
    double lo, hi;
};

/** Elo axis that covers [lo, hi] and ends on ticks; 2000 to 3000 when lo > hi. Never wider than
 * 2400 points: what goes further is cut and marked. */
struct ipr_axis ipr_axis_elo(double lo, double hi);

/** Position of a value in % of the width; values outside lie on the edge. */
double ipr_axis_x(const struct ipr_axis *a, double value);

/** A page_axis of view/page/pages.def. */
json_t *ipr_axis_json(const struct ipr_axis *a);

/** One row of a plot. NaN: not drawn. */
struct ipr_plot {
    double estimate, low, high;
    double other;      /* Elo, drawn with another shape */
    bool extrapolated; /* drawn hollow and dashed */
    const char *name;  /* of the values shown, for the label */
    double range[2];   /* calibrated range: a bar is hollow and dashed outside of it; equal: not
                          known */
};

/** An "ipr" beside an Elo figure; NaN: none. */
struct ipr_plot ipr_plot_of_ipr(const json_t *ipr, double elo);
/** The same of a rating. */
struct ipr_plot ipr_plot_of_rating(const json_t *rating, double elo);
/** True if any of it is outside the calibrated range. */
bool ipr_plot_beyond(const struct ipr_plot *p);
/** Widens [lo, hi] to include everything a plot draws, each end at most 500 from its estimate. */
void ipr_plot_cover(const struct ipr_plot *p, double *lo, double *hi);

/** A page_plot of view/page/pages.def; null without an estimate and another figure. */
json_t *ipr_plot_json(const struct ipr_axis *a, const struct ipr_plot *p);
/** Sets it as "plot" of a row. */
void ipr_page_put_plot(json_t *row, const struct ipr_axis *a, const struct ipr_plot *p);

/** "12.50%", from `mem`. */
const char *ipr_page_per_cent(double x, struct ipr_arena *mem);

/** Adds the members of a structure of view/page/pages.def to an object. */
void ipr_page_put(json_t *to, enum ipr_shape_id id, const void *own);

/** Page parts of the templates: each fills `page`, a structure of view/page/pages.def that is
 * blank, from the answer, a structure or JSON (page_fills in page.c), to whose members drawings and
 * choices are added. They return false when the answer is not one of their kind. */
bool ipr_page_event(void *answer, void *page, struct ipr_arena *mem);
bool ipr_page_event_player(void *answer, void *page, struct ipr_arena *mem);
bool ipr_page_profile(void *answer, void *page, struct ipr_arena *mem);
bool ipr_page_player(void *resource, void *page, struct ipr_arena *mem);
bool ipr_page_players(void *resource, void *page, struct ipr_arena *mem);
bool ipr_page_careers(json_t *resource, json_t *page);
bool ipr_page_player_year(void *resource, void *page, struct ipr_arena *mem);
bool ipr_page_game(void *resource, void *page, struct ipr_arena *mem);
bool ipr_page_moves(void *resource, void *page, struct ipr_arena *mem);
bool ipr_page_compare(json_t *resource, json_t *page);
bool ipr_page_calibrations(json_t *resource, json_t *page);
bool ipr_page_calibration(json_t *resource, json_t *page);
bool ipr_page_royale(void *resource, void *page, struct ipr_arena *mem);
bool ipr_page_comparisons(void *resource, void *page, struct ipr_arena *mem);
bool ipr_page_report_conformance(void *resource, void *page, struct ipr_arena *mem);
bool ipr_page_report_covariance(void *resource, void *page, struct ipr_arena *mem);
bool ipr_page_reports(void *resource, void *page, struct ipr_arena *mem);

/** "?!", "?", "??", "!" of the name of a mark (model/move_mark.h); "" of none. */
const char *ipr_page_glyph(const char *mark);

/** Parts of a drawn board: pieces of a position, [{"piece": "wp", "x", "y"}], x from the a-file, y
 * from the eighth rank; and a square, "e4". */
json_t *ipr_page_pieces(const char *fen);
json_t *ipr_page_square(const char *square);

/** Sets what a game's page shows beside its table. Its moves, each a page_move, have what is known
 * of them by then. */
void ipr_page_board(const json_t *resource, struct ipr_page_move *moves, struct ipr_page_game *page,
                    struct ipr_arena *mem);

/** Sets what the page of every report has; false when the resource is none (view/report/report.h).
 */
bool ipr_page_report(void *resource, void *page, struct ipr_arena *mem);

/** True if a column of a table is left out: fewer than a twentieth of its rows have something in
 * it. The page says so below the table. */
bool ipr_page_is_sparse(size_t filled, size_t rows);

/** Draws rows of years, each with a "plot", on a common axis. */
void ipr_page_years(json_t *years, struct ipr_page_years *page, struct ipr_arena *mem);

#endif
