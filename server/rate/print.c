#include "rate/print.h"

#include <math.h>
#include <string.h>
#include <unistr.h>
#include <uniwidth.h>

#include "core/names.h"
#include "core/setting.h"
#include "rate/engines.h"
#include "rate/pgn.h"
#include "rate/scale.h"
#include "tmpl/csv.h"
#include "tmpl/number.h"
#include "view/figure/shape.h"
#include "view/json.h"

/* ---- columns ---- */

struct column {
    const char *title; /* of the table; NULL: of CSV alone */
    const char *name;  /* of CSV; NULL: of the table alone */
    const char *path;  /* in the row */
    unsigned by;       /* set of 1 << enum ipr_rate_by that have it, and of what follows */
    bool number;
};

#define ALL  31u
#define GAME (1u << IPR_RATE_BY_GAME)
/* In the table only of a setting with ratings, or without. */
#define RATED     32u
#define NOT_RATED 64u

static const struct column columns[] = {
    { NULL, "file", "game.file", GAME, false },
    { "Game", "number", "game.number", GAME, true },
    { "Event", "event", "event", 1u << IPR_RATE_BY_EVENT, false },
    { "Year", "year", "year", 1u << IPR_RATE_BY_EVENT | 1u << IPR_RATE_BY_YEAR, true },
    { "Month", "month", "month", 1u << IPR_RATE_BY_MONTH, false },
    { "Date", "date", "game.date", GAME, false },
    { NULL, "round", "game.round", GAME, false },
    { "White", "white", "game.white", GAME, false },
    { "Black", "black", "game.black", GAME, false },
    { NULL, "result", "game.result", GAME, false },
    { "Player", "player", "player.name", ALL, false },
    { NULL, "fide_id", "player.fide_id", ALL, true },
    { "Rating", "rating", "rating.estimate", ALL | RATED, true },
    { NULL, "standard_error", "rating.standard_error", ALL, true },
    { "from", "low", "rating.interval.low", ALL | RATED, true },
    { "to", "high", "rating.interval.high", ALL | RATED, true },
    { "Games", "games", "games", ALL & ~GAME, true },
    { "Moves", "moves", "rating.turns", ALL | RATED, true },
    { "Elo", "elo", "elo", ALL, true },
    { "Points", "points", "points", ALL, true },
    { NULL, "scored_games", "scored_games", ALL & ~GAME, true },
    { "Performance", "performance", "performance.estimate", ALL & ~GAME, true },
    { NULL, "performance_low", "performance.interval.low", ALL & ~GAME, true },
    { NULL, "performance_high", "performance.interval.high", ALL & ~GAME, true },
    { NULL, "reason", "rating.reason", ALL, false },
    { "Moves", "counted", "conformance.moves", ALL | NOT_RATED, true },
    { "Loss", "mean_loss", "conformance.mean_loss", ALL, true },
    { "Best", "at_0", "conformance.at_0", ALL, true },
    { NULL, "at_30", "conformance.at_30", ALL, true },
    { "Judge", "judge", "judge", ALL, false },
    { "Pool", "pool", "pool", ALL, false },
    { NULL, "prior_mean", "rating.prior.mean", ALL, true },
    { NULL, "prior_sd", "rating.prior.standard_deviation", ALL, true },
    { NULL, "unknown", "time_classes.unknown", ALL, true },
    { NULL, "classical", "time_classes.classical", ALL, true },
    { NULL, "rapid", "time_classes.rapid", ALL, true },
    { NULL, "blitz", "time_classes.blitz", ALL, true },
    { NULL, "bullet", "time_classes.bullet", ALL, true },
    { NULL, "correspondence", "time_classes.correspondence", ALL, true },
    { NULL, "online_classical", "time_classes.online-classical", ALL, true },
    { NULL, "online_rapid", "time_classes.online-rapid", ALL, true },
    { NULL, "online_blitz", "time_classes.online-blitz", ALL, true },
    { NULL, "online_bullet", "time_classes.online-bullet", ALL, true },
    { NULL, "online_unknown", "time_classes.online-unknown", ALL, true },
    { NULL, "off_scale", "off_scale", ALL, true },
    { NULL, "engine", "rating.equated.engine", ALL, false },
    { NULL, "extrapolated", "rating.extrapolated", ALL, false },
};

#define N_COLUMNS (sizeof columns / sizeof *columns)

/* ---- CSV ---- */

static void put_csv_row(const json_t *row, enum ipr_rate_by by, struct ipr_buf *out)
{
    const char *comma = "";

    for (size_t i = 0; i < N_COLUMNS; i++) {
        if (columns[i].name == NULL || (columns[i].by >> by & 1u) == 0)
            continue;
        ipr_buf_puts(out, comma);
        comma = ",";
        if (row == NULL)
            ipr_buf_puts(out, columns[i].name);
        else
            ipr_csv_cell(ipr_json_find(row, columns[i].path), out);
    }
    ipr_buf_puts(out, "\r\n");
}

/* ---- the table ---- */

static void put_cell(const json_t *row, const struct column *c, struct ipr_buf *out)
{
    const json_t *v = ipr_json_find(row, c->path);

    if (strcmp(c->path, "points") == 0) {
        /* Points are those of the games with a result. */
        const json_int_t games = json_integer_value(json_object_get(row, "scored_games"));

        if (games > 0)
            ipr_buf_printf(out, "%g/%d", ipr_json_at(row, "points", 0), (int)games);
    } else if (json_is_integer(v)) {
        ipr_buf_put_int(out, json_integer_value(v));
    } else if (json_is_number(v) && strcmp(c->path, "conformance.at_0") == 0) {
        ipr_buf_printf(out, "%.1f%%", 100 * json_real_value(v));
    } else if (json_is_number(v)) {
        ipr_buf_printf(out, strncmp(c->path, "conformance", 11) == 0 ? "%.3f" : "%.0f",
                       json_real_value(v));
    } else if (json_is_string(v) && strcmp(c->path, "event") == 0) {
        struct ipr_arena mem = IPR_ARENA_INIT;

        ipr_buf_puts(out, ipr_name_event(json_string_value(v), &mem));
        ipr_arena_release(&mem);
    } else if (json_is_string(v)) {
        ipr_buf_puts(out, json_string_value(v));
    } else if (strcmp(c->path, "rating.estimate") == 0) {
        ipr_buf_puts(out, "none");
    } else {
        ipr_buf_puts(out, "-");
    }
}

static size_t width_of(const char *text)
{
    return (size_t)u8_width((const uint8_t *)text, strlen(text), "UTF-8");
}

/* Numbers to the right, texts to the left. */
static void put_padded(const char *text, size_t width, bool right, bool last, struct ipr_buf *out)
{
    const size_t n = width_of(text), space = n < width ? width - n : 0;

    for (size_t i = 0; right && i < space; i++)
        ipr_buf_putc(out, ' ');
    ipr_buf_puts(out, text);
    for (size_t i = 0; !right && !last && i < space; i++)
        ipr_buf_putc(out, ' ');
}

struct table {
    const struct column *column[N_COLUMNS];
    size_t width[N_COLUMNS], n;
    bool marked; /* some rating is outside the calibrated range, so all have room for the mark */
};

static bool row_is_marked(const json_t *row)
{
    return ipr_json_true_at(row, "rating.extrapolated");
}

static void put_marked_cell(const struct table *t, const json_t *row, const struct column *c,
                            struct ipr_buf *out)
{
    put_cell(row, c, out);
    if (t->marked && strcmp(c->path, "rating.estimate") == 0)
        ipr_buf_putc(out, row_is_marked(row) ? '*' : ' ');
}

static void put_table_row(const struct table *t, const json_t *row, struct ipr_buf *out)
{
    struct ipr_buf cell = IPR_BUF_INIT;

    for (size_t i = 0; i < t->n; i++) {
        ipr_buf_reset(&cell);
        if (row == NULL)
            ipr_buf_puts(&cell, t->column[i]->title);
        else
            put_marked_cell(t, row, t->column[i], &cell);
        ipr_buf_puts(out, i > 0 ? "  " : "");
        put_padded(ipr_buf_c(&cell), t->width[i], t->column[i]->number, i + 1 == t->n, out);
    }
    ipr_buf_putc(out, '\n');
    ipr_buf_release(&cell);
}

static void table_widen(struct table *t, const json_t *row)
{
    struct ipr_buf cell = IPR_BUF_INIT;

    for (size_t i = 0; i < t->n; i++) {
        ipr_buf_reset(&cell);
        put_marked_cell(t, row, t->column[i], &cell);
        const size_t n = width_of(ipr_buf_c(&cell));
        t->width[i] = n > t->width[i] ? n : t->width[i];
    }
    ipr_buf_release(&cell);
}

/* The line of the mark: each pool with a marked rating, and its range, once. */
static void put_mark(const json_t *rows, struct ipr_buf *out)
{
    struct ipr_buf ranges = IPR_BUF_INIT, one = IPR_BUF_INIT;
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row) {
        if (!row_is_marked(row))
            continue;
        ipr_buf_reset(&one);
        ipr_buf_printf(&one, "%s %.0f to %.0f", ipr_json_text_at(row, "pool"),
                       ipr_json_at(row, "rating.calibrated_range.low", 0),
                       ipr_json_at(row, "rating.calibrated_range.high", 0));
        if (strstr(ipr_buf_c(&ranges), ipr_buf_c(&one)) == NULL)
            ipr_buf_printf(&ranges, "%s%s", ranges.n > 0 ? ", " : "", ipr_buf_c(&one));
    }
    if (ranges.n > 0)
        ipr_buf_printf(out, "*: outside the calibrated range (%s), with a wider error.\n",
                       ipr_buf_c(&ranges));
    ipr_buf_release(&one);
    ipr_buf_release(&ranges);
}

/* Says what a rating is, or why there is none. */
static void put_meaning(const struct ipr_rate_games *games, struct ipr_buf *out)
{
    if (!games->calibrated) {
        ipr_buf_printf(out,
                       "\nNo rating: that is calibrated for the engine setting %s alone, not for "
                       "%s.\n",
                       ipr_setting_name(IPR_FOR_RATING), games->judge.name);
        return;
    }
    ipr_buf_printf(out,
                   "\nRating: that of players whose moves %s, on the "
                   "scale below; from, to: its 95%% interval.\n",
                   games->by_humans == games->n ? "these would be"
                                                : "lose as much against the engine");
    if (games->by_humans > 0)
        ipr_buf_printf(out,
                       "%s: how probable the moves are among players of nine levels, without an "
                       "engine.\n",
                       ipr_setting_name(IPR_FOR_HUMANS));
}

static void put_table(const json_t *rows, enum ipr_rate_by by, const struct ipr_rate_games *games,
                      struct ipr_buf *out)
{
    const unsigned other = games->calibrated ? NOT_RATED : RATED;
    const size_t pools = ipr_rate_pools(games);
    struct table t = { .n = 0 };
    const json_t *row;
    size_t i;

    for (i = 0; i < N_COLUMNS; i++) {
        if (columns[i].title == NULL || (columns[i].by >> by & 1u) == 0 ||
            (columns[i].by & other) != 0 ||
            (strcmp(columns[i].path, "judge") == 0 && games->by_file + games->by_humans == 0) ||
            (strcmp(columns[i].path, "pool") == 0 && !(games->calibrated && pools > 1)))
            continue;
        t.width[t.n] = strlen(columns[i].title);
        t.column[t.n++] = &columns[i];
    }
    json_array_foreach(rows, i, row)
        t.marked |= row_is_marked(row);
    json_array_foreach(rows, i, row)
        table_widen(&t, row);
    put_table_row(&t, NULL, out);
    json_array_foreach(rows, i, row)
        put_table_row(&t, row, out);
    put_meaning(games, out);
    put_mark(rows, out);
    ipr_buf_puts(out, "Loss: of a move, on average, in pawns; Best: the share of moves that lose "
                      "nothing; from move 10.\n");
    ipr_rate_scale_write(games, out);
    ipr_rate_engines_write(games, out);
}

/* ---- JSON ---- */

static json_t *left_out_json(const struct ipr_rate_left_out *left)
{
    json_t *out = ipr_rate_times_json(left->time);

    for (size_t i = 0; i < IPR_RATE_REASONS; i++)
        json_object_set_new(out, ipr_rate_reason_names[i],
                            json_integer((json_int_t)left->reason[i]));
    return out;
}

void ipr_rate_write(enum ipr_rate_format format, const struct ipr_rate_games *games,
                    const json_t *rows, struct ipr_buf *out)
{
    const enum ipr_rate_by by = games->choice->by;
    const json_t *row;
    size_t i;

    if (format == IPR_RATE_TABLE) {
        put_table(rows, by, games, out);
    } else if (format == IPR_RATE_CSV) {
        put_csv_row(NULL, by, out);
        json_array_foreach(rows, i, row)
            put_csv_row(row, by, out);
    } else if (format == IPR_RATE_JSON) {
        const struct ipr_answer_rate answer = { .by = ipr_rate_by_names[by],
                                                .judge = games->judge.name,
                                                .left_out = left_out_json(&games->left_out),
                                                .rows = json_incref((json_t *)(uintptr_t)rows) };
        json_t *all = ipr_shape_json(IPR_SHAPE_RATE, &answer);

        ipr_json_write(all, out);
        ipr_buf_putc(out, '\n');
        json_decref(all);
    } else if (format == IPR_RATE_PGN) {
        for (i = 0; i < games->n; i++)
            ipr_rate_game_pgn(games->at[i], out);
    } else {
        json_array_foreach(rows, i, row) {
            ipr_json_write(row, out);
            ipr_buf_putc(out, '\n');
        }
    }
}
