#ifndef IPR_DB_SELECTION_H
#define IPR_DB_SELECTION_H

#include "db/analyses.h"
#include "db/pq.h"

/** Whether no games are selected: the queue is meant, or a judge in it. */
static inline bool ipr_db_is_whole_queue(const struct ipr_db_selection *s)
{
    return s->upload == 0 && s->game == 0 && s->person == 0;
}

/** Adds the five parameters of selected_jobs (sql/migrations/0004_judging.sql): upload, game,
 * person, year, judge. */
static inline void ipr_db_p_selection(struct ipr_db_params *p, const struct ipr_db_selection *s)
{
    ipr_db_p_int(p, s->upload);
    ipr_db_p_int(p, s->game);
    ipr_db_p_int(p, s->person);
    ipr_db_p_int(p, s->year);
    ipr_db_p_text(p, s->judge);
}

#endif
