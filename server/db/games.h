#ifndef IPR_DB_GAMES_H
#define IPR_DB_GAMES_H

#include "chess/position.h"
#include "db/db.h"
#include "pgn/reader.h"

/** One accepted game on its way into the database; everything borrowed during the call. */
struct ipr_db_new_game {
    int32_t ordinal; /* 1-based number in the upload */
    unsigned char digest[32];
    const char *white, *black;         /* as spelled */
    const char *white_key, *black_key; /* normalised */
    int year;                          /* 0 unknown */
    const char *date, *event, *site, *round;
    enum ipr_result result;
    int white_elo, black_elo; /* 0 none */
    const char *start_fen;    /* NULL: initial position */
    const ipr_move *moves;
    size_t n_moves;
    const char *tags_json; /* all tags, JSON object in order of appearance */
    /* Filled by the call: */
    int64_t id;
    bool duplicate; /* was there already, or earlier in the same batch */
};

/** Inserts games and players in batches (any n), inside the caller's transaction; links them to
 * the upload. Fills id and duplicate of every row. Texts are valid UTF-8, a name key has at most
 * 1000 bytes, ordinals of an upload are distinct. An Elo outside 1..32767 is taken as none. */
IPR_CHECK enum ipr_code ipr_db_games_insert(struct ipr_db *db, int64_t upload_id,
                                            struct ipr_db_new_game *games, size_t n,
                                            struct ipr_err *err);

/** A stored game, memory from the arena. */
struct ipr_db_game {
    int64_t id;
    int32_t white_id, black_id;
    const char *white, *black, *event, *site, *date, *round, *tags_json;
    int year, white_elo, black_elo; /* 0 unknown */
    enum ipr_result result;
    struct ipr_pos start;
    bool custom_start;
    ipr_move *moves;
    size_t n_moves;
};
IPR_CHECK enum ipr_code ipr_db_game_get(struct ipr_db *db, int64_t id, struct ipr_arena *mem,
                                        struct ipr_db_game *out, struct ipr_err *err);

/** Ids of the games with judged sides of a judge, ascending, for export; filters may be NULL/0. */
struct ipr_db_game_filter {
    int32_t judge_id;  /* 0: any game, judged or not */
    const char *event; /* exact */
    int year;          /* 0: any */
    int32_t player_id; /* 0: any */
    const char *tag;   /* name of a tag that must be there, e.g. "Milepost" */
};
IPR_CHECK enum ipr_code ipr_db_game_ids(struct ipr_db *db, const struct ipr_db_game_filter *filter,
                                        struct ipr_arena *mem, int64_t **ids, size_t *n,
                                        struct ipr_err *err);

#endif
