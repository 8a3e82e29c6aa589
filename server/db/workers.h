#ifndef IPR_DB_WORKERS_H
#define IPR_DB_WORKERS_H

#include "db/db.h"

/* The register of the processes that judge. */
#include "queries/workers.h"

#endif
