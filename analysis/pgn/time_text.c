#include "pgn/time_text.h"

#include <string.h>

#define MAX_NUMBER 1e8

/* The meaning of numbers and of the word "moves" at this place. */
enum place {
    OPEN,
    ORDINAL, /* after "from": the next number counts moves played and is skipped */
    ASIDE,   /* after "rest", or that number: "moves" adds nothing, a number is not understood */
};

struct reader {
    struct ipr_str rest;
    struct ipr_time_text *out;
    enum ipr_time_link link;
    enum place place;
    bool after_number; /* a unit can follow */
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

/* In lower case. Any other word makes the whole unknown. */
static const struct time_word {
    const char *text;
    enum meaning meaning;
    int is; /* the unit or link */
} time_words[] = {
    { "''", TIME_UNIT, IPR_UNIT_SECONDS },
    { "\"", TIME_UNIT, IPR_UNIT_SECONDS },
    { "\xE2\x80\xB3", TIME_UNIT, IPR_UNIT_SECONDS }, /* double prime */
    { "\xE2\x80\x9D", TIME_UNIT, IPR_UNIT_SECONDS }, /* right double quotation mark */
    { "s", TIME_UNIT, IPR_UNIT_SECONDS },
    { "sec", TIME_UNIT, IPR_UNIT_SECONDS },
    { "secs", TIME_UNIT, IPR_UNIT_SECONDS },
    { "second", TIME_UNIT, IPR_UNIT_SECONDS },
    { "seconds", TIME_UNIT, IPR_UNIT_SECONDS },
    { "sek", TIME_UNIT, IPR_UNIT_SECONDS },
    { "sekunden", TIME_UNIT, IPR_UNIT_SECONDS },
    { "secondes", TIME_UNIT, IPR_UNIT_SECONDS },
    { "secondi", TIME_UNIT, IPR_UNIT_SECONDS },
    { "segundos", TIME_UNIT, IPR_UNIT_SECONDS },
    { "'", TIME_UNIT, IPR_UNIT_MINUTES },
    { "\xE2\x80\xB2", TIME_UNIT, IPR_UNIT_MINUTES }, /* prime */
    { "\xE2\x80\x99", TIME_UNIT, IPR_UNIT_MINUTES }, /* right single quotation mark */
    { "m", TIME_UNIT, IPR_UNIT_MINUTES },
    { "mn", TIME_UNIT, IPR_UNIT_MINUTES },
    { "min", TIME_UNIT, IPR_UNIT_MINUTES },
    { "mins", TIME_UNIT, IPR_UNIT_MINUTES },
    { "minute", TIME_UNIT, IPR_UNIT_MINUTES },
    { "minutes", TIME_UNIT, IPR_UNIT_MINUTES },
    { "minuten", TIME_UNIT, IPR_UNIT_MINUTES },
    { "minuti", TIME_UNIT, IPR_UNIT_MINUTES },
    { "minutos", TIME_UNIT, IPR_UNIT_MINUTES },
    { "h", TIME_UNIT, IPR_UNIT_HOURS },
    { "hr", TIME_UNIT, IPR_UNIT_HOURS },
    { "hrs", TIME_UNIT, IPR_UNIT_HOURS },
    { "hour", TIME_UNIT, IPR_UNIT_HOURS },
    { "hours", TIME_UNIT, IPR_UNIT_HOURS },
    { "std", TIME_UNIT, IPR_UNIT_HOURS },
    { "stunde", TIME_UNIT, IPR_UNIT_HOURS },
    { "stunden", TIME_UNIT, IPR_UNIT_HOURS },
    { "heures", TIME_UNIT, IPR_UNIT_HOURS },
    { "horas", TIME_UNIT, IPR_UNIT_HOURS },
    { "ore", TIME_UNIT, IPR_UNIT_HOURS },
    { "d", TIME_UNIT, IPR_UNIT_DAYS }, /* "d5" is a delay: see read_word */
    { "day", TIME_UNIT, IPR_UNIT_DAYS },
    { "days", TIME_UNIT, IPR_UNIT_DAYS },
    { "tag", TIME_UNIT, IPR_UNIT_DAYS },
    { "tage", TIME_UNIT, IPR_UNIT_DAYS },
    { "jours", TIME_UNIT, IPR_UNIT_DAYS },
    { "dias", TIME_UNIT, IPR_UNIT_DAYS },
    { "move", MOVE_UNIT, IPR_UNIT_MOVES },
    { "moves", MOVE_UNIT, IPR_UNIT_MOVES },
    { "mov", MOVE_UNIT, IPR_UNIT_MOVES },
    { "mv", MOVE_UNIT, IPR_UNIT_MOVES },
    { "mvs", MOVE_UNIT, IPR_UNIT_MOVES },
    { "zug", MOVE_UNIT, IPR_UNIT_MOVES },
    { "z\xC3\xBCge", MOVE_UNIT, IPR_UNIT_MOVES },
    { "coup", MOVE_UNIT, IPR_UNIT_MOVES },
    { "coups", MOVE_UNIT, IPR_UNIT_MOVES },
    { "jugadas", MOVE_UNIT, IPR_UNIT_MOVES },
    { "lances", MOVE_UNIT, IPR_UNIT_MOVES },
    { "mosse", MOVE_UNIT, IPR_UNIT_MOVES },
    { "then", LINK, IPR_LINK_BREAK },
    { "dann", LINK, IPR_LINK_BREAK },
    { "danach", LINK, IPR_LINK_BREAK },
    { "puis", LINK, IPR_LINK_BREAK },
    { "plus", LINK, IPR_LINK_PLUS },
    { "in", LINK, IPR_LINK_SLASH },
    { "for", LINK, IPR_LINK_FOR },
    { "per", LINK, IPR_LINK_FOR },
    { "p", LINK, IPR_LINK_FOR },
    { "pro", LINK, IPR_LINK_FOR },
    { "par", LINK, IPR_LINK_FOR },
    { "por", LINK, IPR_LINK_FOR },
    { "f\xC3\xBCr", LINK, IPR_LINK_FOR },
    { "g", LINK, IPR_LINK_GAME },
    { "game", LINK, IPR_LINK_GAME },
    { "sd", LINK, IPR_LINK_GAME },
    { "death", LINK, IPR_LINK_GAME },
    { "delay", LINK, IPR_LINK_INCREMENT },
    { "inc", LINK, IPR_LINK_INCREMENT },
    { "incr", LINK, IPR_LINK_INCREMENT },
    { "increment", LINK, IPR_LINK_INCREMENT },
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

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

static struct ipr_str time_pass(struct reader *r, size_t n)
{
    const struct ipr_str head = { r->rest.p, n };

    r->rest.p += n;
    r->rest.n -= n;
    return head;
}

static bool time_read_number(struct reader *r)
{
    struct ipr_time_amount *const a = &r->out->amounts[r->out->n];
    size_t n = 0;

    while (n < r->rest.n && (is_digit(r->rest.p[n]) || r->rest.p[n] == '.'))
        n++;
    if (r->out->n == IPR_TIME_AMOUNTS || r->place == ASIDE)
        return false;
    *a = (struct ipr_time_amount){ .link = r->link };
    if (!ipr_str_double(time_pass(r, n), 0, MAX_NUMBER, &a->value))
        return false;
    r->link = IPR_LINK_NONE;
    r->after_number = r->place == OPEN;
    if (r->place == OPEN)
        r->out->n++;
    else
        r->place = ASIDE;
    return true;
}

/* A link that starts a new part ends an aside; the slash of "G/90" and "inc/30" adds nothing. */
static void set_link(struct reader *r, enum ipr_time_link link)
{
    if (link == IPR_LINK_BREAK || link == IPR_LINK_PLUS)
        r->place = OPEN;
    if (link != IPR_LINK_SLASH || (r->link != IPR_LINK_GAME && r->link != IPR_LINK_INCREMENT))
        r->link = link;
}

/* The word "moves": of the number before it, or "30 sec/move", or "from move". */
static bool take_moves(struct reader *r)
{
    struct ipr_time_amount *const a = r->out->n > 0 ? &r->out->amounts[r->out->n - 1] : NULL;

    if (r->place != OPEN)
        return true;
    if (a == NULL)
        return false;
    if (r->after_number && a->unit == IPR_UNIT_UNSAID)
        a->unit = IPR_UNIT_MOVES;
    else if (a->unit >= IPR_UNIT_SECONDS && a->unit <= IPR_UNIT_DAYS)
        a->per_move = true;
    else
        return false;
    r->link = IPR_LINK_NONE;
    return true;
}

static bool take_word(struct reader *r, const struct time_word *w)
{
    struct ipr_time_amount *const a = r->out->n > 0 ? &r->out->amounts[r->out->n - 1] : NULL;

    if (w->meaning == TIME_UNIT && (!r->after_number || a->unit != IPR_UNIT_UNSAID))
        return false;
    if (w->meaning == TIME_UNIT) {
        a->unit = (enum ipr_time_unit)w->is;
    } else if (w->meaning == MOVE_UNIT && !take_moves(r)) {
        return false;
    } else if (w->meaning == LINK) {
        /* "30 sec increment": the word is about the number before it. */
        if (w->is == IPR_LINK_INCREMENT && r->link == IPR_LINK_NONE && a != NULL &&
            a->unit == IPR_UNIT_SECONDS)
            a->link = IPR_LINK_INCREMENT;
        else
            set_link(r, (enum ipr_time_link)w->is);
    } else if (w->meaning == FROM) {
        r->place = ORDINAL;
    } else if (w->meaning == REST) {
        r->place = ASIDE;
    }
    if (w->meaning != LINK && r->link == IPR_LINK_SLASH)
        r->link = IPR_LINK_NONE; /* "10 min/player" */
    r->after_number = false;
    r->out->by_arbiter |= w->meaning != SPEED;
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

static bool time_read_word(struct reader *r)
{
    static const struct time_word delay = { "d", LINK, IPR_LINK_INCREMENT };
    size_t n = mark_length(r->rest);

    if (n == 0)
        while (n < r->rest.n && is_letter(r->rest.p[n]) &&
               mark_length((struct ipr_str){ r->rest.p + n, r->rest.n - n }) == 0)
            n++;
    const struct ipr_str word = time_pass(r, n);
    if (ipr_str_is_like(word, "d") && r->rest.n > 0 && is_digit(r->rest.p[0]))
        return take_word(r, &delay);
    for (size_t i = 0; i < sizeof time_words / sizeof *time_words; i++)
        if (ipr_str_is_like(word, time_words[i].text))
            return take_word(r, &time_words[i]);
    return false;
}

static bool time_read_sign(struct reader *r)
{
    const char c = *time_pass(r, 1).p;

    if (c == '-') /* "5-min", but neither "90-30" nor "-" */
        return r->rest.n > 0 && is_letter(r->rest.p[0]);
    if (c == '.' || c == '(' || c == ')')
        return true;
    if (c == ':' || c == ',' || c == ';')
        set_link(r, IPR_LINK_BREAK);
    else if (c == '+' || c == '|' || c == '&')
        set_link(r, IPR_LINK_PLUS);
    else if (c == '/')
        set_link(r, IPR_LINK_SLASH);
    else
        return false;
    r->out->by_arbiter |= c == ',' || c == ';' || c == '|' || c == '&';
    r->after_number = false;
    return true;
}

bool ipr_time_text_read(struct ipr_str text, struct ipr_time_text *out)
{
    struct reader r = { .rest = text, .out = out };
    bool ok = true;

    *out = (struct ipr_time_text){ .n = 0 };
    while (ok && r.rest.n > 0) {
        const char c = r.rest.p[0];

        if (c == ' ' || c == '\t')
            time_pass(&r, 1);
        else if (is_digit(c))
            ok = time_read_number(&r);
        else if (is_letter(c) || mark_length(r.rest) > 0)
            ok = time_read_word(&r);
        else
            ok = time_read_sign(&r);
    }
    return ok && out->n > 0 &&
           (r.link == IPR_LINK_NONE || r.link == IPR_LINK_FOR || r.link == IPR_LINK_GAME);
}
