#ifndef IPR_INGEST_DUPLICATES_H
#define IPR_INGEST_DUPLICATES_H

#include "base/mem.h"
#include "db/duplicate_candidates.h"
#include "db/games.h"
#include "db/uploads.h"

/** So many half-moves are seldom played twice: fewer of them prove little. */
#define IPR_DUPLICATE_LONG 20

/* When two records are one game, and what the kept one takes from the other. Pure. */

/**
 * Everything but players and moves speaks for one game: dates, rounds and results fit ("unknown"
 * fits all, "1972.??.??" fits "1972.07.11", round "3" fits "3.1"). Different results are
 * forgiven where day and moves, at least 20 half-moves, are the same. Fewer than 20 half-moves in
 * common say little: then the day or the event must be the same as well, and without any moves the
 * round too. Looks at date, round, result, event_id, n_moves and moves_key alone.
 */
bool ipr_duplicate_possible(const struct ipr_db_new_game *a, const struct ipr_db_new_game *b);

/**
 * What `sent` is to `kept`: IPR_DUPLICATE_IDENTICAL (same start, moves and persons), _CONTAINED or
 * _EXTENDS (same persons, one's moves the beginning of the other's), _SPELLING (at least 20
 * half-moves, all the same, and names that could be the same persons'), or _NONE. Such names fit
 * as ipr_names_fit says, and then the results are equal; or they are the same and FIDE ids tell
 * the two identities apart; or one is missing, and then both games name the same day and the other
 * side fits, or, of a game without any name, the same day and event.
 * Games that a server gave different addresses, numbers or moments are never one, and persons whose
 * FIDE ids differ are not the same unless the tags have the same name. With fewer than 20
 * half-moves in common a known round of the same event must be the same; at slow time controls the
 * day will do, or, where all moves are the same, what ipr_duplicate_possible asks.
 * A game with a nameless side is no other's beginning: model games have none. Resolved games.
 */
enum ipr_duplicate ipr_duplicate_of(const struct ipr_db_new_game *sent,
                                    const struct ipr_db_new_game *kept);

/**
 * `kept` takes from `sent`, which is `kind` to it: tags it lacks (absent, empty, "?",
 * "????.??.??"), a fuller date of the same year, the columns that follow them, notes that it has
 * not, and with _EXTENDS the moves and the result.
 * A side moves to the identity of `sent` when it was nobody's, or when `sent` brings the FIDE id it
 * lacks and both the name sent and the one that id is known by fit; not when people moved it, or
 * said (`distinct`) that the two are not one. A side whose FIDE ids do not go together takes no tag
 * that begins with its colour.
 * True when it took anything. Its tags are then in `mem`; all else it took is borrowed from `sent`.
 * `conflicts` becomes the set of what the two say differently (IPR_CONFLICT_...): the kept one's
 * stays.
 */
bool ipr_duplicate_enrich(struct ipr_db_new_game *kept, const struct ipr_db_new_game *sent,
                          enum ipr_duplicate kind, const struct ipr_db_distinct_pairs *distinct,
                          struct ipr_arena *mem, unsigned *conflicts);

#endif
