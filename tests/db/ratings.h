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
#include "view/json.h"
#include "view/rating/trace.h"

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

static inline void same_share(const json_t *o, const char *path, const struct ipr_share *want)
{
    char name[80];

    snprintf(name, sizeof name, "%s.share", path);
    same_number(o, name, want->share);
    snprintf(name, sizeof name, "%s.standard_error", path);
    same_number(o, name, want->se);
    snprintf(name, sizeof name, "%s.interval_clustered.low", path);
    same_number(o, name, want->clustered.lo);
    snprintf(name, sizeof name, "%s.interval_wilson.high", path);
    same_number(o, name, want->wilson.hi);
    snprintf(name, sizeof name, "%s.interval.high", path);
    same_number(o, name,
                want->clustered.hi - want->clustered.lo >= want->wilson.hi - want->wilson.lo
                    ? want->clustered.hi
                    : want->wilson.hi);
}

/* The turns of a scope that count in a window. */
struct counted {
    struct ipr_db_player_turns all;
    size_t *keep;
    size_t n;
    struct ipr_window_counts counts;
};

static inline struct counted counted(struct ipr_view_scene *s, struct ipr_db_scope scope,
                                     enum ipr_window_method method)
{
    const struct ipr_window w = ipr_window_default(method);
    struct counted c = { .n = 0 };

    assert_ok(ipr_db_player_turns(s->db, &scope, s->judge_id, &s->mem, &c.all, &s->err), &s->err);
    c.keep = ipr_arena_alloc(&s->mem, c.all.n, sizeof *c.keep);
    c.n = ipr_window_select(&w, c.all.turns, c.all.n, c.keep, &c.counts);
    return c;
}

static inline struct ipr_conformance conformance_of(struct ipr_view_scene *s,
                                                    struct ipr_db_scope scope,
                                                    enum ipr_window_method method,
                                                    enum ipr_loss loss)
{
    const struct counted c = counted(s, scope, method);
    struct ipr_conformance_params p = IPR_CONFORMANCE_INIT;
    struct ipr_conformance r;

    p.loss = loss;
    assert_ok(ipr_conformance(&p, c.all.turns, c.keep, c.n, &r, &s->err), &s->err);
    return r;
}

static inline void check_form(const json_t *conformance, const char *name,
                              const struct ipr_conformance *r)
{
    const json_t *form = json_object_get(conformance, name);

    same_share(form, "at_0", &r->share_0);
    same_share(form, "at_30", &r->share_30);
    same_number(form, "mean_loss", r->mean_loss);
    same_number(form, "mean_loss_standard_error", r->mean_loss_se);
    same_number(form, "mean_loss_interval.low",
                fmax(0.0, r->mean_loss - ipr_stats_quantile95(r->games) * r->mean_loss_se));
    same_number(form, "turns", (double)r->turns);
    same_number(form, "games", (double)r->games);
    assert_string_equal(ipr_json_text_at(form, "method"), "conformance");
    assert_true(json_is_object(json_object_get(form, "excluded")));
}

#endif
