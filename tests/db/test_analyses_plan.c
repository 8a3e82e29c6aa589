/* Requests for analyses: which games and sides are queued, and what is refused. */
#include "analyses.h"

#include <pthread.h>
#include <stdio.h>

#define PLIES_OF_SIDE 10

static void expect_no_games(struct ipr_db_fixture *f, struct ipr_db_selection s, const char *says)
{
    const struct ipr_db_plan plan = { .games = s };
    struct ipr_db_planned n;

    assert_int_equal(ipr_db_analyses_queue(f->db, &plan, "sample", 5, "x", false, &n, &f->err),
                     IPR_ENOTFOUND);
    if (strstr(f->err.msg, says) == NULL)
        fail_msg("%s: no %s", f->err.msg, says);
    ipr_err_clear(&f->err);
}

static void test_selection(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 3, "anna", "bert", 1971),
                        two = store(f, 2, "bert", "carl", 1972);
    const int32_t anna = one.games[0].white_id.id, bert = one.games[0].black_id.id;
    char sql[120];

    /* The second upload has that game again, twice: there it counts once, too. */
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
    expect_no_games(f, (struct ipr_db_selection){ .person = bert, .year = 1980 }, "in 1980");
    queue(f, (struct ipr_db_selection){ .person = bert, .upload = one.id }, "x", 3, 0);
    ipr_db_test_sql("DELETE FROM job");
    queue(f, (struct ipr_db_selection){ .game = one.games[0].id, .upload = two.id }, "x", 1, 0);
    expect_no_games(f, (struct ipr_db_selection){ .game = one.games[1].id, .upload = two.id },
                    "upload");
    expect_no_games(f, (struct ipr_db_selection){ .game = two.games[0].id, .person = anna },
                    "player");
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

/* Of two players. */
static const struct ipr_db_span *spans(struct ipr_db_fixture *f, const int32_t ids[2], int from,
                                       int to)
{
    return ipr_db_spans(ids, 2, from, to, &f->mem);
}

/* Queues the players' own sides of their games, by years. */
static void test_plan(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 3, "anna", "bert", 1971),
                        two = store(f, 2, "bert", "carl", 1972);
    const int32_t ids[] = { one.games[0].white_id.id, two.games[0].black_id.id },
                  both[] = { ids[0], one.games[0].black_id.id };
    const struct ipr_db_plan own = { .spans = spans(f, ids, 0, 0), .n_spans = 2, .own = true },
                             later = { .spans = spans(f, ids, 1972, 0), .n_spans = 2, .own = true },
                             whole = { .spans = spans(f, ids, 0, 1971), .n_spans = 2 };

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

    n = planned(f, &whole, true); /* excludes undated games */
    assert_int_equal(n.games, 3);
    assert_int_equal(n.turns, 6 * PLIES_OF_SIDE);
    assert_int_equal(n.there, 0);
    assert_int_equal(n.turns_there, 3 * PLIES_OF_SIDE);
    const struct ipr_db_plan met = { .spans = spans(f, both, 0, 1971), .n_spans = 2, .own = true };
    assert_int_equal(planned(f, &met, false).turns, 6 * PLIES_OF_SIDE);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE sides = 3"), 3);
}

/* A judge whose engine keeps its memory during a game evaluates both sides. */
static void test_plan_of_dependent_sides(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 1, "anna", "bert", 1971);
    const struct ipr_db_plan plan = { .games.person = one.games[0].white_id.id, .own = true };
    struct ipr_db_planned alliot = { 0 }, rating = { 0 };

    assert_ok(ipr_db_analyses_queue(f->db, &plan, "rating", 5, "x", true, &rating, &f->err),
              &f->err);
    assert_ok(ipr_db_analyses_queue(f->db, &plan, "alliot", 5, "x", false, &alliot, &f->err),
              &f->err);
    assert_int_equal(rating.turns, PLIES_OF_SIDE);
    assert_true(alliot.turns > rating.turns);
    assert_int_equal(ipr_db_test_int("SELECT sides FROM job"), 3);
}

/* The time for the rest is estimated from the time of analysed games. A player's progress counts
 * games with that player's own moves analysed. */
static void test_plan_of_measured_judge(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 3, "anna", "bert", 1971);
    const int32_t anna = one.games[0].white_id.id;
    const struct ipr_db_plan plan = { .games.person = anna, .own = true };
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
    const struct ipr_db_plan unknown = { .spans = spans(f, ids, 0, 0), .n_spans = 2 },
                             none = { .spans = spans(f, ids, 1972, 0), .n_spans = 1 };
    struct ipr_db_planned n;

    assert_int_equal(ipr_db_analyses_queue(f->db, &unknown, "sample", 5, "x", false, &n, &f->err),
                     IPR_ENOTFOUND);
    assert_string_equal(f->err.msg, "no player 99");
    ipr_err_clear(&f->err);
    assert_int_equal(ipr_db_analyses_queue(f->db, &none, "sample", 5, "x", true, &n, &f->err),
                     IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
}

/* Games by their ids, both sides; one that is named twice is one. */
static void test_plan_of_listed_games(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 3, "anna", "bert", 1971);
    const int64_t ids[] = { one.games[2].id, one.games[0].id, one.games[2].id },
                  unknown[] = { ids[0], 99 };
    const struct ipr_db_plan two = { .listed = ids, .n_listed = 3 },
                             missing = { .listed = unknown, .n_listed = 2 };
    struct ipr_db_planned n = planned(f, &two, false);

    assert_int_equal(n.games, 2);
    assert_int_equal(n.turns, 4 * PLIES_OF_SIDE);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE sides = 3"), 2);
    assert_int_equal(ipr_db_analyses_queue(f->db, &missing, "sample", 5, "x", false, &n, &f->err),
                     IPR_ENOTFOUND);
    assert_string_equal(f->err.msg, "no game 99");
    ipr_err_clear(&f->err);
}

struct requester {
    pthread_t thread;
    struct ipr_db_pool *pool;
    const struct upload *upload;
    size_t from;
    enum ipr_code rc;
};

static void *request_thread(void *arg)
{
    struct requester *a = arg;
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

/* Simultaneous requests of one owner never get the same place. */
static void test_concurrent_requests(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload u = store(f, 100, "anna", "bert", 1971);
    struct requester a[2] = { { .pool = f->pool, .upload = &u, .from = 0 },
                              { .pool = f->pool, .upload = &u, .from = 1 } };

    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&a[i].thread, NULL, request_thread, &a[i]), 0);
    for (int i = 0; i < 2; i++) {
        pthread_join(a[i].thread, NULL);
        assert_int_equal(a[i].rc, IPR_OK);
    }
    assert_string_equal(ipr_db_test_sql("SELECT concat_ws(' ', count(*), count(DISTINCT place),"
                                        " min(place), max(place)) FROM job"),
                        "100 100 1 100");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_selection),
        WITH_DB(test_selection_refused),
        WITH_DB(test_plan),
        WITH_DB(test_plan_of_dependent_sides),
        WITH_DB(test_plan_of_measured_judge),
        WITH_DB(test_plan_refused),
        WITH_DB(test_plan_of_listed_games),
        WITH_DB(test_concurrent_requests),
    };

    return cmocka_run_group_tests_name("plans of analyses", tests, NULL, NULL);
}
