#ifndef IPR_CORE_WATCHDOG_H
#define IPR_CORE_WATCHDOG_H

#include <stdbool.h>

/** Tells the service manager, where there is one, how the service is: "READY=1" (sd_notify(3)). */
void ipr_watchdog_notify(const char *state);

/** Milliseconds after which the service manager is to hear "WATCHDOG=1" again; -1: it does not
 * expect that. */
int ipr_watchdog_ms(void);

/** True if the web service that listens there answers a request within `ms`, or refuses it. */
bool ipr_watchdog_asks(int listen_fd, int ms);

#endif
