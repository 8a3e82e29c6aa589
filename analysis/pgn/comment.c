#include "pgn/comment.h"

#include <stdlib.h>
#include <string.h>

#include "chess/san.h"
#include "pgn/lexer.h"

/* ---- The list ---- */

void ipr_note_list_clear(struct ipr_note_list *list)
{
    list->n = 0;
    list->over = false;
    list->plain = true;
}

void ipr_note_list_release(struct ipr_note_list *list)
{
    free(list->notes);
    ipr_buf_release(&list->text);
}

void ipr_note_list_convert(struct ipr_note_list *list, struct ipr_arena *mem,
                           struct ipr_encoding *seen)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->notes[i].kind == IPR_NOTE_COMMENT)
            list->notes[i].text = ipr_text_to_utf8(mem, list->notes[i].text, seen);
}

static void note_push(struct ipr_note_list *list, const struct ipr_pgn_note *note)
{
    if (list->n == IPR_MAX_NOTES) {
        list->over = true;
        return;
    }
    if (list->n == list->size) {
        list->size = list->size != 0 ? list->size * 2 : 64;
        list->notes = ipr_xrealloc(list->notes, list->size, sizeof *list->notes);
    }
    list->notes[list->n++] = *note;
}

/* ---- Glyphs ---- */

void ipr_note_nag(struct ipr_note_list *list, uint32_t ply, unsigned nag)
{
    note_push(list,
              &(struct ipr_pgn_note){ .ply = ply, .kind = IPR_NOTE_NAG, .nag = (int32_t)nag });
}

void ipr_note_numeric(struct ipr_note_list *list, uint32_t ply, struct ipr_str token)
{
    int64_t nag;

    if (ipr_str_int((struct ipr_str){ token.p + 1, token.n - 1 }, 0, 255, &nag))
        ipr_note_nag(list, ply, (unsigned)nag);
}

void ipr_note_signs(struct ipr_note_list *list, uint32_t ply, struct ipr_str signs)
{
    /* Numbers of section 10 of the PGN standard, for the usual spellings in ASCII. */
    static const struct {
        const char *text;
        unsigned nag;
    } table[] = {
        { "=", 10 },   { "~", 13 },   { "+=", 14 },  { "+/=", 14 }, { "=+", 15 },
        { "=/+", 15 }, { "+/-", 16 }, { "-/+", 17 }, { "+-", 18 },  { "-+", 19 },
    };

    if (*signs.p == '!' || *signs.p == '?')
        ipr_note_suffix(list, ply, signs);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (ipr_str_is(signs, table[i].text))
            ipr_note_nag(list, ply, table[i].nag);
}

void ipr_note_suffix(struct ipr_note_list *list, uint32_t ply, struct ipr_str move)
{
    size_t n = 0;

    while (n < move.n && (move.p[move.n - 1 - n] == '!' || move.p[move.n - 1 - n] == '?'))
        n++;
    if (n == 0)
        return;
    /* ! and ? as $1 to $6. Longer rows ("!!!", "?!?") count as their first two. */
    const char *const p = move.p + move.n - n;
    const unsigned doubled = n == 1 ? 0 : 2 + 2 * (p[1] != *p);
    ipr_note_nag(list, ply, 1 + doubled + (*p == '?'));
}

/* ---- Numbers ---- */

#define DEPTH_JUMP 20
#define FEW_EVALS  6

/* The text that is still to be read. */
struct rest {
    const char *p, *end;
};

static bool skip_char(struct rest *r, char c)
{
    if (r->p == r->end || *r->p != c)
        return false;
    r->p++;
    return true;
}

static void skip_blanks(struct rest *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r'))
        r->p++;
}

/* Digits, at least one, at most that many. */
static bool rest_digits(struct rest *r, size_t most, int64_t *out)
{
    const char *const begin = r->p;
    int64_t v = 0;

    while (r->p < r->end && *r->p >= '0' && *r->p <= '9' && (size_t)(r->p - begin) < most)
        v = v * 10 + (*r->p++ - '0');
    *out = v;
    return r->p > begin && (r->p == r->end || *r->p < '0' || *r->p > '9');
}

/* Digits after a decimal point as so many digits, the rest of them rounded away. */
static bool read_fraction(struct rest *r, unsigned digits, int64_t *out)
{
    const char *const begin = r->p;
    int64_t v = 0;
    bool up = false;

    for (; r->p < r->end && *r->p >= '0' && *r->p <= '9'; r->p++) {
        const size_t i = (size_t)(r->p - begin);

        if (i < digits)
            v = v * 10 + (*r->p - '0');
        else if (i == digits)
            up = *r->p >= '5';
    }
    for (size_t i = (size_t)(r->p - begin); i < digits; i++)
        v *= 10;
    *out = v + up;
    return r->p > begin;
}

static bool rest_sign(struct rest *r)
{
    const bool minus = skip_char(r, '-');

    if (!minus)
        (void)skip_char(r, '+');
    return minus;
}

/* ---- Commands ---- */

/* "0.23", "-12", "#-3"; then perhaps ",18". A whole number before a depth is ChessBase's, in
 * centipawns: "23,18". */
static bool read_eval(struct rest r, struct ipr_pgn_note *note)
{
    int64_t whole, hundredths = 0, depth = 0;
    bool point = false;

    note->kind = IPR_NOTE_EVAL;
    note->mate = skip_char(&r, '#');
    const bool minus = rest_sign(&r);
    if (!rest_digits(&r, 5, &whole))
        return false;
    if (!note->mate) {
        point = skip_char(&r, '.');
        if (point && !read_fraction(&r, 2, &hundredths))
            return false;
    }
    skip_blanks(&r);
    const bool deep = skip_char(&r, ',');
    if (deep) {
        const char *const begin = r.p;

        skip_blanks(&r);
        if (!rest_digits(&r, 4, &depth))
            return false;
        if (!note->mate && !point && r.p - begin <= 2 && *begin != ' ') {
            note->digits = (uint8_t)(r.p - begin);
            note->comma = (int32_t)(100 * whole + (note->digits == 1 ? 10 : 1) * depth);
            note->comma = minus ? -note->comma : note->comma;
        }
    }
    if (!note->mate && (point || !deep))
        whole = whole * 100 + hundredths;
    note->value = (int32_t)(minus ? -whole : whole);
    note->depth = (int32_t)depth;
    return r.p == r.end;
}

/* "0,67" is ChessBase's 0 centipawns at depth 67, or 0.67 pawns in the language of the writer. No
 * depth is written as "05"; and successive depths are near each other, as fractions are not. */
void ipr_note_list_commas(struct ipr_note_list *list)
{
    struct ipr_pgn_note *const notes = list->notes;
    size_t n = 0, jumps = 0;
    int32_t last = 0;
    bool zero = false;

    for (size_t i = 0; i < list->n; i++) {
        if (notes[i].kind != IPR_NOTE_EVAL || notes[i].mate)
            continue;
        if (notes[i].digits == 0)
            return;
        zero |= notes[i].digits == 2 && notes[i].depth < 10;
        jumps += n > 0 && abs(notes[i].depth - last) > DEPTH_JUMP;
        last = notes[i].depth;
        n++;
    }
    if (!zero && (n < FEW_EVALS || 3 * jumps < n))
        return;
    for (size_t i = 0; i < list->n; i++)
        if (notes[i].digits > 0) {
            notes[i].value = notes[i].comma;
            notes[i].depth = 0;
        }
}

/* "1:59:30", "59:30", "1:59:30.5". */
static bool read_clock(struct rest r, enum ipr_note_kind kind, struct ipr_pgn_note *note)
{
    int64_t hours = 0, minutes, seconds, ms = 0;

    note->kind = kind;
    if (!rest_digits(&r, 6, &minutes) || !skip_char(&r, ':') || !rest_digits(&r, 2, &seconds))
        return false;
    if (skip_char(&r, ':')) {
        hours = minutes;
        minutes = seconds;
        if (minutes > 59 || !rest_digits(&r, 2, &seconds))
            return false;
    }
    if (seconds > 59 || (skip_char(&r, '.') && !read_fraction(&r, 3, &ms)))
        return false;
    note->ms = ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms;
    return r.p == r.end;
}

/* Longer than any command that means something. */
#define COMMAND_MAX 48

/* Length of the command at `text`, which begins with "[%", or 0 when it is none of those known. */
static size_t read_command(struct ipr_str text, struct ipr_pgn_note *note)
{
    const size_t within = text.n < COMMAND_MAX ? text.n : COMMAND_MAX;
    const char *const close = memchr(text.p, ']', within);
    struct rest r;
    bool known = false;

    if (close == NULL || close - text.p < 6)
        return 0;
    r = (struct rest){ text.p + 2, close };
    while (r.end > r.p && r.end[-1] == ' ')
        r.end--;
    const char *const name = r.p;
    while (r.p < r.end && *r.p >= 'a' && *r.p <= 'z')
        r.p++;
    const struct ipr_str command = { name, (size_t)(r.p - name) };
    skip_blanks(&r);
    if (ipr_str_eq(command, IPR_STR("clk")))
        known = read_clock(r, IPR_NOTE_CLK, note);
    else if (ipr_str_eq(command, IPR_STR("eval")))
        known = read_eval(r, note);
    else if (ipr_str_eq(command, IPR_STR("emt")))
        known = read_clock(r, IPR_NOTE_EMT, note);
    return known ? (size_t)(close + 1 - text.p) : 0;
}

/* ---- Searches ---- */

/* A sign alone is IPR_NOTE_UNKNOWN. */
static bool rest_number(struct rest *r, int64_t *out)
{
    skip_blanks(r);
    const bool minus = rest_sign(r);
    if (minus && (r->p == r->end || *r->p < '0' || *r->p > '9'))
        *out = IPR_NOTE_UNKNOWN;
    else if (!rest_digits(r, 18, out))
        return false;
    else
        *out = minus ? -*out : *out;
    skip_blanks(r);
    return true;
}

static bool clock_fits(int64_t v)
{
    return v >= INT32_MIN && v <= INT32_MAX;
}

static bool count_fits(int64_t v)
{
    return v >= 0 || v == IPR_NOTE_UNKNOWN;
}

/* "90,24,43,0,124176,8,(43,3)", the whole of it. */
static bool read_search(struct ipr_str text, struct ipr_note_search *out)
{
    struct rest r = { text.p, text.p + text.n };
    int64_t v[8];

    for (unsigned i = 0; i < 8; i++) {
        skip_blanks(&r);
        if (i == 6 && !skip_char(&r, '('))
            return false;
        if (!rest_number(&r, &v[i]) || !skip_char(&r, i == 7 ? ')' : ','))
            return false;
    }
    if (r.p != r.end || v[0] == IPR_NOTE_UNKNOWN || v[1] == IPR_NOTE_UNKNOWN || !count_fits(v[3]) ||
        !count_fits(v[4]) || !clock_fits(v[0]) || !clock_fits(v[1]) || !clock_fits(v[2]) ||
        !clock_fits(v[5]) || !clock_fits(v[6]) || !clock_fits(v[7]))
        return false;
    *out = (struct ipr_note_search){ .value = (int32_t)v[0],
                                     .depth = (int32_t)v[1],
                                     .seldepth = (int32_t)v[2],
                                     .tbhits = v[3],
                                     .time_ms = v[4],
                                     .dmean = (int32_t)v[5],
                                     .dmax = (int32_t)v[6],
                                     .ddmax = (int32_t)v[7] };
    return true;
}

/* ---- Comments ---- */

/* The text between the signs of a comment. */
static struct ipr_str comment_inside(struct ipr_str comment)
{
    const size_t signs = *comment.p == '{' ? 2 : 1;

    return (struct ipr_str){ comment.p + 1, comment.n - signs };
}

/* Appends text with each row of white space and control characters as one space, none first. */
static void text_append(struct ipr_note_list *list, struct ipr_str text)
{
    struct ipr_buf *const out = &list->text;
    size_t i = 0;

    while (i < text.n) {
        const size_t word = i;

        while (i < text.n && (unsigned char)text.p[i] > ' ' && text.p[i] != 0x7F) {
            list->plain &= (unsigned char)text.p[i] < 0x80;
            i++;
        }
        if (i > word)
            ipr_buf_add(out, text.p + word, i - word);
        if (i < text.n && out->n > 0 && out->p[out->n - 1] != ' ')
            ipr_buf_putc(out, ' ');
        i += i < text.n;
    }
}

/* Notes the commands in the text and leaves the text without them in list->text. */
static struct ipr_str take_commands(struct ipr_note_list *list, uint32_t ply, struct ipr_str text)
{
    size_t done = 0, i = 0;

    ipr_buf_reset(&list->text);
    while (i < text.n) {
        const char *const open = memchr(text.p + i, '[', text.n - i);
        struct ipr_pgn_note note = { .ply = ply };
        size_t length;

        if (open == NULL)
            break;
        i = (size_t)(open - text.p);
        length = i + 1 < text.n && open[1] == '%'
                     ? read_command((struct ipr_str){ open, text.n - i }, &note)
                     : 0;
        if (length == 0) {
            i++;
            continue;
        }
        note_push(list, &note);
        text_append(list, (struct ipr_str){ text.p + done, i - done });
        text_append(list, IPR_STR(" "));
        done = i += length;
    }
    text_append(list, (struct ipr_str){ text.p + done, text.n - done });
    return ipr_str_trim((struct ipr_str){ list->text.p, list->text.n });
}

void ipr_note_comment(struct ipr_note_list *list, struct ipr_arena *mem, uint32_t ply,
                      ipr_move move, struct ipr_str comment)
{
    const struct ipr_str text = take_commands(list, ply, comment_inside(comment));
    struct ipr_pgn_note note = { .ply = ply, .kind = IPR_NOTE_COMMENT };

    if (text.n == 0)
        return;
    if (move != IPR_MOVE_NONE && read_search(text, &note.search)) {
        note.kind = IPR_NOTE_SEARCH;
        note.search.move = move;
    } else {
        note.text = (struct ipr_str){ ipr_arena_strndup(mem, text.p, text.n), text.n };
    }
    note_push(list, &note);
}

void ipr_note_variation(struct ipr_note_list *list, uint32_t ply, const struct ipr_pos *before,
                        struct ipr_str variation)
{
    const char *const begin = variation.p + 1, *const end = variation.p + variation.n - 1;
    struct ipr_pgn_lexer lex = { .begin = begin, .p = begin, .end = end };
    struct ipr_pgn_note note = { .ply = ply, .kind = IPR_NOTE_SEARCH };
    struct ipr_pgn_token t;
    ipr_move move;

    ipr_pgn_next(&lex, &t);
    if (t.kind != IPR_PGN_MOVE || ipr_san_read(before, t.text, &move, NULL) != IPR_OK)
        return;
    do
        ipr_pgn_next(&lex, &t);
    while (t.kind == IPR_PGN_NAG || t.kind == IPR_PGN_SIGNS);
    if (t.kind != IPR_PGN_COMMENT ||
        !read_search(ipr_str_trim(comment_inside(t.text)), &note.search))
        return;
    note.search.move = move;
    note_push(list, &note);
}
