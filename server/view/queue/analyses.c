/* Judging, for users who wait for it: progress, time remaining, failures. */
#include "view/queue/analyses.h"

#include <math.h>
#include <string.h>

#include "db/players.h"
#include "resource/cursor.h"
#include "sentence/sentence.h"
#include "view/json.h"
#include "view/rows.h"

/* ---- how far, how long ---- */

/* A bound is not rounded up. */
static enum ipr_queue_remaining remaining_case(double seconds, bool least, double *n)
{
    static const struct {
        double below, unit; /* seconds */
        enum ipr_queue_remaining as;
    } units[] = { { 90. * 60., 60., IPR_QUEUE_REMAINING_MINUTES },
                  { 36. * 3600., 3600., IPR_QUEUE_REMAINING_HOURS },
                  { INFINITY, 86400., IPR_QUEUE_REMAINING_DAYS } };
    size_t i = 0;

    if (seconds < (least ? 60. : 45.))
        return IPR_QUEUE_REMAINING_SECONDS;
    while (seconds >= units[i].below)
        i++;
    *n = fmax(1, least ? floor(seconds / units[i].unit) : round(seconds / units[i].unit));
    return units[i].as;
}

const char *ipr_view_remaining(const struct ipr_db_progress *p, struct ipr_arena *mem)
{
    static const char *const unknown[] = {
        [IPR_QUEUE_UNTIMED_NO_WORKER] = "no_worker", [IPR_QUEUE_UNTIMED_EXTERNAL] = "external"
    };
    const bool some = p->seconds >= 0.;
    size_t why = 0;
    struct ipr_queue_remaining_slots slots = { .least = some && p->unknown != NULL };
    enum ipr_queue_remaining as = IPR_QUEUE_REMAINING_UNKNOWN;

    if (p->ready + p->running == 0 && p->paused == 0)
        return NULL;
    if (p->unknown != NULL && p->ready + p->running > 0) {
        const struct ipr_queue_untimed_slots of = {
            .rest = some, .setting = p->unmeasured[0] != '\0' ? p->unmeasured : NULL
        };

        while (why < IPR_QUEUE_UNTIMED_NOT_MEASURED && strcmp(unknown[why], p->unknown) != 0)
            why++;
        slots.why = ipr_say_queue_untimed((enum ipr_queue_untimed)why, &of, mem);
    }
    if (p->ready + p->running == 0)
        as = IPR_QUEUE_REMAINING_PAUSED;
    else if (some)
        as = remaining_case(p->seconds, slots.least, &slots.n);
    return ipr_say_queue_remaining(as, &slots, mem);
}

json_t *ipr_view_progress_json(enum ipr_shape_id shape, const struct ipr_db_progress *p,
                               struct ipr_arena *mem)
{
    const bool known = p->seconds >= 0.0;
    json_t *out = ipr_row_json(shape, p);

    json_object_set_new(out, "seconds", known ? json_real(ceil(p->seconds)) : json_null());
    json_object_set_new(out, "at_least", json_boolean(known && p->unknown != NULL));
    json_object_set_new(out, "remaining", ipr_json_text(ipr_view_remaining(p, mem)));
    return out;
}

enum ipr_code ipr_view_add_judging(const struct ipr_view *v, const struct ipr_db_selection *s,
                                   const char *key, json_t *out, struct ipr_err *err)
{
    struct ipr_db_progress p = { 0 };

    const enum ipr_code rc = ipr_db_analyses_progress(v->db, s, &p, err);
    if (rc == IPR_OK)
        json_object_set_new(out, key, ipr_view_progress_json(IPR_SHAPE_PROGRESS, &p, v->mem));
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
    json_t *queue = ipr_view_progress_json(IPR_SHAPE_PROGRESS_COUNTS, &p, v->mem);
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
                                ipr_view_progress_json(IPR_SHAPE_PROGRESS, &p, v->mem), "done",
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
        rc = ipr_view_add_judging(v, &games, "judging", answer, err);
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
