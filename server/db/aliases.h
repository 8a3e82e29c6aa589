#ifndef IPR_DB_ALIASES_H
#define IPR_DB_ALIASES_H

#include "core/spelling.h"
#include "db/db.h"
#include "db/similar_pairs.h"

/** Two players that are one person according to the spelling file. */
struct ipr_db_alias {
    struct ipr_db_suspect who, into;
};

/**
 * Pairs of players whose names can both mean the same person of a spelling file and no other person
 * who lived in the years of their games (ipr_spelling_alive), at most `limit`. `into` has the whole
 * name or the FIDE id of that person. A pair is left out if the two have played each other, have
 * different FIDE ids, were declared distinct or have very different Elo in the tags, or if one has
 * no dated game. Reads all players, which takes a second for half a million. Searches games for at
 * most `examined` pairs and does not list further ones.
 */
IPR_CHECK enum ipr_code ipr_db_aliases(struct ipr_db *db, const struct ipr_spelling *spelling,
                                       size_t limit, size_t examined, struct ipr_arena *mem,
                                       struct ipr_db_alias **rows, size_t *n, struct ipr_err *err);

/** Merges all these pairs as one decision: undoing any of its changes undoes all
 * (db/identity_changes.h). *batch is the first change, 0 if there is none. */
IPR_CHECK enum ipr_code ipr_db_aliases_merge(struct ipr_db *db, const struct ipr_spelling *spelling,
                                             const char *by, int64_t *batch, int32_t *merged,
                                             struct ipr_err *err);

#endif
