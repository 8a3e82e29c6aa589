#ifndef IPR_TEST_DB_RATINGS_H
#define IPR_TEST_DB_RATINGS_H

#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/endgames.h"
#include "db/judges.h"
#include "db/players.h"
#include "db/turns.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_members.h"
#include "ipr_test.h"
#include "ipr_view_sample.h"
#include "model/complexity.h"
#include "model/conformance.h"
#include "model/conformance_game.h"
#include "model/window.h"
#include "view/game/trace.h"
#include "view/json.h"

#define DEPTHS 4

/* Of both colours. */
#define SCOPE(...)                                                                                 \
    (struct ipr_ratings_request)                                                                   \
    {                                                                                              \
        .color = -1, __VA_ARGS__                                                                   \
    }

static inline int open_scene(void **state)
{
    ipr_view_scene_open(state);
    struct ipr_view_scene *s = *state;

    s->judge.depth = DEPTHS;
    assert_ok(ipr_db_judge_ensure(s->db, &s->judge, &s->judge_id, &s->err), &s->err);
    return 0;
}

#define WITH_SCENE(test) cmocka_unit_test_setup_teardown(test, open_scene, ipr_view_scene_close)

/* The sample's judgement has a final score alone: the shallower depths follow it at a distance, now
 * and then without the line. */
static inline void fill_depths(struct ipr_view_scene *s, const struct ipr_judged_game *g,
                               unsigned seed)
{
    uint32_t x = seed * 2654435761u + 7;

    for (size_t i = 0; i < g->n; i++) {
        struct ipr_judged_turn *t = &g->turns[i];
        const size_t n = (size_t)t->lines * t->depth;
        int16_t *score = ipr_arena_alloc(&s->mem, n, sizeof *score);

        for (size_t k = 0; k < n; k++) {
            const int16_t last = ipr_judged_final(t, (unsigned)(k / t->depth));
            const int near = (last > 9000 ? 400 : last) + (int)(x >> 8) % 80;

            x = x * 1664525u + 1013904223u;
            score[k] = k % t->depth + 1u == t->depth ? last
                       : x >> 28 == 0                ? IPR_SCORE_NONE
                                                     : (int16_t)near;
        }
        t->score = score;
    }
}

static inline void judge_game(struct ipr_view_scene *s, int64_t id, unsigned seed)
{
    struct ipr_db_game game;

    assert_ok(ipr_db_game_get(s->db, id, &s->mem, &game, &s->err), &s->err);
    const struct ipr_judged_game judged = ipr_sample_judgement(&s->mem, &s->judge, &game, seed);
    fill_depths(s, &judged, seed);
    ipr_sample_judged(s->db, s->judge_id, &game, &judged, 3);
}

static inline void add_game(struct ipr_view_scene *s, unsigned seed, const char *white,
                            const char *black, int year)
{
    struct ipr_db_new_game g = ipr_sample_game(&s->mem, seed, white, black, year, 70);

    ipr_sample_store(s->db, &g, 1, "sample");
    judge_game(s, g.id, seed);
}

/* Judged games, the colours in turn. */
static inline void add_games(struct ipr_view_scene *s, unsigned seed, unsigned n, const char *a,
                             const char *b, int year)
{
    for (unsigned i = 0; i < n; i++)
        add_game(s, seed + i, i % 2 ? b : a, i % 2 ? a : b, year);
}

static inline json_t *ratings(struct ipr_view_scene *s, int32_t id,
                              struct ipr_ratings_request asked)
{
    json_t *r = NULL;

    asked.player = id;
    assert_ok(ipr_view_ratings(&s->view, &asked, &r, &s->err), &s->err);
    assert_members(IPR_SHAPE_PLAYER_RATINGS, r);
    return r;
}

static inline struct ipr_ratings_request year(int y)
{
    return SCOPE(.year = y);
}

/* As the view has it, to its ten digits. */
static inline void same_number(const json_t *o, const char *path, double want)
{
    const double got = ipr_json_at(o, path, NAN);

    if (!(fabs(got - want) <= 1e-9 * fmax(1.0, fabs(want))))
        fail_msg("%s: %.12g, want %.12g", path, got, want);
}

#endif
