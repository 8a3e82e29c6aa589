#ifndef IPR_INGEST_SOURCE_H
#define IPR_INGEST_SOURCE_H

#include "base/mem.h"
#include "ingest/interchange.h"
#include "ingest/unpack.h"
#include "pgn/reader.h"

/* What a file brings: its texts one after the other, PGN or interchange as their content tells,
 * and every game of them, accepted or refused. Who stores games and who only reports on them read
 * through here, so that neither reads what the other does not. */

#define IPR_LINE_MAX_BYTES ((size_t)16 * 1024 * 1024) /* of interchange */
#define IPR_SOURCE_HELD    1000                       /* refused games without tag and move */

/** A line of interchange. Borrowed until the callback returns, `game` as long as its arena. */
struct ipr_source_line {
    uint32_t line;                           /* 1-based */
    uint64_t offset;                         /* byte offset of it in its text */
    const struct ipr_interchange_game *game; /* of a refused one the tags, if they could be read */
    struct ipr_err error;                    /* code IPR_OK: accepted */
};

/** A file of an archive that is not read, while the others are. */
struct ipr_source_left {
    const char *name;          /* in the archive */
    const struct ipr_err *why; /* NULL: its name is that of neither PGN nor interchange; else it is
                                  a fault: "bad_archive", "unknown_encoding", "no_games" */
};

/** Who is told. A code other than IPR_OK stops the reading. */
struct ipr_source_sink {
    void *payload;
    /** A text begins: its name in the archive, borrowed until the next; "" outside of one, and when
     * what comes is of the file as a whole. */
    void (*text)(void *payload, const char *name);
    enum ipr_code (*left_out)(void *payload, const struct ipr_source_left *left,
                              struct ipr_err *err);
    ipr_pgn_game_fn pgn;
    enum ipr_code (*line)(void *payload, const struct ipr_source_line *line, struct ipr_err *err);
    struct ipr_pgn_limits limits;
    struct ipr_arena *mem; /* of interchange games; a callback may release or exchange it */
    bool pgn_only;         /* refuse interchange ("judged_games") */
};

/**
 * Reads all texts. A game that is refused stops nothing, nor does a file of an archive that cannot
 * be read; errors are of the whole, and what came before them has been handed on: IPR_EPARSE
 * "no_games" when nothing anywhere looked like a game, "unknown_encoding", "judged_games",
 * "bad_archive" (also of a kind that is not read); what unpacking refuses; the code of a callback.
 *
 * Any words can be read as one refused game. As long as nothing in a text was a tag or a legal move
 * such games, but for those too long to be seen, are held back, IPR_SOURCE_HELD at most: at its end
 * the text has none ("no_games").
 */
IPR_CHECK enum ipr_code ipr_source_read(struct ipr_unpack *u, const struct ipr_source_sink *sink,
                                        struct ipr_err *err);

#endif
