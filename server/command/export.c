#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "command/command.h"
#include "core/progress.h"
#include "db/judges.h"
#include "db/lists.h"
#include "view/game/game.h"

#define PAGE 1000 /* games that are looked up at once */

struct export_work {
    const struct ipr_config *config;
    struct ipr_db_game_filter filter;
    bool pgn;     /* else NDJSON */
    bool figures; /* instead of moves */
    bool evals;
    enum ipr_pgn_form form;
    int32_t judge_id;
    struct ipr_judge judge;
    struct ipr_pseudonyms pseudonyms;
    const struct ipr_pseudonyms *hide; /* NULL: names stay */
    size_t skipped;                    /* games without moves */
};

static enum ipr_code export_game(struct ipr_db *db, const struct export_work *w, int64_t id,
                                 struct ipr_buf *out, struct ipr_err *err)
{
    const struct ipr_game_pgn how = { w->form, w->evals, w->judge_id, w->judge, w->hide };
    struct ipr_arena mem = IPR_ARENA_INIT;
    const enum ipr_code rc = w->pgn ? ipr_game_pgn(db, id, &how, &mem, out, err)
                                    : ipr_evaluations_line(db, id, w->judge_id, &w->judge,
                                                           w->figures, w->hide, out, err);

    ipr_arena_release(&mem);
    return rc;
}

static enum ipr_code export_written(bool ok, struct ipr_err *err)
{
    return ok ? IPR_OK : ipr_err_set(err, IPR_EIO, "stdout: %s", strerror(errno));
}

/* A game whose moves are not stored is skipped. */
static enum ipr_code export_moves(struct export_work *w, enum ipr_code rc, struct ipr_err *err)
{
    if (rc != IPR_ECONFLICT || strcmp(err->type, "moves_not_stored") != 0)
        return rc;
    w->skipped++;
    ipr_err_clear(err);
    return IPR_OK;
}

static enum ipr_code export_all(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct export_work *w = arg;
    /* Where the games themselves go to the terminal, they show how far it is. */
    struct ipr_progress progress = ipr_progress_begin(isatty(STDOUT_FILENO));
    int64_t after = 0;
    size_t n = PAGE, written = 0;
    enum ipr_code rc = IPR_OK;

    /* Only judged games, unless no evaluations are written. */
    if (!w->pgn || w->evals || w->form == IPR_PGN_ALLIOT)
        rc = ipr_db_judge_by_name(db, w->config->judge, &w->judge_id, &w->judge, err);
    w->filter.judge_id = w->judge_id;
    while (rc == IPR_OK && n == PAGE) {
        struct ipr_arena mem = IPR_ARENA_INIT;
        int64_t *ids = NULL;

        rc = ipr_db_game_ids(db, &w->filter, after, PAGE, &mem, &ids, &n, err);
        if (rc == IPR_OK) {
            struct ipr_buf line = IPR_BUF_INIT;

            for (size_t i = 0; i < n && rc == IPR_OK; i++) {
                ipr_buf_reset(&line);
                rc = export_moves(w, export_game(db, w, ids[i], &line, err), err);
                if (rc == IPR_OK)
                    rc = export_written(fwrite(line.p, 1, line.n, stdout) == line.n, err);
            }
            ipr_buf_release(&line);
        }
        ipr_progress_say(&progress, 0, 0, "%zu games written", written += n);
        after = rc == IPR_OK && n > 0 ? ids[n - 1] : after;
        ipr_arena_release(&mem);
    }
    ipr_progress_end(&progress);
    return rc == IPR_OK ? export_written(fflush(stdout) == 0, err) : rc;
}

/* --format, --evals, --alliot */
static enum ipr_code export_read_form(const struct ipr_args *args, struct export_work *w,
                                      struct ipr_err *err)
{
    int format = 0;

    if (ipr_args_choice(args, "format", &format, err) != IPR_OK)
        return IPR_EPARSE;
    w->pgn = format == 1;
    w->evals = ipr_args_has(args, "evals");
    w->figures = ipr_args_has(args, "figures");
    w->form = ipr_args_has(args, "alliot") ? IPR_PGN_ALLIOT : IPR_PGN_NOTES;
    if (w->pgn && w->figures)
        return ipr_err_set(err, IPR_EPARSE, "--figures is for --format=ndjson");
    if (!w->pgn && (w->evals || w->form == IPR_PGN_ALLIOT))
        return ipr_err_set(err, IPR_EPARSE, "--evals and --alliot are for --format=pgn");
    if (w->evals && w->form == IPR_PGN_ALLIOT)
        return ipr_err_set(err, IPR_EPARSE,
                           "--alliot includes its evaluations; --evals does not go with it");
    return IPR_OK;
}

static enum ipr_code export_run(const struct ipr_config *config, const struct ipr_args *args,
                                struct ipr_err *err)
{
    struct export_work w = { .config = config };
    enum ipr_code rc = ipr_args_number(args, "year", 1, 9999, &w.filter.from, err);

    if (rc == IPR_OK)
        rc = ipr_args_number(args, "player", 1, INT32_MAX, &w.filter.player, err);
    w.filter.to = w.filter.from;
    ipr_pseudonyms_draw(&w.pseudonyms);
    w.hide = ipr_args_has(args, "hide-names") ? &w.pseudonyms : NULL;
    w.filter.event_name = ipr_args_value(args, "event");
    w.filter.tag = ipr_args_value(args, "tag");
    if (rc == IPR_OK)
        rc = export_read_form(args, &w, err);
    if (rc == IPR_OK)
        rc = ipr_command_with_db(config, export_all, &w, err);
    if (w.skipped > 0)
        fprintf(stderr, "%zu games skipped: their moves are not stored\n", w.skipped);
    return rc;
}

static const char *const export_settings[] = { "judge", NULL };

static const struct ipr_option export_options[] = {
    { "format", "ndjson|pgn", "what is written (default: ndjson, docs/interchange.md)" },
    { "figures", NULL, "of NDJSON: instead of moves, what the analysis of each side found" },
    { "evals", NULL, "of PGN: with evaluations in comments" },
    { "alliot", NULL, "of PGN: with the evaluations of Alliot's annotated PGN" },
    { "hide-names", NULL,
      "pseudonyms, other ones in each export, instead of players and events; no comments" },
    { "event", "TEXT", "only games whose event has this in its name" },
    { "year", "Y", "only games of this year" },
    { "player", "ID", "only games of this player" },
    { "tag", "NAME", "only games with this tag" },
    { 0 },
};

const struct ipr_command ipr_command_export = {
    .name = "export",
    .words = "",
    .help = "write analysed games as NDJSON, or games as PGN, to standard output",
    .options = export_options,
    .settings = export_settings,
    .needs_database = true,
    .run = export_run,
};
