#include <inttypes.h>

#include "ipr_test.h"
#include "pgn/reader.h"

/*
 * What games say beside their moves, one line a game, a note as "ply:what". Each row is read in
 * pieces of several sizes, and its notes are packed and unpacked on the way.
 */
static struct row {
    const char *name, *input, *want;
} rows[] = {
    { "none", "1. e4 e5 *", "\n" },
    { "numeric glyphs", "1. e4 $1 e5$14 $139 *", "1:$1 2:$14 2:$139\n" },
    { "glyphs out of range", "1. e4 $255 $256 $ e5 *", "1:$255\n" },
    { "glyphs that touch", "1. e4! d6? 2. d4!! e6?? 3. c4!? c6?! *",
      "1:$1 2:$2 3:$3 4:$4 5:$5 6:$6\n" },
    { "glyphs apart", "1. e4 ! d6 ? 2. d4 !! e6 ?? 3. c4 !? c6 ?! *",
      "1:$1 2:$2 3:$3 4:$4 5:$5 6:$6\n" },
    { "glyph after a check mark", "1. e4 d5 2. Bb5+!? *", "3:$5\n" },
    { "too many signs", "1. e4!!! e5??? 2. Nf3!?! *", "1:$3 2:$4 3:$5\n" },
    { "other signs", "1. e4 += e5 -/+ 2. Nf3 +- Nc6 = 3. d4 ~ <> *",
      "1:$14 2:$17 3:$18 4:$10 5:$13\n" },
    { "novelty and diagram", "1. e4 N e5 D *", "1:$146 2:$220\n" },
    { "comment", "1. e4 {good} e5 *", "1:'good'\n" },
    { "comment before the first move", "{one} 1. e4 *\n\n[White \"B\"] {two} 1. d4 *",
      "0:'one'\n0:'two'\n" },
    { "comment before the tags", "{zero} [White \"A\"] 1. e4 *", "0:'zero'\n" },
    { "comment after the result", "1. e4 1-0 {resigns} ; at once\n1. d4 {b} *",
      "1:'resigns' 1:'at once'\n1:'b'\n" },
    { "line comment", "1. e4 ; two words {\ne5 ;\n*", "1:'two words {'\n" },
    { "% line", "1. e4\n% {no}\n*", "\n" },
    { "white space", "1. e4 {  a\r\n\tb  c } e5 {} { \n } *", "1:'a b c'\n" },
    { "UTF-8", "1. e4 {\xC3\xA9t\xC3\xA9} *", "1:'\xC3\xA9t\xC3\xA9'\n" },
    { "Windows-1252", "1. e4 {\xE9t\xE9 \x80} *", "1:'\xC3\xA9t\xC3\xA9 \xE2\x82\xAC'\n" },
    { "Windows-1252, tags too", "[White \"\xE9\"] {\xE8} 1. e4 *", "0:'\xC3\xA8'\n" },
    { "in a variation", "1. e4 (1. d4 {no} $1) e5 *", "\n" },
    { "evaluation", "1. e4 {[%eval 0.23]} e5 { [%eval -12.5] } *", "1:eval 23/0 2:eval -1250/0\n" },
    { "evaluation with depth", "1. e4 {[%eval 0.2,18]} e5 {[%eval +3.0, 20]} *",
      "1:eval 20/18 2:eval 300/20\n" },
    { "whole centipawns with depth",
      "1. e4 {[%eval 28,15]} e5 {[%eval -131, 20]} 2. d4 {[%eval 2]} *",
      "1:eval 28/15 2:eval -131/20 3:eval 200/0\n" },
    { "evaluation, rounded", "1. e4 {[%eval 0.125]} e5 {[%eval -0.005]} 2. d4 {[%eval 0.994]} *",
      "1:eval 13/0 2:eval -1/0 3:eval 99/0\n" },
    { "mate", "1. e4 {[%eval #3]} e5 {[%eval #-12,40]} *", "1:eval #3/0 2:eval #-12/40\n" },
    { "clock", "1. e4 {[%clk 1:59:30]} e5 {[%clk 0:00:01.5]} 2. d4 {[%clk 9:05]} *",
      "1:clk 7170000 2:clk 1500 3:clk 545000\n" },
    { "time spent", "1. e4 {[%emt 0:00:12]} e5 {[%emt 100:00:00.0004]} *",
      "1:emt 12000 2:emt 360000000\n" },
    { "commands in a row", "1. e4 { [%eval 0.17] [%clk 1:30:49] } *",
      "1:eval 17/0 1:clk 5449000\n" },
    { "commands that touch", "1. e4 {[%eval 0.1][%clk 0:01]x} *",
      "1:eval 10/0 1:clk 1000 1:'x'\n" },
    { "commands amid text", "1. e4 {a [%clk 0:01] b [%emt 0:02] c} *",
      "1:clk 1000 1:emt 2000 1:'a b c'\n" },
    { "blanks in a command", "1. e4 {[%clk  0:01 ]} *", "1:clk 1000\n" },
    { "in a line comment", "1. e4 ; [%clk 0:01]\n e5 *", "1:clk 1000\n" },
    { "clock without its sign", "1. e4 {[clk 0:01]} *", "1:'[clk 0:01]'\n" },
    { "malformed commands",
      "1. e4 {[%eval 1.]} {[%eval x]} {[%eval]} {[%eval 1 2]} {[%eval 0.2,]} {[%eval 123456]} "
      "{[%clk 1:60]} {[%clk 1:60:00]} {[%clk 12]} {[%clk -0:01]} {[%clk 1:2:3:4]} {[%clk 0:01.]} "
      "{[%emt 0:01} {[%csl Ga1]} {[%evil 1]} *",
      "1:'[%eval 1.]' 1:'[%eval x]' 1:'[%eval]' 1:'[%eval 1 2]' 1:'[%eval 0.2,]' "
      "1:'[%eval 123456]' 1:'[%clk 1:60]' 1:'[%clk 1:60:00]' 1:'[%clk 12]' 1:'[%clk -0:01]' "
      "1:'[%clk 1:2:3:4]' 1:'[%clk 0:01.]' 1:'[%emt 0:01' 1:'[%csl Ga1]' 1:'[%evil 1]'\n" },
    { "a good one after a bad one", "1. e4 {[%clk x] [%clk 0:01]} *", "1:clk 1000 1:'[%clk x]'\n" },
    { "searches",
      "c2c4 g7g6 {90,24,43,0,124176,8,(43,3)} (b7b6 {127,25,44,1,99,-9,(38,5)}) b1c3 "
      "{-5, 1, 2, 3, 4, 5, (6, 7)} d7d5 {8,9,-,-, - ,1,(-,-)} *",
      "2:g7g6 90,24,43,0,124176,8,(43,3) 2:b7b6 127,25,44,1,99,-9,(38,5) 3:b1c3 "
      "-5,1,2,3,4,5,(6,7) 4:d7d5 8,9,-2147483648,-2147483648,-2147483648,1,"
      "(-2147483648,-2147483648)\n" },
    { "three moves searched",
      "1. e4 {1,2,3,4,5,6,(7,8)} (1. d4 $1 {2,2,3,4,5,6,(7,8)} d5) (1. c4! {3,2,3,4,5,6,(7,8)}) e5 "
      "*",
      "1:e2e4 1,2,3,4,5,6,(7,8) 1:d2d4 2,2,3,4,5,6,(7,8) 1:c2c4 3,2,3,4,5,6,(7,8)\n" },
    { "a search castles",
      "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"] Kd2 (e1g1 {1,2,3,4,5,6,(7,8)}) *",
      "1:e1g1 1,2,3,4,5,6,(7,8)\n" },
    { "a search of an illegal move", "1. e4 (1. e5 {1,2,3,4,5,6,(7,8)}) *", "\n" },
    { "a search of the position after", "1. e4 (1... e5 {1,2,3,4,5,6,(7,8)}) *", "\n" },
    { "a search after the second move of a variation", "1. e4 (1. d4 d5 {1,2,3,4,5,6,(7,8)}) *",
      "\n" },
    { "a variation without a search", "1. e4 (1. d4 {good}) *", "\n" },
    { "a search before the first move", "{1,2,3,4,5,6,(7,8)} 1. e4 *", "0:'1,2,3,4,5,6,(7,8)'\n" },
    { "searches that are none",
      "1. e4 {1,2,3,4,5,6,(7,8} {1,2,3,4,5,6,7,8} {1,2,3,-4,5,6,(7,8)} {1,2,3,4,5,6,(7,8),9} "
      "{1,2,3,4,5,6,(7)} {4294967296,2,3,4,5,6,(7,8)} {1,,3,4,5,6,(7,8)} "
      "{-,2,3,4,5,6,(7,8)} {1,-,3,4,5,6,(7,8)} *",
      "1:'1,2,3,4,5,6,(7,8' 1:'1,2,3,4,5,6,7,8' 1:'1,2,3,-4,5,6,(7,8)' "
      "1:'1,2,3,4,5,6,(7,8),9' 1:'1,2,3,4,5,6,(7)' 1:'4294967296,2,3,4,5,6,(7,8)' "
      "1:'1,,3,4,5,6,(7,8)' 1:'-,2,3,4,5,6,(7,8)' 1:'1,-,3,4,5,6,(7,8)'\n" },
    { "a search and a clock", "1. e4 {[%clk 0:01] 1,2,3,4,5,6,(7,8)} *",
      "1:clk 1000 1:e2e4 1,2,3,4,5,6,(7,8)\n" },
    { "up to the error", "1. e4 {a} Ke4 {b} *\n[White \"B\"] {c} *", "1:'a'\n0:'c'\n" },
    { "order within a move", "1. e4! {a} $7 {[%clk 0:01]} ; b\n*",
      "1:$1 1:'a' 1:$7 1:clk 1000 1:'b'\n" },
    { "NUL in a comment", "1. e4 {a\x01\x02 b} *", "1:'a b'\n" },
};

static void print_note(struct ipr_buf *out, const struct ipr_pgn_note *n, const struct ipr_pos *pos)
{
    const struct ipr_note_search *const s = &n->search;
    char uci[IPR_UCI_MAX];

    ipr_buf_printf(out, "%s%" PRIu32 ":", out->n > 0 && out->p[out->n - 1] != '\n' ? " " : "",
                   n->ply);
    switch (n->kind) {
    case IPR_NOTE_NAG:
        ipr_buf_printf(out, "$%" PRId32, n->nag);
        break;
    case IPR_NOTE_COMMENT:
        ipr_buf_printf(out, "'%.*s'", (int)n->text.n, n->text.p);
        break;
    case IPR_NOTE_EVAL:
        ipr_buf_printf(out, "eval %s%" PRId32 "/%" PRId32, n->mate ? "#" : "", n->value, n->depth);
        break;
    case IPR_NOTE_CLK:
    case IPR_NOTE_EMT:
        ipr_buf_printf(out, "%s %" PRId64, n->kind == IPR_NOTE_CLK ? "clk" : "emt", n->ms);
        break;
    case IPR_NOTE_SEARCH:
        ipr_move_to_uci(pos, s->move, uci);
        ipr_buf_printf(out,
                       "%s %" PRId32 ",%" PRId32 ",%" PRId32 ",%" PRId64 ",%" PRId64 ",%" PRId32
                       ",(%" PRId32 ",%" PRId32 ")",
                       uci, s->value, s->depth, s->seldepth, s->tbhits, s->time_ms, s->dmean,
                       s->dmax, s->ddmax);
        break;
    }
}

/* Prints the notes as they come back from their stored form. */
static enum ipr_code print_game(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    struct ipr_buf *const out = payload;
    struct ipr_buf packed = IPR_BUF_INIT;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_pgn_note *notes;
    size_t n;

    (void)err;
    ipr_notes_pack(g->notes, g->n_notes, &packed);
    assert_true((packed.n == 0) == (g->n_notes == 0));
    assert_int_equal(
        ipr_notes_unpack((struct ipr_str){ packed.p, packed.n }, &mem, &notes, &n, NULL), IPR_OK);
    assert_int_equal(n, g->n_notes);
    for (size_t i = 0; i < n; i++) {
        struct ipr_pos before = g->start;

        for (uint32_t ply = 0; ply + 1 < notes[i].ply; ply++)
            ipr_pos_play(&before, g->moves[ply]);
        print_note(out, &notes[i], &before);
    }
    ipr_buf_putc(out, '\n');
    ipr_arena_release(&mem);
    ipr_buf_release(&packed);
    return IPR_OK;
}

static void read_input(struct ipr_str input, size_t piece, bool notes, ipr_pgn_game_fn fn,
                       void *payload)
{
    const struct ipr_pgn_limits limits = { .notes = notes };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pgn_reader *r = ipr_pgn_reader_new(&limits, fn, payload);

    for (size_t i = 0; i < input.n; i += piece) {
        const size_t n = input.n - i < piece ? input.n - i : piece;

        assert_ok(ipr_pgn_reader_feed(r, input.p + i, n, &err), &err);
    }
    assert_ok(ipr_pgn_reader_finish(r, &err), &err);
    ipr_pgn_reader_free(&r);
}

static void test_row(void **state)
{
    const struct row *const r = *state;
    const struct ipr_str input = ipr_str_c(r->input);

    for (size_t piece = 1; piece <= input.n; piece *= 3) {
        struct ipr_buf seen = IPR_BUF_INIT;

        read_input(input, piece, true, print_game, &seen);
        assert_string_equal(ipr_buf_c(&seen), r->want);
        ipr_buf_release(&seen);
    }
}

static enum ipr_code expect_none(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    (void)payload;
    (void)err;
    assert_int_equal(g->n_notes, 0);
    return IPR_OK;
}

static void test_not_asked_for(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        read_input(ipr_str_c(rows[i].input), 7, false, expect_none, NULL);
}

static enum ipr_code expect_refused(void *payload, const struct ipr_pgn_game *g,
                                    struct ipr_err *err)
{
    unsigned *const games = payload;

    (void)err;
    if (++*games == 1) {
        assert_string_equal(g->error.type, "game_too_long");
        assert_int_equal(g->error.ply, 1);
    } else {
        assert_int_equal(g->error.code, IPR_OK);
        assert_int_equal(g->n_notes, 1);
    }
    return IPR_OK;
}

/* Notes take more memory than their text: they have a bound of their own. */
static void test_too_many(void **state)
{
    struct ipr_buf input = IPR_BUF_INIT;
    unsigned games = 0;

    (void)state;
    ipr_buf_puts(&input, "1. e4 ");
    for (unsigned i = 0; i < 300000; i++)
        ipr_buf_puts(&input, "$1");
    ipr_buf_puts(&input, " *\n[White \"B\"] 1. e4! *");
    read_input((struct ipr_str){ input.p, input.n }, 65536, true, expect_refused, &games);
    assert_int_equal(games, 2);
    ipr_buf_release(&input);
}

/* ---- The stored form ---- */

static const struct ipr_pgn_note extremes[] = {
    { .ply = 0, .kind = IPR_NOTE_NAG, .nag = 0 },
    { .ply = 0, .kind = IPR_NOTE_NAG, .nag = 255 },
    { .ply = 1, .kind = IPR_NOTE_EVAL, .mate = true, .value = INT32_MIN, .depth = INT32_MAX },
    { .ply = 20, .kind = IPR_NOTE_EVAL, .value = INT32_MAX, .depth = INT32_MIN },
    { .ply = 20000, .kind = IPR_NOTE_CLK, .ms = 0 },
    { .ply = 20000, .kind = IPR_NOTE_CLK, .ms = INT64_MAX / 2 },
    { .ply = 20000, .kind = IPR_NOTE_EMT, .ms = 999 },
    { .ply = 20000, .kind = IPR_NOTE_COMMENT, .text = { "\xE2\x82\xAC", 3 } },
    { .ply = UINT32_MAX,
      .kind = IPR_NOTE_SEARCH,
      .search = { UINT16_MAX, INT32_MIN, -1, 1, INT64_MAX - 1, INT64_MAX - 1, INT32_MAX, 0, -64 } },
    { .ply = UINT32_MAX,
      .kind = IPR_NOTE_SEARCH,
      .search = { 1, 2, 3, IPR_NOTE_UNKNOWN, IPR_NOTE_UNKNOWN, IPR_NOTE_UNKNOWN, IPR_NOTE_UNKNOWN,
                  IPR_NOTE_UNKNOWN, IPR_NOTE_UNKNOWN } },
};
#define N_EXTREMES (sizeof extremes / sizeof *extremes)

static void assert_same(const struct ipr_pgn_note *a, const struct ipr_pgn_note *b)
{
    const struct ipr_note_search *const s = &a->search, *const t = &b->search;

    assert_int_equal(a->ply, b->ply);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->nag, b->nag);
    assert_int_equal(a->mate, b->mate);
    assert_int_equal(a->value, b->value);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->ms, b->ms);
    assert_true(ipr_str_eq(a->text, b->text));
    assert_int_equal(s->move, t->move);
    assert_int_equal(s->value, t->value);
    assert_int_equal(s->depth, t->depth);
    assert_int_equal(s->seldepth, t->seldepth);
    assert_int_equal(s->tbhits, t->tbhits);
    assert_int_equal(s->time_ms, t->time_ms);
    assert_int_equal(s->dmean, t->dmean);
    assert_int_equal(s->dmax, t->dmax);
    assert_int_equal(s->ddmax, t->ddmax);
}

static void test_extremes(void **state)
{
    struct ipr_buf packed = IPR_BUF_INIT;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pgn_note *notes;
    size_t n;

    (void)state;
    ipr_notes_pack(extremes, N_EXTREMES, &packed);
    assert_ok(ipr_notes_unpack((struct ipr_str){ packed.p, packed.n }, &mem, &notes, &n, &err),
              &err);
    assert_int_equal(n, N_EXTREMES);
    for (size_t i = 0; i < n; i++)
        assert_same(&notes[i], &extremes[i]);
    ipr_arena_release(&mem);
    ipr_buf_release(&packed);
}

/* A clock and an evaluation at every move, as servers write them, take ten bytes a move. */
static void test_compact(void **state)
{
    struct ipr_pgn_note notes[200];
    struct ipr_buf packed = IPR_BUF_INIT;

    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        notes[2 * i] = (struct ipr_pgn_note){ .ply = i + 1, .kind = IPR_NOTE_EVAL, .value = -85 };
        notes[2 * i + 1] =
            (struct ipr_pgn_note){ .ply = i + 1, .kind = IPR_NOTE_CLK, .ms = 5400000 - i * 1000 };
    }
    ipr_notes_pack(notes, 200, &packed);
    assert_true(packed.n <= 1000);
    ipr_buf_release(&packed);
}

/* Whatever is read from the bytes is written as the same bytes again; all else is refused. */
static bool unpacks(struct ipr_str bytes)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_buf again = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pgn_note *notes;
    size_t n = 0;
    const enum ipr_code rc = ipr_notes_unpack(bytes, &mem, &notes, &n, &err);

    assert_int_equal(err.code, rc);
    if (rc == IPR_OK) {
        ipr_notes_pack(notes, n, &again);
        assert_true(ipr_str_eq((struct ipr_str){ again.p, again.n }, bytes));
    } else {
        assert_int_equal(rc, IPR_EPARSE);
    }
    ipr_buf_release(&again);
    ipr_arena_release(&mem);
    return rc == IPR_OK;
}

static void test_hostile_bytes(void **state)
{
    struct ipr_buf packed = IPR_BUF_INIT;

    (void)state;
    assert_true(unpacks(IPR_STR("")));
    ipr_notes_pack(extremes, N_EXTREMES, &packed);
    for (size_t n = 1; n < packed.n; n++)
        assert_false(unpacks((struct ipr_str){ packed.p, n }));
    for (size_t i = 0; i < packed.n; i++) {
        const char was = packed.p[i];

        for (unsigned byte = 0; byte < 256; byte++) {
            packed.p[i] = (char)byte;
            (void)unpacks((struct ipr_str){ packed.p, packed.n });
        }
        packed.p[i] = was;
    }
    assert_true(unpacks((struct ipr_str){ packed.p, packed.n }));
    ipr_buf_release(&packed);
}

static struct bytes {
    const char *name;
    struct ipr_str bytes;
} refused[] = {
    { "another version", { "\x02\x01\x00\x01", 4 } },
    { "no notes", { "\x01\x00", 2 } },
    { "more notes than bytes", { "\x01\xFF\xFF\xFF\xFF\x7F\x00\x01", 8 } },
    { "a kind that is none", { "\x01\x01\x06\x01", 4 } },
    { "glyph 256", { "\x01\x01\x00\x80\x02", 5 } },
    { "a number longer than need be", { "\x01\x01\x00\x81\x00", 5 } },
    { "a number without end", { "\x01\x01\x00\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 14 } },
    { "an empty comment", { "\x01\x01\x01\x00", 4 } },
    { "a comment longer than the bytes",
      { "\x01\x01\x01\x03"
        "ab",
        6 } },
    { "a NUL in a comment",
      { "\x01\x01\x01\x02"
        "a\x00",
        6 } },
    { "a comment not in UTF-8", { "\x01\x01\x01\x01\xE9", 5 } },
    { "minus zero", { "\x01\x01\x02\x00\x01\x00", 6 } },
    { "seconds as milliseconds", { "\x01\x01\x03\xD1\x0F", 5 } },
    { "bytes left over", { "\x01\x01\x00\x01\x00", 5 } },
};

static void test_refused(void **state)
{
    const struct bytes *const b = *state;

    assert_false(unpacks(b->bytes));
}

/* ---- Two records of one game ---- */

static struct pair {
    const char *name, *games, *want;
} pairs[] = {
    { "nothing in either", "1. e4 * 1. e4 *", "" },
    { "all of the other", "1. e4 e5 * 1. e4 {a} e5 $1 *", "1:'a' 2:$1" },
    { "all of its own", "1. e4 {a} e5 $1 * 1. e4 e5 *", "1:'a' 2:$1" },
    { "what is new", "1. e4 {a} $1 e5 * 1. e4 {a} {b} $1 $2 e5 {c} *",
      "1:'a' 1:$1 1:'b' 1:$2 2:'c'" },
    { "one evaluation and clock a half-move",
      "1. e4 {[%eval 0.2]} e5 {[%clk 0:05]} * 1. e4 {[%eval 0.3,20] [%clk 0:07]} e5 {[%clk 0:06]} "
      "*",
      "1:eval 20/0 1:clk 7000 2:clk 5000" },
    { "twice in the other, twice here", "1. e4 * 1. e4 {a} {a} *", "1:'a' 1:'a'" },
    { "plies in between", "1. e4 {a} e5 2. d4 {c} * 1. e4 e5 {b} 2. d4 d5 {d} *",
      "1:'a' 2:'b' 3:'c' 4:'d'" },
};

struct two {
    struct ipr_buf packed[2];
    unsigned n;
};

static enum ipr_code keep_notes(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    struct two *const two = payload;

    (void)err;
    ipr_notes_pack(g->notes, g->n_notes, &two->packed[two->n++]);
    return IPR_OK;
}

static void test_merge(void **state)
{
    const struct pair *const r = *state;
    struct two two = { { IPR_BUF_INIT, IPR_BUF_INIT }, 0 };
    struct ipr_pgn_note *notes[2], out[16];
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_buf seen = IPR_BUF_INIT;
    struct ipr_pos start;
    size_t n[2];

    ipr_pos_start(&start);
    read_input(ipr_str_c(r->games), 100, true, keep_notes, &two);
    assert_int_equal(two.n, 2);
    for (int i = 0; i < 2; i++)
        assert_int_equal(ipr_notes_unpack((struct ipr_str){ two.packed[i].p, two.packed[i].n },
                                          &mem, &notes[i], &n[i], NULL),
                         IPR_OK);
    assert_true(n[0] + n[1] <= sizeof out / sizeof *out);
    const size_t n_out = ipr_notes_merge(notes[0], n[0], notes[1], n[1], out);
    for (size_t i = 0; i < n_out; i++)
        print_note(&seen, &out[i], &start);
    assert_string_equal(ipr_buf_c(&seen), r->want);
    ipr_buf_release(&seen);
    ipr_buf_release(&two.packed[0]);
    ipr_buf_release(&two.packed[1]);
    ipr_arena_release(&mem);
}

int main(void)
{
    enum { N_PAIRS = sizeof pairs / sizeof *pairs };
    enum { N_ROWS = sizeof rows / sizeof *rows, N_REFUSED = sizeof refused / sizeof *refused };
    const struct CMUnitTest single[] = {
        cmocka_unit_test(test_not_asked_for), cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_extremes),      cmocka_unit_test(test_compact),
        cmocka_unit_test(test_hostile_bytes),
    };
    enum { N_SINGLE = sizeof single / sizeof *single };
    struct CMUnitTest tests[N_ROWS + N_REFUSED + N_SINGLE + N_PAIRS];

    for (size_t i = 0; i < N_ROWS; i++)
        tests[i] = (struct CMUnitTest){ .name = rows[i].name,
                                        .test_func = test_row,
                                        .initial_state = &rows[i] };
    for (size_t i = 0; i < N_REFUSED; i++)
        tests[N_ROWS + i] = (struct CMUnitTest){ .name = refused[i].name,
                                                 .test_func = test_refused,
                                                 .initial_state = &refused[i] };
    memcpy(tests + N_ROWS + N_REFUSED, single, sizeof single);
    for (size_t i = 0; i < N_PAIRS; i++)
        tests[N_ROWS + N_REFUSED + N_SINGLE + i] = (struct CMUnitTest){
            .name = pairs[i].name, .test_func = test_merge, .initial_state = &pairs[i]
        };
    return cmocka_run_group_tests_name("pgn notes", tests, NULL, NULL);
}
