#ifndef IPR_DB_PROVENANCE_H
#define IPR_DB_PROVENANCE_H

#include "db/db.h"

/* The sources of a stored game. */
#include "queries/provenance.h"

#endif
