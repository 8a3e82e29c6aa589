/* Rating lists: matching players, importing again, the rating of a month. */
#include "elo.h"

#include <unistd.h>

static int32_t add_player(const char *name, const char *key, int32_t fide_id)
{
    char sql[256];

    snprintf(sql, sizeof sql,
             "INSERT INTO player (name, name_key, fide_id) VALUES ('%s', '%s', nullif(%d, 0))"
             " RETURNING id",
             name, key, (int)fide_id);
    return (int32_t)ipr_db_test_int(sql);
}

static const char *listed(int32_t id)
{
    char sql[256];

    snprintf(sql, sizeof sql,
             "SELECT name || ' by ' || matched_by FROM elo_history WHERE player_id = %d", (int)id);
    return ipr_db_test_sql(sql);
}

static const struct {
    const char *name, *key;
    int32_t fide_id;
    const char *listed; /* "" nobody */
} people[] = {
    { "Somebody, Else", "somebody,else", 701, "Adler, Vera by fide_id" },
    { "Adler V.", "adler v", 1701, "Adler, Vera by fide_id" },
    { "Adler, Vera", "adler,vera", 998, "" }, /* in the file with another id */
    { "Adler, Vera", "adler,vera", 0, "Adler, Vera by name" },
    { "Brandt, Ole", "brandt,ole", 999, "Brandt, Ole by name" }, /* in the file without an id */
    { "Brandt, O", "brandt,o", 0, "Brandt, Ole by name" },
    { "Ole Brandt", "ole brandt", 0, "Brandt, Ole by name" },
    { "Brandt", "brandt", 0, "" },
    { "Costa, Ana", "costa,ana", 0, "" }, /* two players */
    { "Dahl, Nils", "dahl,nils", 0, "" }, /* part of another name */
    { "Dahl, Nils", "dahl,nils", 704, "Dahl, Nils by fide_id" },
    { "Dahl, Nils Erik", "dahl,nils erik", 0, "Dahl, Nils Erik by name" },
    { "Elm, Jo", "elm,jo", 706, "" },     /* without ratings */
    { "Gray, Max", "gray,max", 707, "" }, /* an id of two players */
    { "Gray, Maxine", "gray,maxine", 0, "Gray, Maxine by name" },
    { "Nobody, Here", "nobody,here", 0, "" },
};

static void test_matching(void **state)
{
    struct ipr_view_scene *s = *state;
    int32_t ids[sizeof people / sizeof *people];
    size_t n = sizeof people / sizeof *people, found = 0;

    for (size_t i = 0; i < n; i++)
        ids[i] = add_player(people[i].name, people[i].key, people[i].fide_id);
    const struct ipr_ratings_result r = import(s, SAMPLE);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(listed(ids[i]), people[i].listed) != 0)
            fail_msg("%s (%d): '%s', not '%s'", people[i].name, (int)people[i].fide_id,
                     listed(ids[i]), people[i].listed);
        found += people[i].listed[0] != '\0';
    }
    assert_int_equal(r.persons, n);
    assert_int_equal(r.by_id, 3);
    assert_int_equal(r.by_id + r.by_name, found);
    assert_int_equal(r.changed, found);
    assert_int_equal(r.dropped, 0);
    assert_int_equal(r.faults, 0); /* none for these players */
}

static void merge(int32_t member, int32_t root)
{
    char sql[128];

    snprintf(sql, sizeof sql, "UPDATE player SET merged_into = %d WHERE id = %d", (int)root,
             (int)member);
    ipr_db_test_sql(sql);
}

/* All identities of a player are matched together. */
static void test_matching_of_merged_players(void **state)
{
    struct ipr_view_scene *s = *state;
    const int32_t brandt = add_player("Brandt, Ole", "brandt,ole", 0);
    const int32_t other = add_player("Elm, Jo", "elm,jo", 0);
    const int32_t adler = add_player("Adler, Vera", "adler,vera", 0);
    const int32_t short_adler = add_player("Adler, V", "adler,v", 0);
    const int32_t gray = add_player("Gray, Maxine", "gray,maxine", 0);
    const int32_t with_id = add_player("Gray, M", "gray,m", 704);

    merge(other, brandt); /* the names of two players: neither */
    merge(short_adler, adler);
    merge(gray, with_id); /* the id decides */
    const struct ipr_ratings_result r = import(s, SAMPLE);
    assert_string_equal(listed(brandt), "");
    assert_string_equal(listed(other), "");
    assert_string_equal(listed(adler), "Adler, Vera by name");
    assert_string_equal(listed(short_adler), "Adler, Vera by name");
    assert_string_equal(listed(gray), "");
    assert_string_equal(listed(with_id), "Dahl, Nils by fide_id");
    assert_int_equal(r.persons, 3);
    assert_int_equal(r.by_id, 1);
    assert_int_equal(r.by_name, 1);
    assert_int_equal(r.ratings, 12 + 5);
    assert_int_equal(r.changed, 3);

    /* The histories of one player are merged, list by list. */
    struct ipr_db_elo_listed *rows = NULL;
    size_t n = 0;
    assert_ok(ipr_db_elo_history(s->db, adler, 0, 0, &s->mem, &rows, &n, &s->err), &s->err);
    assert_int_equal(n, 5);
    assert_string_equal(rows[0].month, "1988-01");
    assert_string_equal(rows[4].month, "1991-07");
    assert_int_equal(rows[4].elo, 2440);
    assert_string_equal(rows[4].source, "lists.ssp");
}

static int64_t epoch(int32_t id)
{
    char sql[200];

    snprintf(sql, sizeof sql,
             "SELECT p.epoch + coalesce(o.epoch, 0) FROM player AS p LEFT JOIN opponent_epoch AS o"
             " ON o.player_id = p.id WHERE p.id = %d",
             (int)id);
    return ipr_db_test_int(sql);
}

static char changed_path[] = "/tmp/intrinsic-elo-XXXXXX";

static void write_changed(const char *text)
{
    FILE *f = fopen(changed_path, "wb");

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void test_second_import(void **state)
{
    struct ipr_view_scene *s = *state;

    store(s, game(s, 1, "brandt,ole", "x,y", "2009.05.01"));
    store(s, game(s, 2, "adler,vera", "u,v", "1990.05.01"));
    store(s, game(s, 3, "a,b", "c,d", "1990.05.01"));
    const int32_t brandt = ipr_db_test_player("brandt,ole"), x = ipr_db_test_player("x,y"),
                  u = ipr_db_test_player("u,v"), a = ipr_db_test_player("a,b");
    struct ipr_ratings_result r = import(s, SAMPLE);
    assert_int_equal(r.changed, 2);
    const int64_t before_u = epoch(u), before_x = epoch(x), before_brandt = epoch(brandt);
    assert_true(before_brandt > 0 && before_x > 0 && before_u > 0);
    assert_int_equal(epoch(a), 0); /* never met the others */

    r = import(s, SAMPLE);
    assert_int_equal(r.changed + r.dropped, 0);
    assert_int_equal(epoch(brandt), before_brandt);

    /* One rating has changed, one player is gone. */
    write_changed("@PLAYER\nBrandt, Ole\n  %Elo 2009:?,2300,2310,2320,2331\n");
    r = import(s, changed_path);
    assert_int_equal(r.changed, 1);
    assert_int_equal(r.dropped, 1);
    assert_int_equal(r.ratings, 4);
    assert_true(epoch(brandt) > before_brandt && epoch(x) > before_x && epoch(u) > before_u);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM elo_history"), 1);
    assert_string_equal(ipr_db_test_sql("SELECT listed[4] || ' ' || elo[4] FROM elo_history"),
                        "2009-11-01 2331");

    /* An unusable file changes nothing. */
    struct ipr_err err = IPR_ERR_INIT;
    write_changed("@PLAYER\nBrandt, Ole\n  %Bio FIDEID 5\n");
    assert_int_equal(ipr_ratings_import(s->db, changed_path, no_fault, NULL, &r, &err), IPR_EDATA);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM elo_history"), 1);
}

static void test_rating_of_a_month(void **state)
{
    static const struct {
        const char *month;
        int elo;
        const char *listed;
    } rows[] = {
        { "1987-12-01", 0, "" },           { "1988-01-01", 2400, "1988-01" },
        { "1988-12-01", 2400, "1988-01" }, { "1989-01-01", 2410, "1989-01" },
        { "1990-06-01", 2420, "1990-01" }, { "1990-07-01", 2430, "1990-07" },
        { "1991-06-01", 2430, "1990-07" }, /* not listed in January */
        { "1991-07-01", 2440, "1991-07" }, { "1992-07-01", 2440, "1991-07" }, /* a year old */
        { "1992-08-01", 0, "" },           { "2020-01-01", 0, "" },
    };
    enum { N = sizeof rows / sizeof *rows };
    struct ipr_view_scene *s = *state;
    const int32_t adler = add_player("Adler, Vera", "adler,vera", 0);
    const int32_t nobody = add_player("Nobody", "nobody", 0);
    struct ipr_db_elo_at at[N + 1] = { 0 };

    import(s, SAMPLE);
    for (size_t i = 0; i < N; i++) {
        at[i].person = adler;
        snprintf(at[i].month, sizeof at[i].month, "%s", rows[i].month);
    }
    at[N].person = nobody;
    snprintf(at[N].month, sizeof at[N].month, "1990-01-01");
    assert_ok(ipr_db_elo_at(s->db, at, N + 1, &s->err), &s->err);
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(at[i].elo, rows[i].elo);
        assert_string_equal(at[i].listed, rows[i].listed);
    }
    assert_int_equal(at[N].elo, 0);
}

static const char *real_file(void)
{
    const char *set = getenv("SCID_RATINGS_PATH");

    return set != NULL && set[0] != '\0' ? set : "/usr/share/scid/data/spelling.ssp";
}

static void test_installed_file(void **state)
{
    static const struct {
        const char *key, *month;
        int elo;
    } rows[] = {
        { "fischer,robert james", "1972-07-01", 2785 }, { "karpov,anatoly", "1974-09-01", 2700 },
        { "kasparov,garry", "1999-07-01", 2851 },       { "anand,viswanathan", "2009-09-01", 2788 },
        { "carlsen,magnus", "2012-08-01", 2837 },
    };
    enum { N = sizeof rows / sizeof *rows };
    struct ipr_view_scene *s = *state;
    struct ipr_db_elo_at at[N] = { 0 };
    struct ipr_ratings_result r = { 0 };
    struct ipr_err err = IPR_ERR_INIT;

    for (size_t i = 0; i < N; i++)
        at[i].person = add_player(rows[i].key, rows[i].key, 0);
    const enum ipr_code rc = ipr_ratings_import(s->db, real_file(), no_fault, NULL, &r, &err);
    if (rc == IPR_EIO || rc == IPR_EDATA) {
        printf("skipped: %s is not there or has no ratings (Debian package scid-rating-data)\n",
               real_file());
        skip();
    }
    assert_ok(rc, &err);
    assert_int_equal(r.by_name, N);
    for (size_t i = 0; i < N; i++)
        snprintf(at[i].month, sizeof at[i].month, "%s", rows[i].month);
    assert_ok(ipr_db_elo_at(s->db, at, N, &s->err), &s->err);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(at[i].elo, rows[i].elo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_VIEW(test_matching),       WITH_VIEW(test_matching_of_merged_players),
        WITH_VIEW(test_second_import),  WITH_VIEW(test_rating_of_a_month),
        WITH_VIEW(test_installed_file),
    };
    const int fd = mkstemp(changed_path);

    if (fd < 0)
        return 1;
    close(fd);
    const int failed = cmocka_run_group_tests_name("elo lists", tests, NULL, NULL);
    unlink(changed_path);
    return failed;
}
