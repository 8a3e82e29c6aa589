/* Moves that are searched again: what is queued, in which order it is taken, what is stored of it,
 * and that no rating sees it. */
#include "jobs.h"

#include <stdlib.h>

#include "db/confirmations.h"
#include "db/judges.h"

#define NODES 1000

/* A game whose sides are analysed by the setting of the rating. */
struct scene {
    struct ipr_db_game game;
    struct ipr_judge judge; /* that confirms */
    int32_t judge_id;
    struct ipr_db_unconfirmed *left;
    size_t n;
};

static void look(struct ipr_db_fixture *f, struct scene *s, uint32_t nodes)
{
    assert_ok(ipr_db_unconfirmed(f->db, &s->game, nodes, &f->mem, &s->left, &s->n, &f->err),
              &f->err);
}

static struct scene scene_new(struct ipr_db_fixture *f, unsigned sides)
{
    const struct ipr_judge rating = ipr_sample_rating_judge();
    struct ipr_db_new_game g = ipr_sample_game(&f->mem, 5, "Ann", "Bob", 2001, 60);
    struct scene s = { .judge_id = 0 };
    int32_t rating_id = 0;

    ipr_sample_store(f->db, &g, 1, "rating");
    assert_ok(ipr_db_game_get(f->db, g.id, &f->mem, &s.game, &f->err), &f->err);
    assert_ok(ipr_db_judge_ensure(f->db, &rating, &rating_id, &f->err), &f->err);
    const struct ipr_judged_game judged = ipr_sample_judgement(&f->mem, &rating, &s.game, 7);
    ipr_sample_judged(f->db, rating_id, &s.game, &judged, sides);
    assert_true(ipr_judge_builtin("confirm", &s.judge));
    s.judge.nodes = NODES;
    assert_ok(ipr_db_judge_ensure(f->db, &s.judge, &s.judge_id, &f->err), &f->err);
    look(f, &s, NODES);
    return s;
}

/* The moves left from `from` on, as a search with more nodes that says the same. */
static struct ipr_confirmed_turn *confirmed(struct ipr_db_fixture *f, const struct scene *s,
                                            size_t from, size_t n, bool open)
{
    struct ipr_confirmed_turn *t = ipr_arena_alloc(&f->mem, n, sizeof *t);

    for (size_t i = 0; i < n; i++) {
        t[i] = (struct ipr_confirmed_turn){ s->left[from + i].turn, open };
        t[i].turn.nodes = NODES + 10;
        t[i].turn.apart_nodes = 5;
    }
    return t;
}

static void store_turns(struct ipr_db_fixture *f, const struct scene *s,
                        const struct ipr_confirmed_turn *t, size_t n)
{
    assert_ok(ipr_db_confirm_store(f->db, s->judge_id, s->game.id, "w1", t, n, &f->err), &f->err);
}

static size_t shown(struct ipr_db_fixture *f, const struct scene *s)
{
    struct ipr_judged_game out = { 0 };

    assert_ok(ipr_db_confirmed_games(f->db, &s->game.id, 1, &f->mem, &out, &f->err), &f->err);
    for (size_t i = 1; i < out.n; i++)
        assert_true(out.turns[i - 1].ply < out.turns[i].ply);
    return out.n;
}

/* What is said of the game: of so many moves nothing yet, and of the confirmed ones what their
 * search says; the same for a list of games, between others that have none. */
static void marked(struct ipr_db_fixture *f, const struct scene *s, size_t waiting)
{
    const int64_t ids[] = { 0, s->game.id, INT64_MAX };
    struct ipr_judged_game out = { 0 }, many[3];
    struct ipr_marked *m = NULL;
    size_t n = 0, by = 0;

    assert_ok(ipr_db_confirmed_games(f->db, &s->game.id, 1, &f->mem, &out, &f->err), &f->err);
    assert_ok(ipr_db_marked(f->db, &s->game, NULL, &f->mem, &m, &n, &f->err), &f->err);
    assert_int_equal(n, waiting);
    for (size_t i = 0; i < s->game.n_moves; i++) {
        by += m[i].by != NULL;
        if (m[i].by != NULL)
            assert_close(m[i].lost, ipr_confirm_loss(ipr_judged_turn_at(&out, (unsigned)i)), 1e-12);
        else
            assert_int_equal(m[i].mark, IPR_MARK_NONE);
    }
    assert_int_equal(by, out.n);
    assert_ok(ipr_db_confirmed_games(f->db, ids, 3, &f->mem, many, &f->err), &f->err);
    assert_int_equal(many[0].n + many[2].n, 0);
    assert_int_equal(many[1].n, out.n);
    for (size_t i = 0; i < out.n; i++)
        assert_int_equal(many[1].turns[i].nodes, out.turns[i].nodes);
}

static const char *rated(void)
{
    return ipr_db_test_sql(
        "SELECT string_agg(r, ';') FROM (SELECT s::text AS r FROM judged_side AS s"
        " UNION ALL SELECT s::text FROM player_year AS s UNION ALL SELECT s::text FROM"
        " player_total AS s UNION ALL SELECT s::text FROM judge_total AS s ORDER BY 1) AS a");
}

static void test_parts(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct scene s = scene_new(f, 3);
    const size_t all = s.n;
    char *before = ipr_xstrdup(rated());

    assert_true(all > 4);
    assert_int_equal(shown(f, &s), 0);
    store_turns(f, &s, confirmed(f, &s, 2, 2, false), 2);
    assert_int_equal(shown(f, &s), 2);
    look(f, &s, NODES);
    assert_int_equal(s.n, all - 2);
    /* One whose searches do not agree yet is not shown, and its next search has more nodes. */
    store_turns(f, &s, confirmed(f, &s, 0, 1, true), 1);
    assert_int_equal(shown(f, &s), 2);
    look(f, &s, NODES);
    assert_int_equal(s.n, all - 2);
    assert_true(s.left[0].unsettled);
    marked(f, &s, s.n);
    assert_false(s.left[1].unsettled);
    /* A setting with more nodes begins anew, one with fewer has nothing to add. */
    look(f, &s, 2 * NODES);
    assert_int_equal(s.n, all);
    assert_false(s.left[0].unsettled);
    look(f, &s, NODES);
    /* What is confirmed can contradict the moves beside it, which then are left, too. */
    for (look(f, &s, NODES); s.n > 0; look(f, &s, NODES))
        store_turns(f, &s, confirmed(f, &s, 0, s.n, false), s.n);
    look(f, &s, NODES / 2);
    assert_int_equal(s.n, 0);
    assert_true(shown(f, &s) >= all);
    marked(f, &s, 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM confirmation"), 1);
    assert_string_equal(rated(), before);
    free(before);

    ipr_db_test_sql("DELETE FROM game");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM confirmation"), 0);
    assert_int_equal(ipr_db_confirm_store(f->db, s.judge_id, s.game.id, "w1", NULL, 0, &f->err),
                     IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
}

/* By the setting with more nodes, whatever the order in which they came. */
static void test_of_two_settings(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct scene s = scene_new(f, 3);
    struct ipr_confirmed_turn *t = confirmed(f, &s, 0, s.n, false);
    struct ipr_judged_game out = { 0 };

    t[0].turn.nodes = 77777;
    store_turns(f, &s, t, s.n);
    t = confirmed(f, &s, 0, s.n, false);
    s.judge.nodes = 5 * NODES;
    assert_ok(ipr_db_judge_ensure(f->db, &s.judge, &s.judge_id, &f->err), &f->err);
    t[1].turn.nodes = 88888;
    store_turns(f, &s, t, s.n);
    assert_ok(ipr_db_confirmed_games(f->db, &s.game.id, 1, &f->mem, &out, &f->err), &f->err);
    assert_int_equal(out.n, s.n);
    assert_int_equal(out.turns[0].nodes, 77777);
    assert_int_equal(out.turns[1].nodes, 88888);
    /* An export has those of the deepest setting that has confirmed any. */
    struct ipr_judge by;
    assert_ok(ipr_db_confirmed_by(f->db, s.game.id, 0, &f->mem, &by, &out, &f->err), &f->err);
    assert_int_equal(by.nodes, 5 * NODES);
    assert_int_equal(out.n, s.n);
    s.judge.nodes = 6 * NODES;
    assert_ok(ipr_db_judge_ensure(f->db, &s.judge, &s.judge_id, &f->err), &f->err);
    store_turns(f, &s, confirmed(f, &s, 0, 1, true), 1);
    assert_ok(ipr_db_confirmed_by(f->db, s.game.id, 0, &f->mem, &by, &out, &f->err), &f->err);
    assert_int_equal(by.nodes, 5 * NODES);
}

static int64_t waiting(void)
{
    return ipr_db_test_int("SELECT count(*) FROM job WHERE kind = 'confirm'");
}

static void test_queued(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct scene s = scene_new(f, 1);
    struct ipr_db_queue_cursor cursor = { .upto = IPR_PRIORITY_LAST };
    struct ipr_db_job job;

    for (size_t i = 0; i < s.n; i++)
        assert_int_equal(s.left[i].turn.mover, IPR_WHITE);
    assert_ok(ipr_db_confirm_queue(f->db, &s.game, 0, &f->err), &f->err);
    assert_int_equal(waiting(), 0);
    assert_ok(ipr_db_confirm_queue(f->db, &s.game, NODES, &f->err), &f->err);
    assert_ok(ipr_db_confirm_queue(f->db, &s.game, NODES, &f->err), &f->err);
    assert_int_equal(waiting(), 1);
    assert_state(f, 0, 0, 0); /* no game waits for its analysis */

    /* After all others, though queued before them; not at all for a claimer that wants none. */
    const int64_t *ids = queue(f, 1, IPR_PRIORITY_LAST);
    assert_int_equal(ipr_sample_claim(f->db).game_id, ids[0]);
    assert_int_equal(ipr_db_job_claim(f->db, "stockfish", "w1", 60, &cursor, &job, &f->err),
                     IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
    job = ipr_sample_claim(f->db);
    assert_int_equal(job.game_id, s.game.id);
    assert_int_equal(job.kind, IPR_JOB_CONFIRM);
    assert_string_equal(job.judge, "confirm");

    /* A key claims confirmations alone, and none that another one has begun. */
    static const char *const keys[] = { "fishnet:a", "fishnet:b", "w1" };
    (void)queue(f, 1, IPR_PRIORITY_LAST);
    for (size_t i = 0; i < 3; i++) {
        struct ipr_db_queue_cursor last = { .from = IPR_PRIORITY_LAST + 1 };

        ipr_db_test_sql("UPDATE job SET state = 'ready', lease_token = NULL, lease_until = NULL,"
                        " leased_at = NULL, worker = NULL WHERE kind = 'confirm'");
        assert_int_equal(ipr_db_job_claim(f->db, "stockfish", keys[i], 60, &last, &job, NULL),
                         i == 1 ? IPR_ENOTFOUND : IPR_OK);
        assert_int_equal(job.kind, IPR_JOB_CONFIRM);
        if (i == 0)
            assert_ok(ipr_db_confirm_store(f->db, s.judge_id, s.game.id, keys[0],
                                           confirmed(f, &s, 0, 1, false), 1, &f->err),
                      &f->err);
    }
    ipr_db_test_sql("DELETE FROM confirmation; DELETE FROM job WHERE kind = 'judge'");

    /* A failed one is tried again. */
    for (int i = 0; i < 2; i++) {
        ipr_db_test_sql("UPDATE job SET state = 'failed', lease_token = NULL, lease_until = NULL,"
                        " leased_at = NULL, worker = NULL WHERE kind = 'confirm'");
        assert_ok(ipr_db_confirm_queue(f->db, &s.game, NODES, &f->err), &f->err);
        assert_int_equal(ipr_sample_claim(f->db).attempts, 1);
    }
    /* Nothing is queued once all is confirmed. */
    ipr_db_test_sql("DELETE FROM job");
    store_turns(f, &s, confirmed(f, &s, 0, s.n, false), s.n);
    assert_ok(ipr_db_confirm_queue(f->db, &s.game, NODES, &f->err), &f->err);
    assert_int_equal(waiting(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_parts),
        WITH_DB(test_of_two_settings),
        WITH_DB(test_queued),
    };
    return cmocka_run_group_tests_name("confirmations", tests, NULL, NULL);
}
