#ifndef IPR_TEST_RATE_MOVES_H
#define IPR_TEST_RATE_MOVES_H

#include "view/rating/rate.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

#include "ipr_figures_sample.h"
#include "ipr_members.h"
#include "ipr_sentences_sample.h"
#include "ipr_test.h"
#include "ipr_view_sample.h"
#include "view/calibration/calibration.h"
#include "view/json.h"

enum { GAMES = 60, TURNS = 30, DEPTH = 3 };

/* The judged games of a player, without a database. */
struct scene {
    struct ipr_arena mem;
    struct ipr_err err;
    struct ipr_view view;
    struct ipr_calibration_use *use;
    struct ipr_view_context context;
    struct ipr_db_scope scope;
    struct ipr_db_player_turns t;
    struct ipr_turn *turns; /* of t */
    struct ipr_judged_turn *judged;
    struct ipr_material m;
};

static const struct ipr_judge judge = { .name = "twelve",
                                        .engine = "Engine 1",
                                        .network = "net",
                                        .multipv = 12,
                                        .depth = DEPTH,
                                        .hash_mb = 16,
                                        .threads = 1,
                                        .first_move = 9 };

/* Shallow depths have other scores, or none. */
static inline void add_depths(struct scene *s)
{
    unsigned state = 1;

    s->judged = ipr_arena_alloc(&s->mem, s->t.n, sizeof *s->judged);
    for (size_t i = 0; i < s->t.n; i++) {
        const struct ipr_turn *t = &s->turns[i];
        int16_t *score = ipr_arena_alloc(&s->mem, t->n_cp * (size_t)DEPTH, sizeof *score);

        for (unsigned k = 0; k < t->n_cp * (unsigned)DEPTH; k++) {
            state = state * 1664525u + 1013904223u;
            const int noise = (int)(state >> 16) % 100 - 50;
            const int d = (int)(k % DEPTH);
            score[k] = d == DEPTH - 1    ? t->cp[k / DEPTH]
                       : state % 11 == 0 ? IPR_SCORE_NONE
                                         : (int16_t)(t->cp[k / DEPTH] + noise * (DEPTH - 1 - d));
        }
        s->judged[i] = (struct ipr_judged_turn){ .ply = t->ply,
                                                 .depth = DEPTH,
                                                 .lines = t->n_cp,
                                                 .played = t->played,
                                                 .legal = t->legal,
                                                 .score = score };
    }
    s->t.judged = s->judged;
}

static inline void add_sides(struct scene *s, int games)
{
    s->t.sides = ipr_arena_alloc(&s->mem, (size_t)games, sizeof *s->t.sides);
    s->t.n_sides = (size_t)games;
    s->t.games = games;
    for (int g = 0; g < games; g++)
        s->t.sides[g] = (struct ipr_db_player_side){ .game_id = 1000 + g,
                                                     .game = g,
                                                     .turns = TURNS,
                                                     .year = 2001,
                                                     .plies = 76,
                                                     .half_points = g % 4 - 1,
                                                     .elo = g % 2 ? 2200 : 2300 };
}

static inline void fill(struct scene *s, int games)
{
    const struct ipr_figures_player player = { 2200, games, TURNS, 77 };

    s->turns = ipr_sample_turns(&s->mem, &judge, &player, 0);
    s->t = (struct ipr_db_player_turns){ .turns = s->turns, .n = (size_t)(games * TURNS) };
    add_depths(s);
    add_sides(s, games);
    s->m = (struct ipr_material){ &s->context, &s->scope,
                                  &s->t,       ipr_arena_alloc(&s->mem, s->t.n, sizeof(size_t)),
                                  0,           false };
}

static inline int open_scene(void **state)
{
    struct scene *s = ipr_xcalloc(1, sizeof *s);
    json_t *record = ipr_sample_calibration_record("sample", &judge);

    gsl_set_error_handler_off();
    ipr_sentences_sample();
    s->err = (struct ipr_err)IPR_ERR_INIT;
    assert_ok(ipr_calibration_load(record, &s->use, &s->err), &s->err);
    json_decref(record);
    /* As in records of earlier versions; tests set what they need. */
    s->use->bayes_known = false;
    s->use->random_share = s->use->factor_mm = s->use->factor_ad = 0.0;
    s->view.mem = &s->mem;
    s->context = (struct ipr_view_context){ .v = &s->view,
                                            .pool = ipr_pool_of(0),
                                            .judge_id = 1,
                                            .judge = judge,
                                            .calibration_id = 1,
                                            .calibration_name = "sample",
                                            .calibration = s->use };
    fill(s, GAMES);
    *state = s;
    return 0;
}

static inline int close_scene(void **state)
{
    struct scene *s = *state;

    ipr_calibration_free(&s->use);
    ipr_arena_release(&s->mem);
    free(s);
    return 0;
}

#define WITH_SCENE(f) cmocka_unit_test_setup_teardown(f, open_scene, close_scene)

static inline json_t *rated(struct scene *s, ipr_rate_fn *rate)
{
    struct ipr_figure_ratings ratings = { 0 };
    const char *name;
    json_t *one, *out = NULL;

    assert_ok(rate(&s->m, &ratings, &s->err), &s->err);
    json_t *all = ipr_shape_json(IPR_SHAPE_RATINGS, &ratings);
    assert_members(IPR_SHAPE_RATINGS, all);
    assert_read_back(IPR_SHAPE_RATINGS, all);
    json_object_foreach(all, name, one)
        if (json_is_object(one))
            out = json_incref(one);
    json_decref(all);
    assert_non_null(out);
    return out;
}

/* Compares within the ten digits of an answer. */
static inline void same(const json_t *o, const char *path, double want)
{
    assert_close(ipr_json_at(o, path, NAN), want, fabs(want) * 1e-9);
}

static inline void nothing_at(const json_t *o, const char *path)
{
    assert_true(json_is_null(ipr_json_find(o, path)));
}

static inline void same_interval(const json_t *o, const char *path, struct ipr_interval want)
{
    const json_t *i = ipr_json_find(o, path);

    same(i, "low", want.lo);
    same(i, "high", want.hi);
    same(i, "level", 0.95);
}

#endif
