#ifndef IPR_HTTP_IMPORT_ITEM_H
#define IPR_HTTP_IMPORT_ITEM_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/queue.h>

#include "http/base/import_queue.h"
#include "http/base/spool.h"

/* Shared by import_queue.c, which has the threads and the side of requests, import_list.c, which
 * has the imports that wait, and import_turn.c, which runs one. */

struct ipr_import {
    STAILQ_ENTRY(ipr_import) link; /* among those waiting */
    struct ipr_import_queue *queue;
    struct ipr_req *req; /* which waits for its end; NULL: none does */
    char log_id[17];
    const char *fetch; /* whose games the body names, while they are not there; else NULL */
    const struct ipr_http *http;
    bool cancelled;          /* while they were fetched */
    struct ipr_spool *spool; /* of an import */
    int fd;
    int64_t bytes;           /* of the body */
    unsigned char token[32]; /* digest of the sender's; zeros: none, it is on this machine */
    struct ipr_ingest_options options;
    struct ipr_arena mem;    /* of their texts */
    ipr_import_work_fn work; /* NULL: an import */
    void *arg;
    struct ipr_ingest *ingest;      /* NULL: not begun */
    int64_t received_us, queued_us; /* the latter again after each turn */
    int64_t turn_us, shown_us;
    /* Written by the thread, read by the request after it is resumed. */
    struct ipr_ingest_result result;
    struct ipr_err err;
};

/* See ipr_import_queue_lose. */
struct ipr_import_lost {
    STAILQ_ENTRY(ipr_import_lost) link;
    int64_t upload_id, since_us;
};

struct ipr_import_queue {
    unsigned waiting_max;
    int64_t wait_us;
    struct ipr_db_pool *pool;
    pthread_t thread, fetcher;
    bool running, fetches;
    /* Used by the thread only: */
    int64_t had_lock_us; /* end of our last turn that had the lock */
    struct ipr_db *db;   /* of its imports that have begun: it shows that they go on */
    /* Protects all members below and every `link`. MHD's locks are taken while it is held. */
    pthread_mutex_t lock;
    pthread_cond_t changed; /* work for the thread; after its end, answers sent */
    STAILQ_HEAD(, ipr_import) items;
    STAILQ_HEAD(, ipr_import_lost) lost;
    unsigned waiting, begun;
    const struct ipr_import *working; /* NULL: none */
    struct ipr_import *fetching;      /* NULL: none */
    const struct ipr_import *passed;  /* has just let others pass */
    unsigned open;                    /* items of requests that are not yet freed */
    atomic_bool stopping;             /* set under the lock, read without it by running work */
};

/* ---- import_list.c: under the lock, but the last ---- */

/** Whose turn it is; NULL: nobody's. The one that has let others pass comes first only if there is
 * no other. */
struct ipr_import *ipr_import_choose(const struct ipr_import_queue *q);

void ipr_import_remove(struct ipr_import_queue *q, struct ipr_import *im);

void ipr_import_insert(struct ipr_import_queue *q, struct ipr_import *im);

/** True if the running one makes room for another. */
bool ipr_import_is_to_pass(const struct ipr_import_queue *q, const struct ipr_import *im);

/** Takes the lock. */
void ipr_import_lost_remove(struct ipr_import_queue *q, struct ipr_import_lost *lost);

/* ---- import_turn.c ---- */

/** An ipr_ingest_look_fn of an import. */
bool ipr_import_look(void *arg, int64_t upload_id, const struct ipr_ingest_progress *progress);

/** Gives an import a turn. True if it is over, with its result or error. */
bool ipr_import_turn(struct ipr_import *im);

/** Has the record of a refused one say why; without a database that is said at the next start. */
void ipr_import_record_refusal(struct ipr_import *im);

#endif
