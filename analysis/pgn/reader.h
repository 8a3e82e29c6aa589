#ifndef IPR_PGN_READER_H
#define IPR_PGN_READER_H

#include "base/error.h"
#include "base/str.h"
#include "chess/position.h"
#include "pgn/charset.h"
#include "pgn/notes.h"
#include "pgn/result.h"

struct ipr_pgn_tag {
    struct ipr_str name, value; /* value unescaped, UTF-8 */
};

/** One game as read; everything borrowed until the callback returns. */
struct ipr_pgn_game {
    uint32_t index;  /* 0-based within the input */
    uint64_t offset; /* byte offset of its first tag or move */
    uint32_t line;   /* 1-based line of the same */
    const struct ipr_pgn_tag *tags;
    size_t n_tags;
    struct ipr_pos start; /* from FEN when tagged, else the initial position */
    bool custom_start;
    const ipr_move *moves; /* main line, all legal */
    size_t n_moves;
    struct ipr_pos end;               /* after the last of them */
    uint32_t variations;              /* skipped, nested ones counted */
    const struct ipr_pgn_note *notes; /* in the order of the text; none unless requested */
    size_t n_notes;
    struct ipr_encoding encoding; /* of its tags, and of its comments when they are kept */
    enum ipr_result result;       /* terminator if there is one, else the Result tag */
    struct ipr_err error; /* code IPR_OK: accepted; else refused, with line, column, ply, type */
};

/** A tag by its name, NULL when there is none. The first one wins when repeated. Names are case
 * sensitive by the standard (8.1.1), but other cases occur: [white "Tal"] is found as White where
 * no tag is spelled exactly so. */
const struct ipr_pgn_tag *ipr_pgn_tag_named(const struct ipr_pgn_tag *tags, size_t n_tags,
                                            const char *name);

/** The value of that tag, or an empty string. */
struct ipr_str ipr_pgn_tag_find(const struct ipr_pgn_tag *tags, size_t n_tags, const char *name);
struct ipr_str ipr_pgn_tag_get(const struct ipr_pgn_game *g, const char *name);

/** True if the reader takes `s` for a tag's name: a letter, digit or _, then anything but space,
 * quote and square brackets. The standard allows only the former; others occur ("[Played? "yes"]").
 * */
bool ipr_pgn_is_tag_name(struct ipr_str s);

/** Called for every game, accepted or refused. A code other than IPR_OK stops the reading. */
typedef enum ipr_code (*ipr_pgn_game_fn)(void *payload, const struct ipr_pgn_game *game,
                                         struct ipr_err *err);

struct ipr_pgn_limits {
    size_t max_game_bytes; /* 0: 4 MiB. A longer game is refused ("game_too_long"), not the file */
    size_t max_plies;      /* 0: 20000 */
    bool notes;            /* keep comments, glyphs, evaluations and clocks */
};

struct ipr_pgn_reader;

/**
 * An incremental PGN reader with a callback per game; memory is bounded by the limits for any size
 * of input. Each tag or comment that is not valid UTF-8 is read as Windows-1252. A game stops at
 * its first illegal move; the next game starts at the next tag section. Comments after a result
 * belong to the game that it ends, all others to the game that contains or follows them. Input
 * without any game is an error of finish ("no_games").
 *
 * Types of errors: bad_tag, bad_fen, unsupported_variant, bad_move, illegal_move,
 * ambiguous_move, null_move, unterminated_comment, unterminated_variation, stray_close,
 * text_after_result, game_too_long (bytes, half-moves, or 2^18 notes).
 */
struct ipr_pgn_reader *ipr_pgn_reader_new(const struct ipr_pgn_limits *limits, ipr_pgn_game_fn fn,
                                          void *payload);
IPR_CHECK enum ipr_code ipr_pgn_reader_feed(struct ipr_pgn_reader *r, const void *bytes, size_t n,
                                            struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_pgn_reader_finish(struct ipr_pgn_reader *r, struct ipr_err *err);
void ipr_pgn_reader_free(struct ipr_pgn_reader **r);

#endif
