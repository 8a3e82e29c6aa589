#include "pgn/time_control.h"

#include <math.h>
#include <string.h>

#define MOVES        60.0
#define MINUTE       60.0
#define HOUR         3600.0
#define DAY          86400.0
#define MAX_PERIODS  8
#define MAX_NUMBER   1e8
#define UNIT_MAX     12 /* letters of a word that can be a unit, and the terminator */
#define COUNTS_MOVES 10 /* periods of fewer moves are the standard's seconds for one move or so */

static enum ipr_time_class class_of(double seconds)
{
    if (seconds >= DAY)
        return IPR_TIME_CORRESPONDENCE;
    if (seconds >= 60 * MINUTE)
        return IPR_TIME_CLASSICAL;
    if (seconds > 10 * MINUTE)
        return IPR_TIME_RAPID;
    if (seconds >= 3 * MINUTE)
        return IPR_TIME_BLITZ;
    return seconds > 0 ? IPR_TIME_BULLET : IPR_TIME_UNKNOWN;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The whole of `s`, white space around it aside, as a number without sign or exponent. */
static bool read_number(struct ipr_str s, double *out)
{
    s = ipr_str_trim(s);
    for (size_t i = 0; i < s.n; i++)
        if (!is_digit(s.p[i]) && s.p[i] != '.')
            return false;
    return ipr_str_double(s, 0, MAX_NUMBER, out);
}

/* Cuts `rest` at the first `c`; what is before it becomes `head`. False when there is none, and
 * `head` is then all of it. */
static bool cut(struct ipr_str *rest, char c, struct ipr_str *head)
{
    const char *const at = rest->n > 0 ? memchr(rest->p, c, rest->n) : NULL;

    *head = *rest;
    if (at == NULL)
        return false;
    head->n = (size_t)(at - rest->p);
    rest->p += head->n + 1;
    rest->n -= head->n + 1;
    return true;
}

/* The PGN standard's fields */

struct period {
    double moves; /* 0: all that remain */
    double base, increment;
};

enum unit { SECONDS, MINUTES, EITHER };

static bool read_period(struct ipr_str field, struct period *out)
{
    struct ipr_str moves, base;

    *out = (struct period){ 0 };
    if (cut(&field, '/', &moves) && (!read_number(moves, &out->moves) || out->moves < 1))
        return false;
    if (cut(&field, '+', &base) && !read_number(field, &out->increment))
        return false;
    return read_number(base, &out->base);
}

/* A period for all remaining moves can only be the last. */
static size_t read_periods(struct ipr_str text, struct period out[MAX_PERIODS])
{
    struct ipr_str field;
    bool more = true;
    size_t n = 0;

    while (more) {
        if (n == MAX_PERIODS || (n > 0 && out[n - 1].moves <= 0))
            return 0;
        more = cut(&text, ':', &field);
        if (!read_period(field, &out[n++]))
            return 0;
    }
    return n;
}

static enum unit period_unit(const struct period *p)
{
    if (p->base > 150 || p->base != floor(p->base) || p->increment != floor(p->increment))
        return SECONDS;
    if (p->moves > 0 && p->moves < COUNTS_MOVES)
        return SECONDS;
    if (p->increment > 0 && p->increment * 8 >= p->base)
        return MINUTES;
    if (p->moves > 0)
        return EITHER;
    if (p->base < 15)
        return MINUTES;
    return p->base >= 60 && p->increment * 20 <= p->base ? SECONDS : EITHER;
}

/* One unit for all: that of the first period that tells. */
static enum unit unit_of(const struct period *periods, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (period_unit(&periods[i]) != EITHER)
            return period_unit(&periods[i]);
    return EITHER;
}

/* Seconds for 60 moves; the last period repeats. */
static double time_for_moves(const struct period *periods, size_t n, double base_unit)
{
    double left = MOVES, total = 0;

    for (size_t i = 0; i < n && left > 0; i++) {
        const struct period *const p = &periods[i];
        const double times = i + 1 == n && p->moves > 0 ? ceil(left / p->moves) : 1;
        const double played = p->moves > 0 ? fmin(left, times * p->moves) : left;

        total += times * p->base * base_unit + played * p->increment;
        left -= played;
    }
    return total;
}

static enum ipr_time_class periods_class(const struct period *periods, size_t n)
{
    const enum unit unit = unit_of(periods, n);
    const enum ipr_time_class in_seconds = class_of(time_for_moves(periods, n, 1));
    const enum ipr_time_class in_minutes = class_of(time_for_moves(periods, n, MINUTE));

    if (unit == EITHER && in_seconds != in_minutes)
        return IPR_TIME_UNKNOWN;
    return unit == MINUTES ? in_minutes : in_seconds;
}

/* "15|10" and "15 10" */
static bool read_minutes_and_increment(struct ipr_str text, struct period *out)
{
    struct ipr_str base;

    *out = (struct period){ 0 };
    if (!cut(&text, '|', &base) && !cut(&text, ' ', &base))
        return false;
    return read_number(base, &out->base) && read_number(text, &out->increment);
}

/* Words */

/* What was read of a control in words. */
struct spoken {
    struct ipr_str text;
    size_t at;
    double base, increment; /* seconds */
    bool correspondence;
};

/* A number with what stands around it. */
struct amount {
    double value;
    char sign;           /* what it follows, spaces passed over, if no letter: '+', '/', ... */
    char lead[UNIT_MAX]; /* the word before that sign or the number, in lower case */
    char unit[UNIT_MAX]; /* the word after it, in lower case; ' and '' for the marks */
    bool slash;          /* "/" follows the number at once: moves in the time to come */
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* The word that ends before `end`, then what follows it if that is no letter or space. */
static void read_lead(struct ipr_str s, size_t end, struct amount *a)
{
    size_t start;

    while (end > 0 && s.p[end - 1] == ' ')
        end--;
    if (end > 0 && !is_letter(s.p[end - 1]))
        a->sign = s.p[--end];
    start = end;
    while (start > 0 && is_letter(s.p[start - 1]) && end - start < UNIT_MAX - 1)
        start--;
    for (size_t i = start; i < end; i++)
        a->lead[i - start] = lower(s.p[i]);
}

/* One or two strokes, as ASCII or typographic marks: minutes or seconds. */
static bool read_strokes(struct spoken *s, struct amount *a)
{
    static const struct {
        const char *mark, *unit;
    } marks[] = {
        { "''", "''" },
        { "\"", "''" },
        { "\xE2\x80\xB3", "''" },
        { "\xE2\x80\x9D", "''" },
        { "\xE2\x80\xB2", "'" },
        { "\xE2\x80\x99", "'" },
        { "'", "'" },
    };

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t n = strlen(marks[i].mark);

        if (s->text.n - s->at >= n && memcmp(s->text.p + s->at, marks[i].mark, n) == 0) {
            memcpy(a->unit, marks[i].unit, strlen(marks[i].unit) + 1);
            s->at += n;
            return true;
        }
    }
    return false;
}

static void read_unit(struct spoken *s, struct amount *a)
{
    size_t n = 0;

    a->slash = s->at < s->text.n && s->text.p[s->at] == '/';
    while (s->at < s->text.n && (s->text.p[s->at] == ' ' || s->text.p[s->at] == '-'))
        s->at++;
    if (read_strokes(s, a))
        return;
    const size_t start = s->at;
    for (; s->at < s->text.n && is_letter(s->text.p[s->at]); s->at++)
        if (n < UNIT_MAX - 1)
            a->unit[n++] = lower(s->text.p[s->at]);
    if (s->at < s->text.n && is_digit(s->text.p[s->at])) { /* "d5" is about what follows */
        s->at = start;
        a->unit[0] = '\0';
    }
}

static bool next_amount(struct spoken *s, struct amount *a)
{
    *a = (struct amount){ 0 };
    while (s->at < s->text.n && !is_digit(s->text.p[s->at]))
        s->at++;
    const size_t start = s->at;
    while (s->at < s->text.n && (is_digit(s->text.p[s->at]) || s->text.p[s->at] == '.'))
        s->at++;
    if (!read_number((struct ipr_str){ s->text.p + start, s->at - start }, &a->value))
        return false;
    read_lead(s->text, start, a);
    read_unit(s, a);
    return true;
}

static bool one_of(const char *word, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

static const char *const hours[] = { "h", "hr", "hrs", "hour", "hours", "std", "stunden", NULL };
static const char *const minutes[] = { "'",       "m",       "mn",     "min",     "mins", "minute",
                                       "minutes", "minuten", "minuti", "minutos", NULL };
static const char *const seconds[] = { "''",      "s",   "sec",      "secs", "second",
                                       "seconds", "sek", "sekunden", NULL };
static const char *const days[] = { "d", "day", "days", "tag", "tage", "jours", "dias", NULL };
static const char *const moves[] = { "move", "moves", "mv", "mvs", "coups", "jugadas", NULL };
static const char *const whole_game[] = { "g", "sd", "game", "in", NULL };
static const char *const per_move[] = { "d", "delay", "inc", "increment", NULL };

/* A number without a unit means what stands before it: G/90, +30, d5, /40, "from move 1". */
static bool take_bare(struct spoken *s, const struct amount *a)
{
    if (one_of(a->lead, whole_game) && (a->sign == '/' || a->sign == '\0'))
        s->base += a->value * MINUTE;
    else if ((s->base > 0 && a->sign == '+') || one_of(a->lead, per_move))
        s->increment = fmax(s->increment, a->value);
    else
        return a->sign == '/' || a->slash || one_of(a->lead, moves);
    return true;
}

/* Seconds beside minutes or hours are for each move. */
static bool take(struct spoken *s, const struct amount *a)
{
    if (one_of(a->unit, hours))
        s->base += a->value * HOUR;
    else if (one_of(a->unit, minutes))
        s->base += a->value * MINUTE;
    else if (one_of(a->unit, seconds) && s->base > 0)
        s->increment = fmax(s->increment, a->value);
    else if (one_of(a->unit, seconds))
        s->base += a->value;
    else if (one_of(a->unit, days))
        s->correspondence = true;
    else if (!one_of(a->unit, moves))
        return take_bare(s, a);
    return true;
}

/* "10 sec/move": seconds that stand alone, for each move. */
static bool says_per_move(struct ipr_str s)
{
    static const char *const phrases[] = { "/move", "per move", "a move", "/mv", "/zug" };

    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        if (memmem(s.p, s.n, phrases[i], strlen(phrases[i])) != NULL)
            return true;
    return false;
}

static enum ipr_time_class spoken_class(struct ipr_str text)
{
    struct spoken s = { .text = text };
    struct amount a;
    size_t n = 0;

    for (; next_amount(&s, &a); n++)
        if (!take(&s, &a))
            return IPR_TIME_UNKNOWN;
    if (s.at < text.n) /* a number that is none */
        return IPR_TIME_UNKNOWN;
    if (s.correspondence)
        return IPR_TIME_CORRESPONDENCE;
    if (n == 1 && s.base > 0 && says_per_move(text))
        return class_of(s.base * MOVES);
    return class_of(s.base + s.increment * MOVES);
}

enum ipr_time_class ipr_time_control_class(struct ipr_str text)
{
    struct period periods[MAX_PERIODS];
    size_t n;

    text = ipr_str_trim(text);
    if (text.n == 0 || text.p[0] == '*')
        return IPR_TIME_UNKNOWN;
    n = read_periods(text, periods);
    if (n > 0)
        return periods_class(periods, n);
    if (read_minutes_and_increment(text, periods))
        return class_of(time_for_moves(periods, 1, MINUTE));
    return spoken_class(text);
}
