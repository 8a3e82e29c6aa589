/* How templates and sentences print what an answer has: one formatter each, in the table at the
 * end; view/page/format.h says what each is for. */
#include "view/page/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/str.h"
#include "core/champions.h"
#include "core/names.h"
#include "core/pools.h"
#include "model/move_mark.h"
#include "pgn/time_class.h"
#include "tmpl/number.h"
#include "view/certainty.h"
#include "view/json.h"
#include "view/wording.h"

#define UNUSED __attribute__((unused))
#define ARGS   const json_t *value, const char *const *args UNUSED, size_t n_args UNUSED

/* The assembled text, which is released; NULL when there is none. */
static json_t *text_json(struct ipr_buf *text)
{
    json_t *out = text->n > 0 ? json_stringn(ipr_buf_c(text), text->n) : NULL;

    ipr_buf_release(text);
    return out;
}

static json_t *shared_value(const json_t *value)
{
    return json_incref((json_t *)(uintptr_t)value);
}

/* ---- figures ---- */

static double number_of(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static void put_count(struct ipr_buf *text, double x, int digits UNUSED)
{
    char count[IPR_NUMBER_TEXT];

    ipr_number_count(x, count);
    ipr_buf_printf(text, "%s", count);
}

static void put_plural(struct ipr_buf *text, double x, const char *one, const char *many)
{
    put_count(text, x, 0);
    ipr_buf_printf(text, " %s", fabs(x - 1.0) < 0.5 ? one : many);
}

static void put_elo(struct ipr_buf *text, double x, int digits UNUSED)
{
    ipr_buf_printf(text, "%.0f", round(x));
}

/* 5 of 16 is 31.3 %, as the plots have it; printf takes the even digit. */
static void put_share(struct ipr_buf *text, double x, int digits)
{
    const double unit = pow(10.0, digits);

    ipr_buf_printf(text, "%.*f%%", digits, round(100.0 * x * unit) / unit);
}

/* As the sentences that name it (view/certainty.h). */
static void put_probability(struct ipr_buf *text, double x, int digits UNUSED)
{
    struct ipr_arena mem = IPR_ARENA_INIT;

    ipr_buf_puts(text, ipr_certainty_percent(x, &mem));
    ipr_arena_release(&mem);
}

static void put_one_in(struct ipr_buf *text, double x, int digits UNUSED)
{
    struct ipr_arena mem = IPR_ARENA_INIT;

    ipr_buf_puts(text, ipr_certainty_one_in(x, &mem));
    ipr_arena_release(&mem);
}

static void put_percent(struct ipr_buf *text, double x, int digits)
{
    ipr_buf_printf(text, "%.*f", digits, 100.0 * x);
}

static void put_fixed(struct ipr_buf *text, double x, int digits)
{
    ipr_buf_printf(text, "%.*f", digits, x);
}

/* Points that a move lost, rounded; but a move under a mark's threshold is not printed as one that
 * reaches it. */
static void put_points_lost(struct ipr_buf *text, double x, int digits)
{
    static const double marked[] = { IPR_MARK_INACCURACY_AT, IPR_MARK_MISTAKE_AT,
                                     IPR_MARK_BLUNDER_AT };
    const double unit = pow(10.0, digits);
    double shown = round(x * unit) / unit;

    for (size_t i = 0; i < sizeof marked / sizeof *marked; i++)
        if (x < marked[i] && shown >= marked[i])
            shown = floor(x * unit) / unit;
    put_fixed(text, shown, digits);
}

static void put_signed_number(struct ipr_buf *text, double x, int digits)
{
    const double rounded = round(x * pow(10.0, digits));

    if (rounded != 0.0)
        ipr_buf_puts(text, rounded < 0.0 ? "−" : "+");
    ipr_buf_printf(text, "%.*f", digits, fabs(x));
}

static void put_significant(struct ipr_buf *text, double x, int digits)
{
    ipr_buf_printf(text, "%.*g", digits, x);
}

/* For forms, too, which need the minus of JSON. */
static void put_general(struct ipr_buf *text, double x, int digits)
{
    put_significant(text, x, digits);
}

/* A number with the minus that people read. */
static void put_number(struct ipr_buf *text, double x, int digits,
                       void (*put)(struct ipr_buf *, double, int))
{
    const bool own = put == put_signed_number || put == put_general;
    struct ipr_buf number = IPR_BUF_INIT;

    put(&number, own ? x : fabs(x), digits);
    if (x < 0.0 && !own && strpbrk(ipr_buf_c(&number), "123456789") != NULL)
        ipr_buf_puts(text, "−");
    ipr_buf_puts(text, ipr_buf_c(&number));
    ipr_buf_release(&number);
}

/* A number, or both ends of an interval. */
static json_t *format_figure(const json_t *value, void (*put)(struct ipr_buf *, double, int),
                             int digits)
{
    const bool interval = json_is_object(value);
    const double low = interval ? ipr_json_at(value, "low", NAN) : number_of(value);
    const double high = interval ? ipr_json_at(value, "high", NAN) : NAN;
    struct ipr_buf text = IPR_BUF_INIT;

    if (interval && isfinite(low) != isfinite(high))
        ipr_buf_puts(&text, isfinite(low) ? "above " : "below ");
    if (isfinite(low))
        put_number(&text, low, digits, put);
    if (isfinite(low) && isfinite(high))
        ipr_buf_puts(&text, " to ");
    if (isfinite(high))
        put_number(&text, high, digits, put);
    return text_json(&text);
}

static int digits_of(const char *const *args, size_t n_args, int fallback)
{
    return n_args > 0 ? args[0][0] - '0' : fallback;
}

static bool accepts_digits(const char *const *args, size_t n_args)
{
    return n_args == 0 || (strlen(args[0]) == 1 && args[0][0] >= '0' && args[0][0] <= '9');
}

/* Formatters of a figure: how a number is put, and with how many digits. */
#define FIGURE(name, put, digits)                                                                  \
    static json_t *format_##name(ARGS)                                                             \
    {                                                                                              \
        return format_figure(value, put, digits);                                                  \
    }
FIGURE(elo, put_elo, 0)
FIGURE(count, put_count, 0)
FIGURE(share, put_share, digits_of(args, n_args, 1))
FIGURE(percent, put_percent, digits_of(args, n_args, 1))
FIGURE(probability, put_probability, 0)
FIGURE(fixed, put_fixed, digits_of(args, n_args, 0))
FIGURE(points, put_points_lost, 2)
FIGURE(signed, put_signed_number, digits_of(args, n_args, 0))
FIGURE(significant, put_significant, digits_of(args, n_args, 3))
FIGURE(general, put_general, 12)
FIGURE(one_in, put_one_in, 0)
#undef FIGURE

/* The interval of a figure, beside its estimate. */
static json_t *format_interval(ARGS)
{
    const double low = ipr_json_at(value, "interval.low", NAN),
                 high = ipr_json_at(value, "interval.high", NAN);
    struct ipr_arena mem = IPR_ARENA_INIT;
    json_t *out = NULL;

    if (isfinite(low) || isfinite(high))
        out =
            json_string(ipr_wording_interval(ipr_json_at(value, "estimate", NAN), low, high, &mem));
    ipr_arena_release(&mem);
    return out;
}

static json_t *format_certainty(ARGS)
{
    const char *const word = ipr_certainty_word(number_of(value));

    return word != NULL ? json_string(word) : NULL;
}

static const char *word_of_number(int n)
{
    static const char *const words[] = { "no",  "one",   "two",   "three", "four", "five",
                                         "six", "seven", "eight", "nine",  "ten" };

    return words[n];
}

/* The nearest of the fractions that people say. */
static void odds_fraction(double p, int *k, int *n)
{
    static const struct {
        int k, n;
    } said[] = { { 1, 2 }, { 1, 3 }, { 2, 3 }, { 1, 4 }, { 3, 4 }, { 1, 5 },  { 2, 5 }, { 3, 5 },
                 { 4, 5 }, { 1, 6 }, { 1, 7 }, { 1, 8 }, { 1, 9 }, { 1, 10 }, { 9, 10 } };
    double nearest = 1.0;

    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        const double off = fabs(p - (double)said[i].k / said[i].n);

        if (off < nearest) {
            nearest = off;
            *k = said[i].k;
            *n = said[i].n;
        }
    }
}

static json_t *format_odds(ARGS)
{
    const double p = number_of(value);
    int k = 1, n = 2;

    if (!isfinite(p))
        return NULL;
    if (p < 0.01)
        return json_string("fewer than one in 100");
    if (p < 0.095) {
        const double one_in = 1.0 / p;

        return json_sprintf("one in %.0f",
                            one_in < 20.0 ? round(one_in) : 5.0 * round(one_in / 5.0));
    }
    if (p > 0.95)
        return json_string("nearly all");
    odds_fraction(p, &k, &n);
    if (p < 0.5 && 2 * k == n) /* beside lists of what fewer than half would find */
        return json_string("almost one in two");
    return json_sprintf("%s in %s", word_of_number(k), word_of_number(n));
}

static json_t *format_plural(ARGS)
{
    struct ipr_buf text = IPR_BUF_INIT;

    if (json_is_number(value))
        put_plural(&text, number_of(value), args[0], args[1]);
    return text_json(&text);
}

static json_t *format_duration(ARGS)
{
    const double s = number_of(value);

    if (!isfinite(s))
        return NULL;
    if (s < 0.1)
        return json_string("less than 0.1 s");
    return json_sprintf(s < 10.0 ? "%.1f s" : "%.0f s", s);
}

static json_t *format_less(ARGS)
{
    const double x = number_of(value) - strtod(args[0], NULL);

    return x > 0.0 ? json_integer((json_int_t)x) : NULL;
}

static json_t *format_move(ARGS)
{
    const double ply = number_of(value);

    if (!isfinite(ply))
        return NULL;
    return json_sprintf("%d%s", (int)ply / 2 + 1, (int)ply % 2 != 0 ? "… (Black)" : ". (White)");
}

static json_t *format_score(ARGS)
{
    const int sign = n_args > 0 ? -1 : 1;
    const json_t *const mate = json_object_get(value, "mate");
    struct ipr_buf text = IPR_BUF_INIT;

    if (json_is_integer(mate))
        return json_sprintf("#%d", sign * (int)json_integer_value(mate));
    if (!json_is_number(value))
        return NULL;
    put_signed_number(&text, sign * number_of(value) / 100.0, 2);
    return text_json(&text);
}

static bool accepts_reversed(const char *const *args, size_t n_args)
{
    return n_args == 0 || strcmp(args[0], "reversed") == 0;
}

static json_t *format_pawns(ARGS)
{
    return json_is_number(value) ? json_sprintf("%.2f", number_of(value) / 100.0) : NULL;
}

static json_t *format_clock(ARGS)
{
    const json_int_t s = json_integer_value(value) / 1000;

    return json_sprintf("%" JSON_INTEGER_FORMAT ":%02d:%02d", s / 3600, (int)(s / 60 % 60),
                        (int)(s % 60));
}

static json_t *format_glyph(ARGS)
{
    static const char *const glyphs[] = {
        [1] = "!",  [2] = "?",  [3] = "!!", [4] = "??",  [5] = "!?",
        [6] = "?!", [7] = "□",  [10] = "=", [13] = "∞",  [14] = "⩲",
        [15] = "⩱", [16] = "±", [17] = "∓", [18] = "+−", [19] = "−+",
    };
    const json_int_t nag = json_integer_value(value);

    if (nag > 0 && (size_t)nag < sizeof glyphs / sizeof *glyphs && glyphs[nag] != NULL)
        return json_string(glyphs[nag]);
    return json_sprintf("$%" JSON_INTEGER_FORMAT, nag);
}

/* ---- text ---- */

static json_t *format_when(ARGS)
{
    const char *time = json_string_value(value);

    if (time == NULL || strlen(time) < 16)
        return NULL;
    return json_sprintf("%.10s %.5s", time, time + 11);
}

static json_t *format_day(ARGS)
{
    return json_is_string(value) ? json_sprintf("%.10s", json_string_value(value)) : NULL;
}

static json_t *format_list(ARGS)
{
    const size_t n = json_array_size(value);
    struct ipr_buf text = IPR_BUF_INIT;

    for (size_t i = 0; i < n; i++) {
        if (i > 0 && n_args > 0 && args[0][0] == 'o')
            ipr_buf_puts(&text, " or ");
        else if (i > 0)
            ipr_buf_puts(&text, i + 1 < n || n_args > 0 ? ", " : " and ");
        ipr_buf_puts(&text, json_string_value(json_array_get(value, i)));
    }
    return text_json(&text);
}

static bool accepts_joint(const char *const *args, size_t n_args)
{
    return n_args == 0 || strcmp(args[0], ",") == 0 || strcmp(args[0], "or") == 0;
}

static json_t *format_words(ARGS)
{
    struct ipr_buf text = IPR_BUF_INIT;

    for (const char *p = json_string_value(value); p != NULL && *p != '\0'; p++)
        ipr_buf_putc(&text, *p == '_' ? ' ' : *p);
    return text_json(&text);
}

/* The games of a pool of players, "online rapid games". */
static json_t *format_pool(ARGS)
{
    return json_is_string(value) ? json_string(ipr_pool_named(json_string_value(value))->games)
                                 : NULL;
}

/* The classes of time control of its games, "unknown,classical". */
static json_t *format_pool_times(ARGS)
{
    const unsigned times =
        json_is_string(value) ? ipr_pool_named(json_string_value(value))->times : 0;
    struct ipr_buf text = IPR_BUF_INIT;

    for (unsigned c = 0; c < IPR_TIME_CLASSES; c++)
        if ((times & IPR_TIME_BIT(c)) != 0)
            ipr_buf_printf(&text, "%s%s", text.n > 0 ? "," : "",
                           ipr_time_class_name((enum ipr_time_class)c));
    return text_json(&text);
}

static json_t *format_linked(ARGS)
{
    const char *p = json_is_string(value) ? json_string_value(value) : "";
    json_t *parts = json_array();

    while (*p != '\0') {
        const char *open = strchr(p, '['), *close = open != NULL ? strstr(open, "](") : NULL;
        const char *end = close != NULL ? strchr(close, ')') : NULL;
        const size_t before = end != NULL ? (size_t)(open - p) : strlen(p);

        if (before > 0)
            json_array_append_new(parts, json_pack("{s:s%}", "text", p, before));
        if (end == NULL)
            break;
        json_array_append_new(parts, json_pack("{s:s%, s:s%}", "text", open + 1,
                                               (size_t)(close - open - 1), "href", close + 2,
                                               (size_t)(end - close - 2)));
        p = end + 1;
    }
    return parts;
}

static json_t *format_surname(ARGS)
{
    const char *name = json_string_value(value);

    return name != NULL ? json_stringn(name, strcspn(name, ",")) : NULL;
}

/* "Bobby Fischer" of "Fischer, Robert J". */
static json_t *format_person(ARGS)
{
    struct ipr_arena mem = { 0 };
    json_t *out =
        json_is_string(value) ? json_string(ipr_name_spoken(json_string_value(value), &mem)) : NULL;

    ipr_arena_release(&mem);
    return out;
}

/* "/fischer-robert-j", to follow the id in an address; "" where the name gives none. */
static json_t *format_slug(ARGS)
{
    struct ipr_arena mem = { 0 };
    const char *slug = json_is_string(value) ? ipr_name_slug(json_string_value(value), &mem) : "";
    json_t *out = json_sprintf("%s%s", slug[0] != '\0' ? "/" : "", slug);

    ipr_arena_release(&mem);
    return out;
}

/* A name of an event, "World Championship 31st" where its tags have "31th". */
static json_t *format_event(ARGS)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    json_t *out =
        json_is_string(value) ? json_string(ipr_name_event(json_string_value(value), &mem)) : NULL;

    ipr_arena_release(&mem);
    return out;
}

/* "Reykjavik ISL": the town, without the code of its country. */
static json_t *format_place(ARGS)
{
    const char *const site = json_is_string(value) ? json_string_value(value) : "";
    const char *const code = strrchr(site, ' ');

    if (code != NULL && strlen(code) == 4 && strspn(code + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3)
        return json_stringn(site, (size_t)(code - site));
    return json_string(site);
}

/* "1972.08.31", or what is known of it: "31 August 1972", "August 1972", "1972". */
static json_t *format_date(ARGS)
{
    const char *const date = json_is_string(value) ? json_string_value(value) : "";
    const long day = strlen(date) > 8 ? strtol(date + 8, NULL, 10) : 0;
    struct ipr_arena mem = IPR_ARENA_INIT;
    const char *const month = ipr_wording_month(date, &mem);
    json_t *out = NULL;

    if (month != NULL)
        out = day > 0 ? json_sprintf("%ld %s", day, month) : json_string(month);
    ipr_arena_release(&mem);
    return out;
}

/* The address of an answer as that of its rows as CSV: of a list, or of the table that is named. */
static json_t *format_csv(ARGS)
{
    const char *address = json_is_string(value) ? json_string_value(value) : "";
    const size_t path = strcspn(address, "?");

    if (path == 0)
        return NULL;
    if (n_args == 0)
        return json_sprintf("%.*s.csv%s", (int)path, address, address + path);
    return json_sprintf("%.*s.csv%s%srows=%s", (int)path, address, address + path,
                        address[path] == '?' ? "&" : "?", args[0]);
}

/* ---- objects ---- */

static json_t *format_span(ARGS)
{
    static const char *const ends[][2] = { { "first_year", "last_year" },
                                           { "from", "to" },
                                           { "low", "high" } };
    size_t i = 0;

    while (i < 2 && json_object_get(value, ends[i][0]) == NULL)
        i++;
    const double first = ipr_json_at(value, ends[i][0], 0.0);
    const double last = ipr_json_at(value, ends[i][1], 0.0);

    if (first == 0.0)
        return NULL;
    return first == last ? json_sprintf("%.0f", first) : json_sprintf("%.0f–%.0f", first, last);
}

static void add_count(struct ipr_buf *text, const json_t *n, const char *what)
{
    if (json_number_value(n) <= 0.0)
        return;
    ipr_buf_puts(text, text->n > 0 ? ", " : "");
    put_count(text, json_number_value(n), 0);
    ipr_buf_printf(text, " %s", what);
}

static json_t *format_counts(ARGS)
{
    struct ipr_buf text = IPR_BUF_INIT;
    const char *key;
    const json_t *n;

    if (n_args > 0)
        for (const struct ipr_word *w = ipr_words(args[0]); w->key != NULL; w++)
            add_count(&text, json_object_get(value, w->key), w->text);
    else
        json_object_foreach((json_t *)(uintptr_t)value, key, n) {
            add_count(&text, n, key);
        }
    return text_json(&text);
}

static json_t *format_sum(ARGS)
{
    double sum = 0.0;

    for (size_t i = 0; i < n_args; i++)
        sum += ipr_json_at(value, args[i], 0.0);
    return sum == floor(sum) ? json_integer((json_int_t)sum) : json_real(sum);
}

static json_t *format_rests_on(ARGS)
{
    const double turns = ipr_json_at(value, "turns", 0.0);
    const double games = ipr_json_at(value, "games", NAN);
    struct ipr_buf text = IPR_BUF_INIT;

    if (!isfinite(games))
        return NULL;
    if (turns > 0.0) {
        put_plural(&text, turns, "move", "moves");
        ipr_buf_puts(&text, ", ");
    }
    put_plural(&text, games, "game", "games");
    return text_json(&text);
}

/* How a search ends: "depth 10", "100,000 nodes", "at most 240 s". */
static void put_limit(struct ipr_buf *text, const json_t *judge)
{
    const double nodes = ipr_json_at(judge, "limit.nodes", 0.0);
    const double ms = ipr_json_at(judge, "limit.adaptive_ms", 0.0);

    if (nodes > 0.0)
        put_plural(text, nodes, "node", "nodes");
    else if (ms > 0.0)
        ipr_buf_printf(text, "at most %.0f s", ms / 1000.0);
    else
        ipr_buf_printf(text, "depth %.0f", ipr_json_at(judge, "limit.depth", 0.0));
}

static json_t *format_judge(ARGS)
{
    struct ipr_buf text = IPR_BUF_INIT;

    if (!json_is_object(value))
        return NULL;
    ipr_buf_printf(&text, "%s: %s, ", ipr_json_text_at(value, "name"),
                   ipr_json_text_at(value, "engine"));
    put_limit(&text, value);
    ipr_buf_puts(&text, ", ");
    put_plural(&text, ipr_json_at(value, "multipv", 0.0), "line", "lines");
    ipr_buf_printf(&text, ", from move %.0f", ipr_json_at(value, "first_move", 0.0));
    return text_json(&text);
}

static json_t *format_remark(ARGS)
{
    struct ipr_buf text = IPR_BUF_INIT;

    for (const struct ipr_word *w = ipr_words("remarks"); w->key != NULL; w++)
        if (ipr_json_true_at(value, w->key))
            ipr_buf_printf(&text, "%s%s", text.n > 0 ? "; " : "", w->text);
    return text_json(&text);
}

static json_t *format_called(ARGS)
{
    const json_int_t fide = json_integer_value(json_object_get(value, "fide_id"));
    const char *name = ipr_json_text_at(value, "name");

    return fide != 0 ? json_sprintf("%s (FIDE %" JSON_INTEGER_FORMAT ")", name, fide)
                     : json_string(name);
}

static json_t *format_game(ARGS)
{
    const char *white = ipr_json_text_at(value, "white"), *black = ipr_json_text_at(value, "black");
    const double year = ipr_json_at(value, "year", 0.0);
    const char *w = *white != '\0' ? white : "?", *b = *black != '\0' ? black : "?";

    return year > 0.0 ? json_sprintf("%s – %s, %.0f", w, b, year) : json_sprintf("%s – %s", w, b);
}

static json_t *format_player_year(ARGS)
{
    const double year = ipr_json_at(value, "year", 0.0);
    struct ipr_arena mem = { 0 };
    const char *name = ipr_name_spoken(ipr_json_text_at(value, "player.name"), &mem);
    json_t *out =
        year > 0.0 ? json_sprintf("%s %.0f", name, year) : json_sprintf("%s, career", name);

    ipr_arena_release(&mem);
    return out;
}

/* ---- dictionaries ---- */

static bool accepts_dictionary(const char *const *args, size_t n_args)
{
    return n_args == 0 || ipr_words(args[0]) != NULL;
}

static json_t *format_word(ARGS)
{
    return json_is_string(value)
               ? json_string(ipr_sentence_word(ipr_words(args[0]), json_string_value(value)))
               : NULL;
}

static void add_row(json_t *rows, const char *key, const char *text, json_t *value)
{
    json_array_append_new(rows,
                          json_pack("{s:s, s:s, s:O}", "key", key, "text", text, "value", value));
}

static json_t *format_rows(ARGS)
{
    static const struct ipr_word none[] = { { NULL, NULL } };
    const struct ipr_word *words = n_args > 0 ? ipr_words(args[0]) : none;
    json_t *rows = json_array();
    const char *key;
    json_t *one;

    for (const struct ipr_word *w = words; w->key != NULL; w++) {
        one = json_object_get(value, w->key);
        if (one != NULL && !json_is_null(one))
            add_row(rows, w->key, w->text, one);
    }
    json_object_foreach((json_t *)(uintptr_t)value, key, one) {
        if (ipr_sentence_word(words, key) == key)
            add_row(rows, key, key, one);
    }
    return rows;
}

/* ---- for sections ---- */

static bool is_empty(const json_t *value)
{
    if (json_is_number(value))
        return json_number_value(value) == 0.0 || !isfinite(json_number_value(value));
    if (json_is_string(value))
        return json_string_length(value) == 0;
    if (json_is_array(value))
        return json_array_size(value) == 0;
    return json_is_object(value) ? json_object_size(value) == 0 : !json_is_true(value);
}

static json_t *format_some(ARGS)
{
    return is_empty(value) ? NULL : shared_value(value);
}

static json_t *format_any(ARGS)
{
    const json_t *one;
    size_t i;

    if (n_args == 0)
        return is_empty(value) ? NULL : json_true();
    json_array_foreach(value, i, one) {
        const json_t *member = ipr_json_find(one, args[0]);

        if (member != NULL && !is_empty(member))
            return json_true();
    }
    return NULL;
}

/* True if a figure says anything: a value, or what it must be above or below. */
static json_t *format_known(ARGS)
{
    static const char *const members[] = { "estimate", "bound", "interval" };

    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (!is_empty(json_object_get(value, members[i])))
            return json_true();
    return NULL;
}

static json_t *format_eq(ARGS)
{
    struct ipr_buf text = IPR_BUF_INIT;

    if (json_is_string(value))
        ipr_buf_puts(&text, json_string_value(value));
    else
        ipr_json_write(value, &text);
    json_t *out = strcmp(ipr_buf_c(&text), args[0]) == 0 ? json_true() : NULL;
    ipr_buf_release(&text);
    return out;
}

static bool accepts_number(const char *const *args, size_t n_args UNUSED)
{
    char *end;

    strtod(args[0], &end);
    return end != args[0] && *end == '\0';
}

static json_t *format_more(ARGS)
{
    return number_of(value) > strtod(args[0], NULL) ? json_true() : NULL;
}

static json_t *format_size(ARGS)
{
    return json_integer(
        (json_int_t)(json_is_array(value) ? json_array_size(value) : json_object_size(value)));
}

static bool is_among(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static json_t *format_without(ARGS)
{
    json_t *rest = json_array(), *one;
    size_t i;

    json_array_foreach((json_t *)(uintptr_t)value, i, one) {
        if (!is_among(ipr_json_text_at(one, "name"), args, n_args))
            json_array_append(rest, one);
    }
    return rest;
}

static bool accepts_mark(const char *const *args, size_t n_args UNUSED)
{
    return strcmp(args[0], "?") == 0 || strcmp(args[0], "&") == 0;
}

static json_t *format_query(ARGS)
{
    struct ipr_buf text = IPR_BUF_INIT;
    const json_t *one;
    size_t i;

    json_array_foreach(value, i, one)
        ipr_buf_printf(&text, "%s%s", i == 0 ? args[0] : "&", ipr_json_text_at(one, "query"));
    return text_json(&text);
}

static json_t *format_or(ARGS)
{
    return value == NULL || (json_is_string(value) && json_string_length(value) == 0)
               ? json_string(args[0])
               : shared_value(value);
}

const struct ipr_tmpl_formatter ipr_page_formatters[] = {
    { "elo", 0, 0, format_elo, NULL, false },
    { "count", 0, 0, format_count, NULL, false },
    { "share", 0, 1, format_share, accepts_digits, false },
    { "percent", 0, 1, format_percent, accepts_digits, false },
    { "probability", 0, 0, format_probability, NULL, false },
    { "certainty", 0, 0, format_certainty, NULL, false },
    { "one_in", 0, 0, format_one_in, NULL, false },
    { "fixed", 1, 1, format_fixed, accepts_digits, false },
    { "points", 0, 0, format_points, NULL, false },
    { "signed", 1, 1, format_signed, accepts_digits, false },
    { "significant", 1, 1, format_significant, accepts_digits, false },
    { "general", 0, 0, format_general, NULL, false },
    { "plural", 2, 2, format_plural, NULL, false },
    { "duration", 0, 0, format_duration, NULL, false },
    { "less", 1, 1, format_less, accepts_number, false },
    { "move", 0, 0, format_move, NULL, false },
    { "score", 0, 1, format_score, accepts_reversed, false },
    { "clock", 0, 0, format_clock, NULL, false },
    { "glyph", 0, 0, format_glyph, NULL, false },
    { "when", 0, 0, format_when, NULL, false },
    { "day", 0, 0, format_day, NULL, false },
    { "list", 0, 1, format_list, accepts_joint, false },
    { "words", 0, 0, format_words, NULL, false },
    { "pool", 0, 0, format_pool, NULL, false },
    { "pool_times", 0, 0, format_pool_times, NULL, false },
    { "linked", 0, 0, format_linked, NULL, false },
    { "surname", 0, 0, format_surname, NULL, false },
    { "person", 0, 0, format_person, NULL, false },
    { "event", 0, 0, format_event, NULL, false },
    { "place", 0, 0, format_place, NULL, false },
    { "date", 0, 0, format_date, NULL, false },
    { "slug", 0, 0, format_slug, NULL, false },
    { "csv", 0, 1, format_csv, NULL, false },
    { "span", 0, 0, format_span, NULL, false },
    { "counts", 0, 1, format_counts, accepts_dictionary, false },
    { "sum", 1, 9, format_sum, NULL, false },
    { "interval", 0, 0, format_interval, NULL, false },
    { "rests_on", 0, 0, format_rests_on, NULL, false },
    { "judge", 0, 0, format_judge, NULL, false },
    { "remark", 0, 0, format_remark, NULL, false },
    { "called", 0, 0, format_called, NULL, false },
    { "odds", 0, 0, format_odds, NULL, false },
    { "pawns", 0, 0, format_pawns, NULL, false },
    { "game", 0, 0, format_game, NULL, false },
    { "player_year", 0, 0, format_player_year, NULL, false },
    { "word", 1, 1, format_word, accepts_dictionary, false },
    { "rows", 0, 1, format_rows, accepts_dictionary, false },
    { "size", 0, 0, format_size, NULL, false },
    { "without", 1, 9, format_without, NULL, false },
    { "query", 1, 1, format_query, accepts_mark, false },
    { "or", 1, 1, format_or, NULL, true },
    { "some", 0, 0, format_some, NULL, false },
    { "any", 0, 1, format_any, NULL, false },
    { "known", 0, 0, format_known, NULL, false },
    { "eq", 1, 1, format_eq, NULL, false },
    { "more", 1, 1, format_more, accepts_number, false },
    { NULL, 0, 0, NULL, NULL, false },
};
