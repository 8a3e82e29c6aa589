#ifndef IPR_MODEL_ENDGAME_H
#define IPR_MODEL_ENDGAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "stats/clustered.h"
#include "stats/interval.h"

/*
 * Play compared with the tablebases: in their positions no judge is needed, since moves keep the
 * value or do not.
 *
 * Source: Alliot, ICGA J. 39 (2017), section 2.3; Regan, LNCS 10000, section 2 (DTZ); methods
 * section 8.
 */

/** Win, draw or loss for the mover, as a tablebase with the 50-move rule has it. */
enum ipr_endgame_wdl {
    IPR_ENDGAME_LOSS,
    IPR_ENDGAME_BLESSED_LOSS, /* a draw by the 50-move rule */
    IPR_ENDGAME_DRAW,
    IPR_ENDGAME_CURSED_WIN, /* a draw by the 50-move rule, too */
    IPR_ENDGAME_WIN
};

/** One decision in a position of the tablebases. */
struct ipr_endgame_turn {
    int32_t game;                /* cluster; any numbering */
    uint8_t legal;               /* legal moves */
    bool probed;                 /* the tables gave `before` and `after` */
    enum ipr_endgame_wdl before; /* of the position, mover's view */
    enum ipr_endgame_wdl after;  /* of the position after the move played, same player's view */
    bool dtz_known;              /* the next three mean something */
    bool zeroing;                /* the move captured, was a pawn's or mated */
    uint16_t dtz_before;         /* half-moves to the next zeroing move, best play */
    uint16_t dtz_after;          /* the same after the move, 0 in a mate */
};

enum ipr_endgame_class {
    IPR_ENDGAME_CLASS_ALL,
    IPR_ENDGAME_CLASS_AT_STAKE, /* won or drawn: something could be lost */
    IPR_ENDGAME_CLASS_WON,
    IPR_ENDGAME_CLASS_DRAWN,
    IPR_ENDGAME_CLASS_LOST, /* always kept: a share of 1 */
    IPR_ENDGAME_CLASSES
};

enum ipr_endgame_excluded {
    IPR_ENDGAME_UNPROBED,
    IPR_ENDGAME_FORCED,        /* one legal move */
    IPR_ENDGAME_CONTRADICTORY, /* the value rose by a move, which no move can do */
    IPR_ENDGAME_REASONS
};

struct ipr_endgame_kept {
    size_t turns;
    bool known; /* at least `floor` turns; `share` is not set otherwise */
    struct ipr_share share;
};

struct ipr_endgame {
    size_t turns; /* that count */
    size_t excluded[IPR_ENDGAME_REASONS];
    struct ipr_endgame_kept kept[IPR_ENDGAME_CLASSES];
    /* Half-moves of DTZ lost by moves that kept a win; of turns with a known DTZ. */
    struct {
        size_t turns, games;
        bool known; /* at least `floor` turns */
        double mean, se;
        bool se_known; /* more than one game */
        struct ipr_interval interval;
        size_t best; /* turns that lost nothing */
    } dtz;
};

#define IPR_ENDGAME_FLOOR 20 /* default minimum number of turns for a figure */

/** 1 win, 0 draw, -1 loss; cursed wins and blessed losses are draws. */
int ipr_endgame_value(enum ipr_endgame_wdl wdl);

/**
 * Half-moves of DTZ that a move keeping the win has lost: DTZ after + 1 - DTZ before, and 0 for a
 * zeroing move. Never below 0: Syzygy's DTZ may be rounded by one.
 */
unsigned ipr_endgame_dtz_lost(const struct ipr_endgame_turn *t);

/** The first reason why a turn does not count; IPR_ENDGAME_REASONS: it counts. */
enum ipr_endgame_excluded ipr_endgame_reason(const struct ipr_endgame_turn *t);

/**
 * Share of turns that kept the value, by class, with Wilson and game-clustered 95 % intervals,
 * and the mean DTZ lost on winning moves.
 *
 * turns[n]   any order; the result does not depend on it
 * floor      turns, >= 1; IPR_ENDGAME_FLOOR
 * out        untouched on error
 *
 * IPR_EDATA with fewer than `floor` turns that count; IPR_EINVAL if floor = 0 or if a value is
 * not one of the five.
 */
IPR_CHECK enum ipr_code ipr_endgame(const struct ipr_endgame_turn *turns, size_t n, size_t floor,
                                    struct ipr_endgame *out, struct ipr_err *err);

/** "unprobed", "forced", "contradictory". */
const char *ipr_endgame_excluded_name(enum ipr_endgame_excluded reason);

#endif
