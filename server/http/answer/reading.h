#ifndef IPR_HTTP_READING_H
#define IPR_HTTP_READING_H

#include "http/base/request.h"

/*
 * Where an answer is read from. With a replica (DATABASE_URL_READ) the version of an answer's data
 * is still asked of the primary, which is one short query; the answer itself is read from the
 * replica if that has the same version by now. So nobody sees less than what was stored before the
 * request, however far the replica is behind, and nothing old is cached or tagged as new. While the
 * primary does not answer what is in the replica is answered.
 */

/** The version of the request's data; *version NULL: it is computed each time. */
IPR_CHECK enum ipr_code ipr_reading_version(struct ipr_req *req, const char **version,
                                            struct ipr_err *err);

/** One read: it may be called twice, the second time from the start. `keep` is where it may store
 * what it has computed: NULL where `db` takes that. */
typedef enum ipr_code (*ipr_reading_fn)(struct ipr_db *db, struct ipr_db_pool *keep, void *arg,
                                        struct ipr_err *err);

/** Reads by fn from the replica or, where that must not or cannot answer, from the primary. All
 * further reads of the request go where the first one went, unless that fails. */
IPR_CHECK enum ipr_code ipr_reading_do(struct ipr_req *req, ipr_reading_fn fn, void *arg,
                                       struct ipr_err *err);

/** The resource of the request's route with these parameters, over a connection of the pool. New
 * reference; other memory is from `view->mem`. The caller also sets the members of the view that
 * are for streams. */
IPR_CHECK enum ipr_code ipr_answer_compute(struct ipr_req *req, const void *params,
                                           struct ipr_view *view, json_t **out,
                                           struct ipr_err *err);

#endif
