#ifndef IPR_DB_JUDGES_H
#define IPR_DB_JUDGES_H

#include "db/db.h"
#include "uci/judge.h"

#include "queries/judges.h"

/** Id of the judge with exactly these settings, engine and network; stored when new. */
IPR_CHECK enum ipr_code ipr_db_judge_ensure(struct ipr_db *db, const struct ipr_judge *judge,
                                            int32_t *id, struct ipr_err *err);
/** Stores the missing built-in definitions; called by `migrate` and at every start. A definition
 * that an operator has made under such a name stays; if its search differs the log has a warning.
 */
IPR_CHECK enum ipr_code ipr_db_definitions_ensure(struct ipr_db *db, struct ipr_err *err);
/** Stores a new one; an existing one with the same settings is unchanged (*fresh false).
 * IPR_ECONFLICT "judge_exists" when its settings differ. */
IPR_CHECK enum ipr_code ipr_db_definition_add(struct ipr_db *db, const struct ipr_judge *judge,
                                              const char *creator, bool *fresh,
                                              struct ipr_err *err);

#endif
