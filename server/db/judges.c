#include "db/judges.h"

#include <string.h>

#include "queries/judges_inside.h"

enum ipr_code ipr_db_judge_ensure(struct ipr_db *db, const struct ipr_judge *judge, int32_t *id,
                                  struct ipr_err *err)
{
    bool found = false;
    enum ipr_code rc = ipr_db_judge_find(db, judge, &found, id, err);

    if (rc != IPR_OK || found)
        return rc;
    rc = ipr_db_judge_add(db, judge, err);
    if (rc == IPR_OK)
        rc = ipr_db_judge_find(db, judge, &found, id, err);
    if (rc == IPR_OK && !found)
        rc = ipr_err_set(err, IPR_EDB, "a judge that was added is not there");
    return rc;
}

/* ---- definitions ------------------------------------------------------------------------------
 */

static enum ipr_code definition_store(struct ipr_db *db, const struct ipr_judge *j, bool built_in,
                                      const char *creator, int64_t *added, struct ipr_err *err)
{
    if (!ipr_judge_valid(j))
        return ipr_err_set(err, IPR_EINVAL, "settings of judge %s", j->name);
    return ipr_db_definition_put(db, j, built_in, creator, added, err);
}

enum ipr_code ipr_db_definitions_ensure(struct ipr_db *db, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    const struct ipr_judge *j;
    int64_t added;

    for (size_t i = 0; rc == IPR_OK && (j = ipr_judge_builtin_at(i)) != NULL; i++)
        rc = definition_store(db, j, true, "", &added, err);
    return rc;
}

enum ipr_code ipr_db_definition_add(struct ipr_db *db, const struct ipr_judge *judge,
                                    const char *creator, bool *fresh, struct ipr_err *err)
{
    struct ipr_judge there;
    int64_t added = 0;
    enum ipr_code rc = definition_store(db, judge, false, creator, &added, err);

    *fresh = rc == IPR_OK && added > 0;
    if (rc != IPR_OK || *fresh)
        return rc;
    rc = ipr_db_definition_get(db, judge->name, &there, err);
    if (rc != IPR_OK)
        return rc;
    if (strcmp(there.program, judge->program) != 0 || !ipr_judge_same_search(&there, judge))
        return ipr_err_type(err, IPR_ECONFLICT, "judge_exists",
                            "a judge named \"%s\" searches otherwise", judge->name);
    return IPR_OK;
}
