#ifndef IPR_UCI_JUDGE_H
#define IPR_UCI_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"
#include "chess/position.h"

/** When the engine's memory is cleared, and with it the order of the turns. */
enum ipr_judge_clear {
    IPR_CLEAR_POSITION, /* before every position: an evaluation is a pure function of judge,
                           position and moves since the last irreversible one */
    IPR_CLEAR_GAME,  /* once per game, which is judged backwards: the hash is used, searches are not
                        reproducible */
    IPR_CLEAR_REMOTE /* as a fishnet client does: backwards, a few positions at a time */
};

/** The search for a move played outside the lines. */
enum ipr_judge_apart {
    IPR_APART_SEARCHMOVES, /* "go ... searchmoves", on the hash of the search over all moves */
    IPR_APART_AFTER,       /* the position after it, one ply less deep, seen from the mover: for
                              engines that do not know searchmoves */
    IPR_APART_EACH,        /* so is every legal move, and the best of them are the lines: for
                              engines without MultiPV, or whose further lines are bounds */
    IPR_APART_LINE         /* the move played, with half the nodes of the limit, and the best of the
                              others, with all, each by "go ... searchmoves"; of these the best
                              after each depth, counted back from the last */
};

/** Maximum depth: the engine's search ends there, and deeper output is ignored. */
#define IPR_DEPTH_MAX 60

/** Among a judge's options: the engine's searches are not reproducible. */
#define IPR_IRREPRODUCIBLE "irreproducible"

/**
 * A judge: an engine, its version and network, the options it is given and the protocol it is
 * used by. Every evaluation belongs to one judge; change any of these and it is another.
 * `standard` is Stockfish, MultiPV 20, depth 10, Hash 16, Threads 1, hash cleared before every
 * position, from move 9.
 *
 * A definition is a judge whose engine has not answered yet: `engine`, `network` and `options`
 * are empty, `apart` is the preference. The session of an engine (engine/process.h) fills them.
 *
 * Exactly one of depth, nodes and time_ms is not 0.
 */
struct ipr_judge {
    char name[32];     /* "standard", "quick", …, or the operator's: [a-z0-9_-] */
    char program[32];  /* which of the operator's engines: "stockfish", …; "fishnet": other
                          people's machines. No part of the identity: the engine's name is */
    char engine[64];   /* the engine's own "id name"; "" until it has answered */
    char network[64];  /* evaluation file, e.g. "nn-ad9b42354671.nnue"; "" when none */
    char options[128]; /* further options that were set, "Name=value; …"; "" when none. Of
                          tablebases the size and a digest of the set, not the path */
    uint32_t nodes;    /* limit of a search; 0: none */
    uint32_t time_ms;  /* of the adaptive rule (uci/adaptive.h); 0: not used */
    uint16_t multipv;  /* lines requested */
    uint16_t depth;    /* plies; 0: none */
    uint16_t hash_mb;
    uint16_t threads;
    uint16_t first_move; /* first full move judged, 1-based */
    uint8_t clear;       /* enum ipr_judge_clear */
    uint8_t apart;       /* enum ipr_judge_apart */
    bool tablebases;     /* the engine is given the operator's Syzygy tables */
};

/**
 * The built-in definitions: "quick" (depth 8), "standard" (10) and "deep" (14), MultiPV 20 from
 * move 9; "narrow" (depth 10, one line besides the move played: a seventeenth of the work, enough
 * for some methods); "alliot" (2 lines, adaptive time of 4 minutes, backwards, from move 10: Alliot
 * 2017, section 2.3); "fishnet" (depth 10, MultiPV 20, on remote machines); "rating" (depth 10, 2
 * lines: the default for what is queued, as much information a move as "standard" at an eighth of
 * the cost); "confirm" (2 million nodes, 2 lines: chosen moves of games, engine/confirm.h). False
 * for any other name. engine, network and options are left empty.
 */
bool ipr_judge_builtin(const char *name, struct ipr_judge *out);

/** True if the judge of that name is retired: "quick" and "narrow", for which there is no
 * calibration and so no rating. They are still defined, for what was analysed with them. */
bool ipr_judge_retired(const char *name);

/** The i-th of them, NULL after the last. */
const struct ipr_judge *ipr_judge_builtin_at(size_t i);

/** True if judging again gives the same to the byte, on any machine: then it may be cached. */
bool ipr_judge_is_pure(const struct ipr_judge *j);

/** True if one side of a game can be judged without the other: no evaluation depends on the search
 * of another position of the game. */
bool ipr_judge_by_side(const struct ipr_judge *j);

/** True if two judges or definitions request the same search; the names and all that follows from
 * the engine (engine, network, options, apart) aside. */
bool ipr_judge_same_search(const struct ipr_judge *a, const struct ipr_judge *b);

/** True if two judges are the same: engine, network, options and protocol; without the names, and
 * `tablebases`, which are part of the options. */
bool ipr_judge_same(const struct ipr_judge *a, const struct ipr_judge *b);

/** "depth 10", "100000 nodes" or "at most 240 s". */
#define IPR_LIMIT_TEXT_MAX 32
void ipr_judge_limit_text(const struct ipr_judge *j, char out[IPR_LIMIT_TEXT_MAX]);

/** Half-moves before the first turn judged: 2 (first_move - 1). */
unsigned ipr_judge_first_ply(const struct ipr_judge *j);

/* Scores: centipawns from the mover's point of view in [-20000, 20000]; mate in n (n > 0: the
 * mover mates) as 32000 - n, being mated in n as -32000 + n; IPR_SCORE_NONE where a depth did
 * not report the line exactly (bounds are not stored). */
#define IPR_SCORE_NONE        INT16_MIN
#define IPR_SCORE_MATE        32000
#define IPR_SCORE_CP_MAX      20000
#define IPR_SCORE_MATE_IN_MAX 246                  /* the deepest an engine searches */
bool ipr_score_is_mate(int16_t score, int *moves); /* signed number of moves to mate */
bool ipr_score_valid(int16_t score);               /* in the domain above, NONE excluded */

/** The score of a move, from that of the position after it as the opponent sees it: negated, and
 * a mate of the mover's one move further off (at most in IPR_SCORE_MATE_IN_MAX); -IPR_SCORE_MATE,
 * the opponent is mated, gives a mate in one. NONE stays. */
int16_t ipr_score_before(int16_t after);

/** True if a session or a check can be run with these settings: all counts within range, one byte
 * each for lines and depth; every move apart only with a limit of depth, each line only with one of
 * nodes and two lines. */
bool ipr_judge_valid(const struct ipr_judge *j);

/**
 * One judged turn. `lines` root moves, the judge's K best first (best at the last depth), then
 * the move played when it is not among them. score[line * depth + d - 1] is the score of that
 * line's root move after the completed depth d; at the last depth none is missing. The depth is
 * the judge's, or with a limit of nodes or time the last that was complete for every line.
 */
struct ipr_judged_turn {
    uint16_t ply;   /* half-moves played before it, 0 at the start position of the game */
    uint8_t mover;  /* enum ipr_colour */
    uint8_t depth;  /* last completed depth */
    uint8_t lines;  /* 1 .. K + 1 */
    uint8_t played; /* index into moves */
    uint8_t legal;  /* number of legal moves */
    bool repeated;  /* the position had occurred before in this game */
    bool settled;   /* a search ended with a bound, and the rest was searched again: uci/search.h */
    uint64_t nodes; /* of all that was searched for it */
    const ipr_move *moves;
    const int16_t *score;
    uint64_t apart_nodes; /* of the nodes, those of the move played, searched separately after the
                             rest; 0 if imported */
    const ipr_move *line; /* [n_line] where each line is a search of its own: the best of the moves
                             that were not played, and what the engine expects then */
    uint8_t n_line;       /* 0: not known */
};

#define IPR_LINE_MAX 8 /* half-moves */

/** Score of a line at the last depth. */
int16_t ipr_judged_final(const struct ipr_judged_turn *t, unsigned line);

/** All judged turns of (some sides of) one game, ascending by ply, memory in an arena. */
struct ipr_judged_game {
    struct ipr_judged_turn *turns;
    size_t n;
};

/** A copy of turns that have their moves. */
struct ipr_judged_game ipr_judged_copy(const struct ipr_judged_game *from, struct ipr_arena *mem);

/**
 * Checks judged turns against the game they claim to be about: every ply within the game, the
 * moves legal and distinct, `played` the move of the game, min(K, legal) lines, every turn of
 * `sides` (bit 0 White, bit 1 Black) from the judge's first move on present, the K lines in
 * descending order of their final score, the judge's depth or, without one, 1 to IPR_DEPTH_MAX.
 * Fills `legal`, `mover` and `repeated`. IPR_EPARSE with ply and type "bad_evaluation" or
 * "missing_turn".
 */
IPR_CHECK enum ipr_code ipr_judged_check(const struct ipr_judge *judge, const struct ipr_pos *start,
                                         const ipr_move *moves, size_t n_moves, unsigned sides,
                                         struct ipr_judged_game *g, struct ipr_err *err);

/** Appends the stored form of one turn: lines, `played` and nodes, but not ply, mover, legal and
 * repeated, which are stored in the side's figures (db/side_turns.h). */
void ipr_judged_pack(const struct ipr_judged_turn *t, struct ipr_buf *out);
/** Reads one turn from the front of `rest` and advances it; leaves the members that are not in it
 * unchanged. IPR_EPARSE if it is malformed; `rest` and `out` are then unchanged. Memory from `mem`.
 */
IPR_CHECK enum ipr_code ipr_judged_unpack(struct ipr_str *rest, struct ipr_arena *mem,
                                          struct ipr_judged_turn *out, struct ipr_err *err);

#endif
