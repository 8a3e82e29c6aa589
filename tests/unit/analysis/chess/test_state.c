#include <stdio.h>
#include <stdlib.h>

#include "chess/san.h"
#include "chess/state.h"
#include "ipr_test.h"
#include "pgn/reader.h"

#define MAX_PLIES 512

/* ---- What holds after the last of some moves ---- */

#define KNIGHTS_OUT_AND_BACK "Nf3 Nf6 Ng1 Ng8 "

/* `repetitions` and `name` are those of the last position; 0: not looked at. */
static struct row {
    const char *name, *fen, *moves, *state;
    unsigned repetitions, halfmove;
    bool check;
} rows[] = {
    { "start", NULL, "", "", 1, 0, false },
    { "once more", NULL, KNIGHTS_OUT_AND_BACK, "", 2, 4, false },
    { "threefold", NULL, KNIGHTS_OUT_AND_BACK KNIGHTS_OUT_AND_BACK, "threefold_repetition", 3, 8,
      false },
    { "fourth time may still be claimed", NULL,
      KNIGHTS_OUT_AND_BACK KNIGHTS_OUT_AND_BACK KNIGHTS_OUT_AND_BACK, "threefold_repetition", 4, 12,
      false },
    { "fivefold", NULL,
      KNIGHTS_OUT_AND_BACK KNIGHTS_OUT_AND_BACK KNIGHTS_OUT_AND_BACK KNIGHTS_OUT_AND_BACK,
      "fivefold_repetition", 5, 16, false },
    { "a pawn move starts again", NULL, KNIGHTS_OUT_AND_BACK "e3 e6 " KNIGHTS_OUT_AND_BACK, "", 2,
      4, false },
    { "the rook came back, the right did not", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
      "Rb1 Rb8 Ra1 Ra8 Rb1 Rb8 Ra1 Ra8", "", 2, 8, false },
    { "and once more it is threefold", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
      "Rb1 Rb8 Ra1 Ra8 Rb1 Rb8 Ra1 Ra8 Rb1 Rb8 Ra1 Ra8", "threefold_repetition", 3, 12, false },
    { "en passant that cannot be captured counts for nothing",
      "rnbqkbnr/pppp1ppp/4p3/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2",
      "e4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1", "threefold_repetition", 3, 8, false },
    { "en passant that can be captured does",
      "rnbqkbnr/pppp1ppp/8/8/4p3/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3",
      "d4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1", "", 2, 8, false },
    { "en passant against a pin does not", "4k3/8/8/8/4p3/8/3P4/2K1R3 w - - 0 1",
      "d4 Kf7 Kb1 Ke8 Kc1 Kf7 Kb1 Ke8 Kc1", "threefold_repetition", 3, 8, false },
    { "no castling right differs by the king's first move", "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
      "Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8", "", 2, 8, false },
    { "what was before a FEN is not known", "4k3/8/8/8/8/8/8/4K2R w - - 40 60", "Rh2 Ke7 Rh1 Ke8",
      "", 2, 44, false },
    { "49 moves and a half", "4k3/8/8/8/8/8/8/4K2R b - - 98 80", "Ke7", "", 1, 99, false },
    { "fifty moves", "4k3/8/8/8/8/8/8/4K2R b - - 99 80", "Ke7", "fifty_moves", 1, 100, false },
    { "at the start", "4k3/8/8/8/8/8/8/4K2R b - - 100 80", "", "fifty_moves", 1, 100, false },
    { "a capture ends the count", "4k3/8/8/8/8/8/7r/4K2R w - - 99 80", "Rxh2", "", 1, 0, false },
    { "a pawn move ends the count", "4k3/8/8/8/8/8/P7/4K3 w - - 149 80", "a3", "", 1, 0, false },
    { "castling does not", "4k3/8/8/8/8/8/8/4K2R w K - 99 80", "O-O", "fifty_moves", 1, 100,
      false },
    { "seventy-five moves", "4k3/8/8/8/8/8/8/4K2R b - - 149 90", "Ke7", "seventy_five_moves", 1,
      150, false },
    { "mate on the last of fifty moves", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 90", "Ra8#", "checkmate",
      1, 100, true },
    { "mate on the last of seventy-five", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 90", "Ra8#",
      "checkmate", 1, 150, true },
    { "check", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra8+", "", 1, 1, true },
    { "fool's mate", NULL, "f3 e5 g4 Qh4#", "checkmate", 1, 1, true },
    { "stalemate", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7", "stalemate", 1, 1, false },
    { "stalemate with men that cannot move", "k7/P7/2K5/8/8/8/8/8 w - - 0 1", "Kb6", "stalemate", 1,
      1, false },
    { "double check", "3k4/8/8/3N4/8/8/8/3RK3 w - - 0 1", "Ne7", "", 1, 1, true },
    { "kings", "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "Kxe2", "insufficient_material", 1, 0, false },
    { "knight", "4k3/8/8/8/8/8/8/4KN2 w - - 0 1", "", "insufficient_material", 1, 0, false },
    { "black knight", "4kn2/8/8/8/8/8/8/4K3 w - - 0 1", "", "insufficient_material", 1, 0, false },
    { "bishop", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "", "insufficient_material", 1, 0, false },
    { "bishops on squares of one colour", "2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", "",
      "insufficient_material", 1, 0, false },
    { "bishops on both", "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", "", "", 1, 0, false },
    { "many bishops on one colour", "2b1k3/8/8/1b6/8/3B4/8/4KB2 w - - 0 1", "",
      "insufficient_material", 1, 0, false },
    { "two bishops", "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", "", "", 1, 0, false },
    { "two knights can mate with help", "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "", "", 1, 0, false },
    { "knight against knight can too", "4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", "", "", 1, 0, false },
    { "bishop against knight too", "4kn2/8/8/8/8/8/8/4KB2 w - - 0 1", "", "", 1, 0, false },
    { "a pawn suffices", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "", "", 1, 0, false },
    { "a rook suffices", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "", "", 1, 0, false },
    { "Chess960: equal after castling rights are gone",
      "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w - - 0 1", "Ra1 Ra8 Rb1 Rb8 Ra1 Ra8 Rb1 Rb8",
      "threefold_repetition", 3, 8, false },
};

static size_t play_all(struct ipr_pos pos, const char *text, ipr_move moves[MAX_PLIES])
{
    struct ipr_str rest = ipr_str_c(text), word;
    size_t n = 0;

    for (; ipr_str_word(&rest, &word); n++) {
        struct ipr_err err = IPR_ERR_INIT;

        assert_ok(ipr_san_read(&pos, word, &moves[n], &err), &err);
        ipr_pos_play(&pos, moves[n]);
    }
    return n;
}

static void test_last_state(void **state)
{
    const struct row *r = *state;
    struct ipr_state states[MAX_PLIES + 1];
    ipr_move moves[MAX_PLIES];
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos start;

    ipr_pos_start(&start);
    if (r->fen != NULL)
        assert_ok(ipr_pos_from_fen(&start, ipr_str_c(r->fen), &err), &err);
    const size_t n = play_all(start, r->moves, moves);
    ipr_game_states(&start, moves, n, states);
    assert_string_equal(ipr_state_name(&states[n]), r->state);
    assert_int_equal(states[n].repetitions, r->repetitions);
    assert_int_equal(states[n].halfmove, r->halfmove);
    assert_int_equal(states[n].check, r->check);
}

/* Both claims, and the end by 75 moves, may hold at once; the name is the strongest. */
static void test_several_at_once(void **state)
{
    struct ipr_state states[9];
    ipr_move moves[MAX_PLIES];
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos start;

    (void)state;
    assert_ok(ipr_pos_from_fen(&start, IPR_STR("4k3/8/8/8/8/8/8/4K2R w - - 142 99"), &err), &err);
    const size_t n = play_all(start, "Rh2 Ke7 Rh1 Ke8 Rh2 Ke7 Rh1 Ke8", moves);
    ipr_game_states(&start, moves, n, states);
    assert_true(states[n].threefold && states[n].fifty && states[n].seventy_five);
    assert_false(states[n].fivefold || states[n].stalemate || states[n].checkmate);
    assert_string_equal(ipr_state_name(&states[n]), "seventy_five_moves");
    assert_string_equal(ipr_state_name(&states[n - 1]), "fifty_moves");
}

/* The count of repetitions is what comparing every pair of positions gives. */
static void test_against_pairs(void **state)
{
    static struct ipr_state states[MAX_PLIES + 1];
    static struct ipr_pos seen[MAX_PLIES + 1];
    ipr_move moves[MAX_PLIES], list[IPR_MAX_MOVES];
    struct ipr_err err = IPR_ERR_INIT;
    uint32_t seed = 3;

    (void)state;
    assert_ok(ipr_pos_from_fen(&seen[0], IPR_STR("r3k2r/8/8/1p6/8/8/P7/R3K2R w KQkq - 0 1"), &err),
              &err);
    size_t n = 0;
    for (size_t legal; n < MAX_PLIES && (legal = ipr_pos_legal(&seen[n], list)) > 0; n++) {
        seed = seed * 1664525u + 1013904223u;
        moves[n] = list[(seed >> 8) % (legal < 3 ? legal : 3)]; /* few choices: many repetitions */
        seen[n + 1] = seen[n];
        ipr_pos_play(&seen[n + 1], moves[n]);
    }
    ipr_game_states(&seen[0], moves, n, states);
    unsigned most = 0;
    for (size_t i = 0; i <= n; i++) {
        unsigned count = 0;

        for (size_t j = 0; j <= i; j++)
            count += seen[j].key == seen[i].key && seen[j].turn == seen[i].turn &&
                     seen[j].castling == seen[i].castling &&
                     memcmp(seen[j].by_piece, seen[i].by_piece, sizeof seen[i].by_piece) == 0;
        assert_int_equal(states[i].repetitions, count);
        most = count > most ? count : most;
    }
    assert_true(most >= 5);
}

/* ---- Games of others, by what their files are about ---- */

enum { MAX_GAMES = 12 };

#define THREE "threefold_repetition"

/*
 * The last state of every game that has a name, as --repetition, --fifty, --stalemate and
 * --checkmate of pgn-extract 19.04 find them, except for the ninth of the repetitions: 34...h5 of
 * Capablanca - Lasker 1921 is the first of three equal positions, since no white pawn can capture
 * it en passant. In the eleventh, Karpov - Miles 1986, Black may castle in the first of the three,
 * so they are not equal.
 */
static struct file {
    const char *path;
    size_t n;
    const char *states[MAX_GAMES];
} files[] = {
    { "data/torture/lgbarn_test-repetition.pgn",
      12,
      { THREE, THREE, THREE, THREE, THREE, THREE, THREE, THREE, THREE, "", "", "" } },
    { "data/torture/lgbarn_test-fifty.pgn", 2, { "fifty_moves", "fifty_moves" } },
    { "data/torture/lgbarn_test-stalemate.pgn", 3, { "checkmate", "", "stalemate" } },
    { "data/torture/lgbarn_test-checkmate.pgn", 2, { "checkmate", "" } },
    { "data/torture/pychess_3fold.pgn", 2, { THREE, THREE } },
    { "data/torture/pychess_insufficient_material.pgn", 1, { "insufficient_material" } },
};

struct seen {
    const struct file *file;
    size_t n;
};

static enum ipr_code check_game(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    struct seen *const seen = payload;
    struct ipr_state *const states = calloc(g->n_moves + 1, sizeof *states);
    const char *name = "";

    (void)err;
    ipr_game_states(&g->start, g->moves, g->n_moves, states);
    for (size_t i = 0; i <= g->n_moves; i++)
        if (*ipr_state_name(&states[i]) != '\0')
            name = ipr_state_name(&states[i]);
    free(states);
    assert_true(seen->n < seen->file->n);
    assert_string_equal(name, seen->file->states[seen->n++]);
    return IPR_OK;
}

static void test_file(void **state)
{
    struct seen seen = { .file = *state };
    const char *const path = ipr_test_shared(seen.file->path);
    struct ipr_err err = IPR_ERR_INIT;
    static char bytes[65536];

    if (path == NULL)
        skip();
    FILE *const f = fopen(path, "r");
    assert_non_null(f);
    const size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    struct ipr_pgn_reader *r = ipr_pgn_reader_new(NULL, check_game, &seen);
    assert_ok(ipr_pgn_reader_feed(r, bytes, n, &err), &err);
    assert_ok(ipr_pgn_reader_finish(r, &err), &err);
    ipr_pgn_reader_free(&r);
    assert_int_equal(seen.n, seen.file->n);
}

int main(void)
{
    enum { N_ROWS = sizeof rows / sizeof *rows, N_FILES = sizeof files / sizeof *files };
    struct CMUnitTest tests[N_ROWS + N_FILES + 2] = {
        [N_ROWS + N_FILES] = cmocka_unit_test(test_several_at_once),
        [N_ROWS + N_FILES + 1] = cmocka_unit_test(test_against_pairs),
    };

    for (size_t i = 0; i < N_ROWS; i++)
        tests[i] = (struct CMUnitTest){ .name = rows[i].name,
                                        .test_func = test_last_state,
                                        .initial_state = &rows[i] };
    for (size_t i = 0; i < N_FILES; i++)
        tests[N_ROWS + i] = (struct CMUnitTest){ .name = files[i].path,
                                                 .test_func = test_file,
                                                 .initial_state = &files[i] };
    return cmocka_run_group_tests_name("chess states", tests, NULL, NULL);
}
