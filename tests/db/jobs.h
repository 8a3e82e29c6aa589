#ifndef IPR_TEST_DB_JOBS_H
#define IPR_TEST_DB_JOBS_H

/* A queue of sample games, and claims from it by worker "w1". */
#include "db/jobs.h"

#include "db/analyses.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

/* Stores n games and returns their ids. */
static inline int64_t *store(struct ipr_db_fixture *f, unsigned n)
{
    static unsigned seed;
    struct ipr_db_new_game *g = ipr_arena_alloc(&f->mem, n, sizeof *g);
    int64_t *ids = ipr_arena_alloc(&f->mem, n, sizeof *ids);

    for (unsigned i = 0; i < n; i++)
        g[i] = ipr_sample_game(&f->mem, ++seed, "a", "b", 2001, 24);
    ipr_sample_store(f->db, g, n, "sample");
    for (unsigned i = 0; i < n; i++)
        ids[i] = g[i].id;
    return ids;
}

static inline int32_t enqueue(struct ipr_db_fixture *f, const int64_t *ids, size_t n,
                              const char *judge, int priority, const char *owner)
{
    int32_t queued = -1;

    assert_ok(ipr_db_jobs_enqueue(f->db, ids, n, judge, priority, owner, &queued, &f->err),
              &f->err);
    return queued;
}

/* Stores n games and queues them. */
static inline int64_t *queue_on(struct ipr_db_fixture *f, const char *judge, unsigned n,
                                int priority, const char *owner)
{
    int64_t *ids = store(f, n);

    assert_int_equal(enqueue(f, ids, n, judge, priority, owner), n);
    return ids;
}

static inline int64_t *queue_for(struct ipr_db_fixture *f, unsigned n, int priority,
                                 const char *owner)
{
    return queue_on(f, "sample", n, priority, owner);
}

static inline int64_t *queue(struct ipr_db_fixture *f, unsigned n, int priority)
{
    return queue_for(f, n, priority, "local");
}

static inline void assert_state(struct ipr_db_fixture *f, int64_t ready, int64_t leased,
                                int64_t failed)
{
    struct ipr_db_queue q = { 0 };

    assert_ok(ipr_db_queue_state(f->db, &q, &f->err), &f->err);
    assert_int_equal(q.ready, ready);
    assert_int_equal(q.leased, leased);
    assert_int_equal(q.failed, failed);
}

/* Claims with a cursor at the start of the queue. */
static inline enum ipr_code try_claim(struct ipr_db_fixture *f, const char *worker,
                                      struct ipr_db_job *job)
{
    struct ipr_db_queue_cursor cursor = { 0 };

    return ipr_db_job_claim(f->db, "stockfish", worker, 60, &cursor, job, &f->err);
}

static inline void assert_none(struct ipr_db_fixture *f)
{
    struct ipr_db_job job = { 0 };

    assert_int_equal(try_claim(f, "w1", &job), IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
}

/* Programs of this machine, and a claimer that has all of them. */
#define PROGRAMS 3
static const char *const programs[PROGRAMS] = { "stockfish", "toga2", "fruit" };

struct claims {
    struct ipr_db_queue_cursor cursor[PROGRAMS];
    struct ipr_db_queue_line line[PROGRAMS];
};

static inline void claims_begin(struct claims *c)
{
    *c = (struct claims){ 0 };
    for (int i = 0; i < PROGRAMS; i++)
        c->line[i] = (struct ipr_db_queue_line){ programs[i], &c->cursor[i] };
}

static inline enum ipr_code claim_any(struct ipr_db_fixture *f, struct claims *c,
                                      struct ipr_db_job *job)
{
    return ipr_db_job_claim_any(f->db, c->line, PROGRAMS, "w1", 60, job, &f->err);
}

/* Defines a judge for each program, with the program's name. */
static inline void define_all(struct ipr_db_fixture *f)
{
    for (int i = 0; i < PROGRAMS; i++)
        ipr_sample_define(f->db, programs[i], programs[i]);
}

#endif
