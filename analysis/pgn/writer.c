#include "pgn/writer.h"

#include <stdio.h>
#include <string.h>

#include "chess/san.h"

#define LINE_MAX_COLUMNS 79

static const char *const roster[] = {
    "Event", "Site", "Date", "Round", "White", "Black", "Result"
};
#define N_ROSTER (sizeof roster / sizeof *roster)

static void write_tag(struct ipr_buf *out, struct ipr_str name, struct ipr_str value)
{
    ipr_buf_putc(out, '[');
    ipr_buf_add(out, name.p, name.n);
    ipr_buf_puts(out, " \"");
    for (size_t i = 0; i < value.n; i++) {
        const char c = value.p[i];

        if (c == '"' || c == '\\')
            ipr_buf_putc(out, '\\');
        ipr_buf_putc(out, c >= '\0' && c < ' ' ? ' ' : c);
    }
    ipr_buf_puts(out, "\"]\n");
}

/* FEN and SetUp are written from the position, so that they cannot disagree with it. */
static bool is_written_elsewhere(const struct ipr_pgn_tag *tag, const struct ipr_pgn_tag *tags,
                                 size_t n_tags)
{
    for (size_t i = 0; i < N_ROSTER; i++)
        if (ipr_str_is(tag->name, roster[i]) || (ipr_str_is_like(tag->name, roster[i]) &&
                                                 tag == ipr_pgn_tag_named(tags, n_tags, roster[i])))
            return true;
    return ipr_str_is_like(tag->name, "FEN") || ipr_str_is_like(tag->name, "SetUp");
}

static void write_start(struct ipr_buf *out, const struct ipr_pos *start)
{
    struct ipr_pos initial;
    char fen[IPR_FEN_MAX];

    ipr_pos_start(&initial);
    if (start->key == initial.key && start->halfmove == 0 && start->fullmove == 1)
        return;
    const size_t n = ipr_pos_to_fen(start, fen);
    write_tag(out, IPR_STR("SetUp"), IPR_STR("1"));
    write_tag(out, IPR_STR("FEN"), (struct ipr_str){ fen, n });
}

/* Movetext: words parted by spaces or line ends. */
struct movetext {
    struct ipr_buf *out;
    size_t column;
    enum ipr_pgn_form form;
    bool interrupted; /* by a comment or variation: Black's move needs its number again */
};

/* A line that began with % would be an escape, one with [ might pass for a tag. */
static void begin_word(struct movetext *t, size_t n, char first)
{
    const bool full = t->column > 0 && t->column + 1 + n > LINE_MAX_COLUMNS;

    if (full) {
        ipr_buf_putc(t->out, '\n');
        t->column = 0;
    }
    if (t->column > 0 || (full && (first == '%' || first == '['))) {
        ipr_buf_putc(t->out, ' ');
        t->column++;
    }
    t->column += n;
}

/* Writes one word with the text that sticks to it. */
static void movetext_put(struct movetext *t, const char *open, struct ipr_str word,
                         const char *close)
{
    begin_word(t, strlen(open) + word.n + strlen(close), *open != '\0' ? *open : word.p[0]);
    ipr_buf_puts(t->out, open);
    ipr_buf_add(t->out, word.p, word.n);
    ipr_buf_puts(t->out, close);
}

static void put_c(struct movetext *t, const char *open, const char *word, const char *close)
{
    movetext_put(t, open, ipr_str_c(word), close);
}

/* The text of a comment with what cannot be in one replaced, byte for byte. */
static char comment_byte(char c)
{
    if (c == '{' || c == '}')
        return c == '{' ? '(' : ')';
    return (c >= '\0' && c < ' ') || c == 0x7F ? '?' : c;
}

/* Bytes from the "[%" at `p` to the end of the word that closes it; 0 when it is too long, or has
 * white space that will not be written as it is. */
static size_t command_length(const char *p, const char *end)
{
    const size_t most = end - p < LINE_MAX_COLUMNS ? (size_t)(end - p) : LINE_MAX_COLUMNS;
    size_t n = 0;

    for (; n < most && p[n] != ']'; n++)
        if ((unsigned char)p[n] <= ' ' && (p[n] != ' ' || p[n - 1] == ' '))
            return 0;
    if (n == most)
        return 0;
    while (p + n < end && (unsigned char)p[n] > ' ')
        n++;
    return n;
}

/* The next word of a comment; "[%cal Gc2c4]" is one, since programs look for it as a whole. */
static bool next_comment_word(struct ipr_str *rest, struct ipr_str *word)
{
    if (!ipr_str_word(rest, word))
        return false;
    if (word->n >= 2 && memcmp(word->p, "[%", 2) == 0) {
        const size_t n = command_length(word->p, rest->p + rest->n);

        if (n > word->n) {
            rest->p += n - word->n;
            rest->n -= n - word->n;
            word->n = n;
        }
    }
    return true;
}

static void write_comment(struct movetext *t, struct ipr_str text)
{
    struct ipr_str word, next;
    const char *open = "{";
    bool more = next_comment_word(&text, &word);

    t->interrupted |= more;
    while (more) {
        more = next_comment_word(&text, &next);
        begin_word(t, strlen(open) + word.n + !more, *open != '\0' ? *open : comment_byte(*word.p));
        ipr_buf_puts(t->out, open);
        for (size_t i = 0; i < word.n; i++)
            ipr_buf_putc(t->out, comment_byte(word.p[i]));
        ipr_buf_puts(t->out, more ? "" : "}");
        open = "";
        word = next;
    }
}

static bool is_command(enum ipr_note_kind kind)
{
    return kind == IPR_NOTE_EVAL || kind == IPR_NOTE_CLK || kind == IPR_NOTE_EMT;
}

static void note_eval_text(const struct ipr_pgn_note *n, char *out, size_t size)
{
    const int64_t magnitude = n->value < 0 ? -(int64_t)n->value : n->value;
    char depth[16] = "";

    if (n->depth > 0)
        snprintf(depth, sizeof depth, ",%d", n->depth);
    if (n->mate)
        snprintf(out, size, "[%%eval #%d%s]", n->value, depth);
    else
        snprintf(out, size, "[%%eval %s%lld.%02lld%s]", n->value < 0 ? "-" : "",
                 (long long)(magnitude / 100), (long long)(magnitude % 100), depth);
}

static void note_time_text(const char *name, int64_t ms, char *out, size_t size)
{
    const long long s = ms / 1000;
    char fraction[8] = "";

    if (ms % 1000 != 0) {
        size_t n = (size_t)snprintf(fraction, sizeof fraction, ".%03d", (int)(ms % 1000));

        while (fraction[n - 1] == '0')
            fraction[--n] = '\0';
    }
    snprintf(out, size, "[%%%s %lld:%02lld:%02lld%s]", name, s / 3600, s / 60 % 60, s % 60,
             fraction);
}

/* Adjacent commands share one comment, as lichess writes them. A command is never
 * broken over lines. */
static void write_command(struct movetext *t, const struct ipr_pgn_note *n, bool first, bool last)
{
    char text[64];

    if (n->kind == IPR_NOTE_EVAL)
        note_eval_text(n, text, sizeof text);
    else
        note_time_text(n->kind == IPR_NOTE_CLK ? "clk" : "emt", n->ms, text, sizeof text);
    movetext_put(t, first ? "{" : "", ipr_str_c(text), last ? "}" : "");
    t->interrupted = true;
}

static void write_number(struct movetext *t, const char *open, const struct ipr_pos *pos)
{
    char number[16];

    snprintf(number, sizeof number, "%u%s", pos->fullmove, pos->turn == IPR_WHITE ? "." : "...");
    put_c(t, open, number, "");
}

static void write_move(struct movetext *t, const char *open, const struct ipr_pos *pos, ipr_move m)
{
    char text[IPR_SAN_MAX];

    if (t->form == IPR_PGN_ALLIOT)
        ipr_move_to_uci(pos, m, text);
    else
        ipr_san_write(pos, m, text);
    put_c(t, open, text, "");
}

/* A number after a text, "-" where it is unknown. */
static void search_append(struct ipr_buf *out, const char *before, int64_t v)
{
    if (v == IPR_NOTE_UNKNOWN)
        ipr_buf_printf(out, "%s-", before);
    else
        ipr_buf_printf(out, "%s%lld", before, (long long)v);
}

static void write_search(struct movetext *t, const struct ipr_note_search *s,
                         const struct ipr_pos *before, ipr_move played)
{
    const bool variation = s->move != played;
    const bool numbered = t->form != IPR_PGN_ALLIOT;
    struct ipr_buf text = IPR_BUF_INIT;

    if (variation && numbered)
        write_number(t, "(", before);
    if (variation)
        write_move(t, numbered ? "" : "(", before, s->move);
    search_append(&text, "", s->value);
    search_append(&text, ",", s->depth);
    search_append(&text, ",", s->seldepth);
    search_append(&text, ",", s->tbhits);
    search_append(&text, ",", s->time_ms);
    search_append(&text, ",", s->dmean);
    search_append(&text, ",(", s->dmax);
    search_append(&text, ",", s->ddmax);
    ipr_buf_printf(&text, ")");
    put_c(t, "{", ipr_buf_c(&text), variation ? "})" : "}");
    ipr_buf_release(&text);
    t->interrupted = true;
}

/* The annotations of a game, and how many are written. */
struct notes {
    const struct ipr_pgn_note *list;
    size_t n, at;
};

/* Notes after `ply` half-moves, the last of which was `played` in `before`. */
static void write_notes(struct movetext *t, struct notes *notes, uint32_t ply,
                        const struct ipr_pos *before, ipr_move played)
{
    bool joined = false; /* to the command before */

    for (; notes->at < notes->n && notes->list[notes->at].ply <= ply; notes->at++) {
        const struct ipr_pgn_note *const n = &notes->list[notes->at];
        const bool last = notes->at + 1 == notes->n || n[1].ply != ply || !is_command(n[1].kind);

        if (n->kind == IPR_NOTE_SEARCH && t->form != IPR_PGN_PLAIN && played != IPR_MOVE_NONE)
            write_search(t, &n->search, before, played);
        if (t->form != IPR_PGN_NOTES)
            continue;
        if (n->kind == IPR_NOTE_NAG) {
            char text[16];

            snprintf(text, sizeof text, "$%d", n->nag);
            put_c(t, "", text, "");
        } else if (n->kind == IPR_NOTE_COMMENT) {
            write_comment(t, n->text);
        } else if (is_command(n->kind)) {
            write_command(t, n, !joined, last);
        }
        joined = is_command(n->kind) && !last;
    }
}

static void write_moves(struct movetext *t, struct ipr_pos pos, const ipr_move *moves,
                        size_t n_moves, struct notes *notes)
{
    write_notes(t, notes, 0, NULL, IPR_MOVE_NONE);
    for (size_t i = 0; i < n_moves; i++) {
        const struct ipr_pos before = pos;

        if (t->form != IPR_PGN_ALLIOT && (pos.turn == IPR_WHITE || i == 0 || t->interrupted))
            write_number(t, "", &pos);
        t->interrupted = false;
        write_move(t, "", &pos, moves[i]);
        ipr_pos_play(&pos, moves[i]);
        write_notes(t, notes, (uint32_t)i + 1, &before, moves[i]);
    }
}

void ipr_pgn_write_notes(struct ipr_buf *out, const struct ipr_pgn_tag *tags, size_t n_tags,
                         const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                         const struct ipr_pgn_note *notes, size_t n_notes, enum ipr_pgn_form form,
                         enum ipr_result result)
{
    struct movetext text = { .out = out, .form = form };
    struct notes annotations = { notes, n_notes, 0 };

    for (size_t i = 0; i < N_ROSTER; i++) {
        const struct ipr_pgn_tag *const tag = ipr_pgn_tag_named(tags, n_tags, roster[i]);
        struct ipr_str value = ipr_str_c(strcmp(roster[i], "Date") == 0 ? "????.??.??" : "?");

        if (strcmp(roster[i], "Result") == 0) /* it must agree with the end of the movetext */
            value = ipr_str_c(ipr_result_text(result));
        else if (tag != NULL && tag->value.n > 0)
            value = tag->value;
        write_tag(out, ipr_str_c(roster[i]), value);
    }
    for (size_t i = 0; i < n_tags; i++)
        if ((form != IPR_PGN_ALLIOT || ipr_str_is(tags[i].name, "Annotator")) &&
            !is_written_elsewhere(&tags[i], tags, n_tags))
            write_tag(out, tags[i].name, tags[i].value);
    write_start(out, start);
    ipr_buf_putc(out, '\n');
    write_moves(&text, *start, moves, n_moves, &annotations);
    put_c(&text, "", ipr_result_text(result), "");
    ipr_buf_puts(out, "\n\n");
}
