/* Ratings of games in files, without a database. */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "command/command.h"
#include "core/signals.h"
#include "engine/process.h"
#include "ingest/report.h"
#include "rate/judging.h"
#include "rate/print.h"

static const char *const flags[] = {
    "by=", "player=", "format=", "save=", "cores=", "quiet", NULL
};

struct work {
    const struct ipr_config *config;
    struct ipr_rate_choice choice;
    enum ipr_rate_format format;
    const char *save;
    unsigned cores;
    bool quiet;
    struct ipr_spelling *spelling; /* may be NULL */
    struct ipr_rate_games games;
};

/* ---- the command line ---- */

static enum ipr_code rate_read_word(const char *flag, const char *const *words, int *out,
                                    struct ipr_err *err)
{
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], optarg) == 0) {
            *out = i;
            return IPR_OK;
        }
    return ipr_err_set(err, IPR_EPARSE, "--%s: '%s' is none of %s, %s, %s, %s", flag, optarg,
                       words[0], words[1], words[2], words[3]);
}

static enum ipr_code rate_read_option(struct work *w, int option, struct ipr_err *err)
{
    int64_t cores;
    int word = 0;

    switch (option) {
    case 'b':
        if (rate_read_word("by", ipr_rate_by_names, &word, err) != IPR_OK)
            return IPR_EPARSE;
        w->choice.by = (enum ipr_rate_by)word;
        return IPR_OK;
    case 'f':
        if (rate_read_word("format", ipr_rate_format_names, &word, err) != IPR_OK)
            return IPR_EPARSE;
        w->format = (enum ipr_rate_format)word;
        return IPR_OK;
    case 'p':
        w->choice.player = optarg;
        return optarg[0] != '\0' ? IPR_OK : ipr_err_set(err, IPR_EPARSE, "--player: a name");
    case 's':
        w->save = optarg;
        return IPR_OK;
    case 'q':
        w->quiet = true;
        return IPR_OK;
    case 'c':
        if (!ipr_str_int(ipr_str_c(optarg), 1, 1024, &cores))
            return ipr_err_set(err, IPR_EPARSE, "--cores: '%s' is not 1 to 1024", optarg);
        w->cores = (unsigned)cores;
        return IPR_OK;
    default:
        return ipr_err_set(err, IPR_EPARSE, "a flag is unknown, or lacks its value");
    }
}

/* The files are args[*first .. n] then. */
static enum ipr_code rate_read_options(struct work *w, int n, char **args, int *first,
                                       struct ipr_err *err)
{
    static const struct option options[] = {
        { "by", required_argument, NULL, 'b' },
        { "format", required_argument, NULL, 'f' },
        { "player", required_argument, NULL, 'p' },
        { "save", required_argument, NULL, 's' },
        { "quiet", no_argument, NULL, 'q' },
        { "cores", required_argument, NULL, 'c' },
        { NULL, 0, NULL, 0 },
    };
    enum ipr_code rc = IPR_OK;
    int option;

    opterr = 0;
    while (rc == IPR_OK && (option = getopt_long(n + 1, args - 1, "", options, NULL)) != -1)
        rc = rate_read_option(w, option, err);
    *first = optind - 1;
    if (rc == IPR_OK && *first >= n)
        rc = ipr_err_set(err, IPR_EPARSE, "usage: intrinsic rate FILE...");
    return rc;
}

/* ---- reading ---- */

static bool rate_wanted(const void *choice, const struct ipr_db_new_game *row)
{
    return ipr_rate_is_chosen(choice, &row->white) || ipr_rate_is_chosen(choice, &row->black);
}

static void take_game(void *payload, const char *file, uint64_t number,
                      const struct ipr_interchange_game *game)
{
    ipr_rate_games_add(payload, file, number, game);
}

/* Rejected games and unreadable files are reported, and are the verdict in the end. */
static enum ipr_code rate_read_files(struct work *w, int n, char **files, struct ipr_err *verdict,
                                     struct ipr_err *err)
{
    struct ipr_report *r = ipr_report_new(stderr, IPR_REPORT_TEXT);
    enum ipr_code rc = IPR_OK;

    w->games = (struct ipr_rate_games){ .spelling = w->spelling,
                                        .wanted = w->choice.player != NULL ? rate_wanted : NULL,
                                        .arg = &w->choice };
    ipr_report_on_game(r, take_game, &w->games);
    for (int i = 0; rc == IPR_OK && i < n; i++)
        rc = ipr_report_path(r, files[i], err);
    if (rc == IPR_OK && ipr_report_verdict(r, verdict) != IPR_OK)
        verdict->code = IPR_EDATA;
    ipr_report_free(&r);
    return rc;
}

/* ---- the command ---- */

static enum ipr_code judge_all(struct work *w, struct ipr_err *err)
{
    struct ipr_rate_judging j = {
        .games = &w->games, .config = w->config, .engines = w->cores, .quiet = w->quiet
    };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err closing = IPR_ERR_INIT;
    enum ipr_code rc = ipr_engine_find(w->config->stockfish_path, &mem, &j.engine, err);

    if (rc == IPR_OK && w->save != NULL)
        rc = ipr_rate_saved_open(w->save, &w->games, &j.saved, &j.n_saved, err);
    if (rc == IPR_OK)
        rc = ipr_rate_judge(&j, err);
    const enum ipr_code closed = ipr_rate_saved_close(&j.saved, &closing);
    if (rc == IPR_OK && closed != IPR_OK)
        rc = ipr_err_pass(err, &closing);
    ipr_arena_release(&mem);
    return rc;
}

static enum ipr_code print_all(struct work *w, struct ipr_err *err)
{
    json_t *rows = ipr_rate_rows(&w->games, &w->choice);
    enum ipr_code rc = IPR_OK;

    if (json_array_size(rows) == 0)
        rc = ipr_err_set(err, IPR_EDATA,
                         w->choice.player != NULL ? "no player of these games is named like '%s'"
                                                  : "no game to rate",
                         w->choice.player);
    if (rc == IPR_OK && w->games.repeated > 0 && !w->quiet)
        fprintf(stderr, "left out: %zu games that were there already\n", w->games.repeated);
    if (rc == IPR_OK)
        rc = ipr_rate_print(stdout, w->format, w->choice.by, rows, err);
    json_decref(rows);
    return rc;
}

static enum ipr_code rate_run(const struct ipr_config *config, int n, char **args,
                              struct ipr_err *err)
{
    struct work w = { .config = config, .cores = ipr_config_workers(config) };
    struct ipr_err verdict = IPR_ERR_INIT;
    int first = 0;
    enum ipr_code rc = rate_read_options(&w, n, args, &first, err);

    ipr_signals_install();
    if (rc == IPR_OK)
        rc = ipr_command_spelling(config, &w.spelling, err);
    if (rc == IPR_OK)
        rc = rate_read_files(&w, n - first, args + first, &verdict, err);
    if (rc == IPR_OK)
        rc = judge_all(&w, err);
    if (rc == IPR_OK)
        rc = print_all(&w, err);
    if (rc == IPR_OK)
        rc = ipr_err_pass(err, &verdict);
    ipr_rate_games_free(&w.games);
    ipr_spelling_close(&w.spelling);
    return rc;
}

const struct ipr_command ipr_command_rate = {
    .name = "rate",
    .usage = "[--by=player|event|year|game] [--player=NAME] [--format=table|csv|json|ndjson]\n"
             "      [--save=FILE] [--cores=N] [--quiet] FILE...",
    .help =
        "rate the players of games in PGN or analysed games (NDJSON), plain or compressed, by\n"
        "      their moves: no database and no service, only Stockfish. FILE - is standard input.\n"
        "      --save keeps the analysis, in a form that `import` reads; started again, it goes "
        "on\n"
        "      there (docs/rate.md). Exit 0: every game was read; 1: some were rejected, a file\n"
        "      could not be read, or the engine failed",
    .flags = flags,
    .run = rate_run,
};
