#include "ingest/lichess.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>
#include <time.h>

/* ---- tags ---- */

static void put_pair(struct ipr_buf *out, const char *name, const char *value)
{
    ipr_buf_printf(out, "[%s \"", name);
    for (const char *s = value; *s != '\0'; s++) {
        if (*s == '"' || *s == '\\')
            ipr_buf_putc(out, '\\');
        ipr_buf_putc(out, (unsigned char)*s < ' ' ? ' ' : *s);
    }
    ipr_buf_puts(out, "\"]\n");
}

static void lichess_put_text(struct ipr_buf *out, const char *name, const json_t *value)
{
    if (json_is_string(value))
        put_pair(out, name, json_string_value(value));
}

static const char *text_in(const json_t *object, const char *member)
{
    const char *const text = json_string_value(json_object_get(object, member));

    return text != NULL ? text : "";
}

/* An engine of the site has a level instead of an account. */
static void put_player(struct ipr_buf *out, const char *color, const json_t *player)
{
    const json_t *const user = json_object_get(player, "user");
    const json_t *const level = json_object_get(player, "aiLevel");
    const json_t *const elo = json_object_get(player, "rating");
    const json_t *const change = json_object_get(player, "ratingDiff");
    char tag[24], text[64];

    if (json_is_integer(level))
        snprintf(text, sizeof text, "lichess AI level %" JSON_INTEGER_FORMAT,
                 json_integer_value(level));
    else
        snprintf(text, sizeof text, "%.60s", json_is_object(user) ? text_in(user, "name") : "?");
    put_pair(out, color, text);
    snprintf(tag, sizeof tag, "%sTitle", color);
    lichess_put_text(out, tag, json_object_get(user, "title"));
    if (json_is_integer(elo))
        ipr_buf_printf(out, "[%sElo \"%" JSON_INTEGER_FORMAT "\"]\n", color,
                       json_integer_value(elo));
    if (json_is_integer(change))
        ipr_buf_printf(out, "[%sRatingDiff \"%+" JSON_INTEGER_FORMAT "\"]\n", color,
                       json_integer_value(change));
}

static const char *result_of(const json_t *game)
{
    static const char *const open[] = { "created", "started",       "aborted",
                                        "noStart", "unknownFinish", "" };
    const char *const winner = text_in(game, "winner"), *const status = text_in(game, "status");

    if (*winner != '\0')
        return *winner == 'w' ? "1-0" : "0-1";
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        if (strcmp(status, open[i]) == 0)
            return "*";
    return "1/2-1/2";
}

static void put_variant(struct ipr_buf *out, const json_t *game)
{
    const char *const variant = text_in(game, "variant");

    if (strcmp(variant, "fromPosition") == 0)
        put_pair(out, "Variant", "From Position");
    else if (*variant != '\0' && strcmp(variant, "standard") != 0)
        put_pair(out, "Variant", variant);
    if (*text_in(game, "initialFen") != '\0') {
        put_pair(out, "SetUp", "1");
        lichess_put_text(out, "FEN", json_object_get(game, "initialFen"));
    }
}

static void put_date(struct ipr_buf *out, const json_t *created)
{
    const time_t at = (time_t)(json_integer_value(created) / 1000);
    struct tm utc;
    char text[24];

    if (!json_is_integer(created) || at < 0 || gmtime_r(&at, &utc) == NULL || utc.tm_year > 8099)
        return;
    strftime(text, sizeof text, "%Y.%m.%d", &utc);
    put_pair(out, "UTCDate", text);
    put_pair(out, "Date", text);
    strftime(text, sizeof text, "%H:%M:%S", &utc);
    put_pair(out, "UTCTime", text);
}

static void put_tags(struct ipr_buf *out, const json_t *game)
{
    const json_t *const players = json_object_get(game, "players");
    const json_t *const clock = json_object_get(game, "clock");
    const json_t *const opening = json_object_get(game, "opening");
    char text[256];

    snprintf(text, sizeof text, "%s %.200s game",
             json_is_true(json_object_get(game, "rated")) ? "Rated" : "Casual",
             text_in(game, "speed"));
    put_pair(out, "Event", text);
    snprintf(text, sizeof text, "https://lichess.org/%.200s", text_in(game, "id"));
    put_pair(out, "Site", text);
    put_date(out, json_object_get(game, "createdAt"));
    put_player(out, "White", json_object_get(players, "white"));
    put_player(out, "Black", json_object_get(players, "black"));
    put_pair(out, "Result", result_of(game));
    if (json_is_object(clock)) {
        snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT "+%" JSON_INTEGER_FORMAT,
                 json_integer_value(json_object_get(clock, "initial")),
                 json_integer_value(json_object_get(clock, "increment")));
        put_pair(out, "TimeControl", text);
    } else if (json_is_integer(json_object_get(game, "daysPerTurn"))) {
        put_pair(out, "TimeControl", "-");
    }
    lichess_put_text(out, "ECO", json_object_get(opening, "eco"));
    lichess_put_text(out, "Opening", json_object_get(opening, "name"));
    put_variant(out, game);
}

/* ---- moves ---- */

#define LICHESS_SAN "abcdefghqrnKQRBN012345678O+#=-x"
#define NOT_SAN     '?'

/* White's view, in centipawns or moves to the mate. */
static void put_evaluation(struct ipr_buf *out, const json_t *one)
{
    const json_t *const eval = json_object_get(one, "eval"), *const mate =
                                                                 json_object_get(one, "mate");

    if (json_is_integer(mate))
        ipr_buf_printf(out, " [%%eval #%" JSON_INTEGER_FORMAT "]", json_integer_value(mate));
    else if (json_is_integer(eval))
        ipr_buf_printf(out, " [%%eval %.2f]", (double)json_integer_value(eval) / 100);
}

/* Centiseconds, after the move. */
static void put_clock(struct ipr_buf *out, const json_t *left)
{
    const json_int_t s = json_integer_value(left) / 100;

    if (json_is_integer(left) && s >= 0 && s < 1000000)
        ipr_buf_printf(out, " [%%clk %d:%02d:%02d]", (int)(s / 3600), (int)(s / 60 % 60),
                       (int)(s % 60));
}

/* Only what a move is written with: a text cannot become tags, comments or another game. */
static void lichess_put_moves(struct ipr_buf *out, const json_t *game)
{
    const json_t *const evals = json_object_get(game, "analysis");
    const json_t *const clocks = json_object_get(game, "clocks");
    const char *s = text_in(game, "moves");

    for (size_t ply = 0; *s != '\0'; ply++) {
        const size_t n = strcspn(s, " ");

        for (size_t i = 0; i < n; i++)
            ipr_buf_putc(out, strchr(LICHESS_SAN, s[i]) != NULL ? s[i] : NOT_SAN);
        ipr_buf_puts(out, " {");
        put_evaluation(out, json_array_get(evals, ply));
        put_clock(out, json_array_get(clocks, ply));
        ipr_buf_puts(out, " }\n");
        s += n + strspn(s + n, " ");
    }
}

/* ---- lines ---- */

bool ipr_lichess_begins(struct ipr_str text)
{
    static const char *const members[] = { "\"players\"", "\"speed\"" };
    const char *const end = memchr(text.p, '\n', text.n);
    const size_t n = end != NULL ? (size_t)(end - text.p) : text.n;

    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (memmem(text.p, n, members[i], strlen(members[i])) == NULL)
            return false;
    return true;
}

enum ipr_code ipr_lichess_pgn(struct ipr_str line, uint32_t line_no, struct ipr_buf *out,
                              struct ipr_err *err)
{
    json_error_t why;
    json_t *const game = json_loadb(line.p, line.n, JSON_REJECT_DUPLICATES, &why);

    if (!json_is_object(game) || !json_is_object(json_object_get(game, "players")) ||
        !json_is_string(json_object_get(game, "moves"))) {
        json_decref(game);
        return ipr_err_at(err, IPR_EPARSE, "bad_json", line_no,
                          game == NULL ? (uint32_t)why.column : 1, -1,
                          "This is no game of lichess in JSON, which has players and moves.");
    }
    put_tags(out, game);
    ipr_buf_puts(out, "\n");
    lichess_put_moves(out, game);
    ipr_buf_printf(out, "%s\n\n", result_of(game));
    json_decref(game);
    return IPR_OK;
}
