#ifndef IPR_DB_LISTS_H
#define IPR_DB_LISTS_H

#include "db/players.h"

/* Lists with filters: 0, NULL or empty means no filter. */

/** Games. */
struct ipr_db_game_filter {
    int32_t player, opponent;  /* by any identity of the person; an opponent only with a player */
    unsigned colors;           /* of the player: bit 0 White, bit 1 Black */
    int from, to;              /* calendar years, both included; undated games are in none */
    const char *since, *until; /* dates as "1972-07", both included */
    const char *created;       /* the same: stored on that day or later … */
    int64_t first_upload;      /* … by this upload or a later one (ipr_db_upload_since) */
    int32_t event;
    const char *event_name; /* exact */
    int result;             /* 1 + enum ipr_result */
    int elo_from, elo_to;   /* in the tags, of both players */
    int32_t judge_id;       /* with a side that it has judged */
    unsigned times;         /* set of IPR_TIME_BIT */
    int64_t upload;         /* that contained it, whether it was new then or not */
    int64_t game;
    const char *tag; /* name of a tag that the game has, e.g. "Milepost" */
};

/** Persons. */
struct ipr_db_person_filter {
    const char *search_key; /* as of ipr_db_player_list */
    int32_t event;          /* in which the person played */
    int from, to;           /* years with games, both included */
    const char *created;    /* as of games: with such a game */
    int64_t first_upload;
    int moves_from, moves_to; /* of the rated ones: moves that count */
    int peak_from, peak_to;   /* and years of which some are of the peak */
    int born_from, born_to;   /* years of birth, both included; 0: any, also unknown */
};

/** Player-years of one judge. */
struct ipr_db_player_year_filter {
    int32_t list_id; /* ipr_db_year_list of … */
    int32_t judge_id;
    unsigned times;               /* set of IPR_TIME_BIT that is never empty */
    int32_t player;               /* by any identity of the person */
    int from, to;                 /* both included */
    int32_t event;                /* in which the player played in that year */
    int turns_from;               /* analysed */
    int counted_from, counted_to; /* counted for the lists */
    /* Key of their ratings (struct ipr_db_rating_key), and the version of the methods. */
    int32_t calibration_id;
    bool mismatch;
    int methods;
    bool uncached; /* only those whose rating is not cached */
};

#include "queries/lists.h"

#endif
