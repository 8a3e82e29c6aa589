#ifndef IPR_DB_MONITOR_H
#define IPR_DB_MONITOR_H

#include "db/db.h"

/* What those look at who keep judging going; nothing here is changed. */

/** Jobs of a judge in a state: "ready", "running", "paused" or "failed"; kind "judge" or "check".
 */
struct ipr_db_job_count {
    const char *judge, *kind, *state;
    int64_t jobs;
    double oldest_s; /* since the first of them was queued, of those that are ready; else 0 */
};
IPR_CHECK enum ipr_code ipr_db_job_counts(struct ipr_db *db, struct ipr_arena *mem,
                                          struct ipr_db_job_count **rows, size_t *n,
                                          struct ipr_err *err);

/** Reports of a kind in a state: "wanted", "running", "kept" or "failed". */
struct ipr_db_report_count {
    const char *kind, *state;
    int64_t reports;
};
IPR_CHECK enum ipr_code ipr_db_report_counts(struct ipr_db *db, struct ipr_arena *mem,
                                             struct ipr_db_report_count **rows, size_t *n,
                                             struct ipr_err *err);

/** What slows the queue down: a snapshot that is held, for it keeps the dead entries of finished
 * jobs in place. */
struct ipr_db_health {
    int64_t xmin_age;             /* transactions since the oldest snapshot or slot */
    double oldest_snapshot_s;     /* seconds since the oldest transaction that holds one began */
    int64_t live_jobs, dead_jobs; /* rows of the table of jobs, as PostgreSQL estimates */
};
IPR_CHECK enum ipr_code ipr_db_health(struct ipr_db *db, struct ipr_db_health *out,
                                      struct ipr_err *err);

/** Waiting jobs of an owner in a priority, for engines of a program. */
struct ipr_db_waiting_owner {
    const char *owner, *program;
    int priority;
    int64_t jobs;
    int64_t place; /* of the first of them; owners take turns by it */
};
/** In the order in which they come next, whatever the local program, and then those of fishnet; at
 * most `limit`. */
IPR_CHECK enum ipr_code ipr_db_waiting_owners(struct ipr_db *db, int limit, struct ipr_arena *mem,
                                              struct ipr_db_waiting_owner **rows, size_t *n,
                                              struct ipr_err *err);

struct ipr_db_waiting_game {
    int64_t id, game_id, place;
    const char *white, *black, *event, *judge, *owner, *program;
    int year, priority;
};
/** The games that are judged next. */
IPR_CHECK enum ipr_code ipr_db_waiting_games(struct ipr_db *db, int limit, struct ipr_arena *mem,
                                             struct ipr_db_waiting_game **rows, size_t *n,
                                             struct ipr_err *err);

/** An upload with jobs of a judge, newest uploads first. */
struct ipr_db_upload_jobs {
    int64_t id;
    const char *source, *created, *judge;
    const char *white, *black, *event; /* of one of its first games */
    const char *owner;                 /* who queued them, the first of `owners` by name */
    int owners;
    int64_t games; /* accepted, whatever became of them */
    int priority;  /* the first */
    int64_t ready, running, paused, failed;
};
IPR_CHECK enum ipr_code ipr_db_upload_jobs(struct ipr_db *db, int limit, struct ipr_arena *mem,
                                           struct ipr_db_upload_jobs **rows, size_t *n,
                                           struct ipr_err *err);

/** Games of a person (a root), in a year unless it is 0, which no judge of this name has judged and
 * which are not queued for it; *turns: how many turns they are for it, from their plies. */
IPR_CHECK enum ipr_code ipr_db_unjudged(struct ipr_db *db, int32_t person, int year,
                                        const char *judge, int64_t *games, int64_t *turns,
                                        struct ipr_err *err);

/** What a judge has judged of a person's games. */
struct ipr_db_judged_by {
    int32_t judge_id;
    const char *name;
    int multipv;
    int64_t games, turns;
};
/** Most turns first; `person` and `year` as above. */
IPR_CHECK enum ipr_code ipr_db_judged_by(struct ipr_db *db, int32_t person, int year,
                                         struct ipr_arena *mem, struct ipr_db_judged_by **rows,
                                         size_t *n, struct ipr_err *err);

/** What a turn took judges of this name lately, in seconds of one engine, turns that were known
 * among them; below 0: nothing was measured. */
IPR_CHECK enum ipr_code ipr_db_turn_cost(struct ipr_db *db, const char *judge, double *seconds,
                                         struct ipr_err *err);

#endif
