#ifndef IPR_ENGINE_JAIL_CALLS_H
#define IPR_ENGINE_JAIL_CALLS_H

#include <stdbool.h>

/** Prepares the filter of system calls, once a process; false when it cannot be made. */
bool ipr_jail_calls_prepare(void);

/** In the new process, once prepared: calls that engines do not need fail from now on, as if the
 * kernel did not have them. False when the kernel refuses. Async-signal-safe. */
bool ipr_jail_calls_seal(void);

#endif
