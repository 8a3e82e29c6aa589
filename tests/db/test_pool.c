#include "db/db.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "db/analyses.h"
#include "db/jobs.h"
#include "db/records.h"
#include "db/uploads.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

static const char kill_all[] = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                               " WHERE application_name = 'intrinsic'"
                               " AND datname = current_database()";

static void test_settings(void **state)
{
    (void)state;
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM pg_stat_activity WHERE application_name"
                                     " = 'intrinsic' AND datname = current_database()"),
                     1);
}

/* Connections that the server ended are replaced at the next lease, without an error. */
static void test_replaced(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_queue q;

    ipr_db_return(&f->db);
    assert_int_equal(ipr_db_test_int(kill_all), 1);
    usleep(50000);
    assert_ok(ipr_db_lease(f->pool, &f->db, &f->err), &f->err);
    assert_ok(ipr_db_queue_state(f->db, &q, &f->err), &f->err);

    /* Broken while lent: this call fails and says so, the next lease is whole again. */
    assert_int_equal(ipr_db_test_int(kill_all), 1);
    assert_int_equal(ipr_db_queue_state(f->db, &q, &f->err), IPR_ERETRY);
    assert_string_equal(f->err.type, IPR_DB_AWAY);
    assert_true(f->err.msg[0] != '\0');
    ipr_err_clear(&f->err);
    ipr_db_return(&f->db);
    assert_ok(ipr_db_lease(f->pool, &f->db, &f->err), &f->err);
    assert_ok(ipr_db_queue_state(f->db, &q, &f->err), &f->err);
}

/* A backend that crashes, or sees another one crash, says so in a notice, and ends. */
static void test_crashed(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_queue q;
    const pid_t backend = (pid_t)ipr_db_test_int(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'intrinsic'"
        " AND datname = current_database()");

    ipr_db_test_sql("CHECKPOINT"); /* the server of the tests commits later than it says */
    assert_int_equal(kill(backend, SIGQUIT), 0);
    usleep(200000);
    assert_int_equal(ipr_db_queue_state(f->db, &q, &f->err), IPR_ERETRY);
    assert_string_equal(f->err.type, IPR_DB_AWAY);
    ipr_err_clear(&f->err);
    ipr_db_return(&f->db);
    for (int i = 0; i < 300 && ipr_db_lease(f->pool, &f->db, &f->err) != IPR_OK; i++) {
        ipr_err_clear(&f->err);
        usleep(100000); /* all of the server starts again */
    }
    assert_ok(ipr_db_queue_state(f->db, &q, &f->err), &f->err);
}

struct waiter {
    pthread_t thread;
    struct ipr_db_pool *pool;
    int rounds;
    enum ipr_code rc;
};

static void *lease_and_return(void *arg)
{
    struct waiter *w = arg;
    struct ipr_db_queue q;

    for (int i = 0; i < w->rounds && w->rc == IPR_OK; i++) {
        struct ipr_db *db = NULL;

        w->rc = ipr_db_lease(w->pool, &db, NULL);
        if (w->rc == IPR_OK)
            w->rc = ipr_db_queue_state(db, &q, NULL);
        ipr_db_return(&db);
    }
    return NULL;
}

/* Ten threads share four connections. */
static void test_shared(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct waiter w[10];

    ipr_db_return(&f->db);
    for (int i = 0; i < 10; i++) {
        w[i] = (struct waiter){ .pool = f->pool, .rounds = 20, .rc = IPR_OK };
        assert_int_equal(pthread_create(&w[i].thread, NULL, lease_and_return, &w[i]), 0);
    }
    for (int i = 0; i < 10; i++) {
        pthread_join(w[i].thread, NULL);
        assert_int_equal(w[i].rc, IPR_OK);
    }
}

static enum ipr_code begin_upload(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    static const unsigned char digest[32];
    int64_t id = 0;

    (void)arg;
    return ipr_db_upload_begin(db, "x", digest, 1, "", "local", (struct ipr_str){ NULL, 0 }, &id,
                               err);
}

static enum ipr_code nested(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    return ipr_db_tx(db, begin_upload, arg, err);
}

/* A failed statement whose error is dropped must not look like a commit. */
static enum ipr_code swallow(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    static const unsigned char digest[32] = { 1 };

    if (begin_upload(db, arg, err) != IPR_OK)
        return IPR_EDB;
    for (int i = 0; i < 2; i++)
        if (ipr_db_token_put(db, "t", "api", digest, NULL) != IPR_OK)
            return IPR_OK;
    return IPR_OK;
}

static void test_transactions(void **state)
{
    struct ipr_db_fixture *f = *state;

    assert_int_equal(ipr_db_tx(f->db, nested, NULL, &f->err), IPR_EINVAL);
    ipr_err_clear(&f->err);
    assert_int_equal(ipr_db_tx(f->db, swallow, NULL, &f->err), IPR_EDB);
    ipr_err_clear(&f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM upload"), 0);
    assert_ok(ipr_db_tx(f->db, begin_upload, NULL, &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM upload"), 1);
}

/* Two transactions that lock two uploads in opposite order: the server ends one of them, which
 * then runs again. */
struct crossing {
    pthread_t thread;
    struct ipr_db_pool *pool;
    pthread_barrier_t *barrier;
    int64_t first, second;
    int tries;
    enum ipr_code rc;
};

static enum ipr_code cross(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct crossing *c = arg;
    struct ipr_db_upload u = { .id = c->first };
    enum ipr_code rc = ipr_db_upload_progress(db, &u, err);

    if (c->tries++ == 0)
        pthread_barrier_wait(c->barrier);
    u.id = c->second;
    return rc == IPR_OK ? ipr_db_upload_progress(db, &u, err) : rc;
}

static void *run_cross(void *arg)
{
    struct crossing *c = arg;
    struct ipr_db *db = NULL;

    c->rc = ipr_db_lease(c->pool, &db, NULL);
    if (c->rc == IPR_OK)
        c->rc = ipr_db_tx(db, cross, c, NULL);
    ipr_db_return(&db);
    return NULL;
}

static void test_deadlock_runs_again(void **state)
{
    struct ipr_db_fixture *f = *state;
    pthread_barrier_t barrier;
    struct crossing c[2] = { { .pool = f->pool, .barrier = &barrier, .first = 1, .second = 2 },
                             { .pool = f->pool, .barrier = &barrier, .first = 2, .second = 1 } };

    for (int i = 0; i < 2; i++)
        assert_ok(ipr_db_tx(f->db, begin_upload, NULL, &f->err), &f->err);
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&c[i].thread, NULL, run_cross, &c[i]), 0);
    for (int i = 0; i < 2; i++) {
        pthread_join(c[i].thread, NULL);
        assert_int_equal(c[i].rc, IPR_OK);
    }
    pthread_barrier_destroy(&barrier);
    /* The one that runs again may meet the other once more, before that has woken up. */
    assert_in_range(c[0].tries + c[1].tries, 3, 6);
}

static void test_listener(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_listener *l = NULL;
    struct ipr_db_new_game g = ipr_sample_game(&f->mem, 1, "a", "b", 2001, 10);
    int32_t queued = 0;
    int wake[2];

    assert_int_equal(pipe(wake), 0);
    assert_ok(ipr_db_listener_open(f->url, &l, &f->err), &f->err);
    assert_false(ipr_db_listener_wait(l, 20, wake[0]));
    ipr_sample_store(f->db, &g, 1, "sample");
    assert_ok(ipr_db_jobs_enqueue(f->db, &g.id, 1, "sample", 5, "local", &queued, &f->err),
              &f->err);
    assert_true(ipr_db_listener_wait(l, 5000, wake[0]));
    assert_false(ipr_db_listener_wait(l, 20, wake[0]));

    /* Its connection ends: it finds its own way back, and calls that news. */
    ipr_db_return(&f->db);
    assert_int_equal(ipr_db_test_int(kill_all), 2);
    bool news = false;
    for (int i = 0; i < 10 && !news; i++)
        news = ipr_db_listener_wait(l, 1000, wake[0]);
    assert_true(news);
    ipr_db_test_sql("NOTIFY progress, '17'");
    assert_true(ipr_db_listener_wait(l, 5000, wake[0]));

    assert_int_equal(write(wake[1], "x", 1), 1);
    assert_false(ipr_db_listener_wait(l, 60000, wake[0]));
    ipr_db_listener_close(&l);
    assert_null(l);
    close(wake[0]);
    close(wake[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_settings), WITH_DB(test_replaced),     WITH_DB(test_crashed),
        WITH_DB(test_shared),   WITH_DB(test_transactions), WITH_DB(test_deadlock_runs_again),

        WITH_DB(test_listener),
    };

    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
