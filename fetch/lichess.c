/* https://lichess.org/api: the games of a user, in one answer, oldest first, so that one which ends
 * early is gone on with. Twenty games a second, one request at a time, a minute's pause after 429.
 */
#include <inttypes.h>

#include "fetch/site.h"

/* A game counts by when it began, and is there when it has ended: what began within a day before
 * the last one is requested again. */
#define OVERLAP_MS (INT64_C(24) * 3600 * 1000)

static void lichess_address(const struct ipr_fetch *f, const void *arg, struct ipr_buf *out)
{
    const struct ipr_fetch_request *r = f->request;
    const int64_t latest = ipr_fetch_file_latest_ms(f->file) - OVERLAP_MS;
    const int64_t since = r->max == 0 && latest > r->span.from_ms ? latest : r->span.from_ms;

    (void)arg;
    ipr_buf_printf(out, "%s/api/games/user/%s?evals=true&clocks=true", f->url, f->name);
    ipr_buf_puts(out, r->max > 0 ? "" : "&sort=dateAsc");
    if (since > 0)
        ipr_buf_printf(out, "&since=%" PRId64, since);
    if (r->span.to_ms < INT64_MAX)
        ipr_buf_printf(out, "&until=%" PRId64, r->span.to_ms);
    if (r->max > 0)
        ipr_buf_printf(out, "&max=%d", r->max);
    if (r->perf != NULL)
        ipr_buf_printf(out, "&perfType=%s", r->perf);
}

static enum ipr_code lichess_games(struct ipr_fetch *f, struct ipr_err *err)
{
    const struct ipr_fetch_question q = { .type = IPR_FETCH_PGN, .address = lichess_address };

    return ipr_fetch_ask(f, &q, err);
}

const struct ipr_fetch_site ipr_fetch_lichess = {
    .prefix = "lichess:",
    .title = "lichess.org",
    .url = "https://lichess.org",
    .pause_s = 60,
    .pause_least_s = 60,
    .chooses = true,
    .games = lichess_games,
};
