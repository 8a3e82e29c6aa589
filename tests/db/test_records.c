#include "db/records.h"

#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"
#include "pgn/time_class.h"

static void test_calibration(void **state)
{
    static const char record[] = "{\"b\":1.50,\"a\":[1,2]}";
    struct ipr_db_fixture *f = *state;
    struct ipr_db_calibration c = { 0 }, *rows = NULL;
    bool changed = false;
    size_t n = 0;

    assert_ok(ipr_db_calibration_put(f->db, "x", "{}", record, "d1", &changed, &f->err), &f->err);
    assert_true(changed);
    assert_ok(ipr_db_calibration_put(f->db, "x", "{}", record, "d1", &changed, &f->err), &f->err);
    assert_false(changed);
    assert_ok(ipr_db_calibration_get(f->db, "x", &f->mem, &c, &f->err), &f->err);
    assert_string_equal(c.record_json, record); /* the very bytes */
    const int32_t id = c.id;
    assert_ok(ipr_db_calibration_put(f->db, "x", "{}", "{}", "d2", &changed, &f->err), &f->err);
    assert_true(changed);
    assert_ok(ipr_db_calibration_get(f->db, "x", &f->mem, &c, &f->err), &f->err);
    assert_string_equal(c.digest, "d2");
    assert_true(c.id != id); /* answers kept for the old one are nobody's */
    assert_ok(ipr_db_calibration_list(f->db, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 1);
    assert_null(rows[0].record_json);
    assert_int_equal(ipr_db_calibration_get(f->db, "y", &f->mem, &c, NULL), IPR_ENOTFOUND);
}

static void test_new_calibration(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_calibration c = { 0 };
    bool fresh = false;

    assert_ok(ipr_db_calibration_new(f->db, "x", "{}", "{\"a\":1}", "d1", &fresh, &f->err),
              &f->err);
    assert_true(fresh);
    assert_ok(ipr_db_calibration_new(f->db, "x", "{}", "{\"a\":1}", "d1", &fresh, &f->err),
              &f->err);
    assert_false(fresh);
    fresh = true;
    assert_int_equal(ipr_db_calibration_new(f->db, "x", "{}", "{}", "d2", &fresh, &f->err),
                     IPR_ECONFLICT);
    assert_string_equal(f->err.type, "calibration_exists");
    assert_true(fresh); /* untouched */
    ipr_err_clear(&f->err);
    assert_ok(ipr_db_calibration_get(f->db, "x", &f->mem, &c, &f->err), &f->err);
    assert_string_equal(c.digest, "d1");
}

static void test_rating(void **state)
{
    static const char answer[] = "{\"ipr\": 2701.50, \"z\": 1, \"a\": null}";
    const struct ipr_db_rating_key key = { 1, 2001, 1, 1, IPR_TIME_SET_DEFAULT, 5, false };
    const struct ipr_db_rating_key late = { 1, 2001, 1, 1, IPR_TIME_SET_DEFAULT, 4, false };
    const struct ipr_db_rating_key all = { 1, 2001, 1, 1, IPR_TIME_SET_ALL, 5, false };
    struct ipr_db_fixture *f = *state;
    const char *got = NULL;
    bool changed;

    ipr_db_test_sql("INSERT INTO player (name, name_key) VALUES ('p', 'p')");
    ipr_db_test_sql("INSERT INTO judge (name, engine, network, multipv, depth, hash_mb, threads,"
                    " first_move) VALUES ('s', 'e', 'n', 1, 1, 1, 1, 1)");
    assert_ok(ipr_db_calibration_put(f->db, "x", "{}", "{}", "d1", &changed, &f->err), &f->err);
    assert_int_equal(ipr_db_rating_get(f->db, &key, false, &f->mem, &got, NULL), IPR_ENOTFOUND);
    assert_ok(ipr_db_rating_put(f->db, &key, answer, "{\"a\": 1}", 2500.5, 1, &f->err), &f->err);
    assert_ok(ipr_db_rating_get(f->db, &key, false, &f->mem, &got, &f->err), &f->err);
    assert_string_equal(got, answer);
    assert_ok(ipr_db_rating_get(f->db, &key, true, &f->mem, &got, &f->err), &f->err);
    assert_string_equal(got, "{\"a\": 1}");
    /* A late answer does not take the place of a newer one. */
    assert_ok(ipr_db_rating_put(f->db, &late, "{}", "{}", 2500.5, 1, &f->err), &f->err);
    assert_int_equal(ipr_db_rating_get(f->db, &late, false, &f->mem, &got, NULL), IPR_ENOTFOUND);
    assert_ok(ipr_db_rating_get(f->db, &key, false, &f->mem, &got, &f->err), &f->err);
    /* Other classes of time control have an answer of their own. */
    assert_int_equal(ipr_db_rating_get(f->db, &all, false, &f->mem, &got, NULL), IPR_ENOTFOUND);
    assert_ok(ipr_db_rating_put(f->db, &all, "{}", "{}", 2500.5, 1, &f->err), &f->err);
    assert_ok(ipr_db_rating_get(f->db, &key, false, &f->mem, &got, &f->err), &f->err);
    assert_string_equal(got, answer);
    /* Nor does one that rests on a calibration that was replaced meanwhile. */
    assert_ok(ipr_db_calibration_put(f->db, "x", "{}", "{}", "d2", &changed, &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM rating"), 0);
    assert_int_equal(ipr_db_rating_put(f->db, &key, "{}", "{}", 2500.5, 1, NULL), IPR_ECONFLICT);
}

static void known(struct ipr_db_fixture *f, const unsigned char digest[32], const char **name,
                  bool *any)
{
    int scopes;
    bool expired;

    assert_ok(ipr_db_token_known(f->db, digest, &f->mem, name, &scopes, &expired, any, &f->err),
              &f->err);
    assert_int_equal(scopes, *name != NULL ? 15 : 0); /* all, unless limited */
    assert_false(expired);
}

static void test_token(void **state)
{
    static const unsigned char a[32] = { 0, 1, 255 }, b[32] = { 7 }, fishnet[32] = { 8 };
    struct ipr_db_fixture *f = *state;
    const char *name = "";
    bool any = true;

    known(f, a, &name, &any);
    assert_null(name);
    assert_false(any);
    /* Who may judge may not write, and takes nothing from those who need no token. */
    assert_ok(ipr_db_token_put(f->db, "friend", "fishnet", fishnet, &f->err), &f->err);
    known(f, fishnet, &name, &any);
    assert_null(name);
    assert_false(any);
    assert_int_equal(ipr_db_token_put(f->db, "x", "root", b, NULL), IPR_EDB);
    assert_ok(ipr_db_token_put(f->db, "ci", "api", a, &f->err), &f->err);
    assert_int_equal(ipr_db_token_put(f->db, "ci", "api", a, NULL), IPR_ECONFLICT);
    known(f, a, &name, &any);
    assert_string_equal(name, "ci");
    assert_true(any);
    known(f, b, &name, &any);
    assert_null(name);
    assert_true(any);
}

static void test_token_revoked(void **state)
{
    static const unsigned char a[32] = { 1 }, b[32] = { 2 };
    struct ipr_db_fixture *f = *state;
    const char *name = "";
    bool any = false;

    assert_ok(ipr_db_token_put(f->db, "ci", "api", a, &f->err), &f->err);
    assert_ok(ipr_db_token_put(f->db, "ci", "fishnet", b, &f->err), &f->err);
    assert_int_equal(ipr_db_token_revoke(f->db, "cd", "api", NULL), IPR_ENOTFOUND);
    assert_ok(ipr_db_token_revoke(f->db, "ci", "api", &f->err), &f->err);
    assert_int_equal(ipr_db_token_revoke(f->db, "ci", "api", NULL), IPR_ENOTFOUND);
    known(f, a, &name, &any);
    assert_null(name);
    assert_true(any); /* without a token nobody writes now either */
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM token WHERE revoked IS NULL"), 1);
}

static void test_token_limits(void **state)
{
    static const unsigned char a[32] = { 1 }, b[32] = { 2 };
    struct ipr_db_fixture *f = *state;
    const char *name = "";
    bool any = false, expired = false;
    int scopes = 0;
    int64_t rows = 9;

    assert_ok(ipr_db_token_put(f->db, "ci", "api", a, &f->err), &f->err);
    assert_ok(ipr_db_token_limit(f->db, a, 6, 30, 5000, &f->err), &f->err);
    assert_ok(ipr_db_token_known(f->db, a, &f->mem, &name, &scopes, &expired, &any, &f->err),
              &f->err);
    assert_int_equal(scopes, 6);
    assert_false(expired);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM token WHERE expires BETWEEN "
                                     "now() + interval '29 days' AND now() + interval '30 days'"),
                     1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM token WHERE seen IS NULL"), 1);
    /* 3000 and 2000 fit, one more does not; what came without a length is counted all the same. */
    for (int i = 0; i < 4; i++) {
        assert_ok(ipr_db_token_use(f->db, a, i == 0 ? 3000 : 2000, i < 3, &rows, &f->err), &f->err);
        assert_int_equal(rows, i != 2);
    }
    assert_int_equal(ipr_db_test_int("SELECT day_bytes FROM token WHERE seen IS NOT NULL"), 7000);
    /* A new day. */
    (void)ipr_db_test_sql("UPDATE token SET day = day - 1");
    assert_ok(ipr_db_token_use(f->db, a, 5000, true, &rows, &f->err), &f->err);
    assert_int_equal(rows, 1);
    assert_int_equal(ipr_db_test_int("SELECT day_bytes FROM token"), 5000);
    (void)ipr_db_test_sql("UPDATE token SET expires = now()");
    assert_ok(ipr_db_token_known(f->db, a, &f->mem, &name, &scopes, &expired, &any, &f->err),
              &f->err);
    assert_true(expired);
    /* Without a quota. */
    assert_ok(ipr_db_token_put(f->db, "free", "api", b, &f->err), &f->err);
    assert_ok(ipr_db_token_use(f->db, b, INT64_C(1) << 40, true, &rows, &f->err), &f->err);
    assert_int_equal(rows, 1);
}

static void test_audit(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_audit *rows = NULL;
    size_t n = 0;
    int64_t id = 0;

    for (int i = 0; i < 3; i++)
        assert_ok(ipr_db_audit_add(f->db, i == 1 ? "bob" : "ann", "192.0.2.1", "POST", "/x",
                                   200 + i, "id", &id, &f->err),
                  &f->err);
    assert_ok(ipr_db_audit_list(f->db, "", 2, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 2);
    assert_int_equal(rows[0].status, 202);
    assert_string_equal(rows[1].writer, "bob");
    assert_ok(ipr_db_audit_list(f->db, "ann", 9, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 2);
    assert_string_equal(rows[1].client, "192.0.2.1");
    /* Only so many are kept. */
    (void)ipr_db_test_sql("INSERT INTO audit (writer, client, method, path, status, request) "
                          "SELECT 'x', '', '', '', 200, '' FROM generate_series(1, 100000)");
    assert_ok(ipr_db_audit_add(f->db, "ann", "192.0.2.1", "POST", "/last", 0, "id", &id, &f->err),
              &f->err);
    assert_ok(ipr_db_audit_end(f->db, id, 201, &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM audit"), 100000);
    assert_int_equal(
        ipr_db_test_int("SELECT count(*) FROM audit WHERE path = '/last' AND status = 201"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = { WITH_DB(test_calibration),   WITH_DB(test_new_calibration),
                                        WITH_DB(test_rating),        WITH_DB(test_token),
                                        WITH_DB(test_token_revoked), WITH_DB(test_token_limits),
                                        WITH_DB(test_audit) };

    return cmocka_run_group_tests_name("records", tests, NULL, NULL);
}
