/* Figures as people read them. */
#include "view/page/page.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "pgn/time_class.h"
#include "view/json.h"

json_t *ipr_page_format(const char *fmt, ...)
{
    char text[512];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    json_t *out = json_string(text);
    for (size_t n = strlen(text); !out && n > 0; out = json_string(text))
        text[--n] = '\0'; /* a name was cut within a letter */
    return out;
}

void ipr_page_group(double n, char out[IPR_PAGE_GROUPED])
{
    char digits[32];
    size_t k = 0;

    snprintf(digits, sizeof digits, "%.0f", fabs(round(n)));
    const size_t len = strlen(digits);
    if (round(n) < 0.0)
        out[k++] = '-';
    for (size_t i = 0; i < len; i++) {
        out[k++] = digits[i];
        if (i + 1 < len && (len - i - 1) % 3 == 0)
            out[k++] = ',';
    }
    out[k] = '\0';
}

json_t *ipr_page_count(double n)
{
    char text[IPR_PAGE_GROUPED];

    if (!isfinite(n) || fabs(n) > 1e18)
        return json_null();
    ipr_page_group(n, text);
    return json_string(text);
}

json_t *ipr_page_plural(double n, const char *one, const char *many)
{
    char text[IPR_PAGE_GROUPED];

    if (!isfinite(n) || fabs(n) > 1e18)
        return json_null();
    ipr_page_group(n, text);
    return ipr_page_format("%s %s", text, fabs(n - 1.0) < 0.5 ? one : many);
}

json_t *ipr_page_whole(double x)
{
    return isfinite(x) ? ipr_page_format("%.0f", round(x)) : json_null();
}

json_t *ipr_page_fixed(double x, int digits)
{
    return isfinite(x) ? ipr_page_format("%.*f", digits, x) : json_null();
}

json_t *ipr_page_signed(double x, int digits)
{
    if (!isfinite(x))
        return json_null();
    const double rounded = round(x * pow(10.0, digits));
    const char *sign = rounded < 0.0 ? "−" : rounded > 0.0 ? "+" : "";

    return ipr_page_format("%s%.*f", sign, digits, fabs(x));
}

/* Of low and high, which are shown `scale` times as large, in a unit. */
static json_t *range(const json_t *interval, int digits, double scale, const char *unit)
{
    const double low = ipr_json_at(interval, "low", NAN), high = ipr_json_at(interval, "high", NAN);

    if (isfinite(low) && isfinite(high))
        return ipr_page_format("%.*f%s to %.*f%s", digits, scale * low, unit, digits, scale * high,
                               unit);
    if (isfinite(low))
        return ipr_page_format("above %.*f%s", digits, scale * low, unit);
    return isfinite(high) ? ipr_page_format("below %.*f%s", digits, scale * high, unit)
                          : json_null();
}

json_t *ipr_page_share(double x)
{
    return isfinite(x) ? ipr_page_format("%.1f%%", 100.0 * x) : json_null();
}

void ipr_page_head(json_t *page, const char *title, const char *json_href)
{
    json_object_set_new(page, "title", ipr_page_format("%s", title));
    json_object_set_new(page, "json", json_href ? json_string(json_href) : json_null());
}

/** How a search ends: "depth 10", "100,000 nodes", "at most 240 s". */
static json_t *limit_text(const json_t *judge)
{
    const double nodes = ipr_json_at(judge, "limit.nodes", 0.0);
    const double ms = ipr_json_at(judge, "limit.adaptive_ms", 0.0);

    if (nodes > 0.0)
        return ipr_page_plural(nodes, "node", "nodes");
    if (ms > 0.0)
        return ipr_page_format("at most %.0f s", ms / 1000.0);
    return ipr_page_format("depth %.0f", ipr_json_at(judge, "limit.depth", 0.0));
}

json_t *ipr_page_judge(const json_t *judge)
{
    if (!json_is_object(judge))
        return json_null();
    json_t *limit = limit_text(judge);
    json_t *lines = ipr_page_plural(ipr_json_at(judge, "multipv", 0.0), "line", "lines");
    json_t *out = ipr_page_format("%s: %s, %s, %s, from move %.0f", ipr_json_text_at(judge, "name"),
                                  ipr_json_text_at(judge, "engine"), json_string_value(limit),
                                  json_string_value(lines), ipr_json_at(judge, "first_move", 0.0));
    json_decref(limit);
    json_decref(lines);
    return out;
}

json_t *ipr_page_interval(const json_t *interval)
{
    return range(interval, 0, 1.0, "");
}

json_t *ipr_page_when(const char *time)
{
    return strlen(time) >= 16 ? ipr_page_format("%.10s %.5s", time, time + 11)
                              : ipr_json_text(time);
}

json_t *ipr_page_span(const json_t *o)
{
    const bool years = json_object_get(o, "first_year") != NULL;
    const double first = ipr_json_at(o, years ? "first_year" : "low", 0.0);
    const double last = ipr_json_at(o, years ? "last_year" : "high", 0.0);

    if (first == 0.0)
        return json_null();
    return first == last ? ipr_page_format("%.0f", first)
                         : ipr_page_format("%.0f–%.0f", first, last);
}

/** Names with commas between them, and something else before the last. */
static json_t *listed(const json_t *names, const char *comma, const char *last)
{
    const size_t n = json_array_size(names);
    struct ipr_buf text = IPR_BUF_INIT;

    for (size_t i = 0; i < n; i++)
        ipr_buf_printf(&text, "%s%s",
                       i == 0       ? ""
                       : i + 1 == n ? last
                                    : comma,
                       json_string_value(json_array_get(names, i)));
    json_t *out = json_string(ipr_buf_c(&text));
    ipr_buf_release(&text);
    return out;
}

json_t *ipr_page_times(const json_t *classes)
{
    return json_array_size(classes) > 0 ? listed(classes, ", ", " and ") : json_null();
}

json_t *ipr_page_times_query(const json_t *classes, const char *mark)
{
    json_t *usual = json_pack("[s, s]", ipr_time_class_name(IPR_TIME_CLASSICAL),
                              ipr_time_class_name(IPR_TIME_UNKNOWN));
    json_t *names = listed(classes, ",", ",");
    json_t *out = json_array_size(classes) == 0 || json_equal(classes, usual)
                      ? json_string("")
                      : ipr_page_format("%stime_class=%s", mark, json_string_value(names));

    json_decref(usual);
    json_decref(names);
    return out;
}

json_t *ipr_page_not_rated(const json_t *counts)
{
    struct ipr_buf text = IPR_BUF_INIT;
    const char *class;
    const json_t *n;
    bool any = false;

    json_object_foreach((json_t *)(uintptr_t)counts, class, n) {
        ipr_buf_printf(&text, "%s%" JSON_INTEGER_FORMAT " %s", any ? ", " : "",
                       json_integer_value(n), class);
        any = true;
    }
    json_t *out = any ? json_string(ipr_buf_c(&text)) : json_null();
    ipr_buf_release(&text);
    return out;
}

json_t *ipr_page_interval_share(const json_t *interval)
{
    return range(interval, 1, 100.0, "%");
}

json_t *ipr_page_interval_fixed(const json_t *interval, int digits)
{
    return range(interval, digits, 1.0, "");
}

json_t *ipr_page_remark(const json_t *rating)
{
    static const struct {
        const char *member, *text;
    } all[] = {
        { "extrapolated", "outside the calibrated range" },
        { "calibration_mismatch", "another judge's calibration" },
        { "at_bound", "depends on where the prior ends" },
    };
    struct ipr_buf text = IPR_BUF_INIT;

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (ipr_json_true_at(rating, all[i].member))
            ipr_buf_printf(&text, "%s%s", text.n > 0 ? "; " : "", all[i].text);
    json_t *out = text.n > 0 ? json_string(ipr_buf_c(&text)) : json_null();
    ipr_buf_release(&text);
    return out;
}

json_t *ipr_page_rests_on(const json_t *o)
{
    const double turns = ipr_json_at(o, "turns", 0.0), games = ipr_json_at(o, "games", NAN);

    if (!isfinite(games))
        return json_null();
    json_t *g = ipr_page_plural(games, "game", "games");
    if (turns <= 0.0)
        return g;
    json_t *t = ipr_page_plural(turns, "move", "moves");
    json_t *out = ipr_page_format("%s, %s", json_string_value(t), json_string_value(g));
    json_decref(t);
    json_decref(g);
    return out;
}

json_t *ipr_page_year_href(json_int_t player, json_int_t year)
{
    return ipr_page_format("/players/%" JSON_INTEGER_FORMAT "/%" JSON_INTEGER_FORMAT, player, year);
}
