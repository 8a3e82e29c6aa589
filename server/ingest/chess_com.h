#ifndef IPR_INGEST_CHESS_COM_H
#define IPR_INGEST_CHESS_COM_H

#include "base/error.h"
#include "base/str.h"

/* The games of a month as chess.com's API has them, {"games":[{"pgn":"…",…},…]}
 * (https://www.chess.com/news/view/published-data-api), however long: one game is in memory. */

#define IPR_CHESS_COM_GAME_MAX ((size_t)1024 * 1024)

/** A game begins at line, column and byte. `pgn` is borrowed; NULL: `why` says what is wrong. */
struct ipr_chess_com_game {
    uint32_t line, column;
    uint64_t offset;
    const char *pgn;
    const struct ipr_err *why;
};

struct ipr_chess_com {
    enum ipr_code (*game)(void *payload, const struct ipr_chess_com_game *game,
                          struct ipr_err *err);
    void *payload;
    struct ipr_buf text; /* of the game so far */
    struct ipr_chess_com_game at;
    uint32_t line, column;
    uint64_t offset;
    unsigned depth; /* of brackets and braces */
    bool string, escaped, closed, ended;
};

/** True if a text that begins so is such an archive. */
bool ipr_chess_com_begins(struct ipr_str text);

/** Takes the next bytes. Errors of the callback, which gets what is wrong in the text: IPR_EPARSE
 * "bad_json" with the place. What is no archive ends the reading. */
IPR_CHECK enum ipr_code ipr_chess_com_feed(struct ipr_chess_com *c, struct ipr_str bytes,
                                           struct ipr_err *err);

/** At the end of the text. */
IPR_CHECK enum ipr_code ipr_chess_com_finish(struct ipr_chess_com *c, struct ipr_err *err);

#endif
