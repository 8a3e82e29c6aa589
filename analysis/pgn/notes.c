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

static void put_signed(struct ipr_buf *out, int32_t v)
{
    const uint64_t magnitude = (uint64_t)(v < 0 ? -(int64_t)v : v);

    ipr_buf_put_varint(out, magnitude << 1 | (v < 0));
}

/* No file has so many: numbers have at most 18 digits there. */
#define UNKNOWN_COUNT INT64_MAX

static void search_put_count(struct ipr_buf *out, int64_t v)
{
    ipr_buf_put_varint(out, v == IPR_NOTE_UNKNOWN ? UNKNOWN_COUNT : (uint64_t)v);
}

static void put_note(struct ipr_buf *out, const struct ipr_pgn_note *note)
{
    switch (note->kind) {
    case IPR_NOTE_NAG:
        ipr_buf_put_varint(out, (uint64_t)note->nag);
        break;
    case IPR_NOTE_COMMENT:
        ipr_buf_put_varint(out, note->text.n);
        ipr_buf_add(out, note->text.p, note->text.n);
        break;
    case IPR_NOTE_EVAL:
        ipr_buf_put_varint(out, note->mate);
        put_signed(out, note->value);
        put_signed(out, note->depth);
        break;
    case IPR_NOTE_CLK:
    case IPR_NOTE_EMT:
        if (note->ms % 1000 == 0)
            ipr_buf_put_varint(out, (uint64_t)note->ms / 1000 << 1);
        else
            ipr_buf_put_varint(out, (uint64_t)note->ms << 1 | 1);
        break;
    case IPR_NOTE_SEARCH:
        ipr_buf_put_varint(out, note->search.move);
        put_signed(out, note->search.value);
        put_signed(out, note->search.depth);
        put_signed(out, note->search.seldepth);
        search_put_count(out, note->search.tbhits);
        search_put_count(out, note->search.time_ms);
        put_signed(out, note->search.dmean);
        put_signed(out, note->search.dmax);
        put_signed(out, note->search.ddmax);
        break;
    }
}

void ipr_notes_pack(const struct ipr_pgn_note *notes, size_t n, struct ipr_buf *out)
{
    uint32_t ply = 0;

    if (n == 0)
        return;
    ipr_buf_put_varint(out, VERSION);
    ipr_buf_put_varint(out, n);
    for (size_t i = 0; i < n; i++) {
        ipr_buf_put_varint(out, (uint64_t)(notes[i].ply - ply) << KIND_BITS | notes[i].kind);
        put_note(out, &notes[i]);
        ply = notes[i].ply;
    }
}

/* ---- Reading ---- */

static int32_t get_signed(struct ipr_bytes *in)
{
    const uint64_t v = ipr_bytes_varint(in, (uint64_t)INT32_MAX * 2 + 3);
    const int64_t magnitude = (int64_t)(v >> 1);

    in->bad |= v == 1 || (magnitude > INT32_MAX && v % 2 == 0); /* there is no -0 */
    if (in->bad)
        return 0;
    return (int32_t)(v % 2 != 0 ? -magnitude : magnitude);
}

static int64_t search_get_count(struct ipr_bytes *in)
{
    const int64_t v = (int64_t)ipr_bytes_varint(in, INT64_MAX);

    return v == UNKNOWN_COUNT ? IPR_NOTE_UNKNOWN : v;
}

static void get_text(struct ipr_bytes *in, struct ipr_arena *mem, struct ipr_str *text)
{
    const size_t n = (size_t)ipr_bytes_varint(in, (uint64_t)(in->end - in->p));
    const struct ipr_str bytes = { (const char *)in->p, n };

    if (n == 0 || n > (size_t)(in->end - in->p) || memchr(bytes.p, '\0', n) != NULL ||
        !ipr_utf8_valid(bytes)) {
        in->bad = true;
        return;
    }
    *text = (struct ipr_str){ ipr_arena_strndup(mem, bytes.p, n), n };
    in->p += n;
}

static void get_note(struct ipr_bytes *in, struct ipr_arena *mem, struct ipr_pgn_note *note)
{
    switch (note->kind) {
    case IPR_NOTE_NAG:
        note->nag = (int32_t)ipr_bytes_varint(in, 255);
        break;
    case IPR_NOTE_COMMENT:
        get_text(in, mem, &note->text);
        break;
    case IPR_NOTE_EVAL:
        note->mate = ipr_bytes_varint(in, 1) != 0;
        note->value = get_signed(in);
        note->depth = get_signed(in);
        break;
    case IPR_NOTE_CLK:
    case IPR_NOTE_EMT: {
        const uint64_t v = ipr_bytes_varint(in, INT64_MAX);
        const bool ms = v % 2 != 0;

        in->bad |= ms ? v / 2 % 1000 == 0 : v / 2 > (uint64_t)INT64_MAX / 1000;
        note->ms = (int64_t)(ms ? v / 2 : v / 2 * 1000);
        if (in->bad)
            note->ms = 0;
        break;
    }
    case IPR_NOTE_SEARCH:
        note->search.move = (ipr_move)ipr_bytes_varint(in, UINT16_MAX);
        note->search.value = get_signed(in);
        note->search.depth = get_signed(in);
        note->search.seldepth = get_signed(in);
        note->search.tbhits = search_get_count(in);
        note->search.time_ms = search_get_count(in);
        note->search.dmean = get_signed(in);
        note->search.dmax = get_signed(in);
        note->search.ddmax = get_signed(in);
        break;
    }
}

static enum ipr_code notes_refuse(struct ipr_err *err)
{
    return ipr_err_set(err, IPR_EPARSE, "these bytes are not the notes of a game");
}

/* The bytes of at least one note. */
static enum ipr_code notes_unpack(struct ipr_bytes *in, struct ipr_arena *mem,
                                  struct ipr_pgn_note **notes, size_t *n, struct ipr_err *err)
{
    const uint64_t version = ipr_bytes_varint(in, VERSION);
    /* None is shorter than two bytes. */
    const size_t count = (size_t)ipr_bytes_varint(in, (uint64_t)(in->end - in->p) / 2);
    uint32_t ply = 0;

    if (in->bad || version != VERSION || count == 0)
        return notes_refuse(err);
    struct ipr_pgn_note *const out = ipr_arena_alloc(mem, count, sizeof *out);
    for (size_t i = 0; i < count && !in->bad; i++) {
        const uint64_t head =
            ipr_bytes_varint(in, (uint64_t)(UINT32_MAX - ply) << KIND_BITS | (N_KINDS - 1));
        const unsigned kind = head & ((1u << KIND_BITS) - 1);

        in->bad |= kind >= N_KINDS;
        out[i].kind = in->bad ? IPR_NOTE_NAG : (enum ipr_note_kind)kind;
        ply += (uint32_t)(head >> KIND_BITS);
        out[i].ply = ply;
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
        return notes_unpack(&(struct ipr_bytes){ p, p + bytes.n, false }, mem, notes, n, err);
    *notes = NULL;
    *n = 0;
    return IPR_OK;
}

/* ---- Two records of one game ---- */

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
        return a->search.move == b->search.move && a->search.value == b->search.value &&
               a->search.depth == b->search.depth;
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
