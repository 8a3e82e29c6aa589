#ifndef IPR_UCI_JUDGE_H
#define IPR_UCI_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"
#include "chess/position.h"

/**
 * A judge: an engine, its version and network, and the settings it searches with. Every
 * evaluation belongs to one judge. `standard` is Stockfish, MultiPV 20, depth 10, Hash 16,
 * Threads 1, hash cleared before every position, from move 9.
 */
struct ipr_judge {
    char name[32];    /* "standard", "quick", "deep", or the operator's */
    char engine[64];  /* the engine's own "id name"; "" until it has answered */
    char network[64]; /* evaluation file, e.g. "nn-ad9b42354671.nnue"; "" when none */
    uint16_t multipv; /* lines asked for */
    uint16_t depth;   /* plies */
    uint16_t hash_mb;
    uint16_t threads;
    uint16_t first_move; /* first full move judged, 1-based */
};

/** The built-in settings of "quick" (depth 8), "standard" (10) and "deep" (14); false for any
 * other name. engine and network are left empty. */
bool ipr_judge_builtin(const char *name, struct ipr_judge *out);

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

/** Whether a session or a check can be run with these settings: all counts within range, one
 * byte each for lines and depth. */
bool ipr_judge_valid(const struct ipr_judge *j);

/**
 * One judged turn. `lines` root moves, the judge's K best first (best at the last depth), then
 * the move played when it is not among them. score[line * depth + d - 1] is the score of that
 * line's root move after the completed depth d; at the last depth none is missing.
 */
struct ipr_judged_turn {
    uint16_t ply;   /* half-moves played before it, 0 at the start position of the game */
    uint8_t mover;  /* enum ipr_colour */
    uint8_t depth;  /* last completed depth */
    uint8_t lines;  /* 1 .. K + 1 */
    uint8_t played; /* index into moves */
    uint8_t legal;  /* number of legal moves */
    bool repeated;  /* the position had occurred before in this game */
    uint64_t nodes;
    const ipr_move *moves;
    const int16_t *score;
};

/** Score of a line at the last depth. */
int16_t ipr_judged_final(const struct ipr_judged_turn *t, unsigned line);

/** All judged turns of (some sides of) one game, ascending by ply, memory in an arena. */
struct ipr_judged_game {
    struct ipr_judged_turn *turns;
    size_t n;
};

/**
 * Checks judged turns against the game they claim to be about: every ply within the game, the
 * moves legal and distinct, `played` the move of the game, min(K, legal) lines, every turn of
 * `sides` (bit 0 White, bit 1 Black) from the judge's first move on present, the K lines in
 * descending order of their final score. Fills `legal`, `mover` and `repeated`.
 * IPR_EPARSE with ply and type "bad_evaluation" or "missing_turn".
 */
IPR_CHECK enum ipr_code ipr_judged_check(const struct ipr_judge *judge, const struct ipr_pos *start,
                                         const ipr_move *moves, size_t n_moves, unsigned sides,
                                         struct ipr_judged_game *g, struct ipr_err *err);

/** Bytes of one turn's lines as stored (version byte first), and back. Little endian.
 * unpack: IPR_EPARSE on anything malformed; memory from `mem`. ply, mover, played, legal,
 * repeated and nodes are columns beside the blob and not in it. */
void ipr_judged_pack(const struct ipr_judged_turn *t, struct ipr_buf *out);
IPR_CHECK enum ipr_code ipr_judged_unpack(struct ipr_str bytes, struct ipr_arena *mem,
                                          struct ipr_judged_turn *out, struct ipr_err *err);

#endif
