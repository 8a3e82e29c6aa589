/* https://api.chess.com/pub: a list of the months in which a player has games, and the PGN of each.
 * Months are requested oldest first, so that all before the last game are whole. Requests one after
 * the other have no limit; 429 is for others. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "fetch/site.h"

#define DAY_S 86400

struct month {
    int year, month;
};

static int month_number(struct month m)
{
    return m.year * 12 + m.month - 1;
}

static int compare_months(const void *a, const void *b)
{
    return month_number(*(const struct month *)a) - month_number(*(const struct month *)b);
}

static struct month month_of(int64_t ms)
{
    const time_t s = (time_t)(ms / 1000);
    struct tm tm;

    (void)gmtime_r(&s, &tm);
    return (struct month){ tm.tm_year + 1900, tm.tm_mon + 1 };
}

/* ".../games/2024/03": only the month is taken of it; the address is ours. */
static bool month_read(const char *address, struct month *out)
{
    const size_t n = address != NULL ? strlen(address) : 0;
    int64_t year, month;

    if (n < 8 || address[n - 3] != '/' || address[n - 8] != '/' ||
        !ipr_str_int((struct ipr_str){ address + n - 7, 4 }, 1990, 9999, &year) ||
        !ipr_str_int((struct ipr_str){ address + n - 2, 2 }, 1, 12, &month))
        return false;
    *out = (struct month){ (int)year, (int)month };
    return true;
}

static void archives_address(const struct ipr_fetch *f, const void *arg, struct ipr_buf *out)
{
    (void)arg;
    ipr_buf_printf(out, "%s/pub/player/%s/games/archives", f->url, f->name);
}

static void month_address(const struct ipr_fetch *f, const void *arg, struct ipr_buf *out)
{
    const struct month *m = arg;

    ipr_buf_printf(out, "%s/pub/player/%s/games/%04d/%02d/pgn", f->url, f->name, m->year, m->month);
}

/* A game of a month ended in it; when it began is earlier, or the same. */
static enum ipr_code months_fetch(struct ipr_fetch *f, struct month *months, size_t n,
                                  struct ipr_err *err)
{
    const int64_t latest = ipr_fetch_file_latest_ms(f->file), since = f->request->span.from_ms;
    const int first = month_number(month_of(latest > since ? latest : since));
    const int last = month_number(month_of((time(NULL) + DAY_S) * 1000));
    struct ipr_fetch_question q = { .type = IPR_FETCH_PGN, .address = month_address };
    enum ipr_code rc = IPR_OK;

    qsort(months, n, sizeof *months, compare_months);
    f->parts = (double)n;
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        f->done = (double)i;
        q.arg = &months[i];
        if (month_number(months[i]) >= first && month_number(months[i]) <= last &&
            (i == 0 || compare_months(&months[i - 1], &months[i]) != 0))
            rc = ipr_fetch_ask(f, &q, err);
    }
    return rc;
}

static enum ipr_code archives_read(struct ipr_fetch *f, const struct ipr_buf *text,
                                   struct ipr_err *err)
{
    json_t *const all = json_loadb(text->p, text->n, 0, NULL);
    const json_t *const list = json_object_get(all, "archives");
    const size_t n = json_array_size(list);
    struct month *months = ipr_xcalloc(n + 1, sizeof *months);
    enum ipr_code rc = IPR_OK;

    if (!json_is_array(list))
        rc =
            ipr_err_set(err, IPR_EDATA, "%s: the list of months is not understood", f->site->title);
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        if (!month_read(json_string_value(json_array_get(list, i)), &months[i]))
            rc = ipr_err_set(err, IPR_EDATA, "%s: month %zu of its list is not understood",
                             f->site->title, i + 1);
    if (rc == IPR_OK)
        rc = months_fetch(f, months, n, err);
    free(months);
    json_decref(all);
    return rc;
}

static enum ipr_code chesscom_games(struct ipr_fetch *f, struct ipr_err *err)
{
    struct ipr_buf text = IPR_BUF_INIT;
    const struct ipr_fetch_question q = { .type = "application/json",
                                          .address = archives_address,
                                          .text = &text };
    enum ipr_code rc = ipr_fetch_ask(f, &q, err);

    if (rc == IPR_OK)
        rc = archives_read(f, &text, err);
    ipr_buf_release(&text);
    return rc;
}

const struct ipr_fetch_site ipr_fetch_chesscom = {
    .prefix = "chesscom:",
    .title = "chess.com",
    .url = "https://api.chess.com",
    .pause_s = 60,
    .pause_least_s = 1,
    .games = chesscom_games,
};
