#ifndef IPR_DB_IMPORT_FILTER_H
#define IPR_DB_IMPORT_FILTER_H

#include "db/games.h"

/* The games that an import stored itself. No other import runs meanwhile, so new players have no
 * other games, and neither has a database that was empty: most queries for duplicates can be
 * skipped. There are false positives, never false negatives. Memory is fixed; with millions of
 * games there are more false positives. */

struct ipr_db_import_filter;

/** In an import's transaction, after ipr_db_import_begin: reads which games and players existed
 * before. `out` is freed by ipr_db_import_filter_free. */
IPR_CHECK enum ipr_code ipr_db_import_filter_open(struct ipr_db *db,
                                                  struct ipr_db_import_filter **out,
                                                  struct ipr_err *err);
void ipr_db_import_filter_free(struct ipr_db_import_filter **own); /* accepts NULL */

/** Adds a game as it is stored from now on: a new one, or one that was changed. */
void ipr_db_import_filter_add(struct ipr_db_import_filter *own, const struct ipr_db_new_game *game);

/** False: there is no stored game of the same two identities with the same stem, or without one.
 * Does not cover games that were moved to another identity. */
bool ipr_db_import_filter_may_have_pair(const struct ipr_db_import_filter *own,
                                        const struct ipr_db_new_game *game);

/** False: there is no stored game with the same moves of the same year, or of none. Nothing is
 * known about a game without a year. */
bool ipr_db_import_filter_may_have_moves(const struct ipr_db_import_filter *own,
                                         const struct ipr_db_new_game *game);

/** Deletes the players and events that are newer than it and have no game: those of duplicates with
 * other names. */
IPR_CHECK enum ipr_code ipr_db_import_filter_tidy(const struct ipr_db_import_filter *own,
                                                  struct ipr_db *db, struct ipr_err *err);

#endif
