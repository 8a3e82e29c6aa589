/* How long games would take that are not queued yet. */
#include <math.h>
#include <stdio.h>

#include "db/workers.h"
#include "view/figure/figure.h"
#include "view/queue/analyses.h"

/* True if a list of words has this one. */
static bool offer_has_word(const char *list, const char *word)
{
    struct ipr_str rest = ipr_str_c(list), one;

    while (ipr_str_word(&rest, &one))
        if (ipr_str_is(one, word))
            return true;
    return false;
}

static enum ipr_code offer_engines(const struct ipr_view *v, const char *program, int *out,
                                   struct ipr_err *err)
{
    struct ipr_db_worker *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_workers(v->db, v->mem, &rows, &n, err);
    *out = 0;
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        if (offer_has_word(rows[i].engines, program))
            *out += rows[i].threads;
    return rc;
}

/* Adds the time of the games that would be queued, at turn_s a turn, to the time of those ahead: an
 * engine analyses one game at a time, so at least the time of one game. If only one of the two is
 * known it is a lower bound. */
static void offer_add_own(const char *judge, double turn_s, int64_t games, int64_t turns,
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

/* Time until games that would be queued now are judged, after those queued for the judge
 * already. */
static enum ipr_code offer_estimate(const struct ipr_view *v, const struct ipr_judge *judge,
                                    int64_t games, int64_t turns, struct ipr_db_progress *out,
                                    struct ipr_err *err)
{
    const struct ipr_db_selection queued = { .judge = judge->name };
    double *turn_s = NULL;
    size_t n = 0;

    enum ipr_code rc = ipr_db_analyses_progress(v->db, &queued, out, err);
    if (rc == IPR_OK)
        rc = offer_engines(v, judge->program, &out->engines, err);
    if (rc == IPR_OK)
        rc = ipr_db_judge_speeds(v->db, (const char *[]){ judge->name }, 1, v->mem, &turn_s, &n,
                                 err);
    if (rc != IPR_OK)
        return rc;
    if (out->ready + out->running == 0) { /* nothing is ahead */
        out->seconds = 0.0;
        out->unknown = NULL;
    }
    offer_add_own(judge->name, turn_s[0], games, turns, out);
    return IPR_OK;
}

enum ipr_code ipr_view_offer_of(const struct ipr_view *v, const struct ipr_judge *judge,
                                int64_t games, int64_t turns, struct ipr_answer_queue_offer **out,
                                struct ipr_err *err)
{
    struct ipr_db_progress p = { 0 };

    *out = NULL;
    const enum ipr_code rc = games > 0 ? offer_estimate(v, judge, games, turns, &p, err) : IPR_OK;
    if (rc != IPR_OK || games == 0)
        return rc;
    p.ready = games; /* as if they were queued */
    const struct ipr_answer_queue_offer offer = {
        .judge = ipr_arena_printf(v->mem, "%s", judge->name),
        .games = (size_t)games,
        .turns = (size_t)turns,
        .seconds = ipr_number_if(p.seconds >= 0.0, ceil(p.seconds)),
        .at_least = p.seconds >= 0.0 && p.unknown != NULL,
        .remaining = ipr_view_remaining(&p, v->mem),
        .reason = p.unknown,
        .reason_judge = ipr_arena_printf(v->mem, "%s", p.unmeasured),
    };
    *out = ipr_shape_copy(IPR_SHAPE_QUEUE_OFFER, &offer, v->mem);
    return IPR_OK;
}
