#include "chess/san.h"
#include "ipr_test.h"
#include "pgn/writer.h"

#define TAG(n, v)                                                                                  \
    {                                                                                              \
        { n, sizeof n - 1 },                                                                       \
        {                                                                                          \
            v, sizeof v - 1                                                                        \
        }                                                                                          \
    }

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
    struct ipr_buf out = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos start;
    ipr_move moves[64];
    size_t n;

    ipr_pos_start(&start);
    if (r->fen != NULL)
        assert_ok(ipr_pos_from_fen(&start, ipr_str_c(r->fen), &err), &err);
    play_all(&start, r->moves, moves, &n);
    ipr_pgn_write(&out, r->tags, r->n_tags, &start, moves, n, r->result);
    assert_string_equal(ipr_buf_c(&out), r->want);
    ipr_buf_release(&out);
}

/* ---- What is written reads back ---- */

#define MAX_PLIES 300

struct game {
    struct ipr_pos start;
    ipr_move moves[MAX_PLIES];
    size_t n_moves;
    enum ipr_result result;
    unsigned seen;
};

static enum ipr_code compare(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    struct game *const want = payload;

    (void)err;
    want->seen++;
    assert_int_equal(g->error.code, IPR_OK);
    assert_int_equal(g->start.key, want->start.key);
    assert_int_equal(g->result, want->result);
    assert_int_equal(g->n_moves, want->n_moves);
    if (g->n_moves > 0)
        assert_memory_equal(g->moves, want->moves, g->n_moves * sizeof *g->moves);
    assert_true(ipr_str_is(ipr_pgn_tag_get(g, "White"), "Zo\xC3\xAB \"Q\" \\ ]"));
    assert_true(ipr_str_is(ipr_pgn_tag_get(g, "Annotator"), "{(;%"));
    return IPR_OK;
}

static void random_game(struct game *game, uint32_t *seed)
{
    struct ipr_pos pos = game->start;

    game->result = (enum ipr_result)(*seed >> 8 & 3);
    for (game->n_moves = 0; game->n_moves < MAX_PLIES; game->n_moves++) {
        ipr_move list[IPR_MAX_MOVES];
        const size_t n = ipr_pos_legal(&pos, list);

        if (n == 0)
            break;
        *seed = *seed * 1664525u + 1013904223u;
        game->moves[game->n_moves] = list[(*seed >> 8) % n];
        ipr_pos_play(&pos, game->moves[game->n_moves]);
    }
}

static void test_round_trip(void **state)
{
    static const struct ipr_pgn_tag tags[] = { TAG("White", "Zo\xC3\xAB \"Q\" \\ ]"),
                                               TAG("Annotator", "{(;%") };
    const char *const fen = *state;
    struct ipr_err err = IPR_ERR_INIT;
    struct game game = { .seen = 0 };
    uint32_t seed = 7;

    assert_ok(ipr_pos_from_fen(&game.start, ipr_str_c(fen), &err), &err);
    for (unsigned i = 0; i < 50; i++) {
        struct ipr_buf out = IPR_BUF_INIT;
        struct ipr_pgn_reader *r = ipr_pgn_reader_new(NULL, compare, &game);

        random_game(&game, &seed);
        ipr_pgn_write(&out, tags, 2, &game.start, game.moves, game.n_moves, game.result);
        assert_ok(ipr_pgn_reader_feed(r, out.p, out.n, &err), &err);
        assert_ok(ipr_pgn_reader_finish(r, &err), &err);
        assert_int_equal(game.seen, i + 1);
        ipr_pgn_reader_free(&r);
        ipr_buf_release(&out);
    }
}

static char standard[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
static char castling[] = "r3k2r/pppqppbp/2npbnp1/8/8/2NPBNP1/PPPQPPBP/R3K2R b KQkq - 4 9";
static char chess960[] = "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w KQkq - 0 1";

int main(void)
{
    enum { N_ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[N_ROWS + 3] = {
        [N_ROWS] = { "round trip, start", test_round_trip, NULL, NULL, standard },
        [N_ROWS + 1] = { "round trip, castling", test_round_trip, NULL, NULL, castling },
        [N_ROWS + 2] = { "round trip, Chess960", test_round_trip, NULL, NULL, chess960 },
    };

    for (size_t i = 0; i < N_ROWS; i++)
        tests[i] = (struct CMUnitTest){ .name = rows[i].name,
                                        .test_func = test_text,
                                        .initial_state = &rows[i] };
    return cmocka_run_group_tests_name("pgn writer", tests, NULL, NULL);
}
