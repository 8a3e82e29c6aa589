#ifndef IPR_DB_IDENTITY_CHANGES_H
#define IPR_DB_IDENTITY_CHANGES_H

#include "db/db.h"

/*
 * Decisions of editors about who played. A person is a root identity with all that are merged into
 * it (db/players.h); a merge and its undoing change a few rows of table player, a split moves sides
 * of games and their contributions to aggregates. Each function is a transaction of its own and one
 * row of the log, its id in *change; `by` is who did it. IPR_ENOTFOUND for an unknown id;
 * IPR_ECONFLICT with a type for contradictions: "already_merged" an id that is a member of another
 * person: name its root, "same_player" both ids are one person, "declared_distinct" the two were
 * declared two persons, "already_undone", "later_change", "two_fide_ids", "played_each_other"
 * evidence against one person, unless the merge is `sure`.
 */

/** Merges person `who` into person `into`; `sure`: even if each has a FIDE id, or they have played
 * each other. */
IPR_CHECK enum ipr_code ipr_db_merge(struct ipr_db *db, int32_t who, int32_t into, bool sure,
                                     const char *by, int64_t *change, struct ipr_err *err);

/** Merges the players who[1..n) into who[0], all or none, and never surely; *change is the last. */
IPR_CHECK enum ipr_code ipr_db_merge_several(struct ipr_db *db, const int64_t *who, size_t n,
                                             const char *by, int64_t *change, struct ipr_err *err);
/** ipr_db_merge, never `sure`, in the caller's transaction; a refused merge changes nothing. */
IPR_CHECK enum ipr_code ipr_db_merge_in_tx(struct ipr_db *db, int32_t who, int32_t into,
                                           const char *by, int64_t *change, struct ipr_err *err);

/** Declares two persons distinct: never listed as doubtful, never merged until that is undone. */
IPR_CHECK enum ipr_code ipr_db_distinct(struct ipr_db *db, int32_t who, int32_t from,
                                        const char *by, int64_t *change, struct ipr_err *err);

/** Which sides of a person's games a split takes: those that meet every condition given. */
struct ipr_db_split {
    const char *name, *key; /* of the identity that receives them (core/names.h); it may exist */
    int from, to;           /* years; 0, 0: any */
    const char *tagged;     /* White or Black tag, or FideId tag, as sent; NULL: any */
    const int64_t *games;   /* ids; NULL: any */
    size_t n_games;
    int colour; /* 0 White, 1 Black; -1: either */
};

/**
 * Moves sides to another identity. Types besides those above: IPR_EDATA "no_such_games" when none
 * is taken or a game listed has no such side, IPR_ECONFLICT "nothing_left" when all are,
 * "both_sides" when a game is taken with both sides.
 */
IPR_CHECK enum ipr_code ipr_db_split(struct ipr_db *db, int32_t who,
                                     const struct ipr_db_split *split, const char *by,
                                     int64_t *change, struct ipr_err *err);

/** Undoes a change exactly, together with all changes that were decided with it. Later changes that
 * depend on it must be undone first. */
IPR_CHECK enum ipr_code ipr_db_identity_undo(struct ipr_db *db, int64_t change, const char *by,
                                             struct ipr_err *err);

#include "queries/identity_changes.h"

/** One change of the log. */
IPR_CHECK enum ipr_code ipr_db_identity_change_get(struct ipr_db *db, int64_t id,
                                                   struct ipr_arena *mem,
                                                   struct ipr_db_identity_change *out,
                                                   struct ipr_err *err);

#endif
