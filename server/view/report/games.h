#ifndef IPR_VIEW_REPORT_GAMES_H
#define IPR_VIEW_REPORT_GAMES_H

#include "db/judged_games.h"
#include "db/turns.h"
#include "model/conformance_game.h"
#include "stats/correlation.h"
#include "view/figure/figure.h"
#include "view/report/report.h"

/* Shared by the reports on games and their results. */

/** Minimum number of games for a figure of games, as IPR_VIEW_MIN_TURNS for turns. */
#define IPR_REPORT_MIN_GAMES 20

/** Judged games with known results. */
struct ipr_report_games {
    struct ipr_db_judged_games all;     /* of unknown results too */
    struct ipr_conformance_game *games; /* [n] every turn of them */
    size_t *at;                         /* [n] index of each in `all` */
    size_t n;
    bool both; /* games with judged turns of one side only were not taken */
    const struct ipr_db_report_example *examples; /* [n_examples] those with moves first */
    size_t n_examples;
};

/** The newest games (as many as the parameter "games") whose sides are judged, both of them or (for
 * figures of single moves) any. Memory of the view: db/judged_games.h, and 48 bytes a game.
 */
IPR_CHECK enum ipr_code ipr_report_games(const struct ipr_view_context *c, bool both,
                                         const json_t *params, struct ipr_report_games *out,
                                         struct ipr_err *err);

/**
 * What counts: available = older + counted + excluded.
 *
 * one_sided   games taken of which a window left turns of one side only
 */
struct ipr_figure_report_games *ipr_report_games_counted(const struct ipr_report_games *g,
                                                         size_t one_sided, struct ipr_arena *mem);

/** The same games with the turns that a window keeps. */
struct ipr_report_window {
    struct ipr_window window;
    struct ipr_window_counts counts;
    struct ipr_conformance_game *games; /* [n] */
    size_t n;
    size_t used;  /* games with turns of both sides */
    size_t turns; /* of these games */
    size_t *keep;
};
void ipr_report_window(const struct ipr_report_games *g, enum ipr_window_method method,
                       struct ipr_report_window *out);
void ipr_report_window_release(struct ipr_report_window *w);

/** Provenance of a figure of these games; borrows from both. */
struct ipr_provenance ipr_report_provenance(const struct ipr_view_context *c,
                                            enum ipr_method method,
                                            const struct ipr_report_window *w);

/** The reason if too few turns or games remain for a figure; NULL if enough do. */
const char *ipr_report_too_few(const struct ipr_provenance *from);

/** A correlation as a figure. */
struct ipr_figure ipr_report_rho(const struct ipr_correlation *rho,
                                 const struct ipr_provenance *from);
/** Ids of the games that a player's turns number, by that number; to be freed. */
int64_t *ipr_report_game_ids(const struct ipr_db_player_turns *t);

/** Names of the forms of the loss, a choice of a report's: "weighted", "raw", "guid_bratko". */
extern const char *const ipr_report_losses[];
/** The parameters and the window of a form by its name. */
struct ipr_conformance_params ipr_report_loss(const char *name, enum ipr_window_method *window);

/** A form of the loss in the report of conformance, with every so many of its points. */
struct ipr_figure_rho_curve ipr_report_conformance_form(const struct ipr_view_context *c,
                                                        const struct ipr_report_games *g,
                                                        const char *loss, size_t every);

#endif
