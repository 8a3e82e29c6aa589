/* Cycles of the queue, a claim and a completion each, by one client, in one database where somebody
 * holds a snapshot for a minute and in one where nobody does, by turns, so that whatever else the
 * machine is at slows both. At last with claims that begin at the front every time. Rows of the
 * bench's table.
 * Usage: bench_queue HELD FREE [SECONDS]: two empty, migrated databases; seconds of a window (10).
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <libpq-fe.h>

#include "base/str.h"
#include "db/jobs.h"

#define WINDOWS 6
#define SLICES  100 /* of a window, by turns */
#define GAMES   60000

static _Noreturn void die(const char *what, const char *why)
{
    fprintf(stderr, "bench_queue: %s: %s\n", what, why);
    exit(1);
}

static PGconn *open_connection(const char *url)
{
    PGconn *conn = PQconnectdb(url);

    if (PQstatus(conn) != CONNECTION_OK)
        die(url, PQerrorMessage(conn));
    return conn;
}

static void run(PGconn *conn, const char *sql)
{
    PGresult *res = PQexec(conn, sql);
    const ExecStatusType status = PQresultStatus(res);

    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        die(sql, PQerrorMessage(conn));
    PQclear(res);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A database with a queue. */
struct queue {
    struct ipr_db_pool *pool;
    struct ipr_db *db;
    PGconn *conn;
    struct ipr_db_queue_cursor cursor;
    int rounds;    /* how often all games were queued */
    int64_t ready; /* jobs that wait */
    int64_t cycles;
    double seconds;
};

static void open_queue(struct queue *q, const char *url)
{
    struct ipr_err err = IPR_ERR_INIT;
    char sql[400];

    if (ipr_db_pool_open(url, 1, &q->pool, &err) != IPR_OK ||
        ipr_db_lease(q->pool, &q->db, &err) != IPR_OK)
        die(url, err.msg);
    q->conn = open_connection(url);
    run(q->conn, "INSERT INTO player (name, name_key) VALUES ('A', 'a'), ('B', 'b')");
    snprintf(sql, sizeof sql,
             "INSERT INTO game (white_id, black_id, event_id, date, site, round, result, plies,"
             " moves, moves_key, stem, tags)"
             " SELECT 1, 2, 0, '', '', '', 0, 80, '\\x', n, n, '{}' FROM generate_series(1, %d) n",
             GAMES);
    run(q->conn, sql);
}

static void close_queue(struct queue *q)
{
    PQfinish(q->conn);
    ipr_db_return(&q->db);
    ipr_db_pool_close(&q->pool);
}

/* Every game once more, for a judge of its own. */
static void fill(struct queue *q)
{
    char sql[300];

    snprintf(sql, sizeof sql,
             "INSERT INTO job (game_id, judge, place, turns_total)"
             " SELECT id, 'bench-%d', %lld + id, 64 FROM game ORDER BY id",
             q->rounds, (long long)q->rounds * GAMES);
    run(q->conn, sql);
    q->rounds++;
    q->ready += GAMES;
}

static void cycle(struct queue *q)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db_job job;

    if (ipr_db_job_claim(q->db, "stockfish", "bench", 60, &q->cursor, &job, &err) != IPR_OK ||
        ipr_db_job_complete(q->db, &job, &err) != IPR_OK)
        die("cycle", err.msg);
    q->ready--;
    q->cycles++;
}

/* Cycles for a time; filling the queue takes none of it. */
static void work(struct queue *q, double seconds, bool with_cursor)
{
    while (seconds > 0.0) {
        if (q->ready == 0)
            fill(q);
        if (!with_cursor)
            q->cursor = (struct ipr_db_queue_cursor){ 0 };
        const double begin = now();

        cycle(q);
        const double took = now() - begin;

        q->seconds += took;
        seconds -= took;
    }
}

static double rate(struct queue *q)
{
    const double r = (double)q->cycles / q->seconds;

    q->cycles = 0;
    q->seconds = 0.0;
    return r;
}

static void row(const char *what, double ours, const char *beside, double its)
{
    printf("| %s | %.0f/s | %s | %.0f/s | %.2f |\n", what, ours, beside, its, ours / its);
}

static void measure(struct queue *held, struct queue *free_one, double window_s)
{
    double with[WINDOWS], without[WINDOWS];
    char what[120];

    for (int i = 0; i < WINDOWS; i++) {
        for (int k = 0; k < SLICES; k += 2) {
            work(held, window_s / SLICES, true);
            work(free_one, window_s / SLICES, true);
        }
        with[i] = rate(held);
        without[i] = rate(free_one);
        fprintf(stderr, "  window %d: %.0f cycles/s, beside it %.0f: %.2f\n", i + 1, with[i],
                without[i], with[i] / without[i]);
    }
    row("claim and completion of a job as somebody begins to hold a snapshot", with[0],
        "nobody holds one", without[0]);
    snprintf(what, sizeof what, "the same %.0f s later", (WINDOWS - 1) * window_s);
    row(what, with[WINDOWS - 1], "nobody holds one", without[WINDOWS - 1]);
    work(held, window_s, false);
    row("the same, claims without a cursor", rate(held), "with one", with[WINDOWS - 1]);
    printf("| decay of the queue over a minute: last ratio of these over the first | | limit | "
           "0.80 | %.2f |\n",
           with[WINDOWS - 1] / without[WINDOWS - 1] / (with[0] / without[0]));
}

int main(int argc, char **argv)
{
    struct queue held = { 0 }, free_one = { 0 };
    double window_s = 10.0;

    if (argc < 3 || argc > 4 ||
        (argc == 4 && !ipr_str_double(ipr_str_c(argv[3]), 0.1, 3600, &window_s)))
        die("usage", "bench_queue HELD FREE [SECONDS]");
    open_queue(&held, argv[1]);
    open_queue(&free_one, argv[2]);

    PGconn *holder = open_connection(argv[1]);
    run(holder, "BEGIN ISOLATION LEVEL REPEATABLE READ");
    run(holder, "SELECT count(*) FROM player"); /* the first statement takes the snapshot */
    measure(&held, &free_one, window_s);
    run(holder, "ROLLBACK");
    PQfinish(holder);
    close_queue(&held);
    close_queue(&free_one);
    return 0;
}
