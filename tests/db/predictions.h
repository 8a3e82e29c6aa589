#ifndef IPR_TEST_DB_PREDICTIONS_H
#define IPR_TEST_DB_PREDICTIONS_H

/* Predictions between sample players, with a real database. */
#include "view/view.h"

#include <string.h>

#include "db/turns.h"
#include "http/base/url.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_members.h"
#include "ipr_test.h"
#include "ipr_view_sample.h"
#include "resource/read.h"
#include "view/json.h"
#include "view/prediction/predict.h"

#define ADA "Ada, A"
#define BEA "Bea, B"
#define FEW "Few, C"
#define LOP "Lop, D"

/* The sample's players move at random, which no s and c fit. Here every other move is the best one.
 */
static inline void play_better(struct ipr_view_scene *s, struct ipr_judged_game *g)
{
    for (size_t i = 0; i < g->n; i++) {
        struct ipr_judged_turn *t = &g->turns[i];
        ipr_move *moves = ipr_arena_alloc(&s->mem, t->lines, sizeof *moves);

        memcpy(moves, t->moves, t->lines * sizeof *moves);
        if (i / 2 % 2 == 0)
            continue;
        moves[0] = t->moves[t->played];
        moves[t->played] = t->moves[0];
        if (t->lines > s->judge.multipv) /* its line was searched separately */
            t->lines--;
        t->moves = moves;
        t->played = 0;
    }
}

static inline void add_game(struct ipr_view_scene *s, unsigned seed, const char *white,
                            const char *black, int year)
{
    struct ipr_db_new_game g = ipr_sample_game(&s->mem, seed, white, black, year, 70);
    struct ipr_db_game game;

    ipr_sample_store(s->db, &g, 1, "sample");
    assert_ok(ipr_db_game_get(s->db, g.id, &s->mem, &game, &s->err), &s->err);
    struct ipr_judged_game judged = ipr_sample_judgement(&s->mem, &s->judge, &game, seed);
    play_better(s, &judged);
    ipr_sample_judged(s->db, s->judge_id, &game, &judged, 3);
}

/* Sums of the rating for the sides, whatever the order of storing. */
static inline void rate_sides(void)
{
    ipr_db_test_sql("UPDATE judged_side AS j SET strength_version = 1, strength_moves = 20,"
                    " strength_information = 2000000,"
                    " strength_score = 300000 * ((coalesce(g.white_elo, 0) + 3 * j.colour) % 7 - 3)"
                    " FROM game AS g WHERE g.id = j.game_id");
}

/* Sixteen games of Ada and Bea in 2001 with alternating colours; four of Ada's in 2000; two of
 * Few's; eight of Lop's, all with White. `backwards`: the same in reverse order. */
static inline void add_games(struct ipr_view_scene *s, bool backwards)
{
    for (unsigned k = 0; k < 30; k++) {
        const unsigned i = backwards ? 29 - k : k;
        if (i < 16)
            add_game(s, 100 + i, i % 2 ? BEA : ADA, i % 2 ? ADA : BEA, 2001);
        else if (i < 20)
            add_game(s, 100 + i, i % 2 ? "Rival, R" : ADA, i % 2 ? ADA : "Rival, R", 2000);
        else
            add_game(s, 100 + i, i < 22 ? FEW : LOP, "Rival, R", 2001);
    }
}

static inline int scene_open(void **state, bool backwards)
{
    ipr_view_scene_open(state);
    struct ipr_view_scene *s = *state;

    s->judge_id = ipr_sample_judge_id(s->db);
    ipr_sample_calibration(s->db, &s->judge, "d");
    add_games(s, backwards);
    rate_sides();
    return 0;
}

static inline int open_scene(void **state)
{
    return scene_open(state, false);
}

/* Predicts a game of two players, both in 2001; `query` is like "b=1&n0=2", or NULL. */
static inline enum ipr_code ask(struct ipr_view_scene *s, const char *white, const char *black,
                                const char *method, const char *query, json_t **out,
                                struct ipr_err *err)
{
    struct ipr_given given[IPR_REQ_GIVEN];
    const struct ipr_resource *const r = ipr_resource_at(IPR_RESOURCE_PREDICTION);
    const char *const text = ipr_arena_printf(
        &s->mem, "white=%d:2001&black=%d:2001&method=%s&%s", (int)ipr_db_test_player(white),
        (int)ipr_db_test_player(black), method, query != NULL ? query : "");
    void *params = NULL;
    size_t n = 0;

    assert_ok(ipr_url_query(&s->mem, ipr_str_c(text), given, &n, err), err);
    const enum ipr_code rc = ipr_params_read(r, given, n, false, &s->mem, &params, err);
    return rc == IPR_OK ? ipr_view_prediction(&s->view, params, out, err) : rc;
}

static inline json_t *predictions(struct ipr_view_scene *s, const char *white, const char *black,
                                  const char *method, const char *query)
{
    json_t *r = NULL;

    assert_ok(ask(s, white, black, method, query, &r, &s->err), &s->err);
    assert_members(IPR_SHAPE_HEAD_TO_HEAD, r);
    json_t *out = json_incref(json_object_get(r, "predictions"));
    json_decref(r);
    return out;
}

#endif
