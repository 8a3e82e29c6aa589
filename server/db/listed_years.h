#ifndef IPR_DB_LISTED_YEARS_H
#define IPR_DB_LISTED_YEARS_H

#include "db/db.h"
#include "model/strength_engines.h"
#include "model/strength_shipped.h"
#include "model/trajectory.h"

/* Stored lists of player-years and careers with their ratings. They are filled, and what has
 * changed is computed again, in parts which are committed one by one: what a process that ends has
 * done stays done, and others go on. Any number of processes may. */

/** Type of IPR_ERETRY while a list is not complete. */
#define IPR_DB_LIST_INCOMPLETE "list_incomplete"

/** Version of what is listed: ratings, and strengths over time. */
#define IPR_DB_LIST_VERSION (100 * IPR_TRAJECTORY_VERSION + IPR_STRENGTH_VERSION)

/** The list of a judge and of these classes of time control (a set of IPR_TIME_BIT), up to date, of
 * careers as played and their years, or of careers for their time (model/trajectory.h).
 * Works on it for a few seconds; IPR_ERETRY IPR_DB_LIST_INCOMPLETE if that did not complete it. */
IPR_CHECK enum ipr_code ipr_db_year_list(struct ipr_db *db, int32_t judge_id, unsigned times,
                                         bool for_its_time, int32_t *id, struct ipr_err *err);

/** The same for whom a part of it is of use: where it was not completed, *complete is false, and
 * *id 0 if it was not begun. */
IPR_CHECK enum ipr_code ipr_db_year_list_so_far(struct ipr_db *db, int32_t judge_id, unsigned times,
                                                bool for_its_time, int32_t *id, bool *complete,
                                                struct ipr_err *err);

/** For a thread without deadline: the next part of a list that is not complete, of many changes, or
 * of deleting a list that was not requested for a day, if there is any. */
IPR_CHECK enum ipr_code ipr_db_year_lists_work(struct ipr_db *db, bool *worked,
                                               struct ipr_err *err);

struct ipr_db_year_list_part {
    int32_t judge_id;
    unsigned times;
    bool for_its_time;
    int at_once;    /* players, or changes */
    int32_t id;     /* set: the list, or 0 before it exists */
    int32_t filled; /* set: the players up to this id are listed; -1: all */
    bool complete;  /* set: filled, and without changes from before this part */
};
/** One part of the list. */
IPR_CHECK enum ipr_code ipr_db_year_list_go_on(struct ipr_db *db, struct ipr_db_year_list_part *p,
                                               struct ipr_err *err);

#include "queries/listed_years.h"

#endif
