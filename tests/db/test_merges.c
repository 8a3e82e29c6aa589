/* Merging players, what refuses it, and the log of changes. */
#include "people.h"

static void test_merge_and_undo(void **state)
{
    struct ipr_db_fixture *f = *state;
    int64_t first = 0, second = 0;

    play(f, 1, "a", "z", 2001, true);
    play(f, 2, "b", "z", 2001, true);
    play(f, 3, "z", "b", 2002, true);
    play(f, 4, "c", "z", 2003, true);
    const int32_t a = ipr_db_test_player("a"), b = ipr_db_test_player("b"),
                  c = ipr_db_test_player("c");
    const char *before = snapshot(f);
    const struct figures of_a = figures(f, a, IPR_TIME_SET_DEFAULT);
    const struct figures of_b = figures(f, b, IPR_TIME_SET_DEFAULT);

    assert_ok(ipr_db_merge(f->db, b, a, false, "me", &first, &f->err), &f->err);
    const struct figures both = figures(f, b, IPR_TIME_SET_DEFAULT);
    assert_int_equal(both.p.id, a);
    assert_string_equal(both.p.name, "a");
    assert_int_equal(both.p.games, 3);
    assert_int_equal(both.games, 3);
    assert_int_equal(both.p.turns, of_a.p.turns + of_b.p.turns);
    assert_int_equal(both.turns.n, of_a.turns.n + of_b.turns.n);
    assert_int_equal(both.n_years, 2);
    assert_int_equal(both.years[0].turns, of_a.years[0].turns + of_b.years[0].turns);
    assert_int_equal(both.years[0].at_30, of_a.years[0].at_30 + of_b.years[0].at_30);
    assert_true(both.years[0].version > of_a.years[0].version);

    /* All members of a merged player follow it. The first merge cannot be undone before the second.
     */
    assert_ok(ipr_db_merge(f->db, a, c, false, "me", &second, &f->err), &f->err);
    assert_int_equal(figures(f, b, IPR_TIME_SET_DEFAULT).p.id, c);
    assert_int_equal(figures(f, c, IPR_TIME_SET_DEFAULT).p.games, 4);
    assert_conflict(f, ipr_db_identity_undo(f->db, first, "me", &f->err), "later_change");
    assert_ok(ipr_db_identity_undo(f->db, second, "you", &f->err), &f->err);
    const struct figures again = figures(f, b, IPR_TIME_SET_DEFAULT);
    assert_int_equal(again.p.id, a);
    assert_true(again.years[0].version > both.years[0].version);
    assert_ok(ipr_db_identity_undo(f->db, first, "me", &f->err), &f->err);
    assert_string_equal(snapshot(f), before);
    /* The version of a's figures is new, although the figures are the same as before. */
    assert_true(figures(f, a, IPR_TIME_SET_DEFAULT).years[0].version > again.years[0].version);
    assert_conflict(f, ipr_db_identity_undo(f->db, first, "me", &f->err), "already_undone");
    assert_int_equal(ipr_db_identity_undo(f->db, 99, "me", NULL), IPR_ENOTFOUND);
}

static int64_t version(struct ipr_db_fixture *f, const char *name)
{
    const struct figures x = figures(f, ipr_db_test_player(name), IPR_TIME_SET_DEFAULT);

    assert_true(x.n_years > 0);
    assert_true(x.years[0].version >> 32 == x.p.version >> 32); /* of the year and of all years */
    return x.years[0].version;
}

/* A change gives the opponents of the player new versions, too. It does not wait for locks on their
 * rows, which an import may hold for minutes. */
static void test_versions_of_opponents(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_db_split by_colour = { .name = "n", .key = "n", .colour = 0 };
    const char *const names[] = { "y", "z" };
    int64_t was[2], merge = 0, split = 0;

    play(f, 1, "a", "z", 2001, true);
    play(f, 2, "y", "b", 2001, true);
    play(f, 3, "b", "y", 2001, true);
    play(f, 4, "c", "x", 2001, true);
    const int64_t apart = version(f, "x");

    PGconn *other = PQconnectdb(f->url);
    PQclear(PQexec(other, "BEGIN"));
    PGresult *locked = PQexec(other, "SELECT id FROM player WHERE name IN ('x', 'y', 'z')"
                                     " FOR NO KEY UPDATE");
    assert_int_equal(PQntuples(locked), 3);
    PQclear(locked);
    assert_ok(ipr_db_lock_patience(f->db, 10000, &f->err), &f->err);
    for (int step = 0; step < 4; step++) {
        for (size_t i = 0; i < 2; i++)
            was[i] = version(f, names[i]);
        if (step == 0)
            assert_ok(ipr_db_merge(f->db, ipr_db_test_player("b"), ipr_db_test_player("a"), false,
                                   "me", &merge, &f->err),
                      &f->err);
        else if (step == 1)
            assert_ok(
                ipr_db_split(f->db, ipr_db_test_player("a"), &by_colour, "me", &split, &f->err),
                &f->err);
        else
            assert_ok(ipr_db_identity_undo(f->db, step == 2 ? split : merge, "me", &f->err),
                      &f->err);
        for (size_t i = 0; i < 2; i++)
            assert_true(version(f, names[i]) > was[i]);
        assert_int_equal(version(f, "x"), apart); /* has met neither */
    }
    PQfinish(other);
}

static void test_merge_against_evidence(void **state)
{
    static const struct ipr_identity fide[] = { { "e", "e", "e", "e", 11, false },
                                                { "g", "g", "g", "g", 12, false } };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_identity id[2];
    int64_t change = 0;

    play(f, 1, "a", "b", 2001, false);
    play(f, 2, "c", "d", 2001, false);
    const int32_t a = ipr_db_test_player("a"), b = ipr_db_test_player("b"),
                  c = ipr_db_test_player("c");
    identities(f, fide, 2, id);
    assert_conflict(f, ipr_db_merge(f->db, b, a, false, "me", NULL, &f->err), "played_each_other");
    assert_conflict(f, ipr_db_merge(f->db, id[0].id, id[1].id, false, "me", NULL, &f->err),
                    "two_fide_ids");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM identity_change"), 0);
    /* The same holds for every member of a player. */
    assert_ok(ipr_db_merge(f->db, id[0].id, c, false, "me", NULL, &f->err), &f->err);
    assert_conflict(f, ipr_db_merge(f->db, id[1].id, c, false, "me", NULL, &f->err),
                    "two_fide_ids");
    assert_ok(ipr_db_merge(f->db, id[1].id, c, true, "me", &change, &f->err), &f->err);
    assert_ok(ipr_db_identity_undo(f->db, change, "me", &f->err), &f->err);
    assert_ok(ipr_db_merge(f->db, a, c, false, "me", NULL, &f->err), &f->err);
    assert_conflict(f, ipr_db_merge(f->db, b, c, false, "me", NULL, &f->err), "played_each_other");
    assert_ok(ipr_db_merge(f->db, b, c, true, "me", NULL, &f->err), &f->err);
}

static void test_merge_refusals(void **state)
{
    struct ipr_db_fixture *f = *state;
    int64_t told = 0;

    play(f, 1, "a", "b", 2001, false);
    play(f, 2, "c", "d", 2001, false);
    const int32_t a = ipr_db_test_player("a"), b = ipr_db_test_player("b"),
                  c = ipr_db_test_player("c"), d = ipr_db_test_player("d");
    assert_conflict(f, ipr_db_merge(f->db, a, a, false, "me", NULL, &f->err), "same_player");
    assert_int_equal(ipr_db_merge(f->db, a, 99, false, "me", NULL, &f->err), IPR_ENOTFOUND);
    assert_non_null(strstr(f->err.msg, "99"));
    ipr_err_clear(&f->err);
    assert_ok(ipr_db_merge(f->db, b, a, true, "me", NULL, &f->err), &f->err);
    assert_conflict(f, ipr_db_merge(f->db, b, a, false, "me", NULL, &f->err), "same_player");
    assert_conflict(f, ipr_db_merge(f->db, a, b, false, "me", NULL, &f->err), "same_player");
    assert_conflict(f, ipr_db_merge(f->db, b, c, false, "me", NULL, &f->err), "already_merged");
    assert_conflict(f, ipr_db_merge(f->db, c, b, false, "me", NULL, &f->err), "already_merged");
    assert_ok(ipr_db_distinct(f->db, c, a, "me", &told, &f->err), &f->err);
    assert_conflict(f, ipr_db_distinct(f->db, a, c, "me", NULL, &f->err), "declared_distinct");
    assert_conflict(f, ipr_db_merge(f->db, a, c, false, "me", NULL, &f->err), "declared_distinct");
    /* The same holds after either was merged into another player. */
    assert_ok(ipr_db_merge(f->db, a, d, false, "me", NULL, &f->err), &f->err);
    assert_conflict(f, ipr_db_merge(f->db, c, d, false, "me", NULL, &f->err), "declared_distinct");
    assert_ok(ipr_db_identity_undo(f->db, told, "me", &f->err), &f->err);
    assert_ok(ipr_db_merge(f->db, c, d, true, "me", NULL, &f->err), &f->err);
}

static void test_log_of_changes(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_identity_change *rows = NULL, one;
    int64_t id[3] = { 0 };
    size_t n = 0;

    play(f, 1, "a", "b", 2001, false);
    play(f, 2, "c", "d", 2001, false);
    assert_ok(ipr_db_merge(f->db, ipr_db_test_player("b"), ipr_db_test_player("a"), true, "ann",
                           &id[0], &f->err),
              &f->err);
    assert_ok(ipr_db_distinct(f->db, ipr_db_test_player("c"), ipr_db_test_player("d"), "bob",
                              &id[1], &f->err),
              &f->err);
    assert_ok(ipr_db_identity_undo(f->db, id[0], "cid", &f->err), &f->err);
    assert_ok(ipr_db_identity_changes(f->db, 0, 0, 10, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 2);
    assert_int_equal(rows[0].id, id[1]);
    assert_string_equal(rows[0].kind, "distinct");
    assert_null(rows[0].undone);
    assert_string_equal(rows[1].player, "b");
    assert_string_equal(rows[1].other, "a");
    assert_string_equal(rows[1].created_by, "ann");
    assert_string_equal(rows[1].undone_by, "cid");
    assert_ok(ipr_db_identity_changes(f->db, id[1], 0, 10, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 1);
    assert_ok(ipr_db_identity_change_get(f->db, id[0], &f->mem, &one, &f->err), &f->err);
    assert_int_equal(one.id, id[0]);
    assert_int_equal(ipr_db_identity_change_get(f->db, 99, &f->mem, &one, NULL), IPR_ENOTFOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_merge_and_undo),         WITH_DB(test_versions_of_opponents),
        WITH_DB(test_merge_against_evidence), WITH_DB(test_merge_refusals),
        WITH_DB(test_log_of_changes),
    };

    return cmocka_run_group_tests_name("merges", tests, NULL, NULL);
}
