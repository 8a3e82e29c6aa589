#ifndef IPR_TEST_HTTP_FAKE_FISHNET_H
#define IPR_TEST_HTTP_FAKE_FISHNET_H

/* The storage behind /fishnet/ and /status: an empty queue and no keys. What is there in earnest is
 * in test_fishnet.c. */

#include "http/fishnet/work.h"

enum ipr_code ipr_db_key_get(struct ipr_db *db, const unsigned char digest[32],
                             struct ipr_arena *mem, struct ipr_db_key *out, struct ipr_err *err)
{
    (void)db;
    (void)digest;
    (void)mem;
    (void)out;
    return ipr_err_set(err, IPR_ENOTFOUND, "no such key");
}

enum ipr_code ipr_db_status(struct ipr_db *db, const char *program, struct ipr_db_status out[2],
                            struct ipr_err *err)
{
    (void)db;
    (void)program;
    (void)err;
    out[0] = out[1] = (struct ipr_db_status){ 0 };
    return IPR_OK;
}

enum ipr_code ipr_db_job_release(struct ipr_db *db, const struct ipr_db_job *job,
                                 struct ipr_err *err)
{
    (void)db;
    (void)job;
    return ipr_err_set(err, IPR_ECONFLICT, "no such lease");
}

enum ipr_code ipr_fishnet_claim(struct ipr_db *db, const struct ipr_config *options,
                                const struct ipr_fishnet_visitor *visitor, struct ipr_arena *mem,
                                struct ipr_fishnet_lease *out, struct ipr_err *err)
{
    (void)db;
    (void)options;
    (void)visitor;
    (void)mem;
    (void)out;
    return ipr_err_set(err, IPR_ENOTFOUND, "no job");
}

enum ipr_code ipr_fishnet_is_held(struct ipr_db *db, const char *id, bool *held,
                                  struct ipr_err *err)
{
    (void)db;
    (void)id;
    (void)err;
    *held = false;
    return IPR_OK;
}

enum ipr_code ipr_fishnet_held(struct ipr_db *db, const struct ipr_fishnet_visitor *visitor,
                               const char *id, struct ipr_db_job *out, struct ipr_err *err)
{
    (void)db;
    (void)visitor;
    (void)id;
    (void)out;
    return ipr_err_set(err, IPR_ECONFLICT, "no such lease");
}

enum ipr_code ipr_fishnet_take(struct ipr_db *db, const struct ipr_config *options,
                               const struct ipr_fishnet_visitor *visitor, const char *id,
                               struct ipr_str analysis, struct ipr_arena *mem,
                               enum ipr_fishnet_taken *out, struct ipr_err *err)
{
    (void)db;
    (void)options;
    (void)visitor;
    (void)id;
    (void)analysis;
    (void)mem;
    (void)err;
    *out = IPR_FISHNET_LATE;
    return IPR_OK;
}

#endif
