#ifndef IPR_TEST_DB_VIEW_H
#define IPR_TEST_DB_VIEW_H

#include "view/view.h"

#include <string.h>

#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"
#include "ipr_view_sample.h"
#include "view/json.h"

/* n judged games of 70 half-moves: 27 turns per side from move 9. */
static inline void add_games(struct ipr_view_scene *s, unsigned first_seed, unsigned n,
                             const char *white, const char *black, int year)
{
    for (unsigned i = 0; i < n; i++) {
        struct ipr_db_new_game g = ipr_sample_game(&s->mem, first_seed + i, white, black, year, 70);

        ipr_sample_store(s->db, &g, 1, "sample");
        ipr_sample_judge_game(s->db, &s->mem, g.id, first_seed + i);
    }
}

static inline enum ipr_code rate(const struct ipr_view *v, int32_t id, int year, json_t **out,
                                 struct ipr_err *err)
{
    const struct ipr_ratings_request asked = { .player = id, .year = year, .color = -1 };

    return ipr_view_ratings(v, &asked, out, err);
}

static inline json_t *ratings(struct ipr_view_scene *s, int32_t id, int year)
{
    json_t *r = NULL;

    assert_ok(rate(&s->view, id, year, &r, &s->err), &s->err);
    return r;
}

/* Both in 2001. */
static inline enum ipr_code predict(const struct ipr_view *v, int32_t white, int32_t black,
                                    int method, json_t **out, struct ipr_err *err)
{
    struct ipr_prediction_request asked = IPR_PREDICTION_REQUEST_INIT;

    asked.white = (struct ipr_param_side){ .player = white, .year = 2001 };
    asked.black = (struct ipr_param_side){ .player = black, .year = 2001 };
    asked.method = method;
    return ipr_view_prediction(v, &asked, out, err);
}

#endif
