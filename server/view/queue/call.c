/* What is judged of a player's games, what is being judged, and what it would take to judge the
 * rest for a rating. */
#include <math.h>
#include <stdio.h>

#include "db/monitor.h"
#include "db/workers.h"
#include "view/context.h"
#include "view/json.h"
#include "view/queue/analyses.h"

/* Judges games that the configured one, being narrow, gives no rating for. */
#define WIDE_JUDGE "standard"

static enum ipr_code add_judged_by(const struct ipr_view *v, int32_t person, int year, json_t *out,
                                   struct ipr_err *err)
{
    struct ipr_db_judged_by *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_judged_by(v->db, person, year, v->mem, &rows, &n, err);
    if (rc != IPR_OK)
        return rc;
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(
            list, json_pack("{s:i, s:s, s:i, s:I, s:I}", "id", (int)rows[i].judge_id, "name",
                            rows[i].name, "multipv", rows[i].multipv, "games",
                            (json_int_t)rows[i].games, "turns", (json_int_t)rows[i].turns));
    json_object_set_new(out, "judged_by", list);
    return IPR_OK;
}

/** The judge of the page when ratings rest on it, else the configured one, else WIDE_JUDGE. */
static enum ipr_code find_wide(const struct ipr_view_context *c, struct ipr_judge *out,
                               struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    const char *name = c->judge.multipv > 1 ? c->judge.name : c->v->config->judge;

    enum ipr_code rc = ipr_db_definition_get(c->v->db, name, out, &why);
    if (rc == IPR_ENOTFOUND || (rc == IPR_OK && out->multipv == 1)) {
        ipr_err_clear(&why);
        rc = ipr_db_definition_get(c->v->db, WIDE_JUDGE, out, &why);
    }
    return rc == IPR_OK ? rc : ipr_err_set(err, rc, "%s", why.msg);
}

/** Whether a list of words has this one. */
static bool has_word(const char *list, const char *word)
{
    struct ipr_str rest = ipr_str_c(list), one;

    while (ipr_str_word(&rest, &one))
        if (ipr_str_is(one, word))
            return true;
    return false;
}

static enum ipr_code count_engines(const struct ipr_view *v, const char *program, int *out,
                                   struct ipr_err *err)
{
    struct ipr_db_worker *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_workers(v->db, v->mem, &rows, &n, err);
    *out = 0;
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        if (has_word(rows[i].engines, program))
            *out += rows[i].threads;
    return rc;
}

/* Adds the games that would be queued, a turn taking turn_s, to the time of what is ahead: an
 * engine takes a game at a time, so no less than one game takes. What is known of the two is a
 * lower bound. */
static void add_own(const char *judge, double turn_s, int64_t games, int64_t turns,
                    struct ipr_db_progress *p)
{
    const double ahead = p->seconds, own = (double)turns * turn_s;

    if (p->engines > 0 && turn_s >= 0.0) {
        const double together = (p->engine_seconds + own) / p->engines;

        p->seconds = fmax(fmax(ahead, together), own / (double)games);
        return;
    }
    p->seconds = ahead > 0.0 ? ahead : -1.0;
    p->unknown = p->engines == 0 ? "no_worker" : "not_measured";
    snprintf(p->unmeasured, sizeof p->unmeasured, "%s", p->engines == 0 ? "" : judge);
}

/** Until games are judged that would be queued now, behind what is queued for the judge already. */
static enum ipr_code estimate(const struct ipr_view *v, const struct ipr_judge *judge,
                              int64_t games, int64_t turns, struct ipr_db_progress *out,
                              struct ipr_err *err)
{
    const struct ipr_db_selection queued = { .judge = judge->name };
    double turn_s = -1.0;

    enum ipr_code rc = ipr_db_analyses_progress(v->db, &queued, out, err);
    if (rc == IPR_OK)
        rc = count_engines(v, judge->program, &out->engines, err);
    if (rc == IPR_OK)
        rc = ipr_db_turn_cost(v->db, judge->name, &turn_s, err);
    if (rc != IPR_OK)
        return rc;
    if (out->ready + out->running == 0) { /* nothing is ahead */
        out->seconds = 0.0;
        out->unknown = NULL;
    }
    add_own(judge->name, turn_s, games, turns, out);
    return IPR_OK;
}

static enum ipr_code add_offer(const struct ipr_view_context *c, int32_t person, int year,
                               json_t *out, struct ipr_err *err)
{
    struct ipr_db_progress p = { 0 };
    struct ipr_judge judge;
    int64_t games = 0, turns = 0;

    enum ipr_code rc = find_wide(c, &judge, err);
    if (rc == IPR_OK)
        rc = ipr_db_unjudged(c->v->db, person, year, judge.name, &games, &turns, err);
    if (rc == IPR_OK && games > 0)
        rc = estimate(c->v, &judge, games, turns, &p, err);
    if (rc != IPR_OK)
        return rc;
    if (games == 0) {
        json_object_set_new(out, "offer", json_null());
        return IPR_OK;
    }
    const bool known = p.seconds >= 0.0;
    json_t *offer = json_pack("{s:s, s:I, s:I, s:o, s:b}", "judge", judge.name, "games",
                              (json_int_t)games, "turns", (json_int_t)turns, "seconds",
                              known ? json_real(ceil(p.seconds)) : json_null(), "at_least",
                              known && p.unknown != NULL);
    p.ready = games; /* as it would be */
    json_object_set_new(offer, "remaining", ipr_view_remaining(&p));
    ipr_view_set_reason(&p, offer);
    json_object_set_new(out, "offer", offer);
    return IPR_OK;
}

enum ipr_code ipr_view_add_offer(const struct ipr_view_context *c, int32_t person, int year,
                                 json_t *out, struct ipr_err *err)
{
    const struct ipr_db_selection games = { .person = person, .year = year };

    enum ipr_code rc = ipr_view_add_judging(c->v, &games, out, err);
    if (rc == IPR_OK)
        rc = add_judged_by(c->v, person, year, out, err);
    if (rc == IPR_OK)
        rc = add_offer(c, person, year, out, err);
    return rc;
}
