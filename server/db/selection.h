#ifndef IPR_DB_SELECTION_H
#define IPR_DB_SELECTION_H

#include "db/analyses.h"
#include "db/pq.h"

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
