/* Judging, for users who wait for it: progress, time remaining, failures. */
#include "view/queue/analyses.h"

#include <math.h>
#include <string.h>

#include "db/players.h"
#include "resource/cursor.h"
#include "view/json.h"
#include "view/rows.h"

/* ---- how far, how long ---- */

/* "about 3 minutes"; "at least 3 minutes". */
static json_t *duration_json(double seconds, bool at_least)
{
    static const struct {
        double below, unit; /* seconds */
        const char *one, *many;
    } units[] = {
        { 90.0 * 60.0, 60.0, "a minute", "minutes" },
        { 36.0 * 3600.0, 3600.0, "an hour", "hours" },
        { INFINITY, 86400.0, "a day", "days" },
    };
    const char *word = at_least ? "at least" : "about";
    size_t i = 0;

    if (seconds < (at_least ? 60.0 : 45.0))
        return json_string(at_least ? "at least some seconds" : "less than a minute");
    while (seconds >= units[i].below)
        i++;
    const double n = seconds / units[i].unit;
    const double whole = at_least ? floor(n) : round(n);
    return whole < 2.0 ? json_sprintf("%s %s", word, units[i].one)
                       : json_sprintf("%s %.0f %s", word, whole, units[i].many);
}

/* The reason why the time of all turns, or of the rest, is not known. New reference. */
static json_t *why_unknown(const struct ipr_db_progress *p, bool rest)
{
    static const struct {
        const char *reason, *all, *rest;
    } words[] = {
        { "no_worker", "no worker with the engine is running",
          "for the others no worker with the engine is running" },
        { "external", "other people's machines analyse them",
          "other people's machines analyse the others" },
    };

    if (strcmp(p->unknown, "not_measured") == 0)
        return p->unmeasured[0] != '\0'
                   ? json_sprintf("no move has been timed yet with the engine setting %s",
                                  p->unmeasured)
                   : json_string("no move has been timed yet with the engine setting");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].reason, p->unknown) == 0)
            return json_string(rest ? words[i].rest : words[i].all);
    return json_string(p->unknown);
}

json_t *ipr_view_remaining(const struct ipr_db_progress *p)
{
    const bool some = p->seconds >= 0.0, all = some && p->unknown == NULL;

    if (p->ready + p->running == 0)
        return p->paused > 0 ? json_string("paused") : json_null();
    if (all)
        return duration_json(p->seconds, false);
    if (p->unknown == NULL)
        return json_string("not known");
    json_t *why = why_unknown(p, some), *text;
    if (some) {
        json_t *time = duration_json(p->seconds, true);
        text = json_sprintf("%s (%s)", json_string_value(time), json_string_value(why));
        json_decref(time);
    } else {
        text = json_sprintf("not known, since %s", json_string_value(why));
    }
    json_decref(why);
    return text;
}

void ipr_view_set_reason(const struct ipr_db_progress *p, json_t *out)
{
    if (p->unknown == NULL)
        return;
    json_object_set_new(out, "reason", json_string(p->unknown));
    if (p->unmeasured[0] != '\0')
        json_object_set_new(out, "reason_judge", json_string(p->unmeasured));
}

json_t *ipr_view_progress_json(enum ipr_shape_id shape, const struct ipr_db_progress *p)
{
    const bool known = p->seconds >= 0.0;
    json_t *out = ipr_row_json(shape, p);

    json_object_set_new(out, "seconds", known ? json_real(ceil(p->seconds)) : json_null());
    json_object_set_new(out, "at_least", json_boolean(known && p->unknown != NULL));
    json_object_set_new(out, "remaining", ipr_view_remaining(p));
    return out;
}

enum ipr_code ipr_view_add_judging(const struct ipr_view *v, const struct ipr_db_selection *s,
                                   json_t *out, struct ipr_err *err)
{
    struct ipr_db_progress p = { 0 };

    const enum ipr_code rc = ipr_db_analyses_progress(v->db, s, &p, err);
    if (rc == IPR_OK)
        json_object_set_new(out, "judging", ipr_view_progress_json(IPR_SHAPE_PROGRESS, &p));
    return rc;
}

enum ipr_code ipr_view_add_queue(const struct ipr_view *v, json_t *out, struct ipr_err *err)
{
    const struct ipr_db_selection whole = { 0 };
    struct ipr_db_progress p = { 0 };
    struct ipr_db_queue q = { 0 };

    enum ipr_code rc = ipr_db_analyses_progress(v->db, &whole, &p, err);
    if (rc == IPR_OK)
        rc = ipr_db_queue_state(v->db, &q, err);
    if (rc != IPR_OK)
        return rc;
    json_t *queue = ipr_view_progress_json(IPR_SHAPE_PROGRESS_COUNTS, &p);
    json_object_set_new(queue, "judged_games", json_integer(q.judged_games));
    json_object_set_new(queue, "judged_turns", json_integer(q.judged_turns));
    json_object_set_new(out, "queue", queue);
    return IPR_OK;
}

enum ipr_code ipr_view_selection(const struct ipr_view *v, struct ipr_db_selection *s,
                                 struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_db_player p;

    if (s->person != 0) {
        const enum ipr_code rc =
            ipr_db_player_get(v->db, s->person, 0, IPR_TIME_SET_ALL, v->mem, &p, &why);
        if (rc == IPR_ENOTFOUND)
            return ipr_err_set(err, rc, "no player %d", (int)s->person);
        if (rc != IPR_OK)
            return ipr_err_at(err, rc, why.type, 0, 0, -1, "%s", why.msg);
        s->person = p.id;
    }
    return ipr_db_selection_check(v->db, s, err);
}

/* The data of an event stream: {"judging" of the selection, "player", "year", "done"}, or of the
 * whole queue {"queue", "done": false}. */
enum ipr_code ipr_view_judging(const struct ipr_view *v, const struct ipr_db_selection *s,
                               json_t **out, struct ipr_err *err)
{
    struct ipr_db_selection games = *s;
    struct ipr_db_progress p = { 0 };
    json_t *judging = NULL;
    enum ipr_code rc;

    if (s->person == 0) {
        judging = json_pack("{s:b}", "done", 0);
        rc = ipr_view_add_queue(v, judging, err);
    } else {
        rc = ipr_view_selection(v, &games, err);
        if (rc == IPR_OK)
            rc = ipr_db_analyses_progress(v->db, &games, &p, err);
        if (rc == IPR_OK)
            judging = json_pack("{s:i, s:o, s:o, s:b}", "player", (int)games.person, "year",
                                ipr_json_known(games.year), "judging",
                                ipr_view_progress_json(IPR_SHAPE_PROGRESS, &p), "done",
                                p.ready + p.running == 0);
    }
    if (rc == IPR_OK)
        *out = judging;
    else
        json_decref(judging);
    return rc;
}

/* ---- lists ---- */

/* Jobs of a selection in one of the queue's own states. */
static enum ipr_code add_jobs(const struct ipr_view *v, const struct ipr_db_selection *s,
                              const struct ipr_analyses_request *p, int64_t after, json_t *out,
                              struct ipr_err *err)
{
    static const char *const states[] = { [IPR_ANALYSES_STATE_READY] = "ready",
                                          [IPR_ANALYSES_STATE_RUNNING] = "leased",
                                          [IPR_ANALYSES_STATE_PAUSED] = "paused",
                                          [IPR_ANALYSES_STATE_FAILED] = "failed" };
    const char *state = p->state >= 0 ? states[p->state] : NULL;
    const size_t limit = (size_t)p->limit;
    struct ipr_db_analysis *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc =
        ipr_db_analyses_list(v->db, s, state, after, p->limit + 1, v->mem, &rows, &n, err);
    json_object_set_new(out, "analyses",
                        ipr_rows_json(IPR_SHAPE_ANALYSIS, rows, n < limit ? n : limit));
    json_object_set_new(
        out, "next", n > limit ? json_sprintf("%lld", (long long)rows[limit - 1].id) : json_null());
    return rc;
}

/* Games not judged yet, ascending by id. */
enum ipr_code ipr_view_analyses(const struct ipr_view *v, const struct ipr_analyses_request *p,
                                json_t **out, struct ipr_err *err)
{
    struct ipr_db_selection games = { .upload = p->upload,
                                      .game = p->game,
                                      .person = p->player,
                                      .year = p->year,
                                      .judge = p->judge };
    json_t *answer = json_object();
    int64_t after;

    enum ipr_code rc = ipr_param_cursor(p->after, INT64_MAX, &after, err);
    if (rc == IPR_OK)
        rc = ipr_view_selection(v, &games, err);
    if (rc == IPR_OK)
        rc = ipr_view_add_judging(v, &games, answer, err);
    if (rc == IPR_OK)
        rc = add_jobs(v, &games, p, after, answer, err);
    if (rc == IPR_OK)
        *out = answer;
    else
        json_decref(answer);
    return rc;
}

enum ipr_code ipr_view_add_running(const struct ipr_view *v, json_t *out, struct ipr_err *err)
{
    struct ipr_db_running *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_jobs_running(v->db, v->mem, &rows, &n, err);
    json_object_set_new(out, "running", ipr_rows_json(IPR_SHAPE_RUNNING_GAME, rows, n));
    return rc;
}
