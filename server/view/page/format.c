#include "view/page/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmpl/number.h"
#include "view/json.h"
#include "view/page/page.h"
#include "view/page/words.h"

#define ARGS const json_t *value, const char *const *args, size_t n_args

/* ---- figures ---- */

static double number_of(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* A number, or both ends of an interval, by `figure`. */
static json_t *format_figure(const json_t *value, int digits, json_t *(*figure)(double, int))
{
    if (!json_is_object(value))
        return figure(number_of(value), digits);
    json_t *low = figure(ipr_json_at(value, "low", NAN), digits);
    json_t *high = figure(ipr_json_at(value, "high", NAN), digits);
    json_t *out = json_null();

    if (json_is_string(low) && json_is_string(high))
        out = ipr_page_format("%s to %s", json_string_value(low), json_string_value(high));
    else if (json_is_string(low))
        out = ipr_page_format("above %s", json_string_value(low));
    else if (json_is_string(high))
        out = ipr_page_format("below %s", json_string_value(high));
    json_decref(low);
    json_decref(high);
    return out;
}

static json_t *figure_elo(double x, int digits)
{
    (void)digits;
    return ipr_page_whole(x);
}

static json_t *figure_count(double x, int digits)
{
    (void)digits;
    return ipr_page_count(x);
}

static json_t *figure_share(double x, int digits)
{
    return isfinite(x) ? ipr_page_format("%.*f%%", digits, 100.0 * x) : json_null();
}

static json_t *figure_percent(double x, int digits)
{
    return ipr_page_fixed(100.0 * x, digits);
}

static json_t *figure_significant(double x, int digits)
{
    return isfinite(x) ? ipr_page_format("%.*g", digits, x) : json_null();
}

static int digits_of(const char *const *args, size_t n_args, int fallback)
{
    return n_args > 0 ? args[0][0] - '0' : fallback;
}

static bool accepts_digits(const char *const *args, size_t n_args)
{
    return n_args == 0 || (strlen(args[0]) == 1 && args[0][0] >= '0' && args[0][0] <= '9');
}

static json_t *format_elo(ARGS)
{
    return format_figure(value, digits_of(args, n_args, 0), figure_elo);
}

static json_t *format_count(ARGS)
{
    return format_figure(value, digits_of(args, n_args, 0), figure_count);
}

static json_t *format_share(ARGS)
{
    return format_figure(value, digits_of(args, n_args, 1), figure_share);
}

static json_t *format_percent(ARGS)
{
    return format_figure(value, digits_of(args, n_args, 1), figure_percent);
}

static json_t *format_fixed(ARGS)
{
    return format_figure(value, digits_of(args, n_args, 0), ipr_page_fixed);
}

static json_t *format_signed(ARGS)
{
    return format_figure(value, digits_of(args, n_args, 0), ipr_page_signed);
}

static json_t *format_significant(ARGS)
{
    return format_figure(value, digits_of(args, n_args, 3), figure_significant);
}

static json_t *format_general(ARGS)
{
    (void)args;
    (void)n_args;
    return format_figure(value, 12, figure_significant);
}

static json_t *format_plural(ARGS)
{
    (void)n_args;
    return ipr_page_plural(number_of(value), args[0], args[1]);
}

static json_t *format_duration(ARGS)
{
    const double s = number_of(value);

    (void)args;
    (void)n_args;
    if (!isfinite(s))
        return NULL;
    return s < 0.1 ? json_string("less than 0.1 s")
                   : ipr_page_format(s < 10.0 ? "%.1f s" : "%.0f s", s);
}

static json_t *format_less(ARGS)
{
    const double x = number_of(value) - strtod(args[0], NULL);

    (void)n_args;
    return x > 0.0 ? json_integer((json_int_t)x) : NULL;
}

static json_t *format_move(ARGS)
{
    const double ply = number_of(value);

    (void)args;
    (void)n_args;
    if (!isfinite(ply))
        return NULL;
    return ipr_page_format("%d%s", (int)ply / 2 + 1, (int)ply % 2 != 0 ? "… (Black)" : ". (White)");
}

static json_t *format_score(ARGS)
{
    const int sign = n_args > 0 ? -1 : 1;
    const json_t *const mate = json_object_get(value, "mate");

    (void)args;
    if (json_is_integer(mate))
        return ipr_page_format("#%d", sign * (int)json_integer_value(mate));
    return ipr_page_signed(sign * number_of(value) / 100.0, 2);
}

static bool accepts_reversed(const char *const *args, size_t n_args)
{
    return n_args == 0 || strcmp(args[0], "reversed") == 0;
}

static json_t *format_clock(ARGS)
{
    const json_int_t s = json_integer_value(value) / 1000;

    (void)args;
    (void)n_args;
    return ipr_page_format("%" JSON_INTEGER_FORMAT ":%02d:%02d", s / 3600, (int)(s / 60 % 60),
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

    (void)args;
    (void)n_args;
    if (nag > 0 && (size_t)nag < sizeof glyphs / sizeof *glyphs && glyphs[nag] != NULL)
        return json_string(glyphs[nag]);
    return ipr_page_format("$%" JSON_INTEGER_FORMAT, nag);
}

/* ---- text ---- */

static json_t *format_when(ARGS)
{
    (void)args;
    (void)n_args;
    return json_is_string(value) ? ipr_page_when(json_string_value(value)) : NULL;
}

static json_t *format_day(ARGS)
{
    (void)args;
    (void)n_args;
    return json_is_string(value) ? ipr_page_format("%.10s", json_string_value(value)) : NULL;
}

static json_t *format_list(ARGS)
{
    const size_t n = json_array_size(value);
    const bool commas = n_args > 0 && strcmp(args[0], ",") == 0;
    struct ipr_buf text = IPR_BUF_INIT;

    for (size_t i = 0; i < n; i++) {
        const char *before = i == 0 ? "" : i + 1 < n || commas ? ", " : " and ";

        ipr_buf_printf(&text, "%s%s", before, json_string_value(json_array_get(value, i)));
    }
    json_t *out = n > 0 ? json_string(ipr_buf_c(&text)) : NULL;
    ipr_buf_release(&text);
    return out;
}

static bool accepts_comma(const char *const *args, size_t n_args)
{
    return n_args == 0 || strcmp(args[0], ",") == 0;
}

static json_t *format_words(ARGS)
{
    (void)args;
    (void)n_args;
    if (!json_is_string(value))
        return NULL;
    char *text = strdup(json_string_value(value));
    for (char *p = text; p != NULL && *p != '\0'; p++)
        if (*p == '_')
            *p = ' ';
    json_t *out = json_string(text);
    free(text);
    return out;
}

static json_t *format_surname(ARGS)
{
    (void)args;
    (void)n_args;
    if (!json_is_string(value))
        return NULL;
    const char *name = json_string_value(value);
    return ipr_page_format("%.*s", (int)strcspn(name, ","), name);
}

/* ---- objects ---- */

static json_t *format_span(ARGS)
{
    (void)args;
    (void)n_args;
    return ipr_page_span(value);
}

static void add_count(struct ipr_buf *text, const json_t *n, const char *what)
{
    char digits[IPR_PAGE_GROUPED];

    if (json_number_value(n) <= 0.0)
        return;
    ipr_page_group(json_number_value(n), digits);
    ipr_buf_printf(text, "%s%s %s", text->n > 0 ? ", " : "", digits, what);
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
    json_t *out = text.n > 0 ? json_string(ipr_buf_c(&text)) : NULL;
    ipr_buf_release(&text);
    return out;
}

static json_t *format_sum(ARGS)
{
    double sum = 0.0;

    for (size_t i = 0; i < n_args; i++)
        sum += ipr_json_at(value, args[i], 0.0);
    return sum == floor(sum) ? json_integer((json_int_t)sum) : json_real(sum);
}

static json_t *format_called(ARGS)
{
    const json_int_t fide = json_integer_value(json_object_get(value, "fide_id"));
    const char *name = ipr_json_text_at(value, "name");

    (void)args;
    (void)n_args;
    return fide != 0 ? ipr_page_format("%s (FIDE %" JSON_INTEGER_FORMAT ")", name, fide)
                     : json_string(name);
}

static json_t *format_rests_on(ARGS)
{
    (void)args;
    (void)n_args;
    return ipr_page_rests_on(value);
}

static json_t *format_judge(ARGS)
{
    (void)args;
    (void)n_args;
    return ipr_page_judge(value);
}

static json_t *format_remark(ARGS)
{
    (void)args;
    (void)n_args;
    return ipr_page_remark(value);
}

static json_t *format_game(ARGS)
{
    const char *white = ipr_json_text_at(value, "white"), *black = ipr_json_text_at(value, "black");
    const double year = ipr_json_at(value, "year", 0.0);
    const char *w = *white != '\0' ? white : "?", *b = *black != '\0' ? black : "?";

    (void)args;
    (void)n_args;
    return year > 0.0 ? ipr_page_format("%s – %s, %.0f", w, b, year)
                      : ipr_page_format("%s – %s", w, b);
}

static json_t *format_player_year(ARGS)
{
    const double year = ipr_json_at(value, "year", 0.0);
    const char *name = ipr_json_text_at(value, "player.name");

    (void)args;
    (void)n_args;
    return year > 0.0 ? ipr_page_format("%s %.0f", name, year)
                      : ipr_page_format("%s, career", name);
}

/* ---- dictionaries ---- */

static bool accepts_dictionary(const char *const *args, size_t n_args)
{
    return n_args == 0 || ipr_words(args[0]) != NULL;
}

static json_t *format_word(ARGS)
{
    (void)n_args;
    return json_is_string(value)
               ? json_string(ipr_words_text(ipr_words(args[0]), json_string_value(value)))
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
        if (ipr_words_text(words, key) == key)
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
    (void)args;
    (void)n_args;
    return is_empty(value) ? NULL : json_incref((json_t *)(uintptr_t)value);
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

static json_t *format_eq(ARGS)
{
    struct ipr_buf text = IPR_BUF_INIT;

    (void)n_args;
    if (json_is_string(value))
        ipr_buf_puts(&text, json_string_value(value));
    else
        ipr_json_write(value, &text);
    json_t *out = strcmp(ipr_buf_c(&text), args[0]) == 0 ? json_true() : NULL;
    ipr_buf_release(&text);
    return out;
}

static bool accepts_number(const char *const *args, size_t n_args)
{
    char *end;

    (void)n_args;
    strtod(args[0], &end);
    return end != args[0] && *end == '\0';
}

static json_t *format_more(ARGS)
{
    (void)n_args;
    return number_of(value) > strtod(args[0], NULL) ? json_true() : NULL;
}

static json_t *format_size(ARGS)
{
    (void)args;
    (void)n_args;
    return json_integer(
        (json_int_t)(json_is_array(value) ? json_array_size(value) : json_object_size(value)));
}

static json_t *format_or(ARGS)
{
    (void)n_args;
    return value == NULL || (json_is_string(value) && json_string_length(value) == 0)
               ? json_string(args[0])
               : json_incref((json_t *)(uintptr_t)value);
}

const struct ipr_tmpl_formatter ipr_page_formatters[] = {
    { "elo", 0, 0, format_elo, NULL, false },
    { "count", 0, 0, format_count, NULL, false },
    { "share", 0, 1, format_share, accepts_digits, false },
    { "percent", 0, 1, format_percent, accepts_digits, false },
    { "fixed", 1, 1, format_fixed, accepts_digits, false },
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
    { "list", 0, 1, format_list, accepts_comma, false },
    { "words", 0, 0, format_words, NULL, false },
    { "surname", 0, 0, format_surname, NULL, false },
    { "span", 0, 0, format_span, NULL, false },
    { "counts", 0, 1, format_counts, accepts_dictionary, false },
    { "sum", 1, 9, format_sum, NULL, false },
    { "rests_on", 0, 0, format_rests_on, NULL, false },
    { "judge", 0, 0, format_judge, NULL, false },
    { "remark", 0, 0, format_remark, NULL, false },
    { "called", 0, 0, format_called, NULL, false },
    { "game", 0, 0, format_game, NULL, false },
    { "player_year", 0, 0, format_player_year, NULL, false },
    { "word", 1, 1, format_word, accepts_dictionary, false },
    { "rows", 0, 1, format_rows, accepts_dictionary, false },
    { "size", 0, 0, format_size, NULL, false },
    { "or", 1, 1, format_or, NULL, true },
    { "some", 0, 0, format_some, NULL, false },
    { "any", 0, 1, format_any, NULL, false },
    { "eq", 1, 1, format_eq, NULL, false },
    { "more", 1, 1, format_more, accepts_number, false },
    { NULL, 0, 0, NULL, NULL, false },
};
