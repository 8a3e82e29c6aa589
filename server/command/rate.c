/* Ratings of games in files, without a database. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "command/command.h"
#include "command/rate_page.h"
#include "core/setting.h"
#include "core/signals.h"
#include "db/strength.h"
#include "engine/process.h"
#include "ingest/report.h"
#include "rate/engines.h"
#include "rate/judging.h"
#include "rate/print.h"
#include "rate/report.h"
#include "rate/scale.h"
#include "view/view.h"

#define DEPTH_MAX 30

struct rate_work {
    const struct ipr_config *config;
    struct ipr_rate_choice choice;
    enum ipr_rate_format format;
    const char *save;
    const char *report; /* file of the page; NULL: none */
    struct ipr_rate_page page;
    struct ipr_rate_side *side; /* of the player on it, [n] */
    size_t n, itself;           /* … and games of players with themselves */
    unsigned cores;
    bool quiet;
    struct ipr_spelling *spelling; /* may be NULL */
    struct ipr_rate_games games;
};

/* ---- the command line ---- */

/* A built-in engine setting, and perhaps another depth. */
static enum ipr_code rate_read_judge(struct rate_work *w, const struct ipr_args *args,
                                     struct ipr_err *err)
{
    const char *const name = ipr_args_value(args, "judge");
    struct ipr_judge *const judge = &w->games.judge;
    const struct ipr_judge rating = ipr_setting_rating();
    int depth = 0;

    *judge = rating;
    if (name != NULL && (!ipr_judge_builtin(name, judge) || judge->depth == 0 ||
                         strcmp(judge->program, rating.program) != 0))
        return ipr_err_set(
            err, IPR_EPARSE,
            "--judge: '%s' is none of the engine settings that are built in and have "
            "a depth (docs/judging.md)",
            name);
    const enum ipr_code rc = ipr_args_number(args, "depth", 1, DEPTH_MAX, &depth, err);
    if (depth != 0 && depth != judge->depth) {
        judge->depth = (uint16_t)depth;
        snprintf(judge->name + strlen(judge->name), 8, "-d%d", depth);
    }
    w->games.calibrated = ipr_judge_same_search(judge, &rating);
    return rc;
}

static enum ipr_code rate_read_options(struct rate_work *w, const struct ipr_args *args,
                                       struct ipr_err *err)
{
    int format = 0, cores = (int)w->cores;
    enum ipr_code rc = ipr_rate_choice_read(args, &w->choice, err);

    if (rc == IPR_OK)
        rc = ipr_args_choice(args, "format", &format, err);
    if (rc == IPR_OK)
        rc = ipr_args_number(args, "cores", 1, 1024, &cores, err);
    w->format = (enum ipr_rate_format)format;
    w->report = ipr_args_value(args, "report");
    w->games.keep_texts = w->format == IPR_RATE_PGN || w->report != NULL;
    w->games.evals = IPR_RATE_EVALS_OF_ALL;
    if (ipr_args_has(args, "judge") || ipr_args_has(args, "depth"))
        w->games.evals = IPR_RATE_EVALS_NONE;
    if (rc == IPR_OK && ipr_args_has(args, "evals")) {
        if (w->games.evals == IPR_RATE_EVALS_NONE || ipr_args_has(args, "save"))
            return ipr_err_set(err, IPR_EPARSE,
                               "--evals=only needs no engine: not with --judge, --depth or --save");
        rc = ipr_args_choice(args, "evals", &format, err);
        w->games.evals = IPR_RATE_EVALS_ONLY;
    }
    w->cores = (unsigned)cores;
    w->save = ipr_args_value(args, "save");
    w->quiet = ipr_args_has(args, "quiet");
    w->games.choice = &w->choice;
    if (rc == IPR_OK && w->report != NULL && w->config->human_model[0] != '\0')
        return ipr_err_set(err, IPR_EPARSE,
                           "--report shows what single moves lose: not with --human-model");
    return rc == IPR_OK ? rate_read_judge(w, args, err) : rc;
}

/* ---- reading ---- */

/* Rejected games and unreadable files are reported, and are the verdict in the end. */
static enum ipr_code rate_read_files(struct rate_work *w, int n, char **files,
                                     struct ipr_err *verdict, struct ipr_err *err)
{
    struct ipr_report *r = ipr_report_new(stderr, IPR_REPORT_TEXT);
    enum ipr_code rc = IPR_OK;

    w->games.spelling = w->spelling;
    ipr_report_on_game(r, ipr_rate_games_add, &w->games);
    for (int i = 0; rc == IPR_OK && i < n; i++)
        rc = ipr_report_path(r, files[i], err);
    if (rc == IPR_OK)
        rc = ipr_rate_games_settle(&w->games, err);
    if (w->games.set_aside > 0 && !w->quiet)
        fprintf(stderr, "%zu FIDE ids set aside: they are of other names in these games\n",
                w->games.set_aside);
    if (w->games.beside > 0 && !w->quiet)
        fprintf(stderr,
                "%zu games have evaluations but are analysed, too, so that each player has one "
                "rating%s\n",
                w->games.beside, w->save == NULL ? "; --evals=only skips the engine" : "");
    if (rc == IPR_OK && ipr_report_verdict(r, verdict) != IPR_OK)
        verdict->code = IPR_EDATA;
    ipr_report_free(&r);
    return rc;
}

/* ---- the command ---- */

static enum ipr_code judge_all(struct rate_work *w, struct ipr_err *err)
{
    struct ipr_rate_judging j = {
        .games = &w->games, .config = w->config, .engines = w->cores, .quiet = w->quiet
    };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err closing = IPR_ERR_INIT;
    enum ipr_code rc = IPR_OK;

    if (ipr_rate_engine_games(&w->games) > 0)
        rc = ipr_engine_find(w->config->stockfish_path, &mem, &j.engine, err);
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

/* ---- the page of one player ---- */

/* Before an engine runs for an hour. */
static enum ipr_code report_begin(struct rate_work *w, struct ipr_err *err)
{
    const size_t n = strlen(w->report);

    if (n < 5 || strcmp(w->report + n - 5, ".html") != 0)
        return ipr_err_set(err, IPR_EPARSE, "--report: the name of a page ends in .html, not '%s'",
                           w->report);
    const enum ipr_code rc = ipr_command_may_write(w->report, err);
    return rc == IPR_OK ? ipr_rate_page_open(w->config->home, &w->page, err) : rc;
}

/* Whose games are shown is said; of more than one player that is a guess. */
static enum ipr_code report_choose(struct rate_work *w, struct ipr_err *err)
{
    w->side = ipr_rate_most(&w->games, &w->n, &w->itself);
    const struct ipr_rate_game *const first = w->side[0].game;

    if (w->n > IPR_EVIDENCE_GAMES)
        return ipr_err_set(err, IPR_EDATA,
                           "--report: %zu games of one player; at most %d are on a page: --since "
                           "and --time choose among them",
                           w->n, IPR_EVIDENCE_GAMES);
    if (w->n == 0 && w->itself > 0)
        return ipr_err_set(err, IPR_EDATA,
                           "--report: in every game here one player is on both sides");
    if (w->n > 0 && !w->quiet)
        fprintf(stderr,
                w->n == 1 ? "report: %s, %zu game; scale: %s\n"
                          : "report: %s, %zu games; scale: %s\n",
                ipr_rate_player(&w->side[0])->name, w->n, ipr_rate_pool(first)->title);
    return IPR_OK;
}

/* Games with evaluations need no engine: without one nothing is confirmed, and the page says so. */
static const char *report_engine(const struct rate_work *w, struct ipr_arena *mem)
{
    struct ipr_err why = IPR_ERR_INIT;
    const char *engine = NULL;

    if (w->games.evals != IPR_RATE_EVALS_ONLY &&
        ipr_engine_find(w->config->stockfish_path, mem, &engine, &why) != IPR_OK && !w->quiet)
        fprintf(stderr, "report without positions to solve: %s\n", why.msg);
    return engine;
}

static enum ipr_code report_write(struct rate_work *w, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_buf html = IPR_BUF_INIT;
    json_t *answer = NULL;
    const struct ipr_rate_report r = { .games = &w->games,
                                       .side = w->side,
                                       .n = w->n,
                                       .itself = w->itself,
                                       .config = w->config,
                                       .engine = report_engine(w, &mem),
                                       .engines = w->cores,
                                       .quiet = w->quiet,
                                       .scripts = ipr_buf_c(&w->page.scripts) };
    enum ipr_code rc = ipr_rate_report(&r, &answer, err);

    if (rc == IPR_OK)
        rc = ipr_tmpl_render(w->page.templates, "report", answer, &html, err);
    if (rc == IPR_OK)
        rc = ipr_command_write_file(w->report, (struct ipr_str){ ipr_buf_c(&html), html.n }, err);
    json_decref(answer);
    ipr_buf_release(&html);
    ipr_arena_release(&mem);
    return rc;
}

/* A table says it below itself. */
static void rate_say_engines(const struct rate_work *w)
{
    struct ipr_buf text = IPR_BUF_INIT;

    if (w->format != IPR_RATE_TABLE)
        ipr_rate_engines_write(&w->games, &text);
    fputs(ipr_buf_c(&text), stderr);
    ipr_buf_release(&text);
}

static enum ipr_code print_all(struct rate_work *w, struct ipr_err *err)
{
    json_t *rows = ipr_rate_rows(&w->games);
    struct ipr_buf left_out = IPR_BUF_INIT, warning = IPR_BUF_INIT, out = IPR_BUF_INIT;
    const bool none = json_array_size(rows) == 0;
    enum ipr_code rc = IPR_OK;

    ipr_rate_left_out_write(&w->games, &left_out);
    ipr_rate_warning_write(&w->games, &warning);
    /* A table says it below itself. */
    if (left_out.n > 0 && (none || (!w->quiet && w->format != IPR_RATE_TABLE)))
        fprintf(stderr, "left out: %s\n", ipr_buf_c(&left_out));
    fputs(ipr_buf_c(&warning), stderr);
    if (none)
        rc = ipr_err_set(err, IPR_EDATA,
                         w->choice.n_players > 0 && left_out.n == 0
                             ? "no player of these games is named like '%s'"
                             : "no game to rate",
                         w->choice.player[0]);
    if (rc == IPR_OK && !w->quiet) {
        rate_say_engines(w);
        if (w->games.by_file > 0)
            fprintf(
                stderr,
                "rated by the evaluations in the file (pgn-evals): %zu of %zu games; less exactly "
                "than by analysis: --judge=rating analyses them\n",
                w->games.by_file, w->games.n);
        if (w->games.by_humans > 0)
            fprintf(
                stderr,
                "rated by how probable the moves are among players of nine levels (%s), without "
                "an engine: %zu of %zu games\n",
                ipr_setting_name(IPR_FOR_HUMANS), w->games.by_humans, w->games.n);
        if (w->games.unclear > 0)
            fprintf(stderr,
                    "evaluations not used: of %zu games; it is not clear that they are all from "
                    "White's view\n",
                    w->games.unclear);
    }
    if (rc == IPR_OK)
        ipr_rate_write(w->format, &w->games, rows, &out);
    if (fwrite(ipr_buf_c(&out), 1, out.n, stdout) != out.n || fflush(stdout) != 0)
        rc =
            ipr_err_set(err, IPR_EIO, "The ratings cannot be written: %s.", strerrordesc_np(errno));
    ipr_buf_release(&out);
    ipr_buf_release(&left_out);
    ipr_buf_release(&warning);
    json_decref(rows);
    return rc;
}

static enum ipr_code rate_run(const struct ipr_config *config, const struct ipr_args *args,
                              struct ipr_err *err)
{
    struct rate_work w = { .config = config, .cores = ipr_config_workers(config) };
    struct ipr_err verdict = IPR_ERR_INIT;
    enum ipr_code rc = rate_read_options(&w, args, err);

    ipr_signals_install();
    if (rc == IPR_OK && w.report != NULL)
        rc = report_begin(&w, err);
    if (rc == IPR_OK)
        rc = ipr_command_spelling(config, &w.spelling, err);
    if (rc == IPR_OK)
        rc = ipr_rate_games_networks(&w.games, config->human_model, err);
    if (rc == IPR_OK)
        rc = rate_read_files(&w, args->n, args->words, &verdict, err);
    if (rc == IPR_OK && w.report != NULL)
        rc = report_choose(&w, err);
    if (rc == IPR_OK)
        rc = judge_all(&w, err);
    if (rc == IPR_OK && w.n > 0)
        rc = report_write(&w, err);
    if (rc == IPR_OK)
        rc = print_all(&w, err);
    if (rc == IPR_OK)
        rc = ipr_err_pass(err, &verdict);
    ipr_rate_games_free(&w.games);
    ipr_spelling_close(&w.spelling);
    ipr_rate_page_close(&w.page);
    free(w.side);
    return rc;
}

static const struct ipr_option rate_options[] = {
    { "by", "player|event|year|month|game", "what has a rating (default: each player)" },
    { "player", "NAME",
      "only players whose names begin so, whatever case and accents. Given several times: the "
      "whole names of accounts of one person, who has one rating" },
    { "time", "CLASSES",
      "only games at these classes of time control, separated by commas: unknown, classical, "
      "rapid, blitz, bullet, correspondence, and online-classical, online-rapid, online-blitz, "
      "online-bullet, online-unknown of games on a server (default: all); docs/import.md" },
    { "since", "DATE",
      "only games of this date or later, as 2024, 2024-05 or 2024-05-31; games whose date does not "
      "tell are left out" },
    { "rated-only", NULL,
      "only games whose tags say that they are rated: the word \"rated\" in Event, or lichess's "
      "WhiteRatingDiff or BlackRatingDiff. Files of chess.com do not say it" },
    { "format", "table|csv|json|ndjson|pgn",
      "table: for people (the default); pgn: the games, with the evaluations of their moves" },
    { "judge", "NAME",
      "engine setting; only rating, the default, has ratings. If it is named, evaluations in the "
      "file are not used" },
    { "evals", "only",
      "rate by the evaluations in the file, in a moment, and leave out games without them "
      "(default: where all games of a pool have them; docs/rate.md)" },
    { "report", "FILE.html",
      "write a page, too, of the player with most games: strength, what to work on, where points "
      "are lost, the games. One file, to be opened without a network (docs/rate.md)" },
    { "depth", "N", "another depth, 1 to 30; no ratings, either" },
    { "save", "FILE",
      "keep the analysis, in a form that `import` reads; started again, it goes on there" },
    { "cores", "N", "engines at a time (default: one for each core)" },
    { "quiet", NULL, "no progress, no notes on standard error" },
    { 0 },
};

const struct ipr_command ipr_command_rate = {
    .name = "rate",
    .words = "FILE...",
    .help =
        "rate the players of games in PGN or analysed games (NDJSON), plain or compressed, by "
        "their "
        "moves: no database and no service, only Stockfish. FILE - is standard input "
        "(docs/rate.md). Exit 0: every game was read; 1: some were rejected, a file could not be "
        "read, or the engine failed",
    .least = 1,
    .most = -1,
    .options = rate_options,
    .run = rate_run,
};
