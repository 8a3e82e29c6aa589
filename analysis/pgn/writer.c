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

static const struct ipr_pgn_tag *find(const struct ipr_pgn_tag *tags, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (ipr_str_is(tags[i].name, name))
            return &tags[i];
    return NULL;
}

static void write_roster(struct ipr_buf *out, const struct ipr_pgn_tag *tags, size_t n_tags,
                         enum ipr_result result)
{
    for (size_t i = 0; i < N_ROSTER; i++) {
        const struct ipr_pgn_tag *const tag = find(tags, n_tags, roster[i]);
        struct ipr_str value = ipr_str_c(strcmp(roster[i], "Date") == 0 ? "????.??.??" : "?");

        if (strcmp(roster[i], "Result") == 0) /* it must agree with the end of the movetext */
            value = ipr_str_c(ipr_result_text(result));
        else if (tag != NULL && tag->value.n > 0)
            value = tag->value;
        write_tag(out, ipr_str_c(roster[i]), value);
    }
}

/* FEN and SetUp are written from the position, so that they cannot disagree with it. */
static bool is_written_elsewhere(struct ipr_str name)
{
    for (size_t i = 0; i < N_ROSTER; i++)
        if (ipr_str_is(name, roster[i]))
            return true;
    return ipr_str_is(name, "FEN") || ipr_str_is(name, "SetUp");
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

/* Adds a word to the movetext, on a new line when this one is full. */
static void write_word(struct ipr_buf *out, size_t *column, const char *word, size_t n)
{
    if (*column > 0 && *column + 1 + n > LINE_MAX_COLUMNS) {
        ipr_buf_putc(out, '\n');
        *column = 0;
    } else if (*column > 0) {
        ipr_buf_putc(out, ' ');
        ++*column;
    }
    ipr_buf_add(out, word, n);
    *column += n;
}

static void write_moves(struct ipr_buf *out, struct ipr_pos pos, const ipr_move *moves,
                        size_t n_moves, size_t *column)
{
    char word[IPR_SAN_MAX];

    for (size_t i = 0; i < n_moves; i++) {
        if (pos.turn == IPR_WHITE || i == 0) {
            char number[16];
            const int n = snprintf(number, sizeof number, "%u%s", pos.fullmove,
                                   pos.turn == IPR_WHITE ? "." : "...");

            write_word(out, column, number, (size_t)n);
        }
        const size_t n = ipr_san_write(&pos, moves[i], word);
        write_word(out, column, word, n);
        ipr_pos_play(&pos, moves[i]);
    }
}

void ipr_pgn_write(struct ipr_buf *out, const struct ipr_pgn_tag *tags, size_t n_tags,
                   const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                   enum ipr_result result)
{
    const char *const end = ipr_result_text(result);
    size_t column = 0;

    write_roster(out, tags, n_tags, result);
    for (size_t i = 0; i < n_tags; i++)
        if (!is_written_elsewhere(tags[i].name))
            write_tag(out, tags[i].name, tags[i].value);
    write_start(out, start);
    ipr_buf_putc(out, '\n');
    write_moves(out, *start, moves, n_moves, &column);
    write_word(out, &column, end, strlen(end));
    ipr_buf_puts(out, "\n\n");
}
