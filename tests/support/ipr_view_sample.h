#ifndef IPR_VIEW_SAMPLE_H
#define IPR_VIEW_SAMPLE_H

#include "db/db.h"
#include "uci/judge.h"
#include "view/view.h"

/* For tests of views: a migrated database of the test's own, and a view of it. */

struct ipr_view_scene {
    struct ipr_db_pool *pool; /* of one connection */
    struct ipr_db *db;
    struct ipr_arena mem;
    struct ipr_config config; /* judge and calibration "sample" */
    struct ipr_view view;
    struct ipr_err err;
    struct ipr_judge judge; /* ipr_sample_judge */
    int32_t judge_id;       /* 0 until a test stores a judge */
};
int ipr_view_scene_open(void **state); /* *state is the scene */
int ipr_view_scene_close(void **state);
/** A test with a scene of its own. */
#define WITH_VIEW(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, ipr_view_scene_open, ipr_view_scene_close)

/** A calibration of invented mileposts (ipr_figures_sample.h) judged by `judge`. Ends the test when
 * it fails. */
json_t *ipr_sample_calibration_record(const char *name, const struct ipr_judge *judge);

/** Stores it under the name "sample" with that digest. */
void ipr_sample_calibration(struct ipr_db *db, const struct ipr_judge *judge, const char *digest);

#endif
