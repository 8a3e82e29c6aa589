#ifndef IPR_TEST_DB_QUEUE_VIEW_H
#define IPR_TEST_DB_QUEUE_VIEW_H

/* The resources of the queue, for an upload of four games of one player, with a real database. */
#include "view/queue/analyses.h"

#include "db/judges.h"
#include "db/workers.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"
#include "view/json.h"

#define GAMES 4
#define PLIES 70
#define TURNS (PLIES - 16) /* from move 9, both sides */

struct scene {
    struct ipr_db_fixture *f;
    struct ipr_view view;
    struct ipr_config config;
    int64_t upload;
    int32_t tal;
    struct ipr_db_new_game games[GAMES];
};

static inline struct scene *open_scene(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct scene *s = ipr_arena_alloc(&f->mem, 1, sizeof *s);

    (void)ipr_db_test_sql("SET client_min_messages = warning; "
                          "TRUNCATE upload, game, player, judge, judge_total, worker "
                          "RESTART IDENTITY CASCADE");
    *s = (struct scene){ .f = f,
                         .config = { .judge = "standard", .calibration = "none", .home = "." } };
    s->view = (struct ipr_view){ .config = &s->config, .db = f->db, .mem = &f->mem };
    for (unsigned i = 0; i < GAMES; i++)
        s->games[i] =
            ipr_sample_game(&f->mem, i + 1, "Tal, M", "Botvinnik", i < 3 ? 1960 : 1961, PLIES);
    s->upload = ipr_sample_store(f->db, s->games, GAMES, "standard");
    s->tal = ipr_db_test_player("Tal, M");
    return s;
}

static inline void queue(struct scene *s, const struct ipr_db_selection *games, const char *judge,
                         int expected)
{
    struct ipr_db_planned n = { 0 };

    assert_ok(ipr_db_analyses_queue(s->f->db, &(struct ipr_db_plan){ .games = *games }, judge, 5,
                                    "ann", false, &n, &s->f->err),
              &s->f->err);
    assert_int_equal(n.games - n.there, expected);
}

static inline void beat(struct scene *s, const char *name, const char *engines, int threads)
{
    const struct ipr_db_worker w = { .name = name,
                                     .version = "1.2.3",
                                     .engines = engines,
                                     .threads = threads,
                                     .games = 3,
                                     .turns = 200,
                                     .cached = 50,
                                     .failures = 1,
                                     .leases_lost = 2 };

    assert_ok(ipr_db_worker_beat(s->f->db, &w, &s->f->err), &s->f->err);
}

/* Judges a game, at one second per turn. */
static inline void judge_with(struct scene *s, int64_t id, const char *name, const char *engine)
{
    const struct ipr_db_work work = { .source = "w1", .search_ms = { 27000, 27000 } };
    struct ipr_judge judge;
    struct ipr_db_game game;
    int32_t judge_id;

    assert_true(ipr_judge_builtin(name, &judge));
    snprintf(judge.engine, sizeof judge.engine, "%s", engine);
    assert_ok(ipr_db_judge_ensure(s->f->db, &judge, &judge_id, &s->f->err), &s->f->err);
    assert_ok(ipr_db_game_get(s->f->db, id, &s->f->mem, &game, &s->f->err), &s->f->err);
    const struct ipr_judged_game judged =
        ipr_sample_judgement(&s->f->mem, &judge, &game, (unsigned)id);
    ipr_sample_judged_by(s->f->db, judge_id, &game, &judged, 3, &work);
}

static inline void judge_game(struct scene *s, int64_t id, const char *name)
{
    judge_with(s, id, name, "Engine 1");
}

#endif
