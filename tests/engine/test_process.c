#include "ipr_test.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "engine/process.h"

/*
 * What is asked of those who run a crash-prone child, and the tests that prove it:
 *   started alone: own group, no files, environment or signals  test_honest,
 * test_nothing_inherited, of ours, while other threads start others test_two_engines, test_threads
 *   limits and priority in force                                test_limits_in_force,
 *                                                                 test_stockfish_priority
 *   gone when we are gone, however that happens                 test_orphan
 *   its end is seen, told apart and reaped, nobody else's       abort, exit, closeout, child,
 *                                                                 test_killed_between_games
 *   a deadline on every wait, silence and chatter included      mute, unready, hang, flood, trickle
 *   after any fault engine and result are thrown away           test_fault
 *   nothing is believed that is not complete and legal          badbest, nobest, otherbest,
 * badmove, badscore, missing, shallow, longline, leaver, earlybest, test_few_nodes Slow, chatty and
 * stubborn ones, and those that print garbage, are no failures: test_tolerated.
 *
 * Real processes. fake_uci stands beside this program; a link named after the fault selects
 * it. Deadlines in the tests are short only where they are meant to pass, and generous where
 * they are not: nothing depends on speed.
 */
static char directory[] = "/tmp/ipr-engine-XXXXXX";
static char program[PATH_MAX];

static int make_directory(void **state)
{
    char self[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    (void)state;
    if (n < 0 || mkdtemp(directory) == NULL)
        return -1;
    self[n] = '\0';
    *strrchr(self, '/') = '\0';
    return snprintf(program, sizeof program, "%s/fake_uci", self) < (int)sizeof program ? 0 : -1;
}

static int remove_directory(void **state)
{
    DIR *d = opendir(directory);
    struct dirent *entry;

    (void)state;
    while (d != NULL && (entry = readdir(d)) != NULL)
        (void)unlinkat(dirfd(d), entry->d_name, 0);
    if (d != NULL)
        closedir(d);
    return rmdir(directory);
}

static const char *fake(const char *fault)
{
    static char path[64];

    snprintf(path, sizeof path, "%s/fake_uci%s%s", directory, fault[0] != '\0' ? "-" : "", fault);
    assert_true(symlink(program, path) == 0 || errno == EEXIST);
    return path;
}

static size_t count_files(void)
{
    DIR *d = opendir("/proc/self/fd");
    size_t n = 0;

    assert_non_null(d);
    while (readdir(d) != NULL)
        n++;
    closedir(d);
    return n;
}

/* This process inherits orphans, so whatever an engine leaves behind is a child of ours; what
 * was killed just now may take a moment to get here. */
static void assert_no_child(pid_t group)
{
    for (int i = 0; i < 500 && kill(-group, 0) == 0; i++) {
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        usleep(10000);
    }
    assert_int_equal(kill(-group, 0), -1);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

/* Two kings; three lines to depth 3, so that some of the moves played are not among them. */
struct game {
    struct ipr_arena mem;
    struct ipr_judge judge;
    struct ipr_pos start;
    ipr_move moves[64];
    size_t n;
    struct ipr_err err;
    struct ipr_judged_game out;
};

static void set_up(struct game *g)
{
    static const char *const moves[] = { "b2a1", "g7h8", "a1b1", "h8g8", "b1a1", "g8h8" };
    struct ipr_pos pos;

    *g = (struct game){ .mem = IPR_ARENA_INIT, .err = IPR_ERR_INIT };
    g->judge =
        (struct ipr_judge){ .multipv = 3, .depth = 3, .hash_mb = 1, .threads = 1, .first_move = 2 };
    assert_ok(ipr_pos_from_fen(&g->start, IPR_STR("8/6k1/8/8/8/8/1K6/8 w - - 0 1"), &g->err),
              &g->err);
    pos = g->start;
    for (; g->n < 6; g->n++) {
        assert_ok(ipr_move_from_uci(&pos, ipr_str_c(moves[g->n]), &g->moves[g->n], &g->err),
                  &g->err);
        ipr_pos_play(&pos, g->moves[g->n]);
    }
}

static void tear_down(struct game *g)
{
    ipr_arena_release(&g->mem);
}

static enum ipr_code judge_ticking(struct game *g, struct ipr_engine *e, ipr_engine_tick_fn tick,
                                   void *payload)
{
    const struct ipr_engine_task task = { .start = &g->start,
                                          .moves = g->moves,
                                          .n_moves = g->n,
                                          .sides = 3,
                                          .tick = tick,
                                          .payload = payload };

    return ipr_engine_judge(e, &task, &g->mem, &g->out, NULL, &g->err);
}

static enum ipr_code judge(struct game *g, struct ipr_engine *e)
{
    return judge_ticking(g, e, NULL, NULL);
}

static void test_honest(void **state)
{
    const size_t files = count_files();
    struct ipr_engine *e = NULL;
    struct game g;

    (void)state;
    set_up(&g);
    assert_ok(ipr_engine_start(fake(""), &g.judge, NULL, NULL, &e, &g.err), &g.err);
    assert_string_equal(ipr_engine_name(e), "Fake 1.0");
    assert_string_equal(ipr_engine_network(e), "nn-fake.nnue");
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

/* Slow, chatty and stubborn engines are no failures. */
static void test_tolerated(void **state)
{
    const struct ipr_engine_limits limits = { 30000, 30000, 60000, 60000, 200 };
    struct ipr_engine *e = NULL;
    struct game g;

    set_up(&g);
    assert_ok(ipr_engine_start(fake(*state), &g.judge, NULL, &limits, &e, &g.err), &g.err);
    const pid_t pid = ipr_engine_pid(e);
    assert_ok(judge(&g, e), &g.err);
    assert_int_equal(g.out.n, 4);
    ipr_engine_stop(&e);
    assert_no_child(pid);
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
    { "nomemory", IPR_EDATA, "engine_unable", false },
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

/* An engine that does not know nodes is found out before a game is lost over it; one that is found
 * out later is told by what it did. */
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

    ipr_err_clear(&g.err); /* who is only asked for depths need not know */
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

static const char *stockfish(struct ipr_arena *mem)
{
    const char *path = NULL;

    if (ipr_engine_find(NULL, mem, &path, NULL) == IPR_OK)
        return path;
    print_message("skipped: no stockfish is installed\n");
    return NULL;
}

/* The same answers from a fresh process as from one that has judged before. */
static void test_stockfish_repeats_itself(void **state)
{
    struct ipr_judged_game first = { NULL, 0 };
    struct ipr_engine *e = NULL;
    struct game g;

    (void)state;
    set_up(&g);
    const char *path = stockfish(&g.mem);
    if (path == NULL) {
        tear_down(&g);
        skip();
    }
    g.judge.depth = 6;
    for (int round = 0; round < 2; round++) {
        assert_ok(ipr_engine_start(path, &g.judge, NULL, NULL, &e, &g.err), &g.err);
        assert_non_null(strstr(ipr_engine_name(e), "Stockfish"));
        for (int again = 0; again < 2; again++) {
            assert_ok(judge(&g, e), &g.err);
            assert_int_equal(g.out.n, 4);
            if (round == 0 && again == 0)
                first = g.out;
            for (size_t i = 0; i < g.out.n; i++) {
                const struct ipr_judged_turn *t = &g.out.turns[i], *u = &first.turns[i];

                assert_int_equal(t->nodes, u->nodes);
                assert_int_equal(t->lines, u->lines);
                assert_memory_equal(t->moves, u->moves, t->lines * sizeof *t->moves);
                assert_memory_equal(t->score, u->score,
                                    (size_t)t->lines * t->depth * sizeof *t->score);
            }
        }
        const pid_t pid = ipr_engine_pid(e);
        ipr_engine_stop(&e);
        assert_no_child(pid);
    }
    tear_down(&g);
}

/* Its search threads have the low priority too. */
static void test_stockfish_priority(void **state)
{
    struct ipr_engine *e = NULL;
    struct dirent *entry;
    char tasks[64];
    unsigned n = 0;
    struct game g;

    (void)state;
    set_up(&g);
    const char *path = stockfish(&g.mem);
    if (path == NULL) {
        tear_down(&g);
        skip();
    }
    g.judge.threads = 2;
    assert_ok(ipr_engine_start(path, &g.judge, NULL, NULL, &e, &g.err), &g.err);
    snprintf(tasks, sizeof tasks, "/proc/%ld/task", (long)ipr_engine_pid(e));
    DIR *d = opendir(tasks);
    assert_non_null(d);
    while ((entry = readdir(d)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        assert_int_equal(getpriority(PRIO_PROCESS, (id_t)strtol(entry->d_name, NULL, 10)), 19);
        n++;
    }
    closedir(d);
    assert_true(n >= 3);
    ipr_engine_stop(&e);
    tear_down(&g);
}

/* The lines of a compressed file from ../shared. */
static char *unpack_shared(const char *path)
{
    struct archive *a = archive_read_new();
    struct archive_entry *entry;
    struct ipr_buf text = IPR_BUF_INIT;
    char part[65536];
    la_ssize_t n;

    archive_read_support_filter_zstd(a);
    archive_read_support_format_raw(a);
    assert_int_equal(archive_read_open_filename(a, path, 65536), ARCHIVE_OK);
    assert_int_equal(archive_read_next_header(a, &entry), ARCHIVE_OK);
    while ((n = archive_read_data(a, part, sizeof part)) > 0)
        ipr_buf_add(&text, part, (size_t)n);
    archive_read_free(a);
    return ipr_buf_steal(&text);
}

static int16_t reference_score(const json_t *v)
{
    if (json_is_null(v))
        return IPR_SCORE_NONE;
    if (json_is_integer(v))
        return (int16_t)json_integer_value(v);
    const int mate = (int)json_integer_value(json_object_get(v, "mate"));
    return (int16_t)(mate > 0 ? IPR_SCORE_MATE - mate : -IPR_SCORE_MATE - mate);
}

static void same_turn(const struct ipr_pos *pos, const struct ipr_judged_turn *t, const json_t *ref)
{
    const json_t *moves = json_object_get(ref, "moves"), *scores = json_object_get(ref, "scores");

    assert_int_equal(t->ply, json_integer_value(json_object_get(ref, "ply")));
    assert_int_equal(t->nodes, json_integer_value(json_object_get(ref, "nodes")));
    assert_int_equal(t->played, json_integer_value(json_object_get(ref, "played")));
    assert_int_equal(t->lines, json_array_size(moves));
    for (size_t i = 0; i < t->lines; i++) {
        char text[IPR_UCI_MAX];

        ipr_move_to_uci(pos, t->moves[i], text);
        assert_string_equal(text, json_string_value(json_array_get(moves, i)));
        for (size_t d = 0; d < t->depth; d++)
            assert_int_equal(t->score[i * t->depth + d],
                             reference_score(json_array_get(json_array_get(scores, i), d)));
    }
}

/* The opening turns of a game, against judgements made by another program, which sent the
 * moves from the start position on. */
static void same_game(struct ipr_engine *e, const json_t *ref, size_t n_turns)
{
    struct ipr_str rest = ipr_str_c(json_string_value(json_object_get(ref, "moves"))), word;
    struct ipr_pos pos;
    struct game g;

    set_up(&g);
    ipr_pos_start(&g.start);
    pos = g.start;
    for (g.n = 0; g.n < 16 + n_turns && ipr_str_word(&rest, &word); g.n++) {
        assert_ok(ipr_move_from_uci(&pos, word, &g.moves[g.n], &g.err), &g.err);
        ipr_pos_play(&pos, g.moves[g.n]);
    }
    assert_ok(judge(&g, e), &g.err);
    assert_int_equal(g.out.n, g.n - 16);

    pos = g.start;
    for (size_t i = 0; i < g.n; i++) {
        if (i >= 16)
            same_turn(&pos, &g.out.turns[i - 16],
                      json_array_get(json_object_get(ref, "turns"), i - 16));
        ipr_pos_play(&pos, g.moves[i]);
    }
    tear_down(&g);
}

static void test_stockfish_reference(void **state)
{
    const char *shared = ipr_test_shared("data/evaluations/wcc-1921.ndjson.zst");
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_engine *e = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_judge judge;

    (void)state;
    const char *path = stockfish(&mem);
    if (shared == NULL || path == NULL) {
        ipr_arena_release(&mem);
        skip();
    }
    assert_true(ipr_judge_builtin("standard", &judge));
    assert_ok(ipr_engine_start(path, &judge, NULL, NULL, &e, &err), &err);
    if (strcmp(ipr_engine_name(e), "Stockfish 15.1") != 0 ||
        strcmp(ipr_engine_network(e), "nn-ad9b42354671.nnue") != 0) {
        print_message("skipped: %s is not the engine of the reference\n", ipr_engine_name(e));
        ipr_engine_stop(&e);
        ipr_arena_release(&mem);
        skip();
    }

    char *text = unpack_shared(shared), *line = text;
    for (int i = 0; i < 2; i++) {
        json_t *ref = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);

        assert_non_null(ref);
        same_game(e, ref, 14);
        json_decref(ref);
        line = strchr(line, '\n') + 1;
    }
    free(text);
    ipr_engine_stop(&e);
    ipr_arena_release(&mem);
}

#define ROWS(rows) (sizeof(rows) / sizeof((rows)[0]))
static char tolerated[][12] = { "slow", "garbage", "stubborn", "child", "unsorted", "nomultipv" };
static char talkers[][12] = { "hang", "flood", "trickle" };

static const struct CMUnitTest single[] = {
    cmocka_unit_test(test_honest),
    cmocka_unit_test(test_limits_in_force),
    cmocka_unit_test(test_nothing_inherited),
    cmocka_unit_test(test_orphan),
    cmocka_unit_test(test_nodes),
    cmocka_unit_test(test_few_nodes),
    cmocka_unit_test(test_no_nodes),
    cmocka_unit_test(test_stop),
    cmocka_unit_test(test_two_engines),
    cmocka_unit_test(test_threads),
    cmocka_unit_test(test_best_move_too_early),
    cmocka_unit_test(test_killed_between_games),
    cmocka_unit_test(test_illegal_game_spares_the_engine),
    cmocka_unit_test(test_tick),
    cmocka_unit_test(test_mismatch),
    cmocka_unit_test(test_find),
    cmocka_unit_test(test_not_a_program),
    cmocka_unit_test(test_stockfish_repeats_itself),
    cmocka_unit_test(test_stockfish_priority),
    cmocka_unit_test(test_stockfish_reference),
};

int main(void)
{
    struct CMUnitTest
        tests[ROWS(single) + ROWS(tolerated) + ROWS(refusals) + ROWS(faults) + ROWS(talkers)];
    size_t n = 0;

    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (size_t i = 0; i < ROWS(single); i++)
        tests[n++] = single[i];
    for (size_t i = 0; i < ROWS(tolerated); i++)
        tests[n++] = (struct CMUnitTest){ .name = tolerated[i],
                                          .test_func = test_tolerated,
                                          .initial_state = tolerated[i] };
    for (size_t i = 0; i < ROWS(refusals); i++)
        tests[n++] = (struct CMUnitTest){ .name = refusals[i].fault,
                                          .test_func = test_refusal,
                                          .initial_state = &refusals[i] };
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
