/* Position of a game in the input, its encoding and its variations. */
#include "pgn/reader.h"

#include "ipr_test.h"

static void read_all(struct ipr_str input, const struct ipr_pgn_limits *limits,
                     ipr_pgn_game_fn note, void *payload)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pgn_reader *r = ipr_pgn_reader_new(limits, note, payload);

    assert_ok(ipr_pgn_reader_feed(r, input.p, input.n, &err), &err);
    assert_ok(ipr_pgn_reader_finish(r, &err), &err);
    ipr_pgn_reader_free(&r);
}

struct counts {
    uint32_t variations[2];
    char end[2][IPR_FEN_MAX];
};

static enum ipr_code count(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    struct counts *const c = payload;

    (void)err;
    c->variations[g->index] = g->variations;
    ipr_pos_to_fen(&g->end, c->end[g->index]);
    return IPR_OK;
}

static void test_variations_and_end(void **state)
{
    static const char input[] = "1. e4 (1. d4 (1. c4 {(} c5) (1. f4)) 1... e5 (1... c5) *\n"
                                "[White \"B\"] 1. d4 (1. e4) Ke4 (1... d5)";
    struct counts seen;

    (void)state;
    read_all(ipr_str_c(input), NULL, count, &seen);
    assert_int_equal(seen.variations[0], 4);
    assert_int_equal(seen.variations[1], 1);
    assert_string_equal(seen.end[0],
                        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    assert_string_equal(seen.end[1], "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1");
}

static enum ipr_code note_encoding(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    (void)err;
    *(struct ipr_encoding *)payload = g->encoding;
    return IPR_OK;
}

/* Tags and comments count; variations and text between games do not. */
static void test_encodings(void **state)
{
    static const struct {
        const char *input;
        bool notes, cp1252;
        uint32_t undecodable;
    } cases[] = {
        { "[White \"A\"] 1. e4 *", true, false, 0 },
        { "[White \"\xC3\xAD\"] {\xC3\xAD} 1. e4 *", true, false, 0 },
        { "[White \"\xC3\xAD\"] {\xED} 1. e4 *", true, true, 0 },
        { "[White \"\xC3\xAD\"] {\xED} 1. e4 *", false, false, 0 },
        { "[White \"\xED\"] {\xC3\xAD} 1. e4 *", true, true, 0 },
        { "[White \"\x81\x8D\x8F\"] {a \x90 \x9D} 1. e4 {\xED} *", true, true, 5 },
        { "[White \"\x81\x8D\x8F\"] {a \x90 \x9D} 1. e4 Ke3 *", true, true, 5 },
        { "[White \"A\"] 1. e4 (1. d4 {\x81}) *", true, false, 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ipr_pgn_limits limits = { .notes = cases[i].notes };
        struct ipr_encoding seen = { true, 99 };

        read_all(ipr_str_c(cases[i].input), &limits, note_encoding, &seen);
        assert_int_equal(seen.cp1252, cases[i].cp1252);
        assert_int_equal(seen.undecodable, cases[i].undecodable);
    }
}

struct places {
    uint64_t offset[3];
    uint32_t line[3];
    bool custom[3];
};

static enum ipr_code note_place(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    struct places *const p = payload;

    (void)err;
    p->offset[g->index] = g->offset;
    p->line[g->index] = g->line;
    p->custom[g->index] = g->custom_start;
    return IPR_OK;
}

static void test_places(void **state)
{
    static const char input[] = "\xEF\xBB\xBF{x}\n[White \"A\"]\n1. e4 1-0\n1. d4 *\n\n"
                                " [FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"] *";
    struct places seen = { { 0 }, { 0 }, { false } };

    (void)state;
    read_all(ipr_str_c(input), NULL, note_place, &seen);
    assert_int_equal(seen.offset[0], 7);
    assert_int_equal(seen.line[0], 2);
    assert_int_equal(seen.offset[1], strstr(input, "d4") - input);
    assert_int_equal(seen.line[1], 4);
    assert_int_equal(seen.offset[2], strstr(input, "[FEN") - input);
    assert_int_equal(seen.line[2], 6);
    assert_false(seen.custom[0] || seen.custom[1]);
    assert_true(seen.custom[2]);
}

/* A game that is too long begins where its text begins, if it has neither tag nor move before the
 * limit. */
static void test_place_of_long_game(void **state)
{
    static const struct {
        const char *before;
        uint64_t offset;
        uint32_t line;
    } cases[] = { { "{", 0, 1 }, { "\n\n {", 3, 3 }, { "\n[White \"A\"]\n{", 1, 2 } };
    const struct ipr_pgn_limits limits = { .max_game_bytes = 1000 };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ipr_buf input = IPR_BUF_INIT;
        struct places seen = { { 99, 99, 99 }, { 0 }, { false } };

        ipr_buf_puts(&input, cases[i].before);
        while (input.n < 5000)
            ipr_buf_puts(&input, "x ");
        read_all((struct ipr_str){ input.p, input.n }, &limits, note_place, &seen);
        assert_int_equal(seen.offset[0], cases[i].offset);
        assert_int_equal(seen.line[0], cases[i].line);
        assert_int_equal(seen.offset[1], 99); /* one game */
        ipr_buf_release(&input);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variations_and_end),
        cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_place_of_long_game),
    };

    return cmocka_run_group_tests_name("pgn reader: places", tests, NULL, NULL);
}
