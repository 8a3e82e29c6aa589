#ifndef IPR_INGEST_DUPLICATES_H
#define IPR_INGEST_DUPLICATES_H

#include <jansson.h>

#include "base/mem.h"
#include "db/duplicate_candidates.h"
#include "db/games.h"
#include "db/uploads.h"

/** Half-moves that rarely occur in two games; fewer prove little. */
#define IPR_DUPLICATE_LONG 20

/* Decides whether two records are the same game, and what the stored one takes from the other.
 * Pure. */

/** True if two records may be one game by everything but players and moves: dates, rounds and
 * results are compatible ("unknown" with all, "1972.??.??" with "1972.07.11", round "3" with
 * "3.1"). Different results are accepted if day and moves, at least 20 half-moves, are the same.
 * With fewer than 20 half-moves in common the day or the event must be the same as well, and
 * without any moves the round too. Uses only date, round, result, event_id, n_moves and moves_key.
 */
bool ipr_duplicate_possible(const struct ipr_db_new_game *a, const struct ipr_db_new_game *b);

#define IPR_DUPLICATE_MARKS 6

/** Tags by which a server distinguishes games, once they are read: games that are compared with
 * many are read once. Empty at first; not to be kept when the tags change. */
struct ipr_duplicate_marks {
    json_t *tags; /* NULL: not read yet */
    const char *text[IPR_DUPLICATE_MARKS];
};

void ipr_duplicate_marks_forget(struct ipr_duplicate_marks *marks);

/** The kind of duplicate that `sent` is of `kept`: IPR_DUPLICATE_IDENTICAL (same start, moves and
 * persons), _CONTAINED or _EXTENDS (same persons, one game's moves are a prefix of the other's),
 * _SPELLING (at least 20 half-moves, all the same, and names that may be the same persons'), or
 * _NONE. Such names fit by ipr_names_fit, and then the results are equal; or they are equal but the
 * FIDE ids differ; or one is missing, and then both games have the same day and the other side
 * fits, or, for a game without any name, the same day and event. Games to which a server gave
 * different addresses, numbers or times are never the same, and persons whose FIDE ids differ are
 * not the same unless the tags have the same name. With fewer than 20 half-moves in common a known
 * round of the same event must be the same; at slow time controls the same day is enough, or, if
 * all moves are the same, ipr_duplicate_possible. A game with a nameless side is never a prefix of
 * another: model games have no names. The games are resolved. The marks are filled as needed.
 */
enum ipr_duplicate ipr_duplicate_of(const struct ipr_db_new_game *sent,
                                    struct ipr_duplicate_marks *sent_marks,
                                    const struct ipr_db_new_game *kept,
                                    struct ipr_duplicate_marks *kept_marks);

/**
 * Completes `kept` from `sent`, its duplicate of that `kind`: missing tags (absent, empty, "?",
 * "????.??.??"), a more exact date of the same year, the columns derived from them, missing notes,
 * and with _EXTENDS the moves and the result. A side gets the identity of `sent` if it had none, or
 * if `sent` has the FIDE id it lacks and both the name sent and the known name of that id fit; not
 * if an editor assigned it, or declared (`distinct`) that the two are different. A side whose FIDE
 * ids contradict each other takes no tag that begins with its colour. True when anything changed.
 * Its tags are then in `mem`; everything else is borrowed from `sent`. `conflicts` is set to the
 * differences (IPR_CONFLICT_...), in which `kept` is unchanged.
 */
bool ipr_duplicate_enrich(struct ipr_db_new_game *kept, const struct ipr_db_new_game *sent,
                          enum ipr_duplicate kind, const struct ipr_db_distinct_pairs *distinct,
                          struct ipr_arena *mem, unsigned *conflicts);

#endif
