/* Which answers take long to compute, by their parameters (`cost heavy` in server/resources.def).
 */
#include "resource/set.h"
#include "view/view.h"

/* Ratings of one year or of the whole career are cached; other requests may take long. */
bool ipr_ratings_are_heavy(const struct ipr_ratings_request *p)
{
    int from, to;

    ipr_view_years(p->year, p->from, p->to, &from, &to);
    const bool career = from == 0 && to == 0 && p->event == 0;
    return p->include != 0 || from != to || (career && p->color >= 0);
}

/* Each pair is a head to head, and of a phase the moves are read. */
bool ipr_careers_are_heavy(const struct ipr_careers_request *p)
{
    for (size_t i = 0; i < p->set.n; i++) {
        struct ipr_set set = { 0 };

        if (ipr_set_read(p->set.v[i], &set, NULL) == IPR_OK && set.phases != 0)
            return true;
    }
    return p->set.n > 2;
}

bool ipr_event_is_heavy(const struct ipr_event_request *p)
{
    const struct ipr_event_request init = IPR_EVENT_REQUEST_INIT;

    return p->limit > init.limit;
}

/* A resampling of one's own is of no other client, and no cache spares it. */
bool ipr_prediction_is_heavy(const struct ipr_prediction_request *p)
{
    return p->replicates > 0 || p->seed != IPR_PARAM_ABSENT;
}
