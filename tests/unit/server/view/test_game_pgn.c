/* A judge's evaluations among what a game said itself. */
#include "chess/san.h"
#include "ipr_test.h"
#include "view/game/game.h"

static struct row {
    const char *name;
    uint8_t mover;
    int16_t score; /* of the move played, mover's view, before it */
    bool evaluated, mate;
    int32_t value;
} rows[] = {
    { "White is better", IPR_WHITE, 23, true, false, 23 },
    { "Black is better", IPR_BLACK, 23, true, false, -23 },
    { "Black is worse", IPR_BLACK, -150, true, false, 150 },
    { "level", IPR_BLACK, 0, true, false, 0 },
    { "White mates in three, the move one of them", IPR_WHITE, IPR_SCORE_MATE - 3, true, true, 2 },
    { "Black mates in three", IPR_BLACK, IPR_SCORE_MATE - 3, true, true, -2 },
    { "White is mated in three, all to come", IPR_WHITE, -IPR_SCORE_MATE + 3, true, true, -3 },
    { "Black is mated in one", IPR_BLACK, -IPR_SCORE_MATE + 1, true, true, 1 },
    { "the move mates", IPR_WHITE, IPR_SCORE_MATE - 1, false, false, 0 },
};

static void test_row(void **state)
{
    const struct row *r = *state;
    const int16_t score[] = { 900, 900, IPR_SCORE_NONE, r->score };
    const struct ipr_judged_turn t = {
        .mover = r->mover, .depth = 2, .lines = 2, .played = 1, .score = score
    };
    bool mate;
    int32_t value;

    assert_int_equal(ipr_eval_after(&t, &mate, &value), r->evaluated);
    if (r->evaluated) {
        assert_int_equal(mate, r->mate);
        assert_int_equal(value, r->value);
    }
}

/* ---- Written among the notes of the game ---- */

#define SEARCHED(p, m)                                                                             \
    {                                                                                              \
        .ply = p, .kind = IPR_NOTE_SEARCH, .search = {                                             \
            .move = m,                                                                             \
            .value = 1,                                                                            \
            .depth = 30,                                                                           \
            .seldepth = 40,                                                                        \
            .tbhits = 2,                                                                           \
            .time_ms = 9                                                                           \
        }                                                                                          \
    }

static ipr_move move_of(const struct ipr_pos *pos, const char *san)
{
    struct ipr_err err = IPR_ERR_INIT;
    ipr_move m = IPR_MOVE_NONE;

    assert_ok(ipr_san_read(pos, ipr_str_c(san), &m, &err), &err);
    return m;
}

/* 1. e4 e5, both judged over three depths; the file evaluated both, and searched 1. e4. */
struct example {
    struct ipr_stored_game game;
    struct ipr_judged_game judged;
    struct ipr_pgn_note notes[6];
    struct ipr_pgn_tag tags[2];
    ipr_move moves[2], white[3], black[1];
    int16_t white_score[9], black_score[3];
    struct ipr_judged_turn turns[2];
};

static void make_example(struct example *x)
{
    struct ipr_pos pos;

    *x = (struct example){
        .tags = { { IPR_STR("Evaluator"), IPR_STR("somebody") },
                  { IPR_STR("Annotator"), IPR_STR("somebody else") } },
        /* mate at the first depth, not reported at the second: neither counts as a change */
        .white_score = { 10, 40, 35, IPR_SCORE_MATE - 5, 20, 30, IPR_SCORE_NONE, 50, 30 },
        .black_score = { 0, -12, -20 },
    };
    ipr_pos_start(&pos);
    x->game.row.start = pos;
    x->white[0] = move_of(&pos, "d4");
    x->white[1] = move_of(&pos, "c4");
    x->moves[0] = x->white[2] = move_of(&pos, "e4");
    ipr_pos_play(&pos, x->moves[0]);
    x->moves[1] = x->black[0] = move_of(&pos, "e5");
    x->turns[0] = (struct ipr_judged_turn){ .mover = IPR_WHITE,
                                            .depth = 3,
                                            .lines = 3,
                                            .played = 2,
                                            .legal = 20,
                                            .moves = x->white,
                                            .score = x->white_score };
    x->turns[1] = (struct ipr_judged_turn){ .ply = 1,
                                            .mover = IPR_BLACK,
                                            .depth = 3,
                                            .lines = 1,
                                            .legal = 1,
                                            .moves = x->black,
                                            .score = x->black_score };
    const struct ipr_pgn_note notes[6] = {
        { .ply = 0, .kind = IPR_NOTE_COMMENT, .text = IPR_STR("Well") },
        { .ply = 1, .kind = IPR_NOTE_NAG, .nag = 1 },
        { .ply = 1, .kind = IPR_NOTE_EVAL, .value = 99, .depth = 40 },
        SEARCHED(1, x->moves[0]),
        { .ply = 2, .kind = IPR_NOTE_CLK, .ms = 60000 },
        { .ply = 2, .kind = IPR_NOTE_EVAL, .value = 98 },
    };
    memcpy(x->notes, notes, sizeof notes);
    x->judged = (struct ipr_judged_game){ x->turns, 2 };
    x->game.row.moves = x->moves;
    x->game.row.n_moves = 2;
    x->game.tags = x->tags;
    x->game.n_tags = 2;
    x->game.notes = x->notes;
    x->game.n_notes = 6;
}

static struct form {
    const char *name;
    bool judged;
    struct ipr_game_pgn how;
    const char *evaluator, *annotator, *movetext;
} forms[] = {
    { "as it came",
      false,
      { .form = IPR_PGN_NOTES },
      "[Evaluator \"somebody\"]",
      "[Annotator \"somebody else\"]",
      "{Well} 1. e4 $1 {[%eval 0.99,40]} {1,30,40,2,9,0,(0,0)} 1... e5 {[%clk 0:01:00]\n"
      " [%eval 0.98]} *" },
    { "evaluated",
      true,
      { .form = IPR_PGN_NOTES, .evals = true, .judge = { .engine = "E", .depth = 3 } },
      "[Evaluator \"E, network none, depth 3, 0 lines, hash 0 MB\"]",
      "[Annotator \"somebody else\"]",
      "{Well} 1. e4 $1 {[%eval 0.30,3]} {1,30,40,2,9,0,(0,0)} 1... e5 {[%eval 0.20,3]\n"
      " [%clk 0:01:00]} *" },
    { "plain",
      false,
      { .form = IPR_PGN_PLAIN },
      "[Evaluator \"somebody\"]",
      "[Annotator \"somebody else\"]",
      "1. e4 e5 *" },
    { "Alliot's, by the judge",
      true,
      { .form = IPR_PGN_ALLIOT, .judge = { .engine = "E", .depth = 3 } },
      NULL,
      "[Annotator \"Program:E, Network:none, TB:none, Hash Size:0M, Depth:3, ",
      "e2e4 {30,3,-,-,-,20,(20,2)} (d2d4 {35,3,-,-,-,18,(30,1)}) (c2c4\n"
      "{30,3,-,-,-,10,(10,2)}) e7e5 {-20,3,-,-,-,10,(12,1)} *" },
    { "Alliot's, as it came",
      false,
      { .form = IPR_PGN_ALLIOT },
      NULL,
      "[Annotator \"somebody else\"]",
      "e2e4 {1,30,40,2,9,0,(0,0)} e7e5 *" },
};

static void test_form(void **state)
{
    const struct form *r = *state;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_buf out = IPR_BUF_INIT, want = IPR_BUF_INIT;
    struct example x;

    make_example(&x);
    ipr_stored_game_pgn(&x.game, r->judged ? &x.judged : NULL, &r->how, &mem, &out);
    ipr_buf_printf(&want, "\n\n%s\n\n", r->movetext);
    assert_string_equal(strstr(ipr_buf_c(&out), "\n\n"), ipr_buf_c(&want));
    assert_non_null(strstr(ipr_buf_c(&out), r->annotator));
    if (r->evaluator != NULL)
        assert_non_null(strstr(ipr_buf_c(&out), r->evaluator));
    else
        assert_null(strstr(ipr_buf_c(&out), "[Evaluator"));
    ipr_buf_release(&want);
    ipr_buf_release(&out);
    ipr_arena_release(&mem);
}

int main(void)
{
    enum { N_ROWS = sizeof rows / sizeof *rows, N_FORMS = sizeof forms / sizeof *forms };
    struct CMUnitTest tests[N_ROWS + N_FORMS] = { 0 };

    for (size_t i = 0; i < N_ROWS; i++)
        tests[i] = (struct CMUnitTest){ .name = rows[i].name,
                                        .test_func = test_row,
                                        .initial_state = &rows[i] };
    for (size_t i = 0; i < N_FORMS; i++)
        tests[N_ROWS + i] = (struct CMUnitTest){ .name = forms[i].name,
                                                 .test_func = test_form,
                                                 .initial_state = &forms[i] };
    return cmocka_run_group_tests_name("game as PGN", tests, NULL, NULL);
}
