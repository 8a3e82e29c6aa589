/*
 * Programs are found, started alone, or refused with the reason.
 *
 *   its own group's limits are in force                  test_limits_in_force
 *   no files, environment or signals of ours,            test_nothing_inherited,
 *   nor pipes of others that start at the same moment    test_two_engines, test_threads
 *   what is no engine, or not the one required           test_not_a_program, test_mismatch,
 *                                                        test_refusal
 *
 * Deadlines are short only where they are meant to pass: nothing depends on speed.
 */
#include "game.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "core/signals.h"
#include "fake_program.h"

static void test_find(void **state)
{
    char *old = getenv("PATH") != NULL ? strdup(getenv("PATH")) : NULL;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    const char *path = NULL;
    char want[64];

    (void)state;
    snprintf(want, sizeof want, "%s", fake("found"));
    assert_ok(ipr_engine_find(want, &mem, &path, &err), &err);
    assert_string_equal(path, want);
    setenv("PATH", "::.:/nonexistent:", 1);
    assert_int_equal(ipr_engine_find("fake_uci-found", &mem, &path, &err), IPR_EIO);
    assert_string_equal(err.type, "engine_missing");
    setenv("PATH", directory, 1);
    assert_ok(ipr_engine_find("fake_uci-found", &mem, &path, NULL), NULL);
    assert_string_equal(path, want);
    /* never another one than configured, no folders, no plain files */
    assert_int_equal(ipr_engine_find("/nonexistent/stockfish", &mem, &path, NULL), IPR_EIO);
    assert_int_equal(ipr_engine_find("/tmp", &mem, &path, NULL), IPR_EIO);
    assert_int_equal(ipr_engine_find("/etc/passwd", &mem, &path, NULL), IPR_EIO);
    if (old != NULL)
        setenv("PATH", old, 1);
    free(old);
    ipr_arena_release(&mem);
}

static void test_not_a_program(void **state)
{
    const size_t files = count_files();
    struct ipr_engine *e = NULL;
    struct game g;

    (void)state;
    set_up(&g);
    assert_int_equal(ipr_engine_start("/etc/passwd", &g.judge, NULL, NULL, &e, &g.err), IPR_EIO);
    assert_string_equal(g.err.type, "engine_missing");
    ipr_err_clear(&g.err);
    assert_int_equal(ipr_engine_start("/nonexistent", &g.judge, NULL, NULL, &e, &g.err), IPR_EIO);
    assert_string_equal(g.err.type, "engine_missing");
    assert_int_equal(count_files(), files);
    tear_down(&g);
}

static void test_mismatch(void **state)
{
    struct ipr_engine *e = NULL;
    struct game g;

    (void)state;
    set_up(&g);
    snprintf(g.judge.engine, sizeof g.judge.engine, "Fake 1.0");
    assert_ok(ipr_engine_start(fake(""), &g.judge, NULL, NULL, &e, &g.err), &g.err);
    ipr_engine_stop(&e);
    snprintf(g.judge.network, sizeof g.judge.network, "nn-other.nnue");
    assert_int_equal(ipr_engine_start(fake(""), &g.judge, NULL, NULL, &e, &g.err), IPR_ECONFLICT);
    assert_string_equal(g.err.type, "engine_mismatch");
    ipr_err_clear(&g.err);
    snprintf(g.judge.engine, sizeof g.judge.engine, "Fake 2.0");
    assert_int_equal(ipr_engine_start(fake(""), &g.judge, NULL, NULL, &e, &g.err), IPR_ECONFLICT);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    tear_down(&g);
}

/* Engines that cannot be started. */
static struct refusal {
    const char *fault;
    enum ipr_code code; /* EDATA: it is at fault for this judge only */
    const char *type;
    bool late; /* deadlines are meant to pass */
} refusals[] = {
    { "mute", IPR_EIO, "engine_timeout", true },
    { "unready", IPR_EIO, "engine_timeout", true },
    { "nomemory", IPR_EDATA, "engine_died", false },
    { "nonet", IPR_EIO, "engine_died", false },
    { "stillborn", IPR_EIO, "engine_died", false },
    { "noname", IPR_EIO, "engine_protocol", false },
    { "badname", IPR_EIO, "engine_protocol", false },
    { "nohash", IPR_EDATA, "engine_unable", false },
};

static void test_refusal(void **state)
{
    const struct ipr_engine_limits limits = { 500, 500, 60000, 60000, 200 };
    const struct ipr_engine_limits patient = { 30000, 30000, 60000, 60000, 200 };
    const struct refusal *r = *state;
    const size_t files = count_files();
    struct ipr_engine *e = NULL;
    struct game g;

    set_up(&g);
    assert_int_equal(
        ipr_engine_start(fake(r->fault), &g.judge, NULL, r->late ? &limits : &patient, &e, &g.err),
        r->code);
    assert_string_equal(g.err.type, r->type);
    assert_null(e);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(count_files(), files);
    tear_down(&g);
}

/* An engine that never answers does not hold up the end of the service. */
static void test_stopped(void **state)
{
    const struct refusal *r = *state;
    struct game g;
    int status = -1;

    set_up(&g);
    const pid_t server = fork();
    if (server == 0) {
        struct ipr_engine *e = NULL;

        ipr_signals_install();
        raise(SIGTERM);
        alarm(20); /* the deadlines are 30 s and more */
        const enum ipr_code rc = ipr_engine_start(fake(r->fault), &g.judge, NULL, NULL, &e, &g.err);
        _exit(rc == IPR_EIO && strcmp(g.err.type, "abandoned") == 0 ? 0 : 1);
    }
    assert_int_equal(waitpid(server, &status, 0), server);
    assert_int_equal(status, 0);
    tear_down(&g);
}

static void test_limits_in_force(void **state)
{
    static const struct {
        enum __rlimit_resource what;
        rlim_t want;
    } limits[] = {
        { RLIMIT_AS, (rlim_t)(1024 + 1 + 128) << 20 },
        { RLIMIT_DATA, (rlim_t)(1024 + 1 + 128) << 20 },
        { RLIMIT_CORE, 0 },
        { RLIMIT_FSIZE, 0 },
        { RLIMIT_NOFILE, 16 },
    };
    struct ipr_engine *e = NULL;
    struct game g;

    (void)state;
    set_up(&g);
    assert_ok(ipr_engine_start(fake(""), &g.judge, NULL, NULL, &e, &g.err), &g.err);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct rlimit r;

        assert_int_equal(prlimit(ipr_engine_pid(e), limits[i].what, NULL, &r), 0);
        assert_int_equal(r.rlim_cur, limits[i].want);
        assert_int_equal(r.rlim_max, limits[i].want);
    }
    ipr_engine_stop(&e);
    tear_down(&g);
}

static size_t read_file(pid_t pid, const char *name, char *out, size_t size)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    const size_t n = fread(out, 1, size - 1, f);
    fclose(f);
    out[n] = '\0';
    return n;
}

/* Neither our files, even those that nobody marked, nor environment, nor what we do with signals.
 */
static void test_nothing_inherited(void **state)
{
    const int open_fd = dup(STDIN_FILENO);
    struct ipr_engine *e = NULL;
    char text[4096], path[64];
    struct dirent *entry;
    struct game g;

    (void)state;
    set_up(&g);
    setenv("DATABASE_URL", "postgresql://secret", 1);
    assert_true(open_fd > 2);
    assert_ok(ipr_engine_start(fake(""), &g.judge, NULL, NULL, &e, &g.err), &g.err);
    const pid_t pid = ipr_engine_pid(e);
    assert_int_equal(read_file(pid, "environ", text, sizeof text), 0);
    read_file(pid, "status", text, sizeof text);
    assert_non_null(strstr(text, "SigBlk:\t0000000000000000"));
    const char *ignored = strstr(text, "SigIgn:\t");
    assert_non_null(ignored);
    /* The C library keeps 32 and 33 for itself. */
    assert_int_equal(strtoull(ignored + 8, NULL, 16) & ~UINT64_C(0x180000000), 0);
    snprintf(path, sizeof path, "/proc/%ld/fd", (long)pid);
    DIR *d = opendir(path);
    assert_non_null(d);
    while ((entry = readdir(d)) != NULL)
        assert_true(entry->d_name[0] == '.' || strtol(entry->d_name, NULL, 10) <= 2);
    closedir(d);
    ipr_engine_stop(&e);
    unsetenv("DATABASE_URL");
    close(open_fd);
    tear_down(&g);
}

/* Two engines at once: neither holds the other's pipes, so each sees its input end. */
static void test_two_engines(void **state)
{
    struct ipr_engine *a = NULL, *b = NULL;
    struct game g;

    (void)state;
    set_up(&g);
    assert_ok(ipr_engine_start(fake(""), &g.judge, NULL, NULL, &a, &g.err), &g.err);
    assert_ok(ipr_engine_start(fake(""), &g.judge, NULL, NULL, &b, &g.err), &g.err);
    const pid_t pa = ipr_engine_pid(a), pb = ipr_engine_pid(b);
    ipr_engine_stop(&a);
    assert_ok(judge(&g, b), &g.err);
    ipr_engine_stop(&b);
    assert_no_child(pa);
    assert_no_child(pb);
    tear_down(&g);
}

/* One engine per thread, started and stopped while others are; assertions stay on this one. */
static void *run_games(void *arg)
{
    struct game *g = arg;

    for (int i = 0; i < 10 && g->err.code == IPR_OK; i++) {
        struct ipr_engine *e = NULL;

        if (ipr_engine_start(program, &g->judge, NULL, NULL, &e, &g->err) == IPR_OK)
            (void)!judge(g, e);
        ipr_engine_stop(&e);
    }
    return NULL;
}

static void test_threads(void **state)
{
    const size_t files = count_files();
    pthread_t thread[4];
    struct game g[4];

    (void)state;
    for (int i = 0; i < 4; i++) {
        set_up(&g[i]);
        assert_int_equal(pthread_create(&thread[i], NULL, run_games, &g[i]), 0);
    }
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (int i = 0; i < 4; i++) {
        assert_ok(g[i].err.code, &g[i].err);
        assert_int_equal(g[i].out.n, 4);
        tear_down(&g[i]);
    }
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(count_files(), files);
}

#define ROWS(rows) (sizeof(rows) / sizeof((rows)[0]))

static const struct CMUnitTest single[] = {
    cmocka_unit_test(test_find),
    cmocka_unit_test(test_not_a_program),
    cmocka_unit_test(test_mismatch),
    cmocka_unit_test_prestate(test_stopped, &refusals[0]),
    cmocka_unit_test_prestate(test_stopped, &refusals[1]),
    cmocka_unit_test(test_limits_in_force),
    cmocka_unit_test(test_nothing_inherited),
    cmocka_unit_test(test_two_engines),
    cmocka_unit_test(test_threads),
};

int main(void)
{
    struct CMUnitTest tests[ROWS(single) + ROWS(refusals)];
    size_t n = 0;

    inherit_orphans();
    for (size_t i = 0; i < ROWS(single); i++)
        tests[n++] = single[i];
    for (size_t i = 0; i < ROWS(refusals); i++)
        tests[n++] = (struct CMUnitTest){ .name = refusals[i].fault,
                                          .test_func = test_refusal,
                                          .initial_state = &refusals[i] };
    return cmocka_run_group_tests_name("engine/start", tests, make_directory, remove_directory);
}
