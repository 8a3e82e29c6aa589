#ifndef IPR_DB_WORKERS_H
#define IPR_DB_WORKERS_H

#include "db/db.h"

/** A process that judges, as the others know it. Counts are since its start. */
struct ipr_db_worker {
    const char *name; /* host:pid */
    const char *version;
    const char *engines; /* programs, separated by spaces */
    const char *started; /* RFC 3339; read only */
    int tablebases;      /* men of the largest; 0: none */
    int threads;         /* engines at work */
    int64_t games, turns, cached, failures, leases_lost;
    double seen_s; /* seconds since it was heard of; read only */
};

/** Says that a worker lives: adds it, or brings its counts up to date. Workers that have not been
 * heard of for an hour are forgotten. */
IPR_CHECK enum ipr_code ipr_db_worker_beat(struct ipr_db *db, const struct ipr_db_worker *w,
                                           struct ipr_err *err);
/** An orderly end. */
IPR_CHECK enum ipr_code ipr_db_worker_leave(struct ipr_db *db, const char *name,
                                            struct ipr_err *err);
/** Those heard of in the last minute, by name. */
IPR_CHECK enum ipr_code ipr_db_workers(struct ipr_db *db, struct ipr_arena *mem,
                                       struct ipr_db_worker **rows, size_t *n, struct ipr_err *err);

#endif
