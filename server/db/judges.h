#ifndef IPR_DB_JUDGES_H
#define IPR_DB_JUDGES_H

#include "db/db.h"
#include "uci/judge.h"

#include "queries/judges.h"

/** Id of the judge with exactly these settings, engine and network; stored when new. */
IPR_CHECK enum ipr_code ipr_db_judge_ensure(struct ipr_db *db, const struct ipr_judge *judge,
                                            int32_t *id, struct ipr_err *err);
/** The same before this installation's own engines search for it, and not within a transaction: a
 * new judge gets a partition of side_turns, where that can be done at once (partition_new_judge).
 */
IPR_CHECK enum ipr_code ipr_db_judge_begin(struct ipr_db *db, const struct ipr_judge *judge,
                                           int32_t *id, struct ipr_err *err);
/** Gives all judges of that name a partition, with the sides that are there: as the owner of the
 * tables, however long it takes. *sides: moved. */
IPR_CHECK enum ipr_code ipr_db_judge_partitions(const char *url, const char *name, size_t *judges,
                                                int64_t *sides, struct ipr_err *err);
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
