#include "view/context.h"

#include <stdio.h>
#include <string.h>

#include "core/judge_json.h"
#include "db/records.h"
#include "resource/read.h"
#include "view/json.h"

/*
 * The stored judge that the calibration belongs to, when it has this name: another engine under the
 * same name must not replace it, however much it has judged. 0 when there is none.
 */
static enum ipr_code find_calibrated(struct ipr_view_context *c, const char *name,
                                     struct ipr_err *err)
{
    struct ipr_db_judge_row *rows = NULL;
    size_t n = 0;

    if (c->calibration == NULL)
        return IPR_OK;
    const enum ipr_code rc = ipr_db_judge_list(c->v->db, c->v->mem, &rows, &n, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        if (strcmp(rows[i].judge.name, name) == 0 &&
            ipr_judge_same(&c->calibration->reference_judge, &rows[i].judge)) {
            c->judge_id = rows[i].id;
            c->judge = rows[i].judge;
        }
    return rc;
}

/* The models of a choice need the evaluations of many moves. */
bool ipr_view_judge_is_wide(const struct ipr_judge *judge)
{
    return judge->multipv > 2;
}

/* Of a configured judge that is not defined only imported evaluations can be there: it is kept. */
static enum ipr_code find_default_judge(struct ipr_view_context *c, struct ipr_err *err)
{
    const char *configured = c->v->config->judge;
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_judge judge;
    const enum ipr_code rc = ipr_db_definition_get(c->v->db, configured, &judge, &why);

    if (rc != IPR_OK && rc != IPR_ENOTFOUND)
        return ipr_err_set(err, rc, "%s", why.msg);
    ipr_err_clear(&why);
    if (rc == IPR_OK && !ipr_view_judge_is_wide(&judge))
        configured = c->calibration != NULL ? c->calibration->reference_judge.name : IPR_WIDE_JUDGE;
    snprintf(c->default_judge, sizeof c->default_judge, "%s", configured);
    return IPR_OK;
}

static enum ipr_code find_judge(struct ipr_view_context *c, const char *asked, struct ipr_err *err)
{
    const char *name = asked != NULL ? asked : c->default_judge;
    struct ipr_err why = IPR_ERR_INIT;
    int64_t id;
    enum ipr_code rc;

    if (asked != NULL && ipr_str_int(ipr_str_c(asked), 1, INT16_MAX, &id)) {
        rc = ipr_db_judge_get(c->v->db, (int32_t)id, &c->judge, &why);
        c->judge_id = rc == IPR_OK ? (int32_t)id : 0;
    } else {
        rc = find_calibrated(c, name, &why);
        if (rc == IPR_OK && !c->judge_id)
            rc = ipr_db_judge_by_name(c->v->db, name, &c->judge_id, &c->judge, &why);
    }
    if (rc == IPR_ENOTFOUND && asked == NULL) { /* then what games are queued for */
        ipr_err_clear(&why);
        rc = ipr_db_judge_by_name(c->v->db, c->v->config->judge, &c->judge_id, &c->judge, &why);
    }
    if (rc == IPR_OK)
        return IPR_OK;
    if (rc != IPR_ENOTFOUND)
        return ipr_err_set(err, rc, "%s", why.msg);
    ipr_err_clear(&why);
    rc = ipr_db_definition_get(c->v->db, name, &c->judge, &why);
    if (rc == IPR_ENOTFOUND && asked != NULL)
        return ipr_param_refuse(err, "judge", name, "an engine setting of /api/v1/judges");
    if (rc != IPR_OK && rc != IPR_ENOTFOUND)
        return ipr_err_set(err, rc, "%s", why.msg);
    snprintf(c->reason, sizeof c->reason,
             "nothing has been analysed with the engine setting %s yet", name);
    return IPR_OK;
}

/* Name of the calibration to use. */
static const char *calibration_wanted(const struct ipr_view_context *c)
{
    return c->v->calibration != NULL ? c->v->calibration : c->v->config->calibration;
}

/* id, name and digest without the record, which is large and mostly loaded already. */
static enum ipr_code find_calibration(struct ipr_view_context *c, struct ipr_err *err)
{
    struct ipr_db_calibration *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_calibration_list(c->v->db, c->v->mem, &rows, &n, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        if (strcmp(rows[i].name, calibration_wanted(c)) == 0) {
            c->calibration_id = rows[i].id;
            c->calibration_name = rows[i].name;
            c->calibration_digest = rows[i].digest;
        }
    return rc;
}

static enum ipr_code fetch_record(void *arg, const char **record_json, struct ipr_err *err)
{
    const struct ipr_view_context *c = arg;
    struct ipr_db_calibration row;

    const enum ipr_code rc =
        ipr_db_calibration_get(c->v->db, c->calibration_name, c->v->mem, &row, err);
    if (rc == IPR_OK)
        *record_json = row.record_json;
    return rc;
}

static enum ipr_code open_calibration(struct ipr_view_context *c, struct ipr_err *err)
{
    enum ipr_code rc = find_calibration(c, err);
    if (rc != IPR_OK)
        return rc;
    if (!c->calibration_id && c->v->calibration != NULL)
        return ipr_param_refuse(err, "calibration", c->v->calibration,
                                "a calibration of /api/v1/calibrations");
    if (!c->calibration_id) {
        if (!*c->reason)
            snprintf(c->reason, sizeof c->reason, "no calibration named %s is stored",
                     calibration_wanted(c));
        return IPR_OK;
    }

    return ipr_calibration_acquire(c->calibration_digest, fetch_record, c, &c->calibration, err);
}

/* "Rybka 3, depth 13, 50 lines" */
static const char *judge_text(const struct ipr_view_context *c, const struct ipr_judge *judge)
{
    char limit[IPR_LIMIT_TEXT_MAX];

    ipr_judge_limit_text(judge, limit);
    return ipr_arena_printf(c->v->mem, "%s, %s, %d lines", judge->engine, limit, judge->multipv);
}

/* Figures of two judges are only mixed if that is requested by name; the answer then says so. */
static void refuse_other_judge(struct ipr_view_context *c)
{
    if (c->calibration == NULL || !c->judge_id || ipr_judge_same(&c->calibration->judge, &c->judge))
        return;
    if (c->v->calibration != NULL) {
        c->mismatch = true;
        return;
    }
    snprintf(c->reason, sizeof c->reason,
             "the calibration %s belongs to another engine setting (%s); figures of two "
             "engine settings are not mixed",
             c->calibration_name, judge_text(c, &c->calibration->judge));
    ipr_calibration_release(&c->calibration);
}

/* The choice model needs the evaluations of the moves that were not chosen. */
static void refuse_narrow_judge(struct ipr_view_context *c)
{
    if (c->judge.multipv != 1)
        return;
    if (c->judge_id) /* else nothing has been judged at all, which is the reason for any request */
        snprintf(c->reason, sizeof c->reason,
                 "the engine setting %s evaluates only the best move and the one played; a "
                 "rating needs the evaluations of the other moves, too",
                 c->judge.name);
    ipr_calibration_release(&c->calibration);
}

enum ipr_code ipr_view_context_open(const struct ipr_view *v, const char *judge,
                                    struct ipr_view_context *out, struct ipr_err *err)
{
    struct ipr_view_context c = {
        .v = v,
        .times = v->time_classes ? v->time_classes : IPR_TIME_SET_DEFAULT,
    };

    enum ipr_code rc = open_calibration(&c, err);
    if (rc == IPR_OK)
        rc = find_default_judge(&c, err);
    if (rc == IPR_OK)
        rc = find_judge(&c, judge != NULL && *judge != '\0' ? judge : NULL, err);
    if (rc != IPR_OK) {
        ipr_calibration_release(&c.calibration);
        return rc;
    }
    refuse_other_judge(&c);
    refuse_narrow_judge(&c);
    *out = c;
    return IPR_OK;
}

void ipr_view_context_close(struct ipr_view_context *c)
{
    ipr_calibration_release(&c->calibration);
}

static struct ipr_figure_calibration *context_calibration(const struct ipr_view_context *c);
static struct ipr_list_text context_times(const struct ipr_view_context *c);

void ipr_view_context_basis(const struct ipr_view_context *c,
                            struct ipr_answer_basis_of_figures *out)
{
    out->judge = ipr_view_context_setting(c);
    out->calibration = context_calibration(c);
    out->time_classes = context_times(c);
}

void ipr_view_context_add_basis(const struct ipr_view_context *c, json_t *out)
{
    struct ipr_answer_basis_of_figures basis;

    ipr_view_context_basis(c, &basis);
    json_object_update_new(out, ipr_shape_json(IPR_SHAPE_BASIS_OF_FIGURES, &basis));
}

static const char *judge_known(const char *text)
{
    return *text != '\0' ? text : NULL;
}

struct ipr_figure_judge *ipr_view_judge_of(const struct ipr_judge *judge, int32_t id,
                                           struct ipr_arena *mem)
{
    struct ipr_figure_judge *const out = ipr_shape_new(IPR_SHAPE_JUDGE, mem);

    if (id != 0)
        out->id = (size_t)id;
    out->name = judge_known(judge->name);
    out->engine = judge->engine;
    out->network = judge->network;
    out->multipv = judge->multipv;
    out->limit = ipr_shape_new(IPR_SHAPE_LIMIT, mem);
    if (judge->depth > 0)
        out->limit->depth = judge->depth;
    else if (judge->nodes > 0)
        out->limit->nodes = judge->nodes;
    else
        out->limit->adaptive_ms = judge->time_ms;
    out->threads = judge->threads;
    out->hash_mb = judge->hash_mb;
    out->clear = ipr_judge_clear_name(judge->clear);
    out->first_move = judge->first_move;
    if (judge->apart != IPR_APART_SEARCHMOVES)
        out->apart = ipr_judge_apart_name(judge->apart);
    out->options = judge_known(judge->options);
    return out;
}

struct ipr_figure_judge *ipr_view_context_setting(const struct ipr_view_context *c)
{
    return c->judge_id ? ipr_view_judge_of(&c->judge, c->judge_id, c->v->mem) : NULL;
}

json_t *ipr_view_context_judge(const struct ipr_view_context *c)
{
    return c->judge_id ? ipr_shape_json(IPR_SHAPE_JUDGE, ipr_view_context_setting(c)) : json_null();
}

/* The note on a rating computed with another judge's line. */
static void add_mismatch(const struct ipr_view_context *c, struct ipr_figure_calibration *out)
{
    const struct ipr_judge *of = &c->calibration->judge;
    const struct ipr_figure_judge *const whole = ipr_view_judge_of(of, 0, c->v->mem);

    out->calibration_mismatch = true;
    out->calibration_judge = ipr_shape_new(IPR_SHAPE_JUDGE, c->v->mem);
    out->calibration_judge->name = whole->name;
    out->calibration_judge->engine = whole->engine;
    out->calibration_judge->multipv = whole->multipv;
    out->calibration_judge->limit = whole->limit;
    out->note = ipr_arena_printf(
        c->v->mem,
        "This calibration was made from evaluations of another engine setting (%s) and is "
        "applied, because it was requested, to evaluations of %s; mean errors are taken on a "
        "reference set of %s. "
        "A centipawn of one engine is not one of another: these ratings show how the methods "
        "compare, not how strong the player was.",
        judge_text(c, of), judge_text(c, &c->judge),
        judge_text(c, &c->calibration->reference_judge));
}

static struct ipr_figure_calibration *context_calibration(const struct ipr_view_context *c)
{
    struct ipr_figure_calibration *const out = ipr_shape_new(IPR_SHAPE_CALIBRATION, c->v->mem);

    if (!c->calibration_id)
        return NULL;
    out->name = c->calibration_name;
    out->digest = c->calibration_digest;
    if (c->calibration == NULL)
        return out;
    out->elo_range.low = c->calibration->line.elo_min;
    out->elo_range.high = c->calibration->line.elo_max;
    if (c->mismatch)
        add_mismatch(c, out);
    return out;
}

json_t *ipr_view_context_calibration(const struct ipr_view_context *c)
{
    const struct ipr_figure_calibration *const of = context_calibration(c);

    return of != NULL ? ipr_shape_json(IPR_SHAPE_CALIBRATION, of) : json_null();
}

/* From slow to fast, unknown last. */
static const enum ipr_time_class times_in_order[] = {
    IPR_TIME_CLASSICAL, IPR_TIME_RAPID,          IPR_TIME_BLITZ,
    IPR_TIME_BULLET,    IPR_TIME_CORRESPONDENCE, IPR_TIME_UNKNOWN,
};

static struct ipr_list_text context_times(const struct ipr_view_context *c)
{
    struct ipr_list_text out = { ipr_arena_alloc(c->v->mem, IPR_TIME_CLASSES, sizeof *out.at), 0 };

    for (size_t i = 0; i < IPR_TIME_CLASSES; i++)
        if (c->times & IPR_TIME_BIT(times_in_order[i]))
            out.at[out.n++] = ipr_time_class_name(times_in_order[i]);
    return out;
}

json_t *ipr_view_context_times(const struct ipr_view_context *c)
{
    const struct ipr_list_text names = context_times(c);
    json_t *out = json_array();

    for (size_t i = 0; i < names.n; i++)
        json_array_append_new(out, json_string(names.at[i]));
    return out;
}

struct ipr_figure_counts ipr_view_context_not_rated(const struct ipr_view_context *c,
                                                    const int32_t in_class[IPR_TIME_CLASSES])
{
    struct ipr_figure_counts out = { .known = true };
    size_t n = 0;

    for (size_t i = 0; i < IPR_TIME_CLASSES; i++) {
        const enum ipr_time_class class = times_in_order[i];

        if (!(c->times & IPR_TIME_BIT(class)) && in_class[class] > 0) {
            out.of[n].name = ipr_time_class_name(class);
            out.of[n++].n = (size_t)in_class[class];
        }
    }
    return out;
}

json_t *ipr_view_context_unrated(const struct ipr_view_context *c,
                                 const struct ipr_db_player_year *y)
{
    const struct ipr_figure_counts counts = ipr_view_context_not_rated(c, y->in_class);

    return ipr_shape_counts(&counts);
}

/* The sum of all years and of the undated games. */
static enum ipr_code career_row(const struct ipr_view_context *c, int32_t player,
                                const struct ipr_db_player_year *rows, size_t n,
                                struct ipr_db_player_year *out, struct ipr_err *err)
{
    struct ipr_db_player p;

    const enum ipr_code rc =
        ipr_db_player_get(c->v->db, player, c->judge_id, c->times, c->v->mem, &p, err);
    if (rc != IPR_OK)
        return rc;
    *out = (struct ipr_db_player_year){
        .player_id = player, .name = p.name, .turns = (int32_t)p.turns, .version = p.version
    };
    for (size_t i = 0; i < n; i++) {
        out->games += rows[i].games;
        for (int k = 0; k < IPR_TIME_CLASSES; k++)
            out->in_class[k] += rows[i].in_class[k];
        out->games_judged += rows[i].games_judged;
        out->counted += rows[i].counted;
        out->at_0 += rows[i].at_0;
        out->at_30 += rows[i].at_30;
    }
    return IPR_OK;
}

void ipr_view_years(int year, int first, int last, int *from, int *to)
{
    *from = year != 0 ? year : first;
    *to = year != 0 ? year : last;
}

enum ipr_code ipr_view_find_year(const struct ipr_view_context *c, int32_t player, int year,
                                 struct ipr_db_player_year *out, struct ipr_err *err)
{
    struct ipr_db_player_year *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc =
        ipr_db_player_years(c->v->db, player, c->judge_id, c->times, c->v->mem, &rows, &n, err);
    if (rc != IPR_OK)
        return rc;
    if (year == 0)
        return career_row(c, player, rows, n, out, err);
    for (size_t i = 0; i < n; i++)
        if (rows[i].year == year) {
            *out = rows[i];
            return IPR_OK;
        }
    return ipr_err_set(err, IPR_ENOTFOUND, "no games of player %d in %d", player, year);
}
