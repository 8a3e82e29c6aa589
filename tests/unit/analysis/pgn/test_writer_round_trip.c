/* Games that are written read back the same: here, and by pgn-extract. */
#include "writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

        if (n == 0) {
            if (game->result == IPR_RESULT_UNKNOWN && ipr_pos_in_check(&pos)) /* a mate decides */
                game->result = pos.turn == IPR_BLACK ? IPR_WHITE_WINS : IPR_BLACK_WINS;
            break;
        }
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

#define PGN_EXTRACT "/usr/games/pgn-extract"

static struct file {
    const char *path;
    size_t games; /* accepted, at least */
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

/* What pgn-extract makes of the text, with moves in UCI notation. */
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

/* pgn-extract accepts every game, in every form, with the same start, moves and result. Tags are
 * not compared: it adds some. */
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
    enum { N_FILES = sizeof files / sizeof *files };
    struct CMUnitTest tests[2 * N_FILES + 3] = {
        { "round trip, start", test_round_trip, NULL, NULL, standard },
        { "round trip, castling", test_round_trip, NULL, NULL, castling },
        { "round trip, Chess960", test_round_trip, NULL, NULL, chess960 },
    };
    static char names[2 * N_FILES][96];
    size_t n = 3;

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
    return cmocka_run_group_tests_name("pgn round trip", tests, NULL, NULL);
}
