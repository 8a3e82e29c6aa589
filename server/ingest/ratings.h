#ifndef IPR_INGEST_RATINGS_H
#define IPR_INGEST_RATINGS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "db/db.h"

/* From a spelling file with ratings (core/rating_file.h) to the histories of the players that the
 * database knows. */

/** A line of the file of which something was passed over. */
typedef void ipr_ratings_fault_fn(void *arg, uint32_t line, uint32_t column, const char *word,
                                  const char *why);

struct ipr_ratings_result {
    size_t persons;          /* in the database */
    size_t by_id, by_name;   /* of them, those with ratings in the file */
    size_t ratings;          /* of all of them, one a list */
    size_t changed, dropped; /* identities whose history is not what it was, or has gone */
    size_t faults;
};

/**
 * Stores the rating histories of all persons whom the file knows, in place of those stored before;
 * of nobody else. Who is whom:
 * - an identity with a FIDE id is the one in the file who has or had that id;
 * - a person of whom no identity has an id that the file knows goes by name: one in the file of
 *   exactly that name, within nobody else's (core/spelling.h), and the same one for all of the
 *   person's identities that the file knows. When the person has a FIDE id, one with another is
 *   somebody else.
 *
 * All or nothing, in a transaction of its own; what is kept of the persons whose history changes,
 * and of those who played them, becomes void. Errors are those of core/rating_file.h and of the
 * database; IPR_ECONFLICT when the file changes meanwhile. A fault is told again should the
 * transaction be.
 */
IPR_CHECK enum ipr_code ipr_ratings_import(struct ipr_db *db, const char *path,
                                           ipr_ratings_fault_fn *fault, void *arg,
                                           struct ipr_ratings_result *out, struct ipr_err *err);

#endif
