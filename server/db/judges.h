#ifndef IPR_DB_JUDGES_H
#define IPR_DB_JUDGES_H

#include "db/db.h"
#include "uci/judge.h"

/** Id of the judge with exactly these settings, engine and network; stored when new. */
IPR_CHECK enum ipr_code ipr_db_judge_ensure(struct ipr_db *db, const struct ipr_judge *judge,
                                            int32_t *id, struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_db_judge_get(struct ipr_db *db, int32_t id, struct ipr_judge *out,
                                         struct ipr_err *err);
/** The judge of that name with most judged sides: what `?judge=NAME` means. IPR_ENOTFOUND when
 * nothing was judged by one. */
IPR_CHECK enum ipr_code ipr_db_judge_by_name(struct ipr_db *db, const char *name, int32_t *id,
                                             struct ipr_judge *out, struct ipr_err *err);

struct ipr_db_judge_row {
    int32_t id;
    struct ipr_judge judge;
    int64_t games, turns; /* judged so far */
};
IPR_CHECK enum ipr_code ipr_db_judge_list(struct ipr_db *db, struct ipr_arena *mem,
                                          struct ipr_db_judge_row **rows, size_t *n,
                                          struct ipr_err *err);

#endif
