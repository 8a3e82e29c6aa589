#ifndef IPR_DB_TEST_H
#define IPR_DB_TEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "db/db.h"

/* Tests against a real server, the one in INTRINSIC_TEST_PG (tests/support/with_pg.sh starts
 * one). A failure of the server itself ends the program: a test of storage never skips. */

/** Creates an empty database with a name of its own. */
const char *ipr_db_test_create(void); /* its libpq string, until the drop */
/** The same, migrated. */
const char *ipr_db_test_create_migrated(void);
void ipr_db_test_drop(void);

/** cmocka group set-up and tear-down over these: a migrated database, *state is its string. */
int ipr_db_test_setup(void **state);
int ipr_db_test_teardown(void **state);

/** What most tests need: a migrated database, a pool of four, one leased connection, an arena. */
struct ipr_db_fixture {
    const char *url;
    struct ipr_db_pool *pool;
    struct ipr_db *db;
    struct ipr_arena mem;
    struct ipr_err err;
};
int ipr_db_fixture_setup(void **state); /* *state is the fixture */
int ipr_db_fixture_teardown(void **state);
/** A test with a fixture of its own. */
#define WITH_DB(test)                                                                              \
    cmocka_unit_test_setup_teardown(test, ipr_db_fixture_setup, ipr_db_fixture_teardown)

/** Any SQL, on a connection of its own; the first column of the first row, "" when there is
 * none, valid until the next call. Ends the program when it fails. Not from several threads. */
const char *ipr_db_test_sql(const char *sql);
int64_t ipr_db_test_int(const char *sql);
/** Id of the player of that name. */
int32_t ipr_db_test_player(const char *who);
/** True when the statement fails. */
bool ipr_db_test_refused(const char *sql);

/** Holds what one statement takes, such as the lock of LOCK TABLE, until ipr_db_test_let_go; one at
 * a time. */
void ipr_db_test_hold(const char *sql);
void ipr_db_test_let_go(void);

#endif
