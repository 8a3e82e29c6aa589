#ifndef IPR_DB_MONITOR_H
#define IPR_DB_MONITOR_H

#include "db/db.h"

/* Figures for operators of the queue; read only. */
#include "queries/monitor.h"

#endif
