#include "pgn/notes.h"

#include <string.h>

#include "pgn/charset.h"

/*
 * The stored form: a version, the number of notes, then each note: the half-moves since the one
 * before it with its kind in the lowest three bits, and what its kind has. All numbers are
 * unsigned, seven bits a byte, lowest first, the top bit set on all but the last; signed ones
 * have their sign in the lowest bit. A clock's lowest bit says whether it counts milliseconds
 * rather than seconds, an evaluation's whether it is a mate.
 */
#define VERSION   1
#define KIND_BITS 3
#define N_KINDS   6

/* ---- Writing ---- */

static void notes_put(struct ipr_buf *out, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        ipr_buf_putc(out, (char)(0x80 | (v & 0x7F)));
    ipr_buf_putc(out, (char)v);
}

static void put_signed(struct ipr_buf *out, int32_t v)
{
    const uint64_t magnitude = (uint64_t)(v < 0 ? -(int64_t)v : v);

    notes_put(out, magnitude << 1 | (v < 0));
}

/* No file has so many: numbers have at most 18 digits there. */
#define UNKNOWN_COUNT INT64_MAX

static void search_put_count(struct ipr_buf *out, int64_t v)
{
    notes_put(out, v == IPR_NOTE_UNKNOWN ? UNKNOWN_COUNT : (uint64_t)v);
}

static void put_search(struct ipr_buf *out, const struct ipr_note_search *s)
{
    notes_put(out, s->move);
    put_signed(out, s->value);
    put_signed(out, s->depth);
    put_signed(out, s->seldepth);
    search_put_count(out, s->tbhits);
    search_put_count(out, s->time_ms);
    put_signed(out, s->dmean);
    put_signed(out, s->dmax);
    put_signed(out, s->ddmax);
}

static void put_note(struct ipr_buf *out, const struct ipr_pgn_note *note)
{
    switch (note->kind) {
    case IPR_NOTE_NAG:
        notes_put(out, (uint64_t)note->nag);
        break;
    case IPR_NOTE_COMMENT:
        notes_put(out, note->text.n);
        ipr_buf_add(out, note->text.p, note->text.n);
        break;
    case IPR_NOTE_EVAL:
        notes_put(out, note->mate);
        put_signed(out, note->value);
        put_signed(out, note->depth);
        break;
    case IPR_NOTE_CLK:
    case IPR_NOTE_EMT:
        if (note->ms % 1000 == 0)
            notes_put(out, (uint64_t)note->ms / 1000 << 1);
        else
            notes_put(out, (uint64_t)note->ms << 1 | 1);
        break;
    case IPR_NOTE_SEARCH:
        put_search(out, &note->search);
        break;
    }
}

void ipr_notes_pack(const struct ipr_pgn_note *notes, size_t n, struct ipr_buf *out)
{
    uint32_t ply = 0;

    if (n == 0)
        return;
    notes_put(out, VERSION);
    notes_put(out, n);
    for (size_t i = 0; i < n; i++) {
        notes_put(out, (uint64_t)(notes[i].ply - ply) << KIND_BITS | notes[i].kind);
        put_note(out, &notes[i]);
        ply = notes[i].ply;
    }
}

/* ---- Reading ---- */

/* The bytes left; `bad` after a missing or malformed value. */
struct in {
    const unsigned char *p, *end;
    bool bad;
};

/* A number up to `most`. One written longer than need be is refused: the same notes are always
 * the same bytes. */
static uint64_t notes_get(struct in *in, uint64_t most)
{
    uint64_t v = 0;

    for (unsigned shift = 0; in->p < in->end && shift < 63; shift += 7) {
        const unsigned byte = *in->p++;

        v |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            in->bad |= v > most || (byte == 0 && shift > 0);
            return in->bad ? 0 : v;
        }
    }
    in->bad = true;
    return 0;
}

static int32_t get_signed(struct in *in)
{
    const uint64_t v = notes_get(in, (uint64_t)INT32_MAX * 2 + 3);
    const int64_t magnitude = (int64_t)(v >> 1);

    in->bad |= v == 1 || (magnitude > INT32_MAX && v % 2 == 0); /* there is no -0 */
    return in->bad ? 0 : (int32_t)(v % 2 != 0 ? -magnitude : magnitude);
}

static int64_t search_get_count(struct in *in)
{
    const int64_t v = (int64_t)notes_get(in, INT64_MAX);

    return v == UNKNOWN_COUNT ? IPR_NOTE_UNKNOWN : v;
}

static void get_search(struct in *in, struct ipr_note_search *s)
{
    s->move = (ipr_move)notes_get(in, UINT16_MAX);
    s->value = get_signed(in);
    s->depth = get_signed(in);
    s->seldepth = get_signed(in);
    s->tbhits = search_get_count(in);
    s->time_ms = search_get_count(in);
    s->dmean = get_signed(in);
    s->dmax = get_signed(in);
    s->ddmax = get_signed(in);
}

static void get_text(struct in *in, struct ipr_arena *mem, struct ipr_str *text)
{
    const size_t n = (size_t)notes_get(in, (uint64_t)(in->end - in->p));
    const struct ipr_str bytes = { (const char *)in->p, n };

    if (n == 0 || n > (size_t)(in->end - in->p) || memchr(bytes.p, '\0', n) != NULL ||
        !ipr_utf8_valid(bytes)) {
        in->bad = true;
        return;
    }
    *text = (struct ipr_str){ ipr_arena_strndup(mem, bytes.p, n), n };
    in->p += n;
}

static int64_t get_clock(struct in *in)
{
    const uint64_t v = notes_get(in, INT64_MAX);
    const bool ms = v % 2 != 0;

    in->bad |= ms ? v / 2 % 1000 == 0 : v / 2 > (uint64_t)INT64_MAX / 1000;
    return in->bad ? 0 : (int64_t)(ms ? v / 2 : v / 2 * 1000);
}

static void get_note(struct in *in, struct ipr_arena *mem, struct ipr_pgn_note *note)
{
    switch (note->kind) {
    case IPR_NOTE_NAG:
        note->nag = (int32_t)notes_get(in, 255);
        break;
    case IPR_NOTE_COMMENT:
        get_text(in, mem, &note->text);
        break;
    case IPR_NOTE_EVAL:
        note->mate = notes_get(in, 1) != 0;
        note->value = get_signed(in);
        note->depth = get_signed(in);
        break;
    case IPR_NOTE_CLK:
    case IPR_NOTE_EMT:
        note->ms = get_clock(in);
        break;
    case IPR_NOTE_SEARCH:
        get_search(in, &note->search);
        break;
    }
}

static void get_head(struct in *in, uint32_t *ply, struct ipr_pgn_note *note)
{
    const uint64_t head = notes_get(in, (uint64_t)(UINT32_MAX - *ply) << KIND_BITS | (N_KINDS - 1));
    const unsigned kind = head & ((1u << KIND_BITS) - 1);

    in->bad |= kind >= N_KINDS;
    note->kind = in->bad ? IPR_NOTE_NAG : (enum ipr_note_kind)kind;
    *ply += (uint32_t)(head >> KIND_BITS);
    note->ply = *ply;
}

static enum ipr_code notes_refuse(struct ipr_err *err)
{
    return ipr_err_set(err, IPR_EPARSE, "these bytes are not the notes of a game");
}

/* The bytes of at least one note. */
static enum ipr_code notes_unpack(struct in *in, struct ipr_arena *mem, struct ipr_pgn_note **notes,
                                  size_t *n, struct ipr_err *err)
{
    const uint64_t version = notes_get(in, VERSION);
    /* None is shorter than two bytes. */
    const size_t count = (size_t)notes_get(in, (uint64_t)(in->end - in->p) / 2);
    uint32_t ply = 0;

    if (in->bad || version != VERSION || count == 0)
        return notes_refuse(err);
    struct ipr_pgn_note *const out = ipr_arena_alloc(mem, count, sizeof *out);
    for (size_t i = 0; i < count && !in->bad; i++) {
        get_head(in, &ply, &out[i]);
        get_note(in, mem, &out[i]);
    }
    if (in->bad || in->p != in->end)
        return notes_refuse(err);
    *notes = out;
    *n = count;
    return IPR_OK;
}

enum ipr_code ipr_notes_unpack(struct ipr_str bytes, struct ipr_arena *mem,
                               struct ipr_pgn_note **notes, size_t *n, struct ipr_err *err)
{
    const unsigned char *const p = (const unsigned char *)bytes.p;

    if (bytes.n > 0)
        return notes_unpack(&(struct in){ p, p + bytes.n, false }, mem, notes, n, err);
    *notes = NULL;
    *n = 0;
    return IPR_OK;
}

/* ---- Two records of one game ---- */

static bool same_search(const struct ipr_note_search *a, const struct ipr_note_search *b)
{
    return a->move == b->move && a->value == b->value && a->depth == b->depth;
}

/* `b` adds nothing to `a`, at the same half-move. */
static bool note_says(const struct ipr_pgn_note *a, const struct ipr_pgn_note *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case IPR_NOTE_NAG:
        return a->nag == b->nag;
    case IPR_NOTE_COMMENT:
        return ipr_str_eq(a->text, b->text);
    case IPR_NOTE_SEARCH:
        return same_search(&a->search, &b->search);
    case IPR_NOTE_EVAL:
    case IPR_NOTE_CLK:
    case IPR_NOTE_EMT:
        break; /* one of them is enough: own's */
    }
    return true;
}

/* Notes of a few half-moves are compared with each other; a longer list is used unchanged. */
#define COMPARED_MAX 64

static bool note_said(const struct ipr_pgn_note *own, size_t n, const struct ipr_pgn_note *note)
{
    for (size_t i = 0; i < n && i < COMPARED_MAX; i++)
        if (note_says(&own[i], note))
            return true;
    return false;
}

size_t ipr_notes_merge(const struct ipr_pgn_note *own, size_t n_own,
                       const struct ipr_pgn_note *other, size_t n_other, struct ipr_pgn_note *out)
{
    size_t n = 0, i = 0, k = 0;

    while (i < n_own || k < n_other) {
        const uint32_t ply =
            k == n_other || (i < n_own && own[i].ply <= other[k].ply) ? own[i].ply : other[k].ply;
        const struct ipr_pgn_note *const here = out + n;

        while (i < n_own && own[i].ply == ply)
            out[n++] = own[i++];
        const size_t n_here = (size_t)(out + n - here);
        for (; k < n_other && other[k].ply == ply; k++)
            if (!note_said(here, n_here, &other[k]))
                out[n++] = other[k];
    }
    return n;
}
