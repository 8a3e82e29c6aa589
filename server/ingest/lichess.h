#ifndef IPR_INGEST_LICHESS_H
#define IPR_INGEST_LICHESS_H

#include "base/error.h"
#include "base/str.h"

/* Games as lichess's API writes them as NDJSON
 * (https://lichess.org/api#tag/Games): read as the PGN that the site writes of the same game. */

#define IPR_LICHESS_LINE_MAX ((size_t)1024 * 1024)

/** True if a text that begins so is such games, not the interchange's. */
bool ipr_lichess_begins(struct ipr_str text);

/** Appends a line's game as PGN, with its evaluations and clocks. IPR_EPARSE "bad_json" with the
 * line's number; nothing is appended then. */
IPR_CHECK enum ipr_code ipr_lichess_pgn(struct ipr_str line, uint32_t line_no, struct ipr_buf *out,
                                        struct ipr_err *err);

#endif
