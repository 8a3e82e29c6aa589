/* The engines that clients name, and checks of their analyses. */
#include "fishnet.h"

#include "engine/fleet.h"
#include "http/fishnet/work.h"
#include "uci/remote.h"

/* ---- engines ---- */

static void test_engine_text(void **state)
{
    static const struct {
        struct ipr_remote_client client;
        const char *text;
    } rows[] = {
        { { .version = "2.14.1", .flavor = "nnue" }, "fishnet 2.14.1 nnue" },
        { { .version = "1.18.2", .engine = "Stockfish 11 64 BMI2" }, "Stockfish 11" },
        { { .version = "1.18.0", .engine = "Stockfish 11 64 POPCNT" }, "Stockfish 11" },
        { { .engine = "Stockfish 11 64" }, "Stockfish 11" },
        { { .engine = "Stockfish 12" }, "Stockfish 12" },
        { { .engine = "Stockfish 64" }, "Stockfish 64" },
        { { .engine = "Other 64" }, "Other 64" },
        { { .version = "1.18.2" }, "" },
    };
    char text[IPR_FISHNET_ENGINE_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ipr_fishnet_engine(&rows[i].client, text);
        assert_string_equal(text, rows[i].text);
    }
}

static json_t *named(json_t *body, const char *name, const char *threads)
{
    json_t *about = json_object_get(body, "stockfish");

    json_object_set_new(about, "name", json_string(name));
    json_object_set_new(json_object_get(about, "options"), "threads", json_string(threads));
    return body;
}

/* Invented engine names of one key neither affect other keys nor use up attempts at a game. */
static void test_engine_names(void **state)
{
    char path[128], name[32];

    (void)state;
    add_games(IPR_DB_KEY_ENGINES + 2);
    for (int i = 0; i <= IPR_DB_KEY_ENGINES; i++) {
        struct reply r = post_2("/fishnet/acquire", "K1", "{}");
        expect_status(&r, 202, "acquire");
        struct fish_job j = fish_job_read(ipr_buf_c(&r.body), 1);
        reply_release(&r);
        fish_analyse_1(&engine, &j);
        snprintf(path, sizeof path, "/fishnet/analysis/%s?stop=true", j.id);
        snprintf(name, sizeof name, "Engine %d", i);
        r = post_1(path, named(fish_result_1(&engine, "K1", &j), name, "1"));
        if (i < IPR_DB_KEY_ENGINES)
            expect_taken(r, name);
        else
            expect_problem(&r, 403, "too_many_engines", name);
        fish_job_release(&j);
    }
    assert_int_equal(stored(), 2 * IPR_DB_KEY_ENGINES);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judge"), IPR_DB_KEY_ENGINES);
    assert_int_equal(ipr_db_test_int("SELECT sum(refused) FROM token"), 0);
    assert_string_equal(ipr_db_test_sql("SELECT string_agg(state || attempts, ' ') FROM job"),
                        "ready0 ready0");
    /* A client that names such an engine when it acquires gets no game. */
    struct reply r =
        post_1("/fishnet/acquire", named(fish_about_1(&engine, "K1"), "Engine 99", "1"));
    expect_problem(&r, 403, "too_many_engines", "acquire");
    /* Two machines of another key: the same engine, in different builds and with different threads.
     */
    for (int i = 0; i < 2; i++) {
        const char *honest = i == 0 ? "Stockfish 11 64 BMI2" : "Stockfish 11 64";

        r = post_1("/fishnet/acquire",
                   named(fish_about_1(&engine, "K2"), honest, i == 0 ? "1" : "4"));
        expect_status(&r, 202, "acquire");
        struct fish_job j = fish_job_read(ipr_buf_c(&r.body), 1);
        reply_release(&r);
        fish_analyse_1(&engine, &j);
        snprintf(path, sizeof path, "/fishnet/analysis/%s?stop=true", j.id);
        expect_taken(
            post_1(path, named(fish_result_1(&engine, "K2", &j), honest, i == 0 ? "1" : "4")),
            honest);
        fish_job_release(&j);
    }
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judge"), IPR_DB_KEY_ENGINES + 1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job"), 0);
}

/* ---- checks ---- */

static void test_checks(void **state)
{
    (void)state;
    config.fishnet_check = 100;
    const int64_t honest = add_game(LONG_GAME, 5);
    struct fish_job j = acquire_2("K1");
    fish_analyse_2(&engine, &j);
    expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "honest");
    run_check(honest);
    assert_int_equal(ipr_db_test_int("SELECT turns FROM remote_check WHERE passed"), 5);
    assert_int_equal(stored(), 2);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM token WHERE suspended IS NOT NULL"), 0);
    fish_job_release(&j);

    /* Two games with false evaluations; the second is checked. */
    config.fishnet_check = 0;
    const int64_t first = add_game(SHORT_GAME, 5);
    for (int i = 0; i < 2; i++) {
        if (i == 1) {
            config.fishnet_check = 100;
            add_game(GAME("Gila", "Hana", "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 h6"), 5);
        }
        j = acquire_2("K2");
        fish_analyse_2(&engine, &j);
        lie(&j);
        expect_taken(submit_2("K2", j.id, fish_result_2(&j)), "made up");
        fish_job_release(&j);
    }
    assert_int_equal(stored(), 6);
    const int64_t second = ipr_db_test_int("SELECT max(id) FROM game");
    run_check(second);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM remote_check WHERE NOT passed"), 1);
    assert_true(
        ipr_db_test_int("SELECT min(difference)::integer FROM remote_check WHERE NOT passed") >
        2 * IPR_CHECK_TOLERANCE_CP);
    assert_non_null(strstr(ipr_db_test_sql("SELECT suspended FROM token WHERE name = 'second'"),
                           "turns judged again differ by"));
    struct reply r = post_2("/fishnet/acquire", "K2", "{}");
    expect_problem(&r, 403, "key_suspended", "a liar");
    /* The false evaluations are deleted, from the aggregates too, and the game is queued again. The
     * client's other game is to be checked. */
    assert_int_equal(stored(), 4);
    assert_int_equal(ipr_db_test_int("SELECT sum(games) FROM judge_total"), 2);
    assert_int_equal(ipr_db_test_int("SELECT game_id FROM job WHERE kind = 'judge'"), second);
    run_check(first);
    assert_int_equal(stored(), 2);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE kind = 'judge'"), 2);
    assert_int_equal(ipr_db_test_int("SELECT sum(turns) FROM player_year"), 16);
    /* An honest client judges them again. */
    config.fishnet_check = 0;
    for (int i = 0; i < 2; i++) {
        j = acquire_2("K1");
        fish_analyse_2(&engine, &j);
        expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "judged again");
        fish_job_release(&j);
    }
    expect_no_job("K1");
    assert_int_equal(stored(), 6);
    expect_sound(first, 3);
    expect_sound(second, 6);
}

/* The same check by a worker of this service, which also judges games. */
static void test_check_by_worker(void **state)
{
    struct ipr_fleet *fleet = NULL;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    config.fishnet_check = 100;
    add_game(SHORT_GAME, 5);
    struct fish_job j = acquire_2("K1");
    fish_analyse_2(&engine, &j);
    expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "honest");
    fish_job_release(&j);
    add_game(LONG_GAME, 5); /* queued for fishnet clients: the worker must not take it */
    config.stockfish_path = config.engines = config.syzygy_path = "";
    config.lease_s = 20;
    config.search_timeout_s = 60;
    assert_ok(ipr_fleet_start(&config, 1, &fleet, &err), &err);
    for (int i = 0; i < 600 && ipr_db_test_int("SELECT count(*) FROM job") > 1; i++)
        usleep(100000);
    ipr_fleet_stop(&fleet);
    assert_string_equal(ipr_db_test_sql("SELECT turns || ' ' || passed FROM remote_check"),
                        "3 true");
    assert_string_equal(ipr_db_test_sql("SELECT kind || ' ' || state FROM job"), "judge ready");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FISH(test_engine_text),
        FISH(test_engine_names),
        FISH(test_checks),
        FISH(test_check_by_worker),
    };

    return cmocka_run_group_tests_name("fishnet_checks", tests, begin, end);
}
