#ifndef IPR_VIEW_REPORT_ROYALE_H
#define IPR_VIEW_REPORT_ROYALE_H

#include "db/reports.h"
#include "model/royale.h"
#include "view/figure/figure.h"
#include "view/prediction/predict.h"

/* A royale while it is computed: royale.c reads the player-years and has them compared,
 * royale_answer.c says what came of it. */

#define IPR_ROYALE_CELLS 361

struct ipr_royale_career {
    const struct ipr_db_royale_player *who;
    struct ipr_markov_turn *turns;
    size_t n;
};

struct ipr_royale_work {
    const struct ipr_view_context *context;
    bool by_rule; /* the method follows from the games out of sample (docs/predictors.md) */
    size_t tested_games;
    const char *method;
    double forgetting; /* of covariance */
    enum ipr_method figure;
    struct ipr_royale_params params;
    int active_turns;
    struct ipr_db_royale_field field;
    struct ipr_royale_career *careers;
    size_t n;
    struct ipr_royale_entry *entries;
    size_t n_entries, unrated;
    double pool_counts[IPR_ROYALE_CELLS];
    struct ipr_window window;
    struct ipr_window_counts counts; /* of all careers */
    size_t games;
    struct ipr_royale result;
    struct ipr_predict_side *sides; /* of the best years */
    size_t n_sides;
    int *with_moves; /* [result.n] games of each row whose moves are stored */
};

/** The members of the answer; predicts each pair of the best years. */
IPR_CHECK enum ipr_code ipr_royale_answer(const struct ipr_royale_work *r, json_t **out,
                                          struct ipr_err *err);

#endif
