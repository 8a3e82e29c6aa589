#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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
    struct ipr_buf out = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos start;
    ipr_move moves[64];
    size_t n;

    ipr_pos_start(&start);
    if (r->fen != NULL)
        assert_ok(ipr_pos_from_fen(&start, ipr_str_c(r->fen), &err), &err);
    play_all(&start, r->moves, moves, &n);
    ipr_pgn_write_notes(&out, r->tags, r->n_tags, &start, moves, n, NULL, 0, IPR_PGN_PLAIN,
                        r->result);
    assert_string_equal(ipr_buf_c(&out), r->want);
    ipr_buf_release(&out);
}

/* ---- Notes ---- */

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
/* The example of Alliot 2017, 2.4 has these figures. */
#define SEARCH(p, m)                                                                               \
    {                                                                                              \
        .ply = p, .kind = IPR_NOTE_SEARCH, .search = { m, -90, 24, 43, 7, 124176, 8, 43, 3 }       \
    }
#define SEARCHED "{-90,24,43,7,124176,8,(43,3)}"
#define HUNDRED                                                                                    \
    "aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa "

/* Movetext alone is compared, and must come back the same when read and written once more. */
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
    { "two comments stay two",
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
    { "commands of two moves are apart",
      NULL,
      "e4 e5",
      2,
      { EVAL(1, 23, 0), EVAL(2, 24, 0) },
      IPR_PGN_NOTES,
      "1. e4 {[%eval 0.23]} 1... e5 {[%eval 0.24]} 1-0" },
    { "other commands are text, and whole",
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
    { "nor like a tag",
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
    { "castling and promotion in it",
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
    { "plain is plain",
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

/* What is read is written again. */
struct copy {
    enum ipr_pgn_form form;
    struct ipr_buf out;
    size_t games;
};

static enum ipr_code write_again(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    struct copy *const copy = payload;

    (void)err;
    if (g->error.code == IPR_OK) {
        copy->games++;
        ipr_pgn_write_notes(&copy->out, g->tags, g->n_tags, &g->start, g->moves, g->n_moves,
                            g->notes, g->n_notes, copy->form, g->result);
    }
    return IPR_OK;
}

static struct copy copy_of(struct ipr_str pgn, enum ipr_pgn_form form)
{
    const struct ipr_pgn_limits limits = { .notes = true };
    struct copy copy = { .form = form, .out = IPR_BUF_INIT };
    struct ipr_pgn_reader *r = ipr_pgn_reader_new(&limits, write_again, &copy);
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_pgn_reader_feed(r, pgn.p, pgn.n, &err), &err);
    assert_ok(ipr_pgn_reader_finish(r, &err), &err);
    ipr_pgn_reader_free(&r);
    return copy;
}

static struct ipr_str text_of(const struct ipr_buf *b)
{
    return (struct ipr_str){ b->p, b->n };
}

static void test_noted(void **state)
{
    const struct noted *r = *state;
    struct ipr_buf out = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos start;
    ipr_move moves[64];
    size_t n;

    ipr_pos_start(&start);
    if (r->fen != NULL)
        assert_ok(ipr_pos_from_fen(&start, ipr_str_c(r->fen), &err), &err);
    play_all(&start, r->moves, moves, &n);
    ipr_pgn_write_notes(&out, NULL, 0, &start, moves, n, r->notes, r->n, r->form, IPR_WHITE_WINS);
    struct ipr_buf want = IPR_BUF_INIT;
    ipr_buf_printf(&want, "\n\n%s\n\n", r->want);
    assert_string_equal(strstr(ipr_buf_c(&out), "\n\n"), ipr_buf_c(&want));
    ipr_buf_release(&want);

    struct copy again = copy_of(text_of(&out), r->form);
    assert_string_equal(ipr_buf_c(&again.out), ipr_buf_c(&out));
    ipr_buf_release(&again.out);
    ipr_buf_release(&out);
}

/* Of the tags only the roster and Annotator are in Alliot's headers, and where the game began. */
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
        ipr_pgn_write_notes(&out, tags, 2, &game.start, game.moves, game.n_moves, NULL, 0,
                            IPR_PGN_PLAIN, game.result);
        assert_ok(ipr_pgn_reader_feed(r, out.p, out.n, &err), &err);
        assert_ok(ipr_pgn_reader_finish(r, &err), &err);
        assert_int_equal(game.seen, i + 1);
        ipr_pgn_reader_free(&r);
        ipr_buf_release(&out);
    }
}

/* ---- Files of others: ours, and pgn-extract's reading of what we write ---- */

#define PGN_EXTRACT "/usr/games/pgn-extract"

static struct file {
    const char *path;
    size_t games; /* at least so many are accepted */
} files[] = {
    { "data/torture/lichess-org_uzchesscup.pgn", 1 },     /* evaluations and clocks */
    { "data/torture/niklasf_stockfish-learning.pgn", 1 }, /* engine comments */
    { "data/torture/disservin_fishtest-fastchess.pgn", 1 },
    { "data/torture/pychess_annotated.pgn", 1 },
    { "data/torture/notnil_0006.pgn", 1 },
    { "data/torture/lgbarn_test-startply.pgn", 1 },
    { "data/torture/lgbarn_test-setup-in.pgn", 1 }, /* FEN */
    { "data/torture/benini_res_gameLatin1.pgn", 1 },
    { "data/torture/lunahernandez_games.pgn", 10 },
    { "data/wch/1972-Fischer-Spassky.pgn", 21 },
    { "data/wch/1987-Kasparov-Karpov.pgn", 24 },
    { "data/mileposts/E2300.pgn", 600 },
};

static struct ipr_buf whole_file(FILE *f)
{
    struct ipr_buf bytes = IPR_BUF_INIT;
    static char piece[65536];

    for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;)
        ipr_buf_add(&bytes, piece, n);
    return bytes;
}

static struct ipr_buf shared_file(const struct file *row)
{
    const char *const path = ipr_test_shared(row->path);

    if (path == NULL)
        skip();
    FILE *const f = fopen(path, "r");
    assert_non_null(f);
    const struct ipr_buf bytes = whole_file(f);
    fclose(f);
    return bytes;
}

static void test_file_round_trip(void **state)
{
    const struct file *const row = *state;
    struct ipr_buf bytes = shared_file(row);

    for (enum ipr_pgn_form form = IPR_PGN_PLAIN; form <= IPR_PGN_ALLIOT; form++) {
        struct copy first = copy_of(text_of(&bytes), form);
        struct copy second = copy_of(text_of(&first.out), form);

        assert_true(first.games >= row->games);
        assert_int_equal(second.games, first.games);
        assert_string_equal(ipr_buf_c(&second.out), ipr_buf_c(&first.out));
        ipr_buf_release(&first.out);
        ipr_buf_release(&second.out);
    }
    ipr_buf_release(&bytes);
}

/* The text as pgn-extract reads it, its moves as from-to squares. */
static struct ipr_buf through_pgn_extract(const struct ipr_buf *pgn)
{
    char path[] = "/tmp/ipr_writer_XXXXXX", command[128];
    const int fd = mkstemp(path);

    assert_true(fd >= 0);
    FILE *const in = fdopen(fd, "w");
    assert_int_equal(fwrite(pgn->p, 1, pgn->n, in), pgn->n);
    assert_int_equal(fclose(in), 0);
    snprintf(command, sizeof command, PGN_EXTRACT " --quiet -Wuci -C -N -V %s", path);
    FILE *const out = popen(command, "r");
    assert_non_null(out);
    const struct ipr_buf bytes = whole_file(out);
    assert_int_equal(pclose(out), 0);
    unlink(path);
    return bytes;
}

/* A line for each game: its start, moves and result. */
static enum ipr_code list_game(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    struct ipr_buf *const out = payload;
    struct ipr_pos pos = g->start;
    char text[IPR_FEN_MAX];

    (void)err;
    if (g->error.code != IPR_OK)
        print_error("line %u: %s: %s\n", g->error.line, g->error.type, g->error.msg);
    assert_int_equal(g->error.code, IPR_OK);
    ipr_pos_to_fen(&pos, text);
    ipr_buf_puts(out, text);
    for (size_t i = 0; i < g->n_moves; i++) {
        ipr_move_to_uci(&pos, g->moves[i], text);
        ipr_buf_printf(out, " %s", text);
        ipr_pos_play(&pos, g->moves[i]);
    }
    ipr_buf_printf(out, " %s\n", ipr_result_text(g->result));
    return IPR_OK;
}

static struct ipr_buf list_of(const struct ipr_buf *pgn)
{
    struct ipr_buf out = IPR_BUF_INIT;
    struct ipr_pgn_reader *r = ipr_pgn_reader_new(NULL, list_game, &out);
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_pgn_reader_feed(r, pgn->p, pgn->n, &err), &err);
    assert_ok(ipr_pgn_reader_finish(r, &err), &err);
    ipr_pgn_reader_free(&r);
    return out;
}

/* pgn-extract accepts every game we write, in every form, with the same start, moves and result.
 * Tags are left to the round trip: it adds some of its own. */
static void test_file_pgn_extract(void **state)
{
    const struct file *const row = *state;

    if (access(PGN_EXTRACT, X_OK) != 0) {
        print_message("skipped: %s is absent\n", PGN_EXTRACT);
        skip();
    }
    struct ipr_buf bytes = shared_file(row);
    for (enum ipr_pgn_form form = IPR_PGN_PLAIN; form <= IPR_PGN_ALLIOT; form++) {
        struct copy ours = copy_of(text_of(&bytes), form);
        struct ipr_buf theirs = through_pgn_extract(&ours.out);
        struct ipr_buf want = list_of(&ours.out), got = list_of(&theirs);

        assert_string_equal(ipr_buf_c(&got), ipr_buf_c(&want));
        ipr_buf_release(&ours.out);
        ipr_buf_release(&theirs);
        ipr_buf_release(&want);
        ipr_buf_release(&got);
    }
    ipr_buf_release(&bytes);
}

static char standard[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
static char castling[] = "r3k2r/pppqppbp/2npbnp1/8/8/2NPBNP1/PPPQPPBP/R3K2R b KQkq - 4 9";
static char chess960[] = "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w KQkq - 0 1";

int main(void)
{
    enum {
        N_ROWS = sizeof rows / sizeof *rows,
        N_NOTED = sizeof noted / sizeof *noted,
        N_FILES = sizeof files / sizeof *files,
        N_TABLE = N_ROWS + N_NOTED + 2 * N_FILES,
    };
    struct CMUnitTest tests[N_TABLE + 4] = {
        [N_TABLE] = { "round trip, start", test_round_trip, NULL, NULL, standard },
        [N_TABLE + 1] = { "round trip, castling", test_round_trip, NULL, NULL, castling },
        [N_TABLE + 2] = { "round trip, Chess960", test_round_trip, NULL, NULL, chess960 },
        [N_TABLE + 3] = cmocka_unit_test(test_alliot_tags),
    };
    static char names[2 * N_FILES][96];
    size_t n = 0;

    for (size_t i = 0; i < N_ROWS; i++)
        tests[n++] = (struct CMUnitTest){ .name = rows[i].name,
                                          .test_func = test_text,
                                          .initial_state = &rows[i] };
    for (size_t i = 0; i < N_NOTED; i++)
        tests[n++] = (struct CMUnitTest){ .name = noted[i].name,
                                          .test_func = test_noted,
                                          .initial_state = &noted[i] };
    for (size_t i = 0; i < 2 * N_FILES; i++) {
        struct file *const file = &files[i / 2];

        snprintf(names[i], sizeof names[i], "%s, %s", i % 2 == 0 ? "round trip" : "pgn-extract",
                 file->path);
        tests[n++] = (struct CMUnitTest){
            .name = names[i],
            .test_func = i % 2 == 0 ? test_file_round_trip : test_file_pgn_extract,
            .initial_state = file,
        };
    }
    return cmocka_run_group_tests_name("pgn writer", tests, NULL, NULL);
}
