#ifndef IPR_DB_TURNS_H
#define IPR_DB_TURNS_H

#include "core/figures.h"
#include "db/db.h"
#include "db/games.h"
#include "model/turn.h"
#include "pgn/time_class.h"
#include "uci/judge.h"

/** The source and the cost of judgements. Indices: 0 White, 1 Black. */
struct ipr_db_work {
    const char *source; /* the worker, "import", "import:" and the name of the token, or "fishnet:"
                           and the name of the key */
    int64_t upload_id;  /* that brought them; 0: they were made here */
    bool keyed; /* judged here by a pure judge, so reusable in other games (known_turns.h) */
    const struct ipr_judged_game *known; /* the reused turns; NULL: none */
    int32_t search_ms[2];                /* search time of the other turns; 0: unknown */
};

/**
 * Stores judged sides of a game (in the caller's transaction): turns, judged_side rows, and the
 * player-years they touch, those locked in ascending (player, year) order. A side that this judge
 * had judged already is unchanged; `stored` says which were new (bit 0 White, bit 1 Black). The
 * players of the sides and the class are those of the game at that moment. `judged` must have
 * passed ipr_judged_check. Sends NOTIFY progress. With one game per transaction there are no
 * deadlocks, unless several engines have judged it: which side counts is settled last. With these,
 * or with several games, ipr_db_tx retries the one that was aborted. IPR_ENOTFOUND when the game
 * was deleted meanwhile.
 */
IPR_CHECK enum ipr_code ipr_db_sides_store(struct ipr_db *db, int32_t judge_id,
                                           const struct ipr_db_game *game,
                                           const struct ipr_judged_game *judged, unsigned sides,
                                           const struct ipr_db_work *work, unsigned *stored,
                                           struct ipr_err *err);

/** A side without moves that is to be stored. */
struct ipr_db_new_side {
    const struct ipr_db_new_game *game; /* already stored, with its id */
    int32_t judge_id;
    unsigned colour;
    const struct ipr_side_figures *figures;
};

/**
 * Stores the figures of many sides, in the caller's transaction, as ipr_db_sides_store stores
 * evaluations; games are locked by ascending id. Sums of a rating of another version than this
 * program's, or of a judge that does not tell strength, are not stored; those of this version
 * replace others of a side without lines. `work` has source and upload.
 */
IPR_CHECK enum ipr_code ipr_db_new_sides_store(struct ipr_db *db,
                                               const struct ipr_db_new_side *sides, size_t n,
                                               const struct ipr_db_work *work, struct ipr_err *err);

/** Adds the contributions of the judged sides of a stored game to the aggregates (1), or subtracts
 * them (-1): before and after a change of the columns that decide where a game counts. In the
 * caller's transaction; locks the game. */
IPR_CHECK enum ipr_code ipr_db_sides_count(struct ipr_db *db, int64_t game_id, int sign,
                                           struct ipr_err *err);

/** Deletes all judgements of a game, from the aggregates too. In the caller's transaction. */
IPR_CHECK enum ipr_code ipr_db_sides_forget(struct ipr_db *db, int64_t game_id,
                                            struct ipr_err *err);

/** Deletes one judge's evaluations of sides of a game (bit 0 White, bit 1 Black), from the
 * aggregates too. In the caller's transaction. */
IPR_CHECK enum ipr_code ipr_db_judgement_forget(struct ipr_db *db, int64_t game_id,
                                                int32_t judge_id, unsigned sides,
                                                struct ipr_err *err);

/** Which sides of a game a judge has judged. */
IPR_CHECK enum ipr_code ipr_db_sides_judged(struct ipr_db *db, int32_t judge_id, int64_t game_id,
                                            unsigned *sides, struct ipr_err *err);

/** As ipr_db_game_turns. `figures`, unless NULL, gets the turns of the sides that are stored as
 * figures alone: they have one depth, and `moves` is NULL. */
IPR_CHECK enum ipr_code ipr_db_game_turns_or_figures(struct ipr_db *db, int32_t judge_id,
                                                     int64_t game_id, struct ipr_arena *mem,
                                                     struct ipr_judged_game *turns,
                                                     struct ipr_judged_game *figures,
                                                     struct ipr_err *err);

/** All judged turns of a game as stored, both sides, ascending ply. */
IPR_CHECK enum ipr_code ipr_db_game_turns(struct ipr_db *db, int32_t judge_id, int64_t game_id,
                                          struct ipr_arena *mem, struct ipr_judged_game *out,
                                          struct ipr_err *err);
/** A turn in the form that the models use; evaluations from the arena. */
struct ipr_turn ipr_db_turn_of(const struct ipr_judged_turn *t, int year, unsigned multipv,
                               struct ipr_arena *mem);
/** The figures of a game's judged sides, with or without lines: side[2] by colour. *sides: the
 * sides that there are (bit 0 White, bit 1 Black). */
IPR_CHECK enum ipr_code ipr_db_game_figures(struct ipr_db *db, int32_t judge_id, int64_t game_id,
                                            unsigned multipv, struct ipr_arena *mem,
                                            struct ipr_side_figures side[2], unsigned *sides,
                                            struct ipr_err *err);

/* Players below are persons, by the ids of their roots; `times` a set of IPR_TIME_BIT: only games
 * of these classes are taken (db/players.h). */

#define IPR_DB_BOTH_COLOURS 3u

/** Which of a person's games are used. */
struct ipr_db_scope {
    int32_t person;        /* id of a root */
    int from, to;          /* calendar years, both included; both 0: all games, undated ones too */
    int32_t event;         /* 0: any */
    unsigned colours;      /* set: bit 0 as White, bit 1 as Black */
    unsigned times;        /* set of IPR_TIME_BIT, and IPR_TIME_OWN */
    const char *opponents; /* "{7,9}": ids of roots, the games against them; NULL: any */
    int64_t upload;        /* the games of an upload; 0: any */
};

/** A person's year, or with year 0 the whole career. */
static inline struct ipr_db_scope ipr_db_scope_year(int32_t person, int year, unsigned times)
{
    return (struct ipr_db_scope){
        .person = person, .from = year, .to = year, .colours = IPR_DB_BOTH_COLOURS, .times = times
    };
}

#include "queries/turns.h"

/**
 * A person's judged turns for the models, ascending game, ply; `game` is a running number from 0.
 * The sides that the turns belong to are included.
 */
struct ipr_db_player_turns {
    struct ipr_turn *turns;               /* [n] */
    const struct ipr_judged_turn *judged; /* [n] the same with every depth and line */
    size_t n;
    struct ipr_db_player_side *sides; /* [n_sides] ascending game_id, then colour */
    size_t n_sides;
    int32_t games; /* with judged turns */
};
IPR_CHECK enum ipr_code ipr_db_player_turns(struct ipr_db *db, const struct ipr_db_scope *scope,
                                            int32_t judge_id, struct ipr_arena *mem,
                                            struct ipr_db_player_turns *out, struct ipr_err *err);

/** Games of a scope by class of time control, of every class whatever the scope's. */
IPR_CHECK enum ipr_code ipr_db_scope_games(struct ipr_db *db, const struct ipr_db_scope *scope,
                                           int32_t games[IPR_TIME_CLASSES], struct ipr_err *err);

/** Best and played evaluation only, of all years up to `year`: what the Markov predictor needs.
 * Turns carry year, game, ply, legal, mover; cp has two entries: best, played; lines = n_cp = 2,
 * played = 1, but of a forced move lines = n_cp = 1, played = 0. */
IPR_CHECK enum ipr_code ipr_db_player_transitions(struct ipr_db *db, int32_t person, int year,
                                                  int32_t judge_id, unsigned times,
                                                  struct ipr_arena *mem, struct ipr_turn **turns,
                                                  size_t *n, struct ipr_err *err);

#endif
