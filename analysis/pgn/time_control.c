#include "pgn/time_control.h"

#include <math.h>
#include <string.h>

#define GAME_MOVES  60.0
#define MINUTE      60.0
#define HOUR        3600.0
#define DAY         86400.0
#define MAX_AMOUNTS 24
#define MAX_PERIODS 8
#define MAX_NUMBER  1e8

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

/* From text to amounts: numbers with their units and what ties them to the number before. */

enum unit { UNSAID, SECONDS, MINUTES, HOURS, DAYS, MOVES };

enum link {
    NO_LINK,
    BREAK, /* another period begins */
    PLUS,
    SLASH, /* time and moves, in either order */
    FOR,   /* time for moves */
    GAME,  /* the time for all that remains */
    INCREMENT,
};

struct amount {
    double value;
    enum unit unit;
    enum link link;
    bool per_move;
};

/* What numbers and the word "moves" are at this place. */
enum place {
    OPEN,
    ORDINAL, /* after "from": the next number counts moves played and is passed over */
    ASIDE,   /* after "rest", or that number: "moves" adds nothing, a number is not understood */
};

struct reader {
    struct ipr_str rest;
    struct amount amounts[MAX_AMOUNTS];
    size_t n;
    enum link link;
    enum place place;
    bool after_number; /* a unit can follow */
    bool by_arbiter;   /* not in the standard's form, nor in its unit */
};

enum meaning {
    NOISE,
    SPEED, /* noise that also stands before the standard's form */
    TIME_UNIT,
    MOVE_UNIT,
    LINK,
    FROM,
    REST,
};

/* In lower case. A word that is not here makes the whole unknown. */
static const struct word {
    const char *text;
    enum meaning meaning;
    int is; /* the unit or link */
} words[] = {
    { "''", TIME_UNIT, SECONDS },
    { "\"", TIME_UNIT, SECONDS },
    { "\xE2\x80\xB3", TIME_UNIT, SECONDS }, /* double prime */
    { "\xE2\x80\x9D", TIME_UNIT, SECONDS }, /* right double quotation mark */
    { "s", TIME_UNIT, SECONDS },
    { "sec", TIME_UNIT, SECONDS },
    { "secs", TIME_UNIT, SECONDS },
    { "second", TIME_UNIT, SECONDS },
    { "seconds", TIME_UNIT, SECONDS },
    { "sek", TIME_UNIT, SECONDS },
    { "sekunden", TIME_UNIT, SECONDS },
    { "secondes", TIME_UNIT, SECONDS },
    { "secondi", TIME_UNIT, SECONDS },
    { "segundos", TIME_UNIT, SECONDS },
    { "'", TIME_UNIT, MINUTES },
    { "\xE2\x80\xB2", TIME_UNIT, MINUTES }, /* prime */
    { "\xE2\x80\x99", TIME_UNIT, MINUTES }, /* right single quotation mark */
    { "m", TIME_UNIT, MINUTES },
    { "mn", TIME_UNIT, MINUTES },
    { "min", TIME_UNIT, MINUTES },
    { "mins", TIME_UNIT, MINUTES },
    { "minute", TIME_UNIT, MINUTES },
    { "minutes", TIME_UNIT, MINUTES },
    { "minuten", TIME_UNIT, MINUTES },
    { "minuti", TIME_UNIT, MINUTES },
    { "minutos", TIME_UNIT, MINUTES },
    { "h", TIME_UNIT, HOURS },
    { "hr", TIME_UNIT, HOURS },
    { "hrs", TIME_UNIT, HOURS },
    { "hour", TIME_UNIT, HOURS },
    { "hours", TIME_UNIT, HOURS },
    { "std", TIME_UNIT, HOURS },
    { "stunde", TIME_UNIT, HOURS },
    { "stunden", TIME_UNIT, HOURS },
    { "heures", TIME_UNIT, HOURS },
    { "horas", TIME_UNIT, HOURS },
    { "ore", TIME_UNIT, HOURS },
    { "d", TIME_UNIT, DAYS }, /* "d5" is a delay: see read_word */
    { "day", TIME_UNIT, DAYS },
    { "days", TIME_UNIT, DAYS },
    { "tag", TIME_UNIT, DAYS },
    { "tage", TIME_UNIT, DAYS },
    { "jours", TIME_UNIT, DAYS },
    { "dias", TIME_UNIT, DAYS },
    { "move", MOVE_UNIT, MOVES },
    { "moves", MOVE_UNIT, MOVES },
    { "mov", MOVE_UNIT, MOVES },
    { "mv", MOVE_UNIT, MOVES },
    { "mvs", MOVE_UNIT, MOVES },
    { "zug", MOVE_UNIT, MOVES },
    { "z\xC3\xBCge", MOVE_UNIT, MOVES },
    { "coup", MOVE_UNIT, MOVES },
    { "coups", MOVE_UNIT, MOVES },
    { "jugadas", MOVE_UNIT, MOVES },
    { "lances", MOVE_UNIT, MOVES },
    { "mosse", MOVE_UNIT, MOVES },
    { "then", LINK, BREAK },
    { "dann", LINK, BREAK },
    { "danach", LINK, BREAK },
    { "puis", LINK, BREAK },
    { "plus", LINK, PLUS },
    { "in", LINK, SLASH },
    { "for", LINK, FOR },
    { "per", LINK, FOR },
    { "p", LINK, FOR },
    { "pro", LINK, FOR },
    { "par", LINK, FOR },
    { "por", LINK, FOR },
    { "f\xC3\xBCr", LINK, FOR },
    { "g", LINK, GAME },
    { "game", LINK, GAME },
    { "sd", LINK, GAME },
    { "death", LINK, GAME },
    { "delay", LINK, INCREMENT },
    { "inc", LINK, INCREMENT },
    { "incr", LINK, INCREMENT },
    { "increment", LINK, INCREMENT },
    { "from", FROM, 0 },
    { "after", FROM, 0 },
    { "starting", FROM, 0 },
    { "ab", FROM, 0 },
    { "desde", FROM, 0 },
    { "all", REST, 0 },
    { "end", REST, 0 },
    { "remaining", REST, 0 },
    { "rest", REST, 0 },
    { "a", NOISE, 0 },
    { "additional", NOISE, 0 },
    { "and", NOISE, 0 },
    { "at", NOISE, 0 },
    { "by", NOISE, 0 },
    { "each", NOISE, 0 },
    { "finish", NOISE, 0 },
    { "first", NOISE, 0 },
    { "followed", NOISE, 0 },
    { "next", NOISE, 0 },
    { "of", NOISE, 0 },
    { "player", NOISE, 0 },
    { "side", NOISE, 0 },
    { "sudden", NOISE, 0 },
    { "the", NOISE, 0 },
    { "to", NOISE, 0 },
    { "with", NOISE, 0 },
    { "blitz", SPEED, 0 },
    { "bullet", SPEED, 0 },
    { "classical", SPEED, 0 },
    { "control", SPEED, 0 },
    { "rapid", SPEED, 0 },
    { "standard", SPEED, 0 },
    { "time", SPEED, 0 },
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static struct ipr_str pass(struct reader *r, size_t n)
{
    const struct ipr_str head = { r->rest.p, n };

    r->rest.p += n;
    r->rest.n -= n;
    return head;
}

static bool read_number(struct reader *r)
{
    struct amount *const a = &r->amounts[r->n];
    size_t n = 0;

    while (n < r->rest.n && (is_digit(r->rest.p[n]) || r->rest.p[n] == '.'))
        n++;
    if (r->n == MAX_AMOUNTS || r->place == ASIDE)
        return false;
    *a = (struct amount){ .link = r->link };
    if (!ipr_str_double(pass(r, n), 0, MAX_NUMBER, &a->value))
        return false;
    r->link = NO_LINK;
    r->after_number = r->place == OPEN;
    if (r->place == OPEN)
        r->n++;
    else
        r->place = ASIDE;
    return true;
}

/* A link that starts anew ends an aside; the slash of "G/90" and "inc/30" adds nothing. */
static void set_link(struct reader *r, enum link link)
{
    if (link == BREAK || link == PLUS)
        r->place = OPEN;
    if (link != SLASH || (r->link != GAME && r->link != INCREMENT))
        r->link = link;
}

/* The word "moves": of the number before it, or "30 sec/move", or "from move". */
static bool take_moves(struct reader *r)
{
    struct amount *const a = r->n > 0 ? &r->amounts[r->n - 1] : NULL;

    if (r->place != OPEN)
        return true;
    if (a == NULL)
        return false;
    if (r->after_number && a->unit == UNSAID)
        a->unit = MOVES;
    else if (a->unit >= SECONDS && a->unit <= DAYS)
        a->per_move = true;
    else
        return false;
    r->link = NO_LINK;
    return true;
}

/* "30 sec increment": the word is about the number before it. */
static void take_link(struct reader *r, enum link link)
{
    struct amount *const a = r->n > 0 ? &r->amounts[r->n - 1] : NULL;

    if (link == INCREMENT && r->link == NO_LINK && a != NULL && a->unit == SECONDS)
        a->link = INCREMENT;
    else
        set_link(r, link);
}

static bool take_word(struct reader *r, const struct word *w)
{
    struct amount *const a = r->n > 0 ? &r->amounts[r->n - 1] : NULL;

    if (w->meaning == TIME_UNIT && (!r->after_number || a->unit != UNSAID))
        return false;
    if (w->meaning == TIME_UNIT)
        a->unit = (enum unit)w->is;
    else if (w->meaning == MOVE_UNIT && !take_moves(r))
        return false;
    else if (w->meaning == LINK)
        take_link(r, (enum link)w->is);
    else if (w->meaning == FROM)
        r->place = ORDINAL;
    else if (w->meaning == REST)
        r->place = ASIDE;
    if (w->meaning != LINK && r->link == SLASH)
        r->link = NO_LINK; /* "10 min/player" */
    r->after_number = false;
    r->by_arbiter |= w->meaning != SPEED;
    return true;
}

/* Strokes and typographic marks are words of their own: the longest at the start of `s`. */
static size_t mark_length(struct ipr_str s)
{
    static const char *const marks[] = {
        "''", "'", "\"", "\xE2\x80\xB2", "\xE2\x80\xB3", "\xE2\x80\x99", "\xE2\x80\x9D"
    };

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (s.n >= strlen(marks[i]) && memcmp(s.p, marks[i], strlen(marks[i])) == 0)
            return strlen(marks[i]);
    return 0;
}

static bool is_word(struct ipr_str s, const char *word)
{
    size_t i = 0;

    while (i < s.n && word[i] != '\0' && lower(s.p[i]) == word[i])
        i++;
    return i == s.n && word[i] == '\0';
}

static bool read_word(struct reader *r)
{
    static const struct word delay = { "d", LINK, INCREMENT };
    size_t n = mark_length(r->rest);

    if (n == 0)
        while (n < r->rest.n && is_letter(r->rest.p[n]) &&
               mark_length((struct ipr_str){ r->rest.p + n, r->rest.n - n }) == 0)
            n++;
    const struct ipr_str word = pass(r, n);
    if (is_word(word, "d") && r->rest.n > 0 && is_digit(r->rest.p[0]))
        return take_word(r, &delay);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(word, words[i].text))
            return take_word(r, &words[i]);
    return false;
}

static bool read_sign(struct reader *r)
{
    const char c = *pass(r, 1).p;

    if (c == '-') /* "5-min", but neither "90-30" nor "-" */
        return r->rest.n > 0 && is_letter(r->rest.p[0]);
    if (c == '.' || c == '(' || c == ')')
        return true;
    if (c == ':' || c == ',' || c == ';')
        set_link(r, BREAK);
    else if (c == '+' || c == '|' || c == '&')
        set_link(r, PLUS);
    else if (c == '/')
        set_link(r, SLASH);
    else
        return false;
    r->by_arbiter |= c == ',' || c == ';' || c == '|' || c == '&';
    r->after_number = false;
    return true;
}

/* False when something is not understood, or a number is missing at the end. */
static bool read_amounts(struct reader *r)
{
    bool ok = true;

    while (ok && r->rest.n > 0) {
        const char c = r->rest.p[0];

        if (is_space(c))
            pass(r, 1);
        else if (is_digit(c))
            ok = read_number(r);
        else if (is_letter(c) || mark_length(r->rest) > 0)
            ok = read_word(r);
        else
            ok = read_sign(r);
    }
    return ok && r->n > 0 && (r->link == NO_LINK || r->link == FOR || r->link == GAME);
}

/* From amounts to periods */

struct period {
    double moves; /* 0: all that remain, or not said */
    double base;  /* in `unit`; negative: not read yet */
    enum unit unit;
    double increment; /* seconds for each move; negative: not read yet */
};

struct control {
    struct period periods[MAX_PERIODS];
    size_t n;
    bool by_arbiter;
    bool maybe_base; /* "1 min 30 sec": the seconds may belong to the base */
};

static bool is_time(enum unit u)
{
    return u == SECONDS || u == MINUTES || u == HOURS;
}

static bool add_period(struct control *c, double moves, double base, enum unit unit)
{
    if (c->n == MAX_PERIODS)
        return false;
    c->periods[c->n++] = (struct period){ moves, base, unit, -1 };
    return true;
}

/* Moves of the time before them, if that has none, or of the time to come. */
static bool add_moves(struct control *c, const struct amount *a)
{
    struct period *const p = c->n > 0 ? &c->periods[c->n - 1] : NULL;

    if (a->value < 1)
        return false;
    if (a->link == BREAK || a->link == PLUS || p == NULL)
        return add_period(c, a->value, -1, UNSAID);
    if (p->moves > 0 || p->increment >= 0)
        return false;
    p->moves = a->value;
    return true;
}

/* "40/90" and "40/90 min": what looked like a time was moves. More than 50 can be time after
 * all: "90/40". */
static bool turn_into_moves(struct period *p, const struct amount *a)
{
    if (p->moves > 0 || p->base < 1 || p->base > 50)
        return false;
    p->moves = p->base;
    p->base = a->value;
    p->unit = a->unit;
    return true;
}

static bool set_increment(struct control *c, const struct amount *a)
{
    struct period *const p = &c->periods[c->n - 1];

    if (p->increment >= 0 || a->unit == HOURS)
        return false;
    p->increment = a->value * (a->unit == MINUTES ? MINUTE : 1);
    c->maybe_base |= a->link == NO_LINK && a->unit == SECONDS && !a->per_move;
    return true;
}

static bool is_increment(const struct amount *a, const struct period *p)
{
    if (a->link == INCREMENT || a->per_move || (a->unit == SECONDS && p->unit != SECONDS))
        return true;
    return a->unit == UNSAID && a->link == PLUS;
}

/* An amount that is no number of moves and not the first. */
static bool add_time(struct control *c, const struct amount *a, size_t amounts)
{
    const struct amount *const before = a - 1;
    struct period *const p = &c->periods[c->n - 1];

    if (p->base < 0) { /* "40 moves in 90 minutes" */
        p->base = a->value;
        p->unit = a->unit;
        return true;
    }
    if (is_increment(a, p))
        return set_increment(c, a);
    if (a->link == SLASH)
        return before->unit == UNSAID && before->link != GAME && turn_into_moves(p, a);
    if (a->link == NO_LINK && before->unit == HOURS && (a->unit == MINUTES || a->unit == UNSAID)) {
        p->base += a->value * MINUTE / HOUR; /* "1h30" */
        return true;
    }
    if (a->link == NO_LINK && before->unit == UNSAID && a->unit == UNSAID && amounts == 2) {
        c->by_arbiter = true; /* "15 10" */
        return set_increment(c, a);
    }
    return (a->link == BREAK || a->link == PLUS || a->link == GAME) &&
           add_period(c, 0, a->value, a->unit);
}

static bool is_moves(const struct amount *a, bool first)
{
    if (a->unit == MOVES || first)
        return a->unit == MOVES;
    return a->unit == UNSAID && (a->link == FOR || (a->link == SLASH && is_time(a[-1].unit)));
}

static bool read_control(const struct reader *r, struct control *c)
{
    const enum link first = r->amounts[0].link;
    bool ok = first == NO_LINK || first == BREAK || first == GAME;

    *c = (struct control){ .by_arbiter = r->by_arbiter };
    for (size_t i = 0; i < r->n && ok; i++) {
        const struct amount *const a = &r->amounts[i];

        if (is_moves(a, i == 0))
            ok = add_moves(c, a);
        else if (i == 0)
            ok = add_period(c, a->per_move ? 1 : 0, a->value, a->unit);
        else
            ok = add_time(c, a, r->n);
    }
    return ok;
}

/* In the standard's form each field has its increment, and a field for all remaining moves is the
 * last; otherwise one increment is for all moves. */
static bool settle(struct control *c)
{
    double increment = 0;

    for (size_t i = 0; i < c->n; i++) {
        struct period *const p = &c->periods[i];

        if (p->base < 0 || (!c->by_arbiter && i + 1 < c->n && p->moves <= 0))
            return false;
        p->increment = fmax(p->increment, 0);
        increment = fmax(increment, p->increment);
    }
    for (size_t i = 0; i < c->n && c->by_arbiter; i++)
        c->periods[i].increment = increment;
    return true;
}

/* From periods to seconds: readings of bases without a unit that chess over the board or a server
 * can mean. */

#define HOURS_MAX       2.5   /* "40/2.5" */
#define MINUTES_MAX     150.0 /* where the standard has seconds */
#define ARBITER_MAX     300.0 /* minutes where an arbiter wrote */
#define LEAST_FOR_MOVE  5.0   /* seconds, in a game of several periods */
#define LEAST_MOVES     10.0  /* fewer in a period: the standard's form, as "1/86400" */
#define LEAST_SECONDS   10.0  /* shortest game of the servers */
#define LEAST_INCREMENT 3.0   /* that arbiters give beside an hour or more */

static bool is_whole(const struct period *p)
{
    return p->base == floor(p->base) && p->increment == floor(p->increment);
}

/* An increment is rarely above a fifth of the base when both are in seconds; below a minute,
 * where servers offer up to 3 seconds, a tenth. */
static bool fits_seconds(const struct control *c, const struct period *p)
{
    if (c->by_arbiter)
        return p->base > ARBITER_MAX;
    if (p->base > MINUTES_MAX || p->base <= 0 || !is_whole(p))
        return true;
    if (p->moves > 0 && p->moves < LEAST_MOVES)
        return true;
    if (c->n > 1 && p->base < p->moves * LEAST_FOR_MOVE)
        return false;
    return p->base >= LEAST_SECONDS && p->increment * (p->base < 60 ? 10 : 5) <= p->base;
}

/* "60", "60+1", "120+1", "120+2": nearly always a server's. */
static bool looks_served(const struct control *c, const struct period *p)
{
    return c->n == 1 && fmod(p->base, 60) == 0 && p->base > 0 && p->increment < LEAST_INCREMENT;
}

static bool fits_minutes(const struct control *c, const struct period *p)
{
    if (p->base > (c->by_arbiter ? ARBITER_MAX : MINUTES_MAX) || p->increment > 60)
        return false;
    if (p->moves > 0 && (p->moves < LEAST_MOVES || p->base * MINUTE < p->moves * LEAST_FOR_MOVE))
        return false;
    return c->by_arbiter || (is_whole(p) && (p->moves > 0 || !looks_served(c, p)));
}

/* "40/2, SD/1" */
static bool fits_hours(const struct control *c, const struct period *p)
{
    return p->base > 0 && p->base <= HOURS_MAX &&
           (p->moves >= LEAST_MOVES || (p->moves <= 0 && p > c->periods));
}

/* Least and most seconds of a base, as the standard counts or as arbiters do. */
static bool read_base(const struct control *c, const struct period *p, bool standard, double out[2])
{
    static const double seconds[] = { [SECONDS] = 1, [MINUTES] = MINUTE, [HOURS] = HOUR };

    if (p->unit != UNSAID) {
        out[0] = out[1] = p->base * seconds[p->unit];
        return true;
    }
    if (standard) {
        out[0] = out[1] = p->base;
        return fits_seconds(c, p);
    }
    out[0] = p->base * (fits_minutes(c, p) ? MINUTE : HOUR);
    out[1] = p->base * (fits_hours(c, p) ? HOUR : MINUTE);
    return fits_minutes(c, p) || fits_hours(c, p);
}

/* Widens [low, high] by the seconds for 60 moves in one reading, if that fits each period. The
 * last period repeats; moves that an earlier one does not say are left to the others. */
static void add_reading(const struct control *c, bool standard, double *low, double *high)
{
    double left = GAME_MOVES, total[2] = { 0, 0 }, base[2];

    for (size_t i = 0; i < c->n; i++) {
        const struct period *const p = &c->periods[i];
        const bool last = i + 1 == c->n;
        const double times = last && p->moves > 0 ? ceil(left / p->moves) : 1;
        const double played = last ? left : fmin(left, p->moves);

        if (!read_base(c, p, standard, base))
            return;
        if (left <= 0)
            continue;
        total[0] += times * base[0] + (c->maybe_base ? 0 : played * p->increment);
        total[1] += times * base[1] + played * p->increment;
        left -= played;
    }
    *low = fmin(*low, total[0]);
    *high = fmax(*high, total[1]);
}

/* "3 days/move", "10 days per 10 moves" */
static bool in_days(const struct reader *r)
{
    return r->amounts[0].unit == DAYS && r->amounts[0].link == NO_LINK &&
           (r->n == 1 || (r->n == 2 && is_moves(&r->amounts[1], false)));
}

static bool has_days(const struct reader *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->amounts[i].unit == DAYS)
            return true;
    return false;
}

enum ipr_time_class ipr_time_control_class(struct ipr_str text)
{
    struct reader r = { .rest = ipr_str_trim(text) };
    struct control c;
    double low = INFINITY, high = 0;

    if (!read_amounts(&r))
        return IPR_TIME_UNKNOWN;
    if (in_days(&r))
        return IPR_TIME_CORRESPONDENCE;
    if (has_days(&r) || !read_control(&r, &c) || !settle(&c))
        return IPR_TIME_UNKNOWN;
    add_reading(&c, true, &low, &high);
    add_reading(&c, false, &low, &high);
    return class_of(low) == class_of(high) ? class_of(high) : IPR_TIME_UNKNOWN;
}
