#ifndef IPR_CORE_SIGNALS_H
#define IPR_CORE_SIGNALS_H

#include <stdbool.h>

/** Ignores SIGPIPE and turns SIGINT and SIGTERM into a request to stop. Call before starting any
 * thread. */
void ipr_signals_install(void);

/** Blocks until a stop was requested. */
void ipr_signals_wait(void);

/** True if a stop was requested, after waiting for that up to `ms`. */
bool ipr_signals_stopped(int ms);

#endif
