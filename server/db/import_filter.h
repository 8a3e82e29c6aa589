#ifndef IPR_DB_IMPORT_FILTER_H
#define IPR_DB_IMPORT_FILTER_H

#include "db/games.h"

/* The games that an import stored itself. Nobody else stores any meanwhile, so of players who were
 * new to it, and in a database that had no games, there are no others: most questions for
 * duplicates need not be asked. Says at times that a game is there that is not, never the reverse.
 * A fixed amount of memory; of millions of games it says so more often. */

struct ipr_db_import_filter;

/** In an import's transaction, after ipr_db_import_begin: looks what is there before. `out` is
 * freed by ipr_db_import_filter_free. */
IPR_CHECK enum ipr_code ipr_db_import_filter_open(struct ipr_db *db,
                                                  struct ipr_db_import_filter **out,
                                                  struct ipr_err *err);
void ipr_db_import_filter_free(struct ipr_db_import_filter **own); /* NULL inside is fine */

/** Takes note of a game as it is stored from now on: a new one, or one that was changed. */
void ipr_db_import_filter_add(struct ipr_db_import_filter *own, const struct ipr_db_new_game *game);

/** False: there is no stored game of the same two identities with the same stem, or without one.
 * Says nothing of games that people moved to another identity. */
bool ipr_db_import_filter_may_have_pair(const struct ipr_db_import_filter *own,
                                        const struct ipr_db_new_game *game);

/** False: there is no stored game with the same moves of the same year, or of none. Of a game
 * without a year nothing is known. */
bool ipr_db_import_filter_may_have_moves(const struct ipr_db_import_filter *own,
                                         const struct ipr_db_new_game *game);

#endif
