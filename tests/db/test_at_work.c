/* What the database is still at when a function returns: its errors come with the next statement,
 * and are never lost. */
#include <stdlib.h>
#include <unistd.h>

#include "db/analyses.h"
#include "db/uploads.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

static const unsigned char digest[32];

/* An upload with a duplicate of a game that is not there, and what comes after. */
struct story {
    enum ipr_code (*then)(struct ipr_db *db, int64_t upload, struct ipr_err *err);
    int64_t kept;
    enum ipr_code then_rc;
    int runs;
};

static enum ipr_code tell(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct story *s = arg;
    struct ipr_db_duplicate row = { .game = 1, .kept = s->kept };
    int64_t id = 0;
    enum ipr_code rc =
        ipr_db_upload_begin(db, "x", digest, 1, "", "local", (struct ipr_str){ NULL, 0 }, &id, err);

    s->runs++;
    if (rc == IPR_OK)
        rc = ipr_db_duplicates_add(db, id, &row, 1, err);
    assert_int_equal(rc, IPR_OK); /* nobody looked at the answer yet */
    s->then_rc = rc = s->then(db, id, err);
    return rc;
}

static enum ipr_code nothing(struct ipr_db *db, int64_t upload, struct ipr_err *err)
{
    (void)db;
    (void)upload;
    (void)err;
    return IPR_OK;
}

static enum ipr_code end(struct ipr_db *db, int64_t upload, struct ipr_err *err)
{
    return ipr_db_upload_end(db, &(struct ipr_db_upload){ .id = upload }, err);
}

static enum ipr_code copy_more(struct ipr_db *db, int64_t upload, struct ipr_err *err)
{
    return ipr_db_duplicates_add(db, upload, &(struct ipr_db_duplicate){ .game = 2, .kept = 1 }, 1,
                                 err);
}

static enum ipr_code give_up(struct ipr_db *db, int64_t upload, struct ipr_err *err)
{
    (void)db;
    (void)upload;
    return ipr_err_set(err, IPR_EINVAL, "no more");
}

static enum ipr_code no_statement(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    (void)db;
    (void)arg;
    (void)err;
    return IPR_OK;
}

static enum ipr_code never(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    (void)db;
    (void)arg;
    (void)err;
    fail();
    return IPR_OK;
}

static enum ipr_code nest(struct ipr_db *db, int64_t upload, struct ipr_err *err)
{
    (void)upload;
    return ipr_db_tx(db, never, NULL, err);
}

static enum ipr_code break_off(struct ipr_db *db, int64_t upload, struct ipr_err *err)
{
    ipr_db_test_sql("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                    " WHERE application_name = 'intrinsic' AND datname = current_database()");
    usleep(50000);
    return end(db, upload, err);
}

static const struct row {
    const char *name;
    enum ipr_code (*then)(struct ipr_db *db, int64_t upload, struct ipr_err *err);
    bool there;                /* the game is there, so nothing goes wrong by itself */
    enum ipr_code then_rc, rc; /* of what came after, of the transaction */
} rows[] = {
    { "the commit waits for it", nothing, true, IPR_OK, IPR_OK },
    { "so does a statement", end, true, IPR_OK, IPR_OK },
    { "and another copy", copy_more, true, IPR_OK, IPR_OK },
    { "its error fails the commit", nothing, false, IPR_OK, IPR_ECONFLICT },
    { "its error is the next statement's", end, false, IPR_ECONFLICT, IPR_ECONFLICT },
    { "and the next copy's", copy_more, false, IPR_ECONFLICT, IPR_ECONFLICT },
    { "an error of the caller's stays", give_up, false, IPR_EINVAL, IPR_EINVAL },
    { "given up while at work", give_up, true, IPR_EINVAL, IPR_EINVAL },
    { "the transaction is still open", nest, true, IPR_EINVAL, IPR_EINVAL },
    { "the connection breaks", break_off, true, IPR_ERETRY, IPR_ERETRY },
};

static void test_row(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_new_game g = ipr_sample_game(&f->mem, 1, "a", "b", 2001, 20);
    struct ipr_db_queue q;

    ipr_sample_store(f->db, &g, 1, "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct story s = { .then = rows[i].then, .kept = rows[i].there ? g.id : g.id + 1 };
        const int64_t uploads = ipr_db_test_int("SELECT count(*) FROM upload");

        print_message("  %s\n", rows[i].name);
        assert_int_equal(ipr_db_tx(f->db, tell, &s, &f->err), rows[i].rc);
        assert_int_equal(f->err.code, rows[i].rc);
        assert_int_equal(s.then_rc, rows[i].then_rc);
        assert_int_equal(s.runs, 1);
        assert_int_equal(ipr_db_test_int("SELECT count(*) FROM upload") - uploads,
                         rows[i].rc == IPR_OK);
        ipr_err_clear(&f->err);
        /* It is over, and the connection is whole, or a whole one comes for it. */
        if (rows[i].rc != IPR_ERETRY)
            assert_ok(ipr_db_tx(f->db, no_statement, NULL, &f->err), &f->err);
        ipr_db_return(&f->db);
        assert_ok(ipr_db_lease(f->pool, &f->db, &f->err), &f->err);
        assert_ok(ipr_db_queue_state(f->db, &q, &f->err), &f->err);
    }
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM upload_duplicate"), 4);
}

/* More than fits into the buffers of both sides, and refused at the first row. */
static enum ipr_code many(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    enum { MANY = 100000 };
    struct ipr_db_duplicate *list = ipr_xcalloc(MANY, sizeof *list);
    int64_t id = 0;
    enum ipr_code rc =
        ipr_db_upload_begin(db, "x", digest, 1, "", "local", (struct ipr_str){ NULL, 0 }, &id, err);

    (void)arg;
    for (int i = 0; i < MANY; i++)
        list[i] = (struct ipr_db_duplicate){ .game = 1, .kept = 1 }; /* two of one number */
    if (rc == IPR_OK)
        rc = ipr_db_duplicates_add(db, id, list, MANY, err);
    free(list);
    return rc;
}

static void test_large(void **state)
{
    struct ipr_db_fixture *f = *state;

    assert_int_equal(ipr_db_tx(f->db, many, NULL, &f->err), IPR_ECONFLICT);
    ipr_err_clear(&f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM upload"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_row),
        WITH_DB(test_large),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
