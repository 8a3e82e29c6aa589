#ifndef IPR_INGEST_SOURCE_H
#define IPR_INGEST_SOURCE_H

#include "base/mem.h"
#include "core/interchange.h"
#include "ingest/ingest.h"
#include "ingest/unpack.h"
#include "pgn/reader.h"

/* Reads the texts of a file in order, PGN, interchange, lichess's lines or chess.com's archive as
 * detected by content, and every game in them, accepted or rejected. The import and the dry run
 * both use it, so that they read the same. */

#define IPR_LINE_MAX_BYTES ((size_t)16 * 1024 * 1024) /* of interchange */
#define IPR_SOURCE_HELD    1000                       /* rejected games without tag and move */

/** A line of interchange. Borrowed until the callback returns, `game` as long as its arena. */
struct ipr_source_line {
    uint32_t line;   /* 1-based */
    uint64_t offset; /* byte offset in its text */
    const struct ipr_interchange_game
        *game;            /* of a rejected game the tags, if they could be read */
    struct ipr_err error; /* code IPR_OK: accepted */
};

/** A file of an archive that is skipped. */
struct ipr_source_skipped {
    const char *name;          /* in the archive */
    const struct ipr_err *why; /* NULL: by its name neither PGN nor interchange; else the error:
                                  "bad_archive", "unknown_encoding", "no_games" */
};

/** The callbacks. A code other than IPR_OK stops the reading. */
struct ipr_source_sink {
    void *payload;
    /** A text begins: its name in the archive, borrowed until the next; "" outside an archive and
     * for errors of the whole file. */
    void (*text)(void *payload, const char *name);
    enum ipr_code (*skipped)(void *payload, const struct ipr_source_skipped *left,
                             struct ipr_err *err);
    ipr_pgn_game_fn pgn;
    enum ipr_code (*line)(void *payload, const struct ipr_source_line *line, struct ipr_err *err);
    struct ipr_pgn_limits limits;
    struct ipr_arena *mem; /* of interchange games; a callback may release or replace it */
    enum ipr_source_form form;
};

/** Reads all texts. A rejected game or an unreadable file of an archive does not stop it; an error
 * concerns the whole, after the callbacks for everything before it: IPR_EPARSE "no_games" when
 * nothing looks like a game, "unknown_encoding", "judged_games", "bad_archive" (also an unsupported
 * kind); errors of unpacking; the code of a callback.
 *
 * Any words parse as one rejected game. Until a text has a tag or a legal move such games, except
 * those exceeding a limit, are held back, at most IPR_SOURCE_HELD: if none follows, the text has no
 * games ("no_games").
 */
IPR_CHECK enum ipr_code ipr_source_read(struct ipr_unpack *u, const struct ipr_source_sink *sink,
                                        struct ipr_err *err);

#endif
