/* Identities of players, searches for them, and their classes of time control. */
#include "people.h"

#include "db/time_classes.h"

static void test_identities(void **state)
{
    static const struct ipr_identity who[] = {
        { "Name, A", "name,a", "name,a", "Name, A", 0, false },
        { "Name, A", "name,a", "name,a", "Name, A", 7, false },
        { "A. Name", "a name", "a name", "A. Name", 7, false },
        { "?", "", "", "?", 0, false },
        { "Name, A", "name,a", "name,a", "Name, A", 0, false },
        { "Name, A", "name,a", "name,a", "Name, A", 8, false },
        { "Näme, A", "näme,a", "naeme,a", "Naeme,  A.", 0, false },
        { "?", "", "", "?", 9, false },
    };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_identity id[8], again[8];

    identities(f, who, 8, id);
    assert_int_equal(id[0].id, id[4].id);
    assert_int_equal(id[1].id, id[2].id);
    assert_true(id[0].id != id[1].id && id[1].id != id[5].id && id[0].id != id[5].id);
    assert_int_equal(id[3].id, IPR_PLAYER_NOBODY);
    assert_int_equal(id[7].id, IPR_PLAYER_NOBODY);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(id[i].person, id[i].id);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player WHERE id <> 0"), 4);
    assert_string_equal(ipr_db_test_sql("SELECT string_agg(name, '; ' ORDER BY key, player_id)"
                                        " FROM spelling"),
                        "A. Name; Naeme,  A.; Name, A; Name, A; Name, A; Näme, A");
    identities(f, who, 8, again);
    assert_memory_equal(id, again, sizeof id);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player WHERE id <> 0"), 4);
    assert_int_equal(ipr_db_test_int("SELECT max(id) FROM player"), 4); /* no id was skipped */

    assert_ok(ipr_db_merge(f->db, id[0].id, id[1].id, false, "me", NULL, &f->err), &f->err);
    identities(f, who, 8, again);
    assert_int_equal(again[0].id, id[0].id);
    assert_int_equal(again[0].person, id[1].id);
}

static void test_search_by_any_spelling(void **state)
{
    static const struct {
        const char *search;
        size_t found;
    } rows[] = {
        { "muller", 1 }, { "müller", 1 },        { "hans mul", 1 }, { "naeme", 1 },  { "name", 1 },
        { "hans", 1 },   { "\xc5\x82ukasz", 1 }, { "lukasz", 1 },   { "nobody", 0 }, { "uller", 0 },
        { "?", 0 },      { "muller name", 0 },
    };
    static const struct ipr_identity more[] = {
        { "Hans Müller", "hans müller", "hans müller", "Hans Müller", 7, false },
        { "Näme, A", "näme,a", "naeme,a", "Naeme, A", 0, false },
        { "Łukasz Müller", "łukasz müller", "łukasz müller", "Łukasz Müller", 7, false },
    };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_identity id[3];
    struct ipr_db_player *got = NULL;
    char sql[160];
    size_t n = 0;

    identities(f, more, 3, id);
    const int64_t game = play(f, 1, "x", "y", 2001, false);
    snprintf(sql, sizeof sql, "UPDATE game SET white_id = %d, black_id = %d WHERE id = %lld",
             (int)id[0].id, (int)id[1].id, (long long)game);
    ipr_db_test_sql(sql);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_ok(ipr_db_player_list(f->db, rows[i].search, 0, -1, 0, 10, NULL, &f->mem, &got, &n,
                                     &f->err),
                  &f->err);
        if (n != rows[i].found)
            fail_msg("\"%s\" finds %zu", rows[i].search, n);
    }
    /* Players without games are not listed, nor is the player of unknown name. */
    assert_ok(ipr_db_player_list(f->db, NULL, 0, -1, 0, 10, NULL, &f->mem, &got, &n, &f->err),
              &f->err);
    assert_int_equal(n, 2);
}

/* A search for "bobby" finds players named Robert as well as those named Bobby. */
static void test_search_by_short_given_name(void **state)
{
    static const struct {
        const char *search;
        size_t found;
    } rows[] = {
        { "bobby fis", 2 },    { "fischer, bobby", 2 }, { "rob fischer", 1 },
        { "vlad fischer", 0 }, { "bobbyx fischer", 0 }, { "bobby", 2 },
    };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_player *got = NULL;
    size_t n = 0;

    play(f, 1, "fischer,robert james", "fischer,bobby", 1971, false);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_ok(ipr_db_player_list(f->db, rows[i].search, 0, -1, 0, 10, NULL, &f->mem, &got, &n,
                                     &f->err),
                  &f->err);
        if (n != rows[i].found)
            fail_msg("%s finds %zu", rows[i].search, n);
    }
}

/* One letter of a word may be wrong, missing, superfluous or swapped, in any word from the fourth
 * letter on; and the first word may be the given name. */
static void test_search_near(void **state)
{
    static const struct {
        const char *search;
        size_t found;
    } rows[] = {
        { "fischer", 1 },        { "fisher", 1 },
        { "robert fishcer", 1 }, { "fischher,robbert", 1 },
        { "gischer", 1 },        { "ficher bob", 1 },
        { "fshr", 0 },           { "rib fischer", 0 },
        { "fisher a b c d", 0 }, { "fis'%er\\", 0 },
        { "o'kelly", 1 },        { "okely", 0 },
    };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_player *got = NULL;
    size_t n = 0;

    play(f, 1, "fischer,robert james", "o'kelly de galway,alberic", 1971, false);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_ok(
            ipr_db_player_list(f->db, rows[i].search, 0, -1, 0, 10, "", &f->mem, &got, &n, &f->err),
            &f->err);
        if (n != rows[i].found)
            fail_msg("%s finds %zu", rows[i].search, n);
    }
}

/* Each word in one of the ways that are given for it, and no other word in these. */
static void test_search_otherwise(void **state)
{
    static const struct {
        const char *search, *ways;
        size_t found;
    } rows[] = {
        { "aljechin", "aljechin>alekhin", 1 },
        { "aljechin", "", 0 },
        { "aljechin", "other>alekhin", 0 },
        { "alexander aljechin", "alexander>aleksander aljechin>alechin>alekhin", 1 },
        { "max aljechin", "aljechin>alekhin", 0 },
        { "a b c d aljechin", "aljechin>alekhin", 0 },
        { "aljechin", "aljechin>'%|&\\:*>alekhin", 1 },
    };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_player *got = NULL;
    size_t n = 0;

    play(f, 1, "alekhine,alexander", "euwe,max", 1935, false);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_ok(ipr_db_player_list(f->db, rows[i].search, 0, -1, 0, 10, rows[i].ways, &f->mem,
                                     &got, &n, &f->err),
                  &f->err);
        if (n != rows[i].found)
            fail_msg("%s as %s finds %zu", rows[i].search, rows[i].ways, n);
    }
}

static void test_nobody(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_new_game g = ipr_sample_game(&f->mem, 3, "someone", "x", 2001, 60);

    g.black = (struct ipr_identity){ .name = "?", .key = "", .tagged = "", .tagged_name = "?" };
    ipr_sample_store(f->db, &g, 1, "sample");
    ipr_sample_judge_game(f->db, &f->mem, g.id, 3);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player_year"), 1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player_total WHERE player_id = 0"), 0);
    assert_int_equal(ipr_db_test_int("SELECT sum(sides) FROM judge_total"), 2);
    assert_int_equal(ipr_db_merge(f->db, 0, ipr_db_test_player("someone"), false, "me", NULL, NULL),
                     IPR_ENOTFOUND);
    assert_int_equal(ipr_db_merge(f->db, ipr_db_test_player("someone"), 0, false, "me", NULL, NULL),
                     IPR_ENOTFOUND);
}

static void test_classes(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_player_year *top = NULL;
    size_t n = 0;

    for (unsigned i = 0; i < IPR_TIME_CLASSES; i++) {
        struct ipr_db_new_game g = ipr_sample_game(&f->mem, i + 1, "p", "q", 2001, 60);
        g.time_class = (enum ipr_time_class)i;
        ipr_sample_store(f->db, &g, 1, "sample");
        ipr_sample_judge_game(f->db, &f->mem, g.id, i);
    }
    assert_consistent();
    const struct figures some = figures(f, ipr_db_test_player("p"), IPR_TIME_SET_DEFAULT);
    const struct figures every = figures(f, ipr_db_test_player("p"), IPR_TIME_SET_ALL);
    const struct figures blitz = figures(f, ipr_db_test_player("p"), IPR_TIME_BIT(IPR_TIME_BLITZ));
    assert_int_equal(some.turns.games, 2);
    assert_int_equal(every.turns.games, IPR_TIME_CLASSES);
    assert_int_equal(blitz.turns.games, 1);
    assert_int_equal(some.years[0].games, 2);
    for (unsigned i = 0; i < IPR_TIME_CLASSES; i++)
        assert_int_equal(some.years[0].in_class[i], 1);
    assert_int_equal(every.years[0].games_judged, IPR_TIME_CLASSES);
    assert_int_equal(some.years[0].turns, some.turns.n);
    assert_int_equal(every.years[0].turns, every.turns.n);
    assert_int_equal(some.p.turns, some.turns.n);
    assert_true(blitz.turns.n > 0 && some.turns.n + blitz.turns.n < every.turns.n);

    const int32_t judge = ipr_sample_judge_id(f->db);
    assert_ok(ipr_db_player_years_top(f->db, judge, IPR_TIME_SET_DEFAULT, 1, 5, &f->mem, &top, &n,
                                      &f->err),
              &f->err);
    assert_int_equal(n, 2);
    assert_int_equal(top[0].games_judged, 2);
    assert_int_equal(top[0].games, 2);
}

/* After an upgrade: a game that names a server, with what was imported for it and what was
 * analysed. */
static void test_classes_renewed(void **state)
{
    struct ipr_db_fixture *f = *state;
    unsigned n = 99;

    for (unsigned i = 0; i < 3; i++) {
        struct ipr_db_new_game g = ipr_sample_game(&f->mem, i + 1, "p", "q", 2001, 60);

        g.time_class = IPR_TIME_RAPID;
        if (i < 2)
            g.tags_json =
                "{\"Event\":\"Rated Rapid game\",\"Site\":\"https://lichess.org/abcd1234\","
                "\"TimeControl\":\"600+0\"}";
        ipr_sample_store(f->db, &g, 1, "sample");
        ipr_sample_judge_game(f->db, &f->mem, g.id, i);
    }
    (void)ipr_db_test_sql("INSERT INTO game_to_classify (game_id) SELECT id FROM game");
    (void)ipr_db_test_sql("INSERT INTO game_before (game_id, upload_id, before)"
                          " SELECT g.id, g.upload_id, row_to_json(g) FROM game AS g LIMIT 1");
    assert_ok(ipr_db_time_classes_renew(f->db, &n, &f->err), &f->err);
    assert_int_equal(n, 3);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game WHERE time_class = 7"), 2);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game_before"
                                     " WHERE before ->> 'time_class' = '7'"),
                     1);
    assert_consistent();

    const struct figures online =
        figures(f, ipr_db_test_player("p"), IPR_TIME_BIT(IPR_TIME_ONLINE_RAPID));
    const struct figures rapid = figures(f, ipr_db_test_player("p"), IPR_TIME_BIT(IPR_TIME_RAPID));
    assert_int_equal(online.turns.games, 2);
    assert_int_equal(rapid.turns.games, 0); /* the third names nothing */
    assert_ok(ipr_db_time_classes_renew(f->db, &n, &f->err), &f->err);
    assert_int_equal(n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_identities),
        WITH_DB(test_search_by_any_spelling),
        WITH_DB(test_search_by_short_given_name),
        WITH_DB(test_search_near),
        WITH_DB(test_search_otherwise),
        WITH_DB(test_nobody),
        WITH_DB(test_classes),
        WITH_DB(test_classes_renewed),
    };

    return cmocka_run_group_tests_name("people", tests, NULL, NULL);
}
