#include <stdio.h>

#include "chess/san.h"
#include "core/openings.h"
#include "ipr_test.h"
#include "pgn/reader.h"

struct line {
    struct ipr_pos start;
    ipr_move moves[40];
    size_t n;
};

static struct line line_of(const char *fen, const char *text)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct line line = { .n = 0 };

    ipr_pos_start(&line.start);
    if (fen != NULL)
        assert_ok(ipr_pos_from_fen(&line.start, ipr_str_c(fen), &err), &err);
    struct ipr_pos pos = line.start;
    for (const char *at = text; *at != '\0'; at += strspn(at, " ")) {
        const struct ipr_str san = { at, strcspn(at, " ") };

        assert_ok(ipr_san_read(&pos, san, &line.moves[line.n], &err), &err);
        ipr_pos_play(&pos, line.moves[line.n++]);
        at += san.n;
    }
    return line;
}

/* The last position that is known tells, in whichever order the moves led there. */
static void test_moves(void **state)
{
    static const char *const rows[][2] = {
        { "B00", "e4" },
        { "B90", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6" },
        { "B90", "Nf3 c5 e4 d6 d4 cxd4 Nxd4 a6 Nc3 Nf6 a3 g6" },
        { "D50", "d4 d5 c4 e6 Nc3 Nf6 Bg5" },
        { "D50", "c4 e6 Nc3 Nf6 d4 d5 Bg5" },
        { "E90", "Nf3 Nf6 c4 g6 Nc3 Bg7 e4 d6 d4" },
        { "C46", "Nc3 e5 e4 Nc6 Nf3" },
        { "A00", "e3 e5 e4 Nc6 Nf3 Nf6 Bb5" }, /* Black to move: no Ruy Lopez */
        { "C02", "e4 e6 d4 d5 e5 Kd7 Qh5 Nh6" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct line l = line_of(NULL, rows[i][1]);

        assert_string_equal(ipr_opening_code(&l.start, l.moves, l.n), rows[i][0]);
    }
    const struct line none = line_of(NULL, "");
    assert_null(ipr_opening_code(&none.start, none.moves, 0));
    const struct line set = line_of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e4 Ke7");
    assert_null(ipr_opening_code(&set.start, set.moves, set.n));
    const struct line later =
        line_of("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "Nf3 Nc6 Bb5");
    assert_string_equal(ipr_opening_code(&later.start, later.moves, later.n), "C60");
}

/* The tag says more than the moves, where it is a code. */
static void test_tags(void **state)
{
    static const char *const absent[] = { "", "?", "-", "B", "B9", "F00", "b90", "1000" };
    const struct line l = line_of(NULL, "e4 e5 Nf3 Nc6 Bb5 a6");
    const char *const ruy = "Ruy Lopez";

    (void)state;
    assert_string_equal(
        ipr_opening_name(ipr_opening_of(ipr_str_c("B90"), &l.start, l.moves, l.n).number),
        "Sicilian Defence, Najdorf");
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        assert_string_equal(
            ipr_opening_name(ipr_opening_of(ipr_str_c(absent[i]), &l.start, l.moves, l.n).number),
            ruy);
    assert_int_equal(ipr_opening_of(ipr_str_c("?"), &l.start, NULL, 0).number, 0);
    assert_string_equal(
        ipr_opening_name(ipr_opening_of(ipr_str_c("E99"), &l.start, NULL, 0).number),
        "King's Indian Defence");
}

/* The code is that of the game, and a name has the codes up to the next one's. */
static void test_codes(void **state)
{
    static const char *const rows[][2] = {
        { "C50", "C50" }, { "B22", "B20–B26" }, { "A43", "A43–A44" }, { "A99", "A80–A99" },
        { "B00", "B00" }, { "D04", "D00–D05" }, { "E60", "E60–E99" }, { "A00", "A00" },
    };
    const struct line l = line_of(NULL, "e4 e5 Nf3 Nc6 Bb5 a6");
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct ipr_opening o = ipr_opening_of(ipr_str_c(rows[i][0]), &l.start, NULL, 0);

        assert_string_equal(o.eco, rows[i][0]);
        assert_string_equal(ipr_opening_codes(o.number, &mem), rows[i][1]);
    }
    assert_string_equal(ipr_opening_of(ipr_str_c("B22n"), &l.start, NULL, 0).eco, "B22");
    assert_string_equal(ipr_opening_of(ipr_str_c("?"), &l.start, l.moves, l.n).eco, "C70");
    assert_string_equal(ipr_opening_of(ipr_str_c("?"), &l.start, NULL, 0).eco, "");
    assert_null(ipr_opening_codes(0, &mem));
    ipr_arena_release(&mem);
}

/* ---- beside the tags of real games ---- */

struct agreement {
    unsigned games, codes, openings;
};

static enum ipr_code agreement_take(void *payload, const struct ipr_pgn_game *g,
                                    struct ipr_err *err)
{
    struct agreement *const a = payload;
    const struct ipr_str tag = ipr_pgn_tag_get(g, "ECO");
    const uint32_t tagged = ipr_opening_of(tag, &g->start, NULL, 0).number;

    (void)err;
    if (tagged == 0 || g->n_moves < 2)
        return IPR_OK;
    const char *const code = ipr_opening_code(&g->start, g->moves, g->n_moves);
    assert_non_null(code);
    a->games++;
    a->codes += strncmp(code, tag.p, 3) == 0;
    a->openings +=
        ipr_opening_of((struct ipr_str){ "", 0 }, &g->start, g->moves, g->n_moves).number == tagged;
    return IPR_OK;
}

static struct agreement agreement_of(const char *command)
{
    struct agreement a = { 0 };
    struct ipr_pgn_limits limits = { 0 };
    struct ipr_pgn_reader *r = ipr_pgn_reader_new(&limits, agreement_take, &a);
    struct ipr_err err = IPR_ERR_INIT;
    FILE *const in = popen(command, "r");
    char block[65536];
    size_t n;

    assert_non_null(in);
    while ((n = fread(block, 1, sizeof block, in)) > 0)
        assert_ok(ipr_pgn_reader_feed(r, block, n, &err), &err);
    assert_ok(ipr_pgn_reader_finish(r, &err), &err);
    assert_int_equal(pclose(in), 0);
    ipr_pgn_reader_free(&r);
    return a;
}

static void test_sample(void **state)
{
    const struct agreement a = agreement_of("cat static/samples/unjudged.pgn");

    (void)state;
    assert_int_equal(a.games, 10);
    assert_int_equal(a.codes, 9);
    assert_int_equal(a.openings, 9);
}

/* Games of clubs, of a server and of a champion, each tagged by other people's tables;
 * docs/profile.md has the shares of all games. */
static void test_real(void **state)
{
    static const struct {
        const char *path;
        unsigned games;
        double codes, openings;
    } rows[] = {
        { "data/otb/club.pgn.zst", 1734, .92, .96 },
        { "data/online/amateur-blitz.pgn.zst", 5000, .95, .97 },
        { "data/champions/Fischer.pgn.zst", 700, .75, .87 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const path = ipr_test_shared(rows[i].path);
        char command[512];

        if (path == NULL)
            skip();
        snprintf(command, sizeof command, "zstd -dcq '%s'", path);
        const struct agreement a = agreement_of(command);
        print_message("%s: %u games, code %.4f, opening %.4f\n", rows[i].path, a.games,
                      (double)a.codes / a.games, (double)a.openings / a.games);
        assert_true(a.games >= rows[i].games);
        assert_true(a.codes >= rows[i].codes * a.games);
        assert_true(a.openings >= rows[i].openings * a.games);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves),  cmocka_unit_test(test_tags), cmocka_unit_test(test_codes),
        cmocka_unit_test(test_sample), cmocka_unit_test(test_real),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
