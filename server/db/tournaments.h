#ifndef IPR_DB_TOURNAMENTS_H
#define IPR_DB_TOURNAMENTS_H

#include "db/db.h"
#include "db/turns.h"
#include "model/strength_engines.h"

/*
 * Tournaments: events (db/events.h) with their games. Players are persons, by the ids of their
 * roots; the unknown player is left out. `times` is a set of IPR_TIME_BIT.
 */

/** Maximum number of games read of one event: some collections name one event for a million
 * games. */
#define IPR_TOURNAMENT_GAMES 10000

struct ipr_db_tournament_query {
    const char *search; /* prefixes of words of its name; "": any */
    int32_t player;     /* that played in it, by any identity of the person; 0: any */
    int64_t upload;     /* that has games of it, instead of a player; 0: any */
    int from, to;       /* years, both included; 0: open; undated ones only when both are */
    bool ascending;
    int32_t judge_id;
    int after_year; /* last row seen; -1: none */
    int32_t after_id;
    bool after_part;
    int limit;
};

#include "queries/tournaments.h"

struct ipr_db_tournament_player {
    int32_t id;
    const char *name;
    struct ipr_db_player_side *sides; /* ascending game_id, then colour; `game` not set yet */
    size_t n_sides;
};
/** All players of the event, ascending id; games judged or not. */
IPR_CHECK enum ipr_code ipr_db_tournament_players(struct ipr_db *db, int32_t id, int32_t judge_id,
                                                  unsigned times, struct ipr_arena *mem,
                                                  struct ipr_db_tournament_player **rows, size_t *n,
                                                  struct ipr_err *err);

/**
 * Turns of n of them by the same judge: out[i] is what ipr_db_player_turns gives for players[i] in
 * the scope of the event, with its sides, whose `game` it sets. Memory: some 1.5 KB a turn of a
 * judge of 20 lines and 10 depths.
 */
IPR_CHECK enum ipr_code ipr_db_tournament_turns(struct ipr_db *db, int32_t judge_id,
                                                const struct ipr_db_tournament_player *players,
                                                size_t n, struct ipr_arena *mem,
                                                struct ipr_db_player_turns *out,
                                                struct ipr_err *err);

#endif
