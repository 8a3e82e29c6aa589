#ifndef IPR_DB_DUPLICATE_CANDIDATES_H
#define IPR_DB_DUPLICATE_CANDIDATES_H

#include "db/games.h"
#include "db/import_filter.h"

/* Stored games that an imported game could be a duplicate of, and the changes to them if it is. All
 * inside the caller's transaction, the import's. */

#include "queries/duplicate_candidates.h"

/** First in an import's transaction: waits until no other import is running, at most `wait_s`
 * seconds unless that is 0 (IPR_ERETRY "import_running"), and sets plans that do not depend on
 * statistics, since tables may have been empty a second ago. */
IPR_CHECK enum ipr_code ipr_db_import_begin(struct ipr_db *db, int wait_s, struct ipr_err *err);

/** Last in it: after many new games updates the statistics of the tables of names, so that later
 * queries are not planned for empty tables. */
IPR_CHECK enum ipr_code ipr_db_import_end(struct ipr_db *db, int32_t imported, struct ipr_err *err);

struct ipr_db_candidate {
    size_t at;           /* what the query sent; then nothing */
    const size_t *games; /* indices of those that it could be a duplicate of */
    size_t n_games;
    bool by_moves; /* found by its moves; else by its players */
    /* Fills id, moves_key, n_moves, date, round, result, event_id. */
    struct ipr_db_new_game game;
};

/**
 * Short rows of games that could be duplicates of one of `games` (resolved, any n): same persons
 * and the same first moves, or, from `spelled` half-moves, the same moves. Those with the same
 * moves come first; one game may occur several times. A bounded number for each, and games that ask
 * for the same have the same: a file of games alike costs one search in a batch. `own` contains
 * every game that this import stored or changed.
 */
IPR_CHECK enum ipr_code ipr_db_candidates(struct ipr_db *db, const struct ipr_db_import_filter *own,
                                          const struct ipr_db_new_game *games, size_t n,
                                          size_t spelled, struct ipr_arena *mem,
                                          struct ipr_db_candidate **out, size_t *n_out,
                                          struct ipr_err *err);

/** Whole rows of games by id, in no order, deleted ones left out; upload and ordinal are not read.
 * `key` of a side is that of its identity, `tagged` that of its tag. */
/** The game that all stored games are of; `domain`, if there are none. In the transaction of an
 * import. */
IPR_CHECK enum ipr_code ipr_db_domain_claim(struct ipr_db *db, const char *domain,
                                            struct ipr_arena *mem, const char **stored,
                                            struct ipr_err *err);

IPR_CHECK enum ipr_code ipr_db_games_load(struct ipr_db *db, const int64_t *ids, size_t n,
                                          struct ipr_arena *mem, struct ipr_db_new_game **out,
                                          size_t *n_out, struct ipr_err *err);

/** Fills `known` of the sides that have a FIDE id: the id, not the name, identifies them. */
IPR_CHECK enum ipr_code ipr_db_known_names(struct ipr_db *db, struct ipr_db_new_game *games,
                                           size_t n, struct ipr_arena *mem, struct ipr_err *err);

/** A set of ipr_db_persons_distinct. */
struct ipr_db_distinct_pairs {
    struct ipr_db_pair *pair;
    size_t n;
};

/**
 * Stores a changed game (from ipr_db_games_load). A side that was moved after it was loaded is
 * unchanged. With `new_moves` its judgements are forgotten, its jobs start again, and it is queued
 * for every judge that had judged it (priority 5); else its judgements stay, and the aggregates
 * follow a change of players, year or time class. The earlier state of the game is recorded with
 * the upload, unless that is 0 (db/deletion.h).
 */
IPR_CHECK enum ipr_code ipr_db_game_change(struct ipr_db *db, int64_t upload_id,
                                           const struct ipr_db_new_game *game, bool new_moves,
                                           struct ipr_err *err);

#endif
