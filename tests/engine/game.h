#ifndef IPR_TEST_ENGINE_GAME_H
#define IPR_TEST_ENGINE_GAME_H

/* A short game for one engine process to judge, and what that process leaves behind. */

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/process.h"
#include "ipr_test.h"

/* First of all in main: orphans become children of ours, and a dead engine's pipe is an error to
 * be answered, not the end of us. */
static void inherit_orphans(void)
{
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static inline size_t count_files(void)
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

#endif
