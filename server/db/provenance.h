#ifndef IPR_DB_PROVENANCE_H
#define IPR_DB_PROVENANCE_H

#include "db/db.h"

/* Where what is stored of a game came from. */
#include "queries/provenance.h"

#endif
