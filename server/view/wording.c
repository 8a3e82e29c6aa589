#include "view/wording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "core/champions.h"
#include "view/json.h"

const char *ipr_wording_count(double n, struct ipr_arena *mem)
{
    char text[IPR_NUMBER_TEXT];

    ipr_number_count(n, text);
    return ipr_arena_strndup(mem, text, strlen(text));
}

const char *ipr_wording_fixed(double x, int digits, struct ipr_arena *mem)
{
    char text[IPR_NUMBER_TEXT];

    ipr_number_fixed(x, digits, text);
    return ipr_arena_strndup(mem, text, strlen(text));
}

const char *ipr_wording_plural(double n, const char *one, const char *many, struct ipr_arena *mem)
{
    return ipr_arena_printf(mem, "%s %s", ipr_wording_count(n, mem), n == 1 ? one : many);
}

const char *ipr_wording_interval(double estimate, double low, double high, struct ipr_arena *mem)
{
    const bool from = rint(low) == rint(estimate), to = rint(high) == rint(estimate);

    if (isfinite(low) && isfinite(high) && from != to)
        return from ? ipr_arena_printf(mem, "up to %.0f", high)
                    : ipr_arena_printf(mem, "down to %.0f", low);
    if (isfinite(low) && isfinite(high))
        return ipr_arena_printf(mem, "%.0f to %.0f", low, high);
    return isfinite(low) ? ipr_arena_printf(mem, "above %.0f", low)
                         : ipr_arena_printf(mem, "below %.0f", high);
}

const char *ipr_wording_month(const char *date, struct ipr_arena *mem)
{
    static const char *const months[] = { "January",   "February", "March",    "April",
                                          "May",       "June",     "July",     "August",
                                          "September", "October",  "November", "December" };
    const int year = date == NULL ? 0 : (int)strtol(date, NULL, 10);
    const int month = year > 0 && strlen(date) > 5 ? (int)strtol(date + 5, NULL, 10) : 0;

    if (year <= 0)
        return NULL;
    return month < 1 || month > 12 ? ipr_arena_printf(mem, "%d", year)
                                   : ipr_arena_printf(mem, "%s %d", months[month - 1], year);
}

bool ipr_wording_same_surname(const char *a, const char *b)
{
    const size_t n = strcspn(a, ",");

    return n == strcspn(b, ",") && strncmp(a, b, n) == 0;
}

const char *ipr_wording_surname(const char *name, bool shared, struct ipr_arena *mem)
{
    return shared ? ipr_name_spoken(name, mem) : ipr_arena_strndup(mem, name, strcspn(name, ","));
}

const char *ipr_wording_rating(const json_t *rating, struct ipr_arena *mem)
{
    const double estimate = ipr_json_at(rating, "estimate", NAN),
                 low = ipr_json_at(rating, "interval.low", NAN),
                 high = ipr_json_at(rating, "interval.high", NAN);

    if (!isfinite(low) && !isfinite(high))
        return NULL;
    return ipr_arena_printf(
        mem, "%.0f (95%% interval %s) from %s of %s", estimate,
        ipr_wording_interval(estimate, low, high, mem),
        ipr_wording_plural(ipr_json_at(rating, "turns", 0), "move", "moves", mem),
        ipr_wording_plural(ipr_json_at(rating, "games", 0), "game", "games", mem));
}
