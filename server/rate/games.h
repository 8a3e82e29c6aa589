#ifndef IPR_RATE_GAMES_H
#define IPR_RATE_GAMES_H

#include "core/interchange.h"
#include "core/openings.h"
#include "core/pools.h"
#include "db/contribution.h"
#include "human/moves.h"
#include "rate/choice.h"

/* The games of `intrinsic rate`, in memory. */

/** Which games are rated by the evaluations in their file, without an engine. */
enum ipr_rate_evals {
    /* The games of a pool if all have them, and the pool a scale for them: else an engine analyses
     * all, so that a player has one row. */
    IPR_RATE_EVALS_OF_ALL,
    IPR_RATE_EVALS_ONLY, /* those that have them; the others are left out */
    IPR_RATE_EVALS_NONE
};

/** The evaluations that a game is rated by. Without an engine the rating is not saved. */
enum ipr_rate_source {
    IPR_RATE_ENGINE,
    IPR_RATE_FILE,  /* the evaluations in its file (core/file_evals.h) */
    IPR_RATE_HUMANS /* networks of human moves (core/human_model.h): all games of a pool with a
                       scale for them */
};

struct ipr_rate_game {
    struct ipr_arena mem,
        judged_mem;   /* the latter of the turns, released once they are summed up */
    const char *file; /* borrowed */
    uint64_t number;  /* in the file, from 1 */
    struct ipr_interchange_game *text; /* tags, moves, result; judge and turns while they are known;
                                          NULL: rated by its file, and not kept */
    struct ipr_db_new_game row;        /* players, event, date, Elo */
    struct ipr_opening opening;        /* by game only */
    struct ipr_contribution side[2];   /* of White and Black, once it is summed up */
    const char *server;                /* that it was played on; NULL: none */
    int64_t loss_cp[2];                /* of the moves counted there */
    bool summed; /* while games are analysed, changed and read under one lock (judging.c) */
    enum ipr_rate_source source;
};

struct ipr_rate_games {
    struct ipr_judge judge; /* the engine setting: a definition */
    struct ipr_judge found; /* the same with the engine of games that were analysed before */
    bool calibrated;        /* for ratings */
    const struct ipr_spelling *spelling; /* of players' names; NULL: none */
    const struct ipr_rate_choice *choice;
    struct ipr_rate_left_out left_out;
    struct ipr_rate_game **at;
    size_t n, size;
    enum ipr_rate_evals evals;
    bool keep_texts;      /* tags, moves, notes and turns of all games, to the end */
    size_t by_file;       /* games rated by them */
    size_t beside;        /* games with enough of them that an engine analyses for others' sake */
    size_t unclear;       /* games with evaluations whose view or depth is not accepted */
    void *known;          /* tree of those that are there */
    void *ids;            /* tree of FIDE ids, each with the first name that has it */
    size_t set_aside;     /* sides whose id that first name has, which is another person's */
    struct ipr_arena mem; /* texts of the rows of games rated by their file */
    struct ipr_human *human; /* networks of human moves; NULL: none */
    size_t by_humans;        /* games rated by these */
};

/** Reads the networks in a folder, if it is named, before any game is added. An engine setting or
 * --evals that is named has precedence over them. IPR_EIO, IPR_EDATA. */
IPR_CHECK enum ipr_code ipr_rate_games_networks(struct ipr_rate_games *g, const char *folder,
                                                struct ipr_err *err);

/** The pool that a game is in: no rating is of games of two. */
const struct ipr_pool *ipr_rate_pool(const struct ipr_rate_game *g);

/** The scale that the rating of a game's players is on; its fit is NULL where there is none. */
const struct ipr_scale *ipr_rate_scale(const struct ipr_rate_game *g);

void ipr_rate_games_free(struct ipr_rate_games *g);

/**
 * Adds a copy of a game that was accepted, if it is of the choice. Of two with the same players,
 * moves and year, of less than 20 half-moves also event, date and round, the analysed one stays,
 * else the one with evaluations, else the first. Turns are kept if they are of the engine setting,
 * and of both sides. `games` is a struct ipr_rate_games; an ipr_report_game_fn.
 */
void ipr_rate_games_add(void *games, const char *file, uint64_t number,
                        const struct ipr_interchange_game *game);

/** When all games are there: which are rated by their evaluations, and several accounts of one
 * person become the first of them. IPR_EDATA: one has no game. */
IPR_CHECK enum ipr_code ipr_rate_games_settle(struct ipr_rate_games *g, struct ipr_err *err);

/** Sides with moves that the engine setting analyses, bit 0 White, bit 1 Black; 0 without any. */
unsigned ipr_rate_game_sides(const struct ipr_interchange_game *game);

/** Compares by FIDE id where one has it, else by name; 0: the same player. */
int ipr_rate_compare_players(const struct ipr_identity *a, const struct ipr_identity *b);

/** True if an engine's analysis is of the engine setting: for ratings by any engine, since the
 * scores of all are brought to one scale; else by one engine throughout. */
bool ipr_rate_is_of(const struct ipr_rate_games *games, const struct ipr_judge *judge);

/** True if a game is, or was, for an engine. */
bool ipr_rate_game_for_engine(const struct ipr_rate_game *g);

/** Sums up the moves of a game whose turns are known, or that the networks rate. Any number of
 * threads may do so for games of their own; the caller sets `summed`. */
void ipr_rate_game_sum(const struct ipr_rate_games *games, struct ipr_rate_game *g);

#endif
