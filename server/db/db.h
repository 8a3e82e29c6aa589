#ifndef IPR_DB_DB_H
#define IPR_DB_DB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"

/* The only folder that knows libpq. PGresult and PGconn never leave it. Functions take a leased
 * connection; each says whether it opens a transaction of its own. Some that write within the
 * caller's return while the statement is still running ("asynchronous"): its error is reported by
 * the next statement, at the latest by the commit. */

struct ipr_db_pool;
struct ipr_db;

/** Opens a pool of at most `size` connections to `url` (libpq URI or key=value). Opens one
 * connection immediately, so that a database that is down is reported at once: IPR_EDB with one
 * clear line. */
IPR_CHECK enum ipr_code ipr_db_pool_open(const char *url, unsigned size, struct ipr_db_pool **out,
                                         struct ipr_err *err);
void ipr_db_pool_close(struct ipr_db_pool **pool);

/** True if nobody answers at `url`, or a server that is starting or ending: waiting may help. A
 * server that refuses us is not away. */
bool ipr_db_away(const char *url);

/** Type of the error when the database does not answer; its message is for the log. */
#define IPR_DB_AWAY "database_away"
/** Types of IPR_ERETRY which the operator has to end: it takes no writes; it, or the folder for
 * uploads, has no room. */
#define IPR_DB_READ_ONLY "database_read_only"
#define IPR_STORAGE_FULL "storage_full"
/** Type of IPR_EDB when the schema belongs to another version; its message says what to do. */
#define IPR_DB_SCHEMA "database_schema"

/** Lends a connection; waits when all are lent. Broken ones are replaced (IPR_ERETRY IPR_DB_AWAY
 * while the database is unavailable). All statements of sql/queries are prepared on every new
 * connection.
 */
IPR_CHECK enum ipr_code ipr_db_lease(struct ipr_db_pool *pool, struct ipr_db **out,
                                     struct ipr_err *err);

/* The statements of a connection see what is listed, with which a lease begins; all, for those who
 * analyse games and look after the store; or a private upload alone, by its id. */
#define IPR_DB_LISTED 0
#define IPR_DB_ALL    (-1)
/** Ids from here on belong to private uploads, as private_from() in sql/migrations says. */
#define IPR_DB_PRIVATE_FROM INT64_C(1000000000)

/** As ipr_db_lease, to see one of these. */
IPR_CHECK enum ipr_code ipr_db_lease_in(struct ipr_db_pool *pool, int64_t space,
                                        struct ipr_db **out, struct ipr_err *err);
/** From now on it sees another one; not within a transaction. */
IPR_CHECK enum ipr_code ipr_db_enter(struct ipr_db *db, int64_t space, struct ipr_err *err);
/** Which of them an upload is in. */
static inline int64_t ipr_db_space_of(int64_t upload)
{
    return upload >= IPR_DB_PRIVATE_FROM ? upload : IPR_DB_LISTED;
}

void ipr_db_return(struct ipr_db **db); /* NULL inside is fine; rolls back what was left open */

/** The number of connections that are lent, and of all. */
void ipr_db_pool_use(struct ipr_db_pool *pool, unsigned *lent, unsigned *size);

/** From now on this connection waits at most `ms` for a lock, then fails with IPR_ERETRY. The limit
 * stays when the connection is returned, so it suits a pool whose users all need it. */
IPR_CHECK enum ipr_code ipr_db_lock_patience(struct ipr_db *db, int ms, struct ipr_err *err);

/** From now on the statement this connection runs is cancelled while *stop is true: IPR_ERETRY.
 * NULL ends this, and so does returning the connection. */
void ipr_db_interruptible(struct ipr_db *db, const atomic_bool *stop);

/** Runs fn in one transaction; retries on serialisation failure or deadlock, three attempts in
 * all. */
typedef enum ipr_code (*ipr_db_tx_fn)(struct ipr_db *db, void *arg, struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_db_tx(struct ipr_db *db, ipr_db_tx_fn fn, void *arg,
                                  struct ipr_err *err);

/** Applies the migrations that are missing, each in one transaction, under an advisory lock.
 * Refuses a database whose recorded checksums differ. Gives the roles of sql/roles.sql their
 * rights, where there are any. `applied` may be NULL. */
IPR_CHECK enum ipr_code ipr_db_migrate(const char *url, unsigned *applied, struct ipr_err *err);

/** IPR_OK when the database answers and its schema is this program's. For /ready. */
IPR_CHECK enum ipr_code ipr_db_ready(struct ipr_db *db, struct ipr_err *err);

/**
 * LISTEN on the channel "progress" with a connection of its own. wait: true when something was
 * notified, false after timeout_ms or while the database is unavailable (it reconnects by itself).
 * NOTIFY is a hint; callers poll as well.
 */
struct ipr_db_listener;
IPR_CHECK enum ipr_code ipr_db_listener_open(const char *url, struct ipr_db_listener **out,
                                             struct ipr_err *err);
bool ipr_db_listener_wait(struct ipr_db_listener *l, int timeout_ms, int wake_fd);
void ipr_db_listener_close(struct ipr_db_listener **l);

#endif
