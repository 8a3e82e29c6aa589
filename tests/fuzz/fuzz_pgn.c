/* The input is PGN. It is read whole and in pieces whose sizes come from the input, with limits
 * as in an import and with narrow ones: the pieces make no difference, what is accepted is legal
 * and ends where replaying it ends, and what is refused says why and where. */
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "fuzz.h"
#include "pgn/charset.h"
#include "pgn/reader.h"

/* ---- what must hold for every game ---- */

static void expect_text(struct ipr_str s)
{
    HOLDS(ipr_utf8_valid(s));
    HOLDS(s.n == 0 || memchr(s.p, '\0', s.n) == NULL);
}

static void expect_legal(const struct ipr_pgn_game *g)
{
    struct ipr_pos pos = g->start;
    char end[IPR_FEN_MAX], replayed[IPR_FEN_MAX];

    for (size_t i = 0; i < g->n_moves; i++) {
        HOLDS(ipr_pos_is_legal(&pos, g->moves[i]));
        ipr_pos_play(&pos, g->moves[i]);
    }
    ipr_pos_to_fen(&pos, replayed);
    ipr_pos_to_fen(&g->end, end);
    HOLDS(strcmp(replayed, end) == 0 && pos.key == g->end.key);
}

static void expect_located(const struct ipr_pgn_game *g)
{
    HOLDS(g->line >= 1);
    if (g->error.code == IPR_OK)
        return;
    HOLDS(g->error.code == IPR_EPARSE && g->error.type[0] != '\0' && g->error.msg[0] != '\0');
    HOLDS(g->error.line >= g->line && g->error.column >= 1);
    HOLDS(g->error.ply == (int32_t)g->n_moves);
}

static void expect_notes(const struct ipr_pgn_game *g)
{
    for (size_t i = 0; i < g->n_notes; i++) {
        const struct ipr_pgn_note *note = &g->notes[i];

        HOLDS(note->ply <= g->n_moves);
        expect_text(note->text);
        HOLDS(note->kind != IPR_NOTE_COMMENT || note->text.n > 0);
        HOLDS(note->kind != IPR_NOTE_NAG || (note->nag >= 0 && note->nag <= 255));
        HOLDS(note->ms >= 0);
    }
}

/* ---- a game as text, to compare ---- */

static void put_str(struct ipr_buf *out, struct ipr_str s)
{
    ipr_buf_printf(out, " %zu:", s.n);
    ipr_buf_add(out, s.p, s.n);
}

static void put_note(struct ipr_buf *out, const struct ipr_pgn_note *n)
{
    ipr_buf_printf(out, "\nnote %" PRIu32 " %d %" PRId32 " %d %" PRId32 " %" PRId32 " %" PRId64,
                   n->ply, (int)n->kind, n->nag, (int)n->mate, n->value, n->depth, n->ms);
    ipr_buf_printf(out,
                   " search %u %" PRId32 " %" PRId32 " %" PRId32 " %" PRId64 " %" PRId64 " %" PRId32
                   " %" PRId32 " %" PRId32,
                   n->search.move, n->search.value, n->search.depth, n->search.seldepth,
                   n->search.tbhits, n->search.time_ms, n->search.dmean, n->search.dmax,
                   n->search.ddmax);
    put_str(out, n->text);
}

static void put_notes(struct ipr_buf *out, const struct ipr_pgn_note *notes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put_note(out, &notes[i]);
}

/* As the database keeps them, and back. */
static void expect_packable(const struct ipr_pgn_game *g)
{
    struct ipr_buf packed = IPR_BUF_INIT, given = IPR_BUF_INIT, back = IPR_BUF_INIT;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pgn_note *notes = NULL;
    size_t n = 0;

    ipr_notes_pack(g->notes, g->n_notes, &packed);
    HOLDS(ipr_notes_unpack((struct ipr_str){ packed.p, packed.n }, &mem, &notes, &n, &err) ==
          IPR_OK);
    HOLDS(n == g->n_notes);
    put_notes(&given, g->notes, n);
    put_notes(&back, notes, n);
    HOLDS(given.n == back.n && (n == 0 || memcmp(given.p, back.p, given.n) == 0));
    ipr_arena_release(&mem);
    ipr_buf_release(&packed);
    ipr_buf_release(&given);
    ipr_buf_release(&back);
}

static enum ipr_code take(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    struct ipr_buf *out = payload;

    (void)err;
    expect_legal(g);
    expect_located(g);
    expect_notes(g);
    expect_packable(g);
    ipr_buf_printf(out, "\ngame %" PRIu32 " at %" PRIu64 " line %" PRIu32 " %s %" PRIu32 " %d",
                   g->index, g->offset, g->line, ipr_result_text(g->result), g->variations,
                   g->custom_start);
    ipr_buf_printf(out, "\nerror %d %s %" PRIu32 " %" PRIu32 " %" PRId32 " %s", (int)g->error.code,
                   g->error.type, g->error.line, g->error.column, g->error.ply, g->error.msg);
    for (size_t i = 0; i < g->n_tags; i++) {
        expect_text(g->tags[i].name);
        expect_text(g->tags[i].value);
        put_str(out, g->tags[i].name);
        put_str(out, g->tags[i].value);
    }
    put_str(out, (struct ipr_str){ (const char *)g->moves, g->n_moves * sizeof *g->moves });
    put_notes(out, g->notes, g->n_notes);
    return IPR_OK;
}

/* ---- reading ---- */

/* Pieces of at most `piece` bytes, 0: all at once. */
static void read_all(struct ipr_str text, const struct ipr_pgn_limits *limits, size_t piece,
                     struct ipr_buf *out)
{
    struct ipr_pgn_reader *reader = ipr_pgn_reader_new(limits, take, out);
    struct ipr_err err = IPR_ERR_INIT;
    uint64_t random = fuzz_seed((const uint8_t *)text.p, text.n);
    enum ipr_code rc = IPR_OK;

    for (size_t at = 0; rc == IPR_OK && at < text.n;) {
        const size_t left = text.n - at;
        const size_t some = piece > 0 ? (size_t)(fuzz_next(&random) % piece) + 1 : left;
        const size_t n = some < left ? some : left;

        rc = ipr_pgn_reader_feed(reader, text.p + at, n, &err);
        at += n;
    }
    if (rc == IPR_OK)
        rc = ipr_pgn_reader_finish(reader, &err);
    HOLDS(rc == IPR_OK || (rc == IPR_EPARSE && strcmp(err.type, "no_games") == 0));
    HOLDS((rc == IPR_OK) == (out->n > 0));
    ipr_pgn_reader_free(&reader);
}

static void expect_same(struct ipr_str text, const struct ipr_pgn_limits *limits)
{
    static const size_t pieces[] = { 7, 900 };
    struct ipr_buf whole = IPR_BUF_INIT, parts = IPR_BUF_INIT;

    read_all(text, limits, 0, &whole);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        ipr_buf_reset(&parts);
        read_all(text, limits, pieces[i], &parts);
        HOLDS(whole.n == parts.n && (whole.n == 0 || memcmp(whole.p, parts.p, whole.n) == 0));
    }
    ipr_buf_release(&whole);
    ipr_buf_release(&parts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct ipr_pgn_limits imported = { .notes = true };
    static const struct ipr_pgn_limits narrow = { .max_game_bytes = 300, .max_plies = 12 };
    const struct ipr_str text = { (const char *)data, size };

    expect_same(text, &imported);
    expect_same(text, &narrow);
    return 0;
}
