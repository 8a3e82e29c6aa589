#include "db/analyses.h"

#include <pthread.h>
#include <stdio.h>

#include "db/jobs.h"
#include "db/judges.h"
#include "db/turns.h"
#include "db/uploads.h"
#include "db/workers.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

#define PLIES         36 /* of every game here: 20 turns of the judge "sample" */
#define PLIES_OF_SIDE 10

static const struct ipr_db_selection everything;

struct upload {
    int64_t id;
    const struct ipr_db_new_game *games;
    size_t n;
};

/* n games of one pair in one year. */
static struct upload store(struct ipr_db_fixture *f, unsigned n, const char *white,
                           const char *black, int year)
{
    static unsigned seed = 1000;
    struct ipr_db_new_game *g = ipr_arena_alloc(&f->mem, n, sizeof *g);

    for (unsigned i = 0; i < n; i++)
        g[i] = ipr_sample_game(&f->mem, ++seed, white, black, year, PLIES);
    return (struct upload){ ipr_sample_store(f->db, g, n, "sample"), g, n };
}

static void queue(struct ipr_db_fixture *f, struct ipr_db_selection s, const char *owner,
                  int32_t want_queued, int32_t want_there)
{
    const struct ipr_db_plan plan = { .games = s };
    struct ipr_db_planned n = { 0 };

    assert_ok(ipr_db_analyses_queue(f->db, &plan, "sample", 5, owner, false, &n, &f->err), &f->err);
    assert_int_equal(n.games - n.there, want_queued);
    assert_int_equal(n.there, want_there);
}

static void no_games(struct ipr_db_fixture *f, struct ipr_db_selection s, const char *says)
{
    const struct ipr_db_plan plan = { .games = s };
    struct ipr_db_planned n;

    assert_int_equal(ipr_db_analyses_queue(f->db, &plan, "sample", 5, "x", false, &n, &f->err),
                     IPR_ENOTFOUND);
    if (strstr(f->err.msg, says) == NULL)
        fail_msg("%s: no %s", f->err.msg, says);
    ipr_err_clear(&f->err);
}

static void steer(struct ipr_db_fixture *f, struct ipr_db_selection s, enum ipr_db_steer what,
                  int priority, int32_t want)
{
    int32_t changed = -1;

    assert_ok(ipr_db_analyses_steer(f->db, &s, what, priority, &changed, &f->err), &f->err);
    assert_int_equal(changed, want);
}

static struct ipr_db_job claim(struct ipr_db_fixture *f)
{
    struct ipr_db_queue_cursor cursor = { 0 };
    struct ipr_db_job job = { 0 };

    assert_ok(ipr_db_job_claim(f->db, "stockfish", "w1", 60, &cursor, &job, &f->err), &f->err);
    return job;
}

/* "state owner" of all jobs, in the order in which they would be taken. */
static const char *in_order(void)
{
    return ipr_db_test_sql("SELECT coalesce(string_agg(state || ' ' || owner, ', '"
                           " ORDER BY priority, place, id), '') FROM job");
}

/* ---- which games ------------------------------------------------------------------------------
 */

static void test_selection(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 3, "anna", "bert", 1971),
                        two = store(f, 2, "bert", "carl", 1972);
    const int32_t anna = one.games[0].white_id.id, bert = one.games[0].black_id.id;
    char sql[120];

    /* Sent again with the second upload; counted there, and once. */
    snprintf(sql, sizeof sql,
             "INSERT INTO upload_duplicate VALUES (%lld, 9, %lld, 0, false), "
             "(%lld, 8, %lld, 0, false)",
             (long long)two.id, (long long)one.games[0].id, (long long)two.id,
             (long long)one.games[0].id);
    ipr_db_test_sql(sql);

    queue(f, (struct ipr_db_selection){ .game = one.games[0].id }, "x", 1, 0);
    queue(f, (struct ipr_db_selection){ .game = one.games[0].id }, "x", 0, 1);
    queue(f, (struct ipr_db_selection){ .upload = two.id }, "x", 2, 1);
    queue(f, (struct ipr_db_selection){ .person = anna }, "x", 2, 1);
    ipr_db_test_sql("DELETE FROM job");
    queue(f, (struct ipr_db_selection){ .person = bert, .year = 1972 }, "x", 2, 0);
    no_games(f, (struct ipr_db_selection){ .person = bert, .year = 1980 }, "in 1980");
    queue(f, (struct ipr_db_selection){ .person = bert, .upload = one.id }, "x", 3, 0);
    ipr_db_test_sql("DELETE FROM job");
    queue(f, (struct ipr_db_selection){ .game = one.games[0].id, .upload = two.id }, "x", 1, 0);
    no_games(f, (struct ipr_db_selection){ .game = one.games[1].id, .upload = two.id }, "upload");
    no_games(f, (struct ipr_db_selection){ .game = two.games[0].id, .person = anna }, "player");
}

static void test_selection_refused(void **state)
{
    static const struct {
        struct ipr_db_selection s;
        const char *judge;
        enum ipr_code want;
    } rows[] = {
        { { 0 }, "sample", IPR_EINVAL },
        { { .upload = 99 }, "sample", IPR_ENOTFOUND },
        { { .game = 99 }, "sample", IPR_ENOTFOUND },
        { { .person = 99 }, "sample", IPR_ENOTFOUND },
        { { .game = 1 }, "nobody", IPR_ENOTFOUND },
    };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_planned n = { .games = -1 };

    store(f, 1, "anna", "bert", 1971);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ipr_err_clear(&f->err);
        const struct ipr_db_plan plan = { .games = rows[i].s };

        assert_int_equal(
            ipr_db_analyses_queue(f->db, &plan, rows[i].judge, 5, "x", false, &n, &f->err),
            rows[i].want);
        assert_int_equal(n.games, -1);
    }
    assert_string_equal(f->err.type, "no_such_judge");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job"), 0);
}

static struct ipr_db_planned planned(struct ipr_db_fixture *f, const struct ipr_db_plan *plan,
                                     bool estimate)
{
    struct ipr_db_planned n = { 0 };

    assert_ok(ipr_db_analyses_queue(f->db, plan, "sample", 5, "x", estimate, &n, &f->err), &f->err);
    return n;
}

/* Players by years: of each game the sides of these players. */
static void test_plan(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 3, "anna", "bert", 1971),
                        two = store(f, 2, "bert", "carl", 1972);
    const int32_t ids[] = { one.games[0].white_id.id, two.games[0].black_id.id },
                  both[] = { ids[0], one.games[0].black_id.id };
    const struct ipr_db_plan own = { .players = ids, .n_players = 2, .own = true },
                             later = { .players = ids, .n_players = 2, .from = 1972, .own = true },
                             whole = { .players = ids, .n_players = 2, .to = 1971 };

    store(f, 1, "carl", "dora", 0);
    struct ipr_db_planned n = planned(f, &own, true);
    assert_int_equal(n.games, 6);
    assert_int_equal(n.turns, 6 * PLIES_OF_SIDE);
    assert_int_equal(n.there, 0);
    assert_true(n.core_hours < 0.0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job"), 0);

    assert_int_equal(planned(f, &later, false).games, 2);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE sides = 2"), 2);
    n = planned(f, &own, false);
    assert_int_equal(n.there, 2);
    assert_int_equal(n.turns_there, 2 * PLIES_OF_SIDE);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE sides = 2"), 2);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE sides = 1"), 4);

    n = planned(f, &whole, true); /* no undated ones */
    assert_int_equal(n.games, 3);
    assert_int_equal(n.turns, 6 * PLIES_OF_SIDE);
    assert_int_equal(n.there, 0);
    assert_int_equal(n.turns_there, 3 * PLIES_OF_SIDE);
    const struct ipr_db_plan met = { .players = both, .n_players = 2, .to = 1971, .own = true };
    assert_int_equal(planned(f, &met, false).turns, 6 * PLIES_OF_SIDE);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE sides = 3"), 3);
}

/* Where the memory is kept for a game its sides depend on each other. */
static void test_plan_of_both(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 1, "anna", "bert", 1971);
    const struct ipr_db_plan plan = { .players = &one.games[0].white_id.id,
                                      .n_players = 1,
                                      .own = true };
    struct ipr_db_planned alliot = { 0 }, rating = { 0 };

    assert_ok(ipr_db_analyses_queue(f->db, &plan, "rating", 5, "x", true, &rating, &f->err),
              &f->err);
    assert_ok(ipr_db_analyses_queue(f->db, &plan, "alliot", 5, "x", false, &alliot, &f->err),
              &f->err);
    assert_int_equal(rating.turns, PLIES_OF_SIDE);
    assert_true(alliot.turns > rating.turns);
    assert_int_equal(ipr_db_test_int("SELECT sides FROM job"), 3);
}

/* What is analysed is there, and tells what the rest takes. A person's own moves are enough for its
 * progress. */
static void test_plan_of_measured_judge(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 3, "anna", "bert", 1971);
    const int32_t anna = one.games[0].white_id.id;
    const struct ipr_db_plan plan = { .players = &anna, .n_players = 1, .own = true };
    struct ipr_judge judge = ipr_sample_judge();
    struct ipr_db_progress progress;
    struct ipr_db_game game;

    assert_ok(ipr_db_game_get(f->db, one.games[1].id, &f->mem, &game, &f->err), &f->err);
    const struct ipr_judged_game all = ipr_sample_judgement(&f->mem, &judge, &game, 1);
    ipr_sample_judged(f->db, ipr_sample_judge_id(f->db), &game, &all, 1);
    ipr_db_test_sql("UPDATE judged_side SET search_ms = 3600 * turns");
    const struct ipr_db_planned n = planned(f, &plan, false);
    assert_int_equal(n.games, 3);
    assert_int_equal(n.there, 1);
    assert_int_equal(n.turns_there, PLIES_OF_SIDE);
    assert_close(n.core_hours, 2 * PLIES_OF_SIDE / 1000.0, 1e-9);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job"), 2);
    assert_ok(ipr_db_analyses_progress(f->db, &(struct ipr_db_selection){ .person = anna },
                                       &progress, &f->err),
              &f->err);
    assert_int_equal(progress.judged, 1);
    assert_ok(ipr_db_analyses_progress(
                  f->db, &(struct ipr_db_selection){ .person = one.games[0].black_id.id },
                  &progress, &f->err),
              &f->err);
    assert_int_equal(progress.judged, 0);
}

static void test_plan_refused(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 1, "anna", "bert", 1971);
    const int32_t ids[] = { one.games[0].white_id.id, 99 };
    const struct ipr_db_plan unknown = { .players = ids, .n_players = 2 },
                             none = { .players = ids, .n_players = 1, .from = 1972 };
    struct ipr_db_planned n;

    assert_int_equal(ipr_db_analyses_queue(f->db, &unknown, "sample", 5, "x", false, &n, &f->err),
                     IPR_ENOTFOUND);
    assert_string_equal(f->err.msg, "no player 99");
    ipr_err_clear(&f->err);
    assert_int_equal(ipr_db_analyses_queue(f->db, &none, "sample", 5, "x", true, &n, &f->err),
                     IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
}

struct asker {
    pthread_t thread;
    struct ipr_db_pool *pool;
    const struct upload *upload;
    size_t from;
    enum ipr_code rc;
};

static void *ask(void *arg)
{
    struct asker *a = arg;
    struct ipr_db *db = NULL;
    struct ipr_db_planned n;

    a->rc = ipr_db_lease(a->pool, &db, NULL);
    for (size_t i = a->from; a->rc == IPR_OK && i < a->upload->n; i += 2) {
        const struct ipr_db_plan plan = { .games = { .game = a->upload->games[i].id } };

        a->rc = ipr_db_analyses_queue(db, &plan, "sample", 5, "x", false, &n, NULL);
    }
    ipr_db_return(&db);
    return NULL;
}

/* However many ask at once, an owner has each place once. */
static void test_two_askers(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload u = store(f, 100, "anna", "bert", 1971);
    struct asker a[2] = { { .pool = f->pool, .upload = &u, .from = 0 },
                          { .pool = f->pool, .upload = &u, .from = 1 } };

    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&a[i].thread, NULL, ask, &a[i]), 0);
    for (int i = 0; i < 2; i++) {
        pthread_join(a[i].thread, NULL);
        assert_int_equal(a[i].rc, IPR_OK);
    }
    assert_string_equal(ipr_db_test_sql("SELECT concat_ws(' ', count(*), count(DISTINCT place),"
                                        " min(place), max(place)) FROM job"),
                        "100 100 1 100");
}

/* ---- steering ---------------------------------------------------------------------------------
 */

static void test_cancel(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 3, "anna", "bert", 1971),
                        two = store(f, 2, "bert", "carl", 1972);
    const struct ipr_db_selection first = { .upload = one.id };

    queue(f, first, "x", 3, 0);
    queue(f, (struct ipr_db_selection){ .upload = two.id }, "x", 2, 0);
    const struct ipr_db_job job = claim(f);
    ipr_db_test_sql("UPDATE job SET state = 'failed' WHERE id = (SELECT max(id) - 3 FROM job)");
    /* Other people's work stays under check. */
    assert_ok(ipr_db_job_add_check(f->db, one.games[0].id, "fishnet", &f->err), &f->err);

    steer(f, (struct ipr_db_selection){ .upload = one.id, .judge = "quick" }, IPR_STEER_CANCEL, 0,
          0);
    steer(f, first, IPR_STEER_CANCEL, 0, 3);
    steer(f, first, IPR_STEER_CANCEL, 0, 0);
    assert_int_equal(ipr_db_job_heartbeat(f->db, &job, 60, 1, 2, NULL), IPR_ECONFLICT);
    assert_int_equal(ipr_db_job_complete(f->db, &job, NULL), IPR_ECONFLICT);
    assert_string_equal(in_order(), "ready check, ready x, ready x");
    steer(f, everything, IPR_STEER_CANCEL, 0, 2);
    assert_string_equal(in_order(), "ready check");
}

/* A running game is taken away, and not counted as an attempt. What goes on does so behind what
 * its owner has waiting: nobody saves up turns by pausing. */
static void test_pause(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 4, "anna", "bert", 1971),
                        two = store(f, 4, "bert", "carl", 1972);
    const struct ipr_db_selection first = { .upload = one.id };

    queue(f, first, "x", 4, 0);
    const struct ipr_db_job job = claim(f);
    steer(f, first, IPR_STEER_PAUSE, 0, 4);
    steer(f, first, IPR_STEER_PAUSE, 0, 0);
    assert_int_equal(ipr_db_job_complete(f->db, &job, NULL), IPR_ECONFLICT);
    assert_int_equal(ipr_db_test_int("SELECT sum(attempts) FROM job"), 0);
    queue(f, first, "y", 0, 4); /* it stays paused */
    assert_string_equal(in_order(), "paused x, paused x, paused x, paused x");

    queue(f, (struct ipr_db_selection){ .upload = two.id }, "y", 4, 0);
    for (int i = 0; i < 2; i++) {
        const struct ipr_db_job done = claim(f);

        assert_ok(ipr_db_job_complete(f->db, &done, &f->err), &f->err);
    }
    steer(f, first, IPR_STEER_RESUME, 0, 4);
    steer(f, first, IPR_STEER_RESUME, 0, 0);
    assert_string_equal(in_order(), "ready x, ready y, ready x, ready y, ready x, ready x");
    assert_int_equal(claim(f).game_id, one.games[0].id); /* in the order they had */
}

static void test_retry(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 3, "anna", "bert", 1971);

    queue(f, (struct ipr_db_selection){ .upload = one.id }, "x", 3, 0);
    ipr_db_test_sql("UPDATE job SET state = 'failed', attempts = 3, silences = 2,"
                    " run_at = now() + interval '1 hour', last_error = 'e', last_worker = 'w1'"
                    " WHERE id = (SELECT min(id) FROM job)");
    steer(f, everything, IPR_STEER_RETRY, 0, 1);
    steer(f, everything, IPR_STEER_RETRY, 0, 0);
    assert_string_equal(
        ipr_db_test_sql("SELECT string_agg(concat_ws(' ', game_id, state, attempts, silences,"
                        " last_error, last_worker), ';' ORDER BY place) FROM job"),
        "2 ready 0 0;3 ready 0 0;1 ready 0 0");
    for (int i = 0; i < 3; i++)
        claim(f);
}

/* In its new priority a job takes its turn like one that has just been queued. */
static void test_priority(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 3, "anna", "bert", 1971),
                        two = store(f, 3, "bert", "carl", 1972),
                        three = store(f, 2, "carl", "dora", 1973);
    const struct ipr_db_selection second = { .upload = two.id };

    queue(f, (struct ipr_db_selection){ .upload = one.id }, "x", 3, 0);
    queue(f, (struct ipr_db_selection){ .upload = three.id }, "y", 2, 0);
    steer(f, (struct ipr_db_selection){ .upload = three.id }, IPR_STEER_PRIORITY, 2, 2);
    queue(f, second, "y", 3, 0);
    assert_string_equal(in_order(),
                        "ready y, ready y, ready x, ready y, ready x, ready y, ready x, ready y");
    steer(f, second, IPR_STEER_PRIORITY, 2, 3);
    steer(f, second, IPR_STEER_PRIORITY, 2, 0);
    assert_string_equal(ipr_db_test_sql("SELECT string_agg(game_id || ':' || place, ' '"
                                        " ORDER BY priority, place, id) FROM job"),
                        "7:1 8:2 4:3 5:4 6:5 1:1 2:2 3:3");

    /* One that is running keeps its lease, and does not push the queue's turn forward. */
    const struct ipr_db_job job = claim(f);
    steer(f, everything, IPR_STEER_PRIORITY, 5, 5);
    assert_ok(ipr_db_job_heartbeat(f->db, &job, 60, 1, 2, &f->err), &f->err);
    const struct upload late = store(f, 1, "dora", "emil", 1974);
    queue(f, (struct ipr_db_selection){ .upload = late.id }, "z", 1, 0);
    assert_int_equal(ipr_db_test_int("SELECT place FROM job WHERE owner = 'z'"), 1);
    assert_ok(ipr_db_job_complete(f->db, &job, &f->err), &f->err);
}

static void define_toga(struct ipr_db_fixture *f)
{
    struct ipr_judge toga = ipr_sample_judge();
    bool fresh;

    snprintf(toga.name, sizeof toga.name, "toga");
    snprintf(toga.program, sizeof toga.program, "toga2");
    assert_ok(ipr_db_definition_add(f->db, &toga, "x", &fresh, &f->err), &f->err);
}

static void queue_toga(struct ipr_db_fixture *f, int64_t upload, int priority, const char *owner)
{
    const struct ipr_db_selection s = { .upload = upload };
    const struct ipr_db_plan plan = { .games = s };
    struct ipr_db_planned n;

    assert_ok(ipr_db_analyses_queue(f->db, &plan, "toga", priority, owner, false, &n, &f->err),
              &f->err);
}

/* An owner has one row of places for all programs, wherever its jobs are moved to. */
static void test_steering_across_programs(void **state)
{
    static const char places[] = "SELECT string_agg(owner || place, ' '"
                                 " ORDER BY priority, place, id) FROM job";
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 2, "anna", "bert", 1971),
                        two = store(f, 2, "bert", "carl", 1972);

    define_toga(f);
    queue(f, (struct ipr_db_selection){ .upload = one.id }, "x", 2, 0);
    queue_toga(f, one.id, 5, "x");
    queue_toga(f, two.id, 5, "y");
    assert_string_equal(ipr_db_test_sql(places), "x1 y1 x2 y2 x3 x4");
    steer(f, everything, IPR_STEER_PRIORITY, 2, 6);
    assert_string_equal(ipr_db_test_sql(places), "x1 y1 x2 y2 x3 x4");
    steer(f, (struct ipr_db_selection){ .upload = one.id }, IPR_STEER_PAUSE, 0, 4);
    steer(f, (struct ipr_db_selection){ .upload = one.id }, IPR_STEER_RESUME, 0, 4);
    assert_string_equal(ipr_db_test_sql(places), "x1 y1 x2 y2 x3 x4");
}

/* ---- showing ----------------------------------------------------------------------------------
 */

static void test_list(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 5, "anna", "bert", 1971);
    const struct ipr_db_selection s = { .upload = one.id };
    struct ipr_db_analysis *rows = NULL;
    size_t n = 0;

    queue(f, s, "x", 5, 0);
    const struct ipr_db_job job = claim(f);
    assert_ok(ipr_db_analyses_list(f->db, &s, NULL, 0, 3, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 3);
    assert_int_equal(rows[0].id, job.id);
    assert_string_equal(rows[0].state, "running");
    assert_string_equal(rows[0].worker, "w1");
    assert_string_equal(rows[0].white, "anna");
    assert_string_equal(rows[0].black, "bert");
    assert_int_equal(rows[0].year, 1971);
    assert_int_equal(rows[0].turns_total, PLIES - 16);
    assert_string_equal(rows[1].state, "ready");
    assert_string_equal(rows[1].owner, "x");
    assert_null(rows[1].worker);
    assert_null(rows[1].last_error);
    assert_int_equal(rows[1].created[10], 'T');
    assert_ok(ipr_db_analyses_list(f->db, &everything, "ready", rows[2].id, 3, &f->mem, &rows, &n,
                                   &f->err),
              &f->err);
    assert_int_equal(n, 2);
    assert_int_equal(rows[1].game_id, one.games[4].id);
}

/* ---- how far, and how long --------------------------------------------------------------------
 */

struct judged {
    int64_t game_id;
    struct ipr_db_work work;
};

static enum ipr_code judge_in_tx(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct judged *j = arg;
    const struct ipr_judge judge = ipr_sample_judge();
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_game game;
    int32_t judge_id;
    unsigned stored;
    enum ipr_code rc = ipr_db_judge_ensure(db, &judge, &judge_id, err);

    if (rc == IPR_OK)
        rc = ipr_db_game_get(db, j->game_id, &mem, &game, err);
    if (rc == IPR_OK) {
        const struct ipr_judged_game t = ipr_sample_judgement(&mem, &judge, &game, 3);

        rc = ipr_db_sides_store(db, judge_id, &game, &t, 3, &j->work, &stored, err);
    }
    ipr_arena_release(&mem);
    return rc;
}

/* Both sides of a game, each of 10 turns in `ms`. */
static void judge(struct ipr_db_fixture *f, int64_t game_id, int32_t ms)
{
    struct judged j = { game_id, { .source = "w1", .search_ms = { ms, ms } } };

    assert_ok(ipr_db_tx(f->db, judge_in_tx, &j, &f->err), &f->err);
}

static void beat(struct ipr_db_fixture *f, const char *name, const char *engines, int threads)
{
    const struct ipr_db_worker w = {
        .name = name, .version = "1", .engines = engines, .threads = threads
    };

    assert_ok(ipr_db_worker_beat(f->db, &w, &f->err), &f->err);
}

static struct ipr_db_progress progress(struct ipr_db_fixture *f, struct ipr_db_selection s)
{
    struct ipr_db_progress p = { .seconds = -2.0 };

    assert_ok(ipr_db_analyses_progress(f->db, &s, &p, &f->err), &f->err);
    assert_true(p.unknown != NULL || p.seconds >= 0.0);
    return p;
}

/* What is ahead of a selection is of all local programs, and not of fishnet. */
static void test_ahead_across_programs(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 3, "anna", "bert", 1971),
                        two = store(f, 2, "bert", "carl", 1972);
    struct ipr_db_planned planned;

    define_toga(f);
    queue(f, (struct ipr_db_selection){ .upload = one.id }, "x", 3, 0);
    assert_ok(ipr_db_analyses_queue(f->db, &(struct ipr_db_plan){ .games = { .upload = one.id } },
                                    "fishnet", 1, "x", false, &planned, &f->err),
              &f->err);
    queue_toga(f, two.id, 5, "y");
    beat(f, "a:1", "stockfish toga2", 1);
    /* x y x y x, of 20 turns each */
    assert_int_equal(progress(f, (struct ipr_db_selection){ .upload = two.id }).turns_ahead, 80);
    steer(f, (struct ipr_db_selection){ .upload = two.id }, IPR_STEER_PRIORITY, 2, 2);
    assert_int_equal(progress(f, (struct ipr_db_selection){ .upload = two.id }).turns_ahead, 40);
    /* A running one is ahead of all. */
    (void)claim(f);
    assert_int_equal(progress(f, (struct ipr_db_selection){ .upload = two.id }).turns_ahead, 60);
    assert_int_equal(progress(f, (struct ipr_db_selection){ .judge = "toga" }).turns_ahead, 60);
    assert_int_equal(progress(f, (struct ipr_db_selection){ .judge = "sample" }).turns_ahead, 100);
    /* Nobody waits for what no engine will do. */
    beat(f, "a:1", "toga2", 1);
    assert_int_equal(progress(f, (struct ipr_db_selection){ .upload = two.id }).turns_ahead, 40);
}

static void test_progress(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 5, "anna", "bert", 1971),
                        two = store(f, 2, "bert", "carl", 1972);
    const struct ipr_db_selection first = { .upload = one.id, .judge = "sample" },
                                  second = { .upload = two.id };
    struct ipr_db_progress p = progress(f, first);

    assert_int_equal(p.ready + p.running + p.paused + p.failed + p.judged, 0);
    assert_true(p.seconds == 0.0);
    queue(f, first, "x", 5, 0);
    queue(f, second, "y", 2, 0);

    p = progress(f, first);
    assert_int_equal(p.ready, 5);
    assert_int_equal(p.turns_left, 100);
    assert_string_equal(p.unknown, "no_worker");
    beat(f, "a:1", "stockfish", 2);
    beat(f, "b:1", "toga2 stockfish", 1);
    beat(f, "c:1", "toga2", 7); /* of no use here */
    assert_string_equal(progress(f, first).unknown, "not_measured");

    /* x y x y x x x: the first is finished, 50 ms a turn; the next is running. */
    const struct ipr_db_job done = claim(f);
    judge(f, done.game_id, 500);
    assert_ok(ipr_db_job_complete(f->db, &done, &f->err), &f->err);
    const struct ipr_db_job job = claim(f);
    assert_int_equal(job.game_id, two.games[0].id);
    assert_ok(ipr_db_job_heartbeat(f->db, &job, 60, 5, 20, &f->err), &f->err);

    p = progress(f, first);
    assert_int_equal(p.ready, 4);
    assert_int_equal(p.running, 0);
    assert_int_equal(p.judged, 1);
    assert_int_equal(p.turns_left, 80);
    assert_int_equal(p.turns_ahead, 80 + 15 + 20);
    assert_int_equal(p.engines, 3);
    assert_close(p.seconds, 115 * 0.05 / 3, 1e-9);

    /* The other's last one comes before most of it. */
    p = progress(f, second);
    assert_int_equal(p.ready, 1);
    assert_int_equal(p.running, 1);
    assert_int_equal(p.judged, 0);
    assert_int_equal(p.turns_left, 35);
    assert_int_equal(p.turns_ahead, 35 + 20);
    assert_close(p.seconds, 20 * 0.05, 1e-9); /* three engines, but one game is left whole */

    p = progress(f, everything);
    assert_int_equal(p.ready, 5);
    assert_int_equal(p.running, 1);
    assert_int_equal(p.judged, 1);
    assert_int_equal(p.turns_ahead, 115);
    assert_int_equal(p.turns_left, 115);

    steer(f, first, IPR_STEER_PAUSE, 0, 4);
    p = progress(f, first);
    assert_int_equal(p.paused, 4);
    assert_int_equal(p.judged, 1);
    assert_string_equal(p.unknown, "paused");
    assert_int_equal(progress(f, second).turns_ahead, 35);

    ipr_db_test_sql("UPDATE worker SET seen = now() - interval '2 minutes' WHERE name <> 'c:1'");
    assert_string_equal(progress(f, second).unknown, "no_worker");
    ipr_db_test_sql("UPDATE job SET program = 'fishnet', created = now() - interval '90 seconds'");
    p = progress(f, second);
    assert_string_equal(p.unknown, "external");
    assert_in_range(p.oldest_s, 90, 3600);
}

static void expect_time(struct ipr_db_fixture *f, struct ipr_db_selection s, double seconds,
                        const char *unknown, const char *unmeasured)
{
    const struct ipr_db_progress p = progress(f, s);

    if (seconds < 0.0)
        assert_true(p.seconds < 0.0);
    else
        assert_close(p.seconds, seconds, 1e-9);
    assert_string_equal(p.unknown != NULL ? p.unknown : "", unknown);
    assert_string_equal(p.unmeasured, unmeasured);
}

/* One game whose time nobody knows does not make the others' unknown. */
static void test_time_of_what_is_known(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 3, "anna", "bert", 1971);
    const struct ipr_db_selection game = { .game = one.games[1].id, .judge = "sample" },
                                  other = { .game = one.games[2].id }, deep = { .judge = "deep" };
    struct ipr_db_planned planned;

    judge(f, one.games[0].id, 1000); /* 0.1 s a turn */
    queue(f, game, "x", 1, 0);
    beat(f, "a:1", "stockfish", 2);
    expect_time(f, game, 20 * 0.1, "", "");

    assert_ok(ipr_db_analyses_queue(f->db, &(struct ipr_db_plan){ .games = other }, "deep", 1, "y",
                                    false, &planned, &f->err),
              &f->err);
    expect_time(f, game, 20 * 0.1, "not_measured", "deep"); /* it goes before */
    expect_time(f, everything, 20 * 0.1, "not_measured", "deep");
    expect_time(f, deep, -1.0, "not_measured", "deep");

    ipr_db_test_sql("UPDATE job SET program = 'crafty' WHERE judge = 'deep'");
    expect_time(f, game, 20 * 0.1, "", "");
    expect_time(f, everything, 20 * 0.1, "no_worker", "");
    expect_time(f, deep, -1.0, "no_worker", "");

    ipr_db_test_sql("UPDATE job SET program = 'fishnet' WHERE judge = 'deep'");
    expect_time(f, game, 20 * 0.1, "", "");
    expect_time(f, everything, 20 * 0.1, "external", "");
    expect_time(f, deep, -1.0, "external", "");

    ipr_db_test_sql("DELETE FROM worker");
    expect_time(f, everything, -1.0, "no_worker", "");
}

/* Fewer games than engines; and engines that have one program only. */
static void test_time_by_program(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 6, "anna", "bert", 1971);
    const struct ipr_db_selection all = { .upload = one.id }, game = { .game = one.games[1].id },
                                  sample = { .judge = "sample" };

    define_toga(f);
    judge(f, one.games[0].id, 1000); /* 0.1 s a turn */
    queue(f, game, "x", 1, 0);
    beat(f, "a:1", "stockfish", 2);
    beat(f, "b:1", "toga2", 1);
    assert_int_equal(progress(f, game).engines, 2);
    assert_close(progress(f, game).seconds, 20 * 0.1, 1e-9);
    assert_close(progress(f, everything).seconds, 20 * 0.1, 1e-9);
    assert_close(progress(f, sample).seconds, 20 * 0.1, 1e-9);

    /* Of five games four are for toga2, of which there is one engine. */
    queue(f, all, "x", 4, 2);
    ipr_db_test_sql("UPDATE job SET program = 'toga2' WHERE id > (SELECT min(id) FROM job)");
    assert_close(progress(f, everything).seconds, 4 * 20 * 0.1, 1e-9);
    assert_close(progress(f, sample).seconds, 4 * 20 * 0.1, 1e-9);
    assert_close(progress(f, all).seconds, 4 * 20 * 0.1, 1e-9);
    assert_int_equal(progress(f, all).engines, 3);
    assert_null(progress(f, all).unknown);

    /* What is not known is left out: the rest takes at least that long. */
    ipr_db_test_sql("UPDATE job SET judge = 'quick' WHERE id = (SELECT max(id) FROM job)");
    struct ipr_db_progress p = progress(f, all);
    assert_string_equal(p.unknown, "not_measured");
    assert_string_equal(p.unmeasured, "quick");
    assert_close(p.seconds, 3 * 20 * 0.1, 1e-9);
    assert_close(p.engine_seconds, 4 * 20 * 0.1, 1e-9);
    ipr_db_test_sql("DELETE FROM worker WHERE name = 'b:1'");
    p = progress(f, everything);
    assert_string_equal(p.unknown, "no_worker");
    assert_close(p.seconds, 20 * 0.1, 1e-9);
    ipr_db_test_sql("DELETE FROM worker");
    assert_true(progress(f, everything).seconds < 0.0);
}

/* What a turn takes is what it took lately. */
static void test_speed_is_recent(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload old = store(f, 2, "anna", "bert", 1971),
                        recent = store(f, 101, "anna", "bert", 1972);
    const struct ipr_db_selection s = { .game = old.games[1].id };

    judge(f, old.games[0].id, 60000);
    for (size_t i = 0; i < recent.n - 1; i++)
        judge(f, recent.games[i].id, 100);
    judge(f, recent.games[recent.n - 1].id, 0); /* all of it was known */
    queue(f, s, "x", 1, 0);
    beat(f, "a:1", "stockfish", 1);
    assert_close(progress(f, s).seconds, 20 * 0.01, 1e-3); /* a game or two ends early */
}

/* What is kept of the queue's length is what counting gives. */
static void assert_totals(void)
{
#define KEYS "program, judge, kind, state, owner, priority, upload_id"
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM ("
                                     " SELECT " KEYS ", sum(jobs), sum(turns) FROM ("
                                     "  SELECT " KEYS ", jobs, turns FROM job_total UNION ALL"
                                     "  SELECT " KEYS
                                     ", -1, -greatest(turns_total - turns_done, 0) FROM job) AS t"
                                     " GROUP BY " KEYS
                                     " HAVING sum(jobs) <> 0 OR sum(turns) <> 0) AS wrong"),
                     0);
#undef KEYS
}

static void test_totals(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 6, "anna", "bert", 1971),
                        two = store(f, 3, "bert", "carl", 1972);
    const struct ipr_db_selection first = { .upload = one.id }, second = { .upload = two.id };

    queue(f, first, "x", 6, 0);
    queue(f, second, "y", 3, 0);
    assert_int_equal(ipr_db_test_int("SELECT sum(jobs) FROM job_total"), 9);
    assert_int_equal(ipr_db_test_int("SELECT count(DISTINCT upload_id) FROM job_total"), 2);
    assert_totals();
    struct ipr_db_job job = claim(f);
    assert_totals();
    for (int done = 1; done <= 19; done++)
        assert_ok(ipr_db_job_heartbeat(f->db, &job, 60, done, 20, &f->err), &f->err);
    assert_totals();
    assert_ok(ipr_db_job_fail(f->db, &job, "it died", &f->err), &f->err);
    job = claim(f);
    assert_ok(ipr_db_job_release(f->db, &job, &f->err), &f->err);
    job = claim(f);
    assert_ok(ipr_db_job_complete(f->db, &job, &f->err), &f->err);
    assert_totals();
    job = claim(f);
    ipr_db_test_sql("UPDATE job SET lease_until = now() - interval '1 second' WHERE state = "
                    "'leased'");
    const int64_t rows = ipr_db_test_int("SELECT count(*) FROM job_total");
    assert_ok(ipr_db_jobs_sweep(f->db, NULL, &f->err), &f->err);
    assert_true(ipr_db_test_int("SELECT count(*) FROM job_total") < rows - 16);
    assert_totals();

    steer(f, second, IPR_STEER_PAUSE, 0, 2);
    steer(f, first, IPR_STEER_PRIORITY, 2, 6);
    steer(f, second, IPR_STEER_RESUME, 0, 2);
    assert_totals();
    assert_int_equal(progress(f, everything).turns_left, 160);
    ipr_db_test_sql("DELETE FROM game WHERE id = (SELECT min(game_id) FROM job)");
    assert_totals();
    steer(f, everything, IPR_STEER_CANCEL, 0, 7);
    assert_totals();
    assert_ok(ipr_db_jobs_sweep(f->db, NULL, &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job_total"), 0);
    queue(f, second, "y", 3, 0);
    ipr_db_test_sql("SET client_min_messages = warning; TRUNCATE job");
    assert_totals();
}

/* An upload's counters stay true while its queue is steered. */
static void test_upload_counts(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 5, "anna", "bert", 1971);
    const struct ipr_db_selection s = { .upload = one.id };
    struct ipr_db_upload u = { 0 };

    queue(f, s, "x", 5, 0);
    const struct ipr_db_job job = claim(f);
    judge(f, job.game_id, 10);
    assert_ok(ipr_db_job_complete(f->db, &job, &f->err), &f->err);
    claim(f);
    steer(f, (struct ipr_db_selection){ .game = one.games[2].id }, IPR_STEER_PAUSE, 0, 1);
    ipr_db_test_sql(
        "UPDATE job SET state = 'failed' WHERE game_id = (SELECT max(game_id) FROM job)");
    assert_ok(ipr_db_job_add_check(f->db, one.games[3].id, "sample", &f->err), &f->err);
    assert_ok(ipr_db_upload_get(f->db, one.id, &f->mem, &u, &f->err), &f->err);
    assert_int_equal(u.queued, 2);
    assert_int_equal(u.running, 1);
    assert_int_equal(u.failed, 1);
    assert_int_equal(u.analysed, 1);
}

/* ---- workers ----------------------------------------------------------------------------------
 */

static void test_workers(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_worker w = { .name = "h:2",
                               .version = "4",
                               .engines = "stockfish toga2",
                               .tablebases = 5,
                               .threads = 2,
                               .games = 3,
                               .turns = 200,
                               .cached = 20,
                               .failures = 1,
                               .leases_lost = 2 };
    struct ipr_db_worker *rows = NULL;
    size_t n = 0;

    assert_ok(ipr_db_worker_beat(f->db, &w, &f->err), &f->err);
    ipr_db_test_sql("UPDATE worker SET started = started - interval '1 day'");
    w.games = 4;
    assert_ok(ipr_db_worker_beat(f->db, &w, &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT (now() - started > interval '1 hour')::int"
                                     " FROM worker"),
                     1);
    beat(f, "h:1", "", 1);
    assert_ok(ipr_db_workers(f->db, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 2);
    assert_string_equal(rows[0].name, "h:1");
    assert_string_equal(rows[0].engines, "");
    assert_string_equal(rows[1].engines, "stockfish toga2");
    assert_string_equal(rows[1].version, "4");
    assert_int_equal(rows[1].tablebases, 5);
    assert_int_equal(rows[1].threads, 2);
    assert_int_equal(rows[1].games, 4);
    assert_int_equal(rows[1].turns, 200);
    assert_int_equal(rows[1].cached, 20);
    assert_int_equal(rows[1].failures, 1);
    assert_int_equal(rows[1].leases_lost, 2);
    assert_true(rows[1].seen_s >= 0.0 && rows[1].seen_s < 60.0);

    /* Another process under the same name. */
    w.games = w.turns = 0;
    assert_ok(ipr_db_worker_beat(f->db, &w, &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM worker"
                                     " WHERE now() - started > interval '1 hour'"),
                     0);

    ipr_db_test_sql("UPDATE worker SET seen = now() - interval '2 minutes' WHERE name = 'h:1'");
    assert_ok(ipr_db_workers(f->db, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 1);
    ipr_db_test_sql("UPDATE worker SET seen = now() - interval '2 hours' WHERE name = 'h:1'");
    assert_ok(ipr_db_worker_beat(f->db, &w, &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM worker"), 1);
    assert_ok(ipr_db_worker_leave(f->db, "h:2", &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM worker"), 0);
}

#define WITH_DB(TEST)                                                                              \
    cmocka_unit_test_setup_teardown(TEST, ipr_db_fixture_setup, ipr_db_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_selection),
        WITH_DB(test_selection_refused),
        WITH_DB(test_plan),
        WITH_DB(test_plan_of_both),
        WITH_DB(test_plan_of_measured_judge),
        WITH_DB(test_plan_refused),
        WITH_DB(test_two_askers),
        WITH_DB(test_cancel),
        WITH_DB(test_pause),
        WITH_DB(test_retry),
        WITH_DB(test_priority),
        WITH_DB(test_steering_across_programs),
        WITH_DB(test_ahead_across_programs),
        WITH_DB(test_list),
        WITH_DB(test_progress),
        WITH_DB(test_speed_is_recent),
        WITH_DB(test_time_by_program),
        WITH_DB(test_time_of_what_is_known),
        WITH_DB(test_totals),
        WITH_DB(test_upload_counts),
        WITH_DB(test_workers),
    };

    return cmocka_run_group_tests_name("analyses", tests, NULL, NULL);
}
