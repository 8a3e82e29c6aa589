/* The same searches by an engine in its jail and by one outside, by turns: processor time, since
 * whatever else the machine is at then counts for neither. A row of the bench's table.
 * Usage: bench_jail [ROUNDS]
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/log.h"
#include "engine/jail.h"
#include "engine/process.h"

#define DEPTH 12

/* Fischer - Spassky, Reykjavik 1972, game 6, to move 20. */
static const char game[] = "c2c4 e7e6 g1f3 d7d5 d2d4 g8f6 b1c3 f8e7 c1g5 e8g8 e2e3 h7h6 g5h4 b7b6 "
                           "c4d5 f6d5 h4e7 d8e7 c3d5 "
                           "e6d5 a1c1 c8e6 d1a4 c7c5 a4a3 f8c8 f1b5 a7a6 d4c5 b6c5 e1g1 a8a7 b5e2 "
                           "b8d7 f3d4 e7f8 d4e6 f7e6 "
                           "e3e4 d5d4";

static void must(enum ipr_code rc, const struct ipr_err *err)
{
    if (rc == IPR_OK)
        return;
    fprintf(stderr, "bench_jail: %s\n", err->msg);
    exit(1);
}

struct work {
    struct ipr_arena mem;
    struct ipr_judge judge;
    struct ipr_pos start;
    ipr_move moves[64];
    size_t n;
    const char *program;
};

static void work_set_up(struct work *w)
{
    struct ipr_str rest = ipr_str_c(game), word;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos pos;

    w->judge = (struct ipr_judge){
        .multipv = 2, .depth = DEPTH, .hash_mb = 16, .threads = 1, .first_move = 9
    };
    must(ipr_engine_find(NULL, &w->mem, &w->program, &err), &err);
    ipr_pos_start(&w->start);
    pos = w->start;
    for (; ipr_str_word(&rest, &word); w->n++) {
        must(ipr_move_from_uci(&pos, word, &w->moves[w->n], &err), &err);
        ipr_pos_play(&pos, w->moves[w->n]);
    }
}

/* Of children that have ended, in seconds. */
static double children(void)
{
    struct rusage u;

    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

/* Seconds of one process that judges the game, its start included. */
static double work_measure(const struct work *w, const char *jail)
{
    const struct ipr_engine_task task = {
        .start = &w->start, .moves = w->moves, .n_moves = w->n, .sides = 3
    };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_judged_game out;
    struct ipr_engine *e = NULL;

    must(ipr_jail_open(jail, NULL, &err), &err);
    const double before = children();
    must(ipr_engine_start(w->program, &w->judge, NULL, NULL, &e, &err), &err);
    must(ipr_engine_judge(e, &task, &mem, &out, NULL, &err), &err);
    ipr_engine_stop(&e);
    ipr_jail_close();
    ipr_arena_release(&mem);
    return children() - before;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *of, int n)
{
    qsort(of, (size_t)n, sizeof *of, by_size);
    return n % 2 == 1 ? of[n / 2] : (of[n / 2 - 1] + of[n / 2]) / 2;
}

int main(int argc, char **argv)
{
    enum { MOST = 100 };
    const int asked = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 7;
    const int rounds = asked < 1 ? 1 : asked > MOST ? MOST : asked;
    double in[MOST], out[MOST], ratio[MOST];
    struct work w = { .mem = IPR_ARENA_INIT };

    signal(SIGPIPE, SIG_IGN);
    (void)ipr_log_level("error");
    work_set_up(&w);
    (void)work_measure(&w, "on");
    for (int i = 0; i < rounds; i++) {
        const bool first = i % 2 == 0;

        if (first)
            in[i] = work_measure(&w, "on");
        out[i] = work_measure(&w, "off");
        if (!first)
            in[i] = work_measure(&w, "on");
        ratio[i] = out[i] / in[i];
    }
    ipr_arena_release(&w.mem);
    printf(
        "| Stockfish in its jail, a game to depth %d, processor time | %.2f s | the same outside "
        "| %.2f s | %.3f |\n",
        DEPTH, median(in, rounds), median(out, rounds), median(ratio, rounds));
    return 0;
}
