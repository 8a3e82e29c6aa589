/*
 * One engine process and every way it can fail: what is asked of those who run a crash-prone child,
 * and the tests that prove it.
 *
 *   started alone: limits, files, environment, signals    test_start.c
 *   own group, low priority, its search threads too       test_honest, test_stockfish.c
 *   gone when we are gone, however that happens           test_orphan
 *   its end is seen, classified and reaped,               abort, exit, closeout, child,
 *   nobody else's                                         test_killed_between_games
 *   a deadline on every wait, silence and chatter         mute, unready (test_start.c), hang,
 *   included                                              flood, trickle
 *   after any fault engine and result are thrown away     test_fault
 *   nothing is believed that is not complete and legal    badbest, nobest, otherbest, badmove,
 *                                                         badscore, missing, shallow, longline,
 *                                                         leaver, test_best_move_too_early,
 *                                                         test_few_nodes
 *   slow, chatty and stubborn ones, and those that        test_tolerated
 *   print garbage, are no failures
 *
 * Real processes. Deadlines in the tests are short only where they are meant to pass, and generous
 * where they are not: nothing depends on speed.
 */
#include "game.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>

#include "engine/jail.h"
#include "fake_program.h"

static void test_honest(void **state)
{
    const size_t files = count_files();
    struct ipr_engine *e = NULL;
    struct game g;

    (void)state;
    set_up(&g);
    assert_ok(ipr_engine_start(fake(""), &g.judge, NULL, NULL, &e, &g.err), &g.err);
    assert_string_equal(ipr_engine_judge_of(e)->engine, "Fake 1.0");
    assert_string_equal(ipr_engine_judge_of(e)->network, "nn-fake.nnue");
    assert_string_equal(ipr_engine_judge_of(e)->engine, "Fake 1.0");
    const pid_t pid = ipr_engine_pid(e);
    assert_int_equal(getpgid(pid), pid);
    assert_int_equal(getpriority(PRIO_PROCESS, (id_t)pid), 19);

    for (int round = 0; round < 3; round++) { /* one process, one game after another */
        assert_ok(judge(&g, e), &g.err);
        assert_int_equal(g.out.n, 4);
        for (size_t i = 0; i < g.out.n; i++) {
            const struct ipr_judged_turn *t = &g.out.turns[i];
            const bool apart = t->lines == 4;

            assert_int_equal(t->ply, i + 2);
            assert_int_equal(t->nodes, apart ? 60 : 30);
            for (int k = 0; k < t->lines; k++) {
                for (int d = 1; d <= 3; d++)
                    assert_int_equal(t->score[k * 3 + d - 1], k == 3 ? d - 50 : 100 - 10 * k + d);
            }
        }
        assert_int_equal(g.out.turns[0].lines, 3); /* a1b1: three moves, all of them lines */
        assert_int_equal(g.out.turns[3].lines, 4); /* g8h8: the last of five moves */
    }
    assert_true(ipr_engine_alive(e));
    ipr_engine_stop(&e);
    assert_null(e);
    ipr_engine_stop(&e);
    assert_no_child(pid);
    assert_int_equal(count_files(), files);
    tear_down(&g);
}

/* A server that is killed leaves no engine behind: its input ends. */
static void test_orphan(void **state)
{
    int told[2];
    pid_t engine = -1;

    (void)state;
    assert_int_equal(pipe(told), 0);
    const pid_t server = fork();
    if (server == 0) {
        struct ipr_engine *e = NULL;
        struct game g;

        set_up(&g);
        if (ipr_engine_start(program, &g.judge, NULL, NULL, &e, NULL) == IPR_OK) {
            engine = ipr_engine_pid(e);
            (void)!write(told[1], &engine, sizeof engine);
        }
        raise(SIGKILL);
    }
    assert_int_equal(read(told[0], &engine, sizeof engine), sizeof engine);
    close(told[0]);
    close(told[1]);
    assert_int_equal(waitpid(server, NULL, 0), server);
    assert_no_child(engine);
}

/* Slow, chatty and stubborn engines are no failures. */
static void test_tolerated(void **state)
{
    const struct ipr_engine_limits limits = { 30000, 30000, 60000, 60000, 200 };
    struct ipr_engine *e = NULL;
    struct game g;

    set_up(&g);
    if (strcmp(*state, "child") == 0) /* in its jail it has none */
        assert_ok(ipr_jail_open("off", "", &g.err), &g.err);
    assert_ok(ipr_engine_start(fake(*state), &g.judge, NULL, &limits, &e, &g.err), &g.err);
    ipr_jail_close();
    const pid_t pid = ipr_engine_pid(e);
    assert_ok(judge(&g, e), &g.err);
    assert_int_equal(g.out.n, 4);
    ipr_engine_stop(&e);
    assert_no_child(pid);
    tear_down(&g);
}

/* Engines that fail at the first turn judged, at ply 2. */
static struct fault {
    const char *fault, *type;
    uint32_t search_ms, silent_ms;
} faults[] = {
    { "hang", "engine_timeout", 300, 60000 },
    { "hang", "engine_timeout", 60000, 300 },
    { "flood", "engine_timeout", 300, 60000 },
    { "trickle", "engine_timeout", 500, 60000 },
    { "abort", "engine_died", 60000, 60000 },
    { "exit", "engine_died", 60000, 60000 },
    { "closeout", "engine_died", 60000, 60000 },
    { "longline", "engine_protocol", 60000, 60000 },
    { "badbest", "engine_protocol", 60000, 60000 },
    { "nobest", "engine_protocol", 60000, 60000 },
    { "otherbest", "engine_protocol", 60000, 60000 },
    { "badmove", "engine_protocol", 60000, 60000 },
    { "badscore", "engine_protocol", 60000, 60000 },
    { "missing", "engine_protocol", 60000, 60000 },
    { "shallow", "engine_protocol", 60000, 60000 },
    { "leaver", "engine_protocol", 60000, 60000 },
};

static void test_fault(void **state)
{
    const struct fault *f = *state;
    const struct ipr_engine_limits limits = { 30000, 30000, f->search_ms, f->silent_ms, 200 };
    const struct ipr_judged_game untouched = { NULL, 77 };
    const size_t files = count_files();
    struct ipr_engine *e = NULL;
    struct game g;

    set_up(&g);
    g.out = untouched;
    assert_ok(ipr_engine_start(fake(f->fault), &g.judge, NULL, &limits, &e, &g.err), &g.err);
    const pid_t pid = ipr_engine_pid(e);
    assert_int_equal(judge(&g, e), IPR_EIO);
    assert_int_equal(g.err.code, IPR_EIO);
    assert_string_equal(g.err.type, f->type);
    assert_int_equal(g.err.ply, 2);
    assert_memory_equal(&g.out, &untouched, sizeof untouched);
    assert_false(ipr_engine_alive(e));

    ipr_err_clear(&g.err); /* and it stays dead */
    assert_int_equal(judge(&g, e), IPR_EIO);
    assert_string_equal(g.err.type, "engine_died");
    ipr_engine_stop(&e);
    assert_no_child(pid);
    assert_int_equal(count_files(), files);
    tear_down(&g);
}

static void start_other(struct game *g, const char *fault, struct ipr_engine **e)
{
    g->judge.depth = 0;
    assert_ok(ipr_engine_start(fake(fault), &g->judge, NULL, NULL, e, &g->err), &g->err);
}

/* As deep as the nodes reach, the move played too. */
static void test_nodes(void **state)
{
    struct ipr_engine *e = NULL;
    struct game g;

    (void)state;
    set_up(&g);
    g.judge.nodes = 70;
    start_other(&g, "", &e);
    assert_ok(judge(&g, e), &g.err);
    for (size_t i = 0; i < g.out.n; i++) {
        assert_int_equal(g.out.turns[i].depth, 7);
        assert_int_equal(g.out.turns[i].nodes, g.out.turns[i].lines == 4 ? 140 : 70);
    }
    ipr_engine_stop(&e);
    tear_down(&g);
}

static void test_few_nodes(void **state)
{
    struct ipr_engine *e = NULL;
    struct game g;

    (void)state;
    set_up(&g);
    g.judge.nodes = 70;
    start_other(&g, "fewnodes", &e);
    assert_int_equal(judge(&g, e), IPR_EIO);
    assert_string_equal(g.err.type, "engine_protocol");
    assert_int_equal(g.err.ply, 2);
    ipr_engine_stop(&e);
    tear_down(&g);
}

/* An engine without a limit of nodes is detected before a game fails; one detected later is
 * reported by its behaviour. */
static void test_no_nodes(void **state)
{
    const struct ipr_engine_limits limits = { 30000, 30000, 300, 60000, 200 };
    struct ipr_engine *e = NULL;
    struct game g;

    (void)state;
    set_up(&g);
    g.judge.nodes = 70;
    g.judge.depth = 0;
    assert_int_equal(ipr_engine_start(fake("nonodes"), &g.judge, NULL, &limits, &e, &g.err),
                     IPR_EDATA);
    assert_string_equal(g.err.type, "engine_unable");
    assert_non_null(strstr(g.err.msg, "does not know nodes"));
    assert_null(e);

    ipr_err_clear(&g.err);
    assert_ok(ipr_engine_start(fake("nostop"), &g.judge, NULL, &limits, &e, &g.err), &g.err);
    assert_int_equal(judge(&g, e), IPR_EIO);
    assert_string_equal(g.err.type, "engine_timeout");
    assert_non_null(strstr(g.err.msg, "does not stop at 70 nodes"));
    ipr_engine_stop(&e);

    ipr_err_clear(&g.err); /* not needed by searches to a depth */
    g.judge.nodes = 0;
    g.judge.depth = 3;
    assert_ok(ipr_engine_start(fake("nonodes"), &g.judge, NULL, NULL, &e, &g.err), &g.err);
    assert_ok(judge(&g, e), &g.err);
    ipr_engine_stop(&e);
    tear_down(&g);
}

/* Each depth differs by one centipawn, so that after three tenths of the limit (and two
 * centipawns' worth) the search is stable: "stop" is sent, and heard sooner or later. */
static void test_stop(void **state)
{
    struct ipr_engine *e = NULL;
    int32_t ms[2] = { -1, -1 };
    struct game g;

    (void)state;
    set_up(&g);
    g.judge.time_ms = 400;
    g.judge.clear = IPR_CLEAR_GAME;
    start_other(&g, "", &e);
    const struct ipr_engine_task task = {
        .start = &g.start, .moves = g.moves, .n_moves = g.n, .sides = 3
    };
    assert_ok(ipr_engine_judge(e, &task, &g.mem, &g.out, ms, &g.err), &g.err);
    assert_int_equal(g.out.n, 4);
    for (size_t i = 0; i < g.out.n; i++)
        assert_true(g.out.turns[i].depth >= 13);
    assert_true(ms[0] > 0 && ms[1] > 0);
    ipr_engine_stop(&e);
    tear_down(&g);
}

static void test_best_move_too_early(void **state)
{
    struct ipr_engine *e = NULL;
    struct game g;

    (void)state;
    set_up(&g);
    assert_ok(ipr_engine_start(fake("earlybest"), &g.judge, NULL, NULL, &e, &g.err), &g.err);
    assert_int_equal(judge(&g, e), IPR_EIO);
    assert_string_equal(g.err.type, "engine_protocol");
    ipr_engine_stop(&e);
    tear_down(&g);
}

static void test_killed_between_games(void **state)
{
    struct ipr_engine *e = NULL;
    struct game g;

    (void)state;
    set_up(&g);
    assert_ok(ipr_engine_start(fake(""), &g.judge, NULL, NULL, &e, &g.err), &g.err);
    const pid_t pid = ipr_engine_pid(e);
    assert_ok(judge(&g, e), &g.err);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(judge(&g, e), IPR_EIO);
    assert_string_equal(g.err.type, "engine_died");
    assert_non_null(strstr(g.err.msg, "signal 9"));
    ipr_engine_stop(&e);
    assert_no_child(pid);
    tear_down(&g);
}

static void test_illegal_game_spares_the_engine(void **state)
{
    struct ipr_engine *e = NULL;
    struct game g;

    (void)state;
    set_up(&g);
    assert_ok(ipr_engine_start(fake(""), &g.judge, NULL, NULL, &e, &g.err), &g.err);
    const ipr_move good = g.moves[3];
    g.moves[3] = g.moves[0];
    assert_int_equal(judge(&g, e), IPR_EINVAL);
    assert_true(ipr_engine_alive(e));
    ipr_err_clear(&g.err);
    g.moves[3] = good;
    assert_ok(judge(&g, e), &g.err);
    ipr_engine_stop(&e);
    tear_down(&g);
}

struct ticks {
    size_t calls, last_done, total, stop_at;
    enum ipr_code answer;
};

static enum ipr_code on_tick(void *payload, size_t done, size_t total)
{
    struct ticks *t = payload;

    t->calls++;
    t->last_done = done;
    t->total = total;
    return t->calls >= t->stop_at ? t->answer : IPR_OK;
}

static void test_tick(void **state)
{
    struct ticks t = { .stop_at = SIZE_MAX };
    struct ipr_engine *e = NULL;
    struct game g;

    (void)state;
    set_up(&g);
    assert_ok(ipr_engine_start(fake(""), &g.judge, NULL, NULL, &e, &g.err), &g.err);
    assert_ok(judge_ticking(&g, e, on_tick, &t), &g.err);
    assert_true(t.calls >= 4);
    assert_int_equal(t.last_done, 4);
    assert_int_equal(t.total, 4);
    ipr_engine_stop(&e);
    tear_down(&g);
}

/* While the engine is silent, or never stops talking, the caller is asked, and may leave. */
static void test_abandon(void **state)
{
    struct ticks t = { .stop_at = 2, .answer = IPR_ERETRY };
    struct ipr_engine *e = NULL;
    struct game g;

    set_up(&g);
    assert_ok(ipr_engine_start(fake(*state), &g.judge, NULL, NULL, &e, &g.err), &g.err);
    const pid_t pid = ipr_engine_pid(e);
    assert_int_equal(judge_ticking(&g, e, on_tick, &t), IPR_ERETRY);
    assert_string_equal(g.err.type, "abandoned");
    assert_int_equal(t.calls, 2);
    assert_false(ipr_engine_alive(e));
    ipr_engine_stop(&e);
    assert_no_child(pid);
    tear_down(&g);
}

#define ROWS(rows) (sizeof(rows) / sizeof((rows)[0]))
static char tolerated[][12] = { "slow",      "garbage", "stubborn", "child",   "unsorted",
                                "nomultipv", "strict",  "capitals", "endless", "overflow" };
static char talkers[][12] = { "hang", "flood", "trickle" };

static const struct CMUnitTest single[] = {
    cmocka_unit_test(test_honest),
    cmocka_unit_test(test_orphan),
    cmocka_unit_test(test_nodes),
    cmocka_unit_test(test_few_nodes),
    cmocka_unit_test(test_no_nodes),
    cmocka_unit_test(test_stop),
    cmocka_unit_test(test_best_move_too_early),
    cmocka_unit_test(test_killed_between_games),
    cmocka_unit_test(test_illegal_game_spares_the_engine),
    cmocka_unit_test(test_tick),
};

int main(void)
{
    struct CMUnitTest tests[ROWS(single) + ROWS(tolerated) + ROWS(faults) + ROWS(talkers)];
    size_t n = 0;

    inherit_orphans();
    for (size_t i = 0; i < ROWS(single); i++)
        tests[n++] = single[i];
    for (size_t i = 0; i < ROWS(tolerated); i++)
        tests[n++] = (struct CMUnitTest){ .name = tolerated[i],
                                          .test_func = test_tolerated,
                                          .initial_state = tolerated[i] };
    for (size_t i = 0; i < ROWS(faults); i++)
        tests[n++] = (struct CMUnitTest){ .name = faults[i].fault,
                                          .test_func = test_fault,
                                          .initial_state = &faults[i] };
    for (size_t i = 0; i < ROWS(talkers); i++)
        tests[n++] = (struct CMUnitTest){ .name = talkers[i],
                                          .test_func = test_abandon,
                                          .initial_state = talkers[i] };
    return cmocka_run_group_tests_name("engine/process", tests, make_directory, remove_directory);
}
