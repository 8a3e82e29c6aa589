#ifndef IPR_UCI_REMOTE_TEXT_H
#define IPR_UCI_REMOTE_TEXT_H

#include "base/json_scan.h"
#include "uci/judge.h"

/*
 * The messages of clients of the fishnet protocol, as text; only analyses with "multipv", since no
 * others are assigned. Two dialects:
 *
 *   2.x  an element a position: {"skipped": true}, or {"score": M, "pv": M, "nodes": n, …}, M being
 *        [line][depth] with null for holes, a score {"cp": n} or {"mate": n}, a pv a list of moves
 *   1.x  one object {"score": T, "pv": T, "nodes": T, …}, T being [position][line][depth], [] for a
 *        position that was skipped, a score a number (mate in n: 32000 - n, being mated in n:
 *        -32000 + n), a pv a text
 *
 * Depths count from 0, which is only used for a game that has ended; a line is a rank, its
 * move differs from depth to depth. A partial report is a list with null for missing positions.
 * Source: the protocol as clients 1.18.2 and 2.0 to 2.14 speak it (lichess-org/fishnet,
 * doc/protocol.md and the clients' behaviour).
 */

/** A client as it describes itself. Texts are "" when absent or not of the form given here. */
struct ipr_remote_client {
    char key[65];     /* ASCII letters and digits */
    char version[16]; /* "2.14.1", "2.14.1-dev" */
    char engine[64];  /* 1.x: the engine's name; printable ASCII */
    char flavor[12];  /* 2.x: "nnue" or "classical" */
};

struct ipr_remote_body {
    struct ipr_remote_client client;
    struct ipr_str analysis; /* text of the member "analysis"; p NULL when there is none */
};

/** Reads a body of any request except for the analysis; an empty one is like {}. IPR_EPARSE
 * "bad_body" when it is no JSON object. `analysis` is borrowed from `text`. */
IPR_CHECK enum ipr_code ipr_remote_body_read(struct ipr_str text, struct ipr_remote_body *out,
                                             struct ipr_err *err);

/** Version from a header User-Agent "fishnet-<os>-<arch>/<version>"; "" for any other. */
void ipr_remote_agent_version(const char *user_agent, char version[16]);

/** True if a client of that version knows depth and multipv: from 1.18, and from 2.1. Not when the
 * version is unknown. */
bool ipr_remote_version_fits(const char *version);

enum ipr_remote_form { IPR_REMOTE_PARTIAL, IPR_REMOTE_BY_POSITION, IPR_REMOTE_BY_COLUMN };

struct ipr_remote_cell {
    char move[6];  /* first of the pv, "" for a hole */
    int16_t score; /* IPR_SCORE_NONE for a hole, and for "mate 0" */
};

/** The analysis of one position: cell[line * (depth + 1) + d], `lines` and `depth` as requested.
 */
struct ipr_remote_position {
    unsigned lines, depth;
    struct ipr_remote_cell *cell;
    uint64_t nodes; /* 0: not given */
};

struct ipr_remote_report {
    enum ipr_remote_form form;
    struct ipr_scan score, pv, nodes; /* only the first, except for columns */
    bool has_nodes;
};

/** Detects the form of an analysis, and goes to its first position. IPR_EPARSE
 * "bad_evaluation". Borrows the text. */
IPR_CHECK enum ipr_code ipr_remote_report_open(struct ipr_str analysis,
                                               struct ipr_remote_report *out, struct ipr_err *err);

/** Room for positions. Memory from `mem`. */
struct ipr_remote_position ipr_remote_position_new(unsigned lines, unsigned depth,
                                                   struct ipr_arena *mem);

/** Reads the next position, all holes when it was skipped; *there false after the last one.
 * IPR_EPARSE "bad_evaluation" when malformed, or with more lines than requested. */
IPR_CHECK enum ipr_code ipr_remote_report_next(struct ipr_remote_report *r,
                                               struct ipr_remote_position *out, bool *there,
                                               struct ipr_err *err);

#endif
