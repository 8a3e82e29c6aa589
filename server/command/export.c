#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "command/command.h"
#include "db/games.h"
#include "db/judges.h"
#include "db/turns.h"
#include "ingest/interchange.h"

static const char *const flags[] = { "event=", "year=", "player=", "tag=", NULL };

struct work {
    const struct ipr_config *config;
    struct ipr_db_game_filter filter;
    struct ipr_judge judge;
};

/* The tags as they were read, in their order; "Result" and names are among them. */
static enum ipr_code tags_of(const struct ipr_db_game *g, struct ipr_arena *mem,
                             struct ipr_interchange_game *out, struct ipr_err *err)
{
    json_error_t why;
    json_t *tags = json_loads(g->tags_json, 0, &why);
    struct ipr_pgn_tag *rows;
    const char *name;
    json_t *value;
    size_t i = 0;

    if (!json_is_object(tags)) {
        json_decref(tags);
        return ipr_err_set(err, IPR_EDB, "game %lld: stored tags: %s", (long long)g->id, why.text);
    }
    rows = ipr_arena_alloc(mem, json_object_size(tags), sizeof *rows);
    json_object_foreach(tags, name, value)
    {
        const char *text = json_is_string(value) ? json_string_value(value) : "";
        rows[i].name = ipr_str_c(ipr_arena_strndup(mem, name, strlen(name)));
        rows[i++].value = ipr_str_c(ipr_arena_strndup(mem, text, strlen(text)));
    }
    json_decref(tags);
    out->tags = rows;
    out->n_tags = i;
    return IPR_OK;
}

static enum ipr_code export_game(struct ipr_db *db, const struct work *w, int64_t id,
                                 struct ipr_buf *out, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_interchange_game g = { .judge = w->judge };
    struct ipr_db_game game;
    enum ipr_code rc = ipr_db_game_get(db, id, &mem, &game, err);

    if (rc == IPR_OK)
        rc = ipr_db_game_turns(db, w->filter.judge_id, id, &mem, &g.judged, err);
    if (rc == IPR_OK)
        rc = ipr_db_sides_judged(db, w->filter.judge_id, id, &g.sides, err);
    if (rc == IPR_OK)
        rc = tags_of(&game, &mem, &g, err);
    if (rc == IPR_OK) {
        g.start = game.start;
        g.custom_start = game.custom_start;
        g.moves = game.moves;
        g.n_moves = game.n_moves;
        g.result = game.result;
        ipr_interchange_write(out, &g);
    }
    ipr_arena_release(&mem);
    return rc;
}

static enum ipr_code export_all(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct work *w = arg;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_buf line = IPR_BUF_INIT;
    int64_t *ids = NULL;
    size_t n = 0;
    enum ipr_code rc =
        ipr_db_judge_by_name(db, w->config->judge, &w->filter.judge_id, &w->judge, err);

    if (rc == IPR_OK)
        rc = ipr_db_game_ids(db, &w->filter, &mem, &ids, &n, err);
    for (size_t i = 0; i < n && rc == IPR_OK; i++) {
        ipr_buf_reset(&line);
        rc = export_game(db, w, ids[i], &line, err);
        if (rc == IPR_OK && fwrite(line.p, 1, line.n, stdout) != line.n)
            rc = ipr_err_set(err, IPR_EIO, "stdout: %s", strerror(errno));
    }
    if (rc == IPR_OK && fflush(stdout) != 0)
        rc = ipr_err_set(err, IPR_EIO, "stdout: %s", strerror(errno));
    ipr_buf_release(&line);
    ipr_arena_release(&mem);
    return rc;
}

static enum ipr_code number(int n, char **args, const char *name, int64_t hi, int *out,
                            struct ipr_err *err)
{
    const char *text = ipr_command_value(n, args, name);
    int64_t v = 0;

    if (text != NULL && !ipr_str_int(ipr_str_c(text), 1, hi, &v))
        return ipr_err_set(err, IPR_EPARSE, "--%s: '%s' is not a number", name, text);
    *out = (int)v;
    return IPR_OK;
}

static enum ipr_code run(const struct ipr_config *config, int n, char **args, struct ipr_err *err)
{
    struct work w = { .config = config };
    int player = 0;
    enum ipr_code rc = number(n, args, "year", 9999, &w.filter.year, err);

    if (rc == IPR_OK)
        rc = number(n, args, "player", INT32_MAX, &player, err);
    w.filter.player_id = player;
    w.filter.event = ipr_command_value(n, args, "event");
    w.filter.tag = ipr_command_value(n, args, "tag");
    if (rc == IPR_OK)
        rc = ipr_command_with_db(config, export_all, &w, err);
    return rc;
}

const struct ipr_command ipr_command_export = {
    .name = "export",
    .usage = "[--judge=NAME] [--event=TEXT] [--year=Y] [--player=ID] [--tag=NAME]",
    .help = "write judged games as NDJSON to standard output",
    .flags = flags,
    .needs_database = true,
    .run = run,
};
