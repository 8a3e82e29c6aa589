#include "db/endgames.h"

#include "db/games.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

static const struct ipr_db_endgame_turn sample[] = {
    { .ply = 80,
      .mover = 0,
      .men = 5,
      .before = 2,
      .after = 1,
      .dtz_before = 37,
      .dtz_after = 101 },
    { .ply = 81, .mover = 1, .men = 5, .before = -1, .after = 0, .dtz_before = -101 },
    { .ply = 82, .mover = 0, .men = 4 },
    { .ply = 84, .mover = 0, .men = 3, .before = -2, .after = -2, .dtz_before = -2 },
};
#define N_SAMPLE (sizeof sample / sizeof sample[0])

static int64_t new_game(struct ipr_db_fixture *f, unsigned seed)
{
    struct ipr_db_new_game g = ipr_sample_game(&f->mem, seed, "Ada", "Bo", 2001, 90);

    ipr_sample_store(f->db, &g, 1, "");
    return g.id;
}

static void check(struct ipr_db_fixture *f, int64_t game, const struct ipr_db_endgame_turn *want,
                  size_t n_want)
{
    struct ipr_db_endgame_turn *got = NULL;
    size_t n = 99;

    assert_ok(ipr_db_endgame_of(f->db, game, &f->mem, &got, &n, &f->err), &f->err);
    assert_int_equal(n, n_want);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(got[i].ply, want[i].ply);
        assert_int_equal(got[i].mover, want[i].mover);
        assert_int_equal(got[i].men, want[i].men);
        assert_int_equal(got[i].before, want[i].before);
        assert_int_equal(got[i].after, want[i].after);
        assert_int_equal(got[i].dtz_before, want[i].dtz_before);
        assert_int_equal(got[i].dtz_after, want[i].dtz_after);
    }
}

static void test_what_was_stored_is_read(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t game = new_game(f, 1), other = new_game(f, 2);

    check(f, game, NULL, 0);
    assert_ok(ipr_db_endgame_store(f->db, game, sample, N_SAMPLE, &f->err), &f->err);
    check(f, game, sample, N_SAMPLE);
    check(f, other, NULL, 0);
    /* No distance is NULL, so that no mean takes it for one. */
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM endgame_turn WHERE dtz_after IS NULL"),
                     3);
    assert_int_equal(ipr_db_test_int("SELECT dtz_before FROM endgame_turn WHERE ply = 81"), -101);
}

static void test_any_order_is_read_by_ply(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_db_endgame_turn shuffled[N_SAMPLE] = { sample[2], sample[0], sample[3],
                                                            sample[1] };
    const int64_t game = new_game(f, 1);

    assert_ok(ipr_db_endgame_store(f->db, game, shuffled, N_SAMPLE, &f->err), &f->err);
    check(f, game, sample, N_SAMPLE);
}

/* A game judged by a second judge, or by a worker with more tables, brings its turns again. */
static void test_what_is_there_stays(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_endgame_turn other = sample[0];
    const int64_t game = new_game(f, 1);

    other.after = -2;
    assert_ok(ipr_db_endgame_store(f->db, game, sample, 2, &f->err), &f->err);
    assert_ok(ipr_db_endgame_store(f->db, game, &other, 1, &f->err), &f->err);
    check(f, game, sample, 2);
    assert_ok(ipr_db_endgame_store(f->db, game, sample, N_SAMPLE, &f->err), &f->err);
    check(f, game, sample, N_SAMPLE);
}

static void test_nothing_is_stored_as_nothing(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t game = new_game(f, 1);

    assert_ok(ipr_db_endgame_store(f->db, game, NULL, 0, &f->err), &f->err);
    check(f, game, NULL, 0);
}

struct storing {
    int64_t game;
    struct ipr_db_endgame_turn turn;
};

static enum ipr_code store_and_give_up(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct storing *s = arg;
    const enum ipr_code rc = ipr_db_endgame_store(db, s->game, &s->turn, 1, err);

    return rc == IPR_OK ? ipr_err_set(err, IPR_ECONFLICT, "given up") : rc;
}

/* With the evaluations of the game, or not at all. */
static void test_belongs_to_the_callers_transaction(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct storing s = { .game = new_game(f, 1), .turn = sample[0] };

    assert_int_equal(ipr_db_tx(f->db, store_and_give_up, &s, &f->err), IPR_ECONFLICT);
    ipr_err_clear(&f->err);
    check(f, s.game, NULL, 0);
}

static void test_impossible_values_are_refused(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_endgame_turn wrong = sample[0];
    const int64_t game = new_game(f, 1);

    wrong.before = 3;
    assert_int_equal(ipr_db_endgame_store(f->db, game, &wrong, 1, NULL), IPR_EDB);
    assert_int_equal(ipr_db_endgame_store(f->db, game + 1000, sample, 1, NULL), IPR_ECONFLICT);
    check(f, game, NULL, 0);
}

static void test_goes_with_its_game(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t game = new_game(f, 1);

    assert_ok(ipr_db_endgame_store(f->db, game, sample, N_SAMPLE, &f->err), &f->err);
    ipr_db_test_sql("DELETE FROM game");
    check(f, game, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_what_was_stored_is_read),
        WITH_DB(test_any_order_is_read_by_ply),
        WITH_DB(test_what_is_there_stays),
        WITH_DB(test_nothing_is_stored_as_nothing),
        WITH_DB(test_belongs_to_the_callers_transaction),
        WITH_DB(test_impossible_values_are_refused),
        WITH_DB(test_goes_with_its_game),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
