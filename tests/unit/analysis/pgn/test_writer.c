#include "writer.h"

#include "chess/san.h"

static void play_all(const struct ipr_pos *start, const char *text, ipr_move *moves, size_t *n)
{
    struct ipr_str rest = ipr_str_c(text), word;
    struct ipr_pos pos = *start;

    for (*n = 0; ipr_str_word(&rest, &word); ++*n) {
        struct ipr_err err = IPR_ERR_INIT;

        assert_ok(ipr_san_read(&pos, word, &moves[*n], &err), &err);
        ipr_pos_play(&pos, moves[*n]);
    }
}

static struct ipr_buf written(const char *fen, const char *text, const struct ipr_pgn_tag *tags,
                              size_t n_tags, const struct ipr_pgn_note *notes, size_t n_notes,
                              enum ipr_pgn_form form, enum ipr_result result)
{
    struct ipr_buf out = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos start;
    ipr_move moves[64];
    size_t n;

    ipr_pos_start(&start);
    if (fen != NULL)
        assert_ok(ipr_pos_from_fen(&start, ipr_str_c(fen), &err), &err);
    play_all(&start, text, moves, &n);
    ipr_pgn_write_notes(&out, tags, n_tags, &start, moves, n, notes, n_notes, form, result);
    return out;
}

static struct row {
    const char *name, *fen, *moves;
    enum ipr_result result;
    size_t n_tags;
    struct ipr_pgn_tag tags[6];
    const char *want;
} rows[] = {
    { "missing tags",
      NULL,
      "e4 e5 Nf3",
      IPR_WHITE_WINS,
      0,
      { { { NULL, 0 }, { NULL, 0 } } },
      "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n"
      "[Black \"?\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n" },
    { "order and escapes",
      NULL,
      "",
      IPR_RESULT_UNKNOWN,
      4,
      { TAG("ECO", "A00"), TAG("White", "A \"B\" \\"), TAG("Event", ""), TAG("Board", "1\n2") },
      "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n"
      "[White \"A \\\"B\\\" \\\\\"]\n[Black \"?\"]\n[Result \"*\"]\n[ECO \"A00\"]\n"
      "[Board \"1 2\"]\n\n*\n\n" },
    { "tags in another case",
      NULL,
      "",
      IPR_DRAW,
      6,
      { TAG("white", "A"), TAG("black", "b"), TAG("Black", "B"), TAG("RESULT", "1-0"),
        TAG("fen", "nonsense"), TAG("white", "C") },
      "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A\"]\n"
      "[Black \"B\"]\n[Result \"1/2-1/2\"]\n[black \"b\"]\n[white \"C\"]\n\n1/2-1/2\n\n" },
    { "Result agrees with the end",
      NULL,
      "",
      IPR_DRAW,
      1,
      { TAG("Result", "1-0") },
      "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n"
      "[Black \"?\"]\n[Result \"1/2-1/2\"]\n\n1/2-1/2\n\n" },
    { "from a position, Black first",
      "4k3/8/8/8/8/8/8/4K3 b - - 3 17",
      "Kd7 Kd2 Kd6",
      IPR_DRAW,
      1,
      { TAG("FEN", "nonsense") },
      "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n"
      "[Black \"?\"]\n[Result \"1/2-1/2\"]\n[SetUp \"1\"]\n"
      "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 3 17\"]\n\n17... Kd7 18. Kd2 Kd6 1/2-1/2\n\n" },
    { "lines below 80 columns",
      NULL,
      "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1",
      IPR_BLACK_WINS,
      0,
      { { { NULL, 0 }, { NULL, 0 } } },
      "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n"
      "[Black \"?\"]\n[Result \"0-1\"]\n\n"
      "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8.\n"
      "Ng1 Ng8 9. Nf3 Nf6 10. Ng1 0-1\n\n" },
};

static void test_text(void **state)
{
    const struct row *r = *state;
    struct ipr_buf out =
        written(r->fen, r->moves, r->tags, r->n_tags, NULL, 0, IPR_PGN_PLAIN, r->result);

    assert_string_equal(ipr_buf_c(&out), r->want);
    ipr_buf_release(&out);
}

#define NAG(p, g)                                                                                  \
    {                                                                                              \
        .ply = p, .kind = IPR_NOTE_NAG, .nag = g                                                   \
    }
#define COMMENT(p, s)                                                                              \
    {                                                                                              \
        .ply = p, .kind = IPR_NOTE_COMMENT, .text = { s, sizeof s - 1 }                            \
    }
#define EVAL(p, v, d)                                                                              \
    {                                                                                              \
        .ply = p, .kind = IPR_NOTE_EVAL, .value = v, .depth = d                                    \
    }
#define MATE(p, v, d)                                                                              \
    {                                                                                              \
        .ply = p, .kind = IPR_NOTE_EVAL, .mate = true, .value = v, .depth = d                      \
    }
#define CLK(p, t)                                                                                  \
    {                                                                                              \
        .ply = p, .kind = IPR_NOTE_CLK, .ms = t                                                    \
    }
#define EMT(p, t)                                                                                  \
    {                                                                                              \
        .ply = p, .kind = IPR_NOTE_EMT, .ms = t                                                    \
    }
#define UCI(f, r, t, u)                                                                            \
    (ipr_move)((f - 'a') + 8 * (r - 1) + 64 * ((t - 'a') + 8 * (u - 1))) /* a plain move */
/* The figures of the example in Alliot 2017, 2.4. */
#define SEARCH(p, m)                                                                               \
    {                                                                                              \
        .ply = p, .kind = IPR_NOTE_SEARCH, .search = { m, -90, 24, 43, 7, 124176, 8, 43, 3 }       \
    }
#define SEARCHED "{-90,24,43,7,124176,8,(43,3)}"
#define HUNDRED                                                                                    \
    "aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa "

/* Only the movetext is compared. Read and written again it is the same. */
static struct noted {
    const char *name, *fen, *moves;
    size_t n;
    struct ipr_pgn_note notes[6];
    enum ipr_pgn_form form;
    const char *want;
} noted[] = {
    { "glyphs",
      NULL,
      "e4 e5",
      3,
      { NAG(1, 1), NAG(1, 146), NAG(2, 0) },
      IPR_PGN_NOTES,
      "1. e4 $1 $146 e5 $0 1-0" },
    { "comment before the first move",
      NULL,
      "e4",
      1,
      { COMMENT(0, "Well") },
      IPR_PGN_NOTES,
      "{Well} 1. e4 1-0" },
    { "Black's number after a comment",
      NULL,
      "e4 e5 Nf3",
      1,
      { COMMENT(1, "best by test") },
      IPR_PGN_NOTES,
      "1. e4 {best by test} 1... e5 2. Nf3 1-0" },
    { "comment after the last move",
      NULL,
      "e4",
      1,
      { COMMENT(1, "Black resigned") },
      IPR_PGN_NOTES,
      "1. e4 {Black resigned} 1-0" },
    { "two comments remain two",
      NULL,
      "e4",
      2,
      { COMMENT(1, "one"), COMMENT(1, "two") },
      IPR_PGN_NOTES,
      "1. e4 {one} {two} 1-0" },
    { "braces and line ends in a comment",
      NULL,
      "e4",
      1,
      { COMMENT(1, " a {b}\r\n\r\nc;\td \x01 ") },
      IPR_PGN_NOTES,
      "1. e4 {a (b) c; d ?} 1-0" },
    { "nothing but white space",
      NULL,
      "e4 e5",
      1,
      { COMMENT(1, " \n ") },
      IPR_PGN_NOTES,
      "1. e4 e5 1-0" },
    { "evaluations",
      NULL,
      "e4 e5 Nf3 Nc6 Bb5 a6",
      6,
      { EVAL(1, 23, 0), EVAL(2, -5, 18), EVAL(3, 0, 0), EVAL(4, -1234, 0), MATE(5, 3, 0),
        MATE(6, -12, 30) },
      IPR_PGN_NOTES,
      "1. e4 {[%eval 0.23]} 1... e5 {[%eval -0.05,18]} 2. Nf3 {[%eval 0.00]} 2... Nc6\n"
      "{[%eval -12.34]} 3. Bb5 {[%eval #3]} 3... a6 {[%eval #-12,30]} 1-0" },
    { "clocks",
      NULL,
      "e4 e5",
      4,
      { CLK(1, 7199000), EMT(1, 1500), CLK(2, 30), EMT(2, 360000000) },
      IPR_PGN_NOTES,
      "1. e4 {[%clk 1:59:59] [%emt 0:00:01.5]} 1... e5 {[%clk 0:00:00.03]\n"
      " [%emt 100:00:00]} 1-0" },
    { "commands and comments keep their order",
      NULL,
      "e4",
      5,
      { EVAL(1, 23, 0), CLK(1, 60000), COMMENT(1, "text"), EMT(1, 1000), NAG(1, 5) },
      IPR_PGN_NOTES,
      "1. e4 {[%eval 0.23] [%clk 0:01:00]} {text} {[%emt 0:00:01]} $5 1-0" },
    { "commands of two moves are separate",
      NULL,
      "e4 e5",
      2,
      { EVAL(1, 23, 0), EVAL(2, 24, 0) },
      IPR_PGN_NOTES,
      "1. e4 {[%eval 0.23]} 1... e5 {[%eval 0.24]} 1-0" },
    { "other commands are text, not broken",
      NULL,
      "e4",
      1,
      { COMMENT(1, HUNDRED "[%cal Gc2c3,Rc3d4 ]x [%csl  Ra1] [%") },
      IPR_PGN_NOTES,
      "1. e4 {aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa\n"
      "aaaaaaaaa aaaaaaaaa [%cal Gc2c3,Rc3d4 ]x [%csl Ra1] [%} 1-0" },
    { "no line begins with a percent sign",
      NULL,
      "e4",
      1,
      { COMMENT(1, "aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaa %off") },
      IPR_PGN_NOTES,
      "1. e4 {aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaa\n %off} 1-0" },
    { "no line looks like a tag",
      NULL,
      "e4",
      1,
      { COMMENT(1, "aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaa "
                   "[Event \"x\"]") },
      IPR_PGN_NOTES,
      "1. e4 {aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaa\n"
      " [Event \"x\"]} 1-0" },
    { "a long word has a line of its own",
      NULL,
      "e4",
      1,
      { COMMENT(1, "x 0123456789012345678901234567890123456789"
                   "01234567890123456789012345678901234567890123456789 y") },
      IPR_PGN_NOTES,
      "1. e4 {x\n0123456789012345678901234567890123456789"
      "01234567890123456789012345678901234567890123456789\ny} 1-0" },
    { "searches among the notes",
      NULL,
      "e4 e5",
      4,
      { SEARCH(1, UCI('e', 2, 'e', 4)), SEARCH(1, UCI('d', 2, 'd', 4)),
        SEARCH(2, UCI('e', 7, 'e', 5)), SEARCH(2, UCI('g', 8, 'f', 6)) },
      IPR_PGN_NOTES,
      "1. e4 " SEARCHED " (1. d4 " SEARCHED ") 1...\ne5 " SEARCHED " (1... Nf6 " SEARCHED ") 1-0" },
    { "Alliot's form",
      NULL,
      "e4 e5 Nf3",
      5,
      { NAG(1, 1), SEARCH(2, UCI('e', 7, 'e', 5)), SEARCH(2, UCI('g', 8, 'f', 6)),
        COMMENT(2, "gone"), EVAL(3, 5, 0) },
      IPR_PGN_ALLIOT,
      "e2e4 e7e5 " SEARCHED " (g8f6 " SEARCHED ")\ng1f3 1-0" },
    { "what is unknown of a search",
      NULL,
      "e4",
      1,
      { { .ply = 1,
          .kind = IPR_NOTE_SEARCH,
          .search = { UCI('e', 2, 'e', 4), -90, 24, IPR_NOTE_UNKNOWN, IPR_NOTE_UNKNOWN,
                      IPR_NOTE_UNKNOWN, 8, 43, 3 } } },
      IPR_PGN_ALLIOT,
      "e2e4 {-90,24,-,-,-,8,(43,3)} 1-0" },
    { "castling and promotion in Alliot's form",
      "5k2/P7/8/8/8/8/8/4K2R w K - 0 1",
      "O-O+ Kg7 a8=N",
      0,
      { NAG(0, 0) },
      IPR_PGN_ALLIOT,
      "e1g1 f8g7 a7a8n 1-0" },
    { "no search before the first move",
      NULL,
      "e4",
      1,
      { SEARCH(0, UCI('e', 2, 'e', 4)) },
      IPR_PGN_ALLIOT,
      "e2e4 1-0" },
    { "no notes in the plain form",
      NULL,
      "e4 e5",
      5,
      { NAG(1, 1), COMMENT(1, "text"), EVAL(1, 5, 0), CLK(1, 5), SEARCH(1, UCI('d', 2, 'd', 4)) },
      IPR_PGN_PLAIN,
      "1. e4 e5 1-0" },
    { "Black to move first",
      "4k3/8/8/8/8/8/8/4K3 b - - 3 17",
      "Kd7 Kd2",
      2,
      { COMMENT(0, "a study"), COMMENT(1, "forced") },
      IPR_PGN_NOTES,
      "{a study} 17... Kd7 {forced} 18. Kd2 1-0" },
};

static void test_noted(void **state)
{
    const struct noted *r = *state;
    struct ipr_buf out =
        written(r->fen, r->moves, NULL, 0, r->notes, r->n, r->form, IPR_WHITE_WINS);
    struct ipr_buf want = IPR_BUF_INIT;

    ipr_buf_printf(&want, "\n\n%s\n\n", r->want);
    assert_string_equal(strstr(ipr_buf_c(&out), "\n\n"), ipr_buf_c(&want));
    ipr_buf_release(&want);

    struct copy again = copy_of(text_of(&out), r->form);
    assert_string_equal(ipr_buf_c(&again.out), ipr_buf_c(&out));
    ipr_buf_release(&again.out);
    ipr_buf_release(&out);
}

/* Alliot's headers have only the roster, Annotator, and the first position. */
static void test_alliot_tags(void **state)
{
    static const struct ipr_pgn_tag tags[] = { TAG("ECO", "A00"), TAG("White", "A"),
                                               TAG("Annotator", "Format:value") };
    struct ipr_buf out = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos start;

    (void)state;
    assert_ok(ipr_pos_from_fen(&start, IPR_STR("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), &err), &err);
    ipr_pgn_write_notes(&out, tags, 3, &start, NULL, 0, NULL, 0, IPR_PGN_ALLIOT, IPR_DRAW);
    assert_string_equal(ipr_buf_c(&out),
                        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n"
                        "[White \"A\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n"
                        "[Annotator \"Format:value\"]\n[SetUp \"1\"]\n"
                        "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1/2-1/2\n\n");
    ipr_buf_release(&out);
}

int main(void)
{
    enum { N_ROWS = sizeof rows / sizeof *rows, N_NOTED = sizeof noted / sizeof *noted };
    struct CMUnitTest tests[N_ROWS + N_NOTED + 1] = { cmocka_unit_test(test_alliot_tags) };
    size_t n = 1;

    for (size_t i = 0; i < N_ROWS; i++)
        tests[n++] = (struct CMUnitTest){ .name = rows[i].name,
                                          .test_func = test_text,
                                          .initial_state = &rows[i] };
    for (size_t i = 0; i < N_NOTED; i++)
        tests[n++] = (struct CMUnitTest){ .name = noted[i].name,
                                          .test_func = test_noted,
                                          .initial_state = &noted[i] };
    return cmocka_run_group_tests_name("pgn writer", tests, NULL, NULL);
}
