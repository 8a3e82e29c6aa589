#include "pgn/time_control.h"

#include <math.h>
#include <string.h>

#include "pgn/time_text.h"

#define GAME_MOVES  60.0
#define MINUTE      60.0
#define HOUR        3600.0
#define DAY         86400.0
#define MAX_PERIODS 8

static enum ipr_time_class class_of_seconds(double seconds)
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

/* From amounts to periods */

struct period {
    double moves; /* 0: all remaining, or not given */
    double base;  /* in `unit`; negative: not read yet */
    enum ipr_time_unit unit;
    double increment; /* seconds for each move; negative: not read yet */
};

struct control {
    struct period periods[MAX_PERIODS];
    size_t n;
    bool by_arbiter;
    bool maybe_base; /* "1 min 30 sec": the seconds may belong to the base */
};

static bool add_period(struct control *c, double moves, double base, enum ipr_time_unit unit)
{
    if (c->n == MAX_PERIODS)
        return false;
    c->periods[c->n++] = (struct period){ moves, base, unit, -1 };
    return true;
}

/* Moves of the time before them, if that has none, or of the time to come. */
static bool add_moves(struct control *c, const struct ipr_time_amount *a)
{
    struct period *const p = c->n > 0 ? &c->periods[c->n - 1] : NULL;

    if (a->value < 1)
        return false;
    if (a->link == IPR_LINK_BREAK || a->link == IPR_LINK_PLUS || p == NULL)
        return add_period(c, a->value, -1, IPR_UNIT_UNSAID);
    if (p->moves > 0 || p->increment >= 0)
        return false;
    p->moves = a->value;
    return true;
}

/* "40/90" and "40/90 min": what looked like a time was moves. More than 50 can be time after
 * all: "90/40". */
static bool turn_into_moves(struct period *p, const struct ipr_time_amount *a)
{
    if (p->moves > 0 || p->base < 1 || p->base > 50)
        return false;
    p->moves = p->base;
    p->base = a->value;
    p->unit = a->unit;
    return true;
}

static bool set_increment(struct control *c, const struct ipr_time_amount *a)
{
    struct period *const p = &c->periods[c->n - 1];

    if (p->increment >= 0 || a->unit == IPR_UNIT_HOURS)
        return false;
    p->increment = a->value * (a->unit == IPR_UNIT_MINUTES ? MINUTE : 1);
    c->maybe_base |= a->link == IPR_LINK_NONE && a->unit == IPR_UNIT_SECONDS && !a->per_move;
    return true;
}

static bool is_increment(const struct ipr_time_amount *a, const struct period *p)
{
    if (a->link == IPR_LINK_INCREMENT || a->per_move ||
        (a->unit == IPR_UNIT_SECONDS && p->unit != IPR_UNIT_SECONDS))
        return true;
    return a->unit == IPR_UNIT_UNSAID && a->link == IPR_LINK_PLUS;
}

/* An amount that is not a number of moves and not the first. */
static bool add_time(struct control *c, const struct ipr_time_amount *a, size_t amounts)
{
    const struct ipr_time_amount *const before = a - 1;
    struct period *const p = &c->periods[c->n - 1];

    if (p->base < 0) { /* "40 moves in 90 minutes" */
        p->base = a->value;
        p->unit = a->unit;
        return true;
    }
    if (is_increment(a, p))
        return set_increment(c, a);
    if (a->link == IPR_LINK_SLASH)
        return before->unit == IPR_UNIT_UNSAID && before->link != IPR_LINK_GAME &&
               turn_into_moves(p, a);
    if (a->link == IPR_LINK_NONE && before->unit == IPR_UNIT_HOURS &&
        (a->unit == IPR_UNIT_MINUTES || a->unit == IPR_UNIT_UNSAID)) {
        p->base += a->value * MINUTE / HOUR; /* "1h30" */
        return true;
    }
    if (a->link == IPR_LINK_NONE && before->unit == IPR_UNIT_UNSAID && a->unit == IPR_UNIT_UNSAID &&
        amounts == 2) {
        c->by_arbiter = true; /* "15 10" */
        return set_increment(c, a);
    }
    return (a->link == IPR_LINK_BREAK || a->link == IPR_LINK_PLUS || a->link == IPR_LINK_GAME) &&
           add_period(c, 0, a->value, a->unit);
}

static bool is_moves(const struct ipr_time_amount *a, bool first)
{
    if (a->unit == IPR_UNIT_MOVES || first)
        return a->unit == IPR_UNIT_MOVES;
    return a->unit == IPR_UNIT_UNSAID &&
           (a->link == IPR_LINK_FOR ||
            (a->link == IPR_LINK_SLASH &&
             (a[-1].unit == IPR_UNIT_SECONDS || a[-1].unit == IPR_UNIT_MINUTES ||
              a[-1].unit == IPR_UNIT_HOURS)));
}

static bool read_control(const struct ipr_time_text *r, struct control *c)
{
    const enum ipr_time_link first = r->amounts[0].link;
    bool ok = first == IPR_LINK_NONE || first == IPR_LINK_BREAK || first == IPR_LINK_GAME;

    *c = (struct control){ .by_arbiter = r->by_arbiter };
    for (size_t i = 0; i < r->n && ok; i++) {
        const struct ipr_time_amount *const a = &r->amounts[i];

        if (is_moves(a, i == 0))
            ok = add_moves(c, a);
        else if (i == 0)
            ok = add_period(c, a->per_move ? 1 : 0, a->value, a->unit);
        else
            ok = add_time(c, a, r->n);
    }
    return ok;
}

/* Completes the periods. In the standard's form each field has its increment, and a field for all
 * remaining moves is the last; otherwise one increment is for all moves. */
static bool control_settle(struct control *c)
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
    static const double seconds[] = {
        [IPR_UNIT_SECONDS] = 1, [IPR_UNIT_MINUTES] = MINUTE, [IPR_UNIT_HOURS] = HOUR
    };

    if (p->unit != IPR_UNIT_UNSAID) {
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

/* Widens [low, high] by the seconds for 60 moves in one reading, if that fits each period. The last
 * period repeats; moves not given by an earlier one belong to the others. */
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

static bool has_days(const struct ipr_time_text *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->amounts[i].unit == IPR_UNIT_DAYS)
            return true;
    return false;
}

/* "300+3; 180+2": White's control and Black's, not two periods: an increment goes with each. */
static bool is_odds(struct ipr_str text, struct ipr_str side[2])
{
    const char *const between = memchr(text.p, ';', text.n);

    if (between == NULL)
        return false;
    side[0] = ipr_str_trim((struct ipr_str){ text.p, (size_t)(between - text.p) });
    side[1] =
        ipr_str_trim((struct ipr_str){ between + 1, text.n - (size_t)(between + 1 - text.p) });
    for (size_t i = 0; i < 2; i++) {
        const char *const plus = memchr(side[i].p, '+', side[i].n);

        if (plus == NULL || plus == side[i].p || memchr(side[i].p, ';', side[i].n) != NULL)
            return false;
    }
    return true;
}

enum ipr_time_class ipr_time_control_class(struct ipr_str text)
{
    double low = INFINITY, high = 0;
    struct ipr_str side[2];
    struct ipr_time_text r;
    struct control c;

    if (is_odds(text, side)) {
        const enum ipr_time_class white = ipr_time_control_class(side[0]);

        return white == ipr_time_control_class(side[1]) ? white : IPR_TIME_UNKNOWN;
    }
    if (!ipr_time_text_read(ipr_str_trim(text), &r))
        return IPR_TIME_UNKNOWN;
    /* "3 days/move", "10 days per 10 moves", "1 in 5 days" */
    if (r.n == 2 && r.amounts[1].unit == IPR_UNIT_DAYS && r.amounts[1].link == IPR_LINK_SLASH &&
        r.amounts[0].unit == IPR_UNIT_UNSAID)
        return IPR_TIME_CORRESPONDENCE;
    if (r.amounts[0].unit == IPR_UNIT_DAYS && r.amounts[0].link == IPR_LINK_NONE &&
        (r.n == 1 || (r.n == 2 && is_moves(&r.amounts[1], false))))
        return IPR_TIME_CORRESPONDENCE;
    if (has_days(&r) || !read_control(&r, &c) || !control_settle(&c))
        return IPR_TIME_UNKNOWN;
    add_reading(&c, true, &low, &high);
    add_reading(&c, false, &low, &high);
    return class_of_seconds(low) == class_of_seconds(high) ? class_of_seconds(high)
                                                           : IPR_TIME_UNKNOWN;
}
