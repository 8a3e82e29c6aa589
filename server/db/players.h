#ifndef IPR_DB_PLAYERS_H
#define IPR_DB_PLAYERS_H

#include "db/db.h"
#include "pgn/time_class.h"

/*
 * Persons: an identity (db/identities.h) with all that are merged into it. Where a function takes
 * an id it is a root's, but for ipr_db_player_get, which finds it. `times` is a set of
 * IPR_TIME_BIT; only games of these classes count unless it says otherwise.
 */

struct ipr_db_player {
    int32_t id; /* of the root */
    const char *name;
    int32_t fide_id;               /* of the root; 0 none */
    int32_t games;                 /* all stored games, of any class */
    int32_t first_year, last_year; /* 0 unknown */
    int64_t turns;                 /* judged by the judge */
    int64_t version;               /* as of a player-year, of the career; not in lists */
};

/** Players one of whose spellings matches every word of `search` (by prefix of a word, accents
 * and case do not matter; NULL or "": all), ordered by judged turns of any class descending, id
 * ascending; those without games are left out. `after_turns`/`after_id` is the cursor (last row
 * seen), -1/0 for the start. */
IPR_CHECK enum ipr_code ipr_db_player_list(struct ipr_db *db, const char *search_key,
                                           int32_t judge_id, int64_t after_turns, int32_t after_id,
                                           int limit, struct ipr_arena *mem,
                                           struct ipr_db_player **rows, size_t *n,
                                           struct ipr_err *err);
/** The person of any identity; IPR_ENOTFOUND for nobody (0) too. */
IPR_CHECK enum ipr_code ipr_db_player_get(struct ipr_db *db, int32_t id, int32_t judge_id,
                                          unsigned times, struct ipr_arena *mem,
                                          struct ipr_db_player *out, struct ipr_err *err);

struct ipr_db_spelling {
    int32_t player_id; /* the identity it was found for */
    const char *name;
};
/** Spellings of a person, those of the root first. */
IPR_CHECK enum ipr_code ipr_db_player_spellings(struct ipr_db *db, int32_t person,
                                                struct ipr_arena *mem,
                                                struct ipr_db_spelling **rows, size_t *n,
                                                struct ipr_err *err);

struct ipr_db_member {
    int32_t id;
    const char *name;
    int32_t fide_id;   /* 0 none */
    int64_t change_id; /* the merge that brought it */
};
/** What is merged into a root, ascending id; not the root itself. */
IPR_CHECK enum ipr_code ipr_db_player_members(struct ipr_db *db, int32_t person,
                                              struct ipr_arena *mem, struct ipr_db_member **rows,
                                              size_t *n, struct ipr_err *err);

struct ipr_db_player_year {
    int32_t player_id;
    const char *name;
    int year;
    int32_t games;                      /* stored */
    int32_t in_class[IPR_TIME_CLASSES]; /* stored games of each class, counted or not */
    int32_t games_judged;               /* by the judge */
    int32_t turns;                      /* judged */
    int32_t counted, at_0, at_30;
    int64_t version;  /* grows with what figures rest on: what is judged, who played, by which
                       * lists; 0 when nothing is judged and nothing was merged */
    int32_t elo_mean; /* over the tagged games, 0 when none */
};
/** Years of one player, ascending, those without judged turns and without games of these classes
 * too; games of unknown year are in a row of year 0. games_judged counts judged sides. */
IPR_CHECK enum ipr_code ipr_db_player_years(struct ipr_db *db, int32_t person, int32_t judge_id,
                                            unsigned times, struct ipr_arena *mem,
                                            struct ipr_db_player_year **rows, size_t *n,
                                            struct ipr_err *err);
/** Player-years with most judged turns of all players, at least min_turns. */
IPR_CHECK enum ipr_code ipr_db_player_years_top(struct ipr_db *db, int32_t judge_id, unsigned times,
                                                int min_turns, int limit, struct ipr_arena *mem,
                                                struct ipr_db_player_year **rows, size_t *n,
                                                struct ipr_err *err);

/** Games of a player (of one year, or all when 0) of any class, newest first, for pages. White and
 * Black are persons. */
struct ipr_db_player_game {
    int64_t id;
    int32_t white_id, black_id;
    int32_t event_id; /* 0 none */
    const char *white, *black, *event, *date, *round;
    int result; /* enum ipr_result */
    int white_elo, black_elo, plies;
    enum ipr_time_class time_class;
    bool judged;     /* the player's side, by the judge */
    const char *job; /* "", "ready", "leased", "failed" */
};
IPR_CHECK enum ipr_code ipr_db_player_games(struct ipr_db *db, int32_t player_id, int year,
                                            int32_t judge_id, int limit, struct ipr_arena *mem,
                                            struct ipr_db_player_game **rows, size_t *n,
                                            struct ipr_err *err);

#endif
