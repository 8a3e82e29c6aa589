#ifndef IPR_RATE_JUDGING_H
#define IPR_RATE_JUDGING_H

#include "rate/games.h"
#include "rate/saved.h"

struct ipr_rate_judging {
    struct ipr_rate_games *games;
    struct ipr_rate_saved *saved; /* NULL: none */
    size_t n_saved;               /* games with moves that it has already */
    const char *engine;           /* program */
    const struct ipr_config *config;
    unsigned engines;        /* at a time */
    bool (*stop)(void *arg); /* asked several times a second; NULL: nothing but signals stops it */
    void (*progress)(void *arg, size_t games, size_t of); /* as games are analysed; may be NULL */
    void *arg;
    bool quiet; /* no progress, even on a terminal */
};

/** How many games need an engine. */
size_t ipr_rate_engine_games(const struct ipr_rate_games *games);

/**
 * Analyses the games that are not yet analysed by the engine setting, with an engine a
 * thread, sums up the moves of all and saves their turns in order. A game is tried with three
 * engines. IPR_EIO: the engine, or the file of saved games, or a stop was requested
 * (core/signals.h); IPR_EDATA: of a setting without ratings, the program is not the engine
 * that has analysed the others.
 */
IPR_CHECK enum ipr_code ipr_rate_judge(const struct ipr_rate_judging *j, struct ipr_err *err);

#endif
