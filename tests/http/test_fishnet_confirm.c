/* Confirmations by other people's machines: never before a game, never without the operator's word,
 * and a mark for each that is stored. */
#include "fishnet.h"

#include "db/confirmations.h"
#include "engine/fleet.h"

#define NODES 20000
/* Each side gives a piece away after move 9, where the rating begins. */
#define POOR_GAME                                                                                  \
    GAME("Edda", "Frieda",                                                                         \
         "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 6. O-O O-O 7. Nbd2 a6 8. Bb3 Ba7 "     \
         "9. h3 h6 10. Re1 Re8 11. Nf1 Be6 12. Ng3 Bxh3 13. gxh3 Qd7 14. Nh4 Nxe4 15. Nxe4 Qxh3 "  \
         "16. Ng3 g5 17. Qf3 gxh4 18. Ne4 Qxf3 19. Bxh6 Ne7")

static struct ipr_db_game game;
static struct ipr_db_unconfirmed *left;
static size_t n_left;

static void look(void)
{
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_db_unconfirmed(db, &game, NODES, &mem, &left, &n_left, &err), &err);
}

/* A game that the setting of the rating has judged, and its confirmation, which waits. */
static void add_rated(const char *pgn)
{
    const int64_t id = add_game(pgn, 5);
    struct ipr_engine_task task = { .sides = 3 };
    const struct ipr_db_work work = { .source = "here:1" };
    struct ipr_judged_game judged;
    struct ipr_engine *e = NULL;
    struct ipr_judge judge;
    struct ipr_err err = IPR_ERR_INIT;
    int32_t judge_id = 0;

    (void)ipr_db_test_sql("DELETE FROM job");
    assert_ok(ipr_db_game_get(db, id, &mem, &game, &err), &err);
    assert_true(ipr_judge_builtin("rating", &judge));
    assert_ok(ipr_engine_start(stockfish, &judge, NULL, NULL, &e, &err), &err);
    task.start = &game.start, task.moves = game.moves, task.n_moves = game.n_moves;
    assert_ok(ipr_engine_judge(e, &task, &mem, &judged, NULL, &err), &err);
    judge = *ipr_engine_judge_of(e);
    ipr_engine_stop(&e);
    assert_ok(ipr_db_judge_ensure(db, &judge, &judge_id, &err), &err);
    assert_ok(ipr_db_sides_store(db, judge_id, &game, &judged, 3, &work, NULL, &err), &err);
    assert_ok(ipr_db_confirm_queue(db, &game, NODES, &err), &err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE kind = 'confirm'"), 1);
    look();
    assert_true(n_left > 2);
    config.confirm_nodes = NODES;
}

static int64_t confirmations(void)
{
    return ipr_db_test_int("SELECT count(*) FROM confirmation");
}

/* How many moves are marked, and how many wait. */
static size_t marks(size_t *waiting)
{
    struct ipr_marked *m = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    size_t n = 0;

    assert_ok(ipr_db_marked(db, &game, NULL, &mem, &m, waiting, &err), &err);
    for (size_t i = 0; i < game.n_moves; i++)
        n += m[i].mark != IPR_MARK_NONE;
    return n;
}

static void test_marks(void **state)
{
    size_t waiting = 0;

    (void)state;
    add_rated(POOR_GAME);
    add_game(SHORT_GAME, 9);
    /* The ordinary game first, though it was queued later. */
    struct fish_job j = acquire_2("K1");
    assert_int_equal(j.depth, 8);
    assert_int_equal(marks(&waiting), 0);
    assert_int_equal(waiting, n_left);
    fish_job_release(&j);

    j = acquire_2("K1");
    assert_int_equal(j.multipv, 2);
    assert_int_equal(j.depth, IPR_DEPTH_MAX);
    assert_in_range(j.nodes, NODES, NODES + 1);
    assert_int_equal(j.n_moves, game.n_moves);
    for (size_t i = 0; i <= j.n_moves; i++) {
        bool asked = false;

        for (size_t k = 0; k < n_left; k++)
            asked = asked || i == left[k].turn.ply || i == left[k].turn.ply + 1U;
        assert_int_equal(j.skip[i], !asked);
    }
    expect_no_job("K2"); /* nor to another client at the same time */
    fish_analyse_2(&engine, &j);
    expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "confirmed");
    assert_string_equal(
        ipr_db_test_sql("SELECT source || ' ' || j.name || ' ' || engine || ' ' || nodes || ' ' || "
                        "multipv || ' ' || clear || ' ' || apart FROM confirmation AS c INNER JOIN "
                        "judge AS j ON j.id = c.judge_id"),
        "fishnet:first confirm fishnet 2.14.1 nnue 20000 2 remote after");
    assert_true(marks(&waiting) > 0);
    /* What it has contradicted is left, for the same key. */
    for (int i = 0; i < 10 && waiting > 0; i++) {
        fish_job_release(&j);
        expect_no_job("K2");
        j = acquire_2("K1");
        fish_analyse_2(&engine, &j);
        expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "the rest");
        (void)marks(&waiting);
    }
    assert_int_equal(waiting, 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE kind = 'confirm'"), 0);
    assert_int_equal(confirmations(), 1);
    assert_int_equal(stored(), 2); /* no rating sees it */
    fish_job_release(&j);
    expect_no_job("K1");
}

static void test_version_1(void **state)
{
    char path[128];

    (void)state;
    add_rated(POOR_GAME);
    struct reply r = post_1("/fishnet/acquire", fish_about_1(&engine, "K1"));
    expect_status(&r, 202, "acquire");
    struct fish_job j = fish_job_read(ipr_buf_c(&r.body), 1);
    reply_release(&r);
    assert_in_range(j.nodes, NODES, NODES + NODES / 5);
    fish_analyse_1(&engine, &j);
    snprintf(path, sizeof path, "/fishnet/analysis/%s?stop=true", j.id);
    expect_taken(post_1(path, fish_result_1(&engine, "K1", &j)), "confirmed");
    assert_int_equal(confirmations(), 1);
    fish_job_release(&j);
}

static void test_off(void **state)
{
    (void)state;
    add_rated(POOR_GAME);
    config.confirm_nodes = 0;
    expect_no_job("K1");
    /* One that was handed out before is not taken, and stays in the queue. */
    config.confirm_nodes = NODES;
    struct fish_job j = acquire_2("K1");
    fish_analyse_2(&engine, &j);
    config.confirm_nodes = 0;
    expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "off by now");
    assert_int_equal(confirmations(), 0);
    assert_string_equal(ipr_db_test_sql("SELECT state || attempts FROM job"), "ready0");
    assert_int_equal(ipr_db_test_int("SELECT sum(refused) FROM token"), 0);
    fish_job_release(&j);
}

static struct ipr_db_job claim_here(void)
{
    struct ipr_db_queue_cursor cursor = { 0 };
    struct ipr_db_job job;
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_db_job_claim(db, "stockfish", "here:1", 60, &cursor, &job, &err), &err);
    assert_int_equal(job.kind, IPR_JOB_CONFIRM);
    return job;
}

/* A client that vanishes, returns the job, or is revoked leaves it to local workers. */
static void test_left_to_others(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db_job job;
    char path[128];
    int32_t n;

    (void)state;
    add_rated(POOR_GAME);
    config.fishnet_leases = 1;
    struct fish_job j = acquire_2("K1");
    assert_true(
        ipr_db_test_int("SELECT extract(EPOCH FROM lease_until - now())::integer FROM job") >
        60 + 14 * (int)n_left - 10);
    add_game(SHORT_GAME, 5);
    expect_no_job("K1"); /* it has one */
    (void)ipr_db_test_sql("DELETE FROM job WHERE kind = 'judge'");
    fish_analyse_2(&engine, &j);
    (void)ipr_db_test_sql("UPDATE job SET lease_until = now() - interval '1 s'");
    assert_ok(ipr_db_jobs_sweep(db, &n, &err), &err);
    assert_int_equal(ipr_db_test_int("SELECT silences FROM token WHERE name = 'first'"), 1);
    expect_no_job("K1"); /* not again at once */
    job = claim_here();
    expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "late");
    assert_int_equal(confirmations(), 0);
    fish_job_release(&j);
    assert_ok(ipr_db_job_release(db, &job, &err), &err);

    j = acquire_2("K2");
    snprintf(path, sizeof path, "/fishnet/abort/%s", j.id);
    expect_taken(post_2(path, "K2", "{}"), "abort");
    expect_no_job("K2");
    fish_job_release(&j);
    job = claim_here();
    /* What a local worker gives back is for the next who asks, itself too. */
    assert_ok(ipr_db_job_release(db, &job, &err), &err);
    job = claim_here();
    assert_ok(ipr_db_job_release(db, &job, &err), &err);

    j = acquire_2("K1");
    assert_ok(ipr_db_token_revoke(db, "first", "fishnet", &err), &err);
    fish_job_release(&j);
    (void)claim_here();
}

/* Other moves are left than were requested. */
static void test_other_moves(void **state)
{
    (void)state;
    add_rated(POOR_GAME);
    struct fish_job j = acquire_2("K1");
    fish_analyse_2(&engine, &j);
    (void)ipr_db_test_sql("DELETE FROM judged_side WHERE colour = 0");
    expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "of another time");
    assert_int_equal(confirmations(), 0);
    assert_string_equal(ipr_db_test_sql("SELECT state || attempts FROM job"), "ready0");
    assert_int_equal(ipr_db_test_int("SELECT sum(refused) FROM token"), 0);
    fish_job_release(&j);
    /* Nothing is left: the job goes as soon as a client looks at it. */
    (void)ipr_db_test_sql("DELETE FROM judged_side; UPDATE job SET last_worker = NULL");
    expect_no_job("K1");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job"), 0);
}

/* ---- bad clients ---- */

static json_t *searched(json_t *result)
{
    return json_array_get(json_object_get(result, "analysis"), left[1].turn.ply);
}

static void spoil_line(json_t *result)
{
    json_array_remove(json_object_get(searched(result), "score"), 1);
    json_array_remove(json_object_get(searched(result), "pv"), 1);
}

static void spoil_nodes(json_t *result)
{
    json_object_set_new(searched(result), "nodes", json_integer(NODES / 2 - 1));
}

static void spoil_moves(json_t *result)
{
    json_t *line = json_array_get(json_object_get(searched(result), "pv"), 0);

    for (size_t d = 1; d < json_array_size(line); d++)
        json_array_set_new(line, d, json_pack("[s]", "a1a8"));
}

static void spoil_skip(json_t *result)
{
    json_array_set_new(json_object_get(result, "analysis"), left[0].turn.ply,
                       json_pack("{s:b}", "skipped", 1));
}

static void test_refused(void **state)
{
    static const struct {
        const char *name;
        void (*spoil)(json_t *);
    } rows[] = {
        { "line missing", spoil_line },    { "too few nodes", spoil_nodes },
        { "illegal moves", spoil_moves },  { "position skipped", spoil_skip },
        { "position missing", spoil_end }, { "no engine", spoil_flavor },
    };

    (void)state;
    add_rated(POOR_GAME);
    struct fish_job j = acquire_2("K1");
    fish_analyse_2(&engine, &j);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[128];
        json_t *result = fish_result_2(&j);
        struct fish_job next;

        (void)ipr_db_test_sql("UPDATE token SET refused = 0");
        rows[i].spoil(result);
        struct reply r = submit_2("K1", j.id, result);
        expect_problem(&r, 400, "bad_evaluation", rows[i].name);
        assert_int_equal(confirmations(), 0);
        assert_int_equal(ipr_db_test_int("SELECT sum(refused) FROM token"), IPR_DB_KEY_REFUSAL);
        assert_string_equal(ipr_db_test_sql("SELECT state || attempts FROM job"), "ready1");
        (void)ipr_db_test_sql("UPDATE job SET attempts = 0, run_at = now(), last_worker = NULL");
        next = acquire_2("K1");
        snprintf(path, sizeof path, "%s", next.id);
        fish_job_release(&next);
        json_object_set_new(json_object_get(j.json, "work"), "id", json_string(path));
        j.id = fish_text(json_object_get(j.json, "work"), "id");
    }
    expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "unspoilt");
    assert_int_equal(confirmations(), 1);
    fish_job_release(&j);
}

/* A local worker searches some of the moves again; if they differ nothing of it stays. */
static void test_checks(void **state)
{
    struct ipr_fleet *fleet = NULL;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    add_rated(POOR_GAME);
    config.fishnet_check = 100;
    struct fish_job j = acquire_2("K1");
    fish_analyse_2(&engine, &j);
    expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "honest");
    (void)ipr_db_test_sql("DELETE FROM job WHERE kind = 'confirm'"); /* what it contradicted */
    config.stockfish_path = config.engines = config.syzygy_path = "";
    config.lease_s = 20;
    config.search_timeout_s = 60;
    assert_ok(ipr_fleet_start(&config, 1, &fleet, &err), &err);
    for (int i = 0; i < 600 && ipr_db_test_int("SELECT count(*) FROM job") > 0; i++)
        usleep(100000);
    ipr_fleet_stop(&fleet);
    print_message("difference %s\n", ipr_db_test_sql("SELECT difference FROM remote_check"));
    assert_string_equal(ipr_db_test_sql("SELECT turns || ' ' || passed FROM remote_check"),
                        "5 true");
    assert_int_equal(confirmations(), 1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job"), 0);
    fish_job_release(&j);

    (void)ipr_db_test_sql("DELETE FROM confirmation; DELETE FROM remote_check");
    assert_ok(ipr_db_confirm_queue(db, &game, NODES, &err), &err);
    j = acquire_2("K2");
    fish_analyse_2(&engine, &j);
    lie(&j);
    expect_taken(submit_2("K2", j.id, fish_result_2(&j)), "made up");
    fish_job_release(&j);
    assert_int_equal(confirmations(), 1);
    run_check(game.id);
    assert_non_null(strstr(ipr_db_test_sql("SELECT suspended FROM token WHERE name = 'second'"),
                           "turns judged again differ by"));
    assert_int_equal(confirmations(), 0);
    assert_string_equal(ipr_db_test_sql("SELECT kind || ' ' || state FROM job"), "confirm ready");
    assert_int_equal(stored(), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FISH(test_marks),       FISH(test_version_1), FISH(test_off),    FISH(test_left_to_others),
        FISH(test_other_moves), FISH(test_refused),   FISH(test_checks),
    };

    return cmocka_run_group_tests_name("fishnet_confirm", tests, begin, end);
}
