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

/* ---- definitions: what a judge's name asks for ---- */

struct ipr_db_definition {
    struct ipr_judge judge; /* engine, network and options empty */
    bool built_in;
    const char *creator, *created; /* NULL from ipr_db_definition_get */
};

/** Stores the built-in ones that are not there yet; `migrate` and every start do it. */
IPR_CHECK enum ipr_code ipr_db_definitions_ensure(struct ipr_db *db, struct ipr_err *err);
/** IPR_ENOTFOUND "no_such_judge", naming it. */
IPR_CHECK enum ipr_code ipr_db_definition_get(struct ipr_db *db, const char *name,
                                              struct ipr_judge *out, struct ipr_err *err);
/** Stores a new one; one that is there with the same settings is left alone (*fresh false).
 * IPR_ECONFLICT "judge_exists" when it has others. */
IPR_CHECK enum ipr_code ipr_db_definition_add(struct ipr_db *db, const struct ipr_judge *judge,
                                              const char *creator, bool *fresh,
                                              struct ipr_err *err);
/** All, built-in ones first, then by name. */
IPR_CHECK enum ipr_code ipr_db_definition_list(struct ipr_db *db, struct ipr_arena *mem,
                                               struct ipr_db_definition **rows, size_t *n,
                                               struct ipr_err *err);

#endif
