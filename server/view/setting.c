#include "view/setting.h"

#include <stdio.h>
#include <string.h>

#include "db/games.h"
#include "db/records.h"
#include "db/strength.h"
#include "resource/read.h"
#include "sentence/sentence.h"
#include "view/context.h"

/* ---- the rule ---- */

/* Purposes before these have one setting, their own. */
static const struct setting_rule {
    enum ipr_purpose try[IPR_SETTING_CANDIDATES];
    size_t n;
    bool most; /* the one that has analysed most; else the first that has analysed any */
} rules[] = {
    [IPR_FOR_PLAYER] = { { IPR_FOR_LINES, IPR_FOR_RATING, IPR_FOR_FILES }, 3, false },
    [IPR_FOR_CAREER] = { { IPR_FOR_RATING, IPR_FOR_FILES, IPR_FOR_LINES }, 3, false },
    [IPR_FOR_YEARS] = { { IPR_FOR_RATING, IPR_FOR_LINES }, 2, false },
    [IPR_FOR_HEAD] = { { IPR_FOR_LINES, IPR_FOR_RATING }, 2, true },
    [IPR_FOR_MOVES] = { { IPR_FOR_RATING, IPR_FOR_LINES }, 2, true },
    [IPR_FOR_PROFILE] = { { IPR_FOR_RATING, IPR_FOR_LINES, IPR_FOR_FILES }, 3, true },
    [IPR_FOR_REPORT] = { { IPR_FOR_LINES, IPR_FOR_QUEUE }, 2, true },
};

/* ---- the default for methods of many lines ---- */

bool ipr_setting_is_wide(const struct ipr_judge *judge)
{
    return judge->multipv > 2;
}

/* A configured setting that is not defined is kept: evaluations of it may be imported. */
static enum ipr_code setting_find_default(struct ipr_view_context *c, struct ipr_err *err)
{
    const char *configured = ipr_setting_queue(c->v->config, NULL);
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_judge judge;
    const enum ipr_code rc = ipr_db_definition_get(c->v->db, configured, &judge, &why);

    if (rc != IPR_OK && rc != IPR_ENOTFOUND)
        return ipr_err_set(err, rc, "%s", why.msg);
    ipr_err_clear(&why);
    if (rc == IPR_OK && !ipr_setting_is_wide(&judge))
        configured = c->calibration != NULL ? c->calibration->reference_judge.name
                                            : ipr_setting_name(IPR_FOR_LINES);
    snprintf(c->default_judge, sizeof c->default_judge, "%s", configured);
    return IPR_OK;
}

enum ipr_code ipr_setting_wide(const struct ipr_view_context *c, struct ipr_judge *out,
                               struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    const char *name = ipr_setting_is_wide(&c->judge) ? c->judge.name : c->default_judge;

    enum ipr_code rc = ipr_db_definition_get(c->v->db, name, out, &why);
    if (rc == IPR_ENOTFOUND) {
        ipr_err_clear(&why);
        rc = ipr_db_definition_get(c->v->db, ipr_setting_name(IPR_FOR_LINES), out, &why);
    }
    return rc == IPR_OK ? rc : ipr_err_set(err, rc, "%s", why.msg);
}

/* ---- the setting of a name ---- */

/* The stored one: that of the calibration, since another engine under the same name must not
 * replace it, however much it has analysed; else the one that has analysed most. NULL: none. */
static const struct ipr_db_judge_row *setting_named(const struct ipr_view_context *c,
                                                    const struct ipr_db_judge_row *rows, size_t n,
                                                    const char *name)
{
    const struct ipr_db_judge_row *best = NULL;

    for (size_t i = 0; i < n; i++) {
        if (strcmp(rows[i].judge.name, name) != 0)
            continue;
        if (c->calibration != NULL &&
            ipr_judge_same(&c->calibration->reference_judge, &rows[i].judge))
            return &rows[i];
        if (rows[i].analysed && best == NULL)
            best = &rows[i];
    }
    return best;
}

static const struct ipr_db_judge_row *setting_numbered(const struct ipr_db_judge_row *rows,
                                                       size_t n, int64_t id)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i].id == id)
            return &rows[i];
    return NULL;
}

static const char *setting_reason(const struct ipr_view_context *c, enum ipr_reason_setting which,
                                  const char *setting, const char *calibration)
{
    const struct ipr_reason_setting_slots slots = { setting, calibration };

    return ipr_say_reason_setting(which, &slots, c->v->mem);
}

/* `named` NULL: the default one, or, as long as that has analysed nothing, what games are queued
 * for. One that has analysed nothing has its definition, and the reason. */
static enum ipr_code setting_find(struct ipr_view_context *c, const char *named, bool requested,
                                  struct ipr_err *err)
{
    const char *name = named != NULL ? named : c->default_judge;
    const struct ipr_db_judge_row *found;
    struct ipr_db_judge_row *rows = NULL;
    struct ipr_err why = IPR_ERR_INIT;
    size_t n = 0;
    int64_t id;
    enum ipr_code rc = ipr_db_judge_list(c->v->db, c->v->mem, &rows, &n, err);

    if (rc != IPR_OK)
        return rc;
    if (requested && ipr_str_int(ipr_str_c(named), 1, INT16_MAX, &id))
        found = setting_numbered(rows, n, id);
    else
        found = setting_named(c, rows, n, name);
    if (found == NULL && named == NULL)
        found = setting_named(c, rows, n, ipr_setting_queue(c->v->config, NULL));
    if (found != NULL) {
        c->judge_id = found->id;
        c->judge = found->judge;
        c->judge_turns = found->turns;
        c->rates = found->rates;
        return IPR_OK;
    }
    rc = ipr_db_definition_get(c->v->db, name, &c->judge, &why);
    if (rc == IPR_ENOTFOUND && requested)
        return ipr_param_refuse(err, "judge", name, "an engine setting of /api/v1/judges");
    if (rc != IPR_OK && rc != IPR_ENOTFOUND)
        return ipr_err_set(err, rc, "%s", why.msg);
    c->reason = setting_reason(c, IPR_REASON_SETTING_NOT_USED, name, NULL);
    return IPR_OK;
}

/* ---- the calibration ---- */

static enum ipr_code setting_fetch_record(void *arg, const char **record_json, struct ipr_err *err)
{
    const struct ipr_view_context *c = arg;
    struct ipr_db_calibration row;

    const enum ipr_code rc =
        ipr_db_calibration_get(c->v->db, c->calibration_name, c->v->mem, &row, err);
    if (rc == IPR_OK)
        *record_json = row.record_json;
    return rc;
}

/* Its id, name and digest come without the record, which is large and mostly loaded already. */
static enum ipr_code setting_open_calibration(struct ipr_view_context *c, struct ipr_err *err)
{
    const char *const wanted =
        c->v->calibration != NULL ? c->v->calibration : c->v->config->calibration;
    struct ipr_db_calibration *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_calibration_list(c->v->db, c->v->mem, &rows, &n, err);
    if (rc != IPR_OK)
        return rc;
    for (size_t i = 0; i < n; i++)
        if (strcmp(rows[i].name, wanted) == 0) {
            c->calibration_id = rows[i].id;
            c->calibration_name = rows[i].name;
            c->calibration_digest = rows[i].digest;
        }
    if (c->calibration_id)
        return ipr_calibration_acquire(c->calibration_digest, setting_fetch_record, c,
                                       &c->calibration, err);
    if (c->v->calibration != NULL)
        return ipr_param_refuse(err, "calibration", wanted,
                                "a calibration of /api/v1/calibrations");
    c->reason = setting_reason(c, IPR_REASON_SETTING_NO_CALIBRATION, NULL, wanted);
    return IPR_OK;
}

/* True if one engine searches to the same limit, whatever the number of lines. */
static bool setting_same_engine(const struct ipr_judge *a, const struct ipr_judge *b)
{
    return a->depth == b->depth && a->nodes == b->nodes && a->time_ms == b->time_ms &&
           strcmp(a->engine, b->engine) == 0 && strcmp(a->network, b->network) == 0 &&
           strcmp(a->options, b->options) == 0;
}

/* Figures of two settings are mixed only if that is requested by name; the answer then says so. The
 * choice model needs the evaluations of the moves that were not chosen. */
static void setting_match_calibration(struct ipr_view_context *c)
{
    if (c->calibration != NULL && c->judge_id &&
        !ipr_judge_same(&c->calibration->judge, &c->judge)) {
        c->mismatch = c->v->calibration != NULL;
        if (!c->mismatch) {
            c->reason = setting_reason(c, IPR_REASON_SETTING_OTHER_CALIBRATION,
                                       ipr_view_judge_text(&c->calibration->judge, c->v->mem),
                                       c->calibration_name);
            if (setting_same_engine(&c->calibration->judge, &c->judge)) {
                c->neighbour = c->calibration;
                c->calibration = NULL;
            }
            ipr_calibration_release(&c->calibration);
        }
    }
    if (c->judge.multipv != 1)
        return;
    if (c->judge_id) /* else nothing has been analysed at all, which is the reason for any request
                      */
        c->reason = setting_reason(c, IPR_REASON_SETTING_FEW_LINES, c->judge.name, NULL);
    ipr_calibration_release(&c->calibration);
}

/* ---- the classes of time control ---- */

enum ipr_code ipr_setting_times(struct ipr_db *db, const struct ipr_times_scope *scope,
                                struct ipr_arena *mem, unsigned *times, struct ipr_err *err)
{
    struct ipr_db_time_games *rows = NULL;
    int64_t most = 0;
    size_t n = 0;

    *times = 0;
    const enum ipr_code rc =
        ipr_db_class_games(db, (int32_t)scope->player, (int)scope->year, (int32_t)scope->event,
                           scope->upload, mem, &rows, &n, err);
    for (size_t i = 0; rc == IPR_OK && i < IPR_POOLS; i++) {
        const struct ipr_pool *const pool = ipr_pool_at(i);
        int64_t games = 0;

        for (size_t k = 0; k < n; k++)
            games += (pool->times & IPR_TIME_BIT(rows[k].time_class)) != 0 ? rows[k].games : 0;
        const bool otb = scope->event == 0 && scope->upload == 0 && most > 0 && *times == 0 &&
                         pool->times < IPR_TIME_BIT(IPR_TIME_ONLINE_CLASSICAL);
        if (games > 0 && pool->moves.fit != NULL) /* before all games without a scale */
            games += INT32_MAX;
        if (games > most && !otb) { /* lists have the player by the standard games */
            most = games;
            *times = i > 0 ? pool->times : 0;
        }
    }
    return rc;
}

/* ---- the context ---- */

struct ipr_view_context ipr_setting_games(const struct ipr_view *v)
{
    struct ipr_view_context c = { .v = v, .pool = ipr_pool_of(v->time_classes), .reason = "" };

    c.times = v->time_classes ? v->time_classes : c.pool->times;
    return c;
}

const struct ipr_pool *ipr_setting_pool(const struct ipr_view_context *c, unsigned classes)
{
    return classes != 0 ? ipr_pool_of(classes) : c->pool;
}

/* `named` NULL: the default one for methods of many lines. */
static enum ipr_code setting_open(const struct ipr_view *v, const char *named, bool requested,
                                  struct ipr_view_context *out, struct ipr_err *err)
{
    struct ipr_view_context c = ipr_setting_games(v);

    enum ipr_code rc = setting_open_calibration(&c, err);
    if (rc == IPR_OK)
        rc = setting_find_default(&c, err);
    if (rc == IPR_OK)
        rc = setting_find(&c, named, requested, err);
    if (rc != IPR_OK) {
        ipr_calibration_release(&c.calibration);
        return rc;
    }
    setting_match_calibration(&c);
    *out = c;
    return IPR_OK;
}

/* NULL: the configured one if it is wide, else that of the calibration. */
static const char *setting_name(const struct ipr_view *v, enum ipr_purpose purpose)
{
    if (purpose == IPR_FOR_LINES)
        return NULL;
    return purpose == IPR_FOR_QUEUE ? ipr_setting_queue(v->config, NULL)
                                    : ipr_setting_name(purpose);
}

/* A setting that is not stored has analysed nothing; the first is counted all the same. */
static enum ipr_code setting_count(const struct ipr_setting_scope *scope, size_t i,
                                   const struct ipr_view_context *c, int64_t *n,
                                   struct ipr_err *err)
{
    *n = c->judge_turns;
    return scope->count != NULL && (c->judge_id != 0 || i == 0)
               ? scope->count(scope->of, i, c, n, err)
               : IPR_OK;
}

enum ipr_code ipr_setting_for(const struct ipr_view *v, enum ipr_purpose purpose,
                              const struct ipr_setting_scope *scope, struct ipr_view_context *out,
                              struct ipr_err *err)
{
    static const struct ipr_setting_scope everything = { .judge = NULL };
    const struct setting_rule own = { { purpose }, 1, false };
    const struct setting_rule *const rule = purpose < IPR_FOR_PLAYER ? &own : &rules[purpose];
    struct ipr_view_context next;
    int64_t n = 0, best = 0;

    scope = scope != NULL ? scope : &everything;
    const bool asked = scope->judge != NULL && *scope->judge != '\0';
    enum ipr_code rc =
        setting_open(v, asked ? scope->judge : setting_name(v, rule->try[0]), asked, out, err);
    if (rc != IPR_OK)
        return rc;
    if (asked || rule->n > 1)
        rc = setting_count(scope, 0, out, &best, err);
    for (size_t i = 1; rc == IPR_OK && !asked && i < rule->n && (rule->most || best == 0); i++) {
        rc = setting_open(v, setting_name(v, rule->try[i]), false, &next, err);
        if (rc != IPR_OK)
            break;
        rc = setting_count(scope, i, &next, &n, err);
        if (rc == IPR_OK && n > best) {
            best = n;
            next.candidate = i;
            ipr_view_context_close(out);
            *out = next;
        } else {
            ipr_view_context_close(&next);
        }
    }
    if (rc != IPR_OK)
        ipr_view_context_close(out);
    return rc;
}
