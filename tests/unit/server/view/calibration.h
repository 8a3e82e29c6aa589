#ifndef IPR_TEST_CALIBRATION_H
#define IPR_TEST_CALIBRATION_H

/* A calibration of the sample's mileposts. */
#include "view/calibration/calibration.h"

#include <stdlib.h>
#include <string.h>

#include "ipr_figures_sample.h"
#include "ipr_test.h"
#include "ipr_view_sample.h"
#include "view/calibration/use.h"
#include "view/json.h"

static const struct ipr_judge judge = { .name = "twelve",
                                        .engine = "Engine 1",
                                        .network = "net",
                                        .multipv = 12,
                                        .depth = 10,
                                        .hash_mb = 16,
                                        .threads = 1,
                                        .first_move = 9 };

static json_t *made; /* made once for all tests of a program */

static inline json_t *make_record(void)
{
    if (made == NULL)
        made = ipr_sample_calibration_record("standard", &judge);
    return json_deep_copy(made);
}

static inline int release_record(void **state)
{
    (void)state;
    json_decref(made);
    return 0;
}

static inline struct ipr_calibration_use *load_record(const json_t *record)
{
    struct ipr_calibration_use *use = NULL;
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_calibration_load(record, &use, &err), &err);
    return use;
}

/* The 800 turns of milepost i. */
static inline struct ipr_turn *milepost_turns(int i, struct ipr_arena *mem)
{
    const struct ipr_figures_player player = {
        .elo = 1600 + 200 * i, .games = 40, .turns = 20, .seed = 11u + (unsigned)i
    };

    return ipr_sample_turns(mem, &judge, &player, 100 * i);
}

static inline void near(const json_t *o, const char *path, double want)
{
    assert_close(ipr_json_at(o, path, NAN), want, 1e-5 * fabs(want)); /* stored with six digits */
}

#endif
