/* intrinsic-fetch, which `intrinsic fetch` starts: a program of its own, so that the service loads
 * nothing that goes out. */
#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "core/config.h"
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

static void fetch_print_help(FILE *to)
{
    fputs("  intrinsic fetch [OPTION]... lichess:NAME|chesscom:NAME\n", to);
    ipr_help_wrap(to, 6,
                  "write the games of a player on lichess.org or chess.com to a PGN file, for "
                  "`rate` or `import`; started again, it goes on where it stopped, or adds what is "
                  "new (docs/fetch.md)");
    for (const struct ipr_option *o = options; o->name != NULL; o++)
        ipr_option_help(o, to);
}

static enum ipr_code fetch_command(int argc, char **argv, struct ipr_err *err)
{
    struct ipr_config config;
    struct ipr_args args;
    enum ipr_code rc = ipr_config_read(argc, argv, options, &config, &args, err);

    if (rc != IPR_OK)
        return rc;
    if (args.n != 1)
        return ipr_err_set(err, IPR_EPARSE, "usage: intrinsic fetch lichess:NAME|chesscom:NAME");
    struct ipr_fetch_request r = { .who = args.words[0],
                                   .span = { 0, INT64_MAX },
                                   .silence_s = 60 };
    rc = fetch_read(&args, &r, err);
    if (rc != IPR_OK)
        return rc;
    if (sodium_init() < 0)
        return ipr_err_set(err, IPR_EIO, "libsodium cannot start");
    ipr_signals_install();
    return ipr_fetch(&r, err);
}

int main(int argc, char **argv)
{
    struct ipr_err err = IPR_ERR_INIT;

    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fetch_print_help(stdout);
        return 0;
    }
    json_set_alloc_funcs(ipr_xmalloc, free);
    if (fetch_command(argc, argv, &err) != IPR_OK) {
        fprintf(stderr, "intrinsic fetch: %s\n", err.msg);
        return err.code == IPR_EPARSE ? 2 : 1;
    }
    return 0;
}
