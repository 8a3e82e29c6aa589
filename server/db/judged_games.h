#ifndef IPR_DB_JUDGED_GAMES_H
#define IPR_DB_JUDGED_GAMES_H

#include "db/db.h"
#include "model/turn.h"
#include "pgn/reader.h"

/*
 * Games for reports: the evaluations of a judge, and the results. Persons are given by the ids of
 * their roots; `times` is a set of IPR_TIME_BIT.
 */

/** Which games of a judge. */
struct ipr_db_judged_scope {
    int32_t judge_id;
    unsigned times;
    bool both; /* both sides must have judged turns; else one is enough */
    int limit; /* games at most: those of the latest years, of these the ones stored last */
};

struct ipr_db_judged_game {
    int64_t id;
    int year;     /* 0 unknown */
    int result;   /* White's: 1, 0, -1 */
    bool known;   /* whether the result is */
    int elo[2];   /* White's, Black's in the tags; 0 none */
    int turns;    /* at most: of both colours */
    size_t first; /* its turns are turns[first .. first + n) */
    size_t n;
};

/** Best and played evaluation only, as ipr_db_player_transitions gives them, except for forced
 * moves, whose only entry is the move itself. */
struct ipr_db_judged_games {
    struct ipr_db_judged_game *games; /* [n] by year descending, then id descending */
    size_t n;
    struct ipr_turn *turns; /* [n_turns]; `game` is the index in games */
    size_t n_turns;
    int64_t available; /* games with judged turns of any side */
    int64_t one_sided; /* of these, with judged turns of one side only */
};

/**
 * Memory: 28 bytes a turn and 56 a game; while reading, also 500 games of some 200 bytes a turn.
 * 25,000 games of 70 turns are 50 MB.
 */
IPR_CHECK enum ipr_code ipr_db_judged_games(struct ipr_db *db,
                                            const struct ipr_db_judged_scope *scope,
                                            struct ipr_arena *mem, struct ipr_db_judged_games *out,
                                            struct ipr_err *err);

#include "queries/judged_games.h"

/** Which matches. */
struct ipr_db_match_scope {
    int32_t judge_id;
    unsigned times;
    int least; /* games with moves and known results */
    int back;  /* both persons have judged turns in the year that is so many before the match's */
    int limit; /* matches at most: those with most games, of these the latest */
    int later; /* or in one of so many years after that one */
};

/** `available`: number of matches before the limit. */
IPR_CHECK enum ipr_code ipr_db_matches(struct ipr_db *db, const struct ipr_db_match_scope *scope,
                                       struct ipr_arena *mem, struct ipr_db_match **rows, size_t *n,
                                       int64_t *available, struct ipr_err *err);

#endif
