/* Evaluations in PGN. */
#include <stdlib.h>
#include <string.h>

#include "core/file_evals.h"
#include "ipr_test.h"
#include "model/strength_pools.h"
#include "pgn/reader.h"

struct read {
    struct ipr_arena mem;
    struct ipr_file_evals e;
    struct ipr_interchange_game game;
    struct ipr_pos start;
    ipr_move *moves;
    size_t n_moves;
    bool suffices;
};

static enum ipr_code take(void *payload, const struct ipr_pgn_game *game, struct ipr_err *err)
{
    struct read *r = payload;

    (void)err;
    assert_ok(game->error.code, &game->error);
    ipr_file_evals_read(&game->start, game->moves, game->n_moves, game->notes, game->n_notes,
                        &r->mem, &r->e);
    r->start = game->start;
    r->n_moves = game->n_moves;
    r->moves = ipr_arena_alloc(&r->mem, game->n_moves + 1, sizeof *r->moves);
    memcpy(r->moves, game->moves, game->n_moves * sizeof *r->moves);
    r->suffices = ipr_file_evals_game(game, &r->mem, &r->game);
    return IPR_OK;
}

static struct read read_game(const char *pgn)
{
    const struct ipr_pgn_limits limits = { .notes = true };
    struct read r = { .mem = IPR_ARENA_INIT };
    struct ipr_pgn_reader *reader = ipr_pgn_reader_new(&limits, take, &r);
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_pgn_reader_feed(reader, pgn, strlen(pgn), &err), &err);
    assert_ok(ipr_pgn_reader_finish(reader, &err), &err);
    ipr_pgn_reader_free(&reader);
    return r;
}

/* Eleven moves of each side; after each half-move the comment of that number. */
static struct read read_with(const char *const comment[22])
{
    static const char *const move[22] = { "e4",  "e5",  "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6",
                                          "O-O", "Be7", "Re1", "b5",  "Bb3", "d6", "c3",  "O-O",
                                          "h3",  "Na5", "Bc2", "c5",  "d4",  "Qc7" };
    struct ipr_buf pgn = IPR_BUF_INIT;
    struct read r;

    ipr_buf_puts(&pgn, "[White \"A\"]\n[Black \"B\"]\n\n");
    for (size_t i = 0; i < 22; i++)
        ipr_buf_printf(&pgn, "%s %s%s%s\n", move[i], comment[i] != NULL ? "{" : "",
                       comment[i] != NULL ? comment[i] : "", comment[i] != NULL ? "}" : "");
    ipr_buf_puts(&pgn, "*\n");
    r = read_game(ipr_buf_c(&pgn));
    ipr_buf_release(&pgn);
    return r;
}

static void expect(const struct read *r, size_t i, unsigned ply, int best, int after)
{
    assert_true(i < r->e.n);
    assert_int_equal(r->e.moves[i].ply, ply);
    assert_int_equal(r->e.moves[i].best, best);
    assert_int_equal(r->e.moves[i].after, after);
}

/* The evaluation before a move is that after the one before; each from the mover's view. */
static void test_before_and_after(void **state)
{
    struct read r = read_with((const char *const[22]){ [15] = "[%eval 0.30]",
                                                       [16] = "[%eval 0.10,20] good",
                                                       [17] = "[%eval #-3]",
                                                       [19] = "[%eval 45,18]",
                                                       [20] = "[%eval -12.5]" });

    (void)state;
    assert_int_equal(r.e.view, IPR_EVALS_COMMANDS);
    assert_int_equal(r.e.wanted, 6);
    assert_int_equal(r.e.depth, 18);
    assert_int_equal(r.e.n, 3);
    expect(&r, 0, 16, 30, 10);
    expect(&r, 1, 17, -10, 1000);
    expect(&r, 2, 20, 45, -1000);
    assert_int_equal(r.e.moves[0].legal, 27);
    assert_false(ipr_file_evals_suffice(&r.e));
    ipr_arena_release(&r.mem);
}

static void test_bad_forms_are_no_evaluations(void **state)
{
    struct read r = read_with((const char *const[22]){ [15] = "[%eval 0.3x]",
                                                       [16] = "0.30",
                                                       [17] = "+0.30 / 12",
                                                       [18] = "+0.3/12",
                                                       [19] = "better is +0.30/12",
                                                       [20] = "+M3/12" });

    (void)state;
    assert_int_equal(r.e.view, IPR_EVALS_NONE);
    assert_int_equal(r.e.n, 0);
    ipr_arena_release(&r.mem);
}

/* A stated depth must be one that the calibration covers. */
static void test_shallow(void **state)
{
    struct read r = read_with((const char *const[22]){
        [15] = "[%eval 0.30,11]", [16] = "[%eval 0.10,12]", [17] = "[%eval 0.10,12]" });

    (void)state;
    assert_int_equal(r.e.n, 1);
    expect(&r, 0, 17, -10, -10);
    ipr_arena_release(&r.mem);
}

static const char *const white_view[22] = {
    [14] = "+1.20/18 3", [15] = "+1.30/18 12", [16] = "+1.10/16", [17] = "+1.25/18 1.2s",
    [18] = "+1.05/18",   [19] = "0.95/18",     [20] = "+1.50/19", [21] = "+1.40/18, White wins"
};
static const char *const own_view[22] = {
    [14] = "+1.20/18 3", [15] = "-1.30/18 12", [16] = "+1.10/16", [17] = "-1.25/18 1.2s",
    [18] = "+1.05/18",   [19] = "-0.95/18",    [20] = "+1.50/19", [21] = "-1.40/18"
};
static const char *const level[22] = {
    [14] = "+0.20/18", [15] = "+0.30/18", [16] = "+0.10/16", [17] = "-0.25/18",
    [18] = "+0.05/18", [19] = "0.00/18",  [20] = "+0.50/19", [21] = "+1.40/18"
};

static void test_view(void **state)
{
    struct read r = read_with(white_view);

    (void)state;
    assert_int_equal(r.e.view, IPR_EVALS_WHITE);
    assert_int_equal(r.e.depth, 16);
    assert_int_equal(r.e.n, 6);
    expect(&r, 0, 16, 130, 110);
    expect(&r, 5, 21, -150, -140);
    assert_true(ipr_file_evals_suffice(&r.e));
    ipr_arena_release(&r.mem);

    r = read_with(own_view);
    assert_int_equal(r.e.view, IPR_EVALS_MOVERS);
    assert_false(ipr_file_evals_suffice(&r.e));
    ipr_arena_release(&r.mem);

    r = read_with(level);
    assert_int_equal(r.e.view, IPR_EVALS_UNDECIDED);
    assert_false(ipr_file_evals_suffice(&r.e));
    ipr_arena_release(&r.mem);
}

/* Nobody writes the evaluation of a mated king. */
static void test_mate_ends_a_game(void **state)
{
    struct read r =
        read_game("[White \"A\"]\n[Black \"B\"]\n[SetUp \"1\"]\n"
                  "[FEN \"7k/8/6K1/8/8/8/8/R7 w - - 0 1\"]\n\n"
                  "1. Rb1 Kg8 2. Ra1 Kh8 3. Rb1 Kg8 4. Ra1 Kh8 5. Rb1 Kg8 6. Ra1 Kh8 7. "
                  "Rb1 Kg8 8. Rc1 Kh8 9. Rd1 {[%eval #1]} Kg8 {[%eval #1]} 10. Rd8# 1-0\n");

    (void)state;
    assert_int_equal(r.e.n, 2);
    expect(&r, 0, 17, -1000, -1000);
    expect(&r, 1, 18, 1000, 1000);
    ipr_arena_release(&r.mem);
}

/* A position that occurred before is marked, unless a move since cannot be taken back. */
static void test_repetition(void **state)
{
    struct read r = read_game(
        "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Ng1 Ng8 4. Nf3 Nf6 5. Ng1 Ng8 6. "
        "Nf3 "
        "Nf6 7. Ng1 Ng8 8. Nf3 Nf6 {[%eval 0.1]} 9. Ng1 {[%eval 0.1]} Ng8 {[%eval 0.1]} 10. a3 "
        "{[%eval 0.1]} a6 {[%eval 0.1]} *\n");

    (void)state;
    assert_int_equal(r.e.n, 4);
    assert_true(r.e.moves[0].repeated && r.e.moves[2].repeated);
    assert_false(r.e.moves[3].repeated);
    ipr_arena_release(&r.mem);
}

/* Three moves of each side from the ninth on. */
static void test_sides(void **state)
{
    const char *comment[22] = { NULL };
    const struct ipr_pool *const otb = ipr_pool_of(0);
    struct ipr_side_sums sums[2];
    struct ipr_pos start;
    struct read r;

    (void)state;
    for (size_t i = 15; i < 21; i++)
        comment[i] = i % 2 != 0 ? "[%eval 0.30]" : "[%eval -0.10]";
    r = read_with(comment);
    assert_true(r.e.n == 5 && r.e.wanted == 6 && !r.suffices); /* five of six */
    comment[21] = "[%eval 1.2]";
    ipr_arena_release(&r.mem);
    r = read_with(comment);
    assert_true(r.suffices);
    assert_int_equal(r.game.sides, 3);
    assert_string_equal(r.game.judge.name, ipr_setting_name(IPR_FOR_FILES));
    assert_true(ipr_judge_valid(&r.game.judge));
    for (unsigned c = 0; c < 2; c++) {
        const struct ipr_side_figures *const side = &r.game.figures[c];

        assert_int_equal(side->n, 3);
        for (size_t i = 0; i < side->n; i++) {
            assert_int_equal(side->turns[i].ply, 16 + c + 2 * i);
            assert_true(side->turns[i].played_cp <= side->turns[i].best_cp);
            assert_int_equal(side->second[i], IPR_FIGURES_NONE);
        }
        assert_int_equal(side->sums.version, IPR_FILE_EVALS_BY_MOVE);
        assert_int_equal(side->sums.moves, 3);
        assert_true(side->sums.information > 0);
    }
    assert_int_equal(r.game.figures[0].turns[0].best_cp, 30);
    assert_int_equal(r.game.figures[0].turns[0].played_cp, -10);
    start = r.start;
    ipr_file_evals_sums(&r.e, otb, &start, r.moves, r.n_moves, sums);
    assert_memory_equal(&sums[1].score, &r.game.figures[1].sums.score, sizeof sums[1].score);
    start.turn = IPR_BLACK; /* where Black moves first, the sides are the others */
    ipr_file_evals_sums(&r.e, otb, &start, r.moves, r.n_moves, sums);
    assert_int_equal(sums[0].score, r.game.figures[1].sums.score);
    ipr_arena_release(&r.mem);
}

/* Where the pool's scale is fitted to sides, each counts once, whatever its number of moves; one
 * that does not begin at the initial position has no estimate. */
static void test_by_side(void **state)
{
    const char *comment[22] = { NULL };
    struct ipr_pool online = *ipr_pool_of(0);
    struct ipr_side_sums sums[2], blunder[2];
    struct read r;

    (void)state;
    online.files.fit = &ipr_strength_online_rapid_files;
    for (size_t i = 0; i < 22; i++)
        comment[i] = "[%eval 0.20]";
    r = read_with(comment);
    ipr_file_evals_sums(&r.e, &online, &r.start, r.moves, r.n_moves, sums);
    for (unsigned c = 0; c < 2; c++) {
        assert_int_equal(sums[c].version, IPR_FILE_EVALS_BY_SIDE);
        assert_int_equal(sums[c].information, 1000000);
        assert_int_equal(sums[c].moves, 3);
    }
    r.start.key++;
    ipr_file_evals_sums(&r.e, &online, &r.start, r.moves, r.n_moves, blunder);
    assert_int_equal(blunder[0].information, 0);
    ipr_arena_release(&r.mem);
    for (size_t i = 10; i < 22; i += 2) /* White blunders, and Black gives it back */
        comment[i] = "[%eval -3.50]";
    r = read_with(comment);
    ipr_file_evals_sums(&r.e, &online, &r.start, r.moves, r.n_moves, blunder);
    assert_true(blunder[0].score < sums[0].score - 2000000);
    assert_true(blunder[1].score < sums[1].score - 1000000);
    ipr_arena_release(&r.mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_before_and_after),
        cmocka_unit_test(test_bad_forms_are_no_evaluations),
        cmocka_unit_test(test_shallow),
        cmocka_unit_test(test_view),
        cmocka_unit_test(test_mate_ends_a_game),
        cmocka_unit_test(test_repetition),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_by_side),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
