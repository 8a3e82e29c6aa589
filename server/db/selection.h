#ifndef IPR_DB_SELECTION_H
#define IPR_DB_SELECTION_H

#include "db/analyses.h"
#include "db/pq.h"

/** True if no games are selected: the selection is the queue, or a judge in it. */
static inline bool ipr_db_is_whole_queue(const struct ipr_db_selection *s)
{
    return s->upload == 0 && s->game == 0 && s->person == 0;
}

#endif
