/* Games of a player from lichess or chess.com. */
#include <string.h>
#include <time.h>

#include "command/command.h"
#include "core/signals.h"
#include "fetch/fetch.h"

#define DAY_MS (INT64_C(24) * 3600 * 1000)

/* A day as YYYY-MM-DD: its beginning in UTC. */
static enum ipr_code fetch_read_day(const struct ipr_args *args, const char *flag, int64_t *ms,
                                    struct ipr_err *err)
{
    const char *const text = ipr_args_value(args, flag);
    struct tm tm = { 0 };

    if (text == NULL)
        return IPR_OK;
    const char *const end = strptime(text, "%Y-%m-%d", &tm);
    if (end == NULL || *end != '\0' || strlen(text) != 10 || tm.tm_year < 70)
        return ipr_err_set(err, IPR_EPARSE, "--%s: '%s' is no day as 2024-01-31", flag, text);
    *ms = (int64_t)timegm(&tm) * 1000;
    return IPR_OK;
}

static enum ipr_code fetch_read(const struct ipr_args *args, struct ipr_fetch_request *r,
                                struct ipr_err *err)
{
    int64_t last_day = -1;
    enum ipr_code rc = fetch_read_day(args, "since", &r->span.from_ms, err);

    if (rc == IPR_OK)
        rc = fetch_read_day(args, "until", &last_day, err);
    if (last_day >= 0)
        r->span.to_ms = last_day + DAY_MS - 1;
    if (rc == IPR_OK)
        rc = ipr_args_number(args, "max", 1, 1 << 20, &r->max, err);
    if (rc == IPR_OK)
        rc = ipr_args_number(args, "timeout", 1, 3600, &r->silence_s, err);
    r->output = ipr_args_value(args, "output");
    r->perf = ipr_args_value(args, "perf");
    r->contact = ipr_args_value(args, "contact");
    r->url = ipr_args_value(args, "url");
    r->quiet = ipr_args_has(args, "quiet");
    return rc;
}

static enum ipr_code fetch_command(const struct ipr_config *config, const struct ipr_args *args,
                                   struct ipr_err *err)
{
    struct ipr_fetch_request r = { .who = args->words[0],
                                   .span = { 0, INT64_MAX },
                                   .silence_s = 60 };
    const enum ipr_code rc = fetch_read(args, &r, err);

    (void)config;
    ipr_signals_install();
    return rc == IPR_OK ? ipr_fetch(&r, err) : rc;
}

static const struct ipr_option options[] = {
    { "output", "FILE", "the PGN file (default: NAME.pgn); FILE.part until it is whole" },
    { "since", "DAY", "games begun on this day or later, as 2024-01-31, in UTC" },
    { "until", "DAY", "games begun on this day or earlier" },
    { "perf", "LIST", "of lichess: only these speeds or variants, as blitz,rapid" },
    { "max", "N", "of lichess: the newest so many, fetched again each time" },
    { "contact", "MAIL", "how the site can reach you; chess.com may want it" },
    { "timeout", "N", "give up a connection that is silent for so many seconds (default 60)" },
    { "url", "URL", "another address of the same interface" },
    { "quiet", NULL, "no progress" },
    { 0 },
};

const struct ipr_command ipr_command_fetch = {
    .name = "fetch",
    .words = "lichess:NAME|chesscom:NAME",
    .help = "write the games of a player on lichess.org or chess.com to a PGN file, for `rate` or "
            "`import`; started again, it goes on where it stopped, or adds what is new "
            "(docs/fetch.md)",
    .least = 1,
    .most = 1,
    .options = options,
    .run = fetch_command,
};
