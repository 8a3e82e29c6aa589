#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "command/command.h"
#include "core/judge_json.h"
#include "core/progress.h"
#include "db/games.h"
#include "db/judges.h"
#include "db/lists.h"
#include "db/records.h"
#include "db/turns.h"
#include "model/turn.h"
#include "view/calibration/calibration.h"
#include "view/context.h"

#define FIGURES_MAX ((size_t)1 << 30)
#define RECORD_MAX  ((size_t)64 << 20)

/* ---- figures, from the judged milepost games in the database ---- */

struct collect {
    const struct ipr_config *config;
    struct ipr_buf *out;
    int32_t judge_id;
    struct ipr_judge judge;
    int games; /* running number, so that figures do not depend on database ids */
};

static int score_centipawns(int16_t score)
{
    int moves;

    if (ipr_score_is_mate(score, &moves))
        return moves > 0 ? IPR_CP_LIMIT : -IPR_CP_LIMIT;
    return score;
}

static json_t *turn_figures(const struct ipr_judged_turn *t)
{
    json_t *cp = json_array();

    for (unsigned i = 0; i < t->lines; i++)
        json_array_append_new(cp, json_integer(score_centipawns(ipr_judged_final(t, i))));
    return json_pack("{s:i, s:i, s:i, s:b, s:o}", "ply", (int)t->ply, "played", (int)t->played,
                     "legal", (int)t->legal, "repeated", (int)t->repeated, "cp", cp);
}

/* The points of a colour: 1, 0.5 or 0; null for a game without a result. */
static json_t *game_points(enum ipr_result result, int colour)
{
    if (result == IPR_RESULT_UNKNOWN)
        return json_null();
    if (result == IPR_DRAW)
        return json_real(0.5);
    return json_integer((result == IPR_WHITE_WINS) == (colour == IPR_WHITE));
}

static void add_side(struct collect *c, const struct ipr_db_game *game, int milepost, int colour,
                     const struct ipr_judged_game *judged)
{
    json_t *turns = json_array();

    for (size_t i = 0; i < judged->n; i++)
        if (judged->turns[i].mover == colour)
            json_array_append_new(turns, turn_figures(&judged->turns[i]));
    json_t *line = json_pack(
        "{s:i, s:i, s:i, s:i, s:s, s:o, s:o, s:o}", "game", c->games, "milepost", milepost, "elo",
        colour == IPR_WHITE ? game->white_elo : game->black_elo, "year", game->year, "mover",
        ipr_colour_letter(colour), "result", game_points(game->result, colour), "judge",
        ipr_judge_to_json(&c->judge), "turns", turns);
    char *text = json_dumps(line, JSON_COMPACT);
    if (text == NULL)
        abort();
    ipr_buf_puts(c->out, text);
    ipr_buf_putc(c->out, '\n');
    free(text);
    json_decref(line);
}

/* The game's Milepost tag, and which sides it speaks of (MilepostSide: white, black, both). */
static bool milepost_of(const struct ipr_db_game *game, int *milepost, unsigned *sides)
{
    json_t *tags = json_loads(game->tags_json, 0, NULL);
    const char *elo = json_string_value(json_object_get(tags, "Milepost"));
    const char *side = json_string_value(json_object_get(tags, "MilepostSide"));
    int64_t v;
    const bool ok = elo != NULL && ipr_str_int(ipr_str_c(elo), 1, 4000, &v);

    if (ok) {
        *milepost = (int)v;
        *sides = 3U;
        if (side != NULL && strcmp(side, "white") == 0)
            *sides = 1U;
        else if (side != NULL && strcmp(side, "black") == 0)
            *sides = 2U;
    }
    json_decref(tags);
    return ok;
}

static enum ipr_code collect_game(struct ipr_db *db, struct collect *c, int64_t id,
                                  struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_game game;
    struct ipr_judged_game judged;
    unsigned judged_sides = 0, sides = 0;
    int milepost = 0;
    enum ipr_code rc = ipr_db_game_get(db, id, &mem, &game, err);

    if (rc == IPR_OK)
        rc = ipr_db_sides_judged(db, c->judge_id, id, &judged_sides, err);
    if (rc == IPR_OK)
        rc = ipr_db_game_turns(db, c->judge_id, id, &mem, &judged, err);
    if (rc == IPR_OK && milepost_of(&game, &milepost, &sides)) {
        c->games++;
        if ((sides & judged_sides & 1U) != 0 && game.white_elo > 0)
            add_side(c, &game, milepost, IPR_WHITE, &judged);
        if ((sides & judged_sides & 2U) != 0 && game.black_elo > 0)
            add_side(c, &game, milepost, IPR_BLACK, &judged);
    }
    ipr_arena_release(&mem);
    return rc;
}

/* A setting of two lines is refused before anything else: no player can be fitted by it. */
static enum ipr_code collect_refuse_narrow(struct ipr_db *db, const char *name, struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_judge judge;
    const enum ipr_code rc = ipr_db_definition_get(db, name, &judge, &why);

    if (rc != IPR_OK && rc != IPR_ENOTFOUND)
        return ipr_err_set(err, rc, "%s", why.msg);
    ipr_err_clear(&why);
    if (rc == IPR_ENOTFOUND || ipr_setting_is_wide(&judge))
        return IPR_OK;
    return ipr_err_set(err, IPR_EPARSE,
                       "a calibration needs the evaluations of many moves of a position, and "
                       "'%s' has %d: name another engine setting, such as --judge=%s",
                       name, judge.multipv, ipr_setting_name(IPR_FOR_LINES));
}

static enum ipr_code collect_figures(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct collect *c = arg;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_game_filter filter = { .tag = "Milepost" };
    struct ipr_progress progress = ipr_progress_begin(false);
    int64_t *ids = NULL;
    size_t n = 0;
    enum ipr_code rc = collect_refuse_narrow(db, c->config->judge, err);

    if (rc == IPR_OK)
        rc = ipr_db_judge_by_name(db, c->config->judge, &c->judge_id, &c->judge, err);
    filter.judge_id = c->judge_id;
    if (rc == IPR_OK)
        rc = ipr_db_game_ids(db, &filter, 0, INT_MAX, &mem, &ids, &n, err);
    if (rc == IPR_OK && n == 0)
        rc = ipr_err_set(err, IPR_EDATA,
                         "no game analysed by '%s' has a Milepost tag: import some, or name --from",
                         c->config->judge);
    for (size_t i = 0; i < n && rc == IPR_OK; i++) {
        rc = collect_game(db, c, ids[i], err);
        ipr_progress_say(&progress, (double)i, (double)n, "%zu of %zu games read", i, n);
    }
    ipr_progress_end(&progress);
    ipr_arena_release(&mem);
    return rc;
}

/* ---- the record ---- */

struct put {
    const struct ipr_config *config;
    json_t *record;
};

static enum ipr_code put_record(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct put *p = arg;
    const char *name = json_string_value(json_object_get(p->record, "name"));
    char *record = json_dumps(p->record, JSON_COMPACT);
    char *judge = json_dumps(json_object_get(p->record, "judge"), JSON_COMPACT);
    char digest[IPR_CALIBRATION_DIGEST];
    bool changed = false;

    if (name == NULL || record == NULL || judge == NULL) {
        free(record);
        free(judge);
        return ipr_err_set(err, IPR_EPARSE, "not a calibration record: name or judge is missing");
    }
    ipr_calibration_digest(ipr_str_c(record), digest);
    const enum ipr_code rc = ipr_db_calibration_put(db, name, judge, record, digest, &changed, err);
    if (rc == IPR_OK && changed)
        printf("calibration '%s' stored\n", name);
    free(record);
    free(judge);
    return rc;
}

static enum ipr_code calibrate_store(const struct ipr_config *config, json_t *record,
                                     struct ipr_err *err)
{
    struct put p = { config, record };

    if (config->database_url[0] == '\0')
        return ipr_err_set(err, IPR_EPARSE, "DATABASE_URL is not set and --record is not given");
    return ipr_command_with_db(config, put_record, &p, err);
}

static enum ipr_code read_json(const char *path, json_t **out, struct ipr_err *err)
{
    struct ipr_buf text = IPR_BUF_INIT;
    json_error_t why;
    enum ipr_code rc = ipr_command_read_file(path, RECORD_MAX, &text, err);

    if (rc == IPR_OK && (*out = json_loadb(text.p, text.n, 0, &why)) == NULL)
        rc = ipr_err_set(err, IPR_EPARSE, "%s:%d: %s", path, why.line, why.text);
    ipr_buf_release(&text);
    return rc;
}

static enum ipr_code load_record(const struct ipr_config *config, const char *path,
                                 struct ipr_err *err)
{
    struct ipr_calibration_use *use = NULL;
    json_t *record = NULL;
    enum ipr_code rc = read_json(path, &record, err);

    if (rc == IPR_OK) /* refuses a record that could not be used */
        rc = ipr_calibration_load(record, &use, err);
    if (rc == IPR_OK)
        rc = calibrate_store(config, record, err);
    ipr_calibration_free(&use);
    json_decref(record);
    return rc;
}

/* Into the file named, or the database. */
static enum ipr_code put_away(const struct ipr_config *config, json_t *record, const char *path,
                              struct ipr_err *err)
{
    if (path == NULL)
        return calibrate_store(config, record, err);
    char *text = json_dumps(record, JSON_COMPACT);
    if (text == NULL)
        abort();
    const enum ipr_code rc = ipr_command_write_file(path, ipr_str_c(text), err);
    free(text);
    return rc;
}

static enum ipr_code make_published(const struct ipr_config *config, const char *table_path,
                                    const struct ipr_args *args, struct ipr_err *err)
{
    const char *reference_path = ipr_args_value(args, "reference");
    json_t *table = NULL, *reference = NULL, *record = NULL;
    enum ipr_code rc;

    if (reference_path == NULL)
        return ipr_err_set(err, IPR_EPARSE,
                           "--published needs the --reference record whose "
                           "reference set its mean errors are taken on");
    rc = read_json(table_path, &table, err);
    if (rc == IPR_OK)
        rc = read_json(reference_path, &reference, err);
    if (rc == IPR_OK)
        rc = ipr_calibration_published(table, reference, &record, err);
    if (rc == IPR_OK)
        rc = put_away(config, record, ipr_args_value(args, "record"), err);
    json_decref(table);
    json_decref(reference);
    json_decref(record);
    return rc;
}

static enum ipr_code calibrate_run(const struct ipr_config *config, const struct ipr_args *args,
                                   struct ipr_err *err)
{
    const char *load = ipr_args_value(args, "load");
    const char *published = ipr_args_value(args, "published");
    const char *from = ipr_args_value(args, "from");
    const char *figures_out = ipr_args_value(args, "figures");
    struct ipr_buf figures = IPR_BUF_INIT;
    struct collect c = { .config = config, .out = &figures };
    enum ipr_code rc;

    if (load != NULL)
        return load_record(config, load, err);
    if (published != NULL)
        return make_published(config, published, args, err);
    if (from != NULL)
        rc = ipr_command_read_file(from, FIGURES_MAX, &figures, err);
    else if (config->database_url[0] == '\0')
        rc = ipr_err_set(err, IPR_EPARSE, "neither --from nor DATABASE_URL is given");
    else
        rc = ipr_command_with_db(config, collect_figures, &c, err);
    if (rc == IPR_OK && figures_out != NULL)
        rc = ipr_command_write_file(figures_out, (struct ipr_str){ figures.p, figures.n }, err);
    if (rc == IPR_OK) {
        const char *name = ipr_args_value(args, "name");
        json_t *record = NULL;

        rc = ipr_calibration_make(name != NULL ? name : config->calibration,
                                  (struct ipr_str){ figures.p, figures.n }, true, NULL, &record,
                                  err);
        if (rc == IPR_OK)
            rc = put_away(config, record, ipr_args_value(args, "record"), err);
        json_decref(record);
    }
    ipr_buf_release(&figures);
    return rc;
}

static const struct ipr_option calibrate_options[] = {
    { "from", "FIGURES", "a file of figures, instead of the database" },
    { "figures", "OUT", "write the figures to a file" },
    { "name", "NAME", "of the calibration" },
    { "record", "OUT", "write the record to a file, not into the database" },
    { "load", "RECORD", "put a record into the database" },
    { "published", "TABLE", "a table of mean errors, which are taken on the set of --reference" },
    { "reference", "RECORD", "the record for that" },
    { 0 },
};

const struct ipr_command ipr_command_calibrate = {
    .name = "calibrate",
    .words = "",
    .help =
        "make the record that turns errors into ratings, from the analysed games with a Milepost "
        "tag, from a file of figures, or from a table that others published",
    .options = calibrate_options,
    .run = calibrate_run,
};
