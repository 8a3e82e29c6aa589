#include <stdio.h>

#include "ipr_test.h"
#include "pgn/reader.h"

/*
 * Files of the shared folder that break parsers (its NOTES.tsv says how): what is in each, and the
 * first refusal where there is one. Final positions agree with pgn-extract's wherever it gives one
 * for a game accepted here, and the numbers of notes and variations with those of their signs in
 * the text. Each refusal was judged by eye: variants of chess, null moves, ambiguous and illegal
 * moves, comments and tags that are never closed.
 */
static struct row {
    const char *file;
    uint32_t games, refused;
    size_t plies, notes, variations;
    const char *first; /* refusal: "type line:column ply" */
} rows[] = {
    { "alexisolson_sample_input.pgn", 10, 0, 893, 0, 0, NULL },
    { "benini_res_gameLatin1.pgn", 1, 0, 149, 22, 48, NULL },
    { "benini_res_gameUTF8.pgn", 1, 0, 149, 22, 48, NULL },
    { "disservin_backslash_header.pgn", 1, 0, 95, 0, 0, NULL },
    { "disservin_book.pgn", 1, 0, 16, 0, 0, NULL },
    { "disservin_fishtest-fastchess.pgn", 4, 0, 307, 307, 0, NULL },
    { "disservin_no_moves.pgn", 1, 0, 0, 0, 0, NULL },
    { "disservin_no_moves_but_comment_followed_by_termination_marker.pgn", 2, 0, 0, 2, 0, NULL },
    { "disservin_no_moves_but_game_termination_multiple.pgn", 2, 0, 126, 0, 0, NULL },
    { "disservin_no_moves_two_games.pgn", 2, 0, 0, 0, 0, NULL },
    { "disservin_no_result.pgn", 1, 0, 0, 1, 0, NULL },
    { "disservin_skip.pgn", 2, 0, 260, 260, 0, NULL },
    { "disservin_square_bracket_in_header.pgn", 1, 0, 130, 130, 0, NULL },
    { "disservin_unescaped_quote_header.pgn", 1, 0, 20, 0, 0, NULL },
    { "disservin_variations.pgn", 1, 0, 108, 5, 26, NULL },
    { "jhlywa_0.pgn", 1, 0, 77, 0, 0, NULL },
    { "jhlywa_1.pgn", 1, 0, 81, 0, 0, NULL },
    { "jhlywa_2.pgn", 1, 0, 4, 0, 0, NULL },
    { "jonathan-wu1_world-youth-cup-finals-under-14--1.pgn", 71, 0, 6910, 7012, 0, NULL },
    { "lgbarn_duplicates.pgn", 4, 0, 36, 0, 0, NULL },
    { "lgbarn_filter-test.pgn", 4, 0, 37, 0, 0, NULL },
    { "lgbarn_fischer.pgn", 34, 0, 3160, 0, 0, NULL },
    { "lgbarn_fools-mate.pgn", 1, 0, 4, 0, 0, NULL },
    { "lgbarn_najdorf.pgn", 8, 0, 608, 0, 0, NULL },
    { "lgbarn_nested-comment.pgn", 1, 0, 1, 1, 0, NULL },
    { "lgbarn_no-eco.pgn", 3, 0, 25, 0, 0, NULL },
    { "lgbarn_petrosian.pgn", 35, 0, 2631, 0, 0, NULL },
    { "lgbarn_test-7.pgn", 1, 0, 165, 0, 0, NULL },
    { "lgbarn_test-C.pgn", 1, 0, 72, 4, 1, NULL },
    { "lgbarn_test-P.pgn", 11, 0, 1021, 0, 0, NULL },
    { "lgbarn_test-Ta.pgn", 1, 0, 72, 4, 1, NULL },
    { "lgbarn_test-allownullmoves.pgn", 2, 2, 2, 0, 0, "null_move 11:9 1" },
    { "lgbarn_test-checkmate.pgn", 2, 0, 76, 4, 1, NULL },
    { "lgbarn_test-fifty.pgn", 2, 0, 511, 0, 0, NULL },
    { "lgbarn_test-fixresulttags-in.pgn", 5, 0, 417, 0, 0, NULL },
    { "lgbarn_test-fuzzydepth.pgn", 4, 0, 20, 3, 0, NULL },
    { "lgbarn_test-long-line.pgn", 1, 0, 4, 1, 0, NULL },
    { "lgbarn_test-matchplylimit.pgn", 1, 0, 102, 0, 0, NULL },
    { "lgbarn_test-promotion-in.pgn", 8, 0, 8, 0, 0, NULL },
    { "lgbarn_test-repetition.pgn", 12, 0, 1085, 0, 0, NULL },
    { "lgbarn_test-s.pgn", 3, 0, 255, 0, 0, NULL },
    { "lgbarn_test-setup-in.pgn", 2, 0, 148, 0, 0, NULL },
    { "lgbarn_test-splitvariants.pgn", 1, 0, 3, 3, 3, NULL },
    { "lgbarn_test-stalemate.pgn", 3, 0, 178, 4, 1, NULL },
    { "lgbarn_test-startply.pgn", 10, 0, 731, 0, 0, NULL },
    { "lgbarn_test-t.pgn", 6, 0, 539, 0, 0, NULL },
    { "lichess-org_uzchesscup.pgn", 45, 0, 0, 0, 0, NULL },
    { "lunahernandez_games.pgn", 45, 0, 3460, 7457, 261, NULL },
    { "niklasf_anastasian-lewis.pgn", 1, 1, 81, 0, 0, "null_move 20:15 81" },
    { "niklasf_chessbase-empty-line.pgn", 1, 0, 134, 0, 0, NULL },
    { "niklasf_headers-and-moves-on-the-same-line.pgn", 3, 3, 0, 0, 0,
      "unsupported_variant 1:1 0" },
    { "niklasf_knightvuillaume-jannlee-zh-lichess.pgn", 1, 1, 0, 0, 0,
      "unsupported_variant 10:1 0" },
    { "niklasf_molinari-bordais-1979.pgn", 1, 0, 10, 0, 0, NULL },
    { "niklasf_nepomniachtchi-liren-game1.pgn", 1, 0, 97, 0, 0, NULL },
    { "niklasf_pathological-headers.pgn", 1, 0, 0, 0, 0, NULL },
    { "niklasf_saturs-jannlee-zh-lichess.pgn", 1, 1, 0, 0, 0, "unsupported_variant 10:1 0" },
    { "niklasf_stockfish-learning.pgn", 1, 0, 154, 154, 0, NULL },
    { "niklasf_uci-moves.pgn", 1, 0, 113, 0, 0, NULL },
    { "niklasf_utf8-bom.pgn", 2, 0, 0, 0, 0, NULL },
    { "notnil_0001.pgn", 1, 0, 89, 0, 0, NULL },
    { "notnil_0003.pgn", 1, 0, 5, 0, 1, NULL },
    { "notnil_0004.pgn", 1, 0, 26, 59, 0, NULL },
    { "notnil_0005.pgn", 1, 0, 41, 113, 15, NULL },
    { "notnil_0006.pgn", 5, 0, 391, 0, 0, NULL },
    { "notnil_0007.pgn", 5, 0, 514, 0, 0, NULL },
    { "notnil_0008.pgn", 1, 0, 4, 0, 0, NULL },
    { "notnil_0009.pgn", 1, 0, 6, 1, 0, NULL },
    { "notnil_0010.pgn", 1, 0, 6, 1, 0, NULL },
    { "notnil_0011.pgn", 1, 0, 83, 0, 0, NULL },
    { "notnil_0012.pgn", 1, 0, 0, 0, 0, NULL },
    { "notnil_0013.pgn", 3, 0, 52, 3, 7, NULL },
    { "notnil_0014.pgn", 5, 0, 33, 0, 2, NULL },
    { "notnil_0015.pgn", 1, 0, 2, 0, 0, NULL },
    { "own_ambiguous_san.pgn", 2, 1, 6, 0, 0, "ambiguous_move 6:23 4" },
    { "own_deep_rav.pgn", 1, 0, 2, 0, 2000, NULL },
    { "own_mac_cr.pgn", 1, 0, 7, 0, 0, NULL },
    { "own_nul.pgn", 1, 0, 2, 0, 0, NULL },
    { "own_percent_escape.pgn", 1, 0, 7, 0, 0, NULL },
    { "own_semicolon.pgn", 1, 0, 4, 2, 0, NULL },
    { "own_truncated.pgn", 1, 1, 3, 0, 0, "unterminated_comment 6:17 3" },
    { "own_unclosed_tag.pgn", 1, 1, 0, 0, 0, "bad_tag 1:1 0" },
    { "own_wrong_san.pgn", 2, 1, 6, 0, 0, "illegal_move 6:13 2" },
    { "pychess_3fold.pgn", 2, 0, 20, 0, 0, NULL },
    { "pychess_a.pgn", 1, 0, 8, 0, 0, NULL },
    { "pychess_annotated.pgn", 1, 0, 5, 7, 5, NULL },
    { "pychess_atomic.pgn", 10, 10, 0, 0, 0, "unsupported_variant 11:1 0" },
    { "pychess_badpgn.pgn", 1, 1, 0, 0, 0, "bad_tag 1:1 0" },
    { "pychess_bilbao.pgn", 1, 0, 348, 0, 0, NULL },
    { "pychess_black.pgn", 1, 0, 17, 0, 0, NULL },
    { "pychess_c.pgn", 1, 0, 70, 0, 0, NULL },
    { "pychess_chess960rwch.pgn", 20, 0, 1692, 0, 0, NULL },
    { "pychess_d.pgn", 1, 0, 46, 0, 0, NULL },
    { "pychess_e.pgn", 1, 0, 69, 0, 0, NULL },
    { "pychess_f.pgn", 1, 0, 18, 0, 0, NULL },
    { "pychess_insufficient_material.pgn", 1, 0, 56, 0, 0, NULL },
    { "pychess_promotion.pgn", 1, 0, 22, 0, 0, NULL },
    { "pychess_sittuyin.pgn", 3, 3, 0, 0, 0, "unsupported_variant 15:1 0" },
};

struct seen {
    struct row sums;
    char first[96];
};

static enum ipr_code add(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    struct seen *const seen = payload;

    (void)err;
    seen->sums.games++;
    seen->sums.plies += g->n_moves;
    seen->sums.notes += g->n_notes;
    seen->sums.variations += g->variations;
    if (g->error.code != IPR_OK && seen->sums.refused++ == 0)
        snprintf(seen->first, sizeof seen->first, "%s %u:%u %d", g->error.type, g->error.line,
                 g->error.column, (int)g->error.ply);
    return IPR_OK;
}

static void read_file(const char *path, size_t piece, struct seen *seen)
{
    const struct ipr_pgn_limits limits = { .notes = true };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pgn_reader *r = ipr_pgn_reader_new(&limits, add, seen);
    FILE *const f = fopen(path, "rb");
    static char bytes[65536];

    assert_non_null(f);
    for (size_t n; (n = fread(bytes, 1, piece, f)) > 0;)
        assert_ok(ipr_pgn_reader_feed(r, bytes, n, &err), &err);
    fclose(f);
    assert_ok(ipr_pgn_reader_finish(r, &err), &err);
    ipr_pgn_reader_free(&r);
}

static void test_file(void **state)
{
    static const size_t pieces[] = { 1, 61, 65536 };
    const struct row *const r = *state;
    char name[160];

    snprintf(name, sizeof name, "data/torture/%s", r->file);
    const char *const path = ipr_test_shared(name);
    if (path == NULL)
        skip();
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        struct seen seen = { 0 };

        read_file(path, pieces[i], &seen);
        assert_int_equal(seen.sums.games, r->games);
        assert_int_equal(seen.sums.refused, r->refused);
        assert_int_equal(seen.sums.plies, r->plies);
        assert_int_equal(seen.sums.notes, r->notes);
        assert_int_equal(seen.sums.variations, r->variations);
        assert_string_equal(seen.first, r->first != NULL ? r->first : "");
    }
}

int main(void)
{
    enum { N_ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[N_ROWS] = { 0 };

    for (size_t i = 0; i < N_ROWS; i++)
        tests[i] = (struct CMUnitTest){ .name = rows[i].file,
                                        .test_func = test_file,
                                        .initial_state = &rows[i] };
    return cmocka_run_group_tests_name("pgn torture", tests, NULL, NULL);
}
