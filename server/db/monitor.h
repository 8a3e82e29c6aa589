#ifndef IPR_DB_MONITOR_H
#define IPR_DB_MONITOR_H

#include "db/db.h"

/* What those look at who keep judging going; nothing here is changed. */
#include "queries/monitor.h"

#endif
