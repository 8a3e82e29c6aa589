#ifndef IPR_VIEW_PAGE_PAGE_H
#define IPR_VIEW_PAGE_PAGE_H

#include <stdbool.h>

#include <jansson.h>

/* What pages are made of: text as people read it and the geometry of drawings. Absent things are
 * explicit nulls, so that a template never finds a member of that name further out. */

/* Text; new references. NaN gives null, and an interval that is none; of one with an open end the
 * other is told: "above 2500". */
#define IPR_PAGE_GROUPED 48
/** Groups of three digits, separated by commas. */
void ipr_page_group(double n, char out[IPR_PAGE_GROUPED]);
json_t *ipr_page_count(double n);                                    /* 12,345 */
json_t *ipr_page_whole(double x);                                    /* 2741: a rating */
json_t *ipr_page_interval(const json_t *interval);                   /* 2634 to 2887 */
json_t *ipr_page_interval_share(const json_t *interval);             /* 54.3% to 60.1% */
json_t *ipr_page_interval_fixed(const json_t *interval, int digits); /* 0.412 to 0.527 */
/** What a rating says of itself beyond its figures: "outside the calibrated range", …, or null. */
json_t *ipr_page_remark(const json_t *rating);
json_t *ipr_page_rests_on(const json_t *o); /* "685 turns, 20 games" of its members, or null */
json_t *ipr_page_year_href(json_int_t player, json_int_t year); /* /players/12/1972 */
json_t *ipr_page_fixed(double x, int digits);
json_t *ipr_page_signed(double x, int digits); /* +0.48, −2.3; 0.0: no sign on what rounds to it */
json_t *ipr_page_share(double x);              /* 54.3% */
json_t *ipr_page_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
json_t *ipr_page_plural(double n, const char *one, const char *many); /* "1 game", "2 games" */

json_t *ipr_page_when(const char *time); /* 2026-11-21T12:01:02Z as 2026-11-21 12:01 */
json_t *ipr_page_span(const json_t *o);  /* of first_year and last_year; null when unknown */

/** "classical and unknown": the time_classes of a resource. */
json_t *ipr_page_times(const json_t *classes);
/** What asks for the same classes again: "" for the usual ones, else `mark` ("?" or "&") and
 * "time_class=blitz,rapid". */
json_t *ipr_page_times_query(const json_t *classes, const char *mark);
/** "12 blitz, 3 rapid": its not_rated; null when there are none. */
json_t *ipr_page_not_rated(const json_t *counts);

/** An axis of 0 to 100 % of a drawing's width, with room for half a label at both ends. */
struct ipr_axis {
    double lo, hi;
    bool percent; /* ticks are shares */
};

/** Elo axis that covers [lo, hi] and ends on ticks; 2000 to 3000 when lo > hi. Never wider than
 * 2400 points: what goes further is cut and marked. */
struct ipr_axis ipr_axis_elo(double lo, double hi);
/** 0 to 100 %. */
struct ipr_axis ipr_axis_share(void);

/** Position of a value in % of the width; values outside lie on the edge. */
double ipr_axis_x(const struct ipr_axis *a, double value);

/** {"ticks": [{"x": "12.50%", "label": "2400", "low", "high": first, last}]} */
json_t *ipr_axis_json(const struct ipr_axis *a);

/** One row of a plot. NaN where there is nothing. */
struct ipr_plot {
    double estimate, low, high;
    double other;      /* Elo, drawn with another shape */
    bool extrapolated; /* drawn hollow and dashed */
    const char *name;  /* of what is shown, for the label */
};

/** An "ipr" beside an Elo figure; NaN: none. */
struct ipr_plot ipr_plot_of_ipr(const json_t *ipr, double elo);
/** Widens [lo, hi] to hold what a plot draws, each end at most 500 from its estimate. */
void ipr_plot_cover(const struct ipr_plot *p, double *lo, double *hi);

/** {"label", "x", "width", "mark", "other", "extrapolated", "cut_low", "cut_high"}; null without
 * an estimate and another figure. */
json_t *ipr_plot_json(const struct ipr_axis *a, const struct ipr_plot *p);

/** Page parts of the templates: fill `page` from `resource`, to whose members drawings and choices
 * are added. Each returns false when the resource is not one of its kind. */
bool ipr_page_dashboard(json_t *resource, json_t *page);
bool ipr_page_players(json_t *resource, json_t *page);
bool ipr_page_player(json_t *resource, json_t *page);
bool ipr_page_player_year(json_t *resource, json_t *page);
bool ipr_page_events(json_t *resource, json_t *page);
bool ipr_page_event(json_t *resource, json_t *page);
bool ipr_page_game(json_t *resource, json_t *page);
bool ipr_page_doubtful(json_t *resource, json_t *page);
bool ipr_page_queue(json_t *resource, json_t *page);
bool ipr_page_compare(json_t *resource, json_t *page);
bool ipr_page_upload(json_t *resource, json_t *page);
bool ipr_page_calibrations(json_t *resource, json_t *page);
bool ipr_page_calibration(json_t *resource, json_t *page);
bool ipr_page_royale(json_t *resource, json_t *page);
bool ipr_page_reports(json_t *resource, json_t *page);
bool ipr_page_comparisons(json_t *resource, json_t *page);
bool ipr_page_report_conformance(json_t *resource, json_t *page);
bool ipr_page_report_covariance(json_t *resource, json_t *page);
bool ipr_page_error(json_t *resource, json_t *page);

/** Sets "title" and "json" (address of the same data), the latter null when NULL. */
void ipr_page_head(json_t *page, const char *title, const char *json_href);

/**
 * What every report's page has; false when the resource is none (view/report/report.h):
 *
 * - "title", "json"
 *
 * - "waiting": nothing was computed yet; "older": it was, of older data; "answered": the answer's
 *   own members are there
 *
 * - "fields" for the partial report_form, which requests it with other parameters: [{"name",
 *   "value", "low", "high" or "options": [{"value", "selected"}]}]
 *
 * - "kept_fields": [{"name", "value"}] that the form sends along, so that its answer is of the same
 *   engine setting and the same games
 */
bool ipr_page_report(json_t *resource, json_t *page);

/** {"name", "engine", "network", "depth", "lines", "first_move"} as one line of text, or null. */
json_t *ipr_page_judge(const json_t *judge);

/** Draws rows of years on a common axis: sets "plot" of each, and "axis", "any_extrapolated",
 * "any_elo" and "pending" of `page`. */
void ipr_page_years(json_t *years, json_t *page);

#endif
