#include "db/judges.h"

#include <string.h>

#include "base/mem.h"
#include "core/log.h"
#include "db/pq.h"
#include "db/strength.h"
#include "queries/judges_inside.h"

/* *added: it is new. */
static enum ipr_code judge_find_or_add(struct ipr_db *db, const struct ipr_judge *judge,
                                       int32_t *id, bool *added, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    bool found = false;
    enum ipr_code rc = ipr_db_judge_find(db, judge, &found, id, err);

    *added = rc == IPR_OK && !found;
    if (*added)
        rc = ipr_db_judge_add(db, judge, ipr_judge_equation(judge, &mem), err);
    if (rc == IPR_OK && *added)
        rc = ipr_db_judge_find(db, judge, &found, id, err);
    ipr_arena_release(&mem);
    return rc != IPR_OK || found ? rc
                                 : ipr_err_set(err, IPR_EDB, "a judge that was added is not there");
}

enum ipr_code ipr_db_judge_ensure(struct ipr_db *db, const struct ipr_judge *judge, int32_t *id,
                                  struct ipr_err *err)
{
    bool added;

    return judge_find_or_add(db, judge, id, &added, err);
}

enum ipr_code ipr_db_judge_begin(struct ipr_db *db, const struct ipr_judge *judge, int32_t *id,
                                 struct ipr_err *err)
{
    bool added, made;
    const enum ipr_code rc = judge_find_or_add(db, judge, id, &added, err);

    return rc == IPR_OK && added ? ipr_db_judge_partition_new(db, *id, &made, err) : rc;
}

/* ---- partitions -------------------------------------------------------------------------------
 */

enum ipr_code ipr_db_judge_partitions(const char *url, const char *name, size_t *judges,
                                      int64_t *sides, struct ipr_err *err)
{
    PGconn *conn = NULL;
    int64_t *moved = NULL;
    struct ipr_arena mem = IPR_ARENA_INIT;
    enum ipr_code rc =
        ipr_db_connect(url, "SET statement_timeout = 0; SET lock_timeout = 0", IPR_EDB, &conn, err);
    struct ipr_db db = { .conn = conn };

    *sides = 0;
    if (rc == IPR_OK)
        rc = ipr_db_schema_check(conn, err);
    if (rc == IPR_OK)
        rc = ipr_db_judge_partition(&db, name, &mem, &moved, judges, err);
    for (size_t i = 0; rc == IPR_OK && i < *judges; i++)
        *sides += moved[i];
    /* Autovacuum has the planner's figures of each partition, but not of the whole. */
    if (rc == IPR_OK && *judges > 0)
        rc = ipr_db_command(&db, "ANALYZE side_turns", err);
    ipr_arena_release(&mem);
    PQfinish(conn);
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

/* *same: the stored definition of that name asks for the same search. */
static enum ipr_code definition_compare(struct ipr_db *db, const struct ipr_judge *j, bool *same,
                                        struct ipr_err *err)
{
    struct ipr_judge there;
    const enum ipr_code rc = ipr_db_definition_get(db, j->name, &there, err);

    *same =
        rc == IPR_OK && strcmp(there.program, j->program) == 0 && ipr_judge_same_search(&there, j);
    return rc;
}

/* An operator may have used the name before it was built in: a name means one search for ever. What
 * is there is only read, since workers may not write definitions (sql/grants.sql). */
static enum ipr_code definition_ensure(struct ipr_db *db, const struct ipr_judge *j,
                                       struct ipr_err *err)
{
    struct ipr_err missing = IPR_ERR_INIT;
    int64_t added = 0;
    bool same = true;
    enum ipr_code rc = definition_compare(db, j, &same, &missing);

    if (rc == IPR_ENOTFOUND) {
        rc = definition_store(db, j, true, "", &added, err);
        same = true;
        if (rc == IPR_OK && added == 0)
            rc = definition_compare(db, j, &same, err);
    } else if (rc != IPR_OK) {
        rc = ipr_err_pass(err, &missing);
    }
    if (rc == IPR_OK && !same)
        ipr_log(IPR_LOG_WARN, "judge_not_built_in",
                "judge=%s reason=\"this database has another definition of that name, which is "
                "kept\"",
                j->name);
    return rc;
}

enum ipr_code ipr_db_definitions_ensure(struct ipr_db *db, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    const struct ipr_judge *j;

    for (size_t i = 0; rc == IPR_OK && (j = ipr_judge_builtin_at(i)) != NULL; i++)
        rc = definition_ensure(db, j, err);
    return rc;
}

enum ipr_code ipr_db_definition_add(struct ipr_db *db, const struct ipr_judge *judge,
                                    const char *creator, bool *fresh, struct ipr_err *err)
{
    int64_t added = 0;
    bool same;
    enum ipr_code rc = definition_store(db, judge, false, creator, &added, err);

    *fresh = rc == IPR_OK && added > 0;
    if (rc != IPR_OK || *fresh)
        return rc;
    rc = definition_compare(db, judge, &same, err);
    if (rc == IPR_OK && !same)
        return ipr_err_type(err, IPR_ECONFLICT, "judge_exists",
                            "the engine setting \"%s\" has another definition", judge->name);
    return rc;
}
