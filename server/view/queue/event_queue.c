/* The queue on an event's page: its games in it, and the time that the rest would take. */
#include "core/setting.h"
#include "db/analyses.h"
#include "db/strength.h"
#include "db/tournaments.h"
#include "view/json.h"
#include "view/queue/analyses.h"
#include "view/rows.h"

/* The time is that of all games queued for the rating, of which the event's are a part. */
static enum ipr_code event_queue_json(const struct ipr_view *v, int32_t event, json_t *out,
                                      struct ipr_err *err)
{
    const struct ipr_judge rating = ipr_setting_rating();
    const struct ipr_db_selection all = { .judge = rating.name };
    struct ipr_db_event_queue q = { 0 };
    struct ipr_db_progress p = { 0 };
    struct ipr_answer_queue_offer *offer = NULL;

    enum ipr_code rc = ipr_db_event_queue(v->db, event, rating.name, &q, err);
    if (rc == IPR_OK && q.ready + q.running > 0)
        rc = ipr_db_analyses_progress(v->db, &all, &p, err);
    if (rc == IPR_OK)
        rc = ipr_view_offer_of(v, &rating, q.games, q.turns, &offer, err);
    if (rc != IPR_OK)
        return rc;
    const struct ipr_db_progress own = {
        .ready = q.ready, .running = q.running, .paused = q.paused, .failed = q.failed
    };
    json_t *const judging = ipr_row_json(IPR_SHAPE_STEERED_GAMES, &own);
    json_object_set_new(
        judging, "remaining",
        ipr_json_text(q.ready + q.running > 0 ? ipr_view_remaining(&p, v->mem) : NULL));
    json_object_set_new(out, "judging", judging);
    json_object_set_new(out, "rating_offer",
                        offer != NULL ? ipr_shape_json(IPR_SHAPE_QUEUE_OFFER, offer) : json_null());
    return IPR_OK;
}

enum ipr_code ipr_view_event_page(const struct ipr_view *v, const struct ipr_event_request *p,
                                  json_t **out, struct ipr_err *err)
{
    json_t *event = NULL, *queue = json_object();

    enum ipr_code rc = ipr_view_event(v, p, &event, err);
    if (rc == IPR_OK)
        rc = event_queue_json(v, p->event, queue, err);
    if (rc != IPR_OK) {
        json_decref(event);
        json_decref(queue);
        return rc;
    }
    json_object_set_new(event, "queue", queue);
    *out = event;
    return IPR_OK;
}
