#include "db/import_filter.h"

#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

/* A game that is asked about after another one was added; the first is that of players 7 and 8,
 * moves 70, stem 5, in 1990. `before`: there were games and players up to number 7. */
static const struct row {
    const char *name;
    bool before;
    int32_t white, black, stem;
    int64_t moves;
    int year;
    bool pair, same_moves;
} rows[] = {
    { "the same", false, 7, 8, 5, 70, 1990, true, true },
    { "other moves of the same stem", false, 7, 8, 5, 71, 1990, true, false },
    { "another stem", false, 7, 8, 6, 71, 1990, false, false },
    { "colours reversed", false, 8, 7, 5, 70, 1990, false, true },
    { "other players", false, 7, 9, 5, 70, 1990, false, true },
    { "another year", false, 7, 8, 5, 70, 1991, true, false },
    { "no year", false, 7, 9, 5, 71, 0, false, true },
    { "a new player in a database with games", true, 7, 9, 6, 71, 1991, false, true },
    { "a new player's game of before", true, 7, 8, 5, 71, 1991, true, true },
    { "old players", true, 6, 7, 6, 71, 1991, true, true },
};

static struct ipr_db_new_game game(const struct row *r)
{
    return (struct ipr_db_new_game){ .white_id.id = r->white,
                                     .black_id.id = r->black,
                                     .stem = r->stem,
                                     .moves_key = r->moves,
                                     .year = r->year };
}

static void test_rows(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_import_filter *own[2] = { NULL, NULL };
    const struct ipr_db_new_game first = game(&rows[0]);
    struct ipr_db_new_game stored[4];

    assert_ok(ipr_db_import_filter_open(f->db, &own[false], &f->err), &f->err);
    for (unsigned i = 0; i < 4; i++)
        stored[i] = ipr_sample_game(&f->mem, i + 1, ipr_arena_printf(&f->mem, "w%u", i),
                                    i < 3 ? ipr_arena_printf(&f->mem, "b%u", i) : "w0", 2001, 20);
    ipr_sample_store(f->db, stored, 4, "");
    assert_int_equal(ipr_db_test_int("SELECT max(id) FROM player"), 7);
    assert_ok(ipr_db_import_filter_open(f->db, &own[true], &f->err), &f->err);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(ipr_db_import_filter_may_have_pair(own[i], &first), false);
        assert_int_equal(ipr_db_import_filter_may_have_moves(own[i], &first), i);
        ipr_db_import_filter_add(own[i], &first);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct ipr_db_new_game g = game(&rows[i]);

        print_message("  %s\n", rows[i].name);
        assert_int_equal(ipr_db_import_filter_may_have_pair(own[rows[i].before], &g), rows[i].pair);
        assert_int_equal(ipr_db_import_filter_may_have_moves(own[rows[i].before], &g),
                         rows[i].same_moves);
    }
    ipr_db_import_filter_free(&own[false]);
    ipr_db_import_filter_free(&own[true]);
    assert_null(own[true]);
}

/* Too short for a stem it may be the beginning of any game, without a year of any year. */
static void test_unsaid(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_import_filter *own = NULL;
    struct ipr_db_new_game g = { .white_id.id = 1, .black_id.id = 2, .moves_key = 3 };

    assert_ok(ipr_db_import_filter_open(f->db, &own, &f->err), &f->err);
    ipr_db_import_filter_add(own, &g);
    g.stem = 9;
    g.year = 1970;
    assert_true(ipr_db_import_filter_may_have_pair(own, &g));
    assert_true(ipr_db_import_filter_may_have_moves(own, &g));
    ipr_db_import_filter_free(&own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_rows),
        WITH_DB(test_unsaid),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
