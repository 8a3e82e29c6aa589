/* Splitting players: figures are exact after a split and after it is undone. */
#include "people.h"

static struct ipr_db_game game_of(struct ipr_db_fixture *f, int64_t id)
{
    struct ipr_db_game game;

    assert_ok(ipr_db_game_get(f->db, id, &f->mem, &game, &f->err), &f->err);
    return game;
}

/* Judges a game as it was read, whatever has changed since. */
static void judge_as_read(struct ipr_db_fixture *f, const struct ipr_db_game *game, unsigned seed)
{
    const struct ipr_judge judge = ipr_sample_judge();
    const struct ipr_judged_game judged = ipr_sample_judgement(&f->mem, &judge, game, seed);

    ipr_sample_judged(f->db, ipr_sample_judge_id(f->db), game, &judged, 3);
}

static void test_split_and_undo(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_split s = into("elder");
    int64_t change = 0, merge = 0;

    play(f, 1, "twin", "x", 1950, true);
    play(f, 2, "x", "twin", 1951, true);
    play(f, 3, "twin", "y", 2001, true);
    play(f, 4, "y", "twin", 0, true);
    const int64_t unjudged = play(f, 5, "twin", "y", 1951, false);
    const int32_t twin = ipr_db_test_player("twin");
    const struct ipr_db_game read_before = game_of(f, unjudged);
    const struct figures whole = figures(f, twin, IPR_TIME_SET_DEFAULT);

    s.from = 1900, s.to = 1999;
    assert_ok(ipr_db_split(f->db, twin, &s, "me", &change, &f->err), &f->err);
    assert_consistent();
    const struct figures old = figures(f, ipr_db_test_player("elder"), IPR_TIME_SET_DEFAULT);
    const struct figures young = figures(f, twin, IPR_TIME_SET_DEFAULT);
    assert_int_equal(old.p.games, 3);
    assert_int_equal(young.p.games, 2);
    assert_int_equal(old.turns.n + young.turns.n, whole.turns.n);
    assert_int_equal(old.p.turns + young.p.turns, whole.p.turns);
    assert_true(old.turns.n > 0 && young.turns.n > 0);
    assert_int_equal(old.years[1].games, 2);
    judge_as_read(f, &read_before, 5); /* counts for its new player */
    assert_consistent();
    assert_true(figures(f, ipr_db_test_player("elder"), IPR_TIME_SET_DEFAULT).turns.n >
                old.turns.n);

    assert_ok(ipr_db_merge(f->db, ipr_db_test_player("elder"), ipr_db_test_player("x"), true, "me",
                           &merge, &f->err),
              &f->err);
    assert_conflict(f, ipr_db_identity_undo(f->db, change, "me", &f->err), "later_change");
    assert_ok(ipr_db_identity_undo(f->db, merge, "me", &f->err), &f->err);
    assert_ok(ipr_db_identity_undo(f->db, change, "me", &f->err), &f->err);
    assert_consistent();
    assert_int_equal(figures(f, ipr_db_test_player("elder"), IPR_TIME_SET_DEFAULT).p.games, 0);
    assert_true(figures(f, twin, IPR_TIME_SET_DEFAULT).turns.n > whole.turns.n);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player_year WHERE games < 0"), 0);
}

static void test_undone_split_is_exact(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_split s = into("other");
    int64_t change = 0;

    const int64_t g1 = play(f, 1, "twin", "x", 1950, true);
    play(f, 2, "x", "twin", 1951, true);
    const int64_t g3 = play(f, 3, "twin", "y", 0, true);
    const int64_t self = play(f, 4, "twin", "twin", 1960, true);
    const int64_t foreign = play(f, 5, "x", "y", 1960, true);
    const int64_t three[] = { g1, g3, self }, wrong[] = { g1, foreign };
    const int32_t twin = ipr_db_test_player("twin");
    const char *before = snapshot(f);

    s.games = three, s.n_games = 3;
    assert_conflict(f, ipr_db_split(f->db, twin, &s, "me", NULL, &f->err), "both_sides");
    s.colour = 0;
    assert_ok(ipr_db_split(f->db, twin, &s, "me", &change, &f->err), &f->err);
    assert_consistent();
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game WHERE white_id <> black_id"), 5);
    assert_ok(ipr_db_identity_undo(f->db, change, "me", &f->err), &f->err);
    assert_string_equal(snapshot(f), before);

    s.colour = -1, s.games = wrong, s.n_games = 2;
    assert_int_equal(ipr_db_split(f->db, twin, &s, "me", NULL, &f->err), IPR_EDATA);
    assert_string_equal(f->err.type, "no_such_games");
    ipr_err_clear(&f->err);
    s.games = NULL, s.n_games = 0, s.tagged = "nobody of that name";
    assert_int_equal(ipr_db_split(f->db, twin, &s, "me", NULL, NULL), IPR_EDATA);
    s.tagged = "102"; /* the FIDE id of Black in game 2 */
    assert_ok(ipr_db_split(f->db, twin, &s, "me", &change, &f->err), &f->err);
    assert_int_equal(figures(f, ipr_db_test_player("other"), IPR_TIME_SET_DEFAULT).p.games, 1);
    assert_ok(ipr_db_identity_undo(f->db, change, "me", &f->err), &f->err);
    s = into("y");
    s.from = 1, s.to = 9999, s.colour = 1;
    assert_ok(ipr_db_split(f->db, twin, &s, "me", &change, &f->err), &f->err);
    assert_consistent(); /* into an existing identity with games */
    assert_ok(ipr_db_identity_undo(f->db, change, "me", &f->err), &f->err);
    assert_string_equal(snapshot(f), before);
    s = into("z");
    s.from = 1, s.to = 9999;
    assert_conflict(f, ipr_db_split(f->db, ipr_db_test_player("x"), &s, "me", NULL, &f->err),
                    "nothing_left");
    s = into("twin");
    s.from = 1950, s.to = 1950;
    assert_conflict(f, ipr_db_split(f->db, twin, &s, "me", NULL, &f->err), "same_player");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player WHERE name IN ('z')"), 0);
    assert_string_equal(snapshot(f), before);
}

/* Imported evaluations are counted separately and move with their game, too. */
static void test_split_of_imported(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_db_work import = { .source = "import:ann", .upload_id = 1 };
    const struct ipr_judge judge = ipr_sample_judge();
    const struct ipr_db_game game = game_of(f, play(f, 1, "twin", "x", 1950, false));
    const struct ipr_judged_game judged = ipr_sample_judgement(&f->mem, &judge, &game, 3);
    struct ipr_db_split s = into("elder");
    int64_t change = 0;

    play(f, 2, "twin", "y", 2001, true);
    ipr_sample_judged_by(f->db, ipr_sample_judge_id(f->db), &game, &judged, 3, &import);
    assert_consistent();
    const char *before = snapshot(f);
    s.from = 1900, s.to = 1999;
    assert_ok(ipr_db_split(f->db, ipr_db_test_player("twin"), &s, "me", &change, &f->err), &f->err);
    assert_consistent();
    assert_ok(ipr_db_identity_undo(f->db, change, "me", &f->err), &f->err);
    assert_string_equal(snapshot(f), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_split_and_undo),
        WITH_DB(test_undone_split_is_exact),
        WITH_DB(test_split_of_imported),
    };

    return cmocka_run_group_tests_name("splits", tests, NULL, NULL);
}
