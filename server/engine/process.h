#ifndef IPR_ENGINE_PROCESS_H
#define IPR_ENGINE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/mem.h"
#include "uci/judge.h"

/** One engine process, owned and used by one thread. The engine is not trusted: it is started
 * without a shell, in its own process group, with an empty environment, no inherited files, bounded
 * memory, no core and no file output, at the lowest priority, in a jail (engine/jail.h), and
 * everything it prints is checked. The thread that starts it stays alive as long as it is used.
 * SIGPIPE must be ignored process-wide.
 *
 * Failures of the engine are IPR_EIO with a type:
 *   "engine_missing"   no such program, or it cannot be started
 *   "engine_timeout"   no answer before a deadline
 *   "engine_died"      it exited, was killed or closed its output
 *   "engine_protocol"  it violates the protocol, or cannot do what the judge needs
 * While a game is judged `ply` is the turn, so that a position that crashes engines can be found.
 * After any failure the engine is dead: stop it and start another; the results for that game are
 * lost.
 *
 * A wait without a callback ends when the process is to stop, as "abandoned". A failure caused by
 * the judge's settings is IPR_EDATA "engine_unable": see below.
 */
struct ipr_engine;

/** Deadlines in ms. A search limited by nodes or time may take as long as its budget takes at the
 * slowest speed supported, if that is more than search_ms, and may be silent for that time. */
struct ipr_engine_limits {
    uint32_t uci_ms;    /* start to "uciok" */
    uint32_t ready_ms;  /* "isready" to "readyok" */
    uint32_t search_ms; /* one search, "go" to "bestmove" */
    uint32_t silent_ms; /* longest pause between two lines during a search */
    uint32_t quit_ms;   /* "quit" to the exit, then it is killed */
};

/** 60 s, 30 s, 60 s, 30 s, 2 s. */
extern const struct ipr_engine_limits ipr_engine_limits_default;

/**
 * Path of the engine program, from `mem`: `configured` when given (a path, or a name searched
 * in PATH), else "stockfish" in PATH, else /usr/games/stockfish. IPR_EIO "engine_missing" when
 * there is none that can be executed; a configured engine is never replaced by another.
 */
IPR_CHECK enum ipr_code ipr_engine_find(const char *configured, struct ipr_arena *mem,
                                        const char **path, struct ipr_err *err);

/** Syzygy tables for engines; the texts are borrowed until the engine is stopped. */
struct ipr_engine_tables {
    const char *path;     /* SyzygyPath; "" or NULL: none */
    const char *identity; /* of the tables, as in the judge: ipr_tablebase_identity */
};

/**
 * Starts the program, reads its name and network, and configures it for the judge: judge and limits
 * are copied, limits NULL means the defaults. `tables`, which may be NULL, are only used by a judge
 * that needs them. Additional options (its own book is switched off), missing features (`apart`)
 * and whether its searches are reproducible become part of the judge. When judge->engine or
 * judge->network is not empty and the program is another one: IPR_ECONFLICT, type
 * "engine_mismatch". When it has identified itself, but lacks a setting of this judge, or does
 * not support a limit of nodes: IPR_EDATA "engine_unable"; when it dies while that is set,
 * IPR_EDATA "engine_died". Other failures are IPR_EIO: another crash, such as that of an engine
 * that loads its network at the first search, or no answer in time.
 */
IPR_CHECK enum ipr_code ipr_engine_start(const char *path, const struct ipr_judge *judge,
                                         const struct ipr_engine_tables *tables,
                                         const struct ipr_engine_limits *limits,
                                         struct ipr_engine **out, struct ipr_err *err);

/** Sends "quit", or kills it when it is busy or does not exit in time; reaps it; clears *e. */
void ipr_engine_stop(struct ipr_engine **e);

/** The judge it was configured for, completed with the engine's "id name" and its evaluation file
 * (network, "" when it has none). Borrowed until the engine is stopped. */
const struct ipr_judge *ipr_engine_judge_of(const struct ipr_engine *e);
pid_t ipr_engine_pid(const struct ipr_engine *e);
/** False once any call has failed. */
bool ipr_engine_alive(const struct ipr_engine *e);

/**
 * Called at least once a second while a game is judged and after each turn. Any code but IPR_OK
 * abandons the game: the engine is then dead and the code is returned.
 */
typedef enum ipr_code (*ipr_engine_tick_fn)(void *payload, size_t turns_done, size_t turns_total);

/** One game to judge. All members are borrowed. */
struct ipr_engine_task {
    const struct ipr_pos *start;
    const ipr_move *moves;
    size_t n_moves;
    unsigned sides;                      /* bit 0 White, bit 1 Black */
    const struct ipr_judged_game *known; /* turns that need no search, ascending; NULL: none */
    uint16_t first_move;                 /* instead of the judge's; 0: the judge's */
    uint32_t nodes;                      /* likewise, of a judge with a limit of nodes */
    ipr_engine_tick_fn tick;             /* may be NULL */
    void *payload;
};

/** Limits a task to one turn of its game. */
void ipr_engine_task_turn(struct ipr_engine_task *task, const struct ipr_judged_turn *turn);

/**
 * Judges the turns of one game, as ipr_session does. On IPR_OK *out has memory from `mem` and the
 * engine is ready for the next game; otherwise *out is untouched. search_ms (may be NULL): time
 * spent on the turns of White and Black. The engine stays alive after IPR_EINVAL when a move of the
 * game is illegal, and after IPR_EDATA "engine_unable" for a game of Chess960 when it cannot play
 * that.
 */
IPR_CHECK enum ipr_code ipr_engine_judge(struct ipr_engine *e, const struct ipr_engine_task *task,
                                         struct ipr_arena *mem, struct ipr_judged_game *out,
                                         int32_t search_ms[2], struct ipr_err *err);

#endif
