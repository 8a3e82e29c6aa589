#ifndef IPR_DB_PLAYERS_H
#define IPR_DB_PLAYERS_H

#include "db/db.h"

struct ipr_db_player {
    int32_t id;
    const char *name;
    int32_t games;                 /* all stored games */
    int32_t first_year, last_year; /* 0 unknown */
    int64_t turns;                 /* judged, all judges of the given name */
};

/** Players whose name matches every word of `search` (by prefix of a word, normalised; NULL or
 * "": all), ordered by judged turns descending, id ascending. `after_turns`/`after_id` is the
 * cursor (last row seen), -1/0 for the start. */
IPR_CHECK enum ipr_code ipr_db_player_list(struct ipr_db *db, const char *search_key,
                                           int32_t judge_id, int64_t after_turns, int32_t after_id,
                                           int limit, struct ipr_arena *mem,
                                           struct ipr_db_player **rows, size_t *n,
                                           struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_db_player_get(struct ipr_db *db, int32_t id, int32_t judge_id,
                                          struct ipr_arena *mem, struct ipr_db_player *out,
                                          struct ipr_err *err);

struct ipr_db_player_year {
    int32_t player_id;
    const char *name;
    int year;
    int32_t games;        /* stored */
    int32_t games_judged; /* by the judge */
    int32_t turns;        /* judged */
    int32_t counted, at_0, at_30;
    int64_t version;  /* 0 when nothing is judged */
    int32_t elo_mean; /* over the tagged games, 0 when none */
};
/** Years of one player, ascending; years without judged turns too; games of unknown year are in
 * none. games_judged counts judged sides. */
IPR_CHECK enum ipr_code ipr_db_player_years(struct ipr_db *db, int32_t player_id, int32_t judge_id,
                                            struct ipr_arena *mem, struct ipr_db_player_year **rows,
                                            size_t *n, struct ipr_err *err);
/** Player-years with most judged turns of all players, at least min_turns. */
IPR_CHECK enum ipr_code ipr_db_player_years_top(struct ipr_db *db, int32_t judge_id, int min_turns,
                                                int limit, struct ipr_arena *mem,
                                                struct ipr_db_player_year **rows, size_t *n,
                                                struct ipr_err *err);

/** Games of a player (of one year, or all when 0), newest first, for pages. */
struct ipr_db_player_game {
    int64_t id;
    int32_t white_id, black_id;
    const char *white, *black, *event, *date, *round;
    int result; /* enum ipr_result */
    int white_elo, black_elo, plies;
    bool judged;     /* the player's side, by the judge */
    const char *job; /* "", "ready", "leased", "failed" */
};
IPR_CHECK enum ipr_code ipr_db_player_games(struct ipr_db *db, int32_t player_id, int year,
                                            int32_t judge_id, int limit, struct ipr_arena *mem,
                                            struct ipr_db_player_game **rows, size_t *n,
                                            struct ipr_err *err);

#endif
