#ifndef IPR_DB_GAMES_H
#define IPR_DB_GAMES_H

#include "chess/position.h"
#include "core/identity.h"
#include "db/db.h"
#include "db/identities.h"
#include "pgn/reader.h"
#include "pgn/time_class.h"

/** One accepted game to be stored; everything is borrowed during the call. */
struct ipr_db_new_game {
    int32_t ordinal; /* 1-based number in the upload */
    struct ipr_identity white, black;
    const char *event; /* "" none */
    int event_year;    /* of EventDate, else of Date; 0 unknown */
    int year;          /* of Date; 0 unknown */
    const char *date, *site, *round;
    enum ipr_result result;
    int white_elo, black_elo; /* 0 none */
    enum ipr_time_class time_class;
    enum ipr_time_known time_known;
    const char *start_fen; /* NULL: initial position */
    const ipr_move *moves; /* NULL with n_moves > 0: only their key is known */
    size_t n_moves;
    int64_t moves_key;     /* core/digest.h */
    int32_t stem;          /* core/digest.h; 0 if the moves are not known */
    const char *tags_json; /* all tags, JSON object in order of appearance */
    struct ipr_str notes;  /* packed (pgn/notes.h); empty: none */
    /* From ipr_db_identities and ipr_db_events: */
    struct ipr_db_identity white_id, black_id;
    int32_t event_id;
    /* Filled by ipr_db_games_insert: */
    int64_t id;
};

/** Adds games (any n) whose players and events are known to an upload, inside the caller's
 * transaction; it is not checked whether they are stored already. Fills ids. Texts are valid UTF-8.
 * An Elo outside 1..32767 is treated as none. Asynchronous. */
IPR_CHECK enum ipr_code ipr_db_games_insert(struct ipr_db *db, int64_t upload_id,
                                            struct ipr_db_new_game *const *games, size_t n,
                                            struct ipr_err *err);

/** A stored game, memory from the arena. */
struct ipr_db_game {
    int64_t id;
    int32_t white_id, black_id;
    int32_t event_id; /* IPR_EVENT_NONE: none */
    const char *white, *black, *event, *site, *date, *round, *tags_json;
    int year, white_elo, black_elo; /* 0 unknown */
    enum ipr_result result;
    struct ipr_pos start;
    bool custom_start;
    const ipr_move *moves;
    size_t n_moves; /* 0: no moves, or they are not stored */
    size_t plies;   /* half-moves of the game, stored or not */
    int64_t moves_key;
    enum ipr_time_class time_class;
    enum ipr_time_known time_known;
    struct ipr_str notes; /* packed (pgn/notes.h); empty: none */
};

#include "queries/games.h"

#endif
