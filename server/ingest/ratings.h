#ifndef IPR_INGEST_RATINGS_H
#define IPR_INGEST_RATINGS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "db/db.h"

/* Rating histories of the stored players, from a spelling file with ratings (core/rating_file.h).
 */

/** A line of the file of which something was skipped. */
typedef void ipr_ratings_fault_fn(void *arg, uint32_t line, uint32_t column, const char *word,
                                  const char *why);

struct ipr_ratings_result {
    size_t persons;          /* in the database */
    size_t by_id, by_name;   /* those with ratings in the file */
    size_t ratings;          /* of all players, one per list */
    size_t changed, dropped; /* identities whose history changed or was deleted */
    size_t faults;
};

/** Stores the rating histories of all persons in the file and deletes all others. Identities are
 * assigned as follows:
 * - an identity with a FIDE id is the person in the file who has or had that id;
 * - a person without an identity whose id is in the file is found by name: exactly that name in the
 * file, a short form of nobody else's (core/spelling.h), and the same for all of the person's
 * identities in the file. A person with a different FIDE id is never the same.
 *
 * All or nothing, in one transaction; stored results of the persons whose history changes, and of
 * their opponents, become invalid. Errors are those of core/rating_file.h and of the database;
 * IPR_ECONFLICT when the file changes meanwhile. Faults are reported again if the transaction is
 * retried.
 */
IPR_CHECK enum ipr_code ipr_ratings_import(struct ipr_db *db, const char *path,
                                           ipr_ratings_fault_fn *fault, void *arg,
                                           struct ipr_ratings_result *out, struct ipr_err *err);

#endif
