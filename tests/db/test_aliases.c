/* Players that are one person according to a spelling file: listed, merged, undone together. */
#include "people.h"

#include <unistd.h>

#include "db/aliases.h"

static const char people[] = "@PLAYER \"., -_*\"\n"
                             "Karpov, Anatoly #GM RUS [2617] 1951.05.23\n"
                             "Karpov, Andrey #-  RUS [2159] 1985 i\n"
                             "Kasparov, Garry #GM RUS [2812] 1963.04.13\n"
                             "Petrosian, Tigran L. #GM ARM [2562] 1984.09.17\n"
                             "Petrosian, Tigran V #gm  URS [2645] 1929.06.17--1984.08.13\n"
                             "Spassky, Boris #GM RUS [2548] 1937.01.30\n"
                             "Tal, Mikhail #gm  LAT [2705] 1936.11.09--1992.06.28\n";

static struct ipr_spelling *open_people(struct ipr_db_fixture *f)
{
    char path[] = "/tmp/ipr_people_XXXXXX";
    struct ipr_spelling *s = NULL;
    const int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, people, sizeof people - 1), sizeof people - 1);
    close(fd);
    assert_ok(ipr_spelling_open(path, &s, &f->err), &f->err);
    unlink(path);
    return s;
}

static int32_t id_of(const char *name)
{
    char sql[120];

    snprintf(sql, sizeof sql, "SELECT id FROM player WHERE name = '%s'", name);
    return (int32_t)ipr_db_test_int(sql);
}

/* Two pairs are one person each (Karpov and Petrosian); the others only have similar names. */
static void play_all(struct ipr_db_fixture *f)
{
    play(f, 1, "karpov,anatoly", "x", 1970, false);
    play(f, 2, "karpov,an", "x", 1975, false);
    play(f, 3, "karpov,a", "x", 2003, false); /* may be Andrey */
    play(f, 4, "petrosian,tigran v", "x", 1963, false);
    play(f, 5, "y", "petrosian,t", 1966, false);
    play(f, 6, "petrosian,tigran", "x", 1986,
         false); /* one had died, the other was two years old */
    play(f, 7, "tal,mikhail", "x", 1960, false);
    play(f, 8, "tal,m", "x", 1961, false);
    play(f, 9, "tal,m", "tal,mikhail", 1962, false); /* played each other */
    play(f, 10, "kasparov,garry", "x", 1985, false);
    play(f, 11, "kasparov,g", "y", 1985, false); /* 2100 in the tags: too weak */
    play(f, 12, "spassky,boris", "x", 1965, false);
    play(f, 13, "spassky,b", "y", 1966, false); /* declared distinct */
    play(f, 14, "spassky", "y", 1967, false);   /* a surname alone */
    play(f, 15, "tal,mi", "y", 1930, false);    /* before his birth */
    ipr_db_test_sql(
        "UPDATE game SET white_elo = 2100 WHERE white_id = (SELECT id FROM player WHERE "
        "name = 'kasparov,g')");
    ipr_db_test_sql(
        "UPDATE game SET white_elo = 2700 WHERE white_id = (SELECT id FROM player WHERE "
        "name = 'kasparov,garry')");
    assert_ok(
        ipr_db_distinct(f->db, id_of("spassky,b"), id_of("spassky,boris"), "me", NULL, &f->err),
        &f->err);
}

static const char *merged_now(struct ipr_db_fixture *f)
{
    const char *s = ipr_db_test_sql(
        "SELECT coalesce(string_agg(p.name || ' is ' || q.name, '; ' ORDER BY p.name), '') FROM "
        "player p JOIN player q ON q.id = p.merged_into");

    return ipr_arena_strndup(&f->mem, s, strlen(s));
}

#define WANT "karpov,an is karpov,anatoly; petrosian,t is petrosian,tigran v"

static void test_list(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_spelling *s = open_people(f);
    struct ipr_db_alias *rows = NULL;
    size_t n = 0;

    play_all(f);
    assert_ok(ipr_db_aliases(f->db, s, 10, SIZE_MAX, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 2);
    assert_string_equal(rows[0].who.name, "karpov,an");
    assert_string_equal(rows[0].into.name, "karpov,anatoly");
    assert_int_equal(rows[0].into.games, 1);
    assert_string_equal(rows[1].who.name, "petrosian,t");
    assert_ok(ipr_db_aliases(f->db, s, 1, SIZE_MAX, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 1);
    assert_ok(ipr_db_aliases(f->db, s, 10, 1, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 1); /* the second pair is not checked */
    assert_string_equal(merged_now(f), "");
    ipr_spelling_close(&s);
}

static void test_merge_and_undo(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_spelling *s = open_people(f);
    struct ipr_db_identity_change change;
    int64_t batch = 0;
    int32_t merged = 0;

    play_all(f);
    assert_ok(ipr_db_aliases_merge(f->db, s, "me", &batch, &merged, &f->err), &f->err);
    assert_int_equal(merged, 2);
    assert_string_equal(merged_now(f), WANT);
    assert_ok(ipr_db_identity_change_get(f->db, batch + 1, &f->mem, &change, &f->err), &f->err);
    assert_int_equal(change.batch, batch);
    assert_ok(ipr_db_identity_undo(f->db, batch + 1, "you", &f->err),
              &f->err); /* any change of the batch */
    assert_string_equal(merged_now(f), "");
    assert_int_equal(ipr_db_identity_undo(f->db, batch, "you", &f->err), IPR_ECONFLICT);
    assert_string_equal(f->err.type, "already_undone");
    ipr_err_clear(&f->err);
    assert_ok(ipr_db_aliases_merge(f->db, s, "me", &batch, &merged, &f->err), &f->err);
    assert_int_equal(merged, 2);
    assert_ok(ipr_db_aliases_merge(f->db, s, "me", &batch, &merged, &f->err), &f->err);
    assert_int_equal(merged, 0);
    assert_int_equal(batch, 0);
    ipr_spelling_close(&s);
}

/* The batch cannot be undone while a later change depends on one of its changes. */
static void test_later_change_blocks_undo(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_spelling *s = open_people(f);
    int64_t batch = 0, later = 0;
    int32_t merged = 0;

    play_all(f);
    assert_ok(ipr_db_aliases_merge(f->db, s, "me", &batch, &merged, &f->err), &f->err);
    assert_ok(ipr_db_merge(f->db, id_of("karpov,anatoly"), id_of("karpov,a"), false, "me", &later,
                           &f->err),
              &f->err);
    const char *before = merged_now(f);
    assert_int_equal(ipr_db_identity_undo(f->db, batch, "me", &f->err), IPR_ECONFLICT);
    assert_string_equal(f->err.type, "later_change");
    ipr_err_clear(&f->err);
    assert_string_equal(merged_now(f), before);
    assert_ok(ipr_db_identity_undo(f->db, later, "me", &f->err), &f->err);
    assert_ok(ipr_db_identity_undo(f->db, batch, "me", &f->err), &f->err);
    assert_string_equal(merged_now(f), "");
    ipr_spelling_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_list),
        WITH_DB(test_merge_and_undo),
        WITH_DB(test_later_change_blocks_undo),
    };

    return cmocka_run_group_tests_name("aliases", tests, NULL, NULL);
}
