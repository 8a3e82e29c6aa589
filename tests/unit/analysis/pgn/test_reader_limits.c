/* Limits of games, and input that is long, deep or hostile. */
#include "reader.h"

static struct limited {
    const char *name, *input, *want;
    struct ipr_pgn_limits limits;
} limited[] = {
    { "a long game is refused, not the file",
      "[White \"A\"] 1. e4 e5 {a comment that is too long}\n[White \"B\"] 1. d4 *",
      "A/e4 e5/* !game_too_long 1:1 2\nB/d4/*\n",
      { .max_game_bytes = 40 } },
    { "long and never closed",
      "[White \"A\"] 1. e4 {a comment that is never closed\n[White \"B\"] 1. d4 *",
      "A/e4/* !game_too_long 1:1 1\nB/d4/*\n",
      { .max_game_bytes = 40 } },
    { "long without a comment",
      "[White \"A\"] 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6\n[White \"B\"] 1. d4 *",
      "A/e4 e5 Nf3 Nc6/* !game_too_long 1:1 4\nB/d4/*\n",
      { .max_game_bytes = 38 } },
    { "many games without tags",
      "1. e4 e5 1-0\n1. d4 d5 1-0\n1. c4 c5 1-0\n1. f4 f5 1-0\n1. a4 Ke4 1-0\n[White \"B\"] *",
      "/e4 e5/1-0\n/d4 d5/1-0\n/c4 c5/1-0\n/f4 f5/1-0\n/a4/* !illegal_move 5:7 1\nB//*\n",
      { .max_game_bytes = 30 } },
    { "a remnant past the limit",
      "1. e4 e5 1-0 1-0 1-0 2. Nf3 Nc6 3. Bc4 *\n[White \"B\"] *",
      "/e4 e5/1-0\n//* !text_after_result 1:25 0\nB//*\n",
      { .max_game_bytes = 22 } },
    { "plies",
      "1. e4 e5 2. Nf3 Nc6 *\n[White \"B\"] 1. d4 *",
      "/e4 e5 Nf3/* !game_too_long 1:17 3\nB/d4/*\n",
      { .max_plies = 3 } },
    { "plies at the limit", "1. e4 e5 2. Nf3 *", "/e4 e5 Nf3/*\n", { .max_plies = 3 } },
};

static void test_limit(void **state)
{
    const struct limited *r = *state;
    const struct ipr_str input = ipr_str_c(r->input);

    for (size_t piece = 1; piece <= input.n; piece++)
        expect_games(input, piece, &r->limits, r->want);
}

/*
 * 4 MB of input for which a reader with quadratic time would take hours; linear time is less than a
 * second.
 */
static struct hostile {
    const char *name, *before, *repeated, *after, *want; /* want: NULL if there is no game */
    size_t max_game_bytes;
} hostile[] = {
    { "numbers", "", "1.", " e4 *", "/e4/*\n", 0 },
    { "numbers before a move", "", "1.", "e4 *", "/e4/*\n", 0 },
    { "numbers alone", "", "1.", "", NULL, 0 },
    { "digits", "", "1", ". e4 *", "/e4/*\n", 0 },
    { "digits of a castling", "", "0", "-0", "//* !bad_move 1:1 0\n", 0 },
    { "a long number of castlings", "", "0-", "", "//* !bad_move 1:1 0\n", 0 },
    { "dots", "", ".", "e4 *", "/e4/*\n", 0 },
    { "dots and numbers", "", ".1", ".e4 *", "/e4/*\n", 0 },
    { "dots and signs", "", ".+", "e4 *", "//* !bad_move 1:2 0\n", 0 },
    { "no-break spaces", "", "\xC2\xA0", "e4 *", "/e4/*\n", 0 },
    { "byte-order marks", "", "\xEF\xBB\xBF", "e4 *", "/e4/*\n", 0 },
    { "ellipses", "1", "\xE2\x80\xA6", "e4 *", "/e4/*\n", 0 },
    { "numbers and foreign spaces", "", "1.\xC2\xA0.\xE2\x80\xA6", "e4 *", "/e4/*\n", 0 },
    { "halves", "", "\xC2\xBD", "", "//* !bad_move 1:1 0\n", 0 },
    { "leads of foreign spaces", "", "\xE2\x80", "", "//* !bad_move 1:1 0\n", 0 },
    { "signs", "e4 ", "!?", " e5 *", "/e4 e5/*\n", 0 },
    { "signs after a move", "e4", "!?", " e5 *", "/e4 e5/*\n", 0 },
    { "signs before a move", "e4 ", "+", "e5 *", "/e4/* !bad_move 1:4 1\n", 0 },
    { "dashes", "e4 ", "-", " e5 *", "/e4 e5/*\n", 0 },
    { "glyphs", "e4 ", "$1", " e5 *", "/e4 e5/*\n", 0 },
    { "a word", "e4 ", "x", " e5 *", "/e4/* !bad_move 1:4 1\n", 0 },
    { "en passant", "e4 ", "e.p.", " e5 *", "/e4/* !bad_move 1:4 1\n", 0 },
    { "en passant, in words", "e4 ", "e.p. ", " e5 *", "/e4 e5/*\n", 0 },
    { "moves without spaces", "", "e4", "", "//* !bad_move 1:1 0\n", 0 },
    { "comments", "e4 ", "{}", " e5 *", "/e4 e5/*\n", 0 },
    { "comments in a comment", "e4 ", "{", "} e5 *", "/e4 e5/*\n", 0 },
    { "lines in a comment", "e4 ", "{\n[W", "} e5 *", "/e4 e5/*\n", 0 },
    { "an open comment", "e4 ", "{\n", "", "/e4/* !unterminated_comment 1:4 1\n", 0 },
    { "tags in a comment", "e4 {\n", "[X \"", "\n",
      "/e4/* !unterminated_comment 1:4 1\n//* !bad_tag 2:1 0\n", 0 },
    { "variations", "e4 ", "()", " e5 *", "/e4 e5/*\n", 0 },
    { "open variations", "e4 ", "(", "", "/e4/* !unterminated_variation 1:4 1\n", 0 },
    { "comments in a variation", "e4 (", "{}", "", "/e4/* !unterminated_variation 1:4 1\n", 0 },
    { "brackets", "e4 ", "[", "", "/e4/* !bad_move 1:4 1\n", 0 },
    { "brackets apart", "e4 ", "[ ", "", "/e4/* !bad_move 1:4 1\n", 0 },
    { "lines", "e4 ", "\n%[\n", "e5 *", "/e4 e5/*\n", 0 },
    { "tags", "", "[X \"\"]\n", "[White \"A\"] e4 *", "//* !bad_tag 257:1 0\n", 0 },
    { "quotes in a tag", "[White \"A\"] [X \"", "\"", "] e4 *", "A/e4/*\n", 0 },
    { "backslashes in a tag", "[White \"A\"] [X \"", "\\\"", "\"] e4 *", "A/e4/*\n", 0 },
    { "escaped ends in a tag", "[White \"A\"] [X \"", "\\\"]", "\"] e4 *", "A/e4/*\n", 0 },
    { "nested comments", "e4 ", "{{} x", "e5 *", "/e4/* !bad_move 1:8 1\n", 0 },
    { "nested comments that close", "e4 ", "{{} x} ", "e5 *", "/e4 e5/*\n", 0 },
    { "openings of comments", "e4 ", "{{} ", "e5 *", "/e4 e5/*\n", 0 },
    { "promotions in brackets", "e4 ", "a8(Q)", "", "/e4/* !illegal_move 1:4 1\n", 0 },
    { "searches", "e4 ", "{90,24,43,0,124176,8,(43,3)}", "e5 *", "/e4 e5/*\n", 0 },
    { "results", "e4 ", "* ", "", "/e4/*\n", 0 },
    { "results past the limit", "e4 ", "* ", "", "/e4/*\n", 65536 },
    { "numbers past the limit", "e4 ", "1.", "\n[White \"B\"] *",
      "/e4/* !game_too_long 1:1 1\nB//*\n", 65536 },
};

static void test_hostile(void **state)
{
    const struct hostile *const h = *state;
    const struct ipr_pgn_limits limits = { .max_game_bytes = h->max_game_bytes };
    struct ipr_buf input = IPR_BUF_INIT;

    ipr_buf_puts(&input, h->before);
    while (input.n < 4000000)
        ipr_buf_puts(&input, h->repeated);
    ipr_buf_puts(&input, h->after);
    expect_games((struct ipr_str){ input.p, input.n }, 65536, &limits, h->want);
    ipr_buf_release(&input);
}

/* Deep nesting uses no stack and takes linear time. */
static void test_deep_nesting(void **state)
{
    struct ipr_buf input = IPR_BUF_INIT;
    const struct ipr_pgn_limits limits = { .max_game_bytes = 8000000 };

    (void)state;
    ipr_buf_puts(&input, "1. e4 ");
    for (unsigned i = 0; i < 1000000; i++)
        ipr_buf_puts(&input, "(d4 ");
    for (unsigned i = 0; i < 1000000; i++)
        ipr_buf_puts(&input, ") ");
    ipr_buf_puts(&input, "e5 *");
    expect_games((struct ipr_str){ input.p, input.n }, 65536, &limits, "/e4 e5/*\n");
    ipr_buf_release(&input);
}

static void test_long_game(void **state)
{
    static const char *const round[] = { " Nf3", " Nf6", " Ng1", " Ng8" };
    struct ipr_buf input = IPR_BUF_INIT;

    (void)state;
    for (unsigned i = 0; i < 10000; i++)
        ipr_buf_puts(&input, round[i % 4]);
    ipr_buf_puts(&input, " Ke3 *");
    struct seen seen = read_in_pieces((struct ipr_str){ input.p, input.n }, 65536, NULL, IPR_OK);
    assert_non_null(strstr(ipr_buf_c(&seen.text), "!illegal_move 1:40002 10000"));
    ipr_buf_release(&seen.text);
    ipr_buf_release(&input);
}

static void test_long_comment(void **state)
{
    struct ipr_buf input = IPR_BUF_INIT;

    (void)state;
    ipr_buf_puts(&input, "1. e4 {");
    while (input.n < 3000000)
        ipr_buf_puts(&input, "1. d4 [White \"x\"] ( ; % \n");
    ipr_buf_puts(&input, "} e5 *\n[White \"B\"] 1. d4 *");
    expect_games((struct ipr_str){ input.p, input.n }, 4096, NULL, "/e4 e5/*\nB/d4/*\n");
    ipr_buf_release(&input);
}

int main(void)
{
    const struct CMUnitTest single[] = {
        cmocka_unit_test(test_deep_nesting),
        cmocka_unit_test(test_long_game),
        cmocka_unit_test(test_long_comment),
    };
    enum {
        N_LIMITED = sizeof limited / sizeof *limited,
        N_HOSTILE = sizeof hostile / sizeof *hostile,
        N_SINGLE = sizeof single / sizeof *single
    };
    struct CMUnitTest tests[N_LIMITED + N_HOSTILE + N_SINGLE];
    size_t n = 0;

    for (size_t i = 0; i < N_LIMITED; i++)
        tests[n++] = (struct CMUnitTest){ .name = limited[i].name,
                                          .test_func = test_limit,
                                          .initial_state = &limited[i] };
    for (size_t i = 0; i < N_HOSTILE; i++)
        tests[n++] = (struct CMUnitTest){ .name = hostile[i].name,
                                          .test_func = test_hostile,
                                          .initial_state = &hostile[i] };
    memcpy(tests + n, single, sizeof single);
    return cmocka_run_group_tests_name("pgn reader: limits", tests, NULL, NULL);
}
