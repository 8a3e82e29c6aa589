#ifndef LAB_PLANTED_H
#define LAB_PLANTED_H

#include <jansson.h>

#include "lab/report.h"

/*
 * Engine users planted in composed Swisses: how often the test of an event finds them
 * (docs/statistics.md, What the test of an event finds, has the rule).
 */

#define BENCH_PLANTED_PLAYERS 100
#define BENCH_PLANTED_ROUNDS  9
#define BENCH_PLANTED_SWISSES 1000

/** A side of a game of known Elo; no parameter that it is scored by knows its player. */
struct bench_planted_side {
    double elo, expected; /* z of its Elo and year, by a curve without its player */
    const struct bench_move *move;
    size_t n;
};

struct bench_planted {
    const struct bench_planted_side *side; /* [n] ascending Elo */
    size_t n;
    const struct ipr_strength_calibration *model;
};

/** Who moves in place of the player: the judging engine's first choice, which loses nothing; or an
 * engine that differs from it among moves that are nearly as good. */
enum bench_planted_engine { BENCH_PLANTED_FIRST, BENCH_PLANTED_CLOSE, BENCH_PLANTED_ENGINES };

/** Sums over the moves of a player. */
struct bench_planted_sums {
    double score, information;
    double own;     /* the information in moves of the player's own */
    double squares; /* of the information in each side */
    size_t moves;
};

/**
 * Adds a side as if its player had this Elo. A move is the engine's where u[i][0] < share; u[i][1]
 * decides between its first two choices.
 *
 * u   [side->n][2] uniform; NULL: all moves are the player's own
 */
void bench_planted_add(const struct bench_planted *p, const struct bench_planted_side *side,
                       double elo, double share, enum bench_planted_engine engine,
                       const double (*u)[2], struct bench_planted_sums *sum);

/** The shares of Swisses in which a planted user comes first, is flagged, and somebody else is
 * flagged, by level, share of the moves, engine and rounds; a new reference. */
json_t *bench_planted_count(const struct bench_planted *p, size_t swisses);

/** The same of the sides of a report: its chosen entry and curves. */
json_t *bench_planted(const struct bench_report *r);

/** Prints it as a table in Markdown. */
void bench_planted_markdown(const json_t *planted);

#endif
