#ifndef IPR_VIEW_CONTEXT_H
#define IPR_VIEW_CONTEXT_H

#include "db/judges.h"
#include "db/players.h"
#include "view/calibration/use.h"
#include "view/figure/shape.h"
#include "view/setting.h"
#include "view/view.h"

/** Who has less than one in so many of the games of the first player of such a name is not meant.
 */
#define IPR_VIEW_MEANT 100

/* The basis of most resources: one judge and one calibration, the default ones unless the
 * request names others. */
struct ipr_view_context {
    const struct ipr_view *v;
    int32_t judge_id;       /* 0: nothing was judged under this name yet */
    struct ipr_judge judge; /* the definition of that name while judge_id is 0 */
    int64_t judge_turns;    /* that it has analysed, of all games */
    /* Used by requests that name none: the configured one if it is wide; else that of the
     * calibration; without a calibration `standard`. */
    char default_judge[sizeof((struct ipr_judge *)0)->name];
    const struct ipr_pool *pool; /* whose rating scale applies */
    unsigned times;              /* set of IPR_TIME_BIT, never empty */
    bool rates;                  /* ratings are made of the judge's evaluations, among others */
    size_t candidate;            /* which setting of the rule this is (setting.c) */
    int32_t calibration_id;      /* 0: no calibration stored */
    const char *calibration_name, *calibration_digest;
    const struct ipr_calibration_use *calibration; /* NULL: no rating; the reason says why */
    /* One of another setting by the same engine to the same limit, whose moves fill rows of
     * Markov's chain (prediction/predict.h); NULL: there is none, or it is `calibration`. */
    const struct ipr_calibration_use *neighbour;
    bool mismatch; /* the calibration was requested and is of another judge: figures say so */
    const char *reason;
};

/** NULL and closed ones are allowed. */
void ipr_view_context_close(struct ipr_view_context *c);

/** The basis of an answer's figures; as members of an object. */
void ipr_view_context_basis(const struct ipr_view_context *c,
                            struct ipr_answer_basis_of_figures *out);
void ipr_view_context_add_basis(const struct ipr_view_context *c, json_t *out);

/** "Rybka 3, depth 13, 50 lines" */
const char *ipr_view_judge_text(const struct ipr_judge *judge, struct ipr_arena *mem);

/** An engine setting, which it points to; id 0: without its id. */
struct ipr_figure_judge *ipr_view_judge_of(const struct ipr_judge *judge, int32_t id,
                                           struct ipr_arena *mem);
/** That of the context; NULL, or null, when nothing was judged by it. */
struct ipr_figure_judge *ipr_view_context_setting(const struct ipr_view_context *c);
json_t *ipr_view_context_judge(const struct ipr_view_context *c);
/** {"name", "digest", "elo_range"} or null; with "calibration_mismatch": true, "calibration_judge":
 * its own judge, and "note" if it is applied to another judge's evaluations. */
json_t *ipr_view_context_calibration(const struct ipr_view_context *c);

/** Names of the classes of time control that figures use. */
json_t *ipr_view_context_times(const struct ipr_view_context *c);
struct ipr_list_text ipr_view_context_classes(const struct ipr_view_context *c);
/** {"blitz": 12}: games of the other classes; {} when there are none. */
json_t *ipr_view_context_unrated(const struct ipr_view_context *c,
                                 const struct ipr_db_player_year *y);
/** The same of the games of each class. */
struct ipr_figure_counts ipr_view_context_not_rated(const struct ipr_view_context *c,
                                                    const int32_t in_class[IPR_TIME_CLASSES]);

/** Appends rows of a list of years (shape "year_row"), with rating, IPR, conformance and Elo and
 * the ratings in `also` (a set of IPR_RATE_*). `rated`: NULL; of one player, the context of the
 * rating and the counts, beside the other figures of `c`. `budget` is the number of
 * ratings that may still be computed; when it is used up "ipr" says "not computed yet" and
 * "pending" is true. `several`: of several players, each with its "player", undated ones too; else
 * of one player, the dated ones alone. */
IPR_CHECK enum ipr_code ipr_view_add_year_rows(const struct ipr_view_context *c,
                                               const struct ipr_view_context *rated,
                                               const struct ipr_db_player_year *rows, size_t n,
                                               unsigned also, bool several, unsigned *budget,
                                               json_t *list, struct ipr_err *err);

/** Sets "judged_by": [{"id", "name", "multipv", "games", "turns"}] and "offer": {"judge", "games",
 * "turns"} of the person's games, of a year unless it is 0, that a judge whose figures give a
 * rating has not judged; null when there are none. */
IPR_CHECK enum ipr_code ipr_view_add_offer(const struct ipr_view_context *c, int32_t person,
                                           int year, json_t *out, struct ipr_err *err);

/** Maximum number of ratings computed for one list; the rest come with the next request. */
#define IPR_VIEW_BUDGET 40

/** `player` is a root. Row of ipr_db_player_years for a year, or the sum of all years for year 0;
 * IPR_ENOTFOUND. */
IPR_CHECK enum ipr_code ipr_view_find_year(const struct ipr_view_context *c, int32_t player,
                                           int year, struct ipr_db_player_year *out,
                                           struct ipr_err *err);

#endif
